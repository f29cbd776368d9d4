"""Gold that was corrected: what moved because of it, and by how much.

The same outputs are scored against gold as it was and as it is.  A figure moves because
items were changed, added or removed; how much of the difference each of these makes is
the mean over the orders in which they could have happened (Shapley 1953, "A Value for
n-Person Games"), so that the three sum to the difference in whatever order.  What the
same items say in both is a paired difference, with an interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from graphscore.errors import PairingError, UsageError, amount
from graphscore.evaluation.result import Result, figure_getter
from graphscore.statistics.comparison import FEW, LEVEL, SAMPLES, distinct
from graphscore.statistics.goldchanged import ChangedItem, GoldChange, Swapped
from graphscore.statistics.goldsides import FATES, Moved, Prints, Sides
from graphscore.statistics.notebook import ShownGoldChange
from graphscore.statistics.ranking import ranks_of
from graphscore.statistics.resampling import SEED, check_samples
from graphscore.statistics.tables import Unit
from graphscore.statistics.units import default_unit
from graphscore.store.reading.golds import UnitName


def gold_change(
    old: Sequence[Result],
    new: Sequence[Result],
    prints: Sequence[tuple[Prints, Prints]],
    figure: str = "",
    *,
    over: Sequence[str] = (),
    unit: Unit | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    names: Sequence[str] = (),
) -> GoldChange:
    """Hold the figures of systems against two golds side by side.

    Args:
        old: results of the systems against the old gold, with items, by one metric.
        new: results of the same systems against the new gold, by the same metric.
        prints: of each system the fingerprints of the old and of the new gold.
        figure: which figure, as for ``--fail-under``; what stands for the metric where
            it is empty.
        over: what a mean ``macro`` is over; frameworks without.
        unit: what is drawn; without, what the figure is a function of sums over, if
            both golds have the same of it in their common items.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        names: what the systems are called; ``Result.system`` without.

    Returns:
        Figures, differences, items.

    Raises:
        UsageError: without results per item, or if the metric has no such figure.
        PairingError: if one of the golds has nothing to score.
    """
    check_samples(samples, level)
    metric = old[0].metric
    for one, other in zip(old, new, strict=True):
        if one.metric != metric or other.metric != metric:
            raise UsageError(f"{one.metric} and {other.metric} are not compared")
        for each in (one, other):
            if each.nothing:
                raise PairingError(f"{each.gold} has nothing that {metric} scores")
            figure_getter(figure, over)(each)
    called = list(names) or distinct([each.system for each in old])
    sides = [
        Sides(one, other, before, after, figure, over)
        for one, other, (before, after) in zip(old, new, prints, strict=True)
    ]
    fates = sides[0].fates
    counts = {name: 0 for name in ("same", *FATES)}
    for fate in fates.values():
        counts[fate] += 1
    lowest = metric.lowest_best(figure or metric.leading)
    observed = np.array([[side.old, side.new] for side in sides], dtype=np.float64)
    ranks = ranks_of(observed, lowest).tolist()
    drawn = unit or sides[0].unit(default_unit(metric, figure, over))
    both = [side.both(drawn, samples, seed, level) for side in sides]
    moved = [
        side.moved(name, each, rank, lowest)
        for side, name, each, rank in zip(sides, called, both, ranks, strict=True)
    ]
    return ShownGoldChange(
        metric,
        figure or metric.leading or f"{metric.main}.f1",
        old[0].gold,
        new[0].gold,
        samples,
        seed,
        level,
        drawn,
        sides[0].units(drawn),
        counts,
        tuple(moved),
        tuple(_swapped(moved)),
        tuple(_changed_items(sides, fates)),
        lowest,
        tuple(_notes(counts, sides[0].units(drawn), drawn)),
    )


def _swapped(moved: Sequence[Moved]) -> list[Swapped]:
    found = []
    for a, b in combinations(moved, 2):
        old = None if a.old is None or b.old is None else a.old - b.old
        new = None if a.new is None or b.new is None else a.new - b.new
        turned = (a.rank_old - b.rank_old) * (a.rank_new - b.rank_new) < 0
        found.append(Swapped(a.system, b.system, old, new, turned))
    return found


def _changed_items(
    sides: Sequence[Sides], fates: Mapping[UnitName, str]
) -> list[ChangedItem]:
    found = []
    for fate in FATES:
        units = [
            ChangedItem(
                name[0],
                name[1],
                name[2],
                name[3],
                fate,
                tuple(side.item(0, name) for side in sides),
                tuple(side.item(1, name) for side in sides),
                any(name in side.rescored for side in sides),
            )
            for name, own in fates.items()
            if own == fate
        ]
        units.sort(key=lambda each: -max((abs(c) for c in each.change if c), default=0))
        found += units
    return found


def _notes(counts: Mapping[str, int], shared: int, unit: Unit) -> list[str]:
    if not counts["changed"] and not counts["added"] and not counts["removed"]:
        return ["nothing that is scored differs between both golds"]
    if shared < 2:
        return [f"{amount(shared, unit)} in both golds: no intervals under two"]
    if shared < FEW:
        return [f"{shared} {unit}s in both golds only: intervals of so few say little"]
    return []
