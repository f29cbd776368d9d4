"""What systems have in common: counted as evaluations come and go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.store.evaluations import find_evaluations
from graphscore.store.read.examples import EXAMPLES, find_example
from graphscore.store.write.totals import write_totals
from tests.conftest import ROOT
from tests.databases import Stores

DATA = ROOT / "data"

COUNTED = """
select item, framework, error_type, tuple_type, object, gold_ordinal, label, name,
  value, type, count(distinct system), count(*),
  case when count(distinct system) = 1 then min(system) end
from v_errors where metric = 'mrp'
group by item, framework, error_type, tuple_type, object, gold_ordinal, label, name,
  value, type"""

KEPT = """
select item, framework, error_type, tuple_type, object, gold_ordinal, label, name,
  value, type, systems, errors, only_system
from v_errors_across where metric = 'mrp'"""


def ask(store: Store, sql: str) -> list[tuple[object, ...]]:
    """The rows of an answer, in one order."""
    return sorted((tuple(row) for row in store.query(sql)[1]), key=repr)


def assert_counted(store: Store) -> None:
    """What is kept is what counting all errors gives."""
    assert ask(store, KEPT) == ask(store, COUNTED)
    units = "select item, framework, systems, wrong, errors from v_items_across"
    assert ask(store, units) == ask(
        store,
        "select item, framework, count(*), sum(case when errors > 0 then 1 else 0 end),"
        " sum(errors) from v_items where status <> 'spurious' group by item, framework",
    )
    confusions = "tuple_type, name, gold_value, system_value"
    assert ask(
        store, f"select {confusions}, systems, confusions from v_confusions_across"
    ) == ask(
        store,
        f"select {confusions}, count(distinct system), sum(confusions) "
        f"from v_confusions group by {confusions}",
    )


def assert_totals(store: Store) -> None:
    """The totals of each evaluation are what counting all its errors gives."""
    tables = ("error_total", "error_label", "error_tuple", "confusion")
    kept = [ask(store, f"select * from {table}") for table in tables]
    assert all(kept)
    with store._database.writing() as connection:
        for table in tables:
            connection.exec_driver_sql(f"delete from {table}")
        for evaluation in find_evaluations(connection):
            write_totals(connection, evaluation.id)
    assert [ask(store, f"select * from {table}") for table in tables] == kept


@pytest.fixture
def store(stores: Stores) -> Iterator[Store]:
    """Gold and two systems, scored."""
    with Store(stores.new(), mode="create") as made:
        made.ingest([str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch")])
        for system in ("alder", "birch"):
            made.score("gold", system, "mrp")
        yield made


def test_counts_follow_what_is_scored_and_removed(store: Store) -> None:
    assert_counted(store)
    both = ask(store, "select max(systems), max(of_systems) from v_errors_across")
    assert both == [(2, 2)]
    store.remove("birch")
    assert_counted(store)
    store.ingest(str(DATA / "birch.mrp"))
    store.score("gold", "birch", "mrp")
    assert_counted(store)


# Few units that have changed are counted alone, many with all others.
@pytest.mark.parametrize("changed", [3, 30])
def test_a_resubmission_takes_the_place_of_the_first(
    store: Store, changed: int
) -> None:
    from graphscore.formats import ReadGraph, read_file

    graphs = [
        record.graph
        for record in read_file(str(DATA / "alder.mrp"))
        if isinstance(record, ReadGraph)
    ]
    store.add(graphs[:changed], "birch", replace=True)
    result = store.score("gold", "birch", "mrp")
    assert result.reused == 73
    assert_counted(store)
    assert_totals(store)
    only = "select distinct only_system from v_errors_across where systems = 1"
    assert ask(store, only) == [("alder",), ("birch",)]


def test_a_task_goes_with_its_gold(store: Store) -> None:
    store.remove("gold")
    for view in ("v_items_across", "v_errors_across", "v_leaderboard"):
        assert ask(store, f"select * from {view}") == []


def test_figures_are_those_of_the_result(store: Store) -> None:
    result = store.score("gold", "alder", "mrp")
    where = "system = 'alder' and framework"
    [(f1, units, missing)] = ask(
        store,
        "select value, units, missing from v_leaderboard "
        f"where {where} = 'all' and main = 1",
    )
    assert (f1, units, missing) == (result.f1, result.pairs, result.missing_system)
    [(edges,)] = ask(
        store,
        f"select value from v_leaderboard where {where} = 'eds' and score = 'edges.f1'",
    )
    assert edges == result.by("framework")["eds",].counts["edges"].f1
    [(macro,)] = ask(
        store,
        f"select value from v_leaderboard where {where} = 'macro' and main = 1",
    )
    assert macro == result.macro["all"]["f1"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_question_is_answered(store: Store, name: str) -> None:
    columns, rows = store.query(EXAMPLES[name].sql)
    assert "gold" in columns
    assert [*rows]


def test_there_are_twelve_questions_and_unknown_ones_are_refused() -> None:
    page = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
    assert len(EXAMPLES) == 12
    for question in EXAMPLES.values():
        assert f"| `{question.name}` | {question.title} |" in page
    with pytest.raises(UsageError, match="worst-everywhere"):
        find_example("worst-everywhre")
