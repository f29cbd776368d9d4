"""Changes from one system to another: units, and the errors behind them.

An error of either system is *fixed* where only the baseline has it, *broken* where only
the other system has it, and *still* there where both have.  Two errors are the same if
they say the same of the same gold object: equal item, side, tuple type, object,
ordinal of the gold object (of the counterpart, for what is spurious), label, name and
value. Ordinals of the systems, which number their objects in their own ways, do not
count; errors that are equal without them are counted.  The view ``v_changes`` says the
same in SQL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.metrics.base import Metric
from graphscore.model.graph import Value
from graphscore.model.outcome import Error, ErrorType
from graphscore.statistics.resampling import SLACK, items_of
from graphscore.statistics.tables import Unit, UnitKey, units_of

if TYPE_CHECKING:
    from graphscore.statistics.comparison import Comparison, UnitScores

Status = Literal["fixed", "broken", "still"]

STATUSES: tuple[Status, ...] = ("fixed", "broken", "still")

ItemKey = tuple[str, str, str, str]
"""Framework, language, item and layer."""


class Change(NamedTuple):
    """Equal errors of an item, and what has become of them."""

    framework: str
    language: str
    document: str
    item: str
    layer: str
    error: Error
    """One of them, as the baseline has it; as the system has it where it is broken."""
    status: Status
    errors: int
    """Number of errors."""


class ChangedTuple(NamedTuple):
    """Errors of a tuple type, error_type, name and value with one status."""

    tuple_type: str
    error_type: ErrorType
    name: str
    value: Value
    """Value as in the file, or else the label."""
    status: Status
    errors: int


class ChangedTupleType(NamedTuple):
    """Numbers of fixed, broken and remaining errors of a tuple type and error type."""

    tuple_type: str
    error_type: ErrorType
    fixed: int
    broken: int
    still: int


class ChangedUnit(NamedTuple):
    """A unit that got better or worse."""

    framework: str
    language: str
    item: str
    text: str
    """Text of the gold graph; empty if it has none."""
    baseline: float
    """The score of the baseline."""
    system: float
    """The score of the system."""
    change: float
    """The latter less the former."""


@dataclass(frozen=True)
class Changes:
    """Changes from a baseline to a system.

    Attributes:
        baseline: its name.
        system: the name of the other.
        tuple_types: errors by tuple type and side, in the order of the metric's tuple
            types.
        tuples: errors by tuple type, error_type, name, value and status, most first.
        better: units that got better, most first; ``None`` where not asked for.
        worse: units that got worse, likewise.
    """

    baseline: str
    system: str
    tuple_types: tuple[ChangedTupleType, ...]
    tuples: tuple[ChangedTuple, ...]
    better: tuple[ChangedUnit, ...] | None
    worse: tuple[ChangedUnit, ...] | None

    def first(
        self, top: int | None, *, better: bool = True, worse: bool = True
    ) -> Changes:
        """The first units of each direction, and the first tuples of each status.

        Args:
            top: how many; all without.
            better: whether units that got better are wanted, and fixed errors.
            worse: whether units that got worse are, and broken errors.
        """
        wanted = [
            status
            for status, asked in zip(STATUSES, (better, worse, True), strict=True)
            if asked and (status != "still" or better == worse)
        ]
        found = ([t for t in self.tuples if t.status == each] for each in wanted)
        tuples = [each for group in found for each in group[:top]]
        return replace(
            self,
            tuples=tuple(sorted(tuples, key=_by_number)),
            better=self.better[:top] if better and self.better is not None else None,
            worse=self.worse[:top] if worse and self.worse is not None else None,
        )

    def total(self, status: Status) -> int:
        """Count the errors with a status."""
        return sum(getattr(changed, status) for changed in self.tuple_types)

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        return {
            "baseline": self.baseline,
            "system": self.system,
            **{status: self.total(status) for status in STATUSES},
            "tuple_types": [changed._asdict() for changed in self.tuple_types],
            "tuples": [tuple_._asdict() for tuple_ in self.tuples],
            **{
                name: [unit._asdict() for unit in units]
                for name, units in (("better", self.better), ("worse", self.worse))
                if units is not None
            },
        }


def error_changes(baseline: Result, system: Result) -> Iterator[Change]:
    """The errors of both, each with what has become of it.

    Args:
        baseline: a result per item, with details.
        system: another one, by the same metric on the same gold.

    Yields:
        Errors by item in gold order: those of the baseline as they come, fixed before
        still there, then those of the system that are broken.

    Raises:
        UsageError: without results per item, without details, or for different metrics.
        PairingError: if they were not scored on the same units.

    Example:
        >>> from graphscore import Graph, Node, score
        >>> gold = [Graph("1", "amr", 2, nodes=(Node(0, "dog"),), tops=(0,))]
        >>> [before, after] = [
        ...     score(gold, [Graph("1", "amr", 2, nodes=(Node(0, label),), tops=(0,))])
        ...     for label in ("cat", "horse")
        ... ]
        >>> for each in error_changes(before, after):
        ...     print(each.status, each.error.error_type, each.error.value)
        still missing dog
        fixed spurious cat
        broken spurious horse
    """
    if baseline.metric != system.metric:
        raise UsageError(f"{baseline.metric} and {system.metric} cannot be compared")
    before, after = _by_item(baseline), _by_item(system)
    if before.keys() != after.keys():
        raise _apart(before, after)
    for key, value in before.items():
        place = value.framework, value.language, value.document, value.item, value.layer
        for error, status, errors in _settled(value.errors, after[key].errors):
            yield Change(*place, error, status, errors)


def changes_between(
    baseline: Result, system: Result, comparison: Comparison, places: tuple[int, int]
) -> Changes:
    """Find the changes from a baseline to a system.

    Args:
        baseline: a result per item, with details.
        system: another one, by the same metric on the same gold.
        comparison: of both, perhaps among others.
        places: where they stand among its systems.

    Raises:
        UsageError: as :func:`error_changes` does.
        PairingError: likewise.
    """
    counted: Counter[tuple[str, str, str, Any, Status]] = Counter()
    shown: dict[Any, Value] = {}
    for error_change in error_changes(baseline, system):
        error = error_change.error
        value = error.label if error.value is None else error.value
        known = _typed(value)
        shown.setdefault(known, value)
        counted[
            error.tuple_type, error.error_type, error.name, known, error_change.status
        ] += error_change.errors
    tuples = [
        ChangedTuple(tuple_type, error_type, name, shown[value], status, errors)  # type: ignore[arg-type]
        for (tuple_type, error_type, name, value, status), errors in counted.items()
    ]
    tuples.sort(key=_by_number)
    texts = _texts(baseline, comparison.unit)
    moved = list(_moved(comparison.items, places, texts))
    sign = -1 if comparison.lowest_best else 1
    before, after = (comparison.systems[place].system for place in places)
    return Changes(
        before,
        after,
        tuple(_tuple_types(tuples, baseline.metric)),
        tuple(tuples),
        tuple(_most(moved, sign)),
        tuple(_most(moved, -sign)),
    )


def _by_item(result: Result) -> dict[ItemKey, ItemResult]:
    items = items_of(result)
    if any(not item.texts for item in items):
        raise UsageError(
            f"{result.system} ({result.metric}): changes need results with details only"
        )
    return {
        (item.framework, item.language, item.item, item.layer): item for item in items
    }


def _apart(
    before: Mapping[ItemKey, ItemResult], after: Mapping[ItemKey, ItemResult]
) -> PairingError:
    framework, _, item, _ = next(iter(before.keys() ^ after.keys()))
    return PairingError(
        f"the systems were not scored on the same gold units: {item!r} ({framework}) "
        "is in one result only"
    )


def _settled(
    before: Iterable[Error], after: Iterable[Error]
) -> Iterator[tuple[Error, Status, int]]:
    """Equal errors of an item once, with status and number."""
    examples: dict[tuple[Any, ...], Error] = {}
    old, new = Counter[tuple[Any, ...]](), Counter[tuple[Any, ...]]()
    for errors, counts in ((before, old), (after, new)):
        for error in errors:
            key = identity(error)
            examples.setdefault(key, error)
            counts[key] += 1
    for key, error in examples.items():
        both = min(old[key], new[key])
        numbers = old[key] - both, new[key] - both, both
        for status, number in zip(STATUSES, numbers, strict=True):
            if number:
                yield error, status, number


def identity(error: Error) -> tuple[Any, ...]:
    """Return the key that identifies equal errors of an item.

    Args:
        error: of either system.
    """
    return (
        error.error_type,
        error.tuple_type,
        error.object,
        error.gold,
        _typed(error.label),
        error.name,
        _typed(error.value),
    )


def _typed(value: Value) -> Any:
    """A value as which only values of its type count: 1, 1.0 and True are equal.

    >>> _typed("1"), _typed(1) == _typed(True)
    ('1', False)
    """
    if value is None or isinstance(value, str):
        return value
    return type(value).__name__, repr(value)


def _tuple_types(
    tuples: Iterable[ChangedTuple], metric: Metric
) -> list[ChangedTupleType]:
    counts: Counter[tuple[str, ErrorType, Status]] = Counter()
    for tuple_ in tuples:
        counts[tuple_.tuple_type, tuple_.error_type, tuple_.status] += tuple_.errors
    order = {
        tuple_type: index for index, tuple_type in enumerate(metric.error_tuple_types)
    }
    keys = sorted(
        {key[:2] for key in counts},
        key=lambda key: (order.get(key[0], len(order)), *key),
    )
    return [
        ChangedTupleType(
            tuple_type,
            error_type,
            *(counts[tuple_type, error_type, status] for status in STATUSES),
        )
        for tuple_type, error_type in keys
    ]


def _by_number(each: ChangedTuple) -> tuple[Any, ...]:
    known = str(_typed(each.value))
    return -each.errors, each.tuple_type, each.error_type, each.name, known, each.status


def _texts(result: Result, unit: Unit) -> dict[UnitKey, str]:
    found: dict[UnitKey, dict[str, None]] = {}
    for each in units_of(result.items, unit):
        key = each.framework, each.language, each.name
        # Layers are of one text, which is said once.
        found.setdefault(key, {}).update(dict.fromkeys(filter(None, each.texts)))
    return {key: " ".join(texts) for key, texts in found.items()}


def _moved(
    units: Iterable[UnitScores], places: tuple[int, int], texts: Mapping[UnitKey, str]
) -> Iterator[ChangedUnit]:
    for unit in units:
        before, after = (unit.values[place] for place in places)
        if before is None or after is None or abs(after - before) <= SLACK:
            continue
        key = unit.framework, unit.language, unit.item
        yield ChangedUnit(*key, texts.get(key, ""), before, after, after - before)


def _most(moved: Sequence[ChangedUnit], sign: int) -> list[ChangedUnit]:
    """The units that moved in one direction, most first; as in gold where equally."""
    changed_units = [
        changed_unit for changed_unit in moved if changed_unit.change * sign > 0
    ]
    return sorted(changed_units, key=lambda each: -abs(each.change))
