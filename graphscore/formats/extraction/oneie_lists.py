"""What OneIE puts out: lists that refer to each other by positions.

Entities are ``[start, end, type, mention type, score]``, triggers ``[start, end,
type, score]``; relations name two entities and roles a trigger and an entity,
each with a label and a score.
"""

from __future__ import annotations

from typing import Any

from graphscore.formats.extraction.oneie_record import FIELDS, Sentence
from graphscore.formats.shared.json_lines import shown
from graphscore.model.graph import Anchor, Pairs
from graphscore.structures.layout import (
    EVENTS,
    NER,
    RELATIONS,
    SCORE,
    Argument,
    LayoutBuilder,
)

LISTS = {NER: "entities", RELATIONS: "relations", EVENTS: "triggers"}
"""The key of each layer."""

ROLES = ("Arg-1", "Arg-2")
"""Roles of relations, which tell their arguments by order; annotated data says so."""


class Predicted(Sentence):
    """A sentence with what the system found in it."""

    keys = LISTS
    where = "$.graph"

    def source(self) -> dict[str, Any]:
        """The lists."""
        source = self.fields["graph"]
        annotated = [key for key in FIELDS.values() if key in self.fields]
        if annotated:
            found = f"graph beside {', '.join(annotated)}"
            self.line.add("$", found, "what is predicted or what is annotated")
        return self.line.object(self.where, source)

    def layer(self, layer: str, where: str, value: Any) -> LayoutBuilder:
        """The nodes and edges of a layer."""
        makers = {NER: self._entities, RELATIONS: self._relations, EVENTS: self._events}
        return makers[layer](where, value)

    def _entities(self, where: str, value: Any) -> LayoutBuilder:
        shape = "[start, end, type, mention type, score]"
        for place, each in self.line.elements(where, value):
            plain = isinstance(each, list) and 3 <= len(each) <= 5
            second = each[3] if plain and len(each) > 3 else None
            if plain and isinstance(second, str):
                each = [*each[:3], *each[4:]]
            found = self._listed(place, each, shape)
            if not found:
                continue
            (start, end), label, more = found
            anchor = self.characters(place, start, end)
            if isinstance(second, str):
                more = (("mention_type", second), *more)
            if anchor is not None:
                self.entities.append((None, label, anchor, more, ()))
        return self.builder()

    def _relations(self, where: str, value: Any) -> LayoutBuilder:
        shape = "[number of an entity, number of an entity, type, score]"
        build = self.builder()
        for place, each in self.line.elements(where, value):
            if found := self._listed(place, each, shape):
                ends, label, more = found
                if all([self._is_entity(place, end) for end in ends]):
                    pairs = zip(ROLES, ends, strict=True)
                    build.relation(label, [Argument(*pair) for pair in pairs], more)
        return build

    def _events(self, where: str, value: Any) -> LayoutBuilder:
        build = self.builder()
        triggers: list[tuple[Anchor | None, str, Pairs, list[Argument]]] = []
        for place, each in self.line.elements(where, value):
            if found := self._listed(place, each, "[start, end, type, score]"):
                anchor = self.characters(place, *found[0])
                triggers.append((anchor, found[1], found[2], []))
        shape = "[number of a trigger, number of an entity, role, score]"
        roles = self.source().get("roles", [])
        for place, each in self.line.elements("$.graph.roles", roles):
            if found := self._listed(place, each, shape):
                (event, filler), role, more = found
                there = 0 <= event < len(triggers)
                if not there:
                    self.line.add(place, shown(event), "the number of a trigger")
                if self._is_entity(place, filler) and there:
                    triggers[event][3].append(Argument(role, filler, more))
        for anchor, label, more, arguments in triggers:
            build.trigger(label, [anchor] if anchor else [], arguments, more)
        return build

    def _listed(
        self, where: str, value: Any, shape: str
    ) -> tuple[tuple[int, int], str, Pairs] | None:
        """Two whole numbers, a label, and a score if there is one."""
        if isinstance(value, list) and 3 <= len(value) <= 4:
            first, second, label = value[:3]
            plain = type(first) is type(second) is int and isinstance(label, str)
            if plain and all(type(each) in (int, float) for each in value[3:]):
                return (first, second), label, tuple((SCORE, n) for n in value[3:])
        self.line.add(where, shown(value), shape)
        return None

    def _is_entity(self, where: str, number: int) -> bool:
        if 0 <= number < len(self.entities):
            return True
        if self.whole:
            self.line.add(where, shown(number), "the number of an entity")
        return False
