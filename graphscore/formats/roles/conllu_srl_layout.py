"""Layouts of predicates in CoNLL-U with columns of semantic roles.

After the columns of CoNLL-U come FLAG (``Y`` for a predicate), its sense, and one
column for each predicate, in the order of the words, with the labels of argument
heads.  Universal PropBank 1 puts FLAG and sense in place of DEPS and MISC, others
behind all ten columns, or the sense alone behind all ten; which it is, is told by the
number of predicates.  One version of its English part has it all in MISC, as
``Framefile=come|Roleset=come.03|Args=V/_``, a label for each predicate; another ends
the lines of sentences without predicates in an empty column.

>>> rows = [[*"1_____0__", "_", "bark.01", "V"], [*"2_____1__", "_", "_", "A0"]]
>>> layout_of(rows, None)[0] == UNFLAGGED
True
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from graphscore.formats.shared.columns import usual_width

NOTHING = "_"

_TREE = 8
"""Columns from ID to DEPREL, none of which is ever empty."""

_TEN = 10
"""A line with fewer columns is none of CoNLL-U."""


class Layout(NamedTuple):
    """Layout of the predicates of a file."""

    base: int
    """Number of columns of CoNLL-U before."""
    flagged: bool
    """FLAG stands before the sense."""
    misc: bool = False
    """All of it is in MISC instead."""

    @property
    def before(self) -> int:
        """Number of columns before those of the predicates."""
        return self.base + 1 + self.flagged

    def marked(self, cell: str) -> bool:
        """Return whether a cell of the first column marks a predicate."""
        return cell == FLAG if self.flagged else cell != NOTHING


SHORT, LONG = Layout(8, True), Layout(10, True)
UNFLAGGED, IN_MISC = Layout(10, False), Layout(10, False, True)

LAYOUTS = (SHORT, LONG, UNFLAGGED)
"""Those with columns of their own; of several that fit, the first one counts."""

ROLESET, ARGUMENTS, FRAME_FILE = "Roleset", "Args", "Framefile"
"""Keys of MISC."""

FLAG = "Y"
"""Mark of a predicate."""


def layout_of(
    rows: Sequence[Sequence[str]], known: Layout | None
) -> tuple[Layout | None, dict[Layout, int]]:
    """The layout of a sentence, by the number of its predicates and its columns.

    Args:
        rows: its columns, shape (rows, columns).
        known: that of the sentences before.

    Returns:
        The layout, ``None`` if no number fits; and how many predicates each one finds.
    """
    width = len(rows[0])
    if width == 10 and any(f"{ROLESET}=" in row[9] for row in rows):
        return IN_MISC, {}
    counts: dict[Layout, int] = {}
    roomy: Layout | None = None
    for layout in LAYOUTS:
        if width >= layout.before:
            cells = [row[layout.base] for row in rows]
            counts[layout] = sum(map(layout.marked, cells))
            plain = not layout.flagged or {FLAG, NOTHING}.issuperset(cells)
            if not layout.flagged:
                # Where there are flags, senses are not all that there is.
                plain = not counts[SHORT] and (known is None or not known.flagged)
            if plain and counts[layout] == width - layout.before:
                return layout, counts
            if plain and (roomy is None or layout == known):
                used = layout.before + counts[layout]
                spurious = chain.from_iterable(row[used:] for row in rows)
                if width > used and {NOTHING}.issuperset(spurious):
                    roomy = layout
    if width == 10 and not counts[SHORT]:
        # Plain CoNLL-U with DEPS: a sentence without predicates.
        return LONG, counts
    # Columns that nothing stands in are of no predicate.
    return roomy, counts


class Shape(NamedTuple):
    """Shape that the lines of words of a sentence share."""

    width: int
    """Number of columns."""
    where: str
    """Source of that number, for problems."""
    blank: frozenset[int]
    """Columns behind the tree that are empty in all of them."""

    def fitted(self, row: list[str]) -> list[str]:
        """A row with ``_`` in blank columns, and no cells in spurious.

        Cells in spurious are empty ones, at the end of any line; in ranges of words and
        empty nodes also ``_``.  These two may have fewer columns, too.

        Args:
            row: its cells.

        Returns:
            The row as it is where it has other spurious, or too few cells.
        """
        width, word = self.width, row[0].isdecimal()
        if len(row) != width:
            spurious = row[width:]
            if spurious and {"", NOTHING}.issuperset(spurious):
                if not word or not any(spurious):
                    row = row[:width]
            elif _TEN <= len(row) < width and not word:
                row = [*row, *[NOTHING] * (width - len(row))]
        if "" in row:
            row = [
                NOTHING
                if not cell and (k in self.blank or (k >= _TREE and not word))
                else cell
                for k, cell in enumerate(row)
            ]
        return row


def shape_of(rows: Sequence[Sequence[str]]) -> Shape:
    """The shape of a sentence.

    Ranges of words and empty nodes do not say it: they often have more columns or
    fewer.

    Args:
        rows: its cells, as many as a line has.

    Example:
        >>> shape = shape_of([["1-2", *"_" * 12], [*"1_____0__", "_", ""]])
        >>> shape.width, shape.where, sorted(shape.blank)
        (11, 'as in the first word of the sentence', [10])
        >>> shape.fitted([*"1_____0__", "_", ""])[8:]
        ['_', '_', '_']
    """
    words = [row for row in rows if row[0].isdecimal()]
    width, where = usual_width(map(len, words or rows))
    if 0 < len(words) < len(rows):
        where = where.replace("line", "word")
    whole = [row for row in words if len(row) == width]
    blank = frozenset(
        k
        for k in range(_TREE, width if whole and not whole[0][-1] else 0)
        if not any(row[k] for row in whole)
    )
    return Shape(width, where, blank)
