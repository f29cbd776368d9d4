"""What a benchmark measured, kept as a file that another run can be held against.

A script says ``@recorded`` over its ``main``, parses its arguments with
`begin`, which also says on what machine it runs, and hands each score that it
prints to `record`.  At the end a JSON file has all of them, beside the machine and
how fast it was at three loops before and after: scores of different days and
machines are compared as ratios, see `benchmarks.compare`.

Every script has the option ``--json FILE``; without it the file is a new one in
``benchmarks/runs``.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
import platform
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, ParamSpec

import msgspec
import numpy as np
from scipy.optimize import linear_sum_assignment

P = ParamSpec("P")

Better = Literal["higher", "lower"]

FOLDER = Path(__file__).parent / "runs"
"""Where files are put of runs without ``--json``."""

ROUNDS = 5
"""How often each loop is run; the best counts, as other work only slows it."""


class Score(msgspec.Struct, frozen=True):
    """One measured number.

    Attributes:
        name: what was measured, unique within a run.
        unit: such as ``pairs/s``, ``s``, ``ms``, ``MiB`` or ``times``.
        value: the number.
        better: whether more of it is better, or less.
    """

    name: str
    unit: str
    value: float
    better: Better

    @property
    def timed(self) -> bool:
        """Whether a faster machine makes it better."""
        return self.unit.endswith("/s") or self.unit in ("s", "ms")


class Run(msgspec.Struct, frozen=True):
    """What one script measured in one run.

    Attributes:
        script: its name.
        date: when it began, UTC.
        commit: what was measured; nothing outside a checkout.
        changed: whether the checkout had changes that no commit has.
        machine: versions, model and number of processors.
        arguments: those of the script.
        calibration: how often a second each loop of `LOOPS` runs.
        scores: in the order they were measured.
    """

    script: str
    date: datetime
    commit: str | None
    changed: bool
    machine: dict[str, str | int]
    arguments: dict[str, Any]
    calibration: dict[str, float]
    scores: list[Score]


def assignments() -> float:
    """Assignments of size 30 x 30 a second of CPU."""
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 5, (500, 30, 30)).astype(float)
    start = time.process_time()
    for table in tables:
        linear_sum_assignment(table, maximize=True)
    return len(tables) / (time.process_time() - start)


def interpreted() -> float:
    """Words a second of CPU that plain Python splits, counts and sorts."""
    text = " ".join(f"w{number * 7919 % 4001}" for number in range(20_000))
    start = time.process_time()
    counts = Counter[tuple[str, int]]()
    for word in text.split():
        counts[word[:3], len(word)] += 1
    sorted((-count, key) for key, count in counts.items())
    return 20_000 / (time.process_time() - start)


def rows() -> float:
    """Rows a second of CPU that SQLite takes in and groups, in memory."""
    made = [(number, f"label {number % 97}", number * 0.5) for number in range(5_000)]
    with sqlite3.connect(":memory:") as connection:
        start = time.process_time()
        connection.execute("create table t (id integer primary key, label, value)")
        connection.executemany("insert into t values (?, ?, ?)", made)
        connection.execute("select label, sum(value) from t group by label").fetchall()
        spent = time.process_time() - start
    connection.close()
    return len(made) / spent


LOOPS: dict[str, Callable[[], float]] = {
    "assignments of 30 x 30": assignments,
    "words in Python": interpreted,
    "rows in SQLite": rows,
}


def calibration() -> dict[str, float]:
    """How often a second of CPU each loop runs now."""
    return {name: max(loop() for _ in range(ROUNDS)) for name, loop in LOOPS.items()}


def machine() -> dict[str, str | int]:
    """Versions of what the speed depends on, and the processor."""
    processor = platform.processor()
    listed = Path("/proc/cpuinfo")
    if listed.is_file():
        for line in listed.read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": sqlite3.sqlite_version,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor,
        "cores": os.cpu_count() or 1,
    }


def checkout() -> tuple[str | None, bool]:
    """The commit of this checkout, and whether it has changes beside."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.strip()

    try:
        changes = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "HEAD"), bool(changes)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None, False


def direction(unit: str) -> Better:
    """Whether more of a unit is better.

    Raises:
        ValueError: the unit does not say so.
    """
    if unit.endswith("/s"):
        return "higher"
    if unit in ("s", "ms", "MiB"):
        return "lower"
    raise ValueError(f"{unit!r} does not say whether more of it is better")


class Recorder:
    """Gathers the scores of a run, and writes them.

    Args:
        script: its name.
        path: the file; by default a new one in `FOLDER`.
        given: the arguments of the script.
    """

    def __init__(
        self, script: str, path: Path | None = None, given: dict[str, Any] | None = None
    ) -> None:
        self.script = script
        self.path = path
        self.given = given or {}
        self.date = datetime.now(UTC)
        self.before = calibration()
        self.scores: dict[str, Score] = {}

    def record(
        self, name: str, value: float, unit: str, better: Better | None = None
    ) -> None:
        """Add a score.

        Args:
            name: what was measured.
            value: the number.
            unit: its unit.
            better: whether more is better; told by the unit where it is a rate, a
                time or memory.

        Raises:
            ValueError: the name has been taken, or the value is not a number.
        """
        if name in self.scores:
            raise ValueError(f"{name!r} has been recorded already")
        if not math.isfinite(value):
            raise ValueError(f"{name!r}: found {value}, expected a finite number")
        chosen = better or direction(unit)
        self.scores[name] = Score(name, unit, float(value), chosen)

    def write(self) -> Path:
        """Write the file, whole or not at all.

        Returns:
            Where it is.
        """
        after = calibration()
        commit, changed = checkout()
        run = Run(
            self.script,
            self.date,
            commit,
            changed,
            machine(),
            self.given,
            {name: (speed + after[name]) / 2 for name, speed in self.before.items()},
            list(self.scores.values()),
        )
        name = f"{self.script}-{self.date:%Y%m%dT%H%M%S}-{(commit or 'none')[:9]}.json"
        path = self.path or FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(run)) + b"\n")
        unfinished.replace(path)
        return path


_scripts: list[str] = []
"""Names of scripts whose ``main`` runs; a test may call their functions outside."""

_running: list[Recorder] = []


def begin(
    parser: argparse.ArgumentParser, given: Sequence[str] | None = None
) -> argparse.Namespace:
    """Parse a script's arguments, and say what machine it runs on.

    Args:
        parser: has the script's own options.
        given: what to parse; by default what the command line has.
    """
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="where scores are written"
    )
    chosen = parser.parse_args(given)
    shown = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in vars(chosen).items()
        if name != "json"
    }
    recorder = Recorder(_scripts[-1], chosen.json, shown)
    _running.append(recorder)
    print(", ".join(f"{name} {value}" for name, value in machine().items()))
    speeds = (f"{speed:,.0f} {name}" for name, speed in recorder.before.items())
    print(f"calibration, a second of CPU: {', '.join(speeds)}", flush=True)
    return chosen


def record(name: str, value: float, unit: str, better: Better | None = None) -> None:
    """Add a score to what the script that runs has measured: `Recorder.record`."""
    if _running:
        _running[-1].record(name, value, unit, better)


def recorded(main: Callable[P, None]) -> Callable[P, None]:
    """Write what a script has recorded when its ``main`` is through.

    A run that ends early writes nothing.
    """

    @functools.wraps(main)
    def run(*given: P.args, **named: P.kwargs) -> None:
        _scripts.append(Path(main.__code__.co_filename).stem)
        try:
            main(*given, **named)
            for recorder in _running:
                if recorder.scores:
                    print(f"written: {recorder.write()}")
        finally:
            _scripts.clear()
            _running.clear()

    return run
