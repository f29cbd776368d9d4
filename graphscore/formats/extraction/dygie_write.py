r"""Graphs as lines of DyGIE++.

Layers of one document that follow one another become one line again; a layer
alone brings the mentions that it needs as ``ner``, and what was predicted is
written under ``predicted_`` keys.  Only what has its place in the format is
written: one range of whole tokens a mention, within a sentence, types and roles,
score and probability.

>>> from graphscore.model.graph import Anchor
>>> jenny = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 5),))
>>> ner = Graph("d1", "ner", 1, text="Jenny left", nodes=(jenny,),
...             tokens=(Anchor(0, 5), Anchor(6, 10)))
>>> b"".join(write([ner]))
b'{"doc_key":"d1","sentences":[["Jenny","left"]],"ner":[[[0,0,"PER"]]]}\n'
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.dygie import (
    FIELDS,
    OWN,
    PREDICTED,
    ROLES,
    SAID,
    SENTENCES,
)
from graphscore.formats.shared.clusters import members_of
from graphscore.formats.shared.layers import Layer, kept
from graphscore.formats.shared.token_spans import Span, TokenSpans
from graphscore.formats.writing import Layers, json_lines, same_item
from graphscore.model.graph import Graph, Node, Pairs
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    EVENTS,
    KIND,
    LAYERS,
    MENTION,
    NER,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SCORE,
    TRIGGER,
    kind_of,
    nodes_of,
)

_KINDS = {
    NER: {MENTION},
    RELATIONS: {MENTION, RELATION},
    EVENTS: {MENTION, TRIGGER},
    COREF: {MENTION, ENTITY},
}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation``, ``event`` and ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, LAYERS, "DyGIE++", _fields, _same_document)


def _same_document(one: Graph, other: Graph) -> bool:
    """Whether both are layers of a document."""
    return same_item(one, other) and (
        COREF in (one.framework, other.framework) or _typed(one) == _typed(other)
    )


def _typed(graph: Graph) -> list[tuple[Any, ...]]:
    """The mentions that have types: those of the document."""
    return [
        (node.label, node.anchors, node.properties)
        for node in nodes_of(graph, MENTION)
        if node.label is not None
    ]


def _fields(graph: Graph, layers: Layers) -> dict[str, Any]:
    return _Document(graph).fields(layers)


class _Document:
    """The tokens of a document, and annotations in terms of them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.spans = TokenSpans(graph)
        self.starts = self.spans.starts()

    def fields(self, layers: dict[str, Graph]) -> dict[str, Any]:
        """The JSON object of a document."""
        prefix = PREDICTED if self.graph.extra.get(SAID) else ""
        found = kept(self.graph.extra, OWN)
        found |= {"doc_key": self.graph.id, SENTENCES: self.spans.sentences()}
        for layer in LAYERS:
            if layer in layers:
                found[prefix + FIELDS[layer]] = self._layer(layers[layer])
            elif layer == NER:
                typed = (g for g in layers.values() if g.framework != COREF)
                graph = next((g for g in typed if _typed(g)), None)
                if graph is not None:
                    found[prefix + FIELDS[NER]] = self._ner(graph)
        return found

    def _layer(self, graph: Graph) -> list[Any]:
        layer = Layer(graph, _KINDS[graph.framework])
        if graph.framework == NER:
            return self._ner(graph)
        if graph.framework == COREF:
            return [
                [self.spans.of(layer.nodes[each]) for each in members]
                for members in members_of(graph)
            ]
        return self._built(layer)

    def _ner(self, graph: Graph) -> list[Any]:
        """The mentions that have types, by sentence."""
        lists = self._lists()
        for node in nodes_of(graph, MENTION):
            if node.label is not None:
                span = self.spans.of(node)
                numbers = _numbers(_own(node))
                lists[self._sentence(span)].append([*span, node.label, *numbers])
        return lists

    def _built(self, layer: Layer) -> list[Any]:
        """Relations or events, by sentence."""
        lists = self._lists()
        spans = {node.id: self.spans.of(node) for node in layer.of(MENTION)}
        layer.to_mentions()
        for node in layer.graph.nodes:
            kind = kind_of(node)
            if kind == MENTION:
                continue
            numbers = _numbers(_own(node))
            edges = layer.edges(node.id)
            fillers = [spans[edge.target] for edge in edges]
            if kind == RELATION:
                if tuple(edge.label for edge in edges) != ROLES or node.anchors:
                    found = f"a relation {node.id!r} of other arguments"
                    raise InvalidGraphError(found, " and ".join(ROLES))
                built: list[Any] = [*chain(*fillers), node.label, *numbers]
            else:
                span = self.spans.of(node)
                token = [span[0]] if span[0] == span[1] else [*span]
                built = [[*token, node.label, *numbers]]
                for edge, filler in zip(edges, fillers, strict=True):
                    built.append([*filler, edge.label, *_numbers(edge.attributes)])
                fillers.append(span)
            lists[self._sentence(fillers[-1])].append(built)
        return lists

    def _lists(self) -> list[list[Any]]:
        return [[] for _ in self.starts[1:]]

    def _sentence(self, span: Span) -> int:
        return bisect_right(self.starts, span[0]) - 1


def _own(node: Node) -> Pairs:
    """What a node has beside its kind."""
    return tuple(pair for pair in node.properties if pair[0] != KIND)


def _numbers(pairs: Pairs) -> list[Any]:
    """Score and probability; nothing else can be said."""
    names = [name for name, _ in pairs]
    if names not in ([], [SCORE], [SCORE, PROBABILITY]):
        found = f"properties {', '.join(names)}"
        raise InvalidGraphError(found, f"{SCORE} and {PROBABILITY} at most")
    return [value for _, value in pairs]
