"""``graphscore items``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.operands import resolve, scored
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    one_metric_option,
    output_options,
    scoring_options,
    sides_reading_options,
    systems_option,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, OneOf, Verb

if TYPE_CHECKING:
    from graphscore.store.reading.perframework import ItemScores, Order

    Found = tuple[str, str, ItemScores]
    """A system, a metric and the items."""


@click.command("items", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@gold_option
@systems_option
@one_metric_option
@click.option(
    "--worst",
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Only so many items, the worst.",
)
@click.option(
    "--order",
    type=OneOf(["mean", "best"]),
    default="mean",
    show_default=True,
    help="Sort by the mean over the frameworks, or by the best of them.",
)
@click.option("--shared", is_flag=True, help="Only items that every framework has.")
@click.option(
    "--sql",
    is_flag=True,
    help="Show the SQL behind the table, which is of documents, not of sentences.",
)
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
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
    best of them.  Items are the same if id and language are.  Of documents whose
    sentences have a score of their own, as with las, these are listed.  The
    operands are those of score; files go into a temporary store.

    Examples:
      graphscore items gold.mrp system.mrp --worst 10
      graphscore items gold.mrp system.mrp --order best --shared
      graphscore items gold.conllu system.conllu -m las --worst 10
      graphscore items runs.db --gold gold --system peking --csv
    """
    metrics = chosen_metrics(metric_names, "items")
    target = resolve(operands, gold, systems, reading, scoring, output)
    options = scoring.options(reading)
    found: list[Found] = []
    store, gold_name, made = scored(target, reading, metrics, options, output)
    from graphscore.evaluation.rows.sentences import goes_down, sentence_scores
    from graphscore.store.failures import guarded
    from graphscore.store.reading.perframework import item_scores

    for system, choice, scope in made:
        metric = str(choice.metric)
        if goes_down(choice.metric) and not sql:
            wholly = replace(choice.limited(options), per_item=True, parts=True)
            [result] = store.evaluate(
                gold_name, system, [choice.metric], wholly, stored=True
            )
            listed = sentence_scores(result, worst, order, shared)
            found.append((system, metric, listed))
            continue
        wanted = {
            "gold": gold_name,
            "system": system,
            "metric": metric,
            "scope": scope,
            "framework": scoring.framework,
            "language": scoring.language,
            "item": scoring.only_item,
        }
        with guarded(store.url):
            scores = item_scores(store.query, wanted, worst, order, shared)
        found.append((system, metric, scores))
    for each in output.audiences():
        _print(found, each)
    if sql:
        text = "\n\n".join(f"{scores.sql};" for *_, scores in found)
        # It names the metrics, too, and is there to be copied.
        output.beneath(text)
    else:
        output.say_chosen((choice.metric, choice.because) for _, choice, _ in made)


def _print(found: list[Found], output: Output) -> None:
    systems = len({system for system, *_ in found}) > 1
    several = len({metric for _, metric, _ in found}) > 1
    if output.shape in ("json", "jsonl"):
        values = [
            {
                "system": system,
                **({"metric": metric} if several else {}),
                "language": each.language,
                "document": each.document,
                "item": each.item,
                "f1": each.f1,
                "mean": each.mean,
                "best": each.best,
            }
            for system, metric, scores in found
            for each in scores.items
        ]
        (output.array if output.shape == "json" else output.lines)(values)
        return
    from graphscore.report.text import Ratio

    frameworks = sorted({name for *_, scores in found for name in scores.frameworks})
    rows: list[tuple[Any, ...]] = []
    for system, metric, scores in found:
        for each in scores.items:
            values_of = [*map(each.f1.get, frameworks), each.mean, each.best]
            if output.shape == "table":
                values_of = [
                    None if value is None else Ratio(value) for value in values_of
                ]
            head = (system,) * systems + (metric,) * several
            rows.append((*head, each.item, each.language, each.document, *values_of))
    columns = ["item", "language", "document", *frameworks, "mean", "best"]
    names = ["system"] * systems + ["metric"] * several
    if output.shape == "table":
        columns, rows = _telling([*names, *columns], rows, len(frameworks))
        names = []
    output.rows([*names, *columns], rows)


def _telling(
    columns: list[str], rows: list[tuple[Any, ...]], frameworks: int
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """What tells items apart: one framework is its own mean and best.

    Languages and documents are left out where all items have the same.
    """
    alike = {"mean", "best"} if frameworks < 2 else set()
    for name in ("language", "document"):
        place = columns.index(name)
        if len({row[place] for row in rows}) < 2:
            alike.add(name)
    kept = [place for place, name in enumerate(columns) if name not in alike]
    return [columns[k] for k in kept], [tuple(row[k] for k in kept) for row in rows]
