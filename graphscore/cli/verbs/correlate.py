"""``graphscore correlate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    level_option,
    metric_option,
    output_options,
    scoring_options,
    seed_option,
    sides_reading_options,
    systems_option,
)
from graphscore.cli.output import Output
from graphscore.cli.references import references_option
from graphscore.cli.scoring import exit_code, score_each
from graphscore.cli.verb import FILE, OneOf, Verb
from graphscore.errors import amount

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.statistics.correlations import Drawn


@click.command("correlate", cls=Verb)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] SYSTEM... | STORE",
)
@gold_option
@systems_option
@metric_option
@click.option(
    "--outcome",
    required=True,
    type=FILE,
    metavar="FILE",
    help="Table with the columns item, value, and optionally framework and system; "
    "or system and value.",
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
    help="The figure, such as edges or edges.recall (main F1).",
)
@click.option(
    "--resample",
    type=OneOf(["systems", "items", "both"]),
    default="systems",
    show_default=True,
    help="What is drawn for intervals of correlations over systems.",
)
@click.option(
    "--samples",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Bootstrap samples that are drawn; no intervals with 0.",
)
@seed_option
@level_option
@references_option
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
    resample: Drawn,
    samples: int,
    seed: int,
    level: float,
    references: Literal["best", "mean"],
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Correlate scores with an outcome from elsewhere.

    The operands are those of score.  The outcome, such as a human judgement of each
    sentence, is a table; the correlations are Pearson's, Spearman's of the ranks and
    Kendall's tau-b, over the items that have both, per system, metric and framework.
    Where outcomes are of systems, figures are correlated with them over systems too.

    Examples:
      graphscore correlate gold.mrp system.mrp --outcome judgements.csv
      graphscore correlate gold.mrp a.mrp b.mrp c.mrp --outcome systems.csv
      graphscore correlate runs.db --gold gold --system peking --outcome items.csv
    """
    from graphscore.cli.output import write_csv
    from graphscore.report.correlating import correlation_tables
    from graphscore.report.markup import joint_signature, signed
    from graphscore.statistics.correlation import read_outcomes
    from graphscore.statistics.correlations import Asked, correlations_of

    metrics = chosen_metrics(metric_names)
    target = resolve(operands, gold, systems, reading, scoring, output, several=True)
    outcomes = read_outcomes(outcome, column)
    options = scoring.options(reading, per_item=True, references=references)
    each_system = score_each(target, metrics, options, output, only_new=True)
    results = [result for mine in each_system for result in mine]
    asked = Asked(figure, resample, samples, seed, level)
    found = correlations_of(results, outcomes, asked)
    signature = joint_signature(each.signature for each in results)
    for each in output.audiences():
        if each.shape == "table":
            each.tables(signed(correlation_tables(found), signature))
        elif each.shape == "csv":
            write_csv(*found.tabular())
        elif each.shape == "jsonl":
            each.lines(found.to_rows())
        else:
            each.array(found.to_rows())
    if found.unused:
        whose = "item" if any(key.item for key in outcomes) else "system"
        output.say(f"{found.unused} outcomes belong to no scored {whose}")
    for over in found.systems:
        if over.n < 2:
            output.say("one system has an outcome: correlations over systems need two")
    _talk(results, output)
    click.get_current_context().exit(exit_code(results, strict=False, failed=False))


def _talk(results: Sequence[Result], output: Output) -> None:
    """Say what a reader of the correlations should know, each thing once."""
    from graphscore.evaluation.notes import told

    for note in told(results):
        output.say(note)
    for system in dict.fromkeys(result.system for result in results):
        bad = [r for r in results if r.system == system and r.rejected_records]
        if bad:
            records = amount(bad[0].rejected_records, "bad record")
            output.say(f"{system}: {records}, scored as missing")
            output.list_problems(bad[0].rejected)
    for result in results:
        if result.unproven:
            output.say(
                f"{result.system} ({result.metric}): {result.unproven} of "
                f"{result.pairs} pairs unproven; a higher --limit may prove them"
            )
    output.say_chosen((each.metric, each.because) for each in results)
