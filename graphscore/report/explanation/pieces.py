"""Trees of explanations: of formulas by their alignment, of other metrics by outcome.

A formula says itself what was paired at each level.  Of any other metric the matches
and errors that it enters do: what is wrong stands below the pair that it is about.
Where the kinds of a metric are those of tuples, all pieces of nodes and edges are
there, matched or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.user import UserMetric
from graphscore.model.document import lent, united
from graphscore.model.frameworks import TUPLE_TYPES
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, Error, Match, Outcome, Scores
from graphscore.report.element_values import UNCOUNTED, Piece, SideElement
from graphscore.report.explanation.trees import (
    MATCHED,
    MISSING,
    PARTLY,
    SPURIOUS,
    UNEQUAL,
    Branch,
    Side,
    Tree,
)
from graphscore.report.side_by_side import Comparison, Row
from graphscore.similarity.base import Aligned, Similarity
from graphscore.similarity.evaluation.functions import align
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.explanation.wording import describe, object_name
from graphscore.similarity.operators.ratios import Harmonic
from graphscore.similarity.view import ROOT, Pair, View

Graphs = Sequence[Graph]


def trees_of(
    metric: Metric, gold: Graphs, system: Graphs, outcome: Outcome, budget: Budget
) -> tuple[Tree, ...]:
    """Return the trees of paired and unpaired objects.

    Args:
        metric: any metric.
        gold: the gold graphs of a unit, as the metric was given them.
        system: the system's; none where it has none.
        outcome: what the metric found, with matches and errors.
        budget: how much work may be spent on formulas.
    """
    inner = metric.inner if isinstance(metric, UserMetric) else metric
    framework = next((each.framework for each in (*gold, *system)), "")
    whole_gold, whole_system = (_whole(side, framework) for side in (gold, system))
    pairs = _pairs(inner, gold, system, budget)
    if pairs is not None:
        trees = [
            _of_formula(inner, tuple_type, pairs) for tuple_type in inner.tuple_types
        ]
        counts = inner.scores(outcome.raw_counts).counts
        if all(_equal(each.amounts, counts[each.tuple_type]) for each in trees):
            return tuple(tree for each in trees for tree in each.trees)
    if set(inner.tuple_types) <= set(TUPLE_TYPES):
        compared = Comparison(whole_gold, whole_system, metric, outcome)
        counted = frozenset(
            tuple_type
            for (tuple_type, _, _), raw_count in outcome.raw_counts.items()
            if raw_count
        )
        rows = [("node", compared.nodes()), ("edge", compared.edges())]
        branches = [
            _of_row(thing, row, counted)
            for thing, trees in rows
            for row in trees
            if row.mark != UNCOUNTED
        ]
    else:
        branches = list(
            _Outcome(outcome, Side(whole_gold), Side(whole_system), inner).branches()
        )
    derivation = _sum_of(branches, inner.scores(outcome.raw_counts), inner.main)
    return (Tree("", "", derivation, tuple(branches)),)


def _sum_of(branches: Sequence[Branch], scores: Scores, main: str) -> str:
    """Describe how the numbers of a tree add up to the score, as far as is known.

    Args:
        branches: the outermost ones.
        scores: of the metric, for this unit alone.
        main: the tuple type that stands for the metric.
    """
    count = scores.counts.get(main, Count(0, 0, 0))
    outer = math.fsum(branch.credit or 0 for branch in branches)
    every = math.fsum(map(_credits, branches))
    for total, text in (
        (outer, "the outermost numbers add up to"),
        (every, "all numbers add up to"),
    ):
        for amount in (count.matched, count.correct_system):
            if math.isclose(total, amount, abs_tol=1e-9):
                return f"{text} {amount:.6g} matched"
    numbers = scores.numbers
    if {"slots", "errors", "insertions"} <= numbers.keys():
        slots, inserted = numbers["slots"], numbers["insertions"]
        lost = slots - outer + inserted
        if math.isclose(lost, numbers["errors"], abs_tol=1e-9):
            less = f"{slots:g} slots, less the outermost numbers ({outer:.6g})"
            return f"{less}, and {inserted:g} insertions: {lost:.6g} errors"
    return "what is in common; the table below says what the metric makes of it"


def _credits(branch: Branch) -> float:
    """Return the total credit of a branch and all that is inside of it."""
    return math.fsum([branch.credit or 0, *map(_credits, branch.parts)])


def _whole(side: Graphs, framework: str) -> Graph:
    if len(side) == 1:
        return side[0]
    return united(side) if side else Graph("", framework)


# Formulas.


def _pairs(
    metric: Metric, gold: Graphs, system: Graphs, budget: Budget
) -> list[Pair] | None:
    """Both sides for the formulas of a metric; ``None`` where they say too little.

    Of a metric that counts by itself they say more than its matches and errors where
    it has several tuple types: these are about the main one.
    """
    formulas = _formulas(metric)
    if not formulas.keys() >= {*metric.tuple_types}:
        return None
    if isinstance(metric, Coreference):
        return metric.formula_pairs(gold, system, budget)
    views: Sequence[Any]
    if isinstance(metric, FormulaMetric):
        views = metric.sides(
            [metric.prepare(each) for each in gold],
            [metric.prepare(each) for each in system],
        )
    elif len(metric.tuple_types) < 2 or any(map(_is_given, formulas.values())):
        return None
    else:
        framework = next((each.framework for each in (*gold, *system)), "")
        views = [*map(View, lent(_whole(gold, framework), _whole(system, framework)))]
    if not all(isinstance(view, View) for view in views):
        return None
    return [Pair(views[0], views[1], budget)]


def _is_given(formula: Similarity) -> bool:
    """Return whether a formula depends on values that only its metric computes."""
    return any(call in repr(formula) for call in ("given(", "listed("))


def _formulas(metric: Metric) -> Mapping[str, Similarity]:
    """The formula of each tuple type, of a metric that has any."""
    similarities: Mapping[str, Similarity] = getattr(metric, "formulas", dict)()
    return similarities


def _equal(one: Count, two: Count) -> bool:
    """Return whether the counts of a formula and of a metric are equal."""
    return all(
        math.isclose(left, right, abs_tol=1e-9)
        for left, right in (
            (one.gold, two.gold),
            (one.system, two.system),
            (one.matched, two.matched),
            (one.correct_system, two.correct_system),
        )
    )


class _Explained(NamedTuple):
    """Explanation of a formula for all pairs of graphs of a unit."""

    tuple_type: str
    trees: tuple[Tree, ...]
    amounts: Count


def _of_formula(metric: Metric, tuple_type: str, pairs: Sequence[Pair]) -> _Explained:
    """A tree for a type, or one for precision and one for recall, and the sums."""
    formula = _formulas(metric)[tuple_type]
    measured = [measure(formula, each) for each in pairs]
    counts = [each.count for each in measured]
    count = Count(
        math.fsum(each.gold for each in counts),
        math.fsum(each.system for each in counts),
        math.fsum(each.matched for each in counts),
        math.fsum(each.correct_system for each in counts),
    )
    value = measured[0].value if len(measured) == 1 else count.f1
    ratios = {
        "precision": f"{count.precision:.4f} "
        f"({count.correct_system:.6g} of {count.system:.6g})",
        "recall": f"{count.recall:.4f} ({count.matched:.6g} of {count.gold:.6g})",
    }
    if isinstance(formula, Harmonic):
        # Each sums over a matching of its own.
        shown: list[tuple[Similarity, str]] = [
            (half, f"{name} {ratios[name]}")
            for half, name in (
                (formula.precision, "precision"),
                (formula.recall, "recall"),
            )
        ]
    else:
        both = "   ".join(f"{name} {ratio}" for name, ratio in ratios.items())
        shown = [(formula, f"= {value:.6g}   {both}")]
    trees = tuple(
        Tree(
            tuple_type,
            str(part),
            text,
            tuple(
                branch
                for pair in pairs
                for branch in _branches(align(part, pair, ROOT, ROOT), pair)
            ),
        )
        for part, text in shown
    )
    return _Explained(tuple_type, trees, count)


DEEPEST = 100
"""Levels that an explanation has at most."""


def _branches(
    branches: Iterable[Aligned], pair: Pair, level: int = 0
) -> Iterator[Branch]:
    for branch in branches:
        if level >= DEEPEST:
            raise UsageError(
                f"item {pair.gold.graph.id!r} has things inside of things at more than "
                f"{DEEPEST} levels, expected fewer where it is explained"
            )
        sides = [
            None if element is None else describe(view, branch.sort, element)
            for view, element in (
                (pair.gold, branch.gold),
                (pair.system, branch.system),
            )
        ]
        if branch.gold is None or branch.system is None:
            mark = SPURIOUS if branch.gold is None else MISSING
        else:
            mark = MATCHED if branch.whole else PARTLY if branch.credit else UNEQUAL
        earns = mark not in (MISSING, SPURIOUS) and any(branch.worth)
        yield Branch(
            mark,
            object_name(branch),
            sides[0],
            sides[1],
            float(branch.credit) if earns else None,
            parts=tuple(_branches(branch.children, pair, level + 1)),
        )


# Pieces of nodes and edges.


def _of_row(thing: str, row: Row, tuple_types: frozenset[str]) -> Branch:
    """An object with its pieces, those of tuple types that count."""
    gold, system = row.gold, row.system
    golds, systems = (
        [piece for piece in half.pieces if piece.tuple_type in tuple_types]
        if half
        else []
        for half in (gold, system)
    )
    # What stands alone and is no error says what another says already.
    both = gold is not None and system is not None
    parts = [_piece(MATCHED, piece) for piece in golds if piece.matched and both]
    parts += [_piece(MISSING, piece) for piece in golds if not piece.matched]
    parts += [_piece(SPURIOUS, piece) for piece in systems if not piece.matched]
    earned = sum(part.credit or 0 for part in parts)
    mark = MISSING if system is None else SPURIOUS if gold is None else MATCHED
    if mark == MATCHED and any(part.mark != MATCHED for part in parts):
        mark = PARTLY if earned else UNEQUAL
    return Branch(mark, thing, _half(gold), _half(system), earned, parts=tuple(parts))


def _half(half: SideElement | None) -> str | None:
    if half is None:
        return None
    label = next(
        (p.value for p in half.pieces if p.tuple_type in ("labels", "edges")), None
    )
    text = f"{half.id}" if half.id is not None else ""
    location = f" “{half.place}”" if half.place else ""
    return f"{text} {'' if label is None else label}{location}".strip() or "·"


def _piece(mark: str, piece: Piece) -> Branch:
    value = "top" if piece.tuple_type == "tops" else str(piece.value)
    text = f"{piece.name}={value}" if piece.name else value
    gold, system = text if mark != SPURIOUS else None, text if mark != MISSING else None
    earned = float(mark == MATCHED)
    return Branch(mark, "piece", gold, system, earned, piece.tuple_type)


# Matches and errors.


class _Outcome:
    """Puts errors below the pairs that they are about.

    Args:
        outcome: matches and errors of a unit.
        gold: its gold side.
        system: its system side.
        metric: whose they are.
    """

    def __init__(
        self, outcome: Outcome, gold: Side, system: Side, metric: Metric
    ) -> None:
        self.outcome, self.gold, self.system = outcome, gold, system
        self.tuple_types = (
            len({each.tuple_type for each in outcome.errors} | {*metric.tuple_types})
            > 1
        )
        self.inside: dict[int, list[int]] = {}
        for number, match in enumerate(outcome.matches):
            if match.parent is not None:
                self.inside.setdefault(match.parent, []).append(number)
        self.wrong: dict[int | None, list[Error]] = {}
        indexes = _places(outcome.matches)
        for error in outcome.errors:
            self.wrong.setdefault(self._above(error, indexes), []).append(error)

    def _above(self, error: Error, places: dict[object, int]) -> int | None:
        """The match that an error stands below."""
        if error.parent is not None and error.parent < len(self.outcome.matches):
            return error.parent
        own = error.system if error.error_type == "spurious" else error.gold
        return (
            None
            if own is None
            else places.get(_place(error.error_type, error.object, own))
        )

    def branches(self) -> Iterator[Branch]:
        """Yield matches with their errors, then unmatched objects."""
        for number, match in enumerate(self.outcome.matches):
            if match.parent is None:
                yield self._match(number, match)
        for error in self.wrong.get(None, ()):
            yield self._error(error, True)

    def _match(self, number: int, match: Match) -> Branch:
        parts = [
            *[
                self._match(n, self.outcome.matches[n])
                for n in self.inside.get(number, ())
            ],
            *[self._error(error, False) for error in self.wrong.get(number, ())],
        ]
        if match.system is None or match.gold is None:
            mark = MISSING if match.system is None else SPURIOUS
        elif any(part.mark != MATCHED for part in parts):
            earned = match.credit or any(part.credit for part in parts)
            mark = PARTLY if earned else UNEQUAL
        else:
            mark = MATCHED
        return Branch(
            mark,
            match.object,
            self.gold.said(match.object, match.gold),
            self.system.said(match.object, match.system),
            None if mark in (MISSING, SPURIOUS) else match.credit,
            parts=tuple(parts),
        )

    def _error(self, error: Error, alone: bool) -> Branch:
        spurious = error.error_type == "spurious"
        side, own = (self.system, error.system) if spurious else (self.gold, error.gold)
        value = "" if error.value is None else str(error.value)
        text = f"{error.name}={value}" if error.name and value else error.name or value
        thing = side.said(error.object, own)
        if alone and thing is not None and value not in thing:
            text = f"{thing} {text}".strip()
        elif alone or not text:
            text = f"{thing or error.object} {error.name}".strip()
        mark = (
            SPURIOUS
            if spurious
            else PARTLY
            if error.error_type == "partial"
            else MISSING
        )
        other = None
        if mark == PARTLY:
            other = self.system.said(error.object, error.system) or text
        return Branch(
            mark,
            error.object,
            None if spurious else text,
            text if spurious else other,
            error.credit,
            error.tuple_type if self.tuple_types else "",
            error.reason,
        )


def _places(matches: Iterable[Match]) -> dict[object, int]:
    """Return the index of the first match of each object, by side."""
    indexes: dict[object, int] = {}
    for number, match in enumerate(matches):
        if match.gold is not None:
            indexes.setdefault(_place("missing", match.object, match.gold), number)
        if match.system is not None:
            indexes.setdefault(_place("spurious", match.object, match.system), number)
    return indexes


def _place(side: str, thing: str, ordinal: int) -> tuple[bool, str, int]:
    return side == "spurious", thing, ordinal
