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
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.docred import (
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
from graphscore.formats.shared.layers import Layer, kept, own_of
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import (
    Layers,
    encode,
    gold_or_predicted,
    layered,
    naming,
    same_item,
)
from graphscore.model.graph import Graph, Node
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    MENTION,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SCORE,
)

_KINDS = {COREF: {MENTION, ENTITY}, RELATIONS: {MENTION, ENTITY, RELATION}}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs; the two layers of a document that follow one another are one.

    Args:
        graphs: of the frameworks ``relation`` and ``coref``; all predicted, or none.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    first = True
    for piece in _pieces(graphs):
        yield (b"[" if first else b",\n ") + piece
        first = False
    yield b"[]\n" if first else b"]\n"


def _pieces(graphs: Iterable[Graph]) -> Iterator[bytes]:
    said: bool | None = None
    for layers in layered(graphs, FRAMEWORKS, "DocRED", _same_document):
        graph = next(iter(layers.values()))
        said = gold_or_predicted(graph, SAID, said, "DocRED")
        if said:
            with naming(graph):
                found = _Layer(graph).predicted()
            yield from map(encode, found)
        else:
            yield encode(_document(graph, layers))


def _same_document(one: Graph, other: Graph) -> bool:
    """Whether both are layers of a document; what was predicted is for itself."""
    return not one.extra.get(SAID) and same_item(one, other)


def _document(graph: Graph, layers: Layers) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for layer in FRAMEWORKS:
        if layer in layers:
            with naming(graph):
                found = _Layer(layers[layer]).document()
            if fields and found[ENTITIES] != fields[ENTITIES]:
                shown = f"entities that differ between layers in item {graph.id!r}"
                raise InvalidGraphError(shown, "the same entities")
            fields = {**found, **fields}
    return fields


class _Layer(Layer):
    """One layer in terms of words and positions."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph, _KINDS[graph.framework])
        self.places = {node.id: k for k, node in enumerate(self.of(ENTITY))}

    def predicted(self) -> list[dict[str, Any]]:
        """The relations of a document, each by itself."""
        found = []
        for node in self.of(RELATION):
            fields = self._relation(node)
            ends = {"h_idx": fields.pop(HEAD), "t_idx": fields.pop(TAIL)}
            found.append({TITLE: self.graph.id, **ends, **fields})
        return found

    def document(self) -> dict[str, Any]:
        """A document with its entities, and its relations in that layer."""
        spans = TokenSpans(self.graph, SENTENCES)
        starts = spans.starts()
        fields = kept(self.graph.extra, OWN) | {
            TITLE: self.graph.id,
            SENTENCES: spans.sentences(),
            ENTITIES: [
                [self._mention(each, spans, starts) for each in self.mentions(entity)]
                for entity in self.of(ENTITY)
            ],
        }
        if self.graph.framework == RELATIONS:
            fields[LABELS] = [self._relation(node) for node in self.of(RELATION)]
        return fields

    def _mention(
        self, node: Node, spans: TokenSpans, starts: list[int]
    ) -> dict[str, Any]:
        own = own_of(node)
        first, last = spans.of(node)
        sentence = bisect_right(starts, first) - 1
        start, end = node.anchors[0]
        return {
            NAME: own.get(NAME, self.graph.text[start:end]),
            "sent_id": sentence,
            "pos": [first - starts[sentence], last + 1 - starts[sentence]],
            **({} if node.label is None else {"type": node.label}),
            **kept(node.extra, MORE),
        }

    def _relation(self, node: Node) -> dict[str, Any]:
        edges = self.edges(node.id)
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
        return fields
