"""A plugin of pytest: tests that fail when a system gets worse.

pytest loads it by itself (entry point ``pytest11``).  Nothing heavy is imported before
the first score.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from graphscore.exceptions import GraphscoreError

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.inputs.base import Ends

__all__ = ["assert_score"]

_OPTION = "graphscore_update"

# One for each session that is under way: tests of plugins run sessions in sessions.
_sessions: list[tuple[bool, list[str]]] = []


def assert_score(
    gold: Any,
    system: Any,
    metric: Any = None,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    score: str = "",
    baseline: Any = None,
    no_worse: bool = True,
    tolerance: float = 0.0,
    top: int = 10,
    ends: Ends = "inclusive",
    options: Options | None = None,
) -> Result:
    """Fail unless a system is as good as wanted, and say what is wrong with it.

    Args:
        gold: anything that :func:`graphscore.score` takes.
        system: likewise.
        metric: one metric, its string or a formula; without, the default of what is
            there, if that is one.
        at_least: what the score must not be under, from 0 to 1 for ratios.
        at_most: what it must not be over, for error rates.
        score: as for ``--fail-under``: ``edges``, ``edges.recall``, ``macro``...;
            without, what stands for the metric.
        baseline: an earlier system: ``STORE:last``, the last evaluation of that store
            with the same metric and gold; ``STORE:NAME``, a collection of it; or
            anything that can be scored as a system.
        no_worse: whether the score must not be worse than the baseline's; otherwise
            the baseline only tells which errors are new.
        tolerance: how much worse than the baseline's it may be.
        top: how many errors and items a failure lists.
        ends: of spans of tokens, whether they say their last token or the one after.
        options: how it is scored.

    Returns:
        The result, with items and errors.

    Raises:
        AssertionError: what was wanted, what was reached, errors and items.
        UsageError: if arguments do not go together, or there is no such baseline.
    """
    __tracebackhide__ = True
    from graphscore.adapters.assertions import ScoreRequirement, assess

    updating, kept = _sessions[-1] if _sessions else (False, [])
    demand = ScoreRequirement(at_least, at_most, score, no_worse, tolerance, top)
    # What is kept is named after the test, without the step that pytest is in.
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    try:
        verdict = assess(
            gold,
            system,
            metric,
            demand,
            baseline,
            ends,
            options,
            update=(test or "assert_score") if updating else "",
            test=test,
        )
    except GraphscoreError as error:
        # What was wrong is in the test or its data: where we saw it says nothing.
        raise error.with_traceback(None) from None
    if verdict.kept:
        kept.append(verdict.kept)
    if verdict.message:
        raise AssertionError(verdict.message)
    return verdict.result


@pytest.fixture(name="assert_score", scope="session")
def _assert_score() -> Callable[..., Result]:
    """Fail unless a system scores as wanted: graphscore.adapters.pytest."""
    return assert_score


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that lets tests write."""
    parser.getgroup("graphscore").addoption(
        "--graphscore-update",
        dest=_OPTION,
        action="store_true",
        help="Keep what systems reach as the new baselines STORE:last.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin a session."""
    _sessions.append((bool(config.getoption(_OPTION)), []))


def pytest_unconfigure() -> None:
    """End it."""
    _sessions.pop()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which baselines were kept."""
    for line in _sessions[-1][1] if _sessions else ():
        terminalreporter.write_line(f"graphscore: {line}")
