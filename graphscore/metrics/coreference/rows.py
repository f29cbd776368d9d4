"""Error rows of two documents: shared mentions, links and entities, and the rest.

Level 0 is the contingency table: a gold entity beside a system entity, and as its
credit how many mentions they share.  A row with one side only stands for the
mentions of an entity that nobody of the other side has.  Level 1 are the mentions
themselves, below their entities.

A mention that is missed and one that is spurious belong together where they share
words: then they *differ*, in where they begin or end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, repeat
from typing import TYPE_CHECKING

from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.mention_spans import position, words_of
from graphscore.model.graph import Graph, Node
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
    missing, spurious = _unmatched(table)
    gold_entities, gold_nodes, system_entities, system_nodes = (
        [ordinal + start for ordinal in ordinals] if start else ordinals
        for chains, start in zip((gold, system), starts, strict=True)
        for ordinals in (chains.entities, chains.nodes)
    )
    cells = builder.match_many(
        [gold_entities[entity] for entity, _ in table.shared],
        [system_entities[entity] for _, entity in table.shared],
        map(float, table.shared.values()),
    )
    gold_alone, system_alone = _by_entity(gold, missing), _by_entity(system, spurious)
    gold_first = builder.match_many(
        [gold_entities[entity] for entity in gold_alone],
        repeat(None, len(gold_alone)),
        map(float, gold_alone.values()),
    )
    system_first = builder.match_many(
        repeat(None, len(system_alone)),
        [system_entities[entity] for entity in system_alone],
        map(float, system_alone.values()),
    )
    rows = dict(zip(table.shared, count(cells), strict=False))
    gold_mentions, system_mentions = table.pairs
    builder.match_many(
        [gold_nodes[mention] for mention in gold_mentions],
        [system_nodes[mention] for mention in system_mentions],
        repeat(1.0, len(gold_mentions)),
        [rows[cell] for cell in table.cells],
    )
    beside = _overlapping(table, missing, spurious)
    back = {value: own for own, value in beside.items()}
    builder.error_many(
        "missing",
        _described(gold, missing, gold_nodes, beside, system_nodes),
        _parents(gold, missing, gold_alone, gold_first),
    )
    builder.error_many(
        "spurious",
        _described(system, spurious, system_nodes, back, gold_nodes),
        _parents(system, spurious, system_alone, system_first),
    )


def _parents(
    chains: Chains, mentions: list[int], entities: Iterable[int], first: int
) -> list[int]:
    """Rows of the entities of mentions, numbered from *first* on."""
    rows = {entity: row for row, entity in enumerate(entities, first)}
    return [rows[chains.owner[mention]] for mention in mentions]


def _described(
    chains: Chains,
    mentions: Sequence[int],
    nodes: Sequence[int],
    beside: Mapping[int, int],
    opposite: Sequence[int],
) -> list[Described]:
    """Describe mentions without a partner.

    Args:
        chains: their side.
        mentions: which of it.
        nodes: the node of each of its mentions, as rows number them.
        beside: mentions of the other side with some of the same words.
        opposite: the node of each mention of the other side.
    """
    result = []
    for mention in mentions:
        name, counterpart = chains.nodes[mention], beside.get(mention)
        node = chains.graph.nodes[name]
        value = _description(chains.origin, chains.origin.nodes[name], node)
        partner = None if counterpart is None else opposite[counterpart]
        result.append(
            Described(KIND, nodes[mention], partner, "node", node.label, "", value)
        )
    return result


def _by_entity(chains: Chains, mentions: list[int]) -> dict[int, int]:
    """Entities, and how many of some mentions they have."""
    return Counter([chains.owner[mention] for mention in mentions])


def _unmatched(table: Table) -> tuple[list[int], list[int]]:
    """The mentions of either side that have no partner."""
    result: list[list[int]] = []
    for chains, matched in zip((table.gold, table.system), table.pairs, strict=True):
        taken = {*matched}
        if chains.reading.preset == "corefud":
            # Copies of a mention are matched where the first of them is.
            taken.update(*(v for v in chains.repeated.values() if v[0] in taken))
        result.append([k for k in range(len(chains.keys)) if k not in taken])
    return result[0], result[1]


def _overlapping(table: Table, left: list[int], right: list[int]) -> dict[int, int]:
    """For missed mentions a spurious one with some of their words, one to one."""
    if not (left and right):
        return {}
    gold, system = table.gold, table.system
    shared = words_of(gold, system).shared(gold, system, left, right)
    beside = dict(shared.keys())
    if len({*beside.values()}) == len(beside) == len(shared):
        # Most overlap with one mention only.
        return beside
    gold_order = _reading_order(gold, (cell[0] for cell in shared))
    system_order = _reading_order(system, (cell[1] for cell in shared))
    cells: Sparse = {
        (gold_order[gold_mention], system_order[system_mention]): common
        for (gold_mention, system_mention), common in shared.items()
    }
    gold_mentions, system_mentions = list(gold_order), list(system_order)
    return {gold_mentions[a]: system_mentions[b] for a, b in one_to_one(cells)}


def _reading_order(chains: Chains, mentions: Iterable[int]) -> dict[int, int]:
    """Some mentions as they are read, with their numbers."""
    order = sorted({*mentions}, key=lambda number: (position(chains, number), number))
    return {mention: index for index, mention in enumerate(order)}


def _description(graph: Graph, original: Node, node: Node) -> str | None:
    """The words of a mention, its empty nodes, or its ranges.

    Args:
        graph: the document as it was given.
        original: the mention in it.
        node: the mention in the words of the other side.
    """
    if graph.text and len(original.anchors) == 1 and original.anchors[0].start >= 0:
        [(start, end)] = original.anchors
        words: str | None = graph.text[start:end] if start < end else ""
    else:
        from graphscore.similarity.features.elements import surface

        words = surface(graph, original)
    if words:
        return words
    empty = [str(value) for name, value in node.properties if name == "word"]
    ranges = [f"{start}:{end}" for start, end in node.anchors]
    return " ".join(empty or ranges) or first_of(node.properties, "kind")  # type: ignore[return-value]
