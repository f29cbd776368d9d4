"""Scoring what the operands name, for every command that shows scores of systems."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import Bundle, option
from graphscore.cli.command import FILE
from graphscore.cli.folders import score_by_file
from graphscore.cli.operands import (
    Operands,
    collection_names,
    gold_of,
    open_store,
)
from graphscore.cli.options import WAITING, ReaderArguments
from graphscore.cli.output import LISTED, Output
from graphscore.cli.progress import Steps, progress
from graphscore.exceptions import UsageError
from graphscore.store import WAIT

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.evaluation.store import Store
    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Point
    from graphscore.report.page.collecting import Scored

THRESHOLD_FAILED, BAD_INPUT, UNPROVEN = 1, 3, 4


class KeepOptions(Bundle):
    """Options of caching files and scores."""

    save: str | None = option(
        "--save",
        type=FILE,
        metavar="STORE",
        help="Save files and scores in a store.",
    )
    replace: bool = option(
        "--replace",
        default=False,
        is_flag=True,
        help="Replace saved items, or evaluations of the same scope.",
    )
    wait: float = option(
        "--wait",
        type=click.FloatRange(0),
        default=WAIT,
        show_default=True,
        metavar="SECONDS",
        help=WAITING,
    )

    def check(self, target: Operands) -> None:
        """Refuse what says nothing of files, or of a store.

        Args:
            target: files or collections.

        Raises:
            UsageError: naming the option.
        """
        if self.replace and self.save is None and not target.store:
            raise UsageError("--replace goes with --save, or with a STORE")
        if self.save is not None and target.store:
            raise UsageError("--save is for files; a store keeps its scores anyway")

    def kept(
        self,
        target: Operands,
        reading: ReaderArguments,
        output: Output,
        *,
        strict: bool,
    ) -> Operands:
        """Put files into the store, if one is named, and name their collections.

        Args:
            target: files or collections.
            reading: how files are read.
            output: is told of it.
            strict: whether bad system records are refused.
        """
        if target.store:
            return target._replace(wait=self.wait)
        if self.save is None:
            return target
        # Few save anything.
        from graphscore.cli.stores import fill

        names = collection_names(target)
        store = open_store(self.save, "create", output, self.wait)
        fill(store, target, names, reading, output, replace=self.replace, strict=strict)
        output.say(f"saved in {self.save}: {', '.join(names)}")
        golds = len(target.golds)
        others = tuple(names[1:golds])
        systems = tuple(names[golds:])
        return Operands(names[0], systems, others, target.runs, self.save, self.wait)


class FilterOptions(Bundle):
    """Options of filters on items and their tuples."""

    where: str | None = option(
        "--where",
        metavar="PATTERN",
        help="Score only items that match PATTERN.",
    )
    within: bool = option(
        "--within",
        default=False,
        is_flag=True,
        needs=["where"],
        help="Score only the tuples that PATTERN binds.",
    )


class SweepOptions(Bundle):
    """Options of a sweep over a parameter of the metrics, and its picture."""

    sweep: str | None = option(
        "--sweep",
        metavar="PARAMETER=VALUES",
        help="Score at each value: PARAM=START:STOP:STEP or list.",
    )
    plot: str | None = option(
        "-o",
        "--output",
        "--plot",
        type=FILE,
        metavar="FILE",
        help="Plot to .svg, .png, .pdf, .html or .json.",
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


def exit_code(results: Sequence[Result], strict: bool, failed: bool) -> int:
    """Return the exit code of the process.

    Args:
        results: everything that was scored.
        strict: whether bad system records count.
        failed: whether a threshold failed.
    """
    if strict and any(result.rejected_records or result.left_out for result in results):
        return BAD_INPUT
    if failed:
        return THRESHOLD_FAILED
    return UNPROVEN if any(result.unproven for result in results) else 0


def score_each(
    target: Operands,
    metrics: list[Metric] | None,
    options: Options,
    output: Output,
    *,
    stored: bool = False,
    replace: bool = False,
) -> list[list[Result]]:
    """The results of every system, in the order of the operands; of runs the mean.

    Args:
        target: files or collections.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        options: how.
        output: is told how it goes.
        stored: whether evaluations of a store are read as they are; one where nothing
            is to be scored may be one that cannot be written.
        replace: whether evaluations of a store give way to others of the same scope.
    """
    if target.store:
        scored = _score_store(target, metrics, options, output, (stored, replace))
    else:
        scored = _score_files(target, metrics, options, output)
    if not target.runs:
        return scored
    from graphscore.evaluation.several.runs import put_together

    return put_together(scored, target.runs)


def _score_files(
    target: Operands,
    metrics: list[Metric] | None,
    options: Options,
    output: Output,
) -> list[list[Result]]:
    from graphscore.evaluation.scoring import score_files
    from graphscore.evaluation.tasks import executor_for
    from graphscore.formats.streams import held_streams

    several = len(target.systems) > 1 or len(target.golds) > 1
    with (
        held_streams() if several else nullcontext(),
        executor_for(options.jobs) if options.jobs > 1 else nullcontext() as pool,
        progress(output, "scoring") as update,
    ):
        steps = Steps(update, len(target.systems))
        results = []
        for system in target.systems:
            step = steps.begin()
            # Of a pattern nobody is told how it goes.
            listener = step.count if step and options.where is None else None
            score = partial(
                score_files,
                metrics=metrics,
                options=options,
                executor=pool,
                listener=listener,
            )
            if target.files:
                sides = target.gold, system
                results.append(score_by_file(*sides, target.files, score))
            else:
                results.append(score(gold_of(target.golds), system))
        return results


def gather_results(
    target: Operands,
    metrics: list[Metric] | None,
    options: Options,
    output: Output,
) -> Scored:
    """Score every system, and keep the graphs behind the results at hand.

    Args:
        target: files or collections.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        options: how; with items, details and parts.
        output: is told how it goes.

    Returns:
        The results; a store is open until the command ends.
    """
    from graphscore.report.page.collecting import gathered_files, gathered_store

    if not target.store:
        return gathered_files(target.gold, target.systems, metrics, options)
    store = _store_of(target, metrics, options, output, stored=True)

    def score(system: str) -> list[Result]:
        with progress(output, f"scoring {system}") as update:
            return store.evaluate(
                target.gold, system, metrics, options, progress=update, stored=True
            )

    findings = gathered_store(
        store, target.gold, target.systems, metrics, options, score
    )
    _say_reused([result for group in findings.results for result in group], output)
    return findings


def _score_store(
    target: Operands,
    metrics: list[Metric] | None,
    options: Options,
    output: Output,
    how: tuple[bool, bool],
) -> list[list[Result]]:
    stored, replace = how
    store = _store_of(target, metrics, options, output, stored=stored)
    with progress(output, "scoring") as update:
        steps = Steps(update, len(target.systems))
        results = [
            store.evaluate(
                gold_of(target.golds),
                system,
                metrics,
                options,
                progress=steps.begin(),
                stored=stored,
                replace=replace,
            )
            for system in target.systems
        ]
    _say_reused([result for group in results for result in group], output)
    return results


def _say_reused(results: Sequence[Result], output: Output) -> None:
    """Say how much of each result was in the store."""
    for result in results:
        for reference in result.references or (result,):
            against = f" against {reference.gold}" if result.references else ""
            # A part is taken of the results of all.
            pairs = (
                reference.restriction.of if reference.restriction else reference.pairs
            )
            output.say(
                f"{result.system} ({result.metric}): "
                f"reused {reference.reused} of {pairs}{against}"
            )


def _store_of(
    target: Operands,
    metrics: list[Metric] | None,
    options: Options,
    output: Output,
    stored: bool,
) -> Store:
    """Return the store, to be read where everything is scored already.

    Raises:
        StoreError: if what is there is not of what is there now.
    """
    from graphscore.evaluation.collection_selection import StoreRequest

    ask = StoreRequest(metrics, options)
    store = open_store(target.store, output=output) if stored else None
    if store is not None and all(
        [
            ask.current(store, gold, ask.chosen(store, gold, target.systems))
            for gold in target.golds
        ]
    ):
        return store
    return open_store(target.store, "write", output, target.wait)


def talk(results: Sequence[Result], output: Output) -> None:
    """Say what a reader of the scores should know, each thing once.

    Args:
        results: whose scores they are.
        output: where it is said.
    """
    from graphscore.evaluation.messages import bad_records, merge_notes, without_system
    from graphscore.exceptions import amount

    for note in merge_notes(results):
        output.say(note)
    rejected = {result.system: result for result in results if result.rejected_records}
    for result in rejected.values():
        output.say(bad_records(result))
        output.list_problems(result.rejected)
    for sentence in without_system(results):
        output.say(sentence)
    for result in results:
        where = f"{result.system} ({result.metric})"
        if result.spurious_system:
            names = [
                f"{unit.item} ({unit.framework})"
                for unit in result.spurious_system[: LISTED if output.verbose else 3]
            ]
            more = len(result.spurious_system) - len(names)
            listed = ", ".join(names) + (f" and {more} more" if more else "")
            output.say(
                f"{where}: {amount(len(result.spurious_system), 'system graph')} "
                f"without gold, not scored: {listed}"
            )
        if result.unproven:
            output.say(
                f"{where}: {result.unproven} of {result.pairs} pairs unproven; "
                "a higher --limit may prove them"
            )
    if chosen := [
        (result.metric, result.because) for result in results if result.because
    ]:
        output.say_chosen(chosen)
