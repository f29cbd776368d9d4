"""Semantic roles as a table: predicates down, roles across."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphscore.model.graph import Graph
from graphscore.report.element_values import ALONE
from graphscore.report.table import Column, Table, one_line
from graphscore.structures.layout import PREDICATE, kind_of

if TYPE_CHECKING:
    from graphscore.report.element_values import SideElement
    from graphscore.report.side_by_side import Row

ROLES = "Roles"
"""The title of the table."""

WORDS = 24
"""Characters of an argument that are shown."""


def roles_of(
    nodes: Sequence[Row], edges: Sequence[Row], sides: tuple[Graph, Graph]
) -> list[Table]:
    """A table of predicates by roles, where there are any predicates.

    Args:
        nodes: nodes beside their counterparts.
        edges: edges beside theirs.
        sides: the gold graph and the system's.

    Returns:
        One table or none.  A role that both sides say alike has its mark before the
        words of the argument; one that differs is there under each side's label.
    """
    heads: dict[tuple[int, object], int] = {}
    names: list[tuple[str, str]] = []
    for row in nodes:
        halves = _halves(row)
        if not any(_is_predicate(sides[side], half) for side, half in halves):
            continue
        for side, half in halves:
            heads[side, half.id] = len(names)
        labels = [_label(sides[side], half) for side, half in halves]
        if len(set(labels)) > 1:
            labels = [
                f"{sign}{label}" for sign, label in zip(ALONE, labels, strict=True)
            ]
        words = next((half.place for _, half in halves if half.place), "")
        text = f'{" ".join(dict.fromkeys(labels))} "{words}"' if words else labels[0]
        names.append((row.mark, text))
    if not names:
        return []
    cells: dict[tuple[int, str], list[str]] = {}
    for row in edges:
        for head, role, text in _said(row, heads, sides):
            cells.setdefault((head, role), []).append(text)
    roles = sorted({role for _, role in cells})
    table = Table([Column(""), Column("predicate"), *map(Column, roles)], title=ROLES)
    for number, (mark, name) in enumerate(names):
        filled = ["  ".join(cells.get((number, role), ())) for role in roles]
        table.rows.append((mark, name, *filled))
    return [table]


def _said(
    row: Row, heads: dict[tuple[int, object], int], sides: tuple[Graph, Graph]
) -> list[tuple[int, str, str]]:
    """Return the rows of an edge in the table, with their text."""
    result: list[tuple[int, str, str]] = []
    for side, half in _halves(row):
        edge = sides[side].edges[half.ordinal]
        head = heads.get((side, edge.source))
        if head is not None:
            words = _words(sides[side], edge.target)
            result.append((head, one_line(str(edge.label)), words))
    if len(result) == 2 and result[0] != result[1]:
        marks: tuple[Any, ...] = ALONE
    else:
        result, marks = result[:1], (row.mark,)
    return [
        (head, role, f"{mark}{words}".strip())
        for (head, role, words), mark in zip(result, marks, strict=False)
    ]


def _halves(row: Row) -> list[tuple[int, SideElement]]:
    both = enumerate((row.gold, row.system))
    return [(side, half) for side, half in both if half is not None]


def _is_predicate(graph: Graph, half: SideElement) -> bool:
    return kind_of(graph.nodes[half.ordinal]) == PREDICATE


def _label(graph: Graph, half: SideElement) -> str:
    label = graph.nodes[half.ordinal].label
    return "" if label is None else one_line(str(label))


def _words(graph: Graph, target: object) -> str:
    node = next(node for node in graph.nodes if node.id == target)
    text = " ".join(graph.text[start:end] for start, end in node.anchors)
    return one_line(text or str(target), WORDS)
