"""Processes that start when there is something to do for them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_start_method
from typing import Any


class Workers(ProcessPoolExecutor):
    """Workers that see the files which the process sees that starts them.

    They start together with the first task: where they are copies of this process,
    they have what was imported until then.

    Args:
        number: how many.
        begin: what each begins with.
    """

    def __init__(self, number: int, begin: Callable[[], None]) -> None:
        super().__init__(number, initializer=begin)
        self._begun = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a task."""
        if self._begun:
            return super().submit(fn, *args, **kwargs)
        self._begun = True
        with _uninterrupted():
            return super().submit(fn, *args, **kwargs)

    @property
    def copied(self) -> bool:
        """Whether workers will have what is imported here now."""
        return not self._begun and get_start_method() == "fork"


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let interrupts wait: one that a worker hears before it ignores them ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
