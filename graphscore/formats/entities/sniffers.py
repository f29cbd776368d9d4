"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.entities.inventories import QUAERO
from graphscore.formats.shared.beginnings import (
    first_object,
    nested,
    share_of,
    with_keys,
)
from graphscore.formats.source import BOM
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import OUTSIDE, SPELLINGS, Spelling

DOCSTART = "-DOCSTART-"
"""The token that begins a document in CoNLL-2003; it is no word of a sentence."""

TOKEN = "TOKEN"
"""The first column of HIPE."""

GLOBAL = "# global.columns"
"""What a line begins with that names the columns."""

AIDA_WIDEST = 7
"""So many columns has the token of a mention in CoNLL-AIDA at most."""


def opens_document(line: str) -> bool:
    """Whether a line of CoNLL-AIDA begins a document."""
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
    return [cell for cell in line.rstrip(" \t").split(" ") if cell]


def header_of(line: str) -> list[str] | None:
    """The columns that a line names, if it is a header."""
    if line.startswith(GLOBAL):
        return line.removeprefix(GLOBAL).strip(" =\t").split() or [""]
    cells = line.split("\t")
    if len(cells) > 1 and cells[1].startswith(("NE-", "NEL-")):
        return [cell.strip() for cell in cells]
    return None


def aida(head: bytes) -> Fit:
    """Whether mentions among the first lines have an entity, and nothing else tabs."""
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut off, or empty
    resolved = 0
    for line in lines:
        cells = line.rstrip(" \t\r").split("\t")
        if len(cells) == 1:
            if " " in cells[0] and not opens_document(line):
                return NO_FIT
        elif len(cells) > AIDA_WIDEST or cells[1] not in ("B", "I", "O"):
            return NO_FIT
        elif cells[1] == "B" and len(cells) > 3:
            # Other columns than the mention are those of another format.
            resolved += 1 if cells[2].startswith(cells[0]) else -1
    if resolved <= 0:
        return NO_FIT
    return Fit(0.9, "mentions of its first lines have an entity each")


def hipe(head: bytes) -> Fit:
    """Whether the first lines have a header."""
    text = head.removeprefix(BOM).decode("utf-8", "replace")
    for line in text.split("\n")[:20]:
        columns = header_of(line.removesuffix("\r"))
        if columns is not None:
            fits = columns[0] == TOKEN
            return (
                Fit(0.95, f"a line names its columns, {TOKEN} first")
                if fits
                else NO_FIT
            )
    return NO_FIT


def iob(head: bytes) -> Fit:
    """Whether most of the first lines end in a tag.

    Types without letters are tags where some lines end in ``O``, of lines with as many
    columns as most: without any ``O`` they are parts of speech, or anything else.
    """
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut off, or empty
    rows = []
    begun = bool(_OPENING.match(lines[0]))
    for line in lines:
        cells = cells_of(line.removesuffix("\r"))
        if any(cells) and cells[0] != DOCSTART:
            rows.append(cells)
    tags = Counter(cells[-1] for cells in rows if len(cells) > 1)
    widths = Counter(len(cells) for cells in rows if not cells[0].startswith("#"))
    width = max(widths, key=lambda each: widths[each], default=0)
    spelling = max(SPELLINGS, key=lambda each: _read_in(each, tags))
    lettered = _read_in(spelling, tags) > tags[OUTSIDE[0]]
    good = bad = 0
    for cells in rows:
        if len(cells) > 1 and spelling.read(cells[-1]) is not None:
            good += 1
        elif OUTSIDE[0] in tags and len(cells) == width and _TYPE.fullmatch(cells[-1]):
            # Among tags with letters it is a mistake, which the reader names.
            good += not lettered
        elif not cells[0].startswith("#"):
            bad += 1
    fit = share_of(good, bad, "end in a tag", 0.8)
    return max(fit, Fit(0.5, f"it begins with {DOCSTART}")) if begun else fit


_OPENING = re.compile(rf"{DOCSTART}[ \t]+[^( \t]")


def _read_in(spelling: Spelling, tags: Counter[str]) -> int:
    """How many lines end in a tag of a spelling."""
    return sum(count for tag, count in tags.items() if spelling.read(tag))


_TYPE = re.compile(r"[^\W\d_][^\s()*|<>\[\]{}\"]*")
"""A type without a letter before it."""


_PAIR = re.compile(rb"<([A-Za-z][\w.-]*)>|</([A-Za-z][\w.-]*)>|<[!?A-Za-z/]")


def quaero(head: bytes) -> Fit:
    """Whether most tags are those of QUAERO, one of them opened and closed."""
    head = head.removeprefix(BOM)
    if head.lstrip()[:2] in (b"<?", b"<!") or head.lstrip()[:1] == b"{":
        return NO_FIT
    opened: set[bytes] = set()
    known = other = 0
    pair = False
    for match in _PAIR.finditer(head):
        name = match[1] or match[2]
        if name is None or QUAERO.kind_of(name.decode("latin-1")) is None:
            other += 1
            continue
        known += 1
        if match[1]:
            opened.add(name)
        else:
            pair |= name in opened
    if not pair or known <= other:
        return NO_FIT
    return Fit(0.8, "most tags in its first lines are those of QUAERO")


_LISTS = ("spans", "entities", "ents", "labels", "label")
_HASHES = ("_input_hash", "_task_hash")
_OTHER = (
    *("framework", "sent_id", "doc_key", "docid", "sentences", "nodes", "doctext"),
    "entries",
)


def spans(head: bytes) -> Fit:
    """Whether a file begins like a text with entities."""
    first = first_object(head)
    if first is None or first.seen(*_OTHER) or not first.has("text", str):
        return NO_FIT
    fields = first.fields
    lists = [
        key
        for key in first.seen(*_LISTS)
        if nested(fields[key], 1, (list, dict))
        or (key == "spans" and isinstance(fields[key], dict))
    ]
    tokens = first.seen("tokens") if nested(fields.get("tokens"), 1, dict) else []
    if lists or tokens or first.seen(*_HASHES):
        return with_keys(0.9, "text", *lists, *tokens, *first.seen(*_HASHES))
    return with_keys(0.2, "text")


GENIA_RANGES = re.compile(r"\d+,\d+ [^\s|]+(?:\|\d+,\d+ [^\s|]+)*")
"""A line of nested entities: ranges of tokens with types."""


def genia(head: bytes) -> Fit:
    """Whether a line of ranges follows a line of tokens somewhere."""
    lines = _lines_of(head)
    for before, line in pairwise(lines):
        if before.strip() and GENIA_RANGES.fullmatch(line.strip()):
            return Fit(0.9, "a line of ranges of tokens follows one of tokens")
    return NO_FIT


def neleval(head: bytes) -> Fit:
    """Whether lines have a document, two numbers and candidates.

    Tokens with their characters and tags have as many columns, and mean something else.
    """
    good = bad = 0
    entries: list[str] = []
    for line in filter(str.strip, _lines_of(head)):
        cells = line.rstrip("\t").split("\t")
        ends = [e for e in map(whole_number, cells[1:3]) if e is not None]
        scored = all(_NUMBER.fullmatch(each) for each in cells[4::3])
        wide = len(cells) > 5 and len(cells) % 3
        if len(cells) > 2 and len(ends) == 2 and ends[0] <= ends[1] and scored:
            good, bad = good + (not wide), bad + bool(wide)
            entries += cells[3:4]
        else:
            bad += 1
    if _are_tags(entries):
        return NO_FIT
    return share_of(good, bad, "have a document, its characters and an entry", 0.85)


def _are_tags(entries: Sequence[str]) -> bool:
    """Whether entries are tags: some are ``O``, or several and all have a letter.

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


def tac_kbp(head: bytes) -> Fit:
    """Whether lines are rows of a table of linked queries or mentions."""
    good = bad = 0
    for number, line in enumerate(filter(str.strip, _lines_of(head))):
        if _WIDE.match(line) or _NARROW.fullmatch(line.rstrip("\t")):
            good += 1
        elif number:
            bad += 1
    return share_of(good, bad, "link a query or mention to an entry", 0.7)


def _lines_of(head: bytes) -> list[str]:
    """Whole lines without their ends."""
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut off, or empty
    return [line.removesuffix("\r") for line in lines]
