"""Errors fixed, broken and left, in SQL."""

from __future__ import annotations

from typing import Any

import pytest

from graphscore.model.outcome import Error, Outcome
from graphscore.store.database import Database
from graphscore.store.evaluations import PairRow
from graphscore.store.read.load import identities
from graphscore.store.write.evaluations import Made, save_evaluation
from graphscore.store.write.results import save_results
from tests.store.conftest import bark, put, read, result_row, rows

MISSING = Error("missing", "labels", "node", 1, 4, "bark", "", "bark", None, "differs")
SPURIOUS = Error("spurious", "labels", "node", 1, 4, "run", "", "run", None, "differs")
ALONE = Error("spurious", "edges", "edge", None, 2, "ARG1", "", "ARG1", None, "absent")


def evaluate(
    database: Database, system: str, errors: dict[str, tuple[Error, ...]]
) -> None:
    """Score a system of the items that have errors said of them."""
    put(database, read(*(bark(item, f"{system}{item}") for item in errors)), system)
    with database.writing() as connection:
        theirs = {one.item: one for one in identities(connection, system)}
        golds = [g for g in identities(connection, "gold") if g.item in errors]
        found = [
            result_row(
                gold.digest,
                theirs[gold.item].digest,
                Outcome({}, 1, 1, True, 1, "made up", (), errors[gold.item]),
                1,
                None,
            )
            for gold in golds
        ]
        ids = save_results(connection, "mrp", 1, found)
        pairs = [
            PairRow("dm", "", "dogs", g.item, g.graph, None, number, "paired")
            for g, number in zip(golds, ids, strict=True)
        ]
        save_evaluation(connection, Made("gold", system, "mrp", "sig"), pairs)


def changes(database: Database, where: str = "") -> list[tuple[Any, ...]]:
    return rows(
        database,
        "select item, error_type, tuple_type, gold_ordinal, value, status, errors "
        "from v_changes "
        f"where baseline = 'a' and system = 'b' {where} order by 1, 2, 3, 4, 5, 6",
    )


def test_statuses_and_counts(database: Database) -> None:
    put(database, read(*(bark(str(number), f"v{number}") for number in range(3))))
    elsewhere = MISSING._replace(gold=0)
    evaluate(database, "a", {"0": (MISSING, SPURIOUS), "1": (ALONE,) * 3, "2": ()})
    renumbered = SPURIOUS._replace(system=9), ALONE._replace(system=7)
    evaluate(
        database,
        "b",
        {"0": (elsewhere, renumbered[0]), "1": (renumbered[1],), "2": (MISSING,)},
    )
    assert changes(database) == [
        ("0", "missing", "labels", 0, "bark", "broken", 1),
        ("0", "missing", "labels", 1, "bark", "fixed", 1),
        ("0", "spurious", "labels", 1, "run", "still", 1),
        ("1", "spurious", "edges", None, "ARG1", "fixed", 2),
        ("1", "spurious", "edges", None, "ARG1", "still", 1),
        ("2", "missing", "labels", 1, "bark", "broken", 1),
    ]
    other_way = rows(
        database,
        "select status, sum(errors) from v_changes where baseline = 'b' "
        "and system = 'a' group by status order by status",
    )
    assert other_way == [("broken", 3), ("fixed", 2), ("still", 2)]


def test_a_result_that_both_share_is_left_as_it_is(database: Database) -> None:
    put(database, read(bark("0")))
    for name in ("a", "b"):
        put(database, read(bark("0", "run")), name)
        with database.writing() as connection:
            [gold], [theirs] = (identities(connection, n) for n in ("gold", name))
            made = Outcome({}, 1, 1, True, 1, "made up", (), (MISSING, ALONE, ALONE))
            row = result_row(gold.digest, theirs.digest, made, 1, None)
            [number] = save_results(connection, "mrp", 1, [row])
            pair = PairRow("dm", "", "dogs", "0", None, None, number, "paired")
            save_evaluation(connection, Made("gold", name, "mrp", "sig"), [pair])
    assert [row[-2:] for row in changes(database)] == [("still", 1), ("still", 2)]


def test_units_that_only_one_has_scored_are_left_out(database: Database) -> None:
    put(database, read(bark("0", "v0"), bark("1", "v1")))
    evaluate(database, "a", {"0": (MISSING,), "1": (MISSING,)})
    evaluate(database, "b", {"1": ()})
    assert [row[0] for row in changes(database)] == ["1"]


def test_values_of_other_types_are_other_errors(database: Database) -> None:
    put(database, read(bark("0")))
    number, text = (MISSING._replace(value=value) for value in (1, "1"))
    evaluate(database, "a", {"0": (number,)})
    evaluate(database, "b", {"0": (text,)})
    tuple_types = rows(
        database,
        "select type, status from v_changes where baseline = 'a' and system = 'b' "
        "order by status",
    )
    assert tuple_types == [("string", "broken"), ("integer", "fixed")]


def test_other_metrics_and_the_same_system_are_not_compared(database: Database) -> None:
    put(database, read(bark("0")))
    evaluate(database, "a", {"0": (MISSING,)})
    assert rows(database, "select * from v_changes") == []


def test_what_has_become_of_both(database: Database) -> None:
    put(database, read(bark("0")))
    evaluate(database, "a", {"0": (MISSING,)})
    evaluate(database, "b", {"0": (MISSING,)})
    asked = "select distinct evaluation from v_changes"
    assert rows(database, asked) == [("done",)]
    for change, said in ("status = 'stale'", "stale"), ("outdated = true", "outdated"):
        with database.writing() as connection:
            connection.exec_driver_sql(f"update evaluation set {change} where id = 2")
        assert rows(database, asked) == [(said,)]


@pytest.mark.sqlite("its plans")
def test_names_are_looked_at_before_anything_is_sorted(database: Database) -> None:
    plan = rows(
        database,
        "explain query plan select tuple_type, sum(errors) from v_changes "
        "where baseline = 'a' and system = 'b' and metric = 'mrp' group by tuple_type",
    )
    text = "\n".join(str(step[-1]) for step in plan)
    assert "pair_evaluation_item_ix (evaluation=? AND item=?)" in text
    assert "SEARCH b" in text
    assert "SEARCH s" in text
    assert "SEARCH f USING INDEX" in text
