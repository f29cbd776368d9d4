"""``graphscore export``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("export", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("folder", type=FILE)
@click.option(
    "--views",
    metavar="VIEWS",
    help="Which views, with commas.  [default: all but v_changes]",
)
@click.option(
    "--gold",
    "golds",
    multiple=True,
    metavar="NAME",
    help="Only evaluations against this gold collection (repeatable).",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="Only evaluations of this system collection (repeatable).",
)
@click.option(
    "-m",
    "--metric",
    "metric_names",
    multiple=True,
    metavar="METRIC",
    help="Only evaluations by this metric (repeatable, or with commas).",
)
@click.option(
    "--flat", is_flag=True, help="A single file for each view, with all columns."
)
@click.option("--replace", is_flag=True, help="Replace an earlier export.")
@output_options
def command(
    store: str,
    folder: str,
    views: str | None,
    golds: tuple[str, ...],
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    flat: bool,
    replace: bool,
    output: Output,
) -> None:
    """Write the views of a store as Parquet, for DuckDB, polars, pandas, Spark.

    FOLDER gets a folder for each view, in which folders system=NAME/metric=METRIC (of
    v_graphs, v_tuples and v_rejected collection=NAME) part the rows, and manifest.json.
    It is there whole or not at all.  Needs graphscore[frames].

    Examples:
      graphscore export runs.db parquet
      graphscore export runs.db errors --views v_errors,v_scores --system peking
      graphscore export runs.db parquet --metric mrp --replace
    """
    from graphscore.errors import UsageError, amount
    from graphscore.evaluation.signature import package_version
    from graphscore.metrics.registry import split_metrics
    from graphscore.metrics.revisions import current_revision
    from graphscore.store.columnar.exporting import Chosen, ExportedView, export

    named = [each.strip() for each in (views or "").split(",") if each.strip()]
    if views is not None and not named:
        raise UsageError("--views needs the name of a view")
    texts = [text for name in metric_names for text in split_metrics(name)]
    if metric_names and not texts:
        raise UsageError("-m needs the name of a metric")
    metrics = [_canonical(text) for text in texts]
    made = export(
        store,
        folder,
        Chosen(named, golds, systems, metrics),
        flat=flat,
        replace=replace,
        version=package_version(),
        revision_of=current_revision,
    )
    total = sum(each.rows for each in made)
    output.say(f"{folder}: wrote {amount(total, 'row')} of {amount(len(made), 'view')}")
    output.rows(ExportedView._fields, made)


def _canonical(text: str) -> str:
    """A metric as a store has it; one that is no more may have been scored with."""
    from graphscore.errors import UsageError
    from graphscore.metrics.registry import parse

    try:
        return str(parse(text))
    except UsageError:
        return text
