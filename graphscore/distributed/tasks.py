"""Tasks of workers, which depend on files alone and may run again anywhere."""

from __future__ import annotations

import os
import pickle
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphscore import __version__
from graphscore.evaluation.sharing.shares import Job, Portion, Share, score_share
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import UsageError
from graphscore.formats.source import shown
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse, parse_all
from graphscore.model.outcome import Outcome
from graphscore.plugins import PLACE

_ALONE = threading.Lock()
"""Threads of a worker would only take turns, and hold a share each in memory."""


@dataclass(frozen=True)
class Task:
    """Settings of an evaluation, sent to workers.

    Attributes:
        job: the evaluation, without its metrics.
        metrics: these by their names, where they have any: those of the user's own
            files could not be opened elsewhere.
        home: the folder that paths begin in; empty where none does.
        version: of graphscore.
        errors: what the names of files of errors begin with; empty without errors.
    """

    job: Job
    metrics: tuple[str | Metric, ...]
    home: str
    version: str
    errors: str = ""

    def check(self) -> None:
        """See to it that names mean here what they mean to who asked.

        Raises:
            UsageError: if not.
        """
        if self.version != __version__:
            raise UsageError(
                f"a worker has graphscore {__version__}, the client has "
                f"{self.version}: install the same version on both"
            )
        if self.home and self.home != os.getcwd():
            raise UsageError(
                f"a worker runs in {os.getcwd()}, the client in {self.home}: give "
                "absolute paths, or start workers there"
            )


def task_of(job: Job, errors: str = "") -> Task:
    """Return what workers are told of an evaluation.

    Args:
        job: the evaluation.
        errors: what the names of files of errors begin with; empty without errors.
    """
    named = tuple(map(_name_of, job.metrics))
    options = job.options
    readings = options.reading, options.system_reading or options.reading
    paths = [job.gold, job.system, *_homes((*named, *(x.format for x in readings)))]
    if errors:
        paths.append(errors)
    home = "" if all(map(os.path.isabs, paths)) else os.getcwd()
    return Task(job._replace(metrics=()), named, home, __version__, errors)


def _homes(named: Iterable[object]) -> Iterator[str]:
    """The files and modules that are named among metrics and formats.

    >>> [*_homes(("mrp", "f1(match(nodes(), exact(label)))", "own.py:m(beta=2)"))]
    ['own.py:m']
    """
    for reference in named:
        name = reference.partition("(")[0] if isinstance(reference, str) else ""
        if re.match(PLACE, name):
            yield name.removeprefix("rules:")


def _name_of(metric: Metric) -> str | Metric:
    """The name of a metric; itself if it could not be found by it again."""
    text = str(metric)
    try:
        return text if str(parse(text)) == text else metric
    except UsageError:
        # Made in Python, and sent as that sends things.
        return metric


def far_share(task: Task, raw: bytes) -> Portion | None:
    """Score a share of an evaluation.

    Args:
        task: the evaluation.
        raw: the share, pickled.

    Returns:
        What was found; ``None`` if files must be read as a whole.
    """
    task.check()
    metrics, _ = parse_all(list(task.metrics))
    job = task.job._replace(metrics=tuple(metrics or ()))
    share: Share = pickle.loads(raw)
    with _ALONE:
        if not task.errors:
            return score_share(job, share)
        return _with_errors(job, share, file_of(task.errors, share.number))


def file_of(errors: str, number: int) -> str:
    """Return the file that has the errors of a share.

    >>> file_of("rows/1", 7)
    'rows/1-7.parquet'
    """
    return f"{errors}-{number}.parquet"


def _with_errors(job: Job, share: Share, path: str) -> Portion | None:
    """Score a share, and write what does not match with the columns of ``v_errors``."""
    # Only who asks for errors has what writes them.
    from graphscore.evaluation.rows.errors import error_rows
    from graphscore.store.columnar.layouts import LAYOUTS
    from graphscore.store.columnar.parquet import RowWriter

    # Which frameworks the evaluation is over is only known of all shares together.
    names = shown(job.gold), shown(job.system), ""
    with RowWriter(Path(path), LAYOUTS["v_errors"].columns) as writer:

        def take(metric: Metric, unit: Unit, _: Unit | None, outcome: Outcome) -> None:
            writer.add(error_rows(names, metric, unit, outcome))

        return score_share(job, share, take)
