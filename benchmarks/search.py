"""Pairs a second of the correspondence search, from prepared graphs, on one core.

    python -m benchmarks.search [--data FOLDER] [--seconds 2]

Per-kind counts are included, error records are not.  Every pair is a different
one, and every pair must be proven.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from benchmarks.corpus import MRP, available, disturbed, pairs
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.tuples import Facts

COPIES = 4
"""Seeded variations of each system graph beside the graph itself."""


def measure(
    metric: Metric, prepared: list[tuple[Facts, Facts]], seconds: float
) -> tuple[float, int]:
    """Pairs a second in one pass after another, and unproven pairs."""
    budget = Budget()
    done, unproven, spent = 0, 0, 0.0
    while spent < seconds:
        start = time.perf_counter()
        for gold, system in prepared:
            outcome = metric.compare((gold,), (system,), budget=budget, details=False)
            unproven += not outcome.proven
        spent += time.perf_counter() - start
        done += len(prepared)
    return done / spent, unproven


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=1.0)
    chosen = begin(parser)
    data, names = available(chosen.data)
    if not names:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    metric = parse("mrp")
    print(f"{'pairs':12}{'n':>5}{'prepare/s':>12}{'plain/s':>10}")
    rng = random.Random(7)
    for name in names:
        found = pairs(name, data)
        start = time.perf_counter()
        own = [(metric.prepare(gold), metric.prepare(system)) for gold, system in found]
        speed = 2 * len(own) / (time.perf_counter() - start)
        record(f"{name}, prepare", speed, "graphs/s")
        more = [
            (gold, metric.prepare(disturbed(system, rng, 0.01)))
            for _ in range(COPIES)
            for (gold, _), (_, system) in zip(own, found, strict=True)
        ]
        plain, open_pairs = measure(metric, own + more, chosen.seconds)
        record(f"{name}, plain", plain, "pairs/s")
        print(
            f"{name:12}{len(own + more):5}{speed:12,.0f}{plain:10,.0f}"
            f"{'' if not open_pairs else f'  {open_pairs} OPEN'}"
        )


if __name__ == "__main__":
    main()
