"""Parts on workers of Dask, held against the same parts without it.

    python -m benchmarks.distributed [--data FOLDER] [--pairs 5000] [--parts 2]
                                     [--rounds 3]

Seeded variations of the EDS sample are split into parts of so many pairs, and scored by
processes without Dask, and by one worker and by two.  All of them have scored before,
so that nothing is imported or compiled while they are timed.  Every round takes each
once, one after the other; ratios are those of the medians.  CPU seconds are those of
workers, scheduler and caller together; on a machine that others use they say more than
those of the clock.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from benchmarks.corpus import MRP, available
from benchmarks.files import write
from benchmarks.history import begin, record, recorded
from graphscore.distributed import score_split
from graphscore.evaluation.parting.splitting import score_split as score_part
from graphscore.evaluation.parting.splitting import split
from graphscore.evaluation.parting.sums import Sums, merge

Times = tuple[float, float]
"""Seconds of CPU and of the clock."""


def used() -> Times:
    """CPU seconds of this process, and its peak memory in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return time.process_time(), peak


def scored(folder: str, part: tuple[int, int]) -> tuple[float, Sums]:
    """CPU seconds of a part, and its sums."""
    start = time.process_time()
    found = score_part(folder, part=part)
    return time.process_time() - start, found


class Processes:
    """Processes without Dask."""

    def __init__(self, workers: int, folder: str, of: int) -> None:
        self.pool = ProcessPoolExecutor(workers, get_context("spawn"))
        self.folder, self.of = folder, of

    def run(self) -> tuple[Times, str]:
        """What it takes, and the signature that comes out."""
        start, before = time.perf_counter(), time.process_time()
        numbers = [(number, self.of) for number in range(1, self.of + 1)]
        found = [*self.pool.map(scored, [self.folder] * self.of, numbers)]
        [[result]] = merge(sums for _, sums in found).results()
        cpu = sum(cpu for cpu, _ in found) + time.process_time() - before
        return (cpu, time.perf_counter() - start), result.signature

    def close(self) -> None:
        """End them."""
        self.pool.shutdown()


class Workers:
    """Workers of Dask."""

    def __init__(self, workers: int, folder: str) -> None:
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0"
        )
        self.client = Client(self.cluster)
        self.folder = folder

    def run(self) -> tuple[Times, str]:
        """What it takes, and the signature that comes out."""
        before, start = self.cpu(), time.perf_counter()
        [[result]] = score_split(self.client, self.folder)
        seconds = time.perf_counter() - start
        return (self.cpu() - before, seconds), result.signature

    def cpu(self) -> float:
        """Seconds of all of them, and of this process, which has the scheduler."""
        each: dict[str, Times] = self.client.run(used)
        return sum(cpu for cpu, _ in each.values()) + used()[0]

    def peak(self) -> float:
        """The most memory that one of them had, in MiB."""
        each: dict[str, Times] = self.client.run(used)
        return max(peak for _, peak in each.values())

    def close(self) -> None:
        """End them."""
        self.client.close()
        self.cluster.close()


def memory(folders: Sequence[str]) -> list[float]:
    """The peak of a worker that has scored nothing else, by folder."""
    found = []
    for folder in folders:
        one = Workers(1, folder)
        one.run()
        found.append(one.peak())
        one.close()
    return found


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--parts", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = begin(parser)
    data, names = available(chosen.data)
    if not names:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    of: int = chosen.parts
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        folder, small = str(home / "parts"), str(home / "small")
        gold, system = write(home, data, of * chosen.pairs)
        split(gold, [system], "mrp", folder=folder, parts=of)
        runs: dict[str, Processes | Workers] = {
            "1 process": Processes(1, folder, of),
            "2 processes": Processes(2, folder, of),
            "1 worker": Workers(1, folder),
            "2 workers": Workers(2, folder),
        }
        signatures = {each.run()[1] for each in runs.values()}
        found: dict[str, list[Times]] = {name: [] for name in runs}
        for _ in range(chosen.rounds):
            for name, each in runs.items():
                times, signature = each.run()
                signatures.add(signature)
                found[name].append(times)
        for each in runs.values():
            each.close()
        assert len(signatures) == 1, signatures
        report(found, f"{of} parts of {chosen.pairs:,} pairs, {chosen.rounds} rounds")
        few = write(home, data, of * chosen.pairs // 4)
        split(few[0], few[1:], "mrp", folder=small, parts=of)
        peaks = memory([small, folder])
    record("peak of a worker, quarter of the pairs", peaks[0], "MiB")
    record("peak of a worker", peaks[1], "MiB")
    print(
        f"peak of a worker: {peaks[0]:.0f} MiB with parts of {chosen.pairs // 4:,} "
        f"pairs, {peaks[1]:.0f} MiB with parts of {chosen.pairs:,}"
    )


def report(found: dict[str, list[Times]], title: str) -> None:
    """Print times, and what workers take beside as many processes."""

    def middle(name: str, at: int) -> float:
        return median(each[at] for each in found[name])

    print(f"{title}\n{'':14}{'CPU s':>8}{'clock s':>9}")
    for name in found:
        print(f"{name:14}{middle(name, 0):8.2f}{middle(name, 1):9.2f}")
        record(f"{name}, CPU", middle(name, 0), "s")
        record(f"{name}, clock", middle(name, 1), "s")
    for one, other in (("1 process", "1 worker"), ("2 processes", "2 workers")):
        cpu, clock = (middle(one, at) / middle(other, at) for at in (0, 1))
        print(f"{one} beside {other}: CPU {cpu:.1%}, clock {clock:.1%}")
    gain = middle("1 worker", 1) / middle("2 workers", 1)
    print(f"2 workers are {gain:.2f} times as fast as 1 by the clock", flush=True)


if __name__ == "__main__":
    main()
