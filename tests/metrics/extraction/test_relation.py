"""Relations: worked examples, an oracle of plain sets, hostile graphs, the page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from graphscore.correspondence import Budget
from graphscore.metrics.extraction.relation import Relation
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.metrics.extraction.extractions import (
    SPANS,
    TEXT,
    Side,
    Thing,
    best,
    sides,
    span,
)
from tests.metrics.meaning.pieces import counts, outcome

ADA, CHARLES = ("PER", span("Ada Lovelace")), ("PER", span("Charles Babbage"))
IBM, LONDON = ("ORG", span("IBM")), ("LOC", span("London"))


def side(*things: Thing, mentions: Any = (ADA, CHARLES, IBM, LONDON)) -> Graph:
    return Side(mentions, things).graph("relation")


def between(label: str | None, one: int, two: int) -> Thing:
    return Thing(label, [("Arg1", one), ("Arg2", two)])


GOLD = side(between("works-for", 0, 2), between("works-for", 1, 2), between("in", 2, 3))


# Worked examples.


def test_relations_match_where_type_and_both_arguments_do() -> None:
    # One is right, one has the wrong type, one the wrong second argument.
    system = side(
        between("works-for", 0, 2), between("owns", 1, 2), between("in", 2, 0)
    )
    assert counts(GOLD, system, "relation") == {
        "strict": (3, 3, 1),
        "boundary": (3, 3, 1),
        "unlabeled": (3, 3, 2),
        "all": (3, 3, 1),
    }


def test_a_wrong_entity_type_counts_in_strict_only() -> None:
    mentions = (ADA, CHARLES, ("LOC", span("IBM")), LONDON)
    system = side(between("works-for", 0, 2), between("in", 2, 3), mentions=mentions)
    found = counts(GOLD, system, "relation")
    assert found["strict"] == (3, 2, 0)
    assert found["boundary"] == (3, 2, 2)


def test_arguments_the_wrong_way_round() -> None:
    system = side(between("works-for", 2, 0), between("in", 3, 2))
    assert counts(GOLD, system, "relation")["boundary"] == (3, 2, 0)
    assert counts(GOLD, system, "relation(roles=none)")["boundary"] == (3, 2, 2)
    assert counts(GOLD, system, "relation(symmetric=in)")["boundary"] == (3, 2, 1)
    both = "relation(symmetric=in|works-for)"
    assert counts(GOLD, system, both)["boundary"] == (3, 2, 2)


def test_roles_of_other_names_are_compared_by_order() -> None:
    system = side(Thing("in", [("Arg-1", 2), ("Arg-2", 3)]))
    assert counts(GOLD, system, "relation")["all"] == (3, 1, 0)
    assert counts(GOLD, system, "relation(roles=order)")["all"] == (3, 1, 1)
    turned = side(Thing("in", [("Arg-2", 3), ("Arg-1", 2)]))
    assert counts(GOLD, turned, "relation(roles=order)")["all"] == (3, 1, 0)
    symmetric = "relation(roles=order,symmetric=in)"
    assert counts(GOLD, turned, symmetric)["all"] == (3, 1, 1)


def test_types_with_and_without_their_second_level() -> None:
    gold, system = side(between("ART:User", 0, 2)), side(between("ART:Owner", 0, 2))
    assert counts(gold, system, "relation")["all"] == (1, 1, 0)
    assert counts(gold, system, "relation(types=coarse)")["all"] == (1, 1, 1)


def test_a_subtype_counts_where_it_is_asked_for() -> None:
    def one(subtype: str) -> Graph:
        build = LayoutBuilder()
        ada = build.mention("PER", [Anchor(0, 3)])
        build.relation("ART", [Argument("Arg1", ada)], (("subtype", subtype),))
        return build.graph("1", "relation", text=TEXT)

    assert counts(one("User"), one("Owner"), "relation")["all"] == (1, 1, 1)
    assert counts(one("User"), one("Owner"), "relation(types=full)")["all"] == (1, 1, 0)
    assert counts(one("User"), one("User"), "relation(types=full)")["all"] == (1, 1, 1)


def test_overlapping_mentions() -> None:
    # Ada Lovelace has 12 characters; Lovelace 8 of them, Ada 3.
    for word, exact, half, any_ in (("Lovelace", 0, 1, 1), ("Ada", 0, 0, 1)):
        mentions = (("PER", span(word)), CHARLES, IBM, LONDON)
        system = side(between("works-for", 0, 2), mentions=mentions)
        found = [
            counts(GOLD, system, f"relation({each})")["strict"][2]
            for each in ("", "mentions=overlap", "mentions=overlap,overlap=0.2")
        ]
        assert found == [exact, half, any_]


def test_three_arguments_all_right_or_in_part() -> None:
    gold = side(Thing("deal", [("Buyer", 0), ("Seller", 1), ("Place", 3)]))
    system = side(Thing("deal", [("Buyer", 0), ("Seller", 1), ("Place", 2)]))
    assert counts(gold, system, "relation")["all"] == (1, 1, 0)
    # F of two shared arguments of three and three.
    found = counts(gold, system, "relation(credit=partial)")["all"]
    assert found == (1, 1, pytest.approx(2 / 3))
    assert counts(gold, gold, "relation(credit=partial)")["all"] == (1, 1, 1)


def test_equal_relations_count_once_or_each() -> None:
    gold = side(between("in", 2, 3), between("in", 2, 3))
    system = side(*[between("in", 2, 3)] * 3)
    assert counts(gold, system, "relation")["all"] == (1, 1, 1)
    assert counts(gold, system, "relation(duplicates=multiset)")["all"] == (2, 3, 2)


def test_accuracy_over_given_candidates() -> None:
    gold = side(between("works-for", 0, 2), between("none", 1, 2), between("in", 2, 3))
    system = side(
        between("works-for", 0, 2), between("none", 1, 2), between("none", 2, 3)
    )
    metric = parse("relation(none_label=none)")
    found = outcome(gold, system, metric)
    assert found.raw_counts["boundary", "", "candidates"] == 3
    assert found.raw_counts["boundary", "", "correct"] == 2
    scores = metric.scores(found.raw_counts)
    assert scores.numbers == {"accuracy": 2 / 3}
    # F leaves the candidates without a relation out.
    assert scores.counts["strict"][:3] == (2, 1, 1)
    assert parse("relation").scores({}).numbers == {}


def test_a_candidate_that_nothing_is_said_of_is_wrong() -> None:
    gold = side(between("none", 0, 2), between("in", 2, 3))
    metric = parse("relation(none_label=none)")
    found = outcome(gold, side(between("in", 2, 3)), metric)
    assert metric.scores(found.raw_counts).numbers == {"accuracy": 0.5}
    nothing = outcome(gold, None, metric)
    assert metric.scores(nothing.raw_counts).numbers == {"accuracy": 0.0}
    assert metric.scores({}).numbers == {"accuracy": 0.0}


def test_mentions_that_are_strings() -> None:
    def one(*texts: str) -> Graph:
        build = LayoutBuilder()
        ids = [build.mention("PER", text=text) for text in texts]
        build.relation("knows", [Argument(None, each) for each in ids])
        return build.graph("1", "relation")

    same, other = one("Ada Lovelace", "Babbage"), one("ada  lovelace", "Babbage")
    for mentions in ("exact", "overlap", "head", "text"):
        metric = f"relation(mentions={mentions})"
        assert counts(same, same, metric)["all"] == (1, 1, 1), metric
        wanted = int(mentions == "text")
        assert counts(same, other, metric)["all"] == (1, 1, wanted), metric
        assert counts(same, one("Ada", "x"), metric)["all"] == (1, 1, 0), metric
    # A string and the characters that say it are only the same as text.
    gold = side(between("knows", 0, 1), mentions=(ADA, CHARLES))
    system = one("Ada Lovelace", "Charles Babbage")
    text = "relation(mentions=text,roles=order)"
    assert counts(gold, system, text)["all"] == (1, 1, 1)
    assert counts(gold, system, "relation(roles=order)")["all"] == (1, 1, 0)


def test_heads() -> None:
    def one(where: str, head: str | None) -> Graph:
        build = LayoutBuilder()
        more = () if head is None else (("head", head),)
        build.relation(
            "r", [Argument("x", build.mention("PER", [Anchor(*span(where))], more))]
        )
        return build.graph("1", "relation", text=TEXT)

    gold = one("Ada Lovelace", "Lovelace")
    for system, wanted in (
        (one("Lovelace and Charles", "Lovelace"), 1),
        (one("Lovelace", None), 1),
        (one("Ada Lovelace", None), 0),
        (one("Ada Lovelace", "Ada"), 0),
        (one("Ada Lovelace", " "), 0),
    ):
        assert counts(gold, system, "relation(mentions=head)")["all"] == (1, 1, wanted)
    # A head that is not in the text is a word.
    strange = one("Ada Lovelace", "Byron"), one("Charles", "BYRON")
    assert counts(*strange, "relation(mentions=head)")["all"] == (1, 1, 1)


def test_entities_as_arguments() -> None:
    def one(*groups: tuple[str, ...]) -> Graph:
        build = LayoutBuilder()
        arguments = []
        for group in groups:
            ids = [build.mention(None, [Anchor(*span(word))]) for word in group]
            arguments.append(Argument("x", build.entity(ids, "PER")))
        build.relation("r", arguments)
        return build.graph("1", "relation", text=TEXT)

    gold = one(("Ada", "Lovelace"), ("IBM",))
    for metric in ("relation", "relation(mentions=overlap)"):
        assert counts(gold, one(("Lovelace", "Ada"), ("IBM",)), metric)["all"][2] == 1
        assert counts(gold, one(("Ada",), ("IBM",)), metric)["all"][2] == 0
    wider = one(("Ada ", "Lovelace "), ("IBM",))
    assert counts(gold, wider, "relation")["all"][2] == 1
    assert counts(gold, wider, "relation(spans=offsets)")["all"][2] == 0
    assert counts(gold, wider, "relation(mentions=overlap)")["all"][2] == 1
    assert counts(gold, wider, "relation(mentions=overlap,overlap=0.9)")["all"][2] == 1
    offsets = "relation(mentions=overlap,overlap=0.9,spans=offsets)"
    assert counts(gold, wider, offsets)["all"][2] == 0
    partial = counts(gold, one(("Ada",), ("IBM",)), "relation(credit=partial)")
    assert partial["all"] == (1, 1, 0.5)


def test_a_relation_between_relations() -> None:
    def one(inner: str) -> Graph:
        build = LayoutBuilder()
        ada = build.mention("PER", [Anchor(0, 3)])
        first = build.relation(inner, [Argument("x", ada)])
        build.relation("because", [Argument("y", first)])
        return build.graph("1", "relation", text=TEXT)

    assert counts(one("a"), one("a"), "relation")["all"] == (2, 2, 2)
    assert counts(one("a"), one("b"), "relation")["all"] == (2, 2, 0)


# Rows.


def test_errors_say_the_whole_relation() -> None:
    system = side(between("owns", 1, 2), between("in", 3, 2), between("in", 2, 3))
    found = [
        (
            error.error_type,
            error.label,
            error.value,
            error.reason,
            error.gold,
            error.system,
        )
        for error in outcome(GOLD, system, "relation").errors
        if error.tuple_type == "strict"
    ]
    ada = "works-for(Arg1: PER “Ada Lovelace”, Arg2: ORG “IBM”)"
    turned = "in(Arg1: LOC “London”, Arg2: ORG “IBM”)"
    assert found == [
        ("missing", "works-for", ada, "no counterpart", 4, None),
        ("missing", "works-for", "works-for", "differs", 5, 4),
        ("spurious", "owns", "owns", "differs", 5, 4),
        ("spurious", "in", turned, "no counterpart", None, 5),
    ]


def test_partial_credit_has_its_errors_below() -> None:
    gold = side(Thing("deal", [("Buyer", 0), ("Seller", 1), ("Place", 3)]))
    system = side(Thing("deal", [("Buyer", 0), ("Seller", 1), ("Place", 2)]))
    found = outcome(gold, system, "relation(credit=partial)")
    assert [(each.object, each.level, each.parent) for each in found.matches] == [
        ("node", 0, None),
        ("edge", 1, 0),
        ("edge", 1, 0),
    ]
    rows = [
        (error.error_type, error.value, error.parent)
        for error in found.errors
        if error.tuple_type == "strict"
    ]
    whole = (
        "deal(Buyer: PER “Ada Lovelace”, Seller: PER “Charles Babbage”, "
        "Place: LOC “London”)"
    )
    assert rows == [
        ("partial", whole, None),
        ("missing", "Place: LOC “London”", 0),
        ("spurious", "Place: ORG “IBM”", 0),
    ]


# Oracles.


def described(given: Side, typed: bool, labelled: bool = True) -> list[Any]:
    """Every relation as a tuple, without the library."""
    return [
        (
            thing.label if labelled else None,
            tuple(
                sorted(
                    repr((role, given.filler(filler, typed)))
                    for role, filler in thing.arguments
                )
            ),
        )
        for thing in given.things
    ]


TUPLE_TYPES = {
    "strict": (True, True),
    "boundary": (False, True),
    "unlabeled": (False, False),
}


@given(sides(), sides())
def test_sets_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    found = counts(gold.graph("relation"), system.graph("relation"), "relation")
    for tuple_type, how in TUPLE_TYPES.items():
        one, two = set(described(gold, *how)), set(described(system, *how))
        assert found[tuple_type] == (len(one), len(two), len(one & two))
    assert found["all"] == found["strict"]


@given(sides(), sides())
def test_bags_of_tuples_say_the_same(gold: Side, system: Side) -> None:
    metric = "relation(duplicates=multiset)"
    found = counts(gold.graph("relation"), system.graph("relation"), metric)
    for tuple_type, how in TUPLE_TYPES.items():
        one, two = Counter(described(gold, *how)), Counter(described(system, *how))
        assert found[tuple_type] == (one.total(), two.total(), (one & two).total())


@given(sides(), sides())
def test_partial_credit_is_the_best_of_all_matchings(gold: Side, system: Side) -> None:
    def worth(one: Any, two: Any) -> float:
        shared = (Counter(one[1]) & Counter(two[1])).total()
        both = len(one[1]) + len(two[1])
        return (one[0] == two[0]) * (2 * shared / both if both else 1)

    metric = "relation(credit=partial)"
    found = counts(gold.graph("relation"), system.graph("relation"), metric)
    for tuple_type, how in TUPLE_TYPES.items():
        one, two = set(described(gold, *how)), set(described(system, *how))
        wanted = best(sorted(one, key=repr), sorted(two, key=repr), worth)
        assert found[tuple_type] == (len(one), len(two), pytest.approx(wanted))


def jaccard(one: tuple[int, int], two: tuple[int, int]) -> float:
    here, there = set(range(*one)), set(range(*two))
    return len(here & there) / len(here | there)


@given(sides(), sides())
def test_overlap_is_the_best_of_all_matchings(gold: Side, system: Side) -> None:
    def argument(one: Any, two: Any) -> bool:
        fillers = gold.filler(one[1], True), system.filler(two[1], True)
        overlap = jaccard(fillers[0][1], fillers[1][1])
        return one[0] == two[0] and overlap > 0.3 and fillers[0][2] == fillers[1][2]

    def worth(one: Thing, two: Thing) -> bool:
        matched = best(one.arguments, two.arguments, argument)
        whole = matched == len(one.arguments) == len(two.arguments)
        return whole and one.label == two.label

    metric = "relation(mentions=overlap,overlap=0.3,duplicates=multiset)"
    found = counts(gold.graph("relation"), system.graph("relation"), metric)
    wanted = best(gold.things, system.things, worth)
    assert found["strict"] == (len(gold.things), len(system.things), wanted)


# Hostile graphs.


def test_relations_with_too_few_or_repeated_arguments() -> None:
    alone = side(Thing("r", [("Arg1", 0)]), Thing("r", []))
    twice = side(Thing("r", [("Arg1", 0), ("Arg1", 0)]), Thing("r", []))
    assert counts(alone, alone, "relation")["all"] == (2, 2, 2)
    assert counts(twice, twice, "relation")["all"] == (2, 2, 2)
    assert counts(alone, twice, "relation")["all"] == (2, 2, 1)
    overlap = "relation(mentions=overlap)"
    assert counts(alone, twice, overlap)["all"] == (2, 2, 1)


def test_an_argument_of_no_kind_is_known_by_its_characters() -> None:
    def one(end: int) -> Graph:
        nodes = (
            Node("m", 7, (), (Anchor(0, end),)),
            Node("r", True, (("kind", "relation"),)),
        )
        return Graph("1", "relation", nodes=nodes, edges=(Edge("r", "m", 1),))

    assert counts(one(3), one(3), "relation")["all"] == (1, 1, 1)
    assert counts(one(3), one(4), "relation")["all"] == (1, 1, 0)


def test_a_relation_that_is_its_own_argument() -> None:
    nodes = (Node(0, "r", (("kind", "relation"),)),)
    graph = Graph("1", "relation", nodes=nodes, edges=(Edge(0, 0, "x"),))
    assert counts(graph, graph, "relation")["all"] == (1, 1, 1)
    assert outcome(graph, None, "relation").errors[0].value == "r(x: r)"


def test_several_graphs_are_one_document() -> None:
    metric = Relation()
    views = [metric.prepare(GOLD), metric.prepare(GOLD)]
    found = metric.compare(views, views[:1], budget=Budget())
    assert metric.scores(found.raw_counts).counts["all"][:3] == (6, 3, 3)


# Parameters.


@pytest.mark.parametrize(
    "spelled",
    [
        "relation",
        "relation(symmetric=Compare|PER-SOC)",
        "relation(mentions=overlap,overlap=0.25,none_label=no_relation)",
        "relation(roles=order,types=full,credit=partial,duplicates=multiset)",
    ],
)
def test_the_string_is_the_metric(spelled: str) -> None:
    assert str(parse(spelled)) == spelled
    assert parse(str(parse(spelled))) == parse(spelled)


# Differences that the page names.


def test_a_pair_of_spans_may_have_several_types() -> None:
    # DyGIE++ keeps the last of them.
    gold = side(between("a", 0, 2), between("b", 0, 2))
    assert counts(gold, side(between("a", 0, 2)), "relation")["all"] == (2, 1, 1)


def test_one_gold_relation_is_matched_once() -> None:
    # PURE and OneIE give every copy of a prediction credit for the same gold.
    gold, system = side(between("a", 0, 2)), side(*[between("a", 0, 2)] * 2)
    assert counts(gold, system, "relation(duplicates=multiset)")["all"] == (1, 2, 1)


def test_untyped_mentions_are_of_the_same_type() -> None:
    # PURE counts no strict relation whose mention is in neither list of entities.
    bare = side(between("a", 0, 1), mentions=((None, SPANS[0]), (None, SPANS[3])))
    assert counts(bare, bare, "relation")["strict"] == (1, 1, 1)


def test_roles_count_unless_they_are_told_not_to() -> None:
    # OneIE turns relations round as it likes, unless told that they have a direction.
    gold, system = side(between("a", 0, 2)), side(between("a", 2, 0))
    assert counts(gold, system, "relation")["all"] == (1, 1, 0)
    assert counts(gold, system, "relation(roles=none)")["all"] == (1, 1, 1)
