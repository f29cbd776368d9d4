"""Rows and numbers of results: what stores and JSON say, said without them."""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import re
import weakref
from pathlib import Path

import pytest

from graphscore import (
    Graph,
    Node,
    Options,
    References,
    Result,
    Store,
    agree,
    compare,
    score,
    whatif,
)
from graphscore.evaluation.rows.errors import ErrorRow
from graphscore.evaluation.unit import ITEM_COLUMNS
from graphscore.exceptions import StoreError, UsageError
from graphscore.metrics.base import main_score
from tests.conftest import DATA

GOLD, SYSTEM = str(DATA / "gold.mrp"), str(DATA / "alder.mrp")
ROLES = str(DATA / "ie" / "wire.json"), str(DATA / "ie" / "wire.predicted.json")
WHOLE = Options(per_item=True, details=True)
MEAN = Options(per_item=True, details=True, references="mean")


@pytest.fixture(scope="module")
def result() -> Result:
    return score(GOLD, SYSTEM, "mrp")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "runs.db"
    with Store(str(path), mode="create") as made:
        for each in (GOLD, SYSTEM, *ROLES):
            made.ingest(each, each)
        made.score(GOLD, SYSTEM, "mrp")
        made.score(*ROLES, ["ner", "argument"])
    return path


def test_numbers_are_named_by_metric_framework_and_tuple_type(result: Result) -> None:
    told = json.loads(json.dumps(result.to_dict()))
    expected = {
        f"mrp/{tuple_type}/{ratio}": count[ratio]
        for tuple_type, count in told["counts"].items()
        for ratio in ("precision", "recall", "f1")
    }
    expected |= {f"mrp/groups/{name}": value for name, value in told["scores"].items()}
    for group in told["groups"]:
        for tuple_type, count in group["counts"].items():
            for ratio in ("precision", "recall", "f1"):
                expected[f"mrp/{group['framework']}/{tuple_type}/{ratio}"] = count[
                    ratio
                ]
        for name, value in group["scores"].items():
            expected[f"mrp/{group['framework']}/groups/{name}"] = value
        expected[f"mrp/{group['framework']}/f1"] = group["counts"]["all"]["f1"]
    for tuple_type, ratios in told["macro_frameworks"]["counts"].items():
        for ratio, value in ratios.items():
            expected[f"mrp/macro_frameworks/{tuple_type}/{ratio}"] = value
    found = result.numbers()
    assert found == expected
    assert found["mrp/all/f1"] == result.f1
    assert found["mrp/eds/edges/f1"] == pytest.approx(0.81045751)
    assert {type(value) for value in found.values()} == {float}
    assert all(map(math.isfinite, found.values()))


def test_what_gold_has_nothing_of_has_no_numbers_and_no_errors() -> None:
    empty = Result(score([Graph("1", "amr", 2)], [Graph("1", "amr", 2)]).metric)
    assert empty.numbers() == {}
    assert list(empty.errors) == list(empty.confusions) == []
    assert empty.items == []
    assert empty.items.to_dicts() == []


def test_rows_are_those_that_score_prints(result: Result) -> None:
    rows = result.to_dicts()
    assert {row["framework"] for row in rows} == {"amr", "dm", "eds", "psd", "ucca"}
    by_name = {(row["framework"], row["tuple_type"]): row for row in rows}
    assert by_name["eds", "edges"]["f1"] == result.numbers()["mrp/eds/edges/f1"]
    assert set(by_name["eds", "edges"]) >= {"gold", "system", "metric", "value"}


def test_items_are_a_sequence_and_have_a_row_each(result: Result) -> None:
    items = list(result.items)
    assert result.items == result.per_item == items
    assert (result.items[0], result.items[-1:]) == (items[0], items[-1:])
    assert items[1] in result.items
    rows = result.items.to_dicts()
    assert list(rows[0]) == list(ITEM_COLUMNS)
    assert [row["item"] for row in rows] == [each.item for each in result.items]
    for row, each in zip(rows, result.items, strict=True):
        scores = result.metric.scores(each.raw_counts)
        assert (row["f1"], row["value"]) == (
            scores.counts["all"].f1,
            main_score(result.metric, scores),
        )
    flat = result.items.numbers()
    assert flat["mrp/dm/sample-01"] == rows[0]["value"]
    assert len(flat) == len(rows)


def test_results_are_copied_and_pickled_with_their_items(result: Result) -> None:
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again == result
        assert again.items.to_dicts() == result.items.to_dicts()


def test_results_are_given_back_as_soon_as_nobody_holds_them() -> None:
    """Their memory is there for the next batch, and not only once it is collected."""
    gc.disable()
    try:
        result = score([["B-PER", "O"]], [["O", "B-PER"]], "ner")
        result.per_class, result.table(), len(list(result.errors))
        held = weakref.ref(result)
        del result
        assert held() is None
        trees = [str(DATA / "dependencies" / f"{x}.conllu") for x in ("gold", "parser")]
        held = weakref.ref(of_files := score(*trees, "las"))
        del of_files
        assert held() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("options", [None, Options(per_item=True), WHOLE])
def test_errors_are_the_rows_of_a_store(
    store: Path, options: Options | None, result: Result
) -> None:
    with Store(str(store)) as opened:
        stored = opened.score(GOLD, SYSTEM, "mrp", options)
        columns, rows = opened.query("select * from v_errors where metric = 'mrp'")
        confusions = opened.confusions(gold=GOLD, metric="mrp", top=10_000)
        for found in (stored, result):
            assert found.errors.columns == columns
        expected = sorted(map(_comparable, rows))
        assert expected == sorted(map(_comparable, stored.errors))
        assert expected == sorted(map(_comparable, result.errors))
        for found in (stored, result):
            assert found.confusions.columns == confusions.columns
            assert [tuple(row) for row in found.confusions] == confusions.rows
            assert len(found.confusions) == len(confusions.rows) > 20
            assert len(found.errors) == len(expected)


@pytest.mark.parametrize("name", ["ner", "argument"])
def test_errors_of_other_metrics_are_the_rows_of_a_store(
    store: Path, name: str
) -> None:
    with Store(str(store)) as opened:
        stored = opened.score(*ROLES, name)
        _, rows = opened.query(f"select * from v_errors where metric = '{name}'")
        assert sorted(map(_comparable, rows)) == sorted(map(_comparable, stored.errors))
        found = opened.confusions(gold=ROLES[0], metric=name, top=10_000)
        assert [tuple(row) for row in stored.confusions] == found.rows


def test_errors_are_counted_like_those_of_a_store(store: Path, result: Result) -> None:
    with Store(str(store)) as opened:
        for by in (
            ("framework", "tuple_type", "error_type", "name", "value"),
            ("error_type", "tuple_type"),
            ("value", "document"),
            ("item", "framework", "tuple_type", "error_type", "label", "name", "value"),
            (
                "level",
                "object",
                "framework",
                "tuple_type",
                "error_type",
                "name",
                "value",
            ),
            ("framework", "tuple_type", "error_type", "name", "value", "compared"),
            (),
        ):
            for top in (3, 500):
                stored = opened.errors(by=by, top=top, gold=GOLD, metric="mrp")
                found = result.errors.frequent(by, top)
                assert found.columns == stored.columns
                assert [*map(tuple, found.rows)] == stored.rows
    assert "instead" in result.errors.frequent(top=1)._repr_html_()
    with pytest.raises(UsageError, match="--by colour"):
        result.errors.frequent(["colour"])


def _comparable(row: tuple[object, ...]) -> tuple[tuple[bool, str], ...]:
    return tuple((cell is not None, str(cell)) for cell in row)


def test_cells_are_found_by_number_and_name(result: Result) -> None:
    row = next(iter(result.errors))
    assert isinstance(row, ErrorRow)
    assert row.tuple_type == row["tuple_type"] == row[12]
    assert row[:2] == (GOLD, SYSTEM)
    with pytest.raises(KeyError, match="colour"):
        row["colour"]
    [first, *_] = result.confusions
    assert first["times"] == first.times == max(x.times for x in result.confusions)


def test_errors_and_confusions_are_counted_by_name(result: Result) -> None:
    found = result.errors.numbers()
    rows = list(result.errors)
    sides = [row.error_type for row in rows if row.tuple_type == "labels"]
    assert found["mrp/labels/missing"] == sides.count("missing")
    eds = [
        row for row in rows if (row.framework, row.error_type) == ("eds", "spurious")
    ]
    assert found["mrp/eds/edges/spurious"] == sum(x.tuple_type == "edges" for x in eds)
    [first, *_] = result.confusions
    name = "/".join(filter(None, map(str, ("mrp", *first[:5]))))
    assert result.confusions.numbers()[f"{name}/times"] == first.times


def test_values_of_several_types_keep_type_and_text() -> None:
    def graph(value: object) -> Graph:
        return Graph("1", "amr", 2, nodes=(Node(0, "a", (("quant", value),)),))

    found = score([graph(1)], [graph("1")], "mrp")
    told = {(row.error_type, row.value, row.type) for row in found.errors}
    assert told <= {("missing", "1", "integer"), ("spurious", "1", "string")}
    found = score([graph(True)], [graph(2.5)], "mrp")
    told = {(row.error_type, row.value, row.type) for row in found.errors}
    assert told == {("missing", "true", "boolean"), ("spurious", "2.5", "float")}


def test_without_details_errors_are_refused_not_empty() -> None:
    for options in (Options(), Options(per_item=True)):
        found = score(GOLD, SYSTEM, "mrp", options=options)
        for rows in (found.errors, found.confusions):
            with pytest.raises(UsageError, match="details=True"):
                rows.to_dicts()


def test_a_closed_store_gives_no_errors(store: Path) -> None:
    with Store(str(store)) as opened:
        found = opened.score(GOLD, SYSTEM, "mrp")
    with pytest.raises(StoreError, match="has been closed"):
        list(found.errors)
    assert pickle.loads(pickle.dumps(found)).fetch is None


def test_errors_of_several_references_say_whose_they_are() -> None:
    golds = References(GOLD, str(DATA / "birch.mrp"))
    best = score(golds, SYSTEM, "mrp")
    assert {row.gold for row in best.errors} <= {*golds.names}
    expected = sum(len(each.errors) for each in best.items)
    assert len(best.errors) == len(list(best.errors)) == expected > 0
    mean = score(golds, SYSTEM, "mrp", options=MEAN)
    assert len(mean.errors) == sum(len(each.errors) for each in mean.references)
    options = Options(per_item=True, references="mean")
    bare = score(golds, SYSTEM, "mrp", options=options)
    with pytest.raises(UsageError, match="details"):
        list(bare.errors)


TAGS = [["B-PER", "O"], ["O", "B-LOC"], ["B-LOC", "I-LOC"]]
TAGGED = [["B-PER", "O"], ["O", "B-LOC"], ["B-LOC", "B-LOC"]]


def test_classes_are_rows_that_print_as_seqeval_prints_them() -> None:
    classes = score(TAGS, TAGGED, "ner").per_class
    assert [(row.name, row.recall, row.support) for row in classes] == [
        ("LOC", 0.5, 2),
        ("PER", 1, 1),
    ]
    assert classes.to_dicts()[0]["f1"] == pytest.approx(0.4)
    assert classes.numbers()["ner/LOC/support"] == 2
    assert "40.00" in classes._repr_html_()
    # As seqeval.metrics.classification_report(TAGS, TAGGED) has it.
    assert (
        classes.table()
        == """\
              precision    recall  f1-score   support

         LOC       0.33      0.50      0.40         2
         PER       1.00      1.00      1.00         1

   micro avg       0.50      0.67      0.57         3
   macro avg       0.67      0.75      0.70         3
weighted avg       0.56      0.67      0.60         3
"""
    )


def test_roles_are_classes_and_slots_are_refused() -> None:
    srl = DATA / "srl"
    roles = score(srl / "market.conll09", srl / "labeller.conll09", "conll09")
    numbers = roles.scores.numbers
    for row in roles.per_class:
        assert numbers[f"role.{row.name}.f1"] == row.f1
    with pytest.raises(UsageError, match="mrp does not count by class"):
        score(GOLD, SYSTEM, "mrp").per_class  # noqa: B018


def test_results_print_as_tables_and_are_short_in_an_interpreter() -> None:
    names = ["a system of a very long name" * 5, "b"]
    result = score(TAGS, TAGGED, "ner")
    compared = compare(TAGS, TAGGED, TAGS, metric="ner", samples=9, names=names)
    agreed = agree(TAGS, TAGGED, metric="ner", samples=9, names=names)
    lost = whatif(TAGS, TAGGED, metric="ner")
    systems = [SYSTEM, GOLD]
    across = compare(GOLD, *systems, metric="mrp", samples=9, across="frameworks")
    formula = score(
        GOLD, SYSTEM, "f1(match(nodes(), " + "exact(label) * " * 20 + "exact(label)))"
    )
    shown = [result, result.items, result.errors, result.confusions, result.per_class]
    for rows in (*shown, compared, agreed, lost, across.across, formula):
        assert len(repr(rows)) < 200
        assert str(rows) == rows.table().rstrip("\n") != repr(rows)
    assert "strict P" in result.table()


def test_loggers_get_at_most_40_names_of_letters_digits_and_underscores(
    result: Result,
) -> None:
    tags = score(TAGS, TAGGED, "ner")
    formula = score(TAGS, TAGGED, "f1(match(nodes(), exact(label)))", framework="ner")
    for rows in (result, result.items, result.errors, tags, formula):
        flat, whole = rows.flat(), rows.flat("all")
        assert 0 < len(flat) <= 40
        assert flat.items() <= whole.items()
        assert len(whole) == len(rows.numbers())
        assert all(re.fullmatch(r"[A-Za-z0-9_]+", name) for name in whole)
    assert result.flat()["mrp_all_f1"] == result.f1
    assert (
        result.flat()["mrp_eds_f1"] == result.by("framework")["eds",].counts["all"].f1
    )
    assert tags.flat("all")["ner_strict_LOC_f1"] == pytest.approx(0.4)
    assert {name[:8] for name in formula.flat()} == {"formula_"}
    labels = [["B-a.b", "B-a-b"]]
    with pytest.raises(UsageError, match="two numbers are called 'ner_strict_a_b_"):
        score(labels, labels, "ner").flat("all")
    with pytest.raises(UsageError, match="there are: main, all"):
        result.flat("everything")  # type: ignore[arg-type]
