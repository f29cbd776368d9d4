"""A process that fills a store and may be killed at any moment.

It says a line after each step, so that a test can kill it after any of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from graphscore.formats.base import ReadGraph, Record
from graphscore.store.database import Database
from graphscore.store.evaluations import PairRow
from graphscore.store.opening import open_store
from graphscore.store.read.load import identities
from graphscore.store.write import ingestion
from graphscore.store.write.evaluations import Made, save_evaluation
from graphscore.store.write.ingestion import ingest
from graphscore.store.write.results import find_results, save_results
from tests.store.conftest import ALONE, MISSING, SPURIOUS, bark, outcome, result_row

FILES = 5
GRAPHS = 120
CHUNK = 20


def say(*words: object) -> None:
    print(*words, flush=True)


def records(collection: str, file: int) -> Iterator[Record]:
    for line in range(1, GRAPHS + 1):
        graph = bark(f"{file}-{line}", f"{collection}{file}v{line}")
        yield ReadGraph(line, graph)


def fill(database: Database) -> None:
    for file in range(FILES):
        for collection in ("gold", "peking"):
            report = ingest(
                database,
                records(collection, file),
                path=f"{file}.mrp",
                format="mrp",
                digest=f"{collection}{file}".encode(),
                collection=collection,
                progress=lambda count: say("read", count),
            )
            say("unchanged" if report.unchanged else "ingested", report.graphs)


def evaluate(database: Database) -> None:
    with database.reading() as connection:
        gold = identities(connection, "gold")
        system = identities(connection, "peking")
        pairs = [(a.digest, b.digest) for a, b in zip(gold, system, strict=True)]
        found = find_results(connection, "mrp", 1, pairs, 1000)
    known = {pair: number for pair, (number, _) in found.items()}
    say("reused", len(known))
    left = [pair for pair in pairs if pair not in known]
    for start in range(0, len(left), CHUNK):
        chunk = left[start : start + CHUNK]
        made = outcome(MISSING, SPURIOUS, ALONE)
        rows = [result_row(*pair, made, 1, 1000) for pair in chunk]
        with database.writing() as connection:
            ids = save_results(connection, "mrp", 1, rows)
        known.update(zip(chunk, ids, strict=True))
        say("saved", len(known))
    units = [
        PairRow("dm", "", "dogs", a.item, a.graph, b.graph, known[pair], "paired")
        for a, b, pair in zip(gold, system, pairs, strict=True)
    ]
    with database.writing() as connection:
        save_evaluation(connection, Made("gold", "peking", "mrp", "sig"), units)
    say("evaluated")


if __name__ == "__main__":
    ingestion.CHUNK = CHUNK
    with open_store(sys.argv[2], create=True) as opened:
        {"fill": fill, "evaluate": evaluate}[sys.argv[1]](opened)
