"""Upper bounds of pairs, whatever the mapping of variables.

Such a value says two things at once: a cap that no map exceeds, and a line: a credit
for each pair of variables, so that no map earns more than the credits that it has.
Here is what becomes of them in products and sums.  What is all or nothing for sets of
pairs of variables is kept as that too (``UpperBound.terms``): a search can do more
with it.

What matched members earn at most, whatever the variables are mapped to.

Members are matched one to one, in any order or in sequence.  The most that a sum earns
is the best matching of the most that its members earn; credits of a pair of variables
are matched for themselves.  Where members are nothing but a product of variables, as in
SMATCH, the most is that of the exact search for the best map of these members alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.correspondence.assignment import one_to_one
from graphscore.similarity.base import Cell, Number, Sparse, sum_exactly
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.solvers.integer_programs import Earned, best_map
from graphscore.similarity.solvers.matcher import pick
from graphscore.similarity.solvers.ordering import worth
from graphscore.similarity.view import Element, Pair, unique

Mapped = tuple[Element, Element]
"""A gold and a system variable."""

Terms = dict[frozenset[Mapped], Number]
"""Weights of sets of variable pairs that are mapped together."""


class UpperBound(NamedTuple):
    """Upper bound of a pair: no mapping exceeds ``cap``, nor the credits it has."""

    cap: Number
    base: Number
    """Upper bound without any variable."""
    credits: dict[Mapped, Number]
    """Upper bound on each variable pair's addition; all pairs that matter."""
    needs: frozenset[Mapped] | None = None
    """Pairs that must all be mapped to reach ``cap``, if it is all or nothing."""
    hint: tuple[Mapped, ...] = ()
    """A map that earns much."""
    terms: Terms | None = None
    """Weights of sets of variable pairs that are mapped together.

    They hold if the matching behind the cap stays; ``None`` if the bound is no such
    sum.
    """
    complete: bool = False
    """True if no mapping exceeds these terms, whatever is matched."""

    def scale(self, cap: Number, slope: Number) -> UpperBound:
        """Scale the bound for an amount that lies below a line through the origin.

        Args:
            cap: what becomes of the cap.
            slope: the line's.
        """
        shares = {key: slope * number for key, number in self.credits.items()}
        terms = self.terms
        if terms is not None:
            terms = {needs: slope * number for needs, number in terms.items()}
        return UpperBound(
            cap, slope * self.base, shares, self.needs, self.hint, terms, self.complete
        )


UpperBounds = dict[Cell, UpperBound]


def fixed_bound(number: Number) -> UpperBound:
    """Return the bound of an amount that does not depend on variables."""
    return UpperBound(number, number, {}, frozenset(), (), {frozenset(): number}, True)


def assign(most: UpperBound) -> tuple[Number, list[Mapped]]:
    """Return the bound by the credits, and the mapping with the greatest ones."""
    shares = {key: number for key, number in most.credits.items() if number > 0}
    if not shares:
        return most.base, []
    rows, _ = unique([left for left, _ in shares])
    columns, _ = unique([right for _, right in shares])
    row_of = {row: k for k, row in enumerate(rows)}
    column_of = {column: k for k, column in enumerate(columns)}
    cells = {(row_of[a], column_of[b]): number for (a, b), number in shares.items()}
    chosen = one_to_one(cells)
    total = sum_exactly([most.base, *(cells[cell] for cell in chosen)])
    return total, [(rows[r], columns[c]) for r, c in chosen]


def is_map(mapped: Iterable[Mapped]) -> bool:
    """Return true if no variable is in two pairs.

    >>> is_map({(1, 4), (2, 5)}), is_map({(1, 4), (2, 4)})
    (True, False)
    """
    result = set(mapped)
    ones, others = {left for left, _ in result}, {right for _, right in result}
    return len(ones) == len(result) == len(others)


# Rules, one for each part of formulas that may stand around a variable.


def multiply_bounds(factors: list[UpperBound]) -> UpperBound | None:
    """Return the upper bound of a product; ``None`` if every mapping gives 0.

    Args:
        factors: what its factors do, at least one.
    """
    cap = prod(factor.cap for factor in factors)
    hint = join_hints(factor.hint for factor in factors)
    needed: set[Mapped] | None = set()
    for factor in factors:
        if needed is not None and factor.needs is not None:
            needed |= factor.needs
        else:
            needed = None
    if needed is not None:
        if not is_map(needed):
            # As for (x, x) and (y, z): x cannot be both.
            return None
        shares = dict.fromkeys(sorted(needed), cap / len(needed) if needed else 0)
        needs = frozenset(needed)
        return UpperBound(
            cap, 0 if needs else cap, shares, needs, hint, {needs: cap}, True
        )
    moving = [factor for factor in factors if factor.credits]
    base: Number = 0
    credited: dict[Mapped, Number] = {}
    for factor in moving:
        line = factor.scale(cap, cap / factor.cap / len(moving))
        base += line.base
        for mapped, number in line.credits.items():
            credited[mapped] = credited.get(mapped, 0) + number
    terms = _terms([factor.terms for factor in factors])
    complete = all(factor.complete for factor in factors)
    return UpperBound(
        cap, base if moving else cap, credited, None, hint, terms, complete
    )


def _terms(factors: list[Terms | None]) -> Terms | None:
    terms: Terms = {frozenset(): 1}
    for factor in factors:
        if factor is None or len(terms) * len(factor) > TERMS:
            return None
        more: Terms = {}
        for key, number in terms.items():
            for needs, amount in factor.items():
                if is_map(both := key | needs):
                    more[both] = more.get(both, 0) + number * amount
        terms = more
    return terms


TERMS = 10_000
"""Products of sums are multiplied out up to so many terms."""


def merge_terms(several: Iterable[Terms | None]) -> Terms | None:
    """The terms of a sum; ``None`` if those of a part are not known.

    Args:
        several: the terms of its parts.
    """
    amounts: dict[frozenset[Mapped], list[Number]] = {}
    for terms in several:
        if terms is None:
            return None
        for needs, number in terms.items():
            amounts.setdefault(needs, []).append(number)
    return {needs: sum_exactly(numbers) for needs, numbers in amounts.items()}


def add_bounds(several: list[UpperBound]) -> UpperBound:
    """Return the upper bound of a sum.

    Args:
        several: its parts, at least one.
    """
    if len(several) == 1:
        return several[0]
    shares: dict[Mapped, list[Number]] = {}
    for upper_bound in several:
        for mapped, number in upper_bound.credits.items():
            shares.setdefault(mapped, []).append(number)
    return UpperBound(
        sum_exactly(upper_bound.cap for upper_bound in several),
        sum_exactly(upper_bound.base for upper_bound in several),
        {mapped: sum_exactly(numbers) for mapped, numbers in shares.items()},
        None,
        join_hints(upper_bound.hint for upper_bound in several),
        merge_terms(upper_bound.terms for upper_bound in several),
        all(upper_bound.complete for upper_bound in several),
    )


def join_hints(hints: Iterable[tuple[Mapped, ...]]) -> tuple[Mapped, ...]:
    """One map of several; of pairs that exclude one another the first.

    >>> join_hints([((1, 4),), ((1, 5), (2, 5))])
    ((1, 4), (2, 5))
    """
    return tuple(_first_pairs(mapped for hint in hints for mapped in hint))


def _first_pairs(mapped: Iterable[Mapped]) -> Iterator[Mapped]:
    ones: set[Element] = set()
    others: set[Element] = set()
    for left, right in mapped:
        if left not in ones and right not in others:
            ones.add(left)
            others.add(right)
            yield left, right


ENTRIES_A_STEP = 30
"""Amounts and credits that are worked out in about a step, a ten-thousandth of a
second (``correspondence.problem.relaxation_steps``)."""


class SpentError(Exception):
    """No step is left; what was under way says nothing."""


@dataclass
class Scope:
    """Two graphs, which variables may correspond, and the work that may be done.

    Args:
        pair: the two graphs.
        limit: steps that may be taken; ``None`` while there is no limit.
        solved: the best maps of sums that were met before.
    """

    pair: Pair
    limit: int | None = None
    solved: dict[frozenset[tuple[frozenset[Mapped], Number]], Solution] = field(
        default_factory=dict
    )
    entries: int = 0

    @property
    def steps(self) -> int:
        """Steps taken."""
        return self.entries // ENTRIES_A_STEP

    def spend(self, entries: int) -> None:
        """Say what is going to be worked out.

        Args:
            entries: how many amounts and credits.

        Raises:
            SpentError: if that is more than may be: it should not be begun.
        """
        limit = self.limit
        if limit is not None and self.entries + entries >= limit * ENTRIES_A_STEP:
            raise SpentError
        self.entries += entries


class Solution(NamedTuple):
    """The best map for some amounts."""

    bound: Number
    hint: tuple[Mapped, ...]


def bound_matching(similarity: Match, scope: Scope, cells: UpperBounds) -> UpperBound:
    """Return the upper bound of members matched one to one.

    Args:
        similarity: the sum that they are members of.
        scope: the two graphs, and which variables may correspond.
        cells: what two members earn at most, by position; at least one.
    """
    scope.spend(len(cells) + sum(len(most.credits) for most in cells.values()))
    caps = {cell: most.cap for cell, most in cells.items()}
    chosen = pick(caps, similarity.order)
    cap = sum_exactly(caps[cell] for cell in chosen)
    bases = {cell: most.base for cell, most in cells.items() if most.base}
    base = (
        sum_exactly(bases[cell] for cell in pick(bases, similarity.order))
        if bases
        else 0
    )
    shares: dict[Mapped, Sparse] = {}
    for cell, most in cells.items():
        for mapped, number in most.credits.items():
            shares.setdefault(mapped, {})[cell] = number
    credited = {mapped: _credit(share) for mapped, share in shares.items()}
    chosen.sort(key=lambda cell: (-caps[cell], cell))
    hint = join_hints(cells[cell].hint for cell in chosen)
    if similarity.order is None and all(m.needs is not None for m in cells.values()):
        # Things of the same variables are matched by themselves, whatever the map.
        terms: Terms | None = _by_needs(cells)
        assert terms is not None
        upper_bound = UpperBound(cap, base, credited, None, hint, terms, True)
        if is_map(credited):
            return upper_bound
        solution = best_alone(scope, terms)
        return upper_bound._replace(cap=min(cap, solution.bound), hint=solution.hint)
    terms = merge_terms(cells[cell].terms for cell in chosen)
    complete = len(chosen) == len(cells) and all(m.complete for m in cells.values())
    upper_bound = UpperBound(cap, base, credited, None, hint, terms, complete)
    if not is_map(credited):
        limit, best_mapped = assign(upper_bound)
        if limit < cap:
            return upper_bound._replace(cap=limit, hint=tuple(best_mapped))
    return upper_bound


def _by_needs(cells: UpperBounds) -> Terms:
    groups: dict[frozenset[Mapped], Sparse] = {}
    for cell, most in cells.items():
        assert most.needs is not None
        groups.setdefault(most.needs, {})[cell] = most.cap
    return {needs: worth(group, "1:1") for needs, group in groups.items()}


def _credit(cells: Sparse) -> Number:
    if len(cells) == 1:
        [number] = cells.values()
        return number
    positive = {cell: number for cell, number in cells.items() if number > 0}
    return worth(positive, "1:1") if positive else 0


def best_alone(scope: Scope, terms: Terms, budget: Budget | None = None) -> Solution:
    """The best map for nothing but some terms.

    Args:
        scope: the two graphs; remembers what was solved.
        terms: what sets of variables earn.
        budget: how much work that may take; by default all that the pair may.
    """
    scope.spend(len(terms))
    key = frozenset(terms.items())
    if key not in scope.solved:
        mapped = sorted({need for needs in terms for need in needs})
        rows, columns = (sorted({both[k] for both in mapped}) for k in (0, 1))
        row_of = {row: k for k, row in enumerate(rows)}
        column_of = {column: k for k, column in enumerate(columns)}
        earned: Earned = {
            (tuple(row_of[a] for a, _ in ends), tuple(column_of[b] for _, b in ends)): n
            for ends, n in ((sorted(needs), n) for needs, n in terms.items() if needs)
        }
        pair = Pair(scope.pair.gold, scope.pair.system, budget or scope.pair.budget)
        best = best_map(earned, (len(rows), len(columns)), pair)
        hint = tuple([(rows[r], columns[c]) for r, c in sorted(best.items())])
        met = set(hint)
        score = sum_exactly(n for needs, n in terms.items() if needs <= met)
        scope.entries += pair.proof.steps * ENTRIES_A_STEP
        gap = [pair.proof.gap] if pair.proof.gap else []
        scope.solved[key] = Solution(sum_exactly([score, *gap]), hint)
    return scope.solved[key]
