"""Output of commands: data to stdout in one of six shapes, messages to stderr.

Tables are plain text, Markdown or LaTeX: a command that prints tables, or rows, has all
of these.  With ``--summary`` the same tables go, as Markdown, to the summary of a job.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from graphscore.cli.bundles import Bundle, choice, option
from graphscore.cli.error_handling import print_error, print_message
from graphscore.exceptions import GraphscoreError, as_text, escaped

if TYPE_CHECKING:
    from graphscore.exceptions import Problem
    from graphscore.metrics.base import Metric
    from graphscore.report.table import Table

COMMON = 80
"""Columns of a terminal that nobody changed."""

Mode = Literal["json", "jsonl", "csv", "table"]

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable of the environment that names the file of a job's summary."""

LISTED = 20
"""Problems that are listed before the rest is only counted."""


def _file_of_summary(ctx: click.Context, _: click.Parameter, value: bool) -> str | None:
    """The file of the summary; where the environment names none, that is said.

    That it can be written is seen before anything is worked on.
    """
    if not value or ctx.resilient_parsing:
        return None
    path = os.environ.get(SUMMARY)
    if path:
        append_summary(path, "")
        return path

    def remark() -> None:
        if not ctx.params.get("quiet"):
            print_error(f"--summary: {SUMMARY} is not set, no summary is written")

    ctx.call_on_close(remark)
    return None


class Output(Bundle):
    """Options of a command's output."""

    mode: str | None = choice(
        json="Print JSON (the default in a pipe or file).",
        jsonl="Print one JSON value per line.",
        csv="Print CSV with a header row.",
        table="Print a table (the default on a terminal).",
        markdown="Print Markdown tables.",
        latex="Print LaTeX tables (booktabs).",
    )
    summary: str | None = option(
        "--summary",
        is_flag=True,
        callback=_file_of_summary,
        help=f"Append Markdown tables to ${SUMMARY}.",
    )
    decimals: int = option(
        "--decimals",
        type=click.IntRange(0, 15),
        default=2,
        show_default=True,
        help="Set decimals of scores in tables (shown x100).",
    )
    width: int | None = option(
        "--width",
        type=click.IntRange(20, 10_000),
        metavar="COLUMNS",
        help="Set the table width (default: terminal width).",
    )
    verbose: bool = option(
        "-v", "--verbose", default=False, is_flag=True, help="Print more detail."
    )
    quiet: bool = option(
        "-q",
        "--quiet",
        default=False,
        is_flag=True,
        help="Print results and errors only.",
    )
    appended_to: str | None = None

    def audiences(self) -> Iterator[Output]:
        """Yield the outputs: standard output, and the summary if it is requested.

        A command that looks at the shape prints once to each; whatever is printed to
        this value itself is printed to each as well.
        """
        yield self.changed(summary=None) if self.summary is not None else self
        if self.summary is not None:
            yield self.changed(mode="markdown", summary=None, appended_to=self.summary)

    @property
    def shape(self) -> Mode:
        """The shape that was asked for; else a table on a terminal, or JSON.

        Markdown and LaTeX are tables.
        """
        if self.mode in ("markdown", "latex"):
            return "table"
        if self.mode is not None:
            return self.mode  # type: ignore[return-value]
        return "table" if sys.stdout.isatty() else "json"

    @property
    def columns(self) -> int | None:
        """Characters to which texts are cut: those of ``--width``, if it is given.

        Markdown and LaTeX have room.
        """
        from graphscore.report.text import WIDE

        return WIDE if self.mode in ("markdown", "latex") else self.width

    @property
    def room(self) -> int:
        """Characters to which texts are cut: of a file, those of a common terminal."""
        if self.columns or not sys.stdout.isatty():
            return self.columns or COMMON
        from shutil import get_terminal_size

        return get_terminal_size().columns

    def say(self, message: str) -> None:
        """Talk, on stderr, unless ``--quiet``."""
        if not self.quiet:
            print_error(message)

    def say_chosen(self, chosen: Iterable[tuple[Metric, str]]) -> None:
        """Say which metrics were chosen and why, where nobody named them.

        Args:
            chosen: metrics with reasons.
        """
        from graphscore.evaluation.default_metrics import describe_choice

        if line := describe_choice(chosen):
            self.say(line)

    def list_problems(self, problems: Iterable[Problem | str]) -> None:
        """Name the first problems on stderr and count the rest; with -v name all."""
        from graphscore.exceptions import listed

        lines = (
            map(str, problems) if self.verbose else listed(problems, LISTED, share=True)
        )
        for line in lines:
            self.say(line)

    def tables(self, tables: Iterable[Table]) -> None:
        """Print tables, as text or in the markup that was asked for."""
        if self.summary is not None:
            tables = [*tables]
            for audience in self.audiences():
                audience.tables(tables)
        elif self.mode == "markdown":
            from graphscore.report.markdown import markdown

            self._put(markdown(tables, self.decimals))
        elif self.mode == "latex":
            from graphscore.report.latex import latex

            self._put(latex(tables, self.decimals))
        else:
            from graphscore.report.text import render

            text = render(tables, self.decimals, sys.stdout.isatty(), self.width)
            click.echo(_encodable(text), nl=False)

    def show(
        self,
        *,
        tables: Callable[[int], Iterable[Table]] | None = None,
        rows: Callable[[], tuple[Sequence[str], Iterable[Sequence[Any]]]],
        lines: Callable[[], Iterable[Any]] | None = None,
        value: Callable[[], Any] | None = None,
    ) -> None:
        """Print in the shape that was asked for, to everybody who gets it.

        Args:
            tables: makes tables, whose texts have so many characters; without, rows are
                a table.
            rows: makes rows, for CSV; without one of the others they are that as well.
            lines: makes the values of JSON lines, and of a JSON array.
            value: makes another value of JSON.
        """
        for to in self.audiences():
            if to.shape == "table" and tables is not None:
                to.tables(tables(to.room))
            elif to.shape == "jsonl" and lines is not None:
                to.lines(lines())
            elif to.shape == "json" and value is not None:
                to.value(value())
            elif to.shape == "json" and lines is not None:
                to.array(lines())
            else:
                to.rows(*rows())

    def beneath(self, text: str) -> None:
        """Print lines below a table, such as SQL; beside other data they are talk."""
        for audience in self.audiences():
            if audience.mode == "markdown":
                from graphscore.report.markdown import listing

                audience._put(f"\n{listing(text)}")
            elif audience.mode == "latex":
                from graphscore.report.latex import listing

                audience._put(f"\n{listing(text)}")
            else:
                echo(f"\n{text}", err=audience.shape != "table")

    def _put(self, text: str) -> None:
        """Print markup, or append it to the summary."""
        if self.appended_to is None:
            click.echo(text, nl=False)
        elif text:
            append_summary(self.appended_to, text)

    def value(self, value: Any) -> None:
        """Print one JSON value, indented."""
        click.echo(_json(value, indent=2))

    def rows(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Print rows in the shape that was asked for; all but tables are streamed."""
        from graphscore.exceptions import visible
        from graphscore.report.data import csv_lines
        from graphscore.report.table import Table, as_table

        if self.summary is not None:
            rows = [*rows]
        for to in self.audiences():
            table = Table.of(columns, rows)
            if to.shape == "table":
                rows = [*rows]
                # A single row is read downwards, several are compared.
                to.tables([as_table(columns, rows, records=len(rows) == 1)])
            elif to.shape == "csv":
                _print_lines(csv_lines(table, visible if sys.stdout.isatty() else str))
            elif to.shape == "jsonl":
                to.lines(table.records_of())
            else:
                to.array(table.records_of())

    def members(self, value: dict[str, Any], name: str, values: Iterable[Any]) -> None:
        """Print a JSON object as :meth:`value` does, with a member that is streamed.

        Args:
            value: the object.
            name: the member, whose value is a list.
            values: what stands in that list.
        """
        sign = "{"
        for key, own in value.items():
            sys.stdout.write(f"{sign}\n  {_json(key)}: ")
            sign = ","
            if key != name:
                sys.stdout.write(_indent_json(own, 2))
                continue
            start = "["
            for element in values:
                sys.stdout.write(f"{start}\n    {_indent_json(element, 4)}")
                start = ","
            sys.stdout.write("[]" if start == "[" else "\n  ]")
        sys.stdout.write("\n}\n")

    def lines(self, values: Iterable[Any]) -> None:
        """Print JSON values, one to a line."""
        _print_lines(map(_json, values))

    def array(self, values: Iterable[Any]) -> None:
        """Print a JSON array, one value to a line."""
        from graphscore.report.data import json_array

        _print_lines(json_array(map(_json, values)))


def append_summary(path: str, text: str) -> None:
    """Append Markdown to the summary of a job, as paragraphs of its own.

    Args:
        path: the file; it is made if there is none.
        text: what to append; nothing only sees whether that can be done.

    Raises:
        GraphscoreError: if it cannot.
    """
    try:
        with open(path, "ab") as file:
            # What stands there may end within a paragraph.
            before = b"\n\n" if text and file.tell() else b""
            file.write(before + text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        what = error.strerror or str(error)
        raise GraphscoreError(
            f"--summary: {SUMMARY} names {as_text(path)}, which cannot be written: "
            f"{what}"
        ) from None


def echo(text: str, err: bool = False) -> None:
    """Print text that has values in it, so that none acts on a terminal.

    Args:
        text: it.
        err: whether it is talk, which is made visible wherever it goes.
    """
    from graphscore.exceptions import visible

    if err:
        print_message(visible(text))
    else:
        click.echo(visible(text) if sys.stdout.isatty() else text)


def _indent_json(value: Any, columns: int) -> str:
    """JSON that stands within other JSON."""
    return _json(value, indent=2).replace("\n", "\n" + " " * columns)


def _json(value: Any, indent: int | None = None) -> str:
    """JSON as it is; on a terminal with every control character as an escape."""
    from graphscore.report.data import json_text

    text = json_text(value, indent, ensure_ascii=not _is_unicode())
    return escaped(text) if sys.stdout.isatty() else text


def _print_lines(lines: Iterable[str]) -> None:
    """Print lines, each with one write."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _is_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("_", "-").startswith("utf")


def _encodable(text: str) -> str:
    """*text* with plain lines where the terminal has no others."""
    return text if _is_unicode() else text.replace("─", "-").replace("…", "...")


def alone_or(values: list[Any], name: str = "") -> Any:
    """Return the one value; several as a list, which has a name if there is one."""
    if len(values) == 1:
        return values[0]
    return {name: values} if name else values
