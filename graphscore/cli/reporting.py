"""Options of ``report``, and the command that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from graphscore.cli.bundles import Bundle, option
from graphscore.cli.command import FILE
from graphscore.cli.plots import STDOUT, check_targets, output_option
from graphscore.exceptions import UsageError

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands

ELSEWHERE = frozenset(
    {"html", "markdown", "file", "verbose", "quiet", "jobs", "operands"}
)
"""Parameters that change nothing in a report."""

MARKDOWN = (".md", ".markdown", ".txt")
"""Suffixes of Markdown files."""


class ReportOptions(Bundle):
    """Options of a report and its target."""

    html: str | None = option(
        "--html",
        type=FILE,
        metavar="FILE",
        help="Write the report as one HTML page (- is stdout).",
    )
    markdown: str | None = option(
        "--markdown",
        type=FILE,
        is_flag=False,
        flag_value="-",
        metavar="[FILE.md]",
        help="Write the report as Markdown (default: to stdout).",
    )
    file: str | None = output_option()
    site: str | None = option(
        "--site",
        type=FILE,
        metavar="DIR",
        help="Write the leaderboards of a STORE as pages without items and gold.",
    )
    with_items: bool = option(
        "--with-items",
        default=False,
        is_flag=True,
        needs=["site"],
        help="Show items, labels and values of gold in the site, too.",
    )
    ranking: str | None = option(
        "--ranking",
        type=FILE,
        metavar="RULES",
        needs=["site"],
        help="Put the ranking by the rules of a TOML file first in the site.",
    )
    worst: int | None = option(
        "--worst",
        type=click.IntRange(0),
        metavar="N",
        excludes=["items"],
        help="Show at most N items, lowest first.  [default: 100]",
    )
    items: int | None = option(
        "--items",
        type=click.IntRange(0),
        metavar="N",
        help="Show the first N items in gold order.",
    )
    compare: bool = option(
        "--compare",
        default=False,
        is_flag=True,
        help="Compare systems: tests, errors fixed and new.",
    )

    def check(self, operands: Operands) -> None:
        """Refuse files that could not be written, before anything is scored.

        Args:
            operands: what is read; none of that is overwritten.

        Raises:
            UsageError: if none is named, one is an operand or no file in a folder that
                is there, or both go to one place.
        """
        html, markdown = self.html, self.markdown
        if html is None and markdown is None:
            raise UsageError(
                "say where the report goes: --html FILE, --markdown [FILE] or "
                "--site DIR"
            )
        if markdown not in (None, STDOUT) and not str(markdown).endswith(MARKDOWN):
            raise UsageError(
                f"--markdown {markdown}: expected a file that ends in "
                f"{', '.join(MARKDOWN)}; without one it goes after the operands"
            )
        if html is not None and html == markdown:
            where = "standard output" if html == STDOUT else html
            raise UsageError(f"--html and --markdown: both go to {where}")
        check_targets({"--html": html, "--markdown": markdown}, operands)


def command_line(operands: Sequence[str]) -> str:
    """The command that makes the same report, whatever file it goes to.

    Args:
        operands: what was typed.
    """
    context = click.get_current_context()
    words = ["graphscore", "report", *operands]
    for param in context.command.params:
        name = param.name or ""
        typed = context.get_parameter_source(name) == ParameterSource.COMMANDLINE
        if name in ELSEWHERE or not typed or not isinstance(param, click.Option):
            continue
        value = context.params[name]
        if param.is_flag:
            words += [param.opts[0]] * bool(value)
        elif param.multiple:
            for element in value:
                words += [param.opts[-1], str(element)]
        else:
            words += [param.opts[-1], str(value)]
    return shlex.join([*words, "--html", "report.html"])
