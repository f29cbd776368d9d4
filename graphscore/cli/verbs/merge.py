"""``graphscore merge``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from graphscore.cli.figures import FigureOptions, figure_options
from graphscore.cli.gates import check_gates
from graphscore.cli.intervals import IntervalOptions, interval_options
from graphscore.cli.options import chosen_groups, chosen_metrics, output_options
from graphscore.cli.output import Output
from graphscore.cli.parting import write_sums
from graphscore.cli.pictures import draw_results
from graphscore.cli.scoring import talk
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError


@click.command("merge", cls=Verb)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="PART...")
@click.option(
    "-m",
    "--metric",
    "metric_names",
    multiple=True,
    metavar="METRIC",
    help="Code of your own that the parts were scored with, as mine.py:NAME, which no "
    "file of sums can make run (repeatable).",
)
@click.option(
    "--sums",
    type=FILE,
    metavar="FILE",
    help="Print nothing but write the sums of these parts there, to be merged again.",
)
@figure_options
@click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Draw it: .svg, .png, .pdf, .html or .json (needs graphscore[plots]).",
)
@interval_options
@output_options
def command(
    files: tuple[str, ...],
    metric_names: tuple[str, ...],
    sums: str | None,
    figures: FigureOptions,
    plot: str | None,
    intervals: IntervalOptions,
    output: Output,
) -> None:
    """Add what parts of a score found, on many machines.

    Each PART is what score --part K/N --sums PART wrote, in any order.  All of them
    give what one run of score gives: the same figures, notes and signature.

    Examples:
      graphscore merge part*.json
      graphscore merge part*.json --by framework,kind --fail-under 0.8
      graphscore merge part*.json --ci --seed 7
      graphscore merge part1.json part2.json --sums half.json

    Exit codes: 0 done, 1 a gate failed, 2 wrong usage, 3 a part is missing, there
    twice, damaged or of something else, 4 done but some pairs are unproven, 5 a
    defect of graphscore.
    """
    groups = chosen_groups(figures.by)
    intervals.check(False)
    limits = figures.limits()
    known = chosen_metrics(metric_names) or []
    if sums is not None:
        _check_target("--sums", sums, files)
    if plot is not None:
        from graphscore.report.plots import check

        check(plot)
        _check_target("--plot", plot, files)
    from graphscore.evaluation.parting.encoding import read_sums
    from graphscore.evaluation.parting.sums import merge

    found = merge(read_sums(path, known) for path in files)
    if sums is not None:
        write_sums(found, sums)
        left = len(found.missing)
        output.say(f"{sums} holds {found.of - left} of {found.of} parts")
        return
    named = {
        "--per-item": figures.per_item,
        "--ci": intervals.ci,
        "--by item": "item" in groups,
    }
    for option, asked in named.items():
        if asked and not found.units:
            raise UsageError(
                f"{option} needs the results of items: score every part with --units"
            )
    scored = found.results()
    results = [result for mine in scored for result in mine]
    check_gates(limits, [each.metric for each in results])
    rank = figures.ranks(len(scored), output.shape)
    results = intervals.added(results, groups)
    failed = figures.failures(results, limits, output)
    figures.show(results, rank, output)
    if plot is not None:
        draw_results(results, plot)
    talk(results, output, figures.titled(results, output))
    figures.end(results, limits, failed, output)


def _check_target(option: str, target: str, files: tuple[str, ...]) -> None:
    """Refuse a file that could not be written, or is one of those that are merged."""
    path = Path(target)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(
            f"{option} {target}: expected a file in a folder that is there"
        )
    for file in files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            raise UsageError(f"{option} {target}: that is {file}, which is merged")
