"""The progress bar of a command: one, on a terminal, gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphscore.cli.output import Output

if TYPE_CHECKING:
    from graphscore.evaluation.unit import Unit
    from graphscore.metrics.base import Metric
    from graphscore.model.outcome import Outcome

TITLE = 40
"""Characters of what a progress bar says, so that the bar has room."""

Update = Callable[..., None]
"""Takes how many are done and, if known, of how many."""


@contextmanager
def progress(output: Output, title: str) -> Iterator[Callable[..., None] | None]:
    """A progress bar on stderr, where that is a terminal.

    Args:
        output: nothing is shown if it is quiet.
        title: what is being done.

    Yields:
        A function that takes how many are done and, if known, of how many; or
        ``None``.
    """
    if output.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    from graphscore.report.table import one_line

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(one_line(title, TITLE), total=None)

        def update(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total)

        yield update


class Steps:
    """Progress of equal steps of work as one bar, which knows its end after the first.

    Args:
        update: moves the bar; ``None`` where there is none.
        number: of steps, such as systems that are scored on the same items.
    """

    def __init__(self, update: Update | None, number: int) -> None:
        self._update, self._number = update, number
        self._begun = self._before = self._done = 0
        self._size: int | None = None
        self._metric: Metric | None = None

    def begin(self) -> Steps | None:
        """Begin the next step, whose progress the result is told of."""
        if self._begun:
            # All steps are as large as the first, as far as one knows.
            self._size = self._size or self._done
        self._before += self._done
        self._begun += 1
        self._done, self._metric = 0, None
        return None if self._update is None else self

    def __call__(self, done: int, total: int | None = None) -> None:
        """Take how much of the step is done, of how much if that is known."""
        self._done = done
        self._size = total or self._size
        if self._update is not None:
            left = self._number - self._begun + 1
            whole = None if self._size is None else self._before + left * self._size
            self._update(self._before + done, whole)

    def count(self, metric: Metric, *_: Unit | Outcome | None) -> None:
        """Count an item that was scored, by the first of several metrics."""
        self._metric = self._metric or metric
        if metric == self._metric:
            self(self._done + 1)
