"""Coreference as a table of entities: which mentions those of both sides share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphscore.model.graph import Graph, NodeId
from graphscore.report.element_values import DIFFERENT, MISSING, SAME, SPURIOUS
from graphscore.report.table import Column, Table, columns_of, one_line
from graphscore.structures.layout import COREF, MENTION, TEXT, first_of, kind_of

if TYPE_CHECKING:
    from graphscore.report.side_by_side import Row

ENTITIES = "Entities"
"""The title of the table."""

WORDS = 24
"""Characters of a mention that are shown."""

NOTE = "a row: the mentions that an entity of gold and one of the system share"


def clusters_of(nodes: Sequence[Row], sides: tuple[Graph, Graph]) -> list[Table]:
    """A table of entities, where the graphs are coreference.

    Args:
        nodes: mentions beside their counterparts, and entities.
        sides: the gold graph and the system's.

    Returns:
        One table or none.  Entities are numbered on each side, as their mentions come
        up; a row is whole where both have no mentions besides.
    """
    if sides[0].framework != COREF:
        return []
    entities = [_entities(graph) for graph in sides]
    numbers: list[dict[NodeId, int]] = [{}, {}]
    sizes: Counter[tuple[int, int]] = Counter()
    shared: dict[tuple[int, int], list[str]] = {}
    for row in nodes:
        key, words = [0, 0], ""
        for side, half in enumerate((row.gold, row.system)):
            if half is None:
                continue
            node = sides[side].nodes[half.ordinal]
            if kind_of(node) != MENTION:
                continue
            words = words or half.place or str(first_of(node.properties, TEXT) or "")
            entity = entities[side].get(node.id)
            if entity is not None:
                known = numbers[side]
                key[side] = known.setdefault(entity, len(known) + 1)
                sizes[side, key[side]] += 1
        if any(key):
            shared.setdefault((key[0], key[1]), []).append(one_line(words, WORDS))
    if not shared:
        return []
    heads = [Column(""), *columns_of("count", "gold", "system", "n")]
    heads.append(Column("mentions", "text"))
    table = Table(heads, title=ENTITIES, notes=[NOTE])
    # What is of the system alone comes last.
    for gold, system in sorted(shared, key=lambda pair: (not pair[0], pair)):
        mentions = shared[gold, system]
        alike = len(mentions) == sizes[0, gold] == sizes[1, system]
        mark = SAME if alike else DIFFERENT
        if not (gold and system):
            mark = SPURIOUS if system else MISSING
        names = gold or None, system or None
        table.rows.append((mark, *names, len(mentions), ", ".join(mentions)))
    return [table]


def _entities(graph: Graph) -> dict[NodeId, NodeId]:
    """The entity of every mention that has one."""
    mentions = {node.id for node in graph.nodes if kind_of(node) == MENTION}
    return {edge.target: edge.source for edge in graph.edges if edge.target in mentions}
