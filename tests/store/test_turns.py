"""Writers that wait for each other: who is named, how long, and what is left."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import LockedError, StoreError, UsageError
from graphscore.store.opening import open_store
from graphscore.store.turns import UNKNOWN, Turns, describe_writer
from tests.conftest import ROOT
from tests.store.conftest import bark, rows
from tests.store.test_together import views_of

HOLDS = """
import sys
from graphscore.store.opening import open_store
with open_store(sys.argv[1], create=True) as database, database.writing() as connection:
    connection.exec_driver_sql("delete from graph")
    print("writing", flush=True)
    sys.stdin.readline()
"""
"""Writes, and keeps the lock until it is told to go on."""

LINUX = pytest.mark.skipif(
    not Path("/proc/locks").exists(), reason="the system does not tell who has a lock"
)


@contextmanager
def holder(path: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that has begun to write to a store."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    with process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "writing\n"
            yield process
        finally:
            process.kill()


def test_waits_until_the_other_is_done(path: Any) -> None:
    told: list[str] = []
    with Store(path, mode="create") as store:
        store.add([bark("1")], "gold")
    with holder(path) as other, Store(path, mode="write", say=told.append) as store:
        process = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(1.5); print()"],
            stdout=other.stdin,
        )
        assert store.add([bark("2")], "gold").graphs == 1
        process.wait()
        assert [store.remove("gold").graphs] == [1]
    assert len(told) == 1
    assert told[0].startswith("Waiting for ")
    assert f"process {other.pid}" in told[0]
    assert told[0].endswith(f", which is writing to {store.url} ...")


@pytest.mark.parametrize("wait", [0, 0.3])
def test_time_is_up(path: Any, wait: float) -> None:
    with Store(path, mode="create") as store:
        store.add([bark("1")], "gold")
    with holder(path) as other, Store(path, mode="write", wait=wait) as store:
        begin = time.monotonic()
        with pytest.raises(LockedError, match=rf"process {other.pid}\b") as raised:
            store.add([bark("2")], "gold")
        assert wait <= time.monotonic() - begin < wait + 5
        assert ("waited 0.3 seconds" in str(raised.value)) == bool(wait)
        assert store.query("select item from v_graphs")[1]
    with open_store(path) as database:
        assert rows(database, "select item from v_graphs") == [("1",)]


def test_who_is_killed_is_waited_for_no_longer(path: Any) -> None:
    """Nothing of what it had begun is left, and nobody is named any more."""
    with Store(path, mode="create") as store:
        store.add([bark("1")], "gold")
    with holder(path) as other, Store(path, mode="write") as store:
        killer = f"import os, time; time.sleep(1); os.kill({other.pid}, 9)"
        with subprocess.Popen([sys.executable, "-c", killer]):
            assert store.add([bark("2")], "gold").graphs == 1
        with open_store(path) as database:
            assert rows(database, "select item from v_graphs order by 1") == [
                ("1",),
                ("2",),
            ]
    if isinstance(path, Path):
        assert describe_writer(str(path)) == UNKNOWN
        assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("wait", [-1, float("nan")])
def test_no_time(path: Any, wait: float) -> None:
    with pytest.raises(UsageError, match="expected seconds"):
        Store(path, mode="create", wait=wait)


def test_another_writer_is_named_when_it_comes() -> None:
    told: list[str] = []
    tried: list[float] = []
    writers = iter(["process 1", UNKNOWN, "process 1", "process 2"])

    def attempt(seconds: float) -> bool:
        tried.append(seconds)
        return len(tried) == 6

    Turns("runs.db", 60, told.append).take(attempt, lambda: next(writers))
    assert [line.split(",")[0] for line in told] == [
        "Waiting for process 1",
        "Waiting for process 2",
    ]
    assert tried[0] == 0


@LINUX
@pytest.mark.sqlite("locks of a file")
def test_writer_of_another_program_is_named(path: Path) -> None:
    open_store(path, create=True).close()
    code = (
        "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1]); "
        "c.execute('begin immediate'); print(1, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE
    ) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            program = Path(sys.executable).name
            told = describe_writer(str(path))
            assert told.startswith(f"process {other.pid} (python")
            assert program.startswith("python")
        finally:
            other.kill()


def test_other_writers_may_change_what_is_scored(path: Any) -> None:
    """What is scored is what is there when the evaluation is written."""
    gold = [bark(str(n), f"v{n}") for n in range(3)]
    with Store(path, mode="create") as store, Store(path, mode="write") as other:
        store.add(gold, "gold")
        store.add(gold, "system")
        changes = [
            lambda: other.remove("system"),
            lambda: other.add([bark("0"), *gold[1:]], "system"),
            lambda: other.clear_results(),
        ]

        def progress(done: int, total: int) -> None:
            # The removed collection's ids are given to the new one.
            while len(changes) > 1 and done:
                changes.pop(0)()

        [result] = store.score("gold", "system", ["mrp"], Options(), progress=progress)
        assert changes[1:] == []
        counts = store.query("select item, f1 < 1 from v_items order by item")[1]
        assert [tuple(row) for row in counts] == [("0", 1), ("1", 0), ("2", 0)]
        assert result.f1 < 1
        assert [each.status for each in store.evaluations()] == ["done"]


def test_what_is_added_meanwhile_is_scored(path: Any) -> None:
    with Store(path, mode="create") as store, Store(path, mode="write") as other:
        store.add([bark("1")], "gold")
        store.add([bark("1", "run")], "system")

        def progress(done: int, total: int) -> None:
            other.add([bark("9")], "system")

        store.score("gold", "system", ["mrp"], Options(), progress=progress)
        rows_ = store.query("select item, status from v_items order by item")[1]
        assert [*rows_] == [("1", "paired"), ("9", "spurious")]


def test_results_that_are_cleared_are_computed_again(path: Any) -> None:
    gold = [bark(str(n), f"v{n}") for n in range(3)]
    with Store(path, mode="create") as store, Store(path, mode="write") as other:
        store.add(gold, "gold")
        store.add([bark("0"), *gold[1:]], "system")
        cleared = []

        def progress(done: int, total: int) -> None:
            if done and not cleared:
                cleared.append(other.clear_results().results)
                # The ids of what was cleared are given to other results.
                other.score("system", "gold", ["predications"])

        [result] = store.score("gold", "system", ["mrp"], Options(), progress=progress)
        assert cleared == [3]
        [alone] = store.score("gold", "system", ["mrp"], Options())
        assert (alone.f1, alone.reused) == (result.f1, 3)


def test_collections_that_never_rest(path: Any) -> None:
    with Store(path, mode="create") as store, Store(path, mode="write") as other:
        store.add([bark("0")], "gold")
        store.add([bark("0", "run")], "system")
        numbers = iter(range(1, 100))

        def progress(done: int, total: int) -> None:
            number = next(numbers)
            other.add([bark(str(number), f"v{number}")], "system")
            other.clear_results()

        with pytest.raises(StoreError, match="changed gold or system meanwhile; score"):
            store.score("gold", "system", ["mrp"], Options(), progress=progress)
        assert store.evaluations() == []


CALLS = {
    "create": lambda path: open_store(path, create=True),
    "write": lambda path: open_store(path),
    "read": lambda path: open_store(path, read_only=True),
}


def beside(path: Path) -> dict[str, str]:
    """Every file of a folder, by its bytes."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in path.parent.iterdir()
    }


def foreign(path: Path, tuple_type: str) -> None:
    """Make a file that is no store of this version."""
    if tuple_type == "empty":
        path.touch()
        return
    if tuple_type == "text":
        path.write_text("not a database\n" * 500)
        return
    connection = sqlite3.connect(path)
    if tuple_type in ("log", "left"):
        connection.execute("pragma journal_mode = wal")
    connection.execute("create table recipe (name text)")
    if tuple_type == "alembic":
        connection.execute("create table alembic_version (version_num text)")
        connection.execute("insert into alembic_version values ('4f2a')")
    connection.commit()
    if tuple_type == "left":
        # As a program leaves it that was killed: with a log that was never tidied up.
        connection.execute("insert into recipe values ('dumplings')")
        connection.commit()
        names = [path, *path.parent.glob(f"{path.name}-*")]
        kept = {file: file.read_bytes() for file in names}
        connection.close()
        for file, data in kept.items():
            file.write_bytes(data)
        return
    if tuple_type == "journal":
        connection.execute("pragma cache_size = 1")
        connection.execute("begin")
        connection.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n "
            "where i < 5000) insert into recipe select 'dumplings' || i from n"
        )
        names = [path, Path(f"{path}-journal")]
        kept = {file: file.read_bytes() for file in names}
        connection.rollback()
        connection.close()
        for file, data in kept.items():
            file.write_bytes(data)
        return
    connection.close()


@pytest.mark.sqlite("files")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "tuple_type", ["plain", "log", "left", "journal", "alembic", "text", "empty"]
)
def test_foreign_file_is_left_as_it_is(path: Path, tuple_type: str, call: str) -> None:
    if (tuple_type, call) == ("empty", "create"):
        pytest.skip("an empty file becomes a store")
    foreign(path, tuple_type)
    before = beside(path)
    with pytest.raises(StoreError):
        CALLS[call](path)
    if tuple_type == "left":
        # What SQLite shares between processes is no part of a database.
        after = beside(path)
        assert after.keys() == before.keys()
        assert all(after[n] == before[n] for n in before if not n.endswith("-shm"))
    else:
        assert beside(path) == before


@pytest.mark.sqlite("files")
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_store_of_another_version_is_left_as_it_is(
    path: Path, call: str, log: bool
) -> None:
    open_store(path, create=True).close()
    connection = sqlite3.connect(path)
    connection.execute("update alembic_version set version_num = 'r8'")
    connection.commit()
    if not log:
        connection.execute("pragma journal_mode = delete")
    connection.close()
    before = beside(path)
    with pytest.raises(StoreError, match="another version"):
        CALLS[call](path)
    assert beside(path) == before


@pytest.mark.sqlite("files")
def test_store_without_a_log_gets_one(path: Path) -> None:
    open_store(path, create=True).close()
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = delete")
    connection.close()
    with open_store(path) as database:
        assert rows(database, "pragma journal_mode") == [("wal",)]


@LINUX
@pytest.mark.sqlite("processes of the command line")
class TestCommands:
    """Real commands that write to one store."""

    @staticmethod
    def command(*words: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "graphscore", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,
        )

    @pytest.fixture
    def files(self, tmp_path: Path) -> Path:
        """Two files, of which one takes a while."""
        from tests.cli.conftest import record

        for name, count in (("large", 3000), ("small", 4)):
            lines = map(record, map(str, range(count)))
            (tmp_path / f"{name}.mrp").write_text("".join(lines))
        return tmp_path

    def stopped(self, store: Path, *words: object) -> subprocess.Popen[str]:
        """A command that has begun to write to a store, and is halted there."""
        running = self.command(*words)
        writer = f"process {running.pid} "
        deadline = time.monotonic() + 60
        while True:
            while writer not in describe_writer(str(store)):
                assert running.poll() is None, running.communicate()
                assert time.monotonic() < deadline
            os.kill(running.pid, signal.SIGSTOP)
            if writer in describe_writer(str(store)) and self.is_readable(store):
                return running
            # It was between two turns to write, or at opening the log.
            os.kill(running.pid, signal.SIGCONT)

    @staticmethod
    def is_readable(store: Path) -> bool:
        """Whether a reader is let in, as while somebody only writes."""
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as reader:
            try:
                return bool(reader.execute("select 1 from sqlite_master").fetchone())
            except sqlite3.OperationalError:
                return False

    def waiting(self, running: subprocess.Popen[str]) -> str:
        assert running.stderr is not None
        return running.stderr.readline()

    def test_two_ingest(self, files: Path) -> None:
        store = files / "runs.db"
        Store(store, mode="create").close()
        large = ("ingest", store, files / "large.mrp", "--as", "large")
        small = ("ingest", store, files / "small.mrp", "--as", "small")
        first = self.stopped(store, *large)
        try:
            for wait, told in (("0", ""), ("0.6", ", waited 0.6 seconds for it")):
                refused = self.command(*small, "--wait", wait)
                out, err = refused.communicate(timeout=60)
                assert (refused.returncode, out) == (3, "")
                assert err.splitlines()[-1] == (
                    f"Error: {store}: is locked by process {first.pid} (graphscore "
                    f"ingest), which is writing to it{told}; try again when it is "
                    "done, or wait longer (--wait SECONDS, wait=)"
                )
            second = self.command(*small)
            assert self.waiting(second) == (
                f"Waiting for process {first.pid} (graphscore ingest), which is "
                f"writing to {store} ...\n"
            )
        finally:
            os.kill(first.pid, signal.SIGCONT)
        for running in (first, second):
            running.communicate(timeout=60)
            assert running.returncode == 0
        alone = files / "alone.db"
        for name in ("large", "small"):
            with Store(alone, mode="create") as kept:
                kept.ingest(files / f"{name}.mrp", name)
        assert views_of(store) == views_of(alone)

    def test_three_writers(self, files: Path) -> None:
        """One ingests, two wait to score: all is there in the end."""
        store = files / "runs.db"
        with Store(store, mode="create") as kept:
            for name in ("gold", "system"):
                kept.ingest(files / "small.mrp", name)
        large = ("ingest", store, files / "large.mrp", "--as", "large")
        first = self.stopped(store, *large)
        score = ("score", store, "--gold", "gold", "--system", "system", "-m")
        try:
            others = [self.command(*score, metric) for metric in ("mrp", "smatch")]
            for running in others:
                lines = iter(lambda running=running: self.waiting(running), "")
                told = next(line for line in lines if line.startswith("Waiting"))
                assert f"process {first.pid} (graphscore ingest)" in told
        finally:
            os.kill(first.pid, signal.SIGCONT)
        for running in (first, *others):
            _, err = running.communicate(timeout=60)
            assert running.returncode == 0, err
        with Store(store) as kept:
            assert [each.status for each in kept.evaluations()] == ["done"] * 2
            assert {each.name for each in kept.collections()} == {
                "gold",
                "system",
                "large",
            }

    def test_killed_writer(self, files: Path) -> None:
        store = files / "runs.db"
        Store(store, mode="create").close()
        small = ("ingest", store, files / "small.mrp", "--as", "small")
        first = self.stopped(
            store, "ingest", store, files / "large.mrp", "--as", "large"
        )
        second = self.command(*small)
        assert f"process {first.pid} " in self.waiting(second)
        os.kill(first.pid, signal.SIGKILL)
        second.communicate(timeout=60)
        first.communicate(timeout=60)
        assert (first.returncode, second.returncode) == (-signal.SIGKILL, 0)
        with Store(store) as kept:
            assert [each.name for each in kept.collections()] == ["small"]

    def test_interrupted_while_waiting(self, files: Path) -> None:
        store = files / "runs.db"
        Store(store, mode="create").close()
        before = beside(store).keys()
        with holder(store):
            second = self.command("ingest", store, files / "small.mrp", "--as", "small")
            assert "Waiting for process" in self.waiting(second)
            os.killpg(second.pid, signal.SIGINT)
            _, err = second.communicate(timeout=10)
            assert (second.returncode, err.strip()) == (130, "interrupted")
        with Store(store) as kept:
            assert kept.collections() == []
        assert beside(store).keys() == before

    def test_store_verbs_wait(self, files: Path) -> None:
        store = files / "runs.db"
        with Store(store, mode="create") as kept:
            kept.ingest(files / "small.mrp", "small")
        with holder(store) as other:
            for words in (("remove", store, "small"), ("migrate", store)):
                refused = self.command("store", *words, "--wait", "0")
                _, err = refused.communicate(timeout=60)
                assert refused.returncode == 3
                assert f"is locked by process {other.pid} (python" in err
