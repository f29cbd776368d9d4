"""The store that is kept of the first release, so that migrating it is tested.

Made once, at revision ``r1``, by ``python -m tests.store.keep``.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from graphscore.evaluation.stored import Store
from graphscore.formats import Read, read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.conftest import DATA

KEPT = Path(__file__).parent / "data" / "r1.sqlite"

METRICS = ("mrp", "b3")

FILES = {
    "gold": ("gold.mrp", "ie/abstracts.jsonl"),
    "alder": ("alder.mrp", "ie/abstracts.predicted.jsonl"),
}

EACH = 2
"""Graphs of a framework that are kept."""


def kept_graphs(side: str) -> list[Graph]:
    """The first graphs of every framework of the bundled corpus."""
    found: list[Graph] = []
    frameworks: Counter[str] = Counter()
    for name in FILES[side]:
        for record in read_file(str(DATA / name)):
            assert isinstance(record, Read)
            frameworks[record.graph.framework] += 1
            if frameworks[record.graph.framework] <= EACH:
                found.append(record.graph)
    return found


def keep() -> None:
    """Make the store."""
    KEPT.unlink(missing_ok=True)
    with Store(str(KEPT), mode="create") as store:
        for side in FILES:
            store.add(kept_graphs(side), side)
        store.score("gold", "alder", [parse(metric) for metric in METRICS])
    with closing(sqlite3.connect(KEPT)) as connection:
        # As one file, that a reader need not write beside.
        connection.execute("pragma journal_mode = delete")
        connection.execute("vacuum")


if __name__ == "__main__":
    keep()
