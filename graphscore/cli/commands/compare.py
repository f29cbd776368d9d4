"""``graphscore compare``."""

from __future__ import annotations

from dataclasses import replace

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.compare_options import (
    CompareOptions,
    comparing_options,
    resolve_compared,
    untested_systems,
    worse_systems,
)
from graphscore.cli.error_handling import print_error
from graphscore.cli.folders import by_file
from graphscore.cli.options import (
    Drawing,
    ReaderArguments,
    References,
    ScoringOptions,
    drawing_options,
    output_options,
    references_options,
    scoring_options,
    sides_reading_options,
)
from graphscore.cli.output import Output
from graphscore.cli.scoring import exit_code, score_each, talk
from graphscore.exceptions import UsageError


@click.command("compare", cls=Command)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] A B [C]... | STORE",
)
@references_options
@comparing_options
@drawing_options
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: References,
    comparing: CompareOptions,
    drawing: Drawing,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Test whether systems differ significantly.

    The operands are those of score, with two or more systems; several runs of one are
    kept together.  With a STORE and no --system, all systems scored against gold are
    compared.  Intervals come from the
    paired bootstrap, p-values from paired permutation tests, with Holm correction
    over all pairs.

    Examples:
      graphscore compare gold.mrp a.mrp b.mrp
      graphscore compare gold.mrp a.mrp b.mrp c.mrp -m mrp --score edges.f1
      graphscore compare runs.db --gold gold --baseline main --fail-if-worse
      graphscore compare gold.mrp a.mrp b.mrp --across frameworks

    Exit codes: 0 done, 1 a threshold failed, 2 wrong usage, 3 bad input or nothing
    paired, 4 done but some pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.evaluation.messages import said_by_metric
    from graphscore.report.comparison_list import Comparisons
    from graphscore.statistics.comparison import distinct
    from graphscore.statistics.comparisons import check_baseline, comparisons_of

    metrics = sides.metrics()
    settings = comparing.asked(drawing)
    options = scoring.options(
        reading, per_item=True, parts=True, references=sides.references
    )
    target = resolve_compared(operands, sides, reading, scoring, output)
    if len(target.names) < 2 and not settings.across:
        raise UsageError(
            f"there is one system, {target.names[0]}: name another to compare it with"
        )
    check_baseline(settings.baseline, target.names)
    if comparing.changes:
        options = replace(options, details=True)
    target = by_file(target, output)
    scored = score_each(target, metrics, options, output, stored=True)
    comparisons = comparisons_of(scored, settings, target.names)
    results = [result for group in scored for result in group]
    chosen = [*map(comparing.listed, comparisons)]
    shown = Comparisons(comparisons, chosen, results)
    output.show(
        tables=lambda width: shown.tables(width, comparing.first),
        rows=lambda: shown.rows(comparing.only_changes),
        lines=shown.lines,
        value=shown.to_dict,
    )
    talk(results, output)
    messages = [
        *(comparison.notes for comparison in comparisons),
        *(across.notes for across in shown.across),
    ]
    # Of results everything is said.
    before = said_by_metric(scored, distinct(target.names)).values()
    known = {note for notes in before for note in notes}
    for note in dict.fromkeys(note for notes in messages for note in notes):
        if note not in known:
            output.say(note)
    failed = (
        []
        if comparing.threshold is None
        else list(worse_systems(comparisons, comparing.threshold))
    )
    for remark in [] if comparing.threshold is None else untested_systems(comparisons):
        output.say(remark)
    for failure in failed:
        # What the exit code stands for is said even where nothing else is.
        print_error(failure)
    click.get_current_context().exit(exit_code(results, comparing.strict, bool(failed)))
