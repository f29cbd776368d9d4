"""Where ``report`` writes, and the command that makes the same report again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from graphscore.cli.files import to_stdout
from graphscore.cli.operands import FileOperands
from graphscore.errors import UsageError
from graphscore.files import replacing

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands

STDOUT = "-"

ELSEWHERE = frozenset({"html", "markdown", "verbose", "quiet", "jobs", "operands"})
"""Parameters that change nothing in a report."""

MARKDOWN = (".md", ".markdown", ".txt")
"""How files of Markdown end."""


def check_outputs(html: str | None, markdown: str | None, operands: Operands) -> None:
    """Refuse files that could not be written, before anything is scored.

    Args:
        html: the file of ``--html``.
        markdown: the file of ``--markdown``.
        operands: what is read; none of that is overwritten.

    Raises:
        UsageError: if none is named, one is an operand or no file in a folder that is
            there, or both go to one place.
    """
    if html is None and markdown is None:
        raise UsageError("say where the report goes: --html FILE, or --markdown [FILE]")
    if markdown not in (None, STDOUT) and not str(markdown).endswith(MARKDOWN):
        raise UsageError(
            f"--markdown {markdown}: expected a file that ends in {', '.join(MARKDOWN)}"
            "; without one it goes after the operands"
        )
    if html is not None and html == markdown:
        where = "standard output" if html == STDOUT else html
        raise UsageError(f"--html and --markdown: both go to {where}")
    for option, target in (("--html", html), ("--markdown", markdown)):
        if target not in (None, STDOUT):
            _check(option, str(target), operands)


def _check(option: str, target: str, operands: Operands) -> None:
    path = Path(target)
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise UsageError(f"{option} {target} is not a file; - is standard output")
    if not path.parent.is_dir():
        raise UsageError(f"{option} {target}: no directory {path.parent}")
    for file in _read(operands):
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            raise UsageError(f"{option} {target}: that is {file}, which is scored")


def _read(operands: Operands) -> Iterator[str]:
    """The files that operands are."""
    if not isinstance(operands, FileOperands):
        yield operands.store.removeprefix("sqlite:///")
        return
    from graphscore.formats import expand

    for operand in (*operands.golds, *operands.systems):
        if operand != STDOUT:
            yield from expand(operand)


def put(target: str, text: str) -> None:
    """Write a text whole or not at all, or print it.

    Args:
        target: a file; ``-`` is standard output.
        text: what is written.

    Raises:
        GraphscoreError: if it cannot be written.
    """
    content = text.encode("utf-8")
    if target == STDOUT:
        with to_stdout() as write:
            write(content)
        return
    with replacing(target) as write:
        write(content)


def command_line(operands: Sequence[str]) -> str:
    """The command that makes the same report, whatever file it goes to.

    Args:
        operands: what was typed.
    """
    context = click.get_current_context()
    words = ["graphscore", "report", *operands]
    for param in context.command.params:
        name = param.name or ""
        given = context.get_parameter_source(name) == ParameterSource.COMMANDLINE
        if name in ELSEWHERE or not given or not isinstance(param, click.Option):
            continue
        value = context.params[name]
        if param.is_flag:
            words += [param.opts[0]] * bool(value)
        elif param.multiple:
            for each in value:
                words += [param.opts[-1], str(each)]
        else:
            words += [param.opts[-1], str(value)]
    return shlex.join([*words, "--html", "report.html"])
