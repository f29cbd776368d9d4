"""Totals counted once, when an evaluation is made, so that slices are cheap later."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Table,
    bindparam,
    func,
    insert,
    select,
    text,
)

from graphscore.store import schema
from graphscore.store.integrity import checked

SYSTEM_INDEX = "error_result_object_system_ix"
"""The index of what a system has too much, by its place."""


def write_totals(connection: Connection, evaluation: int) -> None:
    """Write how many errors an evaluation has of each tuple type, and of each tuple.

    Args:
        connection: a writing connection.
        evaluation: its id; its pairs and their results are there.
    """
    _write_counts(connection, evaluation)
    _write_labels(connection, evaluation)
    _write_tuples(connection, evaluation)
    _write_confusions(connection, evaluation)


def _fill(connection: Connection, table: Table, rows: Select[*tuple[Any, ...]]) -> None:
    names = [column.name for column in table.columns]
    connection.execute(insert(table).from_select(names, rows))


def _write_counts(connection: Connection, evaluation: int) -> None:
    # From the counts of each result: a tenth of the rows that the errors have.
    pair, count = schema.pair, schema.error_count
    group = [
        *(pair.c.evaluation, pair.c.framework, pair.c.document),
        *(count.c.tuple_type, count.c.error_type),
    ]
    rows = (
        select(*group, func.sum(count.c.errors))
        .join_from(pair, count, count.c.result == pair.c.result)
        .where(pair.c.evaluation == evaluation)
        .group_by(*group)
    )
    _fill(connection, schema.error_total, rows)


def _write_labels(connection: Connection, evaluation: int) -> None:
    pair, error = schema.pair, schema.error
    # Symbols are numbered from 1; 0 stands for none, which a key needs.
    label, name, value = (
        func.coalesce(column, 0)
        for column in (error.c.label, error.c.name, error.c.value)
    )
    texts = pair.c.framework, error.c.tuple_type, error.c.error_type
    rows = (
        select(pair.c.evaluation, *texts, label, name, value, func.count())
        .join_from(pair, error, error.c.result == pair.c.result)
        .where(pair.c.evaluation == evaluation)
        # Numbers first: most rows differ there, and they are compared fastest.
        .group_by(value, label, name, *reversed(texts), pair.c.evaluation)
    )
    _fill(connection, schema.error_label, rows)


def _write_tuples(connection: Connection, evaluation: int) -> None:
    table = schema.error_label
    group = [
        *(table.c.evaluation, table.c.framework, table.c.tuple_type),
        *(table.c.error_type, table.c.name, table.c.value),
    ]
    rows = (
        select(*group, func.sum(table.c.errors))
        .where(table.c.evaluation == evaluation)
        .group_by(*group)
    )
    _fill(connection, schema.error_tuple, rows)


_CONFUSIONS = """
insert into confusion
  (evaluation, framework, document, tuple_type, name, gold, system, confusions)
select p.evaluation, p.framework, p.document, x.tuple_type,
  coalesce(x.name, 0), coalesce(x.value, 0), coalesce(y.value, 0), count(*)
from pair p
join error x on x.result = p.result and x.error_type = 'missing'
  and x.gold is not null and x.system is not null
cross join error y{by}
where p.evaluation = :evaluation
  and y.result = x.result and y.object in :objects and y.system = x.system
  and y.error_type = 'spurious' and y.error_type <> 'missing'
  and y.gold = x.gold and y.tuple_type = x.tuple_type
  and coalesce(y.name, 0) = coalesce(x.name, 0)
group by coalesce(x.value, 0), coalesce(y.value, 0), coalesce(x.name, 0),
  x.tuple_type, p.framework, p.document, p.evaluation"""


def _write_confusions(connection: Connection, evaluation: int) -> None:
    pair, error = schema.pair, schema.error
    rows = connection.execute(
        select(error.c.object)
        .join_from(pair, error, error.c.result == pair.c.result)
        .where(pair.c.evaluation == evaluation, error.c.error_type == "spurious")
        .distinct()
    )
    objects = [object_ for [object_] in checked(rows, [error.c.object])]
    if not objects:
        return
    # The order of tables and the index are said to SQLite, which has no statistics:
    # it would go through all errors of a pair for each one of them.  What begins the
    # index is said too, though errors may be of whatever object.
    by = f" indexed by {SYSTEM_INDEX}" if connection.dialect.name == "sqlite" else ""
    statement = text(_CONFUSIONS.format(by=by))
    connection.execute(
        statement.bindparams(bindparam("objects", expanding=True)),
        {"evaluation": evaluation, "objects": objects},
    )
