"""Characters of two texts that are not quite the same, on one axis.

Gold and system should annotate the same text.  Where they do not, because a
sentence could not be read or a tokeniser rewrote something, what is the same is
found first, so that one difference does not cost the whole document.

>>> from graphscore.model.graph import Graph, Node
>>> def sentence(*forms):
...     nodes = tuple(Node(k, form) for k, form in enumerate(forms))
...     return Sentence(Graph("1", "ud", nodes=nodes))
>>> common_axis([sentence("a", "bc")], [sentence("a", "bd")])
([0, 1, 2], [0, 1, 3])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import cast

from graphscore.metrics.dependencies.document import Sentence

CELLS = 2_000_000_000
"""Pieces by pieces up to which two stretches are searched; bits of memory."""


def common_axis(
    gold: Sequence[Sentence], system: Sequence[Sentence]
) -> tuple[list[int], list[int]]:
    """Places of the characters of two differing texts on one axis.

    Equal stretches are found among whole sentences first, then, in what is left,
    among tokens, then among characters.  Aligned characters share a place; each
    other one has a place of its own.

    Args:
        gold: the gold sentences.
        system: the system sentences.

    Returns:
        The place of every character of the gold and of the system text.
    """
    axes: tuple[list[int], list[int]] = ([], [])
    position = 0

    def put(text: str, *sides: list[int]) -> None:
        nonlocal position
        for side in sides:
            side.extend(range(position, position + len(text)))
        position += len(text)

    def walk(first: _Pieces, second: _Pieces, level: int) -> None:
        """Place two lists of sentences (2), tokens (1) or characters (0)."""
        for left_pieces, right_pieces in _stretches(first, second):
            left, right = _text(left_pieces, level), _text(right_pieces, level)
            if left == right:
                put(left, *axes)
            elif left and right and level:
                walk(_cut(left_pieces), _cut(right_pieces), level - 1)
            else:
                put(left, axes[0])
                put(right, axes[1])

    walk(
        [tuple(sentence.token_texts) for sentence in gold],
        [tuple(sentence.token_texts) for sentence in system],
        2,
    )
    return axes


_Pieces = Sequence[Sequence[str]]


def _text(pieces: _Pieces, level: int) -> str:
    if level == 2:
        return "".join(chain.from_iterable(pieces))
    return "".join(cast("Sequence[str]", pieces))


def _cut(pieces: _Pieces) -> list[str]:
    """Sentences into tokens, tokens into characters."""
    return list(chain.from_iterable(pieces))


def _stretches(left: _Pieces, right: _Pieces) -> Iterator[tuple[_Pieces, _Pieces]]:
    """Both lists cut at their equal pieces: what differs, what is equal, and so on."""
    i = j = 0
    for row, column in common_subsequence(left, right):
        yield left[i:row], right[j:column]
        yield left[row : row + 1], right[column : column + 1]
        i, j = row + 1, column + 1
    yield left[i:], right[j:]


def common_subsequence(left: _Pieces, right: _Pieces) -> list[tuple[int, int]]:
    """A longest common subsequence.

    Bit-parallel (Hyyro 2004, "Bit-parallel LCS-length computation revisited"): a
    zero at bit *j* of a row says that the length grows with the piece *j*.  Equal
    beginnings and ends are taken off first.

    Args:
        left: pieces.
        right: pieces.

    Returns:
        Positions of equal pieces; only those of equal beginnings and ends if there
        are more than ``CELLS`` pairs of pieces between them.

    >>> common_subsequence(["a", "b", "a", "c"], ["b", "a", "a", "c"])
    [(1, 0), (2, 2), (3, 3)]
    """
    begin, end = 0, 0
    shorter = min(len(left), len(right))
    while begin < shorter and left[begin] == right[begin]:
        begin += 1
    while end < shorter - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    result = [(position, position) for position in range(begin)]
    rest = left[begin : len(left) - end], right[begin : len(right) - end]
    if rest[0] and rest[1] and len(rest[0]) * len(rest[1]) <= CELLS:
        result += [(begin + i, begin + j) for i, j in _between(*rest)]
    result += [(len(left) - k, len(right) - k) for k in range(end, 0, -1)]
    return result


def _between(left: _Pieces, right: _Pieces) -> list[tuple[int, int]]:
    positions: dict[Sequence[str], int] = {}
    for number, piece in enumerate(right):
        positions[piece] = positions.get(piece, 0) | 1 << number
    every = (1 << len(right)) - 1
    row = every
    rows = [row]
    for piece in left:
        shared = row & positions.get(piece, 0)
        row = (row + shared | row - shared) & every
        rows.append(row)
    result = []
    i, j = len(left), len(right)
    while i and j:
        if rows[i] >> (j - 1) & 1:
            j -= 1
        elif rows[i - 1] >> (j - 1) & 1:
            i, j = i - 1, j - 1
            result.append((i, j))
        else:
            i -= 1
    return result[::-1]
