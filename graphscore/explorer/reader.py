"""Read-only queries of a store for pages, each with a limit.

The store is opened for reading only, and what SQLite compiles is looked at by the
authorizer that ``graphscore query`` has.  What was answered is kept until the store
changes: its evaluations, collections and files say whether it did.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Event, Lock
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeVar, cast

from sqlalchemy import Connection

from graphscore.evaluation.outdated import command, with_status
from graphscore.exceptions import GraphscoreError
from graphscore.explorer.queries import query
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import stored_metric
from graphscore.metrics.revisions import stored_revision
from graphscore.store.database import file_of, identity_of
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.opening import open_store
from graphscore.store.passwords import hidden
from graphscore.store.read.limits import Limits, bounded
from graphscore.store.read.queries import answer
from graphscore.store.read.statements import Answer, Workers, ask
from graphscore.store.revisions import OUTDATED

T = TypeVar("T")

PAGE = Limits(30.0, 100_000)
"""Limits of the queries of pages."""

ITEMS = Limits(60.0, 5_000_000)
"""Limits of a query about every item, which runs once."""

BOX = Limits(5.0, 1_000, 500_000, 5_000_000, 256_000_000)
"""Limits of statements by users, which run in processes of their own."""

DOWNLOAD = Limits(120.0, 5_000_000)
"""Limits of a whole table, in a file."""

_MOMENT = 2.0
"""Seconds for which the revisions of metrics are taken to stay."""

Kind = Literal["answer", "list", "whole"]
"""Kind of cached value.

An answer of a page; every item in some order; what is known of every item or error of
an evaluation.
"""

KEPT: dict[Kind, int] = {"answer": 512, "list": 16, "whole": 16}
"""Capacity of the cache by kind: those about every item take some megabytes."""


class NotFoundError(GraphscoreError):
    """Requested object that is not in the store."""

    exit_code = 3


class OutdatedError(GraphscoreError):
    """An evaluation was made under another revision of its metric."""

    exit_code = 3


class State(NamedTuple):
    """State of a store, enough to see that it has changed."""

    made: tuple[Evaluation, ...]
    others: tuple[Any, ...]


class _Entry:
    """A place for an answer, which is worked out by one thread only."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: list[Any] = []


class AnswerCache:
    """Cache of values for one state of the store; the latest used stay.

    Args:
        most: how many.

    Example:
        >>> kept = AnswerCache(2)
        >>> kept.of("monday", "a", lambda: 1), kept.of("monday", "a", lambda: 2)
        (1, 1)
        >>> kept.of("tuesday", "a", lambda: 3)
        3
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._state: Hashable = None
        self._found: OrderedDict[Hashable, _Entry] = OrderedDict()

    def of(self, state: Hashable, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, computed if it is not cached.

        Args:
            state: of the store; what was found in another one is forgotten.
            key: what is asked.
            make: works it out.
        """
        with self._lock:
            if state != self._state:
                self._found.clear()
                self._state = state
            entry = self._found.setdefault(key, _Entry())
            self._found.move_to_end(key)
            if len(self._found) > self._most:
                self._found.popitem(last=False)
        with entry.lock:
            if not entry.made:
                entry.made.append(make())
            return cast(T, entry.made[0])

    def has(self, state: Hashable, key: Hashable) -> bool:
        """Return whether a value is cached."""
        with self._lock:
            entry = self._found.get(key) if state == self._state else None
        return entry is not None and bool(entry.made)


class Reader:
    """An open store, as pages see it.

    Args:
        url: a file or a URL.

    Raises:
        StoreError: if it cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = hidden(url)
        self._stopped = Event()
        self._opening = Lock()
        self._open()

    def _open(self) -> None:
        self._database = open_store(
            self.url, read_only=True, revision_of=stored_revision
        )
        self._workers = Workers(self.url, stored_revision)
        self._file = file_of(self._database.engine)
        self._identity = identity_of(self._file)
        self._stamped: tuple[Hashable, State] = None, State((), ())
        self._statuses: dict[tuple[str, int, str], tuple[float, str]] = {}
        self._kept = {kind: AnswerCache(most) for kind, most in KEPT.items()}

    def moved(self) -> str:
        """Tell what became of the file that is shown, if another is at its name."""
        now = identity_of(self._file)
        if now == self._identity:
            return ""
        return "replaced" if now else "deleted"

    def reopen(self) -> None:
        """Open the store that has this name by now.

        Raises:
            StoreError: if it cannot be opened; the earlier one stays.
        """
        with self._opening:
            if not self.moved():
                return
            database, workers = self._database, self._workers
            self._open()
            workers.close()
            database.close()

    @property
    def dialect(self) -> str:
        """Name of the database: ``sqlite`` or ``postgresql``."""
        name: str = self._database.engine.dialect.name
        return name

    def stop(self) -> None:
        """Have all questions end that are being answered."""
        self._stopped.set()
        self._workers.stop()

    @property
    def is_stopped(self) -> bool:
        """True if queries are to end."""
        return self._stopped.is_set()

    def close(self) -> None:
        """Give the store back."""
        self._workers.close()
        self._database.close()

    @contextmanager
    def connected(self, limits: Limits = PAGE) -> Iterator[Connection]:
        """A connection that sees one state of the store, for a while.

        Args:
            limits: for how long.

        Raises:
            TooLongError: when the time is over.
        """
        with (
            self._database.reading() as connection,
            bounded(connection, limits, self._stopped),
        ):
            yield connection

    def ask(self, sql: str, limits: Limits = PAGE) -> Answer:
        """The answer to a statement.

        Args:
            sql: one that reads.
            limits: of time and rows.

        Raises:
            UsageError: if it is wrong.
            StoreError: if it would write, or the store cannot be read.
            TooLongError: if its time is over.
        """
        return ask(self._database, sql, limits, self._stopped)

    def ask_apart(self, sql: str, limits: Limits) -> Answer:
        """Return the answer to a statement that a process of its own runs.

        Args:
            sql: one that a user wrote.
            limits: of time, rows and bytes; what takes longer ends with its process.

        Raises:
            UsageError: if it is wrong.
            StoreError: if it would write, or the store cannot be read.
            TooLongError: if its time is over.
            TooLargeError: if its first row is longer than an answer may be.
        """
        return self._workers.ask(sql, limits)

    def stream(self, sql: str, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """The columns, then the rows as they are asked for.

        Args:
            sql: a statement that reads.
            limits: of time and rows; what is above them is left out.
        """
        with self.connected(limits) as connection:
            yield from islice(answer(connection, sql), limits.rows + 1)

    def state(self) -> State:
        """Return the state of the store, which differs whenever the store does."""
        stamp = self._stamp()
        if stamp is not None and stamp == self._stamped[0]:
            return self._stamped[1]
        with self.connected() as connection:
            made = tuple(find_evaluations(connection))
            others = tuple(
                tuple(map(tuple, connection.exec_driver_sql(sql)))
                for sql in (query("collections"), query("ingests"))
            )
        state = State(made, others)
        self._stamped = stamp, state
        return state

    def _stamp(self) -> Hashable:
        """Return a stamp of the store's file; ``None`` for one on a server."""
        if not self._file:
            return None
        result: list[tuple[int, ...]] = []
        for path in (self._file, f"{self._file}-wal"):
            try:
                status = os.stat(path)
            except FileNotFoundError:
                result.append(())
            else:
                result.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return tuple(result)

    def kept(self, key: Hashable, make: Callable[[], T], kind: Kind = "answer") -> T:
        """Return a cached value, computed anew if the store has changed.

        Args:
            key: what is asked.
            make: works it out.
            kind: what it is, of which so many are kept.
        """
        return self._kept[kind].of(self.state(), key, make)

    def knows(self, key: Hashable, kind: Kind = "answer") -> bool:
        """Return whether a value is cached."""
        return self._kept[kind].has(self.state(), key)

    def told(self, sql: str, limits: Limits = PAGE) -> Answer:
        """The answer to a statement, which is kept."""
        return self.kept(("sql", sql, limits), lambda: self.ask(sql, limits))

    def evaluations(self) -> list[Evaluation]:
        """The evaluations that have been made, oldest first."""
        return [self._judged(evaluation) for evaluation in self.state().made]

    def _judged(self, made: Evaluation) -> Evaluation:
        """An evaluation with its status as of a moment ago."""
        now = monotonic()
        key = made.metric, made.revision, made.status
        if key not in self._statuses or self._statuses[key][0] < now - _MOMENT:
            self._statuses[key] = now, with_status(made).status
        return made._replace(status=self._statuses[key][1])

    def evaluation(self, name: str, *, outdated: bool = False) -> Evaluation:
        """The evaluation of an address.

        Args:
            name: what :func:`name_of` gives, or its number in the store.
            outdated: whether it may be outdated.

        Raises:
            NotFoundError: if there is none.
            OutdatedError: if its scores are no longer those of the metric.
        """
        for evaluation in self.state().made:
            if name in (name_of(evaluation), str(evaluation.id)):
                result = self._judged(evaluation)
                if result.status == OUTDATED and not outdated:
                    raise OutdatedError(
                        f"the evaluation of {result.system} against {result.gold} with "
                        f"{result.metric} is outdated (revision {result.revision}, now "
                        f"{stored_revision(result.metric)}); score again: "
                        f"{command(self.name, result)}"
                    )
                return result
        raise NotFoundError(f"no evaluation {name!r} in {self.name}")


def name_of(made: Evaluation) -> str:
    """Return the name of an evaluation in URLs, which scoring again does not change.

    >>> name_of(Evaluation(7, "gold", "alder", "mrp", "", "done", "", 1))
    'e620a6ee'
    """
    named = "\0".join(made.names)
    return "e" + hashlib.sha256(named.encode()).hexdigest()[:7]


def metric_of(made: Evaluation) -> Metric | None:
    """The metric of an evaluation, if that needs no code or file of a user's.

    Args:
        made: any evaluation.
    """
    return stored_metric(made.metric)
