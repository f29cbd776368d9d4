"""What two documents have in common, and what they have not, as rows.

Level 0 is the contingency table: a gold entity beside a system entity, and as its
credit how many mentions they share.  A row with one side only stands for the
mentions of an entity that nobody of the other side has.  Level 1 are the mentions
themselves, below their entities.

A mention that is missed and one that is spurious belong together where they share
words: then they *differ*, in where they begin or end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.extents import position, words_of
from graphscore.metrics.coreference.mention_alignment import one_to_one
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import Side
from graphscore.structures.layout import first_of

if TYPE_CHECKING:
    from graphscore.similarity.base import Sparse

KIND = "mentions"
"""The kind of these errors."""


def enter(ledger: Ledger, table: Table, starts: tuple[int, int] = (0, 0)) -> None:
    """Enter matches and errors of a pair; all metrics have the same.

    Args:
        ledger: where to.
        table: the pair.
        starts: what to add to node ordinals of gold and system, where the pair is
            a later part of a document.
    """
    if any(starts):
        _enter(ledger, table, starts)
        return
    if table.rows is None:
        table.rows = Ledger(by_side=False)
        _enter(table.rows, table, starts)
    ledger.matches += table.rows.matches
    ledger.entered += table.rows.entered


def _enter(ledger: Ledger, table: Table, starts: tuple[int, int]) -> None:
    gold, system = table.gold, table.system
    gold_start, system_start = starts
    shared: dict[tuple[int, int], int] = {}
    for one, two, number in zip(*(e.tolist() for e in table.shared), strict=True):
        ends = gold.entities[one] + gold_start, system.entities[two] + system_start
        shared[one, two] = ledger.match(*ends, float(number))
    missing, surplus = _alone(table)
    gold_alone = {
        owner: ledger.match(gold.entities[owner] + gold_start, None, float(number))
        for owner, number in _by_entity(gold, missing)
    }
    system_alone = {
        owner: ledger.match(None, system.entities[owner] + system_start, float(number))
        for owner, number in _by_entity(system, surplus)
    }
    for one, two in zip(*(each.tolist() for each in table.pairs), strict=True):
        parent = shared[int(gold.owner[one]), int(system.owner[two])]
        ends = gold.nodes[one] + gold_start, system.nodes[two] + system_start
        ledger.match(*ends, parent=parent)
    beside = _beside(table, missing, surplus)
    back = {two: one for one, two in beside.items()}
    ends = (gold, gold_start), (system, system_start)
    _alone_in(ledger, "missing", *ends, missing, beside, gold_alone)
    _alone_in(ledger, "surplus", *ends[::-1], surplus, back, system_alone)


def _alone_in(
    ledger: Ledger,
    side: Side,
    own: tuple[Chains, int],
    others: tuple[Chains, int],
    mentions: Sequence[int],
    beside: Mapping[int, int],
    parents: Mapping[int, int],
) -> None:
    """Enter an error for each mention without a partner."""
    chains, start = own
    for mention in mentions:
        other = beside.get(mention)
        ledger.error(
            side,
            KIND,
            chains.nodes[mention] + start,
            None if other is None else others[0].nodes[other] + others[1],
            label=chains.node(mention).label,
            value=_called(chains, mention),
            parent=parents[int(chains.owner[mention])],
        )


def _by_entity(chains: Chains, mentions: list[int]) -> Iterable[tuple[int, int]]:
    """Entities, and how many of some mentions they have."""
    owners, counts = np.unique(chains.owner[mentions], return_counts=True)
    return zip(owners.tolist(), counts.tolist(), strict=True)


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


def _called(chains: Chains, mention: int) -> str | None:
    """The words of a mention, its empty nodes, or its ranges."""
    from graphscore.similarity.features.elements import surface

    words = surface(chains.origin, chains.origin.nodes[chains.nodes[mention]])
    if words:
        return words
    node = chains.node(mention)
    empty = [str(value) for name, value in node.properties if name == "word"]
    ranges = [f"{start}:{end}" for start, end in node.anchors]
    return " ".join(empty or ranges) or first_of(node.properties, "kind")  # type: ignore[return-value]
