"""Made-up pairs of any size: relations, events, entities and AMR-like graphs.

All are seeded; the system side is gold with errors in it.  Size counts relations,
arguments, mentions, or nodes.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import Argument, LayoutBuilder

WRONG = 0.2
"""Share of what is wrong."""

STEP = 10
"""Characters from one mention to the next."""


class Pair(NamedTuple):
    """A gold graph and a system's."""

    gold: Graph
    system: Graph


def at(place: int) -> Anchor:
    return Anchor(place * STEP, place * STEP + 5)


def relations(size: int, rng: random.Random) -> Pair:
    """Relations between neighbours; some of another type, some elsewhere."""
    gold, system = LayoutBuilder(), LayoutBuilder()
    for build in (gold, system):
        for place in range(size + 3):
            build.mention(f"E{place % 7}", [at(place)])
    for place in range(size):
        label, first, second = f"r{rng.randrange(20)}", place, place + 1
        gold.relation(label, [Argument("Arg1", first), Argument("Arg2", second)])
        if rng.random() < WRONG:
            label = f"r{rng.randrange(20)}"
        if rng.random() < WRONG:
            second += rng.randrange(1, 3)
        system.relation(label, [Argument("Arg1", first), Argument("Arg2", second)])
    return Pair(gold.graph("1", "relation"), system.graph("1", "relation"))


def events(size: int, rng: random.Random) -> Pair:
    """Events of three arguments; some of another type, role or mention."""
    gold, system = LayoutBuilder(), LayoutBuilder()
    for build in (gold, system):
        for place in range(size + 3):
            build.mention(None, [at(place)])
    for first in range(0, size, 3):
        label = f"t{rng.randrange(30)}"
        trigger = [Anchor(first * STEP + 6, first * STEP + 8)]
        roles = [(f"role{place % 5}", place) for place in range(first, first + 3)]
        roles = roles[: size - first]
        gold.trigger(label, trigger, [Argument(*each) for each in roles])
        said = []
        for role, place in roles:
            if rng.random() < WRONG:
                role = f"role{rng.randrange(5)}"
            if rng.random() < WRONG:
                place = min(place + 1, size + 2)
            said.append(Argument(role, place))
        if rng.random() < WRONG / 2:
            label = f"t{rng.randrange(30)}"
        system.trigger(label, trigger, said)
    return Pair(gold.graph("1", "event"), system.graph("1", "event"))


def entities(size: int, rng: random.Random) -> Pair:
    """Entities of one to seven mentions; some mentions in another one nearby."""
    chains: list[list[int]] = []
    place = 0
    while place < size:
        count = min(size - place, rng.randrange(1, 8))
        chains.append(list(range(place, place + count)))
        place += count
    said: list[list[int]] = [[] for _ in chains]
    for number, chain in enumerate(chains):
        for mention in chain:
            other = number
            if rng.random() < WRONG:
                other = min(len(chains) - 1, number + rng.randrange(1, 4))
            said[other].append(mention)
    return Pair(*(_chained(each, size) for each in (chains, said)))


def _chained(chains: list[list[int]], size: int) -> Graph:
    build = LayoutBuilder()
    for place in range(size):
        build.mention(None, [at(place)])
    for chain in filter(None, chains):
        build.entity(chain)
    return build.graph("1", "coref")


def amr(size: int, rng: random.Random) -> Pair:
    """Rooted graphs, a third of the nodes entered twice; ids tell nothing."""
    concepts = [f"c{rng.randrange(max(4, size // 2))}" for _ in range(size)]
    edges = [(rng.randrange(max(0, k - 6), k), k) for k in range(1, size)]
    edges += [(k, max(0, k - rng.randrange(2, 9))) for k in range(2, size, 3)]
    marked = [(*ends, f"ARG{rng.randrange(4)}") for ends in dict.fromkeys(edges)]
    said = [
        f"c{rng.randrange(max(4, size // 2))}" if rng.random() < WRONG / 2 else each
        for each in concepts
    ]
    kept = [each for each in marked if rng.random() > WRONG / 2]
    order = list(range(size))
    rng.shuffle(order)
    return Pair(
        _rooted(concepts, marked, list(range(size))), _rooted(said, kept, order)
    )


def _rooted(
    concepts: list[str], edges: list[tuple[int, int, str]], order: list[int]
) -> Graph:
    place = {number: k for k, number in enumerate(order)}
    return Graph(
        "1",
        "amr",
        2,
        nodes=tuple(Node(k, concepts[number]) for k, number in enumerate(order)),
        edges=tuple(Edge(place[one], place[two], role) for one, two, role in edges),
        tops=(place[0],),
    )
