"""``graphscore collections``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphscore.store.evaluations import Evaluation
    from graphscore.store.maintenance import CollectionSummary

COLUMNS = (
    "name",
    "graphs",
    "frameworks",
    "documents",
    "files",
    "rejected",
    "evaluations",
    "outdated",
    "revision",
)


@click.command("collections", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """List the collections of a store: graphs, frameworks, files, rejected records.

    Of systems also what they were scored with: METRIC:REVISION, and which revision
    the metric has now where that evaluation is outdated.

    Example:
      graphscore collections runs.db
    """
    from graphscore.metrics.revisions import current_revision
    from graphscore.store.maintenance import collections
    from graphscore.store.opening import open_store

    with (
        open_store(store, read_only=True, revision_of=current_revision) as database,
        database.reading() as connection,
    ):
        found = collections(connection)
    for each in output.audiences():
        _print(found, each)


def _print(found: Sequence[CollectionSummary], output: Output) -> None:
    from graphscore.metrics.revisions import current_revision

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
                "outdated": each.outdated,
                "revision": [
                    {
                        "gold": made.gold,
                        "metric": made.metric,
                        "revision": made.revision,
                        "now": current_revision(made.metric),
                        "status": made.status,
                    }
                    for made in each.scored
                ],
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
            each.outdated,
            " ".join(dict.fromkeys(map(_revision, each.scored))),
        )
        for each in found
    ]
    output.rows(COLUMNS, rows)


def _revision(made: Evaluation) -> str:
    """What was scored with, and what that is now if it is another."""
    from graphscore.metrics.revisions import current_revision

    shown = f"{made.metric}:{made.revision}"
    if made.status == "outdated":
        shown += f"(now {current_revision(made.metric)})"
    return shown
