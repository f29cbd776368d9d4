r"""What the columns of a table of tags are, found out from its first sentences.

The token stands first and its tag last, and what stands between is of no account,
unless the rows say otherwise:

* A first column that counts up is an index; the token is in the second (WikiNEuRal,
  WikiANN, GermEval).
* Where everything behind the token is a tag, there are several layers of entities
  (GermEval, LitBank), unless two columns say the same of the same tokens, as gold and
  predictions do, or the first has phrases rather than entities.
* Where no tag has a letter, they are types, and neighbours of one type are one entity
  (Few-NERD).

>>> rows = [["1", "Rome", "B-LOC", "O"], ["2", "fell", "O", "O"]]
>>> table_of([rows])
Table(indexed=True, layers=('outer', 'nested'), plain=False)
>>> table_of([[["EU", "NNP", "I-NP", "I-ORG"], ["says", "VBZ", "I-VP", "O"]]])
Table(indexed=False, layers=(), plain=False)
>>> table_of([[["Magna", "MISC-law"], ["Carta", "MISC-law"], ["is", "O"]]])
Table(indexed=False, layers=(), plain=True)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from graphscore.structures.entities.tags import OUTSIDE, Tag, chunks, tag_of

Rows = Sequence[list[str]]
"""The cells of the lines of a sentence."""

TWO_LAYERS = ("outer", "nested")
"""What two columns of tags are called; more of them have numbers, from 1."""

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
    """What the columns are."""

    indexed: bool = False
    """Whether the first column counts the tokens, which are in the second."""
    layers: tuple[str, ...] = ()
    """What the columns of tags are called where there are several."""
    plain: bool = False
    """Whether tags are types, without letters."""

    @property
    def first(self) -> int:
        """The column of the token."""
        return int(self.indexed)


read_tag = lru_cache(maxsize=4096)(tag_of)


def plain_tag(written: str) -> Tag:
    """A tag without a letter.

    >>> plain_tag("O"), plain_tag("MISC-law")
    (('O', None), ('I', 'MISC-law'))
    """
    return OUTSIDE if written == OUTSIDE[0] else ("I", written)


def table_of(sentences: Iterable[Rows], layered: bool = True) -> Table:
    """What the columns of a file are.

    Args:
        sentences: the rows of its first sentences, without comments.
        layered: whether there may be several columns of tags; else all but the last
            are something else.
    """
    all_of_them = [each for each in sentences if each]
    index = has_index(all_of_them)
    if index:
        all_of_them = [_uncommented(rows) for rows in all_of_them]
    rest = [[row[int(index) :] for row in rows] for rows in all_of_them]
    names = _layers(rest) if layered else ()
    return Table(index, names, not names and _is_plain(rest))


def is_comment(cells: Sequence[str]) -> bool:
    """Whether a line of a table with an index is a comment, as GermEval has them."""
    return cells[0].startswith("#")


def has_index(sentences: Sequence[Rows]) -> bool:
    """Whether the first of three columns or more counts up in each sentence.

    It begins with 0, with 1, or goes on from the sentence before.

    Args:
        sentences: their rows.
    """
    good = odd = longest = 0
    following = 0
    for rows in sentences:
        rows = _uncommented(rows)
        numbers = [int(r[0]) for r in rows if len(r) > 2 and _is_number(r[0])]
        first = numbers[0] if numbers else 0
        counted = [*range(first, first + len(rows))]
        if rows and numbers == counted and first in (0, 1, following):
            good += 1
            longest = max(longest, len(rows))
        elif rows:
            odd += 1
        following = first + len(rows)
    return longest > 1 and _forgiven(odd, good + odd)


def _forgiven(odd: int, sentences: int) -> bool:
    """Whether sentences that are unlike the others are few enough."""
    return odd <= max(ODD * sentences, int(sentences >= SOME))


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) < 10


def _uncommented(rows: Rows) -> Rows:
    start = 0
    while start < len(rows) and is_comment(rows[start]):
        start += 1
    return rows[start:]


def _layers(sentences: Sequence[Rows]) -> tuple[str, ...]:
    """The names of the columns of tags, if there are several."""
    width = max((len(row) for rows in sentences for row in rows), default=0)
    good = [rows for rows in sentences if _all_tags(rows, width)]
    if (
        width < 3
        or not good
        or not _forgiven(len(sentences) - len(good), len(sentences))
    ):
        return ()
    found: list[set[tuple[int, int, int, str | None]]] = [
        set() for _ in range(1, width)
    ]
    for number, rows in enumerate(good):
        for column, entities in enumerate(found, 1):
            read = chunks(read_tag(row[column]) or OUTSIDE for row in rows)
            entities |= {(number, each.first, each.last, each.label) for each in read}
    types = {label for *_, label in found[0]}
    if types and types <= PHRASES:
        return ()
    for one, two in combinations(found, 2):
        if len(one & two) > ALIKE * min(len(one), len(two)):
            return ()
    if len(found) == len(TWO_LAYERS):
        return TWO_LAYERS
    return tuple(str(number) for number in range(1, width))


def _all_tags(rows: Rows, width: int) -> bool:
    """Whether everything behind the tokens of a sentence is a tag."""
    return all(len(row) == width and all(map(read_tag, row[1:])) for row in rows)


def _is_plain(sentences: Sequence[Rows]) -> bool:
    """Whether the last column has types, and what is outside of them."""
    said = {row[-1] for rows in sentences for row in rows if len(row) > 1}
    types = said - {OUTSIDE[0]}
    return types != said and bool(types) and not any(map(read_tag, types))
