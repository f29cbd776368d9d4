"""``graphscore prune``."""

from __future__ import annotations

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb


@click.command("prune", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """Take outdated evaluations and results out of a store, and say what was freed.

    Outdated is what was made under another revision of its metric than it has now:
    the metric was corrected, or a file, a formula or rules that it reads were edited.

    Example:
      graphscore prune runs.db
    """
    from graphscore.errors import amount
    from graphscore.evaluation.stored import Store

    with Store(store, mode="write", say=output.say) as opened:
        gone = opened.prune()
    if gone.evaluations or gone.results:
        output.say(
            f"{store}: removed {amount(gone.evaluations, 'outdated evaluation')} and "
            f"{amount(gone.results, 'result')} with {amount(gone.errors, 'error')}; "
            f"{amount(gone.bytes, 'byte')} freed"
        )
    else:
        output.say(f"{store}: nothing is outdated")
    output.rows(("store", *gone._fields), [(store, *gone)])
