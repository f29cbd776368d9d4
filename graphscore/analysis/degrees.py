"""Properties that can be read off the degrees of the nodes.

Kuhlmann and Oepen (2016), section 3; mtool 4cee3a2, ``analyzer.py``.
"""

from __future__ import annotations

from graphscore.analysis.topology import Topology


def reentrant_nodes(shape: Topology) -> int:
    """Count the nodes with more than one incoming edge.

    >>> diamond = Topology(4, ((0, 1), (0, 2), (1, 3), (2, 3)))
    >>> reentrant_nodes(diamond)
    1
    """
    return sum(count > 1 for count in shape.incoming)


def roots(shape: Topology) -> frozenset[int]:
    """Nodes without incoming edges; singletons are none.

    >>> sorted(roots(Topology(4, ((0, 1), (2, 1)))))
    [0, 2]
    """
    return frozenset(
        node
        for node, count in enumerate(shape.incoming)
        if count == 0 and node not in shape.singletons
    )


def nontop_roots(shape: Topology) -> int:
    """Count the roots that are no tops.

    >>> nontop_roots(Topology(3, ((0, 1), (2, 1)), frozenset({0})))
    1
    """
    return len(roots(shape) - shape.tops)
