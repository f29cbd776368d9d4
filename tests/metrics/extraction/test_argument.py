"""Arguments of events: worked examples, oracles, hostile graphs, the page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.metrics.extraction.extractions import TEXT, Side, Thing, best, sides, span
from tests.metrics.meaning.pieces import counts, outcome

BUILT, ENGINES = span("built"), span("engines")
MENTIONS = (
    ("PER", span("Ada Lovelace")),
    ("PER", span("Charles Babbage")),
    ("ORG", span("IBM")),
    ("LOC", span("London")),
)


def side(*events: Thing) -> Graph:
    return Side(MENTIONS, events).graph("event")


BUILD = Thing("Make", [("Agent", 0), ("Agent", 1), ("Place", 3)], BUILT)
GOLD = side(BUILD, Thing("Use", [("User", 2)], ENGINES))
BOTH = ("argument", "argument(trigger=type)")


# Worked examples.


@pytest.mark.parametrize("metric", BOTH)
def test_white_space_is_no_part_of_triggers_and_mentions(metric: str) -> None:
    build = LayoutBuilder()
    place = build.mention("LOC", [Anchor(span("London")[0] - 1, span("London")[1])])
    made = [Argument("Place", place)]
    build.trigger("Make", [Anchor(BUILT[0], BUILT[1] + 1)], made)
    wider = build.graph("1", "event", text=TEXT)
    gold = side(Thing("Make", [("Place", 3)], BUILT))
    assert counts(gold, wider, metric)["all"] == (1, 1, 1)
    offsets = metric.replace(")", ",spans=offsets)")
    offsets = offsets if ")" in offsets else f"{metric}(spans=offsets)"
    assert counts(gold, wider, offsets)["all"] == (1, 1, 0)


@pytest.mark.parametrize("metric", BOTH)
def test_a_wrong_role_is_an_argument_all_the_same(metric: str) -> None:
    build = Thing("Make", [("Agent", 0), ("Place", 1), ("Place", 2)], BUILT)
    system = side(build, Thing("Use", [], ENGINES))
    assert counts(GOLD, system, metric) == {
        "identification": (4, 3, 2),
        "classification": (4, 3, 1),
        "all": (4, 3, 1),
    }


@pytest.mark.parametrize("metric", BOTH)
def test_an_event_without_arguments_earns_nothing(metric: str) -> None:
    bare = side(Thing("Make", [], BUILT), Thing("Use", [], ENGINES))
    assert counts(bare, bare, metric)["all"] == (0, 0, 0)
    assert counts(GOLD, bare, metric)["all"] == (4, 0, 0)


@pytest.mark.parametrize("metric", BOTH)
def test_a_wrong_event_type_earns_nothing(metric: str) -> None:
    system = side(Thing("Break", BUILD.arguments, BUILT))
    assert counts(GOLD, system, metric)["identification"] == (4, 3, 0)


def test_a_wrong_trigger_counts_with_span_only() -> None:
    # Equation 16 wants the right trigger, the common scorers its type.
    system = side(Thing("Make", BUILD.arguments, ENGINES))
    assert counts(GOLD, system, "argument")["all"] == (4, 3, 0)
    assert counts(GOLD, system, "argument(trigger=type)")["all"] == (4, 3, 3)


def test_events_that_share_a_trigger_are_matched_as_well_as_can_be() -> None:
    one, two = [("Agent", 0), ("Place", 3)], [("Agent", 1)]
    gold = side(Thing("Make", one, BUILT), Thing("Make", two, BUILT))
    system = side(
        Thing("Make", [("Agent", 1), ("Agent", 0)], BUILT),
        Thing("Make", [("Agent", 0), ("Place", 3)], BUILT),
    )
    # The second is all of one; the first then has the other one's Agent.
    assert counts(gold, system, "argument")["all"] == (3, 4, 3)
    # By type alone the events are one, and what they share counts once.
    assert counts(gold, system, "argument(trigger=type)")["all"] == (3, 3, 3)
    each = "argument(trigger=type,duplicates=multiset)"
    assert counts(gold, system, each)["all"] == (3, 4, 3)


@pytest.mark.parametrize("metric", BOTH)
def test_an_argument_said_twice(metric: str) -> None:
    twice = side(Thing("Make", [("Agent", 0), ("Agent", 0)], BUILT))
    once = side(Thing("Make", [("Agent", 0)], BUILT))
    assert counts(twice, once, metric)["all"] == (1, 1, 1)
    each = f"{metric.rstrip(')')}{',' if '(' in metric else '('}duplicates=multiset)"
    assert counts(twice, once, each)["all"] == (2, 1, 1)
    # One mention in two roles is found once, and classified twice.
    roles = side(Thing("Make", [("Agent", 0), ("Place", 0)], BUILT))
    found = counts(roles, once, metric)
    assert found["identification"] == (1, 1, 1)
    assert found["classification"] == (2, 1, 1)


@pytest.mark.parametrize("metric", BOTH)
def test_events_as_arguments_are_known_by_trigger_and_type(metric: str) -> None:
    def nested(label: str, place: tuple[int, int]) -> Graph:
        inner = Thing(label, [], place)
        return side(inner, Thing("Cause", [("What", len(MENTIONS))], span("for")))

    gold = nested("Make", BUILT)
    assert counts(gold, nested("Make", BUILT), metric)["all"] == (1, 1, 1)
    assert counts(gold, nested("Use", BUILT), metric)["all"] == (1, 1, 0)
    assert counts(gold, nested("Make", ENGINES), metric)["all"] == (1, 1, 0)
    # A mention at the same place is no event.
    build = LayoutBuilder()
    mention = build.mention("Make", [Anchor(*BUILT)])
    build.trigger("Cause", [Anchor(*span("for"))], [Argument("What", mention)])
    flat = build.graph("1", "event", text=TEXT)
    assert counts(gold, flat, metric)["all"] == (1, 1, 0)


def one(word: str, *, head: str | None = None, text: str | None = None) -> Graph:
    build = LayoutBuilder()
    more = () if head is None else (("head", head),)
    anchors = [Anchor(*span(word))] if text is None else []
    mention = build.mention("PER", anchors, more, text=text)
    build.trigger("Make", [Anchor(*BUILT)], [Argument("Agent", mention)])
    return build.graph("1", "event", text=TEXT)


@pytest.mark.parametrize("trigger", ["span", "type"])
@pytest.mark.parametrize(
    ("how", "gold", "system", "matched"),
    [
        ("head", one("Ada Lovelace", head="Lovelace"), one("Lovelace"), 1),
        ("head", one("Ada Lovelace", head="Lovelace"), one("Ada"), 0),
        ("exact", one("Ada Lovelace", head="Lovelace"), one("Lovelace"), 0),
        ("overlap", one("Ada Lovelace"), one("Lovelace"), 1),
        ("overlap", one("Ada Lovelace"), one("Ada"), 0),
        ("text", one("Ada Lovelace"), one("", text="ADA LOVELACE"), 1),
        ("exact", one("Ada Lovelace"), one("", text="Ada Lovelace"), 0),
    ],
)
def test_mentions(
    trigger: str, how: str, gold: Graph, system: Graph, matched: int
) -> None:
    metric = f"argument(trigger={trigger},mentions={how})"
    assert counts(gold, system, metric)["all"] == (1, 1, matched)


# Rows.


def test_errors_are_below_their_event() -> None:
    build = Thing("Make", [("Agent", 0), ("Place", 1)], BUILT)
    system = side(build, Thing("Use", [("User", 2)], span("for")))
    found = outcome(GOLD, system, "argument")
    assert [(m.object, m.gold, m.system, m.parent, m.level) for m in found.matches] == [
        ("node", 4, 4, None, 0),
        ("edge", 0, 0, 0, 1),
        ("node", 5, None, None, 0),
        ("node", None, 5, None, 0),
    ]
    rows = [
        (error.error_type, error.label, error.value, error.parent)
        for error in found.errors
        if error.tuple_type == "classification"
    ]
    assert rows == [
        ("partial", "Make", "Make “built”", None),
        ("missing", "Agent", "Agent", 0),
        ("missing", "Place", "Place: LOC “London”", 0),
        ("missing", "Use", "Use “engines”", 2),
        ("missing", "User", "User: ORG “IBM”", 2),
        ("spurious", "Place", "Place", 0),
        ("spurious", "Use", "Use “for”", 3),
        ("spurious", "User", "User: ORG “IBM”", 3),
    ]


def test_errors_by_type_alone_say_what_differs() -> None:
    system = side(Thing("Break", [("Agent", 0)], BUILT))
    gold = side(Thing("Make", [("Agent", 0)], BUILT))
    found = outcome(gold, system, "argument(trigger=type)").errors
    rows = [
        (e.error_type, e.value, e.reason)
        for e in found
        if e.tuple_type == "classification"
    ]
    assert rows == [("missing", "Make", "differs"), ("spurious", "Break", "differs")]


# Oracles.


def flat(given: Side) -> list[Any]:
    """Every argument as (type of its event, filler, role)."""
    return [
        (thing.label, given.filler(filler, False), role)
        for thing in given.things
        for role, filler in thing.arguments
    ]


@given(sides(events=True), sides(events=True))
def test_by_type_sets_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    metric = "argument(trigger=type)"
    found = counts(gold.graph("event"), system.graph("event"), metric)
    one, two = set(flat(gold)), set(flat(system))
    assert found["classification"] == (len(one), len(two), len(one & two))
    here, there = {each[:2] for each in one}, {each[:2] for each in two}
    assert found["identification"] == (len(here), len(there), len(here & there))


@given(sides(events=True), sides(events=True))
def test_by_type_bags_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    metric = "argument(trigger=type,duplicates=multiset)"
    found = counts(gold.graph("event"), system.graph("event"), metric)
    one, two = Counter(flat(gold)), Counter(flat(system))
    assert found["classification"] == (one.total(), two.total(), (one & two).total())


def events(given: Side, roles: bool) -> list[Any]:
    """Distinct events as (trigger, type, set of arguments)."""
    found = {
        (
            thing.trigger,
            thing.label,
            frozenset(
                (given.filler(filler, False), role if roles else None)
                for role, filler in thing.arguments
            ),
        )
        for thing in given.things
    }
    return sorted(found, key=repr)


@given(sides(events=True), sides(events=True))
def test_by_span_is_the_best_of_all_matchings(gold: Side, system: Side) -> None:
    def worth(one: Any, two: Any) -> int:
        return len(one[2] & two[2]) if one[:2] == two[:2] else 0

    found = counts(gold.graph("event"), system.graph("event"), "argument")
    for tuple_type, roles in (("identification", False), ("classification", True)):
        one, two = events(gold, roles), events(system, roles)
        sizes = (sum(len(each[2]) for each in side) for side in (one, two))
        assert found[tuple_type] == (*sizes, best(one, two, worth))


# Hostile graphs.


@pytest.mark.parametrize("metric", BOTH)
def test_edges_that_leave_no_event_are_no_arguments(metric: str) -> None:
    build = LayoutBuilder()
    mention = build.mention("PER", [Anchor(0, 3)])
    build.entity([mention])
    build.relation("r", [Argument("x", mention)])
    graph = build.graph("1", "event", text=TEXT)
    assert counts(graph, graph, metric)["all"] == (0, 0, 0)


@pytest.mark.parametrize("metric", BOTH)
def test_arguments_of_no_kind_and_without_words(metric: str) -> None:
    nodes = (Node(0), Node(1, "a", (("kind", "trigger"),)))
    graph = Graph("1", "event", nodes=nodes, edges=(Edge(1, 0), Edge(1, 1, "self")))
    assert counts(graph, graph, metric)["all"] == (2, 2, 2)


# Differences that the page names.


def test_one_gold_argument_is_found_once() -> None:
    # DyGIE++ and OneIE count both predictions as found, for one gold argument.
    gold = side(Thing("Make", [("Agent", 0)], BUILT))
    system = side(Thing("Make", [("Agent", 0), ("Place", 0)], BUILT))
    metric = "argument(trigger=type,duplicates=multiset)"
    assert counts(gold, system, metric)["identification"] == (1, 2, 1)
    assert counts(gold, system, "argument(trigger=type)")["identification"] == (1, 1, 1)


def test_a_mention_may_have_several_roles_in_an_event() -> None:
    # DyGIE++ keeps the last role of a span at a trigger.
    gold = side(Thing("Make", [("Agent", 0), ("Place", 0)], BUILT))
    for metric in BOTH:
        assert counts(gold, gold, metric)["classification"] == (2, 2, 2)
