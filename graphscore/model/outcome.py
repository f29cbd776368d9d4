"""Outcome of a metric for one pair: raw counts, matches, errors.

An :class:`Outcome` is all that metrics and store share: *raw_counts* (additive
numbers), the *matches* that were found and the *errors* that were left.  A raw count
is keyed by (tuple type, label, quantity).  Micro averages, slices by document,
sweeps and resampling all add raw counts and hand the sum to the metric's
``scores``, so that no number is ever averaged or rounded on the way.

Sums of raw counts do not depend on the order in which they are added up: doubles are
added as whole numbers of the smallest double there is, so that nothing is lost on the
way, and rounded once.  One run over everything and the sums of its parts, in whatever
order they come, therefore give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import isfinite
from operator import add
from typing import Any, Literal, NamedTuple, Self

import msgspec

from graphscore.model.graph import Value

CountKey = tuple[str, str, str]
"""Tuple type, label (``""`` for the tuple type as a whole) and quantity."""

RawCounts = dict[CountKey, int | float]
"""Additive numbers; absent means 0."""

ErrorType = Literal["missing", "spurious", "partial"]


class Count(NamedTuple):
    """Gold, system and matched amounts of one tuple type.

    Example:
        >>> count = Count(4, 5, 3)
        >>> count.precision, count.recall, round(count.f1, 4)
        (0.6, 0.75, 0.6667)
        >>> Count(0, 0, 0).f1
        0.0
    """

    gold: int | float = 0
    """Amount on the gold side, the denominator of recall."""
    system: int | float = 0
    """Amount on the system side, the denominator of precision."""
    matched: int | float = 0
    """Numerator of recall."""
    matched_system: int | float | None = None
    """Numerator of precision where it is not ``matched``."""

    def plus(self, other: Count) -> Count:
        """The sum of two counts."""
        both = None
        if self.matched_system is not None or other.matched_system is not None:
            both = self.correct_system + other.correct_system
        return Count(
            self.gold + other.gold,
            self.system + other.system,
            self.matched + other.matched,
            both,
        )

    @property
    def correct_system(self) -> int | float:
        """Numerator of precision."""
        return self.matched if self.matched_system is None else self.matched_system

    @property
    def precision(self) -> float:
        """Matched share of the system's amount; 0 where there is none."""
        return self.correct_system / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """Matched share of the gold amount; 0 where there is none."""
        return self.matched / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 where both are 0."""
        if self.matched_system is None:
            total = self.gold + self.system
            return 2 * self.matched / total if total else 0.0
        precision, recall = self.precision, self.recall
        total = precision + recall
        return 2 * precision * recall / total if total else 0.0

    def to_dict(self) -> dict[str, int | float]:
        """Amounts and ratios by name, at full precision."""
        result: dict[str, int | float] = {
            "gold": self.gold,
            "system": self.system,
            "matched": self.matched,
        }
        if self.matched_system is not None:
            result["matched_system"] = self.matched_system
        result |= {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return result


class MeanCount(Count):
    """Several counts whose ratios are averaged: each is as good as the others.

    The amounts are sums, which say how much was compared; no ratio follows from
    them.

    Args:
        parts: the counts; the mean of none is 0.

    Example:
        >>> mean = MeanCount((Count(4, 4, 4), Count(2, 1, 1)))
        >>> mean.precision, mean.recall, round(mean.f1, 4)
        (1.0, 0.75, 0.8333)
    """

    parts: tuple[Count, ...]

    def __new__(cls, parts: Iterable[Count]) -> MeanCount:
        """Keep the parts beside their sum."""
        kept = tuple(parts)
        result = super().__new__(cls, *total_count(kept))
        result.parts = kept
        return result

    def __getnewargs__(self) -> tuple[tuple[Count, ...]]:
        """Return the arguments for pickle and copy."""
        return (self.parts,)

    @property
    def precision(self) -> float:
        """Mean precision."""
        return self._mean("precision")

    @property
    def recall(self) -> float:
        """Mean recall."""
        return self._mean("recall")

    @property
    def f1(self) -> float:
        """Mean F1."""
        return self._mean("f1")

    def _mean(self, name: str) -> float:
        result: list[float] = [getattr(part, name) for part in self.parts]
        return in_turn(result) / len(result) if result else 0.0


def in_turn(values: Iterable[float]) -> float:
    """A sum, each value added to those before it and rounded.

    ``sum`` does so up to Python 3.11, and loses less from 3.12 on; what is resampled is
    arrays, which every Python adds so.  A score is the same wherever it is worked out.

    Args:
        values: numbers, or arrays of them.

    Example:
        >>> in_turn([0.1] * 10)
        0.9999999999999999
    """
    return reduce(add, values, 0.0)


class Scores(NamedTuple):
    """Everything a metric says of summed raw counts.

    Example:
        >>> Scores({"edges": Count(4, 5, 3), "all": Count(4, 5, 3)}, {})
        <Scores of 2 tuple types and 0 others: all F1 0.6667>
    """

    counts: dict[str, Count]
    """By tuple type, in the metric's order, ``all`` last."""
    numbers: dict[str, float]
    """The metric's other scores, by name."""

    def __repr__(self) -> str:
        """Return numbers of scores and the F1 of all, however many there are."""
        counts = self.counts
        last = f": all F1 {counts['all'].f1:.4f}" if "all" in counts else ""
        return (
            f"<Scores of {len(counts)} tuple types and {len(self.numbers)} "
            f"others{last}>"
        )


class ScoreTable(NamedTuple):
    """Scores of a metric that are read together: a small table beneath its scores.

    Example:
        >>> table = ScoreTable("by role", ("role", "F1"), {"A0": (0.5,)})
        >>> table.rows["A0"]
        (0.5,)
    """

    title: str
    columns: tuple[str, ...]
    """The first one names the rows."""
    rows: dict[str, tuple[int | float | None, ...]]
    """Ratios (``float``) and counts (``int``) by name: ``None`` where there is no such
    score, ``nan`` where it is undefined."""


class Match(NamedTuple):
    """A gold object and the system object it corresponds to."""

    object: str
    """``node``, ``edge`` or a derived object of the metric."""
    gold: int | None
    system: int | None
    credit: float
    """Credit of the match."""
    parent: int | None = None
    """Position of the match that this one is part of."""
    level: int = 0


class Error(NamedTuple):
    """One tuple that did not match."""

    error_type: ErrorType
    tuple_type: str
    object: str
    gold: int | None
    """Ordinal of the gold object; of its counterpart for a spurious tuple."""
    system: int | None
    """Ordinal of the system object; of its counterpart for a missing tuple."""
    label: Value
    name: str
    value: Value
    """Value as in the file; of an inverted role (``ARG1-of``) its base role."""
    compared: str | None
    """Compared value, if it differs from the value as written."""
    reason: str
    """``no counterpart``, ``absent`` or ``differs``."""
    credit: float = 0.0
    parent: int | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """Outcome of one metric for one pair.

    ``score`` and ``bound`` are in the metric's own objective; ``proven`` says
    that no other correspondence scores more.
    """

    raw_counts: RawCounts
    score: float
    bound: float
    proven: bool
    steps: int
    method: str
    matches: tuple[Match, ...] = ()
    errors: tuple[Error, ...] = ()


def add_raw_counts(total: RawCounts, more: Mapping[CountKey, int | float]) -> None:
    """Add *more* to *total*, in place.

    >>> total = {("tops", "", "gold"): 1}
    >>> add_raw_counts(total, {("tops", "", "gold"): 2, ("tops", "", "system"): 1})
    >>> total
    {('tops', '', 'gold'): 3, ('tops', '', 'system'): 1}
    """
    for key, value in more.items():
        total[key] = total.get(key, 0) + value


def count_of(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str, label: str = ""
) -> Count:
    """The count of one tuple type, or of a label of it, from summed raw counts."""
    return Count(
        raw_counts.get((tuple_type, label, "gold"), 0),
        raw_counts.get((tuple_type, label, "system"), 0),
        raw_counts.get((tuple_type, label, "matched"), 0),
        raw_counts.get((tuple_type, label, "matched_system")),
    )


def counts_of(
    raw_counts: Mapping[CountKey, int | float], tuple_types: Iterable[str]
) -> dict[str, Count]:
    """The count of each tuple type, from summed raw counts."""
    return {tuple_type: count_of(raw_counts, tuple_type) for tuple_type in tuple_types}


def total_count(counts: Iterable[Count]) -> Count:
    """The sum of several counts."""
    total = Count()
    for count in counts:
        total = total.plus(count)
    return total


def exceeds(raw_counts: Mapping[CountKey, int | float]) -> bool:
    """True if more is matched of anything than there is, so that a share may be over 1.

    Args:
        raw_counts: of a pair, or summed.

    Example:
        >>> exceeds({("one", "", "gold"): 2, ("one", "", "matched"): 3})
        True
    """
    for (tuple_type, label, quantity), amount in raw_counts.items():
        if quantity == "matched":
            both = (tuple_type, label, "matched_system") in raw_counts
            sides = ("gold",) if both else ("gold", "system")
        elif quantity == "matched_system":
            sides = ("system",)
        else:
            continue
        if any(amount > raw_counts.get((tuple_type, label, side), 0) for side in sides):
            return True
    return False


MORE = 1 + 1e-9
"""From what share on it is more than 1, and not only rounded."""

COUNTED_TWICE = "what is right counts for more than there is"
"""Why a share can be more than 1, of metrics that do not say it themselves."""


def shares_over_one(counts: Mapping[str, Count]) -> str:
    """Describe the ratios that exceed 1; empty if none does.

    Args:
        counts: by tuple type, ``all`` last; ``all`` is named where no other tuple type
            is.

    Example:
        >>> shares_over_one({"one": Count(2, 4, 3), "all": Count(2, 4, 3)})
        'one has recall 1.5000'
    """
    result: list[str] = []
    for tuple_type, count in counts.items():
        shares = {"recall": count.recall, "precision": count.precision}
        over = [f"{name} {share:.4f}" for name, share in shares.items() if share > MORE]
        if over and (tuple_type != "all" or not result):
            result.append(f"{tuple_type} has {' and '.join(over)}")
    return ", ".join(result)


SHIFT = 1074
"""The smallest double is one part in two to the power of this."""

_ONE = 1 << SHIFT


def to_scaled_integer(value: float) -> int:
    """A finite double as a whole number of the smallest double.

    Args:
        value: any finite number.

    Raises:
        OverflowError: of an infinite one.
        ValueError: of ``nan``.

    Example:
        >>> total = to_scaled_integer(0.1) + to_scaled_integer(0.2)
        >>> to_scaled_integer(5e-324), to_nearest_double(total)
        (1, 0.30000000000000004)
    """
    numerator, denominator = value.as_integer_ratio()
    return numerator << (SHIFT + 1 - denominator.bit_length())


def to_nearest_double(value: int) -> float:
    """The double nearest to a whole number of the smallest double.

    Args:
        value: what :func:`to_scaled_integer` gave, or a sum of such.
    """
    return value / _ONE


_WHOLE = frozenset((int,))


class ExactCounts(RawCounts):
    """Raw counts that are added up exactly; what is read of them is rounded once.

    Args:
        several: what is added up.

    Attributes:
        exact: the sums that have doubles in them, in :func:`to_scaled_integer` numbers.

    Example:
        >>> key = ("b3", "", "matched")
        >>> sums = ExactCounts([{key: 0.1}, {key: 0.2}, {key: 0.3}])
        >>> sums[key], 0.1 + 0.2 + 0.3
        (0.6, 0.6000000000000001)
    """

    __slots__ = ("exact",)

    def __init__(self, several: Iterable[Mapping[CountKey, int | float]] = ()) -> None:
        super().__init__()
        self.exact: dict[CountKey, int] = {}
        for raw_counts in several:
            self.add(raw_counts)

    def add(self, raw_counts: Mapping[CountKey, int | float]) -> Self:
        """Add some raw counts, or exact sums of such, in place."""
        sums = raw_counts.exact if isinstance(raw_counts, ExactCounts) else {}
        exact, get = self.exact, self.get
        if not sums and {*map(type, raw_counts.values())} <= _WHOLE:
            # Most metrics count whole things.
            for key, value in raw_counts.items():
                self[key] = get(key, 0) + value
            for key in exact:
                value = raw_counts.get(key, 0)
                if value and isinstance(self[key], float) and isfinite(self[key]):
                    exact[key] += to_scaled_integer(value)
                    self[key] = to_nearest_double(exact[key])
            return self
        for key, value in raw_counts.items():
            if isinstance(value, int) and key not in exact:
                self[key] = get(key, 0) + value
                continue
            before = get(key, 0)
            both = before + value
            if getattr(both, "ndim", 0) or not isfinite(both):
                # Nothing is lost of what is infinite already, and columns of samples
                # are added as they are.
                self[key] = both
            else:
                whole = exact[key] if key in exact else to_scaled_integer(before)
                exact[key] = whole + (
                    sums[key] if key in sums else to_scaled_integer(value)
                )
                # What comes first is rounded already.
                self[key] = to_nearest_double(exact[key]) if before else both
        return self

    def in_order(self, rank: Callable[[CountKey], Any]) -> ExactCounts:
        """The same in another order.

        Args:
            rank: gives what raw counts are sorted by.
        """
        exact_counts = ExactCounts()
        for key in sorted(self, key=rank):
            exact_counts[key] = self[key]
            if key in self.exact:
                exact_counts.exact[key] = self.exact[key]
        return exact_counts
