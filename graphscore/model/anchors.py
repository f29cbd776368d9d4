"""Anchors as sets of characters.

Two nodes are anchored alike when their anchors cover the same characters, not
when their ranges are written alike.  A set of characters is held as a Python
integer whose bit *k* stands for character *k*: union, comparison and hashing
are single operations, at any length of text.

The way from ranges to a set (Oepen et al. 2019, "Anchoring"; mtool 4cee3a2,
``graph.py`` lines 84 to 134 and ``score/core.py``):

1. touching or overlapping ranges are united;
2. punctuation and white space are trimmed from both ends, of each united range
   (``trim="range"``, what the official scorer does) or of the whole set
   (``trim="anchor"``, the published wording);
3. white space never counts.

>>> text = "Pierre Vinken, 61"
>>> spans(characters([Anchor(0, 14)], text))
[(0, 6), (7, 13)]
>>> characters([Anchor(0, 14)], text) == characters([Anchor(0, 6), Anchor(7, 13)], text)
True
>>> characters([Anchor(13, 14)], text)
0
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from graphscore.model.frameworks import ANCHORS
from graphscore.model.graph import Anchor

Trim = Literal["range", "anchor"]

PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
"""Characters that the official scorer trims from the ends of an anchor."""

_BLANK = re.compile(r"\s")
_VISIBLE = re.compile(r"\S")
_RUN = re.compile(r"\S+")
_DIGITS = bytes(48 if _BLANK.match(chr(each)) else 49 for each in range(256))
"""For each byte of ASCII text the digit that says whether it is visible."""


def visible_characters(text: str) -> int:
    """The set of all characters of *text* that are not white space.

    >>> bin(visible_characters("ab c"))
    '0b1011'
    """
    if not text:
        return 0
    if text.isascii():
        return int(text.encode().translate(_DIGITS)[::-1], 2)
    return int(_BLANK.sub("0", _VISIBLE.sub("1", text))[::-1], 2)


class SharedAnchors(dict[tuple[int, int], Anchor]):
    """Ranges by their ends, the same for all sentences that are not long.

    Tokens are many: none is made twice, and the garbage collector has few to look at.
    """

    def __missing__(self, ends: tuple[int, int]) -> Anchor:
        anchor = Anchor(*ends)
        if len(self) < CACHED:
            self[ends] = anchor
        return anchor


CACHED = 1 << 16
"""Distinct ranges that are remembered."""

anchor_of = SharedAnchors().__getitem__
"""Takes first character and end of a range."""


def unite(anchors: Iterable[Anchor]) -> list[tuple[int, int]]:
    """Maximal ranges covered by *anchors*, sorted; empty ranges vanish.

    A range that begins before the text is cut off at its beginning.

    >>> unite([Anchor(3, 5), Anchor(0, 3), Anchor(8, 9), Anchor(8, 8)])
    [(0, 5), (8, 9)]
    """
    united: list[tuple[int, int]] = []
    for start, end in sorted(anchors):
        if start < 0:
            # No reader lets it through, a graph made by hand may have it.
            start = 0
        if start >= end:
            continue
        if united and start <= united[-1][1]:
            if end > united[-1][1]:
                united[-1] = (united[-1][0], end)
        else:
            united.append((start, end))
    return united


def visible_ranges(
    anchors: Sequence[Anchor], text: str, ends: bool = False
) -> tuple[tuple[int, int], ...]:
    """Ranges of the characters of *anchors* that are no white space.

    Anchors that differ in white space alone have the same.  What covers nothing else
    keeps its united ranges, and so does what is not within the text.

    Args:
        anchors: ranges of *text*, in any order.
        text: the annotated text; without one (``""``) all positions count.
        ends: whether white space at the ends of a range counts all the same.

    Example:
        >>> visible_ranges([Anchor(0, 14)], "Pierre Vinken, 61")
        ((0, 6), (7, 14))
        >>> visible_ranges([Anchor(7, 13), Anchor(0, 7)], "Pierre Vinken, 61")
        ((0, 6), (7, 13))
    """
    if len(anchors) == 1:
        # Most mentions are one word, or some with one blank between each two.
        [(start, end)] = anchors
        covered = text[start:end]
        words = covered.split()
        if start >= 0 and len(covered) == end - start:
            if words == [covered]:
                return ((start, end),)
            if words and " ".join(words) == covered:
                return _one_after_another(start, words)
    ranges = unite(anchors) or [(start, end) for start, end in anchors]
    if not text or any(end > len(text) for _, end in ranges):
        return tuple(ranges)
    result: list[tuple[int, int]] = []
    for start, end in ranges:
        runs = [run.span() for run in _RUN.finditer(text, start, end)]
        if ends:
            runs = runs or [(start, end)]
            runs[0] = start, runs[0][1]
            runs[-1] = runs[-1][0], end
        result += runs
    return tuple(result or ranges)


def _one_after_another(start: int, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Ranges of words that begin at a position, each a blank behind the last."""
    ranges = []
    for word in words:
        end = start + len(word)
        ranges.append((start, end))
        start = end + 1
    return tuple(ranges)


def trimmed_ranges(anchors: Iterable[Anchor], text: str) -> list[tuple[int, int]]:
    """The united ranges of *anchors*, each without punctuation at its ends.

    A range of punctuation only is left as an empty range at its end, so that it
    still says where it was.

    Args:
        anchors: ranges of *text*, in any order.
        text: the annotated text; without one (``""``) nothing can be trimmed.

    >>> trimmed_ranges([Anchor(8, 14), Anchor(0, 6)], "Pierre Vinken, 61")
    [(0, 6), (8, 13)]
    >>> trimmed_ranges([Anchor(13, 14)], "Pierre Vinken, 61")
    [(14, 14)]
    """
    ranges = unite(anchors)
    if not text:
        return ranges
    limit = len(text)
    result = []
    for start, end in ranges:
        start, end = min(start, limit), min(end, limit)
        while start < end and text[start] in PUNCTUATION:
            start += 1
        while end > start and text[end - 1] in PUNCTUATION:
            end -= 1
        result.append((start, end))
    return result


def characters(
    anchors: Sequence[Anchor],
    text: str,
    trim: Trim = "range",
    visible: int | None = None,
) -> int:
    """The set of characters that *anchors* stand for.

    Args:
        anchors: ranges of *text*, in any order.
        text: the annotated text; without one (``""``) nothing can be trimmed
            and all positions count.
        trim: where punctuation is taken off, see the module's text.
        visible: ``visible_characters(text)`` where the caller has it already.

    Returns:
        An integer with one bit a character; 0 is the empty set.
    """
    if not text:
        return sum((1 << end) - (1 << start) for start, end in unite(anchors))
    if trim == "range":
        result = 0
        for start, end in trimmed_ranges(anchors, text):
            result |= (1 << end) - (1 << start)
    else:
        result = _trimmed_whole(unite(anchors), text)
    return result & (visible_characters(text) if visible is None else visible)


def _trimmed_whole(ranges: list[tuple[int, int]], text: str) -> int:
    positions = [
        position
        for start, end in ranges
        for position in range(start, min(end, len(text)))
    ]
    first, last = 0, len(positions)
    while first < last and text[positions[first]] in PUNCTUATION:
        first += 1
    while last > first and text[positions[last - 1]] in PUNCTUATION:
        last -= 1
    return sum(1 << position for position in positions[first:last])


def spans(members: int) -> list[tuple[int, int]]:
    """Maximal ranges of a character set, for people to read.

    >>> spans(0b1011)
    [(0, 2), (3, 4)]
    """
    result = []
    position = 0
    while members:
        gap = (members & -members).bit_length() - 1
        members >>= gap
        length = (~members & (members + 1)).bit_length() - 1
        result.append((position + gap, position + gap + length))
        position += gap + length
        members >>= length
    return result


TEXTS = 64
"""Texts whose places are remembered: more than a batch of pairs has."""

LONGEST = 2000
"""Characters of a text beyond which its places are not remembered."""

PLACES = 500
"""Places that are remembered of a text."""


class AnchorKeys(dict[tuple[int, int], tuple[int, int]]):
    """The key of each single range of a text: the characters that it stands for.

    Both sides of a pair have one text, and much of it is annotated alike.

    >>> AnchorKeys("Dogs bark.")[5, 10] == (ANCHORS, 0b111100000)
    True

    Args:
        text: the text.
    """

    __slots__ = ("text", "visible")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.visible = text, visible_characters(text)

    def __missing__(self, key: tuple[int, int]) -> tuple[int, int]:
        (start, end), text = key, self.text
        size = len(text)
        if not 0 <= start < end <= size:
            start = max(start, 0)
            if text:
                start, end = min(start, size), min(end, size)
        while start < end <= size and text[start] in PUNCTUATION:
            start += 1
        while size >= end > start and text[end - 1] in PUNCTUATION:
            end -= 1
        members = (1 << end) - (1 << start) if start < end else 0
        result = ANCHORS, members & self.visible if text else members
        if len(self) < PLACES:
            self[key] = result
        return result


_texts: dict[str, AnchorKeys] = {}


def places_of(text: str) -> AnchorKeys:
    """The places of a text."""
    if len(text) > LONGEST:
        return AnchorKeys(text)
    result = _texts.get(text)
    if result is None:
        if len(_texts) >= TEXTS:
            _texts.clear()
        result = _texts[text] = AnchorKeys(text)
    return result
