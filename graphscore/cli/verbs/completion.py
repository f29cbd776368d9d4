"""``graphscore completion``."""

from __future__ import annotations

import click

from graphscore.cli.completion import SHELLS, script
from graphscore.cli.verb import OneOf, Verb


@click.command("completion", cls=Verb)
@click.argument("shell", type=OneOf(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what a shell reads to complete words with the tab key.

    Verbs and options, files, metrics, formats, frameworks, figures of the metrics that
    are named, and collections of the store that is named.

    Examples:
      eval "$(graphscore completion bash)"
      graphscore completion fish > ~/.config/fish/completions/graphscore.fish

    Exit codes: 0 done, 2 wrong usage.
    """
    click.echo(script(ctx.find_root().command, shell))
