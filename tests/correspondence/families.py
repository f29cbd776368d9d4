"""Graphs that say little: one label throughout, and what their best map earns."""

from __future__ import annotations

import random

import numpy as np

from graphscore.correspondence import LinkPairs, Problem
from graphscore.correspondence.edge_groups import EdgeGroups, Edges

Pairs = list[tuple[int, int]]


def cycle(size: int, first: int = 0) -> Pairs:
    """Nodes in a ring."""
    return [(first + k, first + (k + 1) % size) for k in range(size)]


def clique(size: int) -> Pairs:
    """Every node to every other."""
    return [(i, j) for i in range(size) for j in range(size) if i != j]


def tree(size: int, seed: int) -> Pairs:
    """A tree in which every node hangs below one that was there before."""
    rng = random.Random(seed)
    return [(rng.randrange(k), k) for k in range(1, size)]


def grid(side: int) -> Pairs:
    """Nodes on a square, each to its right and to the one below."""
    places = [(i, j) for i in range(side) for j in range(side)]
    right = [(i * side + j, i * side + j + 1) for i, j in places if j + 1 < side]
    below = [(i * side + j, (i + 1) * side + j) for i, j in places if i + 1 < side]
    return right + below


def at_random(size: int, edges: int, seed: int) -> Pairs:
    """So many edges between any two nodes."""
    rng = random.Random(seed)
    found: set[tuple[int, int]] = set()
    while len(found) < edges:
        one, two = rng.randrange(size), rng.randrange(size)
        if one != two:
            found.add((one, two))
    return sorted(found)


def renamed(pairs: Pairs, size: int, seed: int) -> Pairs:
    """The same graph with its nodes in another order."""
    names = list(range(size))
    random.Random(seed).shuffle(names)
    return [(names[one], names[two]) for one, two in pairs]


def edges_of(pairs: Pairs, keys: list[int] | None = None) -> Edges:
    """Edges that all say the same, or what *keys* says."""
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    said = np.zeros(len(pairs)) if keys is None else np.array(keys)
    return Edges(
        table[:, 0].copy(),
        table[:, 1].copy(),
        said.astype(np.int64),
        np.ones(len(pairs), dtype=np.int64),
    )


def problem_of(
    gold: Edges, system: Edges, reward: np.ndarray, joined: bool = True
) -> Problem:
    """The problem of two graphs, its couplings written out or not."""
    left = right = np.empty(0, dtype=np.int64)
    if joined:
        left, right = np.nonzero(gold.key[:, None] == system.key[None, :])
    links = LinkPairs(
        gold.source[left],
        gold.target[left],
        system.source[right],
        system.target[right],
        gold.amount[left] * system.amount[right],
    )
    rows, columns = reward.shape

    def edges() -> EdgeGroups:
        return EdgeGroups(gold, system, (rows, columns))

    return Problem(reward, links, edges=edges, joined=joined)


def alike(gold: Pairs, system: Pairs, size: int, joined: bool = True) -> Problem:
    """The problem of two graphs of one size, all nodes and all edges alike."""
    reward = np.ones((size, size), dtype=np.int64)
    return problem_of(edges_of(gold), edges_of(system), reward, joined)
