"""Properties of sentences with semantic roles, graphs of the framework ``srl``.

Jindal et al. (2023), "PriMeSRL-Eval", section 4.2 and Table 5: how much of the
arguments of a data set is C-X and R-X says how much a scorer can gain or lose by the
way in which it treats them.  Arguments are counted as files have them, piece by piece:
X and C-X are two.

>>> from graphscore.model.graph import Edge, Node
>>> labels = ("A0", "C-A0", "R-A0", "C-R-A0", "V", "C-V")
>>> nodes = (Node("p", "be.01", (("kind", "predicate"),)),
...          *(Node(k, None, (("kind", "argument"),)) for k in range(6)))
>>> edges = tuple(Edge("p", k, label) for k, label in enumerate(labels))
>>> graph = Graph("1", SRL, 1, nodes=nodes, edges=edges)
>>> predicates(graph), arguments(graph), continuations(graph), references(graph)
(1, 4, 2, 1)
"""

from __future__ import annotations

from graphscore.metrics.roles.base import CONTINUED, REFERRING, parted
from graphscore.model.graph import Graph
from graphscore.structures.layout import PREDICATE, nodes_of
from graphscore.structures.roles.sentence import SRL, VERB

__all__ = ["SRL", "arguments", "continuations", "predicates", "references"]


def predicates(graph: Graph) -> int:
    """Count the predicates, those without arguments included.

    Args:
        graph: a graph of the framework ``srl``.
    """
    return len(nodes_of(graph, PREDICATE))


def arguments(graph: Graph) -> int:
    """Count the labeled pieces of arguments; words of the predicate are none.

    Args:
        graph: a graph of the framework ``srl``.
    """
    return len(_prefixes(graph))


def continuations(graph: Graph) -> int:
    """Count the arguments that are C-X; C-R-X is one.

    Args:
        graph: a graph of the framework ``srl``.
    """
    return sum(CONTINUED in prefix for prefix in _prefixes(graph))


def references(graph: Graph) -> int:
    """Count the arguments that are R-X; C-R-X, which continues one, is none.

    Args:
        graph: a graph of the framework ``srl``.
    """
    return sum(
        REFERRING in prefix and CONTINUED not in prefix for prefix in _prefixes(graph)
    )


def _prefixes(graph: Graph) -> list[str]:
    """The prefixes of each argument's label, empty where it has none."""
    labels = ["" if edge.label is None else str(edge.label) for edge in graph.edges]
    return [prefix for prefix, bare in map(parted, labels) if bare != VERB]
