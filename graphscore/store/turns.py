"""Writers of a store take turns: one waits for another, and says for whom.

Who writes is asked of whoever knows: of the system, which holds the locks of files, or
of the server.  No file of ours tells it, so that nothing is left behind by a process
that is killed, and nothing is made beside a store.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from graphscore.exceptions import LockedError, truncate

SILENT = 0.5
"""Seconds of waiting before it is said: writers that take turns often wait briefly."""

AGAIN = 5.0
"""Seconds after which it is asked anew who writes."""

UNKNOWN = "another process"
"""The writer, where nobody tells who it is."""

Notify = Callable[[str], None]
"""Takes a sentence for the user."""

_LOCKS = "/proc/locks"

_WRITER = range(120, 121)
"""The byte of the file ``-shm`` that SQLite locks while it writes to a log."""

_WHOLE = range(0x40000000, 0x40000200)
"""The bytes of a database that SQLite locks, of which a writer has one for itself."""


@dataclass(frozen=True)
class Turns:
    """Turns of processes to write.

    Attributes:
        name: the store as its user named it, without a password.
        seconds: how long to wait; 0 not to wait.
        notify: is told for whom.
    """

    name: str
    seconds: float
    notify: Notify

    def take(self, attempt: Callable[[float], bool], writer: Callable[[], str]) -> None:
        """Take the write lock, as soon as nobody else has it.

        Args:
            attempt: tries to take the lock for so many seconds; true if it is taken.
            writer: describes who holds it now.

        Raises:
            LockedError: another process still writes when the time is up.
        """
        deadline = monotonic() + self.seconds
        if attempt(0):
            return
        notified, pause = "", SILENT
        while (left := deadline - monotonic()) > 0:
            if attempt(min(pause, left)):
                return
            pause, now = AGAIN, writer()
            if now != notified and (not notified or now != UNKNOWN):
                self.notify(f"Waiting for {now}, which is writing to {self.name} ...")
                notified = now
        now = writer()
        whom = notified if now == UNKNOWN and notified else now
        waited = f", waited {self.seconds:g} seconds for it" if self.seconds else ""
        raise LockedError(
            f"{self.name}: is locked by {whom}, which is writing to it{waited}; try "
            "again when it is done, or wait longer (--wait SECONDS, wait=)"
        )


def describe_command(words: Sequence[str]) -> str:
    """Name a program and, of this one, its command.

    Args:
        words: of a command line, an interpreter and its options included.

    Example:
        >>> describe_command(["/bin/python3", "/bin/graphscore", "ingest", "runs.db"])
        'graphscore ingest'
        >>> describe_command(["python", "-I", "-m", "graphscore", "score", "a", "b"])
        'graphscore score'
        >>> describe_command(["sqlite3", "runs.db"]), describe_command(["python"])
        ('sqlite3', 'python')
    """
    names = [os.path.basename(word) for word in words]
    rest = names
    if names and names[0].startswith(("python", "pypy")):
        rest = names[1:]
        while rest and rest[0].startswith("-") and rest[0] not in ("-c", "-m"):
            rest = rest[1:]
        if rest[:1] == ["-m"]:
            rest = rest[1:]
        if not rest or rest[0] == "-c":
            rest = names[:1]
    if rest[:1] == ["graphscore"] and rest[1:] and not rest[1].startswith("-"):
        return truncate(f"graphscore {rest[1]}", 40)
    return truncate("".join(rest[:1]), 40)


def describe_process() -> str:
    """Name this process to others, who may be on other machines."""
    command = describe_command(sys.orig_argv)
    return f"{command}, process {os.getpid()} on {platform.node()}"


def describe_writer(path: str) -> str:
    """Describe the process that writes to a store in a file.

    Args:
        path: of the file.

    Returns:
        Its number and program; :data:`UNKNOWN` where the system does not tell: it is
        not Linux, or the process runs on another machine or in another container.
    """
    for beside, offsets in (("-shm", _WRITER), ("", _WHOLE)):
        for process in _lock_holders(f"{path}{beside}", offsets):
            return f"process {process}{_program(process)}"
    return UNKNOWN


def _program(process: int) -> str:
    if process == os.getpid():
        return " (this one)"
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            words = os.fsdecode(file.read()).rstrip("\0").split("\0")
    except OSError:
        return ""
    command = describe_command(words)
    return f" ({command})" if command else ""


def _lock_holders(path: str, offsets: range) -> Iterator[int]:
    """The processes that have any of some bytes of a file for themselves."""
    try:
        file = os.stat(path)
        # Opening the file itself to ask would, in the end, let go of our own locks.
        with open(_LOCKS, encoding="ascii") as lines:
            locks = [line.split()[1:] for line in lines]
    except (OSError, ValueError):
        return
    for kind, *_, access, process, where, first, last in locks:
        # An arrow stands before a process that waits itself.
        if kind not in ("POSIX", "OFDLCK") or access != "WRITE" or int(process) <= 0:
            continue
        end = int(last) if last != "EOF" else offsets.stop
        major, minor, inode = where.split(":")
        if (
            int(inode) != file.st_ino
            or int(first) >= offsets.stop
            or end < offsets.start
        ):
            continue
        device = os.makedev(int(major, 16), int(minor, 16))
        if device == file.st_dev or _has_open(int(process), file):
            yield int(process)


def _has_open(process: int, file: os.stat_result) -> bool:
    """True if a process has a file open, whose device some systems call otherwise."""
    folder = f"/proc/{process}/fd"
    try:
        return any(
            os.path.samestat(os.stat(entry.path), file) for entry in os.scandir(folder)
        )
    except OSError:
        return False
