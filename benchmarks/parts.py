"""What parts cost: against single runs of the same pairs, in CPU seconds.

    python -m benchmarks.parts [--pairs 5000] [--rounds 3] [-m mrp]

The bundled graphs, copied under other ids, are scored by ``graphscore score`` in
processes of their own: in one run, as parts of the files, and as parts of a folder that
was split before.  Every round takes all of them one after the other; ratios are those
of the medians.  Two parts at once are also timed by the clock, beside two single runs
at once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.corpus import ROOT, graphs
from benchmarks.history import begin, record, recorded
from graphscore.formats import write_graphs

DATA = ROOT / "data"


def corpus(folder: Path, pairs: int) -> tuple[Path, Path]:
    """Gold and system files of so many pairs."""
    made = []
    for name in ("gold", "alder"):
        several = graphs(DATA / f"{name}.mrp")
        copies = [
            msgspec.structs.replace(each, id=f"{number}-{each.id}")
            for number in range(pairs // len(several) + 1)
            for each in several
        ][:pairs]
        path = folder / f"{name}.mrp"
        with path.open("wb") as file:
            file.writelines(write_graphs(copies, "mrp"))
        made.append(path)
    return made[0], made[1]


def start(*args: object) -> subprocess.Popen[bytes]:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "graphscore", *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def seconds(*runs: Sequence[object]) -> tuple[float, float]:
    """CPU and clock of runs that are started at once."""
    before, begin = os.times(), time.perf_counter()
    processes = [start(*args) for args in runs]
    for process in processes:
        if process.wait():
            raise SystemExit(f"{process.args!r} ended with {process.returncode}")
    after, end = os.times(), time.perf_counter()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system, end - begin


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-m", "--metric", default="mrp")
    asked = begin(parser)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "half").mkdir()
        half, whole = (
            ["score", "-q", *corpus(at, pairs), "-m", asked.metric]
            for at, pairs in ((folder / "half", asked.pairs), (folder, 2 * asked.pairs))
        )
        one, two = folder / "one", folder / "two"
        splitting = [
            seconds([*half, "--split", one, "--parts", 1])[0],
            seconds([*whole, "--split", two, "--parts", 2])[0],
        ]

        def part(
            what: Sequence[object], number: int, of: int, *more: object
        ) -> list[object]:
            sums = folder / f"part{number}.json"
            return [*what, "--part", f"{number}/{of}", "--sums", sums, *more]

        split_one, split_two = ["score", "-q", one], ["score", "-q", two]
        runs: dict[str, list[list[object]]] = {
            "one run of the pairs": [half],
            "a part of the files": [part(half, 1, 1)],
            "a part of a folder": [part(split_one, 1, 1)],
            "a part of a folder, with units": [part(split_one, 1, 1, "--units")],
            "one run of twice the pairs": [whole],
            "two runs of the pairs at once": [half, half],
            "two parts of the files at once": [part(whole, n, 2) for n in (1, 2)],
            "two parts of a folder at once": [part(split_two, n, 2) for n in (1, 2)],
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
        for _ in range(asked.rounds):
            for name, each in runs.items():
                found[name].append(seconds(*each))
        merging = seconds(["merge", "-q", folder / "part1.json", folder / "part2.json"])

    cpu = {name: median(each[0] for each in times) for name, times in found.items()}
    clock = {name: median(each[1] for each in times) for name, times in found.items()}
    print(f"{asked.pairs:,} pairs, {asked.metric}, {asked.rounds} rounds")
    print(f"{'':34}{'CPU s':>8}{'clock s':>9}")
    for name in runs:
        print(f"{name:34}{cpu[name]:8.2f}{clock[name]:9.2f}")
        record(f"{name}, CPU", cpu[name], "s")
        record(f"{name}, clock", clock[name], "s")
    print(f"{'splitting, and twice as many':34}{splitting[0]:8.2f}{splitting[1]:9.2f}")
    print(f"{'merging two parts':34}{merging[0]:8.2f}")
    record("splitting", splitting[0], "s")
    record("splitting twice as many", splitting[1], "s")
    record("merging two parts", merging[0], "s")
    single = cpu["one run of the pairs"]
    for name in list(runs)[1:4]:
        print(f"overhead of {name}: {100 * (cpu[name] / single - 1):+.1f} %")
    for name in list(runs)[6:]:
        both = cpu["two runs of the pairs at once"] / cpu[name]
        beside = clock["two runs of the pairs at once"] / clock[name]
        print(
            f"efficiency of {name}: CPU {100 * both:.0f} %, clock {100 * beside:.0f} %"
        )


if __name__ == "__main__":
    main()
