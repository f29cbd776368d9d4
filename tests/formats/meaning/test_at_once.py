"""Usual paragraphs of AMR and EDS, which are read at once, and what the careful reader
says of the same bytes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import Record
from graphscore.formats.meaning import amr, eds
from graphscore.formats.meaning.amr import tree
from graphscore.formats.meaning.amr.records import DEEPEST
from graphscore.formats.shared import paragraphs
from tests.formats.damage import edited, edits

AMR_FILE = r"""# AMR release
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

AMR_PIECES = (
    *("(", ")", "/", ":ARG0", ":ARG0-of", ":", "b", "dog", '"x y"', "~e.1", "~", '"'),
    *(" ", "\n", "\n\n", "\n(", "# ::id 7\n", "# ::snt x\n", "#", "\r\n", "\t", "\\"),
    *("é", "\u00a0", "\x85", "\x1c", "(b / bark)", " :ARG1 (c / cat)", "\x00"),
)


EDS_FILE = r"""#1
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

EDS_PIECES = (
    *("{", "}", "[", "]", "<", ">", "<>", "{}", "[]", "(", ")", '("', '")', '("{")'),
    *(":", ",", "|", "#", "#7\n", "\n", "\n\n", "\n{", " ", "\r\n", "\t", "\\", "é"),
    *("x4", "x4:d<0:1>[]", "ARG1 x4", "<9:4>", "<@1>", "(cyclic)", "\u00a0", "\x1c"),
    "#3\n{x1:\n x1:_dog_n_1<0:4>[]\n}\n\n",
)


GOOD = '#1\n{e2:\n e2:_bark<5:9>{e SF prop}[ARG1 x4]\n x4:named<0:4>("Fido")[]\n}'


class Twin(NamedTuple):
    """A format, its function that reads at once, and what both are tried on."""

    read: Callable[..., Any]
    module: Any
    name: str
    file: str
    pieces: tuple[str, ...]
    corpus: str


TWINS = {
    "amr": Twin(amr.read, tree, "plain_block", AMR_FILE, AMR_PIECES, "amr.amr"),
    "eds": Twin(eds.read, eds, "plain_graph", EDS_FILE, EDS_PIECES, "eds.eds"),
}


def agree(name: str, data: bytes) -> list[bool]:
    """Check that both ways agree; of each paragraph, whether it was read at once."""
    twin = TWINS[name]
    plain: Any = getattr(twin.module, twin.name)
    found: list[bool] = []

    def noted(first: int, lines: bytes) -> Any:
        paragraph = plain(first, lines)
        found.append(paragraph is not None)
        return paragraph

    def records() -> list[Record]:
        return [*twin.read(io.BytesIO(data), "a")]

    with mock.patch.object(twin.module, twin.name, noted):
        at_once = records()
    with mock.patch.object(twin.module, twin.name, return_value=None):
        assert repr(at_once) == repr(records())
    # However little of the file is there at a time.
    with mock.patch.object(paragraphs, "STRETCH", 7):
        assert repr(at_once) == repr(records())
    return found


both = pytest.mark.parametrize("name", TWINS)


def test_paragraphs_of_one_graph_are_read_at_once() -> None:
    assert agree("amr", AMR_FILE.encode()) == [False, True, False, True]
    assert agree("eds", EDS_FILE.replace("# a comment", "").encode()) == [True] * 3


@both
@given(data=st.data())
def test_any_text_is_read_as_it_is_carefully(name: str, data: st.DataObject) -> None:
    pieces = st.lists(st.sampled_from(TWINS[name].pieces), max_size=25)
    agree(name, "".join(data.draw(pieces)).encode())


@both
@given(data=st.data())
def test_a_damaged_file_is_read_as_it_is_carefully(
    name: str, data: st.DataObject
) -> None:
    twin = TWINS[name]
    changes = data.draw(edits(len(twin.file), twin.pieces, 9))
    agree(name, edited(twin.file, changes).encode())


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
def test_what_is_usual_in_amr_is_read_at_once(block: str) -> None:
    assert agree("amr", block.encode()) == [True]


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
def test_anything_else_in_amr_is_read_carefully(block: str) -> None:
    assert not any(agree("amr", block.encode()))


def test_brackets_are_as_deep_as_they_may_be() -> None:
    for depth in (DEEPEST, DEEPEST + 1):
        block = ":a ".join(f"(v{number} " for number in range(depth)) + ")" * depth
        assert agree("amr", block.encode()) == [depth == DEEPEST]


def test_a_long_block_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paragraphs, "MOST_BYTES", 30)
    agree("amr", b"# ::id 1\n# ::x a long comment\n(b / bark)\n\n(c / cat)\n")


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
        ("<0:4>", "<>"),
        ("<0:4>", "<@1>"),
        ("Fido", "Fi\ndo"),
        ("{e SF prop}", "{}"),
        ("\n x4", " x4"),
    ],
)
def test_what_is_usual_in_eds_is_read_at_once(old: str, new: str) -> None:
    assert agree("eds", GOOD.replace(old, new, 1).encode()) == [True]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#1\n", "# a comment\n"),
        ("#1\n", "#1\n#2\n"),
        ("<0:4>", "<4:0>"),
        ("<0:4>", "<0:1000001>"),
        ("Fido", '}")("{'),
        ("_bark", "_ba}rk"),
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
def test_anything_else_in_eds_is_read_carefully(old: str, new: str) -> None:
    assert not any(agree("eds", GOOD.replace(old, new, 1).encode()))


@both
def test_the_corpus_is_read_at_once(conformance: Path, name: str) -> None:
    path = conformance / "mrp" / "native" / TWINS[name].corpus
    found = agree(name, path.read_bytes()[:60_000])
    assert sum(found) > 0.9 * len(found)
