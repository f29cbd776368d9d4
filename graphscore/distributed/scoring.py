"""Scores on a cluster: parts as tasks, their sums added as a tree."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphscore.distributed.progress import Line, Progress
from graphscore.distributed.tasks import Job, job_of, part, together, unpacked
from graphscore.errors import UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.parting.scoring import refuse_undivided
from graphscore.evaluation.parting.splitting import parts_in, split
from graphscore.evaluation.result import Result
from graphscore.formats.source import shown
from graphscore.formats.streams import read_once
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.store.columnar.answers import refuse_without
from graphscore.store.columnar.parquet import SHORT, writing

if TYPE_CHECKING:
    from distributed import Client, Future

    from graphscore.evaluation.parting.sums import Sums

FAN = 8
"""Sums that are added in one task."""

EACH = 4
"""Parts for each worker where parts cost nothing: the last wait for each other less."""


def score(
    client: Client,
    gold: str | PathLike[str],
    system: str | PathLike[str],
    metric: str | Metric | Sequence[str | Metric] | None = None,
    *,
    parts: int | None = None,
    folder: str | PathLike[str] | None = None,
    options: Options | None = None,
    units: bool = False,
    errors: str | PathLike[str] | None = None,
    progress: bool | Progress = False,
) -> Result | list[Result]:
    """Score a system against gold on the workers of a cluster.

    Workers read the files themselves, which all of them must see under the same names.
    The result is that of one run, whatever the number of parts and workers, and
    whichever of them are lost on the way.

    Args:
        client: of ``dask.distributed``.
        gold: a file, directory or glob.
        system: likewise.
        metric: a metric or its string, or several; without, the default metrics of the
            frameworks that are there.
        parts: how many.  Without *folder* each reads both sides, so that as many as
            there are workers (the default) is best; with it, four for each worker.
        folder: a new folder that all workers see, into which both sides are split
            first, here; each part then reads its own file alone.
        options: selection, pairing, budget.
        units: whether the results of items are kept, which intervals need.
        errors: a new folder that all workers see, for what did not match: a file of
            Parquet for each part, with the columns of the view ``v_errors``.
        progress: is told how many of how many parts are done; ``True`` says it on
            standard error.

    Returns:
        A result, or a list with one per metric where several were given, or where none
        was and there are several defaults.

    Raises:
        InputError: if gold cannot be used.
        PairingError: if nothing pairs.
        UsageError: for what has no parts, what workers cannot read, a cluster without
            workers, or without the library.
    """
    _check(client)
    chosen = options or Options()
    refuse_undivided(gold, chosen)
    sides = _path(gold), _path(system)
    metrics, alone = parse_all(metric)
    _refuse_number(parts)
    if folder is None and errors is not None and metrics is None:
        # Which metrics are the default is only known in the end.
        raise UsageError("errors= goes with folder=, or with metrics that are named")
    with _errors_in(errors) as rows:
        if folder is not None:
            target = _path(folder)
            number = parts or EACH * _workers(client)
            split(sides[0], sides[1:], metrics, chosen, folder=target, parts=number)
            read: tuple[str, ...] = (target,)
        else:
            number, read = parts or _workers(client), sides
        job = job_of(number, read, metrics, chosen, units, rows)
        [results] = _scored(client, job, progress).results()
    several = metrics is not None and not alone
    return results if several or len(results) != 1 else results[0]


def score_split(
    client: Client,
    folder: str | PathLike[str],
    metric: str | Metric | Sequence[str | Metric] | None = None,
    *,
    units: bool = False,
    errors: str | PathLike[str] | None = None,
    progress: bool | Progress = False,
) -> list[list[Result]]:
    """Score what was split into a folder, which all workers see.

    Args:
        client: of ``dask.distributed``.
        folder: what :func:`score` wrote with ``folder=``.
        metric: some of those that it was split for; without, all of them.
        units: whether the results of items are kept.
        errors: as for :func:`score`.
        progress: as for :func:`score`.

    Returns:
        For every system a result per metric.

    Raises:
        InputError: if the folder holds no parts, or they are damaged.
        UsageError: as :func:`score`.
    """
    _check(client)
    target = _path(folder)
    metrics, _ = parse_all(metric)
    of = parts_in(target)
    with _errors_in(errors) as rows:
        job = job_of(of, (target,), metrics, Options(), units, rows)
        return _scored(client, job, progress).results()


def _check(client: Any) -> None:
    """Refuse what is no client of a cluster that one can wait for.

    Raises:
        TypeError: for something else.
        UsageError: for a client that is awaited, or without the library.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(
            f"this needs dask.distributed: pip install 'graphscore[dask]' ({error})"
        ) from None
    if not isinstance(client, Client):
        raise TypeError(
            f"client is {type(client).__name__}, expected distributed.Client"
        )
    if client.asynchronous:
        raise UsageError("the client is asynchronous: give one that waits for results")


def _path(side: Any) -> str:
    """Files that workers can open.

    Raises:
        UsageError: for what is only here.
    """
    if not isinstance(side, str | PathLike):
        raise UsageError(
            f"workers read files by their paths, found {type(side).__name__}: write "
            "graphs to files, or score them with executor="
        )
    path = os.fspath(side)
    if not isinstance(path, str):
        raise UsageError(f"{path!r}: expected a path as text")
    if read_once(path):
        raise UsageError(f"{shown(path)} can be read only once, and not by workers")
    return path


def _refuse_number(parts: int | None) -> None:
    if parts is not None and (not isinstance(parts, int) or parts < 1):
        raise UsageError(f"parts={parts!r}: expected how many, from 1")


def _workers(client: Client) -> int:
    """How many workers there are.

    Raises:
        UsageError: without any, as one would wait for ever.
    """
    found = len(client.scheduler_info(n_workers=-1)["workers"])
    if not found:
        raise UsageError("the cluster has no workers: start some, or give parts=N")
    return found


@contextmanager
def _errors_in(errors: str | PathLike[str] | None) -> Iterator[str | None]:
    """A folder for the errors of parts, which appears when all is well.

    Raises:
        UsageError: for one that is there, or without the library.
        GraphscoreError: if it cannot be made.
    """
    if errors is None:
        yield None
        return
    refuse_without("pyarrow")
    target = Path(_path(errors))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{shown(str(target))} is there already, and not empty")
    made = target.with_name(f".{target.name[:SHORT]}.{uuid.uuid4().hex[:12]}.part")
    with writing(str(target)):
        made.mkdir(parents=True)
    try:
        yield str(made)
        with writing(str(target)):
            for left in made.glob(".*"):
                # A worker died over it.
                left.unlink()
            os.replace(made, target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _scored(client: Client, job: Job, progress: bool | Progress) -> Sums:
    """The sums of all parts."""
    line = Line() if progress is True else None
    told = line or (None if isinstance(progress, bool) else progress)
    try:
        raw = _run(client, job, told)
    finally:
        if line is not None:
            line.end()
    return unpacked(raw, job)


def _run(client: Client, job: Job, progress: Progress | None) -> bytes:
    """Have all parts scored, and their sums added where they are.

    What fails or is interrupted takes back all that has not begun.
    """
    from distributed import as_completed

    # Files may have changed since: nothing of another call is meant.
    call = uuid.uuid4().hex
    numbers = range(1, job.of + 1)
    left: dict[str, Future] = {}
    last: list[Future] = []
    try:
        level: list[Future] = client.map(
            partial(part, job=job),
            numbers,
            key=[f"score-part-{call}-{number}" for number in numbers],
            pure=False,
        )
        left = {each.key: each for each in level}
        depth = 0
        while len(level) > 1:
            depth += 1
            level = [
                client.submit(
                    together,
                    level[start : start + FAN],
                    job,
                    key=f"score-sums-{call}-{depth}-{start // FAN}",
                    pure=False,
                )
                for start in range(0, len(level), FAN)
            ]
        last = level
        if progress is not None:
            progress(0, job.of)
        for done, future in enumerate(as_completed(list(left.values())), 1):
            if future.status != "finished":
                # It raises what the part has raised.
                future.result()
            # Who adds it keeps it; who waits need not.
            del left[future.key]
            if progress is not None:
                progress(done, job.of)
        raw: bytes = last[0].result()
    except BaseException:
        client.cancel([*left.values(), *last])
        raise
    return raw
