"""Migrating from nothing gives what a new store has, and old stores get there."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from graphscore.errors import StoreError
from graphscore.evaluation.stored import Store
from graphscore.metrics.registry import parse
from graphscore.store import migration, opening
from graphscore.store.opening import migrate, open_store
from graphscore.store.reading.queries import query
from graphscore.store.schema import HEAD, REVISIONS
from tests.store.conftest import bark, put, read, rows
from tests.store.keep import KEPT, METRICS, kept_graphs

pytestmark = pytest.mark.sqlite("the store of the first release is a file")

KEPT_ROWS = {
    "v_graphs": 34,
    "v_rejected": 0,
    "v_tuples": 532,
    "v_items": 19,
    "v_scores": 68,
    "v_errors": 94,
    "v_error_counts": 41,
    "v_error_tuples": 91,
    "v_error_labels": 91,
    "v_correspondences": 127,
    "v_confusions": 10,
    "v_entity_errors": 0,
    "v_changes": 0,
}
"""What the views of the kept store hold."""

NEXT = '''
"""Add a column."""
import sqlalchemy as sa
from alembic import op
revision = "next"
down_revision = "{head}"

def upgrade():
    with op.batch_alter_table("collection", recreate="always") as batch:
        batch.add_column(sa.Column("note", sa.Text()))
    {more}

def downgrade():
    with op.batch_alter_table("collection") as batch:
        batch.drop_column("note")
'''


def layout(path: Path) -> dict[tuple[str, str], list[str]]:
    """Every object of the database with its definition, order and blanks aside."""
    connection = sqlite3.connect(path)
    found = connection.execute("select type, name, sql from sqlite_master").fetchall()
    connection.close()
    return {
        (kind, name): sorted(
            re.sub(r"[\s\"]+", " ", part).strip(" ,")
            for part in re.split(r",\s*\n", sql or "")
        )
        for kind, name, sql in found
    }


def plain(path: Path) -> dict[str, str]:
    """Every view with its definition, blanks aside."""
    connection = sqlite3.connect(path)
    views = "select name, sql from sqlite_master where type = 'view'"
    found = connection.execute(views).fetchall()
    connection.close()
    return {name: " ".join(sql.split()) for name, sql in found}


def words(definition: list[str]) -> list[str]:
    # A column that came later stands behind the constraints: no commas either.
    return sorted(re.sub(r"([()])|,", r" \1 ", " ".join(definition)).split())


def test_migrating_from_nothing_equals_a_new_store(tmp_path: Path) -> None:
    fresh, migrated = tmp_path / "fresh.db", tmp_path / "migrated.db"
    open_store(fresh, create=True).close()
    migrated.touch()
    migration.upgrade(str(migrated))
    expected, found = layout(fresh), layout(migrated)
    assert found.keys() == expected.keys()
    for name, definition in expected.items():
        if name[0] == "view":
            continue
        assert words(found[name]) == words(definition), name
    with open_store(migrated) as database:
        assert put(database, read(bark("1"))).graphs == 1


def test_views_are_the_same_to_the_word(tmp_path: Path) -> None:
    fresh, migrated = tmp_path / "fresh.db", tmp_path / "migrated.db"
    open_store(fresh, create=True).close()
    migrated.touch()
    migration.upgrade(str(migrated))
    assert len(plain(fresh)) == 13
    assert plain(migrated) == plain(fresh)


def test_known_revisions_are_those_of_the_folder() -> None:
    config = Config()
    config.set_main_option("script_location", str(migration.migrations_folder()))
    walked = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(script.revision for script in walked)[::-1] == REVISIONS


def test_down_to_nothing_and_up_again(path: Path) -> None:
    open_store(path, create=True).close()
    before = layout(path)
    migration.downgrade(str(path), "base")
    assert {name for _, name in layout(path)} == {
        "alembic_version",
        "sqlite_autoindex_alembic_version_1",
    }
    migration.upgrade(str(path))
    assert layout(path).keys() == before.keys()


def test_current_store_needs_nothing(path: Path) -> None:
    open_store(path, create=True).close()
    assert migrate(path) == (HEAD, HEAD)


@pytest.fixture
def newer_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library one revision later; gives the file of that revision."""
    folder = tmp_path / "100% migrations"
    shutil.copytree(migration.migrations_folder(), folder)
    script = folder / "versions" / "next.py"
    script.write_text(NEXT.format(head=HEAD, more=""))
    monkeypatch.setattr(migration, "migrations_folder", lambda: folder)
    monkeypatch.setattr(opening, "HEAD", "next")
    monkeypatch.setattr(opening, "REVISIONS", (*REVISIONS, "next"))
    return script


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A copy of the store that the first release made."""
    return Path(shutil.copy(KEPT, tmp_path / "old.db"))


def columns(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    found = [row[1] for row in connection.execute("pragma table_info(collection)")]
    connection.close()
    return found


def test_reading_an_old_store_names_the_command(
    old_store: Path, newer_library: Path
) -> None:
    with pytest.raises(StoreError) as raised:
        open_store(old_store, read_only=True)
    assert f"run: graphscore store migrate {old_store}" in str(raised.value)
    assert "note" not in columns(old_store)


def test_writing_an_old_store_migrates_it_after_saying_so(
    old_store: Path, newer_library: Path
) -> None:
    said: list[tuple[str, bool]] = []

    def notify(message: str) -> None:
        said.append((message, "note" in columns(old_store)))

    with open_store(old_store, notify=notify) as database:
        # Rebuilding the table of collections must not take the graphs along.
        assert rows(database, "select count(*) from v_graphs") == [
            (KEPT_ROWS["v_graphs"],)
        ]
        assert rows(database, "select note from collection") == [(None,)] * 2
    assert said == [
        (f"{old_store}: migrating from revision {REVISIONS[0]} to next", False)
    ]


def test_migrating_by_command(old_store: Path, newer_library: Path) -> None:
    assert migrate(old_store) == (REVISIONS[0], "next")
    assert migrate(old_store) == ("next", "next")
    assert "note" in columns(old_store)


def test_failing_migration_changes_nothing(
    old_store: Path, newer_library: Path
) -> None:
    newer_library.write_text(
        NEXT.format(head=HEAD, more='op.execute("insert into nowhere values (1)")')
    )
    before = layout(old_store)
    with pytest.raises(StoreError, match="nowhere"):
        migrate(old_store)
    assert layout(old_store) == before


def test_migration_that_breaks_references_changes_nothing(
    old_store: Path, newer_library: Path
) -> None:
    newer_library.write_text(
        NEXT.format(head=HEAD, more='op.execute("delete from collection")')
    )
    before = layout(old_store)
    with pytest.raises(StoreError, match="nothing was migrated"):
        migrate(old_store)
    assert layout(old_store) == before


def test_migrating_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        migrate(tmp_path / "nothing.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="empty database"):
        migrate(tmp_path / "empty.db")


@pytest.mark.parametrize("revision", sorted(opening.UNRELEASED))
def test_stores_of_before_the_first_release_are_refused(
    old_store: Path, revision: str
) -> None:
    with sqlite3.connect(old_store) as connection:
        connection.execute("update alembic_version set version_num = ?", (revision,))
    connection.close()
    said = "made before the first release, ingest again"
    for read_only in (True, False):
        with pytest.raises(StoreError, match=said):
            open_store(old_store, read_only=read_only)
    with pytest.raises(StoreError, match=said) as caught:
        migrate(old_store)
    assert str(old_store) in str(caught.value)
    assert caught.value.exit_code == 3


def test_the_store_of_the_first_release_answers(old_store: Path) -> None:
    assert migrate(old_store).before == "r1"
    for view, count in KEPT_ROWS.items():
        assert list(query(old_store, f"select count(*) from {view}")[1]) == [(count,)]
    with Store(str(old_store), mode="write") as store:
        graphs = list(store.graphs("gold"))
        assert [each.id for each in graphs] == [each.id for each in kept_graphs("gold")]
        for metric in METRICS:
            [result] = store.score("gold", "alder", [parse(metric)])
            # What was worked out under an earlier revision is not used again.
            known = result.pairs if parse(metric).revision == 1 else 0
            assert (result.reused, result.pairs > 0) == (known, True)


def test_migrating_a_newer_store(old_store: Path) -> None:
    with sqlite3.connect(old_store) as connection:
        connection.execute("update alembic_version set version_num = 'x'")
    connection.close()
    with pytest.raises(StoreError, match="newer graphscore"):
        migrate(old_store)


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
