"""Statistics of many graphs, summed up one graph at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from graphscore.analysis.arcs import edge_lengths, is_noncrossing, is_page2
from graphscore.analysis.connection import density, is_connected, is_cyclic, is_tree
from graphscore.analysis.degrees import nontop_roots, reentrant_nodes, roots
from graphscore.analysis.inventory import CASES, special_cases, tuple_counts
from graphscore.analysis.roles import (
    SRL,
    arguments,
    continuations,
    predicates,
    references,
)
from graphscore.analysis.topology import Inverted, shape_of
from graphscore.analysis.treewidth import treewidth
from graphscore.exceptions import expecting
from graphscore.model.frameworks import TUPLE_TYPES, framework
from graphscore.model.graph import Graph, Value


class Statistic(NamedTuple):
    """One line of a table of statistics."""

    title: str
    """Title in tables.

    In it ``%g`` is of graphs, ``%n`` of nodes, as in the paper, ``%a`` of arguments.
    """
    unit: Literal["count", "mean", "share"]
    """A number of things, a mean, or a ratio from 0 to 1."""


STATISTICS: dict[str, Statistic] = {
    "graphs": Statistic("graphs", "count"),
    "tokens_per_graph": Statistic("average tokens per graph", "mean"),
    "nodes": Statistic("nodes", "count"),
    "nodes_per_graph": Statistic("average nodes per graph", "mean"),
    "singletons": Statistic("%n singleton", "share"),
    "edges": Statistic("edges", "count"),
    "edges_per_node": Statistic("edges per node", "mean"),
    "edge_labels": Statistic("edge labels", "count"),
    "trees": Statistic("%g trees", "share"),
    "treewidth_one": Statistic("%g treewidth one", "share"),
    "average_treewidth": Statistic("average treewidth", "mean"),
    "maximal_treewidth": Statistic("maximal treewidth", "count"),
    "treewidth_bounds": Statistic("treewidths only bounded", "count"),
    "average_density": Statistic("average edge density", "mean"),
    "reentrant": Statistic("%n reentrant", "share"),
    "cyclic": Statistic("%g cyclic", "share"),
    "unconnected": Statistic("%g not connected", "share"),
    "multirooted": Statistic("%g multi-rooted", "share"),
    "nontop_roots": Statistic("%n non-top roots", "share"),
    "edge_length": Statistic("average edge length", "mean"),
    "noncrossing": Statistic("%g noncrossing", "share"),
    "page_two": Statistic("%g page number two", "share"),
    "predicates": Statistic("predicates", "count"),
    "arguments": Statistic("arguments", "count"),
    "continuations": Statistic("%a C-X", "share"),
    "references": Statistic("%a R-X", "share"),
}
"""Every statistic by name, in the order in which tables show them."""


class CollectionStatistics:
    """Statistics of the graphs of one framework.

    Args:
        framework: which.
        inverted: whether inverted edges count as written or in base direction.

    Example:
        >>> from graphscore.model.graph import Edge, Node
        >>> dm = CollectionStatistics("dm")
        >>> nodes = (Node(0), Node(1), Node(2))
        >>> dm.add(Graph("1", "dm", nodes=nodes, edges=(Edge(0, 2), Edge(0, 1))))
        >>> dm.statistics()["trees"], dm.statistics()["edge_length"]
        (1.0, 1.5)
        >>> dm.tuple_types()["edges"]
        {'count': 2, 'share': 1.0}
    """

    def __init__(self, framework: str, inverted: Inverted = "keep") -> None:
        self.framework = framework
        self.inverted: Inverted = inverted
        self._sums: Counter[str] = Counter()
        self._density = 0.0
        self._widest = 0
        self._labels: set[Value] = set()
        self._tuple_types: Counter[str] = Counter()
        self._cases: Counter[str] = Counter()

    @expecting(graph=Graph)
    def add(self, graph: Graph) -> None:
        """Count one more graph.

        Raises:
            InvalidGraphError: if an edge or top names a node that is not there.
        """
        shape = shape_of(graph, self.inverted)
        width = treewidth(shape)
        self._density += density(shape)
        self._widest = max(self._widest, width.value)
        self._labels.update(edge.label for edge in graph.edges)
        counts = {
            "graphs": 1,
            "tokens": len(graph.tokens),
            "tokenized": bool(graph.tokens),
            "nodes": shape.size,
            "singletons": len(shape.singletons),
            "edges": len(shape.edges),
            "trees": is_tree(shape),
            "treewidth": width.value,
            "treewidth_one": width.value == 1,
            "treewidth_bounds": not width.exact,
            "reentrant": reentrant_nodes(shape),
            "cyclic": is_cyclic(shape),
            "unconnected": not is_connected(shape),
            "multirooted": len(roots(shape)) > 1,
            "nontop_roots": nontop_roots(shape),
        }
        if shape.positions is not None:
            counts |= {
                "ordered": 1,
                "ordered_edges": len(shape.edges),
                "edge_length": sum(edge_lengths(shape)),
                "noncrossing": is_noncrossing(shape),
                "page_two": is_page2(shape),
            }
        if graph.framework == SRL:
            counts |= {
                "predicates": predicates(graph),
                "arguments": arguments(graph),
                "continuations": continuations(graph),
                "references": references(graph),
            }
        self._sums.update({name: int(value) for name, value in counts.items()})
        self._tuple_types.update(tuple_counts(graph))
        self._cases.update(special_cases(graph) | {"edges": len(graph.edges)})

    def statistics(self) -> dict[str, int | float | None]:
        """Every statistic by name; ``None`` where nothing can be said.

        Shares are from 0 to 1.  A treewidth is an upper bound in as many graphs as
        ``treewidth_bounds`` says.
        """
        sums = self._sums
        graphs, ordered = sums["graphs"], sums["ordered"]
        proper = sums["nodes"] - sums["singletons"]
        result: dict[str, int | float | None] = {
            "graphs": graphs,
            "tokens_per_graph": _ratio(sums["tokens"], sums["tokenized"]),
            "nodes": sums["nodes"],
            "nodes_per_graph": _ratio(sums["nodes"], graphs),
            "singletons": _ratio(sums["singletons"], sums["nodes"]),
            "edges": sums["edges"],
            "edges_per_node": _ratio(sums["edges"], proper),
            "edge_labels": len(self._labels),
            "average_treewidth": _ratio(sums["treewidth"], graphs),
            "maximal_treewidth": self._widest if graphs else None,
            "treewidth_bounds": sums["treewidth_bounds"],
            "average_density": _ratio(self._density, graphs),
            "edge_length": _ratio(sums["edge_length"], sums["ordered_edges"]),
        }
        of_graphs = ("trees", "treewidth_one", "cyclic", "unconnected", "multirooted")
        result |= {name: _ratio(sums[name], graphs) for name in of_graphs}
        of_nodes = ("reentrant", "nontop_roots")
        result |= {name: _ratio(sums[name], proper) for name in of_nodes}
        drawn = ("noncrossing", "page_two")
        result |= {name: _ratio(sums[name], ordered) for name in drawn}
        has_roles = self.framework == SRL
        for name in ("predicates", "arguments"):
            result[name] = sums[name] if has_roles else None
        of_arguments = ("continuations", "references")
        result |= {name: _ratio(sums[name], sums["arguments"]) for name in of_arguments}
        return {name: result[name] for name in STATISTICS}

    def tuple_types(self) -> dict[str, dict[str, int | float | None]]:
        """Count of each tuple type that applies, and its share of all tuples."""
        total = self._tuple_types.total()
        return {
            tuple_type: {
                "count": self._tuple_types[tuple_type],
                "share": _ratio(self._tuple_types[tuple_type], total),
            }
            for tuple_type in TUPLE_TYPES
            if tuple_type in framework(self.framework).tuple_types
            or self._tuple_types[tuple_type]
        }

    def cases(self) -> dict[str, dict[str, int | float | None]]:
        """Count of each special case, and its share of all edges as written."""
        edges = self._cases["edges"]
        return {
            case: {
                "count": self._cases[case],
                "share": _ratio(self._cases[case], edges),
            }
            for case in CASES
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        return {
            "framework": self.framework,
            "statistics": self.statistics(),
            "tuple_types": self.tuple_types(),
            "cases": self.cases(),
        }


def _ratio(amount: float, of: int) -> float | None:
    return amount / of if of else None


Named = tuple[str, str, CollectionStatistics]
"""A collection of one framework: the framework, what the collection is called where
each has a column, and its statistics."""


class Collections:
    """Graphs by framework, all together or each operand apart.

    Args:
        frameworks: which; all without.
        inverted: what inverted edges are taken as.
        apart: whether operands are collections of their own.
    """

    def __init__(
        self,
        frameworks: frozenset[str] = frozenset(),
        inverted: Inverted = "keep",
        apart: bool = False,
    ) -> None:
        self._frameworks, self._inverted, self._apart = frameworks, inverted, apart
        self._made: dict[tuple[str, int], CollectionStatistics] = {}

    def add(self, operand: int, graph: Graph) -> None:
        """Add a graph.

        Args:
            operand: which of the operands it is from.
            graph: any graph.
        """
        name = graph.framework
        if self._frameworks and name not in self._frameworks:
            return
        key = name, operand if self._apart else 0
        if key not in self._made:
            self._made[key] = CollectionStatistics(name, self._inverted)
        self._made[key].add(graph)

    def named(self, names: Sequence[str]) -> list[Named]:
        """The collections in order of frameworks, then operands.

        Args:
            names: what the operands are called.
        """
        return [
            (framework, names[operand] if self._apart else "", result)
            for (framework, operand), result in sorted(
                self._made.items(), key=lambda entry: entry[0]
            )
        ]
