"""Error handling of commands: one message, and the exit code that fits it.

A failure of the request, of an input, of the machine and of graphscore itself are
told apart; none of them has the code of a threshold that failed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

import click
from click.exceptions import Exit

from graphscore.exceptions import GraphscoreError, bounded_lines

BAD_INPUT = 3

DEFECT = 5

INTERRUPTED = 130

BROKEN_PIPE = 141

LESS = "try smaller files or fewer --jobs"

LONGEST = 300
"""Characters of an exception's own words that are shown."""

VERBOSE = "graphscore.verbose"
"""Key of a context that holds whether ``-v`` was given."""


@contextmanager
def handle_errors(ctx: click.Context | None = None) -> Iterator[None]:
    """Turn what goes wrong in here into a message and an exit code.

    Args:
        ctx: what says whether ``-v`` was given.

    Raises:
        ClickException: as click raised it; it has a message and a code.
        Exit: with the code.
    """
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except Exit:
        raise
    except click.ClickException as error:
        # It says what it was given, however long that is.
        vars(error)["message"] = _cut_message(error.message)
        raise
    except (KeyboardInterrupt, click.Abort):
        print_error("interrupted")
        raise Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _abandon(sys.stdout)
        raise Exit(BROKEN_PIPE) from None
    except Exception as error:
        if _follows_interrupt(error):
            print_error("interrupted")
            raise Exit(INTERRUPTED) from None
        code = _answer(error, ctx is not None and ctx.meta.get(VERBOSE, False))
        raise Exit(code) from None


def _follows_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is only what an interrupt became on its way.

    Python has an error of its own for what is raised while it makes a class, and what
    was broken off may not be cleaned up.
    """
    seen: set[int] = set()
    # What is raised from what it was handled by leads back to itself.
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _answer(error: Exception, verbose: bool) -> int:
    """Say what went wrong, and give its exit code."""
    from graphscore.exceptions import visible

    if isinstance(error, GraphscoreError):
        print_error(f"Error: {error}")
        return error.exit_code
    if isinstance(error, OSError):
        _abandon(sys.stdout)
        print_error(f"Error: {error}")
        return BAD_INPUT
    if isinstance(error, MemoryError):
        print_error(f"Error: out of memory; {LESS}")
        return BAD_INPUT
    if type(error).__name__ == "BrokenProcessPool":  # importing it takes a while
        print_error(f"Error: a worker process was killed, or ran out of memory; {LESS}")
        return BAD_INPUT
    file = None if verbose else _write_traceback(error)
    if file is None:
        print_message(visible(_traceback_of(error).rstrip()))
    where = "the traceback above" if file is None else f"the traceback in {file}"
    if isinstance(error, RecursionError):
        print_error(f"Error: input nested too deeply; see {where}")
        return BAD_INPUT
    from traceback import format_exception_only

    what = "".join(format_exception_only(error)).strip() or "?"
    print_error(
        f"Error: a defect of graphscore ({what.splitlines()[0][:LONGEST]}); please "
        f"report it to the project's issue tracker with {where}"
    )
    return DEFECT


def _traceback_of(error: Exception) -> str:
    """The traceback of an error, and those of worker processes."""
    from traceback import format_exception

    from graphscore.store.passwords import hidden_in

    return hidden_in("".join(format_exception(error)))


def _write_traceback(error: Exception) -> str | None:
    """The file into which a traceback was written; ``None`` if none could be."""
    import platform
    import tempfile

    with suppress(Exception):
        descriptor, name = tempfile.mkstemp(".txt", "graphscore-", text=True)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"Python {platform.python_version()}, {platform.platform()}\n")
            file.write(_traceback_of(error))
        return name
    return None


def print_error(message: str) -> None:
    """Say what went wrong, on stderr."""
    print_message(_cut_message(message))


def _cut_message(message: str) -> str:
    """A message without passwords and what would act on a terminal, and not long."""
    from graphscore.exceptions import visible
    from graphscore.store.passwords import hidden_in

    return visible(bounded_lines(hidden_in(message)))


def print_message(message: str) -> None:
    """Write a line to stderr; where nobody can, nothing is said from then on."""
    write_unless_closed(lambda: click.echo(message, err=True))


def write_unless_closed(write: Callable[[], Any]) -> None:
    """Write to stderr; that nobody reads it stops nothing.

    Args:
        write: does it.
    """
    try:
        write()
    except (OSError, ValueError):  # ValueError: a file that is closed
        _abandon(sys.stderr)


def _abandon(stream: Any) -> None:
    """Keep the interpreter from writing the rest to where nobody reads."""
    try:
        descriptor = stream.fileno()
        void = os.open(os.devnull, os.O_WRONLY)
    except (AttributeError, OSError, ValueError):
        return
    os.dup2(void, descriptor)
    os.close(void)


def mend_streams() -> None:
    """See to it that there are three standard streams, whoever started us.

    Where one is closed, the next file that is opened would take its place, and get
    what is meant for it.  Nobody reads a closed standard output: writing to it fails
    as writing to a broken pipe does.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            _open_as(number)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _open_as(number: int) -> None:
    """Open something harmless as a standard stream."""
    if number == 1:
        reading, writing = os.pipe()
        # The lowest that is free was given out, and so it is one of these.
        if writing != number:
            os.dup2(writing, number)
            os.close(writing)
        if reading != number:
            os.close(reading)
    else:
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY
        opened = os.open(os.devnull, mode)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)
    if number:
        os.set_inheritable(number, True)
        name = "stdout" if number == 1 else "stderr"
        if getattr(sys, name) is None:
            file = open(number, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, file)


AGAIN = 1.0
"""Seconds after a Ctrl-C in which another one says nothing new."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Take the first Ctrl-C for an interrupt, and one that is said again for the end.

    Those that follow at once, while what was begun is taken back, are passed over: each
    would break off another piece of that, with a traceback.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # Whoever started us does not want it heard, or hears it himself.
        return
    first: list[float] = []

    def hear(number: int, frame: object) -> None:
        if not first:
            first.append(monotonic())
            raise KeyboardInterrupt
        if monotonic() - first[0] > AGAIN:
            os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        # Python itself takes a moment to end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
