"""The same formulas in the metametric library, over objects of its own classes."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

from graphscore.model.graph import Graph, Node
from graphscore.structures.layout import ENTITY, MENTION, RELATION, TRIGGER, kind_of


class Peer(NamedTuple):
    """Another scorer of the same formula."""

    objects: Callable[[Graph], Any]
    """From a graph to what it scores."""
    score: Callable[[Any, Any], float]
    """F1 of gold and system objects."""


def peers() -> dict[str, Peer]:
    """A peer for every formula, by name; none without the library."""
    if find_spec("metametric") is None:
        return {}
    import metametric.dsl as mm
    from metametric.metrics.coref import b_cubed_precision, b_cubed_recall, ceaf_phi4
    from metametric.metrics.event_extraction import argument_classification
    from metametric.metrics.semantic_parsing import s_match
    from metametric.structures.ie import RelationSet

    def scorer(metric: Any) -> Callable[[Any, Any], float]:
        return lambda gold, system: float(metric.score(system, gold))

    def b_cubed(gold: Any, system: Any) -> float:
        one = float(b_cubed_precision.score(system, gold))
        two = float(b_cubed_recall.score(system, gold))
        return 2 * one * two / (one + two) if one + two else 0.0

    def normalized(metric: Any) -> Callable[[Any, Any], float]:
        return scorer(mm.normalize["f1"](metric))

    return {
        "RelF1": Peer(_relations, normalized(mm.auto[RelationSet])),
        "ArgF1": Peer(_events, normalized(argument_classification)),
        "CEAFφ4": Peer(_entities, normalized(ceaf_phi4)),
        "B³": Peer(_entities, b_cubed),
        "SMATCH": Peer(_propositions, scorer(s_match)),
    }


def _mention(node: Node) -> Any:
    from metametric.structures.ie import Mention

    return Mention(*node.anchors[0])


def _arguments(graph: Graph) -> dict[Any, list[tuple[Any, Node]]]:
    """Roles and fillers of every node that has some."""
    known = {node.id: node for node in graph.nodes}
    found: dict[Any, list[tuple[Any, Node]]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        found[edge.source].append((edge.label, known[edge.target]))
    return found


def _relations(graph: Graph) -> Any:
    from metametric.structures.ie import Relation, RelationSet

    inside = _arguments(graph)
    return RelationSet(
        [
            Relation(str(node.label), *(_mention(end) for _, end in inside[node.id]))
            for node in graph.nodes
            if kind_of(node) == RELATION
        ]
    )


def _events(graph: Graph) -> Any:
    from metametric.structures.ie import Argument, Event, EventSet, Trigger

    inside = _arguments(graph)
    return EventSet(
        [
            Event(
                Trigger(_mention(node), str(node.label)),
                [Argument(_mention(end), role) for role, end in inside[node.id]],
            )
            for node in graph.nodes
            if kind_of(node) == TRIGGER
        ]
    )


def _entities(graph: Graph) -> Any:
    from metametric.structures.ie import Entity, EntitySet

    inside = _arguments(graph)
    return EntitySet(
        [
            Entity(
                [_mention(end) for label, end in inside[node.id] if label == MENTION]
            )
            for node in graph.nodes
            if kind_of(node) == ENTITY
        ]
    )


def _propositions(graph: Graph) -> Any:
    from metametric.core.metric import Variable
    from metametric.structures.amr import AMR, Prop

    name = {node.id: f"x{node.id}" for node in graph.nodes}
    label = {node.id: str(node.label) for node in graph.nodes}
    props = [Prop(Variable(name[k]), "instance", label[k]) for k in name]
    props += [Prop(Variable(name[top]), "TOP", label[top]) for top in graph.tops]
    props += [
        Prop(Variable(name[each.source]), str(each.label), Variable(name[each.target]))
        for each in graph.edges
    ]
    return AMR(props)
