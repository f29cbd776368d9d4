"""A statement ends at its time and at an interrupt, also one on long strings."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphscore.explorer.reader import BOX
from graphscore.metrics.revisions import stored_revision
from graphscore.store.database import Database
from graphscore.store.read.limits import TooLongError
from graphscore.store.read.statements import Workers
from tests.conftest import ROOT

LONG, SHORT = "repeat('1', 150000)", "repeat('1', 10000)"

STATEMENTS = {
    # Of the first two a single instruction takes some seconds, which the server spends.
    "like": f"select {LONG} like '%' || {SHORT} || '2%'",
    "replace": f"select length(replace({LONG}, '2' || {SHORT}, ''))",
    "endless": "select count(*) from generate_series(1, 100000000000)",
}

BUSY = (
    "select pid from pg_stat_activity where pid <> pg_backend_pid() "
    "and state = 'active' and datname = current_database() "
    "and backend_type = 'client backend'"
)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_box_answers_at_its_time(url: str, database: Database, name: str) -> None:
    workers = Workers(url, stored_revision)
    try:
        workers.ask("select 1", BOX)
        begun = time.monotonic()
        with pytest.raises(TooLongError, match="which is the limit"):
            workers.ask(STATEMENTS[name], BOX._replace(seconds=0.2))
        assert time.monotonic() - begun < 4
        assert workers.ask("select 2", BOX).rows == [(2,)]
    finally:
        workers.close()


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_interrupt_ends_a_query(
    url: str, database: Database, ask: Callable[[str], list[tuple[Any, ...]]], name: str
) -> None:
    code = "from graphscore.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "query", url, STATEMENTS[name]],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        deadline = time.monotonic() + 30
        while not ask(BUSY) and time.monotonic() < deadline:
            time.sleep(0.05)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert time.monotonic() - begun < 4
        assert process.stderr is not None
        assert process.stderr.read() == "interrupted\n"
