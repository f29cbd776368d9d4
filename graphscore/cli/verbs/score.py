"""``graphscore score``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import bundle, option
from graphscore.cli.figures import FigureOptions, figure_options
from graphscore.cli.intervals import IntervalOptions, interval_options
from graphscore.cli.operands import (
    FileOperands,
    StoreOperands,
    collection_names,
    fill,
    opened,
    resolve,
)
from graphscore.cli.options import (
    ReadingOptions,
    References,
    Scoring,
    chosen_groups,
    output_options,
    references_options,
    scoring_options,
    sides_reading_options,
    wait_option,
)
from graphscore.cli.output import Output
from graphscore.cli.pictures import check_plot, draw_results
from graphscore.cli.scoring import score_each, talk
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError
from graphscore.evaluation.rows.gates import check_gates

if TYPE_CHECKING:
    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Point


@dataclass(frozen=True)
class SweepOptions:
    """Which parameter of the metrics is swept over, and the file of the picture."""

    sweep: str | None = option(
        "--sweep",
        metavar="PARAMETER=VALUES",
        help="With -m: score at these values of a parameter: START:STOP:STEP, or with "
        "commas.",
    )
    plot: str | None = option(
        "--plot",
        type=FILE,
        metavar="FILE",
        help="Draw it: .svg, .png, .pdf, .html or .json (needs graphscore[plots]).",
    )

    def points(self, metrics: Sequence[Metric] | None) -> dict[Metric, Point]:
        """The metrics of a sweep with their points; empty without one.

        Args:
            metrics: those that are named.

        Raises:
            UsageError: if none is named, or the sweep is wrong.
        """
        if self.sweep is None:
            return {}
        if metrics is None:
            raise UsageError(f"--sweep {self.sweep} goes with -m METRIC")
        from graphscore.metrics.sweep import swept

        return swept(metrics, self.sweep)


sweep_options = bundle("sweeping", SweepOptions)
"""Adds ``sweeping``: a :class:`SweepOptions`."""


@click.command("score", cls=Verb)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="GOLD[,GOLD...] SYSTEM... | STORE",
)
@references_options
@figure_options
@click.option(
    "--save", type=FILE, metavar="STORE", help="Keep the files and the scores there."
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace what is there: with --save items, in a STORE evaluations of the same "
    "scope.",
)
@wait_option
@click.option(
    "--where",
    metavar="PATTERN",
    help="Count only items in which the pattern is found, as find takes it.",
)
@click.option(
    "--within",
    is_flag=True,
    help="Of these count only tuples of the nodes and edges that the pattern binds.",
)
@interval_options
@sweep_options
@scoring_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: References,
    figures: FigureOptions,
    save: str | None,
    replace: bool,
    wait: float,
    where: str | None,
    within: bool,
    intervals: IntervalOptions,
    sweeping: SweepOptions,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Score systems against gold.

    GOLD and each SYSTEM are files, directories, quoted patterns or - for standard
    input; or name a STORE and its collections.  Several references to the same items
    have commas between them.

    Examples:
      graphscore score gold.mrp system.mrp
      graphscore score gold.mrp one.mrp two.mrp --by framework,kind
      graphscore score ann1.mrp,ann2.mrp system.mrp --references mean
      graphscore score runs.db --gold gold --system peking --csv
      graphscore score gold.mrp system.mrp --fail-under 0.8 --fail-under edges=0.7
      graphscore score gold.mrp system.mrp --ci --seed 7
      graphscore score gold.mrp system.mrp --where 'pattern { V -[ARG2]-> A }'
      graphscore score gold.iob2 system.iob2 -m ner --sweep overlap=0:1:0.25
      graphscore score g.conllu a.conllu b.conllu -m conll09,primesrl --rank senses

    Exit codes: 0 done, 1 a gate failed, 2 wrong usage, 3 bad input or nothing
    paired, 4 done but some pairs are unproven, 5 a defect of graphscore.
    """
    metrics = sides.metrics()
    points = sweeping.points(metrics)
    metrics = [*points] or metrics
    groups = chosen_groups(figures.by)
    limits = figures.limits()
    check_gates(limits, metrics or ())
    target = resolve(operands, sides, reading, scoring, output, several=True)
    if replace and save is None and isinstance(target, FileOperands):
        raise UsageError("--replace goes with --save, or with a STORE")
    rank = figures.ranks(len(target.systems), output.shape)
    if sweeping.plot is not None:
        check_plot(sweeping.plot, target)
    if save is not None and isinstance(target, StoreOperands):
        raise UsageError("--save is for files; what is in a store is kept anyway")
    with_items = figures.per_item or intervals.ci or "item" in groups
    options = scoring.options(
        reading, per_item=with_items, parts=intervals.ci, references=sides.references
    )
    options = dataclasses.replace(options, where=where, within=within)
    if save is not None and isinstance(target, FileOperands):
        store = StoreOperands(save, "", (), wait=wait)
        strict = figures.strict
        target = _saved(target, store, reading, output, replace=replace, strict=strict)
    elif isinstance(target, StoreOperands):
        target = dataclasses.replace(target, wait=wait)
    scored = score_each(target, metrics, options, output, replace=replace)
    results = [result for mine in scored for result in mine]
    results = intervals.added(results, groups)
    if metrics is None:
        check_gates(limits, [each.metric for each in results])
    failed = figures.failures(results, limits, output)
    figures.show(results, rank, output)
    if sweeping.plot is not None:
        draw_results(results, points, sweeping.plot)
    talk(results, output, figures.titled(results, output))
    figures.end(results, limits, failed, output)


def _saved(
    target: FileOperands,
    store: StoreOperands,
    reading: ReadingOptions,
    output: Output,
    *,
    replace: bool,
    strict: bool,
) -> StoreOperands:
    """Put the files into a store and name their collections."""
    names = collection_names(target)
    kept = opened(store.store, "create", output, store.wait)
    fill(kept, target, names, reading, output, replace=replace, strict=strict)
    output.say(f"saved in {store.store}: {', '.join(names)}")
    golds = len(target.golds)
    return dataclasses.replace(
        store,
        gold=names[0],
        systems=tuple(names[golds:]),
        others=tuple(names[1:golds]),
    )
