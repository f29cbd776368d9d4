"""The heaviest choice among things of which some exclude one another.

Branch and bound over sets of bits, as for heaviest cliques (San Segundo et al. 2011,
"An exact bit-parallel algorithm for the maximum clique problem"; weights after
Kumlander 2004): what is still possible is divided into classes whose members all
exclude one another, so that no choice earns more than the greatest amount of each
class.  Where the things are too many for a table of exclusions, a choice is grown
without one.  Either way the budget bounds the work, and the bound is true.

>>> import numpy as np
>>> clash = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
>>> heaviest([2, 3, 2], clash.__getitem__, [0, 1, 2], 4, 100)
Choice(chosen=[0, 2], bound=4, steps=2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Number, added

Row = npt.NDArray[np.bool_]

TABLE = 6_000
"""Things up to which exclusions are kept as a table: 5 MB of bits."""

GROWN = 24
"""Choices that are grown from different beginnings."""

WORK = 4_000
"""Entries of a row that are looked at in about one step."""


class Choice(NamedTuple):
    """What was chosen, and what is known of it."""

    chosen: list[int]
    """Positions of what is chosen, ascending."""
    bound: Number
    """No choice earns more."""
    steps: int
    """Work done, in steps of the search (``correspondence.problem.relaxing``)."""


def heaviest(
    amounts: Sequence[Number],
    excludes: Callable[[int], Row],
    order: Sequence[int],
    bound: Number,
    limit: int,
    spent: Callable[[], bool] = lambda: False,
) -> Choice:
    """The heaviest choice that the budget allows to find.

    Args:
        amounts: what each thing earns, positive.
        excludes: gives for a thing which others it excludes, shape (things,).
        order: positions, the most promising first.
        bound: what no choice exceeds, known from elsewhere.
        limit: steps that may be taken.
        spent: whether to stop for another reason, such as the time.

    Returns:
        The choice with a bound.
    """
    search = _Search(amounts, excludes, list(order), limit, spent)
    search.grow(bound)
    if search.earned < bound and len(amounts) <= TABLE:
        bound = min(bound, search.divide())
    return Choice(sorted(search.best), max(bound, search.earned), search.steps)


class _Search:
    """The best choice met, and the steps taken."""

    def __init__(
        self,
        amounts: Sequence[Number],
        excludes: Callable[[int], Row],
        order: list[int],
        limit: int,
        spent: Callable[[], bool],
    ) -> None:
        self.amounts, self.excludes, self.order = amounts, excludes, order
        self.limit, self.spent = limit, spent
        self.best: list[int] = []
        self.earned: Number = 0
        self.steps = 0
        self.price = 1 + len(amounts) // WORK

    def ended(self) -> bool:
        """Whether the budget is used up."""
        return self.steps >= self.limit or self.spent()

    def offer(self, chosen: list[int]) -> None:
        """Take a choice into account."""
        earned = added(self.amounts[k] for k in chosen)
        if earned > self.earned:
            self.best, self.earned = list(chosen), earned

    def grow(self, bound: Number) -> None:
        """Choices in the order given, each from another beginning."""
        order = np.array(self.order, dtype=np.int64)
        for first in range(min(GROWN, len(order))):
            left = np.concatenate((order[first : first + 1], np.delete(order, first)))
            chosen: list[int] = []
            while len(left) and not (chosen and self.ended()):
                here = int(left[0])
                chosen.append(here)
                self.steps += self.price
                clash = self.excludes(here)
                clash = clash.copy()
                clash[here] = True
                left = left[~clash[left]]
            self.offer(chosen)
            if self.earned >= bound or self.ended():
                return

    def divide(self) -> Number:
        """Branch and bound; gives a bound for every choice."""
        # Bits are numbered by weight, the heaviest first: a class begins with its
        # greatest amount then.
        amounts = self.amounts
        place = sorted(range(len(amounts)), key=lambda k: -amounts[k])
        weights = [amounts[k] for k in place]
        clash = []
        for k in place:
            self.steps += self.price
            if self.ended():
                return added(amounts)
            clash.append(_bits(self.excludes(k)[place]))
        every = (1 << len(place)) - 1
        stack = [self._frame(0, every, [], weights, clash)]
        while stack:
            frame = stack[-1]
            if not frame.classes or (
                frame.earned + frame.classes[-1][1] <= self.earned
            ):
                stack.pop()
                continue
            if self.ended():
                break
            here, _ = frame.classes.pop()
            bit = 1 << here
            frame.open &= ~bit
            chosen = [*frame.chosen, here]
            earned = frame.earned + weights[here]
            if earned > self.earned:
                self.offer([place[k] for k in chosen])
            left = frame.open & ~clash[here]
            if left:
                stack.append(self._frame(earned, left, chosen, weights, clash))
        # What is still open could earn what its classes allow.
        most = [f.earned + f.classes[-1][1] for f in stack if f.classes]
        return max([self.earned, *most])

    def _frame(
        self,
        earned: Number,
        left: int,
        chosen: list[int],
        weights: list[Number],
        clash: list[int],
    ) -> _Frame:
        """Divide what is left into classes of which one at most can be chosen."""
        classes: list[tuple[int, Number]] = []
        total: Number = 0
        rest = left
        while rest:
            here = (rest & -rest).bit_length() - 1
            total += weights[here]
            members = rest
            while members:
                low = members & -members
                member = low.bit_length() - 1
                classes.append((member, total))
                rest ^= low
                members = (members ^ low) & clash[member]
        self.steps += 1 + len(classes) * len(weights) // (WORK * 64)
        return _Frame(earned, left, chosen, classes)


class _Frame:
    """What is left at one level of the search."""

    __slots__ = ("chosen", "classes", "earned", "open")

    def __init__(
        self,
        earned: Number,
        left: int,
        chosen: list[int],
        classes: list[tuple[int, Number]],
    ) -> None:
        self.earned, self.open = earned, left
        self.chosen, self.classes = chosen, classes


def _bits(row: npt.NDArray[Any]) -> int:
    """A row of truth values as bits, the first the lowest."""
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
