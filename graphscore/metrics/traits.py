"""Traits of metrics that only some families have, each with what holds without it.

>>> from graphscore.metrics.registry import parse
>>> sums_over(parse("las")), sums_over(parse("mrp"))
('sentence', '')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar

from graphscore.correspondence import Budget
from graphscore.model.outcome import Count, CountKey, Error, Outcome, RawCounts, Scores

AMOUNTS = frozenset({"gold", "system", "matched", "errors"})
"""Suffixes of the names of scores that are amounts, whole or not."""

T = TypeVar("T")


def trait(metric: Any, kind: type[T]) -> T:
    """Return the metric, or the one that it wraps, as what has a trait.

    Args:
        metric: any metric.
        kind: the class of the trait.

    Returns:
        The trait as it is without the metric, where it has none.
    """
    while not isinstance(metric, kind):
        if (metric := getattr(metric, "inner", None)) is None:
            return kind()
    return metric


def sums_over(metric: Any) -> Literal["", "sentence", "document"]:
    """Return what the raw counts of a metric's units are sums over, if anything."""
    return trait(metric, SumsOver).sums_over


def is_ratio(metric: Any, score: str, value: float) -> bool:
    """True if a further score of a metric is a ratio, as tables show it."""
    return trait(metric, Amounts).is_ratio(score, value)


def ratio_names(metric: Any, scores: Scores) -> list[str]:
    """Return the further scores that have intervals: what is counted has none."""
    return [
        name
        for name, value in scores.numbers.items()
        if name == metric.leading or is_ratio(metric, name, value)
    ]


class SumsOver:
    """Raw counts that are sums over parts of a unit.

    Class attributes:
        sums_over: what the raw counts of a unit are sums over, where that is smaller
            than the unit: ``sentence`` or ``document``; :meth:`shares` gives them.
            Documents of sentences are known by their characters, so that those of
            both sides that begin or end in different places are joined.
    """

    sums_over: ClassVar[Literal["", "sentence", "document"]] = ""

    def shares(
        self, gold: Sequence[Any], system: Sequence[Any], *, budget: Budget
    ) -> Sequence[RawCounts]:
        """The raw counts of a unit, shared out among its gold graphs.

        They add up to what ``compare`` gives.  What is of the system alone goes to
        the gold graph where it stands.

        Args:
            gold: prepared gold graphs of the unit, in order.
            system: prepared system graphs, in order; empty where missing.
            budget: how much work may be spent.

        Returns:
            Raw counts of every gold graph, in order; nothing unless the metric says
            what it ``sums_over``.
        """
        return ()

    def places(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        errors: Sequence[Error],
        *,
        budget: Budget,
    ) -> Sequence[int]:
        """The gold graph of a unit that each error belongs to, as its raw counts do.

        Args:
            gold: prepared gold graphs of the unit, in order.
            system: prepared system graphs, in order; empty where missing.
            errors: those of the unit.
            budget: how much work may be spent.

        Returns:
            The number of a gold graph for every error; nothing unless the metric says
            what it ``sums_over``.
        """
        return ()


class Batched:
    """Units that are compared faster together than one by one.

    Class attributes:
        batched: whether many units are compared in one go.
    """

    batched: ClassVar[bool] = False

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare one unit as one of many."""
        pairs = [(gold, system)]
        return self.compare_many(pairs, budget=budget, details=details)[0]

    def compare_many(
        self,
        pairs: Sequence[tuple[Sequence[Any], Sequence[Any]]],
        *,
        budget: Budget,
        details: bool = True,
    ) -> list[Outcome]:
        """Compare many units in one go.

        Args:
            pairs: prepared graphs of both sides of each unit.
            budget: how much work may be spent on each.
            details: whether matches and errors are wanted beside the raw counts.

        Returns:
            An outcome for each pair, equal to that of ``compare``.
        """
        raise NotImplementedError


class Nested:
    """Parts of what is matched that are matched, so that errors have levels."""

    @property
    def is_nested(self) -> bool:
        """True if errors have levels."""
        return False

    def part_of(self, tuple_type: str, level: int) -> str:
        """Return the name of the objects that errors at a level are about.

        Args:
            tuple_type: a kind of errors.
            level: how deep, 0 for what is matched first.

        Returns:
            Names of what is matched there.
        """
        return ""


class TupleTypeGroups:
    """Names and groups of tuple types.

    Class attributes:
        aliases: other names of tuple types, where scores are asked for by name.
        groups: tuple types that are also counted together, by the name of their scores.
    """

    aliases: ClassVar[Mapping[str, str]] = {}
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {}


class Confused:
    """Trait: the part of errors by which confusions are counted.

    Class attributes:
        confuses: their values, or labels where the values are the words.
    """

    confuses: ClassVar[Literal["value", "label"]] = "value"


class Amounts:
    """Further scores, some of which are amounts and no ratios."""

    def is_ratio(self, score: str, value: float) -> bool:
        """True if a further score is a ratio, which tables show times 100.

        By default, all but whole numbers and amounts, by their names.

        Args:
            score: its name.
            value: what it is.
        """
        return isinstance(value, float) and score.rpartition(".")[2] not in AMOUNTS


class Losses:
    """Trait: further scores that count errors, or are shares of them."""

    def is_loss(self, score: str) -> bool:
        """True if a score is the better the lower it is; none is by default.

        Args:
            score: its name.
        """
        return False


class ItemScores(ABC):
    """Trait: scores of one item of many that are worked out faster than all."""

    @abstractmethod
    def item_scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The scores of one item: at least the counts and the leading score.

        Args:
            raw_counts: those of the item.
        """


class ClassCounts:
    """Counts of each class, such as types of entities or roles.

    Class attributes:
        classed: tuple types whose labels are the classes.
    """

    classed: ClassVar[tuple[str, ...]] = ()

    def classes(self, raw_counts: Mapping[CountKey, int | float]) -> dict[str, Count]:
        """Return the count of each class that either side has.

        Args:
            raw_counts: summed raw counts.
        """
        classes: dict[str, list[int | float]] = {}
        for tuple_type in self.classed:
            for label in sorted(
                {key[1] for key in raw_counts if key[0] == tuple_type and key[1]}
            ):
                # Under one frame a role may be core, and under another not.
                amounts = classes.setdefault(label, [0, 0, 0])
                for k, quantity in enumerate(("gold", "system", "matched")):
                    amounts[k] += raw_counts.get((tuple_type, label, quantity), 0)
        return {label: Count(*amounts) for label, amounts in classes.items()}


class FrameworkRemarks:
    """Trait: remarks on what was counted of a framework."""

    def remark_on(
        self, framework: str, raw_counts: Mapping[CountKey, int | float]
    ) -> str:
        """Return a sentence about a framework; nothing by default.

        Args:
            framework: its name.
            raw_counts: its summed raw counts.
        """
        return ""
