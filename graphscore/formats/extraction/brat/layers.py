"""The layers of a document in brat's standoff format.

Nodes are called like their lines (``T1``, ``E1``, ``R1``).  Characters that are the
trigger of an event are no mention, unless something names them like one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from graphscore.formats.extraction.brat.lines import (
    GROUP,
    NORMALIZATION,
    Attribute,
    Equivalence,
    Event,
    Reference,
    Relation,
    TextBound,
    base_role,
)
from graphscore.formats.extraction.brat.text import Counting
from graphscore.model.graph import Anchor, Graph, Pairs
from graphscore.structures.layout import (
    COREF,
    EQUIVALENT,
    EVENTS,
    GIVEN,
    NER,
    NUMBER,
    RELATIONS,
    REPEATED,
    Argument,
    Extra,
    LayoutBuilder,
)

TITLES, TRIGGER_ID, TRIGGER_TYPE, ROLE = "titles", "trigger", "trigger_type", "role"
"""Where ``extra`` of nodes and edges keeps what the entries of databases are called,
the id and the type of a trigger, and a role with its number."""

NOTES = "notes"
"""Where ``extra`` of graphs keeps the notes of a document, as written."""


@dataclass
class Layers:
    """What a document says, line by line; its graphs, once every reference is checked.

    Args:
        item: what the document is called.
        text: its text.
        counting: how its characters are counted.
        bounds: characters with a type, by id.
        events: events, by id.
        relations: relations.
        equivalences: mentions of the same thing.
        attributes: attributes of each id.
        notes: notes, as written.
        given: ids of characters that were given.
    """

    item: str
    text: str
    counting: Counting
    bounds: dict[str, TextBound] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    equivalences: list[Equivalence] = field(default_factory=list)
    attributes: dict[str, list[Attribute]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    given: set[str] = field(default_factory=set)

    def graph(self, layer: str) -> Graph:
        """One layer.

        Args:
            layer: ``ner``, ``relation``, ``event`` or ``coref``.
        """
        makers = {
            NER: self._ner,
            RELATIONS: self._relations,
            EVENTS: self._events,
            COREF: self._coref,
        }
        return makers[layer]().graph(
            self.item,
            layer,
            document=self.item,
            text=self.text,
            extra={NOTES: self.notes} if self.notes else {},
        )

    def _anchors(self, bound: TextBound) -> tuple[Anchor, ...]:
        return tuple([self.counting.anchor(each) for each in bound.offsets])

    def _properties(self, *names: str) -> tuple[Pairs, Extra]:
        """Attributes and entries of databases, in their order."""
        mine = [each for name in names for each in self.attributes.get(name, ())]
        mine.sort(key=lambda each: each.line)
        titles = {
            str(each.value): each.title
            for each in mine
            if each.label == NORMALIZATION and each.title
        }
        pairs = tuple((each.label, each.value) for each in mine)
        return pairs, (((TITLES, titles),) if titles else ())

    def _mentions(
        self,
        build: LayoutBuilder,
        named: Iterable[str] = (),
        more: Mapping[str, Pairs] | None = None,
    ) -> None:
        """The mentions of the document: what is no trigger.

        Args:
            build: where they go.
            named: ids of triggers that are named like mentions; they come last.
            more: further properties, by id.
        """
        triggers = {each.trigger.name for each in self.events.values()}
        last = [name for name in self.bounds if name in triggers and name in named]
        for name in (*(name for name in self.bounds if name not in triggers), *last):
            self._mention(build, name, more.get(name, ()) if more else ())

    def _mention(self, build: LayoutBuilder, name: str, more: Pairs = ()) -> None:
        bound = self.bounds[name]
        pairs, extra = self._properties(name)
        anchors = self._anchors(bound)
        build.mention(bound.label, anchors, (*pairs, *more), id=name, extra=extra)

    def _event(
        self,
        build: LayoutBuilder,
        event: Event,
        arguments: Iterable[Argument],
        repeated: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        bound = self.bounds[event.trigger.name]
        pairs, extra = self._properties(event.name, bound.name)
        said: dict[str, Any] = {TRIGGER_ID: bound.name}
        if bound.label != event.label:
            said[TRIGGER_TYPE] = bound.label
        if bound.name in repeated:
            pairs = (*pairs, (REPEATED, repeated[bound.name]))
        build.trigger(
            event.label,
            self._anchors(bound),
            arguments,
            pairs,
            id=event.name,
            extra=(*said.items(), *extra),
        )

    def _ner(self) -> LayoutBuilder:
        build = LayoutBuilder()
        self._mentions(build)
        return build

    def _relations(self) -> LayoutBuilder:
        build = LayoutBuilder()
        named = {a.name for each in self.relations for a in each.arguments}
        self._mentions(build, named)
        for event in self.events.values():
            if event.name in named:
                self._event(build, event, ())
        groups = 0
        for each in self.relations:
            arguments = [Argument(a.role, a.name) for a in each.arguments]
            pairs, extra = self._properties(each.name)
            name = each.name
            if name == GROUP:
                groups += 1
                name = f"{GROUP}{groups}"
            build.relation(each.label, arguments, pairs, id=name, extra=extra)
        return build

    def _events(self) -> LayoutBuilder:
        build = LayoutBuilder()
        events = self.events.values()
        named = {a.name for each in events for a in each.arguments}
        self._mentions(build, named, self._standing())
        repeated = self._repeated()
        for event in events:
            self._event(build, event, _arguments(event.arguments), repeated)
        return build

    def _standing(self) -> dict[str, Pairs]:
        """What was given, and what may stand for what, by id."""
        found: dict[str, Pairs] = {}
        for name in self.bounds:
            if name in self.given:
                found[name] = ((GIVEN, name),)
        for each in self.equivalences:
            first = each.members[0].name if each.members else ""
            for name in dict.fromkeys(member.name for member in each.members):
                found[name] = (*found.get(name, ()), (EQUIVALENT, first))
        return found

    def _repeated(self) -> dict[str, int]:
        """Triggers where another of their type stands already, with their numbers."""
        triggers = {each.trigger.name for each in self.events.values()}
        times: Counter[tuple[str, object]] = Counter()
        found = {}
        for name, bound in self.bounds.items():
            if name in triggers:
                key = bound.label, bound.offsets
                times[key] += 1
                if times[key] > 1:
                    found[name] = times[key]
        return found

    def _coref(self) -> LayoutBuilder:
        build = LayoutBuilder()
        named = {a.name for each in self.equivalences for a in each.members}
        for name in self.bounds:
            if name in named:
                self._mention(build, name)
        for each in self.equivalences:
            build.entity([member.name for member in each.members])
        return build


def _arguments(references: Iterable[Reference]) -> Iterator[Argument]:
    """Arguments; the number of a role is said where it is not how many have it.

    Beside numbered ones a role without a number is the first.
    """
    every = [(each, base_role(each.role)) for each in references]
    numbered = {role for each, role in every if role != each.role}
    times: Counter[str] = Counter()
    for each, role in every:
        times[role] += 1
        here = str(times[role])
        number = each.role[len(role) :] or ("1" if role in numbered else here)
        said = () if number == here else ((NUMBER, number),)
        kept = () if role == each.role else ((ROLE, each.role),)
        yield Argument(role, each.name, said, kept)
