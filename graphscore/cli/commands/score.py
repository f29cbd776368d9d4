"""``graphscore score``."""

from __future__ import annotations

from dataclasses import replace
from os.path import isdir
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.intervals import IntervalOptions, interval_options
from graphscore.cli.operands import resolve
from graphscore.cli.options import (
    ReaderArguments,
    References,
    ScoringOptions,
    brief_output_options,
    chosen_groups,
    references_options,
    scoring_options,
    sides_reading_options,
)
from graphscore.cli.output import Output
from graphscore.cli.score_tables import ScoreOptions, score_options
from graphscore.cli.scoring import (
    FilterOptions,
    KeepOptions,
    SweepOptions,
    score_each,
    talk,
)
from graphscore.evaluation.rows.thresholds import check_thresholds

if TYPE_CHECKING:
    from graphscore.report.table import Table


@click.command("score", cls=Command)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] SYSTEM|NAME=RUN,RUN... | STORE",
)
@references_options
@score_options
@bundle("keeping", KeepOptions)
@bundle("among", FilterOptions)
@interval_options
@bundle("sweeping", SweepOptions)
@scoring_options
@sides_reading_options
@brief_output_options
def command(
    operands: tuple[str, ...],
    sides: References,
    scores: ScoreOptions,
    keeping: KeepOptions,
    among: FilterOptions,
    intervals: IntervalOptions,
    sweeping: SweepOptions,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Score systems against gold.

    GOLD and each SYSTEM are files, directories, quoted patterns or - for standard
    input; or name a STORE and its collections.  Several references to the same items
    have commas between them, and so have runs of a system behind its NAME.  Directories
    whose files have the same names are scored file by file.

    Examples:
      graphscore score gold.mrp system.mrp
      graphscore score gold.mrp one.mrp two.mrp --by framework,tuple-type
      graphscore score ann1.mrp,ann2.mrp system.mrp --references mean
      graphscore score runs.db --gold gold --system peking --csv
      graphscore score gold.mrp system.mrp --fail-under 0.8 --fail-under edges=0.7
      graphscore score gold.mrp parser=seed1.mrp,seed2.mrp,seed3.mrp
      graphscore score gold.mrp system.mrp --ci --seed 7
      graphscore score gold.mrp system.mrp --where 'pattern { V -[ARG2]-> A }'
      graphscore score gold.iob2 system.iob2 -m ner --sweep overlap=0:1:0.25
      graphscore score g.conllu a.conllu b.conllu -m conll09,primesrl --rank senses
      graphscore score runs.db --gold gold --ranking rules.toml

    Exit codes: 0 done, 1 a threshold failed, 2 wrong usage, 3 bad input or nothing
    paired, 4 done but some pairs are unproven, 5 a defect of graphscore.
    """
    metrics = sides.metrics()
    points = sweeping.points(metrics)
    metrics = [*points] or metrics
    groups = chosen_groups(scores.by)
    limits = scores.limits()
    if limits:
        check_thresholds(limits, metrics or ())
    target = resolve(operands, sides, reading, scoring, output, several="runs")
    keeping.check(target)
    rank = scores.ranks(len(target.names), output.shape)
    if sweeping.plot is not None:
        from graphscore.cli.plots import check_plot

        check_plot(sweeping.plot, target)
    with_items = scores.per_item or intervals.ci or "item" in groups
    options = scoring.options(
        reading,
        per_item=with_items,
        parts=intervals.ci,
        references=sides.references,
        further="all" if output.verbose else "usual",
    )
    options = replace(options, where=among.where, within=among.within)
    target = keeping.kept(target, reading, output, strict=scores.strict)
    files = not target.store
    if files and scores.by_file and not among.where and isdir(target.gold):
        from graphscore.cli.folders import by_file

        target = by_file(target, output)
        if target.files:
            scores = scores.changed(by="document")
            groups = chosen_groups(scores.by)
    scored = score_each(target, metrics, options, output, replace=keeping.replace)
    results = [result for group in scored for result in group]
    if intervals.ci:
        results = intervals.added(results, groups)
    if limits and metrics is None:
        check_thresholds(limits, [result.metric for result in results])
    failed = scores.failures(results, limits, output)
    boards: list[Table] = []
    if scores.ranking is not None or not files:
        from graphscore.cli.leaderboards import leaderboard_tables

        boards = leaderboard_tables(
            target, scored, options, output, scores.ranking, not sides.systems
        )
    scores.show(results, rank, output, boards)
    if sweeping.plot is not None:
        from graphscore.cli.plots import draw_results

        draw_results(results, points, sweeping.plot)
    talk(results, output)
    scores.end(results, limits, failed, output)
