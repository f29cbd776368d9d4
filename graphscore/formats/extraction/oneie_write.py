r"""Graphs as sentences of OneIE, in the form of annotated data.

Layers of one sentence that follow one another become one line again; a relation
or event layer alone brings its mentions as ``entity_mentions``.  What was
predicted is written in the same form, with ``score`` as a field.

>>> from graphscore.model.graph import Anchor
>>> he = Node("E1", "PER", (("kind", "mention"),), (Anchor(0, 2),))
>>> ner = Graph("1", "ner", 1, text="He", nodes=(he,), tokens=(Anchor(0, 2),))
>>> b"".join(write([ner])).partition(b'"entity_mentions":')[2]
b'[{"id":"E1","start":0,"end":1,"entity_type":"PER"}]}\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.oneie import FIELDS, NUMBERS, OWN, TYPED
from graphscore.formats.shared.layers import Layer, kept
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import Layers, json_lines, same_item
from graphscore.model.graph import Edge, Graph, Node, Pairs
from graphscore.structures.layout import (
    EVENTS,
    KIND,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    TRIGGER,
    nodes_of,
)

FRAMEWORKS = tuple(FIELDS)
"""The layers of a sentence."""

_KINDS = {NER: MENTION, RELATIONS: RELATION, EVENTS: TRIGGER}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one sentence to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation`` and ``event``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, FRAMEWORKS, "OneIE", _sentence, _same_sentence)


def _same_sentence(one: Graph, other: Graph) -> bool:
    """Whether both are layers of a sentence."""
    mentions = nodes_of(one, MENTION), nodes_of(other, MENTION)
    return same_item(one, other) and mentions[0] == mentions[1]


def _sentence(graph: Graph, layers: Layers) -> dict[str, Any]:
    spans = TokenSpans(graph)
    found = kept(graph.extra, OWN)
    if graph.document:
        found["doc_id"] = graph.document
    found |= {"sent_id": graph.id, "tokens": spans.forms}
    if NER not in layers and nodes_of(graph, MENTION):
        found[FIELDS[NER]] = [_mention(n, spans) for n in nodes_of(graph, MENTION)]
    for layer in FRAMEWORKS:
        if layer in layers:
            found[FIELDS[layer]] = _layer(layers[layer], spans)
    return found


def _layer(graph: Graph, spans: TokenSpans) -> list[dict[str, Any]]:
    kind = _KINDS[graph.framework]
    layer = Layer(graph, {MENTION, kind})
    layer.to_mentions()
    if kind == MENTION:
        return [_mention(node, spans) for node in graph.nodes]
    written: list[dict[str, Any]] = []
    for node in layer.of(kind):
        fields = {"id": node.id, **_fields(node, graph.framework)}
        if kind == TRIGGER:
            first, last = spans.of(node)
            ends = {"start": first, "end": last + 1}
            fields["trigger"] = kept(node.extra, "trigger") | ends
        rest = kept(node.extra, OWN)
        arguments = [_argument(edge) for edge in layer.edges(node.id)]
        written.append({**rest, **fields, "arguments": arguments})
        # Its own id, where a mention has the same one.
        written[-1] |= {k: v for k, v in rest.items() if k == "id"}
    return written


def _mention(node: Node, spans: TokenSpans) -> dict[str, Any]:
    first, last = spans.of(node)
    place = {"id": node.id, "start": first, "end": last + 1}
    return {**kept(node.extra, OWN), **place, **_fields(node, NER)}


def _argument(edge: Edge) -> dict[str, Any]:
    numbers = _named(edge.attributes, {name: name for name in NUMBERS})
    return {
        **kept(edge.extra, OWN),
        **{"entity_id": edge.target, "role": edge.label},
        **numbers,
    }


def _fields(node: Node, layer: str) -> dict[str, Any]:
    """The type and the properties of a node, under the names of the format."""
    key, others = TYPED[layer]
    names = {name: other for other, name in others} | {n: n for n in NUMBERS}
    pairs = tuple(pair for pair in node.properties if pair[0] != KIND)
    return {key: node.label, **_named(pairs, names)}


def _named(pairs: Pairs, names: dict[str, str]) -> dict[str, Any]:
    """Properties as fields; each once, and in their order."""
    order = [name for name in names if name in dict(pairs)]
    if order != [name for name, _ in pairs]:
        found = f"properties {', '.join(name for name, _ in pairs)}"
        raise InvalidGraphError(found, f"each once, of {', '.join(names)}")
    return {names[name]: value for name, value in pairs}
