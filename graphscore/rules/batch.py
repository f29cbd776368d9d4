"""Documents of both sides as rows of tables, and where each row comes from.

The entities of a document are those of its parts.  Entries that a span has beside one
another stand for one entity, and so may words that the other side has an entry for.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from graphscore.model.graph import Graph
from graphscore.rules.facts import (
    Entity,
    EntryRow,
    Prepared,
    Row,
    Unit,
    entry_cells_of,
    name_of,
)
from graphscore.structures.parts import side_by_side


def parts_of(unit: Unit) -> list[tuple[Prepared | None, Prepared | None]]:
    """The parts of a document side by side."""
    return side_by_side(*unit, lambda part: part.graph)


Named = dict[tuple[str, str], str]
"""By words and type, the key of the entry that the other side has for them."""


def merge_entities(
    parts: Sequence[Prepared], alike: dict[str, str], named: Named
) -> list[Entity]:
    """The entities of a document, those of its parts and of like entries united.

    Args:
        parts: its parts.
        alike: what entries are called that stand for one entity.
        named: entries of entities that only have words.
    """
    entities: dict[tuple[str, str], Entity] = {}
    begin = 0
    for prepared in parts:
        for entity in prepared.entities:
            row, mentions = entity
            key, kind = row[0], row[1]
            if row[5]:
                key, kind = "=" + alike.get(key[1:], key[1:]), ""
            elif (key, kind) in named:
                key, kind = named[key, kind], ""
            if begin:
                mentions = [begin + k for k in mentions]
            old = entities.get((key, kind))
            if old is None:
                entities[key, kind] = Entity((key, *row[1:]), mentions)
            else:
                first = old.row
                low, count = first[3] & row[3], first[4] + row[4]
                entities[key, kind] = Entity(
                    (key, first[1], first[2], low, count, max(first[5], row[5])),
                    old.mentions + mentions,
                )
        begin += len(prepared.spans)
    return list(entities.values())


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
        for unit, _, parts in self._documents(side):
            entities = self._entities(unit, parts, side)
            if len(parts) == 1 and entities is parts[0].entities:
                yield unit, parts[0].entry_cells
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
        for unit, _, parts in self._documents(side):
            for entity in self._entities(unit, parts, side):
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
                for unit, first, parts in self._documents(side)
                for entity in self._entities(unit, parts, side)
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
            spans_of_parts = [prepared for prepared in parts if prepared is not None]
            yield unit, row, spans_of_parts
            row += sum(len(prepared_part.spans) for prepared_part in spans_of_parts)

    def _entities(
        self, unit: int, parts: Sequence[Prepared], side: int
    ) -> Sequence[Entity]:
        if not parts:
            return ()
        if unit not in self._alike:
            self._alike[unit] = self._find_equal(unit)
            if self._fall_back:
                self._named[unit] = self._named_by(unit, self._alike[unit])
        alike = self._alike[unit]
        named = self._named[unit][side] if self._fall_back else {}
        if len(parts) == 1 and not named and alike.keys().isdisjoint(parts[0].known):
            return parts[0].entities
        return merge_entities(parts, alike, named)

    def _named_by(self, unit: int, alike: dict[str, str]) -> tuple[Named, Named]:
        """Return both sides' spans without an entry, with the other side's entry.

        Nothing has where the other side has an entity of these words without an entry.
        """
        lent = self._lent_parts(unit)
        words: list[dict[tuple[str, str], str]] = []
        bare: list[set[tuple[str, str]]] = []
        for parts in lent:
            known: dict[tuple[str, str], str] = {}
            unknown: set[tuple[str, str]] = set()
            for prepared in parts:
                for (key, kind, _, _, _, has), members in prepared.entities:
                    if not has:
                        unknown.add((key, kind))
                        continue
                    entry = "=" + alike.get(key[1:], key[1:])
                    for row in (prepared.spans[k] for k in members):
                        name = name_of(row[4], self._names), row[3]
                        # Of several the first by name: order is of no account.
                        known[name] = min(known.get(name, entry), entry)
            words.append(known)
            bare.append(unknown)
        gold, system = (
            {
                key: words[1 - own][key]
                for key in bare[own] - bare[1 - own]
                if key in words[1 - own]
            }
            for own in (0, 1)
        )
        return gold, system

    def _lent_parts(self, unit: int) -> list[list[Prepared]]:
        """The parts of a unit on both sides, with the text that one has lent."""
        start, end = bisect_left(self.parts, unit), bisect_right(self.parts, unit)
        return [[p for p in side[start:end] if p is not None] for side in self.sides]

    def _find_equal(self, unit: int) -> dict[str, str]:
        """Return the names of entries that stand for the same entity."""
        several = [
            ids
            for side in self.units[unit]
            for prepared in side
            for ids in prepared.several
        ]
        if not several:
            return {}
        result: dict[str, str] = {}

        def root(entry: str) -> str:
            while result.get(entry, entry) != entry:
                entry = result[entry]
            return entry

        for first, *others in several:
            for equal in others:
                left, right = root(first), root(equal)
                if left != right:
                    result[right] = left
        return {entry: root(entry) for entry in result}

    def starts(self, side: int) -> list[int]:
        """Return the offset of each part's node ordinals: nodes of earlier parts."""
        result: list[int] = []
        total, unit = 0, -1
        for part, prepared in enumerate(self.sides[side]):
            if self.parts[part] != unit:
                total, unit = 0, self.parts[part]
            result.append(total)
            if prepared is not None:
                total += len(prepared.graph.nodes)
        return result


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
