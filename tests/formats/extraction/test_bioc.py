"""BioC as XML and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

READER = FormatReader(format_named("bioc-json"), "a.json")
XML_READER = FormatReader(format_named("bioc"), "a.xml")


def annotation(
    id: str, offset: int, text: str, type: str, **infons: str
) -> dict[str, Any]:
    return {
        "id": id,
        "infons": {"type": type, **infons},
        "locations": [{"offset": offset, "length": len(text)}],
        "text": text,
    }


ASPIRIN = annotation("1", 0, "Aspirin", "Chemical", MESH="D1")
PAIN = annotation("2", 20, "Pain", "Disease", identifier="D2")

PASSAGES = [
    {
        "infons": {"section": "title"},
        "offset": 0,
        "text": "Aspirin helps",
        "annotations": [ASPIRIN],
    },
    {"infons": {}, "offset": 20, "text": "Pain rises", "annotations": [PAIN]},
]

LINKS = [
    {
        "id": "R1",
        "infons": {"type": "treats"},
        "nodes": [{"refid": "1", "role": "drug"}, {"refid": "2", "role": "what"}],
    },
    {"id": "R2", "infons": {"relation": "CID", "Chemical": "D1", "Disease": "D2"}},
    {
        "id": "R3",
        "infons": {"type": "Association", "entity1": "D1", "entity2": "D2"},
        "nodes": [],
    },
]

DOCUMENT = {"id": "7", "passages": PASSAGES, "relations": LINKS}


def collection(*documents: Any) -> str:
    fields = {"source": "", "date": "", "key": "", "documents": [*documents]}
    return json.dumps(fields, indent=1)


JSON = collection(DOCUMENT, {"id": "8", "passages": [], "relations": []})

XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection>
<source>x</source><date></date><key></key>
<document>
<id>7</id>
<passage><infon key="section">title</infon>
<offset>0</offset><text>Aspirin helps</text>
<annotation id="1"><infon key="type">Chemical</infon><infon key="MESH">D1</infon>
<location offset="0" length="7"/><text>Aspirin</text></annotation>
</passage>
<passage><offset>20</offset><text>Pain rises</text>
<annotation id="2"><infon key="type">Disease</infon><infon key="identifier">D2</infon>
<location offset="20" length="4"/><text>Pain</text></annotation>
</passage>
<relation id="R1"><infon key="type">treats</infon>
<node refid="1" role="drug"/><node refid="2" role="what"/></relation>
<relation id="R2"><infon key="relation">CID</infon><infon key="Chemical">D1</infon>
<infon key="Disease">D2</infon></relation>
<relation id="R3"><infon key="type">Association</infon><infon key="entity1">D1</infon>
<infon key="entity2">D2</infon></relation>
</document>
<document><id>8</id></document>
</collection>
"""


def test_both_say_the_same() -> None:
    graphs = READER.good(JSON)
    ner, relation, *_ = graphs
    assert [(n.label, n.anchors, n.properties[1:]) for n in ner.nodes] == [
        ("Chemical", (Anchor(0, 7),), (("authority", "D1"),)),
        ("Disease", (Anchor(14, 18),), (("authority", "D2"),)),
    ]
    assert [n.label for n in relation.nodes if n.label][2:] == [
        "treats",
        "CID",
        "Association",
    ]
    assert {e.label for e in relation.edges} == {
        *("drug", "what", "Chemical", "Disease", "Arg1", "Arg2", "mention")
    }
    data = XML.replace("<document><id>8</id>", "<document><id>8</id><passage/>")
    assert repr(XML_READER.good(XML)[:2]) == repr(graphs[:2])
    assert XML_READER.problems(data) == [
        "a.xml:23: $.passages[0].offset: found nothing, expected a whole number"
    ]


@pytest.mark.parametrize("reader", [READER, XML_READER])
def test_what_is_written_comes_back(reader: FormatReader) -> None:
    graphs = READER.good(JSON)
    data = b"".join(write_checked(reader.format, graphs))
    assert repr(reader.good(data)) == repr(graphs)


def test_documents_may_have_a_line_each() -> None:
    lines = json.dumps(DOCUMENT) + "\n" + json.dumps({**DOCUMENT, "id": "9"}) + "\n"
    assert [g.id for g in READER.good(lines)] == ["7", "7", "9", "9"]
    assert len(READER.good(json.dumps({"PubTator3": [DOCUMENT]}))) == 2


def test_sentences_stand_for_their_passage() -> None:
    passage = {"offset": 0, "infons": {}, "sentences": PASSAGES}
    ner, _ = READER.good(collection({"id": "7", "passages": [passage]}))
    assert ner.text == "Aspirin helps\nPain rises"


def changed(annotation: Any) -> str:
    passages = [{**PASSAGES[0], "annotations": [annotation]}]
    return collection({"id": "6", "passages": passages}, DOCUMENT)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (
            changed({**ASPIRIN, "text": "Ibuprofen"}),
            "$.documents[0].passages[0].annotations[0].text: found 'Ibuprofen', expect",
        ),
        (
            changed({**ASPIRIN, "locations": [{"offset": 10, "length": 9}]}),
            "locations[0]: found characters 10 and 9 of them, expected a range within",
        ),
        (changed({**ASPIRIN, "locations": []}), "locations: found [], expected a loc"),
        (changed({**ASPIRIN, "infons": {}}), "infons.type: found null, expected the t"),
        (changed(3), "annotations[0]: found 3, expected an object"),
        (
            collection(
                {**DOCUMENT, "relations": [{"infons": {"type": "x"}}]}, DOCUMENT
            ),
            "relations[0].nodes: found [], expected nodes, or two identifiers in inf",
        ),
        (
            collection({**DOCUMENT, "passages": PASSAGES[:1]}, DOCUMENT),
            "relations[0].nodes[1].refid: found '2', expected the id of an annotation",
        ),
        (collection(7, DOCUMENT), "$.documents[0]: found 7, expected a document"),
    ],
)
def test_what_is_wrong_costs_its_document(data: str, problem: str) -> None:
    [said] = READER.problems(data)
    assert said.startswith("a.json:")
    assert problem in said
    assert isinstance(READER.read(data)[-1], ReadGraph)


def test_another_root_is_refused() -> None:
    [said] = XML_READER.problems("<corpus/>")
    assert said == "a.xml:1: found an element <corpus>, expected <collection>"
    entity = '<!DOCTYPE collection [<!ENTITY a "b">]><collection/>'
    [said] = XML_READER.problems(entity)
    assert "found a document type declaration" in said
