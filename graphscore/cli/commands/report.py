"""``graphscore report``."""

from __future__ import annotations

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.leaderboards import boards_of, write_pages
from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    Drawing,
    ReaderArguments,
    ScoringOptions,
    Sides,
    drawing_options,
    scoring_options,
    sides_options,
    sides_reading_options,
)
from graphscore.cli.output import Output
from graphscore.cli.plots import HTML, place_output, put
from graphscore.cli.reporting import MARKDOWN, ReportOptions, command_line
from graphscore.cli.scoring import exit_code, gather_results, talk

_output_options = bundle(
    "output",
    Output,
    ("mode", "summary", "width"),
    help={
        "decimals": "Set decimals of scores (shown x100).",
        "quiet": "Print errors only.",
    },
)


@click.command("report", cls=Command)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD SYSTEM... | STORE"
)
@bundle("page", ReportOptions)
@sides_options
@drawing_options
@scoring_options
@sides_reading_options
@_output_options
def command(
    operands: tuple[str, ...],
    page: ReportOptions,
    sides: Sides,
    drawing: Drawing,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Write an HTML or Markdown report.

    The report has scores with intervals, confusions, the most frequent errors, gains
    from fixing them, and pictures of items, lowest score first.  Operands are those of
    score, with one GOLD.

    Examples:
      graphscore report gold.mrp system.mrp --html report.html
      graphscore report gold.mrp a.mrp b.mrp --compare --html report.html
      graphscore report runs.db --gold gold --system peking --worst 20 --html out.html
      graphscore report gold.mrp system.mrp --markdown report.md
      graphscore report runs.db --site public

    Exit codes: 0 done, 2 wrong usage, 3 bad input or nothing paired, 4 done but some
    pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.report.page.report_data import ReportOptions, findings_of

    if page.site is not None:
        write_pages(operands, page, output)
        return
    page = place_output(page, html=HTML, markdown=MARKDOWN)
    metrics = sides.metrics()
    drawn = drawing.samples, drawing.seed, drawing.level
    report_options = ReportOptions(page.worst, page.items, page.compare, *drawn)
    target = resolve(operands, sides, reading, scoring, output)
    report_options.check(target.systems)
    page.check(target)
    options = scoring.options(reading, per_item=True, details=True, parts=True)
    findings = findings_of(
        gather_results(target, metrics, options, output),
        target.systems,
        report_options,
        command=command_line(operands),
        budget=options.budget,
        places=output.decimals,
    )
    if page.html is not None:
        from graphscore.report.page.report import report_page

        boards = [] if sides.systems else boards_of(target)
        put(page.html, report_page(findings, boards=boards).encode())
    if page.markdown is not None:
        from graphscore.report.page.texts import report_text

        put(page.markdown, report_text(findings).encode())
    results = [result for _, result in findings.every]
    talk(results, output)
    click.get_current_context().exit(exit_code(results, False, False))
