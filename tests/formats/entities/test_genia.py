"""Nested entities in three lines a sentence."""

from __future__ import annotations

import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph, Node
from tests.formats.reading import FormatReader, lost_of

GENIA = format_named("genia")


READER = FormatReader("genia", "a.data")
read, written = READER.read, READER.written


def test_ranges_are_tokens_with_their_ends_excluded() -> None:
    data = "a b c .\n0,3 X|1,2 Y\n\nno one\n\n\nd e\n0,1 Z\n\n"
    graphs = [record.graph for record in read(data) if isinstance(record, ReadGraph)]
    assert [[(n.label, n.anchors) for n in each.nodes] for each in graphs] == [
        [("X", (Anchor(0, 5),)), ("Y", (Anchor(2, 3),))],
        [],
        [("Z", (Anchor(0, 1),))],
    ]
    assert written(*graphs) == data


def test_parts_of_speech_may_stand_between() -> None:
    data = "a b\nNN VB\n0,1 X\n\nc d\nNN VB\n\n\n"
    graphs = [record.graph for record in read(data) if isinstance(record, ReadGraph)]
    assert [each.extra for each in graphs] == [{"pos": ["NN", "VB"]}] * 2
    assert written(*graphs) == data


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("a b\n0,3 X", "a.data:4: found tokens 0,3, expected a range within the 2"),
        ("a b\n1,1 X", "a.data:4: found tokens 1,1"),
        ("a b\n0,1 X|zero", "a.data:4: found 'zero', expected FIRST,END TYPE"),
        ("a b\n0,1 X\nmore", "a.data:5: found a sentence of 3 lines"),
    ],
)
def test_a_bad_line_costs_its_sentence(lines: str, expected: str) -> None:
    one, bad, two = read(f"x\n\n{lines}\n\ny\n\n")
    assert isinstance(one, ReadGraph)
    assert isinstance(two, ReadGraph)
    assert isinstance(bad, Rejected)
    assert expected in str(bad.problems[0])


def test_what_cannot_be_written_is_an_error() -> None:
    mention = (("kind", "mention"),)
    tokens = (Anchor(0, 1), Anchor(2, 3))
    for node, expected in (
        (Node(0, "X", mention, (Anchor(0, 1), Anchor(2, 3))), "one range"),
        (Node(0, "X Y", mention, (Anchor(0, 1),)), "found '0,1 X Y'"),
    ):
        graph = Graph("1", "ner", text="a b", tokens=tokens, nodes=(node,))
        with pytest.raises(GraphscoreError, match=expected):
            written(graph)
    linked = Node(0, "X", (*mention, ("authority", "Q")), (Anchor(0, 1),))
    graph = Graph("", "ner", text="a b", tokens=tokens, nodes=(linked,))
    assert lost_of("genia", graph) == {"property authority"}
    nowhere = Graph("1", "ner", tokens=tokens[:1])
    with pytest.raises(GraphscoreError, match="a token without characters"):
        written(nowhere)
