"""Plain paragraphs of SDP are read as the careful reader reads them."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.formats.base import Read, Record
from graphscore.formats.meaning import sdp
from graphscore.formats.meaning.sdp import plain_graph
from tests.formats.damage import Edits, edited, edits

FILE = """#SDP 2015
#1
1\tDogs\tdog\tNNS\t-\t-\t_\tARG1\t_
2\tbark\tbark\tVBP\t+\t+\tv:e\t_\tmod
3\tnow\t_\t_\t-\t+\t_\t_\t_
4\t.\t.\t.\t-\t-\t_\t_\t_

#2
1\té\te\tX\t+\t-\t_

#3
1\ta\ta\tX\t-\t+\t_\t_
2\tb\t_\tX\t-\t-\t_\tx_y
"""

OLD = FILE.replace("#SDP 2015\n", "").replace("v:e\t", "").replace("\t_\n", "\n")

PIECES = (
    *(
        "\t",
        "\n",
        "\n\n",
        " ",
        "\r\n",
        "#",
        "\n#",
        "#SDP 2015\n",
        "#SDP 2014\n",
        "\x0b",
    ),
    *("+", "-", "_", "1", "2", "\t_", "\t_\n", "\t\n", "\u00a0", "\x1c", "\x85"),
    "#4\n1\ta\ta\tX\t-\t+\t_\t_\n2\tb\t_\tX\t-\t-\t_\tx\n\n",
)


def read(data: bytes, name: str = "a.dm.sdp") -> list[Record]:
    return list(sdp.read(io.BytesIO(data), name))


def agree(data: bytes) -> int:
    """Check that both ways give the same records; how many were plain."""
    found: list[bool] = []

    def told(
        first: int, lines: list[bytes], framework: str, modern: bool | None
    ) -> Read | None:
        graph = plain_graph(first, lines, framework, modern)
        found.append(graph is not None)
        return graph

    with mock.patch.object(sdp, "plain_graph", told):
        records = read(data)
    with mock.patch.object(sdp, "plain_graph", return_value=None):
        assert repr(records) == repr(read(data))
    return sum(found)


def test_paragraphs_of_one_graph_are_plain() -> None:
    assert agree(FILE.encode()) == 3
    # Who knows no header must read the first paragraph line by line.
    assert agree(FILE.replace("#SDP 2015\n", "").encode()) == 2


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", FILE]))
@settings(max_examples=150)
def test_any_text_is_read_as_it_is_carefully(pieces: list[str], before: str) -> None:
    agree((before + "".join(pieces)).encode())


@given(
    st.sampled_from([FILE, OLD]),
    edits(len(FILE), PIECES, 6),
)
@settings(max_examples=300)
def test_a_damaged_file_is_read_as_it_is_carefully(text: str, changes: Edits) -> None:
    agree(edited(text, changes).encode())


GOOD = "#SDP 2015\n\n#1\n1\ta\tb\tX\t-\t+\t_\t_\n2\tb\t_\tX\t+\t-\tf\tx\n"
EARLY = "#SDP 2014\n\n#1\n1\ta\tb\tX\t-\t+\t_\n2\tb\t_\tX\t+\t-\tx\n"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        EARLY,
        GOOD.rstrip(),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("x\n", "x \n"),
        GOOD.replace("#1", "# 1"),
        GOOD.replace("+\t_\t_", "-\t_").replace("f\tx", "f"),
        "\n" + GOOD,
    ],
)
def test_what_is_usual_is_plain(text: str) -> None:
    assert agree(text.encode()) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#1\n", ""),
        ("#1\n", "#1\n# comment\n"),
        ("#1\n", "#1\n#2\n"),
        ("2\tb", "3\tb"),
        ("2\tb", "2\t"),
        ("X\t-", "X\t?"),
        ("-\t+", "-\t_"),
        ("\tx\n", "\n"),
        ("\tx\n", "\tx\t\n"),
        ("\tx\n", "\tx\ty\n"),
        ("\tx\n", "\t\n"),
        ("1\ta\tb\tX\t-\t+\t_\t_\n2\tb\t_\tX\t+\t-\tf\tx\n", ""),
    ],
)
def test_anything_else_is_read_carefully(old: str, new: str) -> None:
    assert agree(GOOD.replace(old, new, 1).encode()) == 0


def test_bytes_that_are_no_text_are_read_carefully() -> None:
    assert agree(GOOD.encode().replace(b"f", b"\xff") + b"\n" + b"#2\n1\xff") == 0


def test_the_corpus_is_read_as_it_is_carefully(conformance: Path) -> None:
    for name in ("dm.sdp", "psd.sdp"):
        data = (conformance / "mrp" / "native" / name).read_bytes()
        assert agree(data) >= len(read(data)) - 1
