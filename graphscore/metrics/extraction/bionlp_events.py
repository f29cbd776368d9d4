"""Events as the shared tasks of BioNLP count them: in one order, each once.

What an event says is its type, its trigger and its arguments, put in the order of
``a2-normalize.pl``: themes, then a cause, then places.  The themes of a binding stand
in the order of what is given, and each of its sites goes with its theme.

An event whose type, trigger and arguments are those of another is that one.  Two
triggers are two even at the same place, and so are two entities: what is the same is
the line of the file.  A protein of a class of equals (``Equiv``) is the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from graphscore.model.graph import Anchor, Edge, Graph, Node, Value
from graphscore.structures.layout import (
    EQUIVALENT,
    GIVEN,
    MENTION,
    NUMBER,
    REPEATED,
    TRIGGER,
    first_of,
    kind_of,
)

Task = Literal["1", "2", "3"]
"""Task: events with themes and causes; those with sites too; modifications."""

THEME, SITE, BINDING = "Theme", "Site", "Binding"

PROTEIN = "Protein"
"""The type of what is given, in files that do not say what is."""

MODIFICATIONS = ("Negation", "Speculation")
"""Properties of an event that are annotations of their own."""

_ORDER = {
    **{f"{THEME}{n or ''}": n for n in range(7)},
    "Cause": 7,
    **{f"{SITE}{n or ''}": 10 + n for n in range(7)},
    "CSite": 17,
    "AtLoc": 18,
    "ToLoc": 19,
}
"""The order of arguments; any other role stands among the themes."""

_PLACE = re.compile("Site|Loc")
"""Roles that task 2 adds."""

_DIGITS = re.compile(r"\d+")

_SMALL = re.compile("[1-9][0-9]{0,8}")
"""A number that roles may have; others are as good as none."""

Span = tuple[int, int]
"""Start and end offset."""


class Entity(NamedTuple):
    """Filler of a role that is not an event."""

    given: tuple[Value, ...]
    """Key of a provided entity: its name, or type and span; empty for others."""
    label: Value
    span: Span
    line: int
    """The ordinal of its node."""


Filler = Entity | int
"""An event is meant by its number."""

Role = tuple[str, Filler]


class Event(NamedTuple):
    """An event with its arguments in order, or a modification of one."""

    ordinal: int
    """Ordinal of its node."""
    label: Value
    span: Span | None
    """Its trigger; a modification has none."""
    arguments: tuple[Role, ...]
    number: int | None = None
    """Number of an event; ``None`` for a modification."""


def hull(anchors: Sequence[Anchor]) -> Span:
    """Return the span from the first to the last character.

    >>> hull([Anchor(4, 6), Anchor(9, 12)]), hull([])
    ((4, 12), (0, 0))
    """
    if len(anchors) == 1:
        return anchors[0].start, anchors[0].end
    if not anchors:
        return 0, 0
    return min(a.start for a in anchors), max(a.end for a in anchors)


class _Named(NamedTuple):
    """A mention as it is in the graph."""

    label: Value
    anchors: tuple[Anchor, ...]
    name: Value
    """Name of a provided entity."""
    groups: tuple[Value, ...]
    """Name of the first of its equals, in each equivalence class that it is in."""


@dataclass(frozen=True, eq=False)
class Annotation:
    """The events of one graph, as it has them.

    Args:
        graph: a graph of events.
    """

    graph: Graph

    @cached_property
    def place(self) -> dict[int | str, int]:
        """The ordinal of each node."""
        return {node.id: number for number, node in enumerate(self.graph.nodes)}

    @cached_property
    def mentions(self) -> dict[int, _Named]:
        """Everything but events, by ordinal."""
        result = {}
        for number, node in enumerate(self.graph.nodes):
            kind, *more = node.properties or ((None, MENTION),)
            if kind[1] == TRIGGER:
                continue
            groups = tuple(value for name, value in more if name == EQUIVALENT)
            name = first_of(node.properties, GIVEN)
            result[number] = _Named(node.label, node.anchors, name, groups)
        return result

    @cached_property
    def named(self) -> bool:
        """True if the file names the provided entities."""
        return any(mention.name is not None for mention in self.mentions.values())

    @cached_property
    def triggers(self) -> list[int]:
        """The ordinals of events."""
        nodes = enumerate(self.graph.nodes)
        return [number for number, node in nodes if kind_of(node) == TRIGGER]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """By the ordinal of an event its number among events."""
        return {ordinal: number for number, ordinal in enumerate(self.triggers)}

    @cached_property
    def outgoing(self) -> dict[int, list[tuple[str, int]]]:
        """By the ordinal of an event its arguments, in order."""
        ordinals, numbers = self.place, self.numbers
        edges: dict[int, list[Edge]] = {}
        for edge in self.graph.edges:
            source = ordinals[edge.source]
            if source in numbers:
                edges.setdefault(source, []).append(edge)
        return {
            source: [(role, ordinals[edge.target]) for role, edge in _numbered(result)]
            for source, result in edges.items()
        }

    def given(self, ordinal: int, named: bool) -> tuple[Value, ...]:
        """Return the key of a provided mention; empty for others.

        Args:
            ordinal: that of a mention.
            named: whether both sides say what is given.
        """
        mention = self.mentions[ordinal]
        if named:
            return () if mention.name is None else (mention.name,)
        if mention.name is None and mention.label != PROTEIN:
            return ()
        offsets = (offset for anchor in mention.anchors for offset in anchor)
        return (mention.label, *offsets)

    def groups(self, named: bool) -> list[list[tuple[Value, ...]]]:
        """Classes of what is given, the one that stands for all first.

        Args:
            named: whether both sides say what is given.
        """
        by_name: dict[Value, list[int]] = {}
        for ordinal, mention in self.mentions.items():
            for name in dict.fromkeys(mention.groups):
                by_name.setdefault(name, []).append(ordinal)
        classes = []
        for name, members in by_name.items():
            members.sort(key=lambda m: self.mentions[m].name != name)
            keys = [self.given(member, named) for member in members]
            classes.append([key for key in keys if key])
        return [class_ for class_ in classes if class_]

    def _ordered(self, number: int, named: bool) -> list[tuple[str, int]]:
        """The arguments of an event in their order."""
        ordinal = self.triggers[number]
        every = self.outgoing.get(ordinal, [])
        if len(every) > 1:
            every = sorted(every, key=lambda argument: _ORDER.get(argument[0], 0))
        if self.graph.nodes[ordinal].label != BINDING or len(every) < 2:
            return every
        # Each theme with its sites, then the themes by what they are called.
        themes = {role[len(THEME) :]: to for role, to in every if _is(role, THEME)}
        order = sorted(themes, key=lambda number: self._rank(themes[number], named))
        new_number = {
            number: f"{n}" if n > 1 else "" for n, number in enumerate(order, 1)
        }
        turned = [(THEME + new_number[number], themes[number]) for number in order]
        sites, rest = [], []
        for role, to in every:
            if _is(role, SITE):
                own = role[len(SITE) :]
                sites.append((SITE + new_number.get(own, own), to))
            elif not _is(role, THEME):
                rest.append((role, to))
        sites.sort(key=lambda site: _ORDER.get(site[0], 0))
        return [*turned, *sites, *rest]

    def _rank(self, ordinal: int, named: bool) -> tuple[object, ...]:
        """Return the sort key of a theme; events come last."""
        mention = self.mentions.get(ordinal)
        if mention is None:
            return (2, hull(self.graph.nodes[ordinal].anchors), ordinal)
        if named and mention.name is not None:
            digits = _DIGITS.search(str(mention.name))
            # Compared as a number, however long it is.
            shown = digits[0].lstrip("0") if digits else ""
            return (0, (len(shown), 0), shown, str(mention.name))
        return (1, hull(mention.anchors), str(mention.label))

    def events(self, task: Task, named: bool) -> list[Event]:
        """All events as they are written, but for their order of arguments.

        Args:
            task: what counts of arguments.
            named: whether both sides say what is given.
        """
        result = []
        for number, ordinal in enumerate(self.triggers):
            node = self.graph.nodes[ordinal]
            arguments: list[Role] = []
            for role, to in self._ordered(number, named):
                if task != "2" and _PLACE.search(role):
                    continue
                if _is(role, THEME):
                    role = THEME
                arguments.append((role, self._filler(to, named)))
            span = hull(node.anchors)
            result.append(Event(ordinal, node.label, span, tuple(arguments), number))
        return result

    def _filler(self, ordinal: int, named: bool) -> Filler:
        number = self.numbers.get(ordinal)
        if number is not None:
            return number
        mention = self.mentions[ordinal]
        return Entity(
            self.given(ordinal, named), mention.label, hull(mention.anchors), ordinal
        )

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """Events by number, those that are arguments first; nothing in a circle."""
        numbers = self.numbers
        inside = [
            [numbers[to] for _, to in self.outgoing.get(ordinal, ()) if to in numbers]
            for ordinal in self.triggers
        ]
        done: dict[int, bool] = {}
        order: list[int] = []
        for start in range(len(inside)):
            path = [start]
            while path:
                current = path[-1]
                if done.get(current):
                    path.pop()
                    continue
                more = [child for child in inside[current] if not done.get(child)]
                if more and current in done:
                    return None  # An event below itself.
                if more:
                    done[current] = False
                    path += more
                    continue
                done[current] = True
                order.append(current)
                path.pop()
        return tuple(order)

    def modified(self, number: int) -> Iterable[str]:
        """The modifications of an event, each once.

        Args:
            number: that of an event.
        """
        node = self.graph.nodes[self.triggers[number]]
        names = {name for name, value in node.properties if value is True}
        return [modification for modification in MODIFICATIONS if modification in names]

    def line(self, number: int) -> tuple[object, ...]:
        """Return the key of a trigger: its span, and its number there.

        Args:
            number: that of an event.
        """
        node: Node = self.graph.nodes[self.triggers[number]]
        return (node.anchors, first_of(node.properties, REPEATED))


def _is(role: str, base: str) -> bool:
    """Return true if a role is another with a number.

    >>> _is("Theme2", "Theme"), _is("CSite", "Site")
    (True, False)
    """
    return role.startswith(base) and not role[len(base) :].strip("0123456789")


def _numbered(edges: Sequence[Edge]) -> Iterable[tuple[str, Edge]]:
    """Arguments with their roles, of several in one the later ones numbered."""
    times: dict[str, int] = {}
    for edge in edges:
        label = str(edge.label)
        times[label] = number = times.get(label, 0) + 1
        for name, value in edge.attributes:
            if name == NUMBER:
                number = int(str(value)) if _SMALL.fullmatch(str(value)) else number
        yield (label if number < 2 else f"{label}{number}"), edge


Equals = Mapping[tuple[Value, ...], tuple[Value, ...]]
"""Representatives of provided entities."""


def equals(gold: Annotation, system: Annotation, named: bool) -> tuple[Equals, Equals]:
    """Map provided entities to representatives, for gold and for the system.

    What the system says to be equal is taken on to what gold says, and there the one
    that its events name comes first; so ``a2-normalize.pl`` writes it.

    Args:
        gold: gold's events.
        system: those of the system.
        named: whether both say what is given.
    """
    left = {member: first for first, *others in gold.groups(named) for member in others}
    right = dict(left)
    every = system.groups(named)
    if every:
        used = {
            system.given(to, named)
            for arguments in system.outgoing.values()
            for _, to in arguments
            if to in system.mentions
        }
        for members in every:
            referred = [member for member in members if member in used]
            if referred:
                others = [member for member in members if member not in used]
                right |= dict.fromkeys(others, referred[-1])
            else:
                right |= dict.fromkeys(members[1:], members[0])
    return left, right


class Distinct(NamedTuple):
    """The events of one side, each once."""

    events: list[Event]
    """All of them; those that are others have these as what they are arguments of."""
    same: dict[int, int]
    """By the number of an event that is another the number of that one."""
    order: tuple[int, ...] | None
    """Numbers, those of arguments first; nothing where events are in a circle."""

    @property
    def kept(self) -> list[int]:
        """The numbers of those that are no other."""
        return [number for number in range(len(self.events)) if number not in self.same]


def distinct(
    annotation: Annotation, task: Task, named: bool, equal: Equals, twice: bool
) -> Distinct:
    """The events of one side, each once.

    Args:
        annotation: the events.
        task: what counts.
        named: whether both sides say what is given.
        equal: what stands for what.
        twice: whether what stands for something is replaced once more, as the program
            does to the system.
    """
    events = annotation.events(task, named)
    same: dict[int, int] = {}
    seen: dict[tuple[object, ...], int] = {}
    order = annotation.order

    def filler(to: Filler) -> Filler:
        if isinstance(to, int):
            return same.get(to, to)
        if equal and to.given:
            key = equal.get(to.given, to.given)
            if twice:
                key = equal.get(key, key)
            return to._replace(given=key)
        return to

    for number in range(len(events)) if order is None else order:
        event = events[number]
        arguments = tuple([(role, filler(to)) for role, to in event.arguments])
        lines = tuple([(role, _line(to)) for role, to in arguments])
        key = (event.label, annotation.line(number), lines)
        if seen.setdefault(key, number) != number:
            same[number] = seen[key]
        events[number] = event._replace(arguments=arguments)
    return Distinct(events, same, order)


def _line(to: Filler) -> object:
    """Return the line of the file that fills a role."""
    return to if isinstance(to, int) else (to.given or to.line)


def modifications(annotation: Annotation, every: Distinct) -> list[Event]:
    """Modifications of events, each once: their argument is the event.

    Args:
        annotation: the events.
        every: the same, each once.
    """
    result: dict[tuple[str, int], Event] = {}
    for number, event in enumerate(every.events):
        to = every.same.get(number, number)
        for label in annotation.modified(number):
            modification = Event(event.ordinal, label, None, ((THEME, to),))
            result.setdefault((label, to), modification)
    return list(result.values())
