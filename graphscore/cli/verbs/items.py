"""``graphscore items``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.operands import resolve, scored
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    output_options,
    scoring_options,
    sides_reading_options,
    systems_option,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.store.reading.perframework import ItemScores, Order


@click.command("items", cls=Verb)
@click.argument("operands", nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE")
@gold_option
@systems_option
@click.option(
    "-m", "--metric", "metric_name", default="mrp", show_default=True, metavar="METRIC"
)
@click.option(
    "--worst", type=click.IntRange(1), metavar="N", help="Only so many items."
)
@click.option(
    "--order",
    type=click.Choice(["mean", "best"]),
    default="mean",
    show_default=True,
    help="Sort by the mean over the frameworks, or by the best of them.",
)
@click.option("--shared", is_flag=True, help="Only items that every framework has.")
@click.option("--sql", is_flag=True, help="Show the SQL behind the table.")
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_name: str,
    worst: int | None,
    order: Order,
    shared: bool,
    sql: bool,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """The same items seen by different frameworks, worst first.

    A row per item, a column per framework with its F1, then their mean and the
    best of them.  Items are the same if id and language are.  The operands are
    those of score; files go into a temporary store.

    Examples:
      graphscore items gold.mrp system.mrp --worst 10
      graphscore items gold.mrp system.mrp --order best --shared
      graphscore items runs.db --gold gold --system peking --csv
    """
    metrics = chosen_metrics((metric_name,))
    if len(metrics) > 1:
        raise UsageError("items takes one metric")
    target = resolve(operands, gold, systems, reading)
    options = scoring.options(reading)
    found: list[tuple[str, ItemScores]] = []
    with scored(target, reading, metrics[0], options, output) as (
        store,
        gold_name,
        names,
    ):
        from graphscore.store.reading.perframework import item_scores

        for system in names:
            wanted = {
                "gold": gold_name,
                "system": system,
                "metric": str(metrics[0]),
                "framework": scoring.framework,
                "language": scoring.language,
                "item": scoring.only_item,
            }
            scores = item_scores(store.query, wanted, worst, order, shared)
            found.append((system, scores))
    _print(found, output)
    if sql:
        text = "\n\n".join(f"{scores.sql};" for _, scores in found)
        click.echo(f"\n{text}", err=output.shape != "table")


def _print(found: list[tuple[str, ItemScores]], output: Output) -> None:
    if output.shape in ("json", "jsonl"):
        values = [
            {
                "system": system,
                "language": each.language,
                "document": each.document,
                "item": each.item,
                "f1": each.f1,
                "mean": each.mean,
                "best": each.best,
            }
            for system, scores in found
            for each in scores.items
        ]
        (output.array if output.shape == "json" else output.lines)(values)
        return
    from graphscore.report.text import Ratio

    frameworks = sorted({name for _, scores in found for name in scores.frameworks})
    rows: list[tuple[Any, ...]] = []
    for system, scores in found:
        for each in scores.items:
            values_of = [*map(each.f1.get, frameworks), each.mean, each.best]
            if output.shape == "table":
                values_of = [
                    None if value is None else Ratio(value) for value in values_of
                ]
            head = (system,) if len(found) > 1 else ()
            rows.append((*head, each.item, each.language, each.document, *values_of))
    columns = ["item", "language", "document", *frameworks, "mean", "best"]
    output.rows(["system", *columns] if len(found) > 1 else columns, rows)
