r"""Files that people write for graphscore: lines with columns, and TOML.

Words, hierarchies, decisions, documents, inventories, rules: each says in words of its
own what it expects.  What they have in common is here: which lines count and what their
numbers are, and where TOML is broken.

>>> list(rows("# of instruments\nBOMB\tEXPLOSIVE\n\nDYNAMITE\tBOMB\n", comment="#"))
[(2, ['BOMB', 'EXPLOSIVE']), (4, ['DYNAMITE', 'BOMB'])]
>>> tables("types = ['pers']")
{'types': ['pers']}
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from typing import Any, Literal

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class BrokenError(ValueError):
    r"""TOML that cannot be read.

    Args:
        error: what the parser says.

    Attributes:
        kind: whether it is no TOML, has brackets in brackets without end, or a
            number of too many digits.
        said: what the parser says, without the place.
        line: where, from 1; ``None`` where it does not say.
        column: likewise.

    Example:
        >>> try:
        ...     tables("a = 1\nb = [x]")
        ... except BrokenError as error:
        ...     error.kind, error.said, error.line, error.column
        ('syntax', 'Invalid value', 2, 6)
    """

    def __init__(self, error: Exception) -> None:
        # Few commands read TOML.
        import tomllib

        super().__init__(str(error))
        self.kind: Literal["syntax", "depth", "digits"] = "digits"
        if isinstance(error, RecursionError):
            self.kind = "depth"
        elif isinstance(error, tomllib.TOMLDecodeError):
            self.kind = "syntax"
        location = _PLACE.search(str(error))
        self.said = str(error)[: location.start()] if location else str(error)
        self.line = int(location[1]) if location else None
        self.column = int(location[2]) if location else None


def tables(text: str) -> dict[str, Any]:
    """Parse TOML.

    Args:
        text: all of the file.

    Raises:
        BrokenError: if it is none, or goes beyond what Python can hold.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not only TOML's own errors: numbers of too many digits are no numbers.
        raise BrokenError(error) from None


def rows(
    text: str, separator: str = "\t", comment: str = ""
) -> Iterator[tuple[int, list[str]]]:
    """The columns of every line that says something.

    Args:
        text: all of the file.
        separator: a regular expression for what stands between columns.
        comment: what lines begin with that say nothing, as empty ones do.

    Yields:
        The number of a line, from 1, and its columns.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not (comment and line.startswith(comment)):
            yield number, re.split(separator, line)


def content_of(path: str, most: int = -1) -> bytes:
    """All bytes of a file that a metric reads; those of a pipe are read once.

    Metrics are made several times of one name, and each time ask what the file says
    now.  A pipe is empty then: what it said counts until somebody writes to it again.

    Args:
        path: a file or pipe.
        most: no more bytes than these; by default all.

    Raises:
        OSError: if it cannot be read.
    """
    if stat.S_ISFIFO(os.stat(path).st_mode) and _state(path) in _SAID:
        return _SAID[_state(path)]
    with open(path, "rb") as file:
        content = file.read(most)
    if stat.S_ISFIFO(os.stat(path).st_mode):
        # Whoever wrote has written all of it, and changed the time of the pipe.
        _SAID[_state(path)] = content
    return content


def _state(path: str) -> object:
    result = os.stat(path)
    return result.st_dev, result.st_ino, result.st_mtime_ns, result.st_ctime_ns


_SAID: dict[object, bytes] = {}
"""Cache of the content of pipes that metrics read."""
