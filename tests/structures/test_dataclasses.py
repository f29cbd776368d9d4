"""Objects become graphs and come back equal, or it is said why not."""

from __future__ import annotations

import dataclasses
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings

from graphscore.evaluation.store import Store
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.model.graph import Edge, Graph, Node
from graphscore.structures.objects.annotations import record_of
from graphscore.structures.objects.dataclasses import (
    StructureError,
    Var,
    from_graph,
    to_graph,
)
from graphscore.structures.objects.to_graph import Keys
from tests.structures.kinds import (
    Bounded,
    Clash,
    Color,
    Formula,
    Holder,
    Leaf,
    Leaves,
    Loop,
    Lost,
    Mutable,
    Odd,
    Size,
    Tree,
    objects,
)

MRP = format_named("mrp")

slow = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def key(cls: Any, value: Any) -> Any:
    """What a value is, types of literals included: True is not 1 here."""
    return Keys().of(record_of(cls), value, "").key


@slow
@given(objects())
def test_objects_come_back_equal(made: tuple[type[Any], Any]) -> None:
    cls, value = made
    found = from_graph(to_graph(value), cls)
    assert found == value
    assert key(cls, found) == key(cls, value)


@slow
@given(objects())
def test_objects_come_back_from_a_file(made: tuple[type[Any], Any]) -> None:
    cls, value = made
    graph = to_graph(value, id="1", document="d")
    assert MRP.write is not None
    written = io.BytesIO(b"".join(MRP.write([graph])))
    [record] = MRP.read(written, "a.mrp")
    assert isinstance(record, ReadGraph)
    assert key(cls, from_graph(record.graph, cls)) == key(cls, value)
    assert record.graph.digest() == graph.digest()


@slow
@given(objects())
def test_equal_objects_are_equal_graphs(made: tuple[type[Any], Any]) -> None:
    cls, value = made
    again = from_graph(to_graph(value), cls)
    assert to_graph(again).digest() == to_graph(value).digest()


VALUES: list[tuple[Any, Any]] = [
    (Leaves, Leaves(Leaf("a"), (Leaf("b", 1),), Odd.OTHER)),
    (Holder[int], Holder(1, (2, 3))),
    (Holder[Holder[Color | None]], Holder(Holder(None, (Color.RED,)))),
    (Bounded, Bounded(Leaf("bound"))),
    (Tree, Tree(None, 3, (Tree("a", "x"), Tree("a", "x")), Leaf("l"))),
    (Tree, Tree("t", "y", best=Tree("u", "x"))),
    (Mutable, Mutable([Mutable([], {3})], {1, 2})),
    (Formula, Formula(frozenset({("a", Var("x")), ("a", "x")}), Var("x"))),
    (
        Clash,
        Clash(
            Color.RED,
            frozenset({Size.SMALL, 2, None}),
            (frozenset({(1, "a")}), Leaf("x"), Color.GREEN, "green"),
            (Leaf("a"), 1, None),
            (None, "x"),
        ),
    ),
    (Clash, Clash("red", None, (), (Leaf("a"), 1, Leaf("a")), (1, ""))),
    (Clash, Clash("red", frozenset({None}), (), (Leaf("a"), 1, Leaf("a")), (1, ""))),
]


@pytest.mark.parametrize(("cls", "value"), VALUES)
def test_every_sort_of_annotation_comes_back(cls: Any, value: Any) -> None:
    found = from_graph(to_graph(value, cls), cls)
    assert found == value
    assert key(cls, found) == key(cls, value)


def test_what_is_not_given_to_the_class_comes_back_too() -> None:
    made = Mutable([], set(), note="written down")
    made.size = 7
    found = from_graph(to_graph(made), Mutable)
    assert (found.size, found.note) == (7, "written down")


def test_none_and_an_empty_collection_differ() -> None:
    empty = Clash("", frozenset(), (), (Leaf("a"), 1, None), (1, ""))
    absent = dataclasses.replace(empty, both=None)
    assert from_graph(to_graph(empty), Clash).both == frozenset()
    assert from_graph(to_graph(absent), Clash).both is None


def test_equal_variables_are_one_node() -> None:
    props = frozenset({("a", Var("x")), ("b", Var("x")), ("c", Var("y"))})
    graph = to_graph(Formula(props, Var("y")))
    assert sum(node.label == "Var" for node in graph.nodes) == 2
    [top] = [edge.target for edge in graph.edges if edge.label == "top"]
    assert sum(edge.target == top for edge in graph.edges) == 2


def test_objects_that_can_change_are_never_one_node() -> None:
    inner = Mutable([], set())
    graph = to_graph(Mutable([inner, inner], set()))
    assert len(graph.nodes) == 3
    found = from_graph(graph, Mutable)
    assert found.items[0] is not found.items[1]


def test_sequences_keep_their_order_and_sets_have_one() -> None:
    one = to_graph(Holder(1, (3, 1, 2)), Holder[int])
    assert [value for name, value in one.nodes[0].properties[1:]] == [3, 1, 2]
    numbers = Mutable([], {10, 9, 2})
    assert [v for n, v in to_graph(numbers).nodes[0].properties if n == "seen"] == [
        2,
        9,
        10,
    ]


def test_hash_seeds_make_no_difference() -> None:
    program = """
from tests.structures.kinds import *
from graphscore.structures.objects.dataclasses import to_graph


names = ["zoë", "ada", "bob", "eve", "x1", "x2"]
props = frozenset((a, b) for a in names for b in [Var(n) for n in names] + names)
print(to_graph(Formula(props, Var("ada"))).digest().hex())
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_graphs_of_objects_go_into_a_store_and_come_back() -> None:
    tree = Tree("a", "x", (Tree(None, "y"),), Leaf("l"))
    graph = to_graph(tree, id="t1", document="d1")
    with Store("sqlite://", mode="create") as store:
        assert store.add([graph], "gold").frameworks == {"structure": 1}
        [found] = store.graphs("gold")
        _, rows = store.query("select count(*) from v_tuples where label = 'Tree'")
    assert from_graph(found, Tree) == tree
    assert next(iter(rows))[0] >= 2


# What cannot be laid out.


T = TypeVar("T")


@dataclass
class Strange:
    table: dict[str, int]


@dataclass
class Bare:
    items: list  # type: ignore[type-arg]


@dataclass
class Twice:
    items: list[int] | list[str]


@dataclass
class Anything:
    value: Any


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Strange({}), ["Strange.table", "dict[str, int]", "a dataclass, an Enum"]),
        (Bare([]), ["Bare.items", "list", "saying of what"]),
        (Twice([]), ["Twice.items", "list[int] | list[str]", "told apart"]),
        (Anything(3), ["Anything.value", "Any", "a dataclass, an Enum"]),
        (Lost(3), ["Lost.where", "'Nowhere'", "module tests.structures.kinds"]),
        (Holder(3), ["Holder.value", "type variable T", "Holder[int]"]),
        (Leaf(3), ["Leaf.name", "3 (int)", "str"]),
        (Leaf("a", True), ["Leaf.size", "True (bool)", "int"]),
        (Bounded(Leaf), ["Bounded.inner", "a type", "Leaf"]),
        (Tree("a", "x", [Tree("b", "x")]), ["Tree.children", "a list", "tuple["]),
        (Leaf("\ud800"), ["Leaf.name", "half of a character"]),
        ("no object", ["str", "a dataclass"]),
    ],
)
def test_errors_name_class_field_and_what_was_found(
    value: Any, said: list[str]
) -> None:
    with pytest.raises(StructureError) as error:
        to_graph(value)
    for part in said:
        assert part in str(error.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_no_file_can_hold_are_refused(number: float) -> None:
    with pytest.raises(StructureError, match="a finite number"):
        to_graph(Holder(number), Holder[float])


def test_a_cycle_is_an_error() -> None:
    loop = Loop()
    loop.next = Loop(items=[loop])
    with pytest.raises(StructureError, match=r"Loop.items.*contains itself"):
        to_graph(loop)


def test_a_subclass_is_not_taken_for_its_base() -> None:
    @dataclass(frozen=True)
    class More(Leaf):
        extra: int = 0

    with pytest.raises(StructureError, match="found a More, expected Leaf"):
        to_graph(Bounded(More("a")))


def test_objects_nested_deeply_are_graphs_and_an_error_where_they_are_read() -> None:
    loop = Loop()
    for _ in range(5000):
        loop = Loop(loop)
    graph = to_graph(loop)
    assert len(graph.nodes) == 5001
    with pytest.raises(StructureError, match="levels"):
        from_graph(graph, Loop)


# What cannot be read.

GRAPH = to_graph(Tree("a", "x", (Tree(None, "y"),)), id="g")


def changed(**parts: Any) -> Graph:
    import msgspec

    return msgspec.structs.replace(GRAPH, **parts)


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (changed(tops=()), "0 tops"),
        (changed(tops=(9,)), "an edge or top at 9"),
        (changed(edges=(*GRAPH.edges, Edge(0, 7, "best"))), "an edge or top at 7"),
        (changed(edges=(*GRAPH.edges, Edge(0, 1, "best"))), "Tree.best"),
        (changed(edges=(*GRAPH.edges, Edge(1, 0, "children"))), "a cycle"),
        (changed(edges=(*GRAPH.edges, Edge(0, 1, "more"))), "called 'more'"),
        (changed(nodes=(Node(0, "Leaf"), GRAPH.nodes[1])), "found 'Leaf'"),
        (changed(nodes=(Node(0, "Tree"), GRAPH.nodes[1])), "Tree.label.*nothing"),
        (
            changed(
                nodes=(
                    Node(0, "Tree", (("label", 3), *GRAPH.nodes[0].properties[1:])),
                    GRAPH.nodes[1],
                )
            ),
            "Tree.label.*found 3, expected str | None",
        ),
    ],
)
def test_a_graph_that_does_not_fit_is_an_error(graph: Graph, said: str) -> None:
    with pytest.raises(StructureError, match=said):
        from_graph(graph, Tree)


def test_an_item_of_a_set_twice_is_an_error() -> None:
    node = Node(0, "Mutable", (("seen", 1), ("seen", 1), ("size", 0), ("note", "")))
    with pytest.raises(StructureError, match="an item twice"):
        from_graph(Graph("", "structure", nodes=(node,), tops=(0,)), Mutable)


def test_from_graph_only_reads_dataclasses() -> None:
    with pytest.raises(StructureError, match="a dataclass"):
        from_graph(GRAPH, int)


def test_an_int_is_a_float_only_where_nothing_says_int() -> None:
    @dataclass(frozen=True)
    class Number:
        one: float
        two: float | int

    found = from_graph(to_graph(Number(1, 1)), Number)
    assert found == Number(1, 1)
