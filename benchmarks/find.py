"""Patterns over a large store: seconds of each, hits, and how they were counted.

    python -m benchmarks.find [--graphs 40000]

The graphs are made up: 18 nodes and about as many edges each, with labels as skewed as
those of semantic dependencies; a system that has lost or changed some of them is scored
against them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from random import Random

import msgspec

from graphscore import Anchor, Edge, Graph, Node, Options, Store

PATTERNS = {
    "one label": "pattern { X -[ARG3]-> Y }",
    "two labels": "pattern { V -[ARG1]-> A; V -[ARG2]-> B }",
    "control, three nodes": "pattern { V -[ARG1]-> A; V -[ARG2]-> W; W -[ARG1]-> A }",
    "four nodes": "pattern { V -[ARG2]-> W; W -[ARG1]-> A; A -[mod]-> B }",
    "labels of nodes": "pattern { V [label=w7]; V -[ARG1]-> A; A [label=w11] }",
    "regular expression": 'pattern { V [label=re"w1.7"]; V -[re"ARG[12]"]-> A }',
    "a property": "pattern { V [pos=VB]; V -[ARG3]-> A; A [pos=NN] }",
    "without": "pattern { V -[ARG1]-> A } without { V -[ARG2]-> B }",
    "order": "pattern { V -[ARG3]-> A; A << V }",
    "missing edges": "pattern { missing(V -[ARG2]-> A) }",
    "missing edges in context": "pattern { V -[ARG1]-> A; missing(V -[ARG2]-> B) }",
    "missing nodes": "pattern { V -[ARG3]-> A; missing(A) }",
    "wrong labels": "pattern { V -[ARG3]-> A; wrong(A.label) }",
    "confusions": "gold { V -[ARG2]-> A } system { V -[ARG1]-> A }",
    "unlabelled, three edges": "pattern { A -> B; B -> C; C -> D }",
}


def graph(chance: Random, number: int) -> Graph:
    """A graph of 18 nodes."""
    size = 18
    labels = [f"w{int(chance.paretovariate(0.6)) % 5000}" for _ in range(size)]
    nodes = tuple(
        Node(
            *(k, label, (("pos", chance.choice(("NN", "NN", "VB", "JJ", "DT"))),)),
            (Anchor(6 * k, 6 * k + 5),),
        )
        for k, label in enumerate(labels)
    )
    roles = ("ARG1",) * 8 + ("ARG2",) * 4 + ("BV",) * 3 + ("mod",) * 2 + ("ARG3",)
    ends = [chance.sample(range(size), 2) for _ in range(size)]
    edges = tuple(Edge(one, two, chance.choice(roles)) for one, two in ends)
    text = " ".join(f"{label:5.5}" for label in labels)
    return Graph(f"i{number}", "dm", 0, text=text, nodes=nodes, edges=edges, tops=(0,))


def parsed(chance: Random, gold: Graph) -> Graph:
    """What a parser would say: most of it."""
    edges = tuple(
        msgspec.structs.replace(edge, label="ARG1") if chance.random() < 0.1 else edge
        for edge in gold.edges
        if chance.random() < 0.8
    )
    nodes = tuple(
        msgspec.structs.replace(node, label="w1") if chance.random() < 0.2 else node
        for node in gold.nodes
    )
    return msgspec.structs.replace(gold, nodes=nodes, edges=edges)


def main() -> None:
    """Make the store, ask, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=40_000)
    asked = parser.parse_args()
    chance = Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "find.db"
        with Store(path, mode="create") as store:
            golds = [graph(chance, number) for number in range(asked.graphs)]
            store.add(golds, "gold")
            store.add([parsed(chance, each) for each in golds], "system")
            options = Options(jobs=os.cpu_count() or 1)
            store.score("gold", "system", "sdp", options)
            _, rows = store.query("select count(*) from error")
            print(
                f"{asked.graphs:,} graphs, {18 * asked.graphs:,} edges on each side, "
                f"{next(rows)[0]:,} errors"
            )
        with Store(path) as store:
            for name, pattern in PATTERNS.items():
                spent = []
                for _ in range(3):
                    start = time.perf_counter()
                    found = store.find(
                        pattern, gold="gold", system="system", items=False
                    )
                    spent.append(time.perf_counter() - start)
                print(f"{name:28}{min(spent):8.2f} s{found.hits:12,} hits", flush=True)


if __name__ == "__main__":
    main()
