"""The evaluation: units are paired, compared in batches and added up.

``evaluate`` is the one loop, whatever the sides are (files, graphs in memory, a store)
and wherever batches are compared (here, or on an executor).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from graphscore.errors import InputError, Problem, Problems, amount, expect
from graphscore.evaluation.addition import Addition
from graphscore.evaluation.notes import add_notes, refuse_unpaired, remarks
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.parts import parts_with
from graphscore.evaluation.result import ItemResult, Result, Surplus
from graphscore.evaluation.signature import signature
from graphscore.evaluation.source import Losses, Source
from graphscore.evaluation.tally import Tally, note_pairing
from graphscore.evaluation.tasks import (
    AHEAD,
    BATCH,
    Task,
    Timed,
    executor_for,
    families,
    run_task,
)
from graphscore.evaluation.unit import Takes, Unit
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.base import Unit as UnitKind
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

KINDS: tuple[UnitKind, ...] = ("item", "document", "collection")

Listener = Callable[[Metric, Unit, Unit | None, Outcome], None]
"""Is told of every scored gold unit: the metric, both units and the outcome."""


class Sink(Protocol):
    """Where outcomes are kept, so that only new pairs are compared."""

    def begin(self, evaluation: Evaluation) -> Iterable[Pair]:
        """Look up what is known of all pairs, and return them with what is compared."""
        ...

    def wanted(self, pair: Pair, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of some metrics, by number, that have no outcome of a pair."""
        ...

    def take(self, number: int, pair: Pair, timed: Timed) -> None:
        """Keep the outcome of a metric for a pair."""
        ...

    def settle(self) -> None:
        """Keep the last outcomes, and say in the results what is not proven."""
        ...

    def conclude(self, number: int) -> None:
        """Complete the result of a metric, which is signed now."""
        ...


def evaluate(
    gold: Source,
    system: Source,
    metrics: Sequence[Metric],
    options: Options,
    *,
    executor: Executor | None = None,
    sink: Callable[[], Sink] | None = None,
    listener: Listener | None = None,
    scored: Takes | None = None,
) -> list[Result]:
    """Score a system against gold with several metrics.

    Metrics over items take one pass together, metrics over documents another, and
    metrics over collections a third.

    Args:
        gold: where gold units come from.
        system: where those of the system come from.
        metrics: what to score with.
        options: how.
        executor: where batches are compared; by default ``options.jobs`` decides.
        sink: makes what keeps the outcomes of a pass; without, they are only added up.
        listener: is told of every scored gold unit, in order of pairing.
        scored: which frameworks are scored at all, so that nothing is said of graphs
            that another call scores; by default those of the metrics.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
    """
    for metric in metrics:
        expect(metric, Metric, "a metric")
    counts = scored or (lambda name: any(options.takes(m, name) for m in metrics))
    results: dict[Metric, Result] = {}
    with executor_for(options.jobs, executor) as pool:
        for kind in KINDS:
            group = [metric for metric in metrics if unit_of(metric) == kind]
            if group:
                made = Evaluation(gold, system, group, options, kind)
                if sink or listener or not (pool and _shared_out(made, pool)):
                    made.run(pool, sink() if sink else None, listener)
                made.finish(counts)
                results.update(zip(group, made.results, strict=True))
    return [results[metric] for metric in metrics]


def _shared_out(evaluation: Evaluation, executor: Executor) -> bool:
    """Whether workers have read and compared everything, each its share."""
    # Only where there are workers.
    from graphscore.evaluation.shares import shared_out
    from graphscore.evaluation.workers import Readers

    return isinstance(executor, Readers) and shared_out(evaluation, executor)


class Evaluation:
    """One pass over both sides, for metrics of one kind of units.

    Args:
        gold: where gold units come from.
        system: where those of the system come from.
        metrics: what scores.
        options: how.
        kind: what a unit is.

    Attributes:
        results: one per metric, which are filled.
        additions: likewise what adds them up.
        tally: what is noticed of both sides.
        losses: what was lost of both sides, once they were gone through.
        rules: gives the rules under which any ids of both sides are the same.
        pairs: all pairs, where a sink wants them.
    """

    def __init__(
        self,
        gold: Source,
        system: Source,
        metrics: Sequence[Metric],
        options: Options,
        kind: UnitKind,
    ) -> None:
        self.gold, self.system, self.options, self.kind = gold, system, options, kind
        self.metrics = metrics
        self.results = [
            Result(metric, gold=gold.name, system=system.name) for metric in metrics
        ]
        self.additions = [Addition(result) for result in self.results]
        self.pairs: list[Pair] = []
        documents = kind == "document"
        self.pairing = Pairing(
            options.pair,
            id_rule(options.ids),
            lone=kind != "item",
            characters=self._characters if documents else None,
        )
        self.rules: Callable[[], list[str]] = self.pairing.rules
        self.losses: tuple[Losses, Losses] | None = None
        self.tally = Tally(self._characters if kind != "item" else None)
        self._families = [tuple(family) for family in families(metrics)]
        self._families_of: dict[str, list[tuple[int, ...]]] = {}
        self._waiting: dict[tuple[int, ...], list[Pair]] = {}
        self._executor: Executor | None = None
        self._sink: Sink | None = None
        self._listener: Listener | None = None
        self._chosen: Callable[[Pair], Pair | None] | None = None
        self._running: deque[tuple[tuple[int, ...], list[Pair], Future[Any]]] = deque()

    def run(
        self,
        executor: Executor | None = None,
        sink: Sink | None = None,
        listener: Listener | None = None,
        chosen: Callable[[Pair], Pair | None] | None = None,
    ) -> None:
        """Pair and compare everything, of which nothing is said yet.

        Args:
            executor: where batches are compared; here without.
            sink: keeps outcomes and knows earlier ones.
            listener: is told of every scored gold unit.
            chosen: gives a pair as it counts here, or ``None`` where others count it.
        """
        self._executor, self._sink, self._listener = executor, sink, listener
        self._chosen = chosen
        self.pairing.pair_up(
            self.gold.units(self.kind, self._any_takes),
            self.system.units(self.kind, self._any_takes),
            self.pairs.append if sink else self._take,
        )
        for pair in sink.begin(self) if sink else ():
            self._take(pair)
        for numbers, pairs in sorted(self._waiting.items()):
            self._compare(numbers, pairs)
        self._settle(0)
        self.losses = (
            self.gold.losses(self._any_takes),
            self.system.losses(self._any_takes),
        )

    def _any_takes(self, framework: str) -> bool:
        """Whether any of the metrics scores graphs of a framework that takes part."""
        among = self.options.selection.frameworks
        return (not among or framework in among) and any(
            self.options.takes(metric, framework) for metric in self.metrics
        )

    def _characters(self, unit: Unit) -> str | None:
        """The characters of a document, where a metric knows documents by those."""
        if not any(
            metric.joins and self.options.takes(metric, unit.framework)
            for metric in self.metrics
        ):
            return None
        # A graph without text leaves a gap that the other side need not have.
        return "".join("".join(unit.texts).split()) if all(unit.texts) else None

    def _take(self, pair: Pair) -> None:
        """Look at a pair, and have it compared together with others."""
        if self._chosen is not None:
            chosen = self._chosen(pair)
            if chosen is None:
                return
            pair = chosen
        self.tally.look_at(pair)
        position, gold, system = pair
        unit = gold or system
        assert unit is not None
        for family in self._scoring(unit.framework):
            for number in family:
                result = self.results[number]
                if gold is None:
                    surplus = Surplus(
                        unit.framework, unit.language, unit.item, unit.layer
                    )
                    self.additions[number].leave(position, surplus)
                else:
                    result.pairs += 1
                    result.missing_system += system is None
            if gold is None:
                continue
            numbers = self._sink.wanted(pair, family) if self._sink else family
            if numbers:
                batch = self._waiting.setdefault(numbers, [])
                batch.append(pair)
                if len(batch) == BATCH:
                    self._compare(numbers, self._waiting.pop(numbers))

    def _scoring(self, framework: str) -> list[tuple[int, ...]]:
        """The families of the metrics that score a framework."""
        found = self._families_of.get(framework)
        if found is None:
            found = self._families_of[framework] = [
                family
                for family in self._families
                if self.options.takes(self.metrics[family[0]], framework)
            ]
        return found

    def _compare(self, numbers: tuple[int, ...], pairs: list[Pair]) -> None:
        """Compare a batch of pairs, or send it to be compared."""
        options = self.options
        task = Task(
            tuple(self.metrics[number] for number in numbers),
            tuple(
                (
                    pair.gold.graphs if pair.gold else (),
                    pair.system.graphs if pair.system else (),
                )
                for pair in pairs
            ),
            options.budget,
            options.details or self._listener is not None or self._sink is not None,
            options.parts,
        )
        if self._executor is None:
            self._keep(numbers, pairs, run_task(task))
            return
        future = self._executor.submit(run_task, task)
        self._running.append((numbers, pairs, future))
        self._settle(AHEAD * max(options.jobs, 2) - 1)

    def _settle(self, most: int) -> None:
        """Wait until no more than so many batches are on their way."""
        while len(self._running) > most:
            numbers, pairs, future = self._running.popleft()
            self._keep(numbers, pairs, future.result())

    def _keep(
        self, numbers: tuple[int, ...], pairs: Sequence[Pair], outcomes: Sequence[Timed]
    ) -> None:
        """Add what metrics say of a batch of pairs, in order."""
        made = iter(outcomes)
        for pair in pairs:
            for number in numbers:
                timed = next(made)
                if self._sink is not None:
                    self._sink.take(number, pair, timed)
                else:
                    self._add(number, pair, timed)
                if self._listener is not None and pair.gold is not None:
                    metric = self.metrics[number]
                    self._listener(metric, pair.gold, pair.system, timed.outcome)

    def _add(self, number: int, pair: Pair, timed: Timed) -> None:
        """Add an outcome to the sums of its group, and keep the item if asked to."""
        position, gold, system = pair
        assert gold is not None
        addition, outcome = self.additions[number], timed.outcome
        addition.result.unproven += not outcome.proven
        group = gold.framework, gold.language, gold.document, gold.layer
        addition.add(position, group, outcome.masses)
        if self.options.per_item:
            addition.keep(position, item_of(gold, system, timed, self.options))

    def finish(self, scored: Takes) -> None:
        """Say what there is to say of every result, and sign it.

        Args:
            scored: which frameworks are scored at all, here or by another call.

        Raises:
            InputError: if gold is not whole; everything that is wrong is named.
            PairingError: if nothing pairs.
        """
        if self._sink is not None:
            self._sink.settle()
        assert self.losses is not None
        lost = self.losses
        unusable = Problems(lost[0].unusable)
        unusable.extend(self._repeated("gold", self.gold))
        if unusable:
            raise InputError(unusable, "the gold side cannot be used:")
        left_out = {**self.system.unscored, **self.gold.unscored}
        left_out = {name: n for name, n in left_out.items() if not scored(name)}
        for number, result in enumerate(self.results):
            if self._sink is None:
                self.additions[number].conclude()
            self._describe(result, *lost)
            takes = partial(self.options.takes, result.metric)
            frameworks = self.tally.frameworks(takes)
            result.scope = self.options.scope(frameworks[0])
            add_notes(result, *frameworks, left_out)
            refuse_unpaired(result, lost[1].any, self.tally.as_many(takes), self.rules)
            prints = self.tally.fingerprints(takes)
            result.signature = signature(result, self.options, *prints)
            if result.pairs:
                if self._sink is not None:
                    self._sink.conclude(number)
                # Only now a store has given the sums.
                result.notes += remarks(result)

    def _repeated(
        self, wanted: str, source: Source, takes: Takes | None = None
    ) -> list[Problem]:
        """What is wrong with units whose identity their side had already."""
        return [
            source.repeated(unit, first)
            for (side, unit), first in zip(
                self.pairing.duplicates, self.pairing.firsts, strict=True
            )
            if side == wanted and (takes is None or takes(unit.framework))
        ]

    def _describe(self, result: Result, gold: Losses, system: Losses) -> None:
        """Say in a result what was lost, and how it was paired."""
        takes = partial(self.options.takes, result.metric)
        self.tally.note_texts(result, takes, self.gold, self.system)
        note_pairing(result, self.pairing, takes)
        for layer in sorted(self.options.selection.layers - self.tally.layers):
            result.notes.append(f"{result.gold}: no layer {layer!r}")
        repeated = self._repeated("system", self.system, takes)
        result.rejected = [*system.rejected, *map(str, repeated)]
        result.rejected_records = system.records + len(repeated)
        for losses in (gold, system):
            result.notes += [x for x in losses.notes if x not in result.notes]
            if not result.pairs:
                # Perhaps it was read as something else than it is.
                result.notes += losses.hints
        if system.left_out:
            result.left_out = len(system.left_out)
            result.notes.append(
                f"{result.system}: {amount(len(system.left_out), 'part')} of records "
                f"left out that cannot be read, first {next(iter(system.left_out))}"
            )


def item_of(
    gold: Unit, system: Unit | None, timed: Timed, options: Options
) -> ItemResult:
    """Return what a metric says of one gold unit, with what is asked for.

    Args:
        gold: the gold unit.
        system: the system's; ``None`` if it has none.
        timed: the outcome.
        options: whether details and texts are kept.
    """
    outcome, details = timed.outcome, options.details
    traced = details or options.traced
    return ItemResult(
        gold.framework,
        gold.language,
        gold.item,
        gold.document,
        outcome.masses,
        outcome.score,
        outcome.bound,
        outcome.proven,
        system is None,
        outcome.matches if details else (),
        gold.layer,
        outcome.errors if details else (),
        tuple(gold.texts) if traced else (),
        parts_with(gold.names, timed.parts, outcome.errors),
        system.item if system and traced else "",
    )
