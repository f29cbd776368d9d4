"""Event triggers: worked examples, oracles of plain sets, hostile graphs, the page."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given

from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import LayoutBuilder
from tests.metrics.extraction.extractions import TEXT, Side, Thing, best, sides, span
from tests.metrics.meaning.pieces import counts, outcome

BUILT, ENGINES = span("built"), span("engines")


def side(*triggers: tuple[str | None, tuple[int, int]]) -> Graph:
    return Side((), [Thing(label, (), at) for label, at in triggers]).graph("event")


GOLD = side(("Make:Build", BUILT), ("Use:Run", ENGINES))


# Worked examples.


def test_white_space_is_no_part_of_a_trigger() -> None:
    (start, end), more = BUILT, ("Use:Run", ENGINES)
    wider = side(("Make:Build", (start - 1, end + 1)), more)
    assert counts(GOLD, wider, "trigger")["all"] == (2, 2, 2)
    assert counts(GOLD, wider, "trigger(spans=offsets)")["all"] == (2, 2, 1)
    overlap = "trigger(mentions=overlap,overlap=0.9{})"
    assert counts(GOLD, wider, overlap.format(""))["all"] == (2, 2, 2)
    assert counts(GOLD, wider, overlap.format(",spans=offsets"))["all"] == (2, 2, 1)


def test_found_and_of_the_right_type() -> None:
    system = side(("Make:Draw", BUILT), ("Use:Run", ENGINES), ("Use:Run", span("for")))
    assert counts(GOLD, system, "trigger") == {
        "identification": (2, 3, 2),
        "classification": (2, 3, 1),
        "all": (2, 3, 1),
    }


def test_levels_of_a_type_earn_half_each() -> None:
    # Equation 38, of two levels: 1, one half, 0; with three: 1, 1/2, 1/4, 0.
    system = side(("Make:Draw", BUILT), ("Run:Run", ENGINES))
    colon = "trigger(levels=colon)"
    assert counts(GOLD, system, colon)["classification"] == (2, 2, 0.5)
    gold = side(("a.b.c", BUILT))
    for label, credit in (("a.b.c", 1), ("a.b.x", 0.5), ("a.x.c", 0.25), ("x.b.c", 0)):
        found = counts(gold, side((label, BUILT)), "trigger(levels=dot)")
        assert found["all"] == (1, 1, credit)
    # Levels that nothing separates are one.
    assert counts(GOLD, system, "trigger(levels=dot)")["all"] == (2, 2, 0)


def test_several_events_at_one_trigger() -> None:
    # Two events of one type are one trigger; of two types, one place and two types.
    gold = side(("a", BUILT), ("a", BUILT), ("b", BUILT))
    system = side(("a", BUILT))
    assert counts(gold, system, "trigger") == {
        "identification": (1, 1, 1),
        "classification": (2, 1, 1),
        "all": (2, 1, 1),
    }
    each = counts(gold, system, "trigger(duplicates=multiset)")
    assert each["identification"] == each["classification"] == (3, 1, 1)


def test_overlapping_triggers() -> None:
    start, _ = BUILT
    system = side(("Make:Build", (start, ENGINES[1])))
    assert counts(GOLD, system, "trigger")["all"] == (2, 1, 0)
    for limit, matched in ((0.3, 1), (0.5, 0)):
        metric = f"trigger(mentions=overlap,overlap={limit})"
        assert counts(GOLD, system, metric)["all"] == (2, 1, matched)


def test_triggers_that_are_strings() -> None:
    build = LayoutBuilder()
    build.trigger("Make:Build", properties=(("text", "Built"),))
    system = build.graph("1", "event")
    assert counts(GOLD, system, "trigger")["all"] == (2, 1, 0)
    assert counts(GOLD, system, "trigger(mentions=text)")["all"] == (2, 1, 1)


def test_errors_say_the_words() -> None:
    system = side(("Make:Draw", BUILT))
    found = [
        (error.tuple_type, error.error_type, error.label, error.value, error.reason)
        for error in outcome(GOLD, system, "trigger").errors
    ]
    assert found == [
        ("identification", "missing", "Use:Run", "Use:Run “engines”", "no counterpart"),
        ("classification", "missing", "Make:Build", "Make:Build “built”", "differs"),
        ("classification", "missing", "Use:Run", "Use:Run “engines”", "no counterpart"),
        ("classification", "spurious", "Make:Draw", "Make:Draw “built”", "differs"),
    ]


# Oracles.


def described(given: Side) -> list[Any]:
    return [(thing.trigger, thing.label) for thing in given.things]


@given(sides(events=True), sides(events=True))
def test_sets_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    found = counts(gold.graph("event"), system.graph("event"), "trigger")
    one, two = set(described(gold)), set(described(system))
    assert found["classification"] == (len(one), len(two), len(one & two))
    here, there = {place for place, _ in one}, {place for place, _ in two}
    assert found["identification"] == (len(here), len(there), len(here & there))


@given(sides(events=True), sides(events=True))
def test_bags_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    metric = "trigger(duplicates=multiset)"
    found = counts(gold.graph("event"), system.graph("event"), metric)
    one, two = Counter(described(gold)), Counter(described(system))
    assert found["classification"][2] == (one & two).total()
    places = [Counter(place for place, _ in each.elements()) for each in (one, two)]
    assert found["identification"][2] == (places[0] & places[1]).total()


@given(sides(events=True), sides(events=True))
def test_levels_are_the_best_of_all_matchings(gold: Side, system: Side) -> None:
    def worth(one: Any, two: Any) -> float:
        if one[0] != two[0]:
            return 0
        if one[1] == two[1]:
            return 1
        return 0.5 * (one[1][:2] == two[1][:2] == "a:")

    found = counts(gold.graph("event"), system.graph("event"), "trigger(levels=colon)")
    sets = sorted(set(described(gold))), sorted(set(described(system)))
    assert found["classification"][2] == best(*sets, worth)


# Hostile graphs.


def test_triggers_without_words_are_of_one_place() -> None:
    build = LayoutBuilder()
    build.trigger("a")
    build.trigger(None)
    graph = build.graph("1", "event")
    assert counts(graph, graph, "trigger")["identification"] == (1, 1, 1)
    assert counts(graph, graph, "trigger")["classification"] == (2, 2, 2)
    assert counts(graph, GOLD, "trigger")["identification"] == (1, 2, 0)


def test_mentions_are_no_triggers() -> None:
    build = LayoutBuilder()
    build.mention("Make:Build", [Anchor(*BUILT)])
    graph = build.graph("1", "event", text=TEXT)
    assert counts(GOLD, graph, "trigger")["all"] == (2, 0, 0)


# Differences that the page names.


def test_a_trigger_may_have_several_types() -> None:
    # DyGIE++ keeps the last type of a token; OneIE looks at the first one there.
    gold = side(("a", BUILT), ("b", BUILT))
    for label in "ab":
        assert counts(gold, side((label, BUILT)), "trigger")["all"] == (2, 1, 1)


def test_one_gold_trigger_is_matched_once() -> None:
    # OneIE gives every prediction at a gold trigger credit for the same one.
    gold, system = side(("a", BUILT)), side(("a", BUILT), ("b", BUILT))
    found = counts(gold, system, "trigger(duplicates=multiset)")
    assert found["identification"] == (1, 2, 1)
