"""A result as it is added up, in whatever order outcomes come and by however many.

What is added up holds for each sum where it first came, by the place of the gold unit.
In the end everything is put into the order of gold, so that the result is the same
whichever way the system's file is sorted, and however many processes have added.
"""

from __future__ import annotations

import copy
from typing import Any

from graphscore.evaluation.result import GroupKey, ItemResult, Result, Surplus
from graphscore.model.outcome import Masses, MassKey
from graphscore.model.sums import ExactMasses


class Addition:
    """One result that is added up.

    Args:
        result: of a metric; it is filled.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        self._firsts: dict[GroupKey, dict[MassKey, tuple[int, int]]] = {}
        """Where each sum of a group came first: the place of the gold unit, and that of
        the sum among those of the unit."""
        self._begins: dict[GroupKey, int] = {}
        """The first gold unit of each group."""
        self._items: list[int] = []
        self._surplus: list[int] = []
        self._last = -1
        self._ordered = True

    def __getstate__(self) -> dict[str, Any]:
        """All but the metric, which whoever merges has."""
        result = copy.copy(self.result)
        result.metric = None  # type: ignore[assignment]
        return vars(self) | {"result": result}

    def add(self, place: int, group: GroupKey, masses: Masses) -> None:
        """Add the masses of a unit.

        Args:
            place: of the gold unit, among those of its side.
            group: what the unit belongs to.
            masses: its own.
        """
        self.result.add(group, masses)
        late = place < self._last
        firsts = self._firsts.setdefault(group, {})
        if late or group not in self._begins:
            self._begins[group] = min(place, self._begins.get(group, place))
        if late or len(firsts) < len(self.result.masses[group]):
            for number, key in enumerate(masses):
                firsts[key] = min((place, number), firsts.get(key, (place, number)))
        if late:
            self._ordered = False
        else:
            self._last = place

    def keep(self, place: int, item: ItemResult) -> None:
        """Keep what is said of a gold unit.

        Args:
            place: of the gold unit.
            item: what the metric says of it.
        """
        self._items.append(place)
        self.result.items.append(item)

    def leave(self, place: int, surplus: Surplus) -> None:
        """Note a system unit without a gold unit.

        Args:
            place: of the system unit, among those of its side.
            surplus: its names.
        """
        self._surplus.append(place)
        self.result.surplus_system.append(surplus)

    def merge(self, other: Addition) -> None:
        """Add what another process has added of other units.

        Args:
            other: of the same metric.
        """
        self.result.merge(other.result)
        for group, theirs in other._firsts.items():
            begin = other._begins[group]
            self._begins[group] = min(begin, self._begins.get(group, begin))
            firsts = self._firsts.setdefault(group, {})
            for key, place in theirs.items():
                firsts[key] = min(place, firsts.get(key, place))
        self._items += other._items
        self._surplus += other._surplus
        self._ordered = False

    def conclude(self) -> None:
        """Put everything into the order of gold, and what is surplus in its own."""
        result = self.result
        order = sorted(range(len(self._items)), key=self._items.__getitem__)
        if result.items:
            result.items = [result.items[number] for number in order]
        order = sorted(range(len(self._surplus)), key=self._surplus.__getitem__)
        result.surplus_system = [result.surplus_system[number] for number in order]
        if not self._ordered:
            masses, result.masses = result.masses, {}
            for group in sorted(self._begins, key=self._begins.__getitem__):
                sums = ExactMasses([masses[group]])
                result.masses[group] = sums.in_order(self._firsts[group].__getitem__)
