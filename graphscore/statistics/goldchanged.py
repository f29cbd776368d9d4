"""What moved because gold was corrected, as it was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.metrics.base import Metric
from graphscore.rows import Rows, Tabular, numbers_of
from graphscore.statistics.goldsides import FATES, Fate, Moved
from graphscore.statistics.tables import Unit

COLUMNS = (
    *("metric", "figure", "gold_old", "gold_new", "samples", "seed", "level"),
    *("system", "old", "new", "change", "rank_old", "rank_new"),
    *("items", "old_in_both", "new_in_both", "change_in_both", "low", "high"),
    *(f"due_{fate}" for fate in FATES),
    *("better", "worse", "rescored", "reused"),
)
"""Of the rows of a :class:`GoldChange`."""


class Swapped(NamedTuple):
    """Two systems, and how far they are apart under both golds."""

    a: str
    """The system that was named first."""
    b: str
    """The other."""
    old: float | None
    """The figure of *a* less that of *b*, against the old gold."""
    new: float | None
    """The same against the new gold."""
    swapped: bool
    """Whether the other is the better one now."""


class ChangedItem(NamedTuple):
    """An item whose gold was changed, added or removed."""

    framework: str
    language: str
    layer: str
    item: str
    """The item, or the document where a metric scores documents."""
    status: Fate
    old: tuple[float | None, ...]
    """The figure of each system against the old gold; ``None`` of an added item."""
    new: tuple[float | None, ...]
    """Against the new gold; ``None`` of a removed item."""
    rescored: bool
    """Whether any system's result had to be computed for it."""

    @property
    def change(self) -> tuple[float | None, ...]:
        """New less old, of each system."""
        return tuple(
            None if old is None or new is None else new - old
            for old, new in zip(self.old, self.new, strict=True)
        )


@dataclass(frozen=True)
class GoldChange(Rows):
    """What moved through gold, by a figure of one metric.

    Attributes:
        metric: the metric.
        figure: the figure's name.
        old: name of the old gold.
        new: name of the new gold.
        samples: how many samples were drawn.
        seed: what the draws started from.
        level: of the intervals.
        unit: what was drawn.
        units: how many of them both golds have.
        counts: items that are the ``same`` in both golds, ``changed``, ``added`` and
            ``removed``.
        systems: in the order in which they were named.
        pairs: of systems; of three a-b, a-c, b-c.
        items: what was changed, most moved first, then added, then removed.
        lowest_best: whether the lowest figure is the best.
        notes: what the user should know, one sentence each.
    """

    metric: Metric
    figure: str
    old: str
    new: str
    samples: int
    seed: int
    level: float
    unit: Unit
    units: int
    counts: dict[str, int]
    systems: tuple[Moved, ...]
    pairs: tuple[Swapped, ...]
    items: tuple[ChangedItem, ...]
    lowest_best: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ranking_changed(self) -> bool:
        """Whether any system has another rank."""
        return any(each.rank_old != each.rank_new for each in self.systems)

    def tabular(self) -> Tabular:
        """A row per system."""
        return Tabular(COLUMNS, self._cells())

    def _cells(self) -> Iterator[tuple[Any, ...]]:
        for each in self.systems:
            yield (
                *(str(self.metric), self.figure, self.old, self.new),
                *(self.samples, self.seed, self.level),
                *(each.system, each.old, each.new, each.change),
                *(each.rank_old, each.rank_new, *each.both),
                *(each.due[fate] for fate in FATES),
                *(each.better, each.worse, each.rescored, each.reused),
            )

    def flat(self) -> dict[str, float]:
        """Numbers by ``METRIC/FIGURE/SYSTEM`` and the names of the columns."""
        place = COLUMNS.index("system") + 1
        named = (*COLUMNS[:2], "system")
        return numbers_of(*self.tabular(), named, COLUMNS[place:])

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        names = [each.system for each in self.systems]
        gold = {
            "old": self.old,
            "new": self.new,
            "items": self.counts,
            "ranking_changed": self.ranking_changed,
            "systems": [
                each._asdict() | {"both": each.both._asdict()} for each in self.systems
            ],
            "pairs": [each._asdict() for each in self.pairs],
            "changes": [_item(each, names) for each in self.items],
        }
        return {
            "metric": str(self.metric),
            "figure": self.figure,
            "unit": self.unit,
            "units": self.units,
            "samples": self.samples,
            "seed": self.seed,
            "level": self.level,
            "lowest_best": self.lowest_best,
            "gold": gold,
            "notes": list(self.notes),
        }


def _item(each: ChangedItem, names: Sequence[str]) -> dict[str, Any]:
    return {
        "framework": each.framework,
        "language": each.language,
        "item": each.item,
        **({"layer": each.layer} if each.layer else {}),
        "status": each.status,
        "rescored": each.rescored,
        "old": dict(zip(names, each.old, strict=True)),
        "new": dict(zip(names, each.new, strict=True)),
        "change": dict(zip(names, each.change, strict=True)),
    }
