"""Formulas that name themselves, and metrics of classes that contain themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import graphscore
from graphscore.correspondence import Budget
from graphscore.metrics import suite
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    Similarity,
    again,
    along,
    at,
    choice,
    derive,
    exact,
    f1,
    formula,
    in_sequence,
    jaccard,
    label,
    match,
    nodes,
    precision,
    recursive,
    similarity_of,
    targets,
    top,
    tops,
    total,
    variable,
    weight,
)
from graphscore.similarity.base import Request
from graphscore.similarity.evaluation.functions import pairs
from graphscore.similarity.explanation.report import Measured, measure
from graphscore.similarity.view import Pair, View
from graphscore.structures import (
    StructureError,
    Var,
    by,
    by_f1,
    ignored,
    less,
    matched,
    over,
    summed,
    to_graph,
    within,
)

# A formula that names itself is the same formula, written out as deep as graphs are.

PLAIN = exact(label)


@st.composite
def acyclic(draw: st.DrawFn, most: int = 4) -> Graph:
    """Graphs without cycles; nodes may be parts of several others."""
    size = draw(st.integers(1, most))
    labels = st.sampled_from(draw(st.sampled_from((("a",), ("a", "b")))))
    made = tuple(Node(k, draw(labels)) for k in range(size))
    found = []
    for end in range(1, size):
        for start in draw(st.sets(st.integers(0, end - 1), max_size=2)):
            found.append(Edge(start, end, draw(st.sampled_from("ab"))))
    return Graph("1", "x", nodes=made, edges=tuple(found), tops=(0,))


def height(graph: Graph) -> int:
    """How many edges the longest way has."""
    far = [0] * len(graph.nodes)
    for edge in sorted(graph.edges, key=lambda each: -each.source):
        far[edge.source] = max(far[edge.source], far[edge.target] + 1)
    return max(far)


@st.composite
def bodies(draw: st.DrawFn) -> Callable[[Similarity], Similarity]:
    """Formulas of a node, by what stands for the formula itself."""
    constraint = draw(st.sampled_from(("1:1", "1:1", "n:1", "1:n", "n:n")))
    duplicates = draw(st.sampled_from(("multiset", "multiset", "set")))
    order = draw(st.sampled_from((None, in_sequence)))
    edge = draw(st.sampled_from((None, "a")))
    ratio = draw(st.sampled_from((f1, jaccard, precision, None, None)))
    how = draw(st.integers(0, 5))
    base = draw(st.sampled_from((exact(label), weight(label, {"a": 1, "b": 0.5}))))
    if ratio is not None:
        base = exact(label)

    def body(itself: Similarity) -> Similarity:
        inner = itself > 0.25 if how == 1 else itself
        if how == 2:
            inner = exact(label) * inner
        amount = match(targets(edge=edge), inner, constraint, duplicates, order)
        if how == 3:
            amount = total(amount, match(targets(), exact(label)))
        if how == 4:
            amount = amount - 0.5
        found = amount if ratio is None else ratio(amount)
        if how == 5:
            found = found * at(along("b"), itself)
        return total(base, found) if ratio is None else base * found

    return body


def closed(body: Callable[[Similarity], Similarity]) -> Similarity:
    """The formula that names itself."""
    traits = (True, True)
    for _ in range(3):
        found = body(again("T", *traits))
        if (found.normalized, found.proper) == traits:
            break
        traits = found.normalized, found.proper
    assume(not found.sided)
    return recursive("T", found)


def unrolled(
    body: Callable[[Similarity], Similarity], normalized: bool, deep: int
) -> Similarity:
    found: Similarity = exact(label) if normalized else weight(label, {"a": 1, "b": 1})
    for _ in range(deep):
        found = body(found)
    return found


def close(found: Any) -> Any:
    return pytest.approx(found, rel=1e-9, abs=1e-12)


def amounts(found: Measured) -> list[float]:
    return [found.gold, found.system, *found.found, found.value]


@given(bodies(), acyclic(), acyclic())
def test_a_formula_that_names_itself_is_written_out(
    body: Callable[[Similarity], Similarity], gold: Graph, system: Graph
) -> None:
    own = closed(body)
    deep = max(height(gold), height(system)) + 1
    long = unrolled(body, own.normalized, deep)
    for outer in (
        lambda inner: f1(match(nodes(), inner)),
        lambda inner: match(nodes(), inner, "1:1", "set"),
        lambda inner: at(top, inner),
    ):
        one = measure(outer(own), Pair(View(gold), View(system)))
        two = measure(outer(long), Pair(View(gold), View(system)))
        assert amounts(one) == close(amounts(two))
        assert formula(repr(outer(own))) == outer(own)


@given(bodies(), acyclic(), acyclic())
def test_what_is_matched_inside_is_written_out(
    body: Callable[[Similarity], Similarity], gold: Graph, system: Graph
) -> None:
    own = closed(body)
    deep = max(height(gold), height(system)) + 1
    one = match(nodes(), own).score(gold, system)
    two = match(nodes(), unrolled(body, own.normalized, deep)).score(gold, system)
    assert list(one.paths()) == list(two.paths())


@given(acyclic(3), acyclic(3), st.booleans())
def test_formulas_inside_of_one_another(
    gold: Graph, system: Graph, swapped: bool
) -> None:
    """Edges a by one formula, edges b by the other, each as deep as it likes."""

    def inside(outer: Similarity, inner: Similarity) -> Similarity:
        mine, theirs = match(targets(edge="a"), inner), match(targets(edge="b"), outer)
        return exact(label) * (f1(mine) if swapped else f1(theirs)) * f1(mine + theirs)

    def outside(outer: Similarity, inner: Similarity) -> Similarity:
        return (
            exact(label)
            * f1(match(targets(), inner))
            * jaccard(match(targets(edge="b"), outer))
        )

    x, y = again("X"), again("Y")
    own = recursive("X", outside(x, recursive("Y", inside(x, y))))
    long: tuple[Similarity, Similarity] = (PLAIN, PLAIN)
    for _ in range(max(height(gold), height(system)) + 1):
        long = outside(*long), inside(*long)
    for one, two in ((own, long[0]),):
        mine = f1(match(nodes(), one)).score(gold, system)
        theirs = f1(match(nodes(), two)).score(gold, system)
        assert amounts(mine.measured) == close(amounts(theirs.measured))
        assert sorted(mine.paths()) == sorted(theirs.paths())


# Classes that contain themselves, against their definition.


@dataclass(frozen=True)
class Tree:
    label: str
    children: tuple[Tree, ...] = ()


@dataclass(frozen=True)
class Bag:
    label: str
    children: frozenset[Bag] = frozenset()


@dataclass(frozen=True)
class Stmt:
    kind: str
    body: tuple[Stmt, ...] = ()
    test: Expr | None = None


@dataclass(frozen=True)
class Expr:
    op: str
    args: frozenset[Expr] = frozenset()
    block: tuple[Stmt, ...] = ()


@dataclass(frozen=True)
class Program:
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Forest:
    bags: frozenset[Bag]


words = st.sampled_from("ab")
trees = st.recursive(
    words.map(Tree),
    lambda inner: st.builds(Tree, words, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)
bags = st.recursive(
    words.map(Bag),
    lambda inner: st.builds(Bag, words, st.frozensets(inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def statements(draw: st.DrawFn, deep: int = 2) -> Stmt:
    """Statements with expressions with statements."""
    if not deep:
        return Stmt(draw(words))
    body = draw(st.lists(statements(deep - 1), max_size=2))
    test = draw(st.none() | expressions(deep - 1))
    return Stmt(draw(words), tuple(body), test)


@st.composite
def expressions(draw: st.DrawFn, deep: int = 2) -> Expr:
    """Expressions with statements with expressions."""
    if not deep:
        return Expr(draw(words))
    args = draw(st.frozensets(expressions(deep - 1), max_size=2))
    block = draw(st.lists(statements(deep - 1), max_size=2))
    return Expr(draw(words), args, tuple(block))


def best(gold: Any, system: Any, ordered: bool) -> Fraction:
    """The greatest sum over one-to-one matchings, by trying all of them."""
    mine, theirs = list(gold), list(system)
    most = Fraction(0)
    for size in range(1, min(len(mine), len(theirs)) + 1):
        for chosen in combinations(mine, size):
            others = (combinations if ordered else permutations)(theirs, size)
            for other in others:
                both = zip(chosen, other, strict=True)
                most = max(most, sum((alike(a, b) for a, b in both), Fraction(0)))
    return most


def ratio(gold: Any, system: Any) -> Fraction:
    """F1 over the best matching; nothing is like nothing."""
    if not gold and not system:
        return Fraction(1)
    found = best(gold, system, isinstance(gold, tuple))
    return 2 * found / (len(gold) + len(system))


def alike(gold: Any, system: Any) -> Fraction:
    """How alike two objects are, as the definition has it."""
    if gold is None or system is None:
        return Fraction(gold is system)
    if isinstance(gold, (Tree, Bag)):
        same = gold.label == system.label
        return same * ratio(gold.children, system.children)
    if isinstance(gold, Stmt):
        same = gold.kind == system.kind
        inner = ratio(gold.body, system.body)
        return same * inner * alike(gold.test, system.test)
    same = gold.op == system.op
    inner = ratio(gold.args, system.args)
    return same * inner * ratio(gold.block, system.block)


def whole(cls: Any) -> Similarity:
    return at(top, similarity_of(cls))


@given(trees, trees)
def test_ordered_trees(gold: Tree, system: Tree) -> None:
    assert whole(Tree).score(gold, system).value == close(float(alike(gold, system)))
    result = graphscore.score([gold], [system])
    found = result.counts["children"]
    assert found.matched == close(float(best(gold.children, system.children, True)))
    assert (found.gold, found.system) == (len(gold.children), len(system.children))
    assert result.counts["label"].f1 == (gold.label == system.label)


@given(bags, bags)
def test_trees_whose_children_have_no_order(gold: Bag, system: Bag) -> None:
    assert whole(Bag).score(gold, system).value == close(float(alike(gold, system)))


@given(statements(), statements())
def test_classes_that_contain_one_another(gold: Stmt, system: Stmt) -> None:
    assert whole(Stmt).score(gold, system).value == close(float(alike(gold, system)))
    found = derive(Program).formula.score(Program((gold,)), Program((system,)))
    assert found.matched == close(float(alike(gold, system)))


def test_classes_are_written_with_their_names() -> None:
    assert str(derive(Tree)) == (
        "children = F↔children≤[μTree[δ_label × F↔children≤[Tree]]]\nlabel = δ_label"
    )
    assert str(derive(Forest)) == "bags = F↔bags[μBag[δ_label × F↔children[Bag]]]"
    assert str(derive(Program)) == (
        "body = F↔body≤[μStmt[{Stmt: δ_kind × F↔body≤[Stmt] × (Stmt)_test, "
        "Expr: δ_op × F↔args[Stmt] × F↔block≤[Stmt]}]]"
    )
    tex = similarity_of(Tree).latex()
    assert tex.startswith(r"\mu_{\text{Tree}}\left[\delta_{\text{label}} \times F")


def test_marks_hold_at_every_level() -> None:
    marked = derive(Forest, {Bag: {"children": (by_f1, over(0.5))}})
    assert str(marked) == "bags = F↔bags[μBag[δ_label × ⟦F↔children[Bag] > 0.5⟧]]"
    many = derive(Forest, {Bag: {"children": matched("n:n")}})
    assert "again('Bag', True, False)" in repr(many) or "proper=False" in repr(many)
    ended = derive(Forest, {Bag: {"children": ignored}})
    assert str(ended) == "bags = F↔bags[δ_label]"
    here = derive(Forest, {Forest: {"bags": by(same)}})
    assert "μ" not in str(here)
    with pytest.raises(FormulaError, match="count differently"):
        derive(Forest, {Bag: {"children": (summed, matched("n:1"))}})


@pytest.mark.parametrize("marks", [(summed,), (summed, over(0.5)), (summed, less(1))])
def test_a_sum_that_can_only_be_zero_is_refused(marks: tuple[Any, ...]) -> None:
    """Leaves have an empty sum: gold would score 0 against itself."""
    with pytest.raises(FormulaError, match=r"0 for every two things.* by_f1"):
        derive(Forest, {Bag: {"children": marks}})


def test_a_sum_over_things_of_other_classes_may_be_more_than_zero() -> None:
    leaf = choice(label, {"leaf": exact(label), "T": again("T", False)})
    whole_tree = recursive("T", match(targets(), leaf))
    assert str(whole_tree) == "μT[Σ↔targets[{leaf: δ_label, T: T}]]"


def same(predicted: Any, gold: Any) -> float:
    return float(predicted == gold)


def test_marks_for_one_place_are_a_formula_of_their_own() -> None:
    found = similarity_of(Tree, {Tree: within(label=ignored)})
    assert str(found) == "μTree[F↔children≤[Tree]]"
    one, two = Tree("a", (Tree("b"),)), Tree("c", (Tree("d"),))
    assert at(top, found).score(one, two).value == 1


# Depth.


def deep(levels: int, last: str = "x") -> Tree:
    found = Tree(last)
    for _ in range(levels):
        found = Tree("x", (found,))
    return found


DEPTH = 1500
"""More levels than Python lets functions call each other."""


def test_depth_is_no_limit() -> None:
    assert sys.getrecursionlimit() < DEPTH
    result = graphscore.score([deep(DEPTH)], [deep(DEPTH, "y")])
    assert result.f1 == 0
    found = suite("deep", {"all": whole(Tree)})
    gold = [found.prepare(to_graph(deep(DEPTH)))]
    system = [found.prepare(to_graph(deep(DEPTH)))]
    rows = found.compare(gold, system, budget=Budget())
    assert rows.score == 1
    assert max(match.level for match in rows.matches) == DEPTH - 1
    result = graphscore.score([deep(DEPTH)], [deep(DEPTH)])
    assert result.f1 == 1
    report = whole(Tree).score(deep(DEPTH), deep(DEPTH))
    assert report.explain().count("\n") == DEPTH + 1
    assert len(list(report.paths())) == DEPTH


# Cycles, and what is no formula.


@dataclass
class Knot:
    label: str
    parts: list[Knot]


def test_objects_that_contain_themselves_are_refused_with_the_way() -> None:
    inner = Knot("c", [])
    knot = Knot("a", [Knot("b", []), inner])
    inner.parts.append(knot)
    with pytest.raises(StructureError) as error:
        to_graph(knot)
    assert "a Knot that contains itself, as parts[1].parts[0]" in str(error.value)
    with pytest.raises(graphscore.InputError, match=r"parts\[1\]\.parts\[0\]"):
        graphscore.score([knot], [knot])


def test_graphs_that_contain_themselves_are_refused_with_the_way() -> None:
    made = tuple(Node(f"n{k}", "a") for k in range(4))
    ends = ((0, 1), (1, 2), (2, 3), (3, 1))
    edges = tuple(Edge(f"n{a}", f"n{b}", "c") for a, b in ends)
    graph = Graph("g7", "x", nodes=made, edges=edges, tops=("n0",))
    tree = recursive("Tree", exact(label) * f1(match(targets(), again("Tree"))))
    with pytest.raises(StructureError) as error:
        f1(match(tops(), tree)).score(graph, graph)
    assert str(error.value) == (
        "graph 'g7': found a cycle of nodes, n1 → n2 → n3 → n1, "
        "expected nodes that are no part of themselves"
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: recursive("T", exact(label)), "nothing of itself"),
        (lambda: recursive("T", exact(label) * again("T")), "about the same thing"),
        (lambda: recursive("no name", again("no name")), "expected a name"),
        (lambda: recursive("T", f1(match(nodes(), again("T")))), "compares the graph"),
        (
            lambda: recursive("T", match(targets(), again("T"))),
            r"expected again\('T', normalized=False, proper=True\)",
        ),
        (
            lambda: recursive("T", variable() * f1(match(targets(), again("T")))),
            "a variable in a recursive formula",
        ),
        (
            lambda: f1(match(tops(), again("T"))).score(deep(1), deep(1)),
            r"again\('T'\) outside of recursive",
        ),
        (
            lambda: pairs(
                f1(match(tops(), again("T"))),
                Request(
                    Pair(View(to_graph(deep(1))), View(to_graph(deep(1)))), (0,), (0,)
                ),
            ),
            r"again\('T'\) outside of recursive",
        ),
    ],
)
def test_what_is_no_formula_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        make()


@dataclass(frozen=True)
class Linked:
    name: Var
    inner: tuple[Linked, ...] = ()


@dataclass(frozen=True)
class Links:
    links: frozenset[Linked]


def test_variables_in_what_contains_itself_are_refused() -> None:
    with pytest.raises(FormulaError, match="Linked contains itself and has variables"):
        derive(Links)
