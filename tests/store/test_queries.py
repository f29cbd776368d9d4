"""Asking the store: read-only by the database's own refusal."""

from __future__ import annotations

import _thread
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from sqlalchemy import Connection

from graphscore.exceptions import StoreError, UsageError
from graphscore.find.documents import Made, temporary_tables
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.read import queries
from graphscore.store.read.frequent import frequent_errors
from graphscore.store.read.limits import Limits, TooLargeError, bounded, sized
from graphscore.store.read.queries import literal
from tests.databases import query
from tests.store.conftest import bark, put, read, rows, score


def test_columns_and_rows(scored: Database, path: Path) -> None:
    columns, found = query(path, "select item, nodes from v_graphs where line = 1")
    assert columns == ("item", "nodes")
    assert list(found) == [("0", 2), ("0", 2)]


def test_columns_without_rows(scored: Database, path: Path) -> None:
    columns, found = query(path, "select item from v_graphs where line = 77")
    assert (columns, list(found)) == (("item",), [])


@pytest.mark.parametrize(
    "sql",
    [
        "delete from graph",
        "insert into collection values (9, 'x', 'y')",
        "create table x (y)",
        "drop view v_graphs",
        "update graph set item = 'x' returning item",
        "with x as (select 1) delete from pair",
        "reindex",
    ],
)
def test_the_database_refuses_to_write(scored: Database, path: Path, sql: str) -> None:
    before = rows(scored, "select * from v_graphs")
    with pytest.raises(StoreError, match="read-only"):
        list(query(path, sql)[1])
    assert rows(scored, "select * from v_graphs") == before


@pytest.mark.sqlite("its setting")
def test_a_store_open_for_writing_refuses_too(
    scored: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_query_only() -> bool:
        with scored.reading() as connection:
            return bool(connection.exec_driver_sql("pragma query_only").scalar())

    # Even if a statement that writes were compiled.
    monkeypatch.setattr(queries, "_judge", lambda *_: sqlite3.SQLITE_OK)
    with pytest.raises(StoreError, match="read-only"):
        list(queries.query(scored, "update graph set item = 'x' returning item"))
    found = queries.query(scored, "select item from graph")
    assert next(found) == ("item",)
    found.close()
    assert not is_query_only()
    with scored.writing() as connection:
        connection.exec_driver_sql("update graph set item = 'x' where id = 1")


@pytest.mark.parametrize("sql", ["vacuum into '{0}'", "attach '{0}' as other"])
def test_no_other_file_is_written(
    scored: Database, path: Path, tmp_path: Path, sql: str
) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises((StoreError, UsageError)):
        query(path, sql.format(target))
    assert not target.exists()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select nonsense from v_graphs", "no such column: nonsense.*; v_graphs has"),
        ("select itm from v_scores", "did you mean 'item'.*v_scores has .*item, "),
        ("select * from nowhere", "no such table: nowhere; views: v_"),
        ("selekt 1", "syntax error|begins with select"),
        ("select 1; select 2", "one statement"),
        ("", "gives no rows|begins with select"),
        ("select 1 +", "incomplete|syntax error"),
        ("select no_such(1)", "no such function: no_such"),
    ],
)
def test_wrong_sql_is_a_usage_error(
    scored: Database, path: Path, sql: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        query(path, sql)


@pytest.mark.sqlite("the files that it leaves")
def test_store_is_closed_behind_the_last_row(path: Path) -> None:
    with open_store(path, create=True) as database:
        put(database, read(bark("1")))
    _, found = query(path, "select 1")
    assert list(found) == [(1,)]
    with pytest.raises(UsageError):
        query(path, "selekt")
    _, unread = query(path, "select item from v_graphs")
    unread.close()  # type: ignore[attr-defined]
    with open_store(path) as database:
        put(database, read(bark("2")), path="b.mrp")
    # The last connection to close takes the log away: none was left open.
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


MANY = "with recursive n (k) as (select 1 union all select k + 1 from n where k < 99) "


def test_an_answer_is_bounded_as_a_whole(scored: Database, path: Path) -> None:
    sql = MANY + "select k, 'äbcde' from n"
    _, found = query(path, sql, limits=Limits(bytes=45))
    # Eight bytes of a number, seven of the text.
    assert [next(found)[0] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(TooLargeError, match=r"after 3 rows: .* longer than 45 bytes"):
        next(found)
    assert len([*query(path, sql, limits=Limits(bytes=99 * 15))[1]]) == 99


@pytest.mark.sqlite("values that it may not make")
def test_a_value_is_bounded(scored: Database, path: Path) -> None:
    limits = Limits(cell=50_000)
    assert [*query(path, "select length(hex(zeroblob(24900)))", limits=limits)[1]]
    with pytest.raises(UsageError, match="a value has 50,000 bytes at most"):
        query(path, "select length(hex(zeroblob(25001)))", limits=limits)


@pytest.mark.sqlite("a file that is missing")
def test_missing_store(path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        query(path, "select 1")


def test_errors_are_filtered(scored: Database) -> None:
    put(scored, read(bark("0", "x")), "other")
    score(scored, "other", "smatch")
    assert len(rows(scored, "select * from v_errors")) == 18
    found = rows(
        scored,
        "select system, item, value, gold_ordinal from v_errors "
        "where gold = 'gold' and system = 'other' and metric = 'smatch' "
        "and framework = 'dm' and document = 'dogs' and item = '1' "
        "and tuple_type = 'labels' and error_type = 'missing'",
    )
    assert found == [("other", "1", "bark", 1)]


def test_top_errors_say_their_sql(scored: Database, path: Path) -> None:
    asked: list[str] = []

    def ask(sql: str) -> tuple[tuple[str, ...], Iterator[tuple[object, ...]]]:
        asked.append(sql)
        return query(path, sql)

    wanted = {"system": "peking", "error_type": "missing"}
    found = frequent_errors(ask, wanted, top=1)
    (top,) = found.rows
    assert top[:6] == ("dm", "labels", "missing", "", "bark", 3)
    assert found.sql == asked
    assert "where system = 'peking' and error_type = 'missing'" in asked[0]
    columns, again = query(path, asked[0])
    assert (columns, list(again)) == (found.columns, found.rows)
    assert len(asked) == 1


def test_names_with_quotes_and_per_cent_signs(database: Database, path: Path) -> None:
    name = "it's 100% :x ?"
    put(database, read(bark("1")))
    put(database, read(bark("1", "x")), name)
    score(database, name)
    sql = f"select * from v_errors where system = {literal(name)}"
    assert len(rows(database, sql)) == 3
    found = frequent_errors(lambda sql: query(path, sql), {"system": name})
    assert len(found.rows) == 3


def test_nul_has_no_literal() -> None:
    with pytest.raises(UsageError, match="NUL"):
        literal("a\x00b")


@pytest.mark.sqlite("its connections")
@pytest.mark.parametrize(
    "within",
    [
        lambda _: nullcontext(),
        lambda it: sized(it, Limits(60, 1, 1000, 1000, 0)),
        lambda it: bounded(it, Limits(60, 1, 1000, 1000, 0)),
        lambda it: temporary_tables(it, [Made("made", ("x",), "select 1")], {}),
    ],
    ids=["plain", "sized", "bounded", "temporary tables"],
)
def test_an_interrupt_is_told_as_one(
    scored: Database,
    path: Path,
    within: Callable[[Connection], AbstractContextManager[None]],
) -> None:
    """Settings are not put back on a connection that the interrupt has closed."""

    def ask() -> None:
        with (
            open_store(path, read_only=True) as database,
            database.reading() as connection,
            within(connection),
        ):
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.create_function("interrupt", 0, _thread.interrupt_main)
            list(queries.answer(connection, "select interrupt()"))

    with pytest.raises(KeyboardInterrupt):
        ask()
