"""``graphscore show``."""

from __future__ import annotations

from typing import Any

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.operands import one_system, open_store, resolve
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


@click.command("show", cls=Command)
@click.argument("item")
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
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
    neleval.  Of several systems only what differs is shown of each; -v shows all.

    With --explain, prints which objects were paired and what each pair scored: for
    a formula, a tree per tuple type with the pairs of each level; for any other
    metric, what matched, what is missing and what is spurious.  The totals follow.

    Examples:
      graphscore show 20003008 gold.mrp system.mrp --framework eds
      graphscore show 20003008 runs.db --gold gold --system peking
      graphscore show 20003008 gold.mrp one.mrp two.mrp -m smatch
      graphscore show 20003008 gold.mrp system.mrp --html item.html
      graphscore show 20003008 gold.mrp system.mrp --explain -m smatch,mrp
    """
    from graphscore.report.explanation.explanation import COLUMNS
    from graphscore.report.explanation.lookup import explained
    from graphscore.report.item_view.stored import sides_of
    from graphscore.report.item_view.systems import (
        items_of,
        rows_of,
        tables_of,
        values_of,
    )

    shown = place_output(shown, svg=SVG, html=HTML)
    metrics = sides.metrics("" if shown.explain else "show without --explain")
    target = resolve(operands, sides, reading, scoring, output)
    files = check_targets({"--svg": shown.svg, "--html": shown.html}, target)
    if len(target.systems) > 1 and (files or shown.explain):
        raise one_system("show --explain" if shown.explain else "a picture", target)
    options = scoring.options(reading, details=True)
    among = shown.framework, shown.layer
    if shown.explain:
        both: tuple[Any, Any] = (target.gold, target.systems[0])
        if target.store:
            both = sides_of(open_store(target.store), *both, item, options)
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
    store = None
    if target.store:
        store = open_store(target.store)
    names = target.gold, target.systems
    items, notes = items_of(*names, item, metrics, options, *among, store=store)
    comparisons = [view.comparison for view in items]
    shown.write(comparisons)
    if not files:
        output.show(
            tables=lambda width: tables_of(items, width, verbose=output.verbose),
            rows=lambda: rows_of(items),
            lines=lambda: values_of(items),
            value=lambda: alone_or(values_of(items)),
        )
    for file in files.values():
        if file != "-":
            output.say(f"{file}: {amount(len(items), 'picture')}")
    for note in notes:
        output.say(note)
    output.say_chosen((view.comparison.metric, view.because) for view in items)
