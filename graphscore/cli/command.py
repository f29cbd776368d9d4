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
from graphscore.errors import as_text, did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Type = click.ParamType[str]
    Chosen = click.Choice[str]
else:
    Type, Chosen = click.ParamType, click.Choice

_EXAMPLES = re.compile(r"^( *)(Examples?:)$", re.MULTILINE)


def keep_examples(text: str | None) -> str | None:
    r"""Mark the examples in a help text as not to be wrapped.

    >>> keep_examples("Do it.\n\nExample:\n  do it")
    'Do it.\n\n\x08\nExample:\n  do it'
    """
    return None if text is None else _EXAMPLES.sub("\\1\b\n\\1\\2", text)


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
            self.fail(f"{as_text(text)} is no name of bytes", param, ctx)
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


def _texts(value: Any) -> Iterator[str]:
    """The texts that an option or argument was given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
