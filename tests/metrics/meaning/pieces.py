"""Scoring two graphs in memory, as the tests of single metrics do it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import Outcome

Amounts = tuple[int | float, int | float, int | float]


def outcome(
    gold: Graph | None,
    system: Graph | None,
    metric: Metric | str = "mrp",
    **rest: Any,
) -> Outcome:
    """What a metric finds for one pair."""
    chosen = parse(metric)
    return chosen.compare(
        () if gold is None else (chosen.prepare(gold),),
        () if system is None else (chosen.prepare(system),),
        budget=rest.pop("budget", Budget()),
        **rest,
    )


def counts(
    gold: Graph | None, system: Graph | None, metric: Metric | str = "mrp"
) -> dict[str, Amounts]:
    """Gold, system and matched amounts by tuple type."""
    chosen = parse(metric)
    found = chosen.scores(outcome(gold, system, chosen).raw_counts).counts
    return {tuple_type: each[:3] for tuple_type, each in found.items()}


def sizes(
    gold: Mapping[str, Set[Any]], system: Mapping[str, Set[Any]]
) -> dict[str, tuple[int, int, int]]:
    """Gold, system and shared numbers of sets, by tuple type."""
    return {
        tuple_type: (
            len(gold[tuple_type]),
            len(system[tuple_type]),
            len(gold[tuple_type] & system[tuple_type]),
        )
        for tuple_type in gold
    }


def graph(*nodes: Node, **rest: Any) -> Graph:
    """A graph of no particular framework."""
    rest.setdefault("framework", "x")
    return Graph("1", nodes=nodes, **rest)
