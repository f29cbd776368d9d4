"""A document in brat's standoff format, its lines checked against each other.

What is wrong with characters or with lines of no known kind costs the document;
what is wrong with events costs their layer, as they may be arguments of each other;
what is wrong with relations, groups and attributes costs only them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import Problem
from graphscore.formats.base import Record
from graphscore.formats.extraction.brat.layers import Layers
from graphscore.formats.extraction.brat.lines import (
    GROUP,
    Bad,
    Equivalence,
    Event,
    Named,
    Note,
    Parsed,
    Reference,
    Relation,
    TextBound,
)
from graphscore.formats.extraction.brat.text import GIVEN, Text
from graphscore.formats.shared.records import Draft
from graphscore.formats.shared.span_fields import counting_hint, quoted
from graphscore.formats.source import suffix_of
from graphscore.structures.layout import COREF, EVENTS, LAYERS, NER, RELATIONS

WHOLE = ""
"""Where problems go that cost the document."""

_LAYER_OF = {"R": RELATIONS, "*": COREF, "A": NER, "M": NER, "N": NER}
"""Which layer does without a line that cannot be read.  Characters are mentions unless
an event says that they are its trigger, so one of an event costs all."""

SHOWN = 50
"""Characters of an annotation that are more than a problem shows."""

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
        self.left_out: dict[str, list[Problem]] = {}
        """What is wrong with lines that nothing else needs, by layer."""
        self.files: list[tuple[str, int]] = []
        """The files of the document, each with the number of lines before it."""
        self.last = 0
        """The number of the last line; lines are counted through all files."""
        self.lines: dict[str, int] = {}
        """The line of each id, those of bad lines included."""
        self.bad: set[str] = set()
        self.alone = False
        """Whether what is given is not there."""
        self._given = False
        """Whether lines that come are given."""
        self.layers = Layers(draft.item, text.text, text.counting([]))

    def add(
        self, layer: str, about: Named | Bad, column: int, found: str, expected: str
    ) -> None:
        """Note a problem of a layer, or of the document."""
        problem = self._problem(about, column, found, expected)
        self.problems.setdefault(layer, []).append(problem)

    def leave_out(
        self, layer: str, about: Named | Bad, column: int, found: str, expected: str
    ) -> None:
        """Note a line that its layer does without."""
        problem = self._problem(about, column, found, expected)
        self.left_out.setdefault(layer, []).append(problem)

    def _problem(
        self, about: Named | Bad, column: int, found: str, expected: str
    ) -> Problem:
        name, line = self.place(about.line)
        return Problem(name, line, column, about.name, found, expected)

    def begin(self, name: str) -> int:
        """Begin a file of the document.

        Returns:
            How many lines are before its first.
        """
        self.files.append((name, self.last))
        self._given = suffix_of(name) == GIVEN
        return self.last

    def place(self, number: int) -> tuple[str, int]:
        """The file of a line, and its number there."""
        name, before = next(f for f in reversed(self.files) if f[1] < number)
        return name, number - before

    def shown(self, number: int) -> str:
        """The place of a line in words."""
        name, line = self.place(number)
        return f"line {line}" if len(self.files) == 1 else f"{name}:{line}"

    def take(self, parsed: Parsed | Bad) -> None:
        """One line."""
        layers = self.layers
        if isinstance(parsed, Note):
            layers.notes.append(parsed.text)
            return
        if isinstance(parsed, Bad):
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
                layers.given.add(name)
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
                    each
                    for problems in (self.problems, self.left_out)
                    for found in problems.values()
                    for each in found
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
        counting = text.counting([(each.offsets, each.words) for each in bounds])
        self.layers.counting = counting
        for each in bounds:
            anchors = [counting.anchor(offsets) for offsets in each.offsets]
            for anchor, offsets, column in zip(
                anchors, each.offsets, each.columns, strict=False
            ):
                if anchor.start < 0 or anchor.end > len(text.text):
                    found = f"{offsets[0]} {offsets[1]}"
                    expected = f"a range within {len(text.text)} characters"
                    self.add(WHOLE, each, column, found, expected)
                    break
            else:
                if not text.fits(anchors, each.words):
                    found = quoted(each.words)
                    expected = f"{quoted(text.words(anchors, SHOWN))} as in the text"
                    if len(anchors) == 1:
                        expected += counting_hint(each.words, *anchors[0], text.text)
                    self.add(WHOLE, each, each.columns[-1], found, expected)

    def _check_references(self) -> None:
        """Every id that is referred to must be there and of the right kind."""
        layers = self.layers
        for event in layers.events.values():
            self._must(EVENTS, event, [event.trigger], "T")
            self._must(EVENTS, event, event.arguments, "TE")
        layers.relations = [each for each in layers.relations if self._whole(each)]
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
                self._missing(layer, attribute, attribute.target, "TER", alone=True)

    def _whole(self, relation: Relation) -> bool:
        """Whether all that a relation names is there; else it is left out."""
        found = self._refers(RELATIONS, relation, relation.arguments, "TE")
        for each in relation.arguments:
            event = self.layers.events.get(each.name)
            if event and event.trigger.name not in self.layers.bounds:
                self._missing(RELATIONS, relation, each, "TE", alone=True)
                found = False
        if not found:
            self.bad.add(relation.name)
        return found

    def _refers(
        self, layer: str, about: Named, references: Iterable[Reference], kinds: str
    ) -> bool:
        """Whether all ids of a line that nothing else needs are there."""
        gone = self._gone(references, kinds)
        for each in gone:
            self._missing(layer, about, each, kinds, alone=True)
        return not gone

    def _gone(self, references: Iterable[Reference], kinds: str) -> list[Reference]:
        events = self.layers.events if "E" in kinds else {}
        bounds = self.layers.bounds
        return [e for e in references if e.name not in bounds and e.name not in events]

    def _must(
        self, layer: str, about: Named, references: Iterable[Reference], kinds: str
    ) -> None:
        for each in self._gone(references, kinds):
            self._missing(layer, about, each, kinds)

    def _missing(
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
        found = quoted(name_of)
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
                each = next(arguments, None)
                if each is None:
                    done.add(name)
                    del path[name]
                elif each.name in path:
                    self.add(EVENTS, events[name], each.column, repr(each.name), _EVENT)
                elif each.name in events and each.name not in done:
                    path[each.name] = iter(events[each.name].arguments)
