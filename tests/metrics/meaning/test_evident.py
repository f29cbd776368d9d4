"""Evident maps are those that the search finds; rows are as counted by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpus import disturbed
from graphscore.correspondence import Budget, solve
from graphscore.formats import ReadGraph, read_file
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.meaning.overlap import Overlap
from graphscore.metrics.meaning.shared_triples import CommonTriples
from graphscore.metrics.meaning.triple_pairs import TriplePairs
from graphscore.metrics.meaning.unambiguous import SELDOM, Yield, evident
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.tuples import Facts
from tests.metrics.meaning.slow_rows import slow_errors, slow_matches
from tests.strategies import graph_pairs

METRIC = Mrp()


def agrees(gold: Facts, system: Facts, ordered: bool) -> bool:
    """Whether a map is evident; if it is, the search must find the same."""
    found = evident(gold, system, ordered, Budget())
    if found is not None:
        assert found == solve(Overlap(gold, system).problem(ordered))
    return found is not None


@given(graph_pairs(largest=6), st.booleans())
def test_what_is_evident_is_what_the_search_finds(
    pair: tuple[Graph, Graph], ordered: bool
) -> None:
    gold, system = map(METRIC.prepare, pair)
    agrees(gold, system, ordered)
    agrees(system, gold, ordered)


@st.composite
def alike(draw: st.DrawFn) -> tuple[Graph, Graph]:
    """A graph with many ties and another with some labels and edges changed."""
    size = draw(st.integers(1, 9))
    chance = draw(st.randoms(use_true_random=False))
    labels = draw(st.integers(1, 6))
    nodes = [
        # What one node says is often part of what another says, or in another order.
        Node(
            k,
            f"w{chance.randrange(labels)}",
            tuple((f"p{n}", "x") for n in chance.sample(range(2), chance.randrange(3))),
        )
        for k in range(size)
    ]

    def edge() -> Edge:
        remote = (("remote", True), ("x", chance.randrange(3)))[: chance.randrange(3)]
        ends = chance.randrange(size), chance.randrange(size)
        return Edge(*ends, f"r{chance.randrange(3)}", attributes=remote)

    edges = [edge() for _ in range(draw(st.integers(0, 12)))]
    gold = Graph("1", "x", nodes=tuple(nodes), edges=tuple(edges), tops=(0,))
    for _ in range(draw(st.integers(0, 3))):
        nodes[chance.randrange(size)] = Node(chance.randrange(99) + size, "w0")
    ids = [node.id for node in nodes]
    if len(set(ids)) < size:
        return gold, gold
    kept = [each for each in edges if chance.random() < 0.85]
    kept = [
        Edge(ids[int(e.source)], ids[int(e.target)], e.label, attributes=e.attributes)
        for e in kept
    ]
    return gold, Graph("1", "x", nodes=tuple(nodes), edges=tuple(kept))


@given(alike(), st.booleans())
def test_the_same_holds_of_graphs_that_are_alike(
    pair: tuple[Graph, Graph], ordered: bool
) -> None:
    gold, system = map(METRIC.prepare, pair)
    agrees(gold, system, ordered)
    agrees(system, gold, ordered)


@pytest.mark.parametrize("name", ["smatch", "smatch(preset=none)"])
@given(data=st.data())
def test_the_same_holds_of_triples(name: str, data: Any) -> None:
    metric = parse(name)
    pair = data.draw(st.one_of(graph_pairs(), alike()))
    gold, system = map(metric.prepare, pair)
    common = CommonTriples(gold, system)
    found = common.once and evident(gold, system, False, Budget())
    if found:
        assert found == solve(TriplePairs(gold, system, True).problem())
    [best] = metric.maps_of([(gold, system)], Budget())
    target = np.full(gold.size, -1)
    for left, right in best.pairs:
        target[left] = right
    pairs = TriplePairs(gold, system, common.once)
    links = pairs.links
    facts = target[pairs.fact_gold] == pairs.fact_system
    edges = (target[links.gold_source] == links.system_source) & (
        target[links.gold_target] == links.system_target
    )
    worth = None if pairs.fact_worth is None else pairs.fact_worth[facts]
    counts = np.bincount(pairs.fact_tuple_types[facts], worth, 2).tolist()
    expected = (*counts, int(pairs.links.weight[edges].sum()))
    assert common.matched(dict(best.pairs)) == expected


def test_most_pairs_that_people_compare_are_evident(sample: Path) -> None:
    chance, found = Random(1), Counter[tuple[str, bool]]()
    for record in read_file(str(sample / "gold.mrp")):
        assert isinstance(record, ReadGraph)
        gold = METRIC.prepare(record.graph)
        system = METRIC.prepare(disturbed(record.graph, chance, 0.1))
        ordered = record.graph.ordered
        found[record.graph.framework, agrees(gold, system, ordered)] += 1
    for framework in ("eds", "dm", "psd"):
        assert found[framework, True] > found[framework, False]


def test_of_equals_one_is_left_when_others_are_chosen() -> None:
    here = (Anchor(0, 4),)

    def facts(*labels: str) -> Facts:
        nodes = [Node(k, label, anchors=here) for k, label in enumerate(labels)]
        return METRIC.prepare(Graph("1", "eds", text="Dogs", nodes=tuple(nodes)))

    # A dog is as good as a cat or a quantifier, but that is wanted elsewhere.
    assert agrees(facts("udef_q", "dog"), facts("udef_q", "cat"), False)
    assert not agrees(
        facts("udef_q", "dog", "fox"), facts("udef_q", "cat", "cow"), False
    )
    assert agrees(facts("a", "b", "dog"), facts("cat", "b", "a"), False)
    assert not agrees(facts("a", "b", "dog"), facts("cat", "b", "a"), True)


def test_loops_on_both_sides_are_left_to_the_search() -> None:
    nodes = (Node(0, "a"), Node(1, "b"))
    loop = Graph("1", "x", nodes=nodes, edges=(Edge(0, 0, "L"), Edge(0, 1, "M")))
    other = Graph("1", "x", nodes=nodes, edges=(Edge(0, 0, "L"),))
    without = Graph("1", "x", nodes=nodes, edges=(Edge(0, 1, "M"),))
    facts = {name: METRIC.prepare(each) for name, each in locals().items() if name in (
        "loop", "other", "without"
    )}  # fmt: skip
    assert not agrees(facts["loop"], facts["other"], False)
    assert agrees(facts["loop"], facts["without"], False)


@pytest.mark.parametrize("budget", [Budget(steps=0), Budget(seconds=1.0)])
def test_other_budgets_are_left_to_the_search(budget: Budget) -> None:
    facts = METRIC.prepare(Graph("1", "x", nodes=(Node(0, "a"),)))
    assert evident(facts, facts, False, Budget()) is not None
    assert evident(facts, facts, False, budget) is None


@pytest.mark.parametrize(
    "name",
    ["mrp", "mrp(preset=mtool)", "mrp(tuple_types=applicable)", "mrp(edges=unlabeled)"],
)
@given(data=st.data())
def test_rows_are_those_of_tuples_looked_at_one_by_one(name: str, data: Any) -> None:
    metric = parse(name)
    assert isinstance(metric, Mrp)
    pair = data.draw(st.one_of(graph_pairs(), alike()))
    gold, system = metric.sides(*((metric.prepare(each),) for each in pair))
    [found] = metric.maps_of([(gold, system)], Budget())
    outcome = metric.compare_sides(gold, system, Budget(), True)
    assert list(outcome.matches) == slow_matches(gold, system, found.pairs)
    assert list(outcome.errors) == slow_errors(gold, system, found.pairs)
    bare = metric.compare_sides(gold, system, Budget(), False)
    assert list(bare.raw_counts.items()) == list(outcome.raw_counts.items())
    missing = Counter(
        error.tuple_type for error in outcome.errors if error.error_type == "missing"
    )
    for tuple_type, total in zip(metric.tuple_types, gold.totals, strict=True):
        matched = outcome.raw_counts.get((tuple_type, "", "matched"), 0)
        assert matched == total - missing[tuple_type]


def test_trying_stops_where_it_does_not_pay_and_begins_again() -> None:
    of_late = Yield()
    assert of_late.pays()
    for _ in range(60):
        of_late.note(False)
    asked = [of_late.pays() for _ in range(40)]
    assert asked.count(True) == 40 // SELDOM
    for _ in range(60):
        of_late.note(True)
    assert all(of_late.pays() for _ in range(40))


WHOLE = (
    Graph("1", "amr", nodes=(Node(0, "see"), Node(1, "dog")), edges=(Edge(0, 1, "A"),)),
    Graph("1", "amr", nodes=(Node(0, "dog"), Node(1, "see"), Node(2, "cat"))),
)
"""Two graphs of which the map is evident."""


def test_not_trying_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, system = map(METRIC.prepare, WHOLE)
    [tried] = METRIC.maps_of([(gold, system)], Budget())
    assert evident(gold, system, False, Budget()) == tried
    monkeypatch.setattr(Yield, "pays", lambda _: False)
    assert METRIC.maps_of([(gold, system)], Budget()) == [tried]
