"""Terminals of any size, streams that are closed or full, and signals at any moment.

``python -m campaigns.terminal --seed 1 --count 200``, or ``--seconds 10``.  A verb runs
in a process of its own.  Each of its streams is a terminal of a size made up at random,
a pipe, a pipe that nobody reads, a full device, or closed; while it runs it may be
interrupted, by a signal or from the keyboard, stopped and continued, resized, ended or
hung up.  It ends with an exit code that there is, 130 where it was interrupted, or by
the signal that ends it; nothing says a traceback, nothing acts on the terminal, and no
part of a file is left behind.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import pkgutil
import re
import select
import signal
import struct
import sys
import termios
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NoReturn

import graphscore
from campaigns.arguments import BASES, fresh, workplace
from campaigns.findings import Findings, UnclearError, asked
from graphscore.cli.main import main
from tests.cli.test_terminals import _ACTS, HOSTILE, WIDE
from tests.cli.test_terminals import graph as hostile

PATIENCE = 60.0
"""Seconds by the clock in which a verb must have ended."""

CALLS: tuple[tuple[str, ...], ...] = (
    *BASES,
    ("--help",),
    ("score", "--help"),
    ("--version",),
    ("--nonsense",),
    ("score", "nowhere.mrp", "gold.mrp"),
    ("score", "odd.mrp", "odder.mrp", "--per-item"),
    ("errors", "odd.mrp", "odder.mrp"),
    ("show", "two", "odd.mrp", "odder.mrp"),
    ("convert", "odd.mrp", "-", "--to", "dot"),
    ("validate", "odd.mrp"),
    ("items", "odd.mrp", "odder.mrp"),
    ("whatif", "wire.json", "other.json"),
    ("formats",),
    ("metrics",),
)
"""What is called."""

SIZES = (0, 1, 2, 3, 7, 20, 39, 40, 79, 80, 81, 132, 500, 9_999, 65_535)
"""Lines and columns of terminals."""

STREAMS = ("terminal", "terminal", "terminal", "pipe", "broken", "full", "closed")
"""What a standard stream may be."""

EVENTS = (
    *("none", "none", "none", "interrupt", "keyboard", "terminate", "hang up"),
    *("resize", "stop"),
)
"""What may happen meanwhile."""

OURS = re.compile("\x1b\\[(?:\\?25[lh]|[0-9;]*m|2K|1A)|\r")
"""What colours, and progress that is told, write themselves."""

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"
"""The cursor goes, and comes again."""

ENDS = {"terminate": {signal.SIGTERM}, "hang up": {signal.SIGHUP}}
"""The signals that a verb may be ended by, by what happened."""


@dataclass(frozen=True)
class Case:
    """A call, its streams, and what happens.

    Args:
        words: the arguments.
        streams: what standard input, output and error are.
        size: lines and columns of the terminal.
        event: what happens.
        after: seconds until then.
        environment: what is said there of the terminal.
    """

    words: tuple[str, ...]
    streams: tuple[str, str, str]
    size: tuple[int, int]
    event: str
    after: float
    environment: dict[str, str]

    @classmethod
    def made_up(cls, chance: Random) -> Case:
        """A case."""
        words = chance.choice(CALLS)
        if words[0] in ("score", "errors", "items") and chance.random() < 0.3:
            words += (
                chance.choice(("--csv", "--json", "--markdown", "--latex", "-v")),
            )
        environment = {}
        for name, values in (
            ("TERM", ("xterm", "dumb", "", "nothing", "xterm-256color")),
            ("COLUMNS", ("", "0", "-1", "x", "33", "99999999999")),
            ("NO_COLOR", ("1", "")),
            ("FORCE_COLOR", ("1",)),
        ):
            if chance.random() < 0.3:
                environment[name] = chance.choice(values)
        first, second, third = (chance.choice(STREAMS) for _ in range(3))
        return cls(
            words,
            (first, second, third),
            (chance.choice(SIZES), chance.choice(SIZES)),
            chance.choice(EVENTS),
            chance.choice((0.0, 0.01, 0.05, 0.2)) * chance.random(),
            environment,
        )


def _child(case: Case, terminal: int, pipe: int) -> NoReturn:
    """Be the verb: nothing of the parent goes on here."""
    code, entered = 120, False
    try:
        for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        os.environ.update(case.environment)
        for place, kind in enumerate(case.streams):
            _become(place, kind, terminal, pipe)
        os.closerange(3, 256)
        _reopen()
        sys.argv = ["graphscore", *case.words]
        entered = True
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else bool(ended.code)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not entered:
            # While the interpreter starts there is nobody yet who could hear.
            code = 130
        else:
            os.write(2, f"Traceback: {error!r}".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _become(number: int, kind: str, terminal: int, pipe: int) -> None:
    """Make a standard stream what it shall be."""
    if kind == "closed":
        os.close(number)
        return
    if kind == "broken":
        reading, given = os.pipe()
        os.close(reading)
    elif kind == "full":
        given = os.open("/dev/full", os.O_RDWR)
    elif kind == "pipe":
        given = os.open(os.devnull, os.O_RDONLY) if number == 0 else pipe
    else:
        given = terminal
    os.dup2(given, number)


def _reopen() -> None:
    """Make streams of Python of the descriptors, as it does when it starts."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
            mode = "w" if number else "r"
            errors = "backslashreplace" if number == 2 else "strict"
            stream = open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        except OSError:
            stream = None
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run_one(case: Case) -> tuple[int, bytes, bytes]:
    """Run a case: how it ended, and what was shown on the terminal and in the pipe.

    Raises:
        UnclearError: if it does not end.
    """
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *case.size, 0, 0))
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _child(case, theirs, writing)
    os.close(theirs)
    os.close(writing)
    shown: dict[int, bytes] = {ours: b"", reading: b""}
    waiting = {ours, reading}
    due, end = monotonic() + case.after, monotonic() + PATIENCE
    pending = case.event != "none"
    status: int | None = None
    try:
        while status is None or waiting:
            ready, _, _ = select.select([*waiting], [], [], 0.005)
            for each in ready:
                piece = _read(each)
                shown[each] += piece
                if not piece:
                    waiting.discard(each)
            if status is None:
                done, found = os.waitpid(child, os.WNOHANG)
                status = found if done else None
            elif not ready:
                break
            if pending and status is None and monotonic() > due:
                pending = False
                _happen(case.event, child, ours, waiting)
            if status is None and monotonic() > end:
                raise UnclearError(f"without end: {case}")
    finally:
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for each in (ours, reading):
            try:
                os.close(each)
            except OSError:
                continue  # It was hung up.
    return status, shown[ours], shown[reading]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux says so when the other end is closed.
        return b""


def _happen(event: str, child: int, terminal: int, waiting: set[int]) -> None:
    """Let something happen to a verb."""
    if event == "interrupt":
        os.kill(child, signal.SIGINT)
    elif event == "keyboard":
        os.write(terminal, b"\x03")
    elif event == "terminate":
        os.kill(child, signal.SIGTERM)
    elif event == "hang up":
        waiting.discard(terminal)
        os.close(terminal)
    elif event == "resize":
        size = struct.pack("HHHH", 3, 9, 0, 0)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        os.kill(child, signal.SIGWINCH)
    else:
        os.kill(child, signal.SIGSTOP)
        os.kill(child, signal.SIGCONT)


@dataclass
class Ends(Findings):
    """Findings of this campaign, with how the verbs ended."""

    ends: dict[str, int] = field(default_factory=dict)

    def summary(self) -> str:
        """How the verbs ended, and findings."""
        told = ", ".join(f"{how} {n:,}" for how, n in sorted(self.ends.items()))
        return f"ended with {told}\n{super().summary()}"


def attack(found: Ends, case: Case) -> None:
    """Run a case, and look at how it ended and at what was shown.

    Raises:
        UnclearError: for what is not as it should be.
    """
    status, terminal, pipe = run_one(case)
    text = terminal.decode("utf-8", "replace") + pipe.decode("utf-8", "replace")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        how = signal.Signals(number).name
        if number not in ENDS.get(case.event, ()):
            raise UnclearError(f"ended by {how}: {case} {text[-500:]}")
    else:
        code = os.WEXITSTATUS(status)
        how = str(code)
        interrupted = case.event in ("interrupt", "keyboard")
        if code not in (0, 1, 2, 3, 4, 141) and not (interrupted and code == 130):
            raise UnclearError(f"exit code {code}: {case} {text[-1_000:]}")
        left = [each.name for each in Path().rglob(".*.part")]
        if left:
            raise UnclearError(f"parts of files are left: {left} {case}")
    found.ends[how] = found.ends.get(how, 0) + 1
    if "Traceback" in text:
        raise UnclearError(f"a traceback: {case} {text[-1_000:]}")
    raw = terminal.decode("utf-8", "replace")
    there = os.WIFEXITED(status) and case.event != "hang up"
    if there and raw.rfind(HIDDEN) > raw.rfind(SHOWN):
        raise UnclearError(f"no cursor: {case} {raw[-500:]!r}")
    seen = OURS.sub("", raw)
    # What is typed is shown, too.
    acts = _ACTS.search(seen.replace("^C", ""))
    if acts and acts[0] != "\ufffd":
        raise UnclearError(f"acts on the terminal: {acts[0]!r} {case} {seen[:500]!r}")


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Ends:
    """A campaign; see :func:`campaigns.inputs.run`."""
    found = Ends(folder)
    end = None if seconds is None else monotonic() + seconds
    for each in pkgutil.walk_packages(graphscore.__path__, "graphscore."):
        # What a verb imports is imported once, not in every process.
        if each.name.startswith(("graphscore.cli", "graphscore.eval")):
            importlib.import_module(each.name)
    made: Any = hostile
    with workplace() as place:
        for name, label in (("odd", WIDE + HOSTILE), ("odder", HOSTILE)):
            lines = (json.dumps(made(i, label)) + "\n" for i in (HOSTILE, "two"))
            (place / "kept" / f"{name}.mrp").write_text("".join(lines))
        while cases is None or found.cases < cases:
            if end is not None and monotonic() > end:
                break
            case = Case.made_up(Random(f"{seed}/{found.cases}"))
            fresh(place)
            error = found.attempt(lambda c=case: attack(found, c))  # type: ignore[misc]
            if error is not None:
                about = f"seed {seed} case {found.cases}: {case}"
                found.note(error, about[:500], about.encode("utf-8", "replace"))
            found.cases += 1
    return found


if __name__ == "__main__":
    asked(__doc__, run)
