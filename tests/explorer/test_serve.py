"""The verb: a real process is started, asked and interrupted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.conftest import ROOT
from tests.explorer.conftest import copied


@pytest.fixture
def alone(stored: Path, tmp_path: Path) -> Path:
    """The store, which nobody else has open."""
    return copied(stored, tmp_path / stored.name, "pragma journal_mode = wal")


@pytest.fixture
def served(alone: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that serves a store, and its address."""
    command = [sys.executable, "-m", "graphscore", "serve", str(alone), "--port", "0"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_store_is_served_until_the_end(
    served: tuple[subprocess.Popen[str], str],
    alone: Path,
    number: signal.Signals,
    code: int,
) -> None:
    process, address = served
    content = alone.read_bytes()
    assert address.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(address, timeout=10) as answer:
        text = answer.read().decode()
        assert answer.headers["Server"] is None
        assert answer.headers["Content-Security-Policy"]
    assert "<h1>" in text
    assert "alder" in text
    process.send_signal(number)
    out, said = process.communicate(timeout=10)
    assert process.returncode == code
    assert out == ""
    assert "Traceback" not in said
    if number == signal.SIGINT:
        assert said.splitlines()[-1] == "interrupted"
    assert alone.read_bytes() == content
    assert [*alone.parent.iterdir()] == [alone]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "expected --token"),
        (["--token", ""], "--token: found an empty one"),
        (["--host", "no such host", "--token", "x"], "--host no such host"),
        (["--port", "70000"], "70000"),
    ],
)
def test_wrong_options_are_refused(stored: Path, options: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["serve", str(stored), *options])
    assert done.exit_code == 2
    assert said in done.output


def test_a_port_that_is_taken_is_named(stored: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = CliRunner().invoke(cli, ["serve", str(stored), "--port", port])
    assert done.exit_code == 3
    assert f"--port {port}" in done.output


def test_there_has_to_be_a_store(stored: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", str(tmp_path / f"no {stored.name}")])
    assert done.exit_code == 3
    assert "no such store" in done.output
    assert not [*tmp_path.iterdir()]
