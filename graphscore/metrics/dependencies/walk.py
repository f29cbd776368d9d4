"""Words in multiword tokens, as UD eval.py aligns them.

A longest common subsequence of forms decides inside multiword tokens.  *Which*
words take part in it is where the program and its description part.  The program
walks along both sides.  When one side comes to a multiword token, it passes over
no more than one word that begins before it on the other side; where there are
several, the others take part, although they are not inside of the token and may
not even touch it.  :func:`by_walking` does the same, for ``preset=udtools``.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.metrics.dependencies.document import Document, Span

Pairs = list[tuple[int, int]]
"""Numbers of gold words and of their system words."""


def lowered(document: Document, numbers: Sequence[int]) -> list[str]:
    """What is compared of forms."""
    return [str(document.words[number].label).lower() for number in numbers]


def longest_common(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence; equal fronts match, then gold is passed first.

    >>> longest_common(["do", "n't", "do"], ["do", "not", "do"])
    [(0, 0), (2, 2)]
    """
    rows, columns = len(gold), len(system)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(columns - 1, -1, -1):
            if gold[i] == system[j]:
                row[j] = 1 + below[j + 1]
            else:
                row[j] = max(below[j], row[j + 1])
    found = []
    i = j = 0
    while i < rows and j < columns:
        if gold[i] == system[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def by_walking(
    gold: Document,
    system: Document,
    ranges: tuple[list[Span], list[Span]],
    equal: tuple[Sequence[object], Sequence[object]],
) -> Pairs:
    """Align the words as the program does (udtools 0.2.9, ``align_words``).

    Args:
        gold: the gold document.
        system: the system document.
        ranges: the characters of the words of either side, on a common axis.
        equal: for either side what must be equal of two words in no multiword
            token; ``None`` is equal to nothing.

    Returns:
        The aligned words, ascending.
    """
    found: Pairs = []
    at = [0, 0]
    sides = (gold, system)
    multiword = (set(gold.multiword), set(system.multiword))
    while at[0] < gold.size and at[1] < system.size:
        mine, theirs = (ranges[side][at[side]] for side in (0, 1))
        token = next((side for side in (0, 1) if at[side] in multiword[side]), None)
        if token is not None:
            first = _catch_up(at, token, ranges, multiword)
            at = _pass_token(first, token, ranges, multiword)
            one, two = (
                lowered(sides[side], range(first[side], at[side])) for side in (0, 1)
            )
            common = longest_common(one, two)
            found += [(first[0] + k, first[1] + m) for k, m in common]
        elif (key := equal[0][at[0]]) is not None and key == equal[1][at[1]]:
            found.append((at[0], at[1]))
            at = [at[0] + 1, at[1] + 1]
        else:
            at[0 if mine[0] <= theirs[0] else 1] += 1
    return found


_Ranges = tuple[list[Span], list[Span]]
_Multiword = tuple[set[int], set[int]]


def _catch_up(
    at: list[int], token: int, ranges: _Ranges, multiword: _Multiword
) -> list[int]:
    """Pass one word of the other side that begins before the token, if it does."""
    other = 1 - token
    begins = ranges[token][at[token]][0]
    first = list(at)
    if at[other] not in multiword[other] and ranges[other][at[other]][0] < begins:
        first[other] += 1
    return first


def _pass_token(
    first: list[int], token: int, ranges: _Ranges, multiword: _Multiword
) -> list[int]:
    """The first words of either side after a token and what overlaps it."""
    at = list(first)
    end = ranges[token][at[token]][1]

    def beyond(side: int) -> bool:
        if at[side] >= len(ranges[side]):
            return True
        start, stop = ranges[side][at[side]]
        return start >= end if at[side] in multiword[side] else stop > end

    while not (beyond(0) and beyond(1)):
        side = 1
        if at[0] < len(ranges[0]) and (
            at[1] >= len(ranges[1]) or ranges[0][at[0]][0] <= ranges[1][at[1]][0]
        ):
            side = 0
        if at[side] in multiword[side]:
            end = max(end, ranges[side][at[side]][1])
        at[side] += 1
    return at
