"""Orders of reachability (eq. 37): what the default budget finds, proves and costs.

    python -m benchmarks.orders [--nodes N] [--seeds N]

Graphs without cycles with two labels: pairs that have nothing to do with one another,
drawn with as many edges a node as the table says, at two seeds.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.history import begin, record, recorded
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import exact, f1, label, match, nodes, reachable

DENSITIES = (0.5, 1, 2, 4)
"""Edges for each node."""


def drawn(size: int, count: int, seed: int) -> Graph:
    """A graph without cycles, its nodes in no order."""
    rng = random.Random(seed)
    ends: set[tuple[int, int]] = set()
    while len(ends) < count:
        one, two = rng.randrange(size), rng.randrange(size)
        if one < two:
            ends.add((one, two))
    place = list(range(size))
    rng.shuffle(place)
    return Graph(
        id=str(seed),
        framework="amr",
        nodes=tuple(Node(k, rng.choice("ab")) for k in range(size)),
        edges=tuple(Edge(place[s], place[t]) for s, t in sorted(ends)),
    )


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[20, 30, 40, 100])
    parser.add_argument("--seeds", type=int, default=2)
    chosen = begin(parser)
    formula = f1(match(nodes(), exact(label), order=reachable()))
    print("| nodes | edges a node | seed | matched | gap | steps | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for size in chosen.nodes:
        for density in DENSITIES:
            for seed in range(1, chosen.seeds + 1):
                count = int(size * density)
                gold, system = drawn(size, count, seed), drawn(size, count, seed + 100)
                start = time.process_time()
                found = formula.score(gold, system)
                spent = time.process_time() - start
                print(
                    f"| {size} | {density} | {seed} | {found.matched} | "
                    f"{found.proof.gap:g} | {found.proof.steps:,} | {spent:.2f} |",
                    flush=True,
                )
                record(f"{size} nodes, {density} edges, seed {seed}", spent, "s")


if __name__ == "__main__":
    main()
