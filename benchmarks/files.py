"""From files to a table: pairs a second and peak memory, nothing prepared.

    python -m benchmarks.files [--data FOLDER] [--pairs 2000]

Writes seeded variations of the EDS sample, then runs the command line on them in
processes of their own: reading, pairing, searching and printing included.  Memory
is measured on the given number of pairs and on ten times as many.

With two jobs it also says what all processes took together of the processor, beside
what one job took, and what of that the process took that starts the others; the
start-up, which is what a single pair takes, is left out.  Where other work goes on at
the same time, seconds say nothing, and these two say what a machine of one's own
would do: 2 / all of it times as fast on two processors, as long as the first process
has less to do than each of the others.
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
from typing import Any, NamedTuple

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


OWN = """
import os, resource, sys
from graphscore.cli.main import main
first = os.getpid()
try:
    main()
finally:
    if os.getpid() == first:
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(used.ru_utime + used.ru_stime, file=sys.stderr)
"""
"""Runs a command and says what its first process took of the processor."""


class Ran(NamedTuple):
    """One run of ``score``."""

    seconds: float
    processor: float
    """Seconds of the processor, of all processes."""
    own: float
    """Those of the first process."""
    memory: float
    """Its peak, in MiB."""
    answer: dict[str, Any]
    """The JSON that it printed."""

    def without(self, start: Ran) -> Ran:
        """The same without what starting up takes."""
        processor, own = self.processor - start.processor, self.own - start.own
        return self._replace(processor=processor, own=own)


def run(files: list[str], jobs: int) -> Ran:
    """Run ``score``."""
    start = time.perf_counter()
    options = ("--json", "--quiet", "--jobs", str(jobs))
    command = [sys.executable, "-c", OWN, "score", *files, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        answer = json.loads(process.stdout.read())
        own = float(process.stderr.read().split()[-1])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert isinstance(usage, resource.struct_rusage)
    seconds = time.perf_counter() - start
    processor = usage.ru_utime + usage.ru_stime
    return Ran(seconds, processor, own, usage.ru_maxrss / 1024, answer)


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
        single = write(Path(name), data, 1)
        # Other work only adds to it.
        starts = {
            jobs: min((run(single, jobs) for _ in range(3)), key=lambda r: r.processor)
            for jobs in (1, 2)
        }
        for count in (chosen.pairs, 10 * chosen.pairs):
            files = write(Path(name), data, count)
            found = {}
            for jobs, start in starts.items():
                ran = run(files, jobs)
                found[jobs] = ran.without(start)
                what = f"{count} pairs, {jobs} jobs"
                record(what, count / ran.seconds, "pairs/s")
                record(f"{what}, processor", count / ran.processor, "pairs/s")
                record(f"{what}, peak", ran.memory, "MiB")
                print(
                    f"{count:7,} pairs, {jobs} jobs: {ran.seconds:7.2f} s, "
                    f"{count / ran.seconds:8,.0f} pairs/s, "
                    f"{ran.processor:7.2f} s of the processor, "
                    f"peak {ran.memory:6.0f} MiB, proven {ran.answer['proven']}"
                )
            one, two = found[1], found[2]
            together, own = two.processor / one.processor, two.own / one.processor
            record(f"{count} pairs, processor of 2 jobs", together, "times", "lower")
            record(f"{count} pairs, first process of 2", own, "times", "lower")
            print(
                f"{count:7,} pairs, without start-up: all processes of 2 jobs take "
                f"{together:.2f} times what 1 takes, the first of them {own:.2f}"
            )


if __name__ == "__main__":
    main()
