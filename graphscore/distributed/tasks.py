"""What runs on workers: it depends on nothing but files, and may run again anywhere.

Sums travel as bytes, and are opened where the metrics have been found by their names:
those of the user's own files could not be opened elsewhere.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphscore.errors import UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.parting.encoding import written_metric
from graphscore.evaluation.parting.scoring import score_part
from graphscore.evaluation.parting.splitting import score_split
from graphscore.evaluation.parting.sums import Sums, merge
from graphscore.evaluation.signature import package_version
from graphscore.formats.source import shown
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.own import PLACE

if TYPE_CHECKING:
    from graphscore.evaluation.parting.errors import ErrorFile

_ALONE = threading.Lock()
"""Threads of a worker would only take turns, and hold a part each in memory."""


@dataclass(frozen=True)
class Job:
    """What every part of an evaluation is told.

    Attributes:
        of: how many parts there are.
        sides: gold and a system; or the one folder that both were split into.
        metrics: by their names, where they have any.
        options: how is scored.
        units: whether the results of items are kept.
        home: the folder that paths begin in; empty where none does.
        version: of graphscore.
        errors: the folder that the errors of each part are written into.
    """

    of: int
    sides: tuple[str, ...]
    metrics: tuple[str | Metric, ...] | None
    options: Options
    units: bool
    home: str
    version: str
    errors: str | None = None

    def check(self) -> None:
        """See to it that names mean here what they mean to who asked.

        Raises:
            UsageError: if not.
        """
        if self.version != package_version():
            raise UsageError(
                f"a worker has graphscore {package_version()}, who asks has "
                f"{self.version}: install the same version on both"
            )
        if self.home and self.home != os.getcwd():
            raise UsageError(
                f"a worker runs in {os.getcwd()}, who asks in {self.home}: give "
                "absolute paths, or start workers there"
            )


def job_of(
    of: int,
    sides: tuple[str, ...],
    metrics: Sequence[Metric] | None,
    options: Options,
    units: bool,
    errors: str | None = None,
) -> Job:
    """What parts are told.

    Args:
        of: how many parts there are.
        sides: gold and a system, or a folder.
        metrics: what to score with.
        options: how; a worker has no workers of its own.
        units: whether the results of items are kept.
        errors: the folder that errors are written into.
    """
    named = None if metrics is None else tuple(map(_named, metrics))
    readings = options.reading, options.system_reading or options.reading
    places = [*sides, *_homes((*(named or ()), *(each.format for each in readings)))]
    if errors is not None:
        places.append(errors)
    fixed = all(map(os.path.isabs, places))
    return Job(
        of,
        sides,
        named,
        replace(options, jobs=1),
        units,
        "" if fixed else os.getcwd(),
        package_version(),
        errors,
    )


def _homes(named: Iterable[object]) -> Iterator[str]:
    """The files and modules that are named among metrics and formats.

    >>> [*_homes(("mrp", "f1(match(nodes(), exact(label)))", "own.py:m(beta=2)"))]
    ['own.py:m']
    """
    for each in named:
        name = each.partition("(")[0] if isinstance(each, str) else ""
        if PLACE.match(name):
            yield name.removeprefix("rules:")


def _named(metric: Metric) -> str | Metric:
    try:
        return written_metric(metric)
    except UsageError:
        # Made in Python, and sent as that sends things.
        return metric


def part(number: int, job: Job) -> bytes:
    """The sums of a part.

    Args:
        number: its number, from 1.
        job: what is scored.
    """
    job.check()
    with _ALONE:
        if job.errors is None:
            return packed(_scored(number, job, None))
        # Only who asks for errors has what writes them.
        from graphscore.evaluation.parting.errors import error_file

        with error_file(os.path.join(job.errors, file_of(number, job.of))) as file:
            found = _scored(number, job, file)
    return packed(found)


def _scored(number: int, job: Job, errors: ErrorFile | None) -> Sums:
    """The sums of a part, whose errors are told."""
    asked, _ = parse_all(job.metrics)
    which = number, job.of
    each = errors.of if errors else None
    if len(job.sides) == 1:
        [folder] = job.sides
        return score_split(folder, asked, part=which, units=job.units, each=each)
    gold, system = job.sides
    told = each(shown(gold), shown(system)) if each else None
    return score_part(
        gold, system, asked, job.options, part=which, units=job.units, each=told
    )


def file_of(number: int, of: int) -> str:
    """The file that has the errors of a part.

    >>> file_of(7, 120)
    'part-007-of-120.parquet'
    """
    return f"part-{number:0{len(str(of))}}-of-{of}.parquet"


def together(several: Sequence[bytes], job: Job) -> bytes:
    """The sums of several parts as one.

    Args:
        several: of each what :func:`part` or this function gave.
        job: what is scored.
    """
    return packed(merge(unpacked(each, job) for each in several))


def packed(sums: Sums) -> bytes:
    """Sums on their way."""
    import cloudpickle

    raw: bytes = cloudpickle.dumps(sums, protocol=pickle.HIGHEST_PROTOCOL)
    return raw


def unpacked(raw: bytes, job: Job) -> Sums:
    """What :func:`packed` had, from a worker of the same cluster."""
    parse_all(job.metrics)
    found: Any = pickle.loads(raw)
    assert isinstance(found, Sums)
    return found
