"""What two documents have in common, and what they have not, as rows.

Level 0 is the contingency table: a gold entity beside a system entity, and as its
credit how many mentions they share.  A row with one side only stands for the
mentions of an entity that nobody of the other side has.  Level 1 are the mentions
themselves, below their entities.

A mention that is missed and one that is spurious belong together where they share
words: then they *differ*, in where they begin or end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.extents import position, words_of
from graphscore.metrics.coreference.mention_alignment import one_to_one
from graphscore.model.outcome import Error, Match, Side
from graphscore.structures.layout import first_of

if TYPE_CHECKING:
    from graphscore.similarity.base import Sparse

KIND = "mentions"
"""The kind of these errors."""


class Reported(NamedTuple):
    """The rows of a pair."""

    matches: tuple[Match, ...]
    errors: tuple[Error, ...]


def rows_of(table: Table, first: int = 0, starts: Sequence[int] = (0, 0)) -> Reported:
    """Matches and errors of a pair; all metrics have the same.

    Args:
        table: the pair.
        first: position of the first match among those of the whole document.
        starts: what to add to node ordinals of gold and system, where the pair is
            a later part of a document.
    """
    if any(starts):
        return _rows(table, first, starts)
    if table.rows is None:
        table.rows = _rows(table, first, starts)
    return Reported(*table.rows)


def _rows(table: Table, first: int, starts: Sequence[int]) -> Reported:
    gold, system = table.gold, table.system
    mine, theirs = starts
    matches: list[Match] = []
    place: dict[tuple[int, int], int] = {}
    for one, two, shared in zip(*(e.tolist() for e in table.shared), strict=True):
        place[one, two] = first + len(matches)
        ordinals = gold.entities[one] + mine, system.entities[two] + theirs
        matches.append(Match("node", *ordinals, float(shared)))
    left, right = _alone(table)
    alone: dict[tuple[int, int], int] = {}
    for side, chains, lonely in ((0, gold, left), (1, system, right)):
        owners, counts = np.unique(chains.owner[lonely], return_counts=True)
        for owner, count in zip(owners.tolist(), counts.tolist(), strict=True):
            alone[side, owner] = first + len(matches)
            node = chains.entities[owner] + starts[side]
            matches.append(
                Match(
                    "node",
                    None if side else node,
                    node if side else None,
                    float(count),
                )
            )
    for one, two in zip(*(each.tolist() for each in table.pairs), strict=True):
        parent = place[int(gold.owner[one]), int(system.owner[two])]
        ordinals = gold.nodes[one] + mine, system.nodes[two] + theirs
        matches.append(Match("node", *ordinals, 1.0, parent, 1))
    beside = _beside(table, left, right)
    back = {two: one for one, two in beside.items()}
    errors = (
        *_errors("missing", gold, left, beside, system, starts, alone),
        *_errors("surplus", system, right, back, gold, starts, alone),
    )
    return Reported(tuple(matches), errors)


def _alone(table: Table) -> tuple[list[int], list[int]]:
    """The mentions of either side that have no partner."""
    mine, theirs = table.pairs
    found: list[list[int]] = []
    for chains, taken in ((table.gold, mine), (table.system, theirs)):
        there = np.zeros(len(chains.keys), dtype=bool)
        there[taken] = True
        if chains.reading.preset == "corefud":
            # Copies of a mention are matched where the first of them is.
            for places in chains.repeated.values():
                there[places] = there[places[0]]
        found.append(np.flatnonzero(~there).tolist())
    return found[0], found[1]


def _beside(table: Table, left: list[int], right: list[int]) -> dict[int, int]:
    """For missed mentions a spurious one with some of their words, one to one."""
    if not (left and right):
        return {}
    gold, system = table.gold, table.system
    left = sorted(left, key=lambda each: (position(gold, each), each))
    right = sorted(right, key=lambda each: (position(system, each), each))
    shared = words_of(gold, system).shared(gold, system, left, right)
    here = {mention: k for k, mention in enumerate(left)}
    there = {mention: k for k, mention in enumerate(right)}
    cells: Sparse = {
        (here[one], there[two]): common
        for one, two, common in zip(*(e.tolist() for e in shared), strict=True)
    }
    return {left[a]: right[b] for a, b in one_to_one(cells)}


def _errors(
    side: Side,
    chains: Chains,
    lonely: Sequence[int],
    beside: dict[int, int],
    others: Chains,
    starts: Sequence[int],
    alone: dict[tuple[int, int], int],
) -> Iterator[Error]:
    """An error for each mention without a partner."""
    from graphscore.similarity.features.elements import surface

    own = int(side == "surplus")
    for mention in lonely:
        node = chains.node(mention)
        origin = chains.origin.nodes[chains.nodes[mention]]
        other = beside.get(mention)
        here = chains.nodes[mention] + starts[own]
        there = None if other is None else others.nodes[other] + starts[1 - own]
        yield Error(
            side,
            KIND,
            "node",
            there if own else here,
            here if own else there,
            node.label,
            "",
            surface(chains.origin, origin) or _called(chains, mention),
            None,
            "no counterpart" if other is None else "differs",
            0.0,
            alone[own, int(chains.owner[mention])],
        )


def _called(chains: Chains, mention: int) -> str | None:
    """What stands for a mention without text: its empty nodes, or its ranges."""
    node = chains.node(mention)
    words = [str(value) for name, value in node.properties if name == "word"]
    ranges = [f"{start}:{end}" for start, end in node.anchors]
    return " ".join(words or ranges) or first_of(node.properties, "kind")  # type: ignore[return-value]
