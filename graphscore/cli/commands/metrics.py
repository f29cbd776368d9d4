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
    from graphscore.metrics.registry import metrics, parse
    from graphscore.report.catalogue import (
        COLUMNS,
        described,
        metric_row,
        metric_tables,
    )

    chosen = metrics() if name is None else {name: parse(name)}
    listed = [
        described(metric() if isinstance(metric, type) else metric)
        for metric in chosen.values()
    ]
    output.show(
        tables=lambda _: metric_tables(listed, name is not None),
        rows=lambda: (COLUMNS, map(metric_row, listed)),
        lines=lambda: listed,
        value=lambda: listed if name is None else listed[0],
    )
