"""Connectedness, cycles, trees and density.

Kuhlmann and Oepen (2016), section 3; mtool 4cee3a2, ``analyzer.py``.  Singletons
(:attr:`~graphscore.analysis.topology.Topology.singletons`) are left out throughout.
"""

from __future__ import annotations

from graphscore.analysis.topology import Topology


def components(shape: Topology) -> int:
    """Number of weakly connected components, singletons not counted.

    >>> components(Topology(5, ((0, 1), (3, 2))))
    2
    """
    import rustworkx

    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(shape.size))
    graph.extend_from_edge_list(list(shape.edges))
    return int(rustworkx.number_weakly_connected_components(graph)) - len(
        shape.singletons
    )


def is_connected(shape: Topology) -> bool:
    """Return whether the nodes form exactly one component.

    >>> is_connected(Topology(3, ((0, 1),))), is_connected(Topology(1))
    (True, False)
    """
    return components(shape) == 1


def is_cyclic(shape: Topology) -> bool:
    """Return whether a directed path leads back to its start; a self-loop does.

    >>> is_cyclic(Topology(2, ((0, 1), (1, 0))))
    True
    >>> is_cyclic(Topology(2, ((0, 1), (0, 1))))
    False
    """
    if any(source == target for source, target in shape.edges):
        return True
    import rustworkx

    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(shape.size))
    graph.extend_from_edge_list(list(shape.edges))
    return not rustworkx.is_directed_acyclic_graph(graph)


def is_tree(shape: Topology) -> bool:
    """Return whether the graph is connected, acyclic, and no node has two heads.

    >>> is_tree(Topology(3, ((1, 0), (1, 2)))), is_tree(Topology(3, ((0, 1), (2, 1))))
    (True, False)
    """
    most = max(shape.incoming, default=0)
    return most <= 1 and is_connected(shape) and not is_cyclic(shape)


def density(shape: Topology) -> float:
    """Edges per edge that a tree over the same nodes has.

    Self-loops and singletons do not count; a graph of at most one node has
    density 1.

    >>> density(Topology(4, ((0, 1), (0, 2), (1, 3), (2, 3), (3, 3))))
    1.3333333333333333
    """
    if shape.proper <= 1:
        return 1.0
    proper = sum(source != target for source, target in shape.edges)
    return proper / (shape.proper - 1)
