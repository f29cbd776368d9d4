"""What became of a hit, by looking at everything: slow, and plain to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from graphscore.find.grammar import parse
from graphscore.find.pattern import (
    EdgeClause,
    Feature,
    FeatureClause,
    NodeClause,
    OrderClause,
    TopClause,
)
from tests.find.oracle import Binding, Matcher, Pair, ends

KINDS = {"label": "labels", "anchor": "anchors", "text": "anchors", "top": "tops"}

OWN = {"gold": "missing", "system": "surplus"}


def mirrored(pair: Pair) -> Pair:
    """The system as gold, and gold as the system."""
    other = {"gold": "system", "system": "gold", "missing": "surplus"}
    errors = [
        {
            **error,
            "gold": error["system"],
            "system": error["gold"],
            "side": other.get(error["side"], "missing"),
        }
        for error in pair.errors
    ]
    return Pair(
        {"gold": pair.graphs["system"], "system": pair.graphs["gold"]},
        {(system, gold) for gold, system in pair.nodes},
        {(system, gold) for gold, system in pair.edges},
        errors,
    )


def fates(pattern: str, pairs: dict[str, Pair]) -> Counter[str]:
    """How many hits in gold are right, wrong and lost."""
    found: Counter[str] = Counter()
    for pair in pairs.values():
        matcher = Matcher(parse(pattern), pair)
        clauses = [clause for _, clause in matcher.levels[0][1]]
        for nodes, edges in matcher.hits():
            found[_fate(matcher, clauses, nodes, edges)] += 1
    return found


def _fate(matcher: Matcher, clauses: list[Any], nodes: Binding, edges: Binding) -> str:
    pair = matcher.pair
    if not all(matcher.counterparts("gold", node) for node in nodes.values()):
        return "lost"
    matched = [matcher.edge_is("gold", "matched", edge) for edge in edges.values()]
    bad = any(
        _is_wrong(pair, what, number, feature, absent)
        for what, number, feature, absent in _asked(clauses, nodes, edges)
    )
    if all(matched) and not bad:
        return "right"
    gold, system = pair.graphs["gold"], pair.graphs["system"]
    assert gold is not None
    for edge, right in zip(edges.values(), matched, strict=True):
        source, target = ends(gold, gold.edges[edge])
        there = {ends(system, each) for each in system.edges} if system else set()
        between = {
            pair
            for a in matcher.counterparts("gold", source)
            for b in matcher.counterparts("gold", target)
            for pair in ((a, b), (b, a))
        }
        if not right and not there & between:
            return "lost"
    return "wrong"


def _asked(
    clauses: list[Any], nodes: Binding, edges: Binding
) -> Iterator[tuple[str, int, str, bool]]:
    def node(name: str) -> int:
        return nodes["gold", name.rstrip("$")]

    for number, clause in enumerate(clauses):
        if isinstance(clause, NodeClause):
            for test in clause.tests:
                yield "node", node(clause.name), test.name, test.sign == "lacks"
        elif isinstance(clause, EdgeClause):
            own = edges.get(("gold", clause.name or f"#{number}"))
            for test in clause.tests:
                if own is not None and test.name != "label":
                    yield "edge", own, test.name, test.sign == "lacks"
        elif isinstance(clause, TopClause):
            yield "node", node(clause.node), "top", False
        elif isinstance(clause, OrderClause):
            yield "node", node(clause.left), "anchor", False
            yield "node", node(clause.right), "anchor", False
        elif isinstance(clause, FeatureClause):
            yield from _compared(clause, nodes, edges)


def _compared(
    clause: FeatureClause, nodes: Binding, edges: Binding
) -> Iterator[tuple[str, int, str, bool]]:
    for each in (clause.left, clause.right):
        if not isinstance(each, Feature) or each.name == "__id__":
            continue
        if ("gold", each.owner) not in edges:
            yield "node", nodes["gold", each.owner.rstrip("$")], each.name, False
        elif each.name != "label":
            yield "edge", edges["gold", each.owner], each.name, False


def _is_wrong(pair: Pair, what: str, number: int, feature: str, absent: bool) -> bool:
    side, own = "gold", {number}
    if absent:
        # What must not be there may be too much on the other side.
        side = "system"
        counterparts = pair.nodes if what == "node" else pair.edges
        own = {system for gold, system in counterparts if gold == number}
    return any(
        error["object"] == what
        and error[side] in own
        and error["side"] == OWN[side]
        and (
            error["name"] == feature
            or (error["name"] == "" and error["kind"] == KINDS.get(feature))
        )
        for error in pair.errors
    )
