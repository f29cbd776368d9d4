"""``graphscore copy``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output, progress
from graphscore.cli.verb import FILE, Verb

if TYPE_CHECKING:
    from graphscore.store.transfer.collections import CopiedCollection
    from graphscore.store.transfer.evaluations import CopiedEvaluation


@click.command("copy", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("target", type=FILE)
@click.option(
    "--collection",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="A collection to copy; repeatable.  All without it.",
)
@click.option(
    "--as", "rename", metavar="NAME", help="What the only collection is called there."
)
@click.option(
    "--evaluations/--no-evaluations",
    default=True,
    show_default=True,
    help="Whether evaluations between the collections go along.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace graphs of the same items, earlier versions of files, and "
    "evaluations.",
)
@output_options
def command(
    store: str,
    target: str,
    chosen: tuple[str, ...],
    rename: str | None,
    evaluations: bool,
    replace: bool,
    output: Output,
) -> None:
    """Copy collections of a store into another store, which is made if there is none.

    Their evaluations go along, with results, correspondences and errors: scoring
    again there computes nothing.  Both may be files or databases on PostgreSQL.
    What is there already is not copied again; items that are there from another
    file are an error, unless they are replaced.

    Examples:
      graphscore copy runs.db postgresql://me@host/runs
      graphscore copy runs.db small.db --collection gold --collection peking
      graphscore copy runs.db other.db --collection gold --as gold-2024
    """
    from graphscore.evaluation.stored import Store

    with (
        Store(store) as opened,
        progress(output, f"copying to {target}") as update,
    ):
        done = opened.copy(
            target,
            chosen,
            evaluations=evaluations,
            rename=rename,
            replace=replace,
            progress=update,
            say=output.say,
        )
    for one in done.collections:
        output.say(_collection(one))
    for other in done.evaluations:
        output.say(_evaluation(other))
    for each in output.audiences():
        if each.shape == "json":
            each.value(done.to_dict())
        else:
            each.rows(*done.tabular())


def _collection(one: CopiedCollection) -> str:
    from graphscore.errors import amount

    if not one.files:
        return f"{one.name}: is there already, nothing changed"
    parts = [f"{one.name}: {amount(one.graphs, 'graph')} copied"]
    for number, what in (
        (one.replaced, "replaced"),
        (one.rejected, "records that could not be read"),
        (one.unchanged, "files there already"),
    ):
        if number:
            parts.append(f"{number} {what}")
    return ", ".join(parts)


def _evaluation(one: CopiedEvaluation) -> str:
    from graphscore.errors import amount

    said = f"{one.metric} of {one.system} against {one.gold}: "
    if one.fate == "unchanged":
        return f"{said}is there already, nothing changed"
    said += f"{amount(one.results, 'result')} with {amount(one.errors, 'error')} copied"
    if one.fate == "kept":
        return f"{said}; the evaluation that is there stays, which is {one.status}"
    return said if one.status == "done" else f"{said}, {one.status}"
