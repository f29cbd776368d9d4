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
    help="Where it is served; others than this machine need --token.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="0 takes one that is free.",
)
@click.option(
    "--token",
    envvar="GRAPHSCORE_TOKEN",
    metavar="TEXT",
    help="What everybody has to know who reads it (or GRAPHSCORE_TOKEN).",
)
def command(store: str, host: str, port: int, token: str | None) -> None:
    """Serve a read-only web explorer for a store.

    Evaluations, slices, errors, items with their pictures, search, two systems
    beside each other, and a box for SQL.  Prints the address.  Needs the libraries
    that pip install 'graphscore[web]' brings.

    Examples:
      graphscore serve runs.db
      graphscore serve runs.db --port 0
      graphscore serve runs.db --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """
    from graphscore.explorer.server import serve

    def announce(address: str) -> None:
        click.echo(address)
        hint = "" if token is None else ", first with ?token= and the token behind it"
        print_message(f"{address} shows {store}{hint}; Ctrl-C ends it")

    serve(
        store, host=host, port=port, token=token, announce=announce, say=print_message
    )
