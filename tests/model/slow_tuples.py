"""Tuples of a graph, each worked out by itself from the functions that define it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from graphscore.model.anchors import characters
from graphscore.model.frameworks import (
    ANCHORS,
    ATTRIBUTES,
    EDGES,
    LABELS,
    PROPERTIES,
    TOPS,
    TUPLE_TYPES,
    framework,
)
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.normalize import (
    DEFAULT_ATTRIBUTES,
    DEFAULT_ATTRIBUTES_2019,
    base_edge,
    effective_attributes,
    fold,
    mtool_edges,
    mtool_properties,
)
from graphscore.model.tuples import Conventions


class Slow(NamedTuple):
    """What ``Facts`` says of a graph."""

    said: list[list[tuple[Any, int]]]
    edges: list[tuple[int, int, str | None]]
    edge_ordinals: list[int]
    attributes: dict[int, dict[tuple[str, str], tuple[int, int]]]
    totals: tuple[int, ...]


def slow_tuples(graph: Graph, conventions: Conventions) -> Slow:
    """The tuples of a graph, in the order in which they are laid out."""
    kinds = set(TUPLE_TYPES)
    if conventions.applicable:
        kinds = set(framework(graph.framework).tuple_types)
    if graph.framework in conventions.keep_anchors:
        kinds.add("anchors")
    counts = [0] * len(TUPLE_TYPES)
    said = []
    for node in graph.nodes:
        mine = _of_node(graph, node, conventions)
        kept = [each for each in mine.items() if TUPLE_TYPES[each[0][0]] in kinds]
        for key, _ in kept:
            counts[key[0]] += 1
        said.append(kept)
    place = graph.ordinals()
    first: dict[tuple[int, int, str | None], int] = {}
    attributes: dict[int, dict[tuple[str, str], tuple[int, int]]] = {}
    ordinals = []
    chosen = mtool_edges(graph) if conventions.mtool else graph.edges
    for ordinal, edge in enumerate(graph.edges):
        if not any(edge is each for each in chosen):
            continue
        source, target, label = base_edge(
            edge, graph.framework, conventions.invert, not conventions.mtool
        )
        bare = label is None or label == "" or not conventions.labeled
        key = (place[source], place[target], None if bare else fold(label))
        if key not in first:
            ordinals.append(ordinal)
        number = first.setdefault(key, len(first))
        for slot, name, value in _said_of(edge, conventions):
            mine = attributes.setdefault(number, {})
            mine.setdefault((name, value), (ordinal, slot))
    if "attributes" not in kinds:
        attributes = {}
    counts[EDGES] = len(first)
    counts[ATTRIBUTES] = sum(map(len, attributes.values()))
    return Slow(said, list(first), ordinals, attributes, tuple(counts))


def _of_node(graph: Graph, node: Node, conventions: Conventions) -> dict[Any, int]:
    mine: dict[Any, int] = {}
    if node.id in graph.tops:
        mine[(TOPS,)] = 0
    if node.label is not None:
        mine[LABELS, fold(node.label)] = 0
    properties = node.properties
    if conventions.mtool and graph.framework == "amr":
        properties = mtool_properties(properties)
    for slot, (name, value) in enumerate(properties):
        mine.setdefault((PROPERTIES, fold(name), fold(value)), slot)
    if node.anchors and graph.framework not in conventions.drop_anchors:
        pieces = [node.anchors]
        if conventions.task == 2019 and conventions.trim == "range":
            pieces = [(anchor,) for anchor in node.anchors]
        members = 0
        for piece in pieces:
            members |= characters(piece, graph.text, conventions.trim)
        mine[ANCHORS, members] = 0
    return mine


def _said_of(edge: Edge, conventions: Conventions) -> Iterator[tuple[int, str, str]]:
    early = conventions.task == 2019
    defaults = DEFAULT_ATTRIBUTES_2019 if early else DEFAULT_ATTRIBUTES
    for slot, attribute in enumerate(edge.attributes):
        for name, value, _, _ in effective_attributes((attribute,), defaults):
            yield slot, name, value
