"""Rows of what matched and what did not, in sentences and across them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.metrics.meaning.ancast.closure import (
    Closure,
    Said,
    edges_of,
    oriented,
    share_of,
)
from graphscore.metrics.meaning.ancast.layout import Concepts, Relation, Shared
from graphscore.model.graph import Graph
from graphscore.model.outcome import ErrorType
from graphscore.model.outcome_builder import Described, OutcomeBuilder, aligned_by_key

Sentence = tuple[Graph, Concepts | None]
"""A document and a sentence of it, if there is one."""


def enter_sentence(
    builder: OutcomeBuilder,
    gold: Sentence,
    system: Sentence,
    forth: Mapping[int, int],
    same: list[Shared],
) -> None:
    """Enter the relations of a sentence.

    What matches between concepts that are not quite alike is a match for what it earns,
    and a partial row as well.

    Args:
        builder: where rows go.
        gold: the sentence of gold.
        system: the system's.
        forth: the gold node of each of the system's nodes.
        same: what stands between the same two ends on both sides.
    """
    left, right = _by_place(gold[1]), _by_place(system[1])
    by_gold: dict[tuple[Any, str], Shared] = {}
    by_system: dict[tuple[Any, str], Shared] = {}
    if gold[1] is not None and system[1] is not None:
        _enter_nodes(builder, gold[1], system[1], forth)
        for pair in same:
            for label in system[1].labels[pair.system] & gold[1].labels[pair.gold]:
                by_gold[pair.gold, label] = by_system[pair.system, label] = pair
    for key, relation in left.items():
        shared = by_gold.get(key)
        if shared is None or not shared.similarity:
            builder.error("missing", _described(gold[0], relation))
            continue
        counterpart = right[shared.system, key[1]]
        ends = relation.ordinal, counterpart.ordinal
        what = relation.what if relation.what == counterpart.what else "relation"
        number = builder.match(*ends, shared.similarity, what)
        if shared.similarity < 1:
            described = _described(gold[0], relation, counterpart, shared.similarity)
            builder.error("partial", described, number)
    for key, relation in right.items():
        shared = by_system.get(key)
        if shared is None or not shared.similarity:
            builder.error("spurious", _described(system[0], relation))


def _by_place(sentence: Concepts | None) -> dict[tuple[Any, str], Relation]:
    if sentence is None:
        return {}
    return {
        (relation.ends, relation.label): relation for relation in sentence.relations
    }


def _enter_nodes(
    builder: OutcomeBuilder, gold: Concepts, system: Concepts, forth: Mapping[int, int]
) -> None:
    """Enter which concept is which: they earn nothing by themselves."""
    builder.match(gold.place, system.place, 0.0)
    for key, value in sorted(forth.items(), key=lambda pair: pair[1]):
        builder.match(gold.first + value, system.first + key, 0.0)


def _described(
    graph: Graph,
    relation: Relation,
    counterpart: Relation | None = None,
    credit: float = 0.0,
) -> Described:
    edge = relation.what == "edge"
    label = None if edge else graph.nodes[relation.ordinal].label
    return Described(
        "sent",
        relation.ordinal,
        None if counterpart is None else counterpart.ordinal,
        relation.what,
        label=relation.name if edge else label,
        name="" if edge else relation.name,
        value=None if edge else relation.value,
        reason="absent" if counterpart is None else "",
        credit=credit,
    )


def enter_triples(
    builder: OutcomeBuilder,
    tuple_type: str,
    gold: tuple[Graph, Mapping[tuple[int, int, str], Said]],
    system: tuple[Graph, Mapping[tuple[int, int, str], Said]],
) -> None:
    """Enter triples that count as they are.

    Args:
        builder: where rows go.
        tuple_type: what they are about.
        gold: those of gold, by what is compared.
        system: those of the system.
    """
    triples = aligned_by_key(
        gold[1], system[1], ordinal=lambda located: located.triple.edge
    )
    graphs = gold[0], system[0]
    builder.enter(
        triples,
        lambda side, own, _: _triple(tuple_type, graphs[side == "spurious"], own),
        what="edge",
    )


def enter_closed(
    builder: OutcomeBuilder,
    tuple_type: str,
    gold: tuple[Graph, Mapping[tuple[int, int], Said], Closure],
    system: tuple[Graph, Mapping[tuple[int, int], Said], Closure],
) -> None:
    """Enter clusters of gold for what they earn, and triples that follow or do not.

    Args:
        builder: where rows go.
        tuple_type: what they are about.
        gold: those of gold, and all that follows from them.
        system: the same of the system.
    """
    sides: tuple[tuple[ErrorType, Any, Any], ...] = (
        ("missing", gold, system),
        ("spurious", system, gold),
    )
    numbers: dict[int, int] = {}
    for index, cluster in enumerate(gold[2].clusters):
        earned = share_of(cluster, system[2])
        shared = (n for n, x in enumerate(system[2].clusters) if cluster.meets(x))
        system_cluster = next(shared, None) if earned else None
        number = builder.match(index, system_cluster, earned, f"{tuple_type} cluster")
        numbers.update(dict.fromkeys(cluster.nodes, number))
    for side, (graph, by_ends, own), (_, others, closure) in sides:
        for ends, value in by_ends.items():
            steps = edges_of(tuple_type, {ends: value.relation})
            named = {oriented(a, b, name) for a in steps for b, name in steps[a]}
            named &= own.relations
            counterpart = others.get(ends)
            if not named:
                continue
            if named & closure.relations:
                if side == "missing" and counterpart is not None:
                    parent = numbers.get(ends[0])
                    pair = value.triple.edge, counterpart.triple.edge
                    builder.match(*pair, 0.0, "edge", parent)
                continue
            builder.error(side, _triple(tuple_type, graph, value))


def _triple(tuple_type: str, graph: Graph, located: Said) -> Described:
    edge = located.triple.edge
    ends = (
        graph.nodes[end].label for end in (located.triple.head, located.triple.tail)
    )
    value = "{} {}".format(*ends)
    return Described(
        tuple_type,
        edge,
        what="edge",
        label=located.relation,
        value=value,
        reason="absent",
    )
