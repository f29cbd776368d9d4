"""Trees of explanations: of formulas by their alignment, of other metrics by outcome.

A formula says itself what was paired at each level.  Of any other metric the matches
and errors that it enters do: what is wrong stands below the pair that it is about.
Where the kinds of a metric are those of tuples, all pieces of nodes and edges are
there, matched or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.user import UserMetric
from graphscore.model.document import lent, united
from graphscore.model.frameworks import KINDS
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, Error, Match, Outcome
from graphscore.report.explaining.trees import (
    MATCHED,
    MISSING,
    PARTLY,
    SURPLUS,
    UNEQUAL,
    Branch,
    Side,
    Tree,
)
from graphscore.report.pieces import Half, Piece
from graphscore.report.showing.marks import UNCOUNTED
from graphscore.report.sidebyside import Comparison, Row
from graphscore.similarity.base import Aligned, Similarity
from graphscore.similarity.explaining.report import measure
from graphscore.similarity.explaining.wording import called, describe
from graphscore.similarity.view import ROOT, Pair, View

Graphs = Sequence[Graph]


def trees_of(
    metric: Metric, gold: Graphs, system: Graphs, outcome: Outcome, budget: Budget
) -> tuple[Tree, ...]:
    """What was paired, and what was not.

    Args:
        metric: any metric.
        gold: the gold graphs of a unit, as the metric was given them.
        system: the system's; none where it has none.
        outcome: what the metric found, with matches and errors.
        budget: how much work may be spent on formulas.
    """
    inner = metric.inner if isinstance(metric, UserMetric) else metric
    framework = next((each.framework for each in (*gold, *system)), "")
    mine, theirs = (_whole(side, framework) for side in (gold, system))
    pair = _pair(inner, gold, system, budget)
    if pair is not None:
        trees = list(_of_formulas(inner, pair))
        if _amount_to(trees, inner.figures(outcome.masses).counts):
            return tuple(tree for tree, _ in trees)
    if set(inner.kinds) <= set(KINDS):
        compared = Comparison(mine, theirs, metric, outcome)
        counted = frozenset(
            kind for (kind, _, _), mass in outcome.masses.items() if mass
        )
        rows = [("node", compared.nodes()), ("edge", compared.edges())]
        branches = [
            _of_row(thing, row, counted)
            for thing, found in rows
            for row in found
            if row.mark != UNCOUNTED
        ]
    else:
        branches = list(_Outcome(outcome, Side(mine), Side(theirs), inner).branches())
    return (Tree("", "", "", tuple(branches)),)


def _whole(side: Graphs, framework: str) -> Graph:
    if len(side) == 1:
        return side[0]
    return united(side) if side else Graph("", framework)


# Formulas.


def _pair(metric: Metric, gold: Graphs, system: Graphs, budget: Budget) -> Pair | None:
    """Both sides for the formulas of a metric; ``None`` where they say too little.

    Of a metric that counts by itself they say more than its matches and errors where
    it has several kinds: these are about the main one.
    """
    formulas = _formulas(metric)
    if not formulas.keys() >= {*metric.kinds}:
        return None
    views: Sequence[Any]
    if isinstance(metric, FormulaMetric):
        views = metric.sides(
            [metric.prepare(each) for each in gold],
            [metric.prepare(each) for each in system],
        )
    elif len(metric.kinds) < 2 or any(map(_is_given, formulas.values())):
        return None
    else:
        framework = next((each.framework for each in (*gold, *system)), "")
        views = [*map(View, lent(_whole(gold, framework), _whole(system, framework)))]
    if not all(isinstance(view, View) for view in views):
        return None
    return Pair(views[0], views[1], budget)


def _is_given(formula: Similarity) -> bool:
    """Whether a formula is about what only its metric works out."""
    return any(call in repr(formula) for call in ("given(", "listed("))


def _formulas(metric: Metric) -> Mapping[str, Similarity]:
    """The formula of each kind, of a metric that has any."""
    found: Mapping[str, Similarity] = getattr(metric, "formulas", dict)()
    return found


def _amount_to(
    trees: Iterable[tuple[Tree, Count]], counts: Mapping[str, Count]
) -> bool:
    """Whether formulas come to what a metric counted, which may do more than they."""
    for tree, count in trees:
        counted = counts[tree.kind]
        for one, two in (
            (count.gold, counted.gold),
            (count.system, counted.system),
            (count.matched, counted.matched),
            (count.correct_system, counted.correct_system),
        ):
            if not math.isclose(one, two, abs_tol=1e-9):
                return False
    return True


def _of_formulas(metric: Metric, pair: Pair) -> Iterator[tuple[Tree, Count]]:
    """A tree for each kind, and what its formula counts."""
    formulas = _formulas(metric)
    for kind in metric.kinds:
        formula = formulas[kind]
        measured = measure(formula, pair)
        count = measured.count
        said = (
            f"= {measured.value:.6g}   "
            f"precision {count.precision:.4f} "
            f"({count.correct_system:.6g} of {count.system:.6g})   "
            f"recall {count.recall:.4f} ({count.matched:.6g} of {count.gold:.6g})"
        )
        branches = tuple(_aligned(formula.aligned(pair, ROOT, ROOT), pair))
        yield Tree(kind, str(formula), said, branches), count


DEEPEST = 100
"""Levels that an explanation has at most."""


def _aligned(found: Iterable[Aligned], pair: Pair, level: int = 0) -> Iterator[Branch]:
    for each in found:
        if level >= DEEPEST:
            raise UsageError(
                f"item {pair.gold.graph.id!r} has things inside of things at more than "
                f"{DEEPEST} levels, expected fewer where it is explained"
            )
        sides = [
            None if element is None else describe(view, each.sort, element)
            for view, element in ((pair.gold, each.gold), (pair.system, each.system))
        ]
        if each.gold is None or each.system is None:
            mark = SURPLUS if each.gold is None else MISSING
        else:
            mark = MATCHED if each.whole else PARTLY if each.credit else UNEQUAL
        earns = mark not in (MISSING, SURPLUS) and any(each.worth)
        yield Branch(
            mark,
            called(each),
            sides[0],
            sides[1],
            float(each.credit) if earns else None,
            parts=tuple(_aligned(each.children, pair, level + 1)),
        )


# Pieces of nodes and edges.


def _of_row(thing: str, row: Row, kinds: frozenset[str]) -> Branch:
    """An object with its pieces, those of kinds that count."""
    mine, theirs = row.gold, row.system
    golds, systems = (
        [piece for piece in half.pieces if piece.kind in kinds] if half else []
        for half in (mine, theirs)
    )
    # What stands alone and is no error says what another says already.
    both = mine is not None and theirs is not None
    parts = [_piece(MATCHED, piece) for piece in golds if piece.matched and both]
    parts += [_piece(MISSING, piece) for piece in golds if not piece.matched]
    parts += [_piece(SURPLUS, piece) for piece in systems if not piece.matched]
    earned = sum(part.credit or 0 for part in parts)
    mark = MISSING if theirs is None else SURPLUS if mine is None else MATCHED
    if mark == MATCHED and any(part.mark != MATCHED for part in parts):
        mark = PARTLY if earned else UNEQUAL
    return Branch(mark, thing, _half(mine), _half(theirs), earned, parts=tuple(parts))


def _half(half: Half | None) -> str | None:
    if half is None:
        return None
    label = next((p.value for p in half.pieces if p.kind in ("labels", "edges")), None)
    said = f"{half.id}" if half.id is not None else ""
    place = f" “{half.place}”" if half.place else ""
    return f"{said} {'' if label is None else label}{place}".strip() or "·"


def _piece(mark: str, piece: Piece) -> Branch:
    value = "top" if piece.kind == "tops" else str(piece.value)
    said = f"{piece.name}={value}" if piece.name else value
    gold, system = said if mark != SURPLUS else None, said if mark != MISSING else None
    earned = float(mark == MATCHED)
    return Branch(mark, "piece", gold, system, earned, piece.kind)


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
        self.kinds = len({each.kind for each in outcome.errors} | {*metric.kinds}) > 1
        self.inside: dict[int, list[int]] = {}
        for number, match in enumerate(outcome.matches):
            if match.parent is not None:
                self.inside.setdefault(match.parent, []).append(number)
        self.wrong: dict[int | None, list[Error]] = {}
        places = _places(outcome.matches)
        for error in outcome.errors:
            self.wrong.setdefault(self._above(error, places), []).append(error)

    def _above(self, error: Error, places: dict[object, int]) -> int | None:
        """The match that an error stands below."""
        if error.parent is not None and error.parent < len(self.outcome.matches):
            return error.parent
        own = error.system if error.side == "surplus" else error.gold
        return (
            None if own is None else places.get(_place(error.side, error.object, own))
        )

    def branches(self) -> Iterator[Branch]:
        """What is matched with what is wrong with it, then what is alone."""
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
            mark = MISSING if match.system is None else SURPLUS
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
            None if mark in (MISSING, SURPLUS) else match.credit,
            parts=tuple(parts),
        )

    def _error(self, error: Error, alone: bool) -> Branch:
        surplus = error.side == "surplus"
        side, own = (self.system, error.system) if surplus else (self.gold, error.gold)
        value = "" if error.value is None else str(error.value)
        said = f"{error.name}={value}" if error.name and value else error.name or value
        thing = side.said(error.object, own)
        if alone and thing is not None and value not in thing:
            said = f"{thing} {said}".strip()
        elif alone or not said:
            said = f"{thing or error.object} {error.name}".strip()
        mark = SURPLUS if surplus else PARTLY if error.side == "partial" else MISSING
        other = None
        if mark == PARTLY:
            other = self.system.said(error.object, error.system) or said
        return Branch(
            mark,
            error.object,
            None if surplus else said,
            said if surplus else other,
            error.credit,
            error.kind if self.kinds else "",
            error.reason,
        )


def _places(matches: Iterable[Match]) -> dict[object, int]:
    """Where the first match of each object is, by side."""
    found: dict[object, int] = {}
    for number, match in enumerate(matches):
        if match.gold is not None:
            found.setdefault(_place("missing", match.object, match.gold), number)
        if match.system is not None:
            found.setdefault(_place("surplus", match.object, match.system), number)
    return found


def _place(side: str, thing: str, ordinal: int) -> tuple[bool, str, int]:
    return side == "surplus", thing, ordinal
