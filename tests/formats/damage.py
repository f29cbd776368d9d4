"""Files that are broken at random, and work that is counted instead of timed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph, Record

Damage = list[tuple[int, str, bytes]]

PIECES = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"\\", b"-1", b"1e9",
          b"\t", b" ", b"\n", b"\r", b";", b"T1", b"E1", b"0 5", b"*", b"\xff",
          b"\xf0\x9f\x99\x82", b"99999999999999999999")  # fmt: skip


Edits = list[tuple[int, int, str]]
"""Where a text is changed, how many characters go there, and what comes instead."""


def edits(size: int, pieces: Sequence[str], longest: int) -> st.SearchStrategy[Edits]:
    """One to three changes of a text of so many characters.

    Args:
        size: characters of the text.
        pieces: what comes instead of what goes, beside nothing.
        longest: how many characters go at most.
    """
    each = st.tuples(
        st.integers(0, size), st.integers(0, longest), st.sampled_from(["", *pieces])
    )
    return st.lists(each, min_size=1, max_size=3)


def edited(text: str, changes: Edits) -> str:
    """The text with all changes, one after the other."""
    for start, length, piece in changes:
        text = text[:start] + piece + text[start + length :]
    return text


def damages(size: int) -> st.SearchStrategy[Damage]:
    """Places in a file of so many bytes, and what happens there."""
    return st.lists(
        st.tuples(
            st.integers(0, size),
            st.sampled_from(("change", "drop", "insert", "cut", "repeat")),
            st.one_of(st.binary(min_size=1, max_size=2), st.sampled_from(PIECES)),
        ),
        min_size=1,
        max_size=5,
    )


def damaged(data: bytes, damage: Damage) -> bytes:
    """The file after all of it happened."""
    for place, kind, piece in damage:
        if kind == "change":
            data = data[:place] + piece + data[place + len(piece) :]
        elif kind == "drop":
            data = data[:place] + data[place + 3 :]
        elif kind == "insert":
            data = data[:place] + piece + data[place:]
        elif kind == "cut" and place > len(data) // 2:
            data = data[:place]
        elif kind == "repeat":
            data = data[:place] + data[max(0, place - 20) :]
    return data


def check(records: list[Record], texts: bool = True) -> None:
    """Every record is a whole graph, or says what is wrong with it.

    Args:
        records: what was read.
        texts: whether graphs have the texts that their positions are in.
    """
    for record in records:
        if isinstance(record, ReadGraph):
            graph = record.graph
            assert len(graph.digest()) == 16
            for node in graph.nodes:
                for start, end in node.anchors:
                    assert 0 <= start <= end
                    assert end <= len(graph.text) or not (texts or graph.text)
        else:
            assert record.problems
            assert all(str(problem) for problem in record.problems)


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, those of the interpreter included."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
