"""CPU seconds of each stage of scoring pairs from files, beside the floor of each.

    python -m benchmarks.stages [--data FOLDER] [--pairs 2000] [--sets eds.lpps ...]

Seeded variations of the published samples are written, read, laid out, compared, and
compared with matches and error rows, one stage after the other in one process, with the
garbage collector kept out.  The floor of a stage is what its bare calls take on the
same amount of data: decoding the same lines into typed objects; one dictionary entry a
tuple; one assignment of the size of each pair; one row a match or error.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.corpus import MRP, PAIRS, available, graphs, variations
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error, Outcome


class Node(msgspec.Struct, gc=False):
    """A node as MRP writes it, decoded and nothing else."""

    id: int
    label: str | None = None
    properties: list[str] = []
    values: list[Any] = []
    anchors: list[Any] = []


class Edge(msgspec.Struct, gc=False):
    """An edge as MRP writes it."""

    source: int
    target: int
    label: str | None = None
    normal: str | None = None
    attributes: list[str] = []
    values: list[Any] = []


class Line(msgspec.Struct):
    """A graph as MRP writes it."""

    id: str
    framework: str
    input: str = ""
    tops: list[int] = []
    nodes: list[Node] = []
    edges: list[Edge] = []


def spent(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Least CPU seconds of several runs, and what the last one gave."""
    least, found = float("inf"), None
    for _ in range(times):
        found = None
        gc.collect()
        start = time.process_time()
        found = work()
        least = min(least, time.process_time() - start)
    return least, found


def written(folder: Path, data: Path, name: str, count: int) -> list[Path]:
    """Gold and system files of *count* variations."""
    source, _, framework = PAIRS[name]
    originals = graphs(data / source, framework)
    paths = []
    for side, rate, seed in (("gold", 0.0, 1), ("system", 0.05, 2)):
        path = folder / f"{name}.{side}.mrp"
        with path.open("wb") as file:
            file.writelines(
                write_graphs(variations(originals, count, seed, rate), "mrp")
            )
        paths.append(path)
    return paths


def decoded(paths: Iterable[Path]) -> None:
    """The floor of reading: every line as typed objects."""
    decode = msgspec.json.Decoder(Line).decode
    for path in paths:
        with path.open("rb") as file:
            for line in file:
                decode(line)


def entered(sizes: list[int]) -> None:
    """The floor of laying out: one entry of a dictionary a tuple."""
    for size in sizes:
        said = {}
        for number in range(size):
            said[0, number] = 0


def assigned(shapes: list[tuple[int, int]]) -> None:
    """The floor of comparing: an assignment of the size of each pair."""
    for shape in shapes:
        linear_sum_assignment(np.ones(shape), maximize=True)


def rows_of(counts: list[int]) -> None:
    """The floor of rows: so many rows a pair, beside nothing else."""
    for count in counts:
        for number in range(count):
            Error("missing", "", "node", number, None, "", "", "", None, "")


def measure(
    name: str, paths: list[Path], metric_name: str
) -> list[tuple[str, str, float, float]]:
    """Stage, what is counted, CPU seconds and those of the floor."""
    metric, budget = parse(metric_name), Budget()
    seconds, sides = spent(lambda: [graphs(path) for path in paths])
    bare, _ = spent(lambda: decoded(paths))
    found = [("read", "graphs", seconds, bare)]

    def prepared(each: list[list[Graph]]) -> list[tuple[Any, ...]]:
        # As in a run, both sides of a pair one after the other.
        return [tuple(map(metric.prepare, pair)) for pair in zip(*each, strict=True)]

    seconds, pairs = spent(lambda: prepared(sides))
    sizes = [sum(facts.totals) for pair in pairs for facts in pair]
    found.append(("lay out", "graphs", seconds, spent(lambda: entered(sizes))[0]))

    def compared(details: bool) -> list[Outcome]:
        return [
            metric.compare((gold,), (system,), budget=budget, details=details)
            for gold, system in pairs
        ]

    shapes = [(max(gold.size, 1), max(system.size, 1)) for gold, system in pairs]
    seconds, _ = spent(lambda: compared(False))
    floor = spent(lambda: assigned(shapes))[0]
    found.append(("compare", "pairs", seconds, floor))
    seconds, outcomes = spent(lambda: compared(True))
    counts = [len(each.matches) + len(each.errors) for each in outcomes]
    floor += spent(lambda: rows_of(counts))[0]
    found.append(("with rows", "pairs", seconds, floor))
    return found


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--sets", nargs="+", default=["eds.lpps"])
    parser.add_argument("--metric", default="mrp")
    chosen = begin(parser)
    data, names = available(chosen.data)
    if not names:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        for name in names if chosen.sets == ["all"] else chosen.sets:
            paths = written(Path(folder), data, name, chosen.pairs)
            rows = measure(name, paths, chosen.metric)
            print(f"{name}, {chosen.metric}, {chosen.pairs:,} pairs")
            print(f"{'stage':12}{'a second':>12}{'us each':>10}{'floor, us':>12}")
            for stage, what, seconds, floor in rows:
                count = chosen.pairs * (2 if what == "graphs" else 1)
                record(f"{name}, {stage}", count / seconds, f"{what}/s")
                record(f"{name}, {stage}, floor", count / floor, f"{what}/s")
                each, least = seconds / count * 1e6, floor / count * 1e6
                print(
                    f"{stage:12}{count / seconds:12,.0f}{each:10.1f}{least:12.1f}"
                    f"  {what}"
                )


if __name__ == "__main__":
    main()
