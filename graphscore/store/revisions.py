"""Outdated evaluations: made under another revision of their metric.

What a metric's revision is now, only the library knows.  So it is compared when a store
is opened: for writing, what is found is kept, and any program that reads the database
sees it; for reading, nothing may be kept, and the views are shown anew over what was
found, for as long as the store is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event, select, update

from graphscore.store import schema
from graphscore.store.database import Database
from graphscore.store.integrity import checked
from graphscore.store.postgres import show_before
from graphscore.store.views import VIEWS

RevisionOf = Callable[[str], int | None]
"""The revision that a metric has now, by its canonical string; ``None`` if that cannot
be known, as of a file that is no longer there."""

OUTDATED = "outdated"
"""The status of such an evaluation."""

EVALUATED = tuple(name for name, text in VIEWS.items() if "from evaluation e" in text)
"""The views of evaluations."""


class Changed(NamedTuple):
    """Correction to the status of a stored revision."""

    metric: str
    revision: int
    """The one that evaluations were made under."""
    outdated: bool


def changes(connection: Connection, revision_of: RevisionOf) -> list[Changed]:
    """Evaluations that are outdated and not said to be, or the other way round.

    Args:
        connection: an open store.
        revision_of: the revision of a metric now.
    """
    table = schema.evaluation
    columns = (table.c.metric, table.c.revision, table.c.outdated)
    rows = connection.execute(select(*columns).distinct())
    result = []
    for metric, revision, outdated in checked(rows, columns):
        now = revision_of(metric)
        if now is not None and (now != revision) != bool(outdated):
            result.append(Changed(metric, revision, now != revision))
    return result


def mark(connection: Connection, changes: Iterable[Changed]) -> None:
    """Keep which evaluations are outdated.

    Args:
        connection: a writing connection; the caller commits.
        changes: what has changed.
    """
    table = schema.evaluation
    for changed in changes:
        connection.execute(
            update(table)
            .where(
                table.c.metric == changed.metric, table.c.revision == changed.revision
            )
            .values(outdated=changed.outdated)
        )


def mark_outdated(database: Database, revision_of: RevisionOf) -> None:
    """Look which evaluations are outdated, and keep it.

    Args:
        database: a store that is open for writing.
        revision_of: the revision of a metric now.
    """
    with database.reading() as connection:
        revisions = changes(connection, revision_of)
    if revisions:
        with database.writing() as connection:
            mark(connection, revisions)


def show(engine: Engine, changes: Iterable[Changed]) -> None:
    """Let the views of a store that is only read say which evaluations are outdated.

    Temporary views stand before those of the store.  Where a role of PostgreSQL may
    make none, the views say what was known when they were last opened for writing.

    Args:
        engine: an engine for the store; nothing of it is in use.
        changes: what has changed.
    """
    changed = list(changes)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        if engine.dialect.name == "postgresql":
            show_before(connection, lambda table: shown_before(changed, table))
            return
        connection.execute("pragma query_only = off")
        for statement in shown_before(changed, "main.evaluation"):
            connection.execute(statement)
        connection.execute("pragma query_only = on")

    engine.dispose()


def shown_before(changes: Iterable[Changed], table: str) -> list[str]:
    """The statements that put temporary views before those of a store.

    Args:
        changes: what has changed.
        table: the table of evaluations by its whole name.
    """
    views = (VIEWS[name].strip() for name in EVALUATED)
    temporary = [view.replace("create view", "create temp view", 1) for view in views]
    return [_evaluation(list(changes), table), *temporary]


def _evaluation(changes: list[Changed], table: str) -> str:
    """The table of evaluations, as it would be if it had been written to."""
    columns = [column.name for column in schema.evaluation.columns]
    cases = "".join(
        f" when (e.metric, e.revision) = ({_quoted(changed.metric)}, "
        f"{changed.revision:d})"
        f" then {str(changed.outdated).lower()}"
        for changed in changes
    )
    shown = ", ".join(
        f"case{cases} else e.outdated end as outdated"
        if name == OUTDATED
        else f"e.{name}"
        for name in columns
    )
    return f"create temp view evaluation as select {shown} from {table} e"


def _quoted(value: str) -> str:
    # SQL ends at a NUL character, which nothing keeps out of a damaged store.
    parts = [part.replace("'", "''") for part in value.split("\x00")]
    return "(" + " || char(0) || ".join(f"'{part}'" for part in parts) + ")"
