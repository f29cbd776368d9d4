"""The builder of a pair: what matched, what is missing, spurious or partly right.

Metrics enter their findings here, and take their outcomes from here.  What was
matched is a row; so is each object that was not, which is named from its own side: by
its ordinal, and by that of its counterpart on the other side, if it has one.

>>> builder = OutcomeBuilder()
>>> builder.count("entities", 2, 1, 1)
>>> names = {"Marie": 0, "Pierre": 1}, {"Marie": 0}
>>> describe = lambda side, own, other: Described("entities", own, label="person")
>>> builder.enter(aligned_by_key(*names, ordinal=int), describe)
>>> found = builder.outcome(1, "names")
>>> found.raw_counts["entities", "", "gold"], found.errors[0].reason
(2, 'no counterpart')
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar

from graphscore.model.graph import Value
from graphscore.model.outcome import Error, ErrorType, Match, Outcome, RawCounts

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def sided(gold: T, system: T) -> tuple[tuple[ErrorType, T, T], tuple[ErrorType, T, T]]:
    """The two sides as errors see them: each with its own and with the other's.

    >>> [side for side, own, other in sided([1], [2])]
    ['missing', 'spurious']
    """
    return ("missing", gold, system), ("spurious", system, gold)


def both_ways(
    gold: T, system: T, partner: Mapping[int, int]
) -> Iterator[tuple[ErrorType, T, T, dict[int, int]]]:
    """The sides as errors see them: gold's nodes are missing, the system's spurious.

    Args:
        gold: the gold graph.
        system: the system graph.
        partner: for gold nodes that correspond to something their system node.

    Yields:
        The side, it and the other one, and its nodes with those of the other.
    """
    forward = dict(partner)
    backward = {value: key for key, value in forward.items()}
    yield "missing", gold, system, forward
    yield "spurious", system, gold, backward


class Alignment(NamedTuple, Generic[T]):
    """Alignment of gold and system objects: missing, spurious, partial, matched."""

    missing: Iterable[tuple[T, T | None]] = ()
    """Objects of gold that are not matched, each with what stands in its place."""
    spurious: Iterable[tuple[T, T | None]] = ()
    """Those of the system, likewise."""
    partial: Iterable[tuple[T, T]] = ()
    """Objects of gold of which the system has a part."""
    matched: Iterable[tuple[int, int, float]] = ()
    """Ordinals of what is the same, and what it earns."""


def aligned_by_key(
    gold: Mapping[K, T],
    system: Mapping[K, T],
    *,
    ordinal: Callable[[T], int] | None = None,
    same: Collection[K] | None = None,
    beside: Callable[[ErrorType, K, T], T | None] | None = None,
) -> Alignment[T]:
    """Align objects with equal keys.

    Args:
        gold: those of gold, in order.
        system: those of the system.
        ordinal: gives their ordinals, where what is the same becomes matches.
        same: keys whose objects match, where not all equal ones do; those of the
            others stand beside each other.
        beside: what stands beside an object that is alone.

    Example:
        >>> list(aligned_by_key({"a": 0, "b": 1}, {"b": 0}).missing)
        [(0, None)]
    """
    if same is None:
        same = gold.keys() & system.keys()

    def alone(
        side: ErrorType, own: Mapping[K, T], other: Mapping[K, T]
    ) -> Iterator[tuple[T, T | None]]:
        for key, value in own.items():
            if key not in same:
                near = other.get(key) if beside is None else beside(side, key, value)
                yield value, near

    matched: Iterable[tuple[int, int, float]] = ()
    if ordinal is not None:
        matched = (
            (ordinal(value), ordinal(system[key]), 1.0)
            for key, value in gold.items()
            if key in same
        )
    return Alignment(
        alone("missing", gold, system), alone("spurious", system, gold), (), matched
    )


class Described(NamedTuple):
    """Description of an object in an error row."""

    tuple_type: str
    """The metric's tuple type that it belongs to."""
    own: int | None
    """Its ordinal."""
    other: int | None = None
    """Ordinal of its counterpart on the other side."""
    what: str = "node"
    """Object type: ``node``, ``edge`` or a derived object of the metric."""
    label: Value = None
    name: str = ""
    """Name of the aspect in error, or of the property."""
    value: Value = None
    """Value as in the file."""
    compared: str | None = None
    """Compared value, if different; see :func:`unlike`."""
    reason: str = ""
    """By default ``differs`` with a counterpart, and ``no counterpart`` without."""
    credit: float = 0.0
    """Partial credit."""


def row_of(side: ErrorType, described: Described, parent: int | None = None) -> Error:
    """Return the row of an object that did not match.

    Args:
        side: whose object it is: gold's is ``missing`` or ``partial``.
        described: the object.
        parent: the number of the match that it is part of.
    """
    tuple_type, own, other, what, label, name, value, compared, reason, credit = (
        described
    )
    gold, system = (other, own) if side == "spurious" else (own, other)
    if not reason:
        reason = "no counterpart" if other is None else "differs"
    description = label, name, value, compared, reason, credit
    return error_row((side, tuple_type, what, gold, system, *description, parent))


def error_of(
    side: ErrorType,
    tuple_type: str,
    own: int | None,
    other: int | None = None,
    *,
    parent: int | None = None,
    **described: Any,
) -> Error:
    """The row of an object that did not match.

    Args:
        side: whose object it is: gold's is ``missing`` or ``partial``.
        tuple_type: the metric's tuple type that it belongs to.
        own: its ordinal.
        other: the ordinal of its counterpart on the other side.
        parent: the number of the match that it is part of.
        described: the other fields of :class:`Described`, by name.
    """
    return row_of(side, Described(tuple_type, own, other, **described), parent)


def unlike(compared: str | None, written: Value) -> str | None:
    """Return the compared value if it differs from the value as written.

    >>> unlike("dog", "Dog"), unlike("42", 42), unlike("", None)
    ('dog', None, None)
    """
    return None if (compared or "") == _spell(written) else compared


def _spell(written: Value) -> str:
    return "" if written is None else str(written)


class OutcomeBuilder:
    """Builder of the outcome of one pair: raw counts, matches and errors.

    Args:
        details: whether matches and errors are wanted beside the raw counts; those that
            are entered all the same are dropped.
        by_side: whether errors are put in order: gold's before the system's.
        first: the number of the first match, where the pair is a later part of what
            is compared.
    """

    __slots__ = ("by_side", "details", "entered", "first", "matches", "raw_counts")

    def __init__(
        self, details: bool = True, *, by_side: bool = True, first: int = 0
    ) -> None:
        self.details, self.by_side, self.first = details, by_side, first
        self.raw_counts: RawCounts = {}
        self.matches: list[Match] = []
        self.entered: list[Error] = []
        """Errors as they were entered."""

    def add(
        self, tuple_type: str, label: str, quantity: str, amount: int | float = 1
    ) -> None:
        """Add to a raw count; nothing is added to none.

        Args:
            tuple_type: a tuple type, of the metric or of its scores.
            label: ``""`` for the tuple type as a whole.
            quantity: what it is an amount of.
            amount: how much.
        """
        if amount:
            key = tuple_type, label, quantity
            self.raw_counts[key] = self.raw_counts.get(key, 0) + amount

    def count(
        self,
        tuple_type: str,
        gold: int | float,
        system: int | float,
        matched: int | float,
        *,
        label: str = "",
    ) -> None:
        """Add what precision and recall of a tuple type are made of."""
        raw_counts = self.raw_counts
        if gold:
            key = tuple_type, label, "gold"
            raw_counts[key] = raw_counts.get(key, 0) + gold
        if system:
            key = tuple_type, label, "system"
            raw_counts[key] = raw_counts.get(key, 0) + system
        if matched:
            key = tuple_type, label, "matched"
            raw_counts[key] = raw_counts.get(key, 0) + matched

    def match(
        self,
        gold: int | None,
        system: int | None,
        credit: float = 1.0,
        what: str = "node",
        parent: int | None = None,
    ) -> int:
        """Enter what corresponds, or with one side alone what errors are part of.

        Args:
            gold: the ordinal of the gold object.
            system: the ordinal of the system object.
            credit: what the match earns by itself.
            what: what they are.
            parent: the number of the match that they are part of.

        Returns:
            The number of the match.
        """
        number = self.first + len(self.matches)
        if self.details:
            level = 0
            if parent is not None:
                level = self.matches[parent - self.first].level + 1
            self.matches.append(Match(what, gold, system, credit, parent, level))
        return number

    def match_many(
        self,
        gold: Iterable[int | None],
        system: Iterable[int | None],
        credits: Iterable[float],
        parents: Iterable[int] | None = None,
        what: str = "node",
    ) -> int:
        """Enter many matches at once, as :meth:`match` enters one.

        Args:
            gold: the ordinals of the gold objects.
            system: those of the system objects.
            credits: what each match earns by itself.
            parents: the numbers of the matches that they are part of, which are part
                of none themselves.
            what: what they are.

        Returns:
            The number that the first of them has; the others follow.
        """
        number = self.first + len(self.matches)
        if self.details:
            level = 0 if parents is None else 1
            over = repeat(None) if parents is None else parents
            rows = zip(repeat(what), gold, system, credits, over, repeat(level))
            self.matches += map(match_row, rows)
        return number

    def enter(
        self,
        alignment: Alignment[T],
        describe: Callable[[ErrorType, T, T | None], Described],
        *,
        what: str = "node",
        parent: int | None = None,
    ) -> None:
        """Enter what is aligned, and what is not.

        Args:
            alignment: objects of both sides.
            describe: what the row of an object says, which is given with its side and
                with what stands in its place; of a partial one gold's object is given.
            what: what matches are.
            parent: the number of the match that all of them are part of.
        """
        if not self.details:
            return
        for gold, system, credit in alignment.matched:
            self.match(gold, system, credit, what, parent)
        sides: tuple[tuple[ErrorType, Iterable[tuple[T, T | None]]], ...]
        sides = (
            ("missing", alignment.missing),
            ("partial", alignment.partial),
            ("spurious", alignment.spurious),
        )
        for side, objects in sides:
            for own, other in objects:
                self.error(side, describe(side, own, other), parent)

    def error(
        self, side: ErrorType, described: Described, parent: int | None = None
    ) -> None:
        """Enter what did not match.

        Args:
            side: whose object it is: gold's is ``missing`` or ``partial``.
            described: the object.
            parent: the number of the match that it is part of.
        """
        if self.details:
            self.entered.append(row_of(side, described, parent))

    def error_many(
        self,
        side: ErrorType,
        described: Iterable[Described],
        parents: Iterable[int | None],
    ) -> None:
        """Enter many objects of a side that did not match, as :meth:`error` enters one.

        Args:
            side: whose objects they are.
            described: the objects.
            parents: the numbers of the matches that they are part of.
        """
        if self.details:
            self.entered += map(row_of, repeat(side), described, parents)

    @property
    def errors(self) -> tuple[Error, ...]:
        """The errors: what is missing or partly right, then what is spurious."""
        if not self.by_side:
            return tuple(self.entered)
        return tuple(
            sorted(self.entered, key=lambda error: error.error_type == "spurious")
        )

    def outcome(
        self,
        score: int | float,
        method: str,
        *,
        bound: int | float | None = None,
        proven: bool = True,
        steps: int = 0,
    ) -> Outcome:
        """The outcome of everything that was entered.

        Args:
            score: what was found, in the metric's own objective.
            method: how it was found.
            bound: what no correspondence exceeds; by default the score.
            proven: whether none scores more.
            steps: how much work it was.
        """
        return Outcome(
            self.raw_counts,
            score,
            score if bound is None else bound,
            proven,
            steps,
            method,
            tuple(self.matches),
            self.errors,
        )


# Quicker than by their own way of making one.
match_row: Callable[[Iterable[object]], Match] = partial(tuple.__new__, Match)
error_row: Callable[[Iterable[object]], Error] = partial(tuple.__new__, Error)
