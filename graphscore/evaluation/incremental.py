"""Scoring two collections of a store, computing only what is new.

The identities of both sides are paired, the results of pairs are looked up by
the digests of both graphs, the others are loaded, compared and kept chunk by
chunk, so that an interrupted run goes on where it stopped.  The evaluation
itself, with its totals, is written at the end.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection

from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.figures import figures_of
from graphscore.evaluation.rows.kept import items_of, kept_items, kept_results
from graphscore.evaluation.sources.store import StoreSource
from graphscore.evaluation.tasks import BATCH, Task, Timed, shares_of
from graphscore.evaluation.unit import (
    COLLECTION,
    ItemResult,
    SentenceCounts,
    Shares,
    Unit,
    parts_with,
)
from graphscore.metrics.base import Metric, item_scores
from graphscore.metrics.traits import sums_over
from graphscore.model.outcome import Count
from graphscore.store.database import Database
from graphscore.store.evaluations import SUMMED_BY, PairRow, Status, raw_counts_by
from graphscore.store.read.load import (
    joined_digest,
)
from graphscore.store.watching import ChangedContentsError, Contents
from graphscore.store.write.evaluations import (
    Made,
    same_evaluation,
    save_evaluation,
    save_figures,
)
from graphscore.store.write.results import (
    NOTHING,
    ResultRow,
    are_kept,
    find_results,
    save_results,
)
from graphscore.store.write.rows import batched

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.evaluation.run import EvaluationRun

CHUNK = 16 * BATCH
"""Pairs that are loaded, compared and kept together."""

Key = tuple[bytes, bytes]
"""Key of a stored result: digests of gold and system, empty where missing."""

ItemKey = tuple[str, str, str, str]
"""Framework, language, item and layer."""

Progress = Callable[[int, int], None]
"""Is told how many of how many new results are there."""


class How(NamedTuple):
    """Settings of scoring in a store, in addition to the options."""

    executor: Executor | None = None
    """Executor of batches."""
    progress: Progress | None = None
    """Is told how many of how many pairs are done."""
    replace: bool = False
    """Replace evaluations of the same scope."""
    stored: bool = False
    """Read evaluations that exist as they are."""
    before: Contents | None = None
    """The state of the collections before their graphs were listed."""


def key_of(pair: Pair) -> Key:
    """Return the key of the result of a pair.

    Args:
        pair: any; parts of a document pair by their ids.
    """
    sides = pair.gold, pair.system
    stored = [side.stored if side else () for side in sides]
    if max(map(len, stored)) > 1:
        gold, system = map(_joined, sides)
    else:
        gold, system = (graphs[0].digest if graphs else NOTHING for graphs in stored)
    return gold, system


def _joined(unit: Unit | None) -> bytes:
    """Fingerprint of what scoring can see of all graphs, with their ids."""
    return joined_digest(unit.stored, unit.item == COLLECTION) if unit else NOTHING


class StoreSink:
    """A store as what keeps outcomes, so that only new pairs are compared.

    Args:
        database: an open store.
        how: what becomes of evaluations, and who is told.
    """

    def __init__(self, database: Database, how: How) -> None:
        self.database, self.how = database, how
        self.done = self.total = 0

    def begin(self, evaluation: EvaluationRun) -> Iterator[Pair]:
        """Look up what is known of the pairs of an evaluation.

        Args:
            evaluation: everything is paired in it.

        Yields:
            Pairs in gold order, then spurious system units; those of which anything is
            not known come with their graphs.

        Raises:
            UsageError: if ids are equal once they are rewritten.
        """
        self.results, self.options = evaluation.results, evaluation.options
        assert isinstance(evaluation.system, StoreSource)
        self.system = evaluation.system
        for side, unit in evaluation.pairing.duplicates:
            source = evaluation.gold if side == "gold" else evaluation.system
            source.repeated(unit, "")
        number = len(self.results)
        self.found: list[dict[Key, int]] = []
        self.unproven: list[set[Key]] = []
        self.missing: list[set[Key]] = []
        self.kept: list[dict[Key, ResultRow]] = [{} for _ in range(number)]
        self.parts: list[dict[Key, Shares]] = [{} for _ in range(number)]
        """Counts of each pair by gold graph, where requested."""
        pairs = sorted(
            evaluation.pairs, key=lambda pair: (pair.gold is None, pair.position)
        )
        self.paired = [(key_of(pair), pair) for pair in pairs]
        self._find()
        for chunk in batched(self.paired, CHUNK):
            yield from self._load_missing(chunk)

    def _pairs_of(self, metric: Metric) -> Iterator[tuple[Key, Pair]]:
        """The pairs that a metric looks at, spurious ones included."""
        takes = cache(partial(self.options.takes, metric))
        for key, pair in self.paired:
            unit = pair.gold or pair.system
            if unit and takes(unit.framework):
                yield key, pair

    def _find(self) -> None:
        """Look up what is there already."""
        with self.database.reading() as connection:
            for result in self.results:
                metric = result.metric
                keys = [key for key, pair in self._pairs_of(metric) if pair.gold]
                unique_keys = set(keys)
                stored_results = find_results(
                    connection,
                    str(metric),
                    metric.revision,
                    sorted(unique_keys),
                    self.options.budget.steps,
                )
                stored_results |= self._stored_results(connection, result)
                self.found.append({key: id for key, (id, _) in stored_results.items()})
                self.unproven.append(
                    {key for key, (_, proven) in stored_results.items() if not proven}
                )
                self.missing.append(unique_keys - self.found[-1].keys())
                result.reused = sum(key in self.found[-1] for key in keys)
        self.total = sum(map(len, self.missing))

    def _stored_results(
        self, connection: Connection, result: Result
    ) -> dict[Key, tuple[int, bool]]:
        """The results of an evaluation that is there, if it is read as it is."""
        if not self.how.stored:
            return {}
        scored = list(self._pairs_of(result.metric))
        golds = {pair.gold.framework for _, pair in scored if pair.gold}
        names = result.gold, result.system, str(result.metric)
        known = kept_results(connection, *names, str(self.options.scope(golds)))
        of_gold = ((key, known.get(_item_of(x))) for key, x in scored if x.gold)
        return {key: stored for key, stored in of_gold if stored is not None}

    def _load_missing(self, chunk: Sequence[tuple[Key, Pair]]) -> Iterator[Pair]:
        """Pairs with the graphs of those that have no result yet."""
        if not any(self.missing):
            yield from (pair for _, pair in chunk)
            return
        unknown = [
            pair.gold is not None and any(key in missing for missing in self.missing)
            for key, pair in chunk
        ]
        pairs = [pair for _, pair in chunk]
        loaded = iter(self._pairs_with_graphs([*compress(pairs, unknown)]))
        for pair, new in zip(pairs, unknown, strict=True):
            yield next(loaded) if new else pair

    def _pairs_with_graphs(self, pairs: Sequence[Pair]) -> list[Pair]:
        units = [unit for _, *sides in pairs for unit in sides if unit]
        loaded = iter(self.system.load(units))
        return [
            Pair(
                pair.position,
                next(loaded) if pair.gold else None,
                next(loaded) if pair.system else None,
            )
            for pair in pairs
        ]

    def wanted(self, pair: Pair, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of some metrics that have no result of such a pair, each once.

        Args:
            pair: a pair with a gold unit.
            numbers: of the metrics.
        """
        if not any([self.missing[number] for number in numbers]):
            return ()
        key = key_of(pair)
        numbers = tuple(number for number in numbers if key in self.missing[number])
        for number in numbers:
            self.missing[number].remove(key)
        return numbers

    def take(self, number: int, pair: Pair, timed: Timed) -> None:
        """Remember the outcome, and keep all as soon as there is a chunk."""
        key, budget = key_of(pair), self.options.budget
        outcome, microseconds, parts = timed
        if parts.raw_counts:
            self.parts[number][key] = parts
        # Stopped by the clock: worth the steps it really took.
        steps = outcome.steps if budget.seconds is not None else budget.steps
        metric = self.results[number].metric
        counts = item_scores(metric, outcome.raw_counts).counts
        count = counts.get(metric.main, Count())
        self.kept[number][key] = ResultRow(*key, outcome, microseconds, steps, count)
        if len(self.kept[number]) == CHUNK:
            self._keep()

    def _keep(self) -> None:
        """Write the outcomes of all metrics, in one transaction."""
        with self.database.writing() as connection:
            for result, rows, known, unproven in zip(
                self.results, self.kept, self.found, self.unproven, strict=True
            ):
                metric = result.metric
                if rows:
                    numbers = save_results(
                        connection, str(metric), metric.revision, rows.values()
                    )
                    known.update(zip(rows, numbers, strict=True))
                    unproven |= {key for key in rows if not rows[key].outcome.proven}
                    self.done += len(rows)
                    rows.clear()
        # A run keeps the collector out; what has come since is looked through once.
        gc.collect(1)
        if self.how.progress is not None:
            self.how.progress(self.done, self.total)

    def settle(self) -> None:
        """Keep the rest, and say in the results how many pairs are unproven."""
        if any(self.kept):
            self._keep()
        for result, unproven in zip(self.results, self.unproven, strict=True):
            pairs = self._pairs_of(result.metric)
            result.unproven = sum(key in unproven for key, pair in pairs if pair.gold)

    def conclude(self, number: int) -> None:
        """Write the evaluation with its totals, if it is new, and read the sums."""
        result, metric = self.results[number], self.results[number].metric
        made = Made(
            result.gold,
            result.system,
            str(metric),
            result.signature,
            metric.revision,
            str(result.scope),
        )
        rows = list(self._rows(number))
        # What is there needs no leave to write: the store may be one that is only read.
        with self.database.reading() as connection:
            evaluation = same_evaluation(connection, made, rows)
        if evaluation is None:
            known = self.found[number]
            with self.database.writing() as connection:
                if not are_kept(connection, str(metric), metric.revision, known):
                    raise ChangedContentsError
                evaluation = save_evaluation(connection, made, rows, self.how.replace)
                self._sum(connection, evaluation, result)
                figures = figures_of(result, rows)
                save_figures(connection, evaluation, figures, result.raw_counts)
        else:
            with self.database.reading() as connection:
                self._sum(connection, evaluation, result)
        with self.database.reading() as connection:
            if self.options.per_item:
                details = self.options.details
                result.items = list(items_of(connection, evaluation, details))
        result.fetch = partial(kept_items, self.database, evaluation)
        if self.options.per_item and (self.options.details or self.options.traced):
            result.items = self._traced_items(number)
        if self.options.per_item and self.options.parts and sums_over(metric):
            parts = self._parts(number)
            result.items = [
                item._replace(
                    parts=parts[item.framework, item.language, item.item, item.layer]
                )
                for item in result.items
            ]

    def _sum(self, connection: Connection, evaluation: int, result: Result) -> None:
        """Read the summed raw counts of an evaluation into its result."""
        for key, raw_counts in raw_counts_by(connection, evaluation, SUMMED_BY):
            result.add((key[0], key[1], key[2], key[3]), raw_counts)

    def _traced_items(self, number: int) -> list[ItemResult]:
        """The items of a result with the texts of gold, and what the system has."""
        metric = self.results[number].metric
        # By their texts documents are the same in several references.
        read = self.options.details or sums_over(metric) == "sentence"
        gold_units = {
            (gold.framework, gold.language, gold.item, gold.layer): (
                tuple(gold.texts) if read else (),
                system.item if system else "",
            )
            for _, (_, gold, system) in self._pairs_of(metric)
            if gold is not None
        }
        traced = []
        for item in self.results[number].items:
            key = item.framework, item.language, item.item, item.layer
            texts, partner = gold_units[key]
            traced.append(item._replace(texts=texts, partner=partner))
        return traced

    def _parts(self, number: int) -> dict[ItemKey, tuple[SentenceCounts, ...]]:
        """The gold graphs of every pair, compared again where it has a result.

        Results are kept with the raw counts of whole pairs.  Those of their graphs take
        aligning, but no search.
        """
        metric, known = self.results[number].metric, self.parts[number]
        errors = {
            (item.framework, item.language, item.item, item.layer): item.errors
            for item in self.results[number].items
        }
        scored = [(key, pair) for key, pair in self._pairs_of(metric) if pair.gold]
        left = {key: pair for key, pair in scored if key not in known}
        for chunk in batched(list(left.values()), BATCH):
            both = tuple(
                (pair.gold.graphs, pair.system.graphs if pair.system else ())
                for pair in self._pairs_with_graphs(chunk)
                if pair.gold
            )
            task = Task((metric,), both, self.options.budget, False, True)
            missed = (errors[_item_of(pair)] for pair in chunk)
            known.update(
                zip(
                    (key_of(pair) for pair in chunk),
                    shares_of(task, missed),
                    strict=True,
                )
            )
        return {
            (item := _item_of(pair)): parts_with(
                pair.gold.names,
                known[key],
                errors[item],
            )
            for key, pair in scored
            if pair.gold
        }

    def _rows(self, number: int) -> Iterator[PairRow]:
        """Yield a row for every unit that a metric scores."""
        broken = {(record.framework, record.item) for record in self.system.rejected()}
        for key, (_, gold, system) in self._pairs_of(self.results[number].metric):
            unit = gold or system
            assert unit is not None
            status: Status = "paired"
            if gold is None:
                status = "spurious"
            elif system is None:
                gone = (unit.framework, unit.item) in broken
                status = "rejected" if gone else "missing"
            yield PairRow(
                unit.framework,
                unit.language,
                unit.document,
                unit.item,
                _only(gold),
                _only(system),
                self.found[number][key] if gold else None,
                status,
                unit.layer,
            )


def _only(unit: Unit | None) -> int | None:
    """Id of the graph of a unit, where there is exactly one."""
    return unit.stored[0].graph if unit and len(unit.stored) == 1 else None


def _item_of(pair: Pair) -> ItemKey:
    """The item of a pair that gold has."""
    gold = pair.gold
    assert gold is not None
    return gold.framework, gold.language, gold.item, gold.layer
