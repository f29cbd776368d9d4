"""What is counted when an evaluation is made is what its errors say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from graphscore.model.outcome import Error
from graphscore.store.database import Database
from graphscore.store.evaluations import PairRow
from graphscore.store.maintenance import remove
from graphscore.store.read.load import identities
from graphscore.store.write.evaluations import Made, save_evaluation
from graphscore.store.write.results import save_results
from tests.store.conftest import bark, outcome, put, read, result_row, rows

TUPLE_TYPES = ("labels", "edges", "edges")
NAMES = ("", "pos", "frame")
VALUES = ("dog", "42", 42, 42.0, True, None, "")

MADE = "gold, system, metric, scope, revision, evaluation, framework"

CONFUSIONS = """
select g.name, s.name, e.metric, e.scope, e.revision, e.status, p.framework, p.document,
  x.tuple_type, coalesce(a.text, ''), v.text, w.text, count(*)
from evaluation e
join collection g on g.id = e.gold
join collection s on s.id = e.system
join pair p on p.evaluation = e.id
join error x on x.result = p.result and x.error_type = 'missing'
  and x.gold is not null and x.system is not null
join error y on y.result = x.result and y.error_type = 'spurious'
  and y.tuple_type = x.tuple_type and y.gold = x.gold and y.system = x.system
  and coalesce(y.name, 0) = coalesce(x.name, 0)
left join symbol a on a.id = x.name
left join symbol v on v.id = x.value
left join symbol w on w.id = y.value
group by g.name, s.name, e.metric, e.scope, e.revision, e.status, p.framework,
  p.document, x.tuple_type, a.text, v.text, w.text"""


def some_errors(rng: random.Random, count: int) -> tuple[Error, ...]:
    """Errors of few places, so that many are in each other's."""
    return tuple(
        Error(
            rng.choice(("missing", "spurious", "partial")),
            rng.choice(TUPLE_TYPES),
            rng.choice(("node", "node", "edge", "entity")),
            rng.choice((0, 1, None)),
            rng.choice((0, 1, None)),
            rng.choice(VALUES),
            rng.choice(NAMES),
            rng.choice(VALUES),
            None,
            "differs",
        )
        for _ in range(count)
    )


@pytest.fixture
def confused(database: Database) -> Database:
    """A store with evaluations of made-up errors."""
    rng = random.Random(7)
    graphs = [
        bark(str(n), f"v{n}", framework=rng.choice(("dm", "eds")), document=f"d{n % 3}")
        for n in range(12)
    ]
    put(database, read(*graphs))
    for system in ("alder", "birch"):
        put(database, read(*graphs[:9]), system)
        with database.writing() as connection:
            units = identities(connection, "gold")
            results = [
                result_row(
                    each.digest,
                    system.encode(),
                    outcome(*some_errors(rng, rng.choice((0, 5, 40)))),
                    1,
                    None,
                )
                for each in units
            ]
            numbers = save_results(connection, "mrp", 1, results)
            pairs = [
                PairRow(
                    *unit[1:3], unit.document, unit.item, None, None, number, "paired"
                )
                for unit, number in zip(units, numbers, strict=True)
            ]
            save_evaluation(connection, Made("gold", system, "mrp", "signature"), pairs)
    return database


def counted(database: Database) -> dict[str, list[Any]]:
    """What the store has counted."""
    views = ("v_error_labels", "v_error_tuples", "v_confusions")
    return {view: by_text(rows(database, f"select * from {view}")) for view in views}


def by_text(found: list[Any]) -> list[str]:
    return sorted(map(repr, found))


@pytest.mark.parametrize(
    ("view", "columns"),
    [
        ("v_error_labels", "tuple_type, error_type, label, name, value, type"),
        ("v_error_labels", "label"),
        ("v_error_tuples", "tuple_type, error_type, name, value"),
    ],
)
def test_errors(confused: Database, view: str, columns: str) -> None:
    statement = f"select {MADE}, {columns}, {{}} from {{}} group by {MADE}, {columns}"
    found = rows(confused, statement.format("sum(errors)", view))
    errors = rows(confused, statement.format("count(*)", "v_errors"))
    assert by_text(found) == by_text(errors)
    assert len(found) > 20


def test_confusions(confused: Database) -> None:
    found = rows(confused, "select * from v_confusions")
    assert by_text(found) == by_text(rows(confused, CONFUSIONS))
    assert len(found) > 10


def test_nothing_is_left_of_what_is_removed(confused: Database) -> None:
    with confused.writing() as connection:
        remove(connection, "gold", {}.get)
    for table in ("error_label", "error_tuple", "confusion"):
        assert rows(confused, f"select * from {table}") == []
