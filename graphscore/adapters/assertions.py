"""Assertions that a system reaches a score, or that of a baseline."""

from __future__ import annotations

import math
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.adapters.baselines import (
    ScoredSystem,
    found_baseline,
    kept_in,
    numbered_alike,
)
from graphscore.adapters.failure_messages import failure_message, shown_score
from graphscore.evaluation.api import into_class, score
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.thresholds import from_percent
from graphscore.exceptions import UsageError, expect
from graphscore.inputs.alignment import Side, sides
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.statistics.resampling import SLACK

if TYPE_CHECKING:
    from graphscore.inputs.base import Ends
    from graphscore.metrics.base import Metric


class ScoreRequirement(NamedTuple):
    """Requirement of a score; see :func:`graphscore.adapters.pytest.assert_score`.

    Args:
        at_least: what it must not be under.
        at_most: what it must not be over.
        score: its name.
        no_worse: whether it must not be worse than the baseline's.
        tolerance: by how much it may be.
        top: how much a failure lists.
    """

    at_least: float | None = None
    at_most: float | None = None
    score: str = ""
    no_worse: bool = True
    tolerance: float = 0.0
    top: int = 10

    def check(self, baseline: Any) -> None:
        """Refuse what does not go together.

        Args:
            baseline: as it was given.

        Raises:
            TypeError: if something is of another type.
            UsageError: if nothing is wanted, or what could not be reached.
        """
        for name in ("at_least", "at_most"):
            value = getattr(self, name)
            if value is not None:
                expect(value, Real, name)
                if math.isnan(value):
                    raise UsageError(f"{name} is nan, expected a number")
        expect(self.score, str, "score")
        expect(self.tolerance, Real, "tolerance")
        expect(self.top, Integral, "top")
        if not 0 <= self.tolerance < math.inf:
            raise UsageError(
                f"tolerance is {self.tolerance:g}, expected a number from 0"
            )
        if self.top < 0:
            raise UsageError(f"top is {self.top}, expected a number from 0")
        limits = self.at_least is not None or self.at_most is not None
        if not limits and (baseline is None or not self.no_worse):
            raise UsageError("nothing to assert: give at_least, at_most or a baseline")
        if self.tolerance and (baseline is None or not self.no_worse):
            raise UsageError("tolerance goes with a baseline and no_worse")

    def fits(self, metric: Metric) -> None:
        """Refuse what is meant in percent, or for the other kind of score.

        Args:
            metric: what is to be scored with.

        Raises:
            UsageError: for ``at_least`` of an error rate, ``at_most`` of a score, and
                an F1 over 1.
        """
        from graphscore.metrics.base import lowest_best

        lowest, what = (
            lowest_best(metric, self.score or "macro"),
            shown_score(metric, self.score),
        )
        if self.at_least is not None and lowest:
            raise UsageError(
                f"at_least={self.at_least:g}: of {metric}, the lowest {what} is the "
                "best; use at_most"
            )
        if self.at_most is not None and not self.score and not lowest:
            raise UsageError(
                f"at_most={self.at_most:g}: of {metric}, the highest {what} is the "
                "best; use at_least"
            )
        least = self.at_least or 0
        if least > 1 and not (self.score or metric.leading):
            text = f"at_least={least:g}: F1 goes from 0 to 1"
            raise UsageError(text + from_percent(least))


class AssertionResult(NamedTuple):
    """Result of an assertion."""

    result: Result
    message: str = ""
    """Why it is not as wanted; empty where it is."""
    kept: str = ""
    """Message about the baseline that was written."""


def assess(
    gold: Any,
    system: Any,
    metric: Any,
    demand: ScoreRequirement,
    baseline: Any = None,
    ends: Ends = "inclusive",
    options: Options | None = None,
    *,
    update: str = "",
    test: str = "",
) -> AssertionResult:
    """Score a system and hold it against what is wanted.

    Args:
        gold: anything that can be scored.
        system: likewise.
        metric: one metric, or nothing for the default one.
        demand: what is wanted.
        baseline: an earlier system, or where it is.
        ends: whether spans of tokens say their last token or the one after.
        options: how it is scored.
        update: what the system is called where it becomes the last of a store; empty
            where stores are only read.
        test: which test asks: earlier baselines may have been kept for it.

    Raises:
        UsageError: if arguments do not go together, or there is no such baseline.
    """
    demand.check(baseline)
    expect(options, Options | None, "options")
    options = replace(options or Options(), per_item=True, details=True)
    options = into_class(options, metric, gold, system)
    several = isinstance(gold, References)
    if not several:
        gold, system, metric = _laid_out(gold, system, metric, ends, options)
    result = score(gold, system, metric, ends=ends, options=options)
    if isinstance(result, list):
        names = ", ".join(str(scored.metric) for scored in result)
        raise UsageError(f"there are several metrics, {names}: give one")
    demand.fits(result.metric)
    score_of = score_getter(demand.score)
    value = score_of(result)
    scored = ScoredSystem(gold, system, result, ends, options)
    earlier, kept = None, ""
    if baseline is not None and update and _is_last(baseline):
        kept = kept_in(baseline, scored, update)
    elif baseline is not None:
        earlier = found_baseline(baseline, scored, test)
    before = None if earlier is None else score_of(earlier.result)
    failed = _unmet(demand, value)
    worse = (
        before is not None
        and demand.no_worse
        and _is_worse(demand, result.metric, value, before)
    )
    if not failed and not worse:
        return AssertionResult(result, kept=kept)
    return AssertionResult(
        result,
        failure_message(demand, result, value, failed, earlier, before, worse),
        kept,
    )


def _laid_out(
    gold: Any, system: Any, metric: Any, ends: Ends, options: Options
) -> tuple[Side, Side, Any]:
    """Both sides such that they can be scored more than once, and against others."""
    readings = options.reading, options.system_reading or options.reading
    scored = frameworks_of(parse_all(metric)[0])
    gold_side, system_side, cls = sides(gold, system, ends, readings, scored)
    if metric is None and cls is not None:
        metric = parse(cls)
    gold_side, system_side = (
        side if isinstance(side, str) else list(side)
        for side in (gold_side, system_side)
    )
    return *numbered_alike(gold_side, system_side), metric


def _is_last(baseline: Any) -> bool:
    return isinstance(baseline, str) and baseline.endswith(":last")


def _unmet(demand: ScoreRequirement, value: float) -> list[str]:
    """The limits that are not kept, as they are told."""
    result = []
    # What is undefined is neither above nor below.
    if demand.at_least is not None and not value >= demand.at_least:
        result.append(f"at least {demand.at_least:g}")
    if demand.at_most is not None and not value <= demand.at_most:
        result.append(f"at most {demand.at_most:g}")
    return result


def _is_worse(
    demand: ScoreRequirement, metric: Metric, value: float, before: float
) -> bool:
    from graphscore.metrics.base import lowest_best

    if math.isnan(before):
        return False
    sign = -1 if lowest_best(metric, demand.score or "macro") else 1
    return not sign * (value - before) >= -demand.tolerance - SLACK
