"""The best matching of members, whatever the constraint, in any order or in one.

One to one is an assignment, one-sided constraints take the best of each, an order is
kept by chains or by a search (:mod:`.ordering`).  What variables make of members is
matched likewise, once they are mapped.

Under a one-sided constraint many system members may match one gold member.  The
sum over the matching counts it every time; the numerator of recall counts it for
what it is worth at most.  So do both numerators where there is no constraint; there a
member is worth what it earns with all of its own side, which is what is divided by::

    gold     abc  bcd     links of entities that share mentions: each of gold's earns
    system   abcd         2 of the system's 3, and 3 with gold itself; precision
                          counts 3 of 3 and not 4

Where a member has several best partners, the matching
is the one among the best that counts most, so that the numbers do not depend on
the order in which things stand in a file::

    gold     a   b        system members 1 and 2 are both as much like a as like b:
    system   1   2        {1→a, 2→b} counts two gold members, {1→a, 2→a} only one

Parts that are one-sided themselves hand their two numerators on.  A matching that
keeps an order is taken as it was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from graphscore.correspondence.assignment import one_to_one
from graphscore.similarity.base import Cell, Number, Numerators, Sparse, sum_exactly
from graphscore.similarity.operators.matching import Constraint
from graphscore.similarity.operators.orders import Order
from graphscore.similarity.view import Elements, Pair

SLIGHT = 2.0**-30
"""Weight of a difference in numerators against one in the sum itself."""

EQUAL = 1 - 1e-12
"""From what share on two amounts differ by nothing but rounding."""

Sides = dict[Cell, Numerators]


class Members(NamedTuple):
    """Members of two owners, and how they may be matched."""

    pair: Pair
    """Its budget limits searches; their proof is kept."""
    both: tuple[Elements, Elements]
    """Gold's and the system's."""
    cells: Sparse
    """Similarities by position."""
    worths: Callable[[int, Sequence[int]], Iterable[Number]]
    """Gives by axis and positions what members of one side are worth at most."""
    constraint: Constraint = "1:1"
    order: Order | None = None
    """Order that is kept."""
    sides_of: Callable[[Sequence[Cell]], Sides] | None = None
    """Gives the numerators of single pairs; ``None`` where both are the similarity."""

    def sides(self, requested: Sequence[Cell]) -> Sides:
        """Return the numerators of recall and precision for single pairs."""
        if self.sides_of is None:
            return {cell: Numerators(*[self.cells[cell]] * 3) for cell in requested}
        return self.sides_of(requested)

    def most(self, axis: int, indices: Iterable[int]) -> dict[int, Number]:
        """Return what members of one side are worth at most, by position."""
        ordered = sorted(indices)
        return dict(zip(ordered, self.worths(axis, ordered), strict=True))


def pick(cells: Sparse, order: Order | None) -> list[Cell]:
    """The best matching one to one, in sequence or in any order, for bounds."""
    if order is None:
        return one_to_one(cells)
    from graphscore.similarity.solvers import chains

    return chains.heaviest(cells)


def numerators(members: Members, matched: Sequence[Cell]) -> Numerators:
    """Return the numerators of recall and precision of a matching.

    Args:
        members: what was matched, and how.
        matched: the matched cells.
    """
    sides = members.sides(matched)
    bounded = {"n:1": (0,), "1:n": (1,), "n:n": (0, 1)}.get(members.constraint, ())
    counted: list[Number] = []
    for axis in (0, 1):
        if axis not in bounded:
            counted.append(sum_exactly(sides[cell][axis] for cell in matched))
            continue
        # No member counts more than it is worth.
        shares: dict[int, list[Number]] = {}
        for cell in matched:
            shares.setdefault(cell[axis], []).append(sides[cell][axis])
        most = members.most(axis, shares)
        counted.append(
            sum_exactly(min(sum_exactly(shares[k]), most[k]) for k in shares)
        )
    recall, precision = counted
    return Numerators(recall, precision, sum_exactly(members.cells[c] for c in matched))


def best(members: Members) -> list[Cell]:
    """Among the matchings with the greatest sum one whose numerators are greatest.

    Args:
        members: what is matched, and how.

    Returns:
        The matched cells, ascending.
    """
    cells, constraint = members.cells, members.constraint
    if not cells:
        return []
    if members.order is not None:
        from graphscore.similarity.solvers import ordering

        kept = members.pair, *members.both, cells, constraint
        return ordering.keep_order(members.order, *kept)
    if constraint == "n:n":
        return sorted(cells)
    if constraint != "1:1":
        return sorted(_one_sided(members))
    result = one_to_one(cells)
    if members.sides_of is None or len(result) == len(cells):
        return result
    sides = members.sides(list(cells))
    leaning = {
        cell: number + SLIGHT * (sides[cell].recall + sides[cell].precision)
        for cell, number in cells.items()
    }
    leaning_result = one_to_one(leaning)
    sums = [
        sum_exactly(cells[cell] for cell in chosen)
        for chosen in (result, leaning_result)
    ]
    return leaning_result if sums[1] >= sums[0] * EQUAL else result


def _one_sided(members: Members) -> list[Cell]:
    """For each member of the one side a best partner; those that count most."""
    cells = members.cells
    bounded = 0 if members.constraint == "n:1" else 1
    offers: dict[int, list[Cell]] = {}
    for cell in sorted(cells):
        offers.setdefault(cell[1 - bounded], []).append(cell)
    for offer in offers.values():
        most_here = max(cells[cell] for cell in offer) * EQUAL
        offer[:] = [cell for cell in offer if cells[cell] >= most_here]
    if all(len(offer) == 1 for offer in offers.values()):
        return [offer[0] for offer in offers.values()]
    tied = [cell for offer in offers.values() for cell in offer]
    sides = members.sides(tied)
    numbers: dict[int, list[Number]] = {}
    for cell in tied:
        numbers.setdefault(cell[bounded], []).append(sides[cell][bounded])
    most = members.most(bounded, numbers)
    enough = all(min(amounts) >= most[k] for k, amounts in numbers.items())
    loose = all(sum_exactly(amounts) <= most[k] for k, amounts in numbers.items())
    if members.sides_of is not None or not (enough or loose):
        chosen = _by_program(tied, sides, most, bounded, members.pair)
    else:
        worths = {cell: most[cell[bounded]] for cell in tied if most[cell[bounded]]}
        chosen = one_to_one(worths)
    partner = {cell[1 - bounded]: cell for cell in chosen}
    return [partner.get(index, offer[0]) for index, offer in offers.items()]


def _by_program(
    tied: Sequence[Cell],
    sides: Sides,
    most: dict[int, Number],
    bounded: int,
    pair: Pair,
) -> list[Cell]:
    """The choice among equally good partners for which most is counted.

    One variable for every offer, and one for how far each partner is filled.
    """
    import numpy as np

    from graphscore.similarity.solvers.integer_programs import fits, solve

    columns_of = {k: len(tied) + number for number, k in enumerate(most)}
    choosers = {k: number for number, k in enumerate({c[1 - bounded] for c in tied})}
    entries: list[tuple[int, int, float]] = []
    for column, cell in enumerate(tied):
        entries.append((choosers[cell[1 - bounded]], column, 1.0))
        filled = len(choosers) + columns_of[cell[bounded]] - len(tied)
        entries.append((filled, column, -float(sides[cell][bounded])))
    for k, column in columns_of.items():
        row = len(choosers) + column - len(tied)
        entries.append((row, column, float(most[k])))
    earns = np.array(
        [float(sides[cell][1 - bounded]) for cell in tied]
        + [float(value) for value in most.values()]
    )
    limits = np.array([1.0] * len(choosers) + [0.0] * len(columns_of))
    rows, columns, numbers = zip(*entries, strict=True)
    if not fits(len(entries)):
        # Each chooses for itself; no choice counts more than all together could.
        first = {cell[1 - bounded]: cell for cell in reversed(tied)}
        alone = sum_exactly(float(sides[cell][1 - bounded]) for cell in first.values())
        pair.proof.proven = False
        pair.proof.gap += float(earns[len(tied) :].sum()) + float(
            sum(max(earns[: len(tied)], default=0) for _ in first) - alone
        )
        return list(first.values())
    result = solve(earns, (rows, columns, numbers), limits, pair, whole=len(tied))
    return [cell for cell, amount in zip(tied, result, strict=False) if amount > 0.5]
