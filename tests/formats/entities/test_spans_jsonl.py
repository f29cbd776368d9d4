"""Texts with ranges of characters as JSON lines."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from graphscore import score
from graphscore.exceptions import InputError
from graphscore.formats import ReadGraph, Rejected, read_file
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.authority import entries_of
from graphscore.structures.entities.tags import TYPE_KEYS
from tests.conftest import DATA
from tests.formats.reading import FormatReader

NEWS = DATA / "ie" / "news.jsonl"

JENNY: dict[str, Any] = {
    "text": "Jenny 🙂 runs Acme",
    "spans": [{"start": 0, "end": 5, "label": "PER"}],
}


def row(**changes: Any) -> bytes:
    fields = {k: v for k, v in {**JENNY, **changes}.items() if v is not ...}
    return json.dumps(fields).encode() + b"\n"


READER = FormatReader("spans", "a.jsonl")
read, good = READER.read, READER.one


def said(graph: Graph) -> list[tuple[Any, ...]]:
    return [
        (node.label, *(graph.text[a:b] for a, b in node.anchors))
        for node in graph.nodes
    ]


def written(*graphs: Graph) -> list[dict[str, Any]]:
    assert format_named("spans").write is not None
    data = b"".join(format_named("spans").write(graphs))
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("key", ["spans", "entities", "ents", "label", "labels"])
def test_every_tool_has_its_own_key(key: str) -> None:
    graph = good(row(**{"spans": ..., key: [[0, 5, "PER"], [13, 17, "ORG"]]}))
    assert said(graph) == [("PER", "Jenny"), ("ORG", "Acme")]


def test_identifiers_and_confidence_are_properties() -> None:
    span = {"start": 0, "end": 5, "label": "PER", "kb_id": "Q1", "authority": ["Q2", 3],
            "confidence": "low", "score": 0.5, "token_start": 0}  # fmt: skip
    [node] = good(row(spans=[span])).nodes
    assert node.properties == (
        ("kind", "mention"),
        ("authority", "Q1"),
        ("authority", "Q2"),
        ("authority", "3"),
        ("score", 0.5),
        ("confidence", "low"),
    )
    assert node.extra == (("token_start", 0),)


def test_what_is_in_no_authority_file_is_told_as_it_is_said() -> None:
    span = {"start": 0, "end": 5, "label": "PER"}
    for said, expected in (
        ({}, []),
        ({"kb_id": ""}, []),
        ({"kb_id": "NIL"}, ["NIL"]),
        ({"kb_id": None, "authority": ["", "Q1", None]}, ["Q1"]),
        ({"kb_id": 42}, ["42"]),
    ):
        [node] = good(row(spans=[{**span, **said}])).nodes
        found = [value for name, value in node.properties if name == "authority"]
        assert found == expected
        assert entries_of(node) == tuple(each for each in expected if each != "NIL")


def test_doc_to_json_of_spacy() -> None:
    group = [{"start": 0, "end": 17, "label": "HIRE", "kb_id": "", "extra": 1}]
    more = [{"start": 13, "end": 17, "label": "ORG", "kb_id": "Q1"}]
    ents = [{"start": 0, "end": 5, "label": "PER"}]
    tokens = [{"id": 0, "start": 0, "end": 5, "tag": "NNP"}]
    line = row(ents=ents, tokens=tokens, spans={"sc": group, "found": more})
    graph = good(line)
    assert said(graph) == [("PER", "Jenny")]
    assert graph.extra["spans"] == {"spans": {"sc": group, "found": more}}
    graph = good(row(spans={"sc": group, "found": more}))
    assert said(graph) == [("HIRE", "Jenny 🙂 runs Acme"), ("ORG", "Acme")]
    assert [dict(node.extra)["group"] for node in graph.nodes] == ["sc", "found"]
    assert [entries_of(node) for node in graph.nodes] == [(), ("Q1",)]
    assert fit_of(format_named("spans"), line)
    assert good(row(spans={})).nodes == ()


def test_doccano_with_relations() -> None:
    entity = {"id": 7, "start_offset": 13, "end_offset": 17, "label": "ORG"}
    line = row(spans=..., entities=[entity], relations=[], Comments=[])
    [node] = good(line).nodes
    assert (node.label, node.anchors) == ("ORG", (Anchor(13, 17),))
    assert node.properties == (("kind", "mention"),)  # the id is a running number
    assert node.extra == (("id", 7),)
    assert fit_of(format_named("spans"), line)


def test_prodigy() -> None:
    tokens = [{"text": "Jenny", "start": 0, "end": 5, "id": 0}, {"start": 6, "end": 7}]
    graph = good(row(tokens=tokens, answer="accept", _input_hash=3, meta={"x": 1}))
    assert graph.tokens == (Anchor(0, 5), Anchor(6, 7))
    assert graph.extra == {
        "spans": {"answer": "accept", "_input_hash": 3, "meta": {"x": 1}}
    }
    assert good(row(spans=..., answer="accept")).nodes == ()


def test_ids_and_documents() -> None:
    graph = good(row(id=7, document="d"))
    assert (graph.id, graph.document) == ("7", "d")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"text": ...}, "$.text: found nothing"),
        ({"text": 3}, "$.text: found 3"),
        ({"spans": ...}, "$: found no entities"),
        ({"spans": "x"}, "$.spans: found 'x', expected a list"),
        ({"spans": {"sc": 3}}, "$.spans.sc: found 3, expected a list"),
        ({"spans": {"sc": [[5, 5]]}}, "$.spans.sc[0]: found characters 5 to 5"),
        ({"spans": ..., "entities": {}}, "$.entities: found an object"),
        ({"spans": [{"start_offset": 5, "end_offset": 3}]}, "characters 5 to 3"),
        ({"spans": [[5, 5, "A"]]}, "$.spans[0]: found characters 5 to 5"),
        ({"spans": [[5, 3, "A"]]}, "characters 5 to 3"),
        ({"spans": [[-1, 3, "A"]]}, "characters -1 to 3"),
        ({"spans": [[0, 18, "A"]]}, "expected a range within 17"),
        ({"spans": [[0, 10**30, "A"]]}, "a number out of range"),
        ({"spans": [[True, 3, "A"]]}, "$.spans[0][0]: found true"),
        ({"spans": [[0, 3.0, "A"]]}, "$.spans[0][1]: found 3.0"),
        ({"spans": [[0, 3, 7]]}, "$.spans[0][2]: found 7, expected a string"),
        ({"spans": [[0]]}, "expected [start, end, label]"),
        ({"spans": [{"start": 0, "label": "A"}]}, "$.spans[0].end: found nothing"),
        ({"spans": [{"start": 0, "end": 3, "kb_id": {}}]}, "$.spans[0].kb_id"),
        ({"spans": [{"start": 0, "end": 3, "score": []}]}, "$.spans[0].score"),
        ({"tokens": [[0, 5], [3, 6]]}, "$.tokens[1]: found a token at 3"),
        ({"tokens": [{"start": 0, "end": 5, "text": "Jen"}]}, "$.tokens[0].text"),
        ({"tokens": [7]}, "$.tokens[0]: found 7"),
        ({"id": None}, "$.id: found null"),
        ({"document": 3}, "$.document: found 3"),
    ],
)
def test_bad_lines_are_refused_with_their_place(
    changes: dict[str, Any], expected: str
) -> None:
    one, bad, two = read(row() + row(**changes) + row())
    assert isinstance(one, ReadGraph)
    assert isinstance(two, ReadGraph)
    assert isinstance(bad, Rejected)
    assert any(expected in str(each) for each in bad.problems), bad.problems


@pytest.mark.parametrize("key", TYPE_KEYS)
def test_types_stand_under_many_keys(key: str) -> None:
    graph = good(row(spans=[{"start": 0, "end": 5, key: "PER", "score": 0.5}]))
    assert said(graph) == [("PER", "Jenny")]
    assert graph.nodes[0].extra == ()


def test_several_types_are_several_entities() -> None:
    spans = [{"start": 0, "end": 5, "labels": ["PER", "GIVEN"], "token_start": 0}]
    graph = good(row(spans=..., label=spans))
    assert said(graph) == [("PER", "Jenny"), ("GIVEN", "Jenny")]
    assert {node.extra for node in graph.nodes} == {(("token_start", 0),)}
    [bad] = read(row(spans=[{"start": 0, "end": 5, "labels": ["PER", 3]}]))
    assert isinstance(bad, Rejected)
    assert "the type 3" in str(bad.problems[0])


def test_the_words_of_a_span_are_no_type() -> None:
    spans = [{"start": 0, "end": 5, "entity": "Jenny", "name": "Jenny", "class": "PER"},
             {"start": 13, "end": 17, "name": "Acme"}]  # fmt: skip
    assert said(good(row(spans=spans[:1]))) == [("PER", "Jenny")]
    assert said(good(row(spans=spans[1:]))) == [(None, "Acme")]


def test_a_span_without_a_type_is_an_error_where_another_has_one() -> None:
    typed = row(id="a")
    bare = row(id="b", spans=[{"begin": 1, "start": 0, "end": 5}])
    none = row(id="c", spans=[])
    expected = "found no type among the keys begin, start, end, expected a type under"
    for data in (typed + bare + none, bare + none + typed, none + bare + typed):
        records = read(data)
        items = [each.graph.id if isinstance(each, ReadGraph) else each.item
                 for each in records]  # fmt: skip
        assert items == [json.loads(line)["id"] for line in data.splitlines()]
        [bad] = [each for each in records if isinstance(each, Rejected)]
        assert (bad.item, bad.framework) == ("b", "ner")
        assert expected in str(bad.problems[0])
        assert bad.raw == bare
    [mixed] = read(row(spans=[[0, 5, "PER"], [13, 17], [0, 5, None]]))
    assert isinstance(mixed, Rejected)
    assert [each.where for each in mixed.problems] == ["$.spans[1]", "$.spans[2]"]
    assert "found a range without a type" in str(mixed.problems[0])


def test_files_without_any_type_are_read() -> None:
    bare = row(spans=[[0, 5], [0, 5, ""], {"start": 13, "end": 17}])
    records = read(bare + row(spans=[]) + b"{" + b"\n" + bare)
    assert [isinstance(each, ReadGraph) for each in records] == [
        True,
        True,
        False,
        True,
    ]
    assert [each.line for each in records] == [1, 2, 3, 4]


def test_the_text_of_a_span_must_be_what_it_covers() -> None:
    def spanned(text: str, **more: Any) -> bytes:
        span = {"start": 8, "end": 17, "label": "X", "text": text}
        return row(spans=[span | more])

    assert said(good(spanned("runs  Acme"))) == [("X", "runs Acme")]
    assert good(spanned("runs\nAcme")).nodes[0].extra == (("text", "runs\nAcme"),)
    [bad] = read(spanned("Acme"))
    assert isinstance(bad, Rejected)
    assert str(bad.problems[0]) == (
        "a.jsonl:1: $.spans[0].text: found 'Acme', expected 'runs Acme', the "
        "characters 8 to 17 of the text"
    )
    # Composed otherwise, it is the same.
    accents = {"text": "Zoe\u0308 left", "spans": [
        {"start": 0, "end": 4, "label": "PER", "text": "Zo\xeb"}]}  # fmt: skip
    assert good(json.dumps(accents).encode()).nodes


@pytest.mark.parametrize(("start", "end", "own"), [(9, 13, "runs"), (14, 18, "Acme")])
def test_offsets_in_utf_16_are_told(start: int, end: int, own: str) -> None:
    span = {"start": start, "end": end, "label": "X", "text": own}
    [bad] = read(row(spans=[span]))
    assert isinstance(bad, Rejected)
    assert "UTF-16 units, as JavaScript does" in str(bad.problems[0])
    [bad] = read(row(spans=[span | {"text": "Jenny"}]))
    assert isinstance(bad, Rejected)
    assert "UTF-16" not in str(bad.problems[0])


@pytest.mark.parametrize("answer", ["reject", "ignore"])
def test_texts_that_annotators_reject_are_left_aside(answer: str) -> None:
    one, aside, two = read(row() + row(id=7, answer=answer, spans="?") + row())
    assert isinstance(one, ReadGraph)
    assert isinstance(two, ReadGraph)
    assert isinstance(aside, Rejected)
    assert (aside.item, aside.framework) == ("7", "ner")
    assert aside.aside == "texts that annotators reject or ignore"
    assert f"found '{answer}', expected 'accept'" in str(aside.note.problem)


def test_what_is_not_read_is_noted() -> None:
    line = row(relations=[{"head": 0}, {"head": 1}], entities=[[0, 5, "A"]],
               labels=["positive"], ents=[])  # fmt: skip
    [record] = read(line)
    assert isinstance(record, ReadGraph)
    assert [each.what for each in record.notes] == [
        "relations among spans",
        "spans under another key",
    ]
    assert "$.relations: found 2 relations" in str(record.notes[0].problem)
    assert "$.entities: found 1 span, expected all" in str(record.notes[1].problem)
    groups = row(spans={"sc": [{"start": 0, "end": 5}]}, ents=[[0, 5, "A"]])
    [record] = read(groups)
    assert isinstance(record, ReadGraph)
    assert len(record.notes) == 1


def test_the_sample_is_read() -> None:
    records = [each for each in read_file(str(NEWS)) if isinstance(each, ReadGraph)]
    assert [each.graph.id for each in records] == ["news-1", "news-2"]
    assert said(records[0].graph)[1] == ("LOC", "Oslo")


def test_what_was_read_is_written() -> None:
    fields = {
        "id": "7",
        "text": "Jenny runs",
        "tokens": [{"text": "Jenny", "start": 0, "end": 5, "id": 0}],
        "spans": [{"start": 0, "end": 5, "label": "PER", "authority": ["Q1"], "x": 1}],
        "answer": "accept",
    }
    graph = good(json.dumps(fields).encode())
    assert written(graph) == [fields]
    assert good(json.dumps(written(graph)[0]).encode()).digest() == graph.digest()


def notes_of(span: dict[str, Any]) -> list[str]:
    data = json.dumps({"text": "Petra won", "spans": [{"label": "PER"} | span]})
    [record] = format_named("spans").read(io.BytesIO(data.encode()), "a.jsonl")
    assert isinstance(record, ReadGraph)
    return [f"{note.what}: {note.problem.said}" for note in record.notes]


@pytest.mark.parametrize("key", ["word", "surface", "string"])
def test_words_of_another_place_are_noted(key: str) -> None:
    assert notes_of({"start": 0, "end": 5, key: "petra"}) == []
    assert notes_of({"start": 1, "end": 6, key: "Petra"}) == [
        f"other words at the place of a span: $.spans[0].{key}: found 'Petra', "
        "expected 'etra ', the characters 1 to 6 of the text"
    ]


def test_a_type_under_a_further_key_is_noted() -> None:
    place = {"start": 0, "end": 5}
    assert notes_of({**place, "type": "PER", "name": "Petra Kelly"}) == []
    assert notes_of({**place, "tag": "LOC"}) == [
        "a type under a further key: $.spans[0].tag: found 'LOC', expected one key for "
        "types, as label is read"
    ]


def annotated(*names: str, key: str = "annotator", ids: str = "11") -> list[str]:
    """Layers of rows by some annotators."""
    rows = (
        {"id": id, "text": "Ada", "spans": [], key: name}
        for id, name in zip(ids, names, strict=True)
    )
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    chosen = format_named("spans")
    records = chosen.read
    assert records is not None
    assert chosen.write is not None
    graphs = [
        r.graph for r in records(io.BytesIO(data), "a") if isinstance(r, ReadGraph)
    ]
    back = b"".join(chosen.write(graphs))
    again = [
        r.graph for r in records(io.BytesIO(back), "a") if isinstance(r, ReadGraph)
    ]
    assert again == graphs
    return [graph.layer for graph in graphs]


def test_rows_of_one_text_are_layers_by_annotator() -> None:
    assert annotated("ann", "ben") == ["ann", "ben"]
    assert annotated("ann", "ben", key="_annotator_id") == ["ann", "ben"]
    assert annotated("ann", "ben", key="layer", ids="12") == ["ann", "ben"]
    # Whose rows they are says nothing where each text is there once, or it is not said.
    assert annotated("ann", "ben", ids="12") == ["", ""]
    assert annotated("ann", "ann") == ["", ""]
    assert annotated("ann", "") == ["", ""]


def test_repeated_ids_are_refused_with_a_hint(tmp_path: Path) -> None:
    rows = [{"id": id, "text": "Ada", "spans": []} for id in "1212"]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match=r"or a layer for each annotator \(--layer\)"):
        score(str(path), str(path), "ner")
