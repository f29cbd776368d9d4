"""``graphscore compare``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from graphscore.cli.comparing import (
    ComparingOptions,
    comparing_options,
    resolve_compared,
    untested,
    worse,
)
from graphscore.cli.failures import complain
from graphscore.cli.options import (
    ReadingOptions,
    References,
    Scoring,
    output_options,
    references_options,
    scoring_options,
    sides_reading_options,
)
from graphscore.cli.output import Output
from graphscore.cli.scoring import exit_code, score_each, talk
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.report.text import Table
    from graphscore.statistics.comparison import Comparison
    from graphscore.statistics.crossed import Across


@click.command("compare", cls=Verb)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] A B [C]... | STORE",
)
@references_options
@comparing_options
@click.option(
    "--fail-if-worse",
    "alpha",
    is_flag=False,
    flag_value="0.05",
    metavar="[P]",
    help="Exit 1 if a system is worse than the baseline by test, with an adjusted p "
    "under P (0.05).",
)
@click.option(
    "--strict", is_flag=True, help="Exit 3 if a system record, or part of one, is bad."
)
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: References,
    comparing: ComparingOptions,
    alpha: str | None,
    strict: bool,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Say whether a system is better than another, and how sure that is.

    The operands are those of score, with two or more systems; of a STORE all that
    were scored against gold, if none is named.  Intervals are those of the paired
    bootstrap, p-values those of paired randomisation, adjusted for all pairs (Holm).

    Examples:
      graphscore compare gold.mrp a.mrp b.mrp
      graphscore compare gold.mrp a.mrp b.mrp c.mrp -m mrp --figure edges.f1
      graphscore compare runs.db --gold gold --baseline main --fail-if-worse
      graphscore compare gold.mrp a.mrp b.mrp --across frameworks

    Exit codes: 0 done, 1 a gate failed, 2 wrong usage, 3 bad input or nothing
    paired, 4 done but some pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.evaluation.notes import said_by_metric
    from graphscore.statistics.comparison import distinct
    from graphscore.statistics.comparisons import check_baseline, comparisons_of

    metrics = sides.metrics()
    asked = comparing.asked()
    gate = None if alpha is None else _level_of(alpha)
    options = scoring.options(
        reading, per_item=True, parts=True, references=sides.references
    )
    target = resolve_compared(operands, sides, reading, scoring, output)
    if len(target.systems) < 2 and not asked.across:
        raise UsageError(
            f"there is one system, {target.systems[0]}: name another to compare it with"
        )
    check_baseline(asked.baseline, target.systems)
    if comparing.changes:
        options = replace(options, details=True)
    scored = score_each(target, metrics, options, output, stored=True)
    found = comparisons_of(scored, asked, target.systems)
    # Where metrics score frameworks of their own, they have one of these together.
    across = list(
        {id(each.across): each.across for each in found if each.across}.values()
    )
    results = [result for mine in scored for result in mine]
    for to in output.audiences():
        _print(found, across, comparing, results, to)
    talk(results, output)
    said = [*(each.notes for each in found), *(each.notes for each in across)]
    # Of results everything is said.
    before = said_by_metric(scored, distinct(target.systems)).values()
    known = {note for notes in before for note in notes}
    for note in dict.fromkeys(note for each in said for note in each):
        if note not in known:
            output.say(note)
    failed = [] if gate is None else list(worse(found, gate))
    if gate is not None:
        for remark in untested(found):
            output.say(remark)
    for failure in failed:
        # What the exit code stands for is said even where nothing else is.
        complain(failure)
    click.get_current_context().exit(exit_code(results, strict, bool(failed)))


def _level_of(text: str) -> float:
    """The value of ``--fail-if-worse``."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise UsageError(
            f"--fail-if-worse {text!r}: expected a p-value above 0, at most 1; "
            "without one it goes after the operands"
        )
    return value


def _print(
    found: Sequence[Comparison],
    across: Sequence[Across],
    comparing: ComparingOptions,
    results: Sequence[Result],
    output: Output,
) -> None:
    from graphscore.cli.output import write_csv
    from graphscore.report import crossing
    from graphscore.report.changes import UNIT_COLUMNS, unit_rows
    from graphscore.report.comparing import nested_rows
    from graphscore.report.markup import joint_signature, signed

    shape = output.shape
    joint = [each for each in across if each.metric is None]
    if shape == "table":
        whole = joint_signature(each.signature for each in results)
        crossed = map(crossing.across_table, across)
        compared = _tables(found, comparing, results, output.columns)
        output.tables([*compared, *signed(crossed, whole)])
        return
    asked = [
        replace(each, changes=tuple(map(comparing.first, each.changes)))
        for each in found
    ]
    if shape == "csv" and comparing.only_changes:
        write_csv(UNIT_COLUMNS, (row for each in asked for row in unit_rows(each)))
    elif shape == "csv" and across:
        rows = (row for each in across for row in each.tabular().rows)
        write_csv(across[0].tabular().columns, rows)
    elif shape == "csv":
        listed = [each.tabular() for each in asked]
        write_csv(listed[0].columns, (row for each in listed for row in each.rows))
    elif shape == "jsonl":
        output.lines(row for each in asked for row in nested_rows(each))
        output.lines({"across": each.to_dict()} for each in joint)
    else:
        values = [each.to_dict() for each in asked]
        told = values[0] if len(values) == 1 else {"results": values}
        output.value(told | ({"across": joint[0].to_dict()} if joint else {}))


def _tables(
    found: Sequence[Comparison],
    comparing: ComparingOptions,
    results: Sequence[Result],
    columns: int | None,
) -> Iterator[Table]:
    """Comparisons, then what changed, with texts as long as a line has room."""
    from graphscore.report.changes import FIRST, changes_tables
    from graphscore.report.comparing import WIDTH, comparison_tables
    from graphscore.report.markup import joint_signature, signed

    signatures = {
        str(each.metric): joint_signature(
            result.signature for result in results if result.metric == each.metric
        )
        for each in found
    }
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    yield from comparison_tables(found, signatures, columns or width)
    for each in found:
        for changes in each.changes:
            shown = comparing.first(changes, FIRST)
            tables = changes_tables(each, changes, shown, columns or width)
            yield from signed(tables, signatures[str(each.metric)])
