"""``graphscore ingest``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.options import (
    ReaderArguments,
    output_options,
    reading_options,
    wait_option,
)
from graphscore.cli.output import Output
from graphscore.cli.progress import progress


@click.command("ingest", cls=Command)
@click.argument("store", type=FILE)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--as",
    "collection",
    default="{stem}",
    show_default=True,
    metavar="NAME",
    help="Name of the collection; {stem} and {parent} are of each file.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace graphs of the same items, and earlier versions of the files.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Skip malformed records.",
)
@wait_option
@reading_options
@output_options
def command(
    store: str,
    files: tuple[str, ...],
    collection: str,
    replace: bool,
    keep_going: bool,
    wait: float,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Load files into a store.

    FILE is a file (plain, .gz, .bz2, .xz, .zip), a directory, a quoted pattern or
    - for standard input.  A file goes in as a whole or not at all; the same file
    again changes nothing.

    Examples:
      graphscore ingest runs.db wsj.mrp --as gold
      graphscore ingest runs.db "peking/*.mrp" --as peking --keep-going
      graphscore ingest runs.db systems/*.mrp
      graphscore ingest runs.db systems/*/run1.mrp --as {parent}
    """
    from graphscore.evaluation.store import Store
    from graphscore.store.write.ingestion import COLUMNS

    with (
        Store(store, mode="create", say=output.say, wait=wait) as opened,
        progress(output, f"reading into {collection}") as update,
    ):
        reports = opened.ingest(
            files,
            collection,
            reading=reading.reading(),
            replace=replace,
            keep_going=keep_going,
            progress=update,
        )
    for report in reports:
        output.say(f"{report.path}: {report.state}")
        output.list_problems(report.left_out)
        for note in report.notes:
            output.say(note)
    output.show(
        rows=lambda: (COLUMNS, [report.flat() for report in reports]),
        value=lambda: [report.to_dict() for report in reports],
    )
