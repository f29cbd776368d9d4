r"""The pieces of a CoNLL-2012 document: the line that begins it, and its brackets.

>>> Header.of(1, b"#begin document (nw/a_0009); part 002").item
'nw/a_0009/2'
>>> [each.entity for each in Brackets().of(b"(1(3(3)1)") or ()]
['1', '3', '3', '1']
"""

from __future__ import annotations

import re
from typing import NamedTuple

from graphscore.formats.shared.records import Draft
from graphscore.structures.layout import COREF

LONGEST_HEADER = 4096
"""A longer line names no document; looking for a name in it would take long."""

CACHED = 200_000
"""Distinct cells that are remembered within a file."""

_HEADER = re.compile(
    r"\s*#\s*begin\s+document\s+(?:\((?P<inner>.*)\)|(?P<bare>[^;(].*?))\s*"
    r"(?:;\s*(?:part\s+(?P<part>[0-9]{1,9}))?\s*)?"
)
_BRACKET = re.compile(r"(\()?([^()|\s]+)(\))?")
# Without possessive quantifiers, (12) could also be (1 and 2).
_PIECE = r"(?:\([^()|\s]++\)?+|[^()|\s]++\))"
_CELL = re.compile(rf"{_PIECE}(?:\|?{_PIECE})*+")


class Header(NamedTuple):
    """The line that begins a document."""

    line: int
    """Its number."""
    raw: bytes
    name: str | None
    """The name of the document, ``None`` if there is none."""
    part: int

    @classmethod
    def of(cls, line: int, raw: bytes) -> Header:
        """The header in a line.

        >>> Header.of(1, b"#begin document (nw/a_0009); part 002").item
        'nw/a_0009/2'
        >>> Header.of(1, b"#begin document (LuoTestCase); ").item
        'LuoTestCase/0'
        """
        shown = raw.decode("utf-8", "replace").strip()
        match = _HEADER.fullmatch(shown) if len(shown) <= LONGEST_HEADER else None
        name = match and (match["inner"] or match["bare"])
        part = int(match["part"] or 0) if match else 0
        return cls(line, raw, name or None, part)

    @property
    def item(self) -> str:
        """What the graph is called."""
        return "" if self.name is None else f"{self.name}/{self.part}"

    def draft(self, name: str, *more: bytes) -> Draft:
        """The record that it begins, and what is wrong with the line itself.

        Args:
            name: the file.
            *more: what follows the line.
        """
        draft = Draft(name, self.line, self.raw, *more, framework=COREF, item=self.item)
        shown = draft.text(self.raw, self.line)
        if shown is not None and self.name is None:
            expected = "#begin document (NAME); part NUMBER"
            draft.add("", repr(shown.strip()[:60]), expected)
        return draft


class Bracket(NamedTuple):
    """One bracket of a cell."""

    opens: bool
    entity: str
    """The entity's id, as written."""
    closes: bool


class Brackets:
    """Reads the cells of one file, and remembers them.

    Example:
        >>> [each.entity for each in Brackets().of(b"(1(3(3)1)")]
        ['1', '3', '3', '1']
        >>> Brackets().of(b"(1|2") is None, Brackets().of(b"-")
        (True, ())
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[Bracket, ...] | None] = {b"-": (), b"_": ()}

    def of(self, cell: bytes) -> tuple[Bracket, ...] | None:
        """The brackets of a cell, or ``None`` if it is not made of them."""
        known = self._known
        if cell in known:
            return known[cell]
        if len(known) >= CACHED:
            known.clear()
            known.update({b"-": (), b"_": ()})
        text = cell.decode("utf-8", "replace")
        found = None
        if _CELL.fullmatch(text):
            found = tuple(
                Bracket(match[1] is not None, match[2], match[3] is not None)
                for match in _BRACKET.finditer(text)
            )
        known[cell] = found
        return found
