"""Totals counted once, when an evaluation is made, so that slices are cheap later.

Where an evaluation takes the place of one that has most of its pairs, only the others
are counted: errors of the old ones are taken out of its totals, new ones are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Table, text

from graphscore.store import schema

SYSTEM_INDEX = "error_result_object_system_ix"
"""The index of what a system has too much, by its place."""


class Replaced(NamedTuple):
    """An evaluation that gives way to one that has most of its pairs."""

    evaluation: int
    """Its id."""
    gone: Sequence[int]
    """Places of its pairs that the new one does not have."""
    come: Sequence[int]
    """Places of the pairs that only the new one has."""


# From the counts of each result: a tenth of the rows that the errors have.
_COUNTS = """
select p.framework, p.document, c.tuple_type, c.error_type, {sign} * c.errors as errors
from pair p join error_count c on c.result = p.result
where {pairs}"""

# Symbols are numbered from 1; 0 stands for none, which a key needs.
_LABELS = """
select p.framework, x.tuple_type, x.error_type, coalesce(x.label, 0) as label,
  coalesce(x.name, 0) as name, coalesce(x.value, 0) as value, {sign} as errors
from pair p join error x on x.result = p.result
where {pairs}"""

_TUPLES = """
select framework, tuple_type, error_type, name, value, errors from error_label
where evaluation = {evaluation}"""

# The order of tables and the index are said to SQLite, which has no statistics: it
# would go through all errors of a pair for each one of them.  What begins the index is
# said too, though errors may be of whatever object.
_CONFUSIONS = """
select p.framework, p.document, x.tuple_type, coalesce(x.name, 0) as name,
  coalesce(x.value, 0) as gold, coalesce(y.value, 0) as system, {sign} as confusions
from pair p
join error x on x.result = p.result and x.error_type = 'missing'
  and x.gold is not null and x.system is not null
cross join error y{by}
where {pairs}
  and y.result = x.result and y.system = x.system and y.object in (
    select z.object from pair p join error z on z.result = p.result
    where z.error_type = 'spurious' and {pairs})
  and y.error_type = 'spurious' and y.error_type <> 'missing'
  and y.gold = x.gold and y.tuple_type = x.tuple_type
  and coalesce(y.name, 0) = coalesce(x.name, 0)"""


def write_totals(
    connection: Connection, evaluation: int, replaced: Replaced | None = None
) -> None:
    """Write how many errors an evaluation has of each tuple type, and of each tuple.

    Args:
        connection: a writing connection.
        evaluation: its id; its pairs and their results are there.
        replaced: the evaluation whose place it takes, which is there still.
    """
    counted = {1: f"p.evaluation = {evaluation:d}"}
    if replaced is not None:
        counted = {
            -1: _those(replaced.evaluation, replaced.gone),
            1: _those(evaluation, replaced.come),
        }
    by = f" indexed by {SYSTEM_INDEX}" if connection.dialect.name == "sqlite" else ""
    for table, rows in (
        (schema.error_total, _COUNTS),
        (schema.error_label, _LABELS),
        (schema.confusion, _CONFUSIONS),
    ):
        parts = [rows.format(sign=sign, pairs=counted[sign], by=by) for sign in counted]
        _fill(connection, table, evaluation, parts, replaced)
    tuples = _TUPLES.format(evaluation=evaluation)
    _fill(connection, schema.error_tuple, evaluation, [tuples])


def _those(evaluation: int, places: Sequence[int]) -> str:
    """The condition for pairs at some places of an evaluation."""
    listed = ", ".join(f"{place:d}" for place in places) or "null"
    return f"p.evaluation = {evaluation:d} and p.seq in ({listed})"


def _fill(
    connection: Connection,
    table: Table,
    evaluation: int,
    parts: Sequence[str],
    replaced: Replaced | None = None,
) -> None:
    """Add up numbers by all columns before them, with those that there were."""
    _, *key, number = table.columns.keys()
    columns = ", ".join(key)
    if replaced is not None:
        kept = f"where evaluation = {replaced.evaluation:d}"
        parts = [*parts, f"select {columns}, {number} from {table} {kept}"]
    statement = (
        f"insert into {table} (evaluation, {columns}, {number}) "
        f"select {evaluation:d}, {columns}, sum({number}) "
        f"from ({' union all '.join(parts)}) counted "
        f"group by {columns} having sum({number}) <> 0"
    )
    connection.execute(text(statement))
