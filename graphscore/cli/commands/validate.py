"""``graphscore validate``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.options import ReaderArguments, output_options, reading_options
from graphscore.cli.output import Output, echo
from graphscore.cli.scoring import BAD_INPUT


@click.command("validate", cls=Command)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    help="Ignore findings of this code (repeatable).",
)
@click.option("--all", "every", is_flag=True, help="List repeated findings too.")
@reading_options
@output_options
def command(
    files: tuple[str, ...],
    ignore: tuple[str, ...],
    every: bool,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Check files and report all problems.

    Records that cannot be read are errors; graphs are checked against the rules of
    their framework.  Each FILE is a collection: an item must not occur twice in it.
    Counts go to stdout, findings to stderr; with --json or --jsonl both go to stdout.
    Repeated findings are counted in one line, unless --all or -v is set.

    Exit code 3 if there is any error, 0 if there are only warnings.

    Examples:
      graphscore validate gold.mrp
      graphscore validate "runs/*.mrp" --json
      graphscore validate system.mrp --ignore isolated-node,no-top
    """
    from graphscore.evaluation.rows.checking import (
        COLUMNS,
        check_files,
        findings_of,
        lines_of,
        numbers_of,
        summary_of,
    )
    from graphscore.validation import codes_named

    ignored, every = codes_named(ignore), every or output.verbose
    groups = check_files(files, reading.reading(), ignored, every, output.say)
    reports = [each for group in groups for each in group]
    listed, left = findings_of(reports, every)
    output.show(
        rows=lambda: (COLUMNS, [row for each in reports for row in each.rows()]),
        lines=lambda: listed,
        value=lambda: summary_of(reports, every),
    )
    if output.shape == "jsonl" and left:
        output.say(f"and {left:,} more; --all lists them")
    elif output.shape in ("table", "csv"):
        for line in lines_of(groups, every, only_errors=output.quiet):
            echo(line, err=True)
        for line in numbers_of(reports):
            output.say(line)
    if any(each.count("error") for each in reports):
        click.get_current_context().exit(BAD_INPUT)
