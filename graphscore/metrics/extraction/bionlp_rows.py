"""Events as rows: those that are found, and what is wrong with the others.

``name`` says what is wrong with an event beside which there is one of the other side:

- ``class``: one with the same trigger has another type;
- ``arguments``: one with the same trigger and type has other arguments;
- ``trigger``: one with the same type and arguments has another trigger.

A modification is wrong beside one of the other kind of the same event (``class``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from graphscore.metrics.extraction.bionlp_events import (
    Annotation,
    Distinct,
    Entity,
    Event,
)
from graphscore.metrics.extraction.bionlp_matching import Pairs
from graphscore.model.outcome_builder import Described, OutcomeBuilder, sided
from graphscore.similarity.features.elements import surface
from graphscore.structures.layout import type_name

CLASS, ARGUMENTS, TRIGGER = "class", "arguments", "trigger"
"""Error names of an event."""


@dataclass(frozen=True, eq=False)
class SideEvents:
    """One side of a comparison.

    Args:
        side: its graph.
        every: its events, each once.
        tops: what is counted: events or modifications.
    """

    side: Annotation
    every: Distinct
    tops: list[Event]

    @cached_property
    def labels(self) -> list[str]:
        """The class of each that is counted."""
        return [type_name(event.label) for event in self.tops]

    @cached_property
    def totals(self) -> Counter[str]:
        """Number of events of each class."""
        return Counter(self.labels)

    @cached_property
    def places(self) -> dict[Hashable, list[int]]:
        """Index of events by the keys under which error rows are aligned."""
        result: dict[Hashable, list[int]] = {}
        for number, event in enumerate(self.tops):
            for key in self.keys(event):
                result.setdefault(key, []).append(number)
        return result

    def keys(self, event: Event) -> Iterator[Hashable]:
        """Yield the keys under which two events may be aligned, the best first.

        Args:
            event: one of this side.
        """
        if event.span is None:
            [(_, to)] = event.arguments
            assert isinstance(to, int)
            meant = self.every.events[to]
            yield CLASS, meant.label, meant.span
            return
        yield ARGUMENTS, event.label, event.span
        yield CLASS, event.span
        fillers = tuple((role, self._known(to)) for role, to in event.arguments)
        yield TRIGGER, event.label, fillers

    def _known(self, to: Entity | int) -> Hashable:
        if isinstance(to, int):
            event = self.every.events[to]
            return event.label, event.span
        return to.given or (to.label, to.span)

    def words(self, event: Event) -> str | None:
        """The words of an event.

        Args:
            event: one of this side.
        """
        return surface(self.side.graph, self.side.graph.nodes[event.ordinal])


def enter(
    builder: OutcomeBuilder,
    tuple_type: str,
    gold: SideEvents,
    system: SideEvents,
    alike: Pairs,
    matches: bool,
) -> int:
    """Enter what became of the events of one tuple type.

    An event that is like several counts once on its own side.  Where more of the
    system's are right in a class than of gold's, the others do not count at all.

    Args:
        builder: where all goes.
        tuple_type: the tuple type.
        gold: gold's side.
        system: that of the system.
        alike: what is alike.
        matches: whether what is found becomes rows of matches.

    Returns:
        How many of gold's events are found.
    """
    right = {number for others in alike.values() for number in others}
    sums = gold.totals, system.totals
    gold_labels, system_labels = gold.labels, system.labels
    right_by_class = (
        Counter([gold_labels[number] for number in right]),
        Counter([system_labels[number] for number in alike]),
    )
    for label in {*sums[0], *sums[1]}:
        amount, correct = sums[1][label], right_by_class[1][label]
        twice = max(0, correct - right_by_class[0][label])
        for key_label in (label, ""):
            builder.count(
                tuple_type,
                sums[0][label],
                amount - twice,
                right_by_class[0][label],
                label=key_label,
            )
            # None that is right is not the same as nothing said.
            key = tuple_type, key_label, "matched_system"
            builder.raw_counts[key] = builder.raw_counts.get(key, 0) + correct - twice
    if builder.details:
        if matches:
            _matches(builder, gold, system, alike)
        _errors(builder, tuple_type, gold, system, (right, {*alike}))
    return len(right)


def _matches(
    builder: OutcomeBuilder, gold: SideEvents, system: SideEvents, alike: Pairs
) -> None:
    """Enter an event of the system for each of gold's, and those that are left."""
    partner: dict[int, int] = {}
    taken: set[int] = set()
    # Who has one to choose from comes before who has several.
    for first in sorted(alike, key=lambda number: len(alike[number])):
        free = [
            candidate for candidate in sorted(alike[first]) if candidate not in partner
        ]
        if free:
            partner[free[0]] = first
            taken.add(first)
    for first in sorted(alike):
        for second in sorted(alike[first]):
            partner.setdefault(second, first)
    pairs = [(key, value, 1.0) for key, value in partner.items()]
    left = {*alike} - {*partner.values()}
    pairs += [(min(alike[left_over]), left_over, 0.0) for left_over in left]
    for second, first, credit in sorted(pairs):
        builder.match(gold.tops[second].ordinal, system.tops[first].ordinal, credit)


def _errors(
    builder: OutcomeBuilder,
    tuple_type: str,
    gold: SideEvents,
    system: SideEvents,
    right: tuple[set[int], set[int]],
) -> None:
    """Enter events that are like none, beside what comes near."""
    gold_right, system_right = (gold, right[0]), (system, right[1])
    for side, (own, known), (opposite, others) in sided(gold_right, system_right):
        for number, event in enumerate(own.tops):
            if number not in known:
                near, name = _near(own, event, opposite, others)
                differing = event.label, name, own.words(event)
                described = Described(
                    tuple_type, event.ordinal, near, "node", *differing
                )
                builder.error(side, described)


def _near(
    own: SideEvents, event: Event, opposite: SideEvents, right: set[int]
) -> tuple[int | None, str]:
    """Return the closest event, preferably one in error, and what differs."""
    by_key: Mapping[Hashable, list[int]] = opposite.places
    for key in own.keys(event):
        numbers = [number for number in by_key.get(key, ()) if number not in right]
        if numbers:
            assert isinstance(key, tuple)
            return opposite.tops[numbers[0]].ordinal, str(key[0])
    return None, ""
