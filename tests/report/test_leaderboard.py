"""Leaderboards: ranks of a set of evaluations, and rankings by rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.report.leaderboard.rules import load_rules, parse_rules, rules_table
from graphscore.report.leaderboard.site import write_site
from graphscore.report.leaderboard.table import leaderboard_table
from graphscore.report.text import render
from graphscore.statistics.leaderboard import rank_systems
from graphscore.store.rankings import Leaderboard
from tests.conftest import ROOT
from tests.databases import Stores

DATA = ROOT / "data"


def ranked(store: Store, *systems: str) -> Leaderboard:
    """Score systems, rank all, and return the leaderboard."""
    results = [[store.score("gold", system, "mrp")] for system in systems]
    rank_systems(store, results, Options())
    [board] = store.leaderboards()
    return board


@pytest.fixture
def store(stores: Stores) -> Iterator[Store]:
    """Gold, two systems, and a third that is the second again."""
    with Store(stores.new(), mode="create") as made:
        made.ingest([str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch")])
        made.ingest(str(DATA / "birch.mrp"), "cedar")
        yield made


def test_ranks_have_intervals_and_clusters(store: Store) -> None:
    board = ranked(store, "alder", "birch")
    assert board.fresh
    assert (board.main, board.frameworks[0]) == ("all.f1", "amr")
    ranks = board.ranks[""]
    assert [(ranks[x].rank, ranks[x].cluster) for x in ("alder", "birch")] == [
        (1, 1),
        (2, 2),
    ]
    assert (ranks["alder"].best, ranks["alder"].worst) == (1, 1)
    assert {*board.ranks} == {"", *board.frameworks}
    table = leaderboard_table(board)
    assert table.rules == {1}
    assert table.rows[1][:3] == (2, "2", "birch")
    assert table.rows[1][-2:] == (73, 1)
    assert table.columns[-3].name == "macro"
    assert "as of" not in render([table])


def test_an_older_set_says_so(store: Store) -> None:
    ranked(store, "alder", "birch")
    store.score("gold", "cedar", "mrp")
    [board] = store.leaderboards()
    assert not board.fresh
    table = leaderboard_table(board, store="runs.db")
    assert [row[2] for row in table.rows] == ["alder", "birch", "cedar"]
    assert "ranks as of 20" in table.notes[-1]
    assert "of 2 systems" in table.notes[-1]
    assert "graphscore score runs.db --gold gold -m 'mrp' renews" in table.notes[-1]
    board = ranked(store, "alder", "birch", "cedar")
    assert board.fresh
    # The same answers: neither is better, by test or by rank.
    assert board.ranks[""]["birch"].cluster == board.ranks[""]["cedar"].cluster == 2
    assert [row[0] for row in leaderboard_table(board).rows] == [1, 2, 2]


def test_another_score_is_ranked_without_intervals(store: Store) -> None:
    board = ranked(store, "alder", "birch")
    table = leaderboard_table(board, "edges.recall")
    assert [row[:3] for row in table.rows] == [(1, None, "alder"), (2, None, "birch")]
    assert not table.rules
    with pytest.raises(UsageError, match=r"did you mean 'edges.f1'"):
        leaderboard_table(board, "edges.f2")


RULES = """
title = "Shared task"
[names]
alder = "Team Alder"
[[tracks]]
metric = "mrp"
framework = "macro"
weight = 3
[[tracks]]
name = "EDS edges"
metric = "mrp"
score = "edges.f1"
framework = "eds"
"""


def test_rules_rank_by_tracks(store: Store) -> None:
    board = ranked(store, "alder", "birch", "cedar")
    table = rules_table(parse_rules(RULES), [board])
    assert [row[:2] for row in table.rows] == [
        (1, "Team Alder"),
        (2, "birch"),
        (2, "cedar"),
    ]
    alder = board.standings[0]
    macro, edges = alder.values["macro", "all.f1"], alder.values["eds", "edges.f1"]
    assert macro is not None
    assert edges is not None
    assert table.rows[0][2] == round((3 * macro + edges) / 4, 4)
    assert table.notes[0] == "score: mean of macro mrp x 3, EDS edges x 1"


def test_partial_submissions_and_names(store: Store) -> None:
    board = ranked(store, "alder", "birch", "cedar")
    strict = 'partial = "unranked"\nties = "dense"\nunlisted = "anonymous"\n'
    table = rules_table(parse_rules(strict + RULES), [board])
    # Birch lacks an item.
    assert [row[:2] for row in table.rows] == [
        (1, "Team Alder"),
        (None, "system 1"),
        (None, "system 2"),
    ]
    assert "no rank" in table.notes[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing required field `tracks`"),
        ("tracks = [{metric = 'mrp', wait = 1}]", "unknown field `wait`"),
        ("tracks = [{metric = 'mrp', weight = 0}]", "> 0"),
        ("tracks = 1 2", "line 1"),
        ("tracks = [{metric = 'smatch'}]", "nothing is scored by 'smatch'"),
        ("tracks = [{metric = 'mrp', framework = 'edm'}]", "no framework 'edm'"),
        ("tracks = [{metric = 'mrp', score = 'edge.f1'}]", "no score 'edge.f1'"),
    ],
)
def test_wrong_rules_are_refused(store: Store, text: str, message: str) -> None:
    board = ranked(store, "alder", "birch")
    with pytest.raises(UsageError, match=message):
        rules_table(parse_rules(text), [board])


def test_rules_that_are_not_there() -> None:
    with pytest.raises(UsageError, match=r"rules.toml cannot be read"):
        load_rules("no/rules.toml")


def test_a_site_shows_scores_and_nothing_of_gold(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="the extra web is not installed")
    ranked(store, "alder", "birch", "cedar")
    names = write_site(store, tmp_path / "site", parse_rules(RULES), title="Task")
    assert names == ["index.html", "1-alder.html", "2-birch.html", "3-cedar.html"]
    pages = {name: (tmp_path / "site" / name).read_text("utf-8") for name in names}
    first = pages["index.html"]
    assert first.count("Team Alder") == 2
    assert '<a href="2-birch.html">birch</a>' in first
    assert "score: mean of macro mrp x 3" in first
    assert "edges.f1" in pages["2-birch.html"]
    for page in pages.values():
        assert "sample-" not in page
        assert "graphscore score" not in page
    write_site(store, tmp_path / "all", with_items=True)
    assert "sample-" in (tmp_path / "all" / "index.html").read_text("utf-8")


def test_systems_without_names_have_no_pages(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="the extra web is not installed")
    ranked(store, "alder", "birch", "cedar")
    rules = parse_rules('unlisted = "anonymous"\n' + RULES)
    names = write_site(store, tmp_path / "site", rules)
    assert names == ["index.html", "1-alder.html"]
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "birch" not in page
    assert "system 1" in page
