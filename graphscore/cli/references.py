"""Several references in one operand, with commas between."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from typing import Any

from graphscore.errors import UsageError


def split(text: str, there: Callable[[str], bool]) -> tuple[str, ...]:
    """The references that an operand names.

    A name that is there wins, whatever commas are in it, and the longest one first.

    Args:
        text: what was typed.
        there: whether something has a name.

    Returns:
        One or more; what is nowhere is cut at every comma, if anything else is there.

    Raises:
        UsageError: if there is nothing between two commas.

    Example:
        >>> split("a,b,c,d", {"a,b", "d"}.__contains__)
        ('a,b', 'c', 'd')
        >>> split("a,b", set().__contains__)
        ('a,b',)
    """
    parts = text.split(",")
    found: list[str] = []
    known = False
    while parts:
        for end in range(len(parts), 0, -1):
            name = ",".join(parts[:end])
            if name and there(name):
                known = True
                break
        else:
            end, name = 1, parts[0]
        found.append(name)
        parts = parts[end:]
    if not known:
        return (text,)
    if not all(found):
        raise UsageError(f"{text}: expected a name before and after every comma")
    return tuple(found)


def is_there(operand: str) -> bool:
    """Whether there is a file, folder or match of a pattern, or it is a stream."""
    if operand == "-":
        return True
    try:
        found = os.path.exists(operand)
    except ValueError:  # A NUL.
        return False
    return found or (glob.has_magic(operand) and bool(glob.glob(operand)))


def gold_of(golds: Sequence[str]) -> Any:
    """What is scored against: a gold side, or several as references."""
    from graphscore.evaluation.options import References

    return golds[0] if len(golds) == 1 else References(*golds)
