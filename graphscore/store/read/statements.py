"""Statements that users write, run where they can be ended.

SQLite looks at the time and at interrupts between its own instructions.  A single one
on long strings (``like``, ``instr``, ``replace``) takes as long as it takes, and only
the end of its process ends it.  The command line has a process that is there for one
statement: :func:`heard_at_once` ends it.  A server goes on: its statements are run by
:class:`Workers`, processes that are ended when their time is over.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, NamedTuple

from graphscore.exceptions import GraphscoreError, StoreError, UsageError
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.read.limits import (
    Limits,
    TooLargeError,
    TooLongError,
    bounded,
    stopped_after,
    taken,
)
from graphscore.store.read.queries import answer
from graphscore.store.revisions import RevisionOf

GRACE = 0.5
"""Seconds that a statement has to end in order, before its process is ended."""

_OPENING = 60.0
"""Seconds in which a worker opens the store."""

INTERRUPTED = 130
"""The exit code of a process that an interrupt ended."""

_ERRORS = {
    kind.__name__: kind
    for kind in (StoreError, TooLargeError, TooLongError, UsageError)
}
"""Errors that a worker tells of, by their names."""

_BEGIN = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from graphscore.store.read.statements import work; work()"
)
"""The program of a worker: its modules come from where those of this process do."""


class Answer(NamedTuple):
    """Rows of a statement."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: str = ""
    """The limit that left rows out, such as ``1,000 rows``; empty where none did."""


def ask(
    database: Database,
    sql: str,
    limits: Limits,
    stopped: threading.Event | None = None,
) -> Answer:
    """Return the answer to a statement, as far as the limits let it.

    Args:
        database: an open store.
        sql: one statement that reads.
        limits: of time, rows and bytes.
        stopped: ends the statement when it is set.

    Raises:
        UsageError: the statement is wrong.
        StoreError: it would write, or the store cannot be read.
        TooLongError: its time is over.
        TooLargeError: its first row is longer than the answer may be.
    """
    with database.reading() as connection, bounded(connection, limits, stopped):
        rows = answer(connection, sql)
        columns = next(rows)
        kept, more = taken(rows, limits)
        rows.close()
    return Answer(columns, kept, more)


@contextmanager
def heard_at_once() -> Iterator[None]:
    """End the process on an interrupt that has no effect for half a second.

    Python runs its handlers of signals in the main thread, between instructions of its
    own; the byte that it writes for each signal arrives whatever that thread does.
    In another thread than the main one nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    left = threading.Event()
    reading, writing = socket.socketpair()
    writing.setblocking(False)

    def listen() -> None:
        while numbers := reading.recv(64):
            if signal.SIGINT in numbers and not left.wait(GRACE):
                end_process(signal.SIGINT)

    listener = threading.Thread(target=listen, daemon=True)
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    listener.start()
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(before)
        writing.close()
        listener.join()
        reading.close()


def end_process(number: int) -> None:
    """End this process at once, as a signal would; nothing is tidied up.

    Args:
        number: of the signal.
    """
    if number == signal.SIGINT:
        with suppress(OSError):
            os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED if number == signal.SIGINT else 128 + number)


class Workers:
    """Processes that answer statements about a store, each one at a time.

    They are started when there is none that has nothing to do, and are used again
    unless they had to be ended.

    Args:
        url: of the store; a path or a URL.
        revision_of: the revision that a metric has now, a function of a module.
    """

    def __init__(self, url: str, revision_of: RevisionOf) -> None:
        self._opened = url, revision_of
        # Of several entries: a handler of signals may interrupt its own thread.
        self._lock = threading.RLock()
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._is_stopped = False

    def ask(self, sql: str, limits: Limits) -> Answer:
        """Return the answer to a statement, as far as the limits let it.

        Args:
            sql: one statement that reads.
            limits: of time, rows and bytes.

        Raises:
            UsageError: the statement is wrong.
            StoreError: it would write, or the store cannot be read.
            TooLongError: its time is over.
            TooLargeError: its first row is longer than the answer may be.
            GraphscoreError: the process ended.
        """
        worker = self._taken()
        try:
            answer = worker.ask((sql, limits), limits.seconds + GRACE)
        except _EndedError as ended:
            if ended.is_late or self._is_stopped:
                raise TooLongError(stopped_after(limits.seconds)) from None
            raise GraphscoreError(
                "the process that ran the statement has ended "
                f"(exit code {ended.code}); perhaps there was too little memory"
            ) from None
        finally:
            self._give_back(worker)
        return Answer(*answer)

    def stop(self) -> None:
        """End all workers, whatever they do; there are none from then on."""
        with self._lock:
            self._is_stopped = True
            for worker in self._all:
                worker.kill()

    def close(self) -> None:
        """End all workers, and wait until they have ended."""
        self.stop()
        with self._lock:
            for worker in self._all:
                worker.close()
            self._all.clear()
            self._idle.clear()

    def _taken(self) -> _Worker:
        """A worker that has opened the store and does nothing."""
        with self._lock:
            if self._is_stopped:
                raise TooLongError("stopped, as the server ends")
            if self._idle:
                return self._idle.pop()
            worker = _Worker()
            self._all.append(worker)
        try:
            worker.tell(sys.path)
            worker.ask(self._opened, _OPENING)
        except BaseException as error:
            worker.kill()
            self._give_back(worker)
            if isinstance(error, _EndedError):
                raise GraphscoreError(
                    "no process could be started to run the statement "
                    f"(exit code {error.code})"
                ) from None
            raise
        return worker

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if not worker.is_ended and not self._is_stopped:
                self._idle.append(worker)
                return
            if worker in self._all:
                self._all.remove(worker)
        worker.close()


class _EndedError(Exception):
    """A worker has ended without an answer."""

    def __init__(self, is_late: bool, code: int | None) -> None:
        super().__init__()
        self.is_late = is_late
        self.code = code


class _Worker:
    """A process that answers."""

    def __init__(self) -> None:
        self.is_ended = False
        # Interrupts of a terminal are for the server, which ends its workers.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def tell(self, request: Any) -> None:
        """Send something; that nobody reads it is seen when the answer is read."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()

    def ask(self, request: Any, seconds: float) -> tuple[Any, ...]:
        """Return what the process answers.

        Args:
            request: what is sent.
            seconds: after which the process is ended.

        Raises:
            _EndedError: the process has ended.
            GraphscoreError: what the process raised.
        """
        assert self._process.stdout is not None
        deadline = monotonic() + seconds
        timer = threading.Timer(seconds, self.kill)
        timer.daemon = True
        timer.start()
        try:
            self.tell(request)
            answer, *rest = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.kill()
            code = self._process.wait()
            raise _EndedError(monotonic() >= deadline, code) from None
        finally:
            timer.cancel()
            # What has begun to end the process shall have done so.
            timer.join()
        if answer == "error":
            name, text = rest
            raise _ERRORS.get(name, GraphscoreError)(text)
        if answer == "defect":
            raise RuntimeError(*rest)
        return tuple(rest)

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.is_ended = True
        self._process.kill()

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def work() -> None:
    """Answer requests until whoever asks is gone."""
    url, revision_of = pickle.load(sys.stdin.buffer)
    requests: queue.Queue[tuple[str, Limits]] = queue.Queue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                requests.put(pickle.load(sys.stdin.buffer))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    try:
        database = open_store(url, read_only=True, revision_of=revision_of)
    except GraphscoreError as error:
        _say("error", type(error).__name__, str(error))
        # The other thread reads on, and would be in the way of an end in order.
        os._exit(0)
    _say("opened")
    while True:
        try:
            _say("answer", *ask(database, *requests.get()))
        except GraphscoreError as error:
            _say("error", type(error).__name__, str(error))
        except Exception:
            _say("defect", traceback.format_exc())


def _say(*message: Any) -> None:
    # Made as a whole first: what cannot be sent leaves nothing behind.
    sys.stdout.buffer.write(pickle.dumps(message))
    sys.stdout.buffer.flush()
