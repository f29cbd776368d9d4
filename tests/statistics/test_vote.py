"""A majority vote on spans, against counting by hand."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

import graphscore
from graphscore import Anchor, Edge, Graph, Node
from graphscore.errors import InputError, UsageError
from graphscore.evaluation.stored import Store
from graphscore.statistics.agreement.vote import voted

TEXT = "Jenny Lee left the Bank of Rome"


def graph(*spans, item="1", text=TEXT, **more):
    """An item; a span is a label, its characters, and maybe its kind."""
    nodes = []
    for number, (label, places, *kind) in enumerate(spans):
        places = [places] if isinstance(places[0], int) else places
        properties = (("kind", kind[0] if kind else "mention"), *kind[1:])
        anchors = tuple(Anchor(*place) for place in places)
        nodes.append(Node(number, label, properties, anchors))
    return Graph(item, "ner", 1, text=text, nodes=tuple(nodes), **more)


def spans(graph):
    return [(node.label, node.anchors) for node in graph.nodes]


def elected(*graphs):
    """The spans that annotators of one item vote for, and what is tied."""
    found = voted({f"ann{n}": [each] for n, each in enumerate(graphs)})
    ties = [
        {(each.label, *each.anchors[0]): each.annotators for each in tie.spans}
        for tie in found.ties
    ]
    return [(label, *anchors[0]) for label, anchors in spans(found.graphs[0])], ties


PER, LOC, ORG = ("PER", (0, 9)), ("LOC", (27, 31)), ("ORG", (19, 31))


def test_more_than_half_are_a_majority():
    assert elected(graph(PER), graph(PER), graph()) == ([("PER", 0, 9)], [])
    assert elected(graph(PER), graph(), graph()) == ([], [])
    three_of_five = [graph(PER)] * 3 + [graph(("PER", (0, 5)))] * 2
    assert elected(*three_of_five) == ([("PER", 0, 9)], [])


def test_half_are_a_tie_and_left_out():
    two = ("ann0", "ann1")
    assert elected(graph(PER), graph(PER), graph(), graph()) == (
        [],
        [{("PER", 0, 9): two}],
    )


def test_labels_and_boundaries_without_a_majority_are_a_tie():
    labels = [graph((label, (27, 31))) for label in ("LOC", "ORG", "PER")]
    expected = {(label, 27, 31): (f"ann{n}",) for n, label in enumerate(
        ("LOC", "ORG", "PER"))}  # fmt: skip
    assert elected(*labels) == ([], [expected])
    # Two of three see something here, not where it ends: neither is right for most.
    bounds = [graph(("PER", (0, 5))), graph(PER), graph(LOC)]
    expected = {("PER", 0, 9): ("ann1",), ("PER", 0, 5): ("ann0",)}
    assert elected(*bounds) == ([], [expected])


def test_nested_spans_are_voted_on_each_for_itself():
    sides = graph(ORG, LOC), graph(ORG, LOC), graph(ORG)
    assert elected(*sides) == ([("ORG", 19, 31), ("LOC", 27, 31)], [])
    sides = graph(ORG, LOC), graph(ORG, ("PER", (27, 31))), graph(ORG)
    _, [tie] = elected(*sides)
    assert set(tie) == {("LOC", 27, 31), ("PER", 27, 31)}


def test_parts_and_copies_are_their_own_spans():
    split = ("PER", [(0, 5), (10, 14)])
    found = voted({n: [graph(split, PER, PER)] for n in "ab"} | {"c": [graph(PER)]})
    assert sorted(spans(found.graphs[0])) == [
        ("PER", (Anchor(0, 5), Anchor(10, 14))),
        ("PER", (Anchor(0, 9),)),
        ("PER", (Anchor(0, 9),)),
    ]
    twice = voted({"a": [graph(PER, PER)], "b": [graph(PER)], "c": [graph(PER)]})
    assert twice.spans == 1


def test_triggers_are_spans_too_and_kinds_are_apart():
    kinds = [graph(("Leave", (10, 14), "trigger"))] * 2
    found = voted({"a": kinds[:1], "b": kinds[1:], "c": [graph(("Leave", (10, 14)))]})
    assert [node.properties for node in found.graphs[0].nodes] == [
        (("kind", "trigger"),)
    ]


def test_properties_are_those_of_most_and_first():
    def entry(name):
        return graph(("LOC", (27, 31), "mention", ("authority", name)))

    def of(*names):
        found = voted({f"{n}": [entry(name)] for n, name in enumerate(names)})
        return found.graphs[0].nodes[0].properties[1][1]

    assert of("Q1", "Q2", "Q2") == "Q2"
    assert of("Q1", "Q2", "Q3") == "Q1"


def test_items_go_by_those_who_annotated_them():
    found = voted(
        {
            "a": [graph(PER, item="1"), graph(LOC, item="3")],
            "b": [graph(PER, item="1"), graph(LOC, item="2"), graph(LOC, item="3")],
            "c": [graph(item="1"), graph(item="3"), graph(PER, item="4")],
        }
    )
    assert [each.id for each in found.graphs] == ["1", "2", "3", "4"]
    assert [len(each.nodes) for each in found.graphs] == [1, 1, 1, 1]
    assert (found.items, found.alone, found.spans, found.ties) == (4, 2, 4, ())
    of_two = voted({"a": [graph(PER)], "b": [graph()], "c": [graph(item="2")]})
    assert of_two.ties[0].annotators == 2


def test_random_annotators_against_counting():
    draw = random.Random(3)
    places = [*combinations(range(0, 10, 2), 2)]
    for _ in range(200):
        sides = {
            f"ann{n}": [
                graph(
                    *{(draw.choice("AB"), draw.choice(places)) for _ in range(3)},
                    text="0123456789",
                )
            ]
            for n in range(draw.randint(3, 6))
        }
        found = voted(sides)
        counts = Counter(
            each for graphs in sides.values() for each in set(spans(graphs[0]))
        )
        taken = {each for each, often in counts.items() if often > len(sides) / 2}
        assert set(spans(found.graphs[0])) == taken
        together = [set(spans(graphs[0])) for graphs in sides.values()]
        assert all(
            any({a, b} <= each for each in together) for a, b in combinations(taken, 2)
        )
        left = set(counts) - taken
        tied = {
            (label, anchors)
            for label, anchors in left
            if 2 * sum(
                any(
                    other in left
                    and other[1][0].start < anchors[0].end
                    and anchors[0].start < other[1][0].end
                    for other in each
                )
                for each in together
            ) >= len(sides)
        }  # fmt: skip
        listed = [
            (each.label, each.anchors) for tie in found.ties for each in tie.spans
        ]
        assert sorted(listed) == sorted(tied)
        for one, two in combinations(found.ties, 2):
            assert one.end <= two.start or two.end <= one.start
        for tie in found.ties:
            for each in tie.spans:
                there = {
                    name
                    for name, graphs in sides.items()
                    if (each.label, each.anchors) in spans(graphs[0])
                }
                assert set(each.annotators) == there


def test_layers_that_share_spans_are_counted_once():
    def layers(*of):
        base = graph(*of)
        return [base, Graph("1", "event", 1, text=TEXT, nodes=base.nodes)]

    found = voted({"a": layers(PER, LOC), "b": layers(PER, ORG), "c": layers(PER)})
    assert [each.framework for each in found.graphs] == ["ner", "event"]
    assert (found.items, found.spans, len(found.ties)) == (1, 1, 1)


def test_letters_of_iob1_follow_what_stands_before():
    tokens = tuple(Anchor(*each) for each in ((0, 5), (6, 9), (10, 14)))

    def side(*of):
        return graph(
            *(
                ("PER", place, "mention", ("tags", letters))
                for place, letters in of
            ),
            tokens=tokens,
            text="Jenny Lee left",
        )  # fmt: skip

    # Only one has them side by side; the others need no B.
    sides = side(((0, 5), "I"), ((6, 9), "B")), side(((0, 5), "I")), side(((6, 9), "I"))
    found = voted({f"{n}": [each] for n, each in enumerate(sides)})
    assert [dict(node.properties)["tags"] for node in found.graphs[0].nodes] == [
        "I",
        "B",
    ]


def test_other_words_are_refused_by_item():
    with pytest.raises(InputError, match="item 1") as caught:
        graphscore.vote([graph()], [graph()], [graph(text="Another")], names="abc")
    assert "c: item 1: found another text, expected the text of a" in str(caught.value)
    other = graph(tokens=(Anchor(0, 5),))
    with pytest.raises(InputError, match="other tokens"):
        graphscore.vote([graph()], [other], [graph()])


def test_what_has_more_than_spans_is_refused():
    edges = Graph(
        "7", "amr", nodes=(Node(0, "a"), Node(1, "b")), edges=(Edge(0, 1, ""),)
    )
    with pytest.raises(UsageError, match=r"spans alone.*'7' of annotator 1.*'amr'"):
        graphscore.vote([edges], [edges], [edges])
    with pytest.raises(UsageError, match="a vote of 2: expected 3 annotators"):
        graphscore.vote([graph()], [graph()])


def test_a_store_and_a_notebook():
    with Store("sqlite://", mode="create") as runs:
        for name, label in zip("abc", ("LOC", "ORG", "PER"), strict=True):
            runs.add([graph((label, (27, 31)))], name)
        found = graphscore.vote(runs, *"abc")
    assert found.annotators == ("a", "b", "c")
    [tie] = found.to_dict()["ties"]
    assert (tie["item"], tie["text"], tie["annotators"]) == ("1", "Rome", 3)
    assert [each["annotators"] for each in tie["spans"]] == [["a"], ["b"], ["c"]]
    assert tie["spans"][0]["anchors"] == [[27, 31]]
    assert "1 of 3" in found._repr_html_()
