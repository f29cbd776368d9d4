"""The graphs of a store that one item or document has to do with."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.stored import Store
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.report.showing.finding import is_all, unknown


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

    wanted = Selection(items=of(names) | of(store.names(system)))
    theirs = [*store.graphs(system, wanted)] or [*store.graphs(system)]
    return [*store.graphs(gold, wanted)], theirs
