"""Scoring files, and graphs in memory.

Units stream through: they are read, paired, compared in small batches and
summed, so that memory does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from graphscore.evaluation.evaluate import evaluate
from graphscore.evaluation.messages import with_gold
from graphscore.evaluation.options import Options, References, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.run import Listener
from graphscore.evaluation.sources.base import GraphSource, UnitSource
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.tasks import executor_for
from graphscore.exceptions import UsageError
from graphscore.formats import ReaderOptions
from graphscore.formats.streams import flows_by, held_streams, refuse_repeated
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.evaluation.default_metrics import Choice

FEW_GRAPHS = 32
"""Graphs of a side that are looked at where workers read it once more."""

Operand = str | Sequence[Graph]
"""A file, directory, glob or ``-``; or graphs."""


def score_files(
    gold: Operand | References,
    system: Operand,
    metrics: Sequence[Metric] | None = None,
    options: Options | None = None,
    *,
    executor: Executor | None = None,
    listener: Listener | None = None,
) -> list[Result]:
    """Score one system against gold with several metrics.

    Metrics over items take one pass together, metrics over documents another.  What
    is read of a stream is kept where there may be several.

    Args:
        gold: a file, directory, glob, ``-``, or graphs; or several references.
        system: one of these.
        metrics: what to score with; ``None`` for the default metrics of the
            frameworks that are there.
        options: how.
        executor: where batches run; by default ``options.jobs`` decides.
        listener: is told of every scored gold unit, in order of pairing; without
            *metrics* perhaps of some more than the results are about.  Not with a
            pattern.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
        UsageError: if one stream is both sides.
    """
    options = options or Options()
    if isinstance(gold, References):
        return score_references(gold, system, metrics, options, executor, listener)
    if isinstance(gold, str) and isinstance(system, str):
        refuse_repeated((gold, system))
    if options.where is not None or options.within:
        # Few ask for a part; a pattern is searched in a store.
        from graphscore.evaluation.filters.files import score_where

        return score_where(gold, system, metrics, options, executor)
    if metrics is None:
        with held_streams():
            return _score_with_defaults(gold, system, options, executor, listener)
    # One pass is enough for metrics over units of one kind.
    passes = len({unit_of(metric) for metric in metrics})
    with held_streams() if passes > 1 else nullcontext():
        sides = sources(gold, system, options)
        return with_gold(
            evaluate(*sides, metrics, options, executor=executor, listener=listener)
        )


def score_references(
    gold: References,
    system: Any,
    metrics: Sequence[Metric] | None,
    options: Options,
    executor: Executor | None = None,
    listener: Listener | None = None,
    sides: Callable[[Any, Any], tuple[Any, Any]] | None = None,
) -> list[Result]:
    """Score one system against several references; it is read again for each.

    Args:
        gold: the references.
        system: a file, directory, glob, ``-``, or graphs.
        metrics: as for :func:`score_files`.
        options: how; they say what is made of the references.
        executor: where batches run.
        listener: is told of every gold unit of every reference.
        sides: makes graphs or files of a reference and the system, if these are
            something else.
    """
    if options.where is not None or options.within:
        from graphscore.evaluation.filters.item_filter import PatternFilter

        PatternFilter(options).check(metrics or (), gold)
    # Only where there are several: few have them.
    from graphscore.evaluation.several.references import with_references

    refuse_repeated((*gold.golds, system))
    if isinstance(system, Iterator):
        system = list(system)

    def score(
        reference: Any, requested: Sequence[Metric] | None, chosen: Options
    ) -> list[Result]:
        both = sides(reference, system) if sides else (reference, system)
        return score_files(*both, requested, chosen, executor=pool, listener=listener)

    with held_streams(len(gold) > 1), executor_for(options.jobs, executor) as pool:
        return with_references(gold, score, metrics, options)


def default_metrics(
    gold: Operand, system: Operand, options: Options | None = None
) -> list[Choice]:
    """Return the metrics for what both sides hold, which are read to the end.

    Who scores need not ask: :func:`score_files` finds out while it reads.

    Args:
        gold: a file, directory or glob, or graphs.
        system: likewise.
        options: which graphs take part, and how files are read.

    Raises:
        UsageError: if a side is a stream that nobody could read again.
    """
    from graphscore.evaluation.default_metrics import DetectedContent, choices

    sides = sources(gold, system, options or Options())
    for operand, source in zip((gold, system), sides, strict=True):
        if flows_by(operand):
            raise UsageError(
                f"{source.name} can be read only once: name the metric with -m"
            )
    detected_content = DetectedContent()
    for source, held in zip(
        sides, (detected_content.gold, detected_content.system), strict=True
    ):
        for _unit in source.watch(held):
            pass
    return choices(detected_content, _holder(gold))


def sources(
    gold: Operand, system: Operand, options: Options
) -> tuple[UnitSource, UnitSource]:
    """Return both sides as sources of units.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        system: likewise; it may leave out texts that stand beside gold.
        options: which graphs take part, and how files are read.
    """
    reading = options.system_reading or options.reading
    if isinstance(gold, str):
        reading = reading.lent(gold)
    return (
        source(gold, options.selection, options.reading),
        source(system, options.selection, reading),
    )


def source(
    operand: str | Iterable[Graph], selection: Selection, reading: ReaderOptions
) -> UnitSource:
    """Return one side as a source of units.

    Args:
        operand: a file, directory, glob, ``-``, or graphs.
        selection: which graphs take part.
        reading: how files are read.
    """
    if isinstance(operand, str):
        return FileSource(operand, selection, reading)
    return GraphSource(operand, selection)


def _score_with_defaults(
    gold: Operand,
    system: Operand,
    options: Options,
    executor: Executor | None,
    listener: Listener | None,
) -> list[Result]:
    """Score with the metrics of what is there, which is found out while reading.

    The beginnings of both sides say what to begin with.  Whoever reads them to the
    end has seen everything; what only then turns out to be there, or to be other
    than it seemed, is scored in a further pass.
    """
    # Who names metrics needs none of it.
    from graphscore.evaluation.default_metrics import (
        DetectedContent,
        choices,
        nothing_found,
    )

    content, arguments = DetectedContent(), (_holder(gold), options.further)
    sides = sources(gold, system, options)
    few = FEW_GRAPHS if options.jobs > 1 or executor is not None else None
    for side, held in zip(sides, (content.gold, content.system), strict=True):
        side.peek(held, few)
    done: dict[Metric, Result] = {}
    chosen = choices(content, *arguments)
    while missing := [choice.metric for choice in chosen if choice.metric not in done]:
        together = [
            metric for metric in missing if unit_of(metric) == unit_of(missing[0])
        ]
        results = evaluate(
            *sides,
            together,
            chosen[0].limited(options),
            executor=executor,
            listener=listener,
            scored=lambda framework: not content.left_out(framework),
        )
        done.update(zip(together, results, strict=True))
        sides = sources(gold, system, options)
        chosen = choices(content, *arguments)
    if not content.frameworks:
        notes = [note for result in done.values() for note in result.notes]
        raise nothing_found(sides[0].name, sides[1].name, options, notes)
    for choice in chosen:
        done[choice.metric].because = choice.because
    return with_gold([done[choice.metric] for choice in chosen])


def _holder(gold: Operand) -> str:
    return "files" if isinstance(gold, str) else "graphs"
