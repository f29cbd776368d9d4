"""``graphscore migrate``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import amount


@click.command("migrate", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """Bring a store of an older version to this version's layout.

    Verbs that write do so by themselves, after saying it; verbs that only read
    refuse an older store and name this command.  Results that no evaluation refers to
    are cleared, and evaluations that an older revision of their metric made: all of
    them, or none.

    Example:
      graphscore migrate runs.db
    """
    from graphscore.evaluation.stored import Store

    messages: list[str] = []
    with Store(store, mode="write", say=messages.append) as opened:
        gone, name = opened.clear_results(), opened.url
    migrated = bool(messages)
    cleared = (
        amount(gone.results, "result"),
        amount(gone.outdated, "outdated evaluation"),
    )
    messages.append(f"{store} is up to date; cleared {', '.join(cleared)}")
    for message in messages:
        output.say(message)
    output.rows(("store", "migrated", *gone._fields), [(name, migrated, *gone)])
