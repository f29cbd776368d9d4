"""Corrected main scores, if the errors of one class were correct.

A score is a function of summed raw counts.  Under the correspondence that was found, a
missing tuple that is put right adds to what matches and to what the system has; a
spurious tuple that goes takes from what the system has; and one that stands where gold
says something else of the same object is replaced.  Metrics with other raw counts say
what comes to them.  So nothing is compared again: the raw counts of every class of
errors make one column, and the metric's own scores are asked for all of them at once.

Example:
    >>> from graphscore import Edge, Graph, Node, Options, score
    >>> def graph(*roles):
    ...     nodes = tuple(Node(k, str(k)) for k in range(3))
    ...     edges = tuple(Edge(0, k, role) for k, role in enumerate(roles, 1))
    ...     return Graph("1", "amr", 2, nodes=nodes, edges=edges, tops=(0,))
    >>> kept = Options(per_item=True, details=True)
    >>> scored = score([graph("A", "B")], [graph("A", "C")], "mrp", options=kept)
    >>> [(each.label, each.error_type, each.value) for each in what_if(scored).classes]
    [('B', 'missing', 1.0), ('B → C', 'confusion', 1.0), ('C', 'spurious', 1.0)]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.evaluation.messages import said_of
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable, spelled
from graphscore.metrics.traits import trait
from graphscore.model.outcome import Error, RawCounts, add_raw_counts, count_of
from graphscore.rows import Rows, Tabular, brief, four_places, joined, numbers_of
from graphscore.statistics.whatif.corrected_scores import NEAR, Moved, Repaired

GRAPH = "graph"
"""The kind of a gold graph that the system does not have."""

CONFUSION = "confusion"
"""The side of errors where both sides say something of the same object."""

RULE = "rule"
"""The side of errors whose label is the class that rules gave them."""

ClassKey = tuple[str, str, str]
"""Tuple type, label and side."""


class ErrorClass(NamedTuple):
    """Errors of one class, and what they cost."""

    tuple_type: str
    label: str
    """Label of the object, or a word's relation; for confusions both values."""
    error_type: str
    errors: int
    value: float
    """The score if exactly these were right."""
    gain: float
    """Improvement of the score; never negative."""
    note: str = ""
    """Note for the user, such as that the score would be worse."""

    def to_dict(self) -> dict[str, Any]:
        """By name; the note only where there is one."""
        told = self._asdict() | {
            "value": _number(self.value),
            "gain": _number(self.gain),
        }
        if not self.note:
            del told["note"]
        return told


COLUMNS = ("system", "metric", "score", *ErrorClass._fields)
"""Columns of the rows of a :class:`WhatIf`."""


@dataclass(frozen=True, repr=False)
class WhatIf(Rows):
    """Impact of every class of errors of a result.

    Attributes:
        metric: the metric's canonical string.
        system: what the system is called.
        score: the score's name.
        value: what it is.
        classes: the classes of errors, the most costly first.
        notes: what the user should know, one sentence each: what of the system could
            not be read, or is not there, and what else there is to say of the result.
    """

    metric: str
    system: str
    score: str
    value: float
    classes: tuple[ErrorClass, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        noun = "class" if len(self.classes) == 1 else "classes"
        said = f"{self.metric}: {self.score} {four_places(self.value)}"
        errors = f"{len(self.classes)} {noun} of errors"
        return brief("WhatIf", f"{said}, {errors}", self.notes)

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values at full precision."""
        return {
            "metric": self.metric,
            "system": self.system,
            "score": self.score,
            "value": _number(self.value),
            "classes": [class_.to_dict() for class_ in self.classes],
        }

    def tabular(self) -> Tabular:
        """A row per class of errors, the most costly first."""
        head = self.system, self.metric, self.score
        return Tabular(COLUMNS, ((*head, *class_) for class_ in self.classes))

    def numbers(self) -> dict[str, float]:
        """The score, and each class by ``METRIC/SCORE/KIND/LABEL/SIDE``.

        Names of classes go on with ``errors``, ``value`` and ``gain``.
        """
        result = {}
        if math.isfinite(self.value):
            result[joined(self.metric, self.score)] = float(self.value)
        return result | numbers_of(*self.tabular(), COLUMNS[1:6], COLUMNS[6:9])


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def what_if(result: Result) -> WhatIf:
    """Say for each class of errors what the main score would be without it.

    Args:
        result: of one system and metric, with items and their errors.

    Raises:
        UsageError: if errors of the metric cannot be put right one by one.
    """
    metric = result.metric
    if result.mode == "mean":
        raise UsageError(
            "the cost of errors is known against one reference only: expected "
            "references best, or each alone, not mean"
        )
    refuse_dependent(metric)
    main = Repaired(result)
    head, notes = (str(metric), result.system, main.name), said_of([result])
    if result.nothing:
        return WhatIf(*head, math.nan, (), notes)
    table = _Errors(result, main)
    base = table.values([()])[0]
    members = table.members
    values = table.values(members.values())
    classes = [
        _class(key, table.amounts[key], value, main.gain(base, value))
        for key, value in zip(members, values, strict=True)
    ]
    classes.sort(key=lambda class_: (-class_.gain, -class_.errors, class_[:3]))
    return WhatIf(*head, base, tuple(classes), notes)


WORSE = "the score would be worse"
"""Note for a correction that lowers the score."""


def _class(key: ClassKey, errors: int, value: float, gain: float) -> ErrorClass:
    return ErrorClass(*key, errors, value, _gained(gain), WORSE if gain < -NEAR else "")


def _gained(gain: float) -> float:
    """Return the gain; 0 where the score is worse, or undefined."""
    return max(gain, 0.0) if gain == gain else 0.0


def refuse_dependent(metric: Metric) -> None:
    """Refuse a metric one of whose errors cannot be right by itself.

    Raises:
        UsageError: naming it.
    """
    if bound := trait(metric, Correctable).bound:
        raise UsageError(
            f"{metric}: the cost of its errors is not known: {bound}; expected a "
            "metric that counts tuples, such as mrp, smatch, sdp, edm, las, ner"
        )


class _Errors:
    """The errors of a result, each with those that are right as soon as it is.

    Args:
        result: with items and their errors.
        score: what they cost.
    """

    def __init__(self, result: Result, score: Repaired) -> None:
        self.errors: list[Error] = []
        self.entailed: list[tuple[int, ...]] = []
        self.awaited: dict[int, tuple[int, ...]] = {}
        self.metric, self.score = result.metric, score
        self.corrections = corrections = trait(result.metric, Correctable)
        self.raw_counts = result.total
        self.tuple_types = frozenset(score.tuple_types)
        self.members: dict[ClassKey, set[int]] = {}
        self.amounts: Counter[ClassKey] = Counter()
        self.repaired: list[RawCounts] = []
        places: list[tuple[ItemResult, range]] = []
        for item in result.items:
            first = len(self.errors)
            self.errors += item.errors
            self.repaired += self._repaired(item)
            entailed = corrections.entailed(item.errors)
            for number in range(len(item.errors)):
                others = entailed.get(number, ())
                self.entailed.append(tuple(first + other for other in others))
            for number, others in corrections.awaited(item.errors).items():
                self.awaited[first + number] = tuple(first + each for each in others)
            places.append((item, range(first, len(self.errors))))
        self.waiting = set(self.awaited).union(*self.awaited.values())
        keys = set(self.raw_counts).union(*self.repaired)
        self.counting = score.depends_on(keys)
        for raw_counts in self.repaired:
            for key in raw_counts.keys() - self.counting:
                del raw_counts[key]
        for item, numbers in places:
            counting = [number for number in numbers if self._counts(number)]
            if item.missing:
                key = (GRAPH, item.framework, "missing")
                self._enter(key, counting)
                self.amounts[key] += 1
                continue
            for number in counting:
                self._sort(number)
        self._check()

    def _repaired(self, item: ItemResult) -> Iterator[RawCounts]:
        """Yield the change of raw counts for each corrected error of an item."""
        every = self.corrections.repairs(item.errors, item.matches)
        for error, moved in zip(item.errors, every, strict=True):
            # Where the numerators of recall and precision are two, both are of matches.
            more = {
                (tuple_type, label, "matched_system"): amount
                for (tuple_type, label, quantity), amount in moved.items()
                if quantity == "matched"
                and (tuple_type, label, "matched_system") in self.raw_counts
            }
            # What a metric says of the second itself is not overruled.
            yield dict(moved) if error.error_type == "spurious" else {**more, **moved}

    def _counts(self, number: int) -> bool:
        """Return true if an error has a cost: by itself, or with its counterpart."""
        error = self.errors[number]
        if error.tuple_type not in self.tuple_types or self.corrections.is_part(error):
            return False
        if number in self.waiting or not self.entailed[number]:
            return True
        return any(abs(amount) > NEAR for amount in self.moved([number]).values())

    def _enter(self, key: ClassKey, numbers: Iterable[int]) -> None:
        self.members.setdefault(key, set()).update(numbers)

    def _sort(self, number: int) -> None:
        """Enter an error into its class, and a confusion into that too."""
        error = self.errors[number]
        label, tuple_type = (
            spelled(self.corrections.class_of(error)),
            self.corrections.sort_of(error),
        )
        keys: list[ClassKey] = [(tuple_type, label, error.error_type)]
        if (ruled := self.corrections.ruled(error)) is not None:
            keys.append((tuple_type, ruled, RULE))
        if error.error_type == "missing":
            for other in self.entailed[number]:
                rival = self.errors[other]
                if rival.error_type == "spurious" and _place(rival) == _place(error):
                    both = self.corrections.confusion(error, rival)
                    keys += [(tuple_type, both, CONFUSION)] if both else []
        for key in keys:
            self._enter(key, [number])
            self.amounts[key] += 1

    def _check(self) -> None:
        """Refuse what the errors do not account for: with all right, it is gold.

        Raises:
            UsageError: naming the metric and the tuple type.
        """
        moved = self.moved(range(len(self.errors)))
        raw_counts: RawCounts = dict(self.raw_counts)
        add_raw_counts(raw_counts, moved)
        for tuple_type in sorted(self.tuple_types):
            if (tuple_type, "", "matched") not in self.counting:
                continue
            count = count_of(raw_counts, tuple_type)
            sides = [count.matched, count.correct_system]
            if (tuple_type, "", "system") in self.counting:
                sides.append(count.system)
            if any(abs(amount - count.gold) > NEAR for amount in sides):
                raise UsageError(
                    f"{self.metric}: the cost of its errors is not known: its errors "
                    f"of tuple type {tuple_type} are not each one that counts"
                )
        if not self.score.is_best(moved, self.counting):
            raise self.score.refusal()

    def right(self, numbers: Iterable[int]) -> set[int]:
        """The errors that are right once some are."""
        result, left = set[int](), list(numbers)
        while left:
            number = left.pop()
            if number not in result:
                result.add(number)
                left += self.entailed[number]
        return result

    def moved(self, numbers: Iterable[int]) -> Moved:
        """Return the change of raw counts if some errors are corrected."""
        raw_counts: RawCounts = {}
        right = self.right(numbers)
        for number in right:
            waits = not self._effective(number, right)
            for key, amount in self.repaired[number].items():
                if waits and key[2] in ("matched", "matched_system"):
                    continue
                raw_counts[key] = raw_counts.get(key, 0) + amount
        return raw_counts

    def values(self, chosen: Iterable[Iterable[int]]) -> list[float]:
        """The score with each of several sets of errors right."""
        return self.score.of([self.moved(each) for each in chosen])

    def _effective(self, number: int, right: Collection[int]) -> bool:
        """Return true if all errors that an error waits for are corrected."""
        return all(
            other in right and self._effective(other, right)
            for other in self.awaited.get(number, ())
        )


def _place(error: Error) -> tuple[Any, ...]:
    """Return the object of an error on both sides."""
    return error.tuple_type, error.object, error.name, error.gold, error.system
