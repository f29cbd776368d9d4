"""What the figure would be if certain errors were right.

A figure is a function of summed masses.  Under the correspondence that was found, a
missing tuple that is put right adds to what matches and to what the system has; a
surplus tuple that goes takes from what the system has; and one that stands where gold
says something else of the same object is replaced.  So nothing is compared again: the
masses of every class of errors make one column, and the metric's own figures are asked
for all of them at once.

Example:
    >>> from graphscore import Edge, Graph, Node, Options, score
    >>> def graph(*roles):
    ...     nodes = tuple(Node(k, str(k)) for k in range(3))
    ...     edges = tuple(Edge(0, k, role) for k, role in enumerate(roles, 1))
    ...     return Graph("1", "amr", 2, nodes=nodes, edges=edges, tops=(0,))
    >>> kept = Options(per_item=True, details=True)
    >>> scored = score([graph("A", "B")], [graph("A", "C")], "mrp", options=kept)
    >>> [(each.label, each.side, each.value) for each in what_if(scored).classes]
    [('B', 'missing', 1.0), ('B → C', 'confusion', 1.0), ('C', 'surplus', 1.0)]
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.errors import UsageError
from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric
from graphscore.model.outcome import Error, count_of
from graphscore.statistics.whatif.figures import Repaired

GRAPH = "graph"
"""The kind of a gold graph that the system does not have."""

CONFUSION = "confusion"
"""The side of errors where both sides say something of the same object."""

SIDES = ("missing", "surplus", CONFUSION)

ClassKey = tuple[str, str, str]
"""Kind, label and side."""


class Fix(NamedTuple):
    """Which errors are to be right; what is empty is not asked about."""

    kind: str = ""
    label: str = ""
    side: str = ""

    @classmethod
    def parse(cls, text: str) -> Fix:
        """The value of ``--fix``.

        Raises:
            UsageError: if it is not made of known columns and values.

        Example:
            >>> Fix.parse("kind=properties,label=a,b")
            Fix(kind='properties', label='a,b', side='')
        """
        parts = re.split(f",(?=(?:{'|'.join(cls._fields)})=)", text)
        given: dict[str, str] = {}
        for part in parts:
            name, equals, value = part.partition("=")
            if name not in cls._fields or not (equals and value) or name in given:
                raise UsageError(
                    f"cannot fix {text!r}: found {part!r}, expected each of kind=..., "
                    "label=..., side=... at most once"
                )
            given[name] = value
        return cls(**given)

    def __str__(self) -> str:
        named = zip(self._fields, self, strict=True)
        return ",".join(f"{name}={value}" for name, value in named if value)

    def takes(self, key: ClassKey) -> bool:
        """Whether a class of errors is among those that are to be right."""
        return all(
            not own or own == other for own, other in zip(self, key, strict=True)
        )


class ErrorClass(NamedTuple):
    """Errors of one class, and what they cost."""

    kind: str
    label: str
    """Of the object, of words their relation; of confusions what either side says."""
    side: str
    errors: int
    value: float
    """The figure if exactly these were right."""
    gain: float
    """How much better that is."""


class Step(NamedTuple):
    """One of several classes that are put right one after the other."""

    kind: str
    label: str
    side: str
    errors: int
    """All that are right now and were not before."""
    value: float
    """The figure, with all earlier steps."""
    gain: float
    """How much better than after the step before."""


class Fixed(NamedTuple):
    """Chosen classes put right together."""

    fixes: tuple[Fix, ...]
    errors: int
    """All that are right then, those included in whose place right ones stand."""
    value: float
    gain: float


@dataclass(frozen=True)
class WhatIf:
    """What every class of errors of a result costs.

    Attributes:
        metric: the metric's canonical string.
        system: what the system is called.
        figure: the figure's name.
        value: what it is.
        classes: the classes of errors, the most costly first.
        fixed: what was chosen to be put right together.
        steps: the best next class each time, where that was asked for.
        notes: what the user should know, one sentence each.
    """

    metric: str
    system: str
    figure: str
    value: float
    classes: tuple[ErrorClass, ...]
    fixed: Fixed
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values at full precision."""
        fixed = self.fixed
        fixes = [
            {name: value for name, value in fix._asdict().items() if value}
            for fix in fixed.fixes
        ]
        told: dict[str, Any] = {
            "metric": self.metric,
            "system": self.system,
            "figure": self.figure,
            "value": _number(self.value),
            "classes": [each._asdict() for each in self.classes],
            "fixed": {
                "fixes": fixes,
                "errors": fixed.errors,
                "value": _number(fixed.value),
                "gain": _number(fixed.gain),
            },
        }
        if self.steps:
            told["cumulative"] = [each._asdict() for each in self.steps]
        return told


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def what_if(
    result: Result, figure: str = "", fixes: Iterable[Fix] = (), cumulative: int = 0
) -> WhatIf:
    """What the figure would be if certain errors were right.

    Args:
        result: of one system and metric, with items and their errors.
        figure: which figure, as for ``--fail-under``; what stands for the metric
            without.
        fixes: classes that are put right together.
        cumulative: how many classes at most are put right one after the other, the
            best next one each time.

    Raises:
        UsageError: if errors of the metric cannot be put right one by one, or a figure
            or kind is unknown.
    """
    metric, chosen = result.metric, tuple(fixes)
    refuse_dependent(metric)
    figures = Repaired(result, figure)
    kinds, named = figures.kinds, figures.name
    for fix in chosen:
        _check(fix, metric, kinds, named)
    if result.nothing:
        nothing = Fixed(chosen, 0, math.nan, math.nan)
        return WhatIf(str(metric), result.system, named, math.nan, (), nothing)
    table = _Errors(result, kinds)
    base = figures.of([Counter()])[0]
    members = table.members
    values = figures.of([table.moved(ids) for ids in members.values()])
    classes = [
        ErrorClass(*key, table.amounts[key], value, value - base)
        for key, value in zip(members, values, strict=True)
    ]
    classes.sort(key=lambda each: (-each.gain, -each.errors, each[:3]))
    together: set[int] = set()
    notes = []
    for fix in chosen:
        taken = [ids for key, ids in members.items() if fix.takes(key)]
        together.update(*taken)
        if not taken:
            notes.append(f"{result.system}: no errors of {fix} to put right")
    value = figures.of([table.moved(together)])[0]
    fixed = Fixed(chosen, table.amount(together), value, value - base)
    steps = tuple(_steps(table, figures, value, together, cumulative))
    return WhatIf(
        str(metric),
        result.system,
        named,
        base,
        tuple(classes),
        fixed,
        steps,
        tuple(notes),
    )


def refuse_dependent(metric: Metric) -> None:
    """Refuse a metric one of whose errors cannot be right by itself.

    Raises:
        UsageError: naming it.
    """
    if not metric.separable:
        raise UsageError(
            f"{metric}: what its errors cost is not known: one that is put right "
            "changes what others count; expected a metric that counts tuples, such "
            "as mrp, smatch, sdp, edm, las"
        )


def _check(fix: Fix, metric: Metric, kinds: Sequence[str], figure: str) -> None:
    if fix.kind and fix.kind not in (*kinds, GRAPH):
        there = ", ".join((*kinds, GRAPH))
        raise UsageError(f"{metric}: {figure} has no kind {fix.kind!r}; {there}")
    if fix.side and fix.side not in SIDES:
        raise UsageError(
            f"cannot fix {str(fix)!r}: found side {fix.side!r}, expected one of "
            f"{', '.join(SIDES)}"
        )


class _Errors:
    """The errors of a result, each with those that are right as soon as it is.

    Args:
        result: with items and their errors.
        kinds: those that count.
    """

    def __init__(self, result: Result, kinds: Sequence[str]) -> None:
        self.errors: list[Error] = []
        self.frameworks: list[str] = []
        """Of the item of every error."""
        self.entailed: list[tuple[int, ...]] = []
        self.kinds = frozenset(kinds)
        self.class_of = result.metric.class_of
        self.members: dict[ClassKey, set[int]] = {}
        self.amounts: Counter[ClassKey] = Counter()
        for item in result.items:
            first = len(self.errors)
            self.errors += item.errors
            self.frameworks += [item.framework] * len(item.errors)
            entailed = result.metric.entailed(item.errors)
            for number in range(len(item.errors)):
                others = entailed.get(number, ())
                self.entailed.append(tuple(first + other for other in others))
            if item.missing:
                key = (GRAPH, item.framework, "missing")
                counting = range(first, len(self.errors))
                self._enter(key, [n for n in counting if self._counts(n)])
                self.amounts[key] += 1
                continue
            for number in range(first, len(self.errors)):
                if self._counts(number):
                    self._sort(number)
        self._check(result)

    def _counts(self, number: int) -> bool:
        return self.errors[number].kind in self.kinds

    def _enter(self, key: ClassKey, numbers: Iterable[int]) -> None:
        self.members.setdefault(key, set()).update(numbers)

    def _sort(self, number: int) -> None:
        """Enter an error into its class, and a confusion into that too."""
        error = self.errors[number]
        keys: list[ClassKey] = [(error.kind, _said(self.class_of(error)), error.side)]
        if error.side == "missing":
            for other in self.entailed[number]:
                rival = self.errors[other]
                if rival.side == "surplus" and _place(rival) == _place(error):
                    both = f"{_said(error.value)} → {_said(rival.value)}"
                    keys.append((error.kind, both, CONFUSION))
        for key in keys:
            self._enter(key, [number])
            self.amounts[key] += 1

    def _check(self, result: Result) -> None:
        """Refuse what the errors do not account for.

        Raises:
            UsageError: naming the metric and the kind.
        """
        found = Counter((error.kind, error.side) for error in self.errors)
        partial = {error.kind for error in self.errors if error.credit}
        total = result.total
        for kind in sorted(self.kinds):
            count = count_of(total, kind)
            left = count.gold - count.matched, count.system - count.correct_system
            known = found[kind, "missing"], found[kind, "surplus"]
            split = count.correct_system != count.matched
            if left != known or kind in partial or split:
                raise UsageError(
                    f"{result.metric}: what its errors cost is not known: its errors "
                    f"of kind {kind} are not each one that counts"
                )

    def right(self, numbers: Iterable[int]) -> set[int]:
        """The errors that are right once some are."""
        found, left = set[int](), list(numbers)
        while left:
            number = left.pop()
            if number not in found:
                found.add(number)
                left += self.entailed[number]
        return found

    def moved(self, numbers: Iterable[int]) -> Counter[tuple[str, str, str]]:
        """How many of each framework, kind and side are right once some are."""
        return Counter(
            (
                self.frameworks[number],
                self.errors[number].kind,
                self.errors[number].side,
            )
            for number in self.right(numbers)
        )

    def amount(self, numbers: Iterable[int]) -> int:
        """How many errors that count are right once some are."""
        return sum(map(self._counts, self.right(numbers)))


def _said(value: Any) -> str:
    return "" if value is None else str(value)


def _place(error: Error) -> tuple[Any, ...]:
    """What an error is about, on both sides."""
    return error.kind, error.object, error.name, error.gold, error.system


def _steps(
    table: _Errors, figures: Repaired, value: float, right: set[int], most: int
) -> Iterator[Step]:
    """The best next class each time, until nothing is gained."""
    done = table.right(right)
    left = dict(table.members)
    for _ in range(most):
        if not left:
            return
        values = figures.of([table.moved(done | ids) for ids in left.values()])
        best, reached = max(
            zip(left, values, strict=True), key=lambda each: (each[1], each[0])
        )
        if not reached > value:
            return
        more = table.right(done | left.pop(best))
        counted = table.amount(more) - table.amount(done)
        yield Step(*best, counted, reached, reached - value)
        done, value = more, reached
