"""Templates, relations and events as tables of slots with what fills them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphscore.model.graph import Graph, Node, NodeId
from graphscore.report.element_values import (
    ALONE,
    DIFFERENT,
    SAME,
    UNCOUNTED,
    marked,
)
from graphscore.report.table import Column, Table, one_line
from graphscore.structures.layout import (
    MENTION,
    OPINION,
    RELATION,
    TEMPLATE,
    TEXT,
    TRIGGER,
    first_of,
    kind_of,
    type_name,
)

if TYPE_CHECKING:
    from graphscore.report.element_values import SideElement
    from graphscore.report.side_by_side import Row

TITLES = {
    TEMPLATE: "Templates",
    RELATION: "Relations",
    TRIGGER: "Events",
    OPINION: "Opinions",
}
"""Titles of tables, by the kind of what has slots."""

WORDS = 60
"""Characters of a filler that are shown."""


def slots_of(
    nodes: Sequence[Row], edges: Sequence[Row], sides: tuple[Graph, Graph]
) -> list[Table]:
    """A table of templates, relations or events, a row for each filler of a slot.

    Args:
        nodes: nodes beside their counterparts.
        edges: edges beside theirs.
        sides: the gold graph and the system's.

    Returns:
        One table or none.  The first row of a template has its mark and its type;
        mentions of an entity that fills a slot have slashes between.
    """
    heads: dict[tuple[int, object], int] = {}
    rows: list[list[tuple[str, ...]]] = []
    kinds: dict[str, None] = {}
    for row in nodes:
        types, words = [], ""
        for side, half in enumerate((row.gold, row.system)):
            if half is not None and (kind := _slotted(sides[side], half)):
                kinds[kind] = None
                heads[side, half.id] = len(rows)
                types.append(type_name(sides[side].nodes[half.ordinal].label))
                words = words or half.place
        if types:
            if len(set(types)) > 1:
                types = [
                    f"{sign}{type_}" for sign, type_ in zip(ALONE, types, strict=True)
                ]
            title = f"{len(rows) + 1} {' '.join(dict.fromkeys(types))}"
            title += f' "{words}"' if words else ""
            # Of what has slots a whole number is what these earn.
            credit = None if row.credit is None or row.credit >= 1 else row.credit
            rows.append([(marked(row.mark, credit), title, "", "", "")])
    if not rows:
        return []
    # Relations are the same if their arguments are of the same types, too.
    fillers = [_Fillers(graph, typed=RELATION in kinds) for graph in sides]
    for row in edges:
        head, slots = None, []
        texts: list[list[str]] = [[], []]
        for side, half in enumerate((row.gold, row.system)):
            if half is None:
                continue
            edge = sides[side].edges[half.ordinal]
            if (side, edge.source) in heads:
                head = heads[side, edge.source] if head is None else head
                slots.append(one_line(str(edge.label)))
                texts[side] = fillers[side].words(edge.target)
        if head is not None:
            name = rows[head][0][1]
            if len(set(slots)) > 1:
                slots = [
                    f"{sign}{each}" for sign, each in zip(ALONE, slots, strict=True)
                ]
            slot = " ".join(dict.fromkeys(slots))
            # What both sides say comes first.
            texts[0].sort(key=lambda each: each not in texts[1])
            cells = (one_line(" / ".join(text), WORDS) for text in texts)
            rows[head].append((marked(row.mark, row.credit), name, slot, *cells))
    titles = [TITLES[kind] for kind in kinds]
    columns = ["", titles[0][:-1].lower(), "slot", "gold", "system"]
    return [
        Table(
            [*map(Column, columns)],
            [row for template in rows for row in template],
            title=" and ".join(titles),
        )
    ]


def beyond_slots(nodes: Sequence[Row], sides: tuple[Graph, Graph]) -> list[Row]:
    """Nodes that differ in what a table of slots does not say.

    Args:
        nodes: nodes beside their counterparts.
        sides: the gold graph and the system's.
    """
    result = []
    for row in nodes:
        halves = [*enumerate((row.gold, row.system))]
        slotted = any(half and _slotted(sides[side], half) for side, half in halves)
        if row.mark in (SAME, UNCOUNTED):
            continue
        wrong = [
            piece
            for _, half in halves
            for piece in (half.pieces if half else ())
            if not piece.matched and piece.tuple_type == "properties"
        ]
        if not slotted or (row.mark == DIFFERENT and wrong):
            result.append(row)
    return result


def _slotted(graph: Graph, half: SideElement) -> str:
    """The kind of a node that has slots, else nothing."""
    kind = kind_of(graph.nodes[half.ordinal])
    return kind if kind in TITLES else ""


class _Fillers:
    """Descriptions of the fillers of slots.

    Args:
        graph: one side.
        typed: whether the types of fillers are said, too.
    """

    def __init__(self, graph: Graph, *, typed: bool) -> None:
        self._text, self._typed = graph.text, typed
        self._nodes = {node.id: node for node in graph.nodes}
        self._targets: dict[NodeId, list[NodeId]] = {}
        for edge in graph.edges:
            self._targets.setdefault(edge.source, []).append(edge.target)

    def words(self, target: NodeId) -> list[str]:
        """A mention's words, an entity's mentions, or a value."""
        node = self._nodes[target]
        own = self._said(node)
        mentions = [
            self._said(self._nodes[number])
            for number in self._targets.get(target, ())
            if kind_of(self._nodes[number]) == MENTION
        ]
        return [own] if own else mentions or [str(target)]

    def _said(self, node: Node) -> str:
        text = " ".join(self._text[start:end] for start, end in node.anchors)
        text = text or str(first_of(node.properties, TEXT) or "")
        label = "" if node.label is None else str(node.label)
        return f"{label} {text}".strip() if self._typed else text or label
