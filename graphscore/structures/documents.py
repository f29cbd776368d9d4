r"""Documents of sentence graphs, with what is annotated across sentences (``umrdoc``).

The nodes of such a graph are constants (the author, the time of writing), which say
nothing of themselves, then for every sentence one node ``sentence`` and the nodes of
its graph, each with its ``variable``.  What is annotated across sentences are edges
with a ``level`` and the number of the ``sentence`` with which it was annotated.

>>> from graphscore.model.graph import Edge, Node
>>> nodes = (Node(0, "author"), Node(1, "sentence", (("sentence", 1),)),
...          Node(2, "bark-01", (("variable", "s1b"), ("aspect", "habitual"))))
>>> said = (("level", "modal"), ("sentence", 1))
>>> edges = (Edge(0, 2, "full-affirmative", attributes=said),)
>>> [one] = sentences_of(Graph("", "umrdoc", nodes=nodes, edges=edges, tops=(2,)))
>>> one.nodes, one.triples[0][:4]
(range(2, 3), ('modal', 0, 'full-affirmative', 2))
>>> said_of(nodes[2]), variable_of(nodes[0]), variable_of(nodes[2])
((('aspect', 'habitual'),), 'author', 's1b')
"""

from __future__ import annotations

from typing import NamedTuple

from graphscore.model.graph import Graph, Node, Pairs

SENTENCE = "sentence"
"""The first property of a node that is a sentence, and the attribute of a triple: its
number, from 1."""

VARIABLE = "variable"
"""The first property of a node of a sentence's graph: what annotators call it."""

LEVEL = "level"
"""The attribute of a triple that says what it is about."""

IRREGULAR = "irregular"
"""The attribute, true, of a triple with a note or an open bracket in its level of a
sentence, or with blanks inside its brackets: some programs do not read it."""

NOTE = "note"
"""Attribute for annotators' notes behind a triple."""

LEVELS = ("temporal", "modal", "coref")
"""Levels that UMR annotates across sentences, in the order of its files."""


class Triple(NamedTuple):
    """Annotation across sentences, between nodes by their ordinals."""

    level: str
    head: int
    relation: str
    tail: int
    edge: int
    """The ordinal of its edge."""
    plain: bool = True
    """False if the triple is marked as `IRREGULAR`."""


class Sentence(NamedTuple):
    """One sentence of a document, by ordinals of nodes and edges."""

    place: int
    """The node that it is."""
    nodes: range
    """Those of its graph."""
    edges: list[int]
    """Those of its graph."""
    triples: list[Triple]
    """Document annotation that belongs to it."""


def sentences_of(graph: Graph) -> list[Sentence]:
    """The sentences of a document, in order.

    Args:
        graph: a graph of the framework ``umrdoc``.

    Returns:
        Triples of a sentence that is not there are with the last one before it.
    """
    indices = [index for index, node in enumerate(graph.nodes) if is_sentence(node)]
    if not indices:
        return []
    ends = [*indices[1:], len(graph.nodes)]
    sentences = [
        Sentence(start, range(start + 1, end), [], [])
        for start, end in zip(indices, ends, strict=True)
    ]
    where = {}
    for number, sentence in enumerate(sentences):
        for node in sentence.nodes:
            where[node] = number
    ordinals = graph.ordinals()
    for ordinal, edge in enumerate(graph.edges):
        source, target = ordinals[edge.source], ordinals[edge.target]
        level, number = level_of(edge.attributes)
        if level is None:
            sentences[where.get(source, 0)].edges.append(ordinal)
            continue
        plain = (IRREGULAR, True) not in edge.attributes
        triple = Triple(level, source, str(edge.label), target, ordinal, plain)
        sentences[min(max(number, 1), len(sentences)) - 1].triples.append(triple)
    return sentences


def level_of(attributes: Pairs) -> tuple[str | None, int]:
    """Return the document level of an edge, and the sentence it is annotated with.

    Args:
        attributes: those of the edge.

    Returns:
        ``None`` of an edge of a sentence's graph.
    """
    level, number = None, 1
    for name, value in attributes:
        if name == LEVEL:
            level = str(value)
        elif name == SENTENCE and type(value) is int:
            number = value
    return level, number


def is_sentence(node: Node) -> bool:
    """Return true if a node is a sentence."""
    return bool(node.properties) and node.properties[0][0] == SENTENCE


def said_of(node: Node) -> Pairs:
    """The attributes of a node of a sentence's graph."""
    return node.properties[1:]


def variable_of(node: Node) -> str:
    """Return the name of a node for annotators: its variable, or its constant."""
    if node.properties and node.properties[0][0] == VARIABLE:
        return str(node.properties[0][1])
    return str(node.label)
