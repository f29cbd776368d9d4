"""``graphscore serve``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.error_handling import print_message


@click.command("serve", cls=Command)
@click.argument("store", type=FILE)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Set the address; other than localhost needs --token.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Set the port (0: any free port).",
)
@click.option(
    "--token",
    envvar="GRAPHSCORE_TOKEN",
    metavar="TEXT",
    help="Require this token. [GRAPHSCORE_TOKEN]",
)
def command(store: str, host: str, port: int, token: str | None) -> None:
    """Serve a read-only web explorer for a store.

    Shows evaluations, slices, errors, pictures of items, searches and comparisons of
    two systems, and runs SQL.  Prints its address.  Needs pip install
    'graphscore[web]'.

    Examples:
      graphscore serve runs.db
      graphscore serve runs.db --port 0
      graphscore serve runs.db --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """
    from graphscore.explorer.server import serve

    def announce(address: str) -> None:
        click.echo(address)
        hint = "" if token is None else ", first with ?token=TOKEN"
        print_message(f"{address} shows {store}{hint}; Ctrl-C ends it")

    serve(
        store, host=host, port=port, token=token, announce=announce, say=print_message
    )
