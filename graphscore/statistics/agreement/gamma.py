"""Gamma: agreement on spans and their labels at once, beyond chance.

Gamma is 1 minus the disorder of the best alignment over that which chance would give
(Mathet, Widlöcher and Métivier 2015).  Chance is judged by continua that are made of
the annotators' own: each gets the spans of somebody, drawn at random, moved by a random
number of characters, what is beyond the end going on at the beginning; and no two are
moved by numbers closer than half the mean length of a span, as long as there is room.

Gamma-cat is what remains of labels alone (Mathet 2017): of spans that the best
alignment brings together, how far their labels are apart, those counting more whose
places agree better; gamma-k looks at pairs with one label alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.errors import expecting
from graphscore.statistics.agreement.alignment import (
    Aligned,
    Dissimilarity,
    best_alignment,
    disorder,
)
from graphscore.statistics.agreement.labels import Span
from graphscore.statistics.draws import picker

Doubles = npt.NDArray[np.float64]

CONTINUA = 30
"""Continua that are sampled at least, unless it is told."""

PRECISION = 0.02
"""How exact the expected disorder is, unless it is told."""

_SPANS = 100
"""Spans of an annotator from which on a sampled continuum needs no further text."""

_TWO_SIDED = 1.96
"""Standard deviations on both sides of a mean that hold 95 % of a distribution."""

EVERY = ""
"""The name of all labels, beside those of one."""


class Continuum(NamedTuple):
    """A text, and what several annotators marked in it."""

    length: int
    """Its characters."""
    sides: tuple[tuple[Span, ...], ...]
    """The spans of each."""


class Labelling(NamedTuple):
    """How far labels of aligned spans are apart, by label and of all together."""

    apart: dict[str, float]
    """Weighted sums."""
    weights: dict[str, float]
    """Sums of the weights."""


class Observed(NamedTuple):
    """What one continuum adds to the disorder."""

    disorder: float
    """Sum over its unitary alignments."""
    spans: float
    """Mean number of an annotator."""
    labelling: Labelling


class Expected(NamedTuple):
    """What chance gives."""

    disorder: float
    """Mean over the samples."""
    continua: int
    """How many were sampled."""
    precision: float
    """Half the width of the 95 % interval of the mean, as its share."""
    labels: dict[str, float]
    """Mean disorder of labels, by label and of all together; where there are pairs."""


def observed(continuum: Continuum, apart: Dissimilarity) -> Observed:
    """The disorder of the best alignment of a continuum.

    Args:
        continuum: of two or more annotators.
        apart: how far two spans are apart.

    Example:
        >>> ann = Span(0, 10, "PER"), Span(20, 25, "LOC")
        >>> ben = Span(0, 8, "PER"), Span(20, 25, "ORG")
        >>> found = observed(Continuum(25, (ann, ben)), Dissimilarity())
        >>> round(found.disorder, 4), found.spans
        (1.0123, 2.0)
    """
    aligned = best_alignment(continuum.sides, apart)
    return Observed(
        sum(disorder(each, apart) for each in aligned),
        sum(map(len, continuum.sides)) / len(continuum.sides),
        labelling(aligned, apart),
    )


def labelling(aligned: Iterable[Aligned], apart: Dissimilarity) -> Labelling:
    """How far labels of aligned spans are apart.

    Args:
        aligned: unitary alignments.
        apart: how far two spans are apart.
    """
    sums: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = defaultdict(float)
    for each in aligned:
        spans = [span for span in each if span is not None]
        for a, b in combinations(spans, 2):
            near = max(0.0, 1.0 - apart.alpha * apart.place(a, b))
            weight = near / (len(spans) - 1)
            for name in {EVERY, a.label, b.label}:
                sums[name] += weight * apart.label(a, b)
                weights[name] += weight
    return Labelling(dict(sums), dict(weights))


def expected(
    continua: Sequence[Continuum],
    people: int,
    apart: Dissimilarity,
    seed: int,
    least: int = CONTINUA,
    precision: float = PRECISION,
) -> Expected:
    """The disorder that chance gives.

    Args:
        continua: what was annotated.
        people: of how many annotators a sampled continuum is.
        apart: how far two spans are apart.
        seed: what the draws start from.
        least: how many continua are sampled; then as many more as their spread asks
            for (section 5.3).
        precision: how far the mean may be from the true one, as its share, in 95 of
            100 cases.

    Returns:
        ``nan`` if nobody marked anything.
    """
    pick = picker(seed)
    values: list[float] = []
    labels: dict[str, list[float]] = defaultdict(list)
    if not any(side for each in continua for side in each.sides):
        return Expected(math.nan, 0, math.nan, {})
    needed = least
    while len(values) < needed:
        found = observed(_sampled(continua, people, pick), apart)
        if not found.spans:
            continue
        values.append(found.disorder / found.spans)
        for name, weight in found.labelling.weights.items():
            if weight:
                labels[name].append(found.labelling.apart[name] / weight)
        if len(values) == needed:
            # Who samples more knows the spread better, which may ask for still more.
            needed = max(needed, math.ceil((_spread(values) / precision) ** 2))
    mean = float(np.mean(values))
    return Expected(
        mean,
        len(values),
        _spread(values) / math.sqrt(len(values)),
        {name: float(np.mean(each)) for name, each in labels.items()},
    )


def _spread(values: Sequence[float]) -> float:
    """Half of what holds 95 % of the values, as a share of their mean."""
    return _TWO_SIDED * float(np.std(values)) / float(np.mean(values) or 1.0)


def _sampled(
    continua: Sequence[Continuum], people: int, pick: Callable[[int], int]
) -> Continuum:
    """A continuum of the annotators' own spans, moved at random."""
    length, sides = _joined(continua, people, pick)
    spans = [span for side in sides for span in side]
    half = sum(span.end - span.start for span in spans) / len(spans) / 2
    free = [(0, length)]
    found = []
    for _ in range(people):
        by = _position(free, pick) if free else pick(length)
        free = _without(free, by - half, by + half)
        whose = sides[pick(len(sides))]
        moved = []
        for span in whose:
            start = (span.start + by) % length
            moved.append(Span(start, start + span.end - span.start, span.label))
        found.append(tuple(moved))
    return Continuum(length, tuple(found))


def _joined(
    continua: Sequence[Continuum], people: int, pick: Callable[[int], int]
) -> tuple[int, list[list[Span]]]:
    """Texts one behind the other: all, or of very many some drawn at random."""
    rest = [each for each in continua if any(each.sides)]
    whole = sum(len(side) for each in rest for side in each.sides)
    if whole > _SPANS * people:
        rest = [rest.pop(pick(len(rest))) for _ in range(len(rest))]
    sides: list[list[Span]] = [[] for _ in range(people)]
    start = taken = 0
    for each in rest:
        if taken >= _SPANS * people:
            break
        for own, side in zip(sides, each.sides, strict=True):
            own += [Span(start + a, start + b, label) for a, b, label in side]
            taken += len(side)
        ends = (span.end for side in each.sides for span in side)
        start += max(each.length, 1, *ends)
    return start, sides


def _position(free: Sequence[tuple[int, int]], pick: Callable[[int], int]) -> int:
    """One of the numbers that are free, each as likely as any."""
    place = pick(sum(end - start for start, end in free))
    for start, end in free:
        if place < end - start:
            return start + place
        place -= end - start
    raise AssertionError("no number is free")


def _without(
    free: Sequence[tuple[int, int]], low: float, high: float
) -> list[tuple[int, int]]:
    """What is free below and above."""
    found = []
    for start, end in free:
        below = min(end, math.ceil(low))
        above = max(start, math.floor(high) + 1)
        found += [each for each in ((start, below), (above, end)) if each[0] < each[1]]
    return found


class Gamma(NamedTuple):
    """Gamma of one continuum, with what it is made of."""

    value: float
    observed: float
    """Disorder of the best alignment."""
    expected: float
    continua: int
    precision: float
    cat: float
    """Gamma-cat: of the labels of what is aligned."""
    labels: dict[str, float]
    """Gamma-k, by label."""


@expecting(alpha=float | int, beta=float | int, empty=float | int, seed=int)
def gamma(
    sides: Sequence[Sequence[tuple[int, int, str]]],
    length: int = 0,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    distance: Callable[[str, str], float] | None = None,
    continua: int = CONTINUA,
    precision: float = PRECISION,
    seed: int = 12345,
) -> Gamma:
    """Gamma of what several annotators marked in one text.

    Args:
        sides: of every annotator spans: first character, end, label.
        length: characters of the text; without, up to the last span.
        alpha: weight of places.
        beta: weight of labels.
        empty: what a span costs that nobody else has.
        distance: how far labels are apart, from 0 to 1; nominal without.
        continua: how many are sampled at least.
        precision: of the expected disorder, as its share.
        seed: what the draws start from.

    Raises:
        TooManyError: if too many spans of too many annotators overlap.
        ValueError: if there are fewer than two annotators.

    Example:
        >>> ann = [(0, 10, "PER"), (20, 25, "LOC"), (40, 44, "LOC")]
        >>> ben = [(0, 8, "PER"), (20, 25, "ORG"), (40, 44, "LOC")]
        >>> found = gamma([ann, ben], 60)
        >>> round(found.observed, 4), 0.6 < found.value < 0.8
        (0.3374, True)
    """
    if len(sides) < 2:
        raise ValueError(f"found {len(sides)} annotators, expected two or more")
    apart = Dissimilarity(alpha, beta, empty, distance)
    whole = Continuum(length, tuple(tuple(Span(*x) for x in side) for side in sides))
    found = observed(whole, apart)
    chance = expected([whole], len(sides), apart, seed, continua, precision)
    labels = {
        name: beyond(found.labelling.apart[name], weight, chance.labels.get(name))
        for name, weight in found.labelling.weights.items()
    }
    return Gamma(
        beyond(found.disorder, found.spans, chance.disorder),
        found.disorder / found.spans if found.spans else math.nan,
        chance.disorder,
        chance.continua,
        chance.precision,
        labels.pop(EVERY, math.nan),
        labels,
    )


def beyond(disorder: float, size: float, chance: float | None) -> float:
    """One minus a disorder over that of chance; ``nan`` where chance has none.

    Args:
        disorder: a sum.
        size: what it is over.
        chance: what is expected of the ratio; ``None`` where nothing is.
    """
    return 1 - disorder / (size * chance) if size and chance else math.nan
