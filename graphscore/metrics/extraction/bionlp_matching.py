"""Approximate matching of the events of two sides, as in ``a2-evaluate.pl``.

Two events are alike if their types are, their triggers, and their arguments one by one
in order: role, and what fills it.  What is given is alike if it is the same; anything
else if type and place are.  Two things are relaxed, each for itself:

- places: what the system says lies within gold's, which reach one word further on
  either side (:class:`BoundaryTolerance`);
- events that are arguments: of them only themes count, up to the last one.

Alike in everything but places are events of one *shape*; shapes are numbers.  Where
places are equal or not they are part of the shape: nothing is compared pair by pair.

>>> reach = BoundaryTolerance("the NF-kappa B site binds", [(4, 14)])
>>> reach.of((20, 25))
(15, 26)

**Table.**  Classes of events have totals between them, as in ``a2-evaluate.pl``.

>>> from graphscore.model.outcome import Count
>>> found = with_totals({"Binding": Count(2, 1, 1), "Regulation": Count(3, 3, 0)})
>>> [(name, count.gold) for name, count in found.items()]
... # doctest: +NORMALIZE_WHITESPACE
[('Binding', 2), ('EVT-TOTAL', 2), ('Regulation', 3), ('REG-TOTAL', 3),
 ('ALL-TOTAL', 5)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from graphscore.metrics.extraction.bionlp_events import (
    BINDING,
    MODIFICATIONS,
    THEME,
    Distinct,
    Entity,
    Event,
    Role,
    Span,
)
from graphscore.metrics.label_tables import label_table
from graphscore.model.graph import Value
from graphscore.model.outcome import Count, ScoreTable, total_count

SIMPLE = (
    *("Gene_expression", "Transcription", "Protein_catabolism", "Localization"),
    *("Protein_modification", "Phosphorylation", "Ubiquitination", "Acetylation"),
    "Deacetylation",
)
"""Events with one theme that is a protein."""

REGULATION = ("Regulation", "Positive_regulation", "Negative_regulation")
"""Events whose themes and causes may be events."""

TOTALS = ("SVT-TOTAL", "EVT-TOTAL", "REG-TOTAL", "ALL-TOTAL", "MOD-TOTAL")
"""Simple events; those and bindings; regulations; all events; modifications."""


def with_totals(counts: Mapping[str, Count]) -> dict[str, Count]:
    """Counts by class in the order of the program, each group with its total.

    A class that the task does not know stands by itself, and is in the total of all.

    Args:
        counts: by class.
    """
    result: dict[str, Count] = {}

    def add(classes: tuple[str, ...], total: str, *with_them: str) -> None:
        present = [class_ for class_ in classes if class_ in counts]
        result.update((class_, counts[class_]) for class_ in present)
        every = [counts[name] for name in (*present, *with_them) if name in counts]
        if every:
            result[total] = total_count(every)

    svt, evt, reg, whole, mod = TOTALS
    add(SIMPLE, svt)
    if BINDING in counts or svt in result:
        add((BINDING,), evt, *SIMPLE)
    add(REGULATION, reg)
    known = {*SIMPLE, BINDING, *REGULATION, *MODIFICATIONS}
    result.update((name, counts[name]) for name in sorted({*counts} - known))
    events = [count for key, count in counts.items() if key not in MODIFICATIONS]
    if events:
        result[whole] = total_count(events)
    add(MODIFICATIONS, mod)
    return result


def table(tuple_type: str, numbers: Mapping[str, float]) -> ScoreTable:
    """The table of one tuple type.

    Args:
        tuple_type: a tuple type.
        numbers: all further scores.
    """
    amounts = ("gold", "matched", "system", "matched_system")
    scores = (*amounts, "recall", "precision", "f1")
    columns = ("class", "gold", "(match)", "answer", "(match)", "R", "P", "F1")
    return label_table(tuple_type, columns, numbers, f"{tuple_type}.", scores)


Pairs = dict[int, set[int]]
"""By the number of a system event those of gold that it is like."""

_STOP = re.compile("[ .!?,\"']")
"""Characters that end a word."""


class BoundaryTolerance:
    """Tolerance of gold's boundaries: to the next word, as far as nothing is annotated.

    The character next to a place always belongs to it.  From there on it goes to the
    next blank or mark, or to characters that are annotated.

    Args:
        text: the text.
        annotated: what is annotated of it.
    """

    def __init__(self, text: str, annotated: Iterable[Span]) -> None:
        taken = bytearray(len(text))
        for start, end in annotated:
            end = min(end, len(taken))
            if start < end:
                taken[start:end] = b"\1" * (end - start)
        for match in _STOP.finditer(text):
            taken[match.start()] = 1
        self._stops = taken
        self._known: dict[Span, Span] = {}

    def of(self, span: Span) -> Span:
        """The place with what it reaches over.

        Args:
            span: where it begins and ends.
        """
        result = self._known.get(span)
        if result is None:
            result = self._known[span] = self._wider(*span)
        return result

    def _wider(self, start: int, end: int) -> Span:
        stops = self._stops
        length = len(stops)
        # The character next to it is passed over, whatever it is.
        before = (
            start - 2 if start > length + 1 else stops.rfind(1, 0, max(start - 1, 0))
        )
        behind = stops.find(1, end + 1)
        if behind < 0:
            behind = max(length, end + 1)
        return before + 1, behind


@dataclass
class Conditions:
    """Conditions for two events to match.

    Args:
        reach: how far gold's places reach; nothing where they must be equal.
        themes: whether of events that are arguments only themes count.
        triggers: whether places of triggers count.
        label: what types are compared by.
        role: what roles are compared by.
    """

    reach: BoundaryTolerance | None
    themes: bool
    triggers: bool
    label: Callable[[Value], Hashable]
    role: Callable[[str], str]
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def alike(
        self,
        gold: Distinct,
        system: Distinct,
        tops: tuple[Sequence[Event], Sequence[Event]],
    ) -> Pairs:
        """Return the pairs of events that match.

        Args:
            gold: gold's events.
            system: those of the system.
            tops: what is asked about: events of either side, or modifications.
        """
        inner = self._shapes(gold, system)
        shapes = [
            [
                # An event by itself is as it is inside, unless only themes count there.
                known[event.number]
                if event.number is not None and not self.themes
                else self._shape(event, known, False)
                for event in events
            ]
            for events, known in zip(tops, inner, strict=True)
        ]
        if self.reach is None:
            return _of_one_shape(*shapes)
        below = self._within(gold, system, inner, tops[1])
        pairs: Pairs = {}
        for key, others in _of_one_shape(*shapes).items():
            event = tops[1][key]
            fitting = {
                candidate
                for candidate in others
                if self._fits(tops[0][candidate], event, False)
                and _children(tops[0][candidate], event, below, False)
            }
            if fitting:
                pairs[key] = fitting
        return pairs

    # Shapes.

    def _shapes(self, gold: Distinct, system: Distinct) -> list[list[int]]:
        """The shapes of all events as arguments, numbered alike on both sides."""
        sides = [gold, system]
        if gold.order is not None and system.order is not None:
            shapes = [[0] * len(side.events) for side in sides]
            for side, known in zip(sides, shapes, strict=True):
                for number in side.order or ():
                    event = side.events[number]
                    known[number] = self._shape(event, known, self.themes)
            return shapes
        # Events in a circle are alike unless something tells them apart.
        shapes = [[-1] * len(side.events) for side in sides]
        tuple_types = 0
        while True:
            shapes = [
                [self._shape(event, known, self.themes) for event in side.events]
                for side, known in zip(sides, shapes, strict=True)
            ]
            now = len({*shapes[0], *shapes[1]})
            if now == tuple_types:
                return shapes
            tuple_types = now

    def _shape(self, event: Event, known: Sequence[int], themes: bool) -> int:
        """The shape of an event whose arguments have theirs."""
        role_of, leaf = self.role, self._leaf
        inside = [
            (
                None if themes else role_of(role),
                known[to] if isinstance(to, int) else to.given or leaf(to),
            )
            for role, to in (_counted(event, True) if themes else event.arguments)
        ]
        span = event.span if self.triggers and self.reach is None else None
        shape = (self.label(event.label), span, themes, *inside)
        numbers = self._numbers
        return numbers.setdefault(shape, len(numbers))

    def _leaf(self, entity: Entity) -> Hashable:
        """Return the key of an entity that is not provided, apart from wider spans."""
        return (
            self.label(entity.label),
            entity.span if self.reach is None else None,
            False,
        )

    # Places.

    def _fits(self, gold: Event, system: Event, themes: bool) -> bool:
        """Return true if the system's spans lie within those of gold."""
        reach = self.reach
        assert reach is not None
        if self.triggers and gold.span is not None and system.span is not None:
            start, end = reach.of(gold.span)
            if not (start <= system.span[0] and system.span[1] <= end):
                return False
        for left, right in _facing(gold, system, themes):
            if (
                isinstance(left, Entity)
                and isinstance(right, Entity)
                and not left.given
            ):
                start, end = reach.of(left.span)
                if not (start <= right.span[0] and right.span[1] <= end):
                    return False
        return True

    def _within(
        self,
        gold: Distinct,
        system: Distinct,
        shapes: Sequence[Sequence[int]],
        tops: Sequence[Event],
    ) -> Pairs:
        """Return the pairs of events that match as arguments."""
        used = {
            to
            for event in (*system.events, *tops)
            for _, to in event.arguments
            if isinstance(to, int)
        }
        candidates = {
            key: others for key, others in _of_one_shape(*shapes).items() if key in used
        }
        pairs: Pairs = {}
        ordered = system.order is not None and gold.order is not None
        for candidate in (system.order if ordered else candidates) or ():
            fitting = {
                counterpart
                for counterpart in candidates.get(candidate, ())
                if self._fits(
                    gold.events[counterpart], system.events[candidate], self.themes
                )
                and not (
                    ordered
                    and not _children(
                        gold.events[counterpart],
                        system.events[candidate],
                        pairs,
                        self.themes,
                    )
                )
            }
            if fitting:
                pairs[candidate] = fitting
        for _ in count() if not ordered else ():
            # In a circle what is alike is what nothing tells apart.
            gone = [
                (key, counterpart)
                for key, others in pairs.items()
                for counterpart in others
                if not _children(
                    gold.events[counterpart], system.events[key], pairs, self.themes
                )
            ]
            if not gone:
                break
            for left, right in gone:
                pairs[left].discard(right)
        return pairs


def _counted(event: Event, themes: bool) -> Sequence[Role]:
    """The arguments that count: all, or those up to the last theme.

    >>> event = Event(0, "x", None, (("Theme", 1), ("Cause", 2)))
    >>> _counted(event, True)
    (('Theme', 1),)
    """
    arguments = event.arguments
    if not themes:
        return arguments
    end = len(arguments)
    while end and arguments[end - 1][0] != THEME:
        end -= 1
    return arguments[:end]


def _facing(
    gold: Event, system: Event, themes: bool
) -> Iterable[tuple[Entity | int, Entity | int]]:
    """Yield the pairs of fillers of two events of the same shape."""
    # Of one shape they have as many.
    gold_roles, system_roles = _counted(gold, themes), _counted(system, themes)
    return [
        (left[1], right[1])
        for left, right in zip(gold_roles, system_roles, strict=True)
    ]


def _children(gold: Event, system: Event, below: Pairs, themes: bool) -> bool:
    """Return true if the events that are arguments match."""
    return all(
        left in below.get(right, ())
        for left, right in _facing(gold, system, themes)
        if isinstance(left, int) and isinstance(right, int)
    )


def _of_one_shape(gold: Sequence[int], system: Sequence[int]) -> Pairs:
    by_shape: dict[int, set[int]] = {}
    for number, shape in enumerate(gold):
        by_shape.setdefault(shape, set()).add(number)
    return {
        number: by_shape[shape]
        for number, shape in enumerate(system)
        if shape in by_shape
    }
