"""Damaged stores, and what is none, as operands of every command that takes a store."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.cli.conftest import ALDER, BIRCH, GOLD

SIDES = ("--gold", "gold", "--system", "alder")

COMMANDS: dict[str, tuple[str, ...]] = {
    "score": ("score", "STORE", *SIDES, "--per-item"),
    "anew": ("score", "STORE", *SIDES, "-m", "smatch"),
    "errors": ("errors", "STORE", *SIDES),
    "items": ("items", "STORE", *SIDES),
    "show": ("show", "sample-01", "STORE", *SIDES),
    "query": ("query", "STORE", "select * from v_tuples"),
    "list": ("store", "list", "STORE"),
    "remove": ("store", "remove", "STORE", "alder"),
    "migrate": ("store", "migrate", "STORE"),
    "compare": ("compare", "STORE", "--gold", "gold"),
    "ingest": ("ingest", "STORE", ALDER, "--as", "alder", "--replace"),
    "analyze": ("analyze", "STORE", "--collection", "gold"),
}
"""Each command with a store, as it is called."""


def sql(*statements: str) -> Callable[[Path], object]:
    """What is done to a store whose tables allow it."""

    def done(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma foreign_keys = off")
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return done


def put(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    """What is done to the bytes of a store."""
    return lambda path: path.write_bytes(change(path.read_bytes()))


def flipped(data: bytes) -> bytes:
    """Every page but the first has other bytes in its head."""
    found = bytearray(data)
    for start in range(4096, len(found), 4096):
        found[start : start + 8] = b"\xff\x00\x13\x37\xff\xff\x7f\x05"
    return bytes(found)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "flipped": (put(flipped), set(COMMANDS)),
    "truncated": (put(lambda data: data[: len(data) // 2]), set(COMMANDS)),
    "header": (put(lambda data: data[:100]), set(COMMANDS)),
    "no version": (sql("delete from alembic_version"), set(COMMANDS)),
    "versions": (sql("insert into alembic_version values ('z')"), set(COMMANDS)),
    "unknown": (sql("update alembic_version set version_num = 'r8'"), set(COMMANDS)),
    "dropped": (sql("drop table graph"), set(COMMANDS)),
    "json": (
        sql("""update graph set extra = '{"a": [', tokens = '[[['"""),
        {"anew", "items", "show", "analyze"},
    ),
    "wrong json": (
        sql("update graph set extra = '[]', tokens = '7'"),
        {"anew", "items", "show", "analyze"},
    ),
    "characters": (
        sql("update collection set name = cast(x'ff41' as text) where name = 'gold'"),
        {*COMMANDS} - {"migrate", "remove", "ingest"},
    ),
    "another": (
        lambda path: (path.unlink(), sql("create table a (b)")(path)),
        set(COMMANDS),
    ),
    "folder": (folder, set(COMMANDS)),
    "empty": (put(lambda data: b""), {*COMMANDS} - {"ingest"}),
    "text": (put(lambda data: b"No store.\n" * 500), set(COMMANDS)),
}
"""What is wrong, and which commands have to say so; the others may not need it."""

USAGE = "is not one"
"""Ends what is said of options that name collections of what is no store."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two scored systems."""
    path = tmp_path_factory.mktemp("whole") / "runs.db"
    for name, file in (("gold", GOLD), ("alder", ALDER), ("birch", BIRCH)):
        assert call("ingest", path, file, "--as", name)[0] == 0
    systems = ("--system", "alder", "--system", "birch")
    assert call("score", path, "--gold", "gold", *systems)[0] in (0, 4)
    return path


def call(*words: object) -> tuple[int, str]:
    """The code of a run, and what it says."""
    found = CliRunner().invoke(cli, [*map(str, words)])
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found.exit_code, found.stderr


@pytest.mark.parametrize("tuple_type", DAMAGE)
def test_damage_is_said_in_one_sentence(
    tuple_type: str, whole: Path, tmp_path: Path
) -> None:
    damage, refusing = DAMAGE[tuple_type]
    damaged = tmp_path / "damaged.db"
    shutil.copy(whole, damaged)
    damage(damaged)
    refused = set()
    for verb, words in COMMANDS.items():
        path = tmp_path / f"{verb}.db"
        if damaged.is_dir():
            path.mkdir()
        else:
            shutil.copy(damaged, path)
        named = {"STORE": path}
        code, said = call(*(named.get(word, word) for word in words))
        assert code in (0, 3, 2 * said.endswith(f"{USAGE}\n")), (verb, code, said)
        if code:
            refused.add(verb)
            [sentence] = said.splitlines()
            assert sentence.startswith("Error: "), sentence
            assert path.name in sentence
            assert len(sentence) < 500
            if tuple_type == "unknown":
                assert sentence.endswith("; ingest its files again")
                assert code == 3
    assert refused == refusing
