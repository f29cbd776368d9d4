"""What a process does with lines: it reads them, and compares what seems to pair."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.errors import GraphscoreError, Problem
from graphscore.evaluation.apart.lines import Run
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.tasks import Task, Timed, run_task
from graphscore.formats import Reading
from graphscore.formats.base import Note, Read, Record, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.source import BOM, open_raw, problem
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph


class Job(NamedTuple):
    """What is done with all lines."""

    families: tuple[tuple[tuple[int, ...], tuple[Metric, ...]], ...]
    """Metrics that take each other's prepared graphs, with their numbers."""
    options: Options
    budget: Budget
    details: bool
    parts: bool
    frameworks: tuple[str | None, str | None]
    """Of files of gold and of the system that do not say it."""


class Work(NamedTuple):
    """Some lines of both sides."""

    job: Job
    gold: Sequence[Run]
    system: Sequence[Run]
    pairs: Sequence[tuple[int, int]]
    """Places of gold records, and of the system's that they seem to pair with; -1
    where there is none."""


class Far(NamedTuple):
    """What is said of a record whose graph stays where it was read."""

    line: int
    framework: str
    language: str
    item: str
    layer: str
    document: str
    text: str
    words: int
    anchored: bool
    empty: bool
    digest: bytes | None
    """Of the graph; none where it has none."""
    left_out: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()


Entry = Far | Rejected


class Done(NamedTuple):
    """What was found of some lines."""

    gold: list[Entry]
    system: list[Entry]
    outcomes: list[tuple[tuple[int, ...], list[int], list[Timed]]]
    """For metrics of those numbers: the places of pairs, and what all metrics say of
    the first, of the second and so on."""


def work(given: Work) -> Done:
    """Read lines and compare what seems to pair; runs in a worker.

    Args:
        given: the lines.
    """
    job = given.job
    gold, system = (
        list(records(runs, framework))
        for runs, framework in zip(
            (given.gold, given.system), job.frameworks, strict=True
        )
    )
    try:
        outcomes = _outcomes(given, gold, system)
    except Exception:
        # It fails again where it is these pairs' turn, and is told then.
        outcomes = []
    return Done([*map(_entry, gold)], [*map(_entry, system)], outcomes)


def records(runs: Sequence[Run], framework: str | None) -> Iterator[Record]:
    """The records of some lines, as reading their files would give them.

    Args:
        runs: where the lines are.
        framework: that of files that do not say it.

    Raises:
        InputError: if a file cannot be read any more, or is another one now.
    """
    reading = Reading(framework=framework)
    for run in runs:
        chosen = format_named(run.format)
        assert chosen.lines is not None
        with open_raw(run.path) as stream:
            stream.seek(run.start)
            raw = stream.read(run.end - run.start)
        if len(raw) < run.end - run.start:
            raise changed(run.path)
        if run.number == 1:
            raw = raw.removeprefix(BOM)
        lines = enumerate(io.BytesIO(raw), run.number)
        for record in chosen.lines.read(lines, run.path):
            if isinstance(record, Read):
                yield reading.applied(record, chosen, run.path)
            else:
                # Whoever pairs has no use for its bytes.
                yield record._replace(raw=b"")


def changed(path: str) -> GraphscoreError:
    """What is said of a file that is not what it was."""
    return problem(path, "other lines than at first", "a file that stays as it is")


def _entry(record: Record) -> Entry:
    """What is said of a record."""
    if isinstance(record, Rejected):
        return record
    graph = record.graph
    try:
        digest = graph.digest()
    except GraphscoreError:
        # Who asks for it will be told why.
        digest = None
    return Far(
        record.line,
        graph.framework,
        graph.language,
        graph.id,
        graph.layer,
        graph.document,
        graph.text,
        len(graph.tokens),
        any(node.anchors for node in graph.nodes),
        not graph.nodes,
        digest,
        record.left_out,
        record.notes,
    )


def _outcomes(
    given: Work, gold: Sequence[Record], system: Sequence[Record]
) -> list[tuple[tuple[int, ...], list[int], list[Timed]]]:
    """What the metrics say of the pairs."""
    job = given.job
    compared: list[tuple[int, str, tuple[tuple[Graph, ...], tuple[Graph, ...]]]] = []
    for place, (own, other) in enumerate(given.pairs):
        one = _chosen(gold[own], job.options.selection)
        two = _chosen(system[other], job.options.selection) if other >= 0 else ()
        if one and (two or other < 0):
            compared.append((place, one[0].framework, (one, two)))
    found = []
    for numbers, metrics in job.families:
        mine = [each for each in compared if job.options.takes(metrics[0], each[1])]
        if mine:
            pairs = tuple(both for *_, both in mine)
            task = Task(metrics, pairs, job.budget, job.details, job.parts)
            found.append((numbers, [place for place, *_ in mine], run_task(task)))
    return found


def _chosen(record: Record, selection: Selection) -> tuple[Graph, ...]:
    """The graph of a record, if it takes part under its own name."""
    if isinstance(record, Rejected):
        return ()
    graph = record.graph
    # What has no id is given one by whoever counts.
    identity = graph.framework, graph.language, graph.id, graph.layer
    return (graph,) if graph.id and selection.takes(*identity) else ()
