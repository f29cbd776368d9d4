"""``graphscore query``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("query", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("sql")
@output_options
def command(store: str, sql: str, output: Output) -> None:
    """Ask a store in SQL (- reads it from standard input).

    The database itself refuses to write.  The views v_graphs, v_tuples, v_scores,
    v_errors, v_error_counts, v_correspondences and v_confusions have
    rows with columns by name, as the first example shows.

    Examples:
      graphscore query runs.db "select * from v_scores limit 1" --json
      graphscore query runs.db "select * from v_error_counts"
      graphscore query runs.db "select item, f1 from v_scores where f1 < 0.5" --csv
      graphscore query runs.db - < question.sql
    """
    from graphscore.metrics.revisions import stored_revision
    from graphscore.store.reading.queries import query

    if sql == "-":
        from graphscore.formats.source import open_raw, problem

        with open_raw(sql) as stream:
            try:
                sql = stream.read().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise problem(sql, f"bytes that are not UTF-8 ({error})") from None
    columns, rows = query(store, sql, revision_of=stored_revision)
    output.rows(columns, rows)
