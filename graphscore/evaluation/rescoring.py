"""Scoring two collections of a store, computing only what is new.

The identities of both sides are paired, the results of pairs are looked up by
the digests of both graphs, the others are loaded, compared and kept chunk by
chunk, so that an interrupted run goes on where it stopped.  The evaluation
itself, with its totals, is written at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

from graphscore import store
from graphscore.errors import UsageError
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.result import ItemResult, Result, Surplus
from graphscore.evaluation.run import (
    AHEAD,
    BATCH,
    Options,
    Task,
    add_notes,
    add_text_note,
    refuse_unpaired,
    run_tasks,
    unlike,
)
from graphscore.evaluation.signature import Fingerprint, signature
from graphscore.metrics.base import Metric
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Outcome

CHUNK = 16 * BATCH
"""Pairs that are loaded, compared and kept together."""


class StoredUnit(NamedTuple):
    """What is paired: the identities of an item, or of all items of a document."""

    parts: tuple[store.Identity, ...]
    item: str

    @property
    def framework(self) -> str:
        """Framework of the graphs."""
        return self.parts[0].framework

    @property
    def language(self) -> str:
        """Language of the graphs."""
        return self.parts[0].language

    @property
    def document(self) -> str:
        """Document of the graphs."""
        return self.parts[0].document

    @property
    def graphs(self) -> tuple[int, ...]:
        """Ids of the graphs in the store."""
        return tuple(part.graph for part in self.parts)

    @property
    def only(self) -> int | None:
        """Id of the graph, where there is exactly one."""
        return self.parts[0].graph if len(self.parts) == 1 else None

    def digest(self, named: bool) -> bytes:
        """Fingerprint of what scoring can see of all graphs, in order.

        Args:
            named: whether their ids are part of it.
        """
        if not named:
            return self.parts[0].digest
        mixed = hashlib.blake2b(digest_size=16)
        for part in self.parts:
            mixed.update(part.digest + part.item.encode() + b"\0")
        return mixed.digest()


def stored_units(
    identities: Iterable[store.Identity], documents: bool
) -> list[StoredUnit]:
    """Identities as units: one each, or one for each document.

    Args:
        identities: in order of ingest.
        documents: whether a unit is a document; all graphs of one belong to it,
            wherever they stand.
    """
    if not documents:
        return [StoredUnit((each,), each.item) for each in identities]
    gathered: dict[tuple[str, str, str], list[store.Identity]] = {}
    for each in identities:
        key = (each.framework, each.language, each.document)
        gathered.setdefault(key, []).append(each)
    return [StoredUnit(tuple(parts), key[2]) for key, parts in gathered.items()]


class _New(NamedTuple):
    """A pair that has no result yet."""

    digests: tuple[bytes, bytes]
    gold: tuple[int, ...]
    system: tuple[int, ...]


class Rescoring:
    """One metric over two collections.

    Args:
        database: an open store.
        gold: name of the gold collection.
        system: name of the system collection.
        metric: what scores.
        options: how.
    """

    def __init__(
        self,
        database: store.Database,
        gold: str,
        system: str,
        metric: Metric,
        options: Options,
    ) -> None:
        self.database, self.metric, self.options = database, metric, options
        self.result = Result(metric, gold=gold, system=system)

    def run(
        self,
        gold: list[store.Identity],
        system: list[store.Identity],
        pool: Executor | None,
        progress: Callable[[int, int], None] | None,
    ) -> Result:
        """Pair, compute what is new, write the evaluation, sum up."""
        pairs = self._pair(gold, system)
        scored = [pair for pair in pairs if pair.gold is not None]
        found = self._find({_key(pair) for pair in scored})
        new: dict[tuple[bytes, bytes], _New] = {}
        for pair in scored:
            key = _key(pair)
            if pair.gold is not None:
                if key in found:
                    self.result.reused += 1
                elif key not in new:
                    other = pair.system.graphs if pair.system else ()
                    new[key] = _New(key, pair.gold.graphs, other)
        self._compute(list(new.values()), pool, found, progress)
        self._save(pairs, found)
        return self.result

    def _pair(
        self, gold: list[store.Identity], system: list[store.Identity]
    ) -> list[Pair[StoredUnit]]:
        """Pairs in gold order, then surplus system units; notes on the way."""
        scores = self.metric.scores
        unscored: dict[str, int] = {}
        for each in gold:
            if not scores(each.framework):
                unscored[each.framework] = unscored.get(each.framework, 0) + 1
        options = self.options
        documents = self.metric.unit == "document"
        pairing: Pairing[StoredUnit] = Pairing(
            options.pair, id_rule(options.ids), lone=documents
        )
        mine, theirs = (
            stored_units((each for each in side if scores(each.framework)), documents)
            for side in (gold, system)
        )
        pairs = list(pairing.pairs(mine, theirs))
        if pairing.duplicates:
            side, unit = pairing.duplicates[0]
            raise UsageError(
                f"under --ids {options.ids} the {side} item {unit.item!r} "
                f"({unit.framework}) is there twice"
            )
        add_notes(
            self.result,
            {unit.framework for unit in mine},
            {unit.framework for unit in theirs},
            unscored,
        )
        self.prints = (Fingerprint(), Fingerprint())
        for side_print, units in zip(self.prints, (mine, theirs), strict=True):
            for unit in units:
                for part in unit.parts:
                    side_print.add(
                        part.framework, part.language, part.item, part.digest
                    )
        pairs.sort(key=lambda pair: (pair.gold is None, pair.position))
        return pairs

    def _find(
        self, digests: set[tuple[bytes, bytes]]
    ) -> dict[tuple[bytes, bytes], int]:
        with self.database.reading() as connection:
            found = store.find_results(
                connection,
                str(self.metric),
                self.metric.revision,
                sorted(digests),
                self.options.budget.steps,
            )
        return {
            (one or b"", two or b""): number for (one, two), number in found.items()
        }

    def _compute(
        self,
        new: list[_New],
        pool: Executor | None,
        found: dict[tuple[bytes, bytes], int],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        """Compare the new pairs, chunk by chunk, each kept at once."""
        budget = self.options.budget
        for start in range(0, len(new), CHUNK):
            chunk = new[start : start + CHUNK]
            wanted = {graph for each in chunk for graph in (*each.gold, *each.system)}
            with self.database.reading() as connection:
                graphs = store.load_graphs(connection, sorted(wanted))
            tasks = [
                Task(
                    (self.metric,),
                    tuple(
                        (
                            tuple(graphs[number] for number in each.gold),
                            tuple(graphs[number] for number in each.system),
                        )
                        for each in chunk[first : first + BATCH]
                    ),
                    budget,
                    True,
                )
                for first in range(0, len(chunk), BATCH)
            ]
            ahead = AHEAD * max(self.options.jobs, 2)
            timed = [each for batch in run_tasks(tasks, pool, ahead) for each in batch]
            rows = [
                store.ResultRow(
                    each.digests[0],
                    each.digests[1],
                    outcome,
                    microseconds,
                    # Stopped by the clock: worth the steps it really took.
                    outcome.steps if budget.seconds is not None else budget.steps,
                )
                for each, (outcome, microseconds) in zip(chunk, timed, strict=True)
            ]
            with self.database.writing() as connection:
                numbers = store.save_results(
                    connection, str(self.metric), self.metric.revision, rows
                )
            found.update(
                (each.digests, number)
                for each, number in zip(chunk, numbers, strict=True)
            )
            if progress is not None:
                progress(start + len(chunk), len(new))

    def _save(
        self,
        pairs: list[Pair[StoredUnit]],
        found: dict[tuple[bytes, bytes], int],
    ) -> None:
        """Write the evaluation with its totals, and read the sums back."""
        result, options = self.result, self.options
        with self.database.reading() as connection:
            rejected = store.rejected_records(connection, result.system)
        taken = options.selection.takes
        rejected = [
            each
            for each in rejected
            if not each.framework or taken(each.framework, "", each.item)
        ]
        result.rejected_records = len(rejected)
        result.rejected = [
            line for each in rejected for line in each.message.splitlines()
        ]
        broken = {(each.framework, each.item) for each in rejected}
        rows: list[store.PairRow] = []
        for pair in pairs:
            unit = pair.gold or pair.system
            assert unit is not None
            status: store.Status = "paired"
            if pair.gold is None:
                status = "surplus"
                result.surplus_system.append(
                    Surplus(unit.framework, unit.language, unit.item)
                )
            elif pair.system is None:
                gone = (unit.framework, unit.item) in broken
                status = "rejected" if gone else "missing"
                result.missing_system += 1
            rows.append(
                store.PairRow(
                    unit.framework,
                    unit.language,
                    unit.document,
                    unit.item,
                    pair.gold.only if pair.gold else None,
                    pair.system.only if pair.system else None,
                    found[_key(pair)] if pair.gold else None,
                    status,
                )
            )
        result.pairs = sum(row.result is not None for row in rows)
        refuse_unpaired(result)
        with self.database.reading() as connection:
            scored = [row.result for row in rows if row.result is not None]
            unproven = store.unproven_results(connection, scored)
        result.unproven = sum(number in unproven for number in scored)
        result.signature = signature(result, options, *self.prints)
        with self.database.writing() as connection:
            number = store.save_evaluation(
                connection,
                result.gold,
                result.system,
                str(self.metric),
                result.signature,
                rows,
                "mean"
                if self.metric.averages
                else self.metric.total_kind or self.metric.main,
            )
        with self.database.reading() as connection:
            columns: tuple[store.Grouping, ...] = ("framework", "language", "document")
            unlikes = store.differing_texts(connection, number)
            if unlikes:
                item, *both = unlikes[0]
                graphs = store.load_graphs(connection, both)
                first = unlike(item, graphs[both[0]], graphs[both[1]])
                add_text_note(result, len(unlikes), first)
            for key, masses in store.masses_by(connection, number, columns):
                result.add((key[0], key[1], key[2]), masses)
            if options.per_item:
                result.items = list(_items(connection, number, options.details))


def _items(connection: Any, evaluation: int, details: bool) -> Iterator[ItemResult]:
    columns: tuple[store.Grouping, ...] = ("framework", "language", "item")
    masses = dict(store.masses_by(connection, evaluation, columns))
    pairs = [
        pair
        for pair in store.pairs_of(connection, evaluation)
        if pair.result is not None
    ]
    outcomes: dict[int, Outcome] = {}
    if details:
        ids = [pair.result for pair in pairs if pair.result is not None]
        outcomes = store.load_outcomes(connection, ids)
    for pair in pairs:
        yield ItemResult(
            pair.framework,
            pair.language,
            pair.item,
            pair.document,
            masses.get((pair.framework, pair.language, pair.item), {}),
            pair.score or 0,
            pair.bound or 0,
            bool(pair.proven),
            pair.status in ("missing", "rejected"),
            outcomes[pair.result].matches if details and pair.result else (),
        )


def _key(pair: Pair[StoredUnit]) -> tuple[bytes, bytes]:
    """What a result is found by; parts of a document pair by their ids."""
    sides = pair.gold, pair.system
    named = any(len(side.parts) > 1 for side in sides if side)
    gold, system = (side.digest(named) if side else store.NOTHING for side in sides)
    return gold, system
