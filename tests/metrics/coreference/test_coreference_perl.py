"""Repeated mentions as the reference scorer 8.01 counts them.

The scores of the first document are what the scorer prints of it; the oracle does
step by step what the scorer does, with a number for every span.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, groupby, permutations, product

import pytest
from hypothesis import given

from graphscore import Store, parse, score
from tests.metrics.coreference.chains import (
    Amounts,
    Span,
    amounts,
    count,
    document,
    tangled,
)

GOLD: list[list[Span]] = [
    [(0, 2), (3, 4), (7, 8)],
    [(1, 2), (2, 4), (4, 6)],
    [(2, 4), (6, 7)],
    [(4, 5), (7, 8)],
]
"""The third and the last span stand in two entities each."""

SYSTEM: list[list[Span]] = [
    [(0, 2), (2, 4), (7, 8)],
    [(1, 2), (6, 7), (7, 8)],
    [(4, 6), (5, 6)],
    [(4, 5), (5, 6)],
]
"""One span of gold, and one that gold does not have, stand in two entities."""

PRINTED = {
    ("mentions", "mentions"): (7, 8, 7, 8),
    ("muc", "all"): (0, 6, 0, 5),
    ("b3", "all"): (3.33333333333333, 10, 3.33333333333333, 9),
    ("ceafm", "all"): (5, 10, 5, 9),
    ("ceafe", "all"): (2.06666666666667, 4, 2.06666666666667, 4),
    ("blanc", "coreference"): (1, 8, 1, 6),
    ("blanc", "noncoreference"): (16, 28, 16, 25),
}


def in_amounts(metric: str, tuple_type: str, gold: object, system: object) -> object:
    """Numerators and denominators, as the scorer prints them."""
    found = count(f"{metric}(preset=perl)", gold, system, tuple_type)
    return found.matched, found.gold, found.correct_system, found.system


@pytest.mark.parametrize(("metric", "tuple_type"), PRINTED)
def test_what_the_scorer_prints(metric: str, tuple_type: str) -> None:
    found = in_amounts(metric, tuple_type, document(*GOLD), document(*SYSTEM))
    assert found == pytest.approx(PRINTED[metric, tuple_type], rel=1e-12)


def test_means_are_of_what_it_prints() -> None:
    sides = document(*GOLD), document(*SYSTEM)
    blanc = count("blanc(preset=perl)", *sides)
    assert blanc.recall == pytest.approx(0.348214285714286, rel=1e-12)
    assert blanc.precision == pytest.approx(0.403333333333333, rel=1e-12)
    assert count("conll(preset=perl)", *sides).recall == pytest.approx(
        (0 + 3.33333333333333 / 10 + 2.06666666666667 / 4) / 3, rel=1e-12
    )


def ordered(entities: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """Entities as the scorer numbers them: of one place, single words come first."""
    found: list[list[Span]] = []
    filled = [[*each] for each in entities if each]
    for _, group in groupby(filled, key=lambda each: min(each)[0]):
        found += sorted(group, key=lambda each: min(each)[1] - min(each)[0] > 1)
    return found


def numbered(
    gold: Sequence[Sequence[Span]], system: Sequence[Sequence[Span]]
) -> tuple[list[list[int]], list[list[int]], int]:
    """Chains of numbers, and how many spans of gold the system has."""
    ids: dict[Span, int] = {}
    for number, span in enumerate(span for each in ordered(gold) for span in each):
        ids[span] = number
    key = [[ids[span] for span in each] for each in ordered(gold)]
    known, seen = set(ids), set[Span]()
    chains = []
    for each in ordered(system):
        chain = []
        for span in each:
            if span in known and span in seen:
                continue
            seen.add(span)
            chain.append(ids.setdefault(span, len(ids) + 1000))
        if chain:
            chains.append(chain)
    return key, chains, len(known & seen)


def oracle(
    gold: Sequence[Sequence[Span]], system: Sequence[Sequence[Span]]
) -> dict[tuple[str, str], Amounts]:
    """What the scorer does, metric by metric."""
    key, response, exact = numbered(gold, system)
    last = {m: k for k, each in enumerate(key) for m in each}
    sizes = [sum(map(len, each)) for each in (key, response)]
    links = 0
    recall = precision = Fraction(0)
    for chain in response:
        for place, m in enumerate(chain):
            if m in last:
                entity = key[last[m]]
                links += any(last.get(n) == last[m] for n in chain[place + 1 :])
                common = sum(n in entity for n in chain)
                recall += Fraction(common, len(entity))
                precision += Fraction(common, len(chain))
    muc = links, sizes[0] - len(key), links, sizes[1] - len(response)
    found = {
        ("mentions", "mentions"): (
            exact,
            len({m for each in key for m in each}),
            exact,
            len({m for each in response for m in each}),
        ),
        ("muc", "all"): muc,
        ("b3", "all"): (recall, sizes[0], precision, sizes[1]),
    }
    for name, weight in (("ceafm", 0), ("ceafe", 1)):
        alike = [
            [
                Fraction(2 * len({*a} & {*b}), len(a) + len(b))
                if weight
                else Fraction(len({*a} & {*b}))
                for b in response
            ]
            for a in key
        ]
        best = assigned(alike)
        counts = (len(key), len(response)) if weight else sizes
        found[name, "all"] = (best, counts[0], best, counts[1])
    for tuple_type, pairs in (("coreference", inside), ("noncoreference", between)):
        one, two = pairs(key), pairs(response)
        common = len(one & two)
        found["blanc", tuple_type] = common, len(one), common, len(two)
    return {
        name: tuple(map(Fraction, each))  # type: ignore[misc]
        for name, each in found.items()
    }


def assigned(alike: list[list[Fraction]]) -> Fraction:
    """The greatest sum over all one-to-one maps."""
    if not alike or not alike[0]:
        return Fraction(0)
    rows, columns = range(len(alike)), range(len(alike[0]))
    if len(rows) > len(columns):
        alike = [list(each) for each in zip(*alike, strict=True)]
        rows, columns = columns, rows
    return max(
        sum((alike[r][c] for r, c in zip(rows, each, strict=True)), Fraction(0))
        for each in permutations(columns, len(rows))
    )


def inside(chains: list[list[int]]) -> set[tuple[int, int]]:
    """Links within entities, as a set."""
    return {(min(pair), max(pair)) for each in chains for pair in combinations(each, 2)}


def between(chains: list[list[int]]) -> set[tuple[int, int]]:
    """Links between entities, as a set."""
    return {
        (min(pair), max(pair))
        for one, two in combinations(chains, 2)
        for pair in product(one, two)
    }


@given(gold=tangled(), system=tangled())
def test_the_scorer_step_by_step(
    gold: list[list[Span]], system: list[list[Span]]
) -> None:
    one, two = document(*gold), document(*system)
    for (metric, tuple_type), expected in oracle(gold, system).items():
        found = amounts(count(f"{metric}(preset=perl)", one, two, tuple_type))
        for mine, theirs in zip(found, expected, strict=True):
            assert abs(Fraction(mine) - theirs) <= Fraction(1, 10**12), metric


@pytest.mark.parametrize("metric", ["muc", "b3", "blanc", "conll", "mentions"])
def test_a_note_says_that_spans_are_repeated(metric: str) -> None:
    [note] = score([document(*GOLD)], [document(*SYSTEM)], metric).notes
    assert note == (
        f"{metric}: spans that are mentions more than once (2 of gold, 2 of the "
        "system) count once in each entity that has them; preset=perl counts them as "
        "the reference scorer 8.01"
    )
    twice = [[(0, 1), (0, 1), (3, 4)]]
    [note] = score([document(*twice)], [document(*SYSTEM)], metric).notes
    assert "(1 of gold, 2 of the system)" in note


def test_a_store_says_so_as_well() -> None:
    with Store("sqlite://", mode="create") as store:
        store.add([document(*GOLD)], "gold")
        store.add([document(*SYSTEM)], "system")
        for _ in ("computed", "reused"):
            [result] = store.score("gold", "system", [parse("conll")])
            [note] = result.notes
            assert "(2 of gold, 2 of the system)" in note
            [result] = store.score("gold", "system", [parse("conll(preset=perl)")])
            assert result.notes == []
            b3 = result.counts["b3"]
            assert (b3.gold, b3.system) == (10, 9)


def test_nothing_is_said_where_nothing_is_repeated() -> None:
    once = [each for each in GOLD if (7, 8) not in each][:1]
    assert score([document(*once)], [document(*once)], "conll").notes == []
    for preset in ("perl", "corefud"):
        sides = [document(*GOLD)], [document(*SYSTEM)]
        assert score(*sides, f"conll(preset={preset})").notes == []
