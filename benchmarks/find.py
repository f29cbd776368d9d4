"""Patterns over a large store: seconds of each, hits, and how they were counted.

    python -m benchmarks.find [--graphs 40000] [--store FILE | --url URL] [--only WORD]

The graphs are made up: 18 nodes and as many edges each, with labels as skewed as those
of semantic dependencies; a system that has lost, added or changed some of them is
scored against them by ``mrp``.  A store that is there already is asked as it is.  The
best of three rounds counts, in processor time and by the clock, as which a server's
time is told.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from random import Random

import msgspec

from benchmarks.history import begin, record, recorded
from graphscore import Anchor, Edge, Graph, Node, Options, Store

PATTERNS = {
    "one label": "pattern { X -[ARG3]-> Y }",
    "a frequent label": "pattern { X -[ARG1]-> Y }",
    "two labels": "pattern { V -[ARG1]-> A; V -[ARG2]-> B }",
    "reentrancy": "pattern { V -[ARG1]-> A; W -[ARG2]-> A }",
    "control, three nodes": "pattern { V -[ARG1]-> A; V -[ARG2]-> W; W -[ARG1]-> A }",
    "four nodes": "pattern { V -[ARG2]-> W; W -[ARG1]-> A; A -[mod]-> B }",
    "a square": "pattern { A -[ARG1]-> B; A -[ARG2]-> C; B -[mod]-> D; C -[BV]-> D }",
    "labels of nodes": "pattern { V [label=w7]; V -[ARG1]-> A; A [label=w11] }",
    "regular expression": 'pattern { V [label=re"w1.7"]; V -[re"ARG[12]"]-> A }',
    "a property": "pattern { V [pos=VB]; V -[ARG3]-> A; A [pos=NN] }",
    "without": "pattern { V -[ARG1]-> A } without { V -[ARG2]-> B }",
    "order": "pattern { V -[ARG3]-> A; A << V }",
    "missing edges": "pattern { missing(V -[ARG2]-> A) }",
    "surplus edges": "pattern { surplus(V -[ARG2]-> A) }",
    "matched edges": "pattern { e: V -[ARG2]-> A; matched(e) }",
    "missing edges in context": "pattern { V -[ARG1]-> A; missing(V -[ARG2]-> B) }",
    "four nodes, one missing": "pattern { V -[ARG2]-> W; missing(W -[ARG1]-> A); "
    "A -[mod]-> B }",
    "missing nodes": "pattern { V -[ARG3]-> A; missing(A) }",
    "matched nodes": "pattern { V -[ARG3]-> A; matched(V); matched(A) }",
    "wrong labels": "pattern { V -[ARG3]-> A; wrong(A.label) }",
    "surplus nodes": "pattern { V -[ARG2]-> A; surplus(A) }",
    "wrong labels, system": "system { V -[ARG2]-> A; wrong(A.label) }",
    "wrong properties": "pattern { V -[ARG2]-> A; wrong(A.pos) }",
    "wrong edges": "pattern { e: V -[ARG2]-> A; wrong(e.label) }",
    "surplus in place": "pattern { V -[ARG2]-> A; surplus(V -[ARG1]-> A) }",
    "confusions": "gold { V -[ARG2]-> A } system { V -[ARG1]-> A }",
    "confusions in context": "gold { V -[ARG2]-> A; V -[ARG1]-> B } "
    "system { V -[ARG1]-> A }",
    "lost between two": "gold { V -[ARG2]-> A } without { system { V -> A } }",
    "unlabelled, two edges": "pattern { A -> B; B -> C }",
    "unlabelled, three edges": "pattern { A -> B; B -> C; C -> D }",
}

ROLES = ("ARG1",) * 8 + ("ARG2",) * 4 + ("BV",) * 3 + ("mod",) * 2 + ("ARG3",)

SIZE = 18
"""Nodes and edges of a graph."""


def graph(chance: Random, number: int) -> Graph:
    """A graph with as many edges as nodes."""
    labels = [f"w{int(chance.paretovariate(0.6)) % 5000}" for _ in range(SIZE)]
    nodes = tuple(
        Node(
            *(k, label, (("pos", chance.choice(("NN", "NN", "VB", "JJ", "DT"))),)),
            (Anchor(6 * k, 6 * k + 5),),
        )
        for k, label in enumerate(labels)
    )
    edges = tuple(edge(chance, range(SIZE)) for _ in range(SIZE))
    text = " ".join(f"{label:5.5}" for label in labels)
    return Graph(f"i{number}", "dm", 0, text=text, nodes=nodes, edges=edges, tops=(0,))


def edge(chance: Random, nodes: range | list[int]) -> Edge:
    """An edge between two of some nodes."""
    source, target = chance.sample(nodes, 2)
    return Edge(source, target, chance.choice(ROLES))


def parsed(chance: Random, gold: Graph) -> Graph:
    """What a parser would say: most of it."""
    nodes = [
        msgspec.structs.replace(
            node,
            label="w1" if chance.random() < 0.3 else node.label,
            properties=(("pos", "FW"),) if chance.random() < 0.26 else node.properties,
        )
        for node in gold.nodes
        if node.id == 0 or chance.random() < 0.95
    ]
    there = [int(node.id) for node in nodes]
    edges = [
        msgspec.structs.replace(each, label="ARG1") if chance.random() < 0.1 else each
        for each in gold.edges
        if {each.source, each.target} <= {*there} and chance.random() < 0.85
    ]
    edges += [edge(chance, there) for _ in range(SIZE - len(edges))]
    return msgspec.structs.replace(gold, nodes=tuple(nodes), edges=tuple(edges))


def fill(store: Store, graphs: int) -> None:
    """Put both sides in, score, and say how large everything is."""
    chance = Random(7)
    golds = [graph(chance, number) for number in range(graphs)]
    systems = [parsed(chance, each) for each in golds]
    start = time.process_time()
    store.add(golds, "gold")
    store.add(systems, "system")
    spent = time.process_time() - start
    print(f"ingest {spent:.1f} s of CPU")
    record("ingest", spent, "s")
    start = time.process_time()
    store.score("gold", "system", "mrp", Options(details=True))
    spent = time.process_time() - start
    print(f"score {spent:.1f} s of CPU")
    record("score", spent, "s")


def ask(store: Store, only: str) -> None:
    """Count the hits of every pattern."""
    sizes = {}
    for table in ("graph", "edge", "correspondence", "error"):
        _, rows = store.query(f"select count(*) from {table}")
        [(sizes[table],)] = rows
    print(", ".join(f"{table} {rows:,}" for table, rows in sizes.items()))
    for name, pattern in PATTERNS.items():
        if only not in name:
            continue
        spent, passed = [], []
        for _ in range(3):
            start = time.process_time(), time.perf_counter()
            found = store.find(pattern, gold="gold", system="system", items=False)
            spent.append(time.process_time() - start[0])
            passed.append(time.perf_counter() - start[1])
        record(name, min(spent), "s")
        print(
            f"{name:28}{min(spent):8.2f} s of CPU{min(passed):8.2f} s"
            f"{found.hits:12,} hits",
            flush=True,
        )


@recorded
def main() -> None:
    """Make the store, ask, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=40_000)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--only", default="")
    asked = begin(parser)
    with tempfile.TemporaryDirectory() as folder:
        path = asked.url or asked.store or Path(folder) / "find.db"
        with Store(path, mode="create") as store:
            if "gold" not in [each.name for each in store.collections()]:
                fill(store, asked.graphs)
        if not asked.url:
            print(f"{Path(path).stat().st_size / 1e6:,.0f} MB")
        with Store(path) as store:
            ask(store, asked.only)


if __name__ == "__main__":
    main()
