"""Standard streams that are closed, full or shared, and inputs that flow by."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphscore.formats.streams import _BufferedStream, _ReplayedStream
from graphscore.tables import content_of
from tests.cli.conftest import ROOT, Ran, record

pytestmark = pytest.mark.skipif(
    not Path("/dev/full").exists() or shutil.which("bash") is None,
    reason="needs bash and /dev/full",
)

PYTHON = f"PYTHONPATH={ROOT} {sys.executable} -m graphscore"


def shell(line: str, cwd: Path) -> tuple[int, str, str]:
    """Run a line of bash: code, output and messages, which go to files of their own."""
    done = subprocess.run(
        ["bash", "-c", line.replace("graphscore", PYTHON, 1)],
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small file, alone."""
    (tmp_path / "a.mrp").write_text(record("1") + record("2"))
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("--help >&-", 141, ""),
        ("formats >&-", 141, ""),
        ("formats >&- 2>&- <&-", 141, ""),
        ("validate a.mrp 2>&-", 0, ""),
        ("--nonsense 2>/dev/full", 2, ""),
        ("score nowhere.mrp a.mrp 2>/dev/full", 3, ""),
        ("score a.mrp a.mrp 2>/dev/full", 0, ""),
        ("--help >/dev/full", 3, "No space left"),
        ("validate a.mrp >/dev/full 2>/dev/full", 3, ""),
        ("query a.db - <&-", 3, "it is closed"),
    ],
)
def test_closed_and_full_streams_are_no_defect(
    folder: Path, line: str, code: int, said: str
) -> None:
    found, _, err = shell(f"graphscore {line}", folder)
    assert found == code, err
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("convert a.mrp out.mrp", "out.mrp"),
        ("ingest out.db a.mrp --as gold", "out.db"),
    ],
)
def test_no_file_takes_the_place_of_a_stream(
    folder: Path, line: str, made: str, closed: str
) -> None:
    code, _, _ = shell(f"graphscore {line} {closed}", folder)
    assert code in (0, 141)
    assert (folder / made).exists()
    start = (folder / made).read_bytes()[:15]
    assert start.startswith((b'{"id": "1"', b'{"id":"1"', b"SQLite format 3"))


@pytest.fixture
def stream() -> Iterator[Callable[[bytes], str]]:
    """Makes a name of a pipe that has some bytes in it, as <(...) does."""
    opened: list[int] = []

    def make(data: bytes) -> str:
        reading, writing = os.pipe()
        opened.append(reading)
        assert os.write(writing, data) == len(data)
        os.close(writing)
        return f"/dev/fd/{reading}"

    yield make
    for each in opened:
        os.close(each)


SMALL = (record("1") + record("2")).encode()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ingest out.db S --as gold --jsonl", '"graphs": 2'),
        ("validate S --json", '"amr": 2'),
        ("analyze S --jsonl", '"graphs": 2'),
        ("convert S out.amr", "2 graphs as amr"),
        ("convert S folder/ --to mrp", "2 graphs as mrp"),
        ("score a.mrp S --score-only", "1.0"),
        ("score S a.mrp --score-only", "1.0"),
        ("score S S --score-only", "1.0"),
        ("score S S --save out.db --score-only", "1.0"),
        ("score S S -m mrp,smatch --jsonl", '"f1": 1.0'),
        ("score S S a.mrp --score-only", "1.0"),
        ("score a.mrp a.mrp --document-map T --score-only", "1.0"),
        ("score a.mrp a.mrp --text T --score-only", "1.0"),
        ("errors S S --jsonl", "no errors"),
        ("items S S --jsonl", '"item": "1"'),
        ("show 1 S S --json", '"item": "1"'),
    ],
)
def test_what_flows_by_is_read_once_and_whole(
    folder: Path,
    run: Callable[..., Ran],
    stream: Callable[[bytes], str],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    found: str,
) -> None:
    monkeypatch.chdir(folder)
    data = {
        "S": SMALL,
        "T": b"1\tone\n2\ttwo\n",
    }
    done = run(*(stream(data[s]) if s in data else s for s in line.split()))
    assert done.code == 0, done.err
    assert found in done.out + done.err


def test_what_a_metric_reads_may_flow_by(
    folder: Path, run: Callable[..., Ran], stream: Callable[[bytes], str]
) -> None:
    words = folder / "words.iob"
    words.write_text("Kim B-PER\nsaw O\n\n")
    rules = stream(b"extends = 'default'\n")
    done = run("score", words, words, "-m", f"rules:{rules}", "--score-only")
    assert (done.code, done.out) == (0, "1.0\n"), done.err


def test_what_a_pipe_says_anew_counts(folder: Path) -> None:
    for said in (b"a", b"bc"):
        os.mkfifo(pipe := str(folder / "pipe"))
        writer = threading.Thread(target=Path(pipe).write_bytes, args=(said,))
        writer.start()
        assert content_of(pipe) == content_of(pipe) == said
        writer.join()
        os.unlink(pipe)


@pytest.mark.parametrize(
    "line",
    [
        "ingest out.db S S --as gold",
        "validate S S",
        "analyze S S",
        "convert S S out.mrp",
        "score S S",
        "score a.mrp S S",
        "errors S S",
        "items S S",
        "show 1 S S",
        "rules trace default S S",
    ],
)
@pytest.mark.parametrize("standard", [True, False])
def test_a_stream_that_is_named_twice_is_refused(
    folder: Path,
    run: Callable[..., Ran],
    stream: Callable[[bytes], str],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    standard: bool,
) -> None:
    monkeypatch.chdir(folder)
    name = "-" if standard else stream(SMALL)
    done = run(*line.replace("S", name).split(), stdin=SMALL.decode())
    assert (done.code, "can be read only once" in done.err) == (2, True)


def test_problems_of_a_stream_name_it(
    run: Callable[..., Ran], stream: Callable[[bytes], str], tmp_path: Path
) -> None:
    bad = record("1", tops=[9])
    done = run("ingest", tmp_path / "a.db", "-", "--as", "a", stdin=bad)
    assert (done.code, "<stdin>:1" in done.err) == (3, True)
    name = stream(bad.encode())
    done = run("ingest", tmp_path / "a.db", name, "--as", "a")
    assert (done.code, f"{name}:1" in done.err) == (3, True)


def test_another_stream_of_the_same_name_is_no_new_version_of_a_file(
    run: Callable[..., Ran], stream: Callable[[bytes], str], tmp_path: Path
) -> None:
    first, second = (stream(record(item).encode()) for item in ("1", "2"))
    for again in (False, True):
        if again:
            os.dup2(int(second.rpartition("/")[2]), int(first.rpartition("/")[2]))
        done = run("ingest", tmp_path / "a.db", first, "--as", "a", "--replace")
        assert done.code == 0, done.err
    [held] = run("store", "list", tmp_path / "a.db").json
    assert held["graphs"] == 2


def test_a_long_stream_is_read_as_it_is() -> None:
    data = bytes(range(256)) * 70_000
    source = _BufferedStream(io.BufferedReader(io.BytesIO(data)))  # type: ignore[arg-type]
    first, second = (io.BufferedReader(_ReplayedStream(source)) for _ in range(2))
    assert first.read(10) == second.read(10) == data[:10]
    assert second.read() == data[10:]
    assert first.seek(-5, os.SEEK_END) == len(data) - 5
    assert first.read() == data[-5:]
    assert first.seek(0) == 0
    assert first.read() == data
    source.close()
