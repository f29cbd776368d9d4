"""What a campaign finds: exceptions that are no clear error, and work without end.

Findings are grouped by where they happened; of each group the smallest example is kept.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import NoReturn

from graphscore.exceptions import GraphscoreError

LIMIT = 10.0
"""Seconds of processor time that a case may take, however busy the machine is."""

PATIENCE = 300.0
"""Seconds by the clock after which a case is taken to wait for what never comes."""

MEMORY = 6 << 30
"""Bytes of address space that a campaign may take."""

REDUCING = 3.0
"""Seconds spent on making an example smaller."""


class OvertimeError(BaseException):
    """A case takes too long; no handler of errors may catch it."""


class UnclearError(Exception):
    """An error that does not say what it must: where, what was found."""


def _overtime(number: int, frame: FrameType | None) -> None:
    raise OvertimeError


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """Raise :class:`OvertimeError` where work takes longer than it may.

    Args:
        seconds: of processor time; :data:`LIMIT` if none.
    """
    timers = (
        (signal.SIGPROF, signal.ITIMER_PROF, LIMIT if seconds is None else seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, PATIENCE),
    )
    before = [signal.signal(number, _overtime) for number, _, _ in timers]
    for _, timer, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def limit_memory(size: int = MEMORY) -> None:
    """Let this process take no more memory than so many bytes."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def place_of(error: BaseException) -> str:
    """Where something was raised: type, and the last places in graphscore.

    Args:
        error: what was raised.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "/graphscore/" in each.filename]
    name = type(error).__name__
    if isinstance(error, OvertimeError):
        # On which line it is when time is up differs.
        return f"{name} in {' < '.join(_named(each) for each in reversed(ours[-2:]))}"
    if isinstance(error, UnclearError):
        return f"{name}: {str(error).split(':', 1)[0]}"
    return f"{name} in {' < '.join(_shown(each) for each in reversed(ours[-2:]))}"


def _named(frame: traceback.FrameSummary) -> str:
    return f"{frame.filename.rpartition('/graphscore/')[2]} {frame.name}"


def _shown(frame: traceback.FrameSummary) -> str:
    path = frame.filename.rpartition("/graphscore/")[2]
    return f"{path}:{frame.lineno} {frame.name}"


@dataclass
class Group:
    """Findings of one place."""

    place: str
    times: int = 0
    about: str = ""
    shown: str = ""
    data: bytes = b""


@dataclass
class Findings:
    """All that a campaign has found.

    Args:
        folder: where examples are written; nowhere if none.
        limit: seconds of processor time that a case may take; :data:`LIMIT` if none.
    """

    folder: Path | None = None
    limit: float | None = None
    groups: dict[str, Group] = field(default_factory=dict)
    cases: int = 0

    def attempt(self, work: Callable[[], object]) -> BaseException | None:
        """What the work raises that is no clear error, if anything.

        Args:
            work: what may succeed, or raise a ``GraphscoreError``.
        """
        try:
            with limited(self.limit), warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                work()
        except GraphscoreError:
            return None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return error
        return None

    def note(
        self,
        error: BaseException,
        about: str,
        data: bytes,
        again: Callable[[bytes], BaseException | None] | None = None,
    ) -> None:
        """Take a finding down.

        Args:
            error: what was raised.
            about: which case it was.
            data: the input.
            again: tries another input, to find a smaller one.
        """
        place = place_of(error)
        group = self.groups.setdefault(place, Group(place))
        group.times += 1
        if group.times > 1 and len(data) >= len(group.data):
            return
        group.about, group.data = about, data
        group.shown = "".join(_told(error, error.__traceback__))
        if again is not None and group.times == 1:

            def same(smaller: bytes) -> bool:
                found = again(smaller)
                return found is not None and place_of(found) == place

            if not isinstance(error, OvertimeError):
                group.data = reduced(data, same)
        self._write(group)

    def _write(self, group: Group) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        number = [*self.groups].index(group.place)
        (self.folder / f"{number:03}.input").write_bytes(group.data)
        told = f"{group.place}\n{group.about}\n\n{group.shown}"
        path = self.folder / f"{number:03}.txt"
        path.write_text(told, encoding="utf-8", errors="backslashreplace")

    def summary(self) -> str:
        """The groups, the most frequent first, and how many cases there were."""
        ranked = sorted(self.groups.values(), key=lambda each: -each.times)
        lines = [f"{g.times:>7,} {g.place}\n        {g.about}" for g in ranked]
        return "\n".join([*lines, f"{self.cases:,} cases, {len(ranked)} findings"])


def _told(error: BaseException, trace: TracebackType | None) -> list[str]:
    return traceback.format_exception(type(error), error, trace, limit=-12)


def reduced(
    data: bytes, fails: Callable[[bytes], bool], seconds: float = REDUCING
) -> bytes:
    """A smaller input that fails as well: without lines, then without bytes.

    Args:
        data: what fails.
        fails: whether an input does.
        seconds: how long to go on.
    """
    end = monotonic() + seconds
    for pieces in (data.splitlines(keepends=True), None):
        held: list[bytes] = (
            pieces if pieces is not None else [bytes([each]) for each in data]
        )
        size = max(1, len(held) // 2)
        while size and monotonic() < end:
            place = 0
            while place < len(held) and monotonic() < end:
                fewer = held[:place] + held[place + size :]
                if fails(b"".join(fewer)):
                    held = fewer
                else:
                    place += size
            size //= 2
        data = b"".join(held)
    return data


Run = Callable[[int, int | None, float | None, Path | None], Findings]
"""A campaign: seed, cases, seconds and where findings are written."""

RunAsked = Callable[
    [int, int | None, float | None, Path | None, argparse.Namespace], Findings
]
"""A campaign that has more options."""


def shared_memory() -> str | None:
    """A folder whose files are never written to a disk, if there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def asked(about: str | None, run: Run) -> NoReturn:
    """Run a campaign as the command line asks; exit code 1 if it finds anything.

    Args:
        about: what is said with ``--help``.
        run: the campaign.
    """
    asked_more(
        about,
        lambda seed, cases, seconds, folder, _: run(seed, cases, seconds, folder),
        lambda _: None,
    )


def asked_more(
    about: str | None,
    run: RunAsked,
    options: Callable[[argparse.ArgumentParser], object],
) -> NoReturn:
    """Run a campaign that has options of its own; see :func:`asked`.

    Args:
        about: what is said with ``--help``.
        run: the campaign.
        options: adds the options.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", "--cases", type=int, help="how many cases")
    parser.add_argument("--seconds", type=float, help="or how long")
    parser.add_argument("--folder", type=Path, help="where findings are written")
    options(parser)
    given = parser.parse_args()
    if given.count is None and given.seconds is None:
        given.count = 1_000
    limit_memory()
    folder = given.folder and given.folder.absolute()
    found = run(given.seed, given.count, given.seconds, folder, given)
    print(found.summary())
    raise SystemExit(bool(found.groups))
