"""One side in one format, the other in another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA

NEWS = str(DATA / "ie" / "news.iob2")

Run = Callable[..., Any]


def test_one_file_holds_both_sides(run: Run) -> None:
    done = run("score", NEWS, NEWS, "-m", "ner", "--gold-format", "iob-gold")
    found = json.loads(done.out)["counts"]["strict"]
    assert (found["gold"], found["system"], found["matched"]) == (4, 5, 2)
    same = run(
        *("score", NEWS, NEWS, "-m", "ner", "--json"),
        *("--format", "iob-gold", "--system-format", "iob"),
    )
    assert json.loads(same.out)["counts"] == json.loads(done.out)["counts"]


def test_a_store_keeps_both_sides(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    run(
        *("score", NEWS, NEWS, "-m", "ner", "--gold-format", "iob-gold"),
        *("--save", store),
    )
    done = run(
        *("query", store, "--json"),
        "select name, gold_value, system_value from v_confusions order by 1, 2",
    )
    found = [tuple(each.values()) for each in json.loads(done.out)]
    assert found == [("boundary", "Ada Lovelace", "Ada"), ("type", "LOC", "ORG")]


@pytest.mark.parametrize("verb", ["errors", "items"])
def test_other_verbs_read_both_sides_too(run: Run, verb: str) -> None:
    done = run(verb, NEWS, NEWS, "-m", "ner", "--gold-format", "iob-gold", "--json")
    assert json.loads(done.out)
    assert done.code == 0


def test_an_unknown_format_of_one_side_is_a_mistake(run: Run) -> None:
    done = run("score", NEWS, NEWS, "-m", "ner", "--gold-format", "nonsense")
    assert done.code == 2
    assert "nonsense" in done.err


def test_a_store_has_no_formats(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    run("ingest", store, NEWS, "--as", "a")
    done = run(
        *("score", store, "--gold", "a", "--system", "a", "-m", "ner"),
        *("--gold-format", "iob"),
    )
    assert done.code == 2
