"""``graphscore errors``."""

from __future__ import annotations

import click

from graphscore.cli.bundles import bundle, option
from graphscore.cli.command import FILE, Command, OneOf
from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    Among,
    ReaderArguments,
    ScoringOptions,
    Sides,
    columns_in,
    one_metric_options,
    output_options,
    reading_options_beside_document,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.stores import scored_store


class ErrorOptions(Among):
    """Options that choose which errors are counted, and how they are grouped."""

    tuple_type: str | None = option(
        "--tuple-type", metavar="TYPE", help="Include only this tuple type, e.g. edges."
    )
    error_type: str | None = option(
        "--error-type",
        type=OneOf(["missing", "spurious", "partial"]),
        help="Include only missing, spurious or partial.",
    )
    in_document: str | None = option(
        "--document", metavar="NAME", help="Include only this document."
    )
    item: str | None = option("--item", metavar="NAME", help="Include only this item.")
    top: int = option(
        "--top",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        metavar="N",
        help="Show at most N rows.",
    )
    by: str | None = option(
        "--by",
        metavar="COLUMNS",
        help="Group by these columns.  [default: framework,tuple-type,error-type,"
        "name,value]",
    )
    confusions: bool = option(
        "--confusions",
        default=False,
        is_flag=True,
        excludes=["by", "error_type", "item", "layer"],
        help="Count gold value by system value of matched objects.",
    )
    sql: bool = option(
        "--sql", default=False, is_flag=True, help="Show the SQL behind the table."
    )


@click.command("errors", cls=Command)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@one_metric_options
@bundle("request", ErrorOptions)
@work_options
@reading_options_beside_document
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    request: ErrorOptions,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """List the most frequent errors.

    The operands are those of score.  Values are printed as in the files, anchors as
    start:end; of an inverted role such as ARG1-of its base role, --by label as
    written.

    Examples:
      graphscore errors gold.mrp system.mrp --tuple-type edges --top 10
      graphscore errors runs.db --gold gold --system peking --error-type missing --sql
      graphscore errors gold.mrp system.mrp --confusions --tuple-type labels
    """
    from graphscore.report.error_tables import ErrorQuestion

    values = request.values()
    sql, values["document"] = values.pop("sql"), values.pop("in_document")
    values["by"] = None if request.by is None else columns_in(request.by)
    question = ErrorQuestion(**values)
    metrics = sides.metrics("errors")
    question.check(metrics or ())
    target = resolve(operands, sides, reading, scoring, output)
    options = scoring.options(reading).naming(request.framework, metrics)
    if not target.store:
        # A store says of each row which layer it is of.
        options = question.limited(options)
    store, gold, made = scored_store(
        target, reading, metrics, options, output, question.concerns
    )
    tables = question.answer(store, gold, made)
    for remark in tables.remarks:
        output.say(remark)
    output.show(tables=lambda _: tables.tables(), rows=tables.flat)
    if sql:
        # It names the metrics, too, and is there to be copied.
        output.beneath("\n\n".join(f"{statement};" for statement in tables.sql))
    else:
        output.say_chosen((choice.metric, choice.because) for _, choice, _ in made)
