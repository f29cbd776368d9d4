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

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from graphscore.model.graph import Graph, Node, Value
from graphscore.rules.functions import SEPARATOR
from graphscore.rules.lists import spaced
from graphscore.rules.properties import (
    Fact,
    Place,
    fact_of,
    place_of,
    properties_of,
    words_of,
)
from graphscore.structures.entities.authority import confidence_of, entries_of
from graphscore.structures.layout import (
    KIND,
    MENTION,
    TOKEN,
    kind_of,
    type_name,
)
from graphscore.structures.parts import side_by_side

COLUMNS = (
    *("start", "end", "pieces", "type", "text"),
    *("low", "confidence", "entries", "ids", "copy"),
)
"""Of a span, in the order of its row."""

Row = tuple[int, int, str, str, str, int, Fact, int, str, int]

MENTIONS = frozenset({MENTION})
"""The nodes that are spans if nothing is said."""

ENTRY_COLUMNS = ("key", "type", "text", "low", "mentions", "known")
"""Of an entity of a document, in the order of its row."""

EntryRow = tuple[str, str, str, int, int, int]


class Entity(NamedTuple):
    """An entity of a document."""

    row: EntryRow
    mentions: list[int]
    """Which of the rows of spans."""


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


def cells_of(rows: Iterable[Sequence[Any]], places: Sequence[int]) -> list[Any]:
    """Some columns of rows, one after the other.

    >>> cells_of([(1, 2, 3), (4, 5, 6)], [0, 2])
    [1, 3, 4, 6]
    """
    return [row[k] for row in rows for k in places]


def entry_cells_of(entities: Iterable[Entity], columns: Sequence[str]) -> list[Any]:
    """Some columns of entities, one after the other.

    Args:
        entities: of a document.
        columns: as in :data:`ENTRY_COLUMNS`.
    """
    places = [ENTRY_COLUMNS.index(name) for name in columns]
    return cells_of((entity.row for entity in entities), places)


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
        start, end, pieces = place = place_of(node)
        kind = type_name(node.label)
        copy = seen.get((place, kind), 0)
        seen[place, kind] = copy + 1
        confidence: Value = None
        ids: tuple[str, ...] = ()
        if len(node.properties) > 1:
            confidence, ids = confidence_of(node), entries_of(node)
        said = "" if confidence is None else str(confidence)
        rows.append(
            (
                start,
                end,
                pieces,
                kind,
                words_of(node, place, text),
                int(said in low and confidence is not None),
                fact_of(confidence),
                len(ids),
                f"{SEPARATOR}{SEPARATOR.join(ids)}{SEPARATOR}" if ids else "",
                copy,
            )
        )
        ordinals.append(ordinal)
        reach = max(reach, end - start)
    made = Prepared(graph, rows, ordinals, reach, entries)
    if documents:
        made.entities = entities_of(rows, entries, names or {})
        made.known = [each.row[0][1:] for each in made.entities if each.row[5]]
    return made


def _is_span(node: Node, nodes: frozenset[str]) -> bool:
    """Whether a node is one of the kinds, or any with anchors that is no word."""
    kind = kind_of(node)
    return kind in nodes or ("*" in nodes and bool(node.anchors) and kind != TOKEN)


def called(text: str, names: Mapping[str, str]) -> str:
    """What an entity is known by that has no entry.

    Args:
        text: the words of a mention.
        names: what names stand for.
    """
    said = spaced(text)
    return names.get(said, said) if names else said


def entities_of(
    spans: Sequence[Row], entries: bool, names: Mapping[str, str]
) -> list[Entity]:
    """The entities that spans of one document mention, in the order of the first.

    Args:
        spans: their rows.
        entries: whether entities are known by their entries, where they have some.
        names: what names stand for.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for k, row in enumerate(spans):
        if entries and row[7]:
            name = ("=" + row[8].split(SEPARATOR, 2)[1], "")
        else:
            name = (called(row[4], names), row[3])
        if name in found:
            found[name].append(k)
        else:
            found[name] = [k]
    made = []
    for (key, kind), members in found.items():
        first_row = spans[members[0]]
        low = first_row[5]
        if len(members) > 1:
            low = int(all(spans[k][5] for k in members))
        known = int(not kind)
        made.append(
            Entity(
                (key, kind or first_row[3], first_row[4], low, len(members), known),
                members,
            )
        )
    return made


class Unit(NamedTuple):
    """One document of both sides; nothing where a side has none."""

    gold: Sequence[Prepared]
    system: Sequence[Prepared]


def parts_of(unit: Unit) -> list[tuple[Prepared | None, Prepared | None]]:
    """The parts of a document side by side."""
    return side_by_side(*unit, lambda part: part.graph)


Named = dict[tuple[str, str], str]
"""By words and type, the key of the entry that the other side has for them."""


def merged(
    there: Sequence[Prepared], alike: dict[str, str], named: Named
) -> list[Entity]:
    """The entities of a document, those of its parts and of like entries united.

    Args:
        there: its parts.
        alike: what entries are called that stand for one entity.
        named: entries of entities that only have words.
    """
    found: dict[tuple[str, str], Entity] = {}
    begin = 0
    for prepared in there:
        for entity in prepared.entities:
            row, mentions = entity
            key, kind = row[0], row[1]
            if row[5]:
                key, kind = "=" + alike.get(key[1:], key[1:]), ""
            elif (key, kind) in named:
                key, kind = named[key, kind], ""
            if begin:
                mentions = [begin + k for k in mentions]
            old = found.get((key, kind))
            if old is None:
                found[key, kind] = Entity((key, *row[1:]), mentions)
            else:
                first = old.row
                low, count = first[3] & row[3], first[4] + row[4]
                found[key, kind] = Entity(
                    (key, first[1], first[2], low, count, max(first[5], row[5])),
                    old.mentions + mentions,
                )
        begin += len(prepared.spans)
    return list(found.values())


Made = tuple[int, list[int]]


class Batch:
    """Units as rows of tables; where each row comes from.

    Args:
        units: documents.
        entry_columns: of the entities of documents; nothing where nobody asks.
        borrow: how a graph is laid out anew with the other side's text.
        fall_back: whether entities that have entries on one side only go by words.
        names: what names stand for.

    Attributes:
        parts: the unit of each part, by its number.
        reach: the longest gold span of each part.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        *,
        entry_columns: Sequence[str] = (),
        borrow: Callable[[Graph], Prepared] | None = None,
        fall_back: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._fall_back, self._names = fall_back, names or {}
        self._named: dict[int, tuple[Named, Named]] = {}
        self.units = units
        self.parts: list[int] = []
        self.reach: list[int] = []
        self.sides: tuple[list[Prepared | None], list[Prepared | None]] = ([], [])
        for number, unit in enumerate(units):
            for gold, system in parts_of(unit):
                if borrow is not None:
                    gold, system = _lent(gold, system, borrow)
                self.parts.append(number)
                self.reach.append(0 if gold is None else gold.reach)
                self.sides[0].append(gold)
                self.sides[1].append(system)
        self.entry_columns = entry_columns
        self._alike: dict[int, dict[str, str]] = {}

    def cells(self, side: int) -> Iterator[tuple[int, list[Any]]]:
        """The cells of the spans of a side, part by part."""
        for part, prepared in enumerate(self.sides[side]):
            if prepared is not None:
                yield part, prepared.cells

    def entry_cells(self, side: int) -> Iterator[tuple[int, list[Any]]]:
        """The cells of the entities of a side, unit by unit."""
        if not self.entry_columns:
            return
        for unit, _, there in self._documents(side):
            entities = self._entities(unit, there, side)
            if len(there) == 1 and entities is there[0].entities:
                yield unit, there[0].entry_cells
            else:
                yield unit, entry_cells_of(entities, self.entry_columns)

    def span_rows(self, side: int) -> Iterator[tuple[int, Row]]:
        """The unit of each span of a side, and its row."""
        for part, prepared in enumerate(self.sides[side]):
            if prepared is not None:
                for row in prepared.spans:
                    yield self.parts[part], row

    def entry_rows(self, side: int) -> Iterator[tuple[int, EntryRow]]:
        """The unit of each entity of a side, and its row."""
        for unit, _, there in self._documents(side):
            for entity in self._entities(unit, there, side):
                yield unit, entity.row

    @cached_property
    def entities(self) -> tuple[list[Made], list[Made]]:
        """The entities of both sides, by the number of their row, less one.

        Of each: how many rows of spans come before its document's, and which it is
        made of, counted from there.
        """
        gold, system = (
            [
                (first, entity.mentions)
                for unit, first, there in self._documents(side)
                for entity in self._entities(unit, there, side)
            ]
            for side in (0, 1)
        )
        return gold, system

    def _documents(self, side: int) -> Iterator[tuple[int, int, list[Prepared]]]:
        """Each unit, with the number of spans before it, and its parts."""
        row, part, count = 0, 0, len(self.parts)
        while part < count:
            unit, first = self.parts[part], part
            while part < count and self.parts[part] == unit:
                part += 1
            parts = self.sides[side][first:part]
            there = [prepared for prepared in parts if prepared is not None]
            yield unit, row, there
            row += sum(len(each.spans) for each in there)

    def _entities(
        self, unit: int, there: Sequence[Prepared], side: int
    ) -> Sequence[Entity]:
        if not there:
            return ()
        if unit not in self._alike:
            self._alike[unit] = self._likened(unit)
            if self._fall_back:
                self._named[unit] = self._named_by(unit, self._alike[unit])
        alike = self._alike[unit]
        named = self._named[unit][side] if self._fall_back else {}
        if len(there) == 1 and not named and alike.keys().isdisjoint(there[0].known):
            return there[0].entities
        return merged(there, alike, named)

    def _named_by(self, unit: int, alike: dict[str, str]) -> tuple[Named, Named]:
        """Of both sides, what has words only, with the other side's entry for them.

        Nothing has where the other side has an entity of these words without an entry.
        """
        lent = self._lent_parts(unit)
        words: list[dict[tuple[str, str], str]] = []
        bare: list[set[tuple[str, str]]] = []
        for there in lent:
            known: dict[tuple[str, str], str] = {}
            unknown: set[tuple[str, str]] = set()
            for prepared in there:
                for (key, kind, _, _, _, has), members in prepared.entities:
                    if not has:
                        unknown.add((key, kind))
                        continue
                    entry = "=" + alike.get(key[1:], key[1:])
                    for row in (prepared.spans[k] for k in members):
                        name = called(row[4], self._names), row[3]
                        # Of several the first by name: order is of no account.
                        known[name] = min(known.get(name, entry), entry)
            words.append(known)
            bare.append(unknown)
        gold, system = (
            {
                called: words[1 - own][called]
                for called in bare[own] - bare[1 - own]
                if called in words[1 - own]
            }
            for own in (0, 1)
        )
        return gold, system

    def _lent_parts(self, unit: int) -> list[list[Prepared]]:
        """The parts of a unit on both sides, with the text that one has lent."""
        start, end = bisect_left(self.parts, unit), bisect_right(self.parts, unit)
        return [[p for p in side[start:end] if p is not None] for side in self.sides]

    def _likened(self, unit: int) -> dict[str, str]:
        """What entries are called, where others stand for the same entity."""
        several = [
            ids
            for side in self.units[unit]
            for prepared in side
            for ids in prepared.several
        ]
        if not several:
            return {}
        found: dict[str, str] = {}

        def root(entry: str) -> str:
            while found.get(entry, entry) != entry:
                entry = found[entry]
            return entry

        for first, *others in several:
            for other in others:
                one, two = root(first), root(other)
                if one != two:
                    found[two] = one
        return {entry: root(entry) for entry in found}

    def starts(self, side: int) -> list[int]:
        """What to add to ordinals of nodes of each part: those of earlier parts."""
        found: list[int] = []
        total, unit = 0, -1
        for part, prepared in enumerate(self.sides[side]):
            if self.parts[part] != unit:
                total, unit = 0, self.parts[part]
            found.append(total)
            if prepared is not None:
                total += len(prepared.graph.nodes)
        return found


def _lent(
    gold: Prepared | None,
    system: Prepared | None,
    borrow: Callable[[Graph], Prepared],
) -> tuple[Prepared | None, Prepared | None]:
    """Both, the one without text with that of the other; they annotate the same."""
    if gold is None or system is None:
        return gold, system
    if gold.graph.text and not system.graph.text and system.reach:
        return gold, borrow(_with_text(system.graph, gold.graph.text))
    if system.graph.text and not gold.graph.text and gold.reach:
        return borrow(_with_text(gold.graph, system.graph.text)), system
    return gold, system


def _with_text(graph: Graph, text: str) -> Graph:
    import msgspec

    return msgspec.structs.replace(graph, text=text)
