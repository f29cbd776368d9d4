"""Ingesting, scoring and scoring again in a store, beside the same from files.

    python -m benchmarks.rescoring [--data FOLDER] [--graphs 10000] [--share 0.01]

Seeded variations of the published sample are ingested and scored by ``mrp``, disturbed
so much that 10,000 pairs leave half a million error rows; then scored again with
nothing changed, and again after a share of the system's graphs was replaced.  At the
end three metrics over 2,000 pairs of EDS are scored from files, summed up only and with
all errors named as a store needs them, and through a store that has no result yet.
Seconds are those of this process's processor time.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from benchmarks.corpus import (
    MRP,
    PAIRS,
    available,
    disturbed,
    graphs,
    pairs,
    variations,
)
from benchmarks.history import begin, record, recorded
from graphscore import Graph, Options, Store
from graphscore.evaluation.scoring import score_files
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse

T = TypeVar("T")

THREE = ("mrp", "edm", "mrp(order=free)")
"""Metrics that are scored together; the first and the last share what they prepare."""


def timed(name: str, run: Callable[[], T], amount: int = 0) -> T:
    """Run; print and record seconds and, where an amount is given, its rate."""
    start = time.process_time()
    found = run()
    spent = time.process_time() - start
    rate = f"{amount / spent:12,.0f} a second" if amount else ""
    print(f"{name:48}{spent:9.3f} s{rate}", flush=True)
    record(name, spent, "s")
    return found


def write(path: Path, made: Iterable[Graph]) -> None:
    """Write a file of MRP."""
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


def again_and_again(
    folder: Path, originals: list[Graph], count: int, share: float
) -> None:
    """Ingest and score, score again, replace a share and score again."""
    gold, system = folder / "gold.mrp", folder / "system.mrp"
    write(gold, variations(originals, count, 1, 0.0))
    made = list(variations(originals, count, 2, 0.7))
    write(system, made)
    with Store(f"{folder}/runs.db", mode="create") as store:

        def score() -> None:
            [result] = store.score("gold", "system", [parse("mrp")])
            computed.append(result.pairs - result.reused)

        computed: list[int] = []
        timed("ingest gold", lambda: store.ingest(gold, "gold"), count)
        timed("ingest system", lambda: store.ingest(system, "system"), count)
        timed("score", score, count)
        timed("score again, nothing changed", score, count)
        write(system, changed(made, share))
        timed(
            f"ingest again, {share:.0%} changed",
            lambda: store.ingest(system, "system", replace=True),
            count,
        )
        timed(f"score again, {share:.0%} changed", score, count)
        [(errors,)] = store.query("select count(*) from v_errors")[1]
    print(f"{errors:,} error rows; pairs computed: {', '.join(map(str, computed))}")


def both_ends(folder: Path, data: Path, count: int) -> None:
    """Score the same from files and through a store."""
    files = []
    for number, originals in enumerate(zip(*pairs("eds.pet", data), strict=True)):
        # Each of its own content: nothing is found again.
        files.append(str(folder / f"eds{number}.mrp"))
        write(Path(files[-1]), variations(list(originals), count, number, 0.05))
    gold, system = files
    metrics = [parse(name) for name in THREE]
    # What is only done once in a process is done.
    score_files(gold, system, metrics)

    timed("three metrics, files", lambda: score_files(gold, system, metrics), count)
    named = Options(details=True)
    timed(
        "three metrics, files, errors named",
        lambda: score_files(gold, system, metrics, named),
        count,
    )
    with Store(f"{folder}/eds.db", mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(system, "system")
        timed(
            "three metrics, through a store",
            lambda: store.score("gold", "system", metrics),
            count,
        )


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
        again_and_again(Path(folder), originals, chosen.graphs, chosen.share)
        both_ends(Path(folder), data, min(chosen.graphs, 2000))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory':48}{peak:9.0f} MiB")
    record("peak memory", peak, "MiB")


if __name__ == "__main__":
    main()
