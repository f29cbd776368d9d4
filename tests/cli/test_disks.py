"""Disks that are full, and files and folders of which this user may only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphscore.store.opening import open_store
from tests.cli.conftest import ALDER, GOLD
from tests.forking import NOBODY, ended, started

OLD = b"what was there\n"

SIZE = 1_800
"""Kibibytes of a disk that is soon full."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in which every user may look around: that of pytest is its user's."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    here = Path.cwd()
    yield folder
    os.chdir(here)
    for each in (folder, *folder.rglob("*")):
        if each.is_dir():
            each.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def filled(place: Path, run) -> Path:
    """A folder with files, something that was written before, and a store."""
    folder = place / "work"
    folder.mkdir()
    shutil.copy(GOLD, folder / "gold.mrp")
    shutil.copy(ALDER, folder / "alder.mrp")
    for name in ("out.mrp", "out.html"):
        (folder / name).write_bytes(OLD)
    os.chdir(folder)
    for name in ("gold", "alder"):
        assert run("ingest", "runs.db", f"{name}.mrp", "--as", name).code == 0
    return folder


STORED = ("runs.db", "--gold", "gold", "--system", "alder")

WRITES = (
    # What is called, and the file that cannot be written.
    ("convert gold.mrp out.mrp --force", "out.mrp"),
    ("report gold.mrp alder.mrp --html out.html --samples 9", "out.html"),
    ("convert gold.mrp new.mrp", "new.mrp"),
    ("ingest runs.db gold.mrp --as more", "runs.db"),
    ("store remove runs.db alder", "runs.db"),
    ("score runs.db --gold gold --system alder -m smatch", "runs.db"),
)

READS = (
    "store list runs.db",
    "score gold.mrp alder.mrp -m smatch",
    "validate gold.mrp",
)


def state(folder: Path) -> dict[str, bytes]:
    """All files; what SQLite shares among readers is none."""
    return {
        each.name: each.read_bytes()
        for each in sorted(folder.iterdir())
        if not each.name.endswith(("-shm", "-wal"))
    }


def refuses_to_write(run, folder: Path, calls=WRITES) -> None:
    """Every call that writes is one error with the name, and changes nothing."""
    before = state(folder)
    for line, name in calls:
        found = run(*line.split())
        assert found.code == 3, (line, found.err)
        last = found.err.splitlines()[-1]
        assert last.startswith("Error: "), line
        assert name in last, last
        assert ".part" not in last, last
        assert state(folder).keys() == before.keys(), line
        for each, data in state(folder).items():
            # Pages of a store may be written anew; what is in it is looked at below.
            assert each == "runs.db" or data == before[each], line


def whole(run) -> None:
    """The store has what it had."""
    found = run(
        "query", "runs.db", "select collection, count(*) n from v_graphs group by 1"
    )
    assert {each["collection"]: each["n"] for each in found.json} == {
        "gold": 73,
        "alder": 73,
    }


@pytest.mark.parametrize("tuple_type", ["folder", "files"])
def test_what_may_only_be_read_is_read_and_stays(
    run, filled: Path, tuple_type: str
) -> None:
    calls = WRITES
    if tuple_type == "files":
        # In a folder that may be written, a new file can be; one report is enough.
        calls = tuple(e for e in WRITES if e[1] not in ("new.mrp", "out.html"))
    for line in (*READS, *(line for line, name in calls if name != "runs.db")):
        # All that is imported is: where Python stands nobody else may look.
        run(*line.split())
    for name in ("out.mrp", "out.html"):
        (filled / name).write_bytes(OLD)
    (filled / "new.mrp").unlink(missing_ok=True)
    for each in filled.iterdir():
        each.chmod(0o444 if tuple_type == "files" else 0o666)
    filled.chmod(0o777 if tuple_type == "files" else 0o555)

    def work() -> None:
        for line in READS:
            assert run(*line.split()).code == 0, line
        refuses_to_write(run, filled, calls)
        whole(run)

    assert ended(started(work, user=NOBODY)) == ""


def test_what_may_not_be_read_is_said(run, filled: Path) -> None:
    assert run("validate", "gold.mrp").code == 0
    for name in ("gold.mrp", "runs.db"):
        (filled / name).chmod(0)

    def work() -> None:
        for line in ("validate gold.mrp", "store list runs.db"):
            found = run(*line.split())
            assert found.code == 3, found.err
            assert line.split()[-1] in found.err + found.out

    assert ended(started(work, user=NOBODY)) == ""


@pytest.fixture
def tiny(filled: Path, place: Path) -> Iterator[Path]:
    """The same on a disk that has no room left."""
    disk = place / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}k", "tmpfs", str(disk)]
    if os.getuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this user cannot mount a small disk")
    try:
        for each in filled.iterdir():
            shutil.copy(each, disk / each.name)
        with (disk / "fill").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        os.chdir(disk)
        yield disk
    finally:
        os.chdir(place)
        subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_changes_nothing_and_takes_it_up_again(run, tiny: Path) -> None:
    refuses_to_write(run, tiny)
    (tiny / "fill").unlink()
    whole(run)
    with open_store("runs.db") as database, database.reading() as connection:
        check = connection.exec_driver_sql("pragma integrity_check").all()
    assert check == [("ok",)]
    assert run("convert", "gold.mrp", "out.mrp", "--force").code == 0
    assert run("score", *STORED, "-m", "smatch").code == 0


def test_a_full_disk_is_read_from_and_gets_no_store(run, tiny: Path) -> None:
    for line in (
        "store list runs.db",
        "errors gold.mrp alder.mrp",
        "items gold.mrp alder.mrp",
    ):
        found = run(*line.split())
        assert found.code == 0, (line, found.err)
    found = run("query", "runs.db", "select count(*) n from v_graphs")
    assert (found.code, found.json) == (0, [{"n": 146}])
    before = {each.name for each in tiny.iterdir()}
    found = run("ingest", "new.db", "gold.mrp", "--as", "gold")
    assert found.code == 3
    assert "new.db" in found.err
    # With room for the store, but not for what goes in.
    (tiny / "fill").write_bytes(bytes((tiny / "fill").stat().st_size - 500_000))
    with (tiny / "more").open("wb", buffering=0) as file:
        file.write(bytes(100_000))
    found = run("ingest", "new.db", "gold.mrp", "--as", "gold")
    assert found.code == 3
    assert "new.db" in found.err
    (tiny / "more").unlink()
    assert {path.name for path in tiny.iterdir()} == before
    (tiny / "fill").unlink()
    assert run("ingest", "new.db", "gold.mrp", "--as", "gold").code == 0


def test_a_refused_file_makes_no_store(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.mrp").write_text("{")
    assert run("ingest", "new.db", "bad.mrp", "--as", "gold").code == 3
    assert [each.name for each in tmp_path.iterdir()] == ["bad.mrp"]
