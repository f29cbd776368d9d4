"""Words of two sides: against all alignments, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore.model.word_alignment as module
from graphscore.exceptions import UsageError
from graphscore.model.word_alignment import Column, Time, align_words

WORDS = st.lists(st.sampled_from(["a", "b", "A", "c"]), max_size=5)


Steps = tuple[int, ...]
"""What stands in each column: 0 a pair, 1 a word of gold, 2 one of the system."""

IMPOSSIBLE = 10**6


def best(
    gold: Sequence[str],
    system: Sequence[str],
    times: tuple[Sequence[Time], Sequence[Time]] | None = None,
) -> list[Column]:
    """The fewest errors, then the most equal pairs, then the first: all are tried."""

    @cache
    def rest(row: int, column: int) -> tuple[int, int, Steps]:
        found: list[tuple[int, int, Steps]] = []
        if row == len(gold) and column == len(system):
            return 0, 0, ()
        if row < len(gold) and column < len(system):
            errors, equal, steps = rest(row + 1, column + 1)
            same = gold[row].lower() == system[column].lower()
            if times is not None:
                (a, b), (c, d) = times[0][row], times[1][column]
                errors += IMPOSSIBLE * (min(b, d) <= max(a, c))
            found.append((errors + (not same), equal - same, (0, *steps)))
        if row < len(gold):
            errors, equal, steps = rest(row + 1, column)
            found.append((errors + 1, equal, (1, *steps)))
        if column < len(system):
            errors, equal, steps = rest(row, column + 1)
            found.append((errors + 1, equal, (2, *steps)))
        return min(found)

    columns: list[Column] = []
    row = column = 0
    for step in rest(0, 0)[2]:
        columns.append((row if step != 2 else None, column if step != 1 else None))
        row, column = row + (step != 2), column + (step != 1)
    return columns


@given(WORDS, WORDS)
def test_no_alignment_is_better(gold: list[str], system: list[str]) -> None:
    assert align_words(gold, system) == best(gold, system)


@st.composite
def spoken(draw: st.DrawFn) -> tuple[list[str], list[Time]]:
    words = draw(st.lists(st.sampled_from("ab"), max_size=4))
    times, at = [], 0
    for _ in words:
        at += draw(st.integers(0, 2))
        times.append((at / 10, (at + 2) / 10))
        at += 2
    return words, times


@given(spoken(), spoken())
def test_words_that_were_not_spoken_together_are_no_pair(
    one: tuple[list[str], list[Time]], two: tuple[list[str], list[Time]]
) -> None:
    found = align_words(one[0], two[0], one[1], two[1])
    assert found == best(one[0], two[0], (one[1], two[1]))


@given(WORDS, WORDS)
def test_every_word_stands_in_one_column(gold: list[str], system: list[str]) -> None:
    found = align_words(gold, system)
    assert [one for one, _ in found if one is not None] == list(range(len(gold)))
    assert [two for _, two in found if two is not None] == list(range(len(system)))
    assert (None, None) not in found


def test_what_is_alike_but_long_takes_little_time() -> None:
    words = [f"w{k % 700}" for k in range(3000)]
    other = words[:10] + words[20:]
    found = align_words(words, other)
    assert sum(two is None for _, two in found) == 10
    assert sum(None not in each for each in found) == 2990


def test_too_many_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 20)
    assert align_words(["a"] * 4, ["b"] * 4)
    with pytest.raises(UsageError, match="5 and 6 words to align, expected at most 20"):
        align_words(["a"] * 5, ["b"] * 6)
    # What is equal from the beginning needs no table.
    assert len(align_words(["a"] * 50, ["a"] * 50)) == 50
