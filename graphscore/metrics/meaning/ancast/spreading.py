"""Similarity that spreads from anchors over surroundings, in many sentences at once.

Sentences are small, and every array costs more than what is in it: so those of about
one size are laid on each other, with rows and columns of nothing where they are
smaller.  Nothing spreads to these, and the others are what they would be alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphscore.metrics.meaning.ancast.layout import Concepts, Floats

SPREADS = 50
"""How often similarity is passed on at most."""

CLOSE, RELATIVE = 1e-4, 1e-5
"""Where spreading has come to its end."""

STEP = 6
"""Sentences are of about one size where the larger sides are within as many nodes."""

MOST = 32
"""So many are laid on each other at most."""

Pair = tuple[Concepts, Concepts]
"""A sentence of the system, and that of gold."""


class _Stack(NamedTuple):
    """Sentences on each other: of arguments, then of predicates, who is near whom."""

    out: Floats
    out_to: Floats
    outer: Floats
    into: Floats
    into_to: Floats
    inner: Floats
    anchors: Floats

    def some(self, chosen: Any) -> _Stack:
        """Those of them that are chosen."""
        return _Stack(*(each[chosen] for each in self))


def spread(pairs: Sequence[Pair], anchors: Sequence[Floats]) -> list[Floats]:
    """How similar nodes of both sides are by what is around them.

    Args:
        pairs: sentences.
        anchors: 1 where two nodes are anchors, of shape (system, gold).

    Returns:
        An array for each of them, once it changes no longer.
    """
    found: list[Floats] = [np.empty(0)] * len(pairs)
    sizes = [max(each.shape) for each in anchors]
    order = sorted(range(len(pairs)), key=sizes.__getitem__)
    first = 0
    while first < len(order):
        last = first + 1
        while (
            last < len(order)
            and last - first < MOST
            and sizes[order[last]] <= sizes[order[first]] + STEP
        ):
            last += 1
        chosen = order[first:last]
        whole = _spread(
            _stacked([pairs[k] for k in chosen], [anchors[k] for k in chosen])
        )
        for place, k in enumerate(chosen):
            rows, columns = anchors[k].shape
            found[k] = whole[place, :rows, :columns]
        first = last
    return found


def _stacked(pairs: list[Pair], anchors: list[Floats]) -> _Stack:
    size = len(pairs)
    rows = max(each.shape[0] for each in anchors)
    columns = max(each.shape[1] for each in anchors)
    sides = []
    for direction in (0, 1):
        mine = np.zeros((size, rows, rows))
        theirs = np.zeros((size, columns, columns))
        for place, (system, gold) in enumerate(pairs):
            mine[place, : len(system), : len(system)] = system.reach[direction]
            theirs[place, : len(gold), : len(gold)] = gold.reach[direction].T
        sides.append((mine, theirs, _unlikeness(mine, theirs)))
    start = np.zeros((size, rows, columns))
    for place, each in enumerate(anchors):
        start[place, : each.shape[0], : each.shape[1]] = each
    return _Stack(*sides[0], *sides[1], start)


def _unlikeness(mine: Floats, theirs: Floats) -> Floats:
    """By what the similarity of surroundings is divided: of other sizes, the more."""
    rows, columns = mine.sum(axis=2)[:, :, None], theirs.sum(axis=1)[:, None, :]
    least = np.minimum(rows, columns)
    found: Floats = np.full(least.shape, np.inf)
    np.divide(np.maximum(rows, columns), least, out=found, where=least > 0)
    return found


def _spread(stack: _Stack) -> Floats:
    result = np.empty(stack.anchors.shape)
    left = np.arange(len(result))
    before = stack.anchors.copy()
    now, half, found = (np.empty(before.shape) for _ in range(3))
    for _ in range(SPREADS):
        np.matmul(stack.out, before, half)
        np.matmul(half, stack.out_to, now)
        np.divide(now, stack.outer, now)
        np.add(now, 1, now)
        np.matmul(stack.into, before, half)
        np.matmul(half, stack.into_to, found)
        np.divide(found, stack.inner, found)
        np.add(found, 1, found)
        np.multiply(now, found, now)
        np.subtract(now, 1, now)
        np.sqrt(now, now)
        most = now.max(axis=(1, 2), keepdims=True)
        most[most <= 0] = 1
        np.divide(now, most, now)
        np.maximum(now, stack.anchors, out=now)
        np.subtract(before, now, half)
        np.absolute(half, half)
        np.multiply(now, RELATIVE, found)
        np.add(found, CLOSE, found)
        done = (half <= found).all(axis=(1, 2))
        if done.any():
            result[left[done]] = now[done]
            rest = np.logical_not(done)
            left = left[rest]
            if not len(left):
                return result
            stack = stack.some(rest)
            before = now[rest]
            now, half, found = (np.empty(before.shape) for _ in range(3))
        else:
            before, now = now, before
    result[left] = before
    return result
