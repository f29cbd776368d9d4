"""The same of files, and of graphs in memory: they go into a store for a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.evaluation.filters.item_filter import PatternFilter
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.store import Store
from graphscore.exceptions import amount
from graphscore.formats import ReaderOptions
from graphscore.formats.source import shown
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from concurrent.futures import Executor

Operand = str | Sequence[Graph]


def score_where(
    gold: Operand,
    system: Operand,
    metrics: Sequence[Metric] | None,
    options: Options,
    executor: Executor | None,
) -> list[Result]:
    """Score the items in which a pattern is found.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        system: one of these.
        metrics: what to score with; ``None`` for the default metrics.
        options: how, with a pattern.
        executor: where batches run.

    Raises:
        InputError: if gold has a bad record or a duplicate.
        UsageError: if the pattern is wrong, or what it asks for cannot be counted.
    """
    PatternFilter(options).check(metrics or (), gold)
    named = [_name(gold, "gold"), _name(system, "system")]
    names = named if named[0] != named[1] else [named[0], f"{named[1]} (system)"]
    readings = options.reading, options.system_reading or options.reading
    notes: list[str] = []
    left = 0
    with (
        _place(isinstance(gold, str) or isinstance(system, str)) as url,
        Store(url, mode="create", say=notes.append) as kept,
    ):
        for name, operand, reading in zip(names, (gold, system), readings, strict=True):
            left = _fill(kept, operand, name, reading, notes, name != names[0])
        parsed = None if metrics is None else list(metrics)
        results = kept.evaluate(names[0], names[1], parsed, options, executor=executor)
        if parsed is None:
            holder = "files" if isinstance(gold, str) else "graphs"
            chosen = kept.default_metrics(names[0], names[1], options, holder)
            for result, choice in zip(results, chosen, strict=True):
                result.because = choice.because
    return [
        replace(
            result,
            gold=_name(gold),
            system=_name(system),
            notes=[*result.notes, *notes],
            left_out=left,
            fetch=None,
        )
        for result in results
    ]


@contextmanager
def _place(on_disk: bool) -> Iterator[str]:
    """Yield the path of the store: on disk for files, which may exceed memory."""
    if not on_disk:
        yield "sqlite://"
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="graphscore-") as folder:
        yield str(Path(folder) / "scores.db")


def _fill(
    store: Store,
    operand: Operand,
    name: str,
    reading: ReaderOptions,
    notes: list[str],
    lenient: bool,
) -> int:
    """Put a side into a collection; says how many parts of records were left out."""
    if isinstance(operand, str):
        reports = store.ingest([operand], name, reading=reading, keep_going=lenient)
    else:
        reports = [store.add(list(operand), name, keep_going=lenient)]
    notes += [note for report in reports for note in report.notes]
    left = [problem for report in reports for problem in report.left_out]
    if left:
        notes.append(
            f"{name}: {amount(len(left), 'part')} of records left out that cannot be "
            f"read, first {left[0]}"
        )
    return len(left)


def _name(operand: Operand, without: str = "<memory>") -> str:
    return shown(operand) if isinstance(operand, str) else without
