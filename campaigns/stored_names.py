"""Stores whose cells name code, rules and tables that would do something if opened.

Every command that takes a store is called with one.  Nothing of that name is imported,
run or opened: Python itself tells of it, and a file that is opened would wait for ever.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from campaigns.findings import UnclearError
from graphscore.cli.main import cli
from graphscore.evaluation.store import Store
from tests.cli.test_names_in_stores import CALLS, CODE, EVENTS, NAMES, TREES

COLUMNS = (
    *(("evaluation", "metric"), ("metric", "name"), ("ingest", "path")),
    *(("ingest", "format"), ("collection", "name")),
)
"""What names something; of a collection it is the name."""

MORE = (
    "rules:/dev/stdin",
    "docred(facts=/dev/stdin)",
    "rules:evil.d",
    "-m evil:metric",
)
"""Names besides those of the test."""

_touched: list[str] | None = None
"""What was imported, run or opened while somebody listened."""


def _listen(event: str, given: tuple[Any, ...]) -> None:
    if _touched is None or event not in EVENTS:
        return
    for name in given:
        if isinstance(name, str | bytes | os.PathLike):
            place = os.fsdecode(name).replace(os.getcwd(), "")
            if "evil" in place or place == "/dev/stdin":
                _touched.append(f"{event} {place}")
                # It is not waited for.
                raise PermissionError(f"{event} {place}")


@lru_cache(maxsize=1)
def _add_listener() -> None:
    sys.addaudithook(_listen)


@contextmanager
def _listening() -> Iterator[list[str]]:
    """What is touched meanwhile."""
    global _touched
    _add_listener()
    found: list[str] = []
    _touched = found
    try:
        yield found
    finally:
        _touched = None


def of_stored_names(chance: Random) -> tuple[str, Callable[[Path], object]]:
    """A call of a command with a store that names something, in words, to be asked."""
    name = chance.choice((*NAMES, *MORE))
    verb = chance.choice(sorted(CALLS))
    words = chance.choice(CALLS[verb])
    columns = chance.sample(COLUMNS, chance.randrange(1, len(COLUMNS)))

    def asked(_: Path) -> None:
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as held:
            os.chdir(held)
            sys.path.insert(0, "")
            try:
                _make(Path(held), name, columns)
                _call(
                    [verb, *("runs.db" if each == "STORE" else each for each in words)]
                )
            finally:
                sys.path.remove("")
                os.chdir(before)

    return f"{name!r} in {columns}: {verb} {' '.join(words)}", asked


def _make(folder: Path, name: str, columns: list[tuple[str, str]]) -> None:
    """Make files that act, and a store that names one of them."""
    for file in ("evil.py", "evil/__init__.py", "evil/inner.py"):
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(CODE)
    (folder / "evil.toml").write_text("extends = 'default'\n")
    (folder / "evil.tsv").write_text("a\tb\n")
    (folder / "evil.d").mkdir()
    os.mkfifo(folder / "evil.fifo")
    (folder / "trees.conllu").write_text(TREES.format(3, "root"))
    shutil.copy(_scored(), folder / "runs.db")
    with closing(sqlite3.connect(folder / "runs.db")) as connection:
        for table, column in columns:
            # Of two collections one keeps its name, as names are unique.
            one = " where name = 'gold'" if table == "collection" else ""
            connection.execute(f"update {table} set {column} = ?{one}", (name,))
        connection.commit()


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@lru_cache(maxsize=1)
def _scored() -> Path:
    """A store with an evaluation of trees."""
    folder = Path(_folder().name)
    with Store(folder / "runs.db", mode="create") as store:
        for name, label in (("gold", "root"), ("system", "dep")):
            file = folder / f"{name}.conllu"
            file.write_text("".join(TREES.format(n, label) for n in (1, 2)))
            store.ingest(file, name)
        store.score("gold", "system", "las")
    return folder / "runs.db"


def _call(words: list[str]) -> None:
    """Call a command.

    Raises:
        UnclearError: if it touched what is named, or did not end as it should.
    """
    with _listening() as touched:
        done = CliRunner().invoke(cli, words)
    if touched or Path("ran").exists():
        raise UnclearError(f"touched what a store names: {touched}")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in range(5):
        raise UnclearError(f"exit code {done.exit_code}: {done.stderr[-300:]}")
