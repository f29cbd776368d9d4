"""Slot error rate: an oracle, properties, the papers' examples, flat entities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.trees import TreeBuilder
from graphscore.structures.layout import LayoutBuilder
from tests.metrics.entities.trees import (
    FUNC,
    FUNC_SYSTEM,
    MINISTER,
    PRESIDENT,
    Tree,
    comp,
    ent,
    flattened,
    graph,
    least,
    numbers,
    pairs_of_trees,
)
from tests.metrics.meaning.pieces import outcome

METRICS = (
    *("ser", "ser(substitution=additive)", "ser(weights=makhoul)"),
    *("ser(slots=types)", "ser(slots=components)", "ser(metonymy=nested)"),
)
every_metric = pytest.mark.parametrize("metric", METRICS)


def flat(*said: tuple[str, int, int], item: str = "1") -> Graph:
    build = LayoutBuilder()
    for label, first, after in said:
        build.mention(label, [Anchor(first, after)])
    return build.graph(item, "ner")


# An oracle: all one-to-one maps, told without the library.


def cost_of_all(
    gold: Sequence[Tree], system: Sequence[Tree], weights: tuple[float, float, float]
) -> tuple[float, float]:
    """The least that errors cost, and how many pairs are then equal at most, negative.

    Args:
        gold: gold slots.
        system: the system's.
        weights: what a wrong type, a wrong boundary and both cost.
    """
    pairs = {}
    for k, one in enumerate(gold):
        for n, two in enumerate(system):
            label, place = sorted(one.types) != sorted(two.types), one.span != two.span
            cost = weights[2] if label and place else weights[0] if label else 0.0
            cost += weights[1] if place and not label else 0.0
            if set(range(*one.span)) & set(range(*two.span)):
                pairs[k, n] = (cost, -1.0 if not label and not place else 0.0)
    return least(len(gold), len(system), pairs)


WEIGHTS = {
    "ser(metonymy=nested)": (0.5, 0.5, 0.5),
    "ser(metonymy=nested,type=0.25,subtype=0.25,boundary=0.75)": (0.25, 0.75, 0.75),
    "ser(metonymy=nested,substitution=additive,type=0.75,subtype=0.75)": (
        *(0.75, 0.5),
        1.25,
    ),
    "ser(metonymy=nested,substitution=additive)": (0.5, 0.5, 1.0),
    "ser(metonymy=nested,weights=makhoul)": (1.0, 1.0, 1.0),
    "err(metonymy=nested)": (1.0, 1.0, 1.0),
}


@pytest.mark.parametrize("metric", WEIGHTS)
@given(sides=pairs_of_trees())
def test_no_alignment_costs_less(
    metric: str, sides: tuple[list[Tree], list[Tree]]
) -> None:
    found = numbers(*sides, metric)
    total = equal = 0.0
    for tuple_type in (True, False):
        gold, system = (
            [each for each in flattened(side) if each.entity == tuple_type]
            for side in sides
        )
        cost, right = cost_of_all(gold, system, WEIGHTS[metric])
        total, equal = total + cost, equal - right
    assert found["errors"] == total
    assert found["correct"] == equal


# Properties.


@every_metric
@given(sides=pairs_of_trees())
def test_swapping_sides_swaps_insertions_and_deletions(
    metric: str, sides: tuple[list[Tree], list[Tree]]
) -> None:
    one, two = numbers(*sides, metric), numbers(*sides[::-1], metric)
    assert one["errors"] == two["errors"]
    assert one["correct"] == two["correct"]


@every_metric
@given(sides=pairs_of_trees())
def test_errors_cost_what_they_are(
    metric: str, sides: tuple[list[Tree], list[Tree]]
) -> None:
    made = parse(metric)
    found = outcome(graph(sides[0]), graph(sides[1]), made)
    scores = made.scores(found.raw_counts)
    alone = sum(each.reason == "no counterpart" for each in found.errors)
    of_pairs = sum(1 - each.credit for each in found.matches)
    assert alone + of_pairs == scores.numbers["errors"]
    assert alone == scores.numbers["deletions"] + scores.numbers["insertions"]


@given(sides=pairs_of_trees())
def test_the_rate_is_the_sum_of_its_parts(
    sides: tuple[list[Tree], list[Tree]],
) -> None:
    found = numbers(*sides, "ser")
    parts = found["part.entities"] + found["part.components"]
    assert parts == pytest.approx(found["ser"], abs=1e-12, nan_ok=True)
    for tuple_type, slots in (("entities", "types"), ("components", "components")):
        alone = numbers(*sides, f"ser(slots={slots})")
        assert alone["ser"] == pytest.approx(found[f"ser.{tuple_type}"], nan_ok=True)
        assert alone["slots"] == found[f"{tuple_type}.slots"]


@given(sides=pairs_of_trees())
def test_costs_are_ordered(sides: tuple[list[Tree], list[Tree]]) -> None:
    least, added, whole = (numbers(*sides, metric)["errors"] for metric in METRICS[:3])
    assert least <= added <= whole


# The papers' examples.


def test_the_worked_examples_of_the_paper() -> None:
    both = [PRESIDENT, MINISTER]
    assert numbers(both, [PRESIDENT], "ser")["ser"] == 0.6
    assert numbers(both, [MINISTER], "ser")["ser"] == 0.4
    assert numbers([FUNC], [FUNC_SYSTEM], "ser")["ser"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("metric", "costs"),
    [
        ("ser", [0.5, 0.5, 0.5, 0.5]),
        ("ser(substitution=additive)", [0.5, 0.5, 0.5, 1.0]),
        ("ser(weights=makhoul)", [1.0, 1.0, 1.0, 1.0]),
    ],
)
def test_what_a_substitution_costs(metric: str, costs: list[float]) -> None:
    gold = [ent("loc.adm", 0, 4)]
    systems = (
        ent("org.ent", 0, 4),
        ent("loc.nat", 0, 4),
        ent("loc.adm", 0, 3),
        ent("org.ent", 0, 3),
    )
    found = [numbers(gold, [system], metric) for system in systems]
    assert [each["ser"] for each in found] == costs
    wrong = [
        tuple(each[f"entities.{name}"] for name in ("type", "subtype", "boundary"))
        for each in found
    ]
    assert wrong == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1)]
    assert all(each["entities.loc.ser"] == each["ser"] for each in found)


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        # A wrong type, a wrong subtype, a wrong boundary, a type and a boundary.
        ("type=0.9", [0.9, 0.5, 0.5, 0.9]),
        ("subtype=0.25", [0.5, 0.25, 0.5, 0.5]),
        ("boundary=0.75,substitution=additive", [0.5, 0.5, 0.75, 1.25]),
        ("insertion=0.2,deletion=0.25", [0.45] * 4),
        ("weights=makhoul,deletion=0.5", [1.0] * 4),
        ("type=3", [2.0, 0.5, 0.5, 2.0]),
    ],
)
def test_costs_are_parameters(costs: str, expected: list[float]) -> None:
    systems = [("org.ent", 4), ("loc.nat", 4), ("loc.adm", 3), ("org.ent", 3)]
    gold = [ent("loc.adm", 0, 4)]
    found = [
        numbers(gold, [ent(label, 0, end)], f"ser({costs})")["ser"]
        for label, end in systems
    ]
    assert found == pytest.approx(expected)


@given(sides=pairs_of_trees(), insertion=st.sampled_from([0.25, 1.5]))
def test_no_alignment_costs_less_whatever_being_alone_costs(
    sides: tuple[list[Tree], list[Tree]], insertion: float
) -> None:
    metric = f"ser(metonymy=nested,insertion={insertion},deletion=0.5)"
    found = numbers(*sides, metric)
    total = 0.0
    for tuple_type in (True, False):
        gold, system = (
            [each for each in flattened(side) if each.entity == tuple_type]
            for side in sides
        )
        pairs = {
            (k, n): (0.5 * (known(one) != known(two)), 0.0)
            for k, one in enumerate(gold)
            for n, two in enumerate(system)
            if set(range(*one.span)) & set(range(*two.span))
        }
        total += least(len(gold), len(system), pairs, 0.5, insertion)[0]
    assert found["errors"] == pytest.approx(total)


def known(tree: Tree) -> object:
    return sorted(tree.types), tree.span


def test_slots_without_overlap_are_no_pair() -> None:
    found = numbers([ent("a", 0, 1)], [ent("a", 1, 2)], "ser")
    assert (found["ser"], found["deletions"], found["insertions"]) == (2.0, 1, 1)


def test_an_equal_pair_is_given_up_for_two_others() -> None:
    gold, system = (
        [comp("a", 0, 4), comp("a", 4, 8)],
        [comp("a", 0, 4), comp("a", 1, 2)],
    )
    found = numbers(gold, system, "ser")
    assert (found["correct"], found["substitutions"]) == (1, 0)
    gold, system = (
        [comp("a", 0, 4), comp("a", 3, 8)],
        [comp("a", 3, 8), comp("a", 7, 9)],
    )
    found = numbers(gold, system, "ser")
    # 0:4 with 3:8, 3:8 with 7:9: one in all; the equal pair would leave two alone.
    assert (found["correct"], found["substitutions"], found["errors"]) == (0, 2, 1.0)
    makhoul = numbers(gold, system, "ser(weights=makhoul)")
    assert (makhoul["correct"], makhoul["errors"]) == (1, 2)


def test_a_component_outside_of_entities_is_a_slot() -> None:
    found = numbers([comp("name", 0, 1)], [], "ser")
    assert (found["slots"], found["ser"]) == (1, 1.0)


def test_entities_and_components_are_never_a_pair() -> None:
    found = numbers([ent("name", 0, 1)], [comp("name", 0, 1)], "ser")
    assert found["ser"] == 2.0


# Flat entities.


def test_flat_entities_are_slots() -> None:
    gold = flat(("PER", 0, 3), ("LOC", 7, 13), ("ORG", 30, 34))
    system = flat(("PER", 0, 3), ("ORG", 7, 13), ("PER", 20, 25))
    result = score([gold], [system], "ser")
    assert result.value == pytest.approx(2.5 / 3)
    scores = result.scores
    assert scores.counts["entities"][:3] == (3, 3, 1)
    assert scores.numbers["entities.ORG.deletions"] == 1
    assert scores.numbers["entities.PER.insertions"] == 1
    assert result.metric.applicable("ner") == {"entities"}
    assert result.metric.applicable("etree") == {"entities", "components"}


def test_flat_entities_without_characters_or_types_are_slots() -> None:
    build = LayoutBuilder()
    build.mention(None, (), properties=(("text", "Ada"),))
    build.mention(None, (), properties=(("text", "Bob"),))
    graph = build.graph("1", "ner")
    metric = parse("ser")
    found = outcome(graph, graph, metric)
    assert metric.scores(found.raw_counts).numbers["entities.(none).correct"] == 2
    other = outcome(graph, flat((None, 0, 3)), metric)
    assert metric.scores(other.raw_counts).numbers["deletions"] == 2
    with pytest.raises(GraphscoreError, match="span 'Ada' of gold: found a range with"):
        outcome(graph, flat(("PER", 0, 3)), metric)


def test_missing_and_empty_items() -> None:
    gold = [flat(("PER", 0, 3), item=item) for item in "12"]
    assert score(gold, gold[:1], "ser").value == 0.5
    assert math.isnan(score([flat()], [flat(("PER", 0, 3))], "ser").value)


def test_tables_show_few_scores() -> None:
    metric = parse("ser")
    found = metric.scores(
        outcome(graph([FUNC]), graph([FUNC_SYSTEM]), metric).raw_counts
    )
    assert not metric.brief(found.numbers)
    [table] = metric.tables(found)
    assert table.columns[:6] == ("slots", "gold", "ser", "S", "D", "I")
    assert table.rows == {
        "func": (1, 0.0, 0, 0, 0, 0, 0, 0),
        "loc": (2, 1.0, 0, 2, 0, 0, 0, 0),
        "(entities)": (3, pytest.approx(2 / 3), 0, 2, 0, 0, 0, 0),
        "(components)": (3, 0.0, 0, 0, 0, 0, None, 0),
        "(all)": (6, pytest.approx(1 / 3), 0, 2, 0, 0, 0, 0),
    }


def test_tables_show_no_tuple_type_without_slots() -> None:
    metric = parse("ser")
    gold, system = flat(("PER", 0, 3)), flat(("ORG", 0, 3), ("LOC", 5, 6))
    [table] = metric.tables(metric.scores(outcome(gold, system, metric).raw_counts))
    assert list(table.rows) == ["LOC", "PER", "(entities)"]
    assert table.rows["LOC"][0] == 0
    assert math.isnan(table.rows["LOC"][1])
    assert table.rows["PER"][1:] == (0.5, 1, 0, 0, 1, 0, 0)
    [empty] = metric.tables(metric.scores({}))
    assert empty.rows == {}


def test_tables_show_components_by_label_if_they_are_what_counts() -> None:
    for name in ("ser(slots=components)", "eter(slots=components)"):
        metric = parse(name)
        raw_counts = outcome(graph([FUNC]), graph([FUNC_SYSTEM]), metric).raw_counts
        [table] = metric.tables(metric.scores(raw_counts))
        assert list(table.rows)[:2] == ["kind", "loc" if "eter" in name else "name"]
        assert "(components)" in table.rows


# Hostile input.


def test_many_slots_take_little_time() -> None:
    gold = flat(*((f"T{k}", 0, 9) for k in range(150)))
    system = flat(*((f"T{k}", 0, 9) for k in range(100, 250)))
    metric = parse("ser")
    found = metric.scores(outcome(gold, system, metric).raw_counts).numbers
    assert (found["correct"], found["substitutions"]) == (50, 100)
    gold = flat(*(("A", 3 * k, 3 * k + 3) for k in range(2000)))
    system = flat(*(("A", 3 * k + 1, 3 * k + 4) for k in range(2000)))
    found = metric.scores(outcome(gold, system, metric).raw_counts).numbers
    assert found["errors"] == 1000


@pytest.mark.parametrize("name", ["ser", "err", "eter"])
def test_white_space_is_no_part_of_a_slot(name: str) -> None:
    def tree(first: int) -> Graph:
        build = TreeBuilder()
        place = build.entity("pers", [Anchor(first, 13)])
        build.component("name", [Anchor(first, 8)], parent=place)
        return build.graph("1", text="by Jenny Rome")

    for gold, system in ((tree(3), tree(2)), (tree(2), tree(3))):
        result = score([gold], [system], name)
        assert (result.scores.numbers[name], result.f1) == (0, 1)
        as_written = score([gold], [system], f"{name}(spans=offsets)")
        assert as_written.scores.numbers[name] > 0
    # The text of one side is that of both.
    bare = msgspec.structs.replace(tree(2), text="")
    assert score([tree(3)], [bare], name).scores.numbers[name] == 0


def test_white_space_alone_parts_no_metonymy() -> None:
    build = TreeBuilder()
    org = build.entity("org", [Anchor(2, 8)])
    build.entity("pers", [Anchor(3, 8)], parent=org)
    gold = build.graph("1", text="by Jenny")
    assert score([gold], [gold], "eter").scores.numbers["slots"] == 1
    as_written = score([gold], [gold], "eter(spans=offsets)")
    assert as_written.scores.numbers["slots"] == 2
