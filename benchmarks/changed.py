"""A file that has changed a little, ingested and scored again, beside the first time.

    python -m benchmarks.changed [--data FOLDER] [--graphs 10000] [--share 0.01]

Gold and one system go into a store and are scored.  Then so many of the system's graphs
are disturbed, the file is ingested again with ``replace``, and scored again.  Seconds
are those of this process's processor time.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.corpus import MRP, PAIRS, available, disturbed, graphs, variations
from benchmarks.history import begin, record, recorded
from graphscore import Graph, Store
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse


def timed(run: Callable[[], object]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    run()
    return time.process_time() - start


def write(path: Path, made: list[Graph]) -> None:
    """Write a file."""
    with path.open("wb") as file:
        file.writelines(write_graphs(made, "mrp"))


def changed(made: list[Graph], share: float) -> list[Graph]:
    """The graphs, a share of them with another label at the first node."""
    rng = random.Random(3)
    chosen = set(rng.sample(range(len(made)), round(share * len(made))))
    found = []
    for number, graph in enumerate(made):
        if number in chosen:
            graph = disturbed(graph, rng, 0.3)
            first = msgspec.structs.replace(graph.nodes[0], label="changed")
            graph = msgspec.structs.replace(graph, nodes=(first, *graph.nodes[1:]))
        found.append(graph)
    return found


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--graphs", type=int, default=10_000)
    parser.add_argument("--share", type=float, default=0.01)
    chosen = begin(parser)
    data, names = available(chosen.data)
    files = sorted({PAIRS[name][0] for name in names if "lpps" not in name})
    originals = [graph for file in files for graph in graphs(data / file)]
    if not originals:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    with tempfile.TemporaryDirectory() as folder:
        gold, system = Path(folder) / "gold.mrp", Path(folder) / "system.mrp"
        write(gold, list(variations(originals, chosen.graphs, 1, 0.0)))
        made = list(variations(originals, chosen.graphs, 2, 0.2))
        write(system, made)
        with Store(f"{folder}/runs.db", mode="create") as store:
            metrics = [parse("mrp")]

            def score() -> None:
                [result] = store.score("gold", "system", metrics)
                computed.append(result.pairs - result.reused)

            computed: list[int] = []
            store.ingest(gold, "gold")
            first = [timed(lambda: store.ingest(system, "system")), timed(score)]
            write(system, changed(made, chosen.share))
            again = [
                timed(lambda: store.ingest(system, "system", replace=True)),
                timed(score),
            ]
    print(f"{chosen.graphs} graphs, {chosen.share:.0%} changed; seconds of CPU")
    print(f"{'':24}{'first':>9}{'again':>9}{'ratio':>8}")
    for name, one, other in zip(("ingest", "score"), first, again, strict=True):
        print(f"{name:24}{one:9.2f}{other:9.2f}{other / one:8.2f}")
        record(f"{name}, first", one, "s")
        record(f"{name}, again", other, "s")
    print(f"pairs computed          {computed[0]:9}{computed[1]:9}")


if __name__ == "__main__":
    main()
