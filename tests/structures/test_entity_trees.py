"""Entity trees in the graph, and metonymy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import msgspec
import pytest

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.entities.trees import TreeBuilder, slots_of

PARIS = (Anchor(0, 5),)


def nested(*labels: str, name: bool = True) -> Graph:
    """Entities over the same word, one in another, with a component at the bottom."""
    build = TreeBuilder()
    parent = None
    for label in labels:
        parent = build.entity(label, PARIS, parent=parent)
    if name:
        build.component("name", PARIS, parent=parent)
    return build.graph("1", text="Paris")


def types(graph: Graph) -> list[tuple[str, ...]]:
    return [slot.types for slot in slots_of(graph)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["org.adm", "loc.adm"], [("org.adm", "loc.adm")]),
        (["loc.adm.nat", "loc.adm.town"], [("loc.adm.nat",), ("loc.adm.town",)]),
        (["time.date.rel", "amount"], [("time.date.rel",), ("amount",)]),
        (["amount", "time.date.rel"], [("amount",), ("time.date.rel",)]),
        (["amount", "prod"], [("amount", "prod")]),
        (["org", "loc", "func"], [("org", "loc"), ("func",)]),
    ],
)
def test_an_entity_right_around_another_is_one_of_two_types(
    labels: Sequence[str], expected: list[tuple[str, ...]]
) -> None:
    assert types(nested(*labels)) == [*expected, ("name",)]
    assert types(nested(*labels, name=False)) == expected
    apart = slots_of(nested(*labels), metonymy="nested")
    assert [slot.types for slot in apart] == [*((each,) for each in labels), ("name",)]


def test_the_outer_two_are_joined_in_whatever_order_nodes_stand() -> None:
    graph = nested("org", "loc", "func")
    for order in permutations(graph.nodes):
        found = slots_of(msgspec.structs.replace(graph, nodes=order))
        assert {slot.types for slot in found} == {("org", "loc"), ("func",), ("name",)}
        [joined] = [slot for slot in found if len(slot.types) == 2]
        assert [found[child].types for child in joined.children] == [("func",)]


def test_a_joined_entity_has_the_children_of_the_inner_one() -> None:
    [one, component] = slots_of(nested("org", "loc"))
    assert (one.ordinal, one.children) == (0, (1,))
    assert (component.ordinal, component.entity, component.children) == (2, False, ())


def test_other_words_or_further_children_are_no_metonymy() -> None:
    build = TreeBuilder()
    org = build.entity("org", [Anchor(0, 8)])
    build.entity("loc", PARIS, parent=org)
    assert types(build.graph("1", text="Paris SG")) == [("org",), ("loc",)]
    build = TreeBuilder()
    org = build.entity("org", PARIS)
    build.component("name", PARIS, parent=org)
    build.entity("loc", PARIS, parent=org)
    assert types(build.graph("1")) == [("org",), ("name",), ("loc",)]


def test_an_entity_that_says_its_two_types_takes_no_third() -> None:
    build = TreeBuilder()
    org = build.entity("org", PARIS, literal="loc")
    build.entity("func", PARIS, parent=org)
    assert types(build.graph("1")) == [("org", "loc"), ("func",)]


def test_a_circle_of_entities_is_read_as_it_stands() -> None:
    kind = (("kind", "entity"),)
    nodes = (Node(0, "org", kind, PARIS), Node(1, "loc", kind, PARIS))
    graph = Graph("1", "etree", 1, nodes=nodes, edges=(Edge(0, 1), Edge(1, 0)))
    assert types(graph) == [("org",), ("loc",)]


def test_only_entities_have_children() -> None:
    build = TreeBuilder()
    name = build.component("name", PARIS, id="n")
    with pytest.raises(InvalidGraphError, match="a child of 'n'"):
        build.component("kind", PARIS, parent=name)
    with pytest.raises(InvalidGraphError, match="a child of 'x'"):
        build.entity("loc", PARIS, parent="x")
    with pytest.raises(InvalidGraphError, match="two nodes 'n'"):
        build.entity("loc", PARIS, id="n")
    assert types(build.graph("1")) == [("name",)]
