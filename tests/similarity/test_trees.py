"""Orders of trees: the heaviest mapping of Tai, and edit distances as formulas."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score as score_all
from graphscore.correspondence import Budget
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    Similarity,
    edge_label,
    edges,
    exact,
    f1,
    formula,
    in_sequence,
    in_tree,
    label,
    levels,
    listed,
    match,
    nodes,
    reachable,
    softened,
    targets,
    tree_edit,
    weight,
)
from graphscore.similarity.explaining.words import in_words
from graphscore.similarity.solving.mapping import Forest, Weighted, heaviest
from graphscore.similarity.view import ROOT, Pair, View
from graphscore.structures import StructureError

Tree = tuple[str, tuple["Tree", ...]]  # type: ignore[misc]
"""A label and what is below it."""


def graph_of(*trees: Tree, scrambled: int = 0) -> Graph:
    """A forest, its nodes in an order that says nothing; roots stay in theirs."""
    made: list[tuple[int, str]] = []
    links: list[tuple[int, int]] = []

    def walk(tree: Tree) -> int:
        here = len(made)
        made.append((here, tree[0]))
        links.extend((here, walk(each)) for each in tree[1])
        return here

    roots = [walk(each) for each in trees]
    rest = [each for each in made if each[0] not in roots]
    random.Random(scrambled).shuffle(rest)
    order = [*(made[each] for each in roots), *rest]
    return Graph(
        "1",
        "x",
        nodes=tuple(Node(*each) for each in order),
        edges=tuple(Edge(s, t, "below") for s, t in links),
    )


@st.composite
def forests(draw: st.DrawFn, most: int = 5, names: str = "ab") -> tuple[Tree, ...]:
    """Ordered forests of a few nodes."""
    size = draw(st.integers(0, most))
    below: list[list[int]] = [[] for _ in range(size + 1)]
    for node in range(1, size + 1):
        below[draw(st.integers(0, node - 1))].append(node)
    labels = [draw(st.sampled_from(names)) for _ in range(size + 1)]

    def tree(node: int) -> Tree:
        return labels[node], tuple(map(tree, below[node]))

    return tree(0)[1]


def stands(graph: Graph) -> Callable[[int, int], str]:
    """How one node stands to another, straight from the definition."""
    places = graph.ordinals()
    kids: dict[int, list[int]] = {}
    for edge in graph.edges:
        kids.setdefault(places[edge.source], []).append(places[edge.target])
    inner = {each for some in kids.values() for each in some}

    def below(node: int) -> set[int]:
        return {node}.union(*(below(each) for each in kids.get(node, [])))

    rows = [[k for k in range(len(graph.nodes)) if k not in inner], *kids.values()]
    left = {
        (one, two)
        for row in rows
        for first, second in combinations(row, 2)
        for one in below(first)
        for two in below(second)
    }

    def how(one: int, two: int) -> str:
        if one == two:
            return "same"
        if two in below(one):
            return "above"
        return "left" if (one, two) in left else ""

    return how


def by_trying(gold: Graph, system: Graph, worth: Callable[[str, str], float]) -> float:
    """The heaviest mapping, by all of them."""
    sizes = len(gold.nodes), len(system.nodes)
    mine, theirs = stands(gold), stands(system)
    best = 0.0
    for size in range(1, min(sizes) + 1):
        for chosen in combinations(range(sizes[0]), size):
            for partners in permutations(range(sizes[1]), size):
                pairs = list(zip(chosen, partners, strict=True))
                if all(mine(p, r) == theirs(q, s) for p, q in pairs for r, s in pairs):
                    earned = sum(
                        worth(str(gold.nodes[p].label), str(system.nodes[q].label))
                        for p, q in pairs
                    )
                    best = max(best, earned)
    return best


WORTHS: list[tuple[Similarity, Callable[[str, str], float]]] = [
    (exact(label), lambda one, two: one == two),
    (softened(exact(label), 0.5), lambda one, two: 1 if one == two else 0.5),
    (softened(exact(label), 0.3), lambda one, two: 1 if one == two else 0.3),
    (weight(label, {"a": 3, "b": 0.25}), lambda *two: 0.25 if "b" in two else 3),
]


@pytest.mark.parametrize("worth", WORTHS, ids=lambda each: str(each[0]))
@given(forests(4), forests(4), st.integers(0, 9))
def test_a_mapping_is_the_heaviest(
    worth: tuple[Similarity, Callable[[str, str], float]],
    one: tuple[Tree, ...],
    two: tuple[Tree, ...],
    seed: int,
) -> None:
    gold, system = graph_of(*one, scrambled=seed), graph_of(*two)
    found = match(nodes(), worth[0], order=in_tree()).score(gold, system)
    assert found.matched == pytest.approx(by_trying(gold, system, worth[1]))
    assert found.proven


def valid(gold: Graph, system: Graph, pairs: list[tuple[int, int]]) -> bool:
    mine, theirs = stands(gold), stands(system)
    return all(mine(p, r) == theirs(q, s) for p, q in pairs for r, s in pairs)


@given(forests(7), forests(7), st.booleans(), st.booleans())
def test_what_is_matched_is_a_mapping_that_earns_what_is_said(
    one: tuple[Tree, ...], two: tuple[Tree, ...], soft: bool, early: bool
) -> None:
    """Also where the budget is too small for the tables: then the bound is true."""
    gold, system = graph_of(*one), graph_of(*two, scrambled=1)
    worth = softened(exact(label), 0.5) if soft else exact(label)
    amount = match(nodes(), worth, order=in_tree())
    best = amount.score(gold, system)
    pair = Pair(View(gold), View(system), Budget(1 if early else 100_000))
    aligned = amount.aligned(pair, ROOT, ROOT)
    matched = sum(each.credit for each in aligned)
    assert valid(
        gold,
        system,
        [(e.gold, e.system) for e in aligned if None not in (e.gold, e.system)],
    )
    assert best.proven
    assert matched - 1e-9 <= best.matched <= matched + pair.proof.gap + 1e-9
    if pair.proof.proven:
        assert matched == pytest.approx(best.matched)


@lru_cache(maxsize=200_000)
def distance(
    gold: tuple[Tree, ...], system: tuple[Tree, ...], costs: tuple[float, float, float]
) -> float:
    """The edit distance of forests, by what may happen to the last root of each."""
    delete, insert, replace = costs
    if not gold and not system:
        return 0
    if not gold:
        return distance(gold, system[:-1] + system[-1][1], costs) + insert
    if not system:
        return distance(gold[:-1] + gold[-1][1], system, costs) + delete
    (one, left), (two, right) = gold[-1], system[-1]
    return min(
        distance(gold[:-1] + left, system, costs) + delete,
        distance(gold, system[:-1] + right, costs) + insert,
        distance(gold[:-1], system[:-1], costs)
        + distance(left, right, costs)
        + (replace if one != two else 0),
    )


def distance_of(gold: Graph, system: Graph, **costs: float) -> float:
    report = tree_edit(**costs).score(gold, system)
    delete, insert = costs.get("delete", 1), costs.get("insert", 1)
    left = delete * report.gold + insert * report.system
    # What it is as a similarity is what it says it is.
    here = left - (delete + insert) * report.matched
    assert report.value == pytest.approx(1 - here / left if left else 0)
    return here


COSTS = st.tuples(*[st.sampled_from((0.5, 1, 1.5, 3))] * 2, st.sampled_from((0, 1, 2)))


@given(forests(7, "abc"), forests(7, "abc"), COSTS)
def test_the_distance_is_that_of_the_definition(
    one: tuple[Tree, ...], two: tuple[Tree, ...], costs: tuple[float, float, float]
) -> None:
    named = dict(zip(("delete", "insert", "replace"), costs, strict=True))
    found = distance_of(graph_of(*one, scrambled=3), graph_of(*two), **named)
    assert found == pytest.approx(distance(one, two, costs))


@given(forests(5, "abc"), forests(5, "abc"), forests(5, "abc"))
def test_the_distance_is_a_metric(
    first: tuple[Tree, ...], second: tuple[Tree, ...], third: tuple[Tree, ...]
) -> None:
    one, two, three = (graph_of(*each) for each in (first, second, third))
    there = distance_of(one, two)
    assert distance_of(one, one) == 0
    assert there == distance_of(two, one)
    assert (there == 0) == (first == second)
    assert there <= distance_of(one, three) + distance_of(three, two)


def at_random(size: int, seed: int, wide: int) -> Tree:
    """A tree in which nodes stand below one of the *wide* before them."""
    rng = random.Random(seed)
    below: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        below[rng.randrange(max(0, node - wide), node)].append(node)
    for each in below:
        rng.shuffle(each)
    labels = [rng.choice("abcd") for _ in range(size)]

    def tree(node: int) -> Tree:
        return labels[node], tuple(map(tree, below[node]))

    return tree(0)


WIDE = (1, 2, 6, 60)


@pytest.mark.parametrize("wide", WIDE)
def test_the_distance_equals_zss(wide: int) -> None:
    zss = pytest.importorskip("zss")

    def other(tree: Tree) -> Any:
        return zss.Node(tree[0], [other(each) for each in tree[1]])

    one, two = at_random(60, 1, wide), at_random(50, 2, wide)
    expected = zss.simple_distance(
        other(one), other(two), label_dist=lambda one, two: int(one != two)
    )
    assert distance_of(graph_of(one), graph_of(two)) == expected


@pytest.mark.parametrize("wide", WIDE)
def test_the_distance_equals_apted(wide: int) -> None:
    apted = pytest.importorskip("apted")
    trees = pytest.importorskip("apted.helpers").Tree

    def text(tree: Tree) -> str:
        return f"{{{tree[0]}{''.join(map(text, tree[1]))}}}"

    one, two = at_random(60, 1, wide), at_random(50, 2, wide)
    both = (trees.from_text(text(each)) for each in (one, two))
    expected = apted.APTED(*both).compute_edit_distance()
    assert distance_of(graph_of(one), graph_of(two)) == expected


@pytest.mark.parametrize("wide", WIDE)
def test_from_right_to_left_it_is_the_same(wide: int) -> None:
    def turned(tree: Tree) -> Tree:
        return tree[0], tuple(map(turned, tree[1][::-1]))

    one, two = at_random(80, 3, wide), at_random(70, 4, wide)
    there = distance_of(graph_of(one), graph_of(two))
    assert there == distance_of(graph_of(turned(one)), graph_of(turned(two)))
    assert 0 < there < 150


def test_a_chain_of_nodes_is_a_sequence() -> None:
    """Strings as trees without branches: edit distance is that of Levenshtein."""

    def chain(text: str) -> Tree:
        found: Tree = text[-1], ()
        for sign in text[-2::-1]:
            found = sign, (found,)
        return found

    one, two = graph_of(chain("kitten")), graph_of(chain("sitting"))
    assert distance_of(one, two) == 3
    assert distance_of(one, two, replace=2) == 5


def test_sums_may_be_as_great_or_small_as_any() -> None:
    """Amounts that differ by more than whole numbers hold are rounded, not lost."""
    one = graph_of(("a", (("b", ()), ("c", ()))))
    for factor in (1e-90, 1e90, 2**70, 10**80):
        worth = weight(label, {"a": factor, "b": factor * 3, "c": factor})
        found = match(nodes(), worth, order=in_tree()).score(one, one)
        assert found.matched == pytest.approx(5 * factor)


def test_the_tables_can_be_given_up() -> None:
    places = np.arange(3)
    path = Forest.of(places, -places)
    assert path.lowest.tolist() == [0, 0, 0]
    pairs = Weighted(path.names, path.names, [1, 1, 1])
    assert heaviest(pairs, path, path) == [0, 1, 2]
    assert heaviest(pairs, path, path, lambda: True) is None


def test_members_are_matched_as_what_is_left_of_the_trees() -> None:
    """Nodes that are no members do not part others: they are as if deleted."""
    made = [Node(0, "a"), Node(1, "x"), Node(2, "b"), Node(3, "c")]
    gold = Graph(
        "1", "x", nodes=tuple(made), edges=(Edge(0, 1), Edge(1, 2), Edge(1, 3))
    )
    flat = Graph("1", "x", nodes=tuple(made), edges=(Edge(0, 2), Edge(0, 3)))
    worth = exact(label) * weight(label, {"x": 0}, otherwise=1)
    assert match(nodes(), worth, order=in_tree()).score(gold, flat).matched == 3


def test_orders_differ_in_what_they_keep() -> None:
    one = graph_of(("s", (("a", ()), ("b", ()))))
    two = graph_of(("s", (("b", ()), ("a", ()))))
    three = graph_of(("s", (("a", (("b", ()),)),)))
    matched = {
        repr(order): [
            match(nodes(), exact(label), order=order).score(one, other).matched
            for other in (two, three)
        ]
        for order in (in_tree(), reachable(), in_sequence)
    }
    assert matched["in_tree()"] == [2, 2]
    # There siblings may change places, and a node above another may not be beside it.
    assert matched["reachable()"] == [3, 2]
    # The order in which nodes stand knows nothing of what is above.
    assert matched["in_sequence"] == [2, 3]


def test_every_constraint_is_one_to_one() -> None:
    one, two = graph_of(("a", ())), graph_of(("a", (("a", ()),)))
    for kept in ("1:1", "n:1", "1:n", "n:n"):
        amount = match(nodes(), exact(label), kept, order=in_tree())  # type: ignore[arg-type]
        assert amount.score(one, two).matched == 1


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ([(0, 1), (2, 1)], "node 1 below 0 and 2, expected trees"),
        ([(0, 1), (0, 1)], "node 1 twice below 0, expected trees"),
        ([(1, 2), (2, 1)], "a cycle of nodes, 1 → 2 → 1, expected trees"),
        ([(0, 0)], "a cycle of nodes, 0 → 0, expected trees"),
        ([(k, (k + 1) % 12) for k in range(12)], "0 → 1 → 2 → 3 → 4 → … → 10 → 11 → 0"),
    ],
)
def test_what_is_no_tree_is_said(links: list[tuple[int, int]], words: str) -> None:
    size = max(max(each) for each in links) + 1
    made = tuple(Node(k, "a") for k in range(size))
    wrong = Graph("7", "x", nodes=made, edges=tuple(Edge(*each) for each in links))
    with pytest.raises(StructureError, match="graph '7'") as error:
        tree_edit().score(graph_of(("a", ())), wrong)
    assert words in str(error.value)
    # Along edges of another label there are no trees but single nodes.
    assert tree_edit(edge="b").score(wrong, wrong).value == 1


def test_a_node_that_is_a_member_twice_is_said() -> None:
    class Twice(View):
        def listed(self, name: str) -> list[int]:
            return [0, 0]

    views = [Twice(graph_of(("a", ()))) for _ in range(2)]
    amount = match(listed("some", "node"), exact(label), order=in_tree())
    with pytest.raises(StructureError, match="node 0 2 times among"):
        amount.pairs(Pair(*views), [0], [0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: match(edges(), exact(edge_label), order=in_tree()), "only they stand"),
        (lambda: tree_edit(exact(edge_label)), "trees are made of nodes"),
        (lambda: tree_edit(label), "expected a similarity"),
        (lambda: tree_edit(weight(label, {"a": 1})), "is an amount"),
        (lambda: tree_edit(delete=0), "found 0, expected a cost of more than 0"),
        (lambda: tree_edit(insert="1"), "found '1', expected a cost"),
        (lambda: tree_edit(replace=-1), "found -1, expected a cost of 0 or more"),
        (lambda: tree_edit(replace=True), "found True, expected a cost"),
        (lambda: tree_edit(levels(label), replace=3), "expected at most 2 where"),
        (lambda: softened(exact(label), 0), "found 0, expected a least"),
        (lambda: softened(exact(label), 1.5), "found 1.5, expected a least"),
        (lambda: softened(match(nodes(), exact(label)), 0.5), "is an amount"),
        (lambda: softened(label, 0.5), "expected a similarity"),
    ],
)
def test_mistakes_are_said(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(FormulaError, match=words):
        make()


def test_it_is_written_and_read() -> None:
    made = tree_edit(levels(label), "nsubj", delete=2, insert=3)
    assert formula(repr(made)) == made
    assert formula("tree_edit(delete=2)") == tree_edit(delete=2)
    assert tree_edit(replace=2) == f1(match(nodes(), exact(label), order=in_tree()))
    assert tree_edit(replace=5) == tree_edit(replace=2)
    assert str(tree_edit()) == "F↔nodes⊴[(0.5 + 0.5 × δ_label)]"
    assert r"\trianglelefteq" in tree_edit().latex()
    assert in_words(tree_edit()) == (
        "F1 of nodes, matched one to one for the greatest sum, what is above and what "
        "is left being so on both sides; a pair counts\n"
        "  0.5, and 0.5 times\n"
        "    1 if both have the same label, else 0"
    )
    assert in_words(softened(exact(label), 1)) == "1, whatever the two are"


def test_softened_is_a_similarity_like_others() -> None:
    gold = graph_of(("a", (("b", ()), ("c", ()))))
    system = graph_of(("a", (("b", ()), ("d", ()))))
    soft = match(nodes(), softened(exact(label), 0.25))
    assert soft.score(gold, system).matched == 2.25
    assert (match(nodes(), exact(label) * softened(exact(label), 0.25))).score(
        gold, system
    ).matched == 2
    inner = f1(match(targets(), softened(exact(label), 0.5)))
    assert match(nodes(), exact(label) * inner).score(gold, system).matched == 1.75


@dataclass(frozen=True)
class Phrase:
    label: str
    children: tuple[Phrase, ...] = ()


def test_objects_that_hold_one_another_are_trees() -> None:
    from graphscore.similarity import property_value

    one = Phrase("S", (Phrase("NP", (Phrase("D"), Phrase("N"))), Phrase("VP")))
    two = Phrase("S", (Phrase("NP", (Phrase("N"),)), Phrase("AP"), Phrase("VP")))
    metric = tree_edit(exact(property_value("label")))
    # D goes and AP comes in: 2 of 10.
    assert score_all([one], [two], metric).value == pytest.approx(0.8)
