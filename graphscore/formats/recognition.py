"""Signs by which a format is told: rows of the tables at the doors of the families.

A row is a pattern of the beginning (:class:`Begins`), the root of XML among them, keys
of the first JSON object (:class:`Keys`), or, where these do not do, a function
(:class:`Judged`).  A beginning is taken apart once for all rows.

>>> beginning = Beginning(b'{"text": "Rome", "label": [[0, 4, "LOC"]]}')
>>> Keys(0.9, every="text:s", any="label:[lo").fit(beginning).why
"its first object has the keys 'text', 'label'"
>>> explained = Beginning(beginning.head, explained=True)
>>> print(Keys(0.9, every="text:s tokens:[s").fit(explained).why)
its first object lacks 'tokens' (list of text)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

import msgspec

from graphscore.formats.base import NO_FIT, Fit, Format, late
from graphscore.formats.source import BOM

_OBJECT = r'\[?\s*\{\s*"(?:[^"\\\n]|\\.)*+"\s*+:'
"""Pattern of the beginning of JSON and nothing else."""

PROLOG = r"(?>(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|\s)*)"
"""Pattern of the text before the root of XML."""

_KINDS: dict[str, tuple[type, str]] = {
    "s": (str, "text"),
    "i": (int, "a number"),
    "l": (list, "a list"),
    "o": (dict, "an object"),
    "n": (type(None), "null"),
}
"""Letters for values in :class:`Keys`."""

_compiled = cache(re.compile)

_TOKEN = re.compile(rb'[{}\[\],]|"((?:[^"\\]|\\.)*+)("?)|[^\s{}\[\],:"]++', re.DOTALL)
_TRAILING = r"(?<![ \t])[ \t]++\n"
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")


class First(NamedTuple):
    """The first object of a file of JSON."""

    fields: dict[str, Any]
    """Fields, as many as can be seen."""
    array: bool
    """The file is an array of such objects."""
    cut: bool
    """Its end cannot be seen."""


@lru_cache(maxsize=2)
def first_object(head: bytes) -> First | None:
    """The first object of a file of JSON, or of an array in it.

    A beginning is cut off anywhere.  Everything is taken that stands before the cut,
    so that keys count and neither their order nor how lines are broken.

    Args:
        head: the beginning of the file.

    Returns:
        The object, or ``None`` if this is no JSON, or none with an object.

    Example:
        >>> first_object(b'[{"a": [1, {"b": "x"}], "c": "long te')
        First(fields={'a': [1, {'b': 'x'}], 'c': 'long te'}, array=True, cut=True)
        >>> first_object(b"b1 REF x1") is None
        True
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
    """Return the value of a token or its beginning; none where it is broken."""
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
    return re.sub(_TRAILING, "\n", text)


def lines_in(text: str) -> list[str]:
    """The lines, without the last one if it may be cut off."""
    lines = text.split("\n")
    return lines if text.endswith("\n") or len(lines) == 1 else lines[:-1]


class Beginning:
    """The first bytes of a file, taken apart as far as rows ask.

    Args:
        head: the bytes.
        explained: whether rows that do not fit say why not.
    """

    def __init__(self, head: bytes, explained: bool = False) -> None:
        self.head, self.explained = head, explained

    @cached_property
    def text(self) -> str:
        """The text without blanks before it."""
        return text_of(self.head).lstrip()

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without the last one if it may be cut off."""
        return lines_in(text_of(self.head))

    @cached_property
    def first(self) -> First | None:
        """The first object of JSON, if there is one."""
        return first_object(self.head)

    @cached_property
    def is_json(self) -> bool:
        """The text is JSON and nothing else."""
        return re.match(_OBJECT, self.text) is not None


JSON = Fit(0.0, "it begins with a JSON object")
NO_JSON = Fit(0.0, "it does not begin with a JSON object")
"""Fits of JSON for a format that is none, and the other way round."""


class Begins(NamedTuple):
    """A pattern of the text with which a file begins."""

    score: float
    """Score of a match; see :class:`~graphscore.formats.base.Fit`."""
    what: str
    """Description that completes "it begins with", or "it holds"."""
    pattern: str = ""
    """A regular expression for what stands behind a byte-order mark and blanks.
    Lines end in line feeds and have no blanks before these; ``^`` and ``$`` are the
    ends of any line."""
    holds: str = ""
    """Another one, for what must be somewhere in the first lines."""

    def fit(self, beginning: Beginning) -> Fit:
        """Return the fit of a beginning."""
        if beginning.is_json:
            return JSON
        text = beginning.text
        begins = _compiled(self.pattern, re.MULTILINE).match(text) is not None
        if begins and _compiled(self.holds, re.MULTILINE).search(text):
            verb = "begins with" if self.pattern else "holds"
            return Fit(self.score, f"it {verb} {self.what}")
        if not beginning.explained:
            return NO_FIT
        verb = "begin with" if self.pattern else "hold"
        near = 0.5 if begins and self.pattern else 0.0
        return Fit(0.0, f"it does not {verb} {self.what}", near)


class Keys(msgspec.Struct, frozen=True, dict=True):
    """Keys of the first JSON object.

    A key may be followed by a colon and the shape of its value: ``[`` for a list of
    values, ``{`` for an object with values, and letters for the innermost first value
    that is not empty, one of which it must be: text (``s``), an integer, a list, an
    object, null (``clusters:[[[i``).  What is empty may be full of anything.  ``=`` is
    followed by how a text begins (``type=bp-``).  ``a/b`` is a key within the value of
    another, ``*`` the first key, whatever it is.
    """

    score: float
    """Score of a match."""
    every: str = ""
    """Keys of which all must be there, with blanks between."""
    any: str = ""
    """Keys of which one must be there; of each group, where ``|`` separates them."""
    none: str = ""
    """Keys of which none may be there."""
    also: str = ""
    """Keys that are named where they are there."""
    cut: float | None = None
    """Score where the end of the object cannot be seen."""

    @cached_property
    def _groups(self) -> list[list[_Key]]:
        every, some = self.every.split(), self.any.split("|") if self.any else ()
        return [_keys(group) for group in (*every, *some)]

    def fit(self, beginning: Beginning) -> Fit:
        """Return the fit of a beginning."""
        first = beginning.first
        if first is None:
            return NO_JSON
        fields = first.fields
        if against := _present_keys(fields, _keys(self.none)):
            return Fit(0.0, f"its first object has the key {against[0]!r}", 0.3)
        score = self.score if self.cut is None or not first.cut else self.cut
        named: list[str] = []
        for group in self._groups:
            some = _present_keys(fields, group)
            if not some:
                score = 0.0
                break
            named += some
        if not score:
            return self._lacking_fit(fields) if beginning.explained else NO_FIT
        named += _present_keys(fields, _keys(self.also))
        if not named:
            return Fit(score, JSON.why)
        keys = ", ".join(map(repr, dict.fromkeys(named)))
        several = "s" * (", " in keys)
        return Fit(score, f"its first object has the key{several} {keys}")

    def _lacking_fit(self, fields: dict[str, Any]) -> Fit:
        """Return the fit of an object that lacks some of these keys."""
        lacking = [group for group in self._groups if not _present_keys(fields, group)]
        missing = ", ".join(
            f"{group[0].said}{' or the like' * (len(group) > 1)}" for group in lacking
        )
        near = 1 - (len(lacking) + 1) / (len(self._groups) + 1)
        return Fit(0.0, f"its first object lacks {missing or 'further keys'}", near)


class _Key(NamedTuple):
    """Conditions on a key."""

    path: list[str]
    brackets: str
    letters: str
    begins: str
    kinds: tuple[type, ...]

    def is_in(self, fields: dict[str, Any]) -> bool:
        """Return whether the key is present, with a suitable value."""
        value: Any = fields
        for step in self.path:
            if not isinstance(value, dict) or not value:
                return False
            step = next(iter(value)) if step == "*" else step
            if step not in value:
                return False
            value = value[step]
        for bracket in self.brackets:
            if not isinstance(value, list if bracket == "[" else dict):
                return False
            inside = [*value.values()] if isinstance(value, dict) else value
            if not inside:
                return True
            value = next(filter(None, inside), inside[0])
        if self.begins:
            return isinstance(value, str) and value.startswith(self.begins)
        return not self.kinds or isinstance(value, self.kinds)

    @property
    def said(self) -> str:
        """It, and what its value should be, in words."""
        kind = " or ".join(_KINDS[letter][1] for letter in self.letters)
        value = self.begins and f"{self.begins}..."
        value = value or f"{'list of ' * len(self.brackets)}{kind}"
        return f"{self.path[-1]!r}{value and f' ({value})'}"


@cache
def _keys(written: str) -> list[_Key]:
    """Keys as they are written, with blanks between."""
    keys = []
    for word in written.split():
        path, _, begins = word.partition("=")
        path, _, shape = path.partition(":")
        letters = shape.lstrip("[{")
        brackets = shape.removesuffix(letters)
        kinds = tuple(_KINDS[letter][0] for letter in letters)
        keys.append(_Key(path.split("/"), brackets, letters, begins, kinds))
    return keys


def _present_keys(fields: dict[str, Any], keys: list[_Key]) -> list[str]:
    """Those of some keys that are there, by the last part of their names."""
    return [
        key.path[-1]
        for key in keys
        if (key.path[0] in fields or key.path[0] == "*") and key.is_in(fields)
    ]


class Judged(NamedTuple):
    """A function, where no other row does; its docstring says why."""

    what: str
    """Description of the feature that completes "it has"."""
    judge: Callable[[Any], Fit | float] | str
    """Takes the lines, or the first object; gives how well they fit.  A name is that
    of a module in ``graphscore.formats`` and of a function there."""
    of_object: bool = False
    """The row applies to JSON."""
    holds: str = ""
    """A regular expression for what must be somewhere, before it is imported."""

    def fit(self, beginning: Beginning) -> Fit:
        """Return the fit of a beginning."""
        if (beginning.first is None) if self.of_object else beginning.is_json:
            return NO_JSON if self.of_object else JSON
        score: Fit | float = 0.0
        if _compiled(self.holds, re.MULTILINE).search(beginning.text):
            judge = self.judge
            if isinstance(judge, str):
                module, _, function = judge.rpartition(".")
                judge = late(f"graphscore.formats.{module}", function)
            score = judge(beginning.first if self.of_object else beginning.lines)
        if isinstance(score, Fit):
            return score
        return Fit(float(score), f"it {'has' if score else 'lacks'} {self.what}")


Sign = Begins | Keys | Judged


def fit_of(chosen: Format, beginning: Beginning | bytes) -> Fit:
    """Return the fit of a beginning to a format: that of its best row.

    Args:
        chosen: the format.
        beginning: the first bytes of a file.

    Returns:
        The fit; of what is ``explained`` that of the row that is nearest, which may
        be none and say why not.
    """
    if isinstance(beginning, bytes):
        beginning = Beginning(beginning)
    best = NO_FIT
    for sign in chosen.signs:
        fit = sign.fit(beginning)
        if beginning.explained and not best.why:
            best = fit
        near = fit.near if beginning.explained else 0.0
        if max(fit.score, near) > max(best.score, best.near):
            best = fit
    return best
