"""Work in other processes that have imported all that this one has."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from typing import NamedTuple

NOBODY = 65_534
"""A user who is not root."""


class Child(NamedTuple):
    """A process that works."""

    pid: int
    said: int
    """Where it writes why it failed."""


def started(work: Callable[[], object], user: int | None = None) -> Child:
    """Begin work in another process.

    Args:
        work: it fails by raising.
        user: who works, if root works here; else who works here.
    """
    said, tells = os.pipe()
    pid = os.fork()
    if pid:
        os.close(tells)
        return Child(pid, said)
    code = 1
    try:
        if user is not None and os.getuid() == 0:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        work()
        code = 0
    except BaseException:
        os.write(tells, traceback.format_exc().encode()[-4_000:])
    finally:
        os._exit(code)


def ended(child: Child) -> str:
    """Wait for work: why it failed; empty if it did not."""
    with os.fdopen(child.said, "rb") as stream:
        why = stream.read().decode()
    _, status = os.waitpid(child.pid, 0)
    return why or ("" if status == 0 else f"status {status}")
