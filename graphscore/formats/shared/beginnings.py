"""Beginnings of files, taken apart: their lines, and the first JSON object.

A beginning is cut off anywhere.  Of JSON everything is taken that stands before the
cut, so that keys count and neither their order nor how lines are broken.

>>> first_object(b'[{"a": [1, {"b": "x"}], "c": "long te')
First(fields={'a': [1, {'b': 'x'}], 'c': 'long te'}, array=True, cut=True)
>>> first_object(b"b1 REF x1") is None
True
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from graphscore.formats.base import Fit
from graphscore.formats.source import BOM

_TOKEN = re.compile(rb'[{}\[\],]|"((?:[^"\\]|\\.)*+)("?)|[^\s{}\[\],:"]++', re.DOTALL)
_TRAILING = re.compile(r"(?<![ \t])[ \t]++\n")
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")


class First(NamedTuple):
    """The first object of a file of JSON."""

    fields: dict[str, Any]
    """As much of it as can be seen."""
    array: bool
    """Whether the file is an array of such objects."""
    cut: bool
    """Whether its end cannot be seen."""


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
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # A line that is whole and right needs no patience.
        line = msgspec.json.decode(start.partition(b"\n")[0])
        if isinstance(line, dict):
            return First(line, False, False)
    array = start.startswith(b"[")
    # Arrays and objects that are open, outermost first, and the key that each is at.
    inside: list[Any] = []
    keys: list[str | None] = []
    record: dict[str, Any] | None = None
    for token in _TOKEN.finditer(start):
        text = token[0]
        if text in _CLOSING:
            keys.pop()
            if inside.pop() is record is not None:
                return First(record, array, False)
            if not inside:
                break
            continue
        if text == b",":
            keys[-1] = None
            continue
        value = _value(token)
        # What stands in no sensible place is left out.
        if inside and isinstance(inside[-1], list):
            inside[-1].append(value)
        elif inside and (key := keys[-1]) is not None:
            inside[-1].setdefault(key, value)
            keys[-1] = None
        elif inside and isinstance(value, str):
            keys[-1] = value
        if text in _OPENING:
            inside.append(value)
            keys.append(None)
            if record is None and text == b"{" and len(inside) == 1 + array:
                record = value
    return None if record is None else First(record, array, True)


def _value(token: re.Match[bytes]) -> Any:
    """What a token is or begins; nothing where it is broken."""
    if token[0] in _OPENING:
        return {} if token[0] == b"{" else []
    if token[1] is not None:
        return token[1].decode("utf-8", "replace")
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(token[0])
    return None


def share_of(good: int, bad: int, what: str, most: float = 0.9) -> Fit:
    """A fit that rests on most of the first lines.

    Args:
        good: the number of those that look right.
        bad: that of the others.
        what: what the good ones have or are, behind "of its first lines".
        most: the score if all of them do.
    """
    every = good + bad
    if good <= bad:
        why = f"only {good} of its first {every} lines {what}"
        return Fit(0.0, why, good / (every or 1))
    return Fit(most * good / every, f"{good} of its first {every} lines {what}")


@lru_cache(maxsize=2)
def text_of(head: bytes) -> str:
    """The text of a beginning, with line feeds only and no blanks before these."""
    text = head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    return _TRAILING.sub("\n", text)


def lines_in(text: str) -> list[str]:
    """The lines, without the last one if it may be cut off."""
    lines = text.split("\n")
    return lines if text.endswith("\n") or len(lines) == 1 else lines[:-1]
