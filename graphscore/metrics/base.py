"""Metric interface: a named value with declared parameters, and four functions.

A metric is a frozen dataclass.  Its fields are its parameters; its canonical
string (``mrp``, ``mrp(order=free)``) is the same in Python, on the command line
and in the database, and parsing it gives back an equal metric.

``prepare`` lays out one graph (once per graph), ``compare`` takes a unit of each
side and returns an :class:`~graphscore.model.outcome.Outcome`, and ``scores`` turns
summed raw counts into everything that is printed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Literal

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.parameterized import Parameterized
from graphscore.metrics.traits import ItemScores, Losses, trait
from graphscore.model.frameworks import FRAMEWORKS, UNKNOWN
from graphscore.model.frameworks import framework as known
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Outcome,
    Scores,
    ScoreTable,
    counts_of,
    total_count,
)
from graphscore.model.outcome_builder import OutcomeBuilder

Unit = Literal["item", "document", "collection"]

ANOTHER_ORDER = "would have scored higher, as lists are compared in order"
"""Remark on lists whose comparison in order cost matches."""


# A dataclass, though it has no fields: attributes that a subclass makes parameters of
# stand in the names of metrics in the order in which they stand here.
@dataclass(frozen=True)
class Metric(Parameterized, ABC):
    """Base of every metric.

    Class attributes:
        title: one line about it.
        citation: the publication that defines it.
        follows: whose number the default is: a program with its version, or a
            definition.
        unit: what is paired and handed to ``compare``.
        frameworks: what it can score; empty means every framework, but those whose
            graphs are made of others.
        made_for: what of these it scores where nobody names a framework; empty means
            all of them.
        leading: the score that stands for the metric, where that is not the F1 of
            its main tuple type: an error rate, a value.
        less_is_better: whether that score is the better the lower it is.
    """

    title: ClassVar[str]
    citation: ClassVar[str]
    follows: ClassVar[str] = ""
    unit: ClassVar[Unit] = "item"
    frameworks: ClassVar[frozenset[str]] = frozenset()
    made_for: ClassVar[frozenset[str]] = frozenset()
    leading: ClassVar[str] = ""
    less_is_better: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, graph: Graph) -> Any:
        """Lay out one graph for comparing; done once per graph."""

    @abstractmethod
    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare one unit of each side.

        Args:
            gold: prepared gold graphs of the unit, in order; one for an item.
            system: prepared system graphs, in order; empty where missing.
            budget: how much work may be spent.
            details: whether matches and errors are wanted beside the raw counts.

        Returns:
            Raw counts, proof, and on demand matches and errors.
        """

    @property
    def layout(self) -> Hashable:
        """Metrics of equal layout take the graphs that the others prepared.

        Then a graph is prepared once for all of them.  By default a metric shares
        with none but itself.
        """
        return self

    @property
    def revision(self) -> int:
        """Number that rises whenever a number of this metric can move."""
        return 1

    @property
    @abstractmethod
    def tuple_types(self) -> tuple[str, ...]:
        """Disjoint tuple types that ``all`` sums, in table order."""

    @property
    def main(self) -> str:
        """The tuple type that stands for the metric."""
        return "all"

    @property
    def spans_by(self) -> Literal["characters", "tokens", "words", "strings"]:
        """Unit by which spans are compared.

        ``tokens`` where both sides have as many tokens and sentences in texts that
        differ; ``words`` where the metric itself compares them so, sentences or not;
        ``strings`` where they are known by what they say, wherever that stands.
        """
        return "characters"

    @property
    def error_tuple_types(self) -> tuple[str, ...]:
        """The tuple types that errors can be of."""
        return self.tuple_types

    def applicable(self, framework: str) -> frozenset[str]:
        """Tuple types that *framework* has at all; tables leave the others blank."""
        return frozenset(self.tuple_types)

    @property
    def over_one(self) -> str:
        """Why recall or precision can be more than 1; nothing where neither can.

        Where one is, a note of the result says so, with the reason.
        """
        return ""

    @property
    def normalization(self) -> str:
        """Description of the normalization, for the signature."""
        return "none"

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Everything that is printed, from summed raw counts.

        The default gives a count per tuple type and ``all``, their sum.
        """
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = total_count(counts.values())
        return Scores(counts, {})

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Yield remarks on the total raw counts, one sentence each."""
        return ()

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """The further scores that tables show where nobody asks for more.

        Args:
            numbers: all of them, by name.
        """
        return numbers

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Further tables that belong beneath that of the scores.

        What they show need not be among the :meth:`brief` scores.

        Args:
            scores: what :meth:`scores` gave.

        Returns:
            None by default.
        """
        return ()


def taken_from(path: str) -> Any:
    """An attribute of a metric that is one of its parts'.

    Args:
        path: where it is, with dots between.
    """
    return property(attrgetter(path))


class Wrapper(Metric, Correctable):
    """Base of metrics that are made of another one, and are as it is.

    Attributes:
        inner: the other metric.
    """

    inner: Metric

    title = taken_from("inner.title")
    citation = taken_from("inner.citation")
    follows = taken_from("inner.follows")
    unit = taken_from("inner.unit")
    frameworks = taken_from("inner.frameworks")
    made_for = taken_from("inner.made_for")
    tuple_types = taken_from("inner.tuple_types")
    main = taken_from("inner.main")
    leading = taken_from("inner.leading")
    less_is_better = taken_from("inner.less_is_better")
    spans_by = taken_from("inner.spans_by")
    layout = taken_from("inner.layout")
    error_tuple_types = taken_from("inner.error_tuple_types")
    applicable = taken_from("inner.applicable")
    normalization = taken_from("inner.normalization")
    prepare = taken_from("inner.prepare")
    compare = taken_from("inner.compare")
    brief = taken_from("inner.brief")


def unit_of(metric: Metric | type[Metric]) -> Unit:
    """Return the unit that is paired and handed to ``compare``.

    A metric may have a parameter that is called ``unit``; it is one over items.

    Args:
        metric: a metric, or its class.
    """
    return metric.unit if metric.unit in ("document", "collection") else "item"


def covers(metric: Metric, framework: str) -> bool:
    """True if a metric can score graphs of *framework*."""
    if metric.frameworks:
        return framework in metric.frameworks
    # What is made of other graphs would be counted twice.
    return not known(framework).composed_of


def takes(metric: Metric, framework: str, named: Collection[str] = ()) -> bool:
    """True if a metric scores graphs of *framework* where they are.

    It scores those that it is made for, and others that it can score only where
    they are named.

    Args:
        metric: the metric.
        framework: what the graphs are of.
        named: the frameworks that the user has named.
    """
    known_as = framework if framework in FRAMEWORKS else UNKNOWN
    made_for = metric.made_for
    chosen = not made_for or known_as in made_for or framework in named
    return chosen and covers(metric, framework)


def own_frameworks(metric: Metric | type[Metric]) -> frozenset[str]:
    """Return the frameworks that a metric is made for; empty for any."""
    return (metric.made_for or metric.frameworks) - {UNKNOWN}


def main_score(metric: Metric, scores: Scores) -> float:
    """The one number that stands for a metric; systems are ranked by it.

    Args:
        metric: the metric.
        scores: what its ``scores`` gave.

    Returns:
        The leading score, or the F1 of the main tuple type; ``nan`` where it is
        undefined, as an error rate of nothing is.
    """
    if metric.leading:
        return scores.numbers.get(metric.leading, math.nan)
    return scores.counts[metric.main].f1


def main_name(metric: Metric) -> str:
    """Return the name of the score that stands for a metric, as ``edges.f1``."""
    return metric.leading or f"{metric.main}.f1"


def leads(metric: Metric, score: str) -> bool:
    """True if a score is the leading one, of everything or of some part.

    Args:
        metric: the metric.
        score: its name: that of the leading score, or with it as the first part
            (``eter.types``) or the last (``entities.loc.eter``); or ``macro``, the
            mean of the leading score over units.
    """
    leading = metric.leading
    return bool(leading) and (
        score in (leading, "macro", "macro_frameworks")
        or score.startswith(f"{leading}.")
        or score.endswith(f".{leading}")
    )


def lowest_best(metric: Metric, score: str) -> bool:
    """Return true if a score is best when lowest: error rates, and losses.

    Args:
        metric: the metric.
        score: the name of one of its scores.
    """
    leading = metric.less_is_better and leads(metric, score)
    return leading or trait(metric, Losses).is_loss(score)


def item_scores(metric: Metric, raw_counts: Mapping[CountKey, int | float]) -> Scores:
    """The scores of one item of many: at least the counts and the leading score.

    Args:
        metric: the metric.
        raw_counts: those of the item.
    """
    if isinstance(metric, ItemScores):
        return metric.item_scores(raw_counts)
    return metric.scores(raw_counts)


def outcome_of(correspondence: Correspondence, builder: OutcomeBuilder) -> Outcome:
    """An outcome that rests on a correspondence and its proof."""
    return builder.outcome(
        correspondence.score,
        correspondence.method,
        bound=correspondence.bound,
        proven=correspondence.proven,
        steps=correspondence.steps,
    )


def numbered(prefix: str, count: Count) -> dict[str, float]:
    """Precision, recall and F1 of a derived group, as scores.

    >>> numbered("nodes", Count(2, 2, 1))["nodes.f1"]
    0.5
    """
    ratios = ("precision", "recall", "f1")
    return {f"{prefix}.{ratio}": getattr(count, ratio) for ratio in ratios}
