"""A document in brat's standoff format, its lines checked against each other.

What is wrong with characters or with lines of no known kind costs the document;
what is wrong with relations, events or equivalences costs their layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import Problem
from graphscore.formats.base import Record
from graphscore.formats.extraction.brat.layers import Layers
from graphscore.formats.extraction.brat.lines import (
    Attribute,
    Bad,
    Equivalence,
    Event,
    Note,
    Parsed,
    Reference,
    Relation,
    TextBound,
)
from graphscore.formats.extraction.brat.text import Counting, Text, countings
from graphscore.formats.shared.records import Draft
from graphscore.structures.layout import COREF, EVENTS, LAYERS, RELATIONS

WHOLE = ""
"""Where problems go that cost the document."""

_LAYER_OF = {"R": RELATIONS, "*": COREF}
"""What a line costs that cannot be read.  Characters are mentions unless an event
says that they are its trigger, so one of an event costs all."""

_EVENT = "an event that it is no argument of"


class Document:
    """A document and what is wrong with it.

    Args:
        draft: the file of annotations; its problems cost the document.
        text: its text.
    """

    def __init__(self, draft: Draft, text: Text) -> None:
        self.draft, self.text = draft, text
        self.problems: dict[str, list[Problem]] = {WHOLE: draft.problems}
        self.lines: dict[str, int] = {}
        """The line of each id, those of bad lines included."""
        self.bad: set[str] = set()
        self.bounds: dict[str, TextBound] = {}
        self.events: dict[str, Event] = {}
        self.relations: list[Relation] = []
        self.equivalences: list[Equivalence] = []
        self.attributes: dict[str, list[Attribute]] = {}
        self.notes: list[str] = []
        self.counting: Counting = countings("", False)[0]

    def add(
        self,
        layer: str,
        line: int | None,
        column: int | None,
        where: str,
        found: str,
        expected: str,
    ) -> None:
        """Note a problem of a layer, or of the document."""
        problem = Problem(self.draft.name, line, column, where, found, expected)
        self.problems.setdefault(layer, []).append(problem)

    def take(self, parsed: Parsed | Bad) -> None:
        """One line."""
        if isinstance(parsed, Note):
            self.notes.append(parsed.text)
            return
        if isinstance(parsed, Bad):
            self.add(_LAYER_OF.get(parsed.kind, WHOLE), *parsed[2:])
            self.lines.setdefault(parsed.name, parsed.line)
            self.bad.add(parsed.name)
            return
        if isinstance(parsed, Equivalence):
            self.equivalences.append(parsed)
            return
        name = parsed.name
        if name in self.lines:
            layer = _LAYER_OF.get(name[0], WHOLE)
            expected = f"an id of its own (it is that of line {self.lines[name]})"
            self.add(layer, parsed.line, 1, name, repr(name), expected)
            return
        self.lines[name] = parsed.line
        if isinstance(parsed, TextBound):
            self.bounds[name] = parsed
        elif isinstance(parsed, Event):
            self.events[name] = parsed
        elif isinstance(parsed, Relation):
            self.relations.append(parsed)
        else:
            self.attributes.setdefault(parsed.target.name, []).append(parsed)

    def records(self) -> Iterator[Record]:
        """The graphs of all layers, or what is wrong with them."""
        draft = self.draft
        self._check_text()
        self._check_references()
        self._check_cycles()
        if draft.problems:
            draft.problems = sorted(
                (each for found in self.problems.values() for each in found),
                key=lambda each: (each.line or 0, each.column or 0),
            )
            yield draft.rejected()
            return
        layers = Layers(
            draft.item,
            self.text.text,
            self.counting,
            self.bounds,
            self.events,
            self.relations,
            self.equivalences,
            self.attributes,
            self.notes,
        )
        for layer in LAYERS:
            draft.problems = self.problems.get(layer, [])
            yield draft.record(None if draft.problems else layers.graph(layer), layer)

    def _check_text(self) -> None:
        """Find out how offsets are counted, and check every annotation by it."""
        text = self.text
        bounds = self.bounds.values()
        self.counting = text.counting([(each.offsets, each.words) for each in bounds])
        for each in bounds:
            anchors = [self.counting.anchor(offsets) for offsets in each.offsets]
            for anchor, offsets, column in zip(
                anchors, each.offsets, each.columns, strict=False
            ):
                if anchor.start < 0 or anchor.end > len(text.text):
                    found = f"{offsets[0]} {offsets[1]}"
                    expected = f"a range within {len(text.text)} characters"
                    self.add(WHOLE, each.line, column, each.name, found, expected)
                    break
            else:
                if not text.fits(anchors, each.words):
                    column = each.columns[-1]
                    found = _shown(each.words)
                    expected = f"{_shown(text.words(anchors))} as in the text"
                    self.add(WHOLE, each.line, column, each.name, found, expected)

    def _check_references(self) -> None:
        """Every id that is referred to must be there and of the right kind."""
        for event in self.events.values():
            self._must(EVENTS, event.name, event.line, [event.trigger], "T")
            self._must(EVENTS, event.name, event.line, event.arguments, "TE")
        for relation in self.relations:
            self._must(
                RELATIONS, relation.name, relation.line, relation.arguments, "TE"
            )
            for each in relation.arguments:
                filler = self.events.get(each.name)
                if filler and filler.trigger.name not in self.bounds:
                    self._missing(RELATIONS, relation.line, relation.name, each, "TE")
        for same in self.equivalences:
            self._must(COREF, same.name, same.line, same.members, "T")
        ids = {*self.bounds, *self.events, *(each.name for each in self.relations)}
        for target, attributes in self.attributes.items():
            if target in ids:
                continue
            layer = {"R": RELATIONS, "E": EVENTS}.get(target[0], WHOLE)
            for attribute in attributes:
                line, name = attribute.line, attribute.name
                self._missing(layer, line, name, attribute.target, "TER")

    def _must(
        self,
        layer: str,
        name: str,
        line: int,
        references: Iterable[Reference],
        kinds: str,
    ) -> None:
        for each in references:
            if each.name in self.bounds or ("E" in kinds and each.name in self.events):
                continue
            self._missing(layer, line, name, each, kinds)

    def _missing(
        self, layer: str, line: int, name: str, reference: Reference, kinds: str
    ) -> None:
        name_of = reference.name
        if name_of in self.bad and name_of[0] in kinds:
            return  # a problem already, which costs the same
        found = _shown(name_of)
        if name_of in self.lines:
            found += f" (line {self.lines[name_of]})"
        expected = f"the id of a line with {' or '.join(kinds)}"
        self.add(layer, line, reference.column, name, found, expected)

    def _check_cycles(self) -> None:
        """No event may be an argument of itself, directly or through others."""
        done: set[str] = set()
        for start in self.events:
            if start in done:
                continue
            path = {start: iter(self.events[start].arguments)}
            while path:
                name, arguments = next(reversed(path.items()))
                each = next(arguments, None)
                if each is None:
                    done.add(name)
                    del path[name]
                elif each.name in path:
                    line = self.events[name].line
                    self.add(EVENTS, line, each.column, name, repr(each.name), _EVENT)
                elif each.name in self.events and each.name not in done:
                    path[each.name] = iter(self.events[each.name].arguments)


def _shown(words: str) -> str:
    return repr(words if len(words) <= 40 else words[:40] + "...")
