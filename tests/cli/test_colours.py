"""``NO_COLOR`` and ``--width`` hold for every command that prints tables."""

from __future__ import annotations

import io
import sys
import unicodedata

import pytest

from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD

AMR = ("--framework", "amr")
BRAT = str(DATA / "ie" / "brat")

CASES = [
    ("score", GOLD, ALDER, BIRCH, *AMR, "-v"),
    ("compare", GOLD, ALDER, BIRCH, *AMR, "-m", "smatch", "--samples", "20"),
    ("agree", GOLD, ALDER, *AMR, "-m", "smatch"),
    ("errors", GOLD, ALDER, *AMR, "-m", "smatch"),
    ("whatif", GOLD, ALDER, *AMR, "-m", "smatch"),
    ("items", GOLD, ALDER, *AMR, "-m", "smatch"),
    ("show", "sample-02", GOLD, ALDER, *AMR),
    ("show", "acme", BRAT, BRAT),
    ("show", "--explain", "sample-02", GOLD, ALDER, *AMR, "-m", "smatch"),
    ("validate", GOLD),
    ("analyze", BRAT),
    ("metrics", "ner"),
    ("formats",),
    ("rules", "show", "default"),
]


def columns(line: str) -> int:
    """How wide a terminal shows a line."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in line)
    return len(line) + wide - sum(map(bool, map(unicodedata.combining, line)))


class Terminal(io.StringIO):
    """What takes colours and all letters."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Always."""
        return True


@pytest.mark.parametrize("words", CASES, ids=lambda words: words[0])
def test_tables_fit_and_have_no_colours_where_nobody_wants_them(words, monkeypatch):
    from graphscore.cli.main import cli

    shown = Terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", shown)
    assert not cli.main(
        [*words, "--width", "60", "--table", "-q"], standalone_mode=False
    )
    lines = shown.getvalue().splitlines()
    assert len(lines) > 3
    assert [line for line in lines if "\x1b" in line or columns(line) > 60] == []
    # Otherwise there are some.
    if words[0] == "formats":
        monkeypatch.delenv("NO_COLOR")
        cli.main(["formats"], standalone_mode=False)
        assert "\x1b[1m" in shown.getvalue()
