"""Types of levels (eq. 38), sets of supertypes (eq. 39), types with several parents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.metrics.parameters import hierarchy_of
from graphscore.model.graph import Graph, Node, Value
from graphscore.similarity import (
    FormulaError,
    Hierarchy,
    at,
    bag,
    derive,
    descendant,
    exact,
    f1,
    formula,
    hierarchy,
    itself,
    label,
    levels,
    match,
    row,
    supertypes,
    top,
    values,
)
from graphscore.structures import (
    by_supertypes,
    from_graph,
    half_below,
    levels_of,
    over,
    to_graph,
)

NAMES = "abcdef"
ROW = row(values("type"), itself)
BAG = bag(values("type"), itself)

# Every type may have any of those after it above it: no cycles, many ways up.
acyclic = st.lists(
    st.sampled_from([(x, y) for x in NAMES for y in NAMES if x < y]), max_size=12
)
subsets = st.frozensets(st.sampled_from(NAMES), max_size=4)


def thing(*types: Value) -> Graph:
    said = tuple(("type", each) for each in types)
    return Graph("1", "structure", nodes=(Node(0, "x", said),), tops=(0,))


def alike(formula: Any, gold: Collection[Value], system: Collection[Value]) -> Any:
    return at(top, formula).score(thing(*gold), thing(*system)).value


def above(pairs: Collection[tuple[str, str]], name: str) -> set[str]:
    """A type and all above it, by going up until nothing is new."""
    found, before = {name}, 0
    while len(found) > before:
        before = len(found)
        found |= {parent for child, parent in pairs if child in found}
    return found


# Hierarchies.


@given(acyclic)
def test_what_is_above_a_type_is_what_can_be_reached(
    pairs: list[tuple[str, str]],
) -> None:
    types = hierarchy(pairs)
    for name in NAMES:
        found = types.ancestors(name)
        assert set(found) == above(pairs, name)
        assert len(set(found)) == len(found)
        # Upwards: nothing stands before what it is above of.
        for place, each in enumerate(found):
            assert above(pairs, each) <= set(found[place:])
        for other in NAMES:
            expected = other != name and other in above(pairs, name)
            assert types.descends(name, other) == expected


@given(acyclic)
def test_a_hierarchy_is_what_it_is_written_as(pairs: list[tuple[str, str]]) -> None:
    types = hierarchy(pairs)
    assert eval(repr(types)) == types == hierarchy(types.parents)
    assert hash(types) == hash(hierarchy(types.parents))
    assert set(types.parents) == set(pairs)
    whole = f1(match(supertypes(label, types), exact(itself)))
    assert formula(repr(whole)) == whole


@given(acyclic, st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
def test_a_cycle_is_refused_and_its_way_named(
    pairs: list[tuple[str, str]], around: list[str]
) -> None:
    circle = list(zip(around, [*around[1:], around[0]], strict=True))
    with pytest.raises(FormulaError) as error:
        hierarchy([*pairs, *circle])
    way = error.value.formula.split(" <: ")
    assert way[0] == way[-1]
    assert len(way) > 1
    assert len(set(way[1:])) == len(way) - 1
    known = {*pairs, *circle}
    assert all(step in known for step in pairwise(way))
    assert f"{way[0]!r} is above itself" in str(error.value)


def test_parents_are_written_in_several_ways() -> None:
    types = hierarchy({"a": ("b", "c"), "d": "a"})
    assert types == hierarchy([("a", "b"), ("d", "a"), ("a", "c"), ("a", "b")])
    assert types == Hierarchy((("a", "b"), ("d", "a"), ("a", "c")))
    assert types == hierarchy({"a": {"c", "b"}, "d": ["a"]})
    assert repr(types) == "hierarchy({'a': ('b', 'c'), 'd': 'a'})"
    assert hierarchy({"a": ()}).ancestors("a") == ("a",)


def test_deep_and_wide_hierarchies_take_no_time() -> None:
    # Two to the power of 20,000 ways up.
    deep: dict[str, Sequence[str]] = {}
    for k in range(20_000):
        deep[f"l{k}"] = deep[f"r{k}"] = (f"l{k + 1}", f"r{k + 1}")
    types = hierarchy(deep)
    assert len(types.ancestors("l0")) == 40_001
    assert types.descends("r0", "l20000")
    with pytest.raises(FormulaError, match="above itself") as error:
        hierarchy({**deep, "l20000": "r0"})
    assert len(str(error.value)) < 1000
    assert " <: … <: l19993 <: " in error.value.formula


def test_files_have_a_line_for_each_parent(tmp_path: Any) -> None:
    path = tmp_path / "types.tsv"
    path.write_text("Raid\tAttack\nRAID\tSearch\nraid\tattack\n")
    types = hierarchy_of(str(path))
    assert types.ancestors("raid") == ("raid", "attack", "search")
    path.write_text("a\tb\nb\tc\nb\ta\n")
    with pytest.raises(Exception, match=r"types.tsv: 'a' is above itself") as error:
        hierarchy_of(str(path))
    assert "a <: b <: a" in str(error.value)


# Equation 33 where there are several parents.


@given(acyclic, st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_a_descendant_by_any_way_earns_half(
    pairs: list[tuple[str, str]], gold: str, system: str
) -> None:
    how = descendant(label, hierarchy(pairs))
    expected = 1 if gold == system else 0.5 * (gold in above(pairs, system))
    assert how.of_values(system, gold) == expected


# Equation 39.


def sets_alike(pairs: list[tuple[str, str]], gold: Any, system: Any) -> float:
    """F1 of S(P) and S(R), to the letter."""
    one = {t for p in system for t in above(pairs, p)}
    two = {t for r in gold for t in above(pairs, r)}
    return 2 * len(one & two) / (len(one) + len(two)) if one | two else 1


@given(acyclic, subsets, subsets)
def test_39_sets_of_types(pairs: list[tuple[str, str]], gold: Any, system: Any) -> None:
    how = f1(match(supertypes(BAG, hierarchy(pairs)), exact(itself)))
    found = alike(how, gold, system)
    assert found == pytest.approx(sets_alike(pairs, gold, system))
    assert found == alike(how, system, gold)
    assert 0 <= found <= alike(how, gold, gold) == 1
    # What is said twice, and in which order, makes no difference.
    assert alike(how, [*gold, *gold], sorted(system)[::-1]) == found
    by_row = f1(match(supertypes(ROW, hierarchy(pairs)), exact(itself)))
    assert alike(by_row, sorted(gold), sorted(system)) == found


def test_39_sets_of_dotted_types() -> None:
    how = f1(match(supertypes(BAG), exact(itself)))
    assert alike(how, ["a.b", "a.c"], ["a.b.d"]) == pytest.approx(2 * 2 / (3 + 3))
    assert alike(how, [], ["a"]) == 0
    assert alike(how, [], []) == 1
    assert alike(how, [None], []) == 1
    # Truth values and numbers are types as they are written.
    assert alike(how, [True, 1], [1, True]) == 1
    assert alike(how, [True], [1]) == 0


def test_siblings_and_roots_are_not_alike() -> None:
    types = hierarchy({"arson": "attack", "raid": "attack"})
    how = f1(match(supertypes(BAG, types), exact(itself)))
    assert alike(how, ["arson"], ["raid"]) == 1 / 2
    assert alike(how, ["attack"], ["trial"]) == 0


# Equation 38.


def tuples_alike(gold: Sequence[str], system: Sequence[str]) -> float:
    """2^(d - D), where d is the depth of the most specific type that is right."""
    depth = len(gold)
    right = max(d for d in range(depth + 1) if system[:d] == gold[:d])
    return 2.0 ** (right - depth) if right else 0


tuples = st.lists(st.sampled_from("ab"), min_size=4, max_size=4)


@given(tuples, tuples)
def test_38_tuples_of_levels(gold: list[str], system: list[str]) -> None:
    expected = tuples_alike(gold, system)
    assert alike(levels(ROW), gold, system) == expected
    assert alike(levels(ROW, depth=4), gold, system) == expected
    # Strings with dots are the same.
    dotted = alike(levels(ROW), gold, system)
    assert levels(label).of_values(".".join(system), ".".join(gold)) == dotted


def test_38_levels_that_are_left_out() -> None:
    how = levels(ROW)
    assert alike(how, ["a", "b", "c"], ["a", "b", None]) == 1 / 2
    assert alike(how, ["a", "b", "c"], ["a", None, None]) == 1 / 4
    assert alike(how, ["a", None, None], ["a", None, None]) == 1
    # Having no type is not being nearly right.
    assert alike(how, ["a", None], [None, None]) == 0
    assert alike(how, [None, "b"], [None, "c"]) == 1 / 2
    assert alike(how, [], ["a"]) == 0
    assert alike(how, [], []) == 1
    assert alike(levels(ROW, depth=3), ["a", "b"], ["a"]) == 1 / 4
    with pytest.raises(FormulaError, match=r"found 2 levels in \('a', 'b'\) or \('a'"):
        alike(levels(ROW, depth=1), ["a", "c"], ["a", "b"])


def test_38_levels_are_never_taken_for_what_stands_for_nothing() -> None:
    # As bare tuples these stand for a truth value, for null, for what is absent.
    for said in (["bool", True], ["null"], ["absent"], ["absent", "absent"]):
        other = [*said[:-1], "x"]
        right = len(said) - 1
        assert alike(levels(ROW), said, other) == (2.0**-1 if right else 0)
        assert alike(levels(ROW), said, said) == 1
    assert alike(levels(ROW), [True], [1]) == 0
    # A dot in a level separates nothing.
    assert alike(levels(ROW), ["a.b"], ["a.c"]) == 0


# As fields of dataclasses.

TYPES = {"poet": "writer", "writer": "artist", "singer": ("artist", "musician")}


@dataclass(frozen=True)
class Event:
    kind: Annotated[tuple[str, str, str | None], levels_of()]
    tags: Annotated[frozenset[str], by_supertypes(TYPES)] = frozenset()


@dataclass(frozen=True)
class Events:
    events: frozenset[Event]


def test_tuples_and_sets_of_types_are_fields() -> None:
    assert str(derive(Events).formula) == ("F↔events[φ_levels(kind) × F↔supertypes[δ]]")
    gold = Event(("a", "b", "c"), frozenset({"poet", "singer"}))
    system = Event(("a", "b", None), frozenset({"singer"}))
    report = derive(Events).formula.score(
        Events(frozenset({gold})), Events(frozenset({system}))
    )
    # poet writer artist singer musician against singer artist musician.
    assert report.matched == pytest.approx(1 / 2 * (2 * 3 / (5 + 3)))
    assert from_graph(to_graph(gold), Event) == gold


@dataclass(frozen=True)
class Alone:
    kind: tuple[str, str]
    all: frozenset[str]
    nested: tuple[Annotated[tuple[str, str], levels_of()], ...] = ()


def test_types_of_the_output_itself_are_kinds_of_their_own() -> None:
    marks = {Alone: {"kind": levels_of(), "all": (by_supertypes(TYPES), over(0.5))}}
    found = derive(Alone, marks)
    assert {kind: str(each) for kind, each in found.items()} == {
        "nested": "F↔nested≤[φ_levels(item)]",
        "kind": "φ_levels(kind)",
        "all": "⟦F↔supertypes[δ] > 0.5⟧",
    }
    gold = Alone(("a", "b"), frozenset({"poet"}), (("x", "y"), ("z", "z")))
    system = Alone(("a", "c"), frozenset({"writer"}), (("x", "x"), ("z", "z")))
    reports = found.score(gold, system)
    assert {kind: each.value for kind, each in reports.items()} == {
        "nested": 0.75,
        "kind": 0.5,
        "all": 1,
    }
    for each in found.values():
        assert formula(repr(each)) == each


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ({"kind": half_below(TYPES)}, "half_below.* a mark for its items"),
        ({"all": half_below(TYPES)}, "half_below.* a mark for its items"),
        ({"all": levels_of()}, "levels_of.* a mark for its items"),
        ({"nested": by_supertypes(TYPES)}, "a collection of literals"),
        ({"nested": levels_of()}, "a collection of literals"),
        ({"kind": by_supertypes({"a": "b", "b": "a"})}, "'a' is above itself"),
    ],
)
def test_marks_of_types_that_do_not_fit(mark: Any, said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        derive(Alone, {Alone: mark})
