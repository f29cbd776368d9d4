"""Ordered trees (eq. 37 with what is above and what is left): what the tables cost.

    python -m benchmarks.trees [--nodes N ...]

Two trees each that have nothing to do with one another, five labels: in *any* a node
stands below any of those before it, in *near* below one of the five before it, with its
siblings in any order, in *binary* two below each, in *comb* below every second.  Equal
labels only, and all edits at a cost of 1, where every pair of nodes counts.  Times are
of scores without an explanation.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from benchmarks.history import begin, record, recorded
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import tree_edit

SHAPES: dict[str, Callable[[int, random.Random], int]] = {
    "any": lambda node, rng: rng.randrange(node),
    "near": lambda node, rng: rng.randrange(max(0, node - 5), node),
    "binary": lambda node, rng: (node - 1) // 2,
    "comb": lambda node, rng: max(0, node - 2 + node % 2),
}
"""Below which node a node stands."""


def drawn(shape: str, size: int, seed: int) -> Graph:
    """A tree."""
    rng = random.Random(seed)
    edges = [Edge(SHAPES[shape](node, rng), node) for node in range(1, size)]
    if shape == "near":
        rng.shuffle(edges)
    return Graph(
        id=str(seed),
        framework="tree",
        nodes=tuple(Node(k, rng.choice("abcde")) for k in range(size)),
        edges=tuple(edges),
    )


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[100, 300, 1000])
    chosen = begin(parser)
    print(
        "| trees | nodes | equal labels: CPU s | all edits: CPU s | steps | distance |"
    )
    print("|---|---|---|---|---|---|")
    for shape in SHAPES:
        for size in chosen.nodes:
            gold, system = drawn(shape, size, 1), drawn(shape, size, 2)
            spent = []
            for name, cost in (("equal", 2), ("edits", 1)):
                start = time.process_time()
                found = tree_edit(replace=cost).score(gold, system)
                spent.append(time.process_time() - start)
                record(f"{shape}, {size} nodes, {name}", spent[-1], "s")
                away = found.gold + found.system - 2 * found.matched
                steps, proven = found.proof.steps, "" if found.proven else " (open)"
                # What was compared is a million pairs: it goes off the clock.
                del found
            print(
                f"| {shape} | {size:,} | {spent[0]:.2f} | {spent[1]:.2f} | "
                f"{steps:,} | {away:g}{proven} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
