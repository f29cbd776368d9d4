"""``graphscore query``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.operands import open_store
from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.exceptions import UsageError

COLUMNS = ("name", "title", "sql")
"""Columns of the list of examples."""

LONGEST = 200_000_000
"""Bytes that an answer may have, unless more or less is asked for."""

SHORTEST = 1_000_000
"""The least that may be asked for: a store has definitions of some thousand bytes."""

LARGEST = 20_000_000_000
"""The most: SQLite makes no value of more than 1,000,000,000 bytes."""

SHARE = 20
"""Number of values of the longest kind that an answer may hold."""

MEMORY = 256_000_000
"""Bytes that SQLite may take besides those of an answer."""


@click.command("query", cls=Command)
@click.argument("store", type=FILE)
@click.argument("sql", required=False)
@click.option(
    "--example",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Ask an everyday question by its name; list them without.",
)
@click.option(
    "--bytes",
    "most",
    type=click.IntRange(SHORTEST, LARGEST),
    metavar="N",
    default=LONGEST,
    show_default=True,
    help="Limit the size of the answer.",
)
@output_options
def command(
    store: str, sql: str | None, example: str | None, most: int, output: Output
) -> None:
    """Run a read-only SQL query on a store.

    Query the views v_graphs, v_tuples, v_scores, v_errors, v_error_counts,
    v_correspondences and v_confusions; the first example shows the columns of one.
    SQL as - is read from standard input.  A value may take a twentieth of --bytes.

    Examples:
      graphscore query runs.db "select * from v_scores limit 1" --json
      graphscore query runs.db "select * from v_error_counts"
      graphscore query runs.db "select item, f1 from v_scores where f1 < 0.5" --csv
      graphscore query runs.db - < question.sql
      graphscore query runs.db --example worst-everywhere
    """
    from graphscore.store.read.limits import Limits
    from graphscore.store.read.statements import heard_at_once

    if (sql is None) == (example is None):
        raise UsageError("expected SQL, or --example NAME; --example lists the names")
    if example is not None:
        from graphscore.store.read.examples import EXAMPLES, find_example

        if not example:
            columns = COLUMNS[:2] if output.shape == "table" else COLUMNS
            rows = (question[: len(columns)] for question in EXAMPLES.values())
            output.rows(columns, rows)
            return
        sql = find_example(example).sql
    assert sql is not None
    if sql == "-":
        from graphscore.formats.source import open_raw, problem

        with open_raw(sql) as stream:
            try:
                sql = stream.read().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise problem(sql, f"bytes that are not UTF-8 ({error})") from None
    limits = Limits(cell=most // SHARE, bytes=most, memory=most + MEMORY)
    with heard_at_once():
        output.rows(*open_store(store).query(sql, limits=limits))
