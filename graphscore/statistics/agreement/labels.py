"""Labels of a graph for common units, and its labeled spans.

Which units are given depends on the framework, and of dependency trees on the metric:

| framework | units | labels |
|---|---|---|
| ``ner`` | tokens; where there are none, words of the text | IOB2 tags |
| ``ud`` | words | relations; ``uas``: heads; ``tagging``: a column |
| ``event``, ``etree``, ``srl`` | spans that are marked | types, senses |
| ``relation`` | arguments that are marked | types of relations |

Tokens and words must be the same for all; spans are there where somebody marks them,
and whoever does not has said nothing of their label.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from graphscore.metrics.base import Metric
from graphscore.model.graph import Anchor, Graph, Node, NodeId
from graphscore.structures.dependencies import DEPREL, ROOT
from graphscore.structures.layout import RELATION, TRIGGER, first_of, kind_of, type_name

Given = Literal["token", "word", "span", "pair"]
"""Type of units: those of a text, or those that annotators marked."""

NOTHING = "_"
"""The label of a word without any."""

OUTSIDE = "O"
"""The tag outside of entities."""

_WORD = re.compile(r"\w+|[^\w\s]")

_COLUMNS = {"upos": "upos", "xpos": "xpos", "lemmas": "lemma"}
"""Kinds of ``tagging`` that are one column, and their properties."""

_SPANS = {"event": {"trigger"}, "etree": {"entity", "component"}, "srl": {"predicate"}}
"""Kinds of nodes that are labelled spans, by framework; of ``ner`` all are."""


class Piece(NamedTuple):
    """Something with a label; of two graphs, it is the same at the same place."""

    tuple_type: str
    label: str
    place: Hashable


class Said(NamedTuple):
    """Labels of one graph."""

    text: str
    unit: Given | None
    """Unit type; ``None`` if there are no common units."""
    what: str
    """Kind of their labels: tags, relations, heads..."""
    places: tuple[Hashable, ...]
    """The units."""
    labels: tuple[str, ...]
    """Label of each unit."""
    pieces: tuple[Piece, ...]


def said(graph: Graph, metric: Metric, score: str = "") -> Said:
    """Return the labels of a graph for common units.

    Args:
        graph: any.
        metric: what it is scored with.
        score: which of its scores, as for ``--fail-under``.

    Example:
        >>> from graphscore.metrics.registry import parse
        >>> ada = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 12),))
        >>> graph = Graph("1", "ner", text="Ada Lovelace wrote.", nodes=(ada,))
        >>> found = said(graph, parse("ner"))
        >>> found.unit, found.labels
        ('word', ('B-PER', 'I-PER', 'O', 'O'))
    """
    if graph.framework == "ner":
        return _entities(graph)
    if graph.framework == "ud":
        return _dependencies(graph, metric, score)
    if graph.framework in _SPANS:
        return _marked(graph)
    if graph.framework == "relation":
        return _relations(graph)
    return Said(graph.text, None, "", (), (), tuple(_edges(graph)))


def _entities(graph: Graph) -> Said:
    words = graph.tokens or [
        Anchor(*match.span()) for match in _WORD.finditer(graph.text)
    ]
    tags: list[list[str]] = [[] for _ in words]
    pieces = []
    # Outer ones first, so that tags of nested ones are said in one order.
    mentions = (node for node in graph.nodes if node.anchors)
    for node in sorted(mentions, key=_outer_first):
        label = type_name(node.label)
        pieces.append(Piece("labels", label, node.anchors))
        letter = "B"
        for number, word in enumerate(words):
            if any(word.start < x.end and x.start < word.end for x in node.anchors):
                tags[number].append(f"{letter}-{label}")
                letter = "I"
    labels = tuple("+".join(tag) or OUTSIDE for tag in tags)
    unit: Given = "token" if graph.tokens else "word"
    places = tuple(words)
    return Said(graph.text, unit, "tags", places, labels, tuple(pieces))


def _dependencies(graph: Graph, metric: Metric, score: str) -> Said:
    number = graph.ordinals()
    heads: dict[NodeId, list[tuple[int | None, str]]] = defaultdict(list)
    for edge in graph.edges:
        heads[edge.target].append((number[edge.source], str(edge.label)))
    nodes = {node.id: node for node in graph.nodes}
    for top in graph.tops:
        heads[top].append((None, str(first_of(nodes[top].properties, DEPREL) or ROOT)))
    what, label = _column(graph, metric, score, heads)
    if not what:
        return Said(graph.text, None, "", (), (), ())
    places = tuple((node.label, node.anchors) for node in graph.nodes)
    labels = tuple(label(node) for node in graph.nodes)
    if what == "relations":
        pieces = [
            Piece(
                "edges", relation, (place, places[head] if head is not None else None)
            )
            for node, place in zip(graph.nodes, places, strict=True)
            for head, relation in heads[node.id]
        ]
    elif what == "heads":
        pieces = []
    else:
        pieces = [
            Piece(what, value, place)
            for value, place in zip(labels, places, strict=True)
            if value != NOTHING
        ]
    return Said(graph.text, "word", what, places, labels, tuple(pieces))


def _column(
    graph: Graph,
    metric: Metric,
    score: str,
    heads: dict[NodeId, list[tuple[int | None, str]]],
) -> tuple[str, Callable[[Node], str]]:
    """Return the label kind of words under a metric; empty if they have none."""
    if metric.name == "tagging":
        tuple_type = score.partition(".")[0]
        tuple_type = tuple_type if tuple_type in _COLUMNS else "upos"
        name = _COLUMNS[tuple_type]
        return tuple_type, lambda node: str(first_of(node.properties, name) or NOTHING)
    if metric.name == "segmentation":
        return "", lambda node: NOTHING
    if metric.name == "uas":
        number = graph.ordinals()

        def head(node: Node) -> str:
            # By how many words away it is: numbers of words mean nothing elsewhere.
            return "+".join(
                "root" if governor is None else f"{governor - number[node.id]:+d}"
                for governor, _ in heads[node.id]
            )

        return "heads", lambda node: head(node) or NOTHING
    return (
        "relations",
        lambda node: "+".join(relation for _, relation in heads[node.id]) or NOTHING,
    )


def _marked(graph: Graph) -> Said:
    marked_kinds = _SPANS[graph.framework]
    labels_at: dict[Hashable, list[str]] = defaultdict(list)
    pieces = []
    for node in graph.nodes:
        tuple_type = kind_of(node)
        if tuple_type not in marked_kinds or not node.anchors:
            continue
        label = type_name(node.label)
        labels_at[tuple_type, node.anchors].append(label)
        pieces.append(Piece("labels", label, (tuple_type, node.anchors)))
    what = "senses" if graph.framework == "srl" else "types"
    labels = tuple("+".join(sorted(value)) for value in labels_at.values())
    pieces += [piece for piece in _edges(graph) if graph.framework != "etree"]
    return Said(graph.text, "span", what, tuple(labels_at), labels, tuple(pieces))


def _relations(graph: Graph) -> Said:
    nodes = {node.id: node for node in graph.nodes}
    ends: dict[NodeId, list[tuple[str, tuple[Anchor, ...]]]] = defaultdict(list)
    for edge in graph.edges:
        ends[edge.source].append((str(edge.label), nodes[edge.target].anchors))
    labels_at: dict[Hashable, list[str]] = defaultdict(list)
    pieces = []
    for node in graph.nodes:
        arguments = tuple(sorted(ends[node.id]))
        # Entities of several mentions have no place of their own.
        if (
            kind_of(node) != RELATION
            or not arguments
            or not all(x for _, x in arguments)
        ):
            continue
        label = type_name(node.label)
        labels_at[arguments].append(label)
        pieces.append(Piece("labels", label, arguments))
    labels = tuple("+".join(sorted(value)) for value in labels_at.values())
    return Said(graph.text, "pair", "types", tuple(labels_at), labels, tuple(pieces))


def _edges(graph: Graph) -> Iterator[Piece]:
    """Labelled edges between anchored nodes, by the characters of both."""
    nodes = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        ends = nodes[edge.source], nodes[edge.target]
        if edge.label is None or not all(node.anchors for node in ends):
            continue
        types = tuple(
            type_name(node.label) if kind_of(node) == TRIGGER else None for node in ends
        )
        place = (*(node.anchors for node in ends), types)
        yield Piece("edges", str(edge.label), place)


def _outer_first(node: Node) -> tuple[int, int]:
    """Sort key: first character, then the last one, the furthest first."""
    return (
        min(anchor.start for anchor in node.anchors),
        -max(anchor.end for anchor in node.anchors),
    )


def same_units(all_said: Sequence[Said]) -> bool:
    """Return true if several annotations of an item have the same tokens or words."""
    first = all_said[0]
    if first.unit not in ("token", "word"):
        return all(reading.text == first.text for reading in all_said)
    return all(
        (reading.unit, reading.places, reading.text)
        == (first.unit, first.places, first.text)
        for reading in all_said
    )
