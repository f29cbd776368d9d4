"""What a store is made of, and what of it nothing needs."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from graphscore.rows import Rows, Tabular
from graphscore.store import schema
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.maintenance import CollectionSummary, collections
from graphscore.store.pruning import Pruned, prunable, unused_results
from graphscore.store.revisions import RevisionOf
from graphscore.store.sizes import Size, size_of

STATES = ("done", "stale", "outdated")
"""What may have become of an evaluation."""


@dataclass(frozen=True)
class Status(Rows):
    """What is in a store, what it takes, and what of it nothing needs.

    Attributes:
        store: the store as its user named it, without a password.
        database: which one it is, and its version.
        schema: revision of the layout of its tables.
        version: of the library that looks.
        size: rows and bytes by table, bytes in all, bytes that are free.
        collections: in the order in which they were made.
        evaluations: oldest first.
        revisions: of each metric, the one that it has now; ``None`` if unknown.
        unused: collections that no evaluation uses, by name.
        unused_results: results that no evaluation uses; they may serve again.
        prunable: what ``prune`` would take out.
        last_ingest: when a file was last read that is still there, in UTC.
        last_score: when the youngest evaluation was made, in UTC.
    """

    store: str
    database: str
    schema: str
    version: str
    size: Size
    collections: tuple[CollectionSummary, ...]
    evaluations: tuple[Evaluation, ...]
    revisions: dict[str, int | None]
    unused: tuple[str, ...]
    unused_results: int
    prunable: Pruned
    last_ingest: str | None
    last_score: str | None

    def in_state(self, state: str) -> list[Evaluation]:
        """The evaluations of which that has become.

        Args:
            state: ``done``, ``stale`` or ``outdated``.
        """
        return [each for each in self.evaluations if each.status == state]

    def tabular(self) -> Tabular:
        """A row per table."""
        return Tabular(("table", "rows", "bytes"), self.size.tables)

    def flat(self) -> dict[str, float]:
        """Numbers by name: ``bytes``, ``rows/TABLE``, ``evaluations/stale``..."""
        found: dict[str, float] = {
            "bytes": self.size.bytes,
            "free": self.size.free,
            "collections": len(self.collections),
            "unused/collections": len(self.unused),
            "unused/results": self.unused_results,
        }
        for state in STATES:
            found[f"evaluations/{state}"] = len(self.in_state(state))
        for table in self.size.tables:
            found[f"rows/{table.table}"] = table.rows
            if table.bytes is not None:
                found[f"bytes/{table.table}"] = table.bytes
        return {name: float(number) for name, number in found.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "store": self.store,
            "database": self.database,
            "schema": self.schema,
            "version": self.version,
            "bytes": self.size.bytes,
            "free": self.size.free,
            "tables": self.to_dicts(),
            "collections": [
                {
                    "name": each.name,
                    "graphs": sum(each.graphs.values()),
                    "files": each.files,
                    "rejected": each.rejected,
                    "evaluations": each.evaluations,
                    "created": each.created,
                }
                for each in self.collections
            ],
            "evaluations": {
                state: [self._made(each) for each in self.in_state(state)]
                for state in STATES
            },
            "unused": {
                "collections": [*self.unused],
                "results": self.unused_results,
            },
            "prunable": {
                name: getattr(self.prunable, name)
                for name in ("evaluations", "results", "errors", "texts", "bytes")
            },
            "last_ingest": self.last_ingest,
            "last_score": self.last_score,
        }

    def _made(self, each: Evaluation) -> dict[str, Any]:
        return {
            "gold": each.gold,
            "system": each.system,
            "metric": each.metric,
            "revision": each.revision,
            "now": self.revisions[each.metric],
            "created": each.created,
        }


def status(
    connection: Connection, store: str, version: str, revision_of: RevisionOf
) -> Status:
    """Look through a store; nothing is written.

    Args:
        connection: an open store, perhaps for reading only.
        store: its name.
        version: of the library.
        revision_of: the revision of a metric now.
    """
    held = tuple(collections(connection))
    made = tuple(find_evaluations(connection))
    read = select(func.max(schema.ingest.c.created))
    return Status(
        store=store,
        database=_database(connection),
        schema=schema.HEAD,
        version=version,
        size=size_of(connection),
        collections=held,
        evaluations=made,
        revisions={name: revision_of(name) for name in {x.metric for x in made}},
        unused=tuple(each.name for each in held if not each.evaluations),
        unused_results=unused_results(connection),
        prunable=prunable(connection, revision_of),
        last_ingest=connection.execute(read).scalar(),
        last_score=max((each.created for each in made), default=None),
    )


def _database(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        found = connection.exec_driver_sql("show server_version").scalar_one()
        return f"PostgreSQL {str(found).split()[0]}"
    return f"SQLite {sqlite3.sqlite_version}"
