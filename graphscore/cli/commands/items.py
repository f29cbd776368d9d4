"""``graphscore items``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.command import FILE, Command, OneOf
from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    ReaderArguments,
    ScoringOptions,
    Sides,
    one_metric_options,
    output_options,
    scoring_options,
    sides_reading_options,
)
from graphscore.cli.output import Output
from graphscore.cli.stores import scored_store

if TYPE_CHECKING:
    from graphscore.store.read.item_scores import Order


@click.command("items", cls=Command)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@one_metric_options
@click.option(
    "--worst",
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Show at most N items, lowest first.",
)
@click.option(
    "--order",
    type=OneOf(["mean", "best"]),
    default="mean",
    show_default=True,
    help="Sort by the mean over frameworks, or by the best.",
)
@click.option(
    "--shared", is_flag=True, help="Show only items that all frameworks have."
)
@click.option(
    "--sql",
    is_flag=True,
    help="Show the SQL behind the table (of documents).",
)
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    worst: int | None,
    order: Order,
    shared: bool,
    sql: bool,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """List F1 per item and framework, lowest first.

    Prints a row per item and a column per framework with its F1, then the mean and
    the best of them.  Items with equal ID and language share a row.  If the metric
    scores the sentences of a document, as las does, the sentences are listed.  The
    operands are those of score.

    Examples:
      graphscore items gold.mrp system.mrp --worst 10
      graphscore items gold.mrp system.mrp --order best --shared
      graphscore items gold.conllu system.conllu -m las --worst 10
      graphscore items runs.db --gold gold --system peking --csv
    """
    metrics = sides.metrics("items")
    target = resolve(operands, sides, reading, scoring, output)
    options = scoring.options(reading)
    store, gold, made = scored_store(target, reading, metrics, options, output)
    from graphscore.evaluation.rows.sentences import ItemQuestion
    from graphscore.report.page.summaries import (
        framework_rows,
        framework_tables,
        framework_values,
        summaries_of,
    )

    question = ItemQuestion(worst, order, shared, sql)
    systems = question.answer(store, gold, made, options)
    summaries = summaries_of(store, gold, made, systems, options)
    output.show(
        tables=lambda width: framework_tables(systems, summaries, width),
        rows=lambda: framework_rows(systems, summaries),
        lines=lambda: framework_values(systems, summaries),
    )
    if sql:
        text = "\n\n".join(f"{system.scores.sql};" for system in systems)
        # It names the metrics, too, and is there to be copied.
        output.beneath(text)
    else:
        output.say_chosen((choice.metric, choice.because) for _, choice, _ in made)
