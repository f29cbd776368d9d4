"""``graphscore validate``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.error_handling import print_error
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
@click.option(
    "--like",
    type=FILE,
    metavar="GOLD",
    help="Compare the items with those of GOLD.",
)
@click.option("--all", "every", is_flag=True, help="List repeated findings too.")
@reading_options
@output_options
def command(
    files: tuple[str, ...],
    ignore: tuple[str, ...],
    like: str | None,
    every: bool,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Check files and report all problems.

    Records that cannot be read are errors; graphs that can are checked against what
    their framework demands.  Counts go to stdout, findings to stderr as text, or
    with JSON to stdout (--jsonl: a finding to a line).  As text, warnings of a kind
    take one line, and so do equal errors, with their number; numbers by code come
    last.  In JSON the third of equal ones has the count of those that it stands for.
    --all (or -v) lists them all.  Every argument is a collection of its own: items
    must not occur twice among its files.  Exit code 3 if there is any error; warnings
    alone are no failure.  With --like GOLD also if items are missing, extra or
    repeated, or texts differ, which are counted by framework.

    Examples:
      graphscore validate gold.mrp
      graphscore validate "runs/*.mrp" --json
      graphscore validate system.mrp --ignore isolated-node,no-top
      graphscore validate submission.mrp --like gold.mrp
    """
    from graphscore.evaluation.rows.checking import (
        COLUMNS,
        check_files,
        findings_of,
        lines_of,
        numbers_of,
        summary_of,
    )
    from graphscore.evaluation.rows.submission import COLUMNS as BESIDE_GOLD
    from graphscore.evaluation.rows.submission import compare_submissions
    from graphscore.validation import codes_named

    ignored, every = codes_named(ignore), every or output.verbose
    groups = check_files(files, reading.reading(), ignored, every, output.say)
    reports = [report for group in groups for report in group]
    listed, left = findings_of(reports, every)
    beside = [] if like is None else compare_submissions(files, like, reading.reading())
    output.show(
        rows=lambda: (
            (BESIDE_GOLD, [coverage.numbers() for coverage in beside])
            if beside
            else (COLUMNS, [row for report in reports for row in report.rows()])
        ),
        lines=lambda: [*listed, *(coverage._asdict() for coverage in beside)],
        value=lambda: (
            summary_of(reports, every)
            | ({"like": [coverage._asdict() for coverage in beside]} if beside else {})
        ),
    )
    if output.shape == "jsonl" and left:
        output.say(f"and {left:,} more; --all lists them")
    elif output.shape in ("table", "csv"):
        for line in lines_of(groups, every, only_errors=output.quiet):
            echo(line, err=True)
        for line in numbers_of(reports):
            output.say(line)
    for coverage in beside:
        for line in coverage.lines():
            print_error(line)
    bad = any(report.count("error") for report in reports)
    if bad or not all(coverage.complete for coverage in beside):
        click.get_current_context().exit(BAD_INPUT)
