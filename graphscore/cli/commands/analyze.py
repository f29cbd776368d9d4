"""``graphscore analyze``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.command import FILE, Command, OneOf
from graphscore.cli.operands import names_store, open_store
from graphscore.cli.options import ReaderArguments, output_options, reading_options
from graphscore.cli.output import Output
from graphscore.cli.scoring import BAD_INPUT
from graphscore.exceptions import UsageError

if TYPE_CHECKING:
    from graphscore.analysis import Inverted


@click.command("analyze", cls=Command)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="FILE... | STORE"
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="Select a collection of a store (repeatable).",
)
@click.option(
    "--by",
    type=OneOf(["framework", "collection"]),
    default="framework",
    show_default=True,
    help="Give columns to frameworks, or also to collections.",
)
@click.option(
    "--framework",
    "frameworks",
    multiple=True,
    metavar="NAME",
    help="Include only this framework (repeatable).",
)
@click.option(
    "--inverted",
    type=OneOf(["keep", "turn"]),
    default="keep",
    show_default=True,
    help="Keep inverted edges, or turn them to base direction.",
)
@reading_options
@output_options
def command(
    operands: tuple[str, ...],
    collections: tuple[str, ...],
    by: str,
    frameworks: tuple[str, ...],
    inverted: Inverted,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Compute graph statistics by framework.

    Computes the statistics of Kuhlmann and Oepen (2016) as mtool's analyzer does,
    C-X and R-X of semantic roles, tuples by type, and special cases.  All files are
    one collection, unless --by collection gives each a column.  Records that cannot
    be read are reported and skipped; the exit code is then 3.

    Examples:
      graphscore analyze gold.mrp
      graphscore analyze "ucca/*.xml" --json
      graphscore analyze gold.conllu system.conllu --by collection --table
      graphscore analyze runs.db --collection gold --framework amr --inverted turn
    """
    from graphscore.analysis.collection import Collections
    from graphscore.formats.converting import Inputs
    from graphscore.formats.source import written_out
    from graphscore.report.analysis import (
        analysis_tables,
        described,
        flat_statistics,
    )

    names = [*dict.fromkeys(collections)]
    how = "one of its collections with --collection"
    columns = Collections(frozenset(frameworks), inverted, by == "collection")
    if is_stored := names_store(operands, reading, bool(names), how):
        store = open_store(operands[0], output=output)
        if not names:
            holdings = store.describe_holdings()
            raise UsageError(f"{operands[0]} is a store: name {how}; {holdings}")
        for number, name in enumerate(names):
            for graph in store.graphs(name):
                columns.add(number, graph)
    files = Inputs(() if is_stored else operands, reading.reading(), output.say)
    for number, graph in files.graphs():
        columns.add(number, graph)
    output.list_problems(files.problems)
    for line in files.notes.lines(", ".join(operands)):
        output.say(line)
    statistics = columns.named(names or [*map(written_out, operands)])
    if not statistics:
        output.say("no graphs")
    output.show(
        tables=lambda _: analysis_tables(statistics),
        rows=lambda: flat_statistics(statistics),
        lines=lambda: described(statistics),
        value=lambda: {
            "operands": [*map(written_out, operands)],
            "collection": names[0] if len(names) == 1 else names or None,
            "inverted": inverted,
            "rejected": files.rejected,
            "frameworks": described(statistics),
        },
    )
    if files.rejected:
        click.get_current_context().exit(BAD_INPUT)
