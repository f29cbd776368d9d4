"""How fast one run of the benchmarks was beside another, as ratios.

    python -m benchmarks.compare A B [--fail-below RATIO]

A and B are files that benchmarks wrote, or folders of them, of which the newest of
each script counts.  More than 1 is better: B is so many times as fast, or takes so
much less memory.  *raw* is what was measured; *calibrated* leaves out how much
faster B's machine was at the loops of `benchmarks.history` (their geometric mean),
which is what to look at; what is neither a time nor a rate is the same in both.
With ``--fail-below`` the exit code is 1 where a calibrated ratio is lower, or B
lacks a score of A; wrong files end with 2.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.history import Run, Score

WIDTH = 36
"""Of the column of names: the others have 11 each."""


class Row(NamedTuple):
    """A score of both runs, and how much better the second is."""

    one: Score
    other: Score
    raw: float
    calibrated: float


def read(path: Path) -> dict[str, Run]:
    """The runs of a file or folder by script, the newest of each.

    Raises:
        ValueError: it has none, or a file is not what a benchmark wrote.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"{path}: found no .json, expected files of benchmarks")
    found: dict[str, Run] = {}
    for file in files:
        try:
            run = msgspec.json.decode(file.read_bytes(), type=Run)
        except OSError as problem:
            raise ValueError(f"{file}: {problem.strerror}") from None
        except msgspec.MsgspecError as problem:
            raise ValueError(
                f"{file}: found {problem}, expected what a benchmark wrote"
            ) from None
        if run.script not in found or found[run.script].date < run.date:
            found[run.script] = run
    return found


def faster(one: Run, other: Run) -> float:
    """How many times as fast the machine of another run was."""
    logs = [
        math.log(other.calibration[loop] / speed)
        for loop, speed in one.calibration.items()
        if loop in other.calibration
    ]
    if not logs:
        raise ValueError(f"the runs of {one.script} share no loop of calibration")
    return math.exp(sum(logs) / len(logs))


def ratios(one: Run, other: Run) -> Iterator[Row]:
    """Scores that both runs have, in the order of the first."""
    speed = faster(one, other)
    named = {score.name: score for score in other.scores}
    for score in one.scores:
        match = named.get(score.name)
        if match is None:
            continue
        if (match.unit, match.better) != (score.unit, score.better):
            raise ValueError(
                f"{one.script}: {score.name}: found {match.unit}, expected {score.unit}"
            )
        high, low = match.value, score.value
        if score.better == "lower":
            high, low = low, high
        # Memory need not have grown, and a time may be too short to be seen.
        raw = high / low if low > 0 else 1.0 if high == low else math.inf
        yield Row(score, match, raw, raw / speed if score.timed else raw)


def absent(one: Run, other: Run) -> list[str]:
    """Names of scores that only the first run has."""
    there = {score.name for score in other.scores}
    return [score.name for score in one.scores if score.name not in there]


def heading(one: Run, other: Run) -> Iterator[str]:
    """Lines about the runs: which, on what, and how they differ."""
    for letter, run in (("A", one), ("B", other)):
        commit = (run.commit or "no commit")[:9] + ("+" if run.changed else "")
        machine = run.machine
        yield (
            f"{letter}: {run.date:%Y-%m-%d %H:%M}, {commit}, "
            f"Python {machine.get('python')}, {machine.get('processor')}"
        )
    yield f"calibration: B's machine is {faster(one, other):.2f} times as fast as A's"
    for name in dict.fromkeys([*one.arguments, *other.arguments]):
        here, there = one.arguments.get(name), other.arguments.get(name)
        if here != there:
            yield f"other arguments: {name} is {here} in A and {there} in B"


def line(name: str, *cells: str) -> Iterator[str]:
    """A row of the table; a long name has a line of its own."""
    if len(name) >= WIDTH:
        yield name
        name = ""
    yield f"{name:{WIDTH}}" + "".join(f"{cell:>11}" for cell in cells)


def table(one: Run, other: Run) -> Iterator[str]:
    """All lines about two runs of a script."""
    yield f"{one.script}"
    yield from heading(one, other)
    yield from line("", "A", "B", "raw", "calibrated")
    for row in ratios(one, other):
        shown = (f"{score.value:,.4g}" for score in (row.one, row.other))
        if max(row.one.value, row.other.value) >= 1000:
            shown = (f"{score.value:,.0f}" for score in (row.one, row.other))
        name = f"{row.one.name}, {row.one.unit}"
        yield from line(name, *shown, f"{row.raw:.2f}", f"{row.calibrated:.2f}")
    for letter, names in (("A", absent(one, other)), ("B", absent(other, one))):
        for name in names:
            yield f"only in {letter}: {name}"


def main(given: Sequence[str] | None = None) -> int:
    """Print tables.

    Args:
        given: arguments; by default those of the command line.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("a", metavar="A", type=Path, help="file or folder")
    parser.add_argument("b", metavar="B", type=Path, help="file or folder")
    parser.add_argument("--fail-below", metavar="RATIO", type=float)
    chosen = parser.parse_args(given)
    failed = []
    try:
        one, other = read(chosen.a), read(chosen.b)
        shared = [script for script in one if script in other]
        if not shared:
            raise ValueError(
                f"{chosen.b}: found {', '.join(other)}, expected {', '.join(one)}"
            )
        for script in shared:
            sides = one[script], other[script]
            print("\n".join(table(*sides)) + "\n")
            if chosen.fail_below is not None:
                failed += [
                    f"{script}: {row.one.name}: {row.calibrated:.2f}"
                    for row in ratios(*sides)
                    if row.calibrated < chosen.fail_below
                ]
                failed += [f"{script}: {name}: only in A" for name in absent(*sides)]
    except ValueError as problem:
        parser.error(str(problem))
    for script in [each for each in {**one, **other} if each not in shared]:
        print(f"only in {'A' if script in one else 'B'}: {script}")
    for each in failed:
        print(f"below {chosen.fail_below:g}: {each}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
