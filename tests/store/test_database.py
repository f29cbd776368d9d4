"""Opening a store, and every way in which that can go wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from graphscore.exceptions import InputError, LockedError, StoreError, UsageError
from graphscore.store.database import Database
from graphscore.store.database_errors import guarded
from graphscore.store.detect import is_store
from graphscore.store.opening import open_store
from graphscore.store.schema import HEAD
from tests.databases import query
from tests.store.conftest import bark, put, read, rows

HEADER = b"SQLite format 3\x00"


def refused(path: Path | str, **options: object) -> str:
    with pytest.raises(StoreError) as raised:
        open_store(path, **options)  # type: ignore[arg-type]
    message = str(raised.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def set_revision(database: Database, revision: str) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql(
            f"update alembic_version set version_num = '{revision}'"
        )


@pytest.mark.sqlite("a file is made")
def test_made_where_there_is_none(path: Path) -> None:
    with open_store(path, create=True):
        assert path.exists()
    with open_store(path, create=True) as database:
        put(database, read(bark("1")))
    with open_store(path) as database:
        assert rows(database, "select item from v_graphs") == [("1",)]


def test_new_store_needs_no_alembic(path: Path) -> None:
    script = (
        "import sys; from graphscore.store.opening import open_store;"
        f"open_store({str(path)!r}, create=True).close();"
        "sys.exit('alembic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.sqlite("a file that is missing or no store")
def test_missing_file(path: Path) -> None:
    assert "no such store" in refused(path)
    assert "no such store" in refused(path, read_only=True)
    assert not path.exists()


@pytest.mark.sqlite("a file that is missing or no store")
def test_missing_directory(tmp_path: Path) -> None:
    message = refused(tmp_path / "nowhere" / "runs.db", create=True)
    assert "directory of the store does not exist" in message


@pytest.mark.sqlite("a file that is missing or no store")
def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in refused(tmp_path, create=True)


@pytest.mark.sqlite("a path and its URL")
def test_url_and_path_are_the_same_store(database: Database, path: Path) -> None:
    put(database, read(bark("1")))
    with open_store(f"sqlite:///{path}", read_only=True) as other:
        assert rows(other, "select item from v_graphs") == [("1",)]


@pytest.mark.sqlite("names of files")
def test_names_that_mean_something_in_a_url(tmp_path: Path) -> None:
    path = tmp_path / "50% of #1? & more.db"
    with open_store(path, create=True) as database:
        put(database, read(bark("1")))
    with open_store(path, read_only=True) as database:
        assert rows(database, "select item from v_graphs") == [("1",)]
    assert {entry.name for entry in tmp_path.iterdir()} == {path.name}


@pytest.mark.sqlite("a file that is missing or no store")
@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("content", [b"hello, this is no database" * 99, b"{}\n"])
def test_file_of_another_kind(path: Path, content: bytes, create: bool) -> None:
    path.write_bytes(content)
    assert "is not an SQLite database" in refused(path, create=create)
    assert "is not an SQLite database" in refused(path, read_only=True)
    assert path.read_bytes() == content


@pytest.mark.sqlite("a file that is missing or no store")
def test_header_and_then_rubbish(path: Path) -> None:
    path.write_bytes(HEADER + b"rubbish" * 1000)
    assert "not an SQLite database" in refused(path)


@pytest.mark.sqlite("a file that is missing or no store")
def test_truncated_store(path: Path) -> None:
    with open_store(path, create=True) as database:
        put(database, read(*(bark(str(n), f"v{n}") for n in range(500))))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match="is damaged"):
        for _ in query(path, "select * from v_tuples")[1]:
            pass


@pytest.mark.sqlite("a file that is missing or no store")
def test_empty_file_becomes_a_store_only_if_asked(path: Path) -> None:
    path.touch()
    assert "empty database" in refused(path)
    assert "empty database" in refused(path, read_only=True)
    with open_store(path, create=True) as database:
        assert rows(database, "select * from v_graphs") == []


@pytest.mark.sqlite("a table is made behind its back")
@pytest.mark.parametrize("create", [False, True])
def test_database_of_something_else(path: Path, create: bool) -> None:
    connection = sqlite3.connect(path)
    connection.execute("create table recipe (name text)")
    connection.close()
    assert "not a graphscore store" in refused(path, create=create)
    connection = sqlite3.connect(path)
    tables = connection.execute("select name from sqlite_master").fetchall()
    connection.close()
    assert tables == [("recipe",)]


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("revision", ["0005", "r1", "r8", "dev0", "9999"])
def test_store_of_another_version(
    database: Database, path: Path, revision: str, read_only: bool
) -> None:
    set_revision(database, revision)
    database.close()
    assert refused(path, read_only=read_only).endswith(
        f": made by another version of graphscore (revision {revision}, "
        f"this one reads {HEAD}); ingest its files again"
    )


def test_unknown_kind_of_database() -> None:
    assert "driver" in refused("oracle+nonsense://host/runs")


def test_url_that_is_none() -> None:
    assert "not a database URL" in refused("sqlite://host:port:x/y")


@pytest.mark.sqlite("locks of a file")
def test_locked_store(database: Database, path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin immediate")
    with (
        open_store(path, wait=0) as other,
        pytest.raises(LockedError, match=rf"locked by process {os.getpid()} \(this"),
    ):
        put(other, read(bark("1")))
    holder.execute("commit")
    holder.close()
    assert put(database, read(bark("1"))).graphs == 1


@pytest.mark.sqlite("locks of a file")
def test_exclusively_locked_store_cannot_be_opened(path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin exclusive")
    holder.execute("create table recipe (name text)")
    assert "locked by another process" in refused(path, wait=0)
    holder.close()


def test_readers_are_not_blocked_and_see_one_state(
    database: Database, path: Path
) -> None:
    put(database, read(bark("1")))
    count = "select count(*) from v_graphs"
    with open_store(path, read_only=True, wait=0) as reader:
        with database.writing() as connection:
            connection.exec_driver_sql("update graph set item = 'x'")
            assert rows(reader, "select item from v_graphs") == [("1",)]
        with reader.reading() as connection:
            assert connection.exec_driver_sql(count).scalar() == 1
            put(database, read(bark("2")), path="b.mrp")
            assert connection.exec_driver_sql(count).scalar() == 1
        assert rows(reader, count) == [(2,)]


def test_writing_what_is_open_for_reading(database: Database, path: Path) -> None:
    with (
        open_store(path, read_only=True) as reader,
        pytest.raises(StoreError, match="open for reading only"),
    ):
        put(reader, read(bark("1")))


@pytest.mark.sqlite("its settings")
def test_database_itself_refuses_to_write(database: Database, path: Path) -> None:
    with open_store(path, read_only=True) as reader:
        rows(reader, "pragma user_version")
        with pytest.raises(StoreError, match="it is read-only"):
            rows(reader, "delete from graph returning id")
        with reader.reading() as connection:
            connection.exec_driver_sql("pragma query_only = off")
        with pytest.raises(StoreError, match="it is read-only"):
            rows(reader, "delete from graph returning id")


@pytest.mark.sqlite("a disk that cannot be written")
def test_read_only_disk(database: Database, path: Path) -> None:
    """A file system that cannot be written, as SQLite sees it."""
    put(database, read(bark("1")))
    database.close()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("this user may write everywhere")
        with open_store(path, read_only=True) as reader:
            assert rows(reader, "select item from v_graphs") == [("1",)]
        assert "read-only" in refused(path)
    finally:
        path.parent.chmod(0o755)


@pytest.mark.sqlite("a disk that cannot be written")
def test_read_only_disk_without_a_log(
    database: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, read(bark("1")))
    database.close()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with open_store(path, read_only=True) as reader:
        assert rows(reader, "select item from v_graphs") == [("1",)]
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.sqlite("its settings")
def test_writer_that_may_not_write(database: Database) -> None:
    with database.reading() as connection:
        connection.exec_driver_sql("pragma query_only = on")
    with pytest.raises(StoreError, match="cannot be written: it is read-only"):
        put(database, read(bark("1")))


def limit_pages(database: Database, more: int) -> None:
    """Let the database grow by some pages only; a full disk looks the same."""
    with database.reading() as connection:
        pages = connection.exec_driver_sql("pragma page_count").scalar_one()
        connection.exec_driver_sql(f"pragma max_page_count = {pages + more}")


@pytest.mark.sqlite("a disk that cannot be written")
def test_full_disk(database: Database) -> None:
    put(database, read(bark("1")))
    limit_pages(database, 10)
    many = read(*(bark(str(n), f"v{n}") for n in range(2000)))
    with pytest.raises(StoreError, match="the disk is full"):
        put(database, many, path="b.mrp")
    assert rows(database, "select item from v_graphs") == [("1",)]
    limit_pages(database, 10_000)
    assert put(database, many[2:], path="b.mrp").graphs == 1998
    assert rows(database, "pragma integrity_check") == [("ok",)]


@pytest.mark.sqlite("a disk that cannot be written")
def test_full_disk_while_making_a_store(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    def tiny(*args: object, **kwargs: object) -> sqlite3.Connection:
        connection = real(*args, **kwargs)  # type: ignore[call-overload]
        connection.execute("pragma max_page_count = 5")
        return connection  # type: ignore[no-any-return]

    monkeypatch.setattr(sqlite3.dbapi2, "connect", tiny)
    monkeypatch.setattr(sqlite3, "connect", tiny)
    assert "disk is full" in refused(path, create=True)
    monkeypatch.undo()
    with open_store(path, create=True) as database:
        assert put(database, read(bark("1"))).graphs == 1


@pytest.mark.sqlite("its settings")
def test_old_sqlite(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    assert "needs SQLite 3.37" in refused(path, create=True)


@pytest.mark.sqlite("its settings")
def test_settings(database: Database) -> None:
    assert rows(database, "pragma foreign_keys") == [(1,)]
    assert rows(database, "pragma journal_mode") == [("wal",)]
    assert rows(database, "pragma synchronous") == [(1,)]


@pytest.mark.sqlite("the files that it leaves")
def test_closing_leaves_one_file(database: Database, path: Path) -> None:
    put(database, read(bark("1")))
    database.close()
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_what_no_database_holds(database: Database) -> None:
    lone = "gold\udcff"
    with pytest.raises(UsageError, match=r"U\+DCFF, half of a pair"):
        put(database, read(bark("1")), lone)
    for graph in (bark("1", flavor=2**70), bark("\ud800"), bark("1", "\ud800")):
        with pytest.raises(InputError):
            put(database, read(graph))


@pytest.mark.sqlite("a parameter of its driver")
def test_what_a_driver_does_not_take(database: Database) -> None:
    with (
        database.writing() as connection,
        pytest.raises(StoreError, match="gold") as raised,
        guarded("gold"),
    ):
        connection.exec_driver_sql("select ?", (2**70,))
    assert "a number beyond 64 bits" in str(raised.value)


class TestDetection:
    def test_needs_no_sqlalchemy(self, database: Database, path: Path) -> None:
        script = (
            "import sys; from graphscore.store.detect import is_store;"
            f"assert is_store({str(path)!r});"
            "sys.exit('sqlalchemy' in sys.modules)"
        )
        subprocess.run([sys.executable, "-c", script], check=True)

    @pytest.mark.parametrize(
        "operand",
        [
            "sqlite:///runs.db",
            "sqlite://",
            "sqlite+pysqlite:///x",
            "postgresql+psycopg://host/runs",
        ],
    )
    def test_urls(self, operand: str) -> None:
        assert is_store(operand)

    @pytest.mark.parametrize(
        "operand", ["", "-", "gold.mrp", "https://x/gold.mrp", "a\x00b", "."]
    )
    def test_others(self, operand: str) -> None:
        assert not is_store(operand)

    def test_files_by_content(self, tmp_path: Path) -> None:
        graphs = tmp_path / "gold.db"
        graphs.write_text('{"id": "1"}\n')
        assert not is_store(str(graphs))
        graphs.write_bytes(HEADER)
        assert is_store(str(graphs))
