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
from itertools import accumulate
from typing import Any

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.dygie_record import (
    FIELDS,
    OWN,
    PREDICTED,
    ROLES,
    SAID,
    SENTENCES,
)
from graphscore.formats.shared.clusters import members_of
from graphscore.formats.shared.token_spans import Span, TokenSpans
from graphscore.formats.writing import layered, naming, same_item
from graphscore.model.graph import Edge, Graph, Node, NodeId, Pairs
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

_encode = msgspec.json.Encoder().encode


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation``, ``event`` and ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for layers in layered(graphs, LAYERS, "DyGIE++", _same_document):
        yield _line(layers)


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


def _line(layers: dict[str, Graph]) -> bytes:
    graph = next(iter(layers.values()))
    with naming(graph):
        return _encode(_Document(graph).fields(layers)) + b"\n"


class _Document:
    """The tokens of a document, and annotations in terms of them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.spans = TokenSpans(graph)
        self.forms = self.spans.forms
        sizes = graph.extra.get(SENTENCES, [len(self.forms)])
        if (
            not isinstance(sizes, list)
            or not all(type(size) is int and size >= 0 for size in sizes)
            or sum(sizes) != len(self.forms)
        ):
            found, expected = f"sentences of {sizes!r} tokens", f"{len(self.forms)}"
            raise InvalidGraphError(found, f"{expected} tokens in all")
        self.starts = [0, *accumulate(sizes)]

    def fields(self, layers: dict[str, Graph]) -> dict[str, Any]:
        """The JSON object of a document."""
        places = zip(self.starts, self.starts[1:], strict=False)
        own = self.graph.extra.get(OWN, {})
        prefix = PREDICTED if self.graph.extra.get(SAID) else ""
        found: dict[str, Any] = {
            "doc_key": self.graph.id,
            SENTENCES: [self.forms[a:b] for a, b in places],
        }
        if isinstance(own, dict):
            found = {**own, **found}
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
        kinds = _KINDS[graph.framework]
        for node in graph.nodes:
            if kind_of(node) not in kinds:
                found = f"a node {node.id!r} of kind {kind_of(node)!r}"
                raise InvalidGraphError(found, " or ".join(sorted(kinds)))
        if graph.tops:
            raise InvalidGraphError("tops", "none")
        if graph.framework == NER:
            return self._ner(graph, whole=True)
        if graph.framework == COREF:
            return self._clusters(graph)
        return self._built(graph)

    def _ner(self, graph: Graph, whole: bool = False) -> list[Any]:
        """The mentions that have types, by sentence.

        Args:
            graph: a layer.
            whole: whether all its mentions must have them.
        """
        lists = self._lists()
        for node in nodes_of(graph, MENTION):
            if node.label is not None:
                span = self.spans.of(node)
                numbers = _numbers(_own(node))
                lists[self._sentence(span)].append(
                    [*span, _string(node.label, "a type"), *numbers]
                )
            elif whole:
                found = f"a mention {node.id!r} without a type"
                raise InvalidGraphError(found, "one with a type")
        return lists

    def _built(self, graph: Graph) -> list[Any]:
        """Relations or events, by sentence."""
        lists = self._lists()
        spans = {node.id: self.spans.of(node) for node in nodes_of(graph, MENTION)}
        edges = self._edges(graph, spans)
        for node in graph.nodes:
            kind = kind_of(node)
            if kind == MENTION:
                continue
            label = _string(node.label, "a type")
            numbers = _numbers(_own(node))
            mine = edges.get(node.id, [])
            if kind == RELATION:
                if tuple(edge.label for edge in mine) != ROLES or node.anchors:
                    found = f"a relation {node.id!r} of other arguments"
                    raise InvalidGraphError(found, " and ".join(ROLES))
                if any(edge.attributes for edge in mine):
                    raise InvalidGraphError("attributes of an argument", "none")
                ends = [end for edge in mine for end in spans[edge.target]]
                fillers = [spans[edge.target] for edge in mine]
                built: list[Any] = [*ends, label, *numbers]
            else:
                span = self.spans.of(node)
                token = [span[0]] if span[0] == span[1] else [*span]
                fillers = [span, *(spans[edge.target] for edge in mine)]
                built = [[*token, label, *numbers]]
                built += [self._argument(edge, spans) for edge in mine]
            places = {self._sentence(each) for each in fillers}
            if len(places) > 1:
                found = f"a {kind} {node.id!r} of several sentences"
                raise InvalidGraphError(found, "all of it in one")
            lists[places.pop()].append(built)
        return lists

    def _argument(self, edge: Edge, spans: dict[NodeId, Span]) -> list[Any]:
        numbers = _numbers(edge.attributes)
        return [*spans[edge.target], _string(edge.label, "a role"), *numbers]

    def _edges(
        self, graph: Graph, spans: dict[NodeId, Span]
    ) -> dict[NodeId, list[Edge]]:
        """The arguments of each relation or event.

        A mention is written as its tokens; it must be the one that is found there
        when they are read.
        """
        first: dict[Span, NodeId] = {}
        mentions = {node.id: node for node in nodes_of(graph, MENTION)}
        for name in mentions:
            first.setdefault(spans[name], name)
        found: dict[NodeId, list[Edge]] = {}
        for edge in graph.edges:
            if edge.target not in mentions or edge.source in mentions:
                shown = f"an edge from {edge.source!r} to {edge.target!r}"
                raise InvalidGraphError(shown, "edges to mentions")
            if first[spans[edge.target]] != edge.target:
                shown = f"an argument {edge.target!r}, the second mention in its place"
                raise InvalidGraphError(shown, "the first one")
            found.setdefault(edge.source, []).append(edge)
        named = {edge.target for edge in graph.edges}
        for name, node in mentions.items():
            if node.label is None and name not in named:
                shown = f"a mention {name!r} without a type that nothing names"
                raise InvalidGraphError(shown, "a type")
            if node.label is None and (first[spans[name]] != name or _own(node)):
                shown = f"a mention {name!r} with more than its place"
                raise InvalidGraphError(shown, "a type")
        return found

    def _clusters(self, graph: Graph) -> list[Any]:
        spans = {node.id: self.spans.of(node) for node in nodes_of(graph, MENTION)}
        return [[spans[each] for each in members] for members in members_of(graph)]

    def _lists(self) -> list[list[Any]]:
        return [[] for _ in self.starts[1:]]

    def _sentence(self, span: Span) -> int:
        place = bisect_right(self.starts, span[0]) - 1
        if span[1] >= self.starts[place + 1]:
            found = f"tokens {span[0]} to {span[1]}"
            raise InvalidGraphError(found, "tokens of one sentence")
        return place


def _own(node: Node) -> Pairs:
    """What a node has beside its kind."""
    return tuple(pair for pair in node.properties if pair[0] != KIND)


def _numbers(pairs: Pairs) -> list[Any]:
    """Score and probability; nothing else can be said."""
    names = [name for name, _ in pairs]
    if names not in ([], [SCORE], [SCORE, PROBABILITY]):
        found = f"properties {', '.join(names)}"
        raise InvalidGraphError(found, f"{SCORE} and {PROBABILITY} at most")
    for name, value in pairs:
        if type(value) not in (int, float):
            raise InvalidGraphError(f"a {name} {value!r}", "a number")
    return [value for _, value in pairs]


def _string(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise InvalidGraphError(f"{value!r} as {what}", "a string")
