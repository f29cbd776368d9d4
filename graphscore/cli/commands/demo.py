"""``graphscore demo``."""

from __future__ import annotations

import itertools
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

import graphscore
from graphscore.cli.command import FILE, Command
from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.progress import progress
from graphscore.exceptions import GraphscoreError, UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.report.table import Table
    from graphscore.store.read.frequent import Frequent

SYSTEMS = ("alder", "birch")

SHOWN = "birch"
"""The system whose errors are shown."""

MEANINGS = [
    "",
    "mrp: F1 of tops, labels, properties, anchors, edges and attributes of graphs.",
    "missing: a tuple that only gold has.",
    "spurious: a tuple that only the system has.",
]


@click.command("demo", cls=Command)
@click.option(
    "--store",
    type=FILE,
    metavar="PATH",
    help="Create the store here.  [default: ./graphscore-demo.db]",
)
@output_options
def command(store: str | None, output: Output) -> None:
    """Run a demo on the bundled sample.

    Example:
      graphscore demo
    """
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.rows.scores import flat_columns, flat_rows
    from graphscore.evaluation.store import Store
    from graphscore.metrics.registry import parse
    from graphscore.store.read.frequent import frequent_errors

    data = sample_folder()
    path = _new_store(store)
    with Store(path, mode="create", say=output.say) as opened:
        for name in ("gold", *SYSTEMS):
            opened.ingest([str(data / f"{name}.mrp")], name)
            output.say(f"read {name}.mrp")
        results = []
        for system in SYSTEMS:
            with progress(output, f"scoring {system}") as update:
                results += opened.evaluate(
                    "gold", system, [parse("mrp")], Options(), progress=update
                )
        sides = {"gold": "gold", "system": SHOWN, "metric": "mrp"}
        errors = frequent_errors(opened.query, sides, top=10)
    summary = {
        "store": os.path.abspath(path),
        "results": [{"system": result.system} | result.to_dict() for result in results],
        "errors": [dict(zip(errors.columns, row, strict=True)) for row in errors.rows],
        "sql": errors.sql,
    }
    by = ("framework",)
    # A demonstration is for reading, also where its output is kept.
    output.changed(mode=output.mode or "table").show(
        tables=lambda _: _tables(results, errors),
        # The scores, as those of the command score; errors are another table.
        rows=lambda: (
            flat_columns(by),
            (row for result in results for row in flat_rows(result, by)),
        ),
        lines=lambda: [summary],
        value=lambda: summary,
    )
    output.say(_what_next(path))


def _new_store(path: str | None) -> str:
    """A path where nothing is yet.

    Raises:
        UsageError: if the path that was asked for exists.
    """
    if path is not None:
        if os.path.exists(path):
            raise UsageError(f"{path} exists; the demo makes a new store")
        return path
    names = (
        f"graphscore-demo{'' if number == 1 else f'-{number}'}.db"
        for number in itertools.count(1)
    )
    return next(name for name in names if not os.path.exists(name))


def _tables(results: list[Result], frequent: Frequent) -> list[Table]:
    from graphscore.report.score_tables import score_tables
    from graphscore.report.table import as_table

    errors = as_table(frequent.columns, frequent.rows)
    errors.title = f"The ten most frequent errors of {SHOWN}"
    errors.notes = [*MEANINGS]
    return [*score_tables(results), errors]


def _what_next(path: str) -> str:
    quoted = shlex.quote(path)
    return f"""
The store is {os.path.abspath(path)}.  Try next:
  graphscore errors {quoted} --gold gold --system birch --tuple-type edges
  graphscore show sample-02 {quoted} --gold gold --system birch --framework amr
  graphscore query {quoted} "select framework, tuple_type, error_type, sum(errors) \
from v_error_counts where system = 'birch' group by 1, 2, 3\""""


def sample_folder() -> Path:
    """The folder that holds ``gold.mrp``, ``alder.mrp`` and ``birch.mrp``.

    Raises:
        GraphscoreError: if this installation has no sample.
    """
    package = Path(graphscore.__file__).parent
    for folder in (package / "_data", package.parent / "data"):
        if (folder / "gold.mrp").is_file():
            return folder
    raise GraphscoreError(f"the sample corpus is missing beside {package}")
