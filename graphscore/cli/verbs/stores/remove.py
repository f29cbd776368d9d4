"""``graphscore remove``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("remove", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("name")
@output_options
def command(store: str, name: str, output: Output) -> None:
    """Remove the collection NAME and its evaluations from a store.

    Example:
      graphscore remove runs.db peking
    """
    from graphscore.metrics.revisions import current_revision
    from graphscore.store.maintenance import remove
    from graphscore.store.opening import open_store

    with (
        open_store(store, notify=output.say, revision_of=current_revision) as database,
        database.writing() as connection,
    ):
        gone = remove(connection, name)
    output.say(
        f"removed {name}: {gone.graphs} graphs, {gone.evaluations} evaluations, "
        f"{gone.results} results that only they needed"
    )
    row = (name, gone.graphs, gone.evaluations, gone.results)
    output.rows(("name", "graphs", "evaluations", "results"), [row])
