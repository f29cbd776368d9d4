"""Regular expressions of Python for SQLite, which end when a search does.

SQLite looks at the time and at interrupts between its own instructions, and not while
Python matches; that may take for ever, as ``(a+)+$`` does on forty letters.  Python's
matcher looks for signals, but runs handlers in the main thread alone, so a timer of the
processor's time ends a match there.  In other threads, on systems without such timers,
and where the program has one of its own, the match of one text that has begun is
finished.
"""

from __future__ import annotations

import re
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Over = Callable[[], bool]
"""Function that returns whether the time of a search is over."""

_TICK = 0.05
"""Seconds of the processor after which a match is looked at."""

_watched: dict[int, Over] = {}
"""The searches whose time is limited, by their connections."""

_matching: list[Over] = []
"""Time limit of the match under way in the main thread, if it is limited."""


class _OverError(Exception):
    """Ends a match; nobody sees it."""


def teach(raw: sqlite3.Connection) -> None:
    """Give SQLite the operator ``regexp``; it matches the whole of a text.

    Args:
        raw: a connection.
    """

    def matches(regex: str, value: str | None) -> bool | None:
        try:
            if value is None:
                return None
            over = _watched.get(id(raw))
            if over is None or not _in_main_thread():
                # ``re`` remembers what it has compiled.
                return re.fullmatch(regex, value) is not None
            try:
                _matching.append(over)
                return re.fullmatch(regex, value) is not None
            finally:
                _matching.clear()
        except (KeyboardInterrupt, _OverError):
            # What is raised in here SQLite tells nobody; this it does.
            raw.interrupt()
            return None

    raw.create_function("regexp", 2, matches, deterministic=True)


@contextmanager
def watched(raw: sqlite3.Connection, over: Over) -> Iterator[None]:
    """Have matches end when the time of a search is over.

    Args:
        raw: the connection that it is made on.
        over: whether its time is.
    """
    before = _watched.get(id(raw))
    _watched[id(raw)] = over
    try:
        _keep_time()
        yield
    finally:
        del _watched[id(raw)]
        if before is not None:
            _watched[id(raw)] = before
        _keep_time()


def _keep_time() -> None:
    """Let the timer run while there is a search to be looked at."""
    if not hasattr(signal, "setitimer"):  # pragma: no cover
        return
    # Our handler stays: a signal that is still on its way would end the process.
    if (known := signal.getsignal(signal.SIGVTALRM)) is not _look:
        # A timer that the program has for itself is left alone.
        free = known in (signal.SIG_DFL, signal.SIG_IGN)
        if not (_watched and free and _in_main_thread()):
            return
        signal.signal(signal.SIGVTALRM, _look)
    tick = _TICK if _watched else 0
    signal.setitimer(signal.ITIMER_VIRTUAL, tick, tick)


def _look(*_: object) -> None:
    if _matching and _matching[0]():
        raise _OverError


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
