"""Documents of coreference for tests, and what metrics must say of them.

The second half is an oracle: every metric by its definition, over sets of mentions
and in exact fractions, without a table and without a matching solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from hypothesis import strategies as st

from graphscore import Anchor, Edge, Graph, Node
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Count, Outcome, Scores

Span = tuple[int, int]

TEXT = "abcdefghij " * 40


def document(*entities: Iterable[Span | int], name: str = "d", **fields: Any) -> Graph:
    """A document whose mentions are ranges of single characters, or others."""
    nodes: list[Node] = []
    ends: list[Node] = []
    edges: list[Edge] = []
    for number, mentions in enumerate(entities):
        ends.append(Node(f"e{number}", None, (("kind", "entity"),)))
        for place, span in enumerate(mentions):
            low, high = (span, span + 1) if isinstance(span, int) else span
            ident = f"m{number}.{place}"
            nodes.append(
                Node(ident, None, (("kind", "mention"),), (Anchor(low, high),))
            )
            edges.append(Edge(f"e{number}", ident, "mention"))
    return Graph(
        name,
        "coref",
        document=name,
        nodes=(*nodes, *ends),
        edges=tuple(edges),
        **({"text": TEXT} | fields),
    )


def outcome(metric: str | Metric, gold: Any, system: Any) -> Outcome:
    """What a metric says of two graphs, or of the parts of two documents."""
    made = parse(metric)
    sides = [
        tuple(map(made.prepare, each if isinstance(each, list) else [each]))
        for each in (gold, system)
    ]
    return made.compare(*sides, budget=Budget())


def scores(metric: str | Metric, gold: Any, system: Any) -> Scores:
    """Its scores."""
    return parse(metric).scores(outcome(metric, gold, system).raw_counts)


def count(
    metric: str | Metric, gold: Any, system: Any, tuple_type: str | None = None
) -> Count:
    """The count of a tuple type, of the one that stands for the metric by default."""
    return scores(metric, gold, system).counts[tuple_type or parse(metric).main]


@st.composite
def partitions(draw: st.DrawFn, most: int = 10) -> list[list[int]]:
    """Entities over some of a few mentions, each mention in one of them."""
    where = draw(st.lists(st.integers(0, 5), max_size=most))
    entities: dict[int, list[int]] = {}
    for mention, entity in enumerate(where):
        if entity:
            entities.setdefault(entity, []).append(mention)
    return list(entities.values())


@st.composite
def tangled(draw: st.DrawFn) -> list[list[tuple[int, int]]]:
    """Entities whose mentions overlap, repeat and are shared."""
    spans = st.tuples(st.integers(0, 6), st.integers(1, 3)).map(
        lambda each: (each[0], each[0] + each[1])
    )
    return draw(st.lists(st.lists(spans, max_size=4), max_size=4))


Entity = frozenset[Any]
Amounts = tuple[Fraction, Fraction, Fraction, Fraction]
"""Numerator and denominator of recall, and of precision."""


def _choose(n: int) -> int:
    return n * (n - 1) // 2


def oracle_muc(gold: Sequence[Entity], system: Sequence[Entity]) -> Amounts:
    """Vilain et al. 1995: entities less the parts that they fall into."""

    def side(mine: Sequence[Entity], theirs: Sequence[Entity]) -> tuple[int, int]:
        found = 0
        for entity in mine:
            parts = sum(bool(entity & other) for other in theirs)
            alone = entity.difference(*theirs)
            found += len(entity) - parts - len(alone)
        return found, sum(len(each) - 1 for each in mine)

    return _amounts(side(gold, system), side(system, gold))


def oracle_b3(gold: Sequence[Entity], system: Sequence[Entity]) -> Amounts:
    """Bagga and Baldwin 1998, mention by mention."""

    def side(mine: Sequence[Entity], theirs: Sequence[Entity]) -> tuple[Fraction, int]:
        found = Fraction(0)
        for entity in mine:
            for mention in entity:
                for other in theirs:
                    if mention in other:
                        found += Fraction(len(entity & other), len(entity))
        return found, sum(map(len, mine))

    return _amounts(side(gold, system), side(system, gold))


def oracle_ceaf(gold: Sequence[Entity], system: Sequence[Entity], phi: int) -> Amounts:
    """Luo 2005, over all one-to-one maps (components of few entities only)."""

    def alike(one: Entity, two: Entity) -> Fraction:
        if phi == 1:
            return Fraction(one == two)
        if phi == 2:
            return Fraction(bool(one & two))
        if phi == 3:
            return Fraction(len(one & two))
        return Fraction(2 * len(one & two), len(one) + len(two))

    def most(mine: list[Entity], theirs: list[Entity]) -> Fraction:
        if len(mine) > len(theirs):
            mine, theirs = theirs, mine
        return max(
            sum((alike(a, b) for a, b in zip(mine, each, strict=True)), Fraction(0))
            for each in permutations(theirs, len(mine))
        )

    total = most(list(gold), list(system))
    own = [
        sum((alike(each, each) for each in side), Fraction(0))
        for side in (gold, system)
    ]
    return total, own[0], total, own[1]


def oracle_lea(gold: Sequence[Entity], system: Sequence[Entity]) -> Amounts:
    """Moosavi and Strube 2016: importance times resolution."""

    def links(entity: Entity, self_link: bool) -> int:
        return _choose(len(entity)) or int(self_link)

    def side(mine: Sequence[Entity], theirs: Sequence[Entity]) -> tuple[Fraction, int]:
        found = Fraction(0)
        for entity in mine:
            shared = sum(
                links(entity & other, len(entity) == len(other) == 1)
                for other in theirs
                if entity & other
            )
            found += len(entity) * Fraction(shared, links(entity, True))
        return found, sum(map(len, mine))

    return _amounts(side(gold, system), side(system, gold))


def oracle_links(
    gold: Sequence[Entity], system: Sequence[Entity], inside: bool
) -> Amounts:
    """Luo et al. 2014: pairs of mentions in one entity, or in two."""

    def links(entities: Sequence[Entity]) -> set[frozenset[Any]]:
        where = {m: k for k, entity in enumerate(entities) for m in entity}
        return {
            frozenset(pair)
            for pair in combinations(where, 2)
            if (where[pair[0]] == where[pair[1]]) == inside
        }

    one, two = links(gold), links(system)
    return _amounts((len(one & two), len(one)), (len(one & two), len(two)))


def oracle_mentions(gold: Sequence[Entity], system: Sequence[Entity]) -> Amounts:
    """Mentions that are the same."""
    one = frozenset[Any]().union(*gold)
    two = frozenset[Any]().union(*system)
    return _amounts((len(one & two), len(one)), (len(one & two), len(two)))


def _amounts(recall: tuple[Any, int], precision: tuple[Any, int]) -> Amounts:
    return (
        Fraction(recall[0]),
        Fraction(recall[1]),
        Fraction(precision[0]),
        Fraction(precision[1]),
    )


def amounts(found: Count) -> tuple[float, float, float, float]:
    """A count in the order of the oracle."""
    return found.matched, found.gold, found.correct_system, found.system
