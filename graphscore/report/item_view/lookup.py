"""One item, or one document, among all that is scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.evaluation.messages import LEFT_OUT
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.sentences import goes_down
from graphscore.evaluation.scoring import score_files, source
from graphscore.evaluation.tasks import Task, in_one_text
from graphscore.evaluation.unit import COLLECTION, Unit
from graphscore.exceptions import (
    GraphscoreError,
    PairingError,
    UsageError,
    amount,
    nearest,
)
from graphscore.formats import ReaderOptions
from graphscore.formats.source import shown
from graphscore.formats.streams import held_streams
from graphscore.inputs.alignment import graphs_of
from graphscore.metrics.base import Metric, unit_of
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
    left_out: tuple[str, ...] = ()
    """Notes on graphs of the item that the metric does not score."""

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
    """Return the outcomes of an item, or of a document compared as a whole.

    Args:
        gold: a file, directory or glob, or graphs.
        system: likewise.
        item: the id of an item or of a document, or ``collection`` for all there is of
            metrics that compare whole collections.
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
    options = replace(options, selection=replace(options.selection, layers=layers))
    options = options.naming(framework, metrics)
    with held_streams(True):
        results, scored = _Search(gold, system, item, metrics, options).results()
    chosen = [each for each in scored if framework in (None, each[1].framework)]
    if not chosen:
        raise elsewhere(item, framework, {unit.framework for _, unit, _, _ in scored})
    because = {result.metric: result.because for result in results}
    left_out = {
        result.metric: tuple(note for note in result.notes if LEFT_OUT in note)
        for result in results
    }
    return [
        Found(*each, because.get(each[0], ""), left_out.get(each[0], ()))
        for each in chosen
    ]


def id_at(gold: str | Sequence[Graph], item: str | int, reading: ReaderOptions) -> str:
    """Return the id of an item; one that is a number is an ordinal in gold.

    Args:
        gold: a file, directory or glob, or graphs.
        item: an id, or the ordinal of an item, from 0.
        reading: how files are read.

    Raises:
        UsageError: if there are not as many items.
    """
    if isinstance(item, str):
        return item
    ids: dict[str, None] = {}
    for number, graph in enumerate(graphs_of(gold, reading)):
        ids[graph.id or str(number)] = None
        if len(ids) > item >= 0:
            return list(ids)[item]
    raise UsageError(f"there is no item {item}: gold has {amount(len(ids), 'item')}")


def is_all(item: str, metrics: Sequence[Metric] | None) -> bool:
    """Return whether an item is a whole collection, as its metrics name it.

    Args:
        item: what was asked for.
        metrics: what compares; ``None`` for the default metrics, of which none is one.
    """
    return item == COLLECTION and any(
        unit_of(metric) == "collection" for metric in metrics or ()
    )


def is_cut_otherwise(metric: Metric, gold: Graph, system: Graph | None) -> bool:
    """Return whether the system has other sentences where gold has this one.

    Such a sentence has a share of what is counted in its document, and cannot be
    compared alone.

    Args:
        metric: what compares them.
        gold: a gold graph.
        system: the system's of that id, if any.
    """
    if not goes_down(metric):
        return False
    return system is None or _letters(system) != _letters(gold)


def _letters(graph: Graph) -> str:
    return "".join(graph.text.split())


class _Search(NamedTuple):
    """Search for an item: both sides, the metrics and the options."""

    gold: str | Sequence[Graph]
    system: str | Sequence[Graph]
    item: str
    metrics: Sequence[Metric] | None
    options: Options

    def results(self) -> tuple[list[Result], list[_Scored]]:
        """Score the item, or the documents that it is or is in."""
        # Ids that are rewritten, and orders, need to be seen whole.
        by_id = self.options.ids is None and self.options.pair == "id"
        everything = is_all(self.item, self.metrics)
        results: list[Result] = []
        result: list[_Scored] = []
        if by_id and not everything:
            results, result, _ = self._among(frozenset({self.item}))
            if result and not any(
                is_cut_otherwise(metric, gold.graph, system.graph if system else None)
                for metric, gold, system, _ in result
            ):
                return results, result
        ids, documents = self._names(self.gold)
        known = everything or self.item in ids | documents.keys()
        # Documents that were joined go by a name that only pairing knows.
        if not known and ".." not in self.item:
            raise unknown(self.item, self.gold, ids | documents.keys())
        whole = self._whole(documents if known and by_id and not everything else {})
        if result:
            # Of a sentence nothing more may be known than that it is missing.
            better = any(system for _, _, system, _ in whole[1])
            return whole[:2] if better else (results, result)
        results, result, error = whole
        if not result and not known:
            raise unknown(self.item, self.gold, ids | documents.keys())
        if not result:
            named = ", ".join(map(str, self.metrics or ())) or "the default metrics"
            text = f"nothing of item {self.item!r} is scored by {named}"
            raise error or GraphscoreError(text)
        return results, result

    def _whole(
        self, documents: dict[str, set[str]]
    ) -> tuple[list[Result], list[_Scored], PairingError | None]:
        """Score the documents that the item is or is in.

        Args:
            documents: gold's, with the ids of what they have, where ids are enough to
                find them; else everything is scored.
        """
        names = [
            name
            for name, parts in documents.items()
            if self.item == name or self.item in parts
        ]
        if names:
            # Both sides may have cut a document into other sentences.
            parts_of = self._names(self.system)[1]
            parts = [documents[name] | parts_of.get(name, set()) for name in names]
            whole = self._among(frozenset().union(*parts))
            if any(system for _, _, system, _ in whole[1]):
                return whole
        elif documents:
            return self._among(frozenset({self.item}))
        return self._among(frozenset())

    def _names(
        self, side: str | Sequence[Graph]
    ) -> tuple[set[str], dict[str, set[str]]]:
        """The ids of all graphs of a side, and those of each document."""
        ids: set[str] = set()
        documents: dict[str, set[str]] = {}
        options = self.options
        for unit in source(side, options.selection, options.reading).items():
            ids.add(unit.item)
            if unit.document:
                documents.setdefault(unit.document, set()).add(unit.item)
        return ids, documents

    def _among(
        self, items: frozenset[str]
    ) -> tuple[list[Result], list[_Scored], PairingError | None]:
        """Score the item among others, and return the error if nothing was scored.

        Args:
            items: those that take part; all if there are none.
        """
        item = self.item
        outcomes: list[_Scored] = []

        def keep(
            metric: Metric, gold: Unit, system: Unit | None, outcome: Outcome
        ) -> None:
            if item in (gold.item, *(graph.id for graph in gold.graphs)):
                outcomes.append((metric, gold, system, outcome))

        selection = replace(self.options.selection, items=items)
        options = replace(self.options, selection=selection)
        results: list[Result] = []
        error = None
        try:
            results = score_files(
                self.gold, self.system, self.metrics, options, listener=keep
            )
        except PairingError as raised:
            # Perhaps the system lacks just this item, and all else is said of it.
            error = raised
        if results:
            # A metric may have been tried that turned out to be another's default.
            of = {
                (result.metric, name)
                for result in results
                for name in result.frameworks
            }
            outcomes = [
                scored for scored in outcomes if (scored[0], scored[1].framework) in of
            ]
        return (
            results,
            [scored for scored in outcomes if scored[1].item == item] or outcomes,
            error,
        )


def unknown(item: str, gold: object, names: set[str]) -> GraphscoreError:
    """Return the error for an item that is absent.

    Args:
        item: what was asked for.
        gold: a file's name, or graphs.
        names: what there is.
    """
    near = nearest(item, sorted(names), 3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    if names and not near:
        first = ", ".join(map(repr, sorted(names)[:3]))
        total = amount(len(names), "name")
        hint = f"; there are {total}, such as {first}"
        if len(names) == 1:
            hint = f"; the only name is {first}"
    where = shown(gold) if isinstance(gold, str) else "gold"
    return GraphscoreError(f"no item {item!r} in {where}{hint}")


def elsewhere(
    item: str, framework: str | None, frameworks: Iterable[str]
) -> GraphscoreError:
    """Return the error for an item that only other frameworks have.

    Args:
        item: what was asked for.
        framework: in which.
        frameworks: those that have it.
    """
    others = ", ".join(sorted(frameworks))
    return GraphscoreError(f"item {item!r} is not in {framework}, but in: {others}")
