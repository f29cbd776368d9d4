"""Entity trees in short, for tests: every token is one character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.entities.trees import TreeBuilder
from tests.metrics.meaning.pieces import outcome

Span = tuple[int, int]


class Tree(NamedTuple):
    """An entity, or without types a component."""

    types: tuple[str, ...]
    span: Span
    children: tuple[Tree, ...] = ()
    entity: bool = True


def ent(types: str, first: int, last: int, *children: Tree) -> Tree:
    """An entity of one or two types, separated by blanks."""
    return Tree(tuple(types.split()), (first, last), children)


def comp(label: str, first: int, last: int) -> Tree:
    """A component."""
    return Tree((label,), (first, last), (), False)


def numbers(
    gold: Sequence[Tree], system: Sequence[Tree], metric: Metric | str
) -> dict[str, float]:
    """The further scores of one pair."""
    made = parse(metric)
    found = outcome(graph(gold), graph(system), made)
    return made.scores(found.raw_counts).numbers


def from_case(said: dict[str, Any]) -> Tree:
    """A tree of ``eter_cases.json``."""
    first, last = said["span"]
    children = tuple(from_case(each) for each in said["children"])
    return Tree(tuple(said["types"]), (first, last), children, said["kind"] == "ent")


def graph(trees: Sequence[Tree], item: str = "1", text: str = "") -> Graph:
    """A graph of trees, each before its children."""
    build = TreeBuilder()

    def add(tree: Tree, parent: NodeId | None) -> None:
        anchors = [Anchor(*tree.span)] if tree.span[0] < tree.span[1] else []
        if not tree.entity:
            build.component(tree.types[0], anchors, parent=parent)
            return
        label, *more = tree.types
        literal = more[0] if more else None
        id = build.entity(label, anchors, literal=literal, parent=parent)
        for child in tree.children:
            add(child, id)

    for tree in trees:
        add(tree, None)
    text = text or "abcdefghijklmnopqrstuvwxyz"
    tokens = tuple(Anchor(k, k + 1) for k in range(len(text)))
    return build.graph(item, text=text, tokens=tokens)


FUNC = ent(
    *("func.ind", 0, 6),
    comp("kind", 0, 1),
    ent("loc.adm.nat", 3, 4, comp("name", 3, 4)),
    ent("loc.adm.nat", 5, 6, comp("name", 5, 6)),
)
"""Figure 3 of the paper: ambassadeur de la Turquie en France."""

FUNC_SYSTEM = ent(
    *("func.ind", 0, 6),
    comp("kind", 0, 1),
    comp("name", 3, 4),
    comp("name", 5, 6),
)
"""What the system says of it: no nested entities."""

PRESIDENT = ent("func.ind", 1, 2, comp("kind", 1, 2))
MINISTER = ent("func.ind", 4, 6, comp("qualifier", 4, 5), comp("kind", 5, 6))
"""Figure 5: le président rencontre l' ancien ministre."""


def flattened(trees: Sequence[Tree]) -> list[Tree]:
    """Trees and everything below them."""
    found: list[Tree] = []
    for tree in trees:
        found += [tree, *flattened(tree.children)]
    return found


SPANS = st.tuples(st.integers(0, 4), st.integers(1, 3)).map(lambda x: (x[0], sum(x)))
TYPES = st.lists(
    st.sampled_from(["a.x", "a.y", "b", "c.x"]), min_size=1, max_size=2
).map(tuple)
LABELS = st.sampled_from(["name", "name.first", "tuple_type"])

PARTS = st.builds(lambda label, span: Tree((label,), span, (), False), LABELS, SPANS)


def entities(largest: int, *parts: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """Entities of so many parts at most."""
    children = st.lists(st.one_of(*parts), max_size=largest).map(tuple)
    return st.builds(Tree, TYPES, SPANS, children, st.just(True))


INNER = entities(1, PARTS)
OUTER = entities(3, PARTS, PARTS, INNER)
TREES = st.lists(st.one_of(OUTER, OUTER, OUTER, PARTS), max_size=3)
"""Some small trees; what is outermost may be a component too."""


@st.composite
def pairs_of_trees(draw: st.DrawFn) -> tuple[list[Tree], list[Tree]]:
    """Two sides: unrelated, or one a disturbed copy of the other."""
    gold = draw(TREES)
    if draw(st.booleans()):
        return gold, draw(TREES)

    def said(tree: Tree) -> Tree:
        types, span = tree.types, tree.span
        if draw(st.integers(0, 4)) == 0:
            types = draw(TYPES) if tree.entity else (draw(LABELS),)
        if draw(st.integers(0, 4)) == 0:
            span = draw(SPANS)
        kept = tuple(said(x) for x in tree.children if draw(st.integers(0, 5)))
        return Tree(types, span, kept, tree.entity)

    return gold, [said(tree) for tree in gold if draw(st.integers(0, 5))]


def least(
    gold: int,
    system: int,
    pairs: Mapping[tuple[int, int], tuple[float, float]],
    deletion: float = 1.0,
    insertion: float = 1.0,
) -> tuple[float, float]:
    """The least that all one-to-one maps come to: an oracle, told without the library.

    Every map is tried; what is left after the first gold slots depends only on which
    of the system's are taken, so that is worked out once.

    Args:
        gold: how many gold slots there are.
        system: how many of the system's.
        pairs: what a pair costs, and what decides between equal costs; others are
            not allowed.
        deletion: what a gold slot alone costs.
        insertion: what a slot of the system alone costs.
    """

    @cache
    def rest(first: int, taken: int) -> tuple[float, float]:
        if first == gold:
            return (system - taken.bit_count()) * insertion, 0.0
        cost, second = rest(first + 1, taken)
        found = [(deletion + cost, second)]
        for other in range(system):
            if (first, other) in pairs and not taken >> other & 1:
                cost, second = rest(first + 1, taken | 1 << other)
                mine = pairs[first, other]
                found.append((mine[0] + cost, mine[1] + second))
        return min(found)

    return rest(0, 0)
