r"""Lines of brat's standoff format, each for itself.

===========================================  ====================================
``T1<TAB>Type 0 5;8 12<TAB>words``           characters with a type
``E1<TAB>Type:T3 Role:T1 Role2:E2``          an event, its trigger and arguments
``R1<TAB>Type Arg1:T1 Arg2:T2``              a relation
``*<TAB>Equiv T1 T2 T3``                     what refers to the same
``*<TAB>Alias T1 T2 T3``                     any other relation without direction
``A1<TAB>Name T1 [value]``, ``M1...``        an attribute
``N1<TAB>Reference T1 db:id<TAB>name``       an entry of a database
``#1<TAB>AnnotatorNotes T1<TAB>note``        a note
===========================================  ====================================

>>> found = parse("T1\tPER 0 5\tJenny", 1)
>>> found.label, found.offsets, found.words
('PER', ((0, 5),), 'Jenny')
>>> parse("T1\tPER 5 0\tJenny", 1)
... # doctest: +NORMALIZE_WHITESPACE
MalformedLine(kind='T', name='T1', line=1, column=8, found='5 0',
    expected='a range from a smaller to a larger offset')
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from graphscore.exceptions import InputError, Problem
from graphscore.formats.base import Fit
from graphscore.formats.recognition import share_of
from graphscore.formats.shared.records import bytes_before, text_of
from graphscore.formats.shared.span_fields import same_words
from graphscore.formats.source import BOM, COMPRESSED, open_bytes, stem_of, suffix_of
from graphscore.model.graph import Anchor

_NAME = re.compile(r"[A-Za-z]+\d\S*")
_RANGE = re.compile(r" *(-?\d{1,18}) +(-?\d{1,18}) *")
_WORD = re.compile(r"[^ ]+")
_REPEATED = re.compile(r"(?<=\D)\d+$")

KNOWN = "a line that begins with T, E, R, A, M, N, * or #"


class MalformedLine(NamedTuple):
    """A line that cannot be read."""

    kind: str
    """The character it begins with; empty where that is none of the known ones."""
    name: str
    """Its id, as far as it can be read."""
    line: int
    column: int
    found: str
    expected: str


class Reference(NamedTuple):
    """The id of another line."""

    role: str
    """Role of the other one; empty where it is implied."""
    name: str
    column: int
    """Byte column from 1."""


class TextBound(NamedTuple):
    """Characters with a type."""

    name: str
    line: int
    label: str
    offsets: tuple[Offsets, ...]
    columns: tuple[int, ...]
    """The byte column of each range, then that of the words."""
    words: str


class Event(NamedTuple):
    """An event: a trigger and its arguments."""

    name: str
    line: int
    label: str
    trigger: Reference
    arguments: tuple[Reference, ...]


class Relation(NamedTuple):
    """A relation between its arguments."""

    name: str
    """``*`` where all of them are in it alike: such relations have no id."""
    line: int
    label: str
    arguments: tuple[Reference, ...]


class Equivalence(NamedTuple):
    """Mentions of the same thing."""

    name: str
    line: int
    members: tuple[Reference, ...]


class Attribute(NamedTuple):
    """A property of another line: an attribute, or an entry of a database."""

    name: str
    line: int
    label: str
    target: Reference
    value: str | bool
    title: str
    """Title of the entry; empty for attributes."""


class Note(NamedTuple):
    """A line for human readers."""

    line: int
    text: str


Named = TextBound | Event | Relation | Equivalence | Attribute

Parsed = Named | Note

GROUP = "*"
"""Mark in place of the id of a relation without direction."""

EQUIVALENCE = "Equiv"
"""The relation without direction that says what refers to the same."""

MEMBER = "Arg"
"""The role of everything in another relation without direction."""

NORMALIZATION = "normalization"
"""The property with the entry of a database."""


class _StopError(Exception):
    """The line cannot be read."""

    def __init__(self, at: int, found: str, expected: str) -> None:
        self.at, self.found, self.expected = at, found, expected


class _Line:
    """One line and the places in it."""

    def __init__(self, text: str, number: int) -> None:
        self.text, self.number = text, number
        self.name, tab, _ = text.partition("\t")
        self.body_at = len(self.name) + 1 if tab else len(text)
        end = text.find("\t", self.body_at)
        self.body_end = len(text) if end < 0 else end
        self.rest_at = self.body_end + 1
        self.rest = text[self.rest_at :]

    def column(self, at: int) -> int:
        """Byte column of a character, from 1."""
        return bytes_before(self.text, at) + 1

    def words(self) -> list[tuple[int, str]]:
        """The words of the second column, with their places."""
        matches = _WORD.finditer(self.text, self.body_at, self.body_end)
        return [(match.start(), match[0]) for match in matches]

    def some(self, least: int, expected: str) -> list[tuple[int, str]]:
        """At least so many words."""
        words = self.words()
        if len(words) < least:
            found = " ".join(word for _, word in words) or "nothing"
            raise _StopError(self.body_at, found, expected)
        return words

    def named(self, at: int, word: str, expected: str) -> Reference:
        """A role and an id, joined by a colon."""
        role, colon, name = word.rpartition(":")
        if not colon or not role or not name:
            raise _StopError(at, repr(word), expected)
        return Reference(role, name, self.column(at + len(role) + 1))


def base_role(role: str) -> str:
    """A role without the digits that tell its fillers apart.

    >>> base_role("Theme2"), base_role("Theme"), base_role("3")
    ('Theme', 'Theme', '3')
    """
    return _REPEATED.sub("", role)


def parse(text: str, number: int) -> Parsed | MalformedLine:
    """One line that is not blank.

    Args:
        text: the line without its end.
        number: its number.
    """
    line = _Line(text, number)
    kind = text[0]
    if kind == "#":
        return Note(number, text)
    shown = line.name if len(line.name) <= 20 else line.name[:20] + "..."
    parser = _PARSERS.get(kind)
    if parser is None or (kind == "*" and line.name != "*"):
        return MalformedLine("", "", number, 1, repr(shown), KNOWN)
    if kind != "*" and not _NAME.fullmatch(line.name):
        return MalformedLine(
            "", "", number, 1, repr(shown), f"an id such as {kind}1, a tab"
        )
    try:
        return parser(line)
    except _StopError as stop:
        column = line.column(stop.at)
        words = [word for _, word in line.words()[:1]]
        if kind == GROUP and words and words != [EQUIVALENCE]:
            kind = "R"
        return MalformedLine(kind, line.name, number, column, stop.found, stop.expected)


def _text_bound(line: _Line) -> TextBound:
    shape = "a type and offsets, as in PER 0 5"
    at, label = line.some(3, shape)[0]
    if line.rest_at > len(line.text):
        raise _StopError(len(line.text), "no third column", "a tab and the words")
    offsets: list[Offsets] = []
    columns: list[int] = []
    at += len(label) + 1
    for piece in line.text[at : line.body_end].split(";"):
        match = _RANGE.fullmatch(piece)
        if match is None:
            raise _StopError(at, repr(piece), "two offsets, as in 0 5")
        start, end = int(match[1]), int(match[2])
        if not 0 <= start < end:
            expected = "a range from a smaller to a larger offset"
            raise _StopError(at, f"{start} {end}", expected)
        offsets.append((start, end))
        columns.append(line.column(at))
        at += len(piece) + 1
    columns.append(line.column(line.rest_at))
    all_columns = tuple(columns)
    return TextBound(
        line.name, line.number, label, tuple(offsets), all_columns, line.rest
    )


def _event(line: _Line) -> Event:
    shape = "a type and a trigger, as in Attack:T1"
    (at, first), *others = line.some(1, shape)
    trigger = line.named(at, first, shape)
    arguments = tuple(
        line.named(at, word, "a role and an id, as in Agent:T1") for at, word in others
    )
    return Event(line.name, line.number, trigger.role, trigger, arguments)


def _relation(line: _Line) -> Relation:
    (_, label), *others = line.some(2, "a type and arguments, as in Heads Arg1:T1")
    arguments = tuple(
        line.named(at, word, "a role and an id, as in Arg1:T1") for at, word in others
    )
    return Relation(line.name, line.number, label, arguments)


def _group(line: _Line) -> Equivalence | Relation:
    (_, label), *others = line.some(2, "a type and ids, as in Equiv T1 T2")
    if label == EQUIVALENCE:
        members = tuple(Reference("", word, line.column(at)) for at, word in others)
        return Equivalence(line.name, line.number, members)
    shape = "an id, as in T1"
    arguments = tuple(
        line.named(at, word, shape)
        if ":" in word
        else Reference(MEMBER, word, line.column(at))
        for at, word in others
    )
    return Relation(line.name, line.number, label, arguments)


def _attribute(line: _Line) -> Attribute:
    (_, label), (at, target), *others = line.some(
        2, "a name and an id, as in Negated E1"
    )
    reference = Reference("", target, line.column(at))
    value = line.text[others[0][0] : line.body_end].rstrip(" ") if others else True
    return Attribute(line.name, line.number, label, reference, value, "")


def _normalization(line: _Line) -> Attribute:
    shape = "Reference, an id and an entry, as in Reference T1 Wikipedia:42"
    _, (at, target), (entry_at, entry), *others = line.some(3, shape)
    if others:
        raise _StopError(
            others[0][0], repr(others[0][1]), "a tab, or the end of the line"
        )
    # The shared tasks of 2013 say which is which, in either order.
    words = {"Annotation": (at, target), "Referent": (entry_at, entry)}
    for index, word in (words["Annotation"], words["Referent"]):
        role, _, name = word.partition(":")
        if role in words and name:
            words[role] = (index + len(role) + 1, name)
    at, target = words["Annotation"]
    reference = Reference("", target, line.column(at))
    value = words["Referent"][1]
    return Attribute(line.name, line.number, NORMALIZATION, reference, value, line.rest)


_PARSERS: dict[str, Callable[[_Line], Parsed]] = {
    "T": _text_bound,
    "E": _event,
    "R": _relation,
    "*": _group,
    "A": _attribute,
    "M": _attribute,
    "N": _normalization,
}


_OWN_NOTE = re.compile(r"#\w+\t\S")


def annotation_fit(lines: list[str]) -> Fit:
    """Judge whether most lines are annotations, as the grammar has them."""
    parsed = [parse(line, 1) for line in lines if line.strip()]
    bad = sum(isinstance(annotation, MalformedLine) for annotation in parsed)
    # Other formats have comments that begin alike, but no tab after an id.
    notes = [annotation for annotation in parsed if isinstance(annotation, Note)]
    others = sum(_OWN_NOTE.match(note.text) is None for note in notes)
    return share_of(len(parsed) - others - bad, bad, "are annotations of brat")


_SHOWN = re.compile(r"\S{1,4096}")
_SHORT = 1 << 12

LONGEST_TEXT = 64 * 1024 * 1024
"""A longer file is no document."""

Offsets = tuple[int, int]
"""A range as the annotations have it."""


class Counting(NamedTuple):
    """A way of counting the characters of a text file."""

    pairs: Sequence[int]
    """Offsets of line ends of two characters, if these count as one."""
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
    """The file begins with the mark."""

    def counting(
        self, annotations: Sequence[tuple[Sequence[Offsets], str]]
    ) -> Counting:
        """The way of counting that fits most annotations; else the plainest.

        Args:
            annotations: for each annotation its ranges, and the words that it says are
                there.
        """
        ways = countings(self.text, self.marked)
        if len(ways) == 1:
            return ways[0]
        fitting = [
            sum(
                self.fits([way.anchor(offsets) for offsets in r], words)
                for r, words in annotations
            )
            for way in ways
        ]
        return ways[fitting.index(max(fitting))]

    def fits(self, anchors: Sequence[Anchor], words: str) -> bool:
        """Return whether the words of an annotation are those of the text."""
        covered = sum(max(end, 0) - max(start, 0) for start, end in anchors)
        if covered <= _SHORT + 2 * len(words):
            # brat writes blanks for line ends, and puts one between parts.
            return same_words(self.words(anchors), words)
        # Of a document that every line claims as a whole, each would be a copy.
        expected = _SHOWN.finditer(words)
        left = ""
        for start, end in anchors:
            for part in _SHOWN.finditer(self.text, max(start, 0), max(end, 0)):
                rest = part[0]
                while rest:
                    if not left:
                        match = next(expected, None)
                        if match is None:
                            return False
                        left = match[0]
                    same = min(len(left), len(rest))
                    if left[:same] != rest[:same]:
                        return False
                    left, rest = left[same:], rest[same:]
        return not left and next(expected, None) is None

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
    """Return the possible paths of the text of a file of annotations.

    >>> text_paths("a/doc.ann")[:2]
    ['a/doc.txt', 'a/doc.txt.gz']
    """
    plain = str(Path(path).with_name(stem_of(path) + ".txt"))
    return [plain, *(plain + ending for ending in COMPRESSED)]


GIVEN_FILE, FOUND_FILE = ".a1", ".a2"
"""The endings of BioNLP's two files of a document: what is given, what is found."""


def halves(path: str, folder: str = "") -> tuple[str | None, str | None]:
    """Return the file that belongs before a file of annotations, and the one behind.

    Args:
        path: the file.
        folder: where what is given may be, too.

    Returns:
        The other file of the document, where there are two and it is there.

    >>> halves("no/such.a2"), halves("no/such.ann")
    ((None, None), (None, None))
    """
    ending = suffix_of(path)
    if ending == FOUND_FILE:
        return _existing_file(path, GIVEN_FILE, folder), None
    return None, _existing_file(path, FOUND_FILE) if ending == GIVEN_FILE else None


def _existing_file(path: str, ending: str, folder: str = "") -> str | None:
    """The file of another ending beside one, or in a folder, if there is one."""
    name = stem_of(path) + ending
    plain = [str(Path(path).with_name(name))]
    if folder:
        plain.append(str(Path(folder, name)))
    every = (file + more for file in plain for more in ("", *COMPRESSED))
    return next((file for file in every if isfile(file)), None)


def files_beside(path: str, folder: str = "") -> list[str]:
    """The files that belong to a file of annotations and are there: its text first.

    Args:
        path: the file of annotations.
        folder: where they may be, too.
    """
    result = (_existing_file(path, ".txt", folder), *halves(path, folder))
    return [file for file in result if file is not None]


def read_text(name: str, folder: str = "") -> Text | tuple[Problem, ...]:
    """The text beside a file of annotations, or what is wrong with it.

    Args:
        name: the file of annotations.
        folder: where the text may be, too.
    """
    path = _existing_file(name, ".txt", folder)
    if path is None:
        result, expected = "no text beside it", text_paths(name)[0]
        if suffix_of(name) == FOUND_FILE:
            expected += " (or --text with the folder that has the text and the a1)"
        if name.startswith("<"):
            result = "annotations without a place"
            expected = "a file with its text beside it"
        return (Problem(name, None, None, "", result, expected),)
    try:
        with open_bytes(path) as stream:
            data = stream.read(LONGEST_TEXT + 1)
    except InputError as error:
        return error.problems
    if len(data) > LONGEST_TEXT:
        result = f"a text of more than {LONGEST_TEXT:,} bytes"
        return (Problem(path, None, None, "", result, "the text of a document"),)
    text = text_of(data.removeprefix(BOM), path)
    return (text,) if isinstance(text, Problem) else Text(text, data.startswith(BOM))
