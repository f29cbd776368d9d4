"""Pairs a second of the anchor-identity metrics, from prepared graphs, on one core.

    python -m benchmarks.classic [--data FOLDER] [--seconds 1]

``counts`` leaves matches and error records out, ``explained`` makes them too.
Every pair is a different one.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

from benchmarks.corpus import MRP, available, disturbed, pairs
from benchmarks.history import begin, record, recorded
from benchmarks.search import COPIES
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse

METRICS = ("sdp", "edm", "ucca")


def measure(
    metric: Metric, prepared: list[tuple[Any, Any]], seconds: float, details: bool
) -> float:
    """Pairs a second in one pass after another."""
    budget = Budget()
    done, spent = 0, 0.0
    while spent < seconds:
        start = time.perf_counter()
        for gold, system in prepared:
            metric.compare((gold,), (system,), budget=budget, details=details)
        spent += time.perf_counter() - start
        done += len(prepared)
    return done / spent


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=0.5)
    chosen = begin(parser)
    data, names = available(chosen.data)
    if not names:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    head = f"{'metric':8}{'pairs':12}{'n':>5}{'prepare/s':>12}"
    print(f"{head}{'counts/s':>12}{'explained/s':>13}")
    for spelled in METRICS:
        metric = parse(spelled)
        rng = random.Random(7)
        for name in names:
            graphs = pairs(name, data)
            graphs += [
                (gold, disturbed(system, rng, 0.01))
                for _ in range(COPIES)
                for gold, system in graphs
            ]
            start = time.perf_counter()
            prepared = [
                (metric.prepare(gold), metric.prepare(system))
                for gold, system in graphs
            ]
            speed = 2 * len(prepared) / (time.perf_counter() - start)
            counted = measure(metric, prepared, chosen.seconds, False)
            explained = measure(metric, prepared, chosen.seconds, True)
            where = f"{spelled}, {name}"
            record(f"{where}, prepare", speed, "graphs/s")
            record(f"{where}, counts", counted, "pairs/s")
            record(f"{where}, explained", explained, "pairs/s")
            print(
                f"{spelled:8}{name:12}{len(prepared):5}{speed:12,.0f}"
                f"{counted:12,.0f}{explained:13,.0f}"
            )


if __name__ == "__main__":
    main()
