"""Graphs as rows of facts, and units as tables of them.

What is said of one graph is laid out once.  Units (documents) of a batch are put into
the tables of a private database together; a unit of several graphs, sentences for
example, keeps them apart as *parts*, since places count from the beginning of a graph.

>>> from graphscore.model.graph import Anchor, Node
>>> one = Node(0, "PER", (("kind", "mention"), ("confidence", "low")), (Anchor(0, 5),))
>>> graph = Graph("1", "ner", text="Jenny sang", nodes=(one,))
>>> lay_out(graph, frozenset({"low"})).spans
[(0, 5, '', 'PER', 'Jenny', 1, 'low', 0, '', 0)]
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.model.anchors import unite
from graphscore.model.graph import Graph, Node, Value
from graphscore.rules.functions import SEPARATOR
from graphscore.rules.lists import fold_spaces
from graphscore.rules.type_checking import NUMBER
from graphscore.structures.entities.authority import confidence_of, entries_of
from graphscore.structures.layout import (
    KIND,
    MENTION,
    TEXT,
    TOKEN,
    first_of,
    kind_of,
    type_name,
)

Place = tuple[int, int, str]
"""First and last character of a span, and its pieces where there are several."""

Fact = str | int | float | None
"""Value of a property in conditions."""

_ODD = re.compile(r"\W", re.ASCII)


def properties_of(node: Node, kinds: Mapping[str, str | None]) -> Iterator[Fact]:
    """The properties of a node that conditions read; nothing for one that it lacks.

    Args:
        node: a span.
        kinds: their names, in small letters, what is no letter or digit as ``_``;
            with ``text`` or ``number`` where that is declared.

    Raises:
        InvalidGraphError: if one that must be a number is none.

    >>> node = Node(0, "PER", (("score", "0.5"), ("Head-Word", "007"), ("year", 1990)))
    >>> list(properties_of(node, {"score": None, "head_word": None, "year": "text"}))
    [0.5, '007', '1990']
    """
    values: dict[str, Value] = {}
    for name, value in node.properties:
        values.setdefault(_ODD.sub("_", str(name).lower()), value)
    for name, kind in kinds.items():
        fact = fact_of(values.get(name), kind == "text")
        if kind == "number" and isinstance(fact, str):
            raise InvalidGraphError(
                f"the property {name} of node {node.id!r}, {fact[:60]!r}",
                "a number, as [properties] says",
            )
        yield fact


def fact_of(value: Value, as_text: bool = False) -> Fact:
    """A value as conditions compare it: numbers as such, also where they are written.

    >>> [fact_of(each) for each in (0.5, "0.5", "007", True, None, "high", "1e3")]
    [0.5, 0.5, '007', 1, None, 'high', 1000.0]
    """
    if value is None:
        return None
    if as_text:
        return value if isinstance(value, str) else json.dumps(value)
    if isinstance(value, str):
        if not NUMBER.fullmatch(value):
            return value
        return int(value) if value.lstrip("-").isdigit() else float(value)
    if isinstance(value, bool | int):
        return int(value) if -(2**63) <= value < 2**63 else float(str(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return json.dumps(value)


def place_of(node: Node) -> Place:
    """First and last character of a mention, and its pieces where there are several.

    A mention that is only a string has a place of its own, made of its words.
    """
    anchors = node.anchors
    if len(anchors) == 1:
        return anchors[0].start, anchors[0].end, ""
    ranges = unite(anchors)
    if not ranges:
        words = str(first_of(node.properties, TEXT) or "")
        return -1, -1, "=" + " ".join(words.split())
    pieces = ""
    if len(ranges) > 1:
        pieces = ";".join(f"{start}:{end}" for start, end in ranges)
    return ranges[0][0], ranges[-1][1], pieces


def words_of(node: Node, span: Place, text: str) -> str:
    """The words of a mention; nothing where there is no text."""
    start, end, pieces = span
    if not pieces:
        return text[start:end]
    if pieces[0] == "=":
        return pieces[1:]
    return " ".join(text[first:last] for first, last in unite(node.anchors))


COLUMNS = (
    *("start", "end", "pieces", "type", "text"),
    *("low", "confidence", "entries", "ids", "copy"),
)
"""Columns of a span, in the order of its row."""

Row = tuple[int, int, str, str, str, int, Fact, int, str, int]

MENTIONS = frozenset({MENTION})
"""The nodes that are spans if nothing is said."""

ENTRY_COLUMNS = ("key", "type", "text", "low", "mentions", "known")
"""Columns of an entity of a document, in the order of its row."""

EntryRow = tuple[str, str, str, int, int, int]


class Entity(NamedTuple):
    """An entity of a document."""

    row: EntryRow
    mentions: list[int]
    """Row numbers of its mentions in the table of spans."""


class Prepared:
    """The facts of one graph.

    Args:
        graph: where they come from.
        spans: a row for each mention.
        ordinals: its node.
        reach: the longest span, in characters.
        entries: whether entries that a span has beside one another are wanted.

    Attributes:
        several: the entries of spans that have several, which stand for one entity.
        entities: by the first entry of each; nothing where nobody asks.
        known: those first entries.
        cells: the columns of spans that rules read, row after row.
        entry_cells: those of entities.
    """

    __slots__ = (
        "cells",
        "entities",
        "entry_cells",
        "graph",
        "known",
        "ordinals",
        "reach",
        "several",
        "spans",
    )

    def __init__(
        self,
        graph: Graph,
        spans: list[Row],
        ordinals: list[int],
        reach: int,
        entries: bool,
    ) -> None:
        self.graph, self.spans, self.ordinals = graph, spans, ordinals
        self.reach = reach
        self.several = [
            row[8].split(SEPARATOR)[1:-1] for row in spans if entries and row[7] > 1
        ]
        self.entities: list[Entity] = []
        self.known: list[str] = []
        self.cells: list[Any] = []
        self.entry_cells: list[Any] = []

    def select(
        self,
        columns: Sequence[str],
        entry_columns: Sequence[str],
        properties: Mapping[str, str | None] | None = None,
    ) -> None:
        """Lay out what rules read.

        Args:
            columns: of spans, as in :data:`COLUMNS`.
            entry_columns: of entities, as in :data:`ENTRY_COLUMNS`.
            properties: further columns, with the kind that they must be of.

        Raises:
            InvalidGraphError: if a property that must be a number is none.
        """
        rows: Sequence[Sequence[Any]] = self.spans
        if properties:
            nodes = self.graph.nodes
            rows = [
                (*row, *properties_of(nodes[ordinal], properties))
                for row, ordinal in zip(self.spans, self.ordinals, strict=True)
            ]
        names = (*COLUMNS, *(properties or ()))
        self.cells = cells_of(rows, [names.index(name) for name in columns])
        self.entry_cells = entry_cells_of(self.entities, entry_columns)


def cells_of(rows: Iterable[Sequence[Any]], indices: Sequence[int]) -> list[Any]:
    """Some columns of rows, one after the other.

    >>> cells_of([(1, 2, 3), (4, 5, 6)], [0, 2])
    [1, 3, 4, 6]
    """
    return [row[k] for row in rows for k in indices]


def entry_cells_of(entities: Iterable[Entity], columns: Sequence[str]) -> list[Any]:
    """Some columns of entities, one after the other.

    Args:
        entities: of a document.
        columns: as in :data:`ENTRY_COLUMNS`.
    """
    indices = [ENTRY_COLUMNS.index(name) for name in columns]
    return cells_of((entity.row for entity in entities), indices)


def lay_out(
    graph: Graph,
    low: frozenset[str],
    documents: bool = False,
    entries: bool = False,
    names: Mapping[str, str] | None = None,
    nodes: frozenset[str] = MENTIONS,
) -> Prepared:
    """The mentions of a graph as rows.

    Args:
        graph: one of a framework that is looked at.
        low: the confidences that count as low.
        documents: whether entities of documents are wanted.
        entries: whether they are known by their entries, where they have some.
        names: what names stand for.
        nodes: kinds of nodes that are spans; ``*`` for all with anchors but words.
    """
    rows: list[Row] = []
    ordinals: list[int] = []
    seen: dict[tuple[Place, str], int] = {}
    text, reach = graph.text, 0
    for ordinal, node in enumerate(graph.nodes):
        if nodes is MENTIONS:
            if not node.properties or node.properties[0] != (KIND, MENTION):
                continue
        elif not _is_span(node, nodes):
            continue
        start, end, pieces = span = place_of(node)
        kind = type_name(node.label)
        copy = seen.get((span, kind), 0)
        seen[span, kind] = copy + 1
        confidence: Value = None
        ids: tuple[str, ...] = ()
        if len(node.properties) > 1:
            confidence, ids = confidence_of(node), entries_of(node)
        written = "" if confidence is None else str(confidence)
        rows.append(
            (
                start,
                end,
                pieces,
                kind,
                words_of(node, span, text),
                int(written in low and confidence is not None),
                fact_of(confidence),
                len(ids),
                f"{SEPARATOR}{SEPARATOR.join(ids)}{SEPARATOR}" if ids else "",
                copy,
            )
        )
        ordinals.append(ordinal)
        reach = max(reach, end - start)
    prepared = Prepared(graph, rows, ordinals, reach, entries)
    if documents:
        prepared.entities = entities_of(rows, entries, names or {})
        prepared.known = [
            entity.row[0][1:] for entity in prepared.entities if entity.row[5]
        ]
    return prepared


def _is_span(node: Node, nodes: frozenset[str]) -> bool:
    """Return true if a node has one of the kinds, or any anchored node but words."""
    kind = kind_of(node)
    return kind in nodes or ("*" in nodes and bool(node.anchors) and kind != TOKEN)


def name_of(text: str, names: Mapping[str, str]) -> str:
    """Return the name that identifies an entity without an entry.

    Args:
        text: the words of a mention.
        names: what names stand for.
    """
    folded = fold_spaces(text)
    return names.get(folded, folded) if names else folded


def entities_of(
    spans: Sequence[Row], entries: bool, names: Mapping[str, str]
) -> list[Entity]:
    """The entities that spans of one document mention, in the order of the first.

    Args:
        spans: their rows.
        entries: whether entities are known by their entries, where they have some.
        names: what names stand for.
    """
    members_by_name: dict[tuple[str, str], list[int]] = {}
    for k, row in enumerate(spans):
        if entries and row[7]:
            name = ("=" + row[8].split(SEPARATOR, 2)[1], "")
        else:
            name = (name_of(row[4], names), row[3])
        if name in members_by_name:
            members_by_name[name].append(k)
        else:
            members_by_name[name] = [k]
    entities = []
    for (key, kind), members in members_by_name.items():
        first_row = spans[members[0]]
        low = first_row[5]
        if len(members) > 1:
            low = int(all(spans[k][5] for k in members))
        known = int(not kind)
        entities.append(
            Entity(
                (key, kind or first_row[3], first_row[4], low, len(members), known),
                members,
            )
        )
    return entities


class Unit(NamedTuple):
    """One document of both sides; nothing where a side has none."""

    gold: Sequence[Prepared]
    system: Sequence[Prepared]
