"""Earlier systems that a new one must not be worse than.

They stand in a store, whose graphs are scored anew against today's gold, or are given
as systems are.  Stores are only read, unless a baseline is to be kept in one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from graphscore.evaluation.api import score
from graphscore.evaluation.options import References
from graphscore.evaluation.store import Store
from graphscore.exceptions import PairingError, UsageError, amount, did_you_mean
from graphscore.formats.source import shown
from graphscore.inputs.alignment import Side, sides
from graphscore.model.graph import Graph
from graphscore.store.detect import is_store, is_url

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.inputs.base import Ends
    from graphscore.store.evaluations import Evaluation

LAST = "last"
"""Name of the last evaluation of a store."""

_MAKING = "make one with pytest --graphscore-update or graphscore score --save"

_SUFFIXES = (".db", ".sqlite", ".sqlite3")


class ScoredSystem(NamedTuple):
    """A system as it was scored."""

    gold: Side | References
    system: Side
    result: Result
    ends: Ends
    options: Options


class Baseline(NamedTuple):
    """An earlier system."""

    name: str
    """Name in messages."""
    result: Result


class _StoreLocation(NamedTuple):
    """A collection of a store, or its last evaluation."""

    store: str
    name: str


def found_baseline(baseline: Any, scored: ScoredSystem, test: str = "") -> Baseline:
    """Score an earlier system as the new one was.

    Args:
        baseline: ``STORE:last``, ``STORE:NAME``, or anything scored as a system.
        scored: the new system.
        test: which test asks; what was kept for it is meant, if gold is another by now.

    Raises:
        UsageError: if there is no such baseline.
        InputError: if it cannot be read.
    """
    location = _place_of(baseline)
    if location is None:
        name = (
            shown(str(fspath(baseline))) if isinstance(baseline, str | PathLike) else ""
        )
        return Baseline(name or "the baseline", _rescore(baseline, scored))
    if isinstance(scored.gold, References):
        raise UsageError(
            f"baseline {baseline!r} goes with one gold, not with References"
        )
    if not is_store(location.store):
        raise UsageError(
            f"baseline {baseline!r}: there is no store {location.store!r}: {_MAKING}"
        )
    with Store(location.store) as store:
        name = location.name
        if name == LAST:
            name = _last_evaluation(store, scored, test).system
        else:
            collection_names = store.collection_names()
            if name not in collection_names:
                raise UsageError(
                    f"no collection {name!r} in "
                    f"{store.url}{did_you_mean(name, collection_names)}; "
                    f"there are: {', '.join(collection_names) or 'none'}"
                )
        graphs = list(store.graphs(name, scored.options.selection))
        return Baseline(f"{name} ({store.url})", _rescore(graphs, scored))


def kept_in(baseline: str, scored: ScoredSystem, name: str) -> str:
    """Write a system and its evaluation into a store, where they are the last.

    Args:
        baseline: ``STORE:last``; the store is made if there is none.
        scored: the system.
        name: what it is to be called; numbered on where that is taken.

    Returns:
        What was done, in a sentence; empty if it was the last already.

    Raises:
        UsageError: if gold is several references.
    """
    location = _place_of(baseline)
    if location is None or isinstance(scored.gold, References):
        raise UsageError(
            f"baseline {baseline!r} goes with one gold, not with References"
        )
    result = scored.result
    with Store(location.store, mode="create") as store:
        evaluations = _evaluations(store, scored)
        if evaluations and evaluations[-1].signature == result.signature:
            return ""
        taken = {*store.collection_names()}
        system = _free(name, taken)
        digest = _gold_of(result.signature)
        golds = (
            evaluation.gold
            for evaluation in store.evaluations()
            if evaluation.status != "stale" and _gold_of(evaluation.signature) == digest
        )
        gold = next(golds, None)
        if gold is None:
            gold = _free(f"{name} gold", taken)
            _put(store, scored.gold, gold, scored.options.reading)
        reading = scored.options.system_reading or scored.options.reading
        _put(store, scored.system, system, reading, keep_going=True)
        store.evaluate(gold, system, [result.metric], scored.options)
        return f"{store.url}: kept {system} as the last by {result.metric}"


def numbered_alike(gold: Side, system: Side) -> tuple[Side, Side]:
    """Both sides with numbers as ids, where they have none and pair by order.

    Args:
        gold: a path or graphs.
        system: likewise.
    """
    if isinstance(gold, str) or isinstance(system, str):
        return gold, system
    both = list(gold), list(system)
    counts = [Counter(map(_family, graphs)) for graphs in both]
    nameless = {_family(graph) for graphs in both for graph in graphs if not graph.id}
    alike = {family for family in nameless if counts[0][family] == counts[1][family]}
    return _number_items(both[0], alike), _number_items(both[1], alike)


def _family(graph: Graph) -> tuple[str, str, str]:
    return graph.framework, graph.language, graph.layer


def _number_items(graphs: Iterable[Graph], nameless: set[tuple[str, str, str]]) -> Side:
    counts: Counter[tuple[str, str, str]] = Counter()
    result = []
    for graph in graphs:
        family = _family(graph)
        counts[family] += 1
        if family in nameless:
            graph = msgspec.structs.replace(graph, id=str(counts[family]))
        result.append(graph)
    return result


def _place_of(baseline: Any) -> _StoreLocation | None:
    """The place in a store that a text means; nothing where it is a system itself."""
    if not isinstance(baseline, str):
        return None
    store, colon, name = baseline.rpartition(":")
    named = colon and store and not (is_url(baseline) and "/" in name)
    if not named:
        if is_store(baseline):
            raise UsageError(
                f"baseline {baseline!r} is a store: name {baseline}:{LAST} or "
                f"{baseline}:COLLECTION"
            )
        return None
    if is_store(store):
        if not name:
            raise UsageError(
                f"baseline {baseline!r}: expected {baseline}{LAST} or a name"
            )
        return _StoreLocation(store, name)
    if name == LAST or store.endswith(_SUFFIXES):
        return _StoreLocation(store, name)
    return None


def _rescore(system: Any, scored: ScoredSystem) -> Result:
    gold, options = scored.gold, scored.options
    if not isinstance(gold, References):
        readings = options.reading, options.system_reading or options.reading
        known = scored.result.metric.frameworks
        gold, system, _ = sides(gold, system, scored.ends, readings, known)
        gold, system = numbered_alike(gold, system)
    try:
        return score(
            gold, system, scored.result.metric, ends=scored.ends, options=options
        )
    except PairingError as error:
        raise PairingError(f"baseline: {error}") from error


def _evaluations(store: Store, scored: ScoredSystem) -> list[Evaluation]:
    """Those by the same metric, of the same gold, oldest first."""
    digest = _gold_of(scored.result.signature)
    return [
        evaluation
        for evaluation in _by_metric(store, scored)
        if _gold_of(evaluation.signature) == digest
    ]


def _by_metric(store: Store, scored: ScoredSystem) -> list[Evaluation]:
    return [
        evaluation
        for evaluation in store.evaluations()
        if evaluation.metric == str(scored.result.metric)
        and evaluation.status != "stale"
    ]


def _last_evaluation(store: Store, scored: ScoredSystem, test: str) -> Evaluation:
    evaluations = _evaluations(store, scored)
    if evaluations:
        return evaluations[-1]
    others = _by_metric(store, scored)
    own = [
        evaluation
        for evaluation in others
        if test and _is_named(evaluation.system, test)
    ]
    if own:
        return own[-1]
    metric = scored.result.metric
    of_another = (
        f"; {amount(len(others), 'evaluation')} by it "
        f"{'is' if len(others) == 1 else 'are'} of another gold"
    )
    raise UsageError(
        f"{store.url} has no evaluation by {metric} of this gold"
        f"{of_another if others else ''}: {_MAKING}"
    )


def _is_named(name: str, test: str) -> bool:
    """Return whether a name is that of a test, perhaps with a number."""
    rest = name.removeprefix(test).strip() if name.startswith(test) else "-"
    return not rest or rest.isdecimal()


def _gold_of(signature: str) -> str:
    return next(
        (field for field in signature.split("|") if field.startswith("gold:")), ""
    )


def _free(name: str, taken: set[str]) -> str:
    number, result = 1, name
    while result in taken:
        number += 1
        result = f"{name} {number}"
    return result


def _put(
    store: Store, side: Side, name: str, reading: Any, *, keep_going: bool = False
) -> None:
    if isinstance(side, str):
        store.ingest(side, name, reading=reading, keep_going=keep_going)
    else:
        store.add(list(side), name)
