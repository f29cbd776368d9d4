"""The store under load: ingest, evaluate, re-evaluate, slice a million errors.

    python -m benchmarks.store [--data FOLDER] [--graphs 20000] [--jobs 2]

The graphs are seeded variations of the published sample; most of the
system's tuples are disturbed, so that 20,000 pairs leave more than a million
error rows (``--graphs 190000``: ten millions).  At the end, three metrics over 2,000
pairs of EDS are scored from files and from a store that has no result yet, in seconds
of CPU: summed up only, with all errors named as a store needs them, and through the
store.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.corpus import MRP, PAIRS, available, graphs, pairs, variations
from benchmarks.history import begin, record, recorded
from graphscore import Options, Store
from graphscore.evaluation.files import score_files
from graphscore.formats import write_graphs
from graphscore.metrics.registry import parse

T = TypeVar("T")

QUERIES = {
    "v_error_counts by framework, kind, side": """
        select framework, kind, side, sum(errors) from v_error_counts
        where system = 'system' and metric = 'mrp' group by 1, 2, 3""",
    "v_error_counts by document": """
        select document, sum(errors) from v_error_counts
        where system = 'system' and metric = 'mrp' and side = 'missing' group by 1""",
    "v_errors by framework, kind": """
        select framework, kind, count(*) from v_errors
        where system = 'system' and metric = 'mrp' and side = 'missing'
        group by 1, 2""",
    "v_errors by label": """
        select label, count(*) from v_errors
        where system = 'system' and metric = 'mrp' group by 1""",
    "v_errors by value": """
        select value, count(*) from v_errors
        where system = 'system' and metric = 'mrp' group by 1""",
    "v_error_labels by label": """
        select label, sum(errors) from v_error_labels
        where system = 'system' and metric = 'mrp' group by 1""",
    "v_error_labels by value": """
        select value, sum(errors) from v_error_labels
        where system = 'system' and metric = 'mrp' group by 1""",
    "v_error_labels by kind, label": """
        select kind, label, sum(errors) from v_error_labels
        where system = 'system' and metric = 'mrp' group by 1, 2
        order by 3 desc limit 20""",
    "v_errors by kind, label": """
        select kind, label, count(*) from v_errors
        where system = 'system' and metric = 'mrp' group by 1, 2
        order by 3 desc limit 20""",
    "v_errors by document": """
        select document, count(*) from v_errors
        where system = 'system' and metric = 'mrp' group by 1""",
    "v_confusions, most frequent": """
        select kind, gold_value, system_value, sum(confusions) from v_confusions
        where system = 'system' and metric = 'mrp' group by 1, 2, 3
        order by 4 desc limit 10""",
}


THREE = ("mrp", "edm", "mrp(order=free)")
"""Metrics that are scored together; the first and the last share what they prepare."""


def timed(name: str, run: Callable[[], T], amount: int = 0) -> T:
    """Run, print seconds and, where an amount is given, its rate."""
    start = time.perf_counter()
    found = run()
    spent = time.perf_counter() - start
    rate = f"{amount / spent:12,.0f} a second" if amount else ""
    print(f"{name:48}{spent:9.3f} s{rate}")
    record(name, spent, "s")
    return found


def cpu(run: Callable[[], object]) -> float:
    """Seconds of CPU that something takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def compare_ends(folder: str, data: Path, count: int) -> None:
    """Score the same from files and through a store, and print the ratios."""
    sides = zip(*pairs("eds.pet", data), strict=True)
    files = []
    for number, originals in enumerate(sides):
        # Each of its own content: nothing is found again.
        files.append(f"{folder}/eds{number}.mrp")
        made = variations(list(originals), count, number, 0.05)
        with Path(files[-1]).open("wb") as file:
            file.writelines(write_graphs(made, "mrp"))
    metrics = [parse(name) for name in THREE]
    gold, system = files
    score_files(gold, system, metrics)  # Everything is imported.
    named = Options(details=True)
    spent = {
        "files, summed": cpu(lambda: score_files(gold, system, metrics)),
        "files, errors named": cpu(lambda: score_files(gold, system, metrics, named)),
    }
    with Store(f"{folder}/eds.db", mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(system, "system")
        run = cpu(lambda: store.score("gold", "system", metrics))
        spent["store, first time"] = run
    for name, seconds in spent.items():
        ratio = seconds / spent["files, summed"]
        record(f"{len(THREE)} metrics, {name}", seconds, "s")
        print(f"{len(THREE)} metrics, {name:36}{seconds:9.3f} s{ratio:11.2f} x files")


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--graphs", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = begin(parser)
    data, names = available(chosen.data)
    files = sorted({PAIRS[name][0] for name in names if "lpps" not in name})
    originals = [graph for file in files for graph in graphs(data / file)]
    if not originals:
        parser.error(f"{chosen.data} does not hold the MRP sample files")
    with tempfile.TemporaryDirectory() as folder:
        for name, rate, seed in (("gold", 0.0, 1), ("system", 0.7, 2)):
            path = Path(folder) / f"{name}.mrp"
            made = variations(originals, chosen.graphs, seed, rate)
            with path.open("wb") as file:
                file.writelines(write_graphs(made, "mrp"))
        with Store(f"{folder}/runs.db", mode="create") as store:
            measure(store, folder, chosen.graphs, chosen.jobs)
        compare_ends(folder, data, min(chosen.graphs, 2000))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory':48}{peak:9.0f} MiB")
    record("peak memory", peak, "MiB")


def measure(store: Store, folder: str, count: int, jobs: int) -> None:
    for name in ("gold", "system"):
        timed(
            f"ingest {name}",
            lambda name=name: store.ingest(  # type: ignore[misc]
                f"{folder}/{name}.mrp", name
            ),
            count,
        )
    options = Options(jobs=jobs)
    metrics = [parse("mrp")]
    [result] = timed(
        f"evaluate, {jobs} jobs",
        lambda: store.score("gold", "system", metrics, options),
        count,
    )
    [again] = timed(
        "evaluate again, nothing changed",
        lambda: store.score("gold", "system", metrics, options),
        count,
    )
    print(f"reused {again.reused} of {again.pairs}, unproven {result.unproven}")
    [(errors,)] = store.query("select count(*) from v_errors")[1]
    print(f"{errors:,} error rows")
    for name, sql in QUERIES.items():
        timed(name, lambda sql=sql: list(store.query(sql)[1]))  # type: ignore[misc]


if __name__ == "__main__":
    main()
