"""``graphscore collections``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import Verb

COLUMNS = (
    "name",
    "graphs",
    "frameworks",
    "documents",
    "files",
    "rejected",
    "evaluations",
)


@click.command("collections", cls=Verb)
@click.argument("store")
@output_options
def command(store: str, output: Output) -> None:
    """List the collections of a store: graphs, frameworks, files, rejected records.

    Example:
      graphscore collections runs.db
    """
    from graphscore.store.maintenance import collections
    from graphscore.store.opening import open_store

    with (
        open_store(store, read_only=True) as database,
        database.reading() as connection,
    ):
        found = collections(connection)
    if output.shape in ("json", "jsonl"):
        values = [
            {
                "name": each.name,
                "graphs": sum(each.graphs.values()),
                "frameworks": dict(each.graphs),
                "documents": each.documents,
                "files": each.files,
                "rejected": each.rejected,
                "evaluations": each.evaluations,
                "created": each.created,
            }
            for each in found
        ]
        if output.shape == "json":
            output.value(values)
        else:
            output.lines(values)
        return
    rows = [
        (
            each.name,
            sum(each.graphs.values()),
            " ".join(f"{name}:{count}" for name, count in each.graphs.items()),
            each.documents,
            each.files,
            each.rejected,
            each.evaluations,
        )
        for each in found
    ]
    output.rows(COLUMNS, rows)
