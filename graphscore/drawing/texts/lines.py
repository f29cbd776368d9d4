"""A text in lines, with the place of each of its characters.

Lines break at blanks, between characters of scripts without blanks, and inside what is
longer than a line.  Words stand in the order of the text, from the left; in paragraphs
whose first letter belongs to a script that is written from the right they stand from
the right.  Words of the other direction are not reordered where spans begin or end
between them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from graphscore.drawing.svg import text_at, width_of
from graphscore.exceptions import visible

WIDTH = 700
"""Pixels of a line."""

BLANK = width_of(" ", 12000) / 1000
"""Pixels between words, however many blanks there are."""

_WORD = re.compile(r"\S+")
_PARAGRAPH = re.compile(r"[^\n]*\n?")


class Word(NamedTuple):
    """Text between blanks, or a part of it."""

    start: int
    end: int
    x: float
    """Its left edge."""
    width: float
    backwards: bool
    """Its characters run from the right."""


class Line(NamedTuple):
    """A line of a text."""

    text: str
    """The whole text, of which all numbers are places."""
    start: int
    end: int
    """Start of the next line; of the last line one more than the text has."""
    words: tuple[Word, ...]

    @property
    def backwards(self) -> bool:
        """The line is read from the right."""
        if len(self.words) == 1:
            return self.words[0].backwards
        return bool(self.words) and self.words[0].x > self.words[-1].x

    def extent(self, start: int, end: int) -> tuple[int, int] | None:
        """From which pixel to which a range of characters stands.

        Args:
            start: the first character.
            end: one past the last one.

        Returns:
            Left and right, the same where there is nothing to be seen; ``None`` if the
            range is on other lines.
        """
        first, last = max(start, self.start), min(end, self.end)
        if first >= last and not (start == end and self.start <= start < self.end):
            return None
        begins = [word.start for word in self.words]
        at = max(0, bisect_right(begins, first) - 1)
        edges: list[float] = []
        for word in self.words[at:]:
            if word.start >= last:
                break
            if word.end > first:
                edges += _within(self.text, word, first, last)
        if edges:
            return int(min(edges)), -int(-max(edges))
        x = round(self._gap(first))
        return x, x

    def _gap(self, position: int) -> float:
        """Return the coordinate of an offset that is in no word."""
        for word in self.words:
            if word.end > position:
                return word.x + (word.width if word.backwards else 0)
        if not self.words:
            return 0.0
        last = self.words[-1]
        return last.x + (0 if last.backwards else last.width)


def broken(text: str, left: int = 0, width: int = WIDTH) -> list[Line]:
    r"""A text in lines.

    Args:
        text: any; lines end where it has line ends.
        left: pixels before each line.
        width: pixels of a line.

    Returns:
        Lines with something in them.  Together they have each character once.

    Example:
        >>> text = "To be or not to be"
        >>> [text[line.start:line.end] for line in broken(text, width=60)]
        ['To be or ', 'not to be']
    """
    result: list[tuple[Word, ...]] = []
    for match in _PARAGRAPH.finditer(text):
        words: list[Word] = []
        x = 0.0
        mirrored = _from_right(match[0])
        for start, end in _pieces(text, match.start(), match.end(), width):
            wide = _wide(text[start:end])
            if words:
                blank = BLANK if start > words[-1].end else 0
                if x + blank + wide > width:
                    result.append(_placed(words, left, width, mirrored))
                    words, x = [], 0.0
                else:
                    x += blank
            words.append(Word(start, end, x, wide, _from_right(text[start:end])))
            x += wide
        if words:
            result.append(_placed(words, left, width, mirrored))
    if not result:
        return [Line(text, 0, len(text) + 1, ())]
    begins = [0, *(words[0].start for words in result[1:]), len(text) + 1]
    return [
        Line(text, begins[n], begins[n + 1], words) for n, words in enumerate(result)
    ]


def drawn_words(line: Line, y: int, borders: Collection[int]) -> Iterator[str]:
    """The words of a line.

    Each border has its exact place whatever the font: words between two of them are one
    element, as wide as it has to be.

    Args:
        line: what is drawn.
        y: its base line.
        borders: where spans begin and end.
    """
    ordered = sorted(set(borders))
    runs: list[tuple[int, int]] = []
    for word in line.words:
        cuts = [] if line.backwards else _cuts(line.text, word, ordered)
        edges = [word.start, *cuts, word.end]
        for start, end in pairwise(edges):
            if runs:
                first, last = runs[-1]
                at = bisect_left(ordered, last)
                if at == len(ordered) or ordered[at] > start:
                    runs[-1] = first, end
                    continue
            runs.append((start, end))
    if line.backwards:
        # What is no letter stands at the end, which is left.
        yield '<g direction="rtl">'
    for start, end in runs:
        if extent := line.extent(start, end):
            text = " ".join(line.text[start:end].split())
            # Ends are rounded outwards: a pixel less never lies on the next words.
            wide = max(1, extent[1] - extent[0] - 1)
            yield text_at(extent[line.backwards], y, text, width=wide)
    if line.backwards:
        yield "</g>"


def _cuts(text: str, word: Word, borders: Sequence[int]) -> list[int]:
    """Borders inside a word at which it may be cut: letters that join stay whole."""
    if word.backwards:
        return []
    inside = borders[bisect_right(borders, word.start) : bisect_left(borders, word.end)]
    return [at for at in inside if _loose(text[at - 1]) and _loose(text[at])]


def _loose(char: str) -> bool:
    """Return whether a character looks the same without its neighbors."""
    return ord(char) < 0x300 or _broad(char)


def _pieces(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces that no line breaks: words, or parts of them where necessary."""
    for match in _WORD.finditer(text, start, end):
        word = match[0]
        if not any(map(_broad, word)) and _wide(word) <= width:
            yield match.span()
            continue
        begin, wide = 0, 0.0
        for at, char in enumerate(word):
            more = _wide(char)
            whole = unicodedata.combining(char) or _joins(word, at)
            split = at and (_broad(char) or _broad(word[at - 1]))
            if at > begin and not whole and (split or wide + more > width):
                yield match.start() + begin, match.start() + at
                begin, wide = at, 0.0
            wide += more
        yield match.start() + begin, match.end()


def _joins(word: str, at: int) -> bool:
    """Return whether a character (joiner, variant, closing) needs the one before."""
    before = word[at - 1] if at else ""
    kind = unicodedata.category(word[at])
    return (
        kind in ("Mn", "Me", "Mc", "Sk", "Cf", "Pe", "Pf")
        or before == "\u200d"
        or word[at] in "、。，．！？：；"
    )


def _placed(
    words: Sequence[Word], left: int, width: int, mirrored: bool
) -> tuple[Word, ...]:
    if not mirrored:
        return tuple(word._replace(x=left + word.x) for word in words)
    return tuple(word._replace(x=left + width - word.x - word.width) for word in words)


def _within(text: str, word: Word, start: int, end: int) -> tuple[float, float]:
    """Return the coordinates of the ends of a span within a word."""
    before = _wide(text[word.start : max(start, word.start)])
    after = _wide(text[word.start : min(end, word.end)])
    if word.backwards:
        right = word.x + word.width
        return right - after, right - before
    return word.x + before, word.x + after


def _wide(text: str) -> float:
    """Pixels, not rounded."""
    return width_of(visible(text), 12000) / 1000


@lru_cache(maxsize=4096)
def _broad(char: str) -> bool:
    """Return whether lines may break on both sides of a character."""
    return unicodedata.east_asian_width(char) in "WF"


def _from_right(text: str) -> bool:
    """Return whether the first letter belongs to a right-to-left script."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("R", "AL"):
            return True
        if kind == "L":
            return False
    return False
