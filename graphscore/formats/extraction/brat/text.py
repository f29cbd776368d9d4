r"""The text beside a file of standoff annotations, and how its characters count.

Offsets are counted in the text file, but not by everybody alike: brat itself, like
most programs that open a file as text, takes the two characters that end a line in
Windows for one, others count both; a mark at the beginning of the file is
a character to some.  The text is kept as it is, without the mark; which way of
counting a file has is told by the words that it repeats for each annotation.

>>> as_is, as_text = countings("One\r\ntwo", False)
>>> as_is.at(5), as_text.at(4), as_text.at(3)
(5, 5, 3)
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from graphscore.errors import InputError, Problem
from graphscore.formats.shared.records import text_of
from graphscore.formats.shared.span_fields import alike
from graphscore.formats.source import BOM, COMPRESSED, open_bytes, stem_of, suffix_of
from graphscore.model.graph import Anchor

_SHOWN = re.compile(r"\S{1,4096}")
_SHORT = 1 << 12

LONGEST_TEXT = 64 * 1024 * 1024
"""A longer file is no document."""

Offsets = tuple[int, int]
"""A range as the annotations have it."""


class Counting(NamedTuple):
    """A way of counting the characters of a text file."""

    pairs: Sequence[int]
    """Where line ends of two characters are, in its own counting, if it takes them
    for one."""
    before: int
    """Characters before the text: 1 where the mark is counted."""

    def at(self, offset: int) -> int:
        """The position in the text of an offset of the annotations."""
        offset -= self.before
        return offset + bisect_left(self.pairs, offset)

    def anchor(self, offsets: Offsets) -> Anchor:
        """The characters of a range."""
        return Anchor(self.at(offsets[0]), self.at(offsets[1]))


def countings(text: str, marked: bool) -> list[Counting]:
    """All ways of counting that differ, the plainest first.

    Args:
        text: the text without a mark.
        marked: whether there was one.
    """
    ends = [match.start() - k for k, match in enumerate(re.finditer("\r\n", text))]
    ways = [(), ends] if ends else [()]
    return [Counting(pairs, mark) for mark in range(1 + marked) for pairs in ways]


class Text(NamedTuple):
    """The text of a document."""

    text: str
    """Its characters, without the mark."""
    marked: bool
    """Whether the file begins with the mark."""

    def counting(self, said: Sequence[tuple[Sequence[Offsets], str]]) -> Counting:
        """The way of counting that fits most annotations; else the plainest.

        Args:
            said: for each annotation its ranges, and the words that it says are
                there.
        """
        ways = countings(self.text, self.marked)
        if len(ways) == 1:
            return ways[0]
        fitting = [
            sum(self.fits([way.anchor(each) for each in r], words) for r, words in said)
            for way in ways
        ]
        return ways[fitting.index(max(fitting))]

    def fits(self, anchors: Sequence[Anchor], words: str) -> bool:
        """Whether the words of an annotation are those of the text."""
        covered = sum(max(end, 0) - max(start, 0) for start, end in anchors)
        if covered <= _SHORT + 2 * len(words):
            # brat writes blanks for line ends, and puts one between parts.
            return alike(self.words(anchors), words)
        # Of a document that every line claims as a whole, each would be a copy.
        said = _SHOWN.finditer(words)
        left = ""
        for start, end in anchors:
            for part in _SHOWN.finditer(self.text, max(start, 0), max(end, 0)):
                here = part[0]
                while here:
                    if not left:
                        found = next(said, None)
                        if found is None:
                            return False
                        left = found[0]
                    same = min(len(left), len(here))
                    if left[:same] != here[:same]:
                        return False
                    left, here = left[same:], here[same:]
        return not left and next(said, None) is None

    def words(self, anchors: Sequence[Anchor], most: int | None = None) -> str:
        """The characters of an annotation, its parts joined by a blank.

        Args:
            anchors: its parts.
            most: so many characters of each are enough.
        """
        return " ".join(
            self.text[max(start, 0) : end if most is None else min(end, start + most)]
            for start, end in anchors[:most]
        )


def text_paths(path: str) -> list[str]:
    """Where the text of a file of annotations may be.

    >>> text_paths("a/doc.ann")[:2]
    ['a/doc.txt', 'a/doc.txt.gz']
    """
    plain = str(Path(path).with_name(stem_of(path) + ".txt"))
    return [plain, *(plain + ending for ending in COMPRESSED)]


GIVEN, FOUND = ".a1", ".a2"
"""The endings of BioNLP's two files of a document: what is given, what is found."""


def halves(path: str, folder: str = "") -> tuple[str | None, str | None]:
    """What belongs before a file of annotations, and what behind it.

    Args:
        path: the file.
        folder: where what is given may be, too.

    Returns:
        The other file of the document, where there are two and it is there.

    >>> halves("no/such.a2"), halves("no/such.ann")
    ((None, None), (None, None))
    """
    ending = suffix_of(path)
    if ending == FOUND:
        return _there(path, GIVEN, folder), None
    return None, _there(path, FOUND) if ending == GIVEN else None


def _there(path: str, ending: str, folder: str = "") -> str | None:
    """The file of another ending beside one, or in a folder, if there is one."""
    name = stem_of(path) + ending
    plain = [str(Path(path).with_name(name))]
    if folder:
        plain.append(str(Path(folder, name)))
    every = (each + more for each in plain for more in ("", *COMPRESSED))
    return next((each for each in every if isfile(each)), None)


def beside(path: str, folder: str = "") -> list[str]:
    """The files that belong to a file of annotations and are there: its text first.

    Args:
        path: the file of annotations.
        folder: where they may be, too.
    """
    found = (_there(path, ".txt", folder), *halves(path, folder))
    return [each for each in found if each is not None]


def read_text(name: str, folder: str = "") -> Text | tuple[Problem, ...]:
    """The text beside a file of annotations, or what is wrong with it.

    Args:
        name: the file of annotations.
        folder: where the text may be, too.
    """
    there = _there(name, ".txt", folder)
    if there is None:
        found, expected = "no text beside it", text_paths(name)[0]
        if suffix_of(name) == FOUND:
            expected += " (or --text with the folder that has the text and the a1)"
        if name.startswith("<"):
            found = "annotations without a place"
            expected = "a file with its text beside it"
        return (Problem(name, None, None, "", found, expected),)
    try:
        with open_bytes(there) as stream:
            data = stream.read(LONGEST_TEXT + 1)
    except InputError as error:
        return error.problems
    if len(data) > LONGEST_TEXT:
        found = f"a text of more than {LONGEST_TEXT:,} bytes"
        return (Problem(there, None, None, "", found, "the text of a document"),)
    text = text_of(data.removeprefix(BOM), there)
    return (text,) if isinstance(text, Problem) else Text(text, data.startswith(BOM))
