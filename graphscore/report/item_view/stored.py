"""One item, or one document, of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.evaluation.default_metrics import Choice
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.store import Store
from graphscore.metrics.base import (
    Metric,
    takes,
)
from graphscore.model.graph import Graph
from graphscore.report.item_view.lookup import (
    elsewhere,
    find,
    is_all,
    is_cut_otherwise,
    unknown,
)
from graphscore.report.item_view.sentences import compared
from graphscore.report.side_by_side import Comparison


def sides_of(
    store: Store,
    gold: str,
    system: str,
    item: str,
    options: Options,
    metrics: Sequence[Metric] | None = None,
) -> tuple[list[Graph], list[Graph]]:
    """The graphs of both collections among which an item or document is found.

    Args:
        store: where they are.
        gold: name of the gold collection.
        system: name of the system's.
        item: the id of an item or of a document.
        options: pairing.
        metrics: what compares it; ``None`` for the default metrics.

    Returns:
        Those of the documents that it is or is in, from either side.  Everything where
        only pairing tells what belongs together: by order, under rewritten ids, for
        documents that were joined, and where the system has none of these ids.

    Raises:
        GraphscoreError: if there is no such item; near names are said.
    """
    names = store.names(gold)
    known = {name for both in names for name in both if name}
    if item not in known and ".." not in item and not is_all(item, metrics):
        raise unknown(item, [], known)
    if item not in known or options.ids is not None or options.pair != "id":
        return [*store.graphs(gold)], [*store.graphs(system)]
    documents = {document for each, document in names if item in (each, document)}
    documents.discard("")

    def of(found: list[tuple[str, str]]) -> frozenset[str]:
        """The ids of what belongs to it."""
        return frozenset(
            each for each, document in found if each == item or document in documents
        )

    selection = Selection(items=of(names) | of(store.names(system)))
    systems = [*store.graphs(system, selection)] or [*store.graphs(system)]
    return [*store.graphs(gold, selection)], systems


class StoredItem(NamedTuple):
    """An item or document of two collections."""

    store: Store
    gold: str
    system: str
    item: str
    options: Options
    """Pairing and budget."""

    def comparisons(
        self,
        metrics: Sequence[Metric] | None = None,
        framework: str | None = None,
        layer: str | None = None,
    ) -> list[tuple[Comparison, str]]:
        """Compare it by every metric, with why the metric was chosen.

        Args:
            metrics: what compares it; ``None`` for the default metrics.
            framework: only this one.
            layer: only this one.

        Raises:
            GraphscoreError: if there is no such item, or not in the framework.
        """
        selection = Selection(
            items=frozenset({self.item}), layers=frozenset(filter(None, [layer]))
        )
        layers: dict[str, set[str]] = {}
        for graph in self.store.graphs(self.gold, selection):
            layers.setdefault(graph.framework, set()).add(graph.layer)
        if not layers:
            return self._whole(metrics, framework, layer)
        frameworks = [name for name in sorted(layers) if framework in (None, name)]
        if not frameworks:
            raise elsewhere(self.item, framework, layers)
        limited = replace(self.options, selection=selection)
        chosen = [Choice(metric, "") for metric in metrics or ()]
        if metrics is None:
            chosen = self.store.default_metrics(self.gold, self.system, limited)
        return [
            shown
            for name in frameworks
            for choice in chosen
            if takes(choice.metric, name, [framework] if metrics and framework else [])
            for one_layer in sorted(layers[name])
            for shown in self._compared(choice, name, one_layer)
        ]

    def _compared(
        self, choice: Choice, framework: str, layer: str
    ) -> list[tuple[Comparison, str]]:
        """Compare the item of a framework and layer, or the document that it is in."""
        layers = frozenset(filter(None, [layer]))
        selection = replace(self.options.selection, layers=layers)
        options = replace(self.options, selection=selection)
        sides = self.gold, self.system, self.item
        pair = self.store.pair(*sides, choice.metric, framework, options)
        gold, system, outcome = pair
        if not is_cut_otherwise(choice.metric, gold, system):
            shown = Comparison(gold, system, choice.metric, outcome)
            return [(shown, choice.because)]
        whole = self._whole([choice.metric], framework, layer)
        return [(shown, choice.because) for shown, _ in whole]

    def _whole(
        self,
        metrics: Sequence[Metric] | None,
        framework: str | None,
        layer: str | None,
    ) -> list[tuple[Comparison, str]]:
        """Compare a document, which metrics compare as a whole."""
        sides = sides_of(*self, metrics)
        result = find(*sides, self.item, metrics, self.options, framework, layer)
        for whole in result:
            self.store.refuse_outdated(
                gold=self.gold, system=self.system, metric=str(whole.metric)
            )
        budget = self.options.budget
        return [(compared(whole, budget, self.item), whole.because) for whole in result]
