"""Graphs that say little: what the default budget finds, proves and costs.

    python -m benchmarks.hard [--only WORD]

One label for all nodes, one for all edges.  Where the best map is known (the same graph
with its nodes renamed, cycles, cliques) the table has what it matches; elsewhere only
map and bound.  Each pair runs in a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from subprocess import PIPE

import networkx as nx

from benchmarks.history import begin, record, recorded
from tests.correspondence.families import (
    Pairs,
    alike,
    at_random,
    clique,
    cycle,
    grid,
    renamed,
    tree,
)

Family = tuple[Pairs, Pairs, int, int | None]


def regular(size: int, degree: int, seed: int) -> Pairs:
    """A graph in which every node has as many neighbours."""
    return sorted(nx.random_regular_graph(degree, size, seed).edges)


def disturbed(pairs: Pairs, size: int, count: int, seed: int) -> Pairs:
    """So many edges taken away and put elsewhere."""
    others = [pair for pair in at_random(size, len(pairs), seed) if pair not in pairs]
    return sorted(pairs)[count:] + others[:count]


def families() -> dict[str, Family]:
    """Gold, system, number of nodes, and matched edges of the best map if known."""
    small, wide = at_random(200, 1000, 1), at_random(2000, 6000, 1)
    found: dict[str, Family] = {}
    for size in (10, 15, 20, 30, 40):
        pair = at_random(size, 2 * size, 1), at_random(size, 2 * size, 2)
        found[f"random {size}, {2 * size} edges"] = *pair, size, None
    found |= {
        "random 200, 1,000 edges": (small, at_random(200, 1000, 2), 200, None),
        "the same, renamed": (small, small, 200, 1000),
        "5 % of it moved": (small, disturbed(small, 200, 50, 3), 200, None),
        "regular 200, degree 5": (regular(200, 5, 1), regular(200, 5, 2), 200, None),
        "the same, renamed ": (regular(200, 5, 1), regular(200, 5, 1), 200, 500),
        "trees of 200": (tree(200, 1), tree(200, 2), 200, None),
        "one tree, renamed": (tree(200, 1), tree(200, 1), 200, 199),
        "tree, 5 % moved": (
            tree(200, 1),
            disturbed(tree(200, 1), 200, 10, 3),
            200,
            None,
        ),
        "grid of 14 x 14, renamed": (grid(14), grid(14), 196, 364),
        "cycle of 100, two of 50": (cycle(100), cycle(50) + cycle(50, 50), 100, 98),
        "clique of 40": (clique(40), clique(40), 40, 1560),
        "clique of 200": (clique(200), clique(200), 200, 39_800),
        "random 2,000, 6,000 edges": (wide, at_random(2000, 6000, 2), 2000, None),
        "the same, renamed  ": (wide, wide, 2000, 6000),
        "cycle of 1,000, two of 500": (
            cycle(1000),
            cycle(500) + cycle(500, 500),
            1000,
            998,
        ),
    }
    return found


def measure(name: str) -> None:
    """One line of the table."""
    from graphscore.correspondence import solve
    from graphscore.metrics.meaning.overlap import COUPLINGS

    gold, system, size, best = families()[name]
    joined = len(gold) * len(system) <= COUPLINGS
    problem = alike(gold, renamed(system, size, 7), size, joined)
    start = time.process_time()
    found = solve(problem)
    spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    known = "" if best is None else f"{best:,}"
    print(
        f"| {name.strip()} | {known} | {found.score - size:,} | "
        f"{found.bound - size:,} | {found.method} | {found.steps:,} | "
        f"{spent:.1f} | {memory:,.0f} |",
        flush=True,
    )


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    chosen = begin(parser)
    print("| family | best | matched | bound | how | steps | CPU s | MB |")
    print("|---|---|---|---|---|---|---|---|")
    for name in families():
        if chosen.only in name:
            # A process of its own, so that its memory is its own.
            work = f"from benchmarks.hard import measure; measure({name!r})"
            command = [sys.executable, "-c", work]
            line = subprocess.run(command, check=True, stdout=PIPE, text=True).stdout
            print(line, end="", flush=True)
            seconds, memory = (cell.replace(",", "") for cell in line.split("|")[7:9])
            record(f"{name.strip()}, CPU", float(seconds), "s")
            record(f"{name.strip()}, memory", float(memory), "MiB")


if __name__ == "__main__":
    main()
