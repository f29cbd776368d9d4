r"""Columns of a table of tags, detected from its first sentences.

The token stands first and its tag last, and what stands between is of no account,
unless the rows say otherwise:

* A first column that counts up is an index; the token is in the second (WikiNEuRal,
  WikiANN, GermEval).
* Where everything behind the token is a tag, there are several layers of entities
  (GermEval, LitBank), unless two columns say the same of the same tokens, as gold and
  predictions do, or the first has phrases rather than entities.
* Letters stand before types (``B-PER``) unless they stand behind all of them
  (``PER-B``), or are kept apart by underscores (``B_PER``).
* Where no tag has a letter, they are types, and neighbours of one type are one entity
  (Few-NERD).  Without any ``O`` they are something else, as parts of speech are.

>>> rows = [["1", "Rome", "B-LOC", "O"], ["2", "fell", "O", "O"]]
>>> table = table_of([rows])
>>> table.indexed, table.layers, table.spelling == USUAL
(True, ('outer', 'nested'), True)
>>> table_of([[["EU", "NNP", "I-NP", "I-ORG"], ["says", "VBZ", "I-VP", "O"]]]).layers
()
>>> table_of([[["Magna", "MISC-law"], ["Carta", "MISC-law"], ["is", "O"]]]).plain
True
>>> table_of([[["Rome", "LOC-B"], ["fell", "O"]]]).spelling
Spelling(separator='-', suffix=True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from graphscore.model.graph import Node
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TAGS,
    USUAL,
    Chunk,
    Spelling,
    Tag,
    TagSequences,
    read_tag,
    spelling_of,
)
from graphscore.structures.layout import first_of

Rows = Sequence[list[str]]
"""The cells of the lines of a sentence."""

TWO_LAYERS = ("outer", "nested")
"""Names of two columns of tags; more of them have numbers, from 1."""

PHRASES = frozenset(
    ("NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP")
)
"""Types of chunks, whose column stands before that of the entities."""

ALIKE = 0.2
"""Columns with a larger share of equal entities are two readings of one layer."""

ODD, SOME = 0.1, 3
"""This share of sentences may be unlike the others, and one where there are some: they
are mistakes."""


@lru_cache(maxsize=8)
def _sequences(spelling: Spelling | None) -> TagSequences:
    """Readers of sequences of tags, by how these are written."""
    return TagSequences(plain_tag if spelling is None else spelling.read)


class Table(NamedTuple):
    """Roles of the columns."""

    indexed: bool = False
    """The first column counts the tokens, which are in the second."""
    layers: tuple[str, ...] = ()
    """Names of the columns of tags where there are several."""
    spelling: Spelling | None = USUAL
    """Scheme of the tags; ``None`` if they are types, without letters."""
    types: frozenset[str] = frozenset()
    """Those that were seen, where tags have no letters."""
    tagged: bool = True
    """Any tag but ``O`` was seen."""
    width: int = 0
    """Number of columns of most lines."""

    @property
    def first(self) -> int:
        """The column of the token."""
        return int(self.indexed)

    @property
    def plain(self) -> bool:
        """Tags are types, without letters."""
        return self.spelling is None

    def read(self, written: str) -> Tag | None:
        """Return a tag as the file writes it; ``None`` where it is none."""
        spelling = self.spelling
        return plain_tag(written) if spelling is None else read_tag(spelling, written)

    @property
    def entities(self) -> Callable[[Sequence[str]], list[Chunk]]:
        """Takes a column of tags; a KeyError is what is none."""
        return _sequences(self.spelling).chunks

    @property
    def expected(self) -> str:
        """Description of a tag, for problems."""
        if self.spelling is None:
            return "O or a type without a letter (PER), as the file's other tags"
        return self.spelling.expected


def plain_tag(written: str) -> Tag | None:
    """Return a tag without a letter; ``None`` where it has one.

    >>> plain_tag("O"), plain_tag("MISC-law"), plain_tag("B-LOC")
    (('O', None), ('I', 'MISC-law'), None)
    """
    if written == OUTSIDE[0]:
        return OUTSIDE
    return None if read_tag(USUAL, written) else ("I", written)


def table_of(sentences: Iterable[Rows], tag: int = -1) -> Table:
    """Find out what the columns of a file are.

    Args:
        sentences: the rows of its first sentences; those that may be comments, as
            they begin with ``#``, are passed over.
        tag: the column of the tags: the last (-1), where there may be several, or
            the one before (-2).
    """
    all_of_them = [sentence for sentence in sentences if sentence]
    index = has_index(all_of_them)
    every = [rows for rows in map(_without_comments, all_of_them) if rows]
    rest = [[row[1:] for row in rows] for rows in every] if index else every
    tags = {cell for rows in rest for row in rows if len(row) > 1 for cell in row[tag:]}
    types = tags - {OUTSIDE[0]}
    spelling = spelling_of(types)
    if types == tags and spelling is None:
        # Columns of something else, such as parts of speech.
        spelling = USUAL
    names = _layers(rest, spelling) if spelling and tag == -1 else ()
    known = frozenset() if spelling else frozenset(types)
    widths = Counter(map(len, chain.from_iterable(every)))
    width = max(widths, key=lambda size: widths[size], default=0)
    return Table(index, names, spelling, known, bool(types or names), width)


def is_comment(cells: Sequence[str]) -> bool:
    """Return whether a line of a table with an index is a comment, as in GermEval."""
    return cells[0].startswith("#")


def has_index(sentences: Sequence[Rows]) -> bool:
    """Return whether the first of three columns or more counts up in each sentence.

    It begins with 0, with 1, or goes on from the sentence before.

    Args:
        sentences: their rows.
    """
    good = odd = longest = 0
    following = 0
    for rows in sentences:
        rows = _without_comments(rows)
        if not rows:
            continue
        numbers = [int(r[0]) for r in rows if len(r) > 2 and _is_number(r[0])]
        first = numbers[0] if numbers else 0
        counted = [*range(first, first + len(rows))]
        if numbers == counted and first in (0, 1, following):
            good += 1
            longest = max(longest, len(rows))
        else:
            odd += 1
        following = first + len(rows)
    return longest > 1 and _forgiven(odd, good + odd)


def _forgiven(odd: int, sentences: int) -> bool:
    """Return whether sentences that are unlike the others are few enough."""
    return odd <= max(ODD * sentences, int(sentences >= SOME))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) < 10


def _without_comments(rows: Rows) -> Rows:
    start = 0
    while start < len(rows) and is_comment(rows[start]):
        start += 1
    return rows[start:] if start else rows


def _layers(sentences: Sequence[Rows], spelling: Spelling) -> tuple[str, ...]:
    """The names of the columns of tags, if there are several."""
    width = max(map(len, chain.from_iterable(sentences)), default=0)
    if width < 3:
        return ()
    columns = [_columns(rows, width, spelling) for rows in sentences]
    odd = columns.count(None)
    if odd == len(columns) or not _forgiven(odd, len(columns)):
        return ()
    by_column: list[set[tuple[int, int, int, str | None]]] = [
        set() for _ in range(1, width)
    ]
    for number, every in enumerate(columns):
        for entities, read in zip(by_column, every or (), strict=False):
            entities |= {
                (number, chunk.first, chunk.last, chunk.label) for chunk in read
            }
    types = {label for *_, label in by_column[0]}
    if types and types <= PHRASES:
        return ()
    for left, right in combinations(by_column, 2):
        if len(left & right) > ALIKE * min(len(left), len(right)):
            return ()
    if len(by_column) == len(TWO_LAYERS):
        return TWO_LAYERS
    return tuple(str(number) for number in range(1, width))


def _columns(rows: Rows, width: int, spelling: Spelling) -> list[list[Chunk]] | None:
    """Entities of the columns behind the tokens of a sentence, if all are of tags."""
    with suppress(ValueError, KeyError):
        _, *columns = zip(*rows, strict=True)
        if len(columns) == width - 1:
            return [*map(_sequences(spelling).chunks, columns)]
    return None


def tag_letters(node: Node, tokens: int) -> str:
    """The letter of each tag of an entity: as it was read, else the usual ones.

    Args:
        node: the entity.
        tokens: how many it has.
    """
    kept = first_of(node.properties, TAGS)
    if isinstance(kept, str) and len(kept) == tokens:
        return kept
    return "B" + "I" * (tokens - 1)


def columns_of(lines: Sequence[str]) -> list[list[str]] | None:
    r"""The cells of lines, column by column; nothing where they need a closer look.

    Args:
        lines: lines whose cells stand between tabs, as many in each, at least two.

    >>> columns_of(["New York\tB-LOC", "fell\tO"]), columns_of(["New York B-LOC"])
    ([['New York', 'fell'], ['B-LOC', 'O']], None)
    """
    # No line has the end of one within.
    cells = "\t\n\t".join(lines).split("\t")
    width = cells.index("\n") if len(lines) > 1 else len(cells)
    every = width + 1
    even = len(cells) == len(lines) * every - 1
    if width < 2 or not even or cells[width::every].count("\n") < len(lines) - 1:
        return None
    last = cells[width - 1 :: every]
    if not all([cell and cell.strip() == cell for cell in set(last)]):
        return None
    return [*(cells[number::every] for number in range(width - 1)), last]


def is_remark(
    line: str,
    cells: Sequence[str],
    table: Table | None = None,
    tag: int = -1,
    width: int = 0,
) -> bool:
    r"""Return whether the first line of a sentence is a comment, not a tagged token.

    Args:
        line: the line.
        cells: its columns.
        table: what the columns are.
        tag: which column has the tag.
        width: how many columns the other lines have.

    >>> [is_remark(line, line.split()) for line in ("#id 1", "#1 O", "#1 PER")]
    [True, False, True]
    """
    table = table or Table()
    if not line.startswith("#") or table.indexed:
        return line.startswith("#")
    if line[1:2] == "\t" or (line[1:2] != " " and "\t" in line and len(cells) == width):
        return False
    if len(cells) < 1 - tag:
        return True
    if table.spelling == USUAL:
        return table.read(cells[tag]) is None
    # Of a comment, too, the last word may look like a type, or be one.
    seen = cells[tag] == OUTSIDE[0] or (
        cells[tag] in table.types if table.plain else bool(table.read(cells[tag]))
    )
    return not seen or len(cells) != width
