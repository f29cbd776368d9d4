"""A store takes metrics as ``score`` does: strings, formulas, several or none."""

from __future__ import annotations

from typing import Any

import pytest

from graphscore import Result, Store, parse, score
from graphscore.exceptions import UsageError
from graphscore.metrics import suite
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import exact, f1, formula, label, match, nodes
from tests.databases import Stores

LABELS = f1(match(nodes(), exact(label)))


def graphs(*labels: str) -> list[Graph]:
    made = tuple(Node(number, each) for number, each in enumerate(labels))
    edges = (Edge(0, 1, "ARG1"),)
    return [Graph(item, "amr", 2, nodes=made, edges=edges) for item in "12"]


GOLD, SYSTEM = graphs("dog", "bark"), graphs("dog", "purr")


@pytest.fixture
def store(stores: Stores) -> Any:
    with stores.brief() as name, Store(name, mode="create") as opened:
        opened.add(GOLD, "gold")
        opened.add(SYSTEM, "system")
        yield opened


@pytest.mark.parametrize(
    "metric",
    [
        *("smatch", parse("smatch"), LABELS, repr(LABELS), {"labels": LABELS}),
        suite("mine", {"labels": LABELS}),
    ],
)
def test_one_metric_gives_one_result(store: Store, metric: Any) -> None:
    result = store.score("gold", "system", metric)
    assert isinstance(result, Result)
    assert result.metric == parse(metric)
    expected = score(GOLD, SYSTEM, metric)
    assert result.scores == expected.scores
    again = store.score("gold", "system", metric)
    assert (result.reused, again.reused) == (0, 2)


def test_several_and_none(store: Store) -> None:
    metrics = ["smatch", LABELS, parse("mrp")]
    several = store.score("gold", "system", metrics)
    assert [result.metric for result in several] == [parse(each) for each in metrics]
    assert [result.reused for result in store.score("gold", "system", tuple(metrics))]
    [default] = store.score("gold", "system")
    assert default.because
    assert store.score("gold", "system", []) == []


def test_calls_as_they_were(store: Store) -> None:
    [by_name] = store.score("gold", "system", metrics=[parse("smatch")])
    [by_place] = store.score("gold", "system", [parse("smatch")])
    assert by_name.scores == by_place.scores
    [default] = store.score("gold", "system", None)
    assert default.metric == store.score("gold", "system", metrics=None)[0].metric


def test_results_of_a_formula_are_found_however_it_is_typed(store: Store) -> None:
    store.score("gold", "system", LABELS)
    for text in ("f1( match( nodes() ,exact(label)) )", f"({LABELS!r})"):
        assert store.score("gold", "system", text).reused == 2
    other = formula("f1(match(nodes(), exact(label), duplicates='set'))")
    assert store.score("gold", "system", other).reused == 0
    _, rows = store.query("select metric, revision, status from evaluation order by 1")
    assert [tuple(row) for row in rows] == [
        (repr(LABELS), 2, "done"),
        (repr(other), 2, "done"),
    ]
    found = store.errors(metric=repr(LABELS), by=("error_type", "value"))
    assert [tuple(row)[:2] for row in found.rows] == [
        ("missing", "bark"),
        ("spurious", "purr"),
    ]
    assert store.holds("gold", "system", parse(repr(LABELS)))


@pytest.mark.parametrize(
    ("metric", "error"),
    [("smach", UsageError), (7, TypeError), (["smatch", None], TypeError)],
)
def test_what_is_no_metric(store: Store, metric: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="metric"):
        store.score("gold", "system", metric)
