"""Whatever is wrong with a file of SDP is said, and costs its own sentence alone."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.meaning import sdp
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


def check(data: bytes) -> list[Record]:
    """Check that what is refused has a reason, and stands where it says."""
    records = read(data)
    for record in records:
        if isinstance(record, Rejected):
            assert record.problems
            assert all((each.line or 0) >= record.line for each in record.problems)
    lines = [record.line for record in records]
    assert lines == sorted(set(lines))
    return records


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", FILE]))
def test_any_text_is_read_or_refused_with_a_reason(
    pieces: list[str], before: str
) -> None:
    check((before + "".join(pieces)).encode())


@given(
    st.sampled_from([FILE, OLD]),
    edits(len(FILE), PIECES, 6),
)
def test_a_damaged_file_is_read_or_refused_with_a_reason(
    text: str, changes: Edits
) -> None:
    check(edited(text, changes).encode())


GOOD = "#SDP 2015\n\n#1\n1\ta\tb\tX\t-\t+\t_\t_\n2\tb\t_\tX\t+\t-\tf\tx\n"
EARLY = "#SDP 2014\n\n#1\n1\ta\tb\tX\t-\t+\t_\n2\tb\t_\tX\t+\t-\tx\n"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        EARLY,
        GOOD.rstrip(),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", " \r\n"),
        GOOD.replace("x\n", "x \n"),
        GOOD.replace("x\n", "x\t\t\n"),
        GOOD.replace("#1", "# 1"),
        GOOD.replace("#1", "# 1\n# source = a\n# note"),
        GOOD.replace("+\t_\t_", "-\t_").replace("f\tx", "f"),
        "\n" + GOOD,
    ],
)
def test_blanks_and_comments_cost_nothing(text: str) -> None:
    [record] = check(text.encode())
    assert isinstance(record, ReadGraph)
    assert (record.graph.id, record.graph.text) == ("1", "a b")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("2\tb", "3\tb", "a:5:1: id: found '3', expected 2"),
        ("2\tb", "2\t", "a:5:3: form: found nothing, expected a token"),
        ("X\t-", "X\t?", "a:4:9: top: found '?', expected + or -"),
        ("-\t+", "-\t_", "a:4:11: pred: found '_', expected + or -"),
        ("\tx\n", "\n", "a:5: found 7 columns, expected 7 and one for each of 1 pred"),
        ("\tx\n", "\tx\ty\n", "a:5: found 9 columns, expected 7 and one for each of 1"),
        (
            "1\ta\tb\tX\t-\t+\t_\t_\n2\tb\t_\tX\t+\t-\tf\tx\n",
            "",
            "a:3: found an id without tokens, expected a token per line",
        ),
    ],
)
def test_what_is_wrong_is_said_where_it_is(old: str, new: str, expected: str) -> None:
    data = GOOD.replace(old, new, 1) + "\n#2\n1\ta\tb\tX\t-\t-\t_\n"
    bad, good = [*sdp.read(io.BytesIO(data.encode()), "a")]
    assert isinstance(bad, Rejected)
    assert str(bad.problems[0]).startswith(expected)
    assert isinstance(good, ReadGraph)


def test_comments_after_tokens_begin_a_sentence() -> None:
    text = FILE.replace("\n\n", "\n")
    assert [each.line for each in check(text.encode())] == [2, 7, 9]
    # What cannot be read is not a token: one record, as before.
    data = b"#1\n1\t\xff\n#2\n1\ta\ta\tX\t-\t-\n"
    [record] = check(data)
    assert isinstance(record, Rejected)
    assert record.raw == data
