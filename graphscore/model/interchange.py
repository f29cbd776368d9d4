"""Graphs to networkx and rustworkx, and back without loss.

Both libraries get a directed multigraph whose payloads are graphscore's own
:class:`Node` and :class:`Edge` objects, so that their algorithms can be used on
any annotation and the result can be scored again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from graphscore.exceptions import expecting
from graphscore.model.graph import Edge, Graph, Node

if TYPE_CHECKING:
    import networkx as nx
    import rustworkx as rx


@expecting(graph=Graph)
def to_networkx(graph: Graph) -> nx.MultiDiGraph[Any]:
    """A networkx multigraph: nodes by id, everything else as attributes.

    Example:
        >>> graph = Graph("1", "amr", nodes=(Node("b", "bark-01"), Node("d", "dog")),
        ...               edges=(Edge("b", "d", "ARG0"),), tops=("b",))
        >>> network = to_networkx(graph)
        >>> network.nodes["d"]["label"], from_networkx(network) == graph
        ('dog', True)
    """
    import networkx

    multi_di_graph: nx.MultiDiGraph[Any] = networkx.MultiDiGraph(
        graph=msgspec.structs.replace(graph, nodes=(), edges=())
    )
    for node in graph.nodes:
        multi_di_graph.add_node(
            node.id, label=node.label, top=node.id in graph.tops, payload=node
        )
    for position, edge in enumerate(graph.edges):
        multi_di_graph.add_edge(
            edge.source, edge.target, key=position, label=edge.label, payload=edge
        )
    return multi_di_graph


def from_networkx(network: nx.MultiDiGraph[Any]) -> Graph:
    """The graph of a networkx multigraph made by :func:`to_networkx`.

    Nodes and edges that were added without a payload become plain ones, with
    the attribute ``label``.
    """
    head: Graph = network.graph.get("graph", Graph("", ""))
    nodes = [
        data.get("payload") or Node(name, data.get("label"))
        for name, data in network.nodes(data=True)
    ]
    edges = [
        (key, data.get("payload") or Edge(source, target, data.get("label")))
        for source, target, key, data in network.edges(keys=True, data=True)
    ]
    edges.sort(
        key=lambda pair: (not isinstance(pair[0], int), str(type(pair[0])), pair[0])
    )
    return msgspec.structs.replace(
        head, nodes=tuple(nodes), edges=tuple(edge for _, edge in edges)
    )


@expecting(graph=Graph)
def to_rustworkx(graph: Graph) -> rx.PyDiGraph[Node, Edge]:
    """A rustworkx multigraph: node index is the node's ordinal.

    Example:
        >>> graph = Graph("1", "amr", nodes=(Node("b", "bark-01"), Node("d", "dog")),
        ...               edges=(Edge("b", "d", "ARG0"),), tops=("b",))
        >>> from_rustworkx(to_rustworkx(graph)) == graph
        True
    """
    import rustworkx

    py_di_graph: rx.PyDiGraph[Node, Edge] = rustworkx.PyDiGraph(
        attrs=msgspec.structs.replace(graph, nodes=(), edges=())
    )
    py_di_graph.add_nodes_from(list(graph.nodes))
    ordinals = graph.ordinals()
    py_di_graph.add_edges_from(
        [(ordinals[edge.source], ordinals[edge.target], edge) for edge in graph.edges]
    )
    return py_di_graph


def from_rustworkx(network: rx.PyDiGraph[Node, Edge]) -> Graph:
    """The graph of a rustworkx multigraph with ``Node`` and ``Edge`` payloads."""
    head = network.attrs if isinstance(network.attrs, Graph) else Graph("", "")
    edges = [network.get_edge_data_by_index(k) for k in network.edge_indices()]
    return msgspec.structs.replace(
        head, nodes=tuple(network.nodes()), edges=tuple(edges)
    )
