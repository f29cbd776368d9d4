"""``graphscore show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.operands import FileOperands, StoreOperands, resolve
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    output_options,
    sides_reading_options,
    systems_option,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import Verb
from graphscore.errors import GraphscoreError, PairingError, UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.units import Unit
    from graphscore.metrics.base import Metric
    from graphscore.model.graph import Graph
    from graphscore.model.outcome import Outcome
    from graphscore.report.sidebyside import Comparison


@click.command("show", cls=Verb)
@click.argument("item")
@click.argument("operands", nargs=-1, required=True, metavar="GOLD SYSTEM | STORE")
@gold_option
@systems_option
@click.option(
    "-m", "--metric", "metric_name", default="mrp", show_default=True, metavar="METRIC"
)
@click.option(
    "--framework", "in_framework", metavar="NAME", help="Only this framework."
)
@work_options
@sides_reading_options
@output_options
def command(
    item: str,
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_name: str,
    in_framework: str | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Show ITEM, gold beside system: what corresponds, what matched, what did not.

    Examples:
      graphscore show 20003008 gold.mrp system.mrp --framework eds
      graphscore show 20003008 runs.db --gold gold --system peking
    """
    metrics = chosen_metrics((metric_name,))
    if len(metrics) > 1:
        raise UsageError("show takes one metric")
    target = resolve(operands, gold, systems, reading)
    if len(target.systems) > 1:
        raise UsageError("show takes one system")
    options = scoring.options(reading, details=True)
    if isinstance(target, StoreOperands):
        found = _from_store(target, item, in_framework, metrics[0], options)
    else:
        found = _from_files(target, item, in_framework, metrics[0], options)
    if output.shape == "table":
        output.tables([table for each in found for table in each.tables()])
    elif output.shape == "jsonl":
        output.lines(each.to_dict() for each in found)
    elif output.shape == "csv":
        columns = ("framework", "item", "object", "mark", "side", "id", "pieces")
        output.rows(columns, [row for each in found for row in each.flat()])
    else:
        values = [each.to_dict() for each in found]
        output.value(values[0] if len(values) == 1 else values)


def _from_store(
    target: StoreOperands,
    item: str,
    framework: str | None,
    metric: Metric,
    options: Options,
) -> list[Comparison]:
    from graphscore.evaluation.options import Selection
    from graphscore.evaluation.stored import Store
    from graphscore.report.sidebyside import Comparison

    with Store(target.store) as store:
        wanted = Selection(items=frozenset({item}))
        there = sorted({g.framework for g in store.graphs(target.gold, wanted)})
        if not there:
            raise GraphscoreError(f"no item {item!r} in {target.gold}")
        frameworks = [name for name in there if framework in (None, name)]
        if not frameworks:
            raise _elsewhere(item, there, framework)
        return [
            Comparison(gold, system, metric, outcome)
            for name in frameworks
            if metric.scores(name)
            for gold, system, outcome in [
                store.pair(target.gold, target.systems[0], item, metric, name, options)
            ]
        ]


def _from_files(
    target: FileOperands,
    item: str,
    framework: str | None,
    metric: Metric,
    options: Options,
) -> list[Comparison]:
    from dataclasses import replace

    from graphscore.evaluation.files import score_files
    from graphscore.evaluation.options import Selection
    from graphscore.report.sidebyside import Comparison

    found: list[tuple[Graph, Graph | None, Outcome]] = []

    def keep(_: Metric, gold: Unit, system: Unit | None, outcome: Outcome) -> None:
        if gold.graph.id == item:
            found.append((gold.graph, system.graph if system else None, outcome))

    # Ids that are rewritten, and orders, need to be seen whole.
    if options.ids is None and options.pair == "id":
        options = replace(options, selection=Selection(items=frozenset({item})))
    try:
        score_files(target.gold, target.systems[0], [metric], options, each=keep)
    except PairingError:
        if not found:
            raise GraphscoreError(f"no item {item!r} in {target.gold}") from None
    there = sorted({gold.framework for gold, _, _ in found})
    if not there:
        raise GraphscoreError(f"no item {item!r} in {target.gold}")
    chosen = [each for each in found if framework in (None, each[0].framework)]
    if not chosen:
        raise _elsewhere(item, there, framework)
    return [Comparison(one, two, metric, outcome) for one, two, outcome in chosen]


def _elsewhere(item: str, there: list[str], framework: str | None) -> GraphscoreError:
    return GraphscoreError(
        f"item {item!r} is not in {framework}, but in: {', '.join(there)}"
    )
