"""Concept mapping of AnCast: anchors first, then greedily by similarity.

Sun and Xue 2024, "Anchor and Broadcast: An Efficient Concept Alignment Approach for
Evaluation of Semantic Graphs".  Pairs of nodes whose concept is the only one of its
name on either side, and stands in the sentence, are anchors.  Similarity spreads from
them over nodes at most two steps away, and what is then most like each other is an
anchor in the next round.  After at most five rounds the rest is paired greedily.
Everything is in the order of the program's arithmetic, so that rounding is the same.

**Spreading,** in many sentences at once.  Sentences are small, and every array costs
more than what is in it: so those of about one size are laid on each other, with rows
and columns of nothing where they are smaller.  Nothing spreads to these, and the
others are what they would be alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from graphscore.metrics.meaning.ancast.layout import Concepts, Floats

SPREADS = 50
"""Maximum number of rounds in which similarity is propagated."""

CLOSE, RELATIVE = 1e-4, 1e-5
"""Absolute and relative tolerance at which propagation has converged."""

STEP = 6
"""Sentences are of about one size where the larger sides are within as many nodes."""

MOST = 32
"""Maximum number of sentences that are stacked in one array."""

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
        return _Stack(*(array[chosen] for array in self))


def spread(pairs: Sequence[Pair], anchors: Sequence[Floats]) -> list[Floats]:
    """Propagate similarity from the neighbors of nodes, starting from anchors.

    Args:
        pairs: sentences.
        anchors: 1 where two nodes are anchors, of shape (system, gold).

    Returns:
        An array for each of them, once it changes no longer.
    """
    result: list[Floats] = [np.empty(0)] * len(pairs)
    sizes = [max(anchor.shape) for anchor in anchors]
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
        for index, k in enumerate(chosen):
            rows, columns = anchors[k].shape
            result[k] = whole[index, :rows, :columns]
        first = last
    return result


def _stacked(pairs: list[Pair], anchors: list[Floats]) -> _Stack:
    size = len(pairs)
    rows = max(anchor.shape[0] for anchor in anchors)
    columns = max(anchor.shape[1] for anchor in anchors)
    sides = []
    for direction in (0, 1):
        left = np.zeros((size, rows, rows))
        right = np.zeros((size, columns, columns))
        for index, (system, gold) in enumerate(pairs):
            left[index, : len(system), : len(system)] = system.reach[direction]
            right[index, : len(gold), : len(gold)] = gold.reach[direction].T
        sides.append((left, right, _unlikeness(left, right)))
    start = np.zeros((size, rows, columns))
    for index, anchor in enumerate(anchors):
        start[index, : anchor.shape[0], : anchor.shape[1]] = anchor
    return _Stack(*sides[0], *sides[1], start)


def _unlikeness(left: Floats, right: Floats) -> Floats:
    """By what the similarity of surroundings is divided: of other sizes, the more."""
    rows, columns = left.sum(axis=2)[:, :, None], right.sum(axis=1)[:, None, :]
    least = np.minimum(rows, columns)
    floats: Floats = np.full(least.shape, np.inf)
    np.divide(np.maximum(rows, columns), least, out=floats, where=least > 0)
    return floats


def _spread(stack: _Stack) -> Floats:
    result = np.empty(stack.anchors.shape)
    left = np.arange(len(result))
    before = stack.anchors.copy()
    now, half, product = (np.empty(before.shape) for _ in range(3))
    for _ in range(SPREADS):
        np.matmul(stack.out, before, half)
        np.matmul(half, stack.out_to, now)
        np.divide(now, stack.outer, now)
        np.add(now, 1, now)
        np.matmul(stack.into, before, half)
        np.matmul(half, stack.into_to, product)
        np.divide(product, stack.inner, product)
        np.add(product, 1, product)
        np.multiply(now, product, now)
        np.subtract(now, 1, now)
        np.sqrt(now, now)
        most = now.max(axis=(1, 2), keepdims=True)
        most[most <= 0] = 1
        np.divide(now, most, now)
        np.maximum(now, stack.anchors, out=now)
        np.subtract(before, now, half)
        np.absolute(half, half)
        np.multiply(now, RELATIVE, product)
        np.add(product, CLOSE, product)
        done = (half <= product).all(axis=(1, 2))
        if done.any():
            result[left[done]] = now[done]
            rest = np.logical_not(done)
            left = left[rest]
            if not len(left):
                return result
            stack = stack.some(rest)
            before = now[rest]
            now, half, product = (np.empty(before.shape) for _ in range(3))
        else:
            before, now = now, before
    result[left] = before
    return result


ROUNDS = 5
"""Maximum number of rounds in which anchors are found anew."""

LEAST, FLOOR, DIGITS = 1e-3, 0.2, 4
"""Thresholds for the similarity of surroundings and of concepts; decimals kept."""

UNLIKE = 0.9
"""Factor of the similarity of two concepts that differ in sense."""


@lru_cache(maxsize=1 << 16)
def alike(left: str, right: str) -> float:
    """Return the string similarity of two names: the share of the longer that matches.

    >>> alike("rain", "raining"), alike("rain", "snow"), alike("", "")
    (0.5714285714285714, 0.0, 1.0)
    """
    if left == right:
        return 1.0
    if left in right:
        return len(left) / len(right)
    return len(right) / len(left) if right in left else 0.0


def named_alike(system: Concepts, gold: Concepts) -> Floats:
    """Compute the similarity of concepts: system in rows, gold in columns.

    Args:
        system: the system's sentence.
        gold: that of gold.
    """
    rows: dict[str, list[float]] = {}
    for name in system.names:
        if name not in rows:
            rows[name] = [alike(name, gold_name) for gold_name in gold.names]
    likeness = np.array([rows[name] for name in system.names])
    same = system.senses[:, None] == gold.senses[None, :]
    shape = len(system), len(gold)
    result: Floats = likeness.reshape(shape) * np.where(same, 1.0, UNLIKE)
    return result


def first_similarity(system: Concepts, gold: Concepts, named: Floats) -> Floats:
    """Compute the initial similarity of nodes from concepts and shared attributes.

    What names are made of (``op1``...) belongs to them.

    Args:
        system: the system's sentence.
        gold: that of gold.
        named: how similar their concepts are.
    """
    similarity = named.copy()
    longer = [k for k, name in enumerate(system.wholes) if name != system.names[k]]
    cells = {(row, column) for row in longer for column in range(len(gold))}
    longer = [k for k, name in enumerate(gold.wholes) if name != gold.names[k]]
    cells |= {(row, column) for row in range(len(system)) for column in longer}
    for row, column in cells:
        likeness = alike(system.wholes[row], gold.wholes[column])
        same = system.senses[row] == gold.senses[column]
        similarity[row, column] = likeness if same else likeness * UNLIKE
    system_values, gold_values = (
        _by_name(sentence.attributes) for sentence in (system, gold)
    )
    names = system_values.keys() & gold_values.keys()
    if not names:
        return similarity
    size = len(gold)
    shared = [0] * (len(system) * size)
    equal = shared.copy()
    for name in names:
        others = gold_values[name]
        for row, value in system_values[name]:
            first = row * size
            for column, gold_value in others:
                shared[first + column] += 1
                if value == gold_value:
                    equal[first + column] += 1
    both, right = (
        np.array(sentence, dtype=np.float64).reshape(similarity.shape)
        for sentence in (shared, equal)
    )
    means = right / np.maximum(both, 1)
    result: Floats = np.where(both > 0, (similarity + means) / 2, similarity)
    return result


def _by_name(attributes: list[dict[str, str]]) -> dict[str, list[tuple[int, str]]]:
    result: dict[str, list[tuple[int, str]]] = {}
    for number, attribute in enumerate(attributes):
        for name, value in attribute.items():
            result.setdefault(name, []).append((number, value))
    return result


def first_anchors(system: Concepts, gold: Concepts) -> Floats:
    """Pairs whose concept is the only one of its name on both sides, and in the text.

    The text is the system's, as it is in the program.
    """
    zeros = np.zeros((len(system), len(gold)))
    left, right = Counter(system.names), Counter(gold.names)
    column_of = {name: index for index, name in enumerate(gold.names)}
    for row, name in enumerate(system.names):
        if left[name] == right.get(name) == 1 and name in system.text:
            zeros[row, column_of[name]] = 1
    return zeros


def greedy_maps(pairs: Sequence[Pair], named: Sequence[Floats]) -> list[dict[int, int]]:
    """The gold node of each node of the system, as AnCast pairs them.

    Many sentences are quicker at once.

    Args:
        pairs: sentences of the system with those of gold.
        named: how similar their concepts are.
    """
    result: list[dict[int, int]] = [{} for _ in pairs]
    left = [k for k, (system, gold) in enumerate(pairs) if len(system) and len(gold)]
    similar = {k: first_similarity(*pairs[k], named[k]) for k in left}
    anchors = {k: first_anchors(*pairs[k]) for k in left}
    for number in range(ROUNDS):
        around = spread([pairs[k] for k in left], [anchors[k] for k in left])
        more = []
        for k, near in zip(left, around, strict=True):
            worth = np.around((near + LEAST) * (similar[k] + FLOOR), decimals=DIGITS)
            before, anchors[k] = anchors[k], _mutual(worth, *pairs[k])
            if number < ROUNDS - 1 and (anchors[k] > before).any():
                more.append(k)
                continue
            cells = zip(*np.nonzero(anchors[k]), strict=True)
            result[k] = {int(row): int(column) for row, column in cells}
            result[k] |= _rest(worth, result[k], *pairs[k])
        left = more
    return result


def _shared(left: set[str], right: set[str]) -> float:
    both = left | right
    return len(left & right) / len(both) if both else 0.0


def _mutual(worth: Floats, system: Concepts, gold: Concepts) -> Floats:
    """Pairs that are each other's most similar; of several, by the roles they share.

    What would be decided by roles for the first node of the other side is not decided:
    the program takes its number, 0, for none.
    """
    left = _choices(worth, system.roles, gold.roles)
    right = _choices(worth.T, gold.roles, system.roles)
    zeros = np.zeros(worth.shape)
    for index, chosen in enumerate(left):
        if chosen is not None and right[chosen] == index:
            zeros[index, chosen] = 1
    return zeros


def _choices(
    worth: Floats, left: list[set[str]], right: list[set[str]]
) -> list[int | None]:
    choices: list[int | None] = []
    # Lists are quicker than arrays that are so small.
    for number, row in enumerate(worth.tolist()):
        best = max(row)
        if row.count(best) == 1:
            choices.append(row.index(best))
            continue
        tied = [index for index, value in enumerate(row) if value == best]
        shares = [_shared(left[number], right[candidate]) for candidate in tied]
        most = max(shares)
        chosen = tied[shares.index(most)]
        choices.append(chosen if chosen and shares.count(most) == 1 else None)
    return choices


def _rest(
    worth: Floats, paired: dict[int, int], system: Concepts, gold: Concepts
) -> dict[int, int]:
    """Map the remaining nodes, most similar first; ties by roles, then by order."""
    taken = set(paired.values())
    rows = [node for node in range(len(system)) if node not in paired]
    columns = [node for node in range(len(gold)) if node not in taken]
    order = sorted(
        (
            -worth[row, column],
            -_shared(system.roles[row], gold.roles[column]),
            row,
            column,
        )
        for row in rows
        for column in columns
    )
    more: dict[int, int] = {}
    used: set[int] = set()
    for _, _, row, column in order:
        if row not in more and column not in used:
            more[row] = column
            used.add(column)
    return more
