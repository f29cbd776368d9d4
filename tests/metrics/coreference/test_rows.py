"""Rows of coreference, entered one by one as their definition says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore import Anchor, Graph, Node
from graphscore.correspondence import Budget
from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.contingency import Table, table_of
from graphscore.metrics.coreference.mention_spans import position, words_of
from graphscore.metrics.registry import parse
from graphscore.model.document import lent
from graphscore.model.outcome_builder import Described, OutcomeBuilder
from graphscore.similarity.features.elements import surface
from graphscore.structures.layout import first_of
from tests.metrics.coreference.chains import TEXT, document, tangled


def entered(table: Table, starts: tuple[int, int]) -> OutcomeBuilder:
    """Matches and errors of a pair."""
    builder = OutcomeBuilder(by_side=False)
    gold, system = table.gold, table.system
    shared: dict[tuple[int, int], int] = {}
    for (one, two), number in table.shared.items():
        ends = gold.entities[one] + starts[0], system.entities[two] + starts[1]
        shared[one, two] = builder.match(*ends, float(number))
    left = [each for each in range(len(gold.keys)) if not _taken(table, 0, each)]
    right = [each for each in range(len(system.keys)) if not _taken(table, 1, each)]
    own = Counter(gold.owner[each] for each in left)
    others = Counter(system.owner[each] for each in right)
    mine = {
        owner: builder.match(gold.entities[owner] + starts[0], None, float(own[owner]))
        for owner in sorted(own)
    }
    theirs = {
        each: builder.match(
            None, system.entities[each] + starts[1], float(others[each])
        )
        for each in sorted(others)
    }
    for one, two in zip(*table.pairs, strict=True):
        parent = shared[gold.owner[one], system.owner[two]]
        ends = gold.nodes[one] + starts[0], system.nodes[two] + starts[1]
        builder.match(*ends, parent=parent)
    beside = _beside(table, left, right)
    back = {two: one for one, two in beside.items()}
    for side, chains, mentions, partner, parents, a, b, other in (
        ("missing", gold, left, beside, mine, *starts, system),
        ("spurious", system, right, back, theirs, *starts[::-1], gold),
    ):
        for each in mentions:
            at = partner.get(each)
            described = Described(
                "mentions",
                chains.nodes[each] + a,
                None if at is None else other.nodes[at] + b,
                label=chains.node(each).label,
                value=_called(chains, each),
            )
            parent = parents[chains.owner[each]]
            builder.error(side, described, parent)  # type: ignore[arg-type]
    return builder


def _taken(table: Table, side: int, mention: int) -> bool:
    chains = (table.gold, table.system)[side]
    places = table.pairs[side]
    if chains.reading.preset == "corefud":
        for each in chains.repeated.values():
            if mention in each:
                return each[0] in places
    return mention in places


def _beside(table: Table, left: list[int], right: list[int]) -> dict[int, int]:
    gold, system = table.gold, table.system
    left = sorted(left, key=lambda each: (position(gold, each), each))
    right = sorted(right, key=lambda each: (position(system, each), each))
    shared = words_of(gold, system).shared(gold, system, left, right)
    cells = {
        (left.index(one), right.index(two)): common
        for (one, two), common in shared.items()
    }
    return {left[a]: right[b] for a, b in one_to_one(cells)}


def _called(chains: Chains, mention: int) -> Any:
    words = surface(chains.origin, chains.origin.nodes[chains.nodes[mention]])
    if words:
        return words
    node = chains.node(mention)
    empty = [str(value) for name, value in node.properties if name == "word"]
    ranges = [f"{start}:{end}" for start, end in node.anchors]
    return " ".join(empty or ranges) or first_of(node.properties, "tuple_type")


@st.composite
def documents(draw: st.DrawFn) -> Graph:
    """Documents some of whose mentions have several ranges, or are none of the text."""
    graph = document(*draw(tangled()), text=draw(st.sampled_from([TEXT, "", "abc"])))
    nodes = []
    for node in graph.nodes:
        what = draw(st.integers(0, 7)) if node.anchors else 7
        anchors, properties = node.anchors, node.properties
        if what == 0:
            anchors = (*anchors, Anchor(9, 11))
        elif what == 1:
            anchors, properties = (), (*properties, ("text", "it"))
        elif what == 2:
            empty = draw(st.sampled_from(["1:1", "1:2"]))
            anchors, properties = (), (*properties, ("word", empty))
        elif what == 3:
            anchors = (Anchor(anchors[0].start, anchors[0].start),)
        label = "PER" if what == 4 else None
        nodes.append(Node(node.id, label, properties, anchors))
    return Graph(
        graph.id, "coref", text=graph.text, nodes=tuple(nodes), edges=graph.edges
    )


@pytest.mark.parametrize(
    "metric",
    ["b3", "muc(preset=corefud)", "conll(mentions=partial)", "b3(preset=perl)"],
)
@given(documents(), documents(), st.booleans())
def test_rows_are_those_that_are_entered_one_by_one(
    metric: str, gold: Graph, system: Graph, parts: bool
) -> None:
    made = parse(metric)
    golds, systems = [gold], [system]
    if parts:
        golds = [system, replace(gold, id="e")]
        systems = [gold, replace(system, id="e")]
    sides = [tuple(map(made.prepare, each)) for each in (golds, systems)]
    found = made.compare(*sides, budget=Budget())
    expected = OutcomeBuilder(by_side=False)
    starts = 0, 0
    for one, two in zip(*sides, strict=True):
        one, two = map(made.prepare, lent(one.graph, two.graph))
        other = two.beside(one)
        if "perl" in metric:
            other = other.once()
        mine = entered(table_of(one, other), starts)
        shift = len(expected.matches)
        expected.matches += [
            each if each.parent is None else each._replace(parent=each.parent + shift)
            for each in mine.matches
        ]
        expected.entered += [
            each._replace(parent=(each.parent or 0) + shift) for each in mine.entered
        ]
        starts = starts[0] + len(one.graph.nodes), starts[1] + len(two.graph.nodes)
    assert found.matches == tuple(expected.matches)
    assert found.errors == tuple(expected.entered)
