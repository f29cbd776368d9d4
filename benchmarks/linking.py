"""Entity linking: files of linked mentions read and scored, beside neleval.

Both read two files and print all measures, in processes of their own; what counts is
the time that the processor spends on each, without what either needs to begin.

    python -m benchmarks.linking --neleval /path/to/python

The other interpreter has neleval 3.1.1 and SciPy, where the names that have left
``collections`` and NumPy since are put back.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.history import begin, record, recorded

SIZES = (3000, 12000)
"""How many gold mentions there are."""

PER_DOCUMENT = 20

GROUPS = ("all-tagging", "all")
"""Sets alone; and what neleval counts where nobody says, clusters as well."""


def write(folder: Path, size: int) -> tuple[Path, Path]:
    """Gold mentions and a system's, of which a third differ in something.

    Args:
        folder: where to.
        size: how many gold mentions.

    Returns:
        Both files.
    """
    rng = random.Random(7)
    entries = [f"Q{k}" for k in range(size // 6)]
    entries += [f"NIL{k}" for k in range(size // 12)]
    types = ("PER", "ORG", "GPE", "LOC", "FAC")
    gold, system = [], []
    for number in range(size):
        start = number % PER_DOCUMENT * 15
        document = f"d{number // PER_DOCUMENT}"
        entry, kind = rng.choice(entries), rng.choice(types)
        gold.append((document, start, start + 8, entry, "1.0", kind))
        if rng.random() < 0.9:
            moved = start + (rng.random() < 0.05)
            said = rng.choice(entries) if rng.random() < 0.2 else entry
            other = rng.choice(types) if rng.random() < 0.1 else kind
            system.append((document, moved, start + 8, said, "0.7", other))
        if rng.random() < 0.1:
            added = rng.choice(entries)
            system.append((document, start + 10, start + 12, added, "0.3", kind))
    paths = folder / f"gold{size}.neleval", folder / f"system{size}.neleval"
    for path, rows in zip(paths, (gold, system), strict=True):
        lines = ("\t".join(map(str, row)) for row in rows)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def seconds(command: Sequence[str]) -> float:
    """What a command takes of the processor's time; the best of three runs.

    Args:
        command: the program and its arguments.
    """
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(
            best,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        )
    return best


@recorded
def main() -> None:
    """Print seconds and mentions a second of both, and how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--neleval", help="a Python that has neleval")
    options = begin(parser)
    print(f"{'measures':<12} {'mentions':>8} {'s':>7} {'mentions/s':>11} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        first = write(Path(folder), 12)
        for group in GROUPS:
            ours = [sys.executable, "-m", "graphscore", "score"]
            theirs = [str(options.neleval), "-m", "neleval", "evaluate", "-m", group]

            def mine(
                paths: Sequence[Path], ours: list[str] = ours, group: str = group
            ) -> float:
                metric = f"neleval(measures={group})"
                return seconds([*ours, *map(str, paths), "-m", metric])

            def other(paths: Sequence[Path], theirs: list[str] = theirs) -> float:
                return seconds([*theirs, "-g", str(paths[0]), str(paths[1])])

            idle = mine(first), other(first) if options.neleval else 0.0
            for size in SIZES:
                paths = write(Path(folder), size)
                count = sum(len(path.read_text().splitlines()) for path in paths)
                spent = mine(paths) - idle[0]
                ratio = ""
                if options.neleval:
                    times = (other(paths) - idle[1]) / spent
                    ratio = f"{times:.1f}"
                    record(
                        f"neleval {group} {size}, times as long",
                        times,
                        "times",
                        "higher",
                    )
                rate = count / spent
                record(f"{group} {size}", rate, "mentions/s")
                print(f"{group:<12} {size:>8} {spent:>7.2f} {rate:>11,.0f} {ratio:>6}")


if __name__ == "__main__":
    main()
