"""Files are written as a whole or not at all, through links, and beside leftovers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError
from graphscore.files import remove_left, replacing, replacing_all
from tests.conftest import DATA


def write(path: Path, content: bytes = b"new") -> None:
    with replacing(path) as put:
        put(content)


def test_what_goes_wrong_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def write_half() -> None:
        with replacing(path) as put:
            put(b"ne")
            raise ValueError("half")

    with pytest.raises(ValueError, match="half"):
        write_half()
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_links_are_followed_and_stay(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    path, link = tmp_path / "there" / "a.txt", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write(link)
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    replacing_all(tmp_path, {"link": b"newer"})
    assert link.is_symlink()
    assert path.read_bytes() == b"newer"


def test_a_link_to_nothing_makes_its_file(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("a.txt")
    write(link)
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(GraphscoreError, match="one cannot be written: Too many levels"):
        write(one)
    with pytest.raises(GraphscoreError, match="cannot be written: Too many levels"):
        replacing_all(tmp_path, {"one": b""})


COMMANDS = {
    "convert": ["convert", str(DATA / "gold.mrp"), "OUT"],
    "report": ["report", str(DATA / "gold.mrp"), str(DATA / "alder.mrp"), "--html"],
    "show": ["show", "20001001", str(DATA / "gold.mrp"), str(DATA / "alder.mrp")],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_write_through_links_and_refuse_circles(
    tmp_path: Path, command: str
) -> None:
    words = COMMANDS[command]
    if command == "show":
        first = (DATA / "gold.mrp").read_text().split('"id": "')[1].split('"')[0]
        words = ["show", first, *words[2:], "--svg"]
    link, file = tmp_path / "link.mrp", tmp_path / "file.mrp"
    link.symlink_to(file)
    file.write_text("old")
    words = [word for word in words if word != "OUT"]
    forced = ["--force"] if command == "convert" else []
    done = CliRunner().invoke(cli, [*words, str(link), *forced])
    assert done.exit_code == 0, done.output
    assert link.is_symlink()
    assert file.read_text() != "old"
    circle = tmp_path / "circle.mrp"
    circle.symlink_to(circle)
    done = CliRunner().invoke(cli, [*words, str(circle), *forced])
    assert isinstance(done.exception, SystemExit | GraphscoreError)
    assert done.exit_code != 5
    assert "Traceback" not in done.output


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    before = os.stat(os.devnull)
    write(Path(os.devnull))
    assert os.path.samestat(before, os.stat(os.devnull))


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]


def test_a_folder_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(GraphscoreError, match="cannot be written: Is a directory"):
        write(tmp_path)


def ended() -> int:
    """The number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    dead, alive = ended(), os.getppid()
    left = tmp_path / f".a.txt.{dead}.part"
    kept = [
        tmp_path / f".a.txt.{alive}.part",
        tmp_path / f".b.txt.{dead}.part",
        tmp_path / ".a.txt.part",
        tmp_path / f".a.txt.{dead}.old",
    ]
    for path_left in (left, *kept):
        path_left.write_bytes(b"")
        os.utime(path_left, (1, 1))
    fresh = tmp_path / f".a.txt.{dead}1.part"
    fresh.write_bytes(b"")
    remove_left([path])
    assert not left.exists()
    assert {*tmp_path.iterdir()} == {*kept, fresh}
    write(path)
    # What was there before goes when something else is there.
    remove_left([path])
    assert not kept[-1].exists()


def test_many_files_beside_many_are_quickly_written(tmp_path: Path) -> None:
    files = {f"{number}.txt": b"" for number in range(2_000)}
    begun = time.monotonic()
    replacing_all(tmp_path, files)
    replacing_all(tmp_path, files)
    assert time.monotonic() - begun < 10
    assert len([*tmp_path.iterdir()]) == 2_000
