"""``graphscore formats``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.command import Command
from graphscore.cli.options import output_options
from graphscore.cli.output import Output

if TYPE_CHECKING:
    from graphscore.formats import Format


@click.command("formats", cls=Command)
@output_options
def command(output: Output) -> None:
    """List file formats.

    Example:
      graphscore formats
    """
    from graphscore.formats import formats

    listed = [*formats().values()]
    values = [
        {
            "name": each.name,
            "title": each.title,
            "read": each.read is not None,
            "write": bool(each.write or each.files),
            "suffixes": list(each.suffixes),
            "frameworks": list(each.frameworks),
        }
        for each in listed
    ]
    rows = [
        (
            *(each.name, each.title, _abilities(each), " ".join(each.suffixes)),
            " ".join(each.frameworks) or "any",
        )
        for each in listed
    ]
    columns = ("name", "title", "can", "suffixes", "frameworks")
    output.show(
        rows=lambda: (columns, rows), lines=lambda: values, value=lambda: values
    )


def _abilities(each: Format) -> str:
    able = (("read", each.read), ("write", each.write or each.files))
    return ", ".join(word for word, function in able if function is not None)
