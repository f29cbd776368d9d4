"""What is not seen is written out, and nothing else."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.exceptions import escaped, visible

SEEN = {
    *(0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x890, 0x891, 0x8E2),
    *(0x110BD, 0x110CD),
    *range(0x13430, 0x13440),
}
"""Format characters that have a shape, and those that build hieroglyphs."""

WRITTEN = {
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "somebody at a computer": "\U0001f469\U0001f3fd\u200d\U0001f4bb",
    "Hindi": "\u0928\u092e\u0938\u094d\u200d\u0924\u0947",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
}


def test_all_format_characters() -> None:
    """By the tables of Unicode that Python has."""
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) == "Cf" and code not in SEEN:
            assert visible(f"a{chr(code)}b").isascii(), hex(code)
    for code in SEEN:
        assert visible(chr(code)) == chr(code)


@pytest.mark.parametrize("what", WRITTEN)
def test_joiners_stay_where_something_is_written_with_them(what: str) -> None:
    assert visible(WRITTEN[what]) == WRITTEN[what]


def test_joiners_hide_nothing_elsewhere() -> None:
    assert visible("a\u200db") == "a\\u200db"
    assert visible("\u200c") == "\\u200c"
    assert visible("\U0001f468\u200d\u200d") == "\U0001f468\u200d\\u200d"


def test_json_stays_what_it_is() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    kept = json.dumps(every.translate({c: None for c in range(0xD800, 0xE000)}))
    written = json.dumps(json.loads(kept), ensure_ascii=False)
    assert json.loads(escaped(written)) == json.loads(kept)
    assert "\U000e0001" not in escaped(written)


def test_a_file_with_a_hidden_name() -> None:
    found = CliRunner().invoke(cli, ["validate", "go\xadld\U000e0001.mrp", "--table"])
    assert found.exit_code == 3
    assert "go\\xadld\\U000e0001.mrp" in found.output
    assert not set("\xad\U000e0001") & set(found.output)
