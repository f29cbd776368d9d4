"""One pass over both sides: units are paired, compared in batches and added up."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from graphscore.evaluation.messages import (
    add_notes,
    refuse_other_frameworks,
    refuse_unpaired,
)
from graphscore.evaluation.options import Options, signature
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.result import GroupKey, Result
from graphscore.evaluation.sources.base import Losses, UnitSource
from graphscore.evaluation.tally import Tally, note_pairing
from graphscore.evaluation.tasks import (
    AHEAD,
    BATCH,
    Task,
    Timed,
    families,
    run_task,
)
from graphscore.evaluation.unit import ItemResult, SpuriousUnit, Unit, parts_with
from graphscore.exceptions import InputError, Problem, Problems, amount
from graphscore.formats.base import Takes
from graphscore.metrics.base import Metric
from graphscore.metrics.base import Unit as UnitKind
from graphscore.metrics.traits import (
    sums_over,
)
from graphscore.model.ids import id_rule
from graphscore.model.outcome import CountKey, ExactCounts, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Listener = Callable[[Metric, Unit, Unit | None, Outcome], None]
"""Is told of every scored gold unit: the metric, both units and the outcome."""


class OutcomeSink(Protocol):
    """Storage of outcomes, so that only new pairs are compared."""

    def begin(self, evaluation: EvaluationRun) -> Iterable[Pair]:
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


class Addition:
    """One result that is added up, in whatever order outcomes come.

    What is added up holds for each sum where it first came, by the place of the gold
    unit.  In the end everything is put into the order of gold, so that the result is
    the same whichever way the system's file is sorted, and however many processes have
    added.

    Args:
        result: of a metric; it is filled.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        self._firsts: dict[GroupKey, dict[CountKey, tuple[int, int]]] = {}
        """First occurrence of each count of a group: gold unit, and index in the unit.
        Groups of one unit, such as documents, have their counts in this order."""
        self._begins: dict[GroupKey, int] = {}
        """The first gold unit of each group."""
        self._items: list[tuple[int, ItemResult]] = []
        self._spurious: list[tuple[int, SpuriousUnit]] = []
        self._last = -1
        self._ordered = True

    def __getstate__(self) -> dict[str, Any]:
        """All but the metric, which whoever merges has."""
        result = copy.copy(self.result)
        result.metric = None  # type: ignore[assignment]
        return vars(self) | {"result": result}

    def add(self, pair: Pair, timed: Timed, options: Options) -> None:
        """Add an outcome to the sums of its group, and keep the item if asked to.

        Args:
            pair: a gold unit, with that of the system if there is one.
            timed: the outcome.
            options: what of items is kept.
        """
        index, gold, system = pair
        assert gold is not None
        raw_counts = timed.outcome.raw_counts
        self.result.unproven += not timed.outcome.proven
        group = gold.framework, gold.language, gold.document, gold.layer
        late = index < self._last
        size = len(self.result.raw_counts.get(group, ()))
        sums = self.result.add(group, raw_counts)
        if group not in self._begins:
            self._begins[group] = index
        elif late or len(sums) > size:
            firsts = self._firsts_of(group, size)
            self._begins[group] = min(index, self._begins[group])
            for number, key in enumerate(raw_counts):
                firsts[key] = min((index, number), firsts.get(key, (index, number)))
        if late:
            self._ordered = False
        else:
            self._last = index
        if options.per_item:
            self._items.append((index, item_of(gold, system, timed, options)))

    def leave(self, index: int, unit: Unit) -> None:
        """Note a system unit without a gold unit.

        Args:
            index: of the unit, among those of its side.
            unit: the unit.
        """
        names = unit.framework, unit.language, unit.item, unit.layer
        self._spurious.append((index, SpuriousUnit(*names)))

    def merge(self, other: Addition) -> None:
        """Add what another process has added of other units.

        Args:
            other: of the same metric.
        """
        for group, begin in other._begins.items():
            if group not in self._begins:
                self._begins[group] = begin
                if group in other._firsts:
                    self._firsts[group] = other._firsts[group]
                continue
            firsts = self._firsts_of(group)
            for key, index in other._firsts_of(group).items():
                firsts[key] = min(index, firsts.get(key, index))
            self._begins[group] = min(begin, self._begins[group])
        self.result.merge(other.result)
        self._items += other._items
        self._spurious += other._spurious
        self._ordered = False

    def _firsts_of(
        self, group: GroupKey, size: int | None = None
    ) -> dict[CountKey, tuple[int, int]]:
        """The first occurrences of the counts of a group, or of some that came first.

        Args:
            group: one that has a unit.
            size: how many counts; by default all.
        """
        if group not in self._firsts:
            begin, raw_counts = self._begins[group], self.result.raw_counts[group]
            self._firsts[group] = {
                key: (begin, number)
                for number, key in enumerate(islice(raw_counts, size))
            }
        return self._firsts[group]

    def list_spurious(self) -> None:
        """Put system units without a gold unit into their own order."""
        units = [unit for _, unit in sorted(self._spurious, key=_PLACE)]
        self.result.spurious_system = units

    def conclude(self) -> None:
        """Put everything into the order of gold, and what is spurious in its own."""
        result = self.result
        result.items = [item for _, item in sorted(self._items, key=_PLACE)]
        if self._spurious:
            self.list_spurious()
        if not self._ordered:
            raw_counts, result.raw_counts = result.raw_counts, {}
            for group in sorted(self._begins, key=self._begins.__getitem__):
                sums = raw_counts[group]
                if group in self._firsts:
                    rank = self._firsts[group].__getitem__
                    sums = ExactCounts([sums]).in_order(rank)
                result.raw_counts[group] = sums


_PLACE = itemgetter(0)


class EvaluationRun:
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
        gold: UnitSource,
        system: UnitSource,
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
        characters = partial(_characters, metrics, options)
        self.pairing = Pairing(
            options.pair,
            id_rule(options.ids) if options.ids else str,
            lone=kind != "item",
            characters=characters if kind == "document" else None,
        )
        self.rules: Callable[[], list[str]] = self.pairing.rules
        self.losses: tuple[Losses, Losses] | None = None
        self.tally = Tally(characters if kind != "item" else None)
        self._families = [tuple(family) for family in families(metrics)]
        self._families_of: dict[str, list[tuple[int, ...]]] = {}
        self._waiting: dict[tuple[int, ...], list[Pair]] = {}
        self._executor: Executor | None = None
        self._sink: OutcomeSink | None = None
        self._listener: Listener | None = None
        self._chosen: Callable[[Pair], Pair | None] | None = None
        self._running: deque[tuple[tuple[int, ...], list[Pair], Future[Any]]] = deque()

    def run(
        self,
        executor: Executor | None = None,
        sink: OutcomeSink | None = None,
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
            self.gold.units(self.kind, self._families_for),
            self.system.units(self.kind, self._families_for),
            self.pairs.append if sink else self._take,
        )
        for pair in sink.begin(self) if sink else ():
            self._take(pair)
        for numbers, pairs in sorted(self._waiting.items()):
            self._compare(numbers, pairs)
        while self._running:
            self._collect()
        self.losses = (
            self.gold.losses(self._families_for),
            self.system.losses(self._families_for),
        )

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
        for family in self._families_for(unit.framework):
            if gold is None:
                for number in family:
                    self.additions[number].leave(position, unit)
                continue
            for number in family:
                result = self.results[number]
                result.pairs += 1
                result.missing_system += system is None
            numbers = self._sink.wanted(pair, family) if self._sink else family
            if numbers:
                batch = self._waiting.setdefault(numbers, [])
                batch.append(pair)
                if len(batch) == BATCH:
                    self._compare(numbers, self._waiting.pop(numbers))

    def _families_for(self, framework: str) -> list[tuple[int, ...]]:
        """Return the families of the metrics that score a framework here."""
        families = self._families_of.get(framework)
        if families is None:
            among = self.options.selection.frameworks
            families = self._families_of[framework] = [
                family
                for family in self._families
                if (not among or framework in among)
                and self.options.takes(self.metrics[family[0]], framework)
            ]
        return families

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
            self._sink is not None,
        )
        if self._executor is None:
            self._keep(numbers, pairs, run_task(task))
            return
        future = self._executor.submit(run_task, task)
        self._running.append((numbers, pairs, future))
        while len(self._running) >= AHEAD * max(options.jobs, 2):
            self._collect()

    def _collect(self) -> None:
        """Wait for the first of the batches that are on their way."""
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
                    self.additions[number].add(pair, timed, self.options)
                if self._listener is not None and pair.gold is not None:
                    metric = self.metrics[number]
                    self._listener(metric, pair.gold, pair.system, timed.outcome)

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
        repeated = (
            self._repeated_units("gold", self.gold) if self.pairing.duplicates else ()
        )
        if lost[0].unusable or repeated:
            unusable = Problems(lost[0].unusable)
            unusable.extend(repeated)
            raise InputError(unusable, "the gold side cannot be used:")
        left_out = {**self.system.unscored, **self.gold.unscored}
        left_out = {name: n for name, n in left_out.items() if not scored(name)}
        for number, result in enumerate(self.results):
            if self._sink is None:
                self.additions[number].conclude()
            else:
                self.additions[number].list_spurious()
            takes = cache(partial(self.options.takes, result.metric))
            self._describe(result, takes, *lost)
            gold, system = self.tally.fingerprints(takes)
            result.scope = self.options.scope(gold)
            add_notes(result, gold.keys(), system.keys(), left_out)
            if result.pairs == result.missing_system and result.pairs:
                refuse_other_frameworks(
                    result,
                    self.tally.prints[0].keys() | self.gold.unscored.keys(),
                    self.tally.prints[1].keys() | self.system.unscored.keys(),
                )
                as_many = self.tally.as_many(takes)
                ids = self.tally.gold_ids(takes)
                refuse_unpaired(result, lost[1].any, as_many, self.rules, ids)
            prints = sum(gold.values()), sum(system.values())
            result.signature = signature(result, self.options, *prints)
            if result.pairs:
                if self._sink is not None:
                    self._sink.conclude(number)
                # Only now a store has given the sums.
                result.notes += result.remarks()

    def _repeated_units(
        self, of_side: str, source: UnitSource, takes: Takes | None = None
    ) -> list[Problem]:
        """Return the problems of units whose identity their side had already."""
        return [
            source.repeated(unit, first)
            for (side, unit), first in zip(
                self.pairing.duplicates, self.pairing.firsts, strict=True
            )
            if side == of_side and (takes is None or takes(unit.framework))
        ]

    def _describe(
        self, result: Result, takes: Takes, gold: Losses, system: Losses
    ) -> None:
        """Say in a result what was lost, and how it was paired."""
        if self.tally.differing:
            self.tally.note_texts(result, takes, self.gold, self.system)
        if self.pairing.joined or self.pairing.unnamed:
            note_pairing(result, self.pairing, takes)
        for layer in sorted(self.options.selection.layers - self.tally.layers):
            result.notes.append(f"{result.gold}: no layer {layer!r}")
        result.rejected = list(system.rejected)
        result.rejected_records = system.records
        if self.pairing.duplicates:
            repeated = self._repeated_units("system", self.system, takes)
            result.rejected += map(str, repeated)
            result.rejected_records += len(repeated)
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


def _characters(metrics: Sequence[Metric], options: Options, unit: Unit) -> str | None:
    """The characters of a document, where a metric knows documents by those."""
    if not any(
        sums_over(metric) == "sentence" and options.takes(metric, unit.framework)
        for metric in metrics
    ):
        return None
    # A graph without text leaves a gap that the other side need not have.
    return "".join("".join(unit.texts).split()) if all(unit.texts) else None


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
        outcome.raw_counts,
        outcome.score,
        outcome.bound,
        outcome.proven,
        system is None,
        outcome.matches if details else (),
        gold.layer,
        outcome.errors if details else (),
        tuple(gold.texts) if traced else (),
        parts_with(gold.names, timed.parts, outcome.errors)
        if timed.parts.raw_counts
        else (),
        system.item if system and traced else "",
    )
