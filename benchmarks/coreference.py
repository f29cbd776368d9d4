"""Documents a second of the coreference metrics, from prepared graphs, on one core.

    python -m benchmarks.coreference [--documents 300] [--mentions 200] [--seconds 3]

``together`` is every metric after the other on each document, as ``score`` does it:
they share one contingency table, which is made anew in every pass.  ``alone`` makes
the table for one metric.  Growth is that of all metrics together, in milliseconds a
document.  Times are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from benchmarks.coreference_documents import Document, disturbed, documents
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node

METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")

SIZES = (100, 300, 1_000, 3_000, 10_000)
"""Mentions a document, for the growth."""

Pairs = Sequence[tuple[Graph, Graph]]


def graph_of(document: Document) -> Graph:
    """A document as the readers lay it out."""
    tokens: list[Anchor] = []
    at = 0
    for word in document.words:
        tokens.append(Anchor(at, at + len(word)))
        at += len(word) + 1
    nodes: list[Node] = []
    edges: list[Edge] = []
    for number, spans in enumerate(document.entities):
        for first, last in spans:
            anchor = Anchor(tokens[first].start, tokens[last].end)
            edges.append(Edge(f"e{number}", len(nodes), "mention"))
            nodes.append(Node(len(nodes), None, (("kind", "mention"),), (anchor,)))
    entities = (
        Node(f"e{number}", None, (("kind", "entity"),))
        for number in range(len(document.entities))
    )
    return Graph(
        document.name,
        "coref",
        document=document.name,
        text=" ".join(document.words),
        tokens=tuple(tokens),
        nodes=(*nodes, *entities),
        edges=tuple(edges),
    )


def pairs(count: int, mentions: int) -> Pairs:
    """Gold documents beside what a system found."""
    return [
        (graph_of(each), graph_of(disturbed(each)))
        for each in documents(count, mentions)
    ]


def speed(
    metrics: Sequence[Metric], made: Pairs, seconds: float, details: bool = False
) -> tuple[float, float]:
    """Documents prepared and compared a second; one layout serves all metrics."""
    budget, done = Budget(), 0
    laid = spent = 0.0
    while spent < seconds or not done:
        start = time.process_time()
        prepared = [tuple(map(metrics[0].prepare, pair)) for pair in made]
        middle = time.process_time()
        for gold, system in prepared:
            for metric in metrics:
                metric.compare((gold,), (system,), budget=budget, details=details)
        spent += time.process_time() - middle
        laid += middle - start
        done += len(made)
    return 2 * done / laid, done / spent


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--mentions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = begin(parser)
    made = pairs(chosen.documents, chosen.mentions)
    found = sum(len(each.nodes) for _, each in made)
    print(f"{len(made)} documents of {chosen.mentions} mentions, {found} system nodes")
    metrics = [parse(name) for name in METRICS]
    prepared, together = speed(metrics, made, chosen.seconds)
    _, explained = speed(metrics, made, chosen.seconds, details=True)
    print(f"{'':18}{'documents/s':>12}")
    print(f"{'prepare':18}{prepared:12,.0f}")
    print(f"{'together':18}{together:12,.0f}")
    print(f"{'together, rows':18}{explained:12,.0f}")
    record("prepare", prepared, "documents/s")
    record("together", together, "documents/s")
    record("together, rows", explained, "documents/s")
    for spelled in (*METRICS, "conll(mentions=partial)"):
        _, alone = speed([parse(spelled)], made, chosen.seconds / 4)
        print(f"{spelled:24}{alone:12,.0f}")
        record(spelled, alone, "documents/s")
    print("growth, ms a document")
    for size in SIZES:
        few = pairs(max(1, 3_000 // size), size)
        laid, compared = speed(metrics, few, 0.5)
        record(f"{size} mentions, prepare", 2000 / laid, "ms")
        record(f"{size} mentions, compare", 1000 / compared, "ms")
        print(
            f"{size:8,}{1000 * 2 / laid:10.2f} prepare{1000 / compared:10.2f} compare"
        )


if __name__ == "__main__":
    main()
