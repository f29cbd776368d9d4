"""``graphscore prune``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb

if TYPE_CHECKING:
    from graphscore.store.pruning import Pruned


@click.command("prune", cls=Verb)
@click.argument("store", type=FILE)
@click.option("--stale", is_flag=True, help="Stale evaluations, too.")
@click.option(
    "--unused-results",
    is_flag=True,
    help="Results that no evaluation uses, too, though they would serve again.",
)
@click.option(
    "--unused-collections",
    is_flag=True,
    help="Collections that no evaluation uses, too.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would go; the store is only read."
)
@output_options
def command(
    store: str,
    stale: bool,
    unused_results: bool,
    unused_collections: bool,
    dry_run: bool,
    output: Output,
) -> None:
    """Take outdated evaluations and results out of a store, and say what was freed.

    Outdated is what was made under another revision of its metric than it has now:
    the metric was corrected, or a file, a formula or rules that it reads were edited.
    Everything goes in one transaction, or nothing.

    Examples:
      graphscore prune runs.db
      graphscore prune runs.db --stale --dry-run
    """
    from graphscore.evaluation.stored import Store
    from graphscore.store.passwords import hidden

    mode = "read" if dry_run else "write"
    with Store(store, mode=mode, say=output.say) as opened:  # type: ignore[arg-type]
        gone = opened.prune(
            stale=stale,
            unused_results=unused_results,
            unused_collections=unused_collections,
            dry_run=dry_run,
        )
    if not gone.nothing:
        output.say(f"{store}: {_told(gone, stale, dry_run)}")
    elif stale or unused_results or unused_collections:
        output.say(f"{store}: there is nothing to take out")
    else:
        output.say(f"{store}: nothing is outdated")
    fields = gone._replace(collections=len(gone.collections))  # type: ignore[arg-type]
    columns = ("store", *gone._fields, "dry_run")
    output.rows(columns, [(hidden(store), *fields, dry_run)])


def _told(gone: Pruned, stale: bool, dry_run: bool) -> str:
    """What went, or would go, in words."""
    from graphscore.errors import amount

    what = "outdated or stale evaluation" if stale else "outdated evaluation"
    said = (
        f"{'would remove' if dry_run else 'removed'} {amount(gone.evaluations, what)} "
        f"and {amount(gone.results, 'result')} with {amount(gone.errors, 'error')}"
    )
    if gone.texts:
        said += f", {amount(gone.texts, 'text')} that no graph has"
    if gone.collections:
        names = ", ".join(map(repr, gone.collections))
        held = amount(gone.graphs, "graph")
        said += f", unused {names} with {held}"
    if gone.bytes is None:
        return said
    if dry_run:
        return f"{said}; some {amount(gone.bytes, 'byte')} would be free"
    if not gone.bytes:
        # PostgreSQL keeps the room in its tables.
        return f"{said}; later rows take their room"
    return f"{said}; {amount(gone.bytes, 'byte')} freed"
