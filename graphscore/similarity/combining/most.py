"""What two things earn at most, whatever the variables are mapped to, as a value.

Such a value says two things at once: a cap that no map exceeds, and a line: a credit
for each pair of variables, so that no map earns more than the credits that it has.
Here is what becomes of them in products and sums.  What is all or nothing for sets of
pairs of variables is kept as that too (``Most.terms``): a search can do more with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple

from graphscore.similarity.base import Cell, Number, added
from graphscore.similarity.solving.assignment import best
from graphscore.similarity.view import Element, unique

Mapped = tuple[Element, Element]
"""A gold and a system variable."""

Terms = dict[frozenset[Mapped], Number]
"""What pairs of variables earn when all of a set are mapped."""


class Most(NamedTuple):
    """What two things earn at most: no map exceeds ``cap``, nor the credits it has."""

    cap: Number
    base: Number
    """What is earned without any variable, at most."""
    credits: dict[Mapped, Number]
    """What each pair of variables adds at most; all that make any difference."""
    needs: frozenset[Mapped] | None = None
    """Where it is all or nothing: what must be mapped to earn ``cap``."""
    hint: tuple[Mapped, ...] = ()
    """A map that earns much."""
    terms: Terms | None = None
    """What sets of variables earn where all of a set are mapped, if what was matched
    for the cap stays so; ``None`` where it is no such sum."""
    complete: bool = False
    """Whether no map earns more than these, whatever is matched."""

    def scaled(self, cap: Number, slope: Number) -> Most:
        """Of an amount that is made of this one, and never above a straight line.

        Args:
            cap: what becomes of the cap.
            slope: the line's.
        """
        shares = {each: slope * number for each, number in self.credits.items()}
        terms = self.terms
        if terms is not None:
            terms = {needs: slope * number for needs, number in terms.items()}
        return Most(
            cap, slope * self.base, shares, self.needs, self.hint, terms, self.complete
        )


Mosts = dict[Cell, Most]


def fixed(number: Number) -> Most:
    """What does not depend on variables."""
    return Most(number, number, {}, frozenset(), (), {frozenset(): number}, True)


def assigned(most: Most) -> tuple[Number, list[Mapped]]:
    """What the credits allow, and the map that has most of them."""
    shares = {each: number for each, number in most.credits.items() if number > 0}
    if not shares:
        return most.base, []
    rows, _ = unique([one for one, _ in shares])
    columns, _ = unique([two for _, two in shares])
    places = {each: k for k, each in enumerate(rows)}
    others = {each: k for k, each in enumerate(columns)}
    cells = {(places[a], others[b]): number for (a, b), number in shares.items()}
    chosen = best(cells, "1:1")
    total = added([most.base, *(cells[cell] for cell in chosen)])
    return total, [(rows[r], columns[c]) for r, c in chosen]


def is_map(mapped: Iterable[Mapped]) -> bool:
    """Whether no variable stands in two pairs.

    >>> is_map({(1, 4), (2, 5)}), is_map({(1, 4), (2, 4)})
    (True, False)
    """
    found = set(mapped)
    ones, others = {one for one, _ in found}, {two for _, two in found}
    return len(ones) == len(found) == len(others)


# Rules, one for each part of formulas that may stand around a variable.


def multiplied(factors: list[Most]) -> Most | None:
    """What a product earns at most; ``None`` if no map gives it anything.

    Args:
        factors: what its factors do, at least one.
    """
    cap = prod(each.cap for each in factors)
    hint = joined(each.hint for each in factors)
    needed: set[Mapped] | None = set()
    for each in factors:
        if needed is not None and each.needs is not None:
            needed |= each.needs
        else:
            needed = None
    if needed is not None:
        if not is_map(needed):
            # As for (x, x) and (y, z): x cannot be both.
            return None
        shares = dict.fromkeys(sorted(needed), cap / len(needed) if needed else 0)
        needs = frozenset(needed)
        return Most(cap, 0 if needs else cap, shares, needs, hint, {needs: cap}, True)
    moving = [each for each in factors if each.credits]
    base: Number = 0
    credited: dict[Mapped, Number] = {}
    for each in moving:
        line = each.scaled(cap, cap / each.cap / len(moving))
        base += line.base
        for mapped, number in line.credits.items():
            credited[mapped] = credited.get(mapped, 0) + number
    terms = _terms([each.terms for each in factors])
    complete = all(each.complete for each in factors)
    return Most(cap, base if moving else cap, credited, None, hint, terms, complete)


def _terms(factors: list[Terms | None]) -> Terms | None:
    found: Terms = {frozenset(): 1}
    for factor in factors:
        if factor is None or len(found) * len(factor) > TERMS:
            return None
        more: Terms = {}
        for one, number in found.items():
            for two, amount in factor.items():
                if is_map(both := one | two):
                    more[both] = more.get(both, 0) + number * amount
        found = more
    return found


TERMS = 10_000
"""Products of sums are multiplied out up to so many terms."""


def together(several: Iterable[Terms | None]) -> Terms | None:
    """The terms of a sum; ``None`` if those of a part are not known.

    Args:
        several: the terms of its parts.
    """
    found: dict[frozenset[Mapped], list[Number]] = {}
    for each in several:
        if each is None:
            return None
        for needs, number in each.items():
            found.setdefault(needs, []).append(number)
    return {needs: added(numbers) for needs, numbers in found.items()}


def summed(several: list[Most]) -> Most:
    """What a sum earns at most.

    Args:
        several: its parts, at least one.
    """
    if len(several) == 1:
        return several[0]
    shares: dict[Mapped, list[Number]] = {}
    for each in several:
        for mapped, number in each.credits.items():
            shares.setdefault(mapped, []).append(number)
    return Most(
        added(each.cap for each in several),
        added(each.base for each in several),
        {mapped: added(numbers) for mapped, numbers in shares.items()},
        None,
        joined(each.hint for each in several),
        together(each.terms for each in several),
        all(each.complete for each in several),
    )


def joined(hints: Iterable[tuple[Mapped, ...]]) -> tuple[Mapped, ...]:
    """One map of several; of pairs that exclude one another the first.

    >>> joined([((1, 4),), ((1, 5), (2, 5))])
    ((1, 4), (2, 5))
    """
    return tuple(_first(each for hint in hints for each in hint))


def _first(mapped: Iterable[Mapped]) -> Iterator[Mapped]:
    ones: set[Element] = set()
    others: set[Element] = set()
    for one, two in mapped:
        if one not in ones and two not in others:
            ones.add(one)
            others.add(two)
            yield one, two
