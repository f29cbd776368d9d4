"""Agreement of annotators: by score in both directions, and by the definition."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from msgspec.structs import replace

import graphscore
from graphscore import Edge, Graph, Node
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.store import Store
from graphscore.exceptions import PairingError, UsageError
from graphscore.statistics.sampling import resamples

LABELS = {
    "ann": {"1": "a b c", "2": "a b", "3": "d", "4": "e f"},
    "ben": {"1": "a b x", "2": "a b", "3": "d", "5": "g h"},
    "eve": {"1": "a y x", "2": "z", "4": "e f g", "5": "g"},
}


def graph(item: str, labels: str) -> Graph:
    nodes = tuple(Node(number, label) for number, label in enumerate(labels.split()))
    edges = tuple(Edge(0, node.id, "ARG1") for node in nodes[1:])
    return Graph(item, "amr", 2, nodes=nodes, edges=edges, tops=(0,))


def side(name: str) -> list[Graph]:
    return [graph(*each) for each in LABELS[name].items()]


NAMES = tuple(LABELS)
SIDES = [side(name) for name in NAMES]


def agreed(metric="mrp", **asked):
    asked = {"samples": 40, "seed": 5, "chance": 1000} | asked
    return graphscore.agree(*SIDES, metric=metric, names=NAMES, **asked)


def f1(a: list[Graph], b: list[Graph], metric="mrp") -> float:
    """Both directions, over what both have."""
    shared = {each.id for each in a} & {each.id for each in b}
    a, b = ([each for each in these if each.id in shared] for these in (a, b))
    return (graphscore.score(a, b, metric).f1 + graphscore.score(b, a, metric).f1) / 2


def test_pairs_are_scored_over_what_both_annotated():
    found = agreed()
    assert [(pair.a, pair.b) for pair in found.pairs] == [*combinations(NAMES, 2)]
    expected = [f1(a, b) for a, b in combinations(SIDES, 2)]
    assert [pair.value for pair in found.pairs] == pytest.approx(expected)
    assert [pair[5:] for pair in found.pairs] == [(3, 1, 1), (3, 1, 1), (3, 1, 1)]
    assert found.mean.value == pytest.approx(sum(expected) / 3)
    assert (found.units, found.shared) == (5, 2)
    assert any("3 items not annotated by all" in note for note in found.notes)
    ann_ben, ann_eve, ben_eve = expected
    means = [ann_ben + ann_eve, ann_ben + ben_eve, ann_eve + ben_eve]
    assert [each.value * 2 for each in found.standings] == pytest.approx(means)
    assert found.apart == "eve"
    matrix = found.matrix()
    assert matrix[2][0] == matrix[0][2] == found.pairs[1].value
    assert matrix[1][1] is None


def test_intervals_draw_items_for_all_pairs_at_once():
    found = agreed()
    # Units in the order in which pairs show them.
    units = ["1", "2", "3", "4", "5"]
    drawn = []
    for row in np.concatenate([*resamples(5, 40, 5)]).tolist():
        values = []
        for a, b in combinations(NAMES, 2):
            pairs = [
                (f"{place}", LABELS[a][units[number]], LABELS[b][units[number]])
                for place, number in enumerate(row)
                if units[number] in LABELS[a] and units[number] in LABELS[b]
            ]
            left = [graph(item, labels) for item, labels, _ in pairs]
            right = [graph(item, labels) for item, _, labels in pairs]
            values.append(f1(left, right) if pairs else math.nan)
        drawn.append(values)
    for pair, values in zip(found.pairs, np.array(drawn).T, strict=True):
        low, high = np.nanpercentile(values, [2.5, 97.5])
        assert (pair.low, pair.high) == pytest.approx((low, high))
    low, high = np.nanpercentile(np.nanmean(drawn, axis=1), [2.5, 97.5])
    assert (found.mean.low, found.mean.high) == pytest.approx((low, high))


def test_alpha_is_that_of_the_definition_where_all_pairs_are_scored():
    def apart(a: str, b: str) -> float:
        return 1 - f1([graph("0", a)], [graph("0", b)])

    units = [
        [LABELS[name][item] for name in NAMES if item in LABELS[name]]
        for item in "12345"
    ]
    every = [label for unit in units for label in unit]
    found = sum(
        apart(a, b) / (len(unit) - 1)
        for unit in units
        for a, b in permutations(unit, 2)
    )
    expected = sum(apart(a, b) for a, b in permutations(every, 2))
    alpha = 1 - found / (expected / (len(every) - 1))
    agreement = agreed()
    assert agreement.coefficients["alpha"].value == pytest.approx(alpha)
    assert any("different items" in note and "all" in note for note in agreement.notes)
    assert agreed(chance=0).coefficients == {}


def test_alpha_of_drawn_pairs_is_near_and_the_same_each_time():
    all_of_them = agreed().coefficients["alpha"].value
    drawn = agreed(chance=20)
    assert drawn.coefficients["alpha"].value == pytest.approx(all_of_them, abs=0.1)
    assert drawn.coefficients == agreed(chance=20).coefficients
    assert any("drawn at random (seed 5)" in note for note in drawn.notes)


def test_those_who_always_agree_have_alpha_one():
    same = graphscore.agree(SIDES[0], SIDES[0], metric="mrp", samples=20)
    assert (same.mean.value, same.coefficients["alpha"].value) == (1, 1)
    assert same.apart is None
    assert not any(each.differences for each in same.documents)


def test_documents_say_who_has_what():
    found = agreed()
    worst = found.documents[0]
    assert (worst.item, worst.annotators) == ("2", 3)
    values = [each.value for each in found.documents]
    assert values == sorted(values)
    labels = {
        (each.only, each.against, each.value)
        for each in worst.differences
        if each.tuple_type == "labels"
    }
    assert ("ann", "eve", "b") in labels
    assert not any({"ann", "ben"} == {one, other} for one, other, _ in labels)


def test_differences_of_sentences_stand_with_them():
    def tree(item: str, relation: str) -> Graph:
        words = Node(0, f"he{item}"), Node(1, f"ran{item}")
        edges = (Edge(1, 0, relation),)
        whole = {"document": "d", "tops": (1,)}
        return Graph(item, "ud", nodes=words, edges=edges, **whole)

    ann = [tree("1", "nsubj"), tree("2", "nsubj")]
    ben = [tree("1", "nsubj"), tree("2", "obj")]
    found = graphscore.agree(ann, ben, metric="las", names=["ann", "ben"], samples=20)
    assert (found.unit, found.units) == ("sentence", 2)
    worst, other = found.documents
    assert (worst.item, worst.value, other.differences) == ("2", 0.5, ())
    assert [(each.only, each.label, each.value) for each in worst.differences] == [
        ("ann", "he2", "nsubj"),
        ("ben", "he2", "obj"),
    ]


def test_tuple_types_and_frameworks():
    tuple_types = {each.name: each for each in agreed().tuple_types}
    counts = graphscore.score(SIDES[0][:3], SIDES[1][:3], "mrp").counts
    assert set(tuple_types) == {"tops", "labels", "edges"}
    for tuple_type, each in tuple_types.items():
        assert each.pairs[0].value == pytest.approx(counts[tuple_type].f1)
    assert agreed().frameworks == ()


def test_a_score_that_depends_on_gold_is_the_mean_of_both_directions():
    found = agreed(score="all.recall", chance=0)
    assert not found.symmetric
    assert agreed(chance=0).symmetric
    assert any("means of both directions" in note for note in found.notes)
    alone = graphscore.agree(
        SIDES[0][:2], SIDES[2][:2], metric="mrp", score="all.recall", samples=20
    )
    both = [
        graphscore.score(SIDES[a][:2], SIDES[b][:2], "mrp").recall
        for a, b in ((0, 2), (2, 0))
    ]
    assert both[0] != both[1]
    assert alone.mean.value == pytest.approx(sum(both) / 2)


def test_a_mean_over_frameworks_is_that_of_score():
    a, b = (
        [*these, *(replace(each, framework="eds", flavor=1) for each in these[:2])]
        for these in (SIDES[0][:3], SIDES[2][:2] + SIDES[1][2:3])
    )
    found = graphscore.agree(a, b, metric="mrp", score="macro", samples=20)
    both = [score_getter("macro")(graphscore.score(*way, "mrp"))
            for way in ((a, b), (b, a))]  # fmt: skip
    assert found.mean.value == pytest.approx(sum(both) / 2)
    assert found.mean.value != pytest.approx(f1(a, b))


def test_two_that_share_nothing_have_no_value_where_others_do():
    alone = [graph("9", "a"), graph("5", "g h")]
    found = graphscore.agree(SIDES[0], SIDES[1], alone, metric="mrp", samples=20)
    assert found.pairs[1].value is None
    assert found.pairs[2].value == 1
    assert found.mean.value == pytest.approx((f1(SIDES[0], SIDES[1]) + 1) / 2)


def test_wrong_use_is_refused():
    with pytest.raises(UsageError, match="give two or more annotators"):
        graphscore.agree(SIDES[0])
    with pytest.raises(UsageError, match="annotator 2 is 5: expected a file or graphs"):
        graphscore.agree(SIDES[0], 5)
    with pytest.raises(UsageError, match="3 names of 2 annotators"):
        graphscore.agree(*SIDES[:2], names=NAMES)
    with pytest.raises(UsageError, match="has no score 'nothing'"):
        agreed(score="nothing")
    with pytest.raises(UsageError, match="chance -1: expected a number from 0"):
        agreed(chance=-1)
    with pytest.raises(PairingError):
        graphscore.agree(SIDES[0][:1], SIDES[1][1:2], metric="mrp")
    with Store("sqlite://", mode="create") as runs:
        runs.add(SIDES[0], "ann")
        with pytest.raises(UsageError, match="ann is named twice"):
            graphscore.agree(runs, "ann", "ann")


def test_a_notebook_shows_it():
    shown = agreed(chance=0)._repr_html_()
    assert shown.count("<table>") == 4
