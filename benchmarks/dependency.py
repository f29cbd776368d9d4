"""Sentences a second of CoNLL-U reading and dependency metrics, on one core.

    python -m benchmarks.dependency [--data FOLDER] [--seconds 2]

Reading is from bytes into graphs, both layers.  The metrics compare documents that
were prepared; every document is compared once only, so that nothing is remembered
from an earlier comparison.  ``masses`` is without and ``errors`` with matches and
error records.  ``aligned`` systems have gold's tokens, ``resegmented`` ones do not.
"""

from __future__ import annotations

import argparse
import gc
import io
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.corpus import MRP
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats.base import Read
from graphscore.formats.registry import format_named
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

FORMAT = format_named("conllu")

DATA = MRP.parent / "dependency"

METRICS = (
    "segmentation",
    "tagging",
    "uas",
    "las",
    "clas",
    "mlas",
    "blex",
    "elas",
    "eulas",
)

SYSTEMS = ("system", "resegmented")


def read(data: bytes) -> list[Graph]:
    """All graphs of a file."""
    assert FORMAT.read is not None
    records = FORMAT.read(io.BytesIO(data), "benchmark")
    return [record.graph for record in records if isinstance(record, Read)]


def reading(data: bytes, seconds: float) -> float:
    """Sentences a second into graphs of both layers."""
    sentences = sum(graph.framework == "ud" for graph in read(data))
    done, spent = 0, 0.0
    assert FORMAT.read is not None
    while spent < seconds:
        start = time.perf_counter()
        for _ in FORMAT.read(io.BytesIO(data), "benchmark"):
            pass
        spent += time.perf_counter() - start
        done += sentences
    return done / spent


def writing(data: bytes, seconds: float) -> float:
    """Sentences a second from graphs of both layers."""
    graphs = read(data)
    sentences = sum(graph.framework == "ud" for graph in graphs)
    done, spent = 0, 0.0
    assert FORMAT.write is not None
    while spent < seconds:
        start = time.perf_counter()
        for _ in FORMAT.write(graphs):
            pass
        spent += time.perf_counter() - start
        done += sentences
    return done / spent


def measure(
    metric: Metric,
    sides: tuple[Sequence[Graph], Sequence[Graph]],
    details: bool,
    seconds: float,
) -> tuple[float, float]:
    """Sentences a second of preparing and of comparing documents."""
    chosen = [[g for g in side if metric.scores(g.framework)] for side in sides]
    documents = [
        [list(graphs) for _, graphs in groupby(side, lambda graph: graph.document)]
        for side in chosen
    ]
    done, preparing, spent = 0, 0.0, 0.0
    while spent < seconds:
        start = time.perf_counter()
        prepared = [
            [[metric.prepare(graph) for graph in document] for document in side]
            for side in documents
        ]
        preparing += time.perf_counter() - start
        start = time.perf_counter()
        for gold, system in zip(*prepared, strict=True):
            metric.compare(gold, system, budget=Budget(), details=details)
        spent += time.perf_counter() - start
        done += len(chosen[0])
    return 2 * done / preparing, done / spent


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--seconds", type=float, default=1.0)
    chosen = begin(parser)
    names = ("gold", *SYSTEMS)
    files = {name: chosen.data / f"ewt300.{name}.conllu" for name in names}
    if not all(file.is_file() for file in files.values()):
        parser.error(f"{chosen.data} does not hold the dependency files")
    found = {name: file.read_bytes() for name, file in files.items()}
    # What is read stays; without this, every collection would look through it.
    graphs = {name: read(data) for name, data in found.items()}
    gc.freeze()
    for name, work in (("reading", reading), ("writing", writing)):
        speed = work(found["gold"], chosen.seconds)
        print(f"{name:10}{speed:10,.0f} sentences a second")
        record(name, speed, "sentences/s")
    print(f"{'':14}{'':>12}{'aligned':^24}{'resegmented':^24}")
    print(f"{'metric':14}{'prepare/s':>12}{'masses/s':>12}{'errors/s':>12}", end="")
    print(f"{'masses/s':>12}{'errors/s':>12}")
    for name in METRICS:
        cells = []
        prepare = 0.0
        for system in SYSTEMS:
            for details in (False, True):
                sides = graphs["gold"], graphs[system]
                prepare, speed = measure(parse(name), sides, details, chosen.seconds)
                cells.append(f"{speed:12,.0f}")
                what = f"{name}, {system}, {'errors' if details else 'masses'}"
                record(what, speed, "sentences/s")
        print(f"{name:14}{prepare:12,.0f}{''.join(cells)}")
        record(f"{name}, prepare", prepare, "sentences/s")


if __name__ == "__main__":
    main()
