"""Metrics that are formulas of the similarity algebra.

A subclass says which formula each of its tuple types is; raw counts, matches and
errors of every level follow::

    @dataclass(frozen=True)
    class Mentions(FormulaMetric):
        name = "mentions"
        ...
        def formulas(self):
            return {"all": f1(match(nodes("mention"), exact(anchors, label)))}

Several tuple types are a suite: they are worked out in one pass over a pair, and what
their formulas share is worked out once.  A bare formula, or a suite of them, is a
metric too: :class:`Suite`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Unit, taken_from
from graphscore.metrics.external_inputs import revision_of
from graphscore.metrics.made_scores import Derived, check_derived, made_of
from graphscore.metrics.pairwise import PairMetric
from graphscore.metrics.traits import Nested
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    Match,
    Outcome,
    RawCounts,
    Scores,
    counts_of,
    total_count,
)
from graphscore.similarity import Similarity, View
from graphscore.similarity.base import Numerators
from graphscore.similarity.evaluation.equal_members import tally
from graphscore.similarity.evaluation.functions import align, warm
from graphscore.similarity.explanation.report import check, measure, over_one, splits
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.view import GRAPH, ROOT, Pair

if TYPE_CHECKING:
    from graphscore.similarity.explanation.rows import Rows


class FormulaMetric(PairMetric):
    """Base of metrics whose tuple types are formulas.

    Class attributes:
        total: whether ``all`` is the sum of all tuple types; otherwise it repeats the
            main tuple type.
        method: what outcomes say of how they were found.
        matching: tuple types whose rows need their matches, not only the rest: those
            that count in ``all``, every one, or none.
    """

    total: ClassVar[bool] = False
    method: ClassVar[str] = "formula"
    matching: ClassVar[Literal["counted", "all", "none"]] = "counted"

    @abstractmethod
    def formulas(self) -> Mapping[str, Similarity]:
        """The formula of each tuple type, in the order of ``tuple_types``."""

    def weights(self) -> Mapping[str, int | float]:
        """Return the weight of each tuple type in ``all``, if that is a sum."""
        return dict.fromkeys(self.tuple_types, 1)

    def shown(self, tuple_type: str) -> tuple[Feature, ...] | None:
        """Return the features that errors of a tuple type show as their value.

        Args:
            tuple_type: a tuple type.

        Returns:
            Features; an error shows what those of its object's sort say, as
            written, and nothing where there is none.  ``None`` for what the
            formula suggests: the text of a node, what it asks to be equal.
        """
        return None

    @property
    def over_one(self) -> str:
        """Explanation of scores above one, from the first formula that has one."""
        return next(filter(None, map(over_one, self.checked.values())), "")

    @property
    def normalization(self) -> str:
        """The formulas themselves say what is compared."""
        return "formula"

    @cached_property
    def checked(self) -> dict[str, Similarity]:
        """The formulas, found fit to score graphs.

        Raises:
            FormulaError: if one is not about whole graphs.
        """
        result = dict(self.formulas())
        for formula in result.values():
            check(formula)
        return result

    @property
    def layout(self) -> Hashable:
        """Metrics that prepare views take those of the others.

        What formulas have in common is worked out once.
        """
        return View if type(self).prepare is FormulaMetric.prepare else self

    def prepare(self, graph: Graph) -> Any:
        """Work out what depends on one graph alone."""
        view = View(graph)
        for formula in self.checked.values():
            warm(formula, view, GRAPH)
        return view

    def compare_sides(
        self, gold: View, system: View, budget: Budget, details: bool
    ) -> Outcome:
        """Work out every tuple type's formula for one unit."""
        return self.outcome(Pair(gold, system, budget), details)

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts, and on demand matches and errors, of one pair.

        Args:
            pair: the two views.
            details: whether matches and errors are wanted.
        """
        raw_counts: RawCounts = {}
        score: int | float = 0
        rows: list[Rows] = []
        for part in self._plan:
            matched = part.add(raw_counts, pair)
            if part.weight:
                score += part.weight * matched
            if details:
                entered = self.rows(pair, part)
                if part.counted is None:
                    entered.add(align(part.formula, pair, ROOT, ROOT))
                    entered.add_whole(part.whole)
                else:
                    with_matches = self.matching == "all" or (
                        self.matching == "counted" and _counts(self, part.tuple_type)
                    )
                    entered.add_counted(part.counted, with_matches)
                rows.append(entered)
        proof = pair.proof
        return Outcome(
            raw_counts,
            score,
            score + proof.gap,
            proof.proven,
            proof.steps,
            self.method,
            tuple(self.matches(pair, rows)) if details else (),
            tuple(self.errors(rows)) if details else (),
        )

    @cached_property
    def _plan(self) -> tuple[CompiledTupleType, ...]:
        """The formulas as they are worked out for every pair."""
        weights = self.weights() if self.total else {_main(self): 1}
        return tuple(
            CompiledTupleType.of(
                tuple_type, formula, weights.get(tuple_type, 0), self.shown(tuple_type)
            )
            for tuple_type, formula in self.checked.items()
        )

    def rows(self, pair: Pair, part: CompiledTupleType) -> Rows:
        """Build the rows of a tuple type.

        Args:
            pair: the two views.
            part: the tuple type.
        """
        from graphscore.similarity.explanation.rows import Rows

        return Rows(pair, part.tuple_type, part.shown, part.weight)

    def matches(self, pair: Pair, rows: Sequence[Rows]) -> Iterable[Match]:
        """Yield the matches in the types that count in ``all``, one type at a time.

        Args:
            pair: the two views.
            rows: what was found of each tuple type.
        """
        result: list[Match] = []
        for row in rows:
            if _counts(self, row.tuple_type):
                first = len(result)
                result += [_later(match, first) for match in row.matches]
        return result

    def errors(self, rows: Sequence[Rows]) -> Iterable[Error]:
        """Yield the errors of every tuple type: the missing, then the spurious ones.

        Errors of tuple types that do not count have no parent: what they are inside of
        is no row.

        Args:
            rows: what was found of each tuple type.
        """
        result: list[Error] = []
        first = 0
        for row in rows:
            counts = _counts(self, row.tuple_type)
            for error in row.errors:
                if error.parent is not None:
                    parent = first + error.parent if counts else None
                    error = error._replace(parent=parent)
                result.append(error)
            first += len(row.matches) if counts else 0
        # Partial ones stand among the missing, each in its own order.
        result.sort(key=lambda error: error.error_type == "spurious")
        return result

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type and ``all``, and ratios that counts do not have."""
        counts = counts_of(raw_counts, self.tuple_types)
        if self.total:
            weights = self.weights()
            counts["all"] = total_count(
                _times(count, weights[tuple_type])
                for tuple_type, count in counts.items()
            )
        else:
            counts["all"] = counts[_main(self)]
        numbers: dict[str, float] = {}
        for tuple_type, formula in self.checked.items():
            if isinstance(formula, Normalized):
                numbers |= _further_ratio(tuple_type, formula, counts[tuple_type])
        return Scores(counts, numbers)


def _main(metric: FormulaMetric) -> str:
    types = metric.tuple_types
    return metric.main if metric.main in types else types[0]


def _counts(metric: FormulaMetric, tuple_type: str) -> bool:
    return metric.total or tuple_type == _main(metric)


class CompiledTupleType(msgspec.Struct, frozen=True):
    """A tuple type as it is worked out for every pair."""

    tuple_type: str
    formula: Similarity
    weight: int | float
    """Weight of the tuple type in the score."""
    keys: tuple[CountKey, CountKey, CountKey, CountKey]
    split: bool
    """True if recall and precision can have different numerators."""
    counted: Similarity | None
    """Counted similarity, if counting is all that there is to do."""
    shown: tuple[Feature, ...] | None
    """Features that errors show."""
    whole: tuple[Feature, ...]
    """Features of whole graphs that must be equal."""

    @classmethod
    def of(
        cls,
        tuple_type: str,
        formula: Similarity,
        weight: int | float,
        shown: tuple[Feature, ...] | None,
    ) -> CompiledTupleType:
        """A tuple type with its formula."""
        keys = (
            (tuple_type, "", "gold"),
            (tuple_type, "", "system"),
            (tuple_type, "", "matched"),
            (tuple_type, "", "matched_system"),
        )
        operand = formula.operand if isinstance(formula, Normalized) else formula
        counted = operand if operand.countable else None
        whole, _ = formula.split()
        split = splits(formula)
        return cls(tuple_type, formula, weight, keys, split, counted, shown, whole)

    def add(self, raw_counts: RawCounts, pair: Pair) -> int | float:
        """Put the amounts in; both numerators wherever they can differ.

        Args:
            raw_counts: where they go.
            pair: the two views.

        Returns:
            What is matched.
        """
        keys = self.keys
        matched: int | float
        if self.counted is not None:
            gold, system, matched = tally(self.counted, pair)
            amounts: tuple[int | float, ...] = gold, system, matched
        else:
            measured = measure(self.formula, pair)
            numerators = measured.found
            amounts = measured.gold, measured.system, numerators.recall
            if self.split:
                raw_counts[keys[3]] = numerators.precision
            matched = numerators.literal
        for key, amount in zip(keys, amounts, strict=False):
            if amount:
                raw_counts[key] = amount
        return matched


def _later(match: Match, first: int) -> Match:
    if match.parent is None or not first:
        return match
    return match._replace(parent=match.parent + first)


def _times(count: Count, weight: int | float) -> Count:
    correct = count.matched_system
    return Count(
        count.gold * weight,
        count.system * weight,
        count.matched * weight,
        None if correct is None else correct * weight,
    )


def _further_ratio(
    tuple_type: str, formula: Normalized, count: Count
) -> dict[str, float]:
    """The formula's own ratio, where it is none of those that counts have."""
    prefix = "" if tuple_type == "all" else f"{tuple_type}."
    literal = Numerators(count.matched, count.correct_system, count.matched)
    ratio = formula.ratio(count.gold, count.system, literal)
    if formula.norm == "J":
        return {f"{prefix}jaccard": ratio}
    if formula.norm == "F" and formula.beta != 1:
        return {f"{prefix}f{formula.beta:g}": ratio}
    return {}


@dataclass(frozen=True)
class Suite(FormulaMetric, Nested):
    """Formulas under names, as one metric; see :func:`suite`.

    Args:
        called: name of the metric.
        named: (tuple type, formula) pairs, the first one is the main tuple type.
        made: (name, derived score) pairs.
        of: frameworks that it scores; empty for all.
        by: what is paired, ``item`` or ``document``.
    """

    title = "User-defined formulas"
    citation = (
        "Chen et al. 2023, A Unified View of Evaluation Metrics for Structured "
        "Prediction"
    )

    called: str
    named: tuple[tuple[str, Similarity], ...]
    made: tuple[tuple[str, Derived], ...] = ()
    of: frozenset[str] = frozenset()
    by: Unit = "item"

    def __post_init__(self) -> None:
        if not self.named:
            raise UsageError(f"{self.called} has no formula, expected one or more")
        _ = self.checked
        check_derived(dict(self.made), self.tuple_types)

    name = taken_from("called")
    unit = taken_from("by")
    frameworks = taken_from("of")

    @property
    def tuple_types(self) -> tuple[str, ...]:
        """Names of the formulas."""
        return tuple(tuple_type for tuple_type, _ in self.named)

    @cached_property
    def revision(self) -> int:
        """The revision of formulas, and of the functions that they call.

        A formula says all that it is, but for what a function of one's own does.
        """
        return revision_of(formula for _, formula in self.named)

    @property
    def main(self) -> str:
        """The first formula."""
        return self.named[0][0]

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Return nothing: a suite is made in Python."""
        return {}

    def formulas(self) -> Mapping[str, Similarity]:
        """The formulas by name."""
        return dict(self.named)

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare one unit of each side; where one is missing, nothing of it counts."""
        outcome = super().compare(gold, system, budget=budget, details=details)
        if gold and system:
            return outcome
        return _one_sided(outcome, "gold" if gold else "system")

    @property
    def is_nested(self) -> bool:
        """True if a formula matches parts of what it matches."""
        return any(len(part) > 1 for part in self._parts.values())

    def part_of(self, tuple_type: str, level: int) -> str:
        """The collections that are matched at a level of a formula.

        Errors of formulas that do not count have no parent, so that their level is not
        known where there are several.

        Args:
            tuple_type: a formula's name.
            level: how deep.

        Example:
            >>> from graphscore.similarity import anchors, exact, f1, match, nodes
            >>> from graphscore.similarity import targets
            >>> entity = f1(match(targets("mention"), exact(anchors)))
            >>> ceaf = suite("ceaf", f1(match(nodes("entity"), entity)))
            >>> [ceaf.part_of("all", level) for level in (0, 1)]
            ['entities', 'mentions']
        """
        parts = self._parts.get(tuple_type, ())
        if len(parts) > 1 and not _counts(self, tuple_type):
            return ""
        return " or ".join(parts[level]) if level < len(parts) else ""

    @cached_property
    def _parts(self) -> dict[str, list[list[str]]]:
        """By tuple type and level, the collections whose members are matched."""
        from graphscore.similarity.explanation.words import levels_of

        return {tuple_type: levels_of(formula) for tuple_type, formula in self.named}

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type, ``all``, and the derived scores."""
        counts, numbers = super().scores(raw_counts)
        numbers |= {name: made_of(made, counts) for name, made in self.made}
        return Scores(counts, numbers)

    @property
    def normalization(self) -> str:
        """The formulas."""
        return "; ".join(
            f"{tuple_type}={formula}" for tuple_type, formula in self.named
        )

    def __str__(self) -> str:
        return self.called


def _one_sided(outcome: Outcome, side: Literal["gold", "system"]) -> Outcome:
    """Return an outcome without what formulas of whole graphs say of a missing one."""
    missing: dict[str, Any] = {"system" if side == "gold" else "gold": None}
    return msgspec.structs.replace(
        outcome,
        raw_counts={
            key: amount if key[2] == side else 0
            for key, amount in outcome.raw_counts.items()
            # The second numerator is there wherever it can differ.
            if key[2] in (side, "matched_system")
        },
        score=0,
        bound=0,
        matches=tuple(match._replace(**missing) for match in outcome.matches),
        errors=tuple(
            error._replace(reason="no counterpart", **missing)
            for error in outcome.errors
            if (error.error_type == "spurious") == (side == "system")
        ),
    )


def suite(
    name: str,
    formulas: Similarity | Mapping[str, Similarity],
    *,
    scores: Mapping[str, Derived] | None = None,
    frameworks: Sequence[str] = (),
    unit: Unit = "item",
) -> Suite:
    """Several formulas as one metric: one pass over each pair, shared parts once.

    Args:
        name: name of the metric.
        formulas: by tuple type, the first is the main one; a single formula is ``all``.
        scores: scores that are made of those of the tuple types.
        frameworks: which frameworks it scores; none means all.
        unit: what is paired, ``item`` or ``document``.

    Raises:
        FormulaError: if a formula is not about whole graphs.
        UsageError: if a score is made of something that is not there.

    Example:
        >>> from graphscore.similarity import exact, f1, label, match, nodes
        >>> labels = f1(match(nodes(), exact(label)))
        >>> suite("labels", {"all": labels}).tuple_types
        ('all',)
    """
    if isinstance(formulas, Similarity):
        formulas = {"all": formulas}
    return Suite(
        name,
        tuple(formulas.items()),
        tuple((scores or {}).items()),
        frozenset(frameworks),
        unit,
    )
