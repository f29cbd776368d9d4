"""``graphscore formats``."""

from __future__ import annotations

from typing import Any

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

    values = list_formats()
    rows = [
        (
            *(
                entry["name"],
                entry["title"],
                _abilities(entry),
                " ".join(entry["suffixes"]),
            ),
            " ".join(entry["frameworks"]) or "any",
        )
        for entry in values
    ]
    columns = ("name", "title", "can", "suffixes", "frameworks")
    output.show(
        rows=lambda: (columns, rows), lines=lambda: values, value=lambda: values
    )


def _abilities(listed: dict[str, Any]) -> str:
    return ", ".join(word for word in ("read", "write") if listed[word])
