"""A store of the first revision, with data in it, becomes one of today."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.errors import StoreError
from graphscore.metrics.registry import parse
from graphscore.store import migration
from graphscore.store.opening import migrate, open_store
from graphscore.store.reading.queries import query
from graphscore.store.schema import HEAD
from graphscore.store.views import VIEWS
from tests.store.keep import KEPT, METRICS, kept_graphs
from tests.store.test_migrations import KEPT_ROWS

TIMED = {"microseconds"}


def copy_rows(file: Path, url: str) -> None:
    """Bring all rows of a file of the first revision into tables of that revision."""
    import psycopg

    with closing(sqlite3.connect(file)) as source, psycopg.connect(url) as target:
        target.execute("set session_replication_role = replica")
        truths = {
            (table, column)
            for table, column in target.execute(
                "select table_name, column_name from information_schema.columns "
                "where data_type = 'boolean'"
            )
        }
        tables = "select name from sqlite_master where type = 'table'"
        for (table,) in source.execute(tables).fetchall():
            if table == "alembic_version":
                continue
            cursor = source.execute(f'select * from "{table}"')
            names = [each[0] for each in cursor.description]
            listed = ", ".join(f'"{name}"' for name in names)
            signs = ", ".join(["%s"] * len(names))
            rows = [
                [
                    bool(cell) if (table, name) in truths else cell
                    for name, cell in zip(names, row, strict=True)
                ]
                for row in cursor
            ]
            if rows:
                target.cursor().executemany(
                    f'insert into "{table}" ({listed}) values ({signs})'.encode(), rows
                )


@pytest.fixture
def both(url: str, tmp_path: Path) -> tuple[str, str]:
    """The kept store of the first revision, in either database."""
    file = Path(shutil.copy(KEPT, tmp_path / "old.db"))
    migration.upgrade(url, "r1")
    copy_rows(file, url)
    return url, str(file)


def rows(place: str, view: str) -> list[str]:
    columns, found = query(place, f"select * from {view}")
    kept = [n for n, name in enumerate(columns) if name not in TIMED]
    return sorted(repr([worth(row[n]) for n in kept]) for row in found)


def worth(value: Any) -> Any:
    """Earlier revisions kept all amounts as doubles, which told 2 from 2.0 no more."""
    return float(value) if isinstance(value, int) else value


def test_from_the_first_revision(both: tuple[str, str]) -> None:
    url, _ = both
    with pytest.raises(StoreError, match="run: graphscore store migrate") as raised:
        open_store(url, read_only=True)
    assert "r1" in str(raised.value)
    for place in both:
        assert migrate(place) == ("r1", HEAD)
        assert migrate(place) == (HEAD, HEAD)
    for view in VIEWS:
        ours, theirs = (rows(place, view) for place in both)
        assert ours == theirs, view
        assert len(ours) == KEPT_ROWS[view]
    results = []
    for place in both:
        with Store(place, mode="write") as store:
            graphs = list(store.graphs("gold"))
            assert graphs == kept_graphs("gold")
            scored = store.score("gold", "alder", [parse(each) for each in METRICS])
            results.append([(each.counts, each.reused) for each in scored])
    assert results[0] == results[1]


def test_down_and_up_again_keeps_the_rows(both: tuple[str, str]) -> None:
    url, _ = both
    migrate(url)
    before = {view: rows(url, view) for view in VIEWS}
    migration.downgrade(url, "r2")
    assert migrate(url) == ("r2", HEAD)
    assert {view: rows(url, view) for view in VIEWS} == before


def test_a_migration_that_fails_changes_nothing(
    both: tuple[str, str], ask: Callable[[str], list[tuple[Any, ...]]], do: Any
) -> None:
    url, _ = both
    # Something of somebody else's stands on a view that has to be made anew.
    do("create view mine as select * from v_scores")
    with pytest.raises(StoreError, match="depend on it") as raised:
        migrate(url)
    assert "\n" not in str(raised.value)
    assert ask("select version_num from alembic_version") == [("r1",)]
    do("drop view mine")
    assert migrate(url) == ("r1", HEAD)
