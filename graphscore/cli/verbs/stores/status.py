"""``graphscore status``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("status", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """Say what a store takes, and what of it nothing needs; it is only read.

    Rows and bytes by table, collections, evaluations that are done, stale (graphs
    have come, gone or changed since) or outdated (the metric has another revision by
    now), and what prune would free.

    Examples:
      graphscore status runs.db
      graphscore status runs.db --json
    """
    from graphscore.evaluation.stored import Store

    with Store(store) as opened:
        found = opened.status()
    for each in output.audiences():
        if each.shape == "json":
            each.value(found.to_dict())
        elif each.shape == "table":
            from graphscore.report.stores.status import status_tables

            each.tables(status_tables(found))
        else:
            each.rows(*found.tabular())
