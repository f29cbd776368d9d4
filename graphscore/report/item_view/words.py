"""Dependencies as a table of words, each with its head and relation on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graphscore.model.graph import Graph
from graphscore.report.element_values import ALONE, SAME, UNCOUNTED, marked
from graphscore.report.table import Column, Table, one_line
from graphscore.structures.dependencies import DEPREL, ROOT
from graphscore.structures.layout import first_of

if TYPE_CHECKING:
    from graphscore.report.element_values import Piece, SideElement
    from graphscore.report.side_by_side import Row

FRAMEWORKS = frozenset({"ud", "eud"})
"""Frameworks whose nodes are words with heads."""

WORDS = "Words"
"""The title of the table."""

LONG = 20
"""Characters of a word or a relation that are shown."""

HEAD = "head"
"""Name of a wrong head in errors."""

AND = "+"
"""Between the things that are wrong, in the name of an error."""

_COLUMNS = frozenset({HEAD, DEPREL})
"""Names of errors that have columns of their own."""

Arc = tuple[int, str, str]
"""The row of a head (-1: the root), what it is called, and the relation."""


def words_of(nodes: Sequence[Row], sides: tuple[Graph, Graph]) -> list[Table]:
    """A table of words with their heads, where the graphs are dependencies.

    Args:
        nodes: words beside their counterparts.
        sides: the gold graph and the system's.

    Returns:
        One table or none.  Where a word's head or relation is wrong, it is marked on
        each side; other things that are wrong stand in columns behind.  Where only
        those are wrong, heads are left out.
    """
    if sides[0].framework not in FRAMEWORKS:
        return []
    arcs = [_arcs(graph, nodes, side) for side, graph in enumerate(sides)]
    columns = ["", "id", "word"]
    others = [_others(row) for row in nodes]
    known = any(map(any, others))
    # Of what is wrong with tags, heads say nothing.
    headed = not known or any(
        _wrong(row, half) & _COLUMNS for row in nodes for half in (row.gold, row.system)
    )
    if headed:
        columns += ["gold head", "relation", "system head", "relation"]
    table = Table([*map(Column, columns)], title=WORDS)
    if known:
        table.columns += [Column("gold"), Column("system")]
    for row, (gold_other, system_other) in zip(nodes, others, strict=True):
        half = row.gold or row.system
        assert half is not None
        gold, system = (
            arc[each.ordinal] if each else []
            for arc, each in zip(arcs, (row.gold, row.system), strict=True)
        )
        cells = _cells(gold, system, ALONE[0], _wrong(row, row.gold))
        cells += _cells(system, gold, ALONE[1], _wrong(row, row.system))
        last = (gold_other, system_other) if known else ()
        mark = marked(row.mark, row.credit)
        table.rows.append(
            (mark, str(half.id), _word(half, row), *cells * headed, *last)
        )
    return [table]


def _arcs(graph: Graph, nodes: Sequence[Row], side: int) -> dict[int, list[Arc]]:
    """The arcs to every word, by its ordinal."""
    rows = {}
    for number, row in enumerate(nodes):
        half = (row.gold, row.system)[side]
        if half is not None:
            rows[half.id] = number
    ordinals = {node.id: index for index, node in enumerate(graph.nodes)}
    arcs: dict[int, list[Arc]] = {index: [] for index in ordinals.values()}
    for top in graph.tops:
        node = graph.nodes[ordinals[top]]
        relation = first_of(node.properties, DEPREL) or ROOT
        arcs[ordinals[top]].append((-1, "", _short(relation)))
    for edge in graph.edges:
        head = graph.nodes[ordinals[edge.source]]
        # In a document its sentence stands before a word's number.
        name = f"{str(head.id).rpartition(':')[2]}:{_short(head.label)}"
        arcs[ordinals[edge.target]].append((rows[head.id], name, _short(edge.label)))
    return arcs


def _wrong(row: Row, half: SideElement | None) -> frozenset[str]:
    """Return which of head and relation are errors of a word of one side.

    Labelled attachment counts both, unlabelled only the head, tags neither.
    """
    if half is None or row.mark in (SAME, UNCOUNTED):
        return frozenset()
    if None in (row.gold, row.system):
        return _COLUMNS
    return frozenset(
        part
        for piece in half.pieces
        if not piece.matched
        for part in piece.name.split(AND)
    )


def _cells(
    own_arcs: Sequence[Arc], others: Sequence[Arc], sign: str, parts: frozenset[str]
) -> list[str]:
    """Heads and relations of a word, with a sign before what the other side lacks.

    Args:
        own_arcs: the arcs to the word on this side.
        others: those on the other side.
        sign: what stands before what is wrong.
        parts: what may be wrong, as errors call it.
    """
    head_sign, relation_sign = (sign * (part in parts) for part in (HEAD, DEPREL))
    heads = {head for head, _, _ in others}
    relations = {relation for _, _, relation in others}
    pairs = {(head, relation) for head, _, relation in others}
    cells = []
    for head, name, relation in own_arcs:
        # With another head the same relation is no more wrong than it is.
        differs = head in heads or relation not in relations
        wrong = differs and (head, relation) not in pairs
        text = f"{relation_sign * wrong}{relation}"
        # The root has no name; what it is called says that it is one.
        cells.append((f"{head_sign * (head not in heads)}{name}" if name else "", text))
    return [", ".join(column) for column in zip(*cells, strict=True)] or ["", ""]


def _others(row: Row) -> tuple[str, str]:
    """Return the errors of a word besides its arc, on both sides."""
    if row.gold is None or row.system is None:
        # Of a word that stands alone everything is wrong.
        return "", ""
    # All tags together are wrong under the name of the one that is; it comes first.
    wrong = [
        {
            piece.name: piece
            for piece in reversed(half.pieces)
            if not piece.matched and piece.tuple_type != "tops"
        }
        for half in (row.gold, row.system)
    ]
    names = {name for pieces in wrong for name in pieces}
    gold, system = (
        _others_of(pieces.values(), names, sign)
        for pieces, sign in zip(wrong, ALONE, strict=True)
    )
    return gold, system


def _others_of(pieces: Iterable[Piece], names: set[str], sign: str) -> str:
    """Return the errors of one side of a word without a column, in their order."""
    texts = [_beyond(piece, names, sign) for piece in reversed([*pieces])]
    return " ".join(filter(None, texts))


def _beyond(piece: Piece, names: set[str], sign: str) -> str:
    """Return the text of an error of a word without a column.

    Args:
        piece: what is wrong.
        names: all that is wrong with the word, on both sides.
        sign: what stands before it.
    """
    parts = piece.name.split(AND)
    rest = [part for part in parts if part not in _COLUMNS]
    if len(rest) < len(parts):
        # The value is the relation, which is there.
        return " ".join(f"{sign}{part}" for part in rest)
    # What is wrong together needs not be said where it is said one by one.
    return "" if len(parts) > 1 and names & {*parts} else piece.text(sign)


def _word(half: SideElement, row: Row) -> str:
    forms = [
        _short(piece.value)
        for each in (row.gold, row.system)
        for piece in (each.pieces if each else ())
        if piece.tuple_type == "labels"
    ]
    return " / ".join(dict.fromkeys(forms)) or half.place


def _short(value: object) -> str:
    return "" if value is None else one_line(str(value), LONG)
