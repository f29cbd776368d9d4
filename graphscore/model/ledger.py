"""The ledger of a pair: what matched, what is missing, surplus or partly right.

Every metric enters its findings here, and takes its outcome from here.  What was
matched is a row; so is each object that was not, which is named from its own side: by
its ordinal, and by that of its counterpart on the other side, if it has one.

>>> ledger = Ledger()
>>> ledger.count("entities", 2, 1, 1)
>>> parent = ledger.match(0, 0)
>>> ledger.error("missing", "entities", 1, label="person", value="Pierre")
>>> found = ledger.outcome(1, "names")
>>> found.masses["entities", "", "gold"], found.errors[0].reason
(2, 'no counterpart')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from typing import TypeVar

from graphscore.model.graph import Value
from graphscore.model.outcome import Error, Masses, Match, Outcome, Side

T = TypeVar("T")


def sided(gold: T, system: T) -> tuple[tuple[Side, T, T], tuple[Side, T, T]]:
    """The two sides as errors see them: each with its own and with the other's.

    >>> [side for side, own, other in sided([1], [2])]
    ['missing', 'surplus']
    """
    return ("missing", gold, system), ("surplus", system, gold)


def error_of(
    side: Side,
    kind: str,
    own: int | None,
    other: int | None = None,
    *,
    what: str = "node",
    label: Value = None,
    name: str = "",
    value: Value = None,
    compared: str | None = None,
    reason: str = "",
    credit: float = 0.0,
    parent: int | None = None,
) -> Error:
    """The row of an object that did not match.

    Args:
        side: whose object it is: gold's is ``missing`` or ``partial``.
        kind: the metric's kind that it belongs to.
        own: its ordinal.
        other: the ordinal of its counterpart on the other side.
        what: what it is: ``node``, ``edge`` or a derived object of the metric.
        label: its label.
        name: what of it is wrong, or what is said of it.
        value: as the file has it.
        compared: what was compared, where that differs; see :func:`unlike`.
        reason: by default ``differs`` with a counterpart, and ``no counterpart``
            without.
        credit: what it earns all the same.
        parent: the number of the match that it is part of.
    """
    gold, system = (other, own) if side == "surplus" else (own, other)
    if not reason:
        reason = "no counterpart" if other is None else "differs"
    return Error(
        side,
        kind,
        what,
        gold,
        system,
        label,
        name,
        value,
        compared,
        reason,
        credit,
        parent,
    )


def unlike(compared: str | None, written: Value) -> str | None:
    """What was compared, where it is not what is written.

    >>> unlike("dog", "Dog"), unlike("42", 42), unlike("", None)
    ('dog', None, None)
    """
    return None if (compared or "") == _spelt(written) else compared


def _spelt(written: Value) -> str:
    return "" if written is None else str(written)


class Ledger:
    """What was found of one pair, entered one by one.

    Args:
        details: whether matches and errors are wanted beside the masses; those that
            are entered all the same are dropped.
        by_side: whether errors are put in order: gold's before the system's.
        first: the number of the first match, where the pair is a later part of what
            is compared.
    """

    __slots__ = ("by_side", "details", "entered", "first", "masses", "matches")

    def __init__(
        self, details: bool = True, *, by_side: bool = True, first: int = 0
    ) -> None:
        self.details, self.by_side, self.first = details, by_side, first
        self.masses: Masses = {}
        self.matches: list[Match] = []
        self.entered: list[Error] = []
        """Errors as they were entered."""

    def add(
        self, kind: str, label: str, quantity: str, amount: int | float = 1
    ) -> None:
        """Add to a mass; nothing is added to none.

        Args:
            kind: a kind, of the metric or of its figures.
            label: ``""`` for the kind as a whole.
            quantity: what it is an amount of.
            amount: how much.
        """
        if amount:
            key = kind, label, quantity
            self.masses[key] = self.masses.get(key, 0) + amount

    def count(
        self,
        kind: str,
        gold: int | float,
        system: int | float,
        matched: int | float,
        *,
        label: str = "",
    ) -> None:
        """Add what precision and recall of a kind are made of."""
        masses = self.masses
        for quantity, amount in (
            ("gold", gold),
            ("system", system),
            ("matched", matched),
        ):
            if amount:
                key = kind, label, quantity
                masses[key] = masses.get(key, 0) + amount

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
            # Quicker than by its own way of making one.
            self.matches += map(_match, rows)
        return number

    def error(
        self,
        side: Side,
        kind: str,
        own: int | None,
        other: int | None = None,
        *,
        what: str = "node",
        label: Value = None,
        name: str = "",
        value: Value = None,
        compared: str | None = None,
        reason: str = "",
        credit: float = 0.0,
        parent: int | None = None,
    ) -> None:
        """Enter what did not match: the arguments of :func:`error_of`."""
        if self.details:
            self.entered.append(
                error_of(
                    side,
                    kind,
                    own,
                    other,
                    what=what,
                    label=label,
                    name=name,
                    value=value,
                    compared=compared,
                    reason=reason,
                    credit=credit,
                    parent=parent,
                )
            )

    @property
    def errors(self) -> tuple[Error, ...]:
        """The errors: what is missing or partly right, then what is surplus."""
        if not self.by_side:
            return tuple(self.entered)
        return tuple(sorted(self.entered, key=lambda error: error.side == "surplus"))

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
            self.masses,
            score,
            score if bound is None else bound,
            proven,
            steps,
            method,
            tuple(self.matches),
            self.errors,
        )


_match: Callable[[Iterable[object]], Match] = partial(tuple.__new__, Match)
