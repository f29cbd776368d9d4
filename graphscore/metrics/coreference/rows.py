"""Error rows of two documents: shared mentions, links and entities, and the rest.

Level 0 is the contingency table: a gold entity beside a system entity, and as its
credit how many mentions they share.  A row with one side only stands for the
mentions of an entity that nobody of the other side has.  Level 1 are the mentions
themselves, below their entities.

A mention that is missed and one that is spurious belong together where they share
words: then they *differ*, in where they begin or end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from graphscore.metrics.coreference.chains import Chains, Places
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.mention_alignment import one_to_one
from graphscore.metrics.coreference.mention_spans import position, words_of
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import ErrorType
from graphscore.model.outcome_builder import Described, OutcomeBuilder
from graphscore.structures.layout import first_of

if TYPE_CHECKING:
    from graphscore.similarity.base import Sparse

KIND = "mentions"
"""The kind of these errors."""


def enter(
    builder: OutcomeBuilder, table: Table, starts: tuple[int, int] = (0, 0)
) -> None:
    """Enter matches and errors of a pair; all metrics have the same.

    Args:
        builder: where to.
        table: the pair.
        starts: what to add to node ordinals of gold and system, where the pair is
            a later part of a document.
    """
    if any(starts):
        _enter(builder, table, starts)
        return
    if table.rows is None:
        table.rows = OutcomeBuilder(by_side=False)
        _enter(table.rows, table, starts)
    builder.matches += table.rows.matches
    builder.entered += table.rows.entered


def _enter(builder: OutcomeBuilder, table: Table, starts: tuple[int, int]) -> None:
    gold, system = table.gold, table.system
    missing, spurious = _alone(table)
    names = [
        [ordinal + start for ordinal in each]
        for chains, start in zip((gold, system), starts, strict=True)
        for each in (chains.entities, chains.nodes)
    ]
    gold_entities, gold_nodes, system_entities, system_nodes = names
    one, two, shared = (each.tolist() for each in table.shared)
    cells = builder.match_many(
        map(gold_entities.__getitem__, one),
        map(system_entities.__getitem__, two),
        map(float, shared),
    )
    gold_alone, system_alone = _by_entity(gold, missing), _by_entity(system, spurious)
    gold_first = builder.match_many(
        map(gold_entities.__getitem__, gold_alone),
        repeat(None, len(gold_alone)),
        map(float, gold_alone.values()),
    )
    system_first = builder.match_many(
        repeat(None, len(system_alone)),
        map(system_entities.__getitem__, system_alone),
        map(float, system_alone.values()),
    )
    mine, theirs = table.pairs
    builder.match_many(
        map(gold_nodes.__getitem__, mine.tolist()),
        map(system_nodes.__getitem__, theirs.tolist()),
        repeat(1.0, len(mine)),
        (cells + _cells_of(table)).tolist(),
    )
    beside = _beside(table, missing, spurious)
    back = {value: own for own, value in beside.items()}
    for side, chains, left, partners, ends, alone, first in (
        ("missing", gold, missing, beside, names[1::2], gold_alone, gold_first),
        ("spurious", system, spurious, back, names[::-2], system_alone, system_first),
    ):
        parents = {owner: first + index for index, owner in enumerate(alone)}
        _alone_in(builder, side, chains, left, partners, ends, parents)  # type: ignore[arg-type]


def _cells_of(table: Table) -> Places:
    """For every pair of mentions the number of the cell of their entities."""
    width = max(len(table.system.sizes), 1)
    left, right = table.pairs
    codes = table.gold.owner[left] * width + table.system.owner[right]
    # Cells are in this order (:func:`contingency.counted`).
    return np.searchsorted(table.shared.gold * width + table.shared.system, codes)


def _alone_in(
    builder: OutcomeBuilder,
    side: ErrorType,
    chains: Chains,
    mentions: Sequence[int],
    beside: Mapping[int, int],
    ends: Sequence[Sequence[int]],
    parents: Mapping[int, int],
) -> None:
    """Enter an error for each mention without a partner."""
    own, others = ends
    nodes, names, origin = chains.graph.nodes, chains.nodes, chains.origin
    owners = chains.owner[mentions].tolist() if mentions else ()
    described = []
    for mention in mentions:
        name, other = names[mention], beside.get(mention)
        node, partner = nodes[name], None if other is None else others[other]
        value = _called(origin, origin.nodes[name], node)
        said = KIND, own[mention], partner, "node", node.label, "", value
        described.append(Described(*said))
    builder.error_many(side, described, [parents[owner] for owner in owners])


def _by_entity(chains: Chains, mentions: list[int]) -> dict[int, int]:
    """Entities, and how many of some mentions they have."""
    if not mentions:
        return {}
    counts = np.bincount(chains.owner[mentions])
    there = np.flatnonzero(counts)
    return dict(zip(there.tolist(), counts[there].tolist(), strict=True))


def _alone(table: Table) -> tuple[list[int], list[int]]:
    """The mentions of either side that have no partner."""
    left, right = table.pairs
    result: list[list[int]] = []
    for chains, taken in ((table.gold, left), (table.system, right)):
        zeros = np.zeros(len(chains.keys), dtype=bool)
        zeros[taken] = True
        if chains.reading.preset == "corefud":
            # Copies of a mention are matched where the first of them is.
            for value in chains.repeated.values():
                zeros[value] = zeros[value[0]]
        result.append(np.flatnonzero(~zeros).tolist())
    return result[0], result[1]


def _beside(table: Table, left: list[int], right: list[int]) -> dict[int, int]:
    """For missed mentions a spurious one with some of their words, one to one."""
    if not (left and right):
        return {}
    gold, system = table.gold, table.system
    shared = words_of(gold, system).shared(gold, system, left, right)
    first, second, words = (each.tolist() for each in shared)
    here, there = _places(gold, first), _places(system, second)
    cells: Sparse = {
        (here[own], there[other]): common
        for own, other, common in zip(first, second, words, strict=True)
    }
    mine, theirs = list(here), list(there)
    return {mine[a]: theirs[b] for a, b in one_to_one(cells)}


def _places(chains: Chains, mentions: Iterable[int]) -> dict[int, int]:
    """Some mentions as they are read, with their numbers."""
    order = sorted({*mentions}, key=lambda each: (position(chains, each), each))
    return {mention: index for index, mention in enumerate(order)}


def _called(graph: Graph, given: Node, node: Node) -> str | None:
    """The words of a mention, its empty nodes, or its ranges.

    Args:
        graph: the document as it was given.
        given: the mention in it.
        node: the mention in the words of the other side.
    """
    if graph.text and len(given.anchors) == 1 and given.anchors[0].start >= 0:
        [(start, end)] = given.anchors
        words: str | None = graph.text[start:end] if start < end else ""
    else:
        from graphscore.similarity.features.elements import surface

        words = surface(graph, given)
    if words:
        return words
    empty = [str(value) for name, value in node.properties if name == "word"]
    ranges = [f"{start}:{end}" for start, end in node.anchors]
    return " ".join(empty or ranges) or first_of(node.properties, "kind")  # type: ignore[return-value]
