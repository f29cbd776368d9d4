"""``graphscore store``: list, remove, export and migrate what a store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.command import FILE, Command, SubcommandGroup
from graphscore.cli.options import names_in, output_options, wait_option
from graphscore.cli.output import Output
from graphscore.exceptions import UsageError, amount

if TYPE_CHECKING:
    from graphscore.store.evaluations import Evaluation
    from graphscore.store.maintenance import Cleared, CollectionSummary, Removal

COLUMNS = (
    "name",
    "graphs",
    "frameworks",
    "documents",
    "files",
    "rejected",
    "evaluations",
    "outdated",
    "revision",
)


@click.group("store", cls=SubcommandGroup)
def command() -> None:
    """List, remove, export and migrate the contents of a store.

    Examples:
      graphscore store list runs.db
      graphscore store remove runs.db peking
      graphscore store export runs.db parquet
      graphscore store migrate runs.db
    """


@command.command("list", cls=Command)
@click.argument("store", type=FILE)
@output_options
def list_(store: str, output: Output) -> None:
    """List collections, evaluations and sizes.

    The column revision has METRIC:REVISION of each evaluation, and the metric's
    present revision if the evaluation is outdated.  The size of the store goes to
    stderr.

    Example:
      graphscore store list runs.db
    """
    from graphscore.evaluation.store import Store

    with Store(store) as opened:
        collections, size = opened.collections(), opened.size()
    values = [_as_dict(collection) for collection in collections]
    output.show(
        rows=lambda: (COLUMNS, map(_as_row, collections)),
        lines=lambda: values,
        value=lambda: values,
    )
    output.say(f"{store}: {size}")


def _as_dict(summary: CollectionSummary) -> dict[str, Any]:
    from graphscore.metrics.revisions import stored_revision

    return {
        "name": summary.name,
        "graphs": sum(summary.graphs.values()),
        "frameworks": dict(summary.graphs),
        "documents": summary.documents,
        "files": summary.files,
        "rejected": summary.rejected,
        "evaluations": summary.evaluations,
        "outdated": summary.outdated,
        "revision": [
            {
                "gold": result.gold,
                "metric": result.metric,
                "scope": result.scope,
                "revision": result.revision,
                "now": stored_revision(result.metric),
                "status": result.status,
            }
            for result in summary.scored
        ],
        "created": summary.created,
    }


def _as_row(summary: CollectionSummary) -> tuple[Any, ...]:
    """The same as a row of :data:`COLUMNS`."""
    counts = (f"{name}:{count}" for name, count in summary.graphs.items())
    scored = dict.fromkeys(map(_revision, summary.scored))
    cells = _as_dict(summary) | {
        "frameworks": " ".join(counts),
        "revision": " ".join(scored),
    }
    return tuple(cells[name] for name in COLUMNS)


def _revision(made: Evaluation) -> str:
    """Describe the metric and its revision, and the present one if it differs."""
    from graphscore.metrics.revisions import stored_revision

    shown = f"{made.metric}:{made.revision}"
    if made.status == "outdated":
        shown += f"(now {stored_revision(made.metric)})"
    return shown


@command.command("remove", cls=Command)
@click.argument("store", type=FILE)
@click.argument("name")
@wait_option
@output_options
def remove(store: str, name: str, wait: float, output: Output) -> None:
    """Remove a collection and what only it needs.

    Removes the collection NAME, its evaluations, results that no evaluation refers
    to, and evaluations by an older revision of their metric: everything or nothing.

    Example:
      graphscore store remove runs.db peking
    """
    from graphscore.evaluation.store import Store

    with Store(store, mode="write", say=output.say, wait=wait) as opened:
        gone = opened.remove(name)
    removed = amount(gone.graphs, "graph"), amount(gone.evaluations, "evaluation")
    output.say(f"removed {name}: {', '.join(removed)}; {_describe_cleared(gone)}")
    output.rows(("name", *gone._fields[1:]), [gone])


def _describe_cleared(gone: Cleared | Removal) -> str:
    """Say what was cleared."""
    outdated = amount(gone.outdated, "outdated evaluation")
    return f"cleared {amount(gone.results, 'result')}, {outdated}"


@command.command("export", cls=Command)
@click.argument("store", type=FILE)
@click.argument("folder", type=FILE)
@click.option(
    "--views",
    metavar="VIEWS",
    help="Export these views, with commas.  [default: all but v_changes]",
)
@click.option(
    "--gold",
    "golds",
    multiple=True,
    metavar="NAME",
    help="Include only evaluations against this gold (repeatable).",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="Include only evaluations of this system (repeatable).",
)
@click.option(
    "-m",
    "--metric",
    "metric_names",
    multiple=True,
    metavar="METRIC",
    help="Include only evaluations by this metric (repeatable).",
)
@click.option("--flat", is_flag=True, help="Write one file per view, with all columns.")
@click.option("--replace", is_flag=True, help="Replace an earlier export.")
@output_options
def export(
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
    """Export store views to Parquet.

    FOLDER gets manifest.json and a folder per view, partitioned by system and metric
    (v_graphs, v_tuples and v_rejected by collection), for DuckDB, polars, pandas and
    Spark.  It is written completely or not at all.  Needs graphscore[frames].

    Examples:
      graphscore store export runs.db parquet
      graphscore store export runs.db errors --views v_errors,v_scores --system peking
      graphscore store export runs.db parquet --metric mrp --replace
    """
    from graphscore import __version__
    from graphscore.metrics.registry import split_metrics
    from graphscore.metrics.revisions import stored_revision
    from graphscore.store.columnar.export import Chosen, ExportedView
    from graphscore.store.columnar.export import export as write_views

    named = names_in(views or "")
    if views is not None and not named:
        raise UsageError("--views needs the name of a view")
    texts = [text for name in metric_names for text in split_metrics(name)]
    if metric_names and not texts:
        raise UsageError("-m needs the name of a metric")
    metrics = [_canonical(text) for text in texts]
    made = write_views(
        store,
        folder,
        Chosen(named, golds, systems, metrics),
        flat=flat,
        replace=replace,
        version=__version__,
        revision_of=stored_revision,
    )
    total = sum(view.rows for view in made)
    output.say(f"{folder}: wrote {amount(total, 'row')} of {amount(len(made), 'view')}")
    output.rows(ExportedView._fields, made)


def _canonical(text: str) -> str:
    """A metric as a store has it; one that is no more may have been scored with."""
    from graphscore.metrics.registry import parse

    try:
        return str(parse(text))
    except UsageError:
        return text


@command.command("migrate", cls=Command)
@click.argument("store", type=FILE)
@wait_option
@output_options
def migrate(store: str, wait: float, output: Output) -> None:
    """Upgrade a store to the current schema.

    Commands that write upgrade an older store themselves and print that they do;
    commands that only read refuse it and name this command.  Also removes results
    that no evaluation refers to, and evaluations by an older revision of their
    metric: everything or nothing.

    Example:
      graphscore store migrate runs.db
    """
    from graphscore.evaluation.store import Store

    with Store(store, mode="write", say=output.say, wait=wait) as opened:
        gone, name, migrated = opened.clear_results(), opened.url, opened.migrated
    output.say(f"{store} is up to date; {_describe_cleared(gone)}")
    output.rows(("store", "migrated", *gone._fields), [(name, migrated, *gone)])
