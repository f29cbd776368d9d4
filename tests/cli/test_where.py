"""``graphscore score --where``: files and stores, every shape, refusals."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA

Run = Callable[..., Any]

GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))

WHERE = ("-m", "mrp", "--where", "pattern { V -[ARG2]-> A }")


def test_every_shape_says_the_same_of_files_and_of_a_store(
    run: Run, tmp_path: Path
) -> None:
    files = run("score", GOLD, ALDER, BIRCH, *WHERE, "--json")
    assert files.code == 0
    alder, birch = files.json["results"]
    assert alder["where"] == {
        "pattern": "pattern { V -[ARG2]-> A }",
        "within": False,
        "units": 31,
        "of": 73,
    }
    assert (alder["pairs"], birch["pairs"]) == (31, 31)
    assert "the pattern is in 31 of 73 items; the others are left out" in files.err
    table = run("score", GOLD, ALDER, *WHERE, "--csv", "--by", "tuple_type").out
    rows = {row["tuple_type"]: row for row in csv.DictReader(io.StringIO(table))}
    assert float(rows["all"]["f1"]) == alder["counts"]["all"]["f1"]
    shown = f"{100 * alder['counts']['all']['f1']:.2f}"
    for shape in ("--table", "--markdown", "--latex"):
        assert shown in run("score", GOLD, ALDER, *WHERE, shape).out
    for systems in ([ALDER], [ALDER, BIRCH]):
        one = run("score", GOLD, *systems, *WHERE, "--table")
        assert "only where pattern { V -[ARG2]-> A }" in one.out
    alone = run("score", GOLD, ALDER, *WHERE, "--score-only").out
    assert float(alone) == alder["counts"]["all"]["f1"]
    path = str(tmp_path / "runs.db")
    saved = run("score", GOLD, ALDER, *WHERE, "--save", path, "--json").json
    assert saved["counts"] == alder["counts"]
    sides = ("--gold", "gold", "--system", "alder")
    again = run("score", path, *sides, *WHERE, "--json")
    assert "reused 73 of 73" in again.err
    assert again.json["counts"] == alder["counts"]
    kept = run("query", path, "select count(*) from v_items", "--csv").out.split()
    assert kept[1] == "73"


def test_within_has_both_numerators_and_intervals(run: Run) -> None:
    call = ("score", GOLD, ALDER, *WHERE, "--within", "--ci", "--samples", "50")
    found = run(*call, "--per-item", "--json").json
    counts = found["counts"]["all"]
    assert counts["matched"] > counts["matched_system"]
    assert counts["recall"] == counts["matched"] / counts["gold"]
    assert counts["precision"] == counts["matched_system"] / counts["system"]
    assert found["low"] <= found["value"] <= found["high"]
    assert len(found["items"]) == found["pairs"] == found["where"]["units"]
    assert (
        sum(each["counts"]["all"]["gold"] for each in found["items"])
        == (counts["gold"])
    )


def test_thresholds_and_ranks_look_at_what_counts(run: Run) -> None:
    threshold = ("--fail-under", "0.95")
    pronouns = ("--where", "pattern { X [label=pron] }")
    whole = run("score", GOLD, ALDER, "-m", "mrp", *threshold, "--framework", "eds")
    part = run(
        *("score", GOLD, ALDER, "-m", "mrp", *threshold, "--framework", "eds"),
        *(*pronouns, "--within"),
    )
    assert (whole.code, part.code) == (1, 0)
    ranked = run("score", GOLD, BIRCH, ALDER, *WHERE, "--json").json["ranking"]
    assert ranked["systems"][0]["system"] == ALDER


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--within",), "--within goes with --where"),
        (("--where", "pattern { X [ }"), "in the pattern, column"),
        (("--where", "gold { X [] } system { X [] }", "--within"), "compares both"),
        (("-m", "predications", "--where", "X", "--within"), "in the pattern"),
    ],
)
def test_wrong_uses_are_one_error(
    run: Run, options: tuple[str, ...], said: str
) -> None:
    found = run("score", GOLD, ALDER, *options)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_nothing_found_is_no_error(run: Run) -> None:
    found = run("score", GOLD, ALDER, "-m", "mrp", "--where", "pattern { X [label=q] }")
    assert found.code == 0
    assert (found.json["pairs"], found.json["counts"]) == (0, {})
    assert "the pattern is in none of 73 items" in found.err
    assert "no node has the label 'q'" in found.err
