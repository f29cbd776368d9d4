"""Entity trees as JSON lines and as brat's files: nesting, and back to inline tags."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.exceptions import InvalidGraphError
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.entities import quaero, span_trees
from graphscore.formats.entities.inventories import QUAERO, Inventory
from graphscore.formats.entities.span_trees import nest_mentions, parents_of
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.entities.trees import TreeBuilder
from graphscore.structures.layout import LayoutBuilder, kind_of
from tests.conftest import DATA

TEXT = "le maire de Lyon vote"


def line(*spans: dict[str, Any], text: str = TEXT) -> bytes:
    return json.dumps({"id": "1", "text": text, "spans": spans}).encode() + b"\n"


def span(start: int, end: int, label: str, **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, **more}


FUNC, KIND, LOC, NAME = (
    span(3, 16, "func.ind"),
    span(3, 8, "kind"),
    span(12, 16, "loc.adm.town"),
    span(12, 16, "name"),
)

LINES = line(NAME, FUNC, KIND, LOC).decode() + line(FUNC).decode().replace('"1"', '"2"')


def records(data: bytes) -> list[Record]:
    return list(span_trees.read(io.BytesIO(data), "a.jsonl"))


def tree(data: bytes) -> Graph:
    [record] = records(data)
    assert isinstance(record, ReadGraph), record
    return record.graph


def told(graph: Graph) -> list[tuple[str, str, str | None]]:
    """Kind, label and the label of the parent of each node."""
    labels = {node.id: str(node.label) for node in graph.nodes}
    parents = parents_of(graph)
    return [
        (kind_of(x), str(x.label), labels[parents[x.id]] if x.id in parents else None)
        for x in graph.nodes
    ]


WANTED = [
    ("entity", "func.ind", None),
    ("component", "kind", "func.ind"),
    ("entity", "loc.adm.town", "func.ind"),
    ("component", "name", "loc.adm.town"),
]

TAGGED = (
    b"le <func.ind> <kind> maire </kind> de <loc.adm.town> <name> Lyon </name> "
    b"</loc.adm.town> </func.ind> vote\n"
)


@given(st.permutations([NAME, FUNC, KIND, LOC]))
def test_nesting_is_by_containment(spans: Sequence[dict[str, Any]]) -> None:
    graph = tree(line(*spans))
    assert told(graph) == WANTED
    assert b"".join(quaero.write([graph])) == TAGGED


def test_nesting_is_by_ids_where_any_span_says_so() -> None:
    flat_ = tree(line({**FUNC, "id": "f"}, {**LOC, "parent": None}, {**NAME}))
    assert [each[2] for each in told(flat_)] == [None, None, None]
    spans = {**FUNC, "id": 7}, {**LOC, "id": 8, "parent": 7}, {**NAME, "parent": 7}
    assert told(tree(line(*spans)))[1:] == [
        ("entity", "loc.adm.town", "func.ind"),
        ("component", "name", "func.ind"),
    ]


def test_a_span_may_say_what_it_is() -> None:
    spans = {**FUNC, "kind": "component"}, {**NAME, "kind": "entity"}, {**KIND}
    assert told(tree(line(*spans))) == [
        ("component", "func.ind", None),
        ("component", "kind", None),
        ("entity", "name", None),
    ]
    own = Inventory(frozenset({"loc"}), frozenset({"func.ind"}))
    [record] = span_trees.reader_with(own)(io.BytesIO(line(FUNC, LOC)), "a")
    assert isinstance(record, ReadGraph)
    assert told(record.graph)[0] == ("component", "func.ind", None)


def test_two_types_of_an_entity_are_kept() -> None:
    build = TreeBuilder()
    org = build.entity("org.adm", [Anchor(12, 16)], literal="loc.adm.town")
    _ = build.component("name", [Anchor(12, 16)], parent=org)
    graph = build.graph("1", text=TEXT, tokens=tree(line()).tokens)
    [made] = span_trees.write([graph])
    again = tree(made)
    assert again.nodes[0].properties == graph.nodes[0].properties
    assert score([graph], [again], "eter").value == 0


@pytest.mark.parametrize(
    ("spans", "found", "expected"),
    [
        ([{**NAME, "parent": 9}], "a parent 9", "the id of a span"),
        ([{**NAME, "parent": [1]}], "a parent [1]", "the id of a span"),
        ([{**FUNC, "id": [1], "parent": None}], "an id [1]", "a number or a string"),
        (
            [{**FUNC, "id": 1, "parent": None}, {**LOC, "id": 1}],
            "two spans with the id 1",
            "one",
        ),
        ([{**FUNC, "id": 1, "parent": 1}], "0 within itself", "a parent around it"),
        (
            [{**FUNC, "id": 1, "parent": 2}, {**LOC, "id": 2, "parent": 1}],
            "0 within itself",
            "a parent around it",
        ),
        (
            [{**NAME, "id": 1}, {**LOC, "parent": 1}],
            "1 within 0, a component",
            "an entity around it",
        ),
        ([{**FUNC, "kind": "event"}], "a kind 'event'", "'entity' or 'component'"),
        ([{**NAME, "literal": "x"}], "a literal type 'x' of 0", "a string, of an"),
        ([{**FUNC, "properties": 3}], "properties 3", "pairs of name and value"),
        ([{**FUNC, "properties": [["a"]]}], "a property ['a']", "[name, value]"),
        (
            [{**FUNC, "properties": [["kind", "x"]]}],
            "a property ['kind', 'x']",
            "[name, value]",
        ),
        ([{**FUNC, "literal": 3}], "a literal type 3 of 0", "a string, of an"),
    ],
)
def test_what_is_no_tree_is_refused(
    spans: list[dict[str, Any]], found: str, expected: str
) -> None:
    data = line(*spans)
    [bad, good] = records(data + line(FUNC))
    assert isinstance(bad, Rejected)
    assert isinstance(good, ReadGraph)
    [problem] = bad.problems
    assert (problem.file, problem.line, problem.found) == ("a.jsonl", 1, found)
    assert problem.expected.startswith(expected)
    assert (bad.raw, bad.framework) == (data, "etree")


SPANS = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.integers(1, 4),
        st.sampled_from(["loc", "pers.ind", "name", "kind"]),
    ),
    max_size=7,
)


def mentions(spans: Sequence[tuple[int, int, str]]) -> Graph:
    build = LayoutBuilder()
    for start, size, label in spans:
        build.mention(label, [Anchor(start, start + size)])
    return build.graph("1", "ner", text="abcdefghijk")


@given(SPANS)
def test_the_parent_is_the_smallest_entity_around(
    spans: list[tuple[int, int, str]],
) -> None:
    parents = parents_of(nest_mentions(mentions(spans), QUAERO))

    def rank(k: int) -> tuple[int, int, bool, int]:
        start, size, label = spans[k]
        return start, -(start + size), label in ("name", "kind"), k

    for k, (start, size, _) in enumerate(spans):
        around: list[tuple[int, tuple[Any, ...], NodeId]] = []
        for n, (other, wide, label) in enumerate(spans):
            within = other <= start and start + size <= other + wide
            if label not in ("name", "kind") and within and rank(n) < rank(k):
                around.append((other + wide, tuple(-x for x in rank(n)), n))
        if around:
            # The one that ends first; of several the one that begins last.
            assert parents[k] == min(around)[2]
        else:
            assert k not in parents


@given(SPANS, st.data())
def test_trees_come_back_from_json(
    spans: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    graph = nest_mentions(mentions(spans), QUAERO)
    if data.draw(st.booleans()) and graph.edges:
        # Nesting that containment does not tell.
        graph = type(graph)(
            **{name: getattr(graph, name) for name in graph.__struct_fields__}
            | {"edges": graph.edges[1:]}
        )
    again = tree(b"".join(span_trees.write([graph])))
    assert sorted(map(str, told(again))) == sorted(map(str, told(graph)))
    assert score([graph], [again], ["eter", "ser"][0]).scores.numbers[
        "errors"
    ] == 0  # fmt: skip


def brat(folder: Path, annotations: str, text: str = TEXT) -> Record:
    (folder / "a.ann").write_text(annotations)
    (folder / "a.txt").write_text(text)
    with (folder / "a.ann").open("rb") as stream:
        [record] = span_trees.read_brat(stream, str(folder / "a.ann"))
    return record


LINES_OF_BRAT = (
    "T1\tname 12 16\tLyon\nT2\tfunc.ind 3 16\tmaire de Lyon\n"
    "T3\tloc.adm.town 12 16\tLyon\nT4\tkind 3 8\tmaire\n"
)


def test_brat_is_nested_by_containment_or_by_relations(tmp_path: Path) -> None:
    record = brat(tmp_path, LINES_OF_BRAT)
    assert isinstance(record, ReadGraph)
    assert told(record.graph) == WANTED
    assert b"".join(quaero.write([record.graph])) == TAGGED
    more = "R1\tpart Arg1:T2 Arg2:T1\nA1\tcomponent T3\n"
    record = brat(tmp_path, LINES_OF_BRAT + more)
    assert isinstance(record, ReadGraph)
    assert set(told(record.graph)) == {
        ("entity", "func.ind", None),
        ("component", "name", "func.ind"),
        ("component", "loc.adm.town", None),
        ("component", "kind", None),
    }


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("R1\tpart Arg1:T1 Arg2:T3\n", "'T3' within 'T1', a component"),
        ("R1\tpart Arg1:T2 Arg2:T3\nR2\tpart Arg1:T3 Arg2:T2\n", "within itself"),
        ("R1\tpart Arg1:T2 Arg2:T3\nR2\tpart Arg1:T3 Arg2:T3\n", "part of two"),
        ("R1\tpart Whole:T2 Part:T3\n", "'R1' from Whole, Part"),
        ("T9\tloc 0 99\tx\n", "0 99"),
    ],
)
def test_what_is_no_tree_of_brat_is_refused(
    tmp_path: Path, more: str, found: str
) -> None:
    record = brat(tmp_path, LINES_OF_BRAT + more)
    assert isinstance(record, Rejected)
    assert any(found in str(problem) for problem in record.problems)
    assert record.framework == "etree"


def test_inline_tags_go_through_both_and_back(tmp_path: Path) -> None:
    data = (DATA / "ner" / "radio.ne").read_bytes()
    graphs = [x.graph for x in quaero.read(io.BytesIO(data), "a.ne")]  # type: ignore[union-attr]
    spans = b"".join(span_trees.write(graphs))
    through = [x.graph for x in span_trees.read(io.BytesIO(spans), "a")]  # type: ignore[union-attr]
    written = b"".join(quaero.write(graphs))
    assert b"".join(quaero.write(through)) == written
    for name, content in span_trees.write_brat(graphs):
        (tmp_path / name).write_bytes(content)
    for graph in graphs:
        path = str(tmp_path / f"{graph.id}.ann")
        [record] = read_file(path, reading=ReaderOptions(format="brat-trees"))
        assert isinstance(record, ReadGraph)
        for metric in ("eter", "ser"):
            found = score([graph], [record.graph], metric)
            assert found.scores.numbers["errors"] == 0


def test_brat_says_what_containment_does_not(tmp_path: Path) -> None:
    build = TreeBuilder()
    loc = build.entity("loc", [Anchor(0, 2)])
    _ = build.component("name", [Anchor(3, 8)], parent=loc)
    _ = build.entity("name", [Anchor(0, 8)])
    graph = build.graph("1", text=TEXT)
    [(_, annotations), _] = span_trees.write_brat([graph])
    record = brat(tmp_path, annotations.decode())
    assert isinstance(record, ReadGraph)
    assert set(told(record.graph)) == set(told(graph))
    apart = TreeBuilder()
    _ = apart.entity("loc", [Anchor(0, 8)])
    _ = apart.entity("pers", [Anchor(3, 8)])
    with pytest.raises(InvalidGraphError, match="within others that are apart"):
        list(span_trees.write_brat([apart.graph("1", text=TEXT)]))
