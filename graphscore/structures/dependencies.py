"""Dependency parses as sets of arcs (section 2.2).

>>> bark = DependencyParse(frozenset({Dependency(2, 1, "nsubj"),
...                                   Dependency(0, 2, "root")}))
>>> graph = dependency_graph(bark, ["Dogs", "bark"])
>>> graph.tops, [(edge.source, edge.label, edge.target) for edge in graph.edges]
((2,), [(2, 'nsubj', 1)])
>>> dependencies_of(graph) == bark
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import first_of
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.views import named

ROOT = "root"
"""The relation that a root has unless its node says another."""

DEPREL = "deprel"
"""The property with the relation of a root, where that is another."""


@dataclass(frozen=True)
class Dependency:
    """An arc from a governor to its dependent.

    Args:
        gov: the governor's number, from 1; 0 for the root.
        dep: the dependent's number.
        rel: the relation.
    """

    gov: int
    dep: int
    rel: str


@dataclass(frozen=True)
class DependencyParse:
    """Output of dependency parsing (LAS, eq. 12; without *rel* UAS, eq. 11).

    Args:
        edges: the arcs.
    """

    edges: frozenset[Dependency]


def dependency_graph(
    parse: DependencyParse,
    words: Sequence[str],
    *,
    id: str = "",
    document: str = "",
) -> Graph:
    """Lay a parse out as basic dependencies (framework ``ud``).

    Args:
        parse: the arcs.
        words: the words of the sentence; their numbers count from 1.
        id: the item.
        document: the document that it belongs to.

    Raises:
        StructureError: if an arc is at a word that is not there.
    """
    nodes, tokens, start = [], [], 0
    roots = {arc.dep: arc.rel for arc in parse.edges if arc.gov == 0}
    for number, word in enumerate(words, 1):
        anchor = Anchor(start, start + len(word))
        relation = roots.get(number, ROOT)
        properties = ((DEPREL, relation),) if relation != ROOT else ()
        nodes.append(Node(number, word, properties, (anchor,)))
        tokens.append(anchor)
        start = anchor.end + 1
    edges = []
    for arc in sorted(parse.edges, key=lambda arc: (arc.dep, arc.gov, arc.rel)):
        if not (0 <= arc.gov <= len(words) and 1 <= arc.dep <= len(words)):
            raise StructureError(
                str(arc), f"no such word of {len(words)}", "a word's number"
            )
        if arc.gov:
            edges.append(Edge(arc.gov, arc.dep, arc.rel))
    return Graph(
        id,
        "ud",
        0,
        "",
        document,
        " ".join(words),
        tuple(tokens),
        tuple(nodes),
        tuple(edges),
        tuple(sorted(roots)),
    )


def dependencies_of(graph: Graph) -> DependencyParse:
    """The arcs of basic dependencies, words numbered from 1 in their order.

    Args:
        graph: a graph of the framework ``ud``.
    """
    number = {node.id: index for index, node in enumerate(graph.nodes, 1)}
    arcs = {
        Dependency(number[edge.source], number[edge.target], named(edge.label))
        for edge in graph.edges
    }
    nodes = {node.id: node for node in graph.nodes}
    for top in graph.tops:
        relation = first_of(nodes[top].properties, DEPREL)
        arcs.add(
            Dependency(0, number[top], ROOT if relation is None else named(relation))
        )
    return DependencyParse(frozenset(arcs))
