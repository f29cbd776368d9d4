"""One item, or one document, among all that is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.errors import GraphscoreError, PairingError, amount, nearest
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.tasks import Task, in_one_text
from graphscore.evaluation.units import Unit, Units
from graphscore.formats.source import shown
from graphscore.formats.streams import held_streams
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

_Scored = tuple[Metric, Unit, Unit | None, Outcome]


class Found(NamedTuple):
    """A unit of both sides, and what a metric says of it."""

    metric: Metric
    gold: Unit
    system: Unit | None
    outcome: Outcome
    """With matches and errors."""
    because: str
    """Why the metric was chosen, where nobody named it."""

    def sides(self, budget: Budget) -> tuple[tuple[Graph, ...], tuple[Graph, ...]]:
        """The graphs of both sides as the metric was given them.

        Args:
            budget: how much work may be spent.
        """
        pair = self.gold.graphs, self.system.graphs if self.system else ()
        [sides] = in_one_text(Task((self.metric,), (pair,), budget, True))
        return sides


def find(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
    framework: str | None = None,
    layer: str | None = None,
) -> list[Found]:
    """What metrics say of an item, or of a document that metrics compare as a whole.

    Args:
        gold: a file, directory or glob, or graphs.
        system: likewise.
        item: the id of an item or of a document.
        metrics: what compares it; ``None`` for the default metrics.
        options: pairing, reading, budget.
        framework: only this one.
        layer: only this one.

    Returns:
        A unit for every metric, framework and layer that has the item.  It is looked
        at alone: as if its document, or the collection, had nothing else.

    Raises:
        GraphscoreError: if there is no such item; near names are said.
        PairingError: if nothing pairs.
    """
    layers = frozenset(filter(None, [layer]))
    every = replace(options.selection, layers=layers)
    with held_streams(True):
        found: list[_Scored] = []
        # Ids that are rewritten, and orders, need to be seen whole.
        by_id = options.ids is None and options.pair == "id"
        if by_id:
            alone = replace(every, items=frozenset({item}))
            given = replace(options, selection=alone)
            results, found, error = _among(gold, system, item, metrics, given)
        if not found:
            ids, documents = _names(gold, replace(options, selection=every))
            known = item in ids | documents.keys()
            # Documents that were joined go by a name that only pairing knows.
            if not known and ".." not in item:
                raise _unknown(item, gold, ids | documents.keys())
            if known and by_id:
                # Of a document all that it has, and nothing else.
                parts = frozenset(documents.get(item, ()))
                every = replace(every, items=parts or frozenset({item}))
            given = replace(options, selection=every)
            results, found, error = _among(gold, system, item, metrics, given)
            if not found and not known:
                raise _unknown(item, gold, ids | documents.keys())
            if not found:
                named = ", ".join(map(str, metrics or ())) or "the default metrics"
                said = f"nothing of item {item!r} is scored by {named}"
                raise error or GraphscoreError(said)
    chosen = [each for each in found if framework in (None, each[1].framework)]
    if not chosen:
        there = sorted({unit.framework for _, unit, _, _ in found})
        raise GraphscoreError(
            f"item {item!r} is not in {framework}, but in: {', '.join(there)}"
        )
    because = {result.metric: result.because for result in results}
    return [Found(*each, because.get(each[0], "")) for each in chosen]


def _names(
    gold: str | Sequence[Graph], options: Options
) -> tuple[set[str], dict[str, set[str]]]:
    """The ids of all gold graphs, and those of each document."""
    ids: set[str] = set()
    documents: dict[str, set[str]] = {}
    for unit in Units(gold, options.selection, options.reading, lambda _: True):
        ids.add(unit.item)
        if unit.document:
            documents.setdefault(unit.document, set()).add(unit.item)
    return ids, documents


def _among(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
) -> tuple[list[Result], list[_Scored], PairingError | None]:
    """What was scored of an item, and why nothing was if that is so."""
    found: list[_Scored] = []

    def keep(metric: Metric, one: Unit, two: Unit | None, outcome: Outcome) -> None:
        if item in (one.item, *(graph.id for graph in one.graphs)):
            found.append((metric, one, two, outcome))

    results: list[Result] = []
    error = None
    try:
        results = score_files(gold, system, metrics, options, each=keep)
    except PairingError as raised:
        # Perhaps the system lacks just this item, and all else is said of it.
        error = raised
    if results:
        # A metric may have been tried that turned out to be another's default.
        of = {(each.metric, name) for each in results for name in each.frameworks}
        found = [each for each in found if (each[0], each[1].framework) in of]
    return results, [each for each in found if each[1].item == item] or found, error


def _unknown(item: str, gold: object, names: set[str]) -> GraphscoreError:
    """What is said of an item that is not there."""
    near = nearest(item, sorted(names), 3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    if names and not near:
        first = ", ".join(map(repr, sorted(names)[:3]))
        hint = f"; there are {amount(len(names), 'name')}, such as {first}"
    where = shown(gold) if isinstance(gold, str) else "gold"
    return GraphscoreError(f"no item {item!r} in {where}{hint}")
