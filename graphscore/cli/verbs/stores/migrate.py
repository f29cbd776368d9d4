"""``graphscore migrate``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("migrate", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """Bring a store of an older version to this version's layout.

    Verbs that write do so by themselves, after saying it; verbs that only read
    refuse an older store and name this command.

    Example:
      graphscore migrate runs.db
    """
    from graphscore.metrics.revisions import current_revision
    from graphscore.store.opening import open_store
    from graphscore.store.passwords import hidden

    said: list[str] = []
    open_store(store, notify=said.append, revision_of=current_revision).close()
    for line in said or [f"{store} is up to date"]:
        output.say(line)
    output.rows(("store", "migrated"), [(hidden(store), bool(said))])
