"""Results for people and programs: scores over summed raw counts.

A :class:`Result` belongs to one gold side, one system and one metric.  It holds
raw counts summed by framework, language, document and layer; everything it shows is the
metric's ``scores`` of some sum of those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from graphscore.evaluation.macro import (
    Means,
    Slice,
    class_means,
    macro_counts,
    macro_numbers,
    refuse_ambiguous,
)
from graphscore.evaluation.unit import ItemResult, ItemsField, SpuriousUnit
from graphscore.exceptions import UsageError, amount, did_you_mean, expecting, truncate
from graphscore.metrics.base import Metric, main_score
from graphscore.metrics.traits import FrameworkRemarks, trait
from graphscore.model.outcome import (
    COUNTED_TWICE,
    Count,
    ExactCounts,
    Match,
    RawCounts,
    Scores,
    exceeds,
    shares_over_one,
)
from graphscore.model.scope import Scope
from graphscore.rows import Rows, Tabular, brief, by_number

if TYPE_CHECKING:
    from graphscore.evaluation.confidence_intervals import Intervals
    from graphscore.evaluation.filters.description import Restriction
    from graphscore.evaluation.rows.errors import Confusions, Errors
    from graphscore.evaluation.rows.scores import ClassRows
    from graphscore.evaluation.several.runs import Deviations

GroupKey = tuple[str, str, str, str]
"""Framework, language, document, layer."""

COLUMNS = ("framework", "language", "document", "layer")

KeyT = TypeVar("KeyT")


@dataclass
class Result(Rows):
    """The outcome of scoring one system with one metric.

    Attributes:
        metric: the metric.
        raw_counts: summed raw counts by (framework, language, document, layer).
        pairs: gold units that were scored, missing system units included.
        missing_system: gold units without a system unit.
        spurious_system: system units without a gold unit.
        rejected: what is wrong with system records that could not be read.
        rejected_records: how many records those are.
        left_out: parts of system records that were left out.
        unproven: pairs whose optimum is not proven.
        reused: pairs whose result was found in the store.
        notes: what the user should know, one sentence each.
        items: per gold unit, in gold order, where that was asked for.
        because: why the metric was chosen, where nobody named it.
        intervals: confidence intervals, where asked for, or deviations over runs.
        references: those against each reference, of which this is made, if several.
        mode: what was made of them, ``best`` or ``mean``; empty where there is one.
        runs: those of each run, of which this is the mean, if several.
        chosen: with ``best``, for how many items each of them was.
        fetch: gives the items with their errors, where a store keeps them.
        restriction: what part of everything this is about, if that was asked for.
        scope: which graphs took part, and how they paired.
        columns: what tables and rows are broken down by.
    """

    metric: Metric
    gold: str = ""
    system: str = ""
    raw_counts: dict[GroupKey, RawCounts] = field(default_factory=dict)
    pairs: int = 0
    missing_system: int = 0
    spurious_system: list[SpuriousUnit] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    rejected_records: int = 0
    left_out: int = 0
    unproven: int = 0
    reused: int = 0
    notes: list[str] = field(default_factory=list)
    items: ItemsField = ItemsField()  # noqa: RUF009
    signature: str = ""
    because: str = ""
    intervals: Intervals | Deviations | None = None
    references: tuple[Result, ...] = ()
    runs: tuple[Result, ...] = ()
    mode: Literal["", "best", "mean"] = ""
    chosen: tuple[int, ...] = ()
    fetch: Callable[[], Sequence[ItemResult]] | None = field(
        default=None, repr=False, compare=False
    )
    restriction: Restriction | None = None
    scope: Scope = field(default_factory=Scope)
    columns: tuple[str, ...] = ("framework",)
    _scores: dict[tuple[str, ...], dict[tuple[str, ...], Scores]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Scores of slices that were asked for, by their columns."""

    def __getstate__(self) -> dict[str, Any]:
        """All but the way to the store, which is of this process, and scores."""
        return vars(self) | {"fetch": None, "_scores": {}}

    def add(self, key: GroupKey, raw_counts: Mapping[Any, int | float]) -> RawCounts:
        """Add the raw counts of a unit to its group, and return the group's sums."""
        if self._scores:
            self._scores.clear()
        sums = self.raw_counts.get(key)
        if not isinstance(sums, ExactCounts):  # Sums that were given may be plain.
            sums = self.raw_counts[key] = ExactCounts([sums or {}])
        return sums.add(raw_counts)

    def merge(self, other: Result) -> None:
        """Add what another result of the same metric counts of other units.

        Args:
            other: of the same gold and system.
        """
        for key, raw_counts in other.raw_counts.items():
            self.add(key, raw_counts)
        self.pairs += other.pairs
        self.missing_system += other.missing_system
        self.unproven += other.unproven

    def __add__(self, other: object) -> Result:
        """The result of the units of both, of one metric and scored in one way.

        Raises:
            UsageError: if they differ in these, or an item is in both.
        """
        if not isinstance(other, Result):
            return NotImplemented
        from graphscore.evaluation.adding import add_up

        return add_up([self, other])

    def __radd__(self, other: object) -> Result:
        """Begin a ``sum``, which begins with 0."""
        return self if other == 0 else NotImplemented

    @property
    def scores(self) -> Scores:
        """The metric's scores over everything; none where gold has no unit."""
        if self.nothing:
            return Scores({}, {})
        if () not in self._scores:
            self._scores[()] = {(): self.metric.scores(self.total)}
        return self._scores[()][()]

    @property
    def total(self) -> RawCounts:
        """The summed raw counts of everything."""
        return ExactCounts(self.raw_counts.values())

    @property
    def by_framework(self) -> dict[str, RawCounts]:
        """The summed raw counts of each framework."""
        return _sum_by_key(
            ((key[0], raw_counts) for key, raw_counts in self.raw_counts.items())
        )

    @property
    def nothing(self) -> bool:
        """Gold has no unit that the metric scores."""
        return not (self.pairs or self.raw_counts)

    @property
    def counts(self) -> dict[str, Count]:
        """Counts by tuple type, ``all`` last."""
        return self.scores.counts

    @property
    def main(self) -> Count | None:
        """The count that stands for the metric; ``None`` where gold has no unit."""
        return self.counts.get(self.metric.main)

    @property
    def precision(self) -> float:
        """Precision of the main tuple type; ``nan`` where gold has no unit."""
        return math.nan if self.main is None else self.main.precision

    @property
    def recall(self) -> float:
        """Recall of the main tuple type; ``nan`` where gold has no unit."""
        return math.nan if self.main is None else self.main.recall

    @property
    def f1(self) -> float:
        """F1 of the main tuple type; ``nan`` where gold has no unit."""
        return math.nan if self.main is None else self.main.f1

    @property
    def value(self) -> float:
        """The number that stands for the metric: its main F1 or leading score.

        It is ``nan`` where gold has no unit.
        """
        return math.nan if self.nothing else main_score(self.metric, self.scores)

    @property
    def proven(self) -> int:
        """Pairs whose optimum is proven."""
        return self.pairs - self.unproven

    @property
    def frameworks(self) -> list[str]:
        """The frameworks that were scored, in alphabetical order."""
        return sorted({key[0] for key in self.raw_counts})

    def by(self, *columns: str) -> dict[tuple[str, ...], Scores]:
        """Scores of every slice.

        Args:
            columns: any of :data:`COLUMNS`, or ``item``.

        Returns:
            Scores by the values of the columns, sorted.

        Raises:
            UsageError: if a column is unknown, or ``item`` without items.
        """
        if not columns:
            return {(): self.scores} if self.raw_counts else {}
        scores = self._scores.get(columns)
        if scores is None:
            rows = list(self._rows(columns))
            keys = {key for key, _ in rows}
            if len(keys) == 1 and "item" not in columns:
                # The only slice is everything.
                scores = dict.fromkeys(keys, self.scores)
            else:
                sums = _sum_by_key(rows)
                order = sorted(sums, key=lambda key: [*map(by_number, key)])
                scores = {key: self.metric.scores(sums[key]) for key in order}
            self._scores[columns] = scores
        return dict(scores)

    def _rows(
        self, columns: tuple[str, ...]
    ) -> Iterable[tuple[tuple[str, ...], Mapping[Any, int | float]]]:
        known = (*COLUMNS, "item")
        for column in columns:
            if column not in known:
                raise UsageError(
                    f"cannot group by "
                    f"{column!r}{did_you_mean(column, (*known, 'tuple_type'))}; "
                    f"there are: {', '.join(known)}, tuple type"
                )
        if "item" in columns:
            if self.pairs and not self.items:
                raise UsageError("grouping by item needs per-item results")
            for item in self.items:
                yield tuple(str(getattr(item, c)) for c in columns), item.raw_counts
            return
        indexes = [COLUMNS.index(column) for column in columns]
        for key, raw_counts in self.raw_counts.items():
            yield tuple(key[index] for index in indexes), raw_counts

    @property
    def macro_frameworks(self) -> Means:
        """Mean over frameworks of each tuple type's precision, recall and F1.

        A framework that the system lacks counts 0; one to which a tuple type does not
        apply, or where it is empty on both sides, has no part in the mean.
        """
        return self.macro_over("framework")

    @property
    def macro_classes(self) -> Means:
        """Mean over classes, such as entity types; empty if the metric has none."""
        return class_means(self)

    @property
    def macro(self) -> Means:
        """The mean over frameworks or over classes, whichever there is.

        Raises:
            UsageError: if there are both; :attr:`macro_frameworks` and
                :attr:`macro_classes` are named.
        """
        refuse_ambiguous(self)
        return self.macro_classes or self.macro_frameworks

    def macro_over(self, *columns: str) -> Means:
        """Mean over the units of each tuple type's precision, recall and F1.

        Args:
            columns: what the units are, as for :meth:`by`; frameworks without.

        Returns:
            Means by tuple type, where the F1 is the mean of the units' F1s.
        """
        return macro_counts(self.metric, self.slices(columns))

    def slices(self, columns: Iterable[str] = ()) -> list[Slice]:
        """Return the units that means are over, each with its frameworks.

        Args:
            columns: what they are, as for :meth:`by`; frameworks without.
        """
        chosen = tuple(columns) or ("framework",)
        index = chosen.index("framework") if "framework" in chosen else None
        everywhere = self.frameworks
        return [
            (everywhere if index is None else (key[index],), scores)
            for key, scores in self.by(*chosen).items()
        ]

    @property
    def errors(self) -> Errors:
        """Missing, spurious and partial tuples, one row each.

        Raises:
            UsageError: as soon as rows are asked for, if there are no details.
        """
        from graphscore.evaluation.rows.errors import Errors

        return Errors(self)

    @property
    def confusions(self) -> Confusions:
        """Confusions of gold and system values, with their frequencies.

        Raises:
            UsageError: as soon as rows are asked for, if there are no details.
        """
        from graphscore.evaluation.rows.errors import Confusions

        return Confusions(self)

    @property
    def per_class(self) -> ClassRows:
        """Precision, recall, F1 and support of each class; prints as seqeval does.

        Raises:
            UsageError: if the metric does not count by class.
        """
        from graphscore.evaluation.rows.scores import class_rows

        return class_rows(self)

    def tabular(self) -> Tabular:
        """A row for each framework and type, as ``graphscore score --csv`` has them."""
        from graphscore.evaluation.rows.scores import score_rows

        return score_rows(self, self.columns)

    def numbers(self) -> dict[str, float]:
        """Scores by name, such as ``mrp/all/f1`` and ``mrp/eds/edges/f1``.

        Precision, recall and F1 are ``METRIC/KIND/RATIO`` and, in a framework,
        ``METRIC/FRAMEWORK/KIND/RATIO``; further scores are ``METRIC/SCORE`` and
        ``METRIC/FRAMEWORK/SCORE``.
        """
        from graphscore.evaluation.rows.scores import flat_numbers

        return flat_numbers(self)

    @property
    def per_item(self) -> Sequence[ItemResult]:
        """Results of the gold units, in gold order."""
        return self.items

    @expecting(item=str, framework=str | None, layer=str | None)
    def correspondence(
        self, item: str, framework: str | None = None, layer: str | None = None
    ) -> list[Match]:
        """Return the matches of one item.

        Args:
            item: its id.
            framework: needed where several have the item.
            layer: likewise.

        Raises:
            UsageError: if there is no such item, or several frameworks or layers
                have it.
        """
        result = [
            item_result
            for item_result in self.items
            if item_result.item == item
            and framework in (None, item_result.framework)
            and layer in (None, item_result.layer)
        ]
        if not result:
            known = sorted({item_result.item for item_result in self.items})
            raise UsageError(
                f"no item {item!r} among the {len(self.items)} scored ones"
                f"{did_you_mean(item, known)}"
            )
        if len(result) > 1:
            several = (
                "layers" if len({x.framework for x in result}) == 1 else "frameworks"
            )
            layers = ", ".join(x.layer or x.framework for x in result)
            raise UsageError(f"item {item!r} exists in several {several}: {layers}")
        return list(result[0].matches)

    @property
    def over_one(self) -> str:
        """Scores that are more than 1, with the reason; empty if there are none."""
        result = shares_over_one(self.scores.counts)
        if not result or not any(map(exceeds, self.raw_counts.values())):
            return ""
        return f"{result}: {self.metric.over_one or COUNTED_TWICE}"

    def remarks(self) -> list[str]:
        """Return what the metric says of all sums, and of those of each framework."""
        total = self.total
        if not self.nothing:
            # Scores are of the same sums, which take long over thousands of documents.
            self._scores[()] = {(): self.metric.scores(total)}
        remarks = [*self.metric.remarks(total)]
        remarking = trait(self.metric, FrameworkRemarks)
        # Few metrics have any; sums of thousands of documents take long.
        sums = self.by_framework if type(remarking) is not FrameworkRemarks else {}
        for framework, raw_counts in sorted(sums.items()):
            if remark := remarking.remark_on(framework, raw_counts):
                remarks.append(f"{self.system}: {remark}")
        if over_one := self.over_one:
            remarks.append(f"{self.metric}: more than 1: {over_one}")
        return remarks

    def to_dict(
        self, by: Iterable[str] = ("framework",), per_item: bool = False
    ) -> dict[str, Any]:
        """Return the JSON contract: plain values at full precision."""
        scores = self.scores
        columns = tuple(column for column in by if column != "tuple_type")
        frameworks, over_one = self.slices(("framework",)), self.over_one
        result: dict[str, Any] = {
            "metric": str(self.metric),
            "signature": self.signature,
            **(self.restriction.to_dict() if self.restriction else {}),
            "scope": self.scope.to_dict(),
            "main": None if self.nothing else self.metric.leading or self.metric.main,
            "pairs": self.pairs,
            "missing_system": self.missing_system,
            "spurious_system": len(self.spurious_system),
            "rejected": self.rejected_records,
            "proven": self.proven,
            "reused": self.reused,
            "counts": _counts(scores),
            "scores": dict(scores.numbers),
            **({"over_one": over_one} if over_one else {}),
            "groups": [
                dict(zip(columns, key, strict=True))
                | {"counts": _counts(group), "scores": dict(group.numbers)}
                | (self._bounds_of(columns, key, group) if self.intervals else {})
                for key, group in self.by(*columns).items()
            ],
            "macro_frameworks": {
                "counts": macro_counts(self.metric, frameworks),
                "scores": macro_numbers(self.metric, frameworks),
            },
            "macro_classes": {
                name.removeprefix("macro."): number
                for name, number in scores.numbers.items()
                if name.startswith("macro.")
            },
        }
        if self.references:
            result["references"] = self._references()
        if self.runs:
            result["runs"] = [
                {"system": run.system, "value": None if run.nothing else run.value}
                for run in self.runs
            ]
        if self.intervals is not None:
            # Where they were asked for.
            from graphscore.evaluation.confidence_intervals import bounded_whole

            value = None if self.nothing else self.value
            result |= bounded_whole(value, self.intervals)
        if per_item:
            result["items"] = [self._item(item) for item in self.items]
        return result

    def _references(self) -> dict[str, Any]:
        """Return the score of each reference, and for how many items it was chosen."""
        golds: list[dict[str, Any]] = [
            {
                "gold": reference.gold,
                "value": None if reference.nothing else reference.value,
                "pairs": reference.pairs,
                "signature": reference.signature,
            }
            for reference in self.references
        ]
        for gold, chosen in zip(golds, self.chosen, strict=False):
            gold["chosen"] = chosen
        return {"mode": self.mode, "golds": golds}

    def _bounds_of(
        self, columns: tuple[str, ...], key: tuple[str, ...], scores: Scores
    ) -> dict[str, Any]:
        """Return the main score of a slice with its interval."""
        from graphscore.evaluation.confidence_intervals import bounded

        assert self.intervals is not None
        value = main_score(self.metric, scores)
        return bounded(value, self.intervals.group(columns, key), self.intervals.name)

    def _item(self, item: ItemResult) -> dict[str, Any]:
        scores = self.metric.scores(item.raw_counts)
        return {
            "framework": item.framework,
            "language": item.language,
            "item": item.item,
            "document": item.document,
            **({"layer": item.layer} if item.layer else {}),
            "text": "\n".join(item.texts),
            "missing": item.missing,
            "errors": len(item.errors),
            **({"reference": item.reference} if item.reference else {}),
            "counts": _counts(scores),
            "value": main_score(self.metric, scores),
            "proven": item.proven,
            "bound": item.bound,
        }

    def __repr__(self) -> str:
        lost = {"missing": self.missing_system, "rejected": self.rejected_records}
        named = [f"{number} {name}" for name, number in lost.items() if number]
        counts = ", ".join(
            [amount(self.pairs, "pair"), *named, f"{self.proven} proven"]
        )
        score = f"{self.metric.leading or 'F1'} {self.value:.4f}"
        return brief("Result", f"{truncate(str(self.metric))}: {score} over {counts}")


def _sum_by_key(
    rows: Iterable[tuple[KeyT, Mapping[Any, int | float]]],
) -> dict[KeyT, RawCounts]:
    """The summed raw counts of every key."""
    sums: dict[KeyT, ExactCounts] = {}
    for key, raw_counts in rows:
        sums.setdefault(key, ExactCounts()).add(raw_counts)
    return {**sums}


def _counts(scores: Scores) -> dict[str, dict[str, int | float]]:
    return {tuple_type: count.to_dict() for tuple_type, count in scores.counts.items()}
