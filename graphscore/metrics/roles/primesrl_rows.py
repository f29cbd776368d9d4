"""Error rows of senses and arguments.

``name`` says what: of a sense ``lemma``, ``number`` or ``lemma and number``; of an
argument

- ``sense``: everything is right but the sense of the predicate;
- ``reference``: everything is right but the X that R-X refers to;
- ``label``: another label in the same places;
- ``boundary``: the same label in other places;
- ``predicate``: the same places and label at another predicate;
- ``missed`` and ``spurious``: nothing of the kind on the other side.

All but the last name their counterpart on the other side, and that names them.

**Which are right with which.**  A core argument is right under the right sense only,
and R-X beside the right X.  So one that is wrong for nothing but the sense is right
as soon as that is, and any other only counts as right once that is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from graphscore.metrics.roles.base import (
    REFERRING,
    RoleBuilder,
    parted,
    replaced,
    with_predicates,
)
from graphscore.metrics.roles.conll09 import same_sense, sense_of
from graphscore.metrics.roles.inventories import CORE
from graphscore.metrics.roles.primesrl_count import (
    PREDICATES,
    SENSES,
    PredicateArguments,
    WholeArgument,
    counts_under,
)
from graphscore.model.outcome import Error, ErrorType
from graphscore.model.outcome_builder import Described, sided


def with_senses(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map errors of predicate, sense or the X of R-X to those corrected with them.

    Args:
        errors: of one sentence, as PriMeSRL enters them.
    """
    result = with_predicates(errors)
    for number, others in awaited_senses(errors).items():
        if errors[number].name in (SENSE, REFERENCE):
            for awaited in others:
                result[awaited].append(number)
    return result


def awaited_senses(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map arguments to the errors that must be corrected first: sense, X of R-X.

    Args:
        errors: of one sentence, as PriMeSRL enters them.
    """
    senses: dict[int | None, list[int]] = defaultdict(list)
    labels: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for number, error in enumerate(errors):
        if error.parent is None:
            continue
        if error.object == "edge":
            labels[error.parent, _label(error)].append(number)
        elif error.error_type == "missing" and error.system is not None:
            senses[error.parent].append(number)
    beside = replaced(errors)
    result: dict[int, list[int]] = {}
    for number, error in enumerate(errors):
        # What is spurious and in nobody's place only has to go.
        if error.object != "edge" or (
            error.error_type == "spurious" and number not in beside
        ):
            continue
        others = senses[error.parent] if error.tuple_type == CORE else []
        prefix, bare = parted(_label(error))
        if REFERRING in prefix and error.parent is not None:
            others = others + labels[error.parent, bare]
        if others:
            result[number] = others
    return result


def _label(error: Error) -> str:
    return str(error.label if error.compared is None else error.compared)


MISSED, SPURIOUS = "missed", "spurious"

LEMMA, NUMBER, BOTH = "lemma", "number", "lemma and number"

SENSE, REFERENCE, LABEL = "sense", "reference", "label"
BOUNDARY, PREDICATE = "boundary", "predicate"


class UnmatchedArgument(NamedTuple):
    """An argument that is not right."""

    argument: WholeArgument
    parent: int
    """The match of its predicate."""
    alone: bool
    """True if the other side lacks the predicate."""


Likeness = Callable[[WholeArgument], Hashable]

_SAME: tuple[tuple[str, Likeness], ...] = (
    (SENSE, lambda argument: (argument.label, argument.places, argument.referent)),
    (REFERENCE, lambda argument: (argument.label, argument.places)),
    (LABEL, lambda argument: argument.places),
    (BOUNDARY, lambda argument: argument.label),
)


class ErrorRows:
    """Matches and errors of one pair of sentences.

    Args:
        builder: where they go.
    """

    def __init__(self, builder: RoleBuilder) -> None:
        self._builder = builder
        self._gold: list[UnmatchedArgument] = []
        self._system: list[UnmatchedArgument] = []

    def alone(self, side: ErrorType, predicate: PredicateArguments) -> None:
        """Note a predicate that only one side has."""
        missing = side == "missing"
        name, pool = (MISSED, self._gold) if missing else (SPURIOUS, self._system)
        parent = self._builder.alone(side, predicate.node)
        for tuple_type in (PREDICATES, SENSES):
            self._builder.error(
                side, Described(tuple_type, predicate.node, name=name), parent
            )
        pool += [
            UnmatchedArgument(argument, parent, True)
            for argument in predicate.joined.arguments.values()
        ]

    def pair(
        self, gold: PredicateArguments, system: PredicateArguments, right: bool
    ) -> int:
        """Note what two predicates in one place have in common, and what not.

        Args:
            gold: the gold one.
            system: the system's.
            right: whether the sense is right.

        Returns:
            The number of their match.
        """
        builder = self._builder
        parent = builder.match(gold.node, system.node, float(right))
        if not right:
            name = wrong_sense(gold.sense, system.sense)
            for side, own, counterpart in sided(gold.node, system.node):
                builder.error(
                    side, Described(SENSES, own, counterpart, name=name), parent
                )
        gold_left, system_left = (
            dict(gold.joined.arguments),
            dict(system.joined.arguments),
        )
        for key, argument in gold.joined.arguments.items():
            if key in system_left and counts_under(right, argument, system_left[key]):
                second = system_left.pop(key)
                builder.match(gold_left.pop(key).edge, second.edge, 1.0, "edge", parent)
        gold_arguments, system_arguments = (
            list(gold_left.values()),
            list(system_left.values()),
        )
        for name, likeness in _SAME:
            if not gold_arguments or not system_arguments:
                break
            for first in list(gold_arguments):
                like = [
                    system_argument
                    for system_argument in system_arguments
                    if likeness(system_argument) == likeness(first)
                ]
                if like:
                    second = max(like, key=lambda candidate: _overlap(first, candidate))
                    gold_arguments.remove(first)
                    system_arguments.remove(second)
                    self._both(
                        UnmatchedArgument(first, parent, False),
                        UnmatchedArgument(second, parent, False),
                        name,
                    )
        self._gold += [
            UnmatchedArgument(gold_argument, parent, False)
            for gold_argument in gold_arguments
        ]
        self._system += [
            UnmatchedArgument(system_argument, parent, False)
            for system_argument in system_arguments
        ]
        return parent

    def finish(self) -> None:
        """Note what is left: arguments of other predicates, and of none."""
        waiting: dict[Hashable, list[UnmatchedArgument]] = {}
        for unmatched_argument in self._system:
            key = unmatched_argument.argument.label, unmatched_argument.argument.places
            waiting.setdefault(key, []).append(unmatched_argument)
        for unmatched_argument in self._gold:
            others = waiting.get(
                (unmatched_argument.argument.label, unmatched_argument.argument.places)
            )
            if others:
                self._both(unmatched_argument, others.pop(0), PREDICATE)
            else:
                self._single("missing", unmatched_argument, MISSED)
        for others in waiting.values():
            for spurious in others:
                self._single("spurious", spurious, SPURIOUS)

    def _both(
        self, gold: UnmatchedArgument, system: UnmatchedArgument, name: str
    ) -> None:
        for side, own, counterpart in sided(gold, system):
            self._enter(side, own, name, counterpart.argument.edge)

    def _single(self, side: ErrorType, left: UnmatchedArgument, name: str) -> None:
        reason = "no counterpart" if left.alone else "absent"
        self._enter(side, left, name, None, reason)

    def _enter(
        self,
        side: ErrorType,
        left: UnmatchedArgument,
        name: str,
        counterpart: int | None,
        reason: str = "",
    ) -> None:
        own = left.argument
        described = Described(own.tuple_type, own.edge, counterpart, "edge", name=name)
        described = described._replace(compared=own.label, reason=reason)
        self._builder.error(side, described, left.parent)


def _overlap(left: WholeArgument, right: WholeArgument) -> int:
    return len({*left.places} & {*right.places})


def wrong_sense(gold: str, system: str) -> str:
    """Return the name of a sense's error: ``lemma``, ``number`` or both.

    >>> wrong_sense("stare.01", "look.01"), wrong_sense("buy.01", "buy.05")
    ('lemma', 'number')
    """
    left, right = sense_of(gold), sense_of(system)
    if same_sense(left, right):
        return LEMMA
    same = gold.removesuffix(left) == system.removesuffix(right) != ""
    return NUMBER if same else BOTH
