"""The same items in several frameworks, languages or layers: how systems do in each.

A sentence that is annotated in five frameworks is one unit, not five: it is drawn
with all of them, and only items that every framework has take part.  So a difference
between frameworks is none of sentences, and ranks in one are held against ranks in
another on equal terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from graphscore.evaluation.macro import FRAMEWORKS, MACRO, score_getter
from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError, amount, did_you_mean
from graphscore.metrics.base import Metric
from graphscore.statistics.bootstrap_scores import BootstrapScores
from graphscore.statistics.comparison import FEW, LEVEL, SAMPLES, distinct
from graphscore.statistics.cross_framework_result import CrossFrameworkResult
from graphscore.statistics.resampling import SEED, check_samples
from graphscore.statistics.resampling_units import default_unit, refuse_unit
from graphscore.statistics.shared_units import (
    DIMENSIONS,
    Parts,
    parts_of,
    shared_tables,
)
from graphscore.statistics.tables import Unit


def check_dimension(by: str) -> None:
    """Refuse what cannot be gone across.

    Raises:
        UsageError: naming what can.
    """
    if by not in DIMENSIONS:
        raise UsageError(
            f"across {by!r}{did_you_mean(by, DIMENSIONS)}: there are "
            f"{', '.join(DIMENSIONS)}"
        )


def across(
    scored: Sequence[Sequence[Result]],
    by: str = "frameworks",
    score: str = "",
    *,
    unit: Unit | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    names: Sequence[str] = (),
) -> CrossFrameworkResult:
    """Hold systems against one another in each framework, over the items of all.

    Args:
        scored: the results of each system, with items, all on the same gold.  There may
            be results by several metrics, where each scores frameworks of its own.
        by: ``frameworks``, ``languages`` or ``layers``.
        score: which score, as for ``--fail-under``; what stands for each metric where
            it is empty.
        unit: what is drawn; without, what the score is a function of sums over, or
            documents where metrics differ in that.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        names: what the systems are called; ``Result.system`` without.

    Returns:
        Scores with intervals and ranks.

    Raises:
        UsageError: if there is only one framework, two metrics score the same one,
            results have no items, or a metric has no such score.
        PairingError: if no item is in all frameworks, or systems were not scored on the
            same units.
    """
    check_dimension(by)
    check_samples(samples, level)
    called = list(names) or distinct([results[0].system for results in scored])
    parts = parts_of(scored, by.removesuffix("s"))
    if len(parts) < 2:
        given_frameworks = ", ".join(filter(None, parts)) or "none"
        raise UsageError(f"across {by}: expected two or more, found {given_frameworks}")
    metrics = {place: metric for place, (metric, _) in parts.items()}
    _refuse_unknown(scored, score, by)
    units = {default_unit(metric, score) for metric in metrics.values()}
    unit = unit or (units.pop() if len(units) == 1 else "document")
    for metric, sides in parts.values():
        refuse_unit(metric, unit, sides[0])
    tables, left_out = shared_tables(parts, by, unit)
    bootstrap_scores = BootstrapScores(tables, metrics, score, samples, seed)
    alike = len(set(metrics.values())) == 1
    return CrossFrameworkResult(
        by,
        tuple(parts),
        metrics,
        score,
        unit,
        bootstrap_scores.size,
        left_out,
        samples,
        seed,
        level,
        tuple(bootstrap_scores.cells(called, level)),
        tuple(bootstrap_scores.means(called, level)) if alike else (),
        tuple(_notes(by, unit, bootstrap_scores.size, left_out, parts, called, alike)),
    )


def _refuse_unknown(scored: Sequence[Sequence[Result]], score: str, by: str) -> None:
    """Refuse scores that a metric lacks, and means over what is gone across."""
    for result in chain.from_iterable(scored):
        score_getter(score)(result)
        numbers = result.scores.numbers
        own = score in numbers or f"{score}.f1" in numbers
        if score.partition(".")[0] in (MACRO, FRAMEWORKS) and not own:
            raise UsageError(
                f"the score {score!r} is a mean over slices; across {by}, name the "
                "averaged score: its mean is shown as well"
            )


def _notes(
    by: str,
    unit: Unit,
    size: int,
    left_out: Mapping[str, int],
    parts: Parts,
    names: Sequence[str],
    alike: bool,
) -> Iterable[str]:
    gone = [
        f"{count} of {place or 'none'}" for place, count in left_out.items() if count
    ]
    if gone:
        yield f"{unit}s that are not in all {by} are left out: {', '.join(gone)}"
    if not alike:
        chosen = ", ".join(f"{place} {metric}" for place, (metric, _) in parts.items())
        yield (
            f"metrics differ by {by.removesuffix('s')} ({chosen}): compare values "
            "within each only"
        )
    for place, (_, sides) in parts.items():
        for name, items in zip(names, sides, strict=True):
            if all(item.missing for item in items):
                yield f"{name} has nothing of {place or 'none'}: all scored as missing"
    if size < 2:
        yield f"{amount(size, unit)} in all {by}: no intervals of fewer than two"
    elif size < FEW:
        yield f"only {amount(size, unit)} in all {by}: intervals are unreliable"


def across_each(
    scored: Sequence[Sequence[Result]], by: str, score: str = "", **settings: Any
) -> list[CrossFrameworkResult]:
    """Compare across frameworks: all metrics at once if they share none, else each.

    Metrics that score one framework only are left out, unless all of them do.

    Args:
        scored: as for :func:`across`.
        by: likewise.
        score: likewise.
        settings: likewise.

    Raises:
        UsageError: as :func:`across` does.
        PairingError: likewise.
    """
    column = by.removesuffix("s")
    places: dict[Metric, set[str]] = {}
    for result in chain.from_iterable(scored):
        own = places.setdefault(result.metric, set())
        own |= {getattr(item, column) for item in result.items}
    apart = sum(map(len, places.values())) == len(set().union(*places.values()))
    several = [metric for metric, own in places.items() if len(own) > 1]
    if apart or not several:
        return [across(scored, by, score, **settings)]
    return [
        across(
            [[own for own in results if own.metric == metric] for results in scored],
            by,
            score,
            **settings,
        )
        for metric in several
    ]
