"""WebAnno TSV 3: layers of spans, relations, slots and chains."""

from __future__ import annotations

import pytest

from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from tests.formats.reading import FormatReader

READER = FormatReader(format_named("webanno"), "acme.tsv")

HEAD = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=core.api.lexmorph.type.pos.POS|PosValue
#T_SP=custom.Entity|identifier|value
#T_SP=custom.Deal|kind|ROLE_custom.Deal:parts_custom.DealLink|custom.Entity
#T_CH=custom.RefLink|referenceRelation|referenceType
#T_RL=custom.Link|label|BT_custom.Entity


"""

DOCUMENT = (
    HEAD
    + """\
#Text=🎉 Jenny runs Acme Inc
1-1	0-2	🎉	X	_	_	_	_	_	_	_	_	_
1-2	3-8	Jenny	N	Q1	PER	_	_	_	name->1-1	name[1]	_	_
1-3	9-13	runs	V	_	_	owns[4]|\\_[5]	by;of[4]|*[5]	1-2;1-4[2]|_	_	_	_	_
1-4	14-18	Acme	N	*[2]|*[3]	ORG[2]|NAME[3]	_	_	_	_	_	boss	1-2[0_2]
1-5	19-22	Inc	N	*[2]	ORG[2]	_	_	_	_	_	_	_
1-5.1	19-21	In	_	*	PART	_	_	_	_	_	_	_

#Text=She left
2-1	23-26	She	P	_	_	_	_	_	*->1-2	pron[1]	_	_
2-2	27-31	left	V	_	_	_	_	_	_	_	_	_
"""  # noqa: E501
)


def rows(*lines: str, head: str = "#T_SP=custom.Entity|value") -> str:
    return "\n".join(("#FORMAT=WebAnno TSV 3.3", head, "", *lines)) + "\n"


def graphs() -> dict[str, Graph]:
    return {graph.framework: graph for graph in READER.good(DOCUMENT)}


def test_spans_may_be_stacked_and_within_tokens() -> None:
    ner = graphs()["ner"]
    assert ner.text == "🎉 Jenny runs Acme Inc She left"
    assert len(ner.tokens) == 7
    assert [(n.label, n.anchors) for n in ner.nodes] == [
        ("PER", (Anchor(2, 7),)),
        ("ORG", (Anchor(13, 21),)),
        ("NAME", (Anchor(13, 17),)),
        ("PART", (Anchor(18, 20),)),
    ]
    assert ("authority", "Q1") in ner.nodes[0].properties
    assert (ner.id, ner.layer) == ("acme", "")


def test_relations_lead_from_the_place_that_is_named() -> None:
    relation = graphs()["relation"]
    labels = {node.id: node.label for node in relation.nodes}
    ends = [(edge.label, labels[edge.target]) for edge in relation.edges]
    assert ends == [("Arg1", "PER"), ("Arg2", "ORG")]
    assert labels[relation.edges[0].source] == "boss"


def test_slots_are_arguments() -> None:
    event = graphs()["event"]
    labels = {node.id: node.label for node in event.nodes}
    assert [(edge.label, labels[edge.target]) for edge in event.edges] == [
        ("by", "PER"),
        ("of", "ORG"),
    ]
    assert {*labels.values()} == {"PER", "ORG", "owns", "_"}


def test_chains_are_entities() -> None:
    coref = graphs()["coref"]
    mentions = [n for n in coref.nodes if ("kind", "mention") in n.properties]
    assert [n.anchors for n in mentions] == [(Anchor(2, 7),), (Anchor(22, 25),)]
    assert ("referenceType", "pron") in mentions[1].properties
    assert len(coref.edges) == 2


def test_several_layers_of_spans_are_layers() -> None:
    head = "#T_SP=custom.Person|value\n#T_SP=custom.Place|"
    found = READER.good(rows("1-1\t0-3\tAda\tPER\t*", head=head))
    assert [(g.layer, g.nodes[0].label) for g in found] == [
        ("Person", "PER"),
        ("Place", "Place"),
    ]


def test_relations_may_be_of_tokens() -> None:
    head = "#T_RL=custom.Link|label|BT_core.api.segmentation.type.Token"
    [graph] = READER.good(
        rows("1-1\t0-3\tAda\t_\t_", "1-2\t4-7\tran\tx\t1-1", head=head)
    )
    assert [node.anchors for node in graph.nodes[:2]] == [
        (Anchor(0, 3),),
        (Anchor(4, 7),),
    ]


def test_what_has_no_characters_is_noted() -> None:
    [record] = READER.read(rows("1-1\t0-3\tAda\t_", "1-1.1\t0-0\t\tX"))
    assert not isinstance(record, Rejected)
    assert [note.what for note in record.notes] == ["annotations of no characters"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1-1\t0-4\tAda\tPER", "range: found '0-4', expected 3 UTF-16 units of 'Ada'"),
        ("1-1\t900-903\tAda\tPER", "expected a range from 0 on, within the size"),
        ("1-1\t0-3\tAda\tPER\tX", "found 2 columns of features, expected 1, as the"),
        ("1-1 0-3 Ada PER", "found '1-1 0-3 Ada PER', expected SENTENCE-TOKEN"),
        ("1-1.1\t0-9\tAda\tPER", "expected a range of characters within 0 UTF-16"),
    ],
)
def test_a_bad_line_costs_the_document(line: str, problem: str) -> None:
    [said] = READER.problems(rows(line))
    assert said.startswith("acme.tsv:4: ")
    assert problem in said


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("1-2[0_2]", "1-3[0_2]", 13, "found '1-3', expected where an annotation of"),
        ("1-2[0_2]", "Jenny", 13, "found 'Jenny', expected SENTENCE-TOKEN[SOURCE"),
        ("1-2;1-4[2]", "1-2;1-4[9]", 12, "found '1-4[9]', expected where an annotat"),
        ("by;of[4]", "by[4]", 12, "found 1 role, expected as many as targets"),
        ("*[2]\tORG[2]\t", "*[2]\tLOC[2]\t", 14, "of annotation [2], expected what"),
        ("ORG[2]|NAME[3]", "ORG[2]", 13, "expected as many annotations in each col"),
        ("*->1-2", "2", 18, "found '2', expected LABEL->CHAIN-NUMBER"),
    ],
)
def test_what_leads_nowhere_is_said(
    old: str, new: str, line: int, problem: str
) -> None:
    assert old in DOCUMENT
    said = READER.problems(DOCUMENT.replace(old, new))
    assert said[0].startswith(f"acme.tsv:{line}: ")
    assert problem in said[0]


def test_a_file_without_layers_is_none() -> None:
    [said] = READER.problems("#FORMAT=WebAnno TSV 3.3\n\n1-1\t0-3\tAda\n")
    assert "found no layers, expected layers of spans" in said


def test_layers_stand_above_tokens_and_are_few() -> None:
    [said] = READER.problems(rows("1-1\t0-3\tAda\t_", "#T_SP=custom.Late|value"))
    assert (
        said
        == "acme.tsv:5: found a further layer, expected at most 200, above all tokens"
    )
    [said] = READER.problems(rows(head="\n".join(["#T_SP=custom.Entity|value"] * 201)))
    assert said.startswith("acme.tsv:202: found a further layer")
