"""``graphscore explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.operands import FileOperands, Operands, one_system, resolve
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    framework_option,
    gold_option,
    layer_option,
    metric_option,
    output_options,
    sides_reading_options,
    systems_option,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphscore.evaluation.options import Options
    from graphscore.model.graph import Graph
    from graphscore.report.explaining.explanation import Explanations
    from graphscore.report.text import Table


@click.command("explain", cls=Verb)
@click.argument("item")
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM | STORE"
)
@gold_option
@systems_option
@metric_option
@framework_option
@layer_option
@work_options
@sides_reading_options
@output_options
def command(
    item: str,
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    in_framework: str | None,
    in_layer: str | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Explain how ITEM came to its score: what was paired, and what it earned.

    ITEM is an item's id, or that of a document where the metric compares documents.
    A formula has a tree for every kind, with the pairs of each level; any other
    metric the pieces that match, are missing or surplus.  Then the sums.

    Examples:
      graphscore explain 20003008 gold.mrp system.mrp --framework eds -m smatch
      graphscore explain 20003008 g.mrp s.mrp -m "f1(match(tops(), exact(label)))"
      graphscore explain 20003008 runs.db --gold gold --system peking
    """
    from graphscore.report.explaining.explanation import COLUMNS
    from graphscore.report.explaining.finding import explained

    metrics = chosen_metrics(metric_names)
    target = resolve(operands, gold, systems, reading, scoring, output)
    options = scoring.options(reading, details=True)
    mine, theirs = _sides(target, item, options)
    found = explained(mine, theirs, item, metrics, options, in_framework, in_layer)
    for to in output.audiences():
        if to.shape == "table":
            to.tables(_tables(found))
        elif to.shape == "jsonl":
            to.lines(each.to_dict() for each in found)
        elif to.shape == "csv":
            to.rows(COLUMNS, [row for each in found for row in each.flat()])
        else:
            values = [each.to_dict() for each in found]
            to.value(values[0] if len(values) == 1 else values)
    output.say_chosen((each.metric, each.because) for each in found)


def _sides(
    target: Operands, item: str, options: Options
) -> tuple[str | list[Graph], str | list[Graph]]:
    """Both sides; of a store the graphs that the item has to do with.

    Raises:
        UsageError: if there are several systems.
    """
    if len(target.systems) > 1:
        raise one_system("explain", target)
    [system] = target.systems
    if isinstance(target, FileOperands):
        return target.gold, system
    from graphscore.evaluation.stored import Store
    from graphscore.report.showing.stored import sides_of

    with Store(target.store) as store:
        return sides_of(store, target.gold, system, item, options)


def _tables(found: Explanations) -> Iterator[Table]:
    """Trees, and the tables below each."""
    from graphscore.report.text import Table

    for each in found:
        yield Table([], listing="\n".join(each.lines()))
        yield from each.tables()
