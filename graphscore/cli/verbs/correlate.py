"""``graphscore correlate``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from graphscore.cli.operands import Operands, StoreOperands, resolve
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    metric_option,
    output_options,
    scoring_options,
    sides_reading_options,
    systems_option,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import PairingError

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric

UNPROVEN = 4

COLUMNS = (
    "system",
    "metric",
    "framework",
    "n",
    "pearson",
    "spearman",
    "kendall",
    "without_outcome",
)


@click.command("correlate", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@gold_option
@systems_option
@metric_option
@click.option(
    "--outcome",
    required=True,
    type=FILE,
    metavar="FILE",
    help="Table with the columns item, value, and optionally framework and system.",
)
@click.option(
    "--column",
    default="value",
    show_default=True,
    metavar="NAME",
    help="The column of the outcome.",
)
@click.option(
    "--figure",
    default="",
    metavar="FIGURE",
    help="Correlated figure of an item, such as edges or edges.recall (main F1).",
)
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    outcome: str,
    column: str,
    figure: str,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Correlate the scores of items with an outcome from elsewhere.

    The operands are those of score.  The outcome, such as a human judgement of each
    sentence, is a table; the correlations are Pearson's, Spearman's of the ranks and
    Kendall's tau-b, over the items that have both, per system, metric and framework.

    Examples:
      graphscore correlate gold.mrp system.mrp --outcome judgements.csv
      graphscore correlate runs.db --gold gold --system peking --outcome items.csv
    """
    from graphscore.statistics.correlation import correlate, read_outcomes

    metrics = chosen_metrics(metric_names)
    target = resolve(operands, gold, systems, reading)
    outcomes = read_outcomes(outcome, column)
    results = _score(target, metrics, scoring.options(reading, per_item=True), output)
    rows = []
    used: set[object] = set()
    for result in results:
        found = correlate(result, outcomes, figure)
        used |= found.used
        for each in found.rows:
            numbers = (_finite(value) for value in each[2:5])
            rows.append(
                (
                    result.system,
                    str(result.metric),
                    each.framework,
                    each.n,
                    *numbers,
                    each.without_outcome,
                )
            )
    if not used:
        scored = sorted({item.item for result in results for item in result.items})
        raise PairingError(
            f"no scored item has an outcome: first item {scored[0]!r}, first outcome "
            f"{min(outcomes).item!r}"
        )
    output.rows(COLUMNS, rows)
    if len(used) < len(outcomes):
        output.say(f"{len(outcomes) - len(used)} outcomes belong to no scored item")
    _talk(results, output)
    unproven = any(result.unproven for result in results)
    click.get_current_context().exit(UNPROVEN if unproven else 0)


def _finite(value: float) -> float | None:
    """A correlation, or nothing where a side does not vary."""
    return None if math.isnan(value) else value


def _score(
    target: Operands, metrics: list[Metric] | None, options: Options, output: Output
) -> list[Result]:
    found: list[Result] = []
    if isinstance(target, StoreOperands):
        from graphscore.evaluation.stored import Store

        with Store(target.store, mode="write", say=output.say) as store:
            for system in target.systems:
                found += store.score(target.gold, system, metrics, options)
        return found
    from graphscore.evaluation.files import score_files
    from graphscore.evaluation.tasks import executor_for
    from graphscore.formats.streams import held_streams

    with held_streams(len(target.systems) > 1), executor_for(options.jobs) as pool:
        for system in target.systems:
            found += score_files(target.gold, system, metrics, options, executor=pool)
    return found


def _talk(results: Sequence[Result], output: Output) -> None:
    """Say what a reader of the correlations should know, each thing once."""
    from graphscore.evaluation.notes import told

    for note in told(results):
        output.say(note)
    for system in dict.fromkeys(result.system for result in results):
        bad = [r for r in results if r.system == system and r.rejected_records]
        if bad:
            output.say(
                f"{system}: {bad[0].rejected_records} bad records, scored as missing"
            )
            output.list_problems(bad[0].rejected)
    for result in results:
        if result.unproven:
            output.say(
                f"{result.system} ({result.metric}): {result.unproven} of "
                f"{result.pairs} pairs unproven; a higher --limit may prove them"
            )
    output.say_chosen((each.metric, each.because) for each in results)
