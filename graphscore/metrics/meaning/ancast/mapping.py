"""Which concept is which: the map that AnCast finds, anchors first and then greedily.

Sun and Xue 2024, "Anchor and Broadcast: An Efficient Concept Alignment Approach for
Evaluation of Semantic Graphs".  Pairs of nodes whose concept is the only one of its
name on either side, and stands in the sentence, are anchors.  Similarity spreads from
them over nodes at most two steps away, and what is then most like each other is an
anchor in the next round.  After at most five rounds the rest is paired greedily.
Everything is in the order of the program's arithmetic, so that rounding is the same.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from graphscore.metrics.meaning.ancast.layout import Concepts, Floats

ROUNDS, SPREADS = 5, 50
CLOSE, RELATIVE = 1e-4, 1e-5
"""Where spreading has come to its end."""

LEAST, FLOOR, DIGITS = 1e-3, 0.2, 4
"""What similarity of surroundings and of concepts is at least; how it is rounded."""

UNLIKE = 0.9
"""What the similarity of concepts of two senses is multiplied by."""


@lru_cache(maxsize=1 << 16)
def alike(one: str, two: str) -> float:
    """How similar two names are: how much of the longer the shorter is, within it.

    >>> alike("rain", "raining"), alike("rain", "snow"), alike("", "")
    (0.5714285714285714, 0.0, 1.0)
    """
    if one == two:
        return 1.0
    if one in two:
        return len(one) / len(two)
    return len(two) / len(one) if two in one else 0.0


def named_alike(system: Concepts, gold: Concepts, ops: bool = False) -> Floats:
    """How similar concepts are, of the system in rows and of gold in columns.

    Args:
        system: the system's sentence.
        gold: that of gold.
        ops: whether what names are made of (``op1``...) belongs to them.
    """
    mine, theirs = (system.wholes, gold.wholes) if ops else (system.names, gold.names)
    found = np.array([[alike(a, b) for b in theirs] for a in mine])
    same = system.senses[:, None] == gold.senses[None, :]
    result: Floats = found.reshape(len(mine), len(theirs)) * np.where(same, 1.0, UNLIKE)
    return result


def first_similarity(system: Concepts, gold: Concepts) -> Floats:
    """How similar nodes are by themselves: concepts, and attributes that both have."""
    found = named_alike(system, gold, ops=True)
    mine, theirs = (_by_name(each.attributes) for each in (system, gold))
    names = mine.keys() & theirs.keys()
    if not names:
        return found
    size = len(gold)
    shared = [0] * (len(system) * size)
    equal = shared.copy()
    for name in names:
        others = theirs[name]
        for row, value in mine[name]:
            first = row * size
            for column, other in others:
                shared[first + column] += 1
                if value == other:
                    equal[first + column] += 1
    both, same = (
        np.array(each, dtype=np.float64).reshape(found.shape)
        for each in (shared, equal)
    )
    means = same / np.maximum(both, 1)
    result: Floats = np.where(both > 0, (found + means) / 2, found)
    return result


def _by_name(attributes: list[dict[str, str]]) -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = {}
    for number, each in enumerate(attributes):
        for name, value in each.items():
            found.setdefault(name, []).append((number, value))
    return found


def first_anchors(system: Concepts, gold: Concepts) -> Floats:
    """Pairs whose concept is the only one of its name on both sides, and in the text.

    The text is the system's, as it is in the program.
    """
    found = np.zeros((len(system), len(gold)))
    mine, theirs = Counter(system.names), Counter(gold.names)
    places = {name: place for place, name in enumerate(gold.names)}
    for place, name in enumerate(system.names):
        if mine[name] == theirs.get(name) == 1 and name in system.text:
            found[place, places[name]] = 1
    return found


def greedy_map(system: Concepts, gold: Concepts) -> dict[int, int]:
    """The gold node of each node of the system, as AnCast pairs them.

    Args:
        system: the system's sentence.
        gold: that of gold.
    """
    if not len(system) or not len(gold):
        return {}
    similar = first_similarity(system, gold)
    anchors = first_anchors(system, gold)
    spread = _Spread(system, gold)
    worth = similar
    for _ in range(ROUNDS):
        worth = np.around(
            (spread(anchors) + LEAST) * (similar + FLOOR), decimals=DIGITS
        )
        before, anchors = anchors, _mutual(worth, system, gold)
        if not (anchors > before).any():
            break
    found = {int(a): int(b) for a, b in zip(*np.nonzero(anchors), strict=True)}
    return found | _rest(worth, found, system, gold)


class _Spread:
    """Similarity that spreads from anchors over surroundings.

    Args:
        system: the system's sentence.
        gold: that of gold.
    """

    def __init__(self, system: Concepts, gold: Concepts) -> None:
        self._sides = [
            (mine, theirs.T, _unlikeness(mine, theirs))
            for mine, theirs in zip(system.reach, gold.reach, strict=True)
        ]

    def __call__(self, anchors: Floats) -> Floats:
        """The similarity of all pairs once it changes no longer."""
        before, now = anchors.copy(), np.empty(anchors.shape)
        (out, out_to, outer), (into, into_to, inner) = self._sides
        half, found = np.empty(anchors.shape), np.empty(anchors.shape)
        # In place throughout: sentences are small, and every array made costs more.
        for _ in range(SPREADS):
            np.matmul(out, before, half)
            np.matmul(half, out_to, now)
            np.divide(now, outer, now)
            np.add(now, 1, now)
            np.matmul(into, before, half)
            np.matmul(half, into_to, found)
            np.divide(found, inner, found)
            np.add(found, 1, found)
            np.multiply(now, found, now)
            np.subtract(now, 1, now)
            np.sqrt(now, now)
            most = now.max()
            if most > 0:
                np.divide(now, most, now)
            np.maximum(now, anchors, out=now)
            np.subtract(before, now, half)
            np.absolute(half, half)
            change = half.max()
            # What is added for the size of numbers is at most RELATIVE.
            if change <= CLOSE or (
                change <= CLOSE + RELATIVE
                and (half <= CLOSE + RELATIVE * np.abs(now)).all()
            ):
                break
            before, now = now, before
        return now


def _unlikeness(mine: Floats, theirs: Floats) -> Floats:
    """By what the similarity of surroundings is divided: of other sizes, the more."""
    rows, columns = mine.sum(axis=1)[:, None], theirs.sum(axis=1)[None, :]
    least = np.minimum(rows, columns)
    found: Floats = np.divide(
        np.maximum(rows, columns),
        least,
        out=np.full(least.shape, np.inf),
        where=least > 0,
    )
    return found


def _shared(one: set[str], two: set[str]) -> float:
    both = one | two
    return len(one & two) / len(both) if both else 0.0


def _mutual(worth: Floats, system: Concepts, gold: Concepts) -> Floats:
    """Pairs that are each other's most similar; of several, by the roles they share.

    What would be decided by roles for the first node of the other side is not decided:
    the program takes its number, 0, for none.
    """
    mine = _choices(worth, system.roles, gold.roles)
    theirs = _choices(worth.T, gold.roles, system.roles)
    found = np.zeros(worth.shape)
    for place, chosen in enumerate(mine):
        if chosen is not None and theirs[chosen] == place:
            found[place, chosen] = 1
    return found


def _choices(
    worth: Floats, mine: list[set[str]], theirs: list[set[str]]
) -> list[int | None]:
    best = worth == worth.max(axis=1)[:, None]
    found: list[int | None] = best.argmax(axis=1).tolist()
    for place in np.flatnonzero(best.sum(axis=1) > 1).tolist():
        tied = np.flatnonzero(best[place]).tolist()
        shares = [_shared(mine[place], theirs[each]) for each in tied]
        most = max(shares)
        chosen = tied[shares.index(most)]
        found[place] = chosen if chosen and shares.count(most) == 1 else None
    return found


def _rest(
    worth: Floats, found: dict[int, int], system: Concepts, gold: Concepts
) -> dict[int, int]:
    """What is left, the most similar first; of several, by roles, then by order."""
    taken = set(found.values())
    rows = [each for each in range(len(system)) if each not in found]
    columns = [each for each in range(len(gold)) if each not in taken]
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
