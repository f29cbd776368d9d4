"""Scoring files, and graphs in memory.

Units stream through: they are read, paired, compared in small batches and
summed, so that memory does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from graphscore.errors import InputError, Problem, UsageError, amount
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair, duplicate_problem
from graphscore.evaluation.result import ItemResult, Result
from graphscore.evaluation.run import Ends, evaluate
from graphscore.evaluation.tasks import Timed
from graphscore.evaluation.units import Unit, Units
from graphscore.formats.source import STDIN, shown
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor

Each = Callable[[Metric, Unit, Unit | None, Outcome], None]
"""Is told of every scored gold unit."""


def score_files(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metrics: Sequence[Metric],
    options: Options | None = None,
    *,
    executor: Executor | None = None,
    each: Each | None = None,
) -> list[Result]:
    """Score one system against gold with several metrics.

    Metrics over items take one pass together, metrics over documents another.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        system: likewise.
        metrics: what to score with.
        options: how.
        executor: where batches run; by default ``options.jobs`` decides.
        each: called for every scored gold unit, in order of pairing.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
        UsageError: if standard input would have to be read twice.
    """
    given = options or Options()
    if STDIN in (gold, system) and len(set(map(unit_of, metrics))) > 1:
        raise UsageError(
            "standard input can be read only once: score metrics over items and "
            "metrics over documents in two runs"
        )
    return evaluate(
        metrics,
        lambda group: _Files(gold, system, group, given, each),
        given.jobs,
        executor,
        given.details or each is not None,
    )


class _Files(Ends[Unit]):
    """Two sides that are read as they are scored; outcomes are summed at once."""

    def __init__(
        self,
        gold: str | Sequence[Graph],
        system: str | Sequence[Graph],
        metrics: Sequence[Metric],
        options: Options,
        each: Each | None,
    ) -> None:
        super().__init__(metrics, (_name(gold), _name(system)), options)
        self.each = each
        self.gold, self.system = (
            Units(operand, options.selection, reading, self.any_scores, self.documents)
            for operand, reading in (
                (gold, options.reading),
                (system, options.system_reading or options.reading),
            )
        )
        self.positions: list[list[int]] = [[] for _ in metrics]

    def pairs(self) -> Iterator[Pair[Unit]]:
        """Pairs as they are found."""
        return self.pairing.pairs(self.gold, self.system)

    def graph(self, unit: Unit) -> Graph:
        """Its first graph."""
        return unit.graph

    def wanted(self, pair: Pair[Unit], family: tuple[int, ...]) -> tuple[int, ...]:
        """All of them."""
        return family

    def covers(self, metric: Metric, framework: str) -> bool:
        """Everything that was read for any of the metrics."""
        return True

    def take(self, number: int, pair: Pair[Unit], timed: Timed) -> None:
        """Add to the sums, and tell who wants to know."""
        result, outcome, (position, gold, system) = self.results[number], timed[0], pair
        assert gold is not None
        self.positions[number].append(position)
        result.unproven += not outcome.proven
        group = gold.framework, gold.language, gold.document, gold.layer
        result.add(group, outcome.masses)
        if self.options.per_item:
            result.items.append(
                ItemResult(
                    gold.framework,
                    gold.language,
                    gold.item,
                    gold.document,
                    outcome.masses,
                    outcome.score,
                    outcome.bound,
                    outcome.proven,
                    system is None,
                    outcome.matches if self.options.details else (),
                    gold.layer,
                )
            )
        if self.each is not None:
            self.each(result.metric, gold, system, outcome)

    def settle(self) -> None:
        """Refuse gold that is not whole, naming everything that is wrong with it."""
        gold = self.gold
        problems = [*gold.problems, *gold.left_out, *self._duplicates("gold")]
        if problems:
            raise InputError(problems, "the gold side cannot be used:")

    def _duplicates(self, wanted: str, metric: Metric | None = None) -> list[Problem]:
        """Units of a side whose identity it had already."""
        return [
            duplicate_problem(unit, unit.file, unit.line, first)
            for (side, unit), first in zip(
                self.pairing.duplicates, self.pairing.firsts, strict=True
            )
            if side == wanted and (metric is None or metric.scores(unit.framework))
        ]

    def describe(self, number: int) -> Mapping[str, int]:
        """Name the system's bad records and duplicates."""
        result = self.results[number]
        duplicates = self._duplicates("system", result.metric)
        result.rejected = [str(each) for each in (*self.system.problems, *duplicates)]
        result.rejected_records = self.system.rejected + len(duplicates)
        if left_out := self.system.left_out:
            result.notes.append(
                f"{result.system}: {amount(len(left_out), 'part')} of records left out "
                f"that cannot be read, first {left_out[0]}"
            )
        return self.system.unscored

    def conclude(self, number: int) -> None:
        """Put items into gold order."""
        result, positions = self.results[number], self.positions[number]
        if result.items:
            order = sorted(range(len(positions)), key=positions.__getitem__)
            result.items = [result.items[place] for place in order]


def _name(operand: object) -> str:
    return shown(operand) if isinstance(operand, str) else "<memory>"
