"""``graphscore errors``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from graphscore.cli.operands import FileOperands, resolve, scored
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    framework_option,
    gold_option,
    layer_option,
    one_metric_option,
    output_options,
    reading_options_beside_document,
    systems_option,
    work_options,
)
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, OneOf, Verb
from graphscore.errors import UsageError, meant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphscore.metrics.base import Metric
    from graphscore.report.erring import ErrorGroups

ALL = "all"
"""Errors of every kind, also where no error is of a kind of that name."""


@click.command("errors", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@gold_option
@systems_option
@one_metric_option
@click.option("--kind", metavar="KIND", help="Only this kind, such as edges.")
@click.option(
    "--side",
    type=OneOf(["missing", "surplus", "partial"]),
    help="Only what gold has alone, the system has alone, or half matches.",
)
@framework_option
@click.option("--document", "in_document", metavar="NAME", help="Only this document.")
@click.option("--item", "in_item", metavar="NAME", help="Only this item.")
@layer_option
@click.option(
    "--top",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="How many groups are shown.",
)
@click.option(
    "--by",
    default="framework,kind,side,name,value",
    show_default=True,
    metavar="COLUMNS",
    help="Grouped by: also language, document, item, layer, level, object, label, "
    "compared, reason.",
)
@click.option(
    "--confusions",
    is_flag=True,
    help="Gold value by system value at objects that correspond.",
)
@click.option("--sql", is_flag=True, help="Show the SQL behind the table.")
@work_options
@reading_options_beside_document
@output_options
def command(
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    kind: str | None,
    side: str | None,
    in_framework: str | None,
    in_document: str | None,
    in_item: str | None,
    in_layer: str | None,
    top: int,
    by: str,
    confusions: bool,
    sql: bool,
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
    metrics = chosen_metrics(metric_names, "errors")
    for metric in metrics or ():
        _check_kind(metric, kind)
    kind = None if kind == ALL else kind
    if confusions:
        _refuse_beside_confusions()
    target = resolve(operands, gold, systems, reading, scoring, output)
    groups = [name.strip() for name in by.split(",") if name.strip()]
    options = scoring.options(reading)
    options = options.naming(in_framework, metrics)
    if in_layer and isinstance(target, FileOperands):
        # What a side without layers is compared with; a store says it of each row.
        layers = replace(options.selection, layers=frozenset({in_layer}))
        options = replace(options, selection=layers)
    wanted = {
        "framework": in_framework,
        "document": in_document,
        "item": in_item,
        "layer": in_layer,
        "kind": kind,
        "side": side,
    }
    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = []
    entities: list[tuple[Any, ...]] = []
    statements: dict[str, None] = {}

    def asked(metric: Metric) -> bool:
        return (in_framework is None or metric.scores(in_framework)) and (
            kind is None or kind in metric.error_kinds
        )

    store, gold_name, made = scored(target, reading, metrics, options, output, asked)
    from graphscore.evaluation.rows.errors import with_parts
    from graphscore.report.erring import ErrorGroups
    from graphscore.store.reading.entityerrors import entity_errors
    from graphscore.store.reading.frequent import (
        frequent_confusions,
        frequent_errors,
    )

    # Those of formulas within formulas say where they are, unless asked for others.
    given = click.get_current_context().get_parameter_source("by")
    nested = given is not ParameterSource.COMMANDLINE and all(
        choice.metric.is_nested for _, choice, _ in made
    )
    if nested and made:
        groups.insert(groups.index("kind") + 1, "level")
    several = len({choice.metric for _, choice, _ in made}) > 1
    for system, (metric, *_), scope in made:
        _check_kind(metric, kind)
        sides = {"gold": gold_name, "system": system, "metric": str(metric)}
        sides["scope"] = scope
        if confusions:
            labels = metric.confuses == "label"
            found = frequent_confusions(store.query, sides | wanted, top, labels)
        else:
            found = frequent_errors(store.query, sides | wanted, groups, top)
        found = with_parts(found, metric)
        if found.rows or not columns:
            # Of no errors nothing stands instead.
            columns = found.columns
        statements |= dict.fromkeys(found.sql)
        head = (system,) * (len(target.systems) > 1) + (str(metric),) * several
        if _tells_entities(metric, confusions, kind or side):
            of_entities = entity_errors(store.query, sides | wanted, top)
            entities += [(*head, *row) for row in of_entities.rows]
            statements |= {of_entities.sql: None}
        rows += [(*head, *row) for row in found.rows]
    remarks = [] if rows else store.absent((gold_name, *(s for s, *_ in made)), wanted)
    names = ("system",) * (len(target.systems) > 1) + ("metric",) * several
    for remark in [] if rows else [_nothing(confusions, entities), *remarks]:
        output.say(remark)
    for each in output.audiences():
        _print(ErrorGroups(names, columns, rows, entities), each)
    if sql:
        text = "\n\n".join(f"{statement};" for statement in statements)
        # It names the metrics, too, and is there to be copied.
        output.beneath(text)
    else:
        output.say_chosen((choice.metric, choice.because) for _, choice, _ in made)


def _tells_entities(metric: Metric, confusions: bool, only: str | None) -> bool:
    """Whether errors are of coreference, and all of them are asked for."""
    given = click.get_current_context().get_parameter_source("by")
    return (
        metric.frameworks == {"coref"}
        and not confusions
        and only is None
        and given is not ParameterSource.COMMANDLINE
    )


def _nothing(confusions: bool, entities: Sequence[object]) -> str:
    """What is said where no tuple is wrong."""
    if confusions:
        return "no confusions"
    return "no errors of mentions" if entities else "no errors"


def _print(found: ErrorGroups, output: Output) -> None:
    """Print errors; a table of nothing says less than that there is nothing."""
    if output.shape != "table":
        output.rows((*found.names, *found.columns), found.rows)
        return
    if tables := found.tables():
        output.tables(tables)


def _check_kind(metric: Metric, kind: str | None) -> None:
    """Refuse a kind that errors of a metric cannot be of.

    Raises:
        UsageError: naming those that there are.
    """
    if kind is not None and kind not in (ALL, *metric.error_kinds):
        there = metric.error_kinds
        raise UsageError(
            f"{metric} has no kind {kind!r}{meant(kind, there)}; "
            f"there are: {', '.join(there)}"
        )


def _refuse_beside_confusions() -> None:
    """Confusions are grouped by both values, and have two sides.

    Raises:
        UsageError: if an option is given that makes no sense with ``--confusions``.
    """
    context = click.get_current_context()
    refused = {
        "by": "--by",
        "side": "--side",
        "in_item": "--item",
        "in_layer": "--layer",
    }
    for name, option in refused.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} does not go with --confusions")
