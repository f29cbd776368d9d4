"""Roles below words: a row a predicate and side, a bar an argument."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.drawing.styles import Style, StyledGraph, alone, kept
from graphscore.drawing.words.roles import draw_roles
from graphscore.exceptions import InvalidGraphError
from graphscore.formats import read_file
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.conftest import DATA
from tests.drawing.seeing import (
    FORMS,
    LABELS,
    drawn,
    elements,
    in_order,
    looked,
    texts,
    wanted,
)


@st.composite
def sentences(draw: st.DrawFn, forms: list[str], tree: bool) -> Graph:
    ranges, start = [], 0
    for form in forms:
        ranges.append(Anchor(start, start + len(form)))
        start += len(form) + 1
    nodes, edges = [], []
    if tree:
        nodes = [
            Node(n, form, (("kind", "token"), ("head", 0)), (ranges[n],))
            for n, form in enumerate(forms)
        ]
    for number in range(draw(st.integers(0, 3 if forms else 0))):
        own = draw(st.sampled_from(ranges))
        label = draw(st.sampled_from(LABELS))
        nodes.append(Node(f"p{number}", label, (("kind", "predicate"),), (own,)))
        for piece in range(draw(st.integers(0, 4))):
            name = f"p{number}.{piece}"
            ends = sorted(draw(st.tuples(*[st.integers(0, len(forms) - 1)] * 2)))
            span = [Anchor(ranges[ends[0]].start, ranges[ends[1]].end)]
            if draw(st.booleans()):
                span.append(draw(st.sampled_from(ranges)))
            pairs = (("kind", "argument"),)
            nodes.append(Node(name, None, pairs, tuple(span)))
            edges.append(Edge(f"p{number}", name, draw(st.sampled_from(LABELS))))
    tokens = tuple(ranges) if draw(st.booleans()) else ()
    return Graph(
        "1", "srl", 1, text=" ".join(forms), tokens=tokens, nodes=tuple(nodes),
        edges=tuple(edges),
    )  # fmt: skip


def by_pair(found: Counter[tuple[str, str, str]]) -> Counter[tuple[str, str]]:
    """How often nodes and edges are there, however they stand."""
    counts: Counter[tuple[str, str]] = Counter()
    for (letter, _, pair), count in found.items():
        counts[letter, pair] += count
    return counts


@st.composite
def pairs(draw: st.DrawFn) -> list[StyledGraph]:
    forms = draw(st.lists(st.sampled_from(FORMS), max_size=6))
    graphs = [draw(sentences(forms, draw(st.booleans()))) for _ in range(2)]
    return draw(looked(*graphs))


@given(pairs(), st.data())
def test_everything_is_there_and_nothing_overlaps(
    sides: list[StyledGraph], data: st.DataObject
) -> None:
    picture = draw_roles(sides)
    [panel] = picture.panels
    in_order(panel)
    # Arguments stand as their edges do, or else as their words do.
    assert by_pair(drawn(panel)) == by_pair(wanted(sides))
    assert picture.svg() == draw_roles(sides).svg()
    assert "<script" not in picture.svg()
    everything = {look.pair for side in sides for look in (*side.nodes, *side.edges)}
    keep = {each for each in sorted(everything) if data.draw(st.booleans())}
    [small] = draw_roles(sides, keep).panels
    in_order(small)
    assert not by_pair(wanted(sides, keep)) - by_pair(drawn(small))


def test_gold_and_system_stand_below_each_other() -> None:
    nodes = (
        Node("p", "sell.01", (("kind", "predicate"),), (Anchor(4, 8),)),
        Node("a", None, (("kind", "argument"),), (Anchor(9, 21),)),
    )
    graph = Graph(
        "1", "srl", 1, text="Mei sold the old boat", nodes=nodes,
        edges=(Edge("p", "a", "A1"),),
    )  # fmt: skip
    short = (nodes[0], Node("a", None, (("kind", "argument"),), (Anchor(13, 21),)))
    other = Graph(
        "1", "srl", 1, text=graph.text, nodes=short, edges=(Edge("p", "a", "A2"),)
    )
    looks = (Style(0, "same"), Style(1, "boundary"))
    sides = [
        StyledGraph(name, each, looks, (Style(2, "label"),))
        for name, each in (("gold", graph), ("system", other))
    ]
    [panel] = draw_roles(sides).panels
    in_order(panel)
    found = {each.text: each for each in texts(panel)}
    assert [*found][:5] == ["Mei", "sold", "the", "old", "boat"]
    gold, system = found["≠ A1"], found["≠ A2"]
    assert found["gold"].bottom < found["system"].top
    assert gold.bottom < system.top
    bars = [each.attrib["d"] for each in elements(panel).findall("g/g/path")]
    # The bars begin where their first words do; their corners are cut off.
    starts = [float(each[1:].split()[0]) - 5 for each in bars]
    assert starts[0] < found["the"].left < starts[1] < found["old"].left
    only = kept(sides)
    [small] = draw_roles(sides, only).panels
    assert "Mei" in [each.text for each in texts(small)]


def test_broken_arguments_are_joined_by_a_line() -> None:
    nodes = (
        Node("p", "say.01", (("kind", "predicate"),), (Anchor(4, 8),)),
        Node("a", None, (("kind", "argument"),), (Anchor(0, 3), Anchor(9, 12))),
    )
    graph = Graph(
        "1", "srl", 1, text="Mei said the", nodes=nodes, edges=(Edge("p", "a", "A1"),)
    )
    [panel] = draw_roles([alone(graph)]).panels
    in_order(panel)
    found = elements(panel).find("g[@class='n plain p1']/g")
    assert found is not None
    assert [each.tag for each in found] == ["rect", "path", "rect", "text"]


def test_files_of_every_kind_are_drawn() -> None:
    for name in ("market.conll09", "market.conllu", "market.conllup", "market.xml"):
        for record in read_file(str(DATA / "srl" / name)):
            sides = [alone(record.graph)]
            [panel] = draw_roles(sides).panels
            in_order(panel)
            assert drawn(panel) == wanted(sides)


def test_what_is_no_sentence_with_roles_is_refused() -> None:
    graph = Graph("1", "srl", nodes=(Node(0),), edges=(Edge(0, 0, "A0"),))
    with pytest.raises(InvalidGraphError, match="from predicates to pieces"):
        draw_roles([alone(graph)])
