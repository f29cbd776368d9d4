"""What is in a store, and taking it out again."""

from __future__ import annotations

import pytest

from graphscore.errors import UsageError
from graphscore.store.database import Database
from graphscore.store.evaluations import find_evaluations
from graphscore.store.maintenance import collections, remove
from tests.store.conftest import bark, put, read, reject, rows, score

TABLES = ("graph", "node", "property", "anchor", "edge", "attribute", "top", "text")


def counts(database: Database) -> dict[str, int]:
    tables = (*TABLES, "result", "mass", "error", "correspondence", "error_count")
    return {
        table: rows(database, f"select count(*) from {table}")[0][0] for table in tables
    }


def test_overview(scored: Database) -> None:
    records = [*read(bark("1"), bark("1", framework="eds", document="e")), reject(3)]
    put(scored, records, "spoilt", keep_going=True)
    with scored.reading() as connection:
        gold, peking, spoilt = collections(connection)
    assert gold[:6] == ("gold", {"dm": 3}, 1, 1, 0, 1)
    assert peking[:6] == ("peking", {"dm": 3}, 1, 1, 0, 1)
    assert spoilt[:6] == ("spoilt", {"dm": 1, "eds": 1}, 2, 1, 1, 0)
    assert len(gold.created) == len("2026-01-31 12:00:00")


def test_empty_store_has_no_collections(database: Database) -> None:
    with database.reading() as connection:
        assert collections(connection) == []


def test_removing_takes_out_all_that_nothing_else_needs(scored: Database) -> None:
    with scored.writing() as connection:
        assert remove(connection, "peking") == ("peking", 3, 1, 3)
    assert rows(scored, "select distinct collection from v_graphs") == [("gold",)]
    found = counts(scored)
    assert [found[table] for table in TABLES] == [3, 6, 3, 6, 3, 3, 3, 1]
    assert found["result"] == found["mass"] == found["error"] == 0
    assert found["correspondence"] == found["error_count"] == 0
    if scored.engine.dialect.name == "sqlite":
        assert rows(scored, "pragma foreign_key_check") == []


def test_removing_keeps_results_that_others_use(scored: Database) -> None:
    put(scored, read(bark("0", "w0")), "same")
    score(scored, "same")
    with scored.writing() as connection:
        assert remove(connection, "peking").results == 1
    with scored.reading() as connection:
        (kept,) = find_evaluations(connection)
    assert kept.system == "same"
    assert len(rows(scored, "select * from v_errors")) == 9


def test_removing_all_leaves_only_symbols(scored: Database) -> None:
    for name in ("gold", "peking"):
        with scored.writing() as connection:
            remove(connection, name)
    assert set(counts(scored).values()) == {0}
    put(scored, read(bark("1")))
    assert rows(scored, "select value from v_tuples where kind = 'labels'") == [
        ("dog",),
        ("bark",),
    ]


def test_removing_what_is_not_there(scored: Database) -> None:
    with (
        pytest.raises(UsageError, match=r"no collection 'x'.*'gold', 'peking'"),
        scored.writing() as connection,
    ):
        remove(connection, "x")
