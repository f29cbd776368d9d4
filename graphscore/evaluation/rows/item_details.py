"""Texts and errors of items, which say what to look at first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from graphscore.evaluation.options import Selection
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error
from graphscore.store.read.item_scores import ItemScore, conditions_of

if TYPE_CHECKING:
    from graphscore.evaluation.store import Store

SentenceKey = tuple[str, str, str]
"""Language, document and id of an item or sentence."""

_COLUMNS = (
    *("error_type", "tuple_type", "object", "gold_ordinal", "system_ordinal"),
    *("label", "name", "value", "compared", "reason", "credit"),
)
"""Columns of ``v_errors`` that make an error, in their order."""


class FrameworkErrors(NamedTuple):
    """Errors of an item in one framework, and the graphs that they are in."""

    errors: Sequence[Error]
    """With values as text."""
    gold: Graph | None
    """The gold graph; ``None`` of a document of several."""
    system: Graph | None


class ItemDetails(NamedTuple):
    """Text and errors of an item."""

    text: str = ""
    frameworks: tuple[FrameworkErrors, ...] = ()

    @property
    def errors(self) -> int:
        """Number of tuples that did not match, in all frameworks."""
        return sum(len(framework.errors) for framework in self.frameworks)


def details_of(
    store: Store,
    metric: Metric,
    filters: Mapping[str, str | Sequence[str] | None],
    items: Sequence[ItemScore],
) -> dict[SentenceKey, ItemDetails]:
    """Return the texts and errors of items that a metric compared.

    Args:
        store: where they are.
        metric: what compared them.
        filters: of the evaluation, as for
            :func:`~graphscore.store.read.item_scores.items_sql`.
        items: they.
    """
    names = sorted({item.item for item in items})
    some = {**filters, "item": names}
    columns = ", ".join(_COLUMNS)
    sql = (
        f"select framework, language, item, {columns}\nfrom v_errors\nwhere "
        f"{' and '.join(conditions_of(some))}\norder by item, language, framework, "
        "tuple_type, error_type, gold_ordinal, system_ordinal, name, value"
    )
    errors: dict[tuple[str, str], dict[str, list[Error]]] = {}
    for framework, language, item, *cells in store.query(sql)[1] if names else ():
        of_item = errors.setdefault((language, item), {})
        of_item.setdefault(framework, []).append(Error(*cells))
    selection = Selection(items=frozenset(names if unit_of(metric) == "item" else ()))
    gold, system = (
        _graphs(store, str(filters[side]), selection) for side in ("gold", "system")
    )
    result: dict[SentenceKey, ItemDetails] = {}
    for item in items:
        key = item.language, item.item
        graphs = [gold.get((*key, framework), []) for framework in item.f1]
        texts = dict.fromkeys("\n".join(g.text for g in of) for of in graphs)
        frameworks = [
            FrameworkErrors(
                errors.get(key, {}).get(framework, ()),
                _only(gold.get((*key, framework), ())),
                _only(system.get((*key, framework), ())),
            )
            for framework in item.f1
        ]
        result[item[:3]] = ItemDetails(next(filter(None, texts), ""), tuple(frameworks))
    return result


def _graphs(
    store: Store, collection: str, selection: Selection
) -> dict[tuple[str, str, str], list[Graph]]:
    """Graphs by language, id of the item or document, and framework."""
    graphs: dict[tuple[str, str, str], list[Graph]] = {}
    for graph in store.graphs(collection, selection):
        for name in dict.fromkeys(filter(None, (graph.id, graph.document))):
            key = graph.language, name, graph.framework
            graphs.setdefault(key, []).append(graph)
    return graphs


def _only(graphs: Sequence[Graph]) -> Graph | None:
    return graphs[0] if len(graphs) == 1 else None
