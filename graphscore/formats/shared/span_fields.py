"""Fields of a span of characters besides its range: its types, and its own text.

Programs keep the type of a span under many keys; a span may have several.

>>> types_of({"start": 0, "end": 5, "entity_group": "PER"}, "Jenny")
Types(key='entity_group', values=('PER',))
>>> types_of({"start": 0, "end": 5, "labels": ["PER", "MALE"]}, "Jenny").values
('PER', 'MALE')

Its own text is the only witness of wrong offsets.

>>> print(*text_mismatch("Petra", 7, 12, "Yes 🎉 Petra won"))
'Petra' 'etra ', the characters 7 to 12 of the text (counted in UTF-16 units, as \
JavaScript does, the range fits: subtract from both offsets the number of characters \
beyond U+FFFF before them)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from graphscore.duplicates import shown
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TYPE_KEYS,
    USUAL,
    Tag,
    read_tag,
)

if TYPE_CHECKING:
    from graphscore.formats.shared.json_lines import JsonLine

TEXT = "text"
"""The key of a span's own text."""

WORDS = ("word", "surface", "surface_form", "mention_text", "span_text", "string")
"""Keys under which programs put the words of a span as they have them, which may be
those of a tokenizer."""

SURFACE = frozenset({"entity", "name"})
"""Keys of a type that may have the words of the span instead."""

SHOWN = 40
"""Characters of a text that messages show."""


class Types(NamedTuple):
    """The types of a span, and the key that they stand under."""

    key: str
    """Key; empty where there is none."""
    values: tuple[Any, ...]
    """Values as written, which should be strings."""


def types_of(fields: Mapping[Any, Any], words: str | None) -> Types:
    """Return the types of a span.

    Args:
        fields: the span.
        words: the text that it covers, where that is known.
    """
    for key in TYPE_KEYS:
        value = fields.get(key)
        if value in (None, "", [], ()) or (key in SURFACE and value == words):
            continue
        return Types(key, tuple(value) if isinstance(value, list | tuple) else (value,))
    return Types("", ())


def other_types(fields: Mapping[Any, Any], types: Types) -> tuple[str, str] | None:
    """Return another key of a span that may have its type, and what it has.

    Args:
        fields: the span.
        types: its types, as :func:`types_of` gave them.

    Example:
        >>> span = {"start": 0, "end": 5, "type": "span", "tag": "PER"}
        >>> other_types(span, types_of(span, "Jenny"))
        ('tag', "'PER'")
    """
    for key in TYPE_KEYS:
        value = fields.get(key)
        if key == types.key or key in SURFACE or not isinstance(value, str):
            continue
        if value and value not in types.values:
            return key, quote_beginning(value)
    return None


def text_mismatch(own: str, start: int, end: int, text: str) -> tuple[str, str] | None:
    """Return what was found and expected, if a span's own text is not what it covers.

    White space aside, and however its characters are composed.

    Args:
        own: the text that it says itself.
        start: the first character of its range.
        end: one past the last.
        text: the annotated text.
    """
    covered = text[start:end]
    if same_words(own, covered):
        return None
    expected = (
        f"{quote_beginning(covered)}, the characters {start} to {end} of the text"
    )
    return quote_beginning(own), expected + counting_hint(own, start, end, text)


def counting_hint(own: str, start: int, end: int, text: str) -> str:
    """Return how to convert a range that fits in UTF-16 units; nothing otherwise.

    Args:
        own: the text that the span says itself.
        start: the first character of its range.
        end: one past the last.
        text: the annotated text.
    """
    if text.isascii():
        return ""
    units = _units(text)[2 * start : 2 * end].decode("utf-16-le", "replace")
    if not same_words(own, units):
        return ""
    return (
        " (counted in UTF-16 units, as JavaScript does, the range fits: subtract from "
        "both offsets the number of characters beyond U+FFFF before them)"
    )


def same_words(left: str, right: str) -> bool:
    r"""Return whether words are the same, white space aside.

    >>> same_words("New\nYork", "New York"), same_words("New York", "Newark")
    (True, False)
    """
    if left == right:
        return True
    bare = ("".join(words.split()) for words in (left, right))
    first, second = (
        words if words.isascii() else normalize("NFC", words) for words in bare
    )
    return first == second


def quote_beginning(text: str) -> str:
    """Return the beginning of a text in quotes."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def usual_tag(line: JsonLine, where: str, value: Any) -> Tag:
    """Read a tag such as ``B-PER``; outside, and a problem, where it is none.

    Args:
        line: the record.
        where: the place of the tag.
        value: what stands there.
    """
    tag = read_tag(USUAL, value) if isinstance(value, str) else None
    if tag is None:
        line.add(where, shown(value), USUAL.expected)
    return tag or OUTSIDE


class Units:
    """Positions of the characters of a text in UTF-16 units.

    Args:
        text: the text.

    Example:
        >>> units = Units("🎉 a")
        >>> units.character(3), units.character(1), units.unit(2)
        (2, None, 3)
    """

    def __init__(self, text: str) -> None:
        self._starts = [0, *accumulate(1 + (char > "\uffff") for char in text)]

    def unit(self, index: int) -> int:
        """Return the unit with which a character begins."""
        return self._starts[index]

    def character(self, unit: int) -> int | None:
        """Return the character that begins with a unit; nothing within or beyond."""
        index = bisect_left(self._starts, unit)
        fits = index < len(self._starts) and self._starts[index] == unit
        return index if fits else None


@lru_cache(maxsize=2)
def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
