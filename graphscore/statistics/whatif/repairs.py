"""What the figure would be if certain errors were right.

A figure is a function of summed masses.  Under the correspondence that was found, a
missing tuple that is put right adds to what matches and to what the system has; a
surplus tuple that goes takes from what the system has; and one that stands where gold
says something else of the same object is replaced.  Metrics with other masses say what
comes to them.  So nothing is compared again: the masses of every class of errors make
one column, and the metric's own figures are asked for all of them at once.

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
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.evaluation.result import ItemResult, Result
from graphscore.metrics.base import Metric
from graphscore.metrics.confusion import said
from graphscore.model.outcome import Error, Masses, MassKey, count_of
from graphscore.rows import Rows, Tabular, joined, numbers_of
from graphscore.statistics.whatif.figures import NEAR, Moved, Repaired

GRAPH = "graph"
"""The kind of a gold graph that the system does not have."""

CONFUSION = "confusion"
"""The side of errors where both sides say something of the same object."""

ALL = "all"
"""Every kind, of a metric that counts them together."""

RULE = "rule"
"""The side of errors whose label is the class that rules gave them."""

SIDES = ("missing", "surplus", "partial", CONFUSION, RULE)

ClassKey = tuple[str, str, str]
"""Kind, label and side."""


class Fix(NamedTuple):
    """Which errors are to be right; what is empty is not asked about."""

    kind: str = ""
    label: str = ""
    side: str = ""
    rule: str = ""
    """What a rule gave them as a class, or its own name."""

    @classmethod
    def parse(cls, text: str) -> Fix:
        """The value of ``--fix``.

        Raises:
            UsageError: if it is not made of known columns and values.

        Example:
            >>> Fix.parse("kind=properties,label=a,b")
            Fix(kind='properties', label='a,b', side='', rule='')
        """
        parts = re.split(f",(?=(?:{'|'.join(cls._fields)})=)", text)
        given: dict[str, str] = {}
        for part in parts:
            name, equals, value = part.partition("=")
            if name not in cls._fields or not (equals and value) or name in given:
                raise UsageError(
                    f"cannot fix {text!r}: found {part!r}, expected each of kind=..., "
                    "label=..., side=..., rule=... at most once"
                    f"{meant(name, cls._fields) if name not in cls._fields else ''}"
                )
            given[name] = value
        return cls(**given)

    def __str__(self) -> str:
        named = zip(self._fields, self, strict=True)
        return ",".join(f"{name}={value}" for name, value in named if value)

    def takes(self, key: ClassKey) -> bool:
        """Whether errors of a class are among those that are to be right."""
        return all(
            not own or own == other for own, other in zip(self[:3], key, strict=True)
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
    """How much better that is; never negative."""
    note: str = ""
    """What the user should know: that the figure would be worse."""

    def to_dict(self) -> dict[str, Any]:
        """By name; the note only where there is one."""
        told = self._asdict() | {
            "value": _number(self.value),
            "gain": _number(self.gain),
        }
        if not self.note:
            del told["note"]
        return told


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


COLUMNS = ("system", "metric", "figure", *ErrorClass._fields)
"""Of the rows of a :class:`WhatIf`."""


@dataclass(frozen=True)
class WhatIf(Rows):
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
            "classes": [each.to_dict() for each in self.classes],
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

    def tabular(self) -> Tabular:
        """A row per class of errors, the most costly first."""
        head = self.system, self.metric, self.figure
        return Tabular(COLUMNS, ((*head, *each) for each in self.classes))

    def flat(self) -> dict[str, float]:
        """The figure, and each class by ``METRIC/FIGURE/KIND/LABEL/SIDE``.

        Names of classes go on with ``errors``, ``value`` and ``gain``.
        """
        found = {}
        if math.isfinite(self.value):
            found[joined(self.metric, self.figure)] = float(self.value)
        return found | numbers_of(*self.tabular(), COLUMNS[1:6], COLUMNS[6:9])


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
    if result.mode == "mean":
        raise UsageError(
            "what errors cost is known against one reference: expected the best of "
            "several, or each by itself, not their mean"
        )
    refuse_dependent(metric)
    asked = Repaired(result, figure)
    for fix in chosen:
        _check(fix, asked)
    if result.nothing:
        nothing = Fixed(chosen, 0, math.nan, math.nan)
        return WhatIf(str(metric), result.system, asked.name, math.nan, (), nothing)
    table = _Errors(result, asked)
    base = table.values([()])[0]
    members = table.members
    values = table.values(members.values())
    classes = [
        _class(key, table.amounts[key], value, asked.gain(base, value))
        for key, value in zip(members, values, strict=True)
    ]
    classes.sort(key=lambda each: (-each.gain, -each.errors, each[:3]))
    together: set[int] = set()
    notes = []
    for fix in chosen:
        taken = table.taken(fix)
        together |= taken
        if not taken:
            notes.append(f"{result.system}: no errors of {fix} to put right")
    value = table.values([together])[0]
    gain = asked.gain(base, value)
    if gain < 0:
        notes.append(f"{result.system}: with {_named(chosen)} right: {WORSE}")
    fixed = Fixed(chosen, table.amount(together), value, _gained(gain))
    steps = tuple(_steps(table, asked, value, together, cumulative))
    return WhatIf(
        str(metric),
        result.system,
        asked.name,
        base,
        tuple(classes),
        fixed,
        steps,
        tuple(notes),
    )


WORSE = "the figure would be worse"
"""What is noted where nothing is gained, but lost."""


def _class(key: ClassKey, errors: int, value: float, gain: float) -> ErrorClass:
    return ErrorClass(*key, errors, value, _gained(gain), WORSE if gain < -NEAR else "")


def _gained(gain: float) -> float:
    """What is gained; nothing where the figure is worse, or undefined."""
    return max(gain, 0.0) if gain == gain else 0.0


def _named(fixes: Iterable[Fix]) -> str:
    return " and ".join(map(str, fixes))


def refuse_dependent(metric: Metric) -> None:
    """Refuse a metric one of whose errors cannot be right by itself.

    Raises:
        UsageError: naming it.
    """
    if not metric.separable:
        raise UsageError(
            f"{metric}: what its errors cost is not known: {metric.bound}; expected a "
            "metric that counts tuples, such as mrp, smatch, sdp, edm, las, ner"
        )


def _check(fix: Fix, figure: Repaired) -> None:
    kinds = (*figure.kinds, *figure.metric.sorts, GRAPH)
    whole = fix.kind == ALL and figure.metric.main == ALL
    if fix.kind and fix.kind not in kinds and not whole:
        raise UsageError(
            f"{figure.metric}: {figure.name} has no kind {fix.kind!r}"
            f"{meant(fix.kind, kinds)}; there are: {', '.join(kinds)}"
        )
    if fix.rule and type(figure.metric).ruled is Metric.ruled:
        raise UsageError(
            f"cannot fix {str(fix)!r}: {figure.metric} has no rules; expected rules, "
            "or rules: and a file of them"
        )
    if fix.side and fix.side not in SIDES:
        raise UsageError(
            f"cannot fix {str(fix)!r}: found side {fix.side!r}"
            f"{meant(fix.side, SIDES)}, expected one of {', '.join(SIDES)}"
        )


class _Errors:
    """The errors of a result, each with those that are right as soon as it is.

    Args:
        result: with items and their errors.
        figure: what they cost.
    """

    def __init__(self, result: Result, figure: Repaired) -> None:
        self.errors: list[Error] = []
        self.frameworks: list[str] = []
        """Of the item of every error."""
        self.entailed: list[tuple[int, ...]] = []
        self.awaited: dict[int, tuple[int, ...]] = {}
        self.metric, self.figure = result.metric, figure
        self.masses = result.total
        self.kinds = frozenset(figure.kinds)
        self.members: dict[ClassKey, set[int]] = {}
        self.amounts: Counter[ClassKey] = Counter()
        self.ruled: dict[str, set[int]] = {}
        """The errors by the class that rules gave them, and by the last rule."""
        self.repaired: list[Masses] = []
        places: list[tuple[ItemResult, range]] = []
        for item in result.items:
            first = len(self.errors)
            self.errors += item.errors
            self.frameworks += [item.framework] * len(item.errors)
            self.repaired += self._repaired(item)
            entailed = result.metric.entailed(item.errors)
            for number in range(len(item.errors)):
                others = entailed.get(number, ())
                self.entailed.append(tuple(first + other for other in others))
            for number, others in result.metric.awaited(item.errors).items():
                self.awaited[first + number] = tuple(first + each for each in others)
            places.append((item, range(first, len(self.errors))))
        self.waiting = set(self.awaited).union(*self.awaited.values())
        keys = set(self.masses).union(*self.repaired)
        self.counting = figure.depends_on(keys)
        for each in self.repaired:
            for key in each.keys() - self.counting:
                del each[key]
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

    def _repaired(self, item: ItemResult) -> Iterator[Masses]:
        """What comes to masses once each error of an item is right."""
        every = self.metric.repairs(item.errors, item.matches)
        for error, moved in zip(item.errors, every, strict=True):
            # Where the numerators of recall and precision are two, both are of matches.
            more = {
                (kind, label, "matched_system"): amount
                for (kind, label, quantity), amount in moved.items()
                if quantity == "matched"
                and (kind, label, "matched_system") in self.masses
            }
            # What a metric says of the second itself is not overruled.
            yield dict(moved) if error.side == "surplus" else {**more, **moved}

    def _counts(self, number: int) -> bool:
        """Whether an error costs something: by itself, or with its place's other."""
        error = self.errors[number]
        if error.kind not in self.kinds or self.metric.is_part(error):
            return False
        if number in self.waiting or not self.entailed[number]:
            return True
        return any(abs(amount) > NEAR for amount in self.moved([number]).values())

    def taken(self, fix: Fix) -> set[int]:
        """The errors that are to be right."""
        found = set[int]()
        if fix.kind == ALL and ALL not in self.kinds:
            fix = fix._replace(kind="")
        for key, numbers in self.members.items():
            if fix.takes(key):
                found |= numbers
        return found & self.ruled.get(fix.rule, set()) if fix.rule else found

    def _enter(self, key: ClassKey, numbers: Iterable[int]) -> None:
        self.members.setdefault(key, set()).update(numbers)

    def _sort(self, number: int) -> None:
        """Enter an error into its class, and a confusion into that too."""
        error = self.errors[number]
        label, kind = said(self.metric.class_of(error)), self.metric.sort_of(error)
        keys: list[ClassKey] = [(kind, label, error.side)]
        if (ruled := self.metric.ruled(error)) is not None:
            keys.append((kind, ruled[0], RULE))
            for name in ruled:
                self.ruled.setdefault(name, set()).add(number)
        if error.side == "missing":
            for other in self.entailed[number]:
                rival = self.errors[other]
                if rival.side == "surplus" and _place(rival) == _place(error):
                    both = self.metric.confusion(error, rival)
                    keys += [(kind, both, CONFUSION)] if both else []
        for key in keys:
            self._enter(key, [number])
            self.amounts[key] += 1

    def _check(self) -> None:
        """Refuse what the errors do not account for: with all right, it is gold.

        Raises:
            UsageError: naming the metric and the kind.
        """
        moved = self.moved(range(len(self.errors)))
        masses: Masses = dict(self.masses)
        for (_, key), amount in moved.items():
            masses[key] = masses.get(key, 0) + amount
        for kind in sorted(self.kinds):
            if (kind, "", "matched") not in self.counting:
                continue
            count = count_of(masses, kind)
            sides = [count.matched, count.correct_system]
            if (kind, "", "system") in self.counting:
                sides.append(count.system)
            if any(abs(amount - count.gold) > NEAR for amount in sides):
                raise UsageError(
                    f"{self.metric}: what its errors cost is not known: its errors "
                    f"of kind {kind} are not each one that counts"
                )
        if not self.figure.is_best(moved, self.counting):
            raise self.figure.refusal()

    def right(self, numbers: Iterable[int]) -> set[int]:
        """The errors that are right once some are."""
        found, left = set[int](), list(numbers)
        while left:
            number = left.pop()
            if number not in found:
                found.add(number)
                left += self.entailed[number]
        return found

    def moved(self, numbers: Iterable[int]) -> Moved:
        """What comes to masses once some errors are right."""
        found: dict[tuple[str, MassKey], int | float] = {}
        right = self.right(numbers)
        for number in right:
            framework = self.frameworks[number]
            waits = not self._effective(number, right)
            for key, amount in self.repaired[number].items():
                if waits and key[2] in ("matched", "matched_system"):
                    continue
                place = framework, key
                found[place] = found.get(place, 0) + amount
        return found

    def values(self, chosen: Iterable[Iterable[int]]) -> list[float]:
        """The figure with each of several sets of errors right."""
        return self.figure.of([self.moved(each) for each in chosen])

    def amount(self, numbers: Iterable[int]) -> int:
        """How many errors that count are right once some are."""
        right = self.right(numbers)
        return sum(
            self._counts(number) for number in right if self._effective(number, right)
        )

    def _effective(self, number: int, right: Collection[int]) -> bool:
        """Whether everything is right that an error waits for."""
        return all(
            other in right and self._effective(other, right)
            for other in self.awaited.get(number, ())
        )


def _place(error: Error) -> tuple[Any, ...]:
    """What an error is about, on both sides."""
    return error.kind, error.object, error.name, error.gold, error.system


def _steps(
    table: _Errors, figure: Repaired, value: float, right: set[int], most: int
) -> Iterator[Step]:
    """The best next class each time, until nothing is gained."""
    done = table.right(right)
    left = dict(table.members)
    for _ in range(most):
        if not left:
            return
        values = table.values([done | ids for ids in left.values()])
        gains = [_gained(figure.gain(value, each)) for each in values]
        gain, best, reached = max(zip(gains, left, values, strict=True))
        if not gain:
            return
        more = table.right(done | left.pop(best))
        counted = table.amount(more) - table.amount(done)
        yield Step(*best, counted, reached, gain)
        done, value = more, reached
