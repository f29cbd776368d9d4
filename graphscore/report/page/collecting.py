"""Scoring for a report: results with all that they say, and the graphs behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.sentences import goes_down
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.store import Store
from graphscore.evaluation.tasks import Task, executor_for, run_task
from graphscore.evaluation.unit import ItemResult, Unit
from graphscore.formats.streams import held_streams
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.report.item_view.lookup import Found, is_cut_otherwise

UnitKey = tuple[Metric, str, str, str, str]
"""Metric, framework, language, item and layer."""

Load = Callable[[int, Sequence[tuple[Metric, ItemResult]]], Mapping[UnitKey, Found]]
"""Gives the graphs of some units of a system, which it takes by its place."""


class Scored(NamedTuple):
    """Systems that were scored, and where their graphs are."""

    results: list[list[Result]]
    """Results of each system, with items and details."""
    load: Load
    items: list[list[Sequence[ItemResult]]]
    """Readable parts of each result: sentences of documents, where these have
    counts of their own, else its items."""


def unit_key(metric: Metric, item: ItemResult) -> UnitKey:
    """Return a key that identifies a unit of a system."""
    return metric, item.framework, item.language, item.item, item.layer


def gathered_files(
    gold: Any,
    systems: Sequence[Any],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> Scored:
    """Score files, or graphs in memory.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        systems: likewise.
        metrics: what scores; ``None`` for the default metrics of what is there.
        options: how; with items, details and parts.

    Raises:
        InputError: if gold has a bad record; all are listed.
        PairingError: if nothing pairs.
    """
    units: list[dict[UnitKey, Found]] = []
    results: list[list[Result]] = []
    with held_streams(len(systems) > 1), executor_for(options.jobs) as pool:
        for system in systems:
            own_units: dict[UnitKey, Found] = {}

            def keep(
                metric: Metric,
                gold_unit: Unit,
                system_unit: Unit | None,
                outcome: Outcome,
                mine: dict[UnitKey, Found] = own_units,
            ) -> None:
                key = (
                    metric,
                    gold_unit.framework,
                    gold_unit.language,
                    gold_unit.item,
                    gold_unit.layer,
                )
                mine[key] = Found(metric, gold_unit, system_unit, outcome, "")

            results.append(
                score_files(
                    gold, system, metrics, options, executor=pool, listener=keep
                )
            )
            units.append(own_units)
    cut = {key for found in units for key, pair in found.items() if _is_cut(pair)}
    items = [
        [_read(result, found, cut, options.budget) for result in made]
        for made, found in zip(results, units, strict=True)
    ]
    return Scored(results, lambda place, _: units[place], items)


def _is_cut(pair: Found) -> bool:
    """Return whether a side has other sentences than the other in any place."""
    if pair.system is None or not goes_down(pair.metric):
        return False
    systems = {graph.id: graph for graph in pair.system.graphs}
    return len(systems) != len(pair.gold.graphs) or any(
        is_cut_otherwise(pair.metric, graph, systems.get(graph.id))
        for graph in pair.gold.graphs
    )


def _read(
    result: Result, units: dict[UnitKey, Found], cut: set[UnitKey], budget: Budget
) -> Sequence[ItemResult]:
    """Return what people read of a result: sentences, where documents have them.

    Args:
        result: with items.
        units: both sides of these; the sentences come to them.
        cut: the documents that a system cuts into other sentences, which stay whole.
        budget: how much work may be spent on a sentence.
    """
    if not goes_down(result.metric):
        return result.items
    items = [
        sentence
        for item in result.items
        for sentence in _sentences(result.metric, item, units, cut, budget)
    ]
    keys = Counter(unit_key(result.metric, item) for item in items)
    # Ids that each document begins anew tell no sentence from others.
    return items if len(keys) == len(items) else result.items


def _sentences(
    metric: Metric,
    item: ItemResult,
    units: dict[UnitKey, Found],
    cut: set[UnitKey],
    budget: Budget,
) -> Iterator[ItemResult]:
    """The sentences of a document, each compared as if there were no other."""
    key = unit_key(metric, item)
    whole = units.get(key)
    if whole is None or key in cut:
        yield item
        return
    systems = {graph.id: graph for graph in whole.system.graphs} if whole.system else {}
    pairs = tuple(
        ((graph,), (systems[graph.id],) if systems else ())
        for graph in whole.gold.graphs
    )
    timed = run_task(Task((metric,), pairs, budget, True))
    for ((graph,), system), (outcome, *_) in zip(pairs, timed, strict=True):
        sentence = item._replace(
            item=graph.id,
            raw_counts=outcome.raw_counts,
            score=outcome.score,
            bound=outcome.bound,
            proven=outcome.proven,
            matches=outcome.matches,
            errors=outcome.errors,
            texts=(graph.text,),
            parts=(),
        )
        system_side = Unit(system, graph.id) if system else None
        gold = Unit((graph,), graph.id)
        units[unit_key(metric, sentence)] = Found(
            metric, gold, system_side, outcome, ""
        )
        yield sentence


def gathered_store(
    store: Store,
    gold: str,
    systems: Sequence[str],
    metrics: Sequence[Metric] | None,
    options: Options,
    score: Callable[[str], list[Result]] | None = None,
) -> Scored:
    """Score collections of a store, computing only what is new.

    Args:
        store: open, for writing if something is new.
        gold: the gold collection.
        systems: the system collections.
        metrics: what scores; ``None`` for the default metrics of what is there.
        options: how; with items, details and parts.
        score: scores a system, if somebody is to be told how it goes.

    Raises:
        PairingError: if nothing pairs.
    """
    requested = None if metrics is None else list(metrics)

    def found(system: str) -> list[Result]:
        return store.evaluate(gold, system, requested, options, stored=True)

    results = [(score or found)(system) for system in systems]

    @lru_cache(maxsize=1)
    def whole() -> Scored:
        # Which graphs are a document is known to pairing alone.
        known = (result.metric for made in results for result in made)
        compared = [
            metric for metric in dict.fromkeys(known) if unit_of(metric) != "item"
        ]
        golds, *others = (
            [*store.graphs(name, options.selection)] for name in (gold, *systems)
        )
        return gathered_files(golds, others, compared, options)

    def load(
        place: int, units_asked: Sequence[tuple[Metric, ItemResult]]
    ) -> Mapping[UnitKey, Found]:
        alone = [unit for unit in units_asked if unit_of(unit[0]) == "item"]
        units = _loaded(store, gold, systems[place], alone)
        if len(alone) < len(units_asked):
            units |= whole().load(place, ())
        return units

    def read(place: int, result: Result) -> Sequence[ItemResult]:
        if not goes_down(result.metric):
            return result.items
        listed = zip(whole().results[place], whole().items[place], strict=True)
        return next(
            items for own_result, items in listed if own_result.metric == result.metric
        )

    items = [[read(place, each) for each in made] for place, made in enumerate(results)]
    return Scored(results, load, items)


def _loaded(
    store: Store,
    gold: str,
    system: str,
    alone: Sequence[tuple[Metric, ItemResult]],
) -> dict[UnitKey, Found]:
    """Graphs of items with what is known of them."""
    golds = _graphs(store, gold, [unit.item for _, unit in alone])
    systems = _graphs(store, system, [unit.partner for _, unit in alone])
    result: dict[UnitKey, Found] = {}
    for metric, unit in alone:
        gold_graphs = golds.get((unit.framework, unit.language, unit.item, unit.layer))
        # A system without layers is compared with each of gold's.
        keys = (
            (unit.framework, unit.language, unit.partner, unit.layer),
            (unit.framework, unit.language, unit.partner, ""),
        )
        system_graphs = next((systems[key] for key in keys if key in systems), None)
        if gold_graphs is None or (system_graphs is None and not unit.missing):
            continue
        outcome = Outcome(
            unit.raw_counts,
            unit.score,
            unit.bound,
            unit.proven,
            0,
            "",
            unit.matches,
            unit.errors,
        )
        result[unit_key(metric, unit)] = Found(
            metric,
            Unit((gold_graphs,), unit.item),
            Unit((system_graphs,), unit.partner) if system_graphs else None,
            outcome,
            "",
        )
    return result


def _graphs(
    store: Store, collection: str, items: Sequence[str]
) -> dict[tuple[str, str, str, str], Graph]:
    chosen = frozenset(filter(None, items))
    if not chosen:
        return {}
    return {
        (graph.framework, graph.language, graph.id, graph.layer): graph
        for graph in store.graphs(collection, Selection(items=chosen))
    }
