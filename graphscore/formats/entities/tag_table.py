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

>>> rows = [("1", "Rome", "B-LOC", "O"), ("2", "fell", "O", "O")]
>>> table = table_of([stretches_of(rows)])
>>> table.indexed, table.layers, table.spelling == USUAL
(True, ('outer', 'nested'), True)
>>> rows = [("EU", "NNP", "I-NP", "I-ORG"), ("says", "VBZ", "I-VP", "O")]
>>> table_of([stretches_of(rows)]).layers
()
>>> rows = [("Magna", "MISC-law"), ("Carta", "MISC-law"), ("is", "O")]
>>> table_of([stretches_of(rows)]).plain
True
>>> table_of([stretches_of([("Rome", "LOC-B"), ("fell", "O")])]).spelling
Spelling(separator='-', suffix=True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, combinations, dropwhile, groupby
from typing import NamedTuple

from graphscore.model.graph import Node
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TAGS,
    USUAL,
    Chunk,
    Spelling,
    Tag,
    plain_tag,
    read_tag,
    sequences_of,
    spelling_of,
)
from graphscore.structures.layout import first_of

Cells = Sequence[Sequence[str]]
"""The cells of lines with as many each, column by column."""

Stretches = Sequence[Cells]
"""The cells of a sentence: most are one stretch of lines with as many cells."""

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
    def expected(self) -> str:
        """Description of a tag, for problems."""
        if self.spelling is None:
            return "O or a type without a letter (PER), as the file's other tags"
        return self.spelling.expected


def table_of(sentences: Iterable[Stretches], tag: int = -1) -> Table:
    """Find out what the columns of a file are.

    Args:
        sentences: its first sentences.
        tag: the column of the tags: the last (-1), where there may be several, or
            the one before (-2).
    """
    known = [sentence for sentence in sentences if sentence]
    widths: Counter[int] = Counter()
    for cells in chain.from_iterable(known):
        widths[len(cells)] += len(cells[0])
    index = max(widths, default=0) > 2 and has_index(known)
    tags: set[str] = set()
    for cells in chain.from_iterable(known):
        if len(cells) > 1 + index:
            tags.update(*cells[tag:])
    types = tags - {OUTSIDE[0]}
    spelling = spelling_of(types)
    if types == tags and spelling is None:
        # Columns of something else, such as parts of speech.
        spelling = USUAL
    names: tuple[str, ...] = ()
    if spelling and tag == -1 and max(widths, default=0) > 2 + index:
        names = _layers(known, spelling, index, max(widths) - index)
    seen = frozenset() if spelling else frozenset(types)
    width = max(widths, key=lambda size: widths[size], default=0)
    return Table(index, names, spelling, seen, bool(types or names), width)


def stretches_of(rows: Sequence[Sequence[str]]) -> Stretches:
    """Return the cells of lines as far as these have as many, column by column.

    Args:
        rows: the cells of each line; those at the beginning that may be comments, as
            they begin with ``#``, are passed over.

    >>> stretches_of([("#1",), ("EU", "O"), ("says", "O"), ("no",)])
    [[('EU', 'says'), ('O', 'O')], [('no',)]]
    """
    words = dropwhile(is_comment, rows)
    return [[*zip(*lines, strict=True)] for _, lines in groupby(words, key=len)]


def is_comment(cells: Sequence[str]) -> bool:
    """Return whether a line of a table with an index is a comment, as in GermEval."""
    return cells[0].startswith("#")


def has_index(sentences: Sequence[Stretches]) -> bool:
    """Return whether the first of three columns or more counts up in each sentence.

    It begins with 0, with 1, or goes on from the sentence before.

    Args:
        sentences: their cells.
    """
    good = odd = longest = 0
    following = 0
    for sentence in sentences:
        size = sum(len(cells[0]) for cells in sentence)
        first_column = chain.from_iterable(c[0] for c in sentence if len(c) > 2)
        digits = filter(str.isdigit, first_column)
        numbers = [*map(int, filter(_is_number, digits))]
        first = numbers[0] if numbers else 0
        if numbers == [*range(first, first + size)] and first in (0, 1, following):
            good += 1
            longest = max(longest, size)
        else:
            odd += 1
        following = first + size
    return longest > 1 and _forgiven(odd, good + odd)


def _forgiven(odd: int, sentences: int) -> bool:
    """Return whether sentences that are unlike the others are few enough."""
    return odd <= max(ODD * sentences, int(sentences >= SOME))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) < 10


def _layers(
    sentences: Sequence[Stretches], spelling: Spelling, index: bool, width: int
) -> tuple[str, ...]:
    """The names of the columns of tags, if there are several.

    Args:
        sentences: their cells.
        spelling: how tags are written.
        index: whether the first column counts the tokens.
        width: the largest number of columns without it.
    """
    columns = [_columns(sentence, spelling, index, width) for sentence in sentences]
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


def _columns(
    sentence: Stretches, spelling: Spelling, index: bool, width: int
) -> list[list[Chunk]] | None:
    """Entities of the columns behind the tokens of a sentence, if all are of tags."""
    if len(sentence) == 1 and len(sentence[0]) == index + width:
        with suppress(KeyError):
            return [*map(sequences_of(spelling).chunks, sentence[0][index + 1 :])]
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


def columns_of(lines: bytes, separator: str) -> list[list[str]] | None:
    r"""The cells of lines, column by column; nothing where they need a closer look.

    Args:
        lines: lines with as many cells in each, at least two, and a blank line between
            two sentences, whose cells are empty.
        separator: what stands between cells.

    >>> columns_of(b"New York\tB-LOC\n\nfell\tO", "\t"), columns_of(b"fell", "\t")
    ([['New York', '', 'fell'], ['B-LOC', '', 'O']], None)
    """
    mark = separator.encode()
    between = mark * lines.partition(b"\n")[0].count(mark)
    sentences = lines.split(b"\n\n")
    # Of lines with as many cells nothing is left but the ends of blank ones.
    ends = lines.translate(None, _CONTENT[separator]) + b"\n"
    left = ends.replace(between + b"\n", b"")
    if not between or len(left) != len(sentences) - 1 or mark in left:
        return None
    joined = (b"\n" + between + b"\n").join(sentences).replace(b"\n", mark)
    try:
        cells = joined.decode().split(separator)
    except UnicodeDecodeError:
        return None
    width = len(between) + 1
    columns = [cells[number::width] for number in range(width)]
    # Between blanks no cell is empty.
    full = columns if separator == " " else columns[-1:]
    if any(column.count("") != len(left) for column in full):
        return None
    return columns if all(cell.strip() == cell for cell in {*columns[-1]}) else None


_CONTENT = {mark: bytes({*range(256)} - {*b"\n", ord(mark)}) for mark in "\t "}
"""Bytes of cells, by what stands between these."""


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
