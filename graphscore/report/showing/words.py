"""Dependencies as a table of words, each with its head and relation on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphscore.model.graph import Graph
from graphscore.report.showing.marks import ALONE, SAME, UNCOUNTED, marked
from graphscore.report.text import Column, Table, one_line
from graphscore.structures.dependencies import DEPREL, ROOT
from graphscore.structures.layout import first_of

if TYPE_CHECKING:
    from graphscore.report.pieces import Half
    from graphscore.report.sidebyside import Row

FRAMEWORKS = frozenset({"ud", "eud"})
"""Frameworks whose nodes are words with heads."""

WORDS = "Words"
"""The title of the table."""

LONG = 20
"""Characters of a word or a relation that are shown."""

_ARC = frozenset({"head", "head+deprel", DEPREL})
"""What errors call what the arcs themselves show."""

Arc = tuple[int, str, str]
"""The row of a head (-1: the root), what it is called, and the relation."""


def words_of(nodes: Sequence[Row], sides: tuple[Graph, Graph]) -> list[Table]:
    """A table of words with their heads, where the graphs are dependencies.

    Args:
        nodes: words beside their counterparts.
        sides: the gold graph and the system's.

    Returns:
        One table or none.  Where a word is wrong, what differs of head and relation
        is marked on each side; other things that are wrong stand in columns behind.
    """
    if sides[0].framework not in FRAMEWORKS:
        return []
    arcs = [_arcs(graph, nodes, side) for side, graph in enumerate(sides)]
    columns = ["", "id", "word", "gold head", "relation", "system head", "relation"]
    table = Table([*map(Column, columns)], title=WORDS)
    others = [_others(row) for row in nodes]
    known = any(map(any, others))
    if known:
        table.columns += [Column("gold"), Column("system")]
    for row, (gold_other, system_other) in zip(nodes, others, strict=True):
        half = row.gold or row.system
        assert half is not None
        gold, system = (
            there[each.ordinal] if each else []
            for there, each in zip(arcs, (row.gold, row.system), strict=True)
        )
        wrong = row.mark not in (SAME, UNCOUNTED)
        cells = _cells(gold, system, ALONE[0] if wrong else "")
        cells += _cells(system, gold, ALONE[1] if wrong else "")
        last = (gold_other, system_other) if known else ()
        mark = marked(row.mark, row.credit)
        table.rows.append((mark, str(half.id), _word(half, row), *cells, *last))
    return [table]


def _arcs(graph: Graph, nodes: Sequence[Row], side: int) -> dict[int, list[Arc]]:
    """The arcs to every word, by its ordinal."""
    rows = {}
    for number, row in enumerate(nodes):
        half = (row.gold, row.system)[side]
        if half is not None:
            rows[half.id] = number
    ordinals = {node.id: place for place, node in enumerate(graph.nodes)}
    found: dict[int, list[Arc]] = {place: [] for place in ordinals.values()}
    for top in graph.tops:
        node = graph.nodes[ordinals[top]]
        relation = first_of(node.properties, DEPREL) or ROOT
        found[ordinals[top]].append((-1, "", _short(relation)))
    for edge in graph.edges:
        head = graph.nodes[ordinals[edge.source]]
        # In a document its sentence stands before a word's number.
        name = f"{str(head.id).rpartition(':')[2]}:{_short(head.label)}"
        found[ordinals[edge.target]].append((rows[head.id], name, _short(edge.label)))
    return found


def _cells(mine: Sequence[Arc], others: Sequence[Arc], sign: str) -> list[str]:
    """Heads and relations of a word, with a sign before what the other side lacks."""
    heads = {head for head, _, _ in others}
    relations = {relation for _, _, relation in others}
    pairs = {(head, relation) for head, _, relation in others}
    cells = []
    for head, name, relation in mine:
        # With another head the same relation is no more wrong than it is.
        other = head in heads or relation not in relations
        wrong = other and (head, relation) not in pairs
        said = f"{sign * wrong}{relation}"
        # The root has no name; what it is called says that it is one.
        cells.append((f"{sign * (head not in heads)}{name}" if name else "", said))
    return [", ".join(each) for each in zip(*cells, strict=True)] or ["", ""]


def _others(row: Row) -> tuple[str, str]:
    """What is wrong with a word besides its arc, on both sides."""
    gold, system = (
        " ".join(
            piece.text(sign)
            for piece in (half.pieces if half else ())
            if not piece.matched and piece.name not in _ARC and piece.kind != "tops"
        )
        for half, sign in zip((row.gold, row.system), ALONE, strict=True)
    )
    # Of a word that stands alone everything is wrong.
    return ("", "") if None in (row.gold, row.system) else (gold, system)


def _word(half: Half, row: Row) -> str:
    forms = [
        _short(piece.value)
        for each in (row.gold, row.system)
        for piece in (each.pieces if each else ())
        if piece.kind == "labels"
    ]
    return " / ".join(dict.fromkeys(forms)) or half.place


def _short(value: object) -> str:
    return "" if value is None else one_line(str(value), LONG)
