"""``graphscore errors``."""

from __future__ import annotations

from dataclasses import dataclass, replace

import click

from graphscore.cli.bundles import bundle, option
from graphscore.cli.operands import FileOperands, resolve, scored
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    Sides,
    one_metric_options,
    output_options,
    reading_options_beside_document,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, OneOf, Verb


@dataclass(frozen=True)
class ErrorOptions:
    """Which errors are counted, and how they are grouped."""

    kind: str | None = option(
        "--kind", metavar="KIND", help="Only this kind, such as edges."
    )
    side: str | None = option(
        "--side",
        type=OneOf(["missing", "surplus", "partial"]),
        help="Only what gold has alone, the system has alone, or half matches.",
    )
    framework: str | None = option(
        "--framework", metavar="NAME", help="Only this framework."
    )
    in_document: str | None = option(
        "--document", metavar="NAME", help="Only this document."
    )
    item: str | None = option("--item", metavar="NAME", help="Only this item.")
    layer: str | None = option("--layer", metavar="NAME", help="Only this layer.")
    top: int = option(
        "--top",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        metavar="N",
        help="How many groups are shown.",
    )
    by: str | None = option(
        "--by",
        metavar="COLUMNS",
        help="Grouped by: also language, document, item, layer, level, object, label, "
        "compared, reason.  [default: framework,kind,side,name,value]",
    )
    confusions: bool = option(
        "--confusions",
        default=False,
        is_flag=True,
        excludes=["by", "side", "item", "layer"],
        help="Gold value by system value at objects that correspond.",
    )
    sql: bool = option(
        "--sql", default=False, is_flag=True, help="Show the SQL behind the table."
    )


@click.command("errors", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@one_metric_options
@bundle("asked", ErrorOptions)
@work_options
@reading_options_beside_document
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    asked: ErrorOptions,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """The most frequent error tuples, grouped, with what stands there instead.

    The operands are those of score; files go into a temporary store, so the same
    SQL serves.  Values are as the files have them; anchors as start:end.

    Examples:
      graphscore errors gold.mrp system.mrp --kind edges --top 10
      graphscore errors runs.db --gold gold --system peking --side missing --sql
      graphscore errors gold.mrp system.mrp --confusions --kind labels
    """
    from graphscore.report.erring import ErrorQuestion, check_kind

    by = None if asked.by is None else [name.strip() for name in asked.by.split(",")]
    question = ErrorQuestion(
        kind=asked.kind,
        side=asked.side,
        framework=asked.framework,
        document=asked.in_document,
        item=asked.item,
        layer=asked.layer,
        by=None if by is None else [*filter(None, by)],
        top=asked.top,
        confusions=asked.confusions,
    )
    metrics = sides.metrics("errors")
    for metric in metrics or ():
        check_kind(metric, asked.kind)
    target = resolve(operands, sides, reading, scoring, output)
    options = scoring.options(reading).naming(asked.framework, metrics)
    if asked.layer and isinstance(target, FileOperands):
        # What a side without layers is compared with; a store says it of each row.
        layers = replace(options.selection, layers=frozenset({asked.layer}))
        options = replace(options, selection=layers)
    store, gold, made = scored(
        target, reading, metrics, options, output, question.concerns
    )
    found = question.answer(store, gold, made)
    for remark in found.remarks:
        output.say(remark)
    output.show(
        tables=lambda _: found.tables(),
        rows=lambda: ((*found.names, *found.columns), found.rows),
    )
    if asked.sql:
        # It names the metrics, too, and is there to be copied.
        output.beneath("\n\n".join(f"{statement};" for statement in found.sql))
    else:
        output.say_chosen((choice.metric, choice.because) for _, choice, _ in made)
