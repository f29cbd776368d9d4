"""Score collections of a store, computing only what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphscore.evaluation.default_metrics import nothing_found
from graphscore.evaluation.evaluate import evaluate
from graphscore.evaluation.incremental import How, StoreSink
from graphscore.evaluation.messages import with_gold
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.pairing import Pairing, of_item
from graphscore.evaluation.result import Result
from graphscore.evaluation.sources.store import StoreSource
from graphscore.evaluation.tasks import Task, run_task
from graphscore.exceptions import StoreError
from graphscore.lazy import rarely_collected
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Outcome
from graphscore.store.database import Database
from graphscore.store.watching import (
    ChangedContentsError,
    WatchedDatabase,
    contents,
)

if TYPE_CHECKING:
    from graphscore.evaluation.store import Store

TRIES = 5
"""Number of tries to score collections that change meanwhile."""


def score_collections(
    store: Store,
    sides: tuple[str | References, str],
    metrics: Sequence[Metric] | None,
    options: Options,
    how: How,
) -> list[Result]:
    """Score a collection against another, also while a process changes them.

    Args:
        store: where they are.
        sides: the gold collection, or several as references, and the system.
        metrics: what scores; ``None`` for the default metrics.
        options: options of the user.
        how: what else is done with them.

    Raises:
        PairingError: if nothing pairs.
        StoreError: if the collections change all the time.
    """
    gold, system = sides
    if options.where is not None or options.within:
        # Few ask for a part.
        from graphscore.evaluation.filters.item_filter import PatternFilter

        where = PatternFilter(options)
        where.check(metrics or (), gold)
        every = score_collections(store, sides, metrics, where.whole, how)
        return [where.part(store._database, result) for result in every]
    if isinstance(gold, References):
        # Few have several.
        from graphscore.evaluation.several.references import with_references

        def against(
            reference: str, metrics: Sequence[Metric] | None, options: Options
        ) -> list[Result]:
            names = reference, system
            return score_collections(store, names, metrics, options, how)

        return with_references(gold, against, metrics, options)
    before = contents(store._database, (gold, system))
    for _ in range(TRIES):
        try:
            seen = how._replace(before=before)
            with rarely_collected():
                return _score_as_they_are(store, (gold, system), metrics, options, seen)
        except (ChangedContentsError, StoreError) as error:
            now = contents(store._database, (gold, system))
            if isinstance(error, StoreError) and now == before:
                raise
        what = f"{store.url}: another process changed {gold} or {system} meanwhile"
        store._say(f"{what}; scoring what is new")
        before = now
    raise StoreError(f"{what}; score again")


def _score_as_they_are(
    store: Store,
    names: tuple[str, str],
    metrics: Sequence[Metric] | None,
    options: Options,
    how: How,
) -> list[Result]:
    """Score two collections as they are now.

    Raises:
        ChangedContentsError: another process changed them meanwhile.
    """
    database = WatchedDatabase(store._database, names, how.before or [])
    sides = sources_of(store, names, options, database)
    if metrics is not None:
        return with_gold(_score(database, sides, metrics, options, how))
    if not any(side.identities for side in sides):
        raise nothing_found(*names, options)
    chosen = store.default_metrics(*names, options)
    made = _score(
        database,
        sides,
        [choice.metric for choice in chosen],
        chosen[0].limited(options),
        how,
        lambda _: True,
    )
    for choice, result in zip(chosen, made, strict=True):
        result.because = choice.because
    return with_gold(made)


def sources_of(
    store: Store, names: tuple[str, str], options: Options, database: Database
) -> tuple[StoreSource, StoreSource]:
    """Return both sides as sources of units.

    Args:
        store: where they are.
        names: of the gold and the system collection.
        options: which graphs take part.
        database: of the store, perhaps watched.
    """
    gold_source, system_source = (
        StoreSource(
            database,
            name,
            store._identities(name, options.selection),
            options,
            is_gold,
        )
        for name, is_gold in zip(names, (True, False), strict=True)
    )
    return gold_source, system_source


def _score(
    database: Database,
    sides: tuple[StoreSource, StoreSource],
    metrics: Sequence[Metric],
    options: Options,
    how: How,
    scored: Callable[[str], bool] | None = None,
) -> list[Result]:
    return evaluate(
        *sides,
        metrics,
        options,
        executor=how.executor,
        sink=lambda: StoreSink(database, how),
        scored=scored,
    )


def compare_item(
    store: Store,
    names: tuple[str, str],
    item: str,
    metric: Metric,
    framework: str | None,
    options: Options,
) -> tuple[Graph, Graph | None, Outcome]:
    """Compare one item of two collections, with its matches and errors.

    Args:
        store: where they are.
        names: of the gold and the system collection.
        item: the gold item's id.
        metric: what compares them.
        framework: needed where several frameworks have the item.
        options: pairing rules and budget.

    Raises:
        UsageError: if there is no such item, or several frameworks have it.
    """
    pairing = Pairing(options.pair, id_rule(options.ids))
    sides = sources_of(store, names, options, store._database)
    pairs = pairing.pairs(*(side.items() for side in sides))
    pair = of_item(pairs, item, framework, names[0])
    units = sides[0].load([unit for unit in (pair.gold, pair.system) if unit])
    graphs = [unit.graph for unit in units]
    system_graph = graphs[1] if len(graphs) > 1 else None
    both = ((graphs[0],), (system_graph,) if system_graph else ())
    [timed] = run_task(Task((metric,), (both,), options.budget, True))
    return graphs[0], system_graph, timed.outcome
