"""Scores on a cluster: shares as tasks, added up by who asks."""

from __future__ import annotations

import os
import pickle
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphscore.distributed.progress import Line, Progress
from graphscore.distributed.tasks import far_share, file_of, task_of
from graphscore.evaluation.api import into_class
from graphscore.evaluation.messages import note_losses
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.sharing.shares import Job, Share
from graphscore.evaluation.sharing.workers import EACH, Readers
from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.files import SHORT, writing
from graphscore.formats.source import shown
from graphscore.formats.streams import read_once
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.store.columnar.answers import refuse_without

if TYPE_CHECKING:
    from distributed import Client

    from graphscore.similarity import Similarity


def score(
    gold: str | PathLike[str],
    systems: str | PathLike[str] | Sequence[str | PathLike[str]],
    metrics: (
        str | Metric | Similarity | Sequence[str | Metric | Similarity] | None
    ) = None,
    *,
    client: Client,
    options: Options | None = None,
    parts: int | None = None,
    errors: str | PathLike[str] | None = None,
    store: str | PathLike[str] | None = None,
    progress: bool | Progress = False,
) -> Result | list[Any]:
    """Score systems against gold on the workers of a cluster.

    Workers read the files themselves, which all of them must see under the same names.
    Where both sides are lines of records with ids (MRP), each reads its own; elsewhere
    all of both, and compares its own.  The result is that of one process, whatever the
    number of shares and workers, and whichever of them are lost on the way.

    Args:
        gold: a file, directory or glob.
        systems: likewise, or a list of several.
        metrics: a metric or its string, or several; without, the default metrics of the
            frameworks that are there.
        client: of ``dask.distributed``.
        options: selection, pairing, budget, and whether results of items are kept.
        parts: how many shares; by default four for each worker, or where every share
            reads both sides one.
        errors: a new folder that all workers see, for what did not match: a file of
            Parquet for each share, with the columns of the view ``v_errors``.
        store: path or URL of a store, made if there is none: *gold* and *systems* name
            its collections, or files that go into it.  What it has is not scored again,
            what is new is kept, and all systems are ranked.  Who calls reads it and
            sends graphs; workers see no files.
        progress: is told how many of how many shares are done; ``True`` says it on
            standard error.  Further systems, and metrics over other units, begin anew.

    Returns:
        What :func:`graphscore.score` gives: a result, or a list with one per metric
        where several were given, or where none was and there are several defaults.  Of
        several systems a list of these.

    Warns:
        LossWarning: as :func:`graphscore.score`.

    Raises:
        InputError: if gold cannot be used.
        PairingError: if nothing pairs.
        UsageError: for what has no shares, what workers cannot read, a cluster without
            workers, or without the library.
    """
    _check(client)
    chosen = options or Options()
    if store is not None:
        if errors is not None or parts is not None:
            raise UsageError("errors= and parts= are for files: a store has no shares")
        from graphscore.distributed.stored import score_stored

        return score_stored(
            fspath(store), gold, systems, metrics, chosen, client, progress
        )
    _refuse_whole(gold, chosen)
    several = systems if isinstance(systems, list | tuple) else None
    own, others = _path(gold), [*map(_path, [systems] if several is None else several)]
    requested, alone = parse_all(metrics)
    if errors is not None and requested is None:
        # Which metrics are the default is only known in the end.
        raise UsageError("errors= goes with metrics that are named")
    line = Line() if progress is True else None
    report = line or (None if isinstance(progress, bool) else progress)
    chosen = into_class(chosen, metrics, own, *others)
    cluster = Cluster(client, parts, report)
    try:
        with _errors_in(errors, cluster):
            scored = [
                score_files(own, system, requested, chosen, executor=cluster)
                for system in others
            ]
    except GraphscoreError as error:
        # It was raised on a worker, of whose code nobody wants to know.
        raise error.with_traceback(None) from None
    finally:
        if line is not None:
            line.end()
    for results in scored:
        note_losses(results)
    listed = requested is not None and not alone
    result = [x if listed or len(x) != 1 else x[0] for x in scored]
    return result[0] if several is None else result


class Cluster(Readers):
    """The workers of a cluster.

    Args:
        client: its client.
        parts: how many shares; without, it depends on the workers.
        progress: is told how many of how many are done.

    Attributes:
        errors: the folder that errors are written into; empty if none are.
        written: the files of errors of all shares that count.
    """

    def __init__(
        self, client: Client, parts: int | None, progress: Progress | None
    ) -> None:
        if parts is not None and (not isinstance(parts, int) or parts < 1):
            raise UsageError(f"parts={parts!r}: expected how many, from 1")
        self.readings = parts or _workers(client)
        self.shares = parts or EACH * self.readings
        self.errors = ""
        self.written: list[str] = []
        self._client, self._progress = client, progress
        self._call, self._number = uuid.uuid4().hex, 0

    def share(self, score: object, job: Job, share: Share) -> Any:
        """Have a share scored on a worker.

        Args:
            score: what scores it, which a worker finds by itself.
            job: what is scored.
            share: what part of it.
        """
        return self._client.submit(
            far_share,
            task_of(job, self._prefix if self.errors else ""),
            pickle.dumps(share),
            # Files may have changed since: nothing of another call is meant.
            key=f"score-share-{self._call}-{self._number}-{share.number}",
            pure=False,
        )

    def tell(self, done: int, of: int) -> None:
        """Hear how many shares are done.

        Args:
            done: those that are.
            of: all of them.
        """
        if not done:
            self._number += 1
        if done == of:
            self.written += [file_of(self._prefix, number) for number in range(of)]
        if self._progress is not None:
            self._progress(done, of)

    @property
    def _prefix(self) -> str:
        return os.path.join(self.errors, str(self._number))


def _refuse_whole(gold: Any, options: Options) -> None:
    """Refuse what only one process can score.

    Raises:
        UsageError: for several references, and for a pattern.
    """
    if isinstance(gold, References):
        raise UsageError(
            "several references have no shares: what is best of an item is chosen "
            "among the results of all"
        )
    if options.where is not None or options.within:
        raise UsageError("a pattern has no shares: it is searched in a store of all")


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


def _workers(client: Client) -> int:
    """Return the number of workers.

    Raises:
        UsageError: without any, as one would wait for ever.
    """
    workers = len(client.scheduler_info(n_workers=-1)["workers"])
    if not workers:
        raise UsageError("the cluster has no workers: start some, or give parts=N")
    return workers


@contextmanager
def _errors_in(errors: str | PathLike[str] | None, cluster: Cluster) -> Iterator[None]:
    """A folder for the errors of shares, which appears when all is well.

    Raises:
        UsageError: for one that is there, or without the library.
        GraphscoreError: if it cannot be made.
    """
    if errors is None:
        yield
        return
    refuse_without("pyarrow")
    target = Path(_path(errors))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{shown(str(target))} is there already, and not empty")
    made = target.with_name(f".{target.name[:SHORT]}.{uuid.uuid4().hex[:12]}.part")
    with writing(str(target)):
        made.mkdir(parents=True)
    cluster.errors = str(made)
    try:
        yield
        of = len(cluster.written)
        with writing(str(target)):
            for number, path in enumerate(cluster.written, 1):
                name = f"part-{number:0{len(str(of))}}-of-{of}.parquet"
                os.replace(path, made / name)
            for left in made.iterdir():
                # A worker died over it, or what it has begun did not count.
                if not left.name.startswith("part-"):
                    left.unlink()
            os.replace(made, target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
