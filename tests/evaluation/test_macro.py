"""Means over frameworks, documents and items."""

from __future__ import annotations

import math
from copy import copy

import pytest

from graphscore import Anchor, Edge, Graph, Node, score
from graphscore.evaluation.macro import (
    macro_numbers,
    macro_value,
    score_getter,
    score_in,
)
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.scores import flat_columns, flat_rows
from graphscore.evaluation.rows.thresholds import Threshold, failures
from graphscore.exceptions import UsageError
from graphscore.metrics.base import lowest_best, main_score
from graphscore.report.ranking import rankings_of
from graphscore.report.tables import comparison, group_table, tuple_type_table

REGION = (("kind", "entity"),)


def graph(item: str, document: str, *labels: str, framework: str = "eds") -> Graph:
    nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    edges = tuple(Edge(0, k, "E") for k in range(1, len(labels)))
    return Graph(item, framework, document=document, nodes=nodes, edges=edges)


GOLD = [
    graph("1", "one", "a", "b"),
    graph("2", "one", "c"),
    graph("3", "two", "d"),
    graph("3", "two", "d", "e", framework="amr"),
]
SYSTEM = [
    graph("1", "one", "a", "x"),
    graph("2", "one", "c", "c"),
    graph("3", "two", "d"),
    graph("3", "two", "x", "e", framework="amr"),
]


@pytest.fixture
def result() -> Result:
    found = score(GOLD, SYSTEM)
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    "columns",
    [(), ("framework",), ("document",), ("item",), ("framework", "document"),
     ("language",), ("item", "framework")],
)  # fmt: skip
def test_means_are_those_of_the_slices(
    result: Result, columns: tuple[str, ...]
) -> None:
    slices = result.by(*(columns or ("framework",))).values()
    macro = result.macro_over(*columns)
    for tuple_type, mean in macro.items():
        counts = [each.counts[tuple_type] for each in slices]
        counts = [each for each in counts if each.gold or each.system]
        for ratio, value in mean.items():
            expected = [getattr(each, ratio) for each in counts]
            assert value == pytest.approx(sum(expected) / len(expected))
    assert "anchors" not in macro
    assert result.macro == result.macro_over("framework")


def test_the_mean_of_f1_is_not_the_f1_of_the_means(result: Result) -> None:
    labels = result.macro_over("item")["labels"]
    of_means = 2 * labels["precision"] * labels["recall"]
    of_means /= labels["precision"] + labels["recall"]
    assert labels["f1"] == pytest.approx((1 / 2 + 2 / 3 + 2 / 3) / 3)
    assert labels["f1"] != pytest.approx(of_means)


def test_units_without_a_tuple_type_have_no_part_in_its_mean(result: Result) -> None:
    # Of the documents both have edges, of eds and its documents only the first.
    assert result.macro_over("framework", "document")["edges"]["f1"] == pytest.approx(
        (2 / 3 + 1) / 2
    )


@pytest.mark.parametrize("by", [("framework",), ("document",), ("item",)])
def test_scores_are_named_as_without_macro(result: Result, by: tuple[str, ...]) -> None:
    macro, slices = result.macro_over(*by), result.slices(by)
    assert score_in(result, "macro", by) == macro["all"]["f1"]
    assert score_in(result, "macro.recall", by) == macro["all"]["recall"]
    assert score_in(result, "macro.edges", by) == macro["edges"]["f1"]
    assert (
        score_in(result, "macro.labels.precision", by) == (macro["labels"]["precision"])
    )
    numbers = macro_numbers(result.metric, slices)
    assert numbers.keys() == {
        f"{group}.{ratio}"
        for group in ("nodes", "edges")
        for ratio in ("precision", "recall", "f1")
    }
    nodes = [each.numbers["nodes.f1"] for _, each in slices]
    assert numbers["nodes.f1"] == pytest.approx(sum(nodes) / len(nodes))
    assert score_in(result, "macro.nodes.f1", by) == numbers["nodes.f1"]
    assert score_in(result, "macro.edges.f1", by) == numbers["edges.f1"]
    assert macro_value(result.metric, slices) == macro["all"]["f1"]


@pytest.mark.parametrize(
    "name", ["macro.colour", "macro.edges.colour", "macro.", "macros", "macro.macro"]
)
def test_there_are_no_other_scores(result: Result, name: str) -> None:
    with pytest.raises(UsageError, match=r"no score .*it has: .*macro"):
        score_getter(name)(result)


def test_what_no_unit_has_is_undefined(result: Result) -> None:
    assert math.isnan(score_in(result, "macro.anchors") or 0.0)
    [failure] = failures([result], [Threshold("macro.anchors", 0.1, False)])
    assert "macro.anchors is undefined" in failure


def test_a_metric_s_own_means_come_first() -> None:
    tuple_type = (("kind", "mention"),)
    gold, system = (
        [
            Graph(
                item,
                "ner",
                document=item,
                text="ab",
                nodes=(
                    Node(0, label, tuple_type, (Anchor(0, 1),)),
                    Node(1, "PER", tuple_type, (Anchor(1, 2),)),
                ),
            )
            for item, label in (("1", first), ("2", "PER"), ("3", "PER"))
        ]
        for first in ("LOC", "PER")
    )
    found = score(gold, system, "ner")
    own = found.scores.numbers["macro.strict.f1"]
    assert score_in(found, "macro.strict.f1") == own
    assert score_in(found, "macro.strict") == own
    mean = score_in(found, "macro", ("document",))
    assert mean == pytest.approx((0.5 + 1 + 1) / 3)
    assert mean != own


def trees(item: str, *labels: str) -> Graph:
    nodes = tuple(Node(k, label, REGION) for k, label in enumerate(labels))
    return Graph(item, "etree", document=item, nodes=nodes)


def test_error_rates_have_means_where_they_are_defined() -> None:
    gold = [trees("1", "loc"), trees("2", "loc", "pers"), trees("3")]
    system = [trees("1", "loc"), trees("2", "loc"), trees("3", "loc")]
    found = score(gold, system, "eter")
    rates = [main_score(found.metric, each) for each in found.by("document").values()]
    defined = [each for each in rates if not math.isnan(each)]
    mean = sum(defined) / len(defined)
    assert score_in(found, "macro", ("document",)) == pytest.approx(mean)
    [(_, scores)] = found.slices(("framework",))
    framework = found.to_dict()["macro_frameworks"]["scores"]["eter"]
    assert framework == scores.numbers["eter"]
    assert lowest_best(found.metric, "macro")
    same = score(gold, gold, "eter")
    same.system = "same"
    [ranking] = rankings_of([found, same], ["macro"], ("document",))
    assert ranking.order[0] == "same"


def test_json_has_means_over_frameworks(result: Result) -> None:
    for by in (("framework",), ("document", "tuple_type")):
        found = result.to_dict(by)["macro_frameworks"]
        assert found["counts"] == result.macro
        assert found["scores"].keys() == {
            f"{group}.{ratio}"
            for group in ("nodes", "edges")
            for ratio in ("precision", "recall", "f1")
        }


def test_json_has_means_over_classes_where_a_metric_has_them(result: Result) -> None:
    assert result.to_dict()["macro_classes"] == {}
    found = score([["B-PER", "B-LOC"]], [["B-PER", "O"]], "ner")
    classes = found.to_dict()["macro_classes"]
    assert classes["strict.f1"] == found.scores.numbers["macro.strict.f1"] == 0.5


@pytest.mark.parametrize("by", [("framework",), ("document",), ("item", "framework")])
def test_tables_end_with_the_means(result: Result, by: tuple[str, ...]) -> None:
    table = group_table(result, by)
    assert [row[0] for row in table.rows[-2:]] == ["all", "macro"]
    macro = result.macro_over(*by)
    last = dict(zip([c.name for c in table.columns], table.rows[-1], strict=True))
    assert last["edges"] == macro["edges"]["f1"]
    assert last["all P"] == macro["all"]["precision"]
    assert last["F1"] == macro["all"]["f1"]
    compared = comparison([result], by).rows[0]
    assert compared[-1] == macro["all"]["f1"]


@pytest.mark.parametrize("by", [("document", "tuple_type"), ("tuple_type",)])
def test_tables_of_tuple_types_have_them_by_tuple_type(
    result: Result, by: tuple[str, ...]
) -> None:
    rows = [row for row in tuple_type_table(result, by).rows if "macro" in str(row[0])]
    macro = result.macro_over(*by[:-1])
    tuple_types = [str(row[-7]).removeprefix("macro ") for row in rows]
    assert tuple_types == [*macro, "(nodes)", "(edges)"]
    of = dict(zip(tuple_types, rows, strict=True))
    assert of["edges"][-1] == macro["edges"]["f1"]
    assert of["edges"][-6:-3] == (None, None, None)
    assert of["(nodes)"][-1] == score_in(result, "macro.nodes.f1", by[:-1])


def test_one_unit_needs_no_mean() -> None:
    found = score(GOLD[:1], SYSTEM[:1])
    for table in (
        group_table(found, ("document",)),
        tuple_type_table(found, ("tuple_type",)),
    ):
        assert not [row for row in table.rows if "macro" in str(row[0])]
    assert not [row for row in flat_rows(found, ("document",)) if "macro" in row]


def test_csv_has_them_last_and_without_amounts(result: Result) -> None:
    by = ("document", "framework")
    columns = flat_columns(by)
    rows = [dict(zip(columns, row, strict=True)) for row in flat_rows(result, by)]
    macro = result.macro_over(*by)
    means = [row for row in rows if row["document"] == "macro"]
    assert rows[-len(means) :] == means
    assert {row["tuple_type"]: row["f1"] for row in means} == {
        tuple_type: mean["f1"] for tuple_type, mean in macro.items()
    }
    for row in means:
        assert row["gold_count"] is row["system_count"] is row["matched"] is None
        assert row["value"] == macro["all"]["f1"]
    assert not [row for row in flat_rows(result, by, per_item=True) if "macro" in row]


def test_means_over_frameworks_and_classes_have_names_of_their_own() -> None:
    tags = [["B-A", "O", "B-B", "O"]], [["B-A", "B-A", "O", "O"]]
    ner = score(*tags, "ner")
    assert ner.macro == ner.macro_classes
    assert ner.macro_classes["strict"] == {
        "precision": 0.25,
        "recall": 0.5,
        "f1": 1 / 3,
    }
    assert score_getter("macro")(ner) == score_getter("macro_classes")(ner) == 1 / 3
    assert score_getter("macro_classes.strict.recall")(ner) == 0.5
    assert score_getter("macro_frameworks")(ner) == ner.f1 == 0.5
    assert ner.flat()["ner_macro_classes_strict_f1"] == 1 / 3
    both = copy(ner)
    [group] = ner.raw_counts.values()
    both.raw_counts = ner.raw_counts | {("other", "", "", ""): group}
    for name in ("macro", "macro.strict.f1", "macro.strict", "macro.recall"):
        with pytest.raises(UsageError, match="macro_frameworks or macro_classes"):
            score_getter(name)(both)
    with pytest.raises(UsageError, match="macro_frameworks or macro_classes"):
        _ = both.macro
    mrp = score("data/gold.mrp", "data/birch.mrp", "mrp")
    assert mrp.macro == mrp.macro_frameworks
    assert mrp.macro_classes == {}
    found = score_getter("macro_frameworks.edges")(mrp)
    assert found == mrp.flat("all")["mrp_macro_frameworks_edges_f1"]
    assert "mrp_macro_frameworks_all_f1" in mrp.flat()
    with pytest.raises(UsageError, match="mrp has no score 'macro_classes'"):
        score_getter("macro_classes")(mrp)
