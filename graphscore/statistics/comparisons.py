"""Every comparison of one call: by each metric that the systems share, and in slices.

Slices are compared as the whole is, each by itself: ``framework``, ``language``,
``document`` and ``layer`` take the units with one value of the column, ``kind`` takes
the F1 of one tuple type over all of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from graphscore.evaluation.macro import score_getter, score_in
from graphscore.evaluation.messages import said_by_metric
from graphscore.evaluation.result import COLUMNS, GroupKey, Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError, amount, did_you_mean
from graphscore.metrics.base import Metric
from graphscore.model.outcome import RawCounts
from graphscore.statistics.changes import Changes, changes_between
from graphscore.statistics.comparison import (
    FEW,
    LEVEL,
    SAMPLES,
    Comparison,
    compare_results,
    distinct,
)
from graphscore.statistics.cross_framework import across_each, check_dimension
from graphscore.statistics.resampling import SEED, check_samples, items_of

CLUSTERS = ("document",)
"""Clusters in which units may be sampled together."""

SLICES = (*COLUMNS, "tuple_type")
"""Columns by which a comparison may be sliced."""


@dataclass(frozen=True)
class ComparisonOptions:
    """Options of a comparison.

    Args:
        score: which score, as for ``--fail-under``; what stands for each metric
            where it is empty.
        by: slices that are compared by themselves too, of :data:`SLICES`.
        over: what a mean ``macro`` is over; frameworks without.
        cluster: ``document`` draws all of a document together.
        baseline: the system that the others are held against; the first without.
        samples: bootstrap samples and assignments that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        changes: whether it is found out what changed from the baseline to the others,
            which takes results with details.
        across: ``frameworks``, ``languages`` or ``layers`` compares in each of them,
            over the items that all share.

    Raises:
        UsageError: if one of these is none.
    """

    score: str = ""
    by: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    cluster: str = ""
    baseline: str = ""
    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    changes: bool = False
    across: str = ""

    def __post_init__(self) -> None:
        if self.across:
            check_dimension(self.across)
        check_samples(self.samples, self.level)
        if self.seed < 0:
            raise UsageError(f"seed {self.seed}: expected a number from 0")
        for name in self.by:
            if name not in SLICES:
                raise UsageError(
                    f"cannot slice by {name!r}{did_you_mean(name, SLICES)}: "
                    f"there are: {', '.join(SLICES)}"
                )
        for name in self.over:
            if name not in (*COLUMNS, "item"):
                known = (*COLUMNS, "item")
                raise UsageError(
                    f"cannot average over {name!r}{did_you_mean(name, known)}: "
                    f"there are: {', '.join(known)}"
                )
        if self.cluster not in ("", *CLUSTERS):
            raise UsageError(
                f"cannot cluster by {self.cluster!r}"
                f"{did_you_mean(self.cluster, CLUSTERS)}: "
                f"there are: {', '.join(CLUSTERS)}"
            )
        if self.over and not self.is_mean:
            raise UsageError(
                f"the score {self.score or 'F1'!r} is not a mean over "
                f"{','.join(self.over)}: use macro, or macro.{self.score or 'f1'}"
            )
        if "tuple_type" in self.by and self.score not in ("", "f1"):
            raise UsageError(
                "slices by tuple type show the F1 of each tuple type, not "
                f"{self.score!r}"
            )

    @property
    def is_mean(self) -> bool:
        """True if the score is a mean over units."""
        return self.score.partition(".")[0] in ("macro", "macro_frameworks")


def comparisons_of(
    scored: Sequence[Sequence[Result]],
    asked: ComparisonOptions,
    names: Sequence[str] = (),
) -> list[Comparison]:
    """Compare systems by every metric that scored all of them.

    Args:
        scored: the results of each system, with items, all on the same gold.
        asked: what is compared, and how.
        names: what the systems are called; ``Result.system`` without.

    Returns:
        One by each metric, in their order.  Their notes say what there is to say of
        the results, and by which metrics nothing could be compared.

    Raises:
        UsageError: for fewer than two systems, an unknown baseline, if no metric scored
            all systems, one has no such score, or there are no documents to draw.
        PairingError: if the systems were not scored on the same units.
    """
    if len(scored) < (1 if asked.across else 2):
        raise UsageError("there is one system to compare; name several")
    called = distinct(names or [own_results[0].system for own_results in scored])
    check_baseline(asked.baseline, called)
    comparisons: list[Comparison] = []
    notes: list[str] = []
    without: list[Result] = []
    for metric in dict.fromkeys(
        result.metric for result in chain.from_iterable(scored)
    ):
        results = [_by(metric, own_results) for own_results in scored]
        lacking = [name for name, it in zip(called, results, strict=True) if it is None]
        scored_results = [result for result in results if result is not None]
        if lacking:
            notes.append(
                f"{metric}: not compared, for nothing says that it scores "
                f"{', '.join(lacking)}; -m {metric} does"
            )
        elif any(result.nothing for result in scored_results):
            notes.append(f"{metric}: gold has nothing to score, and nothing to compare")
        elif all(
            score_in(it, asked.score, asked.over) is None for it in scored_results
        ):
            notes.append(f"{metric}: not compared, it has no score {asked.score!r}")
            without.append(scored_results[0])
        else:
            comparisons.append(_compared(scored_results, asked, called))
    if not comparisons:
        for result in without:
            # Says what there is.
            score_getter(asked.score, asked.over)(result)
        raise UsageError("; ".join(notes))
    if asked.across:
        comparisons = _with_across(comparisons, scored, asked, called)
    messages = said_by_metric(scored, called)
    return [
        dataclasses.replace(
            comparison, notes=(*messages[comparison.metric], *comparison.notes, *notes)
        )
        for comparison in comparisons
    ]


def _with_across(
    comparisons: Sequence[Comparison],
    scored: Sequence[Sequence[Result]],
    asked: ComparisonOptions,
    names: Sequence[str],
) -> list[Comparison]:
    """Comparisons with every system in each framework, where there are several."""
    metrics = {comparison.metric for comparison in comparisons}
    chosen = [
        [result for result in results if result.metric in metrics] for results in scored
    ]
    gone = across_each(
        chosen,
        asked.across,
        asked.score,
        unit="document" if asked.cluster else None,
        samples=asked.samples,
        seed=asked.seed,
        level=asked.level,
        names=names,
    )
    of_metric = {
        metric: result for result in gone for metric in result.metrics.values()
    }
    return [
        dataclasses.replace(comparison, across=of_metric.get(comparison.metric))
        for comparison in comparisons
    ]


def check_baseline(baseline: str, names: Sequence[str]) -> None:
    """Refuse a baseline that is none of the systems.

    Args:
        baseline: its name; empty where none is named.
        names: of the systems.

    Raises:
        UsageError: naming the systems.
    """
    if baseline and baseline not in (called := distinct(names)):
        raise UsageError(
            f"no system {baseline!r} for the baseline"
            f"{did_you_mean(baseline, called)}; there are: {', '.join(called)}"
        )


def _by(metric: Metric, results: Sequence[Result]) -> Result | None:
    return next((result for result in results if result.metric == metric), None)


def _compared(
    results: Sequence[Result], asked: ComparisonOptions, names: Sequence[str]
) -> Comparison:
    """The whole, and its slices."""
    if asked.cluster and not any(item.document for item in items_of(results[0])):
        raise UsageError(
            "no item has a document to resample: set it with --document-regex or "
            "--document-map"
        )
    groups = [
        dataclasses.replace(
            _one(part, asked, names, score), slice=slice_, baseline=asked.baseline
        )
        for slice_, score, part in _slices(results, asked)
    ]
    whole = _one(results, asked, names, asked.score)
    few = [" ".join(group.slice.values()) for group in groups if group.units < FEW]
    notes = whole.notes
    if few and whole.units >= FEW:
        notes += (
            f"{len(few)} of {amount(len(groups), 'slice')} with under {FEW} "
            f"{whole.unit}s, whose intervals and tests are unreliable: "
            f"{', '.join(few[:3])}{', ...' if len(few) > 3 else ''}",
        )
    baseline_index = names.index(asked.baseline or names[0])
    # Errors against one reference are no errors against another.
    several = [name for name in ("references", "runs") if getattr(results[0], name)]
    with_changes = asked.changes and not several
    if asked.changes and not with_changes:
        what = " and ".join(several)
        notes += (f"several {what}: changed errors are not listed",)
    changes = _changes(results, whole, baseline_index) if with_changes else ()
    return dataclasses.replace(
        whole,
        by=asked.by,
        groups=tuple(groups),
        baseline=asked.baseline,
        changes=tuple(changes),
        notes=notes,
    )


def _changes(
    results: Sequence[Result], whole: Comparison, baseline: int
) -> Iterator[Changes]:
    """Yield the changes from the baseline to each other system."""
    for index, result in enumerate(results):
        if index != baseline:
            yield changes_between(results[baseline], result, whole, (baseline, index))


def _one(
    results: Sequence[Result],
    asked: ComparisonOptions,
    names: Sequence[str],
    score: str,
) -> Comparison:
    return compare_results(
        results,
        score,
        unit="document" if asked.cluster else None,
        over=asked.over,
        samples=asked.samples,
        seed=asked.seed,
        level=asked.level,
        names=names,
    )


def _slices(
    results: Sequence[Result], asked: ComparisonOptions
) -> Iterator[tuple[dict[str, str], str, list[Result]]]:
    """Slices by column, the score that is compared in them, and their results."""
    if not asked.by:
        return
    columns = [name for name in asked.by if name != "tuple_type"]
    parts = [_parts(result, columns) for result in results]
    for key in sorted(parts[0]):
        part = [part[key] for part in parts]
        named = dict(zip(columns, key, strict=True))
        if "tuple_type" not in asked.by:
            # A tuple type that nobody has in a slice has no score there either.
            tuple_type = asked.score.partition(".")[0]
            if tuple_type not in results[0].metric.tuple_types or _any(
                part, tuple_type
            ):
                yield named, asked.score, part
            continue
        for tuple_type in results[0].metric.tuple_types:
            if _any(part, tuple_type):
                slice_ = {name: named.get(name, tuple_type) for name in asked.by}
                yield slice_, tuple_type, part


def _any(results: Sequence[Result], tuple_type: str) -> bool:
    """Return true if gold or a system has tuples of a tuple type."""
    counts = [result.counts.get(tuple_type) for result in results]
    return any(count and (count.gold or count.system) for count in counts)


def _parts(result: Result, columns: Sequence[str]) -> dict[tuple[str, ...], Result]:
    """Split a result by the slices of some columns."""
    indexes = [COLUMNS.index(column) for column in columns]
    items: dict[tuple[str, ...], list[ItemResult]] = {}
    for item in items_of(result):
        key = tuple(getattr(item, column) for column in columns)
        items.setdefault(key, []).append(item)
    raw_counts: dict[tuple[str, ...], dict[GroupKey, RawCounts]] = {}
    for group, own in result.raw_counts.items():
        raw_counts.setdefault(tuple(group[index] for index in indexes), {})[group] = own
    return {
        key: dataclasses.replace(
            result, items=item, raw_counts=raw_counts.get(key, {}), pairs=len(item)
        )
        for key, item in items.items()
    }
