"""Detection of formats from the first lines, where a row of the table does not do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graphscore.formats.base import Fit
from graphscore.formats.recognition import share_of
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import OUTSIDE, SPELLINGS, Spelling

DOCSTART = "-DOCSTART-"
"""The token that begins a document in CoNLL-2003; it is no word of a sentence."""

AIDA_WIDEST = 7
"""Largest number of columns of a mention's token in CoNLL-AIDA."""


def opens_document(line: str) -> bool:
    """Return whether a line of CoNLL-AIDA begins a document."""
    return line == DOCSTART or line.startswith((f"{DOCSTART} ", f"{DOCSTART}\t"))


def cells_of(line: str) -> list[str]:
    r"""The columns of a line.

    Only tabs, or blanks, are separators: a token may be some other white space.
    Separators at the end say nothing.

    >>> cells_of("New York\tB-LOC\t"), cells_of("York  I-LOC ")
    (['New York', 'B-LOC'], ['York', 'I-LOC'])
    """
    if "\t" in line.rstrip():
        cells = line.rstrip(" ").split("\t")
        while len(cells) > 1 and not cells[-1]:
            cells.pop()
        return cells
    cells = line.rstrip(" \t").split(" ")
    return [cell for cell in cells if cell] if "" in cells else cells


def aida(lines: list[str]) -> float:
    """Return whether mentions among the lines have an entity, and nothing else tabs.

    The third column of a mention must begin with the first, in all lines.
    """
    resolved = 0
    for line in lines:
        cells = line.split("\t")
        if len(cells) == 1:
            if " " in cells[0] and not opens_document(line):
                return 0.0
        elif len(cells) > AIDA_WIDEST or cells[1] not in ("B", "I", "O"):
            return 0.0
        elif cells[1] == "B" and len(cells) > 3:
            # Other columns than the mention are those of another format.
            resolved += 1 if cells[2].startswith(cells[0]) else -1
    return 0.9 * (resolved > 0)


def iob(lines: list[str]) -> Fit:
    """Return the fit of lines that end in a tag, in the scheme that reads most.

    Types without letters are tags where some lines end in ``O``, of lines with as many
    columns as most: without any ``O`` they are parts of speech, or anything else.
    """
    cells = map(cells_of, lines)
    rows = [row for row in cells if any(row) and row[0] != DOCSTART]
    tags = Counter(row[-1] for row in rows if len(row) > 1)
    widths = Counter(len(row) for row in rows if not row[0].startswith("#"))
    width = max(widths, key=widths.__getitem__, default=0)
    spelling = max(SPELLINGS, key=lambda spelling: _read_in(spelling, tags))
    lettered = _read_in(spelling, tags) > tags[OUTSIDE[0]]
    good = bad = 0
    for row in rows:
        if len(row) > 1 and spelling.read(row[-1]) is not None:
            good += 1
        elif OUTSIDE[0] in tags and len(row) == width and _TYPE.fullmatch(row[-1]):
            # Among tags with letters it is a mistake, which the reader names.
            good += not lettered
        elif not row[0].startswith("#"):
            bad += 1
    fit = share_of(good, bad, "end in a tag", 0.8)
    begun = _OPENING.match(lines[0])
    return max(fit, Fit(0.5, f"it begins with {DOCSTART}")) if begun else fit


_OPENING = re.compile(rf"{DOCSTART}[ \t]+[^( \t]")


def _read_in(spelling: Spelling, tags: Counter[str]) -> int:
    """Return the number of lines that end in a tag of a scheme."""
    return sum(count for tag, count in tags.items() if spelling.read(tag))


_TYPE = re.compile(r"[^\W\d_][^\s()*|<>\[\]{}\"]*")
"""A type without a letter before it."""


_PAIR = r"<([A-Za-z][\w.-]*)>|</([A-Za-z][\w.-]*)>|<[!?A-Za-z/]"


def quaero(lines: list[str]) -> float:
    """Return whether most tags are QUAERO's, one of them opened and closed."""
    # Few files have tags.
    from graphscore.formats.entities.inventories import QUAERO

    text = "\n".join(lines)
    if text.lstrip().startswith(("<?", "<!", "{")):
        return 0.0
    opened: set[str] = set()
    known = foreign = 0
    pair = False
    for match in re.finditer(_PAIR, text):
        name = match[1] or match[2]
        if name is None or QUAERO.kind_of(name) is None:
            foreign += 1
            continue
        known += 1
        if match[1]:
            opened.add(name)
        else:
            pair |= name in opened
    return 0.8 * (pair and known > foreign)


def neleval(lines: list[str]) -> Fit | float:
    """Return whether lines have a document, two ascending numbers and candidates.

    Tokens with their characters and tags have as many columns, and mean something else.
    """
    good = bad = 0
    entries: list[str] = []
    for line in filter(None, lines):
        cells = line.split("\t")
        ends = [e for e in map(whole_number, cells[1:3]) if e is not None]
        scored = all(map(_NUMBER.fullmatch, cells[4::3]))
        wide = len(cells) > 5 and len(cells) % 3
        if len(cells) > 2 and len(ends) == 2 and ends[0] <= ends[1] and scored:
            good, bad = good + (not wide), bad + bool(wide)
            entries += cells[3:4]
        else:
            bad += 1
    if _are_tags(entries):
        return 0.0
    return share_of(good, bad, "have a document, characters and an entry", 0.85)


def _are_tags(entries: Sequence[str]) -> bool:
    """Return whether entries are tags: some ``O``, or several with a letter each.

    With an underscore for a hyphen they may be titles (``World_War_I``).
    """
    return OUTSIDE[0] in entries or any(
        len(entries) > 1 and all(map(spelling.read, entries))
        for spelling in SPELLINGS[:2]
    )


_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")

_WIDE = re.compile(r"[^\t]+\t[^\t]+\t[^\t]+\t\S+:\d+-\d+\t\S+\t[A-Z]+\t[A-Z]+")

_NARROW = re.compile(
    # No piece may end in two ways: a long word would be tried at every letter.
    r"\S+\t(?:NIL\w*|[A-Za-z]\w+|[A-Za-z]+\.\w+)\t[A-Z]{3}"
    r"(?:\t[-+]?\d[\d.eE+-]*)?(?:\t.*)?"
)


def tac_kbp(lines: list[str]) -> Fit:
    """Return whether most lines, but for a header, link queries or mentions."""
    good = bad = 0
    for number, line in enumerate(filter(None, lines)):
        if _WIDE.match(line) or _NARROW.fullmatch(line):
            good += 1
        elif number:
            bad += 1
    return share_of(good, bad, "link a query or mention to an entry", 0.7)
