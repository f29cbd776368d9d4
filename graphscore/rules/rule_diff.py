"""Differences between two sets of rules.

Each rule that they do not share is put back to what it was in the first, and the score
that the second loses or gains by that is its part of the change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, CountKey, count_of
from graphscore.rules.engine import Engine
from graphscore.rules.facts import Unit
from graphscore.rules.model import LEVELS, Level, Rule, Side
from graphscore.rules.outcome import (
    Classified,
    Place,
    batch_of,
    outcomes,
    prepare,
    trace,
)
from graphscore.rules.ruleset import RuleSet

Sides = tuple[Sequence[Graph], Sequence[Graph]]
"""The graphs of one document, gold and system."""

MANY = 64
"""Documents that are looked at together."""


class SpanClass(NamedTuple):
    """Classification of a span by a set."""

    name: str
    """Its class; empty where it has none."""
    rule: str
    """The rule that gave it last."""


class Change(NamedTuple):
    """A span that two sets give different classes."""

    unit: int
    """The number of its document."""
    level: Level
    side: Side
    type: str
    text: str
    place: Place
    before: SpanClass
    after: SpanClass


class Part(NamedTuple):
    """A rule that two sets do not share, with what it changes."""

    rule: Rule
    what: str
    """Kind of change: ``added`` (in the second set only), ``removed``, ``changed``."""
    spans: int
    """Number of spans and entities whose last class it gave."""
    gains: dict[Level, float]
    """F1 with it minus F1 without it, by level."""


def changes(
    first: RuleSet, second: RuleSet, units: Sequence[Sides]
) -> Iterator[Change]:
    """The spans that two sets give different classes, or other resolutions.

    Args:
        first: the first set.
        second: the second.
        units: documents.

    Yields:
        By document, level, side and place.

    Raises:
        RuleError: if rules contradict or undo one another.
    """
    for start in range(0, len(units), MANY):
        some = units[start : start + MANY]
        before, after = _classes(first, some), _classes(second, some)
        for key in sorted(before.keys() | after.keys(), key=_order):
            left, right = before.get(key), after.get(key)
            classes = [
                SpanClass("", "") if e is None else _last_class(e)
                for e in (left, right)
            ]
            classified = left or right
            if classified is not None and classes[0].name != classes[1].name:
                yield Change(
                    start + classified.unit,
                    *(
                        classified.level,
                        classified.side,
                        classified.type,
                        classified.text,
                        classified.place,
                    ),
                    *classes,
                )


Key = tuple[int, Level, Side, Place, str, int]


def _order(key: Key) -> tuple[object, ...]:
    unit, level, side, location, kind, row = key
    ends = location.start or 0, location.end or 0
    return unit, LEVELS.index(level), side, location.item, *ends, kind, row


def _classes(rules: RuleSet, units: Sequence[Sides]) -> dict[Key, Classified]:
    """Return the class of each span; entities by their first mention."""
    engine = Engine(rules)
    try:
        batch = batch_of(rules, engine, _units(rules, units))
        engine.run(batch)
        return {
            (
                *(
                    classified.unit,
                    classified.level,
                    classified.side,
                    classified.place,
                    classified.type,
                ),
                classified.row if classified.level != "document" else 0,
            ): classified
            for classified in trace(engine, batch)
        }
    finally:
        engine.close()


def _last_class(classified: Classified) -> SpanClass:
    return SpanClass(classified.name, classified.steps[-1].rule.name)


def _units(rules: RuleSet, units: Sequence[Sides]) -> list[Unit]:
    return [
        Unit(*([prepare(rules, graph) for graph in side] for side in sides))
        for sides in units
    ]


def level_counts(rules: RuleSet, units: Sequence[Sides]) -> dict[Level, Count]:
    """Return the counts behind precision, recall and F1 of each level.

    Args:
        rules: a set.
        units: documents.

    Raises:
        RuleError: if rules contradict or undo one another.
    """
    raw_counts: dict[CountKey, int | float] = {}
    engine = Engine(rules)
    try:
        for outcome in outcomes(engine, _units(rules, units), False):
            for key, amount in outcome.raw_counts.items():
                raw_counts[key] = raw_counts.get(key, 0) + amount
    finally:
        engine.close()
    return {level: count_of(raw_counts, level) for level in rules.settings.levels}


def with_rule(rules: RuleSet, name: str, rule: Rule | None) -> RuleSet:
    """A set with another rule of a name, or with none.

    Args:
        rules: a set.
        name: the rule.
        rule: what takes its place; nothing leaves it out.
    """
    kept = [rule for rule in rules.rules if rule.name != name]
    if rule is not None:
        kept.append(rule)
    return replace(rules, rules=tuple(kept))


def parts(first: RuleSet, second: RuleSet, units: Sequence[Sides]) -> Iterator[Part]:
    """Yield the contribution of each rule that two sets do not share.

    Args:
        first: the first set.
        second: the second.
        units: documents.

    Yields:
        For each rule F1 of the second set, minus F1 of the second set with the rule as
        the first has it.

    Raises:
        RuleError: if rules contradict or undo one another, with one put back too.
    """
    left = {rule.name: rule for rule in first.rules if first.takes(rule)}
    right = {rule.name: rule for rule in second.rules if second.takes(rule)}
    whole = level_counts(second, units)
    counts = _count_last(second, units)
    for name in dict.fromkeys((*right, *left)):
        before, after = left.get(name), right.get(name)
        rule = after or before
        if before == after or rule is None:
            continue
        what = "added" if before is None else "removed" if after is None else "changed"
        restored = before
        if before is not None and (
            before.phase not in second.phases
            or not _classes_of(before) <= {*second.treatments}
        ):
            # The second set has no place for it.
            restored = None
        back = level_counts(with_rule(second, name, restored), units)
        yield Part(rule, what, counts.get(name, 0), _gains(whole, back))


def _classes_of(rule: Rule) -> set[str]:
    return {after for side in rule.targets for _, after in rule.classes(side)}


def _gains(
    whole: dict[Level, Count], without: dict[Level, Count]
) -> dict[Level, float]:
    return {
        level: count.f1 - without[level].f1
        for level, count in whole.items()
        if level in without
    }


def _count_last(rules: RuleSet, units: Sequence[Sides]) -> dict[str, int]:
    """Count the spans and entities whose last class each rule gave."""
    result: dict[str, int] = {}
    for start in range(0, len(units), MANY):
        for value in _classes(rules, units[start : start + MANY]).values():
            name = _last_class(value).rule
            result[name] = result.get(name, 0) + 1
    return result
