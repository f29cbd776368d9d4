"""Elementary dependencies as PyDelphin counts them, and constants with a weight."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.meaning.edm import Edm
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.normalize import fold
from tests.metrics.meaning.pieces import counts, outcome
from tests.strategies import graph_pairs

PYDELPHIN = "edm(preset=pydelphin)"
TUPLE_TYPES = ("names", "arguments", "properties", "constants", "tops")


def graph(*nodes: Node, framework: str = "eds", **rest: Any) -> Graph:
    return Graph("1", framework, 1, nodes=nodes, **rest)


ADA = Node("x", "named", (("carg", "Ada"), ("NUM", "sg")), (Anchor(0, 3),))
SLEPT = Node("e", "_sleep_v_1", (("TENSE", "past"),), (Anchor(4, 9),))
GOLD = graph(ADA, SLEPT, edges=(Edge("e", "x", "ARG1"),), tops=("e",))


def changed(node: Node, **rest: Any) -> Graph:
    nodes = tuple(
        msgspec.structs.replace(each, **rest) if each is node else each
        for each in GOLD.nodes
    )
    return msgspec.structs.replace(GOLD, nodes=nodes)


def test_constants_are_a_tuple_type_of_their_own() -> None:
    assert counts(GOLD, GOLD, PYDELPHIN) == {
        **{"names": (2, 2, 2), "arguments": (1, 1, 1), "properties": (2, 2, 2)},
        **{"constants": (1, 1, 1), "tops": (1, 1, 1), "all": (7, 7, 7)},
    }
    assert counts(GOLD, GOLD, "edm")["properties"] == (3, 3, 3)
    assert counts(GOLD, GOLD, "edm(constants=1)") == counts(GOLD, GOLD, PYDELPHIN)


def test_constants_have_a_weight_of_their_own() -> None:
    system = changed(ADA, properties=(("carg", "Eve"), ("NUM", "sg")))
    assert counts(GOLD, system, "edm(constants=2)")["all"] == (8, 8, 6)
    assert counts(GOLD, system, "edm(properties=0)")["all"] == (4, 4, 4)
    assert counts(GOLD, system, "edm(properties=0,constants=1)")["all"] == (5, 5, 4)
    found = counts(GOLD, system, "edm(preset=pydelphin,constants=0.5,properties=0)")
    assert found["all"] == (4.5, 4.5, 4)
    numbers = (
        parse(PYDELPHIN).scores(outcome(GOLD, system, PYDELPHIN).raw_counts).numbers
    )
    assert numbers["edm_p.recall"] == 2 / 3


def test_one_metric_has_one_name() -> None:
    assert str(parse(PYDELPHIN)) == PYDELPHIN
    assert parse("edm(preset=pydelphin,constants=1)") == parse(PYDELPHIN)
    for text in ("edm(constants=2.0)", "edm(constants=0.0,preset=pydelphin)"):
        assert str(parse(text)) == text
    assert Edm(constants=1) != Edm()


@pytest.mark.parametrize("weight", ["-1", "nan", "inf", "x"])
def test_the_weight_of_constants_is_a_number_from_zero(weight: str) -> None:
    with pytest.raises(UsageError, match=r"edm.*constants"):
        parse(f"edm(constants={weight})")


def test_equal_tuples_count_as_often_as_they_are_said() -> None:
    two = graph(ADA, msgspec.structs.replace(ADA, id="y"))
    three = graph(*(msgspec.structs.replace(ADA, id=name) for name in "xyz"))
    assert counts(two, three, PYDELPHIN)["names"] == (2, 3, 2)
    assert counts(two, three, "edm")["names"] == (1, 1, 1)


def test_ranges_are_compared_as_they_are_written() -> None:
    gold = msgspec.structs.replace(GOLD, text="Ada slept.")
    nodes = (ADA, msgspec.structs.replace(SLEPT, anchors=(Anchor(4, 10),)))
    system = msgspec.structs.replace(gold, nodes=nodes)
    assert counts(gold, system, PYDELPHIN)["names"] == (2, 2, 1)
    assert counts(gold, system, "edm")["names"] == (2, 2, 2)


def test_ranges_may_be_lists() -> None:
    anchors: Any = [[0, 3]]
    found = counts(GOLD, changed(ADA, anchors=anchors), PYDELPHIN)
    assert found["names"] == (2, 2, 2)
    metric = Edm(preset="pydelphin")
    sides = [(metric.prepare(each),) for each in (GOLD, changed(ADA, anchors=anchors))]
    alone = metric.compare(*sides, budget=Budget(), details=False)
    assert alone.raw_counts["names", "", "matched"] == 2


def test_only_constants_keep_their_capitals() -> None:
    named = changed(ADA, label="NAMED", properties=(("CARG", "ada"), ("num", "SG")))
    found = counts(GOLD, named, PYDELPHIN)
    assert found["names"] == found["properties"] == (2, 2, 2)
    assert found["constants"] == (1, 1, 0)
    dmrs = [msgspec.structs.replace(each, framework="dmrs") for each in (GOLD, named)]
    assert counts(*dmrs, PYDELPHIN)["names"] == (2, 2, 1)


def test_what_is_no_argument_does_not_count() -> None:
    links = (Edge("e", "x", "ARG1"), Edge("e", "x", "MOD"), Edge("x", "e", "ARG1"))
    said = msgspec.structs.replace(GOLD, edges=links)
    assert counts(said, said, PYDELPHIN)["arguments"] == (3, 3, 3)
    dmrs = msgspec.structs.replace(said, framework="dmrs")
    assert counts(dmrs, dmrs, PYDELPHIN)["arguments"] == (2, 2, 2)
    again = msgspec.structs.replace(GOLD, edges=(Edge("e", "e", "arg1"), *GOLD.edges))
    assert counts(again, GOLD, PYDELPHIN)["arguments"] == (1, 1, 1)


def test_errors_are_rows() -> None:
    system = changed(ADA, properties=(("carg", "Eve"), ("NUM", "sg")))
    rows = outcome(GOLD, system, PYDELPHIN).errors
    assert [(e.error_type, e.tuple_type, e.gold, e.name, e.value) for e in rows] == [
        ("missing", "constants", 0, "carg", "Ada"),
        ("spurious", "constants", 0, "carg", "Eve"),
    ]


# An oracle written down from what the program says it does.


def slow(one: Graph) -> dict[str, Counter[Any]]:
    exact = one.framework == "dmrs"

    def small(value: Any) -> str:
        return value if exact and isinstance(value, str) else fold(value)

    def span(node: Node) -> Any:
        starts = [start for start, _ in node.anchors]
        ends = [end for _, end in node.anchors]
        return (min(starts), max(ends)) if starts else (-1, -1)

    nodes = {node.id: node for node in one.nodes}
    found: dict[str, Counter[Any]] = {
        tuple_type: Counter() for tuple_type in TUPLE_TYPES
    }
    for node in one.nodes:
        found["names"][span(node), small(node.label)] += 1
        said = {name.lower(): (name, value) for name, value in node.properties}
        for name, value in (pair for key, pair in said.items() if key != "carg"):
            found["properties"][span(node), fold(name), fold(value)] += 1
        constant = said.get("carg", ("", None))[1]
        if constant not in (None, ""):
            kept = constant if isinstance(constant, str) else fold(constant)
            found["constants"][span(node), kept] += 1
    arguments = {}
    for place, edge in enumerate(one.edges):
        key = place if exact else (edge.source, fold(edge.label))
        ends = span(nodes[edge.source]), span(nodes[edge.target])
        arguments[key] = edge, (*ends, small(edge.label))
    for edge, said in arguments.values():
        if exact and edge.label == "MOD":
            continue
        found["arguments"][said] += 1
    for top in set(one.tops):
        found["tops"][span(nodes[top])] += 1
    return found


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Graph, Graph]:
    framework = draw(st.sampled_from(("eds", "dmrs")))
    names = {"op1": "carg", "frame": "CARG"}
    roles = {"mod": "MOD", "domain": "arg1"}

    def with_constants(one: Graph) -> Graph:
        nodes = tuple(
            msgspec.structs.replace(
                node,
                properties=tuple((names.get(n, n), v) for n, v in node.properties),
            )
            for node in one.nodes
        )
        edges = tuple(
            msgspec.structs.replace(
                edge,
                label=roles.get(str(edge.label), edge.label),
            )
            for edge in one.edges
        )
        return msgspec.structs.replace(
            one, framework=framework, nodes=nodes, edges=edges
        )

    gold, system = draw(graph_pairs())
    return with_constants(gold), with_constants(system)


@given(pair=pairs())
def test_counts_are_those_of_multisets(pair: tuple[Graph, Graph]) -> None:
    gold, system = map(slow, pair)
    found = counts(*pair, PYDELPHIN)
    for tuple_type in TUPLE_TYPES:
        one, two = gold[tuple_type], system[tuple_type]
        assert found[tuple_type] == (one.total(), two.total(), (one & two).total()), (
            tuple_type
        )


@given(pair=pairs())
def test_counting_alone_finds_what_the_formulas_find(pair: tuple[Graph, Graph]) -> None:
    metric = Edm(preset="pydelphin", constants=2, arguments=0.5)
    sides = [(metric.prepare(each),) for each in pair]
    rows = metric.compare(*sides, budget=Budget())
    alone = metric.compare(*sides, budget=Budget(), details=False)
    assert (rows.raw_counts, rows.score) == (alone.raw_counts, alone.score)
    assert (rows.bound, rows.proven) == (alone.bound, alone.proven)
    assert not alone.errors
