"""Alignment of recognized words with reference words by minimum edit distance.

Every word of both sides stands in one column: two words that correspond, equal or not,
or one word alone.  Of all ways one has the fewest columns that are no pair of equal
words (the edit distance of Levenshtein, each error 1); of these the most pairs of equal
words; of these the first, where at each column, from the left, a pair comes before a
word of gold alone, and that before a word of the system alone.

>>> align_words("le maire de Lyon".split(), "les maires Lyon".split())
[(0, 0), (1, 1), (2, None), (3, 2)]

Where both sides say when each word was spoken, only words correspond whose times have
something in common.

>>> align_words(["a", "a"], ["a"], [(0.0, 0.4), (0.4, 0.9)], [(0.5, 0.8)])
[(0, None), (1, 0)]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphscore.exceptions import UsageError

Column = tuple[int | None, int | None]
"""Positions of a gold and of a system word; ``None`` where there is none."""

Time = tuple[float, float]
"""When a word begins and ends, in seconds or any other unit."""

MOST = 2**28
"""Maximum number of word pairs compared: about 16,000 words on either side."""

PAIR, GOLD, SYSTEM = 0, 1, 2
"""Content of a column: a pair, a gold word only, a system word only."""


def align_words(
    gold: Sequence[str],
    system: Sequence[str],
    gold_times: Sequence[Time] | None = None,
    system_times: Sequence[Time] | None = None,
) -> list[Column]:
    """The columns that the words of both sides stand in, from left to right.

    Words are equal whose letters are, whatever their case.

    Args:
        gold: words of the reference.
        system: words of the recogniser.
        gold_times: when each word of gold was spoken; ``None`` where that is not known.
        system_times: when each word of the system was.

    Returns:
        Every word of either side once.

    Raises:
        UsageError: for more than :data:`MOST` pairs of words.
    """
    ours, others = [word.casefold() for word in gold], [w.casefold() for w in system]
    timed = gold_times is not None and system_times is not None
    first = 0
    if not timed:
        # Equal beginnings are paired by the rule anyway.
        most = min(len(ours), len(others))
        while first < most and ours[first] == others[first]:
            first += 1
    rows, columns = len(ours) - first, len(others) - first
    if rows * (columns + 1) > MOST:
        raise UsageError(
            f"{len(ours)} and {len(others)} words to align, expected at most "
            f"{MOST:,} pairs of words"
        )
    result: list[Column] = [(k, k) for k in range(first)]
    if not rows or not columns:
        result += [(first + k, None) for k in range(rows)]
        return result + [(None, first + k) for k in range(columns)]
    may = _overlapping_words(gold_times, system_times)
    steps = _steps(ours[first:], others[first:], may)
    row = column = 0
    while row < rows or column < columns:
        step = int(steps[row, column]) if row < rows else SYSTEM
        left = first + row if step != SYSTEM else None
        right = first + column if step != GOLD else None
        result.append((left, right))
        row += step != SYSTEM
        column += step != GOLD
    return result


def _overlapping_words(
    gold: Sequence[Time] | None, system: Sequence[Time] | None
) -> list[np.ndarray] | None:
    """For each gold word, which system words share some time with it."""
    if gold is None or system is None:
        return None
    begins = np.array([begin for begin, _ in system], float)
    ends = np.array([end for _, end in system], float)
    return [(begins < end) & (ends > begin) for begin, end in gold]


def _steps(
    gold: Sequence[str], system: Sequence[str], may: list[np.ndarray] | None
) -> np.ndarray:
    """Return the first column of each remaining alignment, by words left on both sides.

    An error costs more than all pairs of equal words together earn, so that sums of
    whole numbers decide by both.
    """
    width = len(system)
    error = len(gold) + width + 1
    known = {word: number for number, word in enumerate(dict.fromkeys(system))}
    codes = np.array([known[word] for word in system], np.int64)
    alone = error * np.arange(width + 1, dtype=np.int64)
    rest = alone[::-1].copy()
    steps = np.empty((len(gold), width + 1), np.int8)
    for row in range(len(gold) - 1, -1, -1):
        pair = rest[1:] + np.where(codes == known.get(gold[row], -1), -1, error)
        if may is not None:
            pair[~may[row]] = np.iinfo(np.int64).max // 2
        deleted = rest + error
        least = deleted.copy()
        np.minimum(least[:-1], pair, out=least[:-1])
        # The system's next words alone, however many, and then the best of that.
        rest = np.minimum.accumulate((least + alone)[::-1])[::-1] - alone
        step = np.where(rest == deleted, GOLD, SYSTEM)
        step[:-1][rest[:-1] == pair] = PAIR
        steps[row] = step
    return steps
