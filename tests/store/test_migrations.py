"""Migrating from nothing gives what a new store has, and old stores get there."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.evaluation.store import Store
from graphscore.exceptions import StoreError
from graphscore.store import migration
from graphscore.store.opening import open_store
from graphscore.store.schema import HEAD, REVISIONS
from graphscore.store.views import VIEWS
from tests.conftest import DATA
from tests.databases import query
from tests.store.conftest import bark, put, read, rows
from tests.store.earlier import EARLIER, STEP, earlier_known, make_earlier

pytestmark = pytest.mark.sqlite("its file is looked into")

LAYOUT = {"dev6": "f53f342068ca3ffe"}
"""Digest of all tables, indexes and views, under the name of their revision."""


def layout(path: Path) -> dict[tuple[str, str], list[str]]:
    """Every object of the database with the words of its definition, in any order."""
    with closing(sqlite3.connect(path)) as connection:
        objects = connection.execute("select type, name, sql from sqlite_master")
        return {
            # A rebuilt table has its columns, commas and brackets elsewhere.
            (tuple_type, name): sorted(re.sub(r'[(),"]', " ", sql or "").split())
            for tuple_type, name, sql in objects
        }


def revision_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        [(revision,)] = connection.execute("select version_num from alembic_version")
    return str(revision)


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A new store without anything in it."""
    path = tmp_path / "fresh.db"
    open_store(path, create=True).close()
    return path


def test_another_layout_has_another_revision(fresh: Path) -> None:
    """Stores of an earlier development version must be refused, not misread.

    Where the layout changes, its revision gets another name in ``schema.py`` and here.
    """
    with closing(sqlite3.connect(fresh)) as connection:
        objects = connection.execute("select sql from sqlite_master order by name")
        words = " ".join(sql for (sql,) in objects if sql).split()
    digest = hashlib.sha256(" ".join(words).encode()).hexdigest()
    assert {HEAD: digest[:16]} == LAYOUT


def test_migrating_from_nothing_equals_a_new_store(tmp_path: Path, fresh: Path) -> None:
    migrated = tmp_path / "migrated.db"
    migrated.touch()
    migration.upgrade(str(migrated))
    assert layout(migrated) == layout(fresh)
    assert {name for tuple_type, name in layout(fresh) if tuple_type == "view"} == {
        *VIEWS
    }
    with open_store(migrated) as database:
        assert put(database, read(bark("1"))).graphs == 1


def test_known_revisions_are_those_of_the_folder() -> None:
    config = Config()
    config.set_main_option("script_location", str(migration.migrations_folder()))
    walked = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(script.revision for script in walked)[::-1] == REVISIONS


def test_down_to_nothing_and_up_again(fresh: Path) -> None:
    before = layout(fresh)
    migration.downgrade(str(fresh), "base")
    assert {name for _, name in layout(fresh)} == {
        "alembic_version",
        "sqlite_autoindex_alembic_version_1",
    }
    migration.upgrade(str(fresh))
    assert layout(fresh) == before


@pytest.fixture(scope="module")
def scored_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the present revision, with an evaluation by each of two metrics."""
    path = tmp_path_factory.mktemp("scored") / "runs.db"
    with Store(path, mode="create") as store:
        for name in ("gold", "alder"):
            store.ingest(DATA / f"{name}.mrp", name)
        store.score("gold", "alder", ["mrp", "smatch"])
    return path


@pytest.fixture
def step(tmp_path: Path) -> Iterator[Path]:
    """A library that knows an earlier revision; the file that leads on from it."""
    with earlier_known(tmp_path / "100% migrations") as file:
        yield file


@pytest.fixture
def old_store(scored_store: Path, step: Path, tmp_path: Path) -> Path:
    """A store of the earlier revision, with data in it."""
    path = Path(shutil.copy(scored_store, tmp_path / "old.db"))
    make_earlier(str(path))
    assert revision_of(path) == EARLIER
    return path


def view_rows(path: Path) -> dict[str, list[str]]:
    return {
        view: sorted(map(repr, query(path, f"select * from {view}")[1]))
        for view in VIEWS
    }


def test_reading_an_old_store_names_the_command(old_store: Path) -> None:
    before = old_store.read_bytes()
    with pytest.raises(StoreError) as raised:
        open_store(old_store, read_only=True)
    assert str(raised.value) == (
        f"{old_store}: made by an older graphscore (revision earlier, now {HEAD}); "
        f"run: graphscore store migrate {old_store}"
    )
    assert old_store.read_bytes() == before


def test_writing_an_old_store_migrates_it_after_saying_so(old_store: Path) -> None:
    messages: list[tuple[str, str]] = []

    def notify(message: str) -> None:
        messages.append((message, revision_of(old_store)))

    with open_store(old_store, notify=notify) as database:
        # Rebuilding the table of graphs must not take along what refers to it.
        assert rows(database, "select count(*) from v_graphs") == [(146,)]
        assert rows(database, "select count(*) > 1000 from v_tuples") == [(1,)]
    assert messages == [
        (f"{old_store}: migrating from revision earlier to {HEAD}", EARLIER)
    ]
    assert revision_of(old_store) == HEAD


def test_a_migrated_store_is_what_a_new_one_is(
    old_store: Path, scored_store: Path
) -> None:
    done = CliRunner().invoke(cli, ["store", "migrate", str(old_store), "--csv"])
    assert done.exit_code == 0
    assert done.stdout == f"store,migrated,results,outdated\n{old_store},True,0,0\n"
    assert done.stderr == (
        f"{old_store}: migrating from revision earlier to {HEAD}\n"
        f"{old_store} is up to date; cleared 0 results, 0 outdated evaluations\n"
    )
    assert layout(old_store) == layout(scored_store)
    assert view_rows(old_store) == view_rows(scored_store)
    with Store(old_store, mode="write") as store:
        for result in store.score("gold", "alder", ["mrp", "smatch"]):
            assert result.reused == result.pairs > 0
    again = CliRunner().invoke(cli, ["store", "migrate", str(old_store), "--csv"])
    assert again.stdout == f"store,migrated,results,outdated\n{old_store},False,0,0\n"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("insert into nowhere values (1)", "nowhere"),
        ("delete from collection", "nothing was migrated"),
    ],
)
def test_failing_migration_changes_nothing(
    old_store: Path, step: Path, statement: str, message: str
) -> None:
    script = STEP.replace(
        "\ndef downgrade", f"    op.execute('{statement}')\n\ndef down"
    )
    step.write_text(script)
    before = layout(old_store)
    with pytest.raises(StoreError, match=message):
        open_store(old_store)
    assert layout(old_store) == before
    assert revision_of(old_store) == EARLIER
    step.write_text(STEP)
    open_store(old_store).close()
    assert revision_of(old_store) == HEAD


def test_scripts_inside_an_installed_package_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "graphscore" / "store" / "migration.py"
    monkeypatch.setattr(migration, "__file__", str(module))
    with pytest.raises(StoreError, match="missing from this installation"):
        migration.migrations_folder()
    for folder in (tmp_path / "migrations", tmp_path / "graphscore" / "_migrations"):
        folder.mkdir(parents=True)
        (folder / "env.py").touch()
        assert migration.migrations_folder() == folder
