"""Scoring for a report: results with all that they say, and the graphs behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.store import Store
from graphscore.evaluation.tasks import executor_for
from graphscore.evaluation.unit import ItemResult, Unit
from graphscore.formats.streams import held_streams
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.report.item_view.lookup import Found
from graphscore.report.page.report_data import Scored, UnitKey, unit_key


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
            mine: dict[UnitKey, Found] = {}

            def keep(
                metric: Metric,
                one: Unit,
                two: Unit | None,
                outcome: Outcome,
                mine: dict[UnitKey, Found] = mine,
            ) -> None:
                key = metric, one.framework, one.language, one.item, one.layer
                mine[key] = Found(metric, one, two, outcome, "")

            results.append(
                score_files(
                    gold, system, metrics, options, executor=pool, listener=keep
                )
            )
            units.append(mine)
    return Scored(results, lambda place, _: units[place])


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

    def load(
        place: int, wanted: Sequence[tuple[Metric, ItemResult]]
    ) -> Mapping[UnitKey, Found]:
        return _loaded(store, gold, systems[place], wanted, options)

    return Scored(results, load)


def _loaded(
    store: Store,
    gold: str,
    system: str,
    wanted: Sequence[tuple[Metric, ItemResult]],
    options: Options,
) -> dict[UnitKey, Found]:
    """Graphs with what is known of them."""
    alone = [each for each in wanted if unit_of(each[0]) == "item"]
    golds = _graphs(store, gold, [each.item for _, each in alone])
    systems = _graphs(store, system, [each.partner for _, each in alone])
    result: dict[UnitKey, Found] = {}
    for metric, each in alone:
        one = golds.get((each.framework, each.language, each.item, each.layer))
        # A system without layers is compared with each of gold's.
        keys = (
            (each.framework, each.language, each.partner, each.layer),
            (each.framework, each.language, each.partner, ""),
        )
        two = next((systems[key] for key in keys if key in systems), None)
        if one is None or (two is None and not each.missing):
            continue
        outcome = Outcome(
            each.raw_counts,
            each.score,
            each.bound,
            each.proven,
            0,
            "",
            each.matches,
            each.errors,
        )
        result[unit_key(metric, each)] = Found(
            metric,
            Unit((one,), each.item),
            Unit((two,), each.partner) if two else None,
            outcome,
            "",
        )
    whole = list(dict.fromkeys(m for m, _ in wanted if unit_of(m) != "item"))
    if whole:
        # Which graphs are a document is known to pairing alone.
        sides = ([*store.graphs(name, options.selection)] for name in (gold, system))
        result |= gathered_files(next(sides), [next(sides)], whole, options).load(0, ())
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
