"""Commands that read evaluations never change them, and tell their scopes apart."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.evaluation.outdated import command
from tests.evaluation.test_scope import ALDER, BIRCH, GOLD, TABLES

SCOPE = "amr,dm,eds,ptg,ucca"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    with Store(path, mode="create") as store:
        for name, graphs in (("gold", GOLD), ("alder", ALDER), ("birch", BIRCH)):
            store.add(graphs, name)
        for system in ("alder", "birch"):
            store.score("gold", system)
    return path


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(f"select * from {name}").fetchall()
            for name in TABLES
        }


READING = [
    ("compare", "--samples", "50"),
    ("whatif", "--system", "alder"),
    ("errors", "--system", "alder"),
    ("items", "--system", "alder"),
    ("report", "--markdown", "--samples", "50"),
]


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_reading_rewrites_nothing(run: Any, runs: Path, words: tuple[str, ...]) -> None:
    before = tables(runs)
    verb, *options = words
    # What is wrong with a mention has no price of its own.
    for metric in [()] * (verb != "whatif") + [("-m", "mrp")]:
        done = run(verb, runs, "--gold", "gold", *metric, *options)
        assert done.code == 0, done.err
        assert tables(runs) == before


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_what_is_not_there_is_added(
    run: Any, runs: Path, words: tuple[str, ...]
) -> None:
    before = tables(runs)["evaluation"]
    verb, *options = words
    done = run(verb, runs, "--gold", "gold", "-m", "ucca", *options)
    assert done.code == 0, done.err
    assert tables(runs)["evaluation"][: len(before)] == before
    sql = "select distinct scope from v_evaluations where metric = 'ucca'"
    assert run("query", runs, sql, "--json").json == [{"scope": "ucca"}]


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_stale_evaluations_are_refused(
    run: Any, runs: Path, words: tuple[str, ...]
) -> None:
    with Store(runs, mode="write") as store:
        store.add([GOLD[0]], "alder", replace=True)
    before = tables(runs)
    verb, *options = words
    done = run(verb, runs, "--gold", "gold", "-m", "mrp", *options)
    assert done.code == 3
    assert "is stale (graphs have come, gone or changed since); score again" in done.err
    assert tables(runs) == before


def test_the_command_that_scores_again_names_the_scope(run: Any, runs: Path) -> None:
    items = [word for graph in GOLD[:2] for word in ("--item", graph.id)]
    named = ("--framework", "dm", "--framework", "eds", *items)
    sides = ("--gold", "gold", "--system", "alder", "-m", "mrp")
    assert run("score", runs, *sides, *named).code == 0
    with Store(runs) as store:
        [made] = [each for each in store.evaluations() if "items" in each.scope]
    again = shlex.split(command(str(runs), made))
    expected = ["graphscore", "score", str(runs), *sides, *named]
    assert sorted(again) == sorted(expected)
    assert (
        run(*again[1:], "--json").json["reused"]
        == run("score", runs, *sides, *named, "--json").json["reused"]
    )


def test_ranking_by_a_metric_is_over_what_it_is_made_for(run: Any, runs: Path) -> None:
    done = run("score", runs, "--gold", "gold", "-m", "ucca", "--json")
    assert [each["pairs"] for each in done.json["results"]] == [3, 3]
    assert done.err.count("ucca does not score amr, coref, dm, eds, ptg unless") == 1


def test_scopes_are_listed_and_chosen(run: Any, runs: Path) -> None:
    done = run("score", runs, "--gold", "gold", "-m", "mrp", "--framework", "eds")
    assert done.code == 0
    listed = run("store", "list", runs, "--json").json
    [alder] = [each for each in listed if each["name"] == "alder"]
    scopes = {(each["metric"], each["scope"]) for each in alder["revision"]}
    assert scopes == {("mrp", SCOPE), ("mrp", "eds"), ("conll", "coref")}
    for more, expected in (((), 15), (("--framework", "eds"), 3)):
        words = ("--gold", "gold", "--system", "alder", "-m", "mrp", *more)
        found = run("items", runs, *words, "--json").json
        assert sum(len(each["f1"]) for each in found) == expected
    pattern = "pattern { X []; missing(X) }"
    asked = ("find", runs, pattern, "--system", "alder", "-m", "mrp", "--json")
    refused = run(*asked)
    assert refused.code == 2
    assert f"expected --scope with one of: {SCOPE!r}, 'eds'" in refused.err
    assert run(*asked, "--scope", "eds").code == 0


def test_a_framework_that_is_asked_for_alone_is_named(run: Any, runs: Path) -> None:
    words = (
        "--gold",
        "gold",
        "--system",
        "alder",
        "-m",
        "smatch",
        "--framework",
        "eds",
    )
    found = run("errors", runs, *words, "--json").json
    assert {each["framework"] for each in found} == {"eds"}
    shown = run("show", "1", runs, *words, "--json")
    assert shown.json["framework"] == "eds"


def test_replace_goes_with_a_store(run: Any, runs: Path, tmp_path: Path) -> None:
    done = run("score", runs, "--gold", "gold", "-m", "mrp", "--replace", "--json")
    assert done.code == 0
    file = tmp_path / "gold.mrp"
    file.write_text("")
    refused = run("score", file, file, "--replace")
    assert refused.code == 2
    assert "--replace goes with --save, or with a STORE" in refused.err
