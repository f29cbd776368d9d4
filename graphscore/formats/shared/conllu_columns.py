"""The columns of CoNLL-U and its variants, and where words stand in the text.

The first line of a file of CoNLL-U Plus is ``# global.columns =`` and names
(https://universaldependencies.org/ext-format.html); names may have a prefix and a
colon.  Universal PropBank 2 has ``UP:PRED``, ``UP:ARGHEADS`` and ``UP:ARGSPANS``, of
other projects the prefixes differ.

>>> columns = columns_of("ID FORM UP:PRED UP:ARGHEADS UP:ARGSPANS")
>>> columns.ten[:3], columns.roles
((0, 1, -1), (2, 3, 4))
>>> columns_of("ID FORM LEMMA") is None
True

A sentence says its text in a comment, or leaves it to be put together from the
forms and ``SpaceAfter=No``, as it is where the comment says another text.  Either
way the tokens stand in it one after the other: words that are in no multiword token,
and multiword tokens.

>>> rows = ["1-2 don't", "1 do", "2 n't", "2.1 _", "3 go"]
>>> rows = [row.split() + ["_"] * 7 + ["_"] for row in rows]
>>> join_forms(rows, {0: 2})
"don't go"
>>> anchors, _ = anchor_forms(rows, {0: 2}, "don't go")
>>> [spans[0][:] if spans else None for spans in anchors]
[(0, 5), (0, 2), (2, 5), None, (6, 8)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from graphscore.formats.shared.columns import Block, Lines
from graphscore.model.graph import Anchor, NodeId

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS"),
    "MISC",
)
"""The ten of CoNLL-U."""

ROLES = ("PRED", "ARGHEADS", "ARGSPANS")
"""Predicates, the heads of their arguments, and their spans."""

GLOBAL = "global.columns"

ENTITY_FIELDS = "global.Entity"
"""The comment that says which fields a mention has."""

_DECLARED = re.compile(r"# *global\.columns *= *(.*)")
_ALIKE = {"PREDS": "PRED", "FEAT": "FEATS"}
"""Spellings that are found, too."""

SKELETON = "words, which the script of the release fills in from its treebank"
"""Expectation for a sentence whose words are left out for their licence."""

LOOKED_AT = 5
"""Lines at the beginning that may declare columns."""


class Columns(NamedTuple):
    """The columns of a file."""

    names: tuple[str, ...]
    """Names of the columns, as written."""
    ten: tuple[int, ...]
    """Indexes of the ten of CoNLL-U; -1 for one that is absent."""
    roles: tuple[int, ...]
    """Indexes of predicates, heads and spans; -1 for one that is absent."""


def columns_of(declared: str) -> Columns | None:
    """Columns with semantic roles.

    Args:
        declared: names with blanks between.

    Returns:
        Where they are; ``None`` if there is no id, no predicate, or neither heads
        nor spans.
    """
    names = declared.split()
    last = [name.rpartition(":")[2].upper() for name in names]
    known = [_ALIKE.get(name, name) for name in last]
    ten, roles = (
        tuple([known.index(name) if name in known else -1 for name in columns])
        for columns in (COLUMNS, ROLES)
    )
    if ten[0] < 0 or roles[0] < 0 or max(roles[1:]) < 0:
        return None
    return Columns(tuple(names), ten, roles)


def declared_in(text: str) -> str | None:
    """Return the columns that the first lines of a file declare.

    Args:
        text: its beginning.
    """
    for line in text.split("\n", LOOKED_AT)[:LOOKED_AT]:
        match = _DECLARED.fullmatch(line.rstrip())
        if match:
            return match[1]
    return None


def columns_in(text: str) -> Columns | None:
    """The columns that a file declares, if they have semantic roles.

    Args:
        text: its beginning.
    """
    declared = declared_in(text)
    return None if declared is None else columns_of(declared)


NO_SPACE = "SpaceAfter=No"


OTHER_TEXT = "a comment # text that does not have the words"
"""Note on a text that is not that of the forms."""


SHOWN = 20
"""Characters of a text that are shown where it does not fit."""


Row = Sequence[str]


NEW_DOCUMENT = "newdoc id"
"""The comment that says which document begins."""


class Mismatch(NamedTuple):
    """A form that does not stand where it should."""

    row: int
    """The row where this was seen."""
    found: str
    """Form found."""
    expected: str
    """Text expected."""


class Words(Block):
    """A sentence with the columns of CoNLL-U on its way to a graph.

    Args:
        name: the file.
        line: the number of its first line.
        raw: its lines.
        framework: its framework, if it is known.
    """

    def __init__(self, name: str, line: int, raw: Lines, framework: str = "") -> None:
        super().__init__(name, line, raw, framework)
        self.comments: list[str] = []
        """Those above the words."""
        self.values: dict[str, str] = {}
        """Values of comments by their keys, the first one of each."""
        self.document: str | None = None
        """The document that begins here, empty where it has no name."""
        self.stated: str | None = None
        """Its text, as far as a comment says it."""
        self.rows: list[list[str]] = []
        self.row_lines: Sequence[int] = []
        self.words = 0
        self.ids: dict[str, NodeId] = {}
        """Words and empty nodes by what the file calls them."""
        self.multiword: dict[int, int] = {}
        """Rows of multiword tokens, with their last word's number."""
        self.contradicted = False
        """A comment has another text than the words."""

    def cell(self, line: int, column: int, found: str, expected: str) -> None:
        """Note a problem of a cell; line and column are counted from 0."""
        self.at(line, column, COLUMNS[column], found, expected)

    def read_comments(self) -> None:
        """Take id, text and document from the comments above the words."""
        values = self.values
        for line in self.lines:
            if not line.startswith("#"):
                break
            self.comments.append(line)
            key, value = comment_parts(line)
            if value is not None:
                values.setdefault(key, value)
            elif key == "newdoc":
                self.document = ""
        self.document = values.get(NEW_DOCUMENT, self.document)
        self.item, self.stated = values.get("sent_id", ""), values.get("text")

    def whole_rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield lines by their number, from 0, with their columns, the ten first.

        What is wrong with the shape of others is noted.
        """
        raise NotImplementedError

    def read_rows(self) -> None:
        """Take the columns of all lines, and check what words are called."""
        ids, rows, row_lines = self.ids, self.rows, list[int]()
        self.row_lines = row_lines
        # Numbers of the last word, and of the last one of a multiword token.
        inside = 0
        for number, row in self.whole_rows():
            name, words = row[0], self.words
            if name == str(words + 1):
                self.words = ids[name] = words + 1
            elif "-" in name:
                start, _, end = name.partition("-")
                begins = start == str(words + 1) and words >= inside
                if begins and _at_least(end, start):
                    self.multiword[len(rows)] = inside = int(end)
                else:
                    expected = f"a range of words that begins with {words + 1}"
                    if words < inside:
                        expected = f"a word, as this token ends with {inside}"
                    self.cell(number, 0, repr(name), expected)
            elif "." in name:
                start, _, end = name.partition(".")
                if start != str(words) or not _at_least(end, "1") or name in ids:
                    expected = f"an empty node's own id after {words}"
                    self.cell(number, 0, repr(name), expected)
                ids[name] = name
            else:
                self.cell(number, 0, repr(name), f"the id {words + 1}")
                self.words += 1
            rows.append(row)
            row_lines.append(number)
        if inside > self.words:
            number = self.row_lines[max(self.multiword)]
            found = f"a token up to word {inside}"
            self.cell(number, 0, found, f"at most the last word, {self.words}")
        if not rows and not self.problems:
            self.add("", "comments without words", "words after comments")

    def word_anchors(self) -> list[tuple[Anchor, ...]]:
        """Return the anchors of every row's form in the text; none for empty nodes.

        The text is made of the forms where no comment says it, or says another one,
        which is noted.
        """
        text = self.stated
        # A single word may be an underscore.
        first = self.rows[0]
        if (first[1] == "_" or "." in first[0]) and self._is_skeleton():
            self.cell(self.row_lines[0], 1, "'_' of all words", SKELETON)
            self.pass_over("sentences without words (skeletons)", absent=True)
        if text is not None:
            result, mismatch = anchor_forms(self.rows, self.multiword, text)
            if mismatch is None:
                return result
            self._mismatch(mismatch)
            self.pass_over(OTHER_TEXT)
            self.contradicted = True
        self.stated = join_forms(self.rows, self.multiword)
        result, mismatch = anchor_forms(self.rows, self.multiword, self.stated)
        if mismatch is not None:
            self._mismatch(mismatch)
        return result

    def _is_skeleton(self) -> bool:
        """Return whether there are several words, all of them underscores."""
        forms = [row[1] for row in self.rows if "." not in row[0]]
        return len(forms) > 1 and {*forms} == {"_"}

    def _mismatch(self, mismatch: Mismatch) -> None:
        """Note a form that is not in the text."""
        line = self.row_lines[mismatch.row]
        self.cell(line, 1, mismatch.found, mismatch.expected)


def _tokens(
    rows: Sequence[Row], multiword: Mapping[int, int]
) -> Iterable[tuple[int, Row]]:
    """Return the rows of tokens with their positions.

    Args:
        rows: the columns of all rows, word ids in order.
        multiword: positions of multiword tokens, with their last words' numbers.
    """
    if not multiword and rows and rows[-1][0] == str(len(rows)):
        return enumerate(rows)
    tokens: list[tuple[int, Row]] = []
    words = covered = 0
    for number, row in enumerate(rows):
        last = multiword.get(number)
        if last is not None:
            covered = last
        elif "." in row[0]:
            continue
        else:
            words += 1
            if words <= covered:
                continue
        tokens.append((number, row))
    return tokens


def join_forms(rows: Sequence[Row], multiword: Mapping[int, int]) -> str:
    """The text that the forms and ``SpaceAfter=No`` make.

    Args:
        rows: the columns of all rows.
        multiword: positions of multiword tokens, with their last words' numbers.
    """
    pieces: list[str] = []
    for _, row in _tokens(rows, multiword):
        pieces.append(row[1])
        misc = row[_MISC]
        if misc == "_" or (misc != NO_SPACE and NO_SPACE not in misc.split("|")):
            pieces.append(" ")
    if pieces and pieces[-1] == " ":
        pieces.pop()
    return "".join(pieces)


def anchor_forms(
    rows: Sequence[Row], multiword: Mapping[int, int], text: str
) -> tuple[list[tuple[Anchor, ...]], Mismatch | None]:
    """Find every form in the text.

    White space in the text may stand before a form, and may differ inside of it.

    Args:
        rows: the columns of all rows.
        multiword: positions of multiword tokens, with their last words' numbers.
        text: the text of the sentence.

    Returns:
        Anchors for every row, none for empty nodes; and the first mismatch.
    """
    anchors: list[tuple[Anchor, ...]] = [()] * len(rows)
    position = 0
    find = text.find
    for number, row in _tokens(rows, multiword):
        form = row[1]
        size = len(form)
        # Most words stand right there, or behind a blank.
        start = find(form, position, position + size + 1)
        end = start + size
        if start != position:
            usual = start > position and text[position] == " "
            if not usual or form[0].isspace():
                start, end = _after(text, position, form)
        if end <= start or form.isspace():
            expected = f"{text[start : start + SHOWN]!r} at character {start}"
            if not text[start:]:
                expected = "no more words, as the text ends"
            return anchors, Mismatch(number, repr(form), expected)
        anchors[number] = _anchored(start, end)
        position = end
    rest = text[position:].strip()
    if rest:
        expected = f"{rest[:SHOWN]!r} after character {position}"
        return anchors, Mismatch(len(rows) - 1, "no more words", expected)
    for number, last in multiword.items():
        _share(rows, anchors, number, last, text)
    return anchors, None


def _share(
    rows: Sequence[Row],
    anchors: list[tuple[Anchor, ...]],
    number: int,
    last: int,
    text: str,
) -> None:
    """Give the words of the multiword token in row *number* their anchors."""
    [token] = anchors[number]
    members = []
    for row in range(number + 1, len(rows)):
        if "." not in rows[row][0]:
            members.append(row)
            if rows[row][0] == str(last):
                break
    forms = [rows[row][1] for row in members]
    own = "".join(forms) == text[token.start : token.end]
    start = token.start
    for row, form in zip(members, forms, strict=True):
        anchors[row] = (Anchor(start, start + len(form)) if own else token,)
        start += len(form)


def _after(text: str, position: int, form: str) -> tuple[int, int]:
    """Find *form* in *text* behind blanks, and whatever blanks are in it.

    Returns:
        Where it begins, and ends; -1 if it is not there.
    """
    while text[position : position + 1].isspace():
        position += 1
    if text.startswith(form, position):
        return position, position + len(form)
    end = position
    for character in form:
        if character.isspace():
            continue
        while text[end : end + 1].isspace():
            end += 1
        if text[end : end + 1] != character:
            return position, -1
        end += 1
    return position, end


@lru_cache(maxsize=1 << 12)
def _anchored(start: int, end: int) -> tuple[Anchor, ...]:
    """The anchors of a form; sentences share them."""
    return (Anchor(start, end),)


def comment_parts(line: str) -> tuple[str, str | None]:
    """Key and value of a comment line.

    >>> comment_parts("# sent_id = a-1"), comment_parts("#newpar")
    (('sent_id', 'a-1'), ('newpar', None))
    """
    key, equals, value = line[1:].partition("=")
    key = key.strip()
    if line.startswith(f"# {key} = "):
        return key, line[len(key) + 5 :].rstrip(" \t")
    return key, value.strip() if equals else None


def _at_least(number: str, least: str) -> bool:
    """Return whether *number* is a plain decimal that is at least *least*."""
    return (
        len(number) < 10
        and number.isdecimal()
        and number.isascii()
        and str(int(number)) == number
        and int(number) >= int(least)
    )


_MISC = 9
