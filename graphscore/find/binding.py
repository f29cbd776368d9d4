"""Bindings of a pattern: the graphs with hits, and the nodes and edges bound.

Hits are not described, as :func:`graphscore.find.search.find` does: this is for who
counts with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, text

from graphscore.exceptions import UsageError
from graphscore.find.hints import unknown
from graphscore.find.pattern import Side
from graphscore.find.scope import Scope
from graphscore.find.search import Sides, ready
from graphscore.find.sql import UNIT, Statement

Unit = tuple[str, str, str, str, str]
"""Framework, language, document, item and layer."""


@dataclass
class Bindings:
    """Bindings of a pattern in a collection or an evaluation.

    Attributes:
        units: where it is found; of an evaluation, as that names its pairs.
        graphs: the graphs in which it is found, where one collection is searched.
        nodes: by graph the nodes that any hit binds, where they were asked for.
        edges: likewise the edges.
        remarks: why there may be nothing.
    """

    units: set[Unit] = field(default_factory=set)
    graphs: set[int] = field(default_factory=set)
    nodes: dict[int, set[int]] = field(default_factory=dict)
    edges: dict[int, set[int]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def binds(self, graph: int | None, what: str, ordinal: int | None) -> bool:
        """Return whether a node or an edge is part of any hit.

        Args:
            graph: the id of its graph.
            what: ``node`` or ``edge``.
            ordinal: its place in the graph.
        """
        table = {"node": self.nodes, "edge": self.edges}.get(what, {})
        return graph is not None and ordinal in table.get(graph, ())


def bound_in_pairs(connection: Connection, scope: Scope, sides: Sides) -> Bindings:
    """The pairs of an evaluation in which a pattern is found that compares both sides.

    Args:
        connection: the store; it is only read.
        scope: the pattern, with its names.
        sides: the collections and the metric of the evaluation.
    """
    return _bind(connection, scope, sides, whole=False)


def bound_in(
    connection: Connection, scope: Scope, collection: str, *, whole: bool
) -> Bindings:
    """Return the bindings of a pattern about one side in a collection.

    Args:
        connection: the store; it is only read.
        scope: the pattern, with its names.
        collection: the name of the collection.
        whole: whether the nodes and edges are wanted, beside the graphs.
    """
    return _bind(connection, scope, Sides(collection, collection), whole=whole)


def _bind(
    connection: Connection, scope: Scope, sides: Sides, *, whole: bool
) -> Bindings:
    statement, searched = ready(connection, scope, sides)
    if statement.made:
        raise UsageError(
            f"{searched.metric} compares whole documents, which patterns that compare "
            "both sides do not choose; expected a metric over items, or a pattern "
            "about one side"
        )
    bindings = Bindings()
    own = None if scope.compares else statement.graph(_side(scope))
    columns = [f"h.{name}" for name in UNIT] + ([own] if own else [])
    ordinals = [f"h.{column.column}" for column in statement.columns] if whole else []
    for row in _rows(connection, statement, [*columns, *ordinals]):
        framework, language, document, item, layer = row[:5]
        bindings.units.add((framework, language, document, item, layer))
        if own is None:
            continue
        graph = int(row[5])
        bindings.graphs.add(graph)
        for column, ordinal in zip(statement.columns, row[6:], strict=False):
            table = bindings.nodes if column.what == "node" else bindings.edges
            table.setdefault(graph, set()).add(int(ordinal))
    if not bindings.units:
        bindings.remarks = [*unknown(connection, scope, has_hits=False)]
    return bindings


def _side(scope: Scope) -> Side:
    """The side that the graphs of a statement about one side are called after."""
    [side] = {side for side, _ in scope.main.new} or {scope.side}
    return side


def _rows(
    connection: Connection, statement: Statement, columns: list[str]
) -> Iterator[tuple[Any, ...]]:
    sql = f"select distinct {', '.join(columns)}\nfrom ({statement.core}) h"
    for row in connection.execute(text(sql), statement.writer.values):
        yield tuple(row)
