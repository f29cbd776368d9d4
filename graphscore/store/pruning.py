"""Taking out of a store what nothing needs: what that is, and making it smaller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    false,
    func,
    or_,
    select,
    text,
)

from graphscore.store import schema
from graphscore.store.damage import checked
from graphscore.store.database import Database, file_of
from graphscore.store.failures import guarded
from graphscore.store.maintenance import unused_texts
from graphscore.store.revisions import RevisionOf, mark_outdated
from graphscore.store.sizes import size_of, total_bytes
from graphscore.store.writing.rows import SQL_VALUES, batched


class Choice(NamedTuple):
    """What is taken out beside what is outdated."""

    stale: bool = False
    """Evaluations whose collections have changed since."""
    results: bool = False
    """Results that no evaluation uses, though they would serve again."""
    collections: bool = False
    """Collections that no evaluation uses."""


OUTDATED = Choice()
"""Nothing beside what is outdated."""


class Pruned(NamedTuple):
    """What went away, or would go away."""

    evaluations: int
    results: int
    """Results of pairs, of evaluations that went and of none."""
    errors: int
    """Rows of errors that these results had."""
    bytes: int | None
    """By how much the store is smaller; what it would be is an estimate, ``None``
    where the database does not tell what tables take."""
    collections: tuple[str, ...] = ()
    """Names of those that no evaluation used."""
    graphs: int = 0
    """Graphs that these held."""
    texts: int = 0
    """Texts that no graph has any more."""

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to take out."""
        return not any(self._replace(bytes=0))


class _Going(NamedTuple):
    """What is to go, as conditions on tables."""

    evaluations: list[int]
    results: ColumnElement[bool]
    metrics: list[int]
    """Revisions of metrics that are no longer the present ones."""
    collections: dict[int, str]


def prune(
    database: Database, revision_of: RevisionOf, choice: Choice = OUTDATED
) -> Pruned:
    """Take out evaluations and results of other revisions than metrics have now.

    Results that no evaluation uses and that are not outdated stay unless chosen:
    they serve again.  Everything goes in one transaction; then the database is asked
    to give space back.

    Args:
        database: a store that is open for writing.
        revision_of: the revision of a metric now.
        choice: what else is taken out.

    Returns:
        What went away.
    """
    mark_outdated(database, revision_of)
    with database.reading() as connection:
        before = _held(connection)
    with database.writing() as connection:
        going = _find(connection, revision_of, choice)
        found = _counted(connection, going)
        _delete(connection, going)
    if found.nothing:
        return found._replace(bytes=0)
    _compact(database)
    with database.reading() as connection:
        return found._replace(bytes=max(before - _held(connection), 0))


def prunable(
    connection: Connection, revision_of: RevisionOf, choice: Choice = OUTDATED
) -> Pruned:
    """What :func:`prune` would take out; nothing is written.

    Args:
        connection: an open store, perhaps for reading only.
        revision_of: the revision of a metric now.
        choice: what else would be taken out.
    """
    going = _find(connection, revision_of, choice)
    found = _counted(connection, going)
    if found.nothing:
        return found._replace(bytes=0)
    size = size_of(connection)
    taken = 0.0
    for table, rows in _rows_of(connection, going):
        [known] = [each for each in size.tables if each.table == table.name]
        if rows and known.bytes is None:
            return found
        taken += rows and (known.bytes or 0) * rows / known.rows
    return found._replace(bytes=round(taken) + size.free)


def unused_collections(connection: Connection) -> dict[int, str]:
    """Collections that no evaluation uses, by their ids.

    Args:
        connection: an open store.
    """
    table, evaluation = schema.collection, schema.evaluation
    uses = or_(evaluation.c.gold == table.c.id, evaluation.c.system == table.c.id)
    columns = (table.c.id, table.c.name)
    rows = connection.execute(
        select(*columns)
        .where(~select(evaluation.c.id).where(uses).exists())
        .order_by(table.c.id)
    )
    return dict(checked(rows, columns))


def unused_results(connection: Connection) -> int:
    """How many results no evaluation uses.

    Args:
        connection: an open store.
    """
    result, pair = schema.result, schema.pair
    used = select(pair.c.seq).where(pair.c.result == result.c.id).exists()
    counted = select(func.count()).select_from(result).where(~used)
    return connection.execute(counted).scalar_one()


def _held(connection: Connection) -> int:
    """Bytes of a store that outlasts the process; 0 of one in memory."""
    engine = connection.engine
    lasts = engine.dialect.name != "sqlite" or file_of(engine)
    return total_bytes(connection) if lasts else 0


def _find(connection: Connection, revision_of: RevisionOf, choice: Choice) -> _Going:
    evaluation, metric = schema.evaluation, schema.metric
    result, pair = schema.result, schema.pair
    stale = evaluation.c.status == "stale" if choice.stale else false()
    found = connection.execute(
        select(evaluation.c.id).where(or_(evaluation.c.outdated, stale))
    )
    evaluations = [number for [number] in checked(found, [evaluation.c.id])]
    old = [
        number
        for number, name, revision in checked(
            connection.execute(select(metric)), tuple(metric.c)
        )
        if revision_of(name) not in (None, revision)
    ]
    # What an evaluation that stays uses may belong to one whose metric was not
    # evaluated anew under its name: never delete below somebody's feet.
    used = select(pair.c.seq).where(
        pair.c.result == result.c.id, pair.c.evaluation.not_in(evaluations)
    )
    which = result.c.id.is_not(None) if choice.results else result.c.metric.in_(old)
    results = and_(which, ~used.exists())
    collections = unused_collections(connection) if choice.collections else {}
    return _Going(evaluations, results, old, collections)


def _counted(connection: Connection, going: _Going) -> Pruned:
    counted, graph = schema.error_count, schema.graph
    gone = select(schema.result.c.id).where(going.results)
    errors = select(func.coalesce(func.sum(counted.c.errors), 0)).where(
        counted.c.result.in_(gone)
    )
    results = select(func.count()).select_from(gone.subquery())
    held = select(func.count(graph.c.id)).where(
        graph.c.collection.in_([*going.collections])
    )
    return Pruned(
        len(going.evaluations),
        connection.execute(results).scalar_one(),
        connection.execute(errors).scalar_one(),
        None,
        tuple(going.collections.values()),
        connection.execute(held).scalar_one(),
        connection.execute(_texts_of(going)).scalar_one(),
    )


def _rows_of(connection: Connection, going: _Going) -> Iterator[tuple[Table, int]]:
    """How many rows of each table are to go."""
    result, graph = schema.result, schema.graph
    of = {
        "evaluation": select(schema.evaluation.c.id).where(
            schema.evaluation.c.id.in_(going.evaluations)
        ),
        "result": select(result.c.id).where(going.results),
        "graph": select(graph.c.id).where(graph.c.collection.in_([*going.collections])),
    }
    for table in schema.metadata.tables.values():
        counted = select(func.count()).select_from(table)
        owner = next((x for x in table.primary_key.columns if x.name in of), None)
        if table.name in of:
            counted = counted.where(table.c.id.in_(of[table.name]))
        elif table is schema.text:
            counted = _texts_of(going)
        elif owner is not None:
            counted = counted.where(owner.in_(of[owner.name]))
        else:
            continue
        yield table, connection.execute(counted).scalar_one()


def _texts_of(going: _Going) -> Select[int]:
    """Counts the texts that no graph has that stays."""
    graph, kept = schema.graph, schema.text.c.digest
    stays = graph.c.collection.not_in([*going.collections])
    left = select(graph.c.text).where(graph.c.text.is_not(None), stays)
    gone = select(kept).except_(left).subquery()
    return select(func.count()).select_from(gone)


def _delete(connection: Connection, going: _Going) -> None:
    evaluation, result, metric = schema.evaluation, schema.result, schema.metric
    for chunk in batched(going.evaluations, SQL_VALUES):
        connection.execute(delete(evaluation).where(evaluation.c.id.in_(chunk)))
    connection.execute(delete(result).where(going.results))
    left = select(result.c.id).where(result.c.metric == metric.c.id).exists()
    for number in going.metrics:
        connection.execute(delete(metric).where(metric.c.id == number, ~left))
    graph, collection = schema.graph, schema.collection
    for number in going.collections:
        connection.execute(delete(graph).where(graph.c.collection == number))
        connection.execute(delete(collection).where(collection.c.id == number))
    connection.execute(delete(schema.text).where(unused_texts()))


def _compact(database: Database) -> None:
    """Give back what the store no longer needs.

    SQLite writes its file anew.  PostgreSQL marks the space as free, without keeping
    anybody out, and looks at its statistics anew; what is at the end of a table goes
    back to the system.
    """
    with guarded(database.name):
        if database.engine.dialect.name == "postgresql":
            _vacuum(database, list(schema.metadata.tables))
            return
        with closing(database.engine.raw_connection()) as raw:
            # Outside of a transaction, as SQLite wants it.
            raw.driver_connection.execute("vacuum")  # type: ignore[union-attr]
            raw.driver_connection.execute("pragma wal_checkpoint(truncate)")  # type: ignore[union-attr]


def _vacuum(database: Database, tables: Sequence[str]) -> None:
    quote = database.engine.dialect.identifier_preparer.quote
    names = ", ".join(map(quote, tables))
    alone = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        connection.execute(text(f"vacuum (analyze, skip_locked) {names}"))
