"""A document in brat's standoff format, its lines checked against each other.

What is wrong with characters or with lines of no known kind costs the document;
what is wrong with events costs their layer, as they may be arguments of each other;
what is wrong with relations, groups and attributes costs only them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from graphscore.exceptions import Problem, amount
from graphscore.formats.base import Record
from graphscore.formats.extraction.brat.lines import (
    GIVEN_FILE,
    GROUP,
    NORMALIZATION,
    Attribute,
    Counting,
    Equivalence,
    Event,
    MalformedLine,
    Named,
    Note,
    Parsed,
    Reference,
    Relation,
    Text,
    TextBound,
    base_role,
)
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.span_fields import counting_hint, quote_beginning
from graphscore.formats.source import suffix_of
from graphscore.model.graph import Anchor, Graph, Pairs
from graphscore.structures.layout import (
    COREF,
    EQUIVALENT,
    EVENTS,
    GIVEN,
    LAYERS,
    NER,
    NUMBER,
    RELATIONS,
    REPEATED,
    Argument,
    Extra,
    LayoutBuilder,
)

WHOLE = ""
"""Key of problems that cost the document."""

_LAYER_OF = {"R": RELATIONS, "*": COREF, "A": NER, "M": NER, "N": NER}
"""Layer that leaves out an unreadable line, by the first letter of its id.

Characters are mentions unless an event says that they are its trigger, so one of an
event costs all.
"""

SHOWN = 50
"""Characters of an annotation that are more than a problem shows."""

_EVENT = "an event that it is no argument of"


class Document:
    """A document and what is wrong with it.

    Args:
        draft: the file of annotations; its problems cost the document.
        text: its text.
    """

    def __init__(self, draft: RecordBuilder, text: Text) -> None:
        self.draft, self.text = draft, text
        self.problems: dict[str, list[Problem]] = {WHOLE: draft.problems}
        self.left_out: dict[str, list[Problem]] = {}
        """Problems of lines that nothing else needs, by layer."""
        self.files: list[tuple[str, int]] = []
        """The files of the document, each with the number of lines before it."""
        self.last = 0
        """The number of the last line; lines are counted through all files."""
        self.lines: dict[str, int] = {}
        """The line of each id, those of bad lines included."""
        self.bad: set[str] = set()
        self.alone = False
        """The file of given annotations is absent."""
        self._given = False
        """The lines that come are given annotations."""
        self.layers = Layers(draft.item, text.text, text.counting([]))

    def add(
        self,
        layer: str,
        about: Named | MalformedLine,
        column: int,
        found: str,
        expected: str,
    ) -> None:
        """Note a problem of a layer, or of the document."""
        problem = self._problem(about, column, found, expected)
        self.problems.setdefault(layer, []).append(problem)

    def leave_out(
        self,
        layer: str,
        about: Named | MalformedLine,
        column: int,
        found: str,
        expected: str,
    ) -> None:
        """Note a line that its layer does without."""
        problem = self._problem(about, column, found, expected)
        self.left_out.setdefault(layer, []).append(problem)

    def _problem(
        self, about: Named | MalformedLine, column: int, found: str, expected: str
    ) -> Problem:
        name, line = self.location(about.line)
        return Problem(name, line, column, about.name, found, expected)

    def begin(self, name: str) -> int:
        """Begin a file of the document.

        Returns:
            How many lines are before its first.
        """
        self.files.append((name, self.last))
        self._given = suffix_of(name) == GIVEN_FILE
        return self.last

    def location(self, number: int) -> tuple[str, int]:
        """The file of a line, and its number there."""
        name, before = next(f for f in reversed(self.files) if f[1] < number)
        return name, number - before

    def shown(self, number: int) -> str:
        """Location of a line in words."""
        name, line = self.location(number)
        return f"line {line}" if len(self.files) == 1 else f"{name}:{line}"

    def take(self, parsed: Parsed | MalformedLine) -> None:
        """One line."""
        layers = self.layers
        if isinstance(parsed, Note):
            layers.notes.append(parsed.text)
            return
        if isinstance(parsed, MalformedLine):
            layer = _LAYER_OF.get(parsed.kind, WHOLE)
            problem = parsed.column, parsed.found, parsed.expected
            if layer == WHOLE:
                self.add(layer, parsed, *problem)
            else:
                self.leave_out(layer, parsed, *problem)
            self.lines.setdefault(parsed.name, parsed.line)
            self.bad.add(parsed.name)
            return
        if isinstance(parsed, Equivalence):
            layers.equivalences.append(parsed)
            return
        if isinstance(parsed, Relation) and parsed.name == GROUP:
            # It has no id that could be taken.
            layers.relations.append(parsed)
            return
        name = parsed.name
        if name in self.lines:
            layer = _LAYER_OF.get(name[0], WHOLE)
            shown = self.shown(self.lines[name])
            expected = f"an id of its own (it is that of {shown})"
            note = self.add if layer == WHOLE else self.leave_out
            note(layer, parsed, 1, repr(name), expected)
            return
        self.lines[name] = parsed.line
        if isinstance(parsed, TextBound):
            layers.bounds[name] = parsed
            if self._given:
                layers.given_ids.add(name)
        elif isinstance(parsed, Event):
            layers.events[name] = parsed
        elif isinstance(parsed, Relation):
            layers.relations.append(parsed)
        else:
            layers.attributes.setdefault(parsed.target.name, []).append(parsed)

    def records(self) -> Iterator[Record]:
        """The graphs of all layers, or what is wrong with them."""
        draft = self.draft
        self._check_text()
        self._check_references()
        self._check_cycles()
        if draft.problems:
            files = [name for name, _ in self.files]
            draft.problems = sorted(
                (
                    note
                    for problems in (self.problems, self.left_out)
                    for problem in problems.values()
                    for note in problem
                ),
                key=lambda e: (files.index(e.file), e.line or 0, e.column or 0),
            )
            yield draft.rejected()
            return
        for layer in LAYERS:
            draft.problems = self.problems.get(layer, [])
            draft.left_out = self.left_out.get(layer, [])
            graph = None if draft.problems else self.layers.graph(layer)
            yield draft.record(graph, layer)

    def _check_text(self) -> None:
        """Find out how offsets are counted, and check every annotation by it."""
        text = self.text
        bounds = self.layers.bounds.values()
        counting = text.counting([(bound.offsets, bound.words) for bound in bounds])
        self.layers.counting = counting
        for bound in bounds:
            anchors = [counting.anchor(offsets) for offsets in bound.offsets]
            for anchor, offsets, column in zip(
                anchors, bound.offsets, bound.columns, strict=False
            ):
                if anchor.start < 0 or anchor.end > len(text.text):
                    found = f"{offsets[0]} {offsets[1]}"
                    expected = f"a range within {amount(len(text.text), 'character')}"
                    self.add(WHOLE, bound, column, found, expected)
                    break
            else:
                if not text.fits(anchors, bound.words):
                    found = quote_beginning(bound.words)
                    expected = (
                        f"{quote_beginning(text.words(anchors, SHOWN))} as in the text"
                    )
                    if len(anchors) == 1:
                        expected += counting_hint(bound.words, *anchors[0], text.text)
                    self.add(WHOLE, bound, bound.columns[-1], found, expected)

    def _check_references(self) -> None:
        """Every id that is referred to must be there and of the right kind."""
        layers = self.layers
        for event in layers.events.values():
            self._must(EVENTS, event, [event.trigger], "T")
            self._must(EVENTS, event, event.arguments, "TE")
        layers.relations = [
            relation for relation in layers.relations if self._is_whole(relation)
        ]
        layers.equivalences = [
            same
            for same in layers.equivalences
            if self._refers(COREF, same, same.members, "T")
        ]
        ids = {*layers.bounds, *layers.events, *(r.name for r in layers.relations)}
        for target, attributes in layers.attributes.items():
            if target in ids:
                continue
            layer = {"R": RELATIONS, "E": EVENTS}.get(target[0], NER)
            for attribute in attributes:
                self._add_missing(layer, attribute, attribute.target, "TER", alone=True)

    def _is_whole(self, relation: Relation) -> bool:
        """Return whether all ids of a relation are known; otherwise leave it out."""
        refers = self._refers(RELATIONS, relation, relation.arguments, "TE")
        for argument in relation.arguments:
            event = self.layers.events.get(argument.name)
            if event and event.trigger.name not in self.layers.bounds:
                self._add_missing(RELATIONS, relation, argument, "TE", alone=True)
                refers = False
        if not refers:
            self.bad.add(relation.name)
        return refers

    def _refers(
        self, layer: str, about: Named, references: Iterable[Reference], kinds: str
    ) -> bool:
        """Return whether all ids of a line that nothing else needs are known."""
        gone = self._unknown_references(references, kinds)
        for reference in gone:
            self._add_missing(layer, about, reference, kinds, alone=True)
        return not gone

    def _unknown_references(
        self, references: Iterable[Reference], kinds: str
    ) -> list[Reference]:
        events = self.layers.events if "E" in kinds else {}
        bounds = self.layers.bounds
        return [e for e in references if e.name not in bounds and e.name not in events]

    def _must(
        self, layer: str, about: Named, references: Iterable[Reference], kinds: str
    ) -> None:
        for reference in self._unknown_references(references, kinds):
            self._add_missing(layer, about, reference, kinds)

    def _add_missing(
        self,
        layer: str,
        about: Named,
        reference: Reference,
        kinds: str,
        alone: bool = False,
    ) -> None:
        """Note an id that is not there.

        Args:
            layer: what that costs.
            about: the line that refers to it.
            reference: the id.
            kinds: the letters that it may begin with.
            alone: whether it costs only the line.
        """
        name_of = reference.name
        if name_of in self.bad and name_of[0] in kinds:
            return  # a problem already, which costs the same
        found = quote_beginning(name_of)
        if name_of in self.lines:
            found += f" ({self.shown(self.lines[name_of])})"
        expected = f"the id of a line with {' or '.join(kinds)}"
        if self.alone and name_of[0] == "T":
            expected += ", or the a1 beside it or in the folder of --text"
        note = self.leave_out if alone else self.add
        note(layer, about, reference.column, found, expected)

    def _check_cycles(self) -> None:
        """No event may be an argument of itself, directly or through others."""
        done: set[str] = set()
        events = self.layers.events
        for start in events:
            if start in done:
                continue
            path = {start: iter(events[start].arguments)}
            while path:
                name, arguments = next(reversed(path.items()))
                argument = next(arguments, None)
                if argument is None:
                    done.add(name)
                    del path[name]
                elif argument.name in path:
                    self.add(
                        EVENTS,
                        events[name],
                        argument.column,
                        repr(argument.name),
                        _EVENT,
                    )
                elif argument.name in events and argument.name not in done:
                    path[argument.name] = iter(events[argument.name].arguments)


TITLES, TRIGGER_ID, TRIGGER_TYPE, ROLE = "titles", "trigger", "trigger_type", "role"
"""Keys of ``extra`` of nodes and edges.

The titles of database entries, the id and the type of a trigger, and a role with its
number.
"""

NOTES = "notes"
"""Key of a graph's ``extra`` that holds the notes of a document, as written."""


@dataclass
class Layers:
    """Layers of a document, built line by line; graphs once every reference is checked.

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
        given_ids: ids of characters that were given.
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
    given_ids: set[str] = field(default_factory=set)

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
        return tuple([self.counting.anchor(offset) for offset in bound.offsets])

    def _properties(self, *names: str) -> tuple[Pairs, Extra]:
        """Attributes and entries of databases, in their order."""
        attributes = [
            attribute for name in names for attribute in self.attributes.get(name, ())
        ]
        attributes.sort(key=lambda attribute: attribute.line)
        titles = {
            str(attribute.value): attribute.title
            for attribute in attributes
            if attribute.label == NORMALIZATION and attribute.title
        }
        pairs = tuple((attribute.label, attribute.value) for attribute in attributes)
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
        triggers = {event.trigger.name for event in self.events.values()}
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
        ids: dict[str, Any] = {TRIGGER_ID: bound.name}
        if bound.label != event.label:
            ids[TRIGGER_TYPE] = bound.label
        if bound.name in repeated:
            pairs = (*pairs, (REPEATED, repeated[bound.name]))
        build.trigger(
            event.label,
            self._anchors(bound),
            arguments,
            pairs,
            id=event.name,
            extra=(*ids.items(), *extra),
        )

    def _ner(self) -> LayoutBuilder:
        build = LayoutBuilder()
        self._mentions(build)
        return build

    def _relations(self) -> LayoutBuilder:
        build = LayoutBuilder()
        named = {a.name for relation in self.relations for a in relation.arguments}
        self._mentions(build, named)
        for event in self.events.values():
            if event.name in named:
                self._event(build, event, ())
        groups = 0
        for relation in self.relations:
            arguments = [Argument(a.role, a.name) for a in relation.arguments]
            pairs, extra = self._properties(relation.name)
            name = relation.name
            if name == GROUP:
                groups += 1
                name = f"{GROUP}{groups}"
            build.relation(relation.label, arguments, pairs, id=name, extra=extra)
        return build

    def _events(self) -> LayoutBuilder:
        build = LayoutBuilder()
        events = self.events.values()
        named = {a.name for event in events for a in event.arguments}
        self._mentions(build, named, self._mention_properties())
        repeated = self._repeated_triggers()
        for event in events:
            self._event(build, event, _arguments(event.arguments), repeated)
        return build

    def _mention_properties(self) -> dict[str, Pairs]:
        """Return the properties of given and of equivalent mentions, by id."""
        result: dict[str, Pairs] = {}
        for name in self.bounds:
            if name in self.given_ids:
                result[name] = ((GIVEN, name),)
        for equivalence in self.equivalences:
            first = equivalence.members[0].name if equivalence.members else ""
            for name in dict.fromkeys(member.name for member in equivalence.members):
                result[name] = (*result.get(name, ()), (EQUIVALENT, first))
        return result

    def _repeated_triggers(self) -> dict[str, int]:
        """Triggers where another of their type stands already, with their numbers."""
        triggers = {event.trigger.name for event in self.events.values()}
        times: Counter[tuple[str, object]] = Counter()
        result = {}
        for name, bound in self.bounds.items():
            if name in triggers:
                key = bound.label, bound.offsets
                times[key] += 1
                if times[key] > 1:
                    result[name] = times[key]
        return result

    def _coref(self) -> LayoutBuilder:
        build = LayoutBuilder()
        named = {
            a.name for equivalence in self.equivalences for a in equivalence.members
        }
        for name in self.bounds:
            if name in named:
                self._mention(build, name)
        for equivalence in self.equivalences:
            build.entity([member.name for member in equivalence.members])
        return build


def _arguments(references: Iterable[Reference]) -> Iterator[Argument]:
    """Arguments; the number of a role is said where it is not how many have it.

    Beside numbered ones a role without a number is the first.
    """
    every = [(reference, base_role(reference.role)) for reference in references]
    numbered = {role for reference, role in every if role != reference.role}
    times: Counter[str] = Counter()
    for reference, role in every:
        times[role] += 1
        count = str(times[role])
        number = reference.role[len(role) :] or ("1" if role in numbered else count)
        attributes = () if number == count else ((NUMBER, number),)
        kept = () if role == reference.role else ((ROLE, reference.role),)
        yield Argument(role, reference.name, attributes, kept)
