"""Tests of users that hold systems against what is wanted, and what they say."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from graphscore import (
    GraphscoreError,
    Options,
    References,
    Store,
    parse,
    score,
)
from graphscore.adapters.pytest import assert_score
from graphscore.exceptions import UsageError
from tests.conftest import ROOT

pytest_plugins = "pytester"

PLUGIN = "graphscore.adapters.pytest"

GOLD = [["B-PER", "I-PER", "O"], ["O", "B-LOC", "O"], ["B-ORG", "O", "B-PER"]]
BEFORE = [["B-PER", "I-PER", "O"], ["O", "B-LOC", "O"], ["O", "O", "O"]]
AFTER = [["B-PER", "O", "O"], ["O", "B-LOC", "O"], ["O", "O", "B-PER"]]
"""One entity of the first item is broken, one of the last is fixed."""

TEST = f"""
GOLD, BEFORE, AFTER = {GOLD!r}, {BEFORE!r}, {AFTER!r}
def test_it(assert_score):
    assert_score(GOLD, %s, 'ner', %s)
"""


def options() -> list[str]:
    """What loads the plugin where it is not installed as one."""
    there = {each.value for each in entry_points(group="pytest11")}
    return [] if PLUGIN in there else ["-p", PLUGIN]


def failure(*args: Any, **settings: Any) -> list[str]:
    with pytest.raises(AssertionError) as caught:
        assert_score(*args, **settings)
    return str(caught.value).splitlines()


def test_the_plugin_is_an_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    points = project["project"]["entry-points"]["pytest11"]
    assert points == {"graphscore": PLUGIN}


def test_what_is_as_good_as_wanted_gives_the_result() -> None:
    result = assert_score(GOLD, AFTER, "ner", at_least=0.5, score="strict.recall")
    assert result.recall == 0.5
    assert result.value == score(GOLD, AFTER, "ner").value
    assert [len(each.errors) for each in result.items] == [2, 0, 1]


def test_the_bounds_themselves_are_good_enough() -> None:
    value = score(GOLD, AFTER, "ner").value
    assert_score(GOLD, AFTER, "ner", at_least=value)
    assert_score(GOLD, AFTER, "ner", baseline=AFTER)
    rate = score(GOLD, AFTER, "ser").value
    assert_score(GOLD, AFTER, "ser", at_most=rate, baseline=AFTER)
    failure(GOLD, AFTER, "ser", at_most=rate - 1e-6)


def test_a_failure_says_what_was_wanted_and_what_is_wrong() -> None:
    first, *rest = failure(GOLD, AFTER, "ner", at_least=0.8)
    assert first == "ner: F1 is 0.571429, wanted at least 0.8"
    text = "\n".join(rest)
    assert "3 errors" in rest
    assert "     1  strict      missing               ORG    3" in rest
    assert text.index("worst items") < text.index("1      0.00")
    assert text.index("1      0.00") < text.index("3     66.67")
    # The second item is without errors.
    rows = rest[rest.index("worst items") + 3 :]
    assert [row.split()[0] for row in rows] == ["1", "3"]


def test_new_errors_are_listed_and_fixed_ones_counted() -> None:
    lines = failure(GOLD, AFTER, "ner", at_least=0.8, baseline=BEFORE)
    assert lines[1] == "wanted no worse than 0.666667 of the baseline"
    assert "errors: 2 new, 1 fixed, 1 still there" in lines
    text = "\n".join(lines)
    new, moved = text.partition("2 new errors")[2].split("1 item got worse")
    assert [line.split()[1:4] for line in new.splitlines()[3:5]] == [
        ["strict", "missing", "boundary"],
        ["strict", "spurious", "boundary"],
    ]
    assert "ORG" not in new
    assert moved.splitlines()[3].split() == ["1", "0.00", "100.00", "2", "0", "1", "2"]


def test_tolerance_is_how_much_worse_it_may_be() -> None:
    lost = score(GOLD, BEFORE, "ner").value - score(GOLD, AFTER, "ner").value
    assert_score(GOLD, AFTER, "ner", baseline=BEFORE, tolerance=lost)
    [first, *_] = failure(GOLD, AFTER, "ner", baseline=BEFORE, tolerance=lost - 1e-6)
    assert first.startswith("ner: F1 is 0.571429, wanted")
    # Only to say what is new.
    settings = {"baseline": BEFORE, "no_worse": False}
    assert_score(GOLD, AFTER, "ner", at_least=0.5, **settings)
    lines = failure(GOLD, AFTER, "ner", at_least=0.8, **settings)
    assert lines[1] == "the baseline: 0.666667 of the baseline"
    assert "2 new errors" in lines


def test_of_error_rates_more_is_worse() -> None:
    assert_score(GOLD, AFTER, "ser", baseline=BEFORE)
    [first, *_] = failure(GOLD, BEFORE, "ser", baseline=AFTER)
    assert first.startswith("ser: ser is 0.5, wanted no worse than 0.375 of")


def test_lines_are_short_and_tops_kept() -> None:
    gold = [["B-" + "X" * 90] * 30] * 12
    lines = failure(gold, [["O"] * 30] * 12, "ner", at_least=0.1, top=3)
    assert max(map(len, lines)) <= 72
    items = lines[lines.index("worst items, first 3") + 3 :]
    assert len(items) == 3
    [only] = failure(gold, [["O"] * 30] * 12, "ner", at_least=0.1, top=0)
    assert only == "ner: F1 is 0, wanted at least 0.1"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "nothing to assert"),
        ({"baseline": BEFORE, "no_worse": False}, "nothing to assert"),
        ({"at_least": 80}, r"from 0 to 1 \(did you mean 0.8\?\)"),
        ({"at_least": float("nan")}, "at_least is nan"),
        ({"at_most": 0.2}, "use at_least"),
        ({"metric": "ser", "at_least": 0.2}, "use at_most"),
        ({"at_least": 0.2, "score": "nosuch"}, "no score 'nosuch'"),
        ({"at_least": 0.2, "tolerance": 0.1}, "tolerance goes with a baseline"),
        ({"baseline": BEFORE, "tolerance": -1}, "expected a number from 0"),
        ({"at_least": 0.2, "top": -1}, "expected a number from 0"),
        ({"at_least": 0.2, "metric": ["ner", "ser"]}, "several metrics"),
        ({"baseline": "nosuch.db:last"}, "no store 'nosuch.db': make one with"),
        ({"baseline": "nosuch.db:main"}, "no store 'nosuch.db'"),
        ({"baseline": "nosuch.iob"}, "nosuch.iob"),
    ],
)
def test_wrong_use_is_one_clear_error(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(GraphscoreError, match=said) as caught:
        assert_score(GOLD, AFTER, **({"metric": "ner"} | settings))
    assert not caught.value.__cause__


def test_values_of_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match=r"at_least is '0\.8'"):
        assert_score(GOLD, AFTER, "ner", at_least="0.8")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="options is 3"):
        assert_score(GOLD, AFTER, "ner", at_least=0.8, options=3)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path, sample: Path) -> str:
    url = str(tmp_path / "runs.db")
    with Store(url, mode="create") as runs:
        for name in ("gold", "alder", "birch"):
            runs.ingest(str(sample / f"{name}.mrp"), name)
        for name in ("alder", "birch"):
            runs.score("gold", name, [parse("mrp")])
    return url


def test_the_last_evaluation_of_a_store_is_a_baseline(store: str, sample: Path) -> None:
    gold, alder, birch = (
        str(sample / f"{name}.mrp") for name in ("gold", "alder", "birch")
    )
    written = Path(store).read_bytes()
    assert_score(gold, alder, "mrp", baseline=f"{store}:last")  # It is birch.
    lines = failure(gold, birch, "mrp", baseline=f"{store}:alder")
    assert f"alder ({store})" in "".join(lines[:4]).replace("\n", "")
    assert any(line.startswith("errors: ") for line in lines)
    assert Path(store).read_bytes() == written
    with pytest.raises(UsageError, match=r"no evaluation by smatch of this gold: make"):
        assert_score(gold, alder, "smatch", baseline=f"{store}:last")
    with pytest.raises(UsageError, match=r"2 evaluations by it are of another gold"):
        assert_score(alder, alder, "mrp", baseline=f"{store}:last")
    with pytest.raises(
        UsageError, match=r"no collection 'oak' in .*: gold, alder, birch"
    ):
        assert_score(gold, alder, "mrp", baseline=f"{store}:oak")
    with pytest.raises(UsageError, match="is a store: name"):
        assert_score(gold, alder, "mrp", baseline=store)
    with pytest.raises(UsageError, match="goes with one gold"):
        assert_score(References(gold, alder), birch, "mrp", baseline=f"{store}:last")


def test_several_references_have_files_as_baselines(sample: Path) -> None:
    gold, alder, birch = (
        str(sample / f"{name}.mrp") for name in ("gold", "alder", "birch")
    )
    both = References(gold, alder)
    assert assert_score(both, birch, "mrp", baseline=birch).mode == "best"
    settings = {"baseline": alder, "options": Options(jobs=1)}
    lines = failure(References(gold), birch, "mrp", **settings)
    assert "the system lacks 1 of 73 items" in lines


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:xdist", *options(), *args)


def test_the_fixture_keeps_what_is_last_when_told_to(
    pytester: pytest.Pytester,
) -> None:
    last = "baseline='runs.db:last'"
    pytester.makepyfile(TEST % ("BEFORE", last))
    found = run(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*UsageError*no store 'runs.db': make one with*"])
    assert "asserting.py" not in found.stdout.str()
    assert not (pytester.path / "runs.db").exists()
    found = run(pytester, "--graphscore-update")
    found.assert_outcomes(passed=1)
    name = "test_the_fixture_keeps_what_is_last_when_told_to.py::test_it"
    found.stdout.fnmatch_lines([f"graphscore: runs.db: kept {name} as the last by ner"])
    kept = (pytester.path / "runs.db").read_bytes()
    run(pytester).assert_outcomes(passed=1)
    found = run(pytester, "--graphscore-update")
    assert "kept" not in found.stdout.str()  # It is the last already.
    assert (pytester.path / "runs.db").read_bytes() == kept

    pytester.makepyfile(TEST % ("AFTER", last))
    found = run(pytester)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*errors: 2 new, 1 fixed, 1 still there"])
    assert (pytester.path / "runs.db").read_bytes() == kept
    run(pytester, "--graphscore-update").assert_outcomes(passed=1)
    run(pytester).assert_outcomes(passed=1)
    with Store(str(pytester.path / "runs.db")) as runs:
        made = [(each.gold, each.system) for each in runs.evaluations()]
    assert made == [(f"{name} gold", name), (f"{name} gold", f"{name} 2")]


def test_limits_hold_when_baselines_are_kept(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST % ("AFTER", "at_least=0.9, baseline='runs.db:last'"))
    run(pytester, "--graphscore-update").assert_outcomes(failed=1)


def test_a_process_of_its_own_shows_failures_in_80_columns(
    pytester: pytest.Pytester,
) -> None:
    test = TEST % ("AFTER", "at_least=.8, baseline=BEFORE")
    head, body = test.split("def test_it(assert_score)")
    pytester.makepyfile(
        f"from graphscore.adapters.pytest import assert_score\n{head}"
        "class TestIt:\n    def test_it(self)" + body.replace("\n", "\n    ")
    )
    found = pytester.runpytest_subprocess("-p", "no:xdist", *options())
    found.assert_outcomes(failed=1)
    said = [line for line in found.outlines if line.startswith("E ")]
    assert said[0].endswith("AssertionError: ner: F1 is 0.571429, wanted at least 0.8")
    assert "E       2 new errors" in said
    assert max(map(len, said)) <= 80
    assert "adapters/pytest.py" not in "\n".join(found.outlines)
