"""Plain blocks of PENMAN are read as the splitter and penman read them."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.formats.base import Record
from graphscore.formats.meaning import amr
from graphscore.formats.meaning.amr import tree
from graphscore.formats.meaning.amr.records import DEEPEST, PenmanRecord
from graphscore.formats.shared import paragraphs
from tests.formats.damage import Edits, edited, edits

FILE = r"""# AMR release
# by hand

(f / first)

# ::id a.1 ::date 2012
# ::snt Pierre says "5\" nails" (twice)
(s / say-01~e.1
    :ARG0 (p / person :name (n / name :op1 "Pierre (x)" :op2 "a\"b"~e.0))
    :ARG1~e.2 (t / thing :quant 2 :ARG1-of s~e.1 :mode "expressive" :polarity -)
    :mod (x / "quoted") :op1 t :op1 later :op2 (y))

# ::id a.2
# ::tok Dogs bark
(b / bark-01 :ARG0
(d / dog) :location somewhere~e.3,4)

(e / empty)
"""

PIECES = (
    *("(", ")", "/", ":ARG0", ":ARG0-of", ":", "b", "dog", '"x y"', "~e.1", "~", '"'),
    *(" ", "\n", "\n\n", "\n(", "# ::id 7\n", "# ::snt x\n", "#", "\r\n", "\t", "\\"),
    *("é", "\u00a0", "\x85", "\x1c", "(b / bark)", " :ARG1 (c / cat)", "\x00"),
)


def read(data: bytes) -> list[Record]:
    return list(amr.read(io.BytesIO(data), "a.amr"))


def read_carefully(data: bytes) -> list[Record]:
    with mock.patch.object(tree, "plain_block", return_value=None):
        return read(data)


def agree(data: bytes) -> None:
    assert repr(read(data)) == repr(read_carefully(data))


def taken(data: bytes) -> list[bool]:
    """Of each record whether it was plain."""
    found = tree.blocks(io.BytesIO(data), "a.amr")
    return [not isinstance(each, PenmanRecord) for each in found]


def test_blocks_of_one_graph_are_plain() -> None:
    assert taken(FILE.encode()) == [False, True, False, True]
    agree(FILE.encode())


@given(st.lists(st.sampled_from(PIECES), max_size=25))
@settings(max_examples=200)
def test_any_text_is_read_as_it_is_carefully(pieces: list[str]) -> None:
    agree("".join(pieces).encode())


@given(edits(len(FILE), PIECES, 9))
@settings(max_examples=300)
def test_a_damaged_file_is_read_as_it_is_carefully(changes: Edits) -> None:
    agree(edited(FILE, changes).encode())


@pytest.mark.parametrize(
    "block",
    [
        "(b)",
        "(b/bark:ARG0(d/dog))",
        '# comment\n# ::id 1 ::x y\n(b / bark :op1"x":op2 "y"~e.1 :op3~e.2 z)',
        "(b / bark\r\n  :ARG0 (d / dog))\r\n",
        "(b / bark :ARG0 b :ARG0 b :mod (m / more :op1 (n)))",
        "(a" + " :x (b%d" * 3 % (1, 2, 3) + ")" * 4,
    ],
)
def test_what_is_usual_is_plain(block: str) -> None:
    assert taken(block.encode()) == [True]
    agree(block.encode())


@pytest.mark.parametrize(
    "block",
    [
        "()",
        "(b / bark) (c / cat)",
        "(b / bark) # comment",
        "(b / bark\n# comment\n:ARG0 (d / dog))",
        "(b / bark ~e.1)",
        "(b / bark :ARG0 (b / bark))",
        "(b / bark :ARG0)",
        "(b / bark :ARG0 (d / dog)",
        "(b / bark))",
        "(b / )",
        "# ::id 1\n# ::id 2\n(b / bark)",
        '(b / bark :op1 "x)',
        "b / bark",
        "(b / bark dog)",
        "(b / bark (d / dog))",
        "(b / bark\n(d / dog))",
    ],
)
def test_anything_else_is_read_carefully(block: str) -> None:
    assert not any(taken(block.encode()))
    agree(block.encode())


def test_brackets_are_as_deep_as_they_may_be() -> None:
    for depth in (DEEPEST, DEEPEST + 1):
        block = ":a ".join(f"(v{number} " for number in range(depth)) + ")" * depth
        assert taken(block.encode()) == [depth == DEEPEST]
        agree(block.encode())


def test_bytes_that_are_no_text_are_read_carefully() -> None:
    agree(b"(b / bark)\n\n(c / c\xffat)\n\n(d / dog)\n")


def test_a_long_block_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paragraphs, "MOST_BYTES", 30)
    data = b"# ::id 1\n# ::x a long comment\n(b / bark)\n\n(c / cat)\n"
    assert taken(data) == [False, True]
    agree(data)


def test_the_corpus_is_read_as_it_is_carefully(conformance: Path) -> None:
    for name in ("native/amr.amr", "amr/coli500.system.amr"):
        data = (conformance / "mrp" / name).read_bytes()[:60_000]
        agree(data)
        assert sum(taken(data)) > 0.9 * len(taken(data))
