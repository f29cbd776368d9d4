"""Several runs of one system, such as those of a parser with several seeds.

Every score is the mean over the runs, and beside it stands its standard deviation.  An
item is kept with what all runs make of it, so that what is drawn at random is the same
items of every run: intervals and tests say what other items would have given, the
standard deviation what other runs would have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from statistics import stdev
from typing import Any

from graphscore.evaluation.confidence_intervals import Bounds, Deviation, sure
from graphscore.evaluation.macro import RATIOS, macro_counts, macro_value
from graphscore.evaluation.options import signature_of_several
from graphscore.evaluation.result import Result
from graphscore.evaluation.several.mean_metric import MeanMetric, raw_counts_of_scoring
from graphscore.evaluation.several.references import (
    combine_scorings,
    refuse_other_metrics,
)
from graphscore.evaluation.unit import ItemResult
from graphscore.metrics.base import main_score
from graphscore.metrics.traits import ratio_names
from graphscore.model.outcome import Scores

_NONE = Deviation()


def put_together(
    scored: Sequence[list[Result]], groups: Sequence[tuple[str, int]]
) -> list[list[Result]]:
    """Make one list of results for each system of those of its runs.

    Args:
        scored: the results of every run, those of a system one behind the other.
        groups: the name of each system, and how many runs it has; a system that is no
            runs has no name.

    Returns:
        A list for each system.  If any of them has several runs, a single one is a mean
        as well, of itself, so that it can be compared with the others.
    """
    if not any(name for name, _ in groups):
        return [*scored]
    left = iter(scored)
    systems = [(name, [next(left) for _ in range(count)]) for name, count in groups]
    if all(count == 1 for _, count in groups):
        for name, [results] in systems:
            for result in results:
                result.system = name or result.system
        return [*scored]
    return [mean_of_runs(name, runs) for name, runs in systems]


def mean_of_runs(name: str, scored: Sequence[list[Result]]) -> list[Result]:
    """The means of the results of several runs.

    Args:
        name: of the system; empty where it is the name of the only run.
        scored: the results of each run, on the same gold.

    Returns:
        One per metric.

    Raises:
        UsageError: if the runs were scored by different metrics.
    """
    for results in scored[1:]:
        names = [side[0].system for side in (scored[0], results)]
        refuse_other_metrics(names[0], scored[0], names[1], results)
    return [_mean(name, runs) for runs in zip(*scored, strict=True)]


def _mean(name: str, runs: Sequence[Result]) -> Result:
    """One result of those of each run."""
    first = runs[0]
    made = Result(
        MeanMetric(first.metric),
        gold=first.gold,
        system=name or first.system,
        pairs=first.pairs,
        missing_system=sum(run.missing_system for run in runs),
        spurious_system=[unit for run in runs for unit in run.spurious_system],
        rejected=[problem for run in runs for problem in run.rejected],
        rejected_records=sum(run.rejected_records for run in runs),
        left_out=sum(run.left_out for run in runs),
        unproven=max(run.unproven for run in runs),
        reused=min(run.reused for run in runs),
        because=first.because,
        mode=first.mode,
        restriction=first.restriction,
        scope=first.scope,
        runs=tuple(runs),
        intervals=Deviations(runs),
    )
    for number, run in enumerate(runs):
        for key, raw_counts in run.raw_counts.items():
            made.add(key, raw_counts_of_scoring(number, raw_counts))
    if all(run.items for run in runs):
        made.items = [combine_scorings(row) for row in _rows(runs)]
    of_sums = {note for run in runs for note in run.remarks()}
    notes = dict.fromkeys(note for run in runs for note in run.notes)
    made.notes = [note for note in notes if note not in of_sums] + made.remarks()
    made.signature = signature_of_several(made, runs, "system", {"nruns": len(runs)})
    return made


def _rows(runs: Sequence[Result]) -> list[list[ItemResult | None]]:
    """The items of gold as each run has them; documents may be joined for some."""
    rows: dict[tuple[str, ...], list[ItemResult | None]] = {}
    for number, run in enumerate(runs):
        for item in run.items:
            key = item.framework, item.language, item.layer, item.document, item.item
            rows.setdefault(key, [None] * len(runs))[number] = item
    return [*rows.values()]


class Deviations:
    """Standard deviations of the scores of a result over its runs.

    Args:
        runs: the results of each run, by one metric.
    """

    name = "deviations"
    """Their name in JSON."""
    ends = Deviation._fields
    """Names of the columns beside a score."""

    def __init__(self, runs: Sequence[Result]) -> None:
        self.runs = tuple(runs)
        self.metric = runs[0].metric

    @property
    def description(self) -> str:
        """Explanation of the deviations, in a line; of one run there are none."""
        if len(self.runs) < 2:
            return ""
        return f"sd: standard deviation over {len(self.runs)} runs; counts are of all"

    @cached_property
    def whole(self) -> Bounds:
        """Those of everything."""
        return self._of([run.scores for run in self.runs if not run.nothing])

    def group(self, columns: tuple[str, ...], key: tuple[str, ...]) -> Bounds:
        """Return those of a slice, by its values of the columns."""
        groups = [run.by(*columns) for run in self.runs]
        return self._of([group[key] for group in groups if key in group])

    def of_macro(self, columns: tuple[str, ...]) -> Bounds:
        """Return those of means over slices, or over frameworks without columns."""
        slices = [run.slices(columns) for run in self.runs]
        means = [macro_counts(self.metric, run) for run in slices]
        counts = {
            tuple_type: {
                ratio: _deviation([mean[tuple_type][ratio] for mean in means])
                for ratio in RATIOS
            }
            for tuple_type in means[0]
            if all(tuple_type in mean for mean in means)
        }
        value = _deviation([macro_value(self.metric, run) for run in slices])
        return Bounds(len(self.runs), value, counts, nothing=_NONE)

    def settings(self) -> dict[str, Any]:
        """Return how many runs there are, as JSON."""
        return {"runs": len(self.runs)}

    def _of(self, every: Sequence[Scores]) -> Bounds:
        """The deviations of some units' scores."""
        metric = self.metric
        counts: dict[str, dict[str, Deviation]] = {}
        for tuple_type in every[0].counts if every else ():
            present = [
                scores.counts[tuple_type]
                for scores in every
                if tuple_type in scores.counts and sure(scores, tuple_type)
            ]
            counts[tuple_type] = {
                ratio: _deviation([getattr(count, ratio) for count in present])
                for ratio in RATIOS
            }
        numbers = {
            name: _deviation([x.numbers[name] for x in every if name in x.numbers])
            for name in (ratio_names(metric, every[0]) if every else ())
        }
        value = _deviation([main_score(metric, scores) for scores in every])
        return Bounds(len(every), value, counts, numbers, _NONE)


def _deviation(values: Sequence[float]) -> Deviation:
    """The standard deviation of the values that are defined."""
    defined = [value for value in values if math.isfinite(value)]
    return Deviation(stdev(defined)) if len(defined) > 1 else _NONE
