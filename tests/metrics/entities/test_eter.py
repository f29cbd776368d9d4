"""Entity tree error rate: an oracle, properties, examples, hostile input."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphscore import Store, score
from graphscore.metrics.base import lowest_best
from graphscore.metrics.entities.eter import Eter
from graphscore.metrics.entities.slot_alignment import cheapest
from graphscore.metrics.entities.slots import Piece
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import Outcome
from tests.conftest import metric_page
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

NESTED = Eter(metonymy="nested")

METRICS = (
    Eter(),
    Eter(alpha=0.3),
    Eter(alpha=1, overlap="free"),
    Eter(alpha=0.75, insertion=0.125, deletion=0.25),
    Eter(type=1, subtype=0.5, boundary=0.5, component_label=1.25),
    Eter(metonymy="nested"),
    Eter(alpha=0.3, alignment="fixed"),
)
every_metric = pytest.mark.parametrize("metric", METRICS, ids=str)


# An oracle: all one-to-one maps at both levels, told without the library.


def cost_of_all(
    gold: Sequence[Tree],
    system: Sequence[Tree],
    cost: Callable[[Tree, Tree], float],
    metric: Eter,
) -> float:
    """The least that errors cost, over all maps whose pairs are allowed."""
    pairs = {}
    for k, one in enumerate(gold):
        for n, other in enumerate(system):
            if metric.overlap == "free" or meet(one, other):
                found = cost(one, other)
                if found < metric.insertion + metric.deletion:
                    pairs[k, n] = (found, 0.0)
    return least(len(gold), len(system), pairs, metric.deletion, metric.insertion)[0]


def meet(one: Tree, two: Tree) -> bool:
    return bool(set(range(*one.span)) & set(range(*two.span)))


def elementary(one: str, two: str, metric: Eter) -> float:
    if one == two:
        return 0.0
    same = one.split(".")[0] == two.split(".")[0]
    return metric.subtype if same else metric.type


def of_types(gold: Tree, system: Tree, metric: Eter) -> float:
    """The four formulas of section 4.3, as they are printed."""

    def one(x: str, y: str) -> float:
        return elementary(x, y, metric)

    match (gold.types, system.types):
        case ((r,), (h,)):
            return one(r, h)
        case ((r1, r2), (h,)):
            return min((metric.type + one(r1, h)) / 2, (metric.type + one(r2, h)) / 2)
        case ((r,), (h1, h2)):
            return min((metric.type + one(r, h1)) / 2, (metric.type + one(r, h2)) / 2)
        case ((r1, r2), (h1, h2)):
            straight = (one(r1, h1) + one(r2, h2)) / 2
            return min(straight, (one(r1, h2) + one(r2, h1)) / 2)
    raise AssertionError


def of_children(gold: Tree, system: Tree, metric: Eter) -> float:
    def cost(one: Tree, two: Tree) -> float:
        label = metric.component_label * (sorted(one.types) != sorted(two.types))
        return label + metric.component_boundary * (one.span != two.span)

    return cost_of_all(gold.children, system.children, cost, metric)


def of_pair(gold: Tree, system: Tree, metric: Eter) -> float:
    root = of_types(gold, system, metric) + metric.boundary * (gold.span != system.span)
    share = of_children(gold, system, metric) / max(1, len(gold.children))
    return (1 - metric.alpha) * root + metric.alpha * share


@every_metric
@given(sides=pairs_of_trees())
def test_no_alignment_costs_less(
    metric: Eter, sides: tuple[list[Tree], list[Tree]]
) -> None:
    # Nesting that is metonymy would be joined: the oracle knows nothing of that.
    nested = replace(metric, metonymy="nested", alignment="optimal")
    gold, system = ([each for each in flattened(side) if each.entity] for side in sides)
    lowest = cost_of_all(gold, system, lambda x, y: of_pair(x, y, nested), nested)
    found = numbers(*sides, nested)["errors"]
    assert found == pytest.approx(lowest, abs=1e-9)


def fixed_maps(
    gold: Sequence[Tree], system: Sequence[Tree], metric: Eter
) -> list[tuple[tuple[float, int, int], float]]:
    """All maps: what decides between them (least first), and what the children cost."""
    found = []
    for each in maps(len(gold), tuple(range(len(system)))):
        pairs = [(gold[k], system[n]) for k, n in enumerate(each) if n is not None]
        if not all(meet(*pair) for pair in pairs):
            continue
        roots = [
            of_types(one, two, metric) + metric.boundary * (one.span != two.span)
            for one, two in pairs
        ]
        alone = (len(gold) - len(pairs)) * metric.deletion
        alone += (len(system) - len(pairs)) * metric.insertion
        if any(root >= metric.insertion + metric.deletion for root in roots):
            continue
        common = sum(len(set(range(*a.span)) & set(range(*b.span))) for a, b in pairs)
        alike = sum(known(a) == known(b) for a, b in pairs)
        below = sum(
            of_children(a, b, metric) / max(1, len(a.children)) for a, b in pairs
        )
        found.append(((alone + sum(roots), -common, -alike), alone + below))
    return found


def known(tree: Tree) -> Any:
    """What an entity is known by: its children too, but not theirs."""
    below = sorted((sorted(x.types), x.span) for x in tree.children)
    return sorted(tree.types), tree.span, below


@given(sides=pairs_of_trees())
def test_a_fixed_alignment_is_of_roots_then_overlap(
    sides: tuple[list[Tree], list[Tree]],
) -> None:
    metric = Eter(alignment="fixed", metonymy="nested")
    gold, system = ([each for each in flattened(side) if each.entity] for side in sides)
    assume(len(gold) <= 4 and len(system) <= 4)
    every = fixed_maps(gold, system, metric)
    best = min(decides for decides, _ in every)
    found = numbers(*sides, metric)
    size = max(1, len(gold))
    root = found["eter.types"] if gold else 0.0
    assert root == pytest.approx(best[0] / size if gold else 0.0, abs=1e-9)
    # Of several that decide alike one is taken; the children cost as in one of those.
    below = [cost / size for decides, cost in every if decides == best]
    if gold:
        assert any(found["eter.decomposition"] == pytest.approx(x) for x in below)


@given(sides=pairs_of_trees())
def test_a_fixed_rate_is_a_line_above_the_optimal_one(
    sides: tuple[list[Tree], list[Tree]],
) -> None:
    rates = {
        (alignment, alpha): numbers(*sides, Eter(alpha=alpha, alignment=alignment))
        for alignment in ("fixed", "optimal")
        for alpha in (0, 0.25, 0.7, 1)
    }
    ends = rates["fixed", 0]
    if math.isnan(ends["eter"]):
        return
    for (alignment, alpha), found in rates.items():
        mixed = (1 - alpha) * found["eter.types"] + alpha * found["eter.decomposition"]
        assert found["eter"] == pytest.approx(mixed, abs=1e-9)
        if alignment == "fixed":
            same = {name: found[name] for name in ends if name in FIXED}
            assert same == {name: ends[name] for name in same}
            assert found["eter"] >= rates["optimal", alpha]["eter"] - 1e-9
    assert ends["eter"] == pytest.approx(rates["optimal", 0]["eter"], abs=1e-9)


FIXED = (
    *("eter.types", "eter.decomposition", "eter.components", "entities.whole"),
    *("entities.type", "entities.boundary", "components.label", "components.deletions"),
)
"""Scores that do not change with alpha where the alignment does not."""


def test_overlap_decides_where_roots_cost_the_same() -> None:
    parts = [comp("kind", 0, 1), comp("name", 1, 2)]
    gold = [ent("func.ind", 0, 6, *parts)]
    # Both have a wrong boundary alone; the second has the right children.
    system = [ent("func.ind", 0, 5, comp("title", 3, 4)), ent("func.ind", 0, 2, *parts)]
    fixed = numbers(gold, system, "eter(alignment=fixed)")
    assert fixed["eter.decomposition"] == 1 + 1.5
    best = numbers(gold, system, "eter")
    assert (best["eter.decomposition"], best["eter.types"]) == (1.0, 1.25)
    assert fixed["eter.types"] == 1.25


PLACES = st.sampled_from([((0, 2),), ((1, 3),), ((2, 4),), ((0, 1), (3, 4))])
PIECES = st.lists(st.tuples(PLACES, st.sampled_from([("a",), ("b",)])), max_size=6)


def maps(size: int, free: tuple[int, ...]) -> Iterator[tuple[int | None, ...]]:
    """For each of so many, one of what is free, or nothing."""
    if not size:
        yield ()
        return
    for each in (None, *free):
        rest = tuple(other for other in free if other != each)
        for more in maps(size - 1, rest):
            yield (each, *more)


def touch(one: Piece, two: Piece) -> bool:
    places = [{k for a, b in each[0] for k in range(a, b)} for each in (one, two)]
    return bool(places[0] & places[1])


@given(
    *(PIECES.map(lambda said: [(*each, ()) for each in sorted(said)]) for _ in "gs"),
    st.lists(
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.5, 2.5]), min_size=36, max_size=36
    ),
)
def test_ties_are_the_first_with_most_equal_pairs(
    gold: list[Piece], system: list[Piece], drawn: list[float]
) -> None:
    gold, system = gold[:4], system[:4]

    def cost(row: int, column: int) -> float:
        same = gold[row] == system[column]
        return 0.0 if same else drawn[6 * row + column]

    best: tuple[float, int] | None = None
    chosen: list[tuple[int, int]] = []
    for each in maps(len(gold), tuple(range(len(system)))):
        pairs = [(k, other) for k, other in enumerate(each) if other is not None]
        if not all(touch(gold[a], system[b]) and cost(a, b) < 2 for a, b in pairs):
            continue
        equal = sum(gold[a] == system[b] for a, b in pairs)
        saved = sum(2 - cost(a, b) for a, b in pairs)
        if best is None or (saved, equal) > best:
            best, chosen = (saved, equal), pairs
        elif (saved, equal) == best:
            # A pair comes before none, a low position before a high one.
            chosen = min(chosen, pairs, key=lambda p: [*p, (9, 9)])
    found = cheapest(gold, system, cost, 2.0)
    assert sum(2 - each[2] for each in found) == (best or (0, 0))[0]
    assert sum(gold[a] == system[b] for a, b, _ in found) == (best or (0, 0))[1]
    assert [(a, b) for a, b, _ in found] == chosen


@given(st.lists(st.sampled_from([0.0, 0.5, 0.75, 1.0, 3.0]), min_size=30, max_size=30))
def test_many_that_compete_are_assigned_at_the_least_cost(drawn: list[float]) -> None:
    gold: list[Piece] = [(((0, 9),), (f"g{k}",), ()) for k in range(5)]
    system: list[Piece] = [(((0, 9),), (f"s{k}",), ()) for k in range(6)]

    def cost(row: int, column: int) -> float:
        return drawn[6 * row + column]

    most = max(
        sum(max(0.0, 2 - cost(row, column)) for row, column in enumerate(order))
        for order in permutations(range(6), 5)
    )
    found = cheapest(gold, system, cost, 2.0)
    assert sum(2 - each[2] for each in found) == most
    assert all(each[2] < 2 for each in found)


# Properties.


@every_metric
@given(sides=pairs_of_trees())
def test_errors_are_never_more_than_if_nothing_were_paired(
    metric: Eter, sides: tuple[list[Tree], list[Tree]]
) -> None:
    found = numbers(*sides, metric)
    made = [len(metric.prepare(graph(side)).entities) for side in sides]
    assert found["errors"] >= -1e-9
    most = made[0] * metric.deletion + made[1] * metric.insertion
    assert found["errors"] <= most + 1e-9


@every_metric
@given(sides=pairs_of_trees())
def test_errors_say_what_is_wrong_with_them(
    metric: Eter, sides: tuple[list[Tree], list[Tree]]
) -> None:
    found = outcome(graph(sides[0]), graph(sides[1]), metric)
    scores = metric.scores(found.raw_counts)
    for tuple_type, aspects in (
        ("entities", ("type", "subtype", "boundary")),
        ("components", ("label", "boundary")),
    ):
        mine = [each for each in found.errors if each.tuple_type == tuple_type]
        for aspect in aspects:
            rows_of = [
                each
                for each in mine
                if each.error_type == "missing" and aspect in each.name.split(" and ")
            ]
            assert scores.numbers[f"{tuple_type}.{aspect}"] == len(rows_of)
        for name, side in (("deletions", "missing"), ("insertions", "spurious")):
            alone = [x for x in mine if x.error_type == side and x.reason != "differs"]
            assert scores.numbers[f"{tuple_type}.{name}"] == len(alone)


@every_metric
@given(sides=pairs_of_trees())
def test_rows_sum_up_to_the_errors(
    metric: Eter, sides: tuple[list[Tree], list[Tree]]
) -> None:
    found = outcome(graph(sides[0]), graph(sides[1]), metric)
    scores = metric.scores(found.raw_counts)
    of_pairs = sum(1 - each.credit for each in found.matches if each.level == 0)
    alone = Counter(
        each.error_type
        for each in found.errors
        if each.tuple_type == "entities" and each.reason == "no counterpart"
    )
    unpaired = alone["missing"] * metric.deletion + alone["spurious"] * metric.insertion
    assert of_pairs + unpaired == pytest.approx(scores.numbers["errors"], abs=1e-9)
    for each in found.matches:
        assert (each.parent is None) == (each.level == 0)
        assert each.parent is None or found.matches[each.parent].level == 0
    for error in found.errors:
        if error.parent is not None:
            assert found.matches[error.parent].level == 0
            assert error.tuple_type == "components"
        assert (error.reason == "differs") == bool(error.name)


@every_metric
@given(sides=pairs_of_trees())
def test_types_and_labels_sum_up_to_the_whole(
    metric: Eter, sides: tuple[list[Tree], list[Tree]]
) -> None:
    found = numbers(*sides, metric)
    for tuple_type in metric.tuple_types:
        for name in ("slots", "correct", "deletions", "insertions", "boundary"):
            parts = [
                value
                for key, value in found.items()
                if key.startswith(f"{tuple_type}.")
                and key.endswith(f".{name}")
                and key != f"{tuple_type}.{name}"
            ]
            assert sum(parts) == found[f"{tuple_type}.{name}"]


@given(sides=pairs_of_trees())
def test_without_components_entities_are_their_types(
    sides: tuple[list[Tree], list[Tree]],
) -> None:
    found = numbers(*sides, "eter(alpha=0)")
    rate = found["eter"]
    assert found["eter.types"] == pytest.approx(rate, abs=1e-12, nan_ok=True)


@given(sides=pairs_of_trees())
def test_pairs_without_overlap_never_cost_more(
    sides: tuple[list[Tree], list[Tree]],
) -> None:
    free = numbers(*sides, "eter(overlap=free)")["errors"]
    assert free <= numbers(*sides, "eter")["errors"] + 1e-9


# The paper's examples.


def test_the_worked_examples_of_the_paper() -> None:
    assert numbers([FUNC], [FUNC_SYSTEM], "eter")["eter"] == pytest.approx(
        0.7222, abs=5e-5
    )
    both = [PRESIDENT, MINISTER]
    for said in both:
        assert numbers(both, [said], "eter")["eter"] == 0.5


def test_what_slots_means() -> None:
    gold = [FUNC]
    found = {
        slots: numbers(gold, [FUNC_SYSTEM], f"eter(slots={slots})")
        for slots in ("entities", "types", "components")
    }
    # Two of three entities are missing, and the third is right but for its parts.
    assert found["types"]["eter"] == pytest.approx(2 / 3)
    # Five children: two with a wrong label, two missing with their entities.
    assert found["components"]["slots"] == 5
    assert found["components"]["eter"] == pytest.approx((2 * 0.5 + 2) / 5)
    for slots, scores in found.items():
        assert scores["eter"] == scores[f"eter.{slots}"]
        assert scores["eter.entities"] == found["entities"]["eter"]


def test_a_missing_boundary_costs_more_than_the_paper_says() -> None:
    name = comp("name", 3, 4)
    wide = ent("loc.adm.nat", 2, 4, name)
    gold = ent("func.ind", 0, 4, comp("kind", 0, 1), wide)
    system = ent("func.ind", 0, 4, comp("kind", 0, 1), name)
    # A label and a boundary: 0.75 of two components, half of it.
    assert numbers([gold], [system], "eter")["errors"] == 1 + 0.75 / 2 / 2


def test_slots_without_overlap_are_no_pair() -> None:
    gold, system = ent("func.ind", 0, 1), ent("func.ind", 9, 10)
    assert numbers([gold], [system], "eter")["eter"] == 2.0
    assert numbers([gold], [system], "eter(overlap=free)")["eter"] == 0.125


def test_a_pair_that_costs_too_much_is_none() -> None:
    parts = [comp("kind", k, k + 1) for k in range(6)]
    gold = ent("org.ent", 0, 1, comp("name", 0, 1))
    system = ent("func.ind", 0, 6, *parts)
    # A label and five insertions for one component: half of 5.5, and half of 0.75.
    found = numbers([gold], [system], "eter")
    assert (found["eter"], found["entities.deletions"]) == (2.0, 1)
    assert numbers([gold], [system], "eter(insertion=3)")["eter"] == 4.0
    cheap = numbers([gold], [ent("func.ind", 0, 6, *parts[:3])], "eter")
    assert cheap["eter"] == (0.75 + 2.5) / 2


def test_an_entity_without_components_counts_as_with_one() -> None:
    gold = ent("pers.ind", 0, 2)
    system = ent("pers.ind", 0, 2, comp("name", 0, 1), comp("name", 1, 2))
    assert numbers([gold], [system], "eter")["eter"] == 1.0
    assert numbers([gold], [system], "eter(alpha=0)")["eter"] == 0.0


def test_nothing_has_no_rate() -> None:
    found = numbers([], [PRESIDENT], "eter")
    assert math.isnan(found["eter"])
    assert found["errors"] == found["entities.insertions"] == 1
    result = score([graph([])], [graph([PRESIDENT])], "eter")
    assert math.isnan(result.value)


def test_a_corpus_sums_errors_and_slots() -> None:
    gold = [graph([FUNC], "1"), graph([PRESIDENT, MINISTER], "2")]
    system = [graph([FUNC_SYSTEM], "1"), graph([MINISTER], "2")]
    result = score(gold, system, "eter")
    assert result.value == pytest.approx((2 + 1 / 6 + 1) / 5)
    assert score(gold, system[:1], "eter").value == pytest.approx((2 + 1 / 6 + 2) / 5)


def test_nesting_over_the_same_words_is_metonymy_or_not() -> None:
    inner = ent("loc.adm.town", 0, 1, comp("name", 0, 1))
    gold, system = [ent("org.adm", 0, 1, inner)], [inner]
    # One entity of two types, of which one is right; or one missing of two.
    assert numbers(gold, system, "eter")["eter"] == 0.125
    assert numbers(gold, system, "eter(metonymy=nested)")["eter"] == 0.5


def test_a_component_outside_of_entities_is_passed_over() -> None:
    loose = comp("name", 3, 4)
    assert numbers([PRESIDENT, loose], [PRESIDENT], "eter")["errors"] == 0
    assert (
        numbers([PRESIDENT], [PRESIDENT, loose], "eter")["components.insertions"] == 0
    )


def test_components_have_no_subtypes() -> None:
    gold = ent("pers.ind", 0, 1, comp("name.first", 0, 1))
    system = ent("pers.ind", 0, 1, comp("name.last", 0, 1))
    assert numbers([gold], [system], "eter")["eter"] == 0.25


def test_a_nested_entity_is_an_entity_and_a_component() -> None:
    found = numbers([FUNC], [FUNC], "eter")
    assert found["entities.slots"] == 3
    assert found["components.slots"] == 5
    assert found["entities.whole"] == 3


def test_whole_entities_are_right_with_all_that_they_are_made_of() -> None:
    found = numbers([FUNC, MINISTER], [FUNC_SYSTEM, MINISTER], "eter")
    assert found["entities.correct"] == 2
    assert found["entities.whole"] == 1


# Parameters.


def test_graphs_are_prepared_once_for_all_alphas() -> None:
    assert Eter(alpha=0.1).layout == Eter(alpha=0.9).layout == parse("ser").layout
    assert Eter().layout != NESTED.layout


# Rows.


def rows(found: Outcome) -> list[tuple[Any, ...]]:
    return [
        (
            x.error_type,
            x.tuple_type,
            x.gold,
            x.system,
            x.name,
            x.value,
            x.reason,
            x.parent,
        )
        for x in found.errors
    ]


def test_errors_name_what_is_wrong() -> None:
    gold = [
        ent("func.ind", 0, 4, comp("kind", 0, 1), comp("name", 2, 3)),
        ent("loc.adm.nat", 6, 8),
        ent("org.ent", 10, 12),
    ]
    system = [
        ent("func.ind", 0, 5, comp("title", 0, 2)),
        ent("loc.adm.town", 6, 9),
        ent("pers.ind", 10, 12),
    ]
    found = outcome(graph(gold), graph(system), "eter")
    differs, both = "differs", "subtype and boundary"
    assert rows(found) == [
        ("missing", "entities", 0, 0, "boundary", "abcd", differs, None),
        ("missing", "components", 1, 1, "label and boundary", "kind", differs, 0),
        ("missing", "components", 2, None, "", "name", "absent", 0),
        ("missing", "entities", 3, 2, both, "loc.adm.nat", differs, None),
        ("missing", "entities", 4, 3, "type", "org.ent", differs, None),
        ("spurious", "entities", 0, 0, "boundary", "abcde", differs, None),
        ("spurious", "components", 1, 1, "label and boundary", "title", differs, 0),
        ("spurious", "entities", 3, 2, both, "loc.adm.town", differs, None),
        ("spurious", "entities", 4, 3, "type", "pers.ind", differs, None),
    ]
    levels = [(x.gold, x.system, x.parent, x.level) for x in found.matches]
    assert levels == [(0, 0, None, 0), (1, 1, 0, 1), (3, 2, None, 0), (4, 3, None, 0)]


def test_errors_name_both_types_of_a_metonymy() -> None:
    gold = [ent("org.adm", 0, 2, ent("loc.adm.town", 0, 2)), ent("b a", 4, 6)]
    system = [ent("org.adm", 0, 2), ent("b a", 4, 7)]
    for metric in ("eter", "ser"):
        found = outcome(graph(gold), graph(system), metric)
        assert [(x.label, x.name, x.value) for x in found.errors] == [
            ("org.adm", "type", "org.adm/loc.adm.town"),
            ("b", "boundary", "ef"),
            ("org.adm", "type", "org.adm"),
            ("b", "boundary", "efg"),
        ]
    [alone] = outcome(graph([ent("b a", 4, 6)]), graph([]), "eter").errors
    assert alone.value == "b/a"


def test_of_rates_and_errors_the_lowest_is_the_best() -> None:
    for name in ("eter", "ser", "err"):
        metric = parse(name)
        lowest = (name, f"{name}.entities", f"entities.loc.{name}", "errors")
        counts = ("entities.deletions", "components.name.label", "entities.type")
        assert all(lowest_best(metric, score) for score in (*lowest, *counts))
        others = ("entities", "entities.f1", "entities.correct", "slots")
        assert not any(lowest_best(metric, score) for score in others)
    assert not lowest_best(parse("ner"), "strict")


def test_tables_show_few_scores() -> None:
    metric = parse("eter")
    found = metric.scores(
        outcome(graph([FUNC]), graph([FUNC_SYSTEM]), metric).raw_counts
    )
    assert list(metric.brief(found.numbers)) == ["eter.types", "entities.whole"]
    [table] = metric.tables(found)
    assert table.columns == (
        *("slots", "gold", "eter", "S", "D", "I"),
        *("type", "subtype", "boundary"),
    )
    assert table.rows == {
        "func": (1, pytest.approx(1 / 6), 0, 0, 0, 0, 0, 0),
        "loc": (2, 1.0, 0, 2, 0, 0, 0, 0),
        "(entities)": (3, pytest.approx(13 / 18), 0, 2, 0, 0, 0, 0),
        "(components)": (5, pytest.approx(3 / 5), 2, 2, 0, 2, None, 0),
        "(all)": (8, None, 2, 4, 0, 2, 0, 0),
    }
    assert table.title.startswith("errors, alignment for 0.5 (")
    [fixed] = parse("eter(alignment=fixed)").tables(found)
    assert fixed.title.startswith("errors, fixed alignment (")


QUERIES = re.findall(
    r"```sql\n(.*?)```",
    metric_page("eter"),
    re.DOTALL,
)


def asked(path: Path, sql: str) -> list[Any]:
    loc, org = ent("loc.adm.nat", 0, 2), ent("org.ent", 3, 5)
    pers = ent("pers.ind", 6, 8, comp("name", 6, 7))
    said = {
        "NER-0": [loc, org, pers],
        "NER-1": [ent("org.adm", 0, 2), ent("org.adm", 3, 6), pers],
        "NER-2": [ent("loc.adm.town", 0, 2), ent("pers.ind", 3, 6)],
        "NER-3": [ent("prod.art", 9, 12)],
    }
    with Store(str(path / "runs.db"), mode="create") as runs:
        runs.add([graph([loc, org, pers])], "gold")
        for name, trees in said.items():
            runs.add([graph(trees)], name)
            runs.score("gold", name, [Eter()])
        _, found = runs.query(sql)
        return [tuple(row) for row in found]


def test_table_4_is_one_query(tmp_path: Path) -> None:
    assert asked(tmp_path, QUERIES[0]) == [
        ("NER-0", 0, 0, 0),
        ("NER-1", 1, 1, 1),
        ("NER-2", 1, 1, 1),
        ("NER-3", 0, 0, 0),
    ]


def test_the_errors_of_entities_are_one_query(tmp_path: Path) -> None:
    [none, one, two, lost] = asked(tmp_path, QUERIES[1])
    assert (none, lost) == (("NER-0", 0), ("NER-3", 0))
    assert one == ("NER-1", pytest.approx(0.25 + 0.25))
    assert two == ("NER-2", pytest.approx(0.125 + 0.375))


# Hostile input.


def test_many_nested_entities_take_little_time() -> None:
    parts = [comp("name", k, k + 1) for k in range(60)]
    gold = [ent(f"a.x{k}", 0, 200, *parts[k:]) for k in range(40)]
    system = [ent(f"a.x{k}", 0, 201, *parts[: 60 - k]) for k in range(40)]
    found = numbers(gold, system, "eter")
    assert found["entities.deletions"] + found["entities.insertions"] == 0
    apart = [ent("a", 3 * k, 3 * k + 3) for k in range(2000)]
    shifted = [ent("a", 3 * k + 1, 3 * k + 4) for k in range(2000)]
    assert numbers(apart, shifted, "eter")["errors"] == 2000 * 0.125


def test_trees_that_are_none_are_survived() -> None:
    tuple_type = (("kind", "entity"),)
    nodes = (
        Node(0, None, tuple_type, (Anchor(0, 2),)),
        Node(1, "", tuple_type, (Anchor(0, 2),)),
        Node(2, "a.", tuple_type),
        Node(3, ".b", (("kind", "component"),), (Anchor(2, 1),)),
        Node(4, "x", (("kind", "mention"),), (Anchor(0, 1),)),
    )
    edges = (
        Edge(0, 1, "entity"),
        Edge(1, 0, "entity"),
        Edge(2, 2, "entity"),
        Edge(3, 2, "entity"),
        Edge(2, 4, "mention"),
        Edge(2, 3, "component"),
    )
    odd = Graph("1", "etree", 1, text="abc", nodes=nodes, edges=edges)
    for metric in (NESTED, Eter(overlap="free", metonymy="nested"), parse("ser")):
        found = outcome(odd, odd, metric)
        assert found.errors == ()
        assert outcome(odd, graph([FUNC]), metric).proven
    scores = NESTED.scores(outcome(odd, None, NESTED).raw_counts).numbers
    assert "entities.(none).deletions" in scores
