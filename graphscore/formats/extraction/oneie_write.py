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

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.oneie_record import FIELDS, NUMBERS, OWN, TYPED
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import layered, naming, same_item
from graphscore.model.graph import Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    EVENTS,
    KIND,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    TRIGGER,
    Extra,
    kind_of,
    nodes_of,
)

FRAMEWORKS = tuple(FIELDS)
"""The layers of a sentence."""

_KINDS = {NER: MENTION, RELATIONS: RELATION, EVENTS: TRIGGER}

_encode = msgspec.json.Encoder().encode


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one sentence to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation`` and ``event``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for layers in layered(graphs, FRAMEWORKS, "OneIE", _same_sentence):
        yield _line(layers)


def _same_sentence(one: Graph, other: Graph) -> bool:
    """Whether both are layers of a sentence."""
    mentions = nodes_of(one, MENTION), nodes_of(other, MENTION)
    return same_item(one, other) and mentions[0] == mentions[1]


def _line(layers: dict[str, Graph]) -> bytes:
    graph = next(iter(layers.values()))
    with naming(graph):
        spans = TokenSpans(graph)
        found: dict[str, Any] = {"sent_id": graph.id, "tokens": spans.forms}
        if graph.document:
            found = {"doc_id": graph.document, **found}
        own = graph.extra.get(OWN)
        if isinstance(own, dict):
            found = {**own, **found}
        if NER not in layers and nodes_of(graph, MENTION):
            found[FIELDS[NER]] = [_mention(n, spans) for n in nodes_of(graph, MENTION)]
        for layer in FRAMEWORKS:
            if layer in layers:
                found[FIELDS[layer]] = _layer(layers[layer], spans)
        return _encode(found) + b"\n"


def _layer(graph: Graph, spans: TokenSpans) -> list[dict[str, Any]]:
    kind = _KINDS[graph.framework]
    for node in graph.nodes:
        if kind_of(node) not in (MENTION, kind):
            found = f"a node {node.id!r} of kind {kind_of(node)!r}"
            raise InvalidGraphError(found, " or ".join(sorted({MENTION, kind})))
    if graph.tops:
        raise InvalidGraphError("tops", "none")
    edges = _edges(graph)
    if kind == MENTION:
        return [_mention(node, spans) for node in graph.nodes]
    written: list[dict[str, Any]] = []
    for node in nodes_of(graph, kind):
        fields = {"id": node.id, **_fields(node, graph.framework)}
        if kind == TRIGGER:
            first, last = spans.of(node)
            own = dict(node.extra).get("trigger")
            rest = own if isinstance(own, dict) else {}
            fields["trigger"] = {**rest, "start": first, "end": last + 1}
        elif node.anchors:
            raise InvalidGraphError(f"a relation {node.id!r} with anchors", "none")
        arguments = [_argument(edge) for edge in edges.get(node.id, [])]
        written.append({**_rest(node.extra), **fields, "arguments": arguments})
        # Its own id, where a mention has the same one.
        written[-1] |= {k: v for k, v in _rest(node.extra).items() if k == "id"}
    return written


def _edges(graph: Graph) -> dict[NodeId, list[Edge]]:
    """The arguments of each relation or event."""
    mentions = {node.id for node in nodes_of(graph, MENTION)}
    found: dict[NodeId, list[Edge]] = {}
    for edge in graph.edges:
        if edge.target not in mentions or edge.source in mentions:
            shown = f"an edge from {edge.source!r} to {edge.target!r}"
            raise InvalidGraphError(shown, "edges to mentions")
        found.setdefault(edge.source, []).append(edge)
    return found


def _mention(node: Node, spans: TokenSpans) -> dict[str, Any]:
    first, last = spans.of(node)
    place = {"id": node.id, "start": first, "end": last + 1}
    return {**_rest(node.extra), **place, **_fields(node, NER)}


def _argument(edge: Edge) -> dict[str, Any]:
    if not isinstance(edge.label, str):
        raise InvalidGraphError(f"{edge.label!r} as a role", "a string")
    found = {"entity_id": edge.target, "role": edge.label}
    numbers = _named(edge.attributes, {name: name for name in NUMBERS})
    return {**_rest(edge.extra), **found, **numbers}


def _fields(node: Node, layer: str) -> dict[str, Any]:
    """The type and the properties of a node, under the names of the format."""
    key, others = TYPED[layer]
    if not isinstance(node.label, str):
        raise InvalidGraphError(f"{node.label!r} as a type", "a string")
    names = {name: other for other, name in others} | {n: n for n in NUMBERS}
    pairs = tuple(pair for pair in node.properties if pair[0] != KIND)
    return {key: node.label, **_named(pairs, names)}


def _named(pairs: Pairs, names: dict[str, str]) -> dict[str, Any]:
    """Properties as fields; each once, in their order, and of the right type."""
    order = [name for name in names if name in dict(pairs)]
    if order != [name for name, _ in pairs]:
        found = f"properties {', '.join(name for name, _ in pairs)}"
        raise InvalidGraphError(found, f"each once, of {', '.join(names)}")
    for name, value in pairs:
        wanted = (int, float) if name in NUMBERS else (str,)
        if type(value) not in wanted:
            raise InvalidGraphError(f"a {name} {value!r}", wanted[-1].__name__)
    return {names[name]: value for name, value in pairs}


def _rest(extra: Extra) -> dict[str, Any]:
    """The further fields that a reader kept."""
    own = dict(extra).get(OWN)
    return own if isinstance(own, dict) else {}
