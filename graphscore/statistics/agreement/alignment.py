"""The best alignment of labelled spans, and its disorder.

Annotators mark spans on a continuum, such as the characters of a text.  A *unitary
alignment* holds at most one span of each; its disorder is the mean dissimilarity of
all pairs of annotators, where a span that misses costs as much as an empty one.  An
*alignment* has each span in exactly one unitary alignment, its disorder is the sum of
theirs over the mean number of spans of an annotator, and the *best* one has the lowest
(Mathet, Widlöcher and Métivier 2015, sections 4 and 5.1).  It is found exactly: of two
annotators as an assignment, of more as an integer programme.

>>> ann = [Span(0, 10, "PER"), Span(15, 22, "LOC")]
>>> ben = [Span(0, 8, "PER"), Span(40, 50, "LOC")]
>>> found = best_alignment([ann, ben], Dissimilarity())
>>> [[None if span is None else span[:2] for span in each] for each in found]
[[(0, 10), (0, 8)], [(15, 22), None], [None, (40, 50)]]
>>> round(sum(disorder(each, Dissimilarity()) for each in found) / 2, 4)
1.0062
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csc_array

from graphscore.errors import UsageError
from graphscore.statistics.agreement.labels import Span

Doubles = npt.NDArray[np.float64]

Aligned = tuple[Span | None, ...]
"""A unitary alignment: of every annotator one span, or none."""

_WHOLE = 1e-7
"""What is nearer to a whole number is whole but for rounding."""

_MOST = 50_000
"""Unitary alignments among which an alignment is chosen."""


class Dissimilarity(NamedTuple):
    """How far two spans are apart: ``alpha`` times by place, ``beta`` times by label.

    Args:
        alpha: weight of the positional (*sporadic*) dissimilarity.
        beta: weight of the categorical one.
        empty: what a span costs that is aligned with none.
        categorical: how far two labels are apart, from 0 to 1; without, 0 if they are
            equal and 1 if not.
    """

    alpha: float = 1.0
    beta: float = 1.0
    empty: float = 1.0
    categorical: Callable[[str, str], float] | None = None

    def __call__(self, a: Span, b: Span) -> float:
        """How far two spans are apart."""
        return self.alpha * self.place(a, b) + self.beta * self.label(a, b)

    def place(self, a: Span, b: Span) -> float:
        """How far two spans are apart in place."""
        away = abs(a.start - b.start) + abs(a.end - b.end)
        length = (a.end - a.start) + (b.end - b.start)
        if not length:
            return math.inf if away else 0.0
        return (away / length) ** 2 * self.empty

    def label(self, a: Span, b: Span) -> float:
        """How far two spans are apart in their labels."""
        if self.categorical is None:
            return self.empty * (a.label != b.label)
        return self.empty * self.categorical(a.label, b.label)

    def table(self, first: Sequence[Span], second: Sequence[Span]) -> Doubles:
        """How far every span of one annotator is from every one of another."""
        a, b = (
            np.array([each[:2] for each in side], dtype=float).reshape(-1, 2)
            for side in (first, second)
        )
        away = np.abs(a[:, None] - b[None]).sum(axis=2)
        length = (a[:, 1] - a[:, 0])[:, None] + (b[:, 1] - b[:, 0])[None]
        places = np.where(away > 0, math.inf, 0.0)
        np.divide(away, length, out=places, where=length > 0)
        labels = sorted({each.label for side in (first, second) for each in side})
        number = {label: place for place, label in enumerate(labels)}
        known = np.array(
            [[self.label(Span(0, 0, x), Span(0, 0, y)) for y in labels] for x in labels]
        ).reshape(len(labels), len(labels))
        codes = [[number[each.label] for each in side] for side in (first, second)]
        apart: Doubles = known[np.ix_(*codes)] if all(codes) else np.zeros(away.shape)
        return self.alpha * places**2 * self.empty + self.beta * apart


class TooManyError(UsageError):
    """So many spans overlap that their best alignment is out of reach."""


def disorder(aligned: Aligned, apart: Dissimilarity) -> float:
    """The disorder of a unitary alignment.

    Args:
        aligned: of every annotator one span, or none.
        apart: how far two are apart.
    """
    pairs = [
        apart.empty if a is None or b is None else apart(a, b)
        for a, b in combinations(aligned, 2)
    ]
    return sum(pairs) / len(pairs)


def best_alignment(
    sides: Sequence[Sequence[Span]], apart: Dissimilarity
) -> list[Aligned]:
    """The alignment of lowest disorder.

    Args:
        sides: the spans of every annotator; two or more annotators.
        apart: how far two spans are apart.

    Returns:
        Its unitary alignments, each span in one of them.

    Raises:
        TooManyError: if too many spans of too many annotators overlap.
    """
    first = sides[0]
    if all(side == first for side in sides) and not any(apart(x, x) for x in first):
        # Nobody disagrees, so that nothing can be better.
        return [(span,) * len(sides) for span in first]
    tables = {
        (i, j): apart.table(sides[i], sides[j])
        for i, j in combinations(range(len(sides)), 2)
    }
    if len(sides) == 2:
        return _assigned(sides[0], sides[1], tables[0, 1], 2 * apart.empty)
    return _chosen(sides, _Candidates(sides, tables, apart.empty))


def _assigned(
    first: Sequence[Span], second: Sequence[Span], table: Doubles, alone: float
) -> list[Aligned]:
    """Of two annotators: pairs that cost less than both spans by themselves."""
    gains = np.minimum(table - alone, 0.0)
    found: list[Aligned] = []
    left, right = set(range(len(first))), set(range(len(second)))
    for a, b in zip(*(x.tolist() for x in linear_sum_assignment(gains)), strict=True):
        if gains[a, b] < 0:
            found.append((first[a], second[b]))
            left.discard(a)
            right.discard(b)
    found += [(first[a], None) for a in sorted(left)]
    return found + [(None, second[b]) for b in sorted(right)]


class _Candidates:
    """Unitary alignments that the best alignment may have.

    Of n annotators there are C = n(n - 1)/2 pairs.  Whoever splits a unitary alignment
    into a spans and b others spares what is between them, and pays (C + ab) empty
    ones: so one in which that is no more cannot be in the best alignment, or need not.
    In what is kept, a span is less than C + n - 1 empty ones away from all others.
    """

    def __init__(
        self,
        sides: Sequence[Sequence[Span]],
        tables: dict[tuple[int, int], Doubles],
        empty: float,
    ) -> None:
        self.sides, self.tables, self.empty = sides, tables, empty
        self.people = len(sides)
        self.pairs = self.people * (self.people - 1) // 2
        self.most = (self.pairs + self.people - 1) * empty
        self.found: list[tuple[tuple[int, int], ...]] = []
        self.costs: list[float] = []
        for who, side in enumerate(sides):
            for number in range(len(side)):
                self._grow(((who, number),), (0.0,))

    def _grow(
        self, chosen: tuple[tuple[int, int], ...], sums: tuple[float, ...]
    ) -> None:
        """Keep this one, and those with spans of later annotators too."""
        self._keep(chosen, sums)
        first, number = chosen[0]
        for who in range(chosen[-1][0] + 1, self.people):
            near = np.flatnonzero(self.tables[first, who][number] < self.most)
            for other in near.tolist():
                away = [float(self.tables[i, who][n, other]) for i, n in chosen]
                grown = [
                    *(have + more for have, more in zip(sums, away, strict=True)),
                    sum(away),
                ]
                if max(grown) < self.most:
                    self._grow((*chosen, (who, other)), tuple(grown))

    def _keep(
        self, chosen: tuple[tuple[int, int], ...], sums: tuple[float, ...]
    ) -> None:
        size = len(chosen)
        missing = self.pairs - size * (size - 1) // 2
        total = sum(sums) / 2 + missing * self.empty
        single = (self.pairs + size - 1) * self.empty
        if size > 1 and (
            max(sums) >= single or total >= size * self.pairs * self.empty
        ):
            return
        if len(self.found) >= _MOST:
            raise TooManyError(
                f"more than {_MOST:,} ways to align spans of {self.people} annotators"
            )
        self.found.append(chosen)
        self.costs.append(total / self.pairs)


def _chosen(sides: Sequence[Sequence[Span]], among: _Candidates) -> list[Aligned]:
    """Those of lowest sum that have every span once: an integer programme."""
    if not among.found:
        return []
    starts = np.cumsum([0, *(len(side) for side in sides)])
    rows = [int(starts[who]) + n for each in among.found for who, n in each]
    ends = np.cumsum([0, *(len(each) for each in among.found)])
    shape = int(starts[-1]), len(among.found)
    once = csc_array((np.ones(len(rows)), rows, ends), shape=shape)
    solution = _solved(np.array(among.costs), once, whole=False)
    if np.abs(solution - np.rint(solution)).max() > _WHOLE:
        solution = _solved(np.array(among.costs), once, whole=True)
    found: list[Aligned] = []
    for place in np.flatnonzero(solution > 0.5).tolist():
        aligned: list[Span | None] = [None] * len(sides)
        for who, number in among.found[place]:
            aligned[who] = sides[who][number]
        found.append(tuple(aligned))
    return found


def _solved(costs: Doubles, once: csc_array, whole: bool) -> Doubles:
    """The lowest sum of costs that has every span once; in shares, unless whole.

    Shares are quick to find, and mostly come out whole, which then is the best.
    """
    solved = milp(
        costs,
        constraints=LinearConstraint(once, 1, 1),
        bounds=Bounds(0, 1),
        integrality=np.full(len(costs), int(whole)),
        options={"mip_rel_gap": 0.0},
    )
    if solved.x is None:
        raise RuntimeError(f"no alignment found: {solved.message}")
    found: Doubles = solved.x
    return found
