"""``graphscore show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.operands import StoreOperands, one_system, opened, resolve
from graphscore.cli.options import (
    ReaderArguments,
    ScoringOptions,
    Sides,
    one_metric_options,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output, alone_or
from graphscore.cli.plots import HTML, SVG, ShowOptions, check_targets, place_output
from graphscore.exceptions import amount

if TYPE_CHECKING:
    from graphscore.model.graph import Graph


@click.command("show", cls=Command)
@click.argument("item")
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM | STORE"
)
@one_metric_options
@bundle("shown", ShowOptions)
@work_options
@sides_reading_options
@output_options
def command(
    item: str,
    operands: tuple[str, ...],
    sides: Sides,
    shown: ShowOptions,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Show one item, gold and system side by side.

    ITEM is the ID of an item, or of a document if the metric compares documents;
    'collection' selects everything, for metrics of whole collections such as
    neleval.

    With --explain, prints which objects were paired and what each pair scored: for
    a formula, a tree per tuple type with the pairs of each level; for any other
    metric, what matched, what is missing and what is spurious.  The totals follow.

    Examples:
      graphscore show 20003008 gold.mrp system.mrp --framework eds
      graphscore show 20003008 runs.db --gold gold --system peking
      graphscore show 20003008 gold.mrp system.mrp --html item.html
      graphscore show 20003008 gold.mrp system.mrp --explain -m smatch,mrp
    """
    from graphscore.report.explanation.explanation import COLUMNS
    from graphscore.report.explanation.lookup import explained
    from graphscore.report.item_view.sentences import compared_in_files
    from graphscore.report.item_view.stored import StoredItem, sides_of
    from graphscore.report.side_by_side import FLAT

    shown = place_output(shown, svg=SVG, html=HTML)
    metrics = sides.metrics("" if shown.explain else "show without --explain")
    target = resolve(operands, sides, reading, scoring, output)
    if len(target.systems) > 1:
        raise one_system("show", target)
    files = check_targets({"--svg": shown.svg, "--html": shown.html}, target)
    options = scoring.options(reading, details=True)
    names, among = (target.gold, target.systems[0]), (shown.framework, shown.layer)
    if shown.explain:
        both: tuple[str | list[Graph], str | list[Graph]] = names
        if isinstance(target, StoreOperands):
            both = sides_of(opened(target.store), *names, item, options)
        trees = explained(*both, item, metrics, options, *among)
        output.show(
            tables=lambda _: [
                with_table for tree in trees for with_table in tree.with_tables()
            ],
            rows=lambda: (COLUMNS, [row for tree in trees for row in tree.flat()]),
            lines=lambda: [tree.to_dict() for tree in trees],
            value=lambda: alone_or([tree.to_dict() for tree in trees]),
        )
        output.say_chosen((tree.metric, tree.because) for tree in trees)
        return
    if isinstance(target, StoreOperands):
        stored = StoredItem(opened(target.store), *names, item, options)
        chosen = stored.comparisons(metrics, *among)
    else:
        chosen, notes = compared_in_files(*names, item, metrics, options, *among)
        for note in notes:
            output.say(note)
    outcomes = [each for each, _ in chosen]
    shown.write(outcomes)
    if not files:
        output.show(
            tables=lambda width: [
                table
                for each in outcomes
                for table in each.tables(width, verbose=output.verbose)
            ],
            rows=lambda: (FLAT, [row for each in outcomes for row in each.flat()]),
            lines=lambda: [each.to_dict() for each in outcomes],
            value=lambda: alone_or([each.to_dict() for each in outcomes]),
        )
    for file in files.values():
        if file != "-":
            output.say(f"{file}: {amount(len(outcomes), 'picture')}")
    for note in filter(None, (each.note for each in outcomes)):
        output.say(note)
    output.say_chosen((each.metric, because) for each, because in chosen)
