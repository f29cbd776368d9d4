"""Units, errors and confusions across the systems of a task, counted when scoring.

A task is a gold collection, a metric and a scope.  For every unit and every error of a
task the store has the number of systems that make it, so that what all of them get
wrong need not be counted when it is asked for.  Two errors of different systems are the
same if they say the same of the same gold object, as in the view ``v_changes``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select, text

from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.write.rows import next_id

_UNITS = """
insert into unit_across
  (id, task, framework, language, document, item, layer, systems, wrong, errors)
select :first + row_number() over (order by own.seq), :task,
  own.framework, own.language, own.document, own.item, own.layer, :sign,
  case when own.errors > 0 then :sign else 0 end, :sign * own.errors
from (
  select p.seq, p.framework, p.language, p.document, p.item, p.layer,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result = p.result)
      as errors
  from pair p
  where p.evaluation = :evaluation and p.status <> 'spurious'{only}
) own
where true
on conflict (task, item, framework, language, layer) do update set
  document = excluded.document,
  systems = unit_across.systems + excluded.systems,
  wrong = unit_across.wrong + excluded.wrong,
  errors = unit_across.errors + excluded.errors"""

_ERRORS = """
insert into error_across
  (unit, tuple_type, error_type, object, gold, label, name, value,
  task, systems, errors, system)
select u.id, x.tuple_type, x.error_type, x.object, coalesce(x.gold, -1),
  coalesce(x.label, 0), coalesce(x.name, 0), coalesce(x.value, 0),
  u.task, :sign, :sign * count(*), :sign * e.system
from pair p
join evaluation e on e.id = p.evaluation
join unit_across u on u.task = :task and u.item = p.item
  and u.framework = p.framework and u.language = p.language and u.layer = p.layer
join error x on x.result = p.result
where p.evaluation = :evaluation{only}
group by u.id, x.tuple_type, x.error_type, x.object, coalesce(x.gold, -1),
  coalesce(x.label, 0), coalesce(x.name, 0), coalesce(x.value, 0), u.task,
  e.system
on conflict (unit, tuple_type, error_type, object, gold, label, name, value)
do update set
  systems = error_across.systems + excluded.systems,
  errors = error_across.errors + excluded.errors,
  system = error_across.system + excluded.system"""

_CONFUSIONS = """
insert into confusion_across
  (task, tuple_type, name, gold, system, systems, confusions)
select :task, c.tuple_type, c.name, c.gold, c.system,
  :sign, :sign * sum(c.confusions)
from confusion c
where c.evaluation = :evaluation
group by c.tuple_type, c.name, c.gold, c.system
on conflict (task, tuple_type, name, gold, system) do update set
  systems = confusion_across.systems + excluded.systems,
  confusions = confusion_across.confusions + excluded.confusions"""


Places = Sequence[int] | None
"""Places of some pairs of an evaluation; ``None`` for all."""


def find_task(connection: Connection, evaluation: int, create: bool = False) -> int:
    """Return the id of the task of an evaluation; 0 if there is none.

    Args:
        connection: an open store; a writing one to create it.
        evaluation: id of the evaluation.
        create: whether a task is made where there is none.
    """
    table, made = schema.task, schema.evaluation
    key = (made.c.gold, made.c.metric, made.c.scope)
    rows = connection.execute(select(*key).where(made.c.id == evaluation))
    for gold, metric, scope in checked(rows, key):
        number = connection.execute(
            select(table.c.id).where(
                table.c.gold == gold, table.c.metric == metric, table.c.scope == scope
            )
        ).scalar()
        if number is None and create:
            number = next_id(connection, table)
            cells = {"id": number, "gold": gold, "metric": metric, "scope": scope}
            connection.execute(insert(table), cells)
        return number or 0
    return 0


def add_across(connection: Connection, evaluation: int, places: Places = None) -> None:
    """Count what a new evaluation has among what its task has.

    Args:
        connection: a writing connection.
        evaluation: its id; its pairs and their results are there.
        places: which of its pairs are counted; the others are already.
    """
    task = find_task(connection, evaluation, create=True)
    _count(connection, evaluation, task, 1, places)


def _count(
    connection: Connection, evaluation: int, task: int, sign: int, places: Places = None
) -> None:
    given: dict[str, Any] = {"evaluation": evaluation, "task": task, "sign": sign}
    first = {"first": next_id(connection, schema.unit_across) - 1}
    if places is None or places:
        only = ""
        if places is not None:
            only = f" and p.seq in ({', '.join(f'{place:d}' for place in places)})"
        connection.execute(text(_UNITS.format(only=only)), given | first)
        connection.execute(text(_ERRORS.format(only=only)), given)
    connection.execute(text(_CONFUSIONS), given)


def delete_evaluations(
    connection: Connection,
    chosen: ColumnElement[bool],
    gone: Iterable[int] = (),
    places: Places = None,
) -> int:
    """Delete evaluations, and take what they have out of the counts of their tasks.

    Args:
        connection: a writing connection; the caller commits.
        chosen: condition for rows of ``evaluation``.
        gone: ids of gold collections that are deleted too, with all of their tasks.
        places: which pairs of them are taken out; the others are counted for an
            evaluation that follows.

    Returns:
        The number of evaluations.
    """
    table = schema.evaluation
    columns = (table.c.id, table.c.gold)
    rows = checked(connection.execute(select(*columns).where(chosen)), columns)
    skipped, tasks = {*gone}, set[int]()
    for evaluation, gold in rows:
        if gold not in skipped and (task := find_task(connection, evaluation)):
            _count(connection, evaluation, task, -1, places)
            tasks.add(task)
    for task in tasks:
        for across in (
            schema.error_across,
            schema.unit_across,
            schema.confusion_across,
        ):
            none = (across.c.task == task) & (across.c.systems <= 0)
            connection.execute(delete(across).where(none))
    deleted: int = connection.execute(delete(table).where(chosen)).rowcount
    return deleted
