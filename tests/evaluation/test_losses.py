"""What is lost of a system is said by results and by a warning."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from graphscore import LossWarning, score

GOLD = """\
{"id": "a", "text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "b", "text": "Bob left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "c", "text": "Cal left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
"""


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text(GOLD)
    system.write_text(GOLD)
    return gold, system


def test_bad_records_are_warned_of(sides: tuple[Path, Path]) -> None:
    gold, system = sides
    lines = GOLD.splitlines()
    system.write_text("\n".join([lines[0], lines[1][:30], lines[2]]) + "\n")
    with pytest.warns(LossWarning, match="1 bad record, scored as missing") as caught:
        result = score(gold, system, ["ner", "ner(overlap=0.5)"])[0]
    # Two metrics lose the same: it is said once, of the line that lost it.
    messages = [str(each.message) for each in caught]
    assert len(messages) == len(set(messages)) == 2
    assert f"{system}:2" in messages[0]
    assert {each.filename for each in caught} == {__file__}
    assert "1 missing, 1 rejected" in repr(result)
    assert any("1 bad record" in note for note in result.notes)


def test_missing_items_are_noted_without_a_warning(sides: tuple[Path, Path]) -> None:
    gold, system = sides
    system.write_text("".join(GOLD.splitlines(True)[:2]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = score(gold, system, "ner")
    assert "3 pairs, 1 missing, 3 proven" in repr(result)
    assert any("without a system graph" in note for note in result.notes)


def test_nothing_is_said_where_nothing_is_lost(sides: tuple[Path, Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = score(*sides, "ner")
    assert repr(result) == "<Result ner: F1 1.0000 over 3 pairs, 3 proven>"
    assert not result.notes
