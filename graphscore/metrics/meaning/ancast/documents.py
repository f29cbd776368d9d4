"""What AnCast compares across sentences: triples by numbers that both sides share.

A number stands for a node of either side and its counterpart.  A variable gets it when
a triple first says it, by the map of the sentence with which that triple was annotated:
a variable of another sentence is then taken for that of the same name, and so are
constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from graphscore.metrics.meaning.ancast.layout import Laid
from graphscore.structures.documents import LEVELS, Triple

Reference = Literal["named", "mapped"]

Levels = Literal["plain", "all"]


class Said(NamedTuple):
    """A triple by the numbers of its ends."""

    head: int
    tail: int
    relation: str
    triple: Triple


class Numbers:
    """Numbers of what triples of both sides speak of.

    Args:
        system: the system's document.
        gold: that of gold.
        maps: the gold node of each of the system's nodes, sentence by sentence.
        reference: how variables of other sentences find their counterparts: by their
            names, or by the map of the sentence that they are of.
        levels: which triples count: those that stand in a level with nothing but
            triples, or all.
    """

    def __init__(
        self,
        system: Laid,
        gold: Laid,
        maps: list[dict[int, int]],
        reference: Reference,
        levels: Levels,
    ) -> None:
        self._sides = system, gold
        self._maps = maps
        self._levels = levels
        self.skipped: Counter[tuple[str, str]] = Counter()
        """Numbers of triples that do not count, by level and side."""
        self._numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
        self._next = 0
        self.said: tuple[dict[str, list[Said]], dict[str, list[Said]]] = (
            {level: [] for level in LEVELS},
            {level: [] for level in LEVELS},
        )
        """The triples of the system and of gold, by level, in order."""
        everything = self._everything() if reference == "mapped" else None
        for place, forth in enumerate(maps):
            known = everything or self._partners(place, forth)
            for level in LEVELS:
                for side in (0, 1):
                    self._say(side, place, level, known[side])

    def _partners(
        self, place: int, forth: Mapping[int, int]
    ) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """The counterpart of each variable of a sentence, by their names."""
        mine, theirs = (
            side.sentences[place].variables if place < len(side.sentences) else []
            for side in self._sides
        )
        back = {there: here for here, there in forth.items()}
        return (
            {
                name: theirs[forth[n]] if n in forth else None
                for n, name in enumerate(mine)
            },
            {
                name: mine[back[n]] if n in back else None
                for n, name in enumerate(theirs)
            },
        )

    def _everything(self) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """The same of all sentences."""
        found: tuple[dict[str, str | None], dict[str, str | None]] = {}, {}
        for place, forth in enumerate(self._maps):
            for side, more in zip(found, self._partners(place, forth), strict=True):
                for name, partner in more.items():
                    side.setdefault(name, partner)
        return found

    def _say(
        self, side: int, place: int, level: str, known: Mapping[str, str | None]
    ) -> None:
        document = self._sides[side]
        if place >= len(document.triples):
            return
        for triple in document.triples[place].get(level, ()):
            if not triple.plain and self._levels == "plain":
                self.skipped[level, ("system", "gold")[side]] += 1
                continue
            head = self._number(side, document.names[triple.head], known)
            tail = self._number(side, document.names[triple.tail], known)
            self.said[side][level].append(Said(head, tail, triple.relation, triple))

    def _number(self, side: int, name: str, known: Mapping[str, str | None]) -> int:
        mine, theirs = self._numbers[side], self._numbers[1 - side]
        if name not in mine:
            partner = known.get(name, name)
            mine[name] = self._next
            if partner is not None:
                theirs[partner] = self._next
            self._next += 1
        return mine[name]


def last_said(said: Iterable[Said]) -> dict[tuple[int, int], Said]:
    """The triple that counts of each two ends: the last one."""
    return {(each.head, each.tail): each for each in said}
