"""Blocks of lines, which all formats of columns are read by."""

from __future__ import annotations

import io

import pytest

from graphscore.formats.shared import columns
from graphscore.formats.shared.columns import Block, blocks


def test_lines_that_are_no_text_are_named_each_and_leave_the_others() -> None:
    block = Block("a", 3, [b"1 a\n", b"\xff\n", b"2 b\n", b"\xfe\n"])
    assert (block.lines, block.numbers) == (["1 a", "2 b"], [3, 5])
    assert [problem.line for problem in block.problems] == [4, 6]


def test_of_a_block_without_end_only_the_beginning_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "LONGEST_BLOCK", 100)
    data = io.BytesIO(b"1 a\n" * 1000 + b"\n1 b\n")
    (first, endless), (second, good) = blocks(data)
    assert (first, len(endless), second, good) == (1, 25, 1002, [b"1 b\n"])
    [problem] = Block("a", first, endless).problems
    assert "more than 100 bytes" in str(problem)


def test_rows_of_another_width_than_most_are_named() -> None:
    block = Block("a", 1, [b"1 a\n", b"2\n", b"3 c\n"])
    rows = [line.split() for line in block.lines]
    assert not block.even(rows, range(3), 1)
    assert [str(problem) for problem in block.problems] == [
        "a:2: found 1 column, expected 2 columns, as in the first line of the sentence"
    ]
    assert block.even([["a"], ["b"]], (0, 1), 1)
