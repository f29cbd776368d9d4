"""``graphscore ingest``."""

from __future__ import annotations

from typing import Any

import click

from graphscore.cli.options import (
    ReadingOptions,
    output_options,
    reading_options,
    wait_option,
)
from graphscore.cli.output import Output, progress
from graphscore.cli.verb import FILE, Verb

COLUMNS = ("file", "collection", "graphs", "frameworks", "rejected", "state")


@click.command("ingest", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--as", "collection", required=True, metavar="NAME", help="Name of the collection."
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace graphs of the same items, and earlier versions of the files.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Keep the good records of a file that has bad ones.",
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
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Read files into a collection of a store, which is made if there is none.

    FILE is a file (plain, .gz, .bz2, .xz, .zip), a directory, a quoted pattern or
    - for standard input.  A file goes in as a whole or not at all; the same file
    again changes nothing.

    Examples:
      graphscore ingest runs.db wsj.mrp --as gold
      graphscore ingest runs.db "peking/*.mrp" --as peking --keep-going
    """
    from graphscore.evaluation.stored import Store

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
        output.say(f"{report.path}: {_state(report)}")
        output.list_problems(report.left_out)
        for note in report.notes:
            output.say(note)
    for each in output.audiences():
        if each.shape == "json":
            each.value([_as_dict(report) for report in reports])
        else:
            each.rows(COLUMNS, [_as_row(report) for report in reports])


def _state(report: Any) -> str:
    if report.unchanged:
        return f"is in {report.collection} already, nothing changed"
    parts = [f"{report.graphs} graphs into {report.collection}"]
    for count, what in (
        (report.replaced, "replaced"),
        (report.removed, "removed"),
        (report.numbered, "without an id of their own, numbered on"),
        (report.rejected, "bad records left out"),
        (len(report.left_out), "bad parts of records left out"),
    ):
        if count:
            parts.append(f"{count} {what}")
    return ", ".join(parts)


def _as_row(report: Any) -> tuple[Any, ...]:
    graphs = sorted(report.frameworks.items())
    frameworks = " ".join(f"{name}:{count}" for name, count in graphs)
    state = "unchanged" if report.unchanged else "new"
    if report.replaced or report.removed:
        state = "replaced"
    return (
        report.path,
        report.collection,
        report.graphs,
        frameworks,
        report.rejected,
        state,
    )


def _as_dict(report: Any) -> dict[str, Any]:
    return {
        "file": report.path,
        "collection": report.collection,
        "graphs": report.graphs,
        "frameworks": dict(sorted(report.frameworks.items())),
        "rejected": report.rejected,
        "replaced": report.replaced,
        "removed": report.removed,
        "numbered": report.numbered,
        "unchanged": report.unchanged,
    }
