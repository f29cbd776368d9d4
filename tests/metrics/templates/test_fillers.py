"""Bags, roles and fillers: what the formulas of relations and events look at."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore.similarity as algebra
from graphscore.metrics.extraction.relation import coarse
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    View,
    bag,
    edge_label,
    edges,
    edges_out,
    exact,
    filler,
    label,
    match,
    nodes,
    role,
    target,
    via,
)
from graphscore.structures.layout import Argument, LayoutBuilder


def related(*arguments: tuple[str | None, int], label: str = "r") -> View:
    build = LayoutBuilder()
    for place in range(3):
        build.mention("PER", [Anchor(place, place + 1)], id=place)
    build.relation(label, [Argument(*each) for each in arguments], id="r")
    return View(build.graph("1", "relation", text="abc"))


ROLES = bag(edges_out(), edge_label)


def test_a_bag_knows_no_order_but_how_often() -> None:
    [one], [two], [three], [four] = (
        ROLES.of_all(related(*each), [3])
        for each in (
            [("x", 0), ("y", 1)],
            [("y", 0), ("x", 1)],
            [("x", 0), ("y", 1), ("x", 2)],
            [("x", 0), ("y", 1), ("y", 2)],
        )
    )
    assert one == two
    assert len({one, three, four}) == 3


def test_a_bag_of_nothing() -> None:
    view = related()
    assert ROLES.of_all(view, [0, 3, 0]) == [frozenset()] * 3
    assert ROLES.of_all(view, []) == []


ARGUMENTS = st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 2)), max_size=4)


@given(ARGUMENTS, ARGUMENTS)
def test_bags_are_equal_where_sorted_lists_are(one: Any, two: Any) -> None:
    said = bag(edges_out(), role(), via(target, filler()))
    [left], [right] = (said.of_all(related(*each), [3]) for each in (one, two))
    assert (left == right) == (sorted(one) == sorted(two))


def test_mistakes_are_shown_in_place() -> None:
    with pytest.raises(FormulaError, match="label is said of a node, expected") as told:
        bag(edges_out(), label)
    assert "edges_out(label)" in str(told.value)
    with pytest.raises(FormulaError, match="found no feature"):
        bag(edges_out())
    with pytest.raises(FormulaError, match="compares a node, expected"):
        match(edges(), exact(ROLES))


def test_roles_of_symmetric_relations_are_all_the_same() -> None:
    arguments = ("x", 0), ("y", 1)
    same = role("order", frozenset({"r"}))
    assert same.of_all(related(*arguments), [0, 1]) == [None, None]
    assert same.of_all(related(*arguments, label="s"), [0, 1]) == [0, 1]
    assert role("none").of_all(related(*arguments), [0, 1]) == [None, None]


def test_fillers_of_every_kind() -> None:
    nodes_ = (
        Node(0, "PER", (("kind", "mention"),), (Anchor(0, 1), Anchor(1, 2))),
        Node(1, "ORG", (("kind", "entity"),)),
        Node(2, "Die", (("kind", "trigger"),), (Anchor(2, 3),)),
        Node(3, "r", (("kind", "relation"),)),
        Node(4, True, (("kind", "value"),)),
        Node(5, "X", (), (Anchor(3, 3),)),
    )
    edges_ = (Edge(1, 0, "mention"), Edge(3, 2, "x"), Edge(3, 3, "self"))
    view = View(Graph("1", "event", text="abc", nodes=nodes_, edges=edges_))
    place, die = ((0, 2),), ((2, 3),)
    inside = ("r", frozenset({("x", die), ("self", None)}))
    assert filler().of_all(view, range(6)) == [
        place,
        frozenset({place}),
        die,
        inside,
        ("bool", True),
        (),
    ]
    typed = filler(typed="all").of_all(view, [0, 1, 2])
    assert typed == [(place, "PER"), (frozenset({place}), "ORG"), (die, "Die")]
    events = filler(typed="events").of_all(view, [0, 1, 2])
    assert events == [place, frozenset({place}), (die, "Die")]
    assert filler("text").of_all(view, [0, 2]) == ["ab", "c"]


@pytest.mark.parametrize(
    "spelled",
    [
        *("relation", "trigger", "argument", "argument(trigger=type)"),
        "relation(mentions=overlap,symmetric=a|b,roles=order,types=coarse)",
        "relation(credit=partial,none_label=none,types=full,mentions=head)",
        "trigger(levels=colon,duplicates=multiset,mentions=text)",
        "argument(mentions=overlap,overlap=0.25)",
    ],
)
def test_formulas_are_written_down_and_read_back(spelled: str) -> None:
    public = {name: getattr(algebra, name) for name in algebra.__all__}
    names = {**public, "coarse": coarse}
    for formula in parse(spelled).formulas().values():  # type: ignore[attr-defined]
        assert eval(repr(formula), names) == formula
        assert str(formula)
        assert formula.latex()


def test_relations_are_equal_by_key_alone() -> None:
    # All of it is one equality: no two relations are ever compared.
    formulas = parse("relation").formulas()  # type: ignore[attr-defined]
    for formula in formulas.values():
        assert formula.operand.similarity.split()[1] == ()
        assert formula.operand.collection == nodes("relation")
