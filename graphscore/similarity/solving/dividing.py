"""The heaviest choice by cases: branch and bound over sets of bits.

As for heaviest cliques (San Segundo et al. 2011, "An exact bit-parallel algorithm for
the maximum clique problem"; weights after Kumlander 2004): what is still possible is
divided into classes whose members all exclude one another, so that no choice earns
more than the greatest amount of each class.
"""

from __future__ import annotations

import numpy as np

from graphscore.similarity.base import Number, added
from graphscore.similarity.solving.choosing import WORK, Choosing, Integers, bits


def _peeled(clash: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[int]:
    """For each thing how late it goes if always who excludes most others goes."""
    degree = clash.sum(axis=1)
    rank = [0] * len(degree)
    for turn in range(len(degree)):
        here = int(degree.argmax())
        rank[here] = len(degree) - turn
        degree -= clash[here]
        degree[here] = -len(degree) - 1
    return rank


class Cases:
    """All choices among some things, gone through as far as a budget reaches.

    Args:
        search: the search; what beats its best choice becomes that.
        things: what can be chosen: no choice with another is better than the best.
    """

    def __init__(self, search: Choosing, things: Integers) -> None:
        self.search, self.among = search, things
        self.things: list[int] = []
        self.weights: list[Number] = []
        self.clash: list[int] = []
        self.stack: list[_Frame] | None = None

    def run(self, limit: int) -> Number:
        """Go on with the cases that are left.

        Args:
            limit: steps of the search at which to end; it can be run again.

        Returns:
            What no choice exceeds.
        """
        search = self.search
        if self.stack is None:
            table = search.price * len(self.among)
            if search.ended(limit - table):
                amounts = [search.amounts[k] for k in self.among.tolist()]
                return max(search.earned, added(amounts))
            search.steps += table
            self._begin()
        stack = self.stack or []
        while stack:
            frame = stack[-1]
            if not frame.classes or (
                frame.earned + frame.classes[-1][1] <= search.earned
            ):
                stack.pop()
                continue
            if search.ended(limit):
                break
            here, _ = frame.classes.pop()
            frame.open &= ~(1 << here)
            chosen = [*frame.chosen, here]
            earned = frame.earned + self.weights[here]
            if earned > search.earned:
                search.offer([self.things[k] for k in chosen])
            left = frame.open & ~self.clash[here]
            if left:
                stack.append(self._frame(earned, left, chosen))
        # What is still open could earn what its classes allow.
        most = [f.earned + f.classes[-1][1] for f in stack if f.classes]
        return max([search.earned, *most])

    def _begin(self) -> None:
        """Number the things, and lay out what excludes what."""
        search, things = self.search, self.among
        amounts = [search.amounts[k] for k in things.tolist()]
        if not amounts:
            self.stack = []
            return
        clash = np.array([search.row(k)[things] for k in things.tolist()])
        # Bits are numbered by weight, the heaviest first: a class begins with its
        # greatest amount then.  Of equal ones those come last, and are the first case,
        # that go with fewest of the others.
        rank = _peeled(clash)
        place = sorted(range(len(amounts)), key=lambda k: (-amounts[k], rank[k]))
        self.things = things[place].tolist()
        self.weights = [search.amounts[k] for k in self.things]
        self.clash = [bits(clash[k][place]) for k in place]
        self.stack = [self._frame(0, (1 << len(things)) - 1, [])]

    def _frame(self, earned: Number, left: int, chosen: list[int]) -> _Frame:
        """Divide what is left into classes of which one at most can be chosen."""
        classes: list[tuple[int, Number]] = []
        total: Number = 0
        rest, seen = left, 0
        enough = self.search.earned - earned
        weights, clash = self.weights, self.clash
        while rest:
            here = (rest & -rest).bit_length() - 1
            total += weights[here]
            # Classes that are not enough for a better choice are no cases.
            asked = total > enough
            members = rest
            while members:
                low = members & -members
                member = low.bit_length() - 1
                if asked:
                    classes.append((member, total))
                seen += 1
                rest ^= low
                members = (members ^ low) & clash[member]
        self.search.steps += 1 + seen * len(weights) // (WORK * 64)
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
