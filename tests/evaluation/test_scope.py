"""What an evaluation is over belongs to what it is: in results, stores and SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graphscore import Edge, Graph, Node, Options, Selection, Store, parse, score
from graphscore.correspondence import Budget
from graphscore.exceptions import StoreError, UsageError
from graphscore.model.scope import Scope

MRP = ("amr", "dm", "eds", "ptg", "ucca")
"""Five frameworks of the shared tasks, which stand beside a track of coreference."""


def sentence(framework: str, item: str, label: str = "bark") -> Graph:
    nodes = (Node(0, "dog"), Node(1, label))
    edge = (Edge(1, 0, "ARG1"),)
    return Graph(item, framework, nodes=nodes, edges=edge, document="d", language="en")


def chains(item: str, label: str = "X") -> Graph:
    tuple_types = ((("kind", "entity"),), (("kind", "mention"),))
    nodes = (Node(0, label, tuple_types[0]), Node(1, None, tuple_types[1]))
    return Graph(item, "coref", nodes=nodes, edges=(Edge(0, 1),), document="d")


GOLD = [sentence(name, str(n)) for name in MRP for n in range(3)]
GOLD += [chains(str(n)) for n in range(4)]
ALDER = [sentence(name, str(n), f"b{n % 2}") for name in MRP for n in range(3)]
ALDER += [chains(str(n)) for n in range(4)]
BIRCH = [sentence(name, str(n), f"b{n}") for name in MRP for n in range(3)]
BIRCH += [chains(str(n), "Y") for n in range(4)]

TABLES = ("evaluation", "pair", "result", "raw_count", "error", "error_total")


@pytest.fixture
def store() -> Iterator[Store]:
    with Store("sqlite://", mode="create") as made:
        for name, graphs in (("gold", GOLD), ("alder", ALDER), ("birch", BIRCH)):
            made.add(graphs, name)
        yield made


def tables(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    return {name: [*store.query(f"select * from {name}")[1]] for name in TABLES}


def only(*frameworks: str) -> Options:
    return Options(Selection(frameworks=frozenset(frameworks)))


def test_named_or_not_a_metric_scores_the_same(store: Store) -> None:
    default = {str(each.metric): each for each in store.score("gold", "alder")}
    assert {name: each.pairs for name, each in default.items()} == {
        "mrp": 15,
        "conll": 1,
    }
    before = tables(store)
    named = store.score("gold", "alder", "mrp")
    assert named.pairs == 15
    assert named.scores == default["mrp"].scores
    assert named.scope == default["mrp"].scope == Scope(MRP)
    left_out = "mrp does not score coref unless --framework names it: 4 graphs left out"
    assert [note for note in named.notes if note not in default["mrp"].notes] == [
        left_out
    ]
    assert tables(store) == before


def test_no_metric_mixes_what_it_is_not_made_for(store: Store) -> None:
    ucca = store.score("gold", "alder", "ucca")
    assert (ucca.frameworks, ucca.pairs) == (["ucca"], 3)
    files = score(GOLD, ALDER, "ucca")
    assert (files.scope, files.signature) == (ucca.scope, ucca.signature)
    wider = score(GOLD, ALDER, "ucca", framework=["ucca", "eds"])
    assert (wider.frameworks, wider.pairs) == (["eds", "ucca"], 6)
    told = score(GOLD, ALDER, "ucca").notes
    assert sum("left out" in each for each in told) == 1


def test_two_scopes_are_two_evaluations(store: Store) -> None:
    whole = store.score("gold", "alder", "mrp")
    part = store.score("gold", "alder", "mrp", only("eds"))
    again = store.score("gold", "alder", "mrp")
    assert again.scores == whole.scores != part.scores
    assert part.reused == 3
    columns, rows = store.query(
        "select scope, units, evaluation from v_evaluations order by units"
    )
    assert columns == ("scope", "units", "evaluation")
    assert [*rows] == [("eds", 3, "done"), ("amr,dm,eds,ptg,ucca", 15, "done")]
    for view in ("v_items", "v_scores", "v_errors", "v_error_counts"):
        _, found = store.query(f"select distinct scope from {view} order by 1")
        assert [scope for (scope,) in found] == ["amr,dm,eds,ptg,ucca", "eds"]
    for ask in (store.errors, store.confusions, store.item_scores):
        with pytest.raises(
            UsageError, match=r"ptg,ucca' \(15 units\), 'eds' \(3 units"
        ):
            ask(system="alder", metric="mrp")
        assert ask(system="alder", metric="mrp", scope="eds")
    found_errors = store.errors(metric="mrp", scope="eds", by=("framework",))
    assert {row[0] for row in found_errors.rows} == {"eds"}
    with pytest.raises(UsageError, match=r"expected --scope with one of: 'amr,dm"):
        store.find("pattern { X []; missing(X) }", metric="mrp")
    hits = store.find("pattern { X []; missing(X) }", metric="mrp", scope="eds").items
    assert {hit["framework"] for hit in hits} <= {"eds"}


def test_what_changed_is_told_within_a_scope_only(store: Store) -> None:
    store.score("gold", "alder", "mrp")
    store.score("gold", "birch", "mrp", only("eds"))
    assert not [*store.query("select * from v_changes")[1]]
    store.score("gold", "birch", "mrp")
    _, found = store.query("select distinct scope from v_changes")
    assert [*found] == [("amr,dm,eds,ptg,ucca",)]


@pytest.mark.parametrize(
    ("options", "scope"),
    [
        (only("eds", "coref"), "coref,eds"),
        (Options(Selection(languages=frozenset({"en"}))), ",".join(MRP)),
        (Options(Selection(items=frozenset({"1", "0"}))), "items 0,1"),
        (Options(Selection(layers=frozenset({"a"}))), "layers a"),
        (Options(pair="order"), "paired by order"),
        (Options(ids="wsj"), "paired by id under wsj"),
    ],
)
def test_whatever_limits_the_units_is_in_the_scope(
    store: Store, options: Options, scope: str
) -> None:
    store.score("gold", "alder", "mrp")
    found = store.score("gold", "alder", "mrp", options)
    assert scope in str(found.scope)
    assert str(found.scope) == str(store.scope("gold", parse("mrp"), options))
    _, rows = store.query("select count(*) from v_evaluations")
    assert [*rows] == [(2,)]
    assert str(score(GOLD, ALDER, "mrp", options=options).scope) == str(found.scope)


def test_only_new_graphs_and_who_asks_for_it_replace(store: Store) -> None:
    hard = [sentence("dm", str(n)) for n in range(2)]
    store.add(hard, "other gold")
    store.add(hard, "other")
    store.score("other gold", "other", "mrp")
    store.score("other gold", "other", "mrp", only("dm"))
    _, rows = store.query("select scope from v_evaluations")
    assert [*rows] == [("dm",)]
    store.add([sentence("dm", "9"), sentence("eds", "9")], "other gold")
    with pytest.raises(StoreError, match=r"stale \(graphs have come"):
        store.holds("other gold", "other", parse("mrp"), only("dm"))
    store.score("other gold", "other", "mrp")
    _, rows = store.query("select scope, units, evaluation from v_evaluations")
    # What was asked for in the same words is of other graphs now.
    assert [*rows] == [("dm,eds", 4, "done")]


def test_other_results_of_the_same_scope_take_leave(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.score("gold", "alder", "mrp")
    before = tables(store)
    with store._database.writing() as connection:
        connection.exec_driver_sql("update result set proven = 0, budget = 1")
    changed = tables(store)
    with pytest.raises(UsageError, match="score --replace puts this evaluation"):
        store.score("gold", "alder", "mrp", Options(budget=Budget(steps=7)))
    assert tables(store)["evaluation"] == before["evaluation"]
    kept = store.score("gold", "alder", "mrp", stored=True)
    assert kept.unproven == kept.pairs == 15
    assert tables(store)["pair"] == changed["pair"]
    anew = store.score("gold", "alder", "mrp", replace=True)
    assert anew.unproven == 0
    _, rows = store.query("select count(*) from v_evaluations")
    assert [*rows] == [(1,)]


def test_a_result_says_its_scope() -> None:
    said = score(GOLD, ALDER, "mrp", framework="eds").to_dict()["scope"]
    assert said == {
        "frameworks": ["eds"],
        "languages": [],
        "layers": [],
        "filter": "",
        "pairing": "id",
        "references": "",
    }
    where = score(GOLD, ALDER, "mrp", where="pattern { X [label=dog] }")
    assert where.scope.filter == "where pattern { X [label=dog] }"
    assert where.scope.frameworks == MRP
