"""Beginnings of files, taken apart for sniffers: lines, and the first JSON object.

A beginning is cut off anywhere.  Of JSON everything is taken that stands before the
cut, so that keys count and neither their order nor how lines are broken.

>>> first_object(b'[{"a": [1, {"b": "x"}], "c": "long te')
First(fields={'a': [1, {'b': 'x'}], 'c': 'long te'}, array=True, cut=True)
>>> first_object(b"b1 REF x1") is None
True
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.source import BOM

_DEEPEST = 12
"""What is nested deeper is passed over."""

_TOKEN = re.compile(rb'[{}\[\],]|"((?:[^"\\]|\\.)*+)("?)|[^\s{}\[\],:"]++', re.DOTALL)
_TRAILING = re.compile(r"(?<![ \t])[ \t]++\n")
_CONSTANTS: dict[bytes, Any] = {b"true": True, b"false": False, b"null": None}
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")


class First(NamedTuple):
    """The first object of a file of JSON."""

    fields: dict[str, Any]
    """As much of it as can be seen."""
    array: bool
    """Whether the file is an array of such objects."""
    cut: bool
    """Whether its end cannot be seen."""

    def has(self, key: str, kind: type) -> bool:
        """Whether a key is there, with a value of some kind."""
        return isinstance(self.fields.get(key), kind)

    def seen(self, *keys: str) -> list[str]:
        """Those of some keys that are there, in that order."""
        return [key for key in keys if key in self.fields]


class _Taken:
    """Arrays and objects on their way, outermost first."""

    def __init__(self) -> None:
        self.open: list[Any] = []
        self.keys: list[str | None] = []
        self.deep = 0
        """How many are open beyond what is kept."""

    def put(self, value: Any) -> None:
        """A value, where it belongs: what stands in no sensible place is left out."""
        if not self.open or self.deep:
            return
        inside, key = self.open[-1], self.keys[-1]
        if isinstance(inside, list):
            inside.append(value)
        elif key is not None:
            inside.setdefault(key, value)
            self.keys[-1] = None
        elif isinstance(value, str):
            self.keys[-1] = value

    def begin(self, value: Any) -> None:
        """An array or object opens."""
        if len(self.open) == _DEEPEST:
            self.deep += 1
            return
        # As a key it makes no sense; it is still passed over as a whole.
        self.put(value)
        self.open.append(value)
        self.keys.append(None)

    def end(self) -> Any:
        """One closes; gives it unless it was too deep to be kept."""
        if self.deep:
            self.deep -= 1
            return None
        self.keys.pop()
        return self.open.pop()


@lru_cache(maxsize=2)
def first_object(head: bytes) -> First | None:
    """The first object of a file of JSON, or of an array in it.

    Args:
        head: the beginning of the file.

    Returns:
        The object, or ``None`` if this is no JSON, or none with an object.
    """
    start = head.removeprefix(BOM).lstrip()
    if start[:1] not in _OPENING:
        return None
    array = start.startswith(b"[")
    taken = _Taken()
    record: dict[str, Any] | None = None
    for token in _TOKEN.finditer(start):
        text = token[0]
        if text in _OPENING:
            value: Any = {} if text == b"{" else []
            taken.begin(value)
            if record is None and value == {} and len(taken.open) == 1 + array:
                record = value if isinstance(value, dict) else None
        elif text in _CLOSING:
            closed = taken.end()
            if closed is record is not None:
                return First(record, array, False)
            if not taken.open:
                break
        elif text == b",":
            if taken.keys and not taken.deep:
                taken.keys[-1] = None
        elif token[1] is not None:
            taken.put(token[1].decode("utf-8", "replace"))
        else:
            taken.put(_number(text))
    return None if record is None else First(record, array, True)


def _number(text: bytes) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    try:
        return int(text) if len(text) < 20 else float(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None


def with_keys(score: float, *keys: str) -> Fit:
    """A fit that rests on keys of the first object."""
    named = ", ".join(map(repr, keys))
    return Fit(score, f"its first object has the key{'s' * (len(keys) > 1)} {named}")


def share_of(good: int, bad: int, what: str, most: float = 0.9) -> Fit:
    """A fit that rests on most of the first lines.

    Args:
        good: the number of those that look right.
        bad: that of the others.
        what: what the good ones have or are, behind "of its first lines".
        most: the score if all of them do.
    """
    if good <= bad:
        return NO_FIT
    every = good + bad
    return Fit(most * good / every, f"{good} of its first {every} lines {what}")


@lru_cache(maxsize=2)
def text_of(head: bytes) -> str:
    """The text of a beginning, with line feeds only and no blanks before these."""
    text = head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    return _TRAILING.sub("\n", text)


def whole_lines(text: str) -> list[str]:
    """The lines, without the last one if it may be cut off."""
    lines = text.split("\n")
    return lines if text.endswith("\n") or len(lines) == 1 else lines[:-1]


def nested(value: Any, depth: int, kind: type | tuple[type, ...]) -> bool:
    """Whether a value is lists within lists, the innermost first one of some kind.

    An empty list may be a list of anything.

    >>> nested([["a"]], 2, str), nested([[]], 2, str), nested(["a"], 2, str)
    (True, True, False)
    """
    for _ in range(depth):
        if not isinstance(value, list):
            return False
        if not value:
            return True
        value = next((each for each in value if each), value[0])
    return isinstance(value, kind)
