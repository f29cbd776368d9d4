"""Pictures of hits: graphs with the names that the pattern has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import Style, StyledGraph, alone
from graphscore.drawing.svg import Picture
from graphscore.find.search import named_metric
from graphscore.metrics.base import unit_of
from graphscore.model.graph import Graph
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.item_view.hits import called, drawn, labelled
from graphscore.report.side_by_side import Comparison
from graphscore.report.table import one_line

if TYPE_CHECKING:
    from graphscore.evaluation.store import Store
    from graphscore.find.search import Hits


class Hit(NamedTuple):
    """A hit with its picture."""

    item: dict[str, Any]
    """Item, as :class:`graphscore.find.search.Hits` has it."""
    bound: str
    """Bindings, in a line."""
    picture: Picture

    @property
    def where(self) -> str:
        """Framework, language and layer."""
        names = ("framework", "language", "layer")
        return ", ".join(filter(None, (self.item[name] for name in names)))


def pictured(store: Store, found: Hits) -> list[Hit]:
    """Draw hits: in one graph, or gold beside system where both are compared.

    Args:
        store: where they were found.
        found: the hits.
    """
    hits = []
    for item, sides in zip(found.items, _sides(store, found), strict=True):
        marked = [_marked(item, side, name) for name, side in sides.items()]
        where = filter(None, (item["framework"], item["layer"], item["item"]))
        bound = ", ".join(
            _said(label) if name.startswith("#") else f"{name} {_said(label)}"
            for name, label in labelled(item).items()
        )
        # Sentences that are no pair may be of other words, which arcs must not share.
        drawn = (
            [draw([side]) for side in marked] if _unpaired(found) else [draw(marked)]
        )
        panels = tuple(panel for each in drawn for panel in each.panels)
        picture = drawn[0]._replace(panels=panels)
        picture = picture._replace(title=f"{' '.join(where)}: {bound}")
        hits.append(Hit(item, bound, picture))
    return hits


def _said(label: object) -> str:
    return one_line("(no label)" if label is None else str(label))


def _unpaired(hits: Hits) -> bool:
    """Return whether the metric compares documents, and pairs no sentences."""
    metric = hits.sides.metric
    if metric is None:
        return False
    return unit_of(named_metric(metric, hits.requested)) != "item"


def _sides(store: Store, hits: Hits) -> list[dict[str, StyledGraph]]:
    """The graphs of every hit, by the side that they are of."""
    gold, system, metric, scope = hits.sides
    if gold is None or system is None or metric is None:
        [side] = hits.searched
        name = gold if side == "gold" else system
        assert name is not None
        return [{side: alone(graph_of(store, name, x, side))} for x in hits.items]
    if _unpaired(hits):
        # Of sentences of documents nothing is told by pair; each is drawn by itself.
        names = {"gold": gold, "system": system}
        return [
            {
                side: alone(graph_of(store, names[side], x, side))
                for side in hits.searched
            }
            for x in hits.items
        ]
    units = [(x["framework"], x["language"], x["item"], x["layer"]) for x in hits.items]
    scored = named_metric(metric, hits.requested)
    sides: list[dict[str, StyledGraph]] = []
    for left, right, outcome in store.judged(gold, system, metric, units, scope):
        if left is not None and outcome is not None:
            both = sides_of(Comparison(left, right, scored, outcome))
            sides.append(dict(zip(("gold", "system"), both, strict=True)))
        elif left is not None:
            sides.append({"gold": alone(left)})
        else:
            assert right is not None
            sides.append({"system": alone(right)})
    return sides


def drawn_hits(store: Store, hits: Hits) -> Iterator[str]:
    """Yield the lines of hits in their graphs, with an empty one between hits.

    Args:
        store: where they were found.
        hits: the hits.
    """
    names = {"gold": hits.sides.gold, "system": hits.sides.system}
    for number, item in enumerate(hits.items):
        graphs: dict[str, Graph] = {}
        for side in hits.searched:
            name = names[side]
            assert name is not None
            graphs[side] = graph_of(store, name, item, side)
        if number:
            yield ""
        yield from drawn(item, graphs)


def graph_of(store: Store, collection: str, item: dict[str, Any], side: str) -> Graph:
    """The graph of a hit.

    Args:
        store: where it was found.
        collection: of the side that it is of.
        item: the hit.
        side: whose graph: the system's sentence may be another one.
    """
    name = item["item"]
    if side == "system":
        name = item.get("system_item", name)
    from graphscore.evaluation.options import Selection

    selection = Selection(
        frameworks=frozenset({item["framework"]}),
        items=frozenset({name}),
        layers=frozenset(filter(None, {item["layer"]})),
    )
    return next(
        graph
        for graph in store.graphs(collection, selection)
        if (graph.language, graph.layer) == (item["language"], item["layer"])
    )


def _marked(item: dict[str, Any], side: StyledGraph, name: str) -> StyledGraph:
    """A side with the names that a pattern has for what it binds."""

    def looks(what: str, own_looks: Sequence[Style]) -> tuple[Style, ...]:
        names = {
            number: ", ".join(x for x in value.split(", ") if not x.startswith("#"))
            for number, value in called(item, name, what).items()
        }
        return tuple(
            look._replace(bound=names.get(number))
            for number, look in enumerate(own_looks)
        )

    nodes, edges = looks("nodes", side.nodes), looks("edges", side.edges)
    return side._replace(nodes=nodes, edges=edges)
