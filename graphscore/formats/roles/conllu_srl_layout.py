"""Where CoNLL-U with columns of semantic roles has its predicates.

After the columns of CoNLL-U come FLAG (``Y`` for a predicate), its sense, and one
column for each predicate, in the order of the words, with the labels of argument
heads.  Universal PropBank 1 puts FLAG and sense in place of DEPS and MISC, others
behind all ten columns, or the sense alone behind all ten; which it is, is told by the
number of predicates.  Its English part has it all in MISC, as
``Framefile=come|Roleset=come.03|Args=V/_``, a label for each predicate.

>>> rows = [[*"1_____0__", "_", "bark.01", "V"], [*"2_____1__", "_", "_", "A0"]]
>>> layout_of(rows, None)[0] == UNFLAGGED
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NOTHING = "_"


class Layout(NamedTuple):
    """Where a file has its predicates."""

    base: int
    """How many columns of CoNLL-U come before."""
    flagged: bool
    """Whether FLAG stands before the sense."""
    misc: bool = False
    """Whether all of it is in MISC instead."""

    @property
    def before(self) -> int:
        """How many columns come before those of the predicates."""
        return self.base + 1 + self.flagged

    def marked(self, cell: str) -> bool:
        """Whether a cell of the first column marks a predicate."""
        return cell == FLAG if self.flagged else cell != NOTHING


SHORT, LONG = Layout(8, True), Layout(10, True)
UNFLAGGED, IN_MISC = Layout(10, False), Layout(10, False, True)

LAYOUTS = (SHORT, LONG, UNFLAGGED)
"""Those with columns of their own; of several that fit, the first one counts."""

ROLESET, ARGUMENTS, FRAME_FILE = "Roleset", "Args", "Framefile"
"""What MISC says."""

FLAG = "Y"
"""What marks a predicate."""


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
    if width == 10 and not counts[SHORT]:
        # Plain CoNLL-U with DEPS: a sentence without predicates.
        return LONG, counts
    return None, counts
