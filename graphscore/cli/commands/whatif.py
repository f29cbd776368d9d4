"""``graphscore whatif``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.folders import by_file
from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    ReaderArguments,
    ScoringOptions,
    Sides,
    output_options,
    scoring_options,
    sides_options,
    sides_reading_options,
)
from graphscore.cli.output import Output, alone_or
from graphscore.cli.scoring import exit_code, score_each, talk


@click.command("whatif", cls=Command)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] SYSTEM... | STORE",
)
@sides_options
@click.option(
    "--top",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Show at most N rows.",
)
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    top: int,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Compute score gains from fixing error classes.

    The operands are those of score.  An error class is a tuple type, a label and
    missing or spurious; its errors are corrected under the correspondence that was
    found, and the score is computed again.  A value in place of another one is
    replaced, and listed as a confusion too.  Missing graphs have the tuple type
    graph.

    Examples:
      graphscore whatif gold.mrp system.mrp -m mrp
      graphscore whatif gold.mrp system.mrp -m smatch --top 5
      graphscore whatif runs.db --gold gold --system main

    Exit codes: 0 done, 2 wrong usage, 3 bad input or nothing paired, 4 done but some
    pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.report.error_tables import whatif_tables
    from graphscore.report.markup import signed
    from graphscore.statistics.whatif.corrections import (
        COLUMNS,
        refuse_dependent,
        what_if,
    )

    metrics = sides.metrics()
    for metric in metrics or ():
        refuse_dependent(metric)
    target = resolve(operands, sides, reading, scoring, output, several="references")
    options = scoring.options(reading, per_item=True, details=True)
    target = by_file(target, output)
    scored = score_each(target, metrics, options, output, stored=True)
    results = [result for group in scored for result in group]
    analyses = [what_if(result) for result in results]
    rows = [row for analysis in analyses for row in analysis.tabular().rows]
    output.show(
        tables=lambda _: (
            table
            for analysis, result in zip(analyses, results, strict=True)
            for table in signed(whatif_tables(analysis, top), result.signature)
        ),
        rows=lambda: (COLUMNS, rows),
        value=lambda: alone_or(
            [analysis.to_dict() for analysis in analyses], "results"
        ),
    )
    talk(results, output)
    click.get_current_context().exit(exit_code(results, False, False))
