"""Documents of one text that the two sides cut in different places.

Where a document ends is no part of a parse: one side may leave out what the other
says of its documents, name them otherwise, or begin one a sentence later.  Units that
have :data:`Characters` are therefore paired by those.  Both sides are followed in
lockstep; as soon as they have come to the same place, what has gathered on either side
is a pair, of one unit each where documents begin and end alike.

>>> from graphscore.evaluation.pairing import Pairing
>>> from graphscore.model.graph import Graph
>>> def documents(**texts):
...     return [Unit((Graph(k, "ud", text=text),), k) for k, text in texts.items()]
>>> gold = documents(a="Dogsbark.", b="Catsdo", c="not.")
>>> system = documents(x="Dogsbark.", y="Catsdonot.")
>>> pairing = Pairing(characters=lambda unit: unit.text)
>>> [(pair.gold.item, pair.system.item) for pair in pairing.pairs(gold, system)]
[('a', 'x'), ('b..c', 'y')]
>>> pairing.joined
[('ud', 2, 1, True)]

Where the characters are not the same, as a tokeniser rewrote something, documents of
one name that begin and end alike are pairs, then those of one text.  What is left
between two such pairs is joined, unless its names correspond; what is left on one side
only has no counterpart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from graphscore.evaluation.unit import Unit

ENDS = 16
"""Characters by which texts that are not the same are seen to begin and end alike."""

MOVED = 20
"""Documents are joined if one part in so many has moved from one to another."""

Characters = Callable[[Unit], str | None]
"""The characters of a unit by which its text is known, white space aside; ``None``
where units pair by their names."""


class Placed(NamedTuple):
    """A unit of one side."""

    ordinal: int
    """Among all units of its side."""
    name: str
    """Its name, normalized for pairing."""
    unit: Unit
    text: str


Group = tuple[list[Placed], list[Placed]]
"""Units of gold and of the system that are the same text, or lack one side."""


class DocumentAligner:
    """The documents of one framework and language of both sides."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[Placed], deque[Placed]] = (
            deque(),
            deque(),
        )
        self._group: Group = ([], [])
        self._ahead = 0
        """The side whose units of the group are longer."""
        self._last = ""
        """The last of them, of which the other side still lacks what is left."""
        self._left = 0
        self._parted = False
        """True once the two sides have turned out to be different texts."""

    def add(self, side: int, unit: Placed) -> Iterator[Group]:
        """Take the next unit of a side.

        Args:
            side: 0 for gold, 1 for the system.
            unit: the unit.

        Yields:
            What is complete now.
        """
        self._waiting[side].append(unit)
        while not self._parted and self._step():
            if not self._left and all(self._group):
                group, self._group = self._group, ([], [])
                yield group

    def _step(self) -> bool:
        """Go on with the next unit of the side that is behind, if it is there."""
        side = 1 - self._ahead
        if not self._waiting[side]:
            return False
        # Looked at only, as it waits with the others where the texts part.
        text, start = self._waiting[side][0].text, len(self._last) - self._left
        longer = len(text) - self._left
        same = (
            text.startswith(self._last[start:])
            if longer > 0
            else self._last.startswith(text, start)
        )
        if not same:
            self._parted = True
            return False
        self._group[side].append(self._waiting[side].popleft())
        if longer > 0:
            self._ahead, self._last, self._left = side, text, longer
        else:
            self._left = -longer
        return True

    def rest(self) -> Iterator[Group]:
        """Yield the groups that remain when both sides have ended."""
        gold, system = ([*self._group[side], *self._waiting[side]] for side in (0, 1))
        yield from remaining_groups(gold, system)


def remaining_groups(gold: list[Placed], system: list[Placed]) -> Iterator[Group]:
    """Groups of units of texts that are not the same all through.

    Args:
        gold: units in order.
        system: likewise.

    Yields:
        Groups of both sides, and single units without a counterpart.
    """
    partner = _partners(gold, system)
    bounds = [(-1, -1)]
    for key, value in sorted(partner.items()):
        yield [gold[key]], [system[value]]
        # Pairs that cross others, of files in another order, divide nothing.
        if value > bounds[-1][1]:
            bounds.append((key, value))
    taken = set(partner.values())
    bounds.append((len(gold), len(system)))
    for (i, j), (next_i, next_j) in pairwise(bounds):
        gap = (
            [gold[k] for k in range(i + 1, next_i) if k not in partner],
            [system[k] for k in range(j + 1, next_j) if k not in taken],
        )
        yield from _between(*gap)


def _between(gold: list[Placed], system: list[Placed]) -> Iterator[Group]:
    """Yield the units between two pairs: joined, unless they pair by name."""
    names = [[placed.name for placed in side] for side in (gold, system)]
    if not (gold and system):
        yield from (([placed], []) for placed in gold)
        yield from (([], [placed]) for placed in system)
    elif names[0] == names[1] and not _has_moved(gold, system):
        for left, right in zip(gold, system, strict=True):
            yield [left], [right]
    else:
        yield gold, system


def _has_moved(gold: list[Placed], system: list[Placed]) -> bool:
    """Return whether text moved between units of equal names."""
    pairs = zip(gold, system, strict=True)
    differences = [len(left.text) - len(right.text) for left, right in pairs]
    total = sum(len(placed.text) for placed in gold)
    return (sum(map(abs, differences)) - abs(sum(differences))) * MOVED > total


def _partners(gold: Sequence[Placed], system: Sequence[Placed]) -> dict[int, int]:
    """Numbers of gold units and of the system's that begin and end alike.

    They have one name, or else one text.
    """
    partners: dict[int, int] = {}
    for attribute in ("name", "text"):
        numbers: dict[str, int] = {}
        taken = set(partners.values())
        for number, unit in enumerate(system):
            if number not in taken:
                numbers.setdefault(getattr(unit, attribute), number)
        for number, unit in enumerate(gold):
            system_number = numbers.get(getattr(unit, attribute))
            if number in partners or system_number is None:
                continue
            if unit.text and _ends_alike(unit.text, system[system_number].text):
                partners[number] = numbers.pop(getattr(unit, attribute))
    return partners


def _ends_alike(gold: str, system: str) -> bool:
    """Return whether two texts begin and end with the same characters."""
    return gold[:ENDS] == system[:ENDS] and gold[-ENDS:] == system[-ENDS:]
