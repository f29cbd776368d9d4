"""The verb: a real process is started, asked and interrupted."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from campaigns.long_strings import DEAF
from graphscore.cli.main import cli
from graphscore.explorer.reader import Reader, name_of
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


def post(address: str, sql: str, timeout: float) -> str:
    """What the box answers."""
    request = urllib.request.Request(
        f"{address}sql",
        urlencode({"sql": sql}).encode(),
        {"Origin": address.rstrip("/")},
    )
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        return error.read().decode()


def test_an_instruction_without_end_stops_nothing(
    served: tuple[subprocess.Popen[str], str], alone: Path
) -> None:
    """Its time is over, pages are answered meanwhile, and Ctrl-C ends the server."""
    process, address = served
    assert "<td" in post(address, "select 1", 60)
    begun = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        box = [pool.submit(post, address, DEAF, 60) for _ in range(2)]
        time.sleep(1)
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert "alder" in answer.read().decode()
        assert not any(each.done() for each in box)
        for each in box:
            assert "stopped after 5 seconds" in each.result()
        # Six on a machine of one's own, with the start of another worker.
        assert time.monotonic() - begun < 12
        assert "<td" in post(address, "select 1", 60)
        late = pool.submit(post, address, DEAF, 60)
        time.sleep(1)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
        assert time.monotonic() - begun < 4
        assert (process.returncode, said.splitlines()[-1]) == (130, "interrupted")
        late.exception()
    assert [*alone.parent.iterdir()] == [alone]


def test_a_page_without_end_is_ended_with_the_server(
    alone: Path, request: pytest.FixtureRequest
) -> None:
    """A store has views of its own, which pages ask."""
    with closing(sqlite3.connect(alone)) as connection:
        connection.execute("pragma journal_mode = delete")
        columns = [each[1] for each in connection.execute("pragma table_info(v_items)")]
        connection.execute("drop view v_items")
        connection.execute(
            f"create view v_items as select {', '.join(columns)} from (select "
            + ", ".join(f"({DEAF}) as {name}" for name in columns)
            + ")"
        )
        connection.commit()
    reader = Reader(str(alone))
    name = name_of(reader.evaluations()[0])
    reader.close()
    process, address = request.getfixturevalue("served")
    with ThreadPoolExecutor(1) as pool:
        page = f"{address}evaluation/{name}/items"
        asking = pool.submit(urllib.request.urlopen, page, timeout=60)
        time.sleep(2)
        assert not asking.done()
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert time.monotonic() - begun < 10
        assert (process.returncode, said.splitlines()[-1]) == (130, "interrupted")
        asking.exception()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "expected --token"),
        (["--token", ""], "--token: found an empty token"),
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
