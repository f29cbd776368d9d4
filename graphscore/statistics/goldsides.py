"""One system against two golds: which items differ, what a difference is due to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Literal, NamedTuple

from graphscore.evaluation.result import ItemResult, Result, figure_in
from graphscore.metrics.base import unit_of
from graphscore.statistics.comparison import number
from graphscore.statistics.resampling import SLACK, Resampling, items_of
from graphscore.statistics.tables import Unit, units_of
from graphscore.statistics.units import parts_wanted
from graphscore.store.reading.golds import Fingerprint, UnitName

Fate = Literal["changed", "added", "removed"]

FATES: tuple[Fate, ...] = ("changed", "added", "removed")

Prints = Mapping[UnitName, Fingerprint]


class Both(NamedTuple):
    """A system's figure over the items that both golds have."""

    items: int
    """How many."""
    old: float | None
    """Against the old gold."""
    new: float | None
    """Against the new gold."""
    change: float | None
    """New less old."""
    low: float | None
    """Lower end of the percentile interval of the change; ``None`` under two items."""
    high: float | None
    """Upper end."""


class Moved(NamedTuple):
    """A system against both golds."""

    system: str
    """Its name."""
    old: float | None
    """The figure against the old gold, over all its items."""
    new: float | None
    """The figure against the new gold, over all its items."""
    change: float | None
    """New less old."""
    rank_old: int
    """Among the systems against the old gold."""
    rank_new: int
    """Among the systems against the new gold."""
    both: Both
    """Over the items that both golds have."""
    due: dict[Fate, float | None]
    """How much of the change is due to changed, added and removed items."""
    shares: dict[Fate, float | None]
    """The same as parts of the change; ``None`` where nothing changed."""
    better: int
    """Changed items whose figure is better against the new gold."""
    worse: int
    """Changed items whose figure is worse."""
    rescored: int
    """Items of the new gold that the results against the old one do not answer."""
    reused: int
    """Items of the new gold whose results are there from the old one."""


class Sides:
    """A system's results against both golds.

    Args:
        old: against the old gold.
        new: against the new gold.
        before: fingerprints of the old gold.
        after: those of the new one.
        figure: its name.
        over: what a mean is over.
    """

    def __init__(
        self,
        old: Result,
        new: Result,
        before: Prints,
        after: Prints,
        figure: str,
        over: Sequence[str],
    ) -> None:
        self.result, self.figure, self.over = old, figure, over
        self.before, self.after = before, after
        self.items: tuple[dict[UnitName, ItemResult], ...] = tuple(
            {_name(each): each for each in items_of(result)} for result in (old, new)
        )
        known = {each.result for each in before.values()}
        self.rescored = {n for n, each in after.items() if each.result not in known}
        self.fates = self._fates()
        self.values = {
            happened: self._value(happened)
            for size in range(len(FATES) + 1)
            for happened in map(frozenset, combinations(FATES, size))
        }
        self._alone: dict[tuple[int, UnitName], float | None] = {}
        self.old = self.values[frozenset()]
        self.new = self.values[frozenset(FATES)]

    def _fates(self) -> dict[UnitName, str]:
        old, new = self.items
        found: dict[UnitName, str] = {}
        for name in old:
            if name not in new:
                found[name] = "removed"
            else:
                same = self.before[name].gold == self.after[name].gold
                found[name] = "same" if same else "changed"
        return found | {name: "added" for name in new if name not in old}

    def _value(self, happened: frozenset[str]) -> float:
        """The figure after some of the changes; ``nan`` where there is none."""
        old, new = self.items
        chosen = []
        for name, fate in self.fates.items():
            side = new if fate in happened or name not in old else old
            if name in side and (fate != "added" or fate in happened):
                chosen.append(side[name])
        found = figure_in(self._result(chosen), self.figure, self.over)
        return math.nan if found is None else found

    def _result(self, items: Sequence[ItemResult]) -> Result:
        found = Result(self.result.metric, system=self.result.system, pairs=len(items))
        for each in items:
            key = (each.framework, each.language, each.document, each.layer)
            found.add(key, each.masses)
        found.items = list(items)
        return found

    def _shared(self) -> tuple[list[ItemResult], list[ItemResult]]:
        """The items of both golds, in the order of the old one."""
        old, new = self.items
        names = [name for name in old if name in new]
        # An item may belong to another document now; it is drawn as it was before.
        return [old[name] for name in names], [
            new[name]._replace(document=old[name].document) for name in names
        ]

    def unit(self, wanted: Unit) -> Unit:
        """What can be drawn: what is wanted, if both golds have the same of it.

        Args:
            wanted: the smallest unit over which the figure is a function of sums.
        """
        if parts_wanted(self.result.metric, wanted):
            old, new = (
                {unit[:3] for unit in units_of(side, wanted)} for side in self._shared()
            )
            if old != new or not all(each.parts for each in self._shared()[0]):
                return unit_of(self.result.metric)
        return wanted

    def units(self, unit: Unit) -> int:
        """How many units both golds have."""
        return len({each[:3] for each in units_of(self._shared()[0], unit)})

    def both(self, unit: Unit, samples: int, seed: int, level: float) -> Both:
        """The figure over the items that both golds have."""
        shared = self._shared()
        if not shared[0]:
            return Both(0, None, None, None, None, None)
        results = [self._result(side) for side in shared]
        made = Resampling(
            results, self.figure, unit=unit, over=self.over, samples=samples, seed=seed
        )
        ends = (math.nan, math.nan)
        if made.size > 1:
            ends = made.difference_interval(1, 0, level)
        was, now = made.observed
        return Both(len(shared[0]), *map(number, (was, now, now - was, *ends)))

    def moved(self, name: str, both: Both, ranks: Sequence[int], lowest: bool) -> Moved:
        """Everything about the system."""
        due = {fate: number(self._due(fate)) for fate in FATES}
        change = number(self.new - self.old)
        better = worse = 0
        for unit, fate in self.fates.items():
            gained = self.gained(unit) if fate == "changed" else None
            if gained is not None and abs(gained) > SLACK:
                good = (gained < 0) == lowest
                better, worse = better + good, worse + (not good)
        return Moved(
            name,
            number(self.old),
            number(self.new),
            change,
            ranks[0],
            ranks[1],
            both,
            due,
            {fate: _share(part, change) for fate, part in due.items()},
            better,
            worse,
            len(self.rescored),
            len(self.after) - len(self.rescored),
        )

    def _due(self, fate: Fate) -> float:
        """The mean difference that a kind of change makes, over all orders."""
        orders = list(permutations(FATES))
        total = 0.0
        for order in orders:
            before = frozenset(order[: order.index(fate)])
            total += self.values[before | {fate}] - self.values[before]
        return total / len(orders)

    def item(self, side: int, name: UnitName) -> float | None:
        """The figure of an item against the old (0) or new gold (1)."""
        if (side, name) not in self._alone:
            found = self.items[side].get(name)
            value = (
                None
                if found is None
                else figure_in(self._result([found]), self.figure, self.over)
            )
            self._alone[side, name] = None if value is None else number(value)
        return self._alone[side, name]

    def gained(self, name: UnitName) -> float | None:
        """The figure of an item against the new gold less that against the old."""
        old, new = self.item(0, name), self.item(1, name)
        return None if old is None or new is None else new - old


def _name(each: ItemResult) -> UnitName:
    return each.framework, each.language, each.layer, each.item


def _share(part: float | None, change: float | None) -> float | None:
    """A part of a change; ``None`` where nothing changed."""
    if part is None or change is None or abs(change) <= SLACK:
        return None
    return part / change + 0.0  # No share is -0.
