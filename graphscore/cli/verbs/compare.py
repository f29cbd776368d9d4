"""``graphscore compare``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
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
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    gold_option,
    metric_option,
    output_options,
    scoring_options,
    sides_reading_options,
    systems_option,
)
from graphscore.cli.output import Output
from graphscore.cli.scoring import exit_code, score_each, talk
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.report.text import Table
    from graphscore.statistics.comparison import Comparison


@click.command("compare", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="GOLD A B [C]... | STORE"
)
@gold_option
@systems_option
@metric_option
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
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
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

    Exit codes: 0 done, 1 a gate failed, 2 wrong usage, 3 bad input or nothing
    paired, 4 done but some pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.statistics.comparisons import check_baseline, comparisons_of

    metrics = chosen_metrics(metric_names)
    asked = comparing.asked()
    gate = None if alpha is None else _level_of(alpha)
    target = resolve_compared(operands, gold, systems, reading)
    if len(target.systems) < 2:
        raise UsageError(
            f"there is one system, {target.systems[0]}: name another to compare it with"
        )
    check_baseline(asked.baseline, target.systems)
    options = scoring.options(
        reading, per_item=True, details=comparing.changes, parts=True
    )
    scored = score_each(target, metrics, options, output, only_new=True)
    found = comparisons_of(scored, asked, target.systems)
    _print(found, comparing, output)
    results = [result for mine in scored for result in mine]
    talk(results, output)
    for note in dict.fromkeys(note for each in found for note in each.notes):
        output.say(note)
    failed = [] if gate is None else list(worse(found, gate))
    if gate is not None:
        for remark in untested(found):
            output.say(remark)
    for failure in failed:
        output.say(failure)
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
    found: Sequence[Comparison], comparing: ComparingOptions, output: Output
) -> None:
    from graphscore.cli.output import write_csv
    from graphscore.report.changes import UNIT_COLUMNS, unit_rows
    from graphscore.report.comparing import flat_columns, flat_rows, nested_rows
    from graphscore.statistics.notebook import ShownComparison

    shape = output.shape
    if shape == "table":
        output.tables(_tables(found, comparing))
        return
    asked = [
        ShownComparison.of(each, changes=tuple(map(comparing.first, each.changes)))
        for each in found
    ]
    if shape == "csv" and comparing.only_changes:
        write_csv(UNIT_COLUMNS, (row for each in asked for row in unit_rows(each)))
    elif shape == "csv":
        by = found[0].by
        write_csv(flat_columns(by), (row for each in asked for row in flat_rows(each)))
    elif shape == "jsonl":
        output.lines(row for each in asked for row in nested_rows(each))
    else:
        values = [each.to_dict() for each in asked]
        output.value(values[0] if len(values) == 1 else {"results": values})


def _tables(
    found: Sequence[Comparison], comparing: ComparingOptions
) -> Iterator[Table]:
    """Comparisons, then what changed, with texts as long as a line has room."""
    from graphscore.report.changes import FIRST, changes_tables
    from graphscore.report.comparing import WIDTH, comparison_tables

    yield from comparison_tables(found)
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    for each in found:
        for changes in each.changes:
            shown = comparing.first(changes, FIRST)
            yield from changes_tables(each, changes, shown, width)
