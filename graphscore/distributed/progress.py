"""Progress of scoring, in a line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]
"""Is told how many of how many parts are done."""


class Line:
    """Says it on a terminal in one line that changes, elsewhere at every tenth.

    Args:
        stream: where to; standard error without.

    Example:
        >>> line = Line(sys.stdout)
        >>> for done in range(5):
        ...     line(done, 4)  # doctest: +ELLIPSIS
        0 of 4 parts
        1 of 4 parts, ... s, about ... s left
        2 of 4 parts, ... s, about ... s left
        3 of 4 parts, ... s, about ... s left
        4 of 4 parts, ... s
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self._began = time.monotonic()
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        """Say it.

        Args:
            done: parts that are done.
            total: all of them.
        """
        text = f"{done} of {total} parts"
        seconds = time.monotonic() - self._began
        if done:
            text += f", {seconds:.0f} s"
        if 0 < done < total:
            text += f", about {seconds / done * (total - done):.0f} s left"
        if self.stream.isatty():
            self.stream.write(f"\r{text:<{self._width}}")
            self._width = len(text)
        elif done * 10 // total != (done - 1) * 10 // total:
            self.stream.write(text + "\n")
        self.stream.flush()

    def end(self) -> None:
        """Leave the line as it is, if nothing more is done."""
        if self._width:
            self.stream.write("\n")
            self._width = 0
