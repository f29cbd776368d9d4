"""``graphscore remove``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import amount


@click.command("remove", cls=Verb)
@click.argument("store", type=FILE)
@click.argument("name")
@output_options
def command(store: str, name: str, output: Output) -> None:
    """Remove the collection NAME and its evaluations from a store.

    Results that no evaluation refers to are cleared, and evaluations that an older
    revision of their metric made.  All of it goes, or nothing.

    Example:
      graphscore remove runs.db peking
    """
    from graphscore.evaluation.stored import Store

    with Store(store, mode="write", say=output.say) as opened:
        gone = opened.remove(name)
    removed = amount(gone.graphs, "graph"), amount(gone.evaluations, "evaluation")
    cleared = (
        amount(gone.results, "result"),
        amount(gone.outdated, "outdated evaluation"),
    )
    output.say(f"removed {name}: {', '.join(removed)}; cleared {', '.join(cleared)}")
    output.rows(("name", *gone._fields[1:]), [gone])
