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
from graphscore.formats.extraction.brat.text import Text
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
        self.files: list[tuple[str, int]] = []
        """The files of the document, each with the number of lines before it."""
        self.last = 0
        """The number of the last line; lines are counted through all files."""
        self.lines: dict[str, int] = {}
        """The line of each id, those of bad lines included."""
        self.bad: set[str] = set()
        self.layers = Layers(draft.item, text.text, text.counting([]))

    def add(
        self, layer: str, about: Named | Bad, column: int, found: str, expected: str
    ) -> None:
        """Note a problem of a layer, or of the document."""
        name, line = self.place(about.line)
        problem = Problem(name, line, column, about.name, found, expected)
        self.problems.setdefault(layer, []).append(problem)

    def begin(self, name: str) -> int:
        """Begin a file of the document.

        Returns:
            How many lines are before its first.
        """
        self.files.append((name, self.last))
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
            self.add(layer, parsed, parsed.column, parsed.found, parsed.expected)
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
            self.add(layer, parsed, 1, repr(name), expected)
            return
        self.lines[name] = parsed.line
        if isinstance(parsed, TextBound):
            layers.bounds[name] = parsed
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
                (each for found in self.problems.values() for each in found),
                key=lambda e: (files.index(e.file), e.line or 0, e.column or 0),
            )
            yield draft.rejected()
            return
        for layer in LAYERS:
            draft.problems = self.problems.get(layer, [])
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
                    found = _shown(each.words)
                    expected = f"{_shown(text.words(anchors))} as in the text"
                    self.add(WHOLE, each, each.columns[-1], found, expected)

    def _check_references(self) -> None:
        """Every id that is referred to must be there and of the right kind."""
        layers = self.layers
        for event in layers.events.values():
            self._must(EVENTS, event, [event.trigger], "T")
            self._must(EVENTS, event, event.arguments, "TE")
        for relation in layers.relations:
            self._must(RELATIONS, relation, relation.arguments, "TE")
            for each in relation.arguments:
                filler = layers.events.get(each.name)
                if filler and filler.trigger.name not in layers.bounds:
                    self._missing(RELATIONS, relation, each, "TE")
        for same in layers.equivalences:
            self._must(COREF, same, same.members, "T")
        ids = {*layers.bounds, *layers.events, *(r.name for r in layers.relations)}
        for target, attributes in layers.attributes.items():
            if target in ids:
                continue
            layer = {"R": RELATIONS, "E": EVENTS}.get(target[0], WHOLE)
            for attribute in attributes:
                self._missing(layer, attribute, attribute.target, "TER")

    def _must(
        self, layer: str, about: Named, references: Iterable[Reference], kinds: str
    ) -> None:
        events = self.layers.events if "E" in kinds else {}
        for each in references:
            if each.name not in self.layers.bounds and each.name not in events:
                self._missing(layer, about, each, kinds)

    def _missing(
        self, layer: str, about: Named, reference: Reference, kinds: str
    ) -> None:
        name_of = reference.name
        if name_of in self.bad and name_of[0] in kinds:
            return  # a problem already, which costs the same
        found = _shown(name_of)
        if name_of in self.lines:
            found += f" ({self.shown(self.lines[name_of])})"
        expected = f"the id of a line with {' or '.join(kinds)}"
        self.add(layer, about, reference.column, found, expected)

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


def _shown(words: str) -> str:
    return repr(words if len(words) <= 40 else words[:40] + "...")
