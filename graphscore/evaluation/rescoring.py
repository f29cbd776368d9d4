"""Scoring two collections of a store, computing only what is new.

The identities of both sides are paired, results are looked up by the digests of pairs,
the others are computed and kept chunk by chunk, so that an interrupted run goes on
where it stopped.  The evaluation, with its totals, is written at the end.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection

from graphscore.errors import UsageError
from graphscore.evaluation.documents import joined_name
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.parts import Part, Shares, parts_with
from graphscore.evaluation.result import ItemResult, Result
from graphscore.evaluation.rows.kept import items_of, kept_items, kept_results
from graphscore.evaluation.run import Ends
from graphscore.evaluation.sameids import LostDocuments
from graphscore.evaluation.tasks import BATCH, Task, Timed, shares_of
from graphscore.evaluation.units import COLLECTION, Identity, named
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.store.database import Database
from graphscore.store.evaluations import (
    Grouping,
    Made,
    PairRow,
    Status,
    masses_by,
    same_evaluation,
    save_evaluation,
)
from graphscore.store.reading.load import (
    RejectedRecord,
    StoredGraph,
    joined_digest,
    load_present,
    load_texts,
    rejected_records,
)
from graphscore.store.watching import ChangedContentsError, Contents
from graphscore.store.writing.results import (
    NOTHING,
    ResultRow,
    are_kept,
    find_results,
    save_results,
    unproven_results,
)
from graphscore.store.writing.rows import batched

if TYPE_CHECKING:
    from concurrent.futures import Executor

CHUNK = 16 * BATCH
"""Pairs that are loaded, compared and kept together."""

Key = tuple[bytes, bytes]
"""What a result is found by: digests of gold and system, empty where missing."""

ItemKey = tuple[str, str, str, str]
"""Framework, language, item and layer."""

Progress = Callable[[int, int], None]
"""Is told how many of how many new results are there."""


class How(NamedTuple):
    """How a store scores, beside what is asked."""

    executor: Executor | None = None
    """Where batches run."""
    progress: Progress | None = None
    """Is told how many of how many pairs are done."""
    replace: bool = False
    """Whether evaluations take the place of others of the same scope."""
    stored: bool = False
    """Whether evaluations that are there are read as they are."""
    before: Contents | None = None
    """The state of the collections before their graphs were listed."""


class StoredUnit(NamedTuple):
    """What is paired: the identities of an item, or of all items of a document."""

    parts: tuple[StoredGraph, ...]
    item: str
    graphs: tuple[Graph, ...] = ()
    """The graphs themselves, once they are loaded."""
    lost: tuple[str, ...] = ()
    """The documents that bad records right before it seem to be of."""
    unclear: str = ""
    """Why nobody knows how many there are, if nobody does."""

    @property
    def framework(self) -> str:
        """Framework of the graphs."""
        return self.parts[0].framework

    @property
    def language(self) -> str:
        """Language of the graphs."""
        return self.parts[0].language

    @property
    def layer(self) -> str:
        """Layer of the graphs, or empty."""
        return self.parts[0].layer

    @property
    def document(self) -> str:
        """Document of the graphs; several go by the name that they have together."""
        return self.item if len(self.parts) > 1 else self.parts[0].document

    @property
    def text(self) -> bytes | None:
        """Fingerprint of the text of the first graph, if it has one."""
        return self.parts[0].text

    @property
    def words(self) -> int:
        """How many tokens the first graph has."""
        return self.parts[0].words

    @property
    def anchored(self) -> bool:
        """Whether any node of the first graph has anchors."""
        return self.parts[0].anchored

    @property
    def empty(self) -> bool:
        """Whether the first graph has no nodes."""
        return self.parts[0].empty

    @property
    def only(self) -> int | None:
        """Id of the graph, where there is exactly one."""
        return self.parts[0].graph if len(self.parts) == 1 else None

    def identities(self) -> Iterator[Identity]:
        """Framework, language, id and digest of every graph."""
        for part in self.parts:
            item = named(part.item, part.layer)
            yield part.framework, part.language, item, part.digest

    def digest(self, named: bool) -> bytes:
        """Fingerprint of what scoring can see of all graphs, in order.

        Args:
            named: whether their ids are part of it.
        """
        if not named:
            return self.parts[0].digest
        return joined_digest(self.parts, self.item == COLLECTION)

    def joined(self, others: Sequence[StoredUnit]) -> StoredUnit:
        """One document of this one and those after it."""
        parts = tuple(part for unit in (self, *others) for part in unit.parts)
        return self._replace(parts=parts, item=joined_name(self.item, others))


def stored_units(
    identities: Iterable[StoredGraph], documents: bool, whole: bool = False
) -> list[StoredUnit]:
    """Identities as units: one each, one for each document, or one of all.

    Args:
        identities: in order of ingest.
        documents: whether a unit is a document; all graphs of one belong to it,
            wherever they stand.
        whole: whether a unit is all there is of a framework, language and layer.
    """
    if not documents:
        return [StoredUnit((each,), each.item, lost=each.lost) for each in identities]
    gathered: dict[tuple[str, ...], tuple[list[StoredGraph], tuple[str, ...]]] = {}
    counts: defaultdict[tuple[str, ...], LostDocuments] = defaultdict(LostDocuments)
    for each in identities:
        name = COLLECTION if whole else each.document
        kind = (each.framework, each.language, each.layer)
        counts[kind].add(name, () if whole else each.lost, "")
        lost = counts[kind].take()
        gathered.setdefault((*kind, name), ([], lost))[0].append(each)
    return [
        StoredUnit(tuple(parts), key[-1], (), lost, counts[key[:-1]].unclear)
        for key, (parts, lost) in gathered.items()
    ]


def key_of(pair: Pair[StoredUnit]) -> Key:
    """What the result of a pair is found by.

    Args:
        pair: any; parts of a document pair by their ids.
    """
    sides = pair.gold, pair.system
    named = any(len(side.parts) > 1 for side in sides if side)
    gold, system = (side.digest(named) if side else NOTHING for side in sides)
    return gold, system


class Collections(Ends[StoredUnit]):
    """Two collections of a store, which keeps what is found out.

    Args:
        database: an open store.
        names: of the gold and the system collection.
        sides: the identities of both, in order of ingest.
        metrics: what scores.
        options: how.
        how: what becomes of evaluations, and who is told.
    """

    def __init__(
        self,
        database: Database,
        names: tuple[str, str],
        sides: tuple[list[StoredGraph], list[StoredGraph]],
        metrics: Sequence[Metric],
        options: Options,
        how: How,
    ) -> None:
        super().__init__(metrics, names, options)
        self.how = how
        self.database, self.sides = database, sides
        self.paired: list[tuple[Key, Pair[StoredUnit]]] = []
        self.found: list[dict[Key, int]] = []
        self.missing: list[set[Key]] = []
        self.kept: list[dict[Key, ResultRow]] = [{} for _ in metrics]
        self.rejected: list[RejectedRecord] = []
        self.done = self.total = 0
        self.parts: list[dict[Key, Shares]] = [{} for _ in metrics]
        """What belongs to the gold graphs of each pair, where it is asked for."""
        self._texts: dict[bytes, str] = {}

    def pairs(self) -> Iterator[Pair[StoredUnit]]:
        """Pairs in gold order, then surplus system units.

        Raises:
            UsageError: if ids are equal once they are rewritten.
        """
        gold, system = (
            stored_units(
                (each for each in side if self.any_scores(each.framework)),
                self.documents,
                self.whole,
            )
            for side in self.sides
        )
        pairs = list(self.pairing.pairs(gold, system))
        if self.pairing.duplicates:
            side, unit = self.pairing.duplicates[0]
            raise UsageError(
                f"under --ids {self.options.ids} the {side} item {unit.item!r} "
                f"({unit.framework}) is there twice"
            )
        pairs.sort(key=lambda pair: (pair.gold is None, pair.position))
        self.paired = [(key_of(pair), pair) for pair in pairs]
        self._find()
        for chunk in batched(self.paired, CHUNK):
            yield from self._loaded(chunk)

    def _scored(self, metric: Metric) -> Iterator[tuple[Key, Pair[StoredUnit]]]:
        """The pairs that a metric looks at, surplus ones included."""
        for key, pair in self.paired:
            unit = pair.gold or pair.system
            if unit is not None and self.takes(metric, unit.framework):
                yield key, pair

    def _find(self) -> None:
        """Look up what is there already."""
        with self.database.reading() as connection:
            for result in self.results:
                metric = result.metric
                keys = [key for key, pair in self._scored(metric) if pair.gold]
                wanted = set(keys)
                found = find_results(
                    connection,
                    str(metric),
                    metric.revision,
                    sorted(wanted),
                    self.options.budget.steps,
                )
                self.found.append(
                    {
                        (gold or NOTHING, system or NOTHING): number
                        for (gold, system), number in found.items()
                    }
                    | self._stored(connection, result)
                )
                self.missing.append(wanted - self.found[-1].keys())
                result.reused = sum(key in self.found[-1] for key in keys)
        self.total = sum(map(len, self.missing))

    def _stored(self, connection: Connection, result: Result) -> dict[Key, int]:
        """The results of an evaluation that is there, if it is read as it is."""
        if not self.how.stored:
            return {}
        scored = list(self._scored(result.metric))
        golds = {pair.gold.framework for _, pair in scored if pair.gold}
        names = result.gold, result.system, str(result.metric)
        known = kept_results(connection, *names, str(self.options.scope(golds)))
        of_gold = ((key, known.get(_item_of(x))) for key, x in scored if x.gold)
        return {key: number for key, number in of_gold if number is not None}

    def _loaded(
        self, chunk: list[tuple[Key, Pair[StoredUnit]]]
    ) -> Iterator[Pair[StoredUnit]]:
        """Pairs with the graphs of those that have no result yet."""
        ids = {
            part.graph
            for key, pair in chunk
            if pair.gold and any(key in missing for missing in self.missing)
            for unit in (pair.gold, pair.system)
            for part in (unit.parts if unit else ())
        }
        graphs = self._load(ids) if ids else {}
        for _, (position, *sides) in chunk:
            gold, system = (
                unit and unit._replace(graphs=_graphs(unit, graphs)) for unit in sides
            )
            yield Pair(position, gold, system)

    def _load(self, ids: Iterable[int]) -> dict[int, Graph]:
        with self.database.reading() as connection:
            return load_present(connection, sorted(ids))

    def texts(self, unit: StoredUnit) -> list[str]:
        """Those that the graphs have, loaded without the graphs."""
        if not self._texts:
            digests = {part.text for side in self.sides for part in side if part.text}
            with self.database.reading() as connection:
                self._texts = load_texts(connection, digests)
        return [self._texts.get(part.text or b"", "") for part in unit.parts]

    def graph(self, unit: StoredUnit) -> Graph:
        """Its first graph, loaded."""
        number = unit.parts[0].graph
        return self._load([number])[number]

    def wanted(
        self, pair: Pair[StoredUnit], family: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Those that have no result of such a pair, each once."""
        key = key_of(pair)
        numbers = tuple(number for number in family if key in self.missing[number])
        for number in numbers:
            self.missing[number].remove(key)
        return numbers

    def take(self, number: int, pair: Pair[StoredUnit], timed: Timed) -> None:
        """Remember the outcome, and keep all as soon as there is a chunk."""
        key, budget = key_of(pair), self.options.budget
        outcome, microseconds, parts = timed
        if parts.masses:
            self.parts[number][key] = parts
        # Stopped by the clock: worth the steps it really took.
        steps = outcome.steps if budget.seconds is not None else budget.steps
        self.kept[number][key] = ResultRow(*key, outcome, microseconds, steps)
        if len(self.kept[number]) == CHUNK:
            self._keep()

    def _keep(self) -> None:
        """Write the outcomes of all metrics, in one transaction."""
        with self.database.writing() as connection:
            for result, rows, found in zip(
                self.results, self.kept, self.found, strict=True
            ):
                metric = result.metric
                if rows:
                    numbers = save_results(
                        connection, str(metric), metric.revision, rows.values()
                    )
                    found.update(zip(rows, numbers, strict=True))
                    self.done += len(rows)
                    rows.clear()
        # A run keeps the collector out; what has come since is looked through once.
        gc.collect(1)
        if self.how.progress is not None:
            self.how.progress(self.done, self.total)

    def settle(self) -> None:
        """Keep the rest."""
        if any(self.kept):
            self._keep()
        takes = self.options.selection.takes
        with self.database.reading() as connection:
            self.rejected = [
                each
                for each in rejected_records(connection, self.results[0].system)
                if not each.framework or takes(each.framework, "", each.item)
            ]

    def describe(self, number: int) -> Mapping[str, int]:
        """Name the system's bad records."""
        result, found = self.results[number], self.found[number]
        result.rejected_records = len(self.rejected)
        result.rejected = [
            line for each in self.rejected for line in each.message.splitlines()
        ]
        scored = [found[key] for key, pair in self._scored(result.metric) if pair.gold]
        with self.database.reading() as connection:
            unproven = unproven_results(connection, scored)
        result.unproven = sum(each in unproven for each in scored)
        gold, system = (Counter(x.framework for x in side) for side in self.sides)
        every = (system | dict(gold)).items()
        return {each: n for each, n in every if not self.takes(result.metric, each)}

    def has_system(self) -> bool:
        """Any that was ingested."""
        return bool(self.sides[1])

    def conclude(self, number: int) -> None:
        """Write the evaluation with its totals, if it is new, and read the sums."""
        result, metric = self.results[number], self.results[number].metric
        main = "mean" if metric.averages else metric.total_kind or metric.main
        made = Made(
            result.gold,
            result.system,
            str(metric),
            result.signature,
            main,
            metric.revision,
            str(result.scope),
        )
        rows = list(self._rows(number))
        # What is there needs no leave to write: the store may be one that is only read.
        with self.database.reading() as connection:
            evaluation = same_evaluation(connection, made, rows)
        if evaluation is None:
            found = self.found[number]
            with self.database.writing() as connection:
                if not are_kept(connection, str(metric), metric.revision, found):
                    raise ChangedContentsError
                evaluation = save_evaluation(connection, made, rows, self.how.replace)
        columns: tuple[Grouping, ...] = ("framework", "language", "document", "layer")
        with self.database.reading() as connection:
            for key, masses in masses_by(connection, evaluation, columns):
                result.add((key[0], key[1], key[2], key[3]), masses)
            if self.options.per_item:
                details = self.options.details
                result.items = list(items_of(connection, evaluation, details))
        result.fetch = partial(kept_items, self.database, evaluation)
        if self.options.per_item and (self.options.details or self.options.traced):
            result.items = self._traced(number)
        if self.options.per_item and self.options.parts and metric.sums_over:
            parts = self._parts(number)
            result.items = [
                each._replace(
                    parts=parts[each.framework, each.language, each.item, each.layer]
                )
                for each in result.items
            ]

    def _traced(self, number: int) -> list[ItemResult]:
        """The items of a result with the texts of gold, and what the system has."""
        metric = self.results[number].metric
        # By their texts documents are the same in several references.
        read = self.options.details or metric.joins
        found = {
            (gold.framework, gold.language, gold.item, gold.layer): (
                tuple(self.texts(gold)) if read else (),
                system.item if system else "",
            )
            for _, (_, gold, system) in self._scored(metric)
            if gold is not None
        }
        traced = []
        for each in self.results[number].items:
            key = each.framework, each.language, each.item, each.layer
            texts, partner = found[key]
            traced.append(each._replace(texts=texts, partner=partner))
        return traced

    def _parts(self, number: int) -> dict[ItemKey, tuple[Part, ...]]:
        """The gold graphs of every pair, compared again where it has a result.

        Results are kept with the masses of whole pairs.  Those of their graphs take
        aligning, but no search.
        """
        metric, known = self.results[number].metric, self.parts[number]
        errors = {
            (each.framework, each.language, each.item, each.layer): each.errors
            for each in self.results[number].items
        }
        scored = [(key, pair) for key, pair in self._scored(metric) if pair.gold]
        left = {key: pair for key, pair in scored if key not in known}
        for chunk in batched(list(left.values()), BATCH):
            ids = {
                part.graph
                for pair in chunk
                for unit in (pair.gold, pair.system)
                for part in (unit.parts if unit else ())
            }
            graphs = self._load(ids)
            both = tuple(
                (_graphs(pair.gold, graphs), _graphs(pair.system, graphs))
                for pair in chunk
            )
            task = Task((metric,), both, self.options.budget, False, True)
            mine = (errors[_item_of(pair)] for pair in chunk)
            known.update(
                zip(
                    (key_of(pair) for pair in chunk), shares_of(task, mine), strict=True
                )
            )
        return {
            (item := _item_of(pair)): parts_with(
                ((part.item, part.document) for part in pair.gold.parts),
                known[key],
                errors[item],
            )
            for key, pair in scored
            if pair.gold
        }

    def _rows(self, number: int) -> Iterator[PairRow]:
        """What became of every unit that a metric scores."""
        broken = {(each.framework, each.item) for each in self.rejected}
        for key, (_, gold, system) in self._scored(self.results[number].metric):
            unit = gold or system
            assert unit is not None
            status: Status = "paired"
            if gold is None:
                status = "surplus"
            elif system is None:
                gone = (unit.framework, unit.item) in broken
                status = "rejected" if gone else "missing"
            yield PairRow(
                *(unit.framework, unit.language, unit.document, unit.item),
                gold.only if gold else None,
                system.only if system else None,
                self.found[number][key] if gold else None,
                status,
                unit.layer,
            )


def _graphs(unit: StoredUnit | None, loaded: Mapping[int, Graph]) -> tuple[Graph, ...]:
    """The graphs of a unit that are loaded."""
    parts = unit.parts if unit else ()
    return tuple(loaded[part.graph] for part in parts if part.graph in loaded)


def _item_of(pair: Pair[StoredUnit]) -> ItemKey:
    """The item of a pair that gold has."""
    gold = pair.gold
    assert gold is not None
    return gold.framework, gold.language, gold.item, gold.layer
