"""What two tables of tuples have in common, and what is left of either.

A tuple matches if the other side says the same of the same identities.  There is
nothing to search, so every count is proven by being made.

>>> from graphscore.graph import Graph, Node
>>> from graphscore.metrics.identity import by_characters
>>> tables = []
>>> for label in ("dog", "cat"):
...     graph = Graph("1", "x", nodes=(Node(0, label),))
...     table = Table(graph, by_characters(graph), 1)
...     table.add(0, (0,), "", label, Origin("node", 0, label, "", label))
...     tables.append(table)
>>> outcome = compare(("names",), (1,), *tables)
>>> outcome.score, [error.reason for error in outcome.errors]
(0, ['differs', 'differs'])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from graphscore.metrics.identity import Identity, Key, Origin, Table
from graphscore.results import Error, Masses, Match, Outcome

Duplicates = Literal["set", "multiset"]
"""Whether equal tuples of one graph are one tuple, or each counts."""


def compare(
    kinds: Sequence[str],
    worth: Sequence[int | float],
    gold: Table,
    system: Table,
    duplicates: Duplicates = "set",
    details: bool = True,
) -> Outcome:
    """Count the tuples that two graphs have in common.

    Args:
        kinds: names of the kinds, as numbered in the tables.
        worth: what a matched tuple of each kind adds to the score; 0 for kinds
            that only stand beside it.
        gold: tuples of the gold graph.
        system: tuples of the system graph.
        duplicates: whether equal tuples count once or each.
        details: whether matches and errors are wanted beside the masses.

    Returns:
        Masses per kind with gold, system and matched.  There is nothing to
        search, so score and bound are the same and proven.
    """
    counted = counts(gold, system, duplicates)
    masses: Masses = {}
    score: int | float = 0
    for kind, value, amounts in zip(kinds, worth, counted, strict=True):
        for quantity, amount in zip(
            ("gold", "system", "matched"), amounts, strict=True
        ):
            if amount:
                masses[(kind, "", quantity)] = amount
        score += value * amounts[2]
    matches: tuple[Match, ...] = ()
    errors: tuple[Error, ...] = ()
    if details:
        matches = tuple(_matches(gold, system, worth, duplicates))
        errors = tuple(_errors(kinds, gold, system, duplicates))
    return Outcome(masses, score, score, True, 0, "identity", matches, errors)


def counts(
    gold: Table, system: Table, duplicates: Duplicates = "set"
) -> list[tuple[int, int, int]]:
    """Gold, system and matched tuples of each kind."""
    found = []
    if duplicates == "set":
        for one, two in zip(gold.keys, system.keys, strict=True):
            found.append((len(one), len(two), len(one & two)))
        return found
    for kind, (one, two) in enumerate(zip(gold.keys, system.keys, strict=True)):
        mine, theirs = gold.tuples[kind], system.tuples[kind]
        matched = sum(min(len(mine[key]), len(theirs[key])) for key in one & two)
        found.append((gold.sizes[kind], system.sizes[kind], matched))
    return found


def _matches(
    gold: Table, system: Table, worth: Sequence[int | float], duplicates: Duplicates
) -> Iterator[Match]:
    """Nodes with equal identities and what equal tuples were made from.

    Of several nodes with one identity each appears at least once: the first
    beside the first, and so on, what is left over beside the last.  Credits sum
    up to the score.
    """
    credits: dict[tuple[str, int, int], float] = {}
    for identity, mine in gold.nodes.items():
        theirs = system.nodes.get(identity)
        if theirs:
            for k in range(max(len(mine), len(theirs))):
                one, two = mine[min(k, len(mine) - 1)], theirs[min(k, len(theirs) - 1)]
                credits[("node", one, two)] = 0.0
    for kind, value in enumerate(worth):
        others = system.tuples[kind]
        for key, origins in gold.tuples[kind].items():
            pairs = list(zip(origins, others.get(key, ()), strict=False))
            for left, right in pairs[:1] if duplicates == "set" else pairs:
                place = (left.object, left.ordinal, right.ordinal)
                credits[place] = credits.get(place, 0.0) + value
    for name in ("node", "edge"):
        for (object_, one, two), credit in sorted(credits.items()):
            if object_ == name:
                yield Match(name, one, two, float(credit))


def _errors(
    kinds: Sequence[str], gold: Table, system: Table, duplicates: Duplicates
) -> Iterator[Error]:
    """Tuples of one side alone: the gold graph's missing, the system's surplus."""
    lefts = [
        (_left(gold, system, k, duplicates), _left(system, gold, k, duplicates))
        for k in range(len(kinds))
    ]
    for kind, (missing, surplus) in zip(kinds, lefts, strict=True):
        for key, origin, other, reason in _explained(missing, surplus, system):
            yield _error("missing", kind, key, origin, origin.ordinal, other, reason)
    for kind, (missing, surplus) in zip(kinds, lefts, strict=True):
        for key, origin, other, reason in _explained(surplus, missing, gold):
            yield _error("surplus", kind, key, origin, other, origin.ordinal, reason)


Left = list[tuple[Key, Origin]]


def _left(mine: Table, theirs: Table, kind: int, duplicates: Duplicates) -> Left:
    """Tuples of *mine* that *theirs* does not have, in order."""
    others = theirs.tuples[kind]
    found: Left = []
    for key, origins in mine.tuples[kind].items():
        there = len(others.get(key, ()))
        if duplicates == "set":
            origins = [] if there else origins[:1]
        found.extend((key, origin) for origin in origins[there:])
    return found


def _explained(
    left: Left, rivals: Left, theirs: Table
) -> Iterator[tuple[Key, Origin, int | None, str]]:
    """Each unmatched tuple with its counterpart and the reason.

    Its counterpart is an unmatched tuple of the other side that says something
    else of the same ends, the first of the one beside the first of the other;
    else the first node with its identity.
    """
    waiting: dict[tuple[tuple[Identity, ...], str], list[int]] = {}
    for (ends, name, _), origin in reversed(rivals):
        waiting.setdefault((ends, name), []).append(origin.ordinal)
    for key, origin in left:
        ends, name, _ = key
        others = waiting.get((ends, name))
        if others:
            yield key, origin, others.pop(), "differs"
        elif all(end in theirs.nodes for end in ends):
            one = theirs.nodes[ends[0]][0] if origin.object == "node" else None
            yield key, origin, one, "absent"
        else:
            yield key, origin, None, "no counterpart"


def _error(
    side: Literal["missing", "surplus"],
    kind: str,
    key: Key,
    origin: Origin,
    gold: int | None,
    system: int | None,
    reason: str,
) -> Error:
    says = key[2]
    written = "" if origin.value is None else str(origin.value)
    return Error(
        side,
        kind,
        origin.object,
        gold,
        system,
        origin.label,
        origin.name,
        origin.value,
        None if written == (says or "") else says,
        reason,
    )
