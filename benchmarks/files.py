"""From files to a table: pairs a second and peak memory, nothing prepared.

    python -m benchmarks.files [--data FOLDER] [--pairs 2000]

Writes seeded variations of the EDS sample, then runs the command line on them in
processes of their own: reading, pairing, searching and printing included.  Memory
is measured on the given number of pairs and on ten times as many.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpus import MRP, PAIRS, available, graphs, variations
from benchmarks.history import begin, record, recorded
from graphscore.formats import write_graphs


def write(folder: Path, data: Path, count: int) -> list[str]:
    """Write gold and system files of *count* different EDS graphs."""
    originals = graphs(data / PAIRS["eds.pet"][0])
    found = []
    for name, rate, seed in (("gold", 0.0, 1), ("system", 0.05, 2)):
        path = folder / f"{name}{count}.mrp"
        with path.open("wb") as file:
            made = variations(originals, count, seed, rate)
            file.writelines(write_graphs(made, "mrp"))
        found.append(str(path))
    return found


def run(files: list[str], *options: str) -> tuple[float, float, dict[str, object]]:
    """Seconds, peak memory in MiB and the JSON of one run of ``score``."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "graphscore", "score", *files, "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        answer = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert isinstance(usage, resource.struct_rusage)
    return time.perf_counter() - start, usage.ru_maxrss / 1024, answer


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--pairs", type=int, default=2000)
    chosen = begin(parser)
    data, names = available(chosen.data)
    if not names:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    with tempfile.TemporaryDirectory() as name:
        for count in (chosen.pairs, 10 * chosen.pairs):
            files = write(Path(name), data, count)
            for jobs in ("1", "2"):
                seconds, memory, answer = run(files, "--jobs", jobs)
                what = f"{count} pairs, {jobs} jobs"
                record(what, count / seconds, "pairs/s")
                record(f"{what}, peak", memory, "MiB")
                print(
                    f"{count:7,} pairs, {jobs} jobs: {seconds:7.2f} s, "
                    f"{count / seconds:8,.0f} pairs/s, peak {memory:6.0f} MiB, "
                    f"proven {answer['proven']}"
                )


if __name__ == "__main__":
    main()
