r"""Graphs as DocRED has them: an array of documents, or of predicted relations.

>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> build = LayoutBuilder()
>>> one, two = (build.entity([], None, (("index", k),)) for k in (0, 4))
>>> _ = build.relation("P17", [Argument("h", one), Argument("t", two)])
>>> graph = build.graph("Skai TV", "relation", extra={"predicted": True})
>>> print(b"".join(write([graph])).decode(), end="")
[{"title":"Skai TV","h_idx":0,"t_idx":4,"r":"P17"}]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import Any

import msgspec

from graphscore.errors import GraphscoreError, InvalidGraphError
from graphscore.formats.extraction.docred_record import (
    ENTITIES,
    EVIDENCE,
    FRAMEWORKS,
    HEAD,
    INDEX,
    LABELS,
    MORE,
    NAME,
    OWN,
    SAID,
    SENTENCES,
    TAIL,
    TITLE,
)
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming, same_item
from graphscore.model.graph import Edge, Graph, Node, NodeId
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    KIND,
    MENTION,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SCORE,
    kind_of,
    nodes_of,
)

_encode = msgspec.json.Encoder().encode


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs; the two layers of a document that follow one another are one.

    Args:
        graphs: of the frameworks ``relation`` and ``coref``; all predicted, or none.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    first = True
    for piece in _pieces(graphs):
        yield (b"[" if first else b",\n ") + piece
        first = False
    yield b"[]\n" if first else b"]\n"


def _pieces(graphs: Iterable[Graph]) -> Iterator[bytes]:
    held: dict[str, Graph] = {}
    kind: bool | None = None
    for graph in graphs:
        check_framework(graph, FRAMEWORKS, "DocRED")
        said = bool(graph.extra.get(SAID))
        if kind is not None and said is not kind:
            raise GraphscoreError(
                f"item {graph.id!r}: a file of DocRED is gold or predicted, not both"
            )
        kind = said
        if said:
            with naming(graph):
                found = _Layer(graph).predicted()
            yield from map(_encode, found)
            continue
        if held and (
            graph.framework in held or not same_item(next(iter(held.values())), graph)
        ):
            yield _document(held)
            held = {}
        held[graph.framework] = graph
    if held:
        yield _document(held)


def _document(layers: dict[str, Graph]) -> bytes:
    graph = next(iter(layers.values()))
    fields: dict[str, Any] = {}
    for layer in FRAMEWORKS:
        if layer in layers:
            with naming(graph):
                found = _Layer(layers[layer]).document()
            if fields and found[ENTITIES] != fields[ENTITIES]:
                shown = f"entities that differ between layers in item {graph.id!r}"
                raise InvalidGraphError(shown, "the same entities")
            fields = {**found, **fields}
    return _encode(fields)


class _Layer:
    """One layer in terms of words and positions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self.edges: dict[NodeId, list[Edge]] = {}
        for edge in graph.edges:
            self.edges.setdefault(edge.source, []).append(edge)
        entities = nodes_of(graph, ENTITY)
        self.places = {node.id: place for place, node in enumerate(entities)}

    def predicted(self) -> list[dict[str, Any]]:
        """The relations of a document, each by itself."""
        self._check()
        if self.graph.framework == COREF or nodes_of(self.graph, MENTION):
            raise InvalidGraphError("predicted mentions", "relations only")
        found = []
        for node in nodes_of(self.graph, RELATION):
            fields = self._relation(node)
            ends = {"h_idx": fields.pop(HEAD), "t_idx": fields.pop(TAIL)}
            found.append({TITLE: self.graph.id, **ends, **fields})
        return found

    def document(self) -> dict[str, Any]:
        """A document with its entities, and its relations in that layer."""
        self._check()
        spans = TokenSpans(self.graph)
        sizes = self.graph.extra.get(SENTENCES, [len(spans)])
        plain = isinstance(sizes, list) and all(
            type(n) is int and n >= 0 for n in sizes
        )
        if not plain or sum(sizes) != len(spans):
            found = f"sentences of {sizes!r} tokens"
            raise InvalidGraphError(found, f"{len(spans)} tokens in all")
        starts = [0, *accumulate(sizes)]
        entities = nodes_of(self.graph, ENTITY)
        own = self.graph.extra.get(OWN)
        fields: dict[str, Any] = dict(own) if isinstance(own, dict) else {}
        fields |= {
            TITLE: self.graph.id,
            SENTENCES: [spans.forms[a:b] for a, b in pairwise(starts)],
            ENTITIES: [self._entity(node, spans, starts) for node in entities],
        }
        if self.graph.framework == RELATIONS:
            relations = nodes_of(self.graph, RELATION)
            fields[LABELS] = [self._relation(node) for node in relations]
        return fields

    def _check(self) -> None:
        kinds = {MENTION, ENTITY, RELATION}
        if self.graph.framework == COREF:
            kinds -= {RELATION}
        inside = {edge.target for edge in self.graph.edges}
        for node in self.graph.nodes:
            if kind_of(node) not in kinds:
                found = f"a node {node.id!r} of kind {kind_of(node)!r}"
                raise InvalidGraphError(found, " or ".join(sorted(kinds)))
            if kind_of(node) == MENTION and node.id not in inside:
                raise InvalidGraphError(f"a mention {node.id!r} alone", "an entity")
            if kind_of(node) != MENTION and node.anchors:
                raise InvalidGraphError(f"anchors of {node.id!r}", "none")
        if self.graph.tops:
            raise InvalidGraphError("tops", "none")

    def _entity(
        self, node: Node, spans: TokenSpans, starts: list[int]
    ) -> list[dict[str, Any]]:
        place = self.places[node.id]
        index = dict(node.properties).get(INDEX, place)
        if index != place or len(node.properties) > 2:
            found = f"an entity {node.id!r} with the index {index!r}"
            raise InvalidGraphError(found, f"its position {place}, and no more")
        found_mentions = []
        for edge in self.edges.get(node.id, []):
            target = self.nodes[edge.target]
            if edge.label != MENTION or kind_of(target) != MENTION:
                shown = f"an edge {edge.label!r} of entity {node.id!r}"
                raise InvalidGraphError(shown, "mentions")
            found_mentions.append(self._mention(target, spans, starts))
        kinds = {each.get("type") for each in found_mentions}
        if node.label != (kinds.pop() if len(kinds) == 1 else None):
            shown = f"an entity {node.id!r} of type {node.label!r}"
            raise InvalidGraphError(shown, "the type of its mentions")
        return found_mentions

    def _mention(
        self, node: Node, spans: TokenSpans, starts: list[int]
    ) -> dict[str, Any]:
        own = {key: value for key, value in node.properties if key != KIND}
        first, last = spans.of(node)
        sentence = bisect_right(starts, first) - 1
        typed = isinstance(node.label, str | None)
        if last >= starts[sentence + 1] or own.keys() - {NAME} or not typed:
            found = f"a mention {node.id!r} across sentences, or with more than a name"
            raise InvalidGraphError(found, "a type, a name and words of a sentence")
        start, end = node.anchors[0]
        more = dict(node.extra).get(MORE)
        return {
            NAME: own.get(NAME, self.graph.text[start:end]),
            "sent_id": sentence,
            "pos": [first - starts[sentence], last + 1 - starts[sentence]],
            **({} if node.label is None else {"type": node.label}),
            **(more if isinstance(more, dict) else {}),
        }

    def _relation(self, node: Node) -> dict[str, Any]:
        edges = self.edges.get(node.id, [])
        roles = [edge.label for edge in edges]
        plain = all(e.target in self.places and not e.attributes for e in edges)
        if roles != [HEAD, TAIL] or not plain or not isinstance(node.label, str):
            found = f"a relation {node.id!r}"
            raise InvalidGraphError(found, f"a type, {HEAD} and {TAIL}")
        fields: dict[str, Any] = {}
        for role, edge in zip((HEAD, TAIL), edges, strict=True):
            own = dict(self.nodes[edge.target].properties)
            fields[role] = own.get(INDEX, self.places[edge.target])
        fields["r"] = node.label
        for key, value in node.properties:
            if key in (SCORE, PROBABILITY):
                fields[key] = value
            elif key == EVIDENCE:
                fields.setdefault(EVIDENCE, []).append(value)
            elif key != KIND:
                found = f"a property {key!r} of relation {node.id!r}"
                raise InvalidGraphError(found, f"{SCORE} and {EVIDENCE}")
        return fields
