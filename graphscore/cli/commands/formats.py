"""``graphscore formats``."""

from __future__ import annotations

import click

from graphscore.cli.command import Command
from graphscore.cli.options import output_options
from graphscore.cli.output import Output


@click.command("formats", cls=Command)
@output_options
def command(output: Output) -> None:
    """List file formats.

    Example:
      graphscore formats
    """
    from graphscore.report.catalogue import list_formats

    listed = list_formats()
    output.show(rows=listed.tabular, lines=lambda: listed, value=lambda: listed)
