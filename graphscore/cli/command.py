"""A command's command: like click's, but its examples keep their lines.

Arguments are bytes.  The name of a file may be any bytes; everything else is text,
and what is none could match nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.error_handling import VERBOSE
from graphscore.exceptions import as_text, did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Type = click.ParamType[str]
    Chosen = click.Choice[str]
else:
    Type, Chosen = click.ParamType, click.Choice

SHOWN = 25
"""Options that ``--help`` shows of a command; where there are more, some are hidden."""

GROUPS: dict[str, tuple[str, str]] = {
    "Input": (
        "as gold system collection format from pair keep-going",
        "pool ids gold-format system-format document-regex document-map text "
        "framework-of-file inventory labels",
    ),
    "What to score": (
        "metric by score scope tuple-type error-type class per-item rank framework "
        "document only item where inverted ignore across",
        "language layer references within sweep ranking",
    ),
    "Search": ("jobs timeout distinct", "limit time-limit"),
    "Statistics": ("ci baseline chance", "samples seed level cluster over"),
    "Output": (
        "output to force save fail-under fail-over fail-if-worse top worst items order "
        "shared compare confusions explain fold count show sql better worse views flat "
        "bytes json csv table markdown verbose quiet",
        "all html svg plot score-only strict replace wait jsonl latex summary decimals "
        "width",
    ),
    "Options": ("host port token store", ""),
    "Help": ("help help-all", ""),
}
"""The groups of options in a help: names of options that ``--help`` shows, and of those
that it leaves to ``--help-all``."""

HELP_ALL = "graphscore.help_all"
"""Key of a context in which help shows every option."""

_EXAMPLES = r"(?m)^( *)(Examples?:)$"


def keep_examples(text: str | None) -> str | None:
    r"""Mark the examples in a help text as not to be wrapped.

    >>> keep_examples("Do it.\n\nExample:\n  do it")
    'Do it.\n\n\x08\nExample:\n  do it'
    """
    return None if text is None else re.sub(_EXAMPLES, "\\1\b\n\\1\\2", text)


class FileName(Type):
    """The name of a file, a folder, a store: any bytes but none at all."""

    name = "file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Take a name as it is."""
        text = str(value)
        if not text:
            self.fail("an empty name", param, ctx)
        if "\0" in text:
            self.fail("a name with a NUL character", param, ctx)
        try:
            os.fsencode(text)
        except UnicodeEncodeError:
            self.fail(f"{as_text(text)} is not a name of bytes", param, ctx)
        return text

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[Any]]:
        """Leave it to the shell, which knows files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


FILE = FileName()


class OneOf(Chosen):
    """One of a few words; for another one, which was perhaps meant."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Take one of the words."""
        try:
            result: str = super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = did_you_mean(str(value), self.choices)
            self.fail(f"{error.message.removesuffix('.')}{near}.", param, ctx)
        return result


class Command(click.Command):
    """A command of the command line."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.help = keep_examples(self.help)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show this message with all options and exit.",
            )
        )

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the options by group: all with ``--help-all``, else the usual ones."""
        options = [
            param for param in self.get_params(ctx) if isinstance(param, click.Option)
        ]
        show_all = HELP_ALL in ctx.meta or len(options) <= SHOWN
        lines: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for option in options:
            group, hidden = _group_of(option)
            if record := option.get_help_record(ctx):
                lines[group] += [record] * (show_all or not hidden)
        for group, records in lines.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take arguments apart; refuse text that is none.

        Raises:
            BadParameter: for bytes that are not UTF-8, and for NUL characters.
        """
        left = super().parse_args(ctx, args)
        ctx.meta[VERBOSE] = bool(ctx.params.get("verbose"))
        for param in self.params:
            if isinstance(param.type, FileName) or param.name is None:
                continue
            for text in _texts(ctx.params.get(param.name)):
                if as_text(text) != text:
                    what = f"{as_text(text)} is not UTF-8"
                    raise click.BadParameter(what, ctx, param)
                if "\0" in text:
                    raise click.BadParameter("a NUL character", ctx, param)
        return left


class SubcommandGroup(click.Group):
    """A command with commands below it."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.help = keep_examples(self.help)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown one say which was perhaps meant."""
        commands = self.list_commands(ctx)
        known = ctx.resilient_parsing or not args or args[0] in commands
        if not known and not args[0].startswith("-"):
            ctx.fail(f"no command {args[0]!r}{did_you_mean(args[0], commands)}")
        return super().resolve_command(ctx, args)


def _group_of(option: click.Option) -> tuple[str, bool]:
    """Return the group of an option, and whether ``--help`` leaves it out."""
    names = {name.lstrip("-") for name in option.opts}
    for group, (shown, hidden) in GROUPS.items():
        if not names.isdisjoint((*shown.split(), *hidden.split())):
            return group, names.isdisjoint(shown.split())
    return "Options", False


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the help with every option, and end."""
    if value and not ctx.resilient_parsing:
        ctx.meta[HELP_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _texts(value: Any) -> Iterator[str]:
    """The texts that an option or argument was given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _texts(element)
