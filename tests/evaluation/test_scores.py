"""Results: scores over summed raw counts."""

from __future__ import annotations

import json

import pytest

from graphscore.evaluation.api import score
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.exceptions import UsageError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.outcome import Count
from graphscore.model.tuples import TUPLE_TYPES


def graph(
    item: str, *labels: str, framework: str = "eds", document: str = "d"
) -> Graph:
    nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    edges = tuple(Edge(0, k, "E") for k in range(1, len(labels)))
    return Graph(item, framework, document=document, nodes=nodes, edges=edges)


GOLD = [
    graph("1", "a", "b", document="one"),
    graph("2", "c", document="two"),
    graph("1", "a", framework="ucca", document="one"),
]
SYSTEM = [
    graph("1", "a", "x", document="one"),
    graph("2", "c", document="two"),
    graph("1", "a", framework="ucca", document="one"),
]


@pytest.fixture
def result() -> Result:
    return score(GOLD, SYSTEM)


def test_slices_sum_to_the_whole(result: Result) -> None:
    for columns in (
        (),
        ("framework",),
        ("document",),
        ("framework", "language", "document"),
        ("item",),
        ("framework", "item"),
    ):
        total = Count()
        for scores in result.by(*columns).values():
            total = total.plus(scores.counts["all"])
        assert total == result.counts["all"], columns


def test_slices_are_sorted_and_named_by_their_columns(result: Result) -> None:
    assert list(result.by("framework", "document")) == [
        ("eds", "one"),
        ("eds", "two"),
        ("ucca", "one"),
    ]
    assert list(result.by("item")) == [("1",), ("2",)]


def test_an_unknown_column_names_the_known_ones(result: Result) -> None:
    with pytest.raises(UsageError, match="framework, language, document, layer, item"):
        result.by("colour")


def test_items_can_only_be_grouped_where_they_were_kept() -> None:
    [bare] = score_files(GOLD, SYSTEM, [parse("mrp")], Options())
    with pytest.raises(UsageError, match="per-item"):
        bare.by("item")


def test_all_is_the_sum_of_the_tuple_types(result: Result) -> None:
    total = Count()
    for tuple_type in TUPLE_TYPES:
        total = total.plus(result.counts[tuple_type])
    assert total == result.counts["all"]
    assert list(result.counts) == [*TUPLE_TYPES, "all"]


def test_ratios_are_pure_functions_of_the_counts(result: Result) -> None:
    assert result.counts["labels"][:3] == (4, 4, 3)
    assert result.counts["edges"][:3] == (1, 1, 1)
    assert result.precision == result.recall == result.f1 == 4 / 5


def test_the_macro_mean_leaves_out_what_does_not_apply(result: Result) -> None:
    macro = result.macro
    # ucca has no labels, so only eds takes part.
    assert macro["labels"]["f1"] == 2 / 3
    assert macro["all"]["f1"] == (3 / 4 + 1) / 2
    assert "attributes" not in macro
    assert macro.keys() <= {*TUPLE_TYPES, "all"}


def test_the_dictionary_is_plain_json_and_complete(result: Result) -> None:
    found = json.loads(json.dumps(result.to_dict(per_item=True)))
    assert found.keys() >= {
        "metric",
        "signature",
        "main",
        "pairs",
        "missing_system",
        "spurious_system",
        "rejected",
        "proven",
        "reused",
        "counts",
        "scores",
        "groups",
        "macro_frameworks",
        "macro_classes",
        "items",
    }
    assert [group["framework"] for group in found["groups"]] == ["eds", "ucca"]
    assert [item["item"] for item in found["items"]] == ["1", "2", "1"]
    assert found["items"][0]["proven"] is True
    assert "items" not in result.to_dict()


def test_the_correspondence_of_an_item_can_be_asked_for(result: Result) -> None:
    matches = result.correspondence("2")
    assert [(m.object, m.gold, m.system, m.credit) for m in matches] == [
        ("node", 0, 0, 1.0)
    ]
    with pytest.raises(UsageError, match="several frameworks: eds, ucca"):
        result.correspondence("1")
    assert result.correspondence("1", "ucca")
    with pytest.raises(UsageError, match="no item '9'"):
        result.correspondence("9")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("", 4 / 5),
        ("precision", 4 / 5),
        ("labels", 3 / 4),
        ("labels.recall", 3 / 4),
        ("all.f1", 4 / 5),
        ("nodes.f1", 3 / 4),
        ("edges.f1", 1.0),
    ],
)
def test_every_score_is_found_by_its_name(
    result: Result, name: str, value: float
) -> None:
    assert score_getter(name)(result) == value


@pytest.mark.parametrize("name", ["nope", "labels.nope", "labels.gold", "."])
def test_an_unknown_score_names_the_known_ones(result: Result, name: str) -> None:
    with pytest.raises(UsageError, match="it has: tops, labels"):
        score_getter(name)(result)


def test_a_result_shows_itself(result: Result) -> None:
    assert repr(result) == "<Result mrp: F1 0.8000 over 3 pairs, 3 proven>"


def test_two_numerators_stay_apart() -> None:
    count = Count(4, 2, 3, 1).plus(Count(1, 1, 1))
    assert (count.recall, count.precision) == (4 / 5, 2 / 3)
    assert count.to_dict()["matched_system"] == 2
    assert Count(0, 0, 0, 0).f1 == 0.0
