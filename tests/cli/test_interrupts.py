"""Ctrl-C is heard at once, whatever is being searched, and leaves no traceback."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from campaigns.long_strings import ones
from graphscore.store.read.statements import heard_at_once

LONG, SHORT = ones(9_800_000), ones(48_000)


def write_graphs(path: Path, seed: int, count: int = 4) -> None:
    """Graphs of 120 nodes with one label and edges at random: nothing closes."""
    rng = random.Random(seed)
    with path.open("w") as file:
        for number in range(count):
            ends = {(rng.randrange(120), rng.randrange(120)) for _ in range(600)}
            graph = {
                "id": str(number),
                "framework": "amr",
                "flavor": 2,
                "tops": [0],
                "nodes": [{"id": k, "label": "a"} for k in range(120)],
                "edges": [
                    {"source": s, "target": t, "label": "x"} for s, t in sorted(ends)
                ],
            }
            print(json.dumps(graph), file=file)


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a gold and a system file that take long."""
    folder = tmp_path_factory.mktemp("hard")
    write_graphs(folder / "gold.mrp", 1)
    write_graphs(folder / "system.mrp", 2)
    return folder


def interrupted(
    folder: Path, *arguments: str, times: int = 1
) -> tuple[int, str, str, float]:
    """Run a command and interrupt it: its code, what it wrote, how long it took."""
    running = subprocess.Popen(
        [sys.executable, "-m", "graphscore", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until_busy(running.pid)
        assert running.poll() is None
        begin = time.monotonic()
        # As a terminal does: to the process and to its workers.
        for _ in range(times):
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGINT)
            time.sleep(0.005)
        out, err = running.communicate(timeout=60)
        waited = time.monotonic() - begin
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
    return running.returncode, out, err, waited


BUSY = 2.5
"""Seconds of processor time of one process: twice what it takes to begin a search."""


def wait_until_busy(group: int) -> None:
    """Wait for a process to work; how long that takes depends on what else runs."""
    deadline = time.monotonic() + 60
    if not Path("/proc").is_dir():
        deadline = time.monotonic() + 4
    while time.monotonic() < deadline and max(times(group), default=0) < BUSY:
        time.sleep(0.05)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("verb", ["score", "errors", "items"])
def test_an_interrupt_ends_a_search(hard: Path, verb: str, jobs: str) -> None:
    arguments = (verb, "gold.mrp", "system.mrp", "-m", "mrp", "--jobs", jobs)
    code, out, err, waited = interrupted(hard, *arguments, "--limit", "100000000")
    assert (code, out, err) == (130, "", "interrupted\n")
    # A second on a machine of one's own; those that run tests are shared.
    assert waited < 5


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_quick_interrupts_are_one(hard: Path, jobs: str) -> None:
    arguments = ("score", "gold.mrp", "system.mrp", "-m", "mrp", "--jobs", jobs)
    code, out, err, _ = interrupted(hard, *arguments, "--limit", "100000000", times=20)
    assert (code, out, err) == (130, "", "interrupted\n")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="there is no /proc")
def test_workers_end_with_who_started_them(hard: Path) -> None:
    command = (sys.executable, "-m", "graphscore", "score", "gold.mrp", "system.mrp")
    running = subprocess.Popen(
        [*command, "-m", "mrp", "--jobs", "2", "--limit", "100000000"],
        cwd=hard,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 30
        while len(group := members(running.pid)) < 3:
            assert time.monotonic() < deadline, group
            time.sleep(0.1)
        running.kill()
        running.communicate(timeout=60)
        while members(running.pid):
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


def members(group: int) -> list[str]:
    """The processes of a group that have not ended."""
    return [process for process, _ in _fields(group)]


def times(group: int) -> list[float]:
    """Seconds of processor time of each of them."""
    ticks = os.sysconf("SC_CLK_TCK")
    return [(int(row[11]) + int(row[12])) / ticks for _, row in _fields(group)]


def _fields(group: int) -> Iterator[tuple[str, list[str]]]:
    """Processes with what is said of them after their names (proc(5))."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, rest = path.read_text().rpartition(")")
            row = rest.split()
            if row[2] == str(group) and row[0] != "Z":
                yield path.parent.name, row


@pytest.fixture(scope="module")
def stored(hard: Path) -> Path:
    """The folder, with a store."""
    write_graphs(hard / "small.mrp", 3, 1)
    ingest = [sys.executable, "-m", "graphscore", "ingest", "runs.db", "small.mrp"]
    subprocess.run([*ingest, "--as", "gold"], cwd=hard, check=True, capture_output=True)
    return hard


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive n (k) as (select 1 union all select k + 1 from n) "
        "select count(*) from n",
        # Of these a single instruction takes minutes.
        f"select {LONG} like '%' || {SHORT} || '2%'",
        f"select instr({LONG}, substr({LONG}, 1, 4800000) || '2')",
        f"select replace({LONG}, substr({LONG}, 1, 4800000) || '2', '')",
    ],
    ids=["endless", "like", "instr", "replace"],
)
def test_an_interrupt_ends_a_query(stored: Path, sql: str) -> None:
    before = (stored / "runs.db").read_bytes()
    code, out, err, waited = interrupted(stored, "query", "runs.db", sql)
    assert (code, out, err) == (130, "", "interrupted\n")
    assert waited < 5
    assert (stored / "runs.db").read_bytes() == before
    # What was left beside the store is taken away by whoever reads it next.
    answers = [sys.executable, "-m", "graphscore", "query", "runs.db", "select 1"]
    subprocess.run(answers, cwd=stored, check=True, capture_output=True)
    assert sorted(path.name for path in stored.glob("runs.db*")) == ["runs.db"]


def test_an_interrupt_is_heard_in_order_where_it_can_be() -> None:
    """The block is left, nobody listens any longer, and the process goes on."""
    started = threading.active_count()
    with pytest.raises(KeyboardInterrupt), heard_at_once():
        signal.raise_signal(signal.SIGINT)
    assert signal.set_wakeup_fd(-1) == -1
    assert threading.active_count() == started
