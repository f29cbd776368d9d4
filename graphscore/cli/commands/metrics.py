"""``graphscore metrics``."""

from __future__ import annotations

import click

from graphscore.cli.command import Command
from graphscore.cli.options import output_options
from graphscore.cli.output import Output


@click.command("metrics", cls=Command)
@click.argument("name", required=False)
@output_options
def command(name: str | None, output: Output) -> None:
    """List metrics and their parameters.

    Examples:
      graphscore metrics
      graphscore metrics mrp
    """
    from graphscore.report.catalogue import list_metrics

    listed = list_metrics(name)
    output.show(
        tables=lambda _: listed.tables(),
        rows=listed.tabular,
        lines=lambda: listed,
        value=lambda: listed if name is None else listed[0],
    )
