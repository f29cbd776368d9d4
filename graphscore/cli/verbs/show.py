"""``graphscore show``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import bundle, option
from graphscore.cli.operands import StoreOperands, one_system, opened, resolve
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    Sides,
    framework_option,
    layer_option,
    one_metric_options,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output, alone_or
from graphscore.cli.pictures import check_targets, draw_pairs, write_page
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import amount

if TYPE_CHECKING:
    from graphscore.model.graph import Graph


@dataclass(frozen=True)
class ShowOptions:
    """What is made of an item: tables, pictures, a page, or a tree."""

    svg: str | None = option(
        "--svg",
        metavar="FILE",
        type=FILE,
        help="Draw it, into FILE (- is standard output), instead of printing it.",
    )
    html: str | None = option(
        "--html",
        metavar="FILE",
        type=FILE,
        help="Write a page of it, with pictures and errors, instead of printing it.",
    )
    fold: bool = option(
        "--fold",
        default=False,
        is_flag=True,
        needs=["svg", "html"],
        help="Leave out of the picture what matched, but near errors.",
    )
    explain: bool = option(
        "--explain",
        default=False,
        is_flag=True,
        excludes=["svg", "html", "fold"],
        help="Print how it came to its score instead, as a tree; takes several "
        "metrics.",
    )


@click.command("show", cls=Verb)
@click.argument("item")
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM | STORE"
)
@one_metric_options
@framework_option
@layer_option
@bundle("shown", ShowOptions)
@work_options
@sides_reading_options
@output_options
def command(
    item: str,
    operands: tuple[str, ...],
    sides: Sides,
    in_framework: str | None,
    in_layer: str | None,
    shown: ShowOptions,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Show ITEM, gold beside system: what corresponds, what matched, what did not.

    ITEM is an item's id, or that of a document where the metric compares documents;
    collection is all there is, for metrics of whole collections such as neleval.

    With --explain it is said what was paired, and what that earned: a formula has a
    tree for every kind, with the pairs of each level; any other metric the pieces that
    match, are missing or surplus.  Then the sums.

    Examples:
      graphscore show 20003008 gold.mrp system.mrp --framework eds
      graphscore show 20003008 runs.db --gold gold --system peking
      graphscore show 20003008 gold.mrp system.mrp --html item.html
      graphscore show 20003008 gold.mrp system.mrp --explain -m smatch,mrp
    """
    from graphscore.report.explaining.explanation import COLUMNS
    from graphscore.report.explaining.finding import explained
    from graphscore.report.showing.sentences import compared_in_files
    from graphscore.report.showing.stored import StoredItem, sides_of
    from graphscore.report.sidebyside import FLAT

    metrics = sides.metrics("" if shown.explain else "show without --explain")
    target = resolve(operands, sides, reading, scoring, output)
    if len(target.systems) > 1:
        raise one_system("show", target)
    files = check_targets({"--svg": shown.svg, "--html": shown.html}, target)
    options = scoring.options(reading, details=True)
    names = target.gold, target.systems[0]
    if shown.explain:
        both: tuple[str | list[Graph], str | list[Graph]] = names
        if isinstance(target, StoreOperands):
            both = sides_of(opened(target.store), *names, item, options)
        trees = explained(*both, item, metrics, options, in_framework, in_layer)
        output.show(
            tables=lambda _: [each for tree in trees for each in tree.with_tables()],
            rows=lambda: (COLUMNS, [row for tree in trees for row in tree.flat()]),
            lines=lambda: [tree.to_dict() for tree in trees],
            value=lambda: alone_or([tree.to_dict() for tree in trees]),
        )
        output.say_chosen((tree.metric, tree.because) for tree in trees)
        return
    if isinstance(target, StoreOperands):
        stored = StoredItem(opened(target.store), *names, item, options)
        chosen = stored.comparisons(metrics, in_framework, in_layer)
    else:
        among = in_framework, in_layer
        chosen, absent = compared_in_files(*names, item, metrics, options, *among)
        for framework in absent:
            output.say(f"{framework}: not shown, the system has none of this item")
    found = [each for each, _ in chosen]
    if shown.svg is not None:
        draw_pairs(found, shown.svg, fold=shown.fold)
    if shown.html is not None:
        write_page(found, shown.html, fold=shown.fold)
    if not files:
        output.show(
            tables=lambda width: [
                table
                for each in found
                for table in each.tables(width, verbose=output.verbose)
            ],
            rows=lambda: (FLAT, [row for each in found for row in each.flat()]),
            lines=lambda: [each.to_dict() for each in found],
            value=lambda: alone_or([each.to_dict() for each in found]),
        )
    for file in files.values():
        if file != "-":
            output.say(f"{file}: {amount(len(found), 'picture')}")
    for note in filter(None, (each.note for each in found)):
        output.say(note)
    output.say_chosen((each.metric, because) for each, because in chosen)
