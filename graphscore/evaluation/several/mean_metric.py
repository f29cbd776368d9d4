"""A metric's scores in several scorings of the same items, and the mean of each.

The scorings are those against several references, or of several runs of a system.
Their raw counts are kept beside each other, the number of the scoring before the tuple
type, so that they are summed, sliced and resampled like those of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphscore.metrics.base import Metric, Wrapper, taken_from
from graphscore.metrics.traits import (
    Amounts,
    FrameworkRemarks,
    is_ratio,
    trait,
)
from graphscore.model.outcome import (
    Count,
    CountKey,
    MeanCount,
    RawCounts,
    Scores,
)

THERE = "there"
"""The quantity that says that a scoring has anything of what was summed."""


class ScoringsCount(MeanCount):
    """The counts of a type in every scoring; the sum of two is one of each.

    >>> one = ScoringsCount((Count(1, 1, 1), Count(1, 1, 0)))
    >>> two = ScoringsCount((Count(3, 1, 1), Count(1, 1, 0)))
    >>> one.plus(two).parts[0], one.plus(two).recall
    (Count(gold=4, system=2, matched=2, matched_system=None), 0.25)
    """

    def plus(self, other: Count) -> Count:
        """The sum, by scorings."""
        if isinstance(other, ScoringsCount) and len(other.parts) == len(self.parts):
            both = zip(self.parts, other.parts, strict=True)
            return ScoringsCount(left.plus(right) for left, right in both)
        return super().plus(other)


class MeanAmount(float):
    """The mean of whole numbers, which is an amount and no ratio."""


def raw_counts_of_scoring(
    number: int, raw_counts: Mapping[CountKey, int | float], often: int = 1
) -> RawCounts:
    """Raw counts as those of one of several scorings.

    Args:
        number: of the scoring.
        raw_counts: of it.
        often: of how many parts they are the sum.

    >>> raw_counts_of_scoring(1, {("all", "", "gold"): 2})
    {('1:', '', 'there'): 1, ('1:all', '', 'gold'): 2}
    """
    result: RawCounts = {(f"{number}:", "", THERE): often}
    for (tuple_type, label, quantity), value in raw_counts.items():
        result[f"{number}:{tuple_type}", label, quantity] = value
    return result


def split_scorings(raw_counts: Mapping[CountKey, int | float]) -> list[RawCounts]:
    """The raw counts of every scoring that has any of what was summed.

    Args:
        raw_counts: sums of what :func:`raw_counts_of_scoring` gives.
    """
    result: dict[int, RawCounts] = {}
    numbers: dict[int, int | float] = {}
    for (tuple_type, label, quantity), value in raw_counts.items():
        number, _, name = tuple_type.partition(":")
        if name or quantity != THERE:
            result.setdefault(int(number), {})[name, label, quantity] = value
        else:
            numbers[int(number)] = value
    return [result.get(number, {}) for number in sorted(numbers) if numbers[number]]


@dataclass(frozen=True)
class MeanMetric(Wrapper, Amounts, FrameworkRemarks):
    """A metric whose every score is the mean over several scorings.

    Amounts are sums over the scorings; no ratio follows from them.

    Args:
        inner: the metric.

    Example:
        >>> from graphscore.metrics.registry import parse
        >>> from graphscore.model.outcome import add_raw_counts
        >>> mrp = MeanMetric(parse("mrp"))
        >>> sums = {}
        >>> for number, matched in enumerate((4, 2)):
        ...     raw_counts = {("labels", "", name): 4 for name in ("gold", "system")}
        ...     raw_counts["labels", "", "matched"] = matched
        ...     add_raw_counts(sums, raw_counts_of_scoring(number, raw_counts))
        >>> str(mrp), mrp.inner.scores(split_scorings(sums)[1]).counts["all"].f1
        ('mrp', 0.5)
        >>> mrp.scores(sums).counts["all"].f1
        0.75
    """

    inner: Metric

    name = taken_from("inner.name")
    revision = taken_from("inner.revision")

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The mean of every score, over the scorings that have it."""
        every = [
            self.inner.scores(own_counts)
            for own_counts in split_scorings(raw_counts) or [{}]
        ]
        tuple_types = dict.fromkeys(
            tuple_type for scores in every for tuple_type in scores.counts
        )
        counts: dict[str, Count] = {
            tuple_type: ScoringsCount(
                scores.counts[tuple_type]
                for scores in every
                if tuple_type in scores.counts
            )
            for tuple_type in tuple_types
        }
        names = dict.fromkeys(name for scores in every for name in scores.numbers)
        numbers = {
            name: _mean(
                [scores.numbers[name] for scores in every if name in scores.numbers]
            )
            for name in names
        }
        return Scores(counts, numbers)

    def is_ratio(self, score: str, value: float) -> bool:
        """Return whether the metric's score is a ratio; a mean of amounts is none."""
        return not isinstance(value, MeanAmount) and is_ratio(self.inner, score, value)

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Return the remarks on the raw counts of any scoring, deduplicated."""
        lines = (
            note
            for own_counts in split_scorings(raw_counts)
            for note in self.inner.remarks(own_counts)
        )
        return list(dict.fromkeys(lines))

    def remark_on(
        self, framework: str, raw_counts: Mapping[CountKey, int | float]
    ) -> str:
        """Return the remark of the first scoring that has one."""
        remarks = trait(self.inner, FrameworkRemarks)
        lines = (
            remarks.remark_on(framework, own_counts)
            for own_counts in split_scorings(raw_counts)
        )
        return next(filter(None, lines), "")

    def __str__(self) -> str:
        return str(self.inner)


def _mean(values: Sequence[float]) -> float:
    """The mean of what is defined; undefined where nothing is."""
    # What is not equal to itself is undefined.  Asked so, not by math.isnan, many
    # samples can be asked at once.
    defined = [value for value in values if value == value]
    if not defined:
        return values[0]
    mean = sum(defined) / len(defined)
    if all(isinstance(value, int) for value in defined):
        return MeanAmount(mean)
    return mean
