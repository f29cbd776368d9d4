"""The command ``graphscore``: its commands, its streams, its exit codes.

A command is imported when it is called for, so that ``--help`` needs click alone.
What goes wrong, here and in parsing, is answered by
:mod:`graphscore.cli.error_handling`.

Exit codes: 0 done, 1 a threshold failed, 2 wrong usage, 3 bad input or nothing paired,
4 done but some pairs are unproven, 5 a defect of graphscore, 130 interrupted,
141 nobody reads the output.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.command import SubcommandGroup
from graphscore.cli.error_handling import (
    INTERRUPTED,
    handle_errors,
    interruptible,
    mend_streams,
    print_error,
    write_unless_closed,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS: dict[str, dict[str, str]] = {
    "Scores and errors": {
        "score": "Score systems against gold.",
        "compare": "Test whether systems differ significantly.",
        "errors": "List the most frequent errors.",
        "items": "List F1 per item and framework, lowest first.",
        "show": "Show one item, gold and system side by side.",
        "report": "Write an HTML or Markdown report.",
        "find": "Search graphs and errors by graph pattern.",
        "whatif": "Compute score gains from fixing error classes.",
        "agree": "Measure inter-annotator agreement.",
    },
    "Stores": {
        "ingest": "Load files into a store.",
        "query": "Run a read-only SQL query on a store.",
        "serve": "Serve a read-only web explorer for a store.",
        "store": "List, remove, export and migrate store contents.",
    },
    "Files": {
        "validate": "Check files and report all problems.",
        "convert": "Convert graphs to another format.",
        "analyze": "Compute graph statistics by framework.",
    },
    "Reference": {
        "metrics": "List metrics and their parameters.",
        "formats": "List file formats.",
        "rules": "Check, show and trace rule files.",
        "demo": "Run a demo on the bundled sample.",
    },
}
"""Every command, by group, with the first line of its help."""

COMMANDS: dict[str, str] = {
    name: line for group in GROUPS.values() for name, line in group.items()
}
"""Every command, with the first line of its help."""


class CommandGroup(SubcommandGroup):
    """A group whose commands live in modules of their own, imported late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of a first day's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and take its command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"graphscore.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands by group, without importing them."""
        width = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            with formatter.section(group):
                lines = [(name.ljust(width), line) for name, line in commands.items()]
                formatter.write_dl(lines)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem[Any]]:
        """The commands and options that begin like that, without importing commands."""
        from click.shell_completion import CompletionItem

        completion_items = [
            CompletionItem(command, help=line)
            for command, line in COMMANDS.items()
            if command.startswith(incomplete)
        ]
        return completion_items + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Parse what stands before the command, and print help and versions."""
        with handle_errors():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn what goes wrong into a message and an exit code."""
        with handle_errors(ctx), warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            return super().invoke(ctx)

    def main(self, *args: Any, standalone_mode: bool = True, **settings: Any) -> Any:
        """Run the command line.

        Args:
            args: what click takes.
            standalone_mode: whether to end the process; else click's exceptions are
                raised, and an exit code other than 0 is returned.
            settings: what else click takes.
        """
        mend_streams()
        try:
            run: Any = super().main
            code = run(*args, standalone_mode=False, **settings)
        except click.ClickException as error:
            if not standalone_mode:
                raise
            # What click says of it ends with what it was given.
            write_unless_closed(error.show)
            code = error.exit_code
        except click.Abort:
            if not standalone_mode:
                raise
            print_error("interrupted")
            code = INTERRUPTED
        if not standalone_mode:
            return code
        sys.exit(code if isinstance(code, int) else 0)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
    """Say what Python programs are warned of, as every command talks."""
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        of_user = issubclass(category, UserWarning)
        print_error(f"{message}" if of_user else f"{category.__name__}: {message}")


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    import platform
    import sqlite3

    click.echo(f"graphscore {_installed_version('graphscore')}")
    click.echo(f"Python {platform.python_version()}")
    click.echo(f"SQLite {sqlite3.sqlite_version}")
    click.echo(f"scipy {_installed_version('scipy')} (HiGHS)")
    ctx.exit()


def _installed_version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


@click.group(
    cls=CommandGroup,
    subcommand_metavar="COMMAND [ARGUMENTS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the versions of graphscore and its dependencies.",
)
def cli() -> None:
    """Score structured predictions against gold and explain the scores.

    Semantic graphs, dependency trees, entities, coreference, relations, events,
    templates and semantic roles, in their published file formats.  See graphscore
    formats and graphscore metrics.

    Examples:
      graphscore demo
      graphscore score gold.conllu parser.conllu
      graphscore errors gold.mrp system.mrp --tuple-type edges
      graphscore agree ann.iob2 ben.iob2 eve.iob2

    Results go to stdout, messages to stderr.  Output is a table on a terminal, JSON
    otherwise; --table, --json, --jsonl, --csv, --markdown and --latex select a
    format.
    """


def main() -> None:
    """Run the command line."""
    # Products of matrices are few and small here, and a thread for each processor takes
    # as long to start as everything else that numpy imports.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with interruptible():
            cli(prog_name="graphscore")
    finally:
        # The process ends: nobody looks for cycles among all that it has once more.
        gc.freeze()
