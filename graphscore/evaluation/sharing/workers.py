"""Workers that see the files of who starts them, here or on other machines."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphscore.evaluation.sharing.shares import Job, Portion, Share

EACH = 4
"""Shares for each worker: the last wait for each other less."""


class Readers(Executor):
    """Workers that can read the files of an evaluation themselves.

    Attributes:
        shares: into how many shares an evaluation goes that has an index of records.
        readings: by how many workers both sides are read as a whole where there is no
            index.
        indexed: the last gold side that has an index, by what it was made of.
    """

    shares: int
    readings: int
    indexed: tuple[object, Any] = (None, None)

    def share(
        self, score: Callable[..., Portion | None], job: Job, share: Share
    ) -> Future[Portion | None]:
        """Have a share of an evaluation scored.

        Args:
            score: scores a share of a job.
            job: what is scored.
            share: what part of it.
        """
        return self.submit(score, job, share)

    def leave(self, futures: Iterable[Future[Any]], interrupted: bool = False) -> None:
        """Take back what has not begun.

        Args:
            futures: what was sent.
            interrupted: whether an interrupt is why.
        """
        for future in futures:
            future.cancel()

    def tell(self, done: int, of: int) -> None:
        """Hear how many shares are done.

        Args:
            done: those that are.
            of: all of them.
        """


class Workers(Readers, ProcessPoolExecutor):
    """Processes that start when there is something to do for them.

    They start together with the first task: where they are copies of this process,
    they have what was imported until then.

    Args:
        number: how many.
        begin: what each begins with.
    """

    def __init__(self, number: int, begin: Callable[[], None]) -> None:
        super().__init__(number, initializer=begin)
        self.shares = EACH * number
        self.readings = number
        self._begun = False

    def leave(self, futures: Iterable[Future[Any]], interrupted: bool = False) -> None:
        """Take back what has not begun, unless all processes are ended at once.

        A pool that finds them ended says of each task that it failed, and cannot do so
        of one that was taken back.
        """
        if not interrupted:
            super().leave(futures)

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a task."""
        if self._begun:
            return super().submit(fn, *args, **kwargs)
        self._begun = True
        with _defer_interrupts():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Let interrupts wait: one that a worker hears before it ignores them ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
