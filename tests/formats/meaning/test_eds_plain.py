"""Plain paragraphs of EDS are read as the careful reader reads them."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.formats.base import Record
from graphscore.formats.meaning import eds
from graphscore.formats.meaning.eds import plain_graph
from tests.formats.damage import Edits, edited, edits

FILE = r"""#1
{e2: (fragmented)
 e2:_bark_v_1<5:9>{e SF prop, TENSE past}[ARG1 x4, ARG2 i5]
|x4:named<0:4>("Fi\"do"){x PERS 3}[]
 _1:proper_q<0:4>[BV x4]
 i5:_odd_n_1<-1:2>{i}[]
}

{x1:
 x1:_dog_n_1<0:4>[]
}

#2
{e3:
 e3:a_label("c")[ARG1 e3]
}
# a comment
"""

PIECES = (
    *("{", "}", "[", "]", "<", ">", "<>", "{}", "[]", "(", ")", '("', '")', '("{")'),
    *(":", ",", "|", "#", "#7\n", "\n", "\n\n", "\n{", " ", "\r\n", "\t", "\\", "é"),
    *("x4", "x4:d<0:1>[]", "ARG1 x4", "<9:4>", "<@1>", "(cyclic)", "\u00a0", "\x1c"),
    "#3\n{x1:\n x1:_dog_n_1<0:4>[]\n}\n\n",
)


def read(data: bytes) -> list[Record]:
    return list(eds.read(io.BytesIO(data), "a.eds"))


def agree(data: bytes) -> int:
    """Check that both ways give the same records; how many were plain."""
    found: list[bool] = []

    def told(first: int, lines: list[bytes]) -> object:
        graph = plain_graph(first, lines)
        found.append(graph is not None)
        return graph

    with mock.patch.object(eds, "plain_graph", told):
        records = read(data)
    with mock.patch.object(eds, "plain_graph", return_value=None):
        assert repr(records) == repr(read(data))
    return sum(found)


def test_paragraphs_of_one_graph_are_plain() -> None:
    assert agree(FILE.encode()) == 1
    assert agree(FILE.replace("-1:2", "1:2").encode()) == 2
    assert agree(FILE.replace("# a comment", "").encode()) == 2


@given(st.lists(st.sampled_from(PIECES), max_size=25))
@settings(max_examples=200)
def test_any_text_is_read_as_it_is_carefully(pieces: list[str]) -> None:
    agree("".join(pieces).encode())


@given(edits(len(FILE), PIECES, 9))
@settings(max_examples=300)
def test_a_damaged_file_is_read_as_it_is_carefully(changes: Edits) -> None:
    agree(edited(FILE, changes).encode())


GOOD = '#1\n{e2:\n e2:_bark<5:9>{e SF prop}[ARG1 x4]\n x4:named<0:4>("Fido")[]\n}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("#1\n", ""),
        ("#1\n", "#1 \r\n"),
        ("{e2:\n", "{e2: (cyclic fragmented)\n"),
        ("{e2:\n", "{:\n"),
        ("\n x4", "\n|x4"),
        ("Fido", r"Fi\"do"),
        ("<0:4>", ""),
        ("\n x4", " x4"),
    ],
)
def test_what_is_usual_is_plain(old: str, new: str) -> None:
    assert agree(GOOD.replace(old, new, 1).encode()) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#1\n", "# a comment\n"),
        ("#1\n", "#1\n#2\n"),
        ("<0:4>", "<>"),
        ("<0:4>", "<@1>"),
        ("<0:4>", "<4:0>"),
        ("<0:4>", "<0:1000001>"),
        ("Fido", '}")("{'),
        ("Fido", "Fi\ndo"),
        ("_bark", "_ba}rk"),
        ("{e SF prop}", "{}"),
        ("{e SF prop}", "{e SF}"),
        ("{e SF prop}", "\n{e SF prop}"),
        ("[ARG1 x4]", "[ARG1 x5]"),
        ("[ARG1 x4]", "[ARG1]"),
        ("[ARG1 x4]", "[,]"),
        ("x4:named", "e2:named"),
        ("{e2:", "{e3:"),
        ("\n}", ""),
        ("\n}", "\n}}"),
        ("\n}", "\n} x"),
        ("\n}", "\n}\n{e2:\n}"),
    ],
)
def test_anything_else_is_read_carefully(old: str, new: str) -> None:
    assert agree(GOOD.replace(old, new, 1).encode()) == 0


def test_bytes_that_are_no_text_are_read_carefully() -> None:
    assert agree(GOOD.encode() + b"\n\n" + GOOD.encode().replace(b"i", b"\xff")) == 1


def test_the_corpus_is_read_as_it_is_carefully(conformance: Path) -> None:
    for name in ("eds.eds", "eds.pet.eds"):
        data = (conformance / "mrp" / "native" / name).read_bytes()
        assert agree(data) > 0.9 * len(read(data))
