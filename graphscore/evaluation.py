"""Running metrics over pairs of units, serially or on any executor.

Units stream through: they are read, paired, compared in small batches and
summed, so that memory does not grow with the corpus.  Batches come back in the
order in which they were sent, whatever the number of workers, so the outcome is
the same byte for byte.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from graphscore.correspondence import Budget
from graphscore.errors import InputError, PairingError, Problem
from graphscore.formats import Reading, Rejected, expand, read_file
from graphscore.formats.source import shown
from graphscore.graph import Graph
from graphscore.metrics.base import Metric
from graphscore.pairing import Pair, Pairing, duplicate_problem, id_rule
from graphscore.results import Outcome
from graphscore.scores import ItemResult, Result, Surplus
from graphscore.signature import Fingerprint, signature

BATCH = 32
"""Pairs per task: enough to hide the cost of handing them over."""

AHEAD = 4
"""Batches in flight per worker."""


class Located(NamedTuple):
    """A graph and where it was read."""

    graph: Graph
    file: str
    line: int | None

    @property
    def framework(self) -> str:
        """Framework of the graph."""
        return self.graph.framework

    @property
    def language(self) -> str:
        """Language of the graph."""
        return self.graph.language

    @property
    def item(self) -> str:
        """Id of the graph."""
        return self.graph.id

    @property
    def place(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Selection:
    """Which units of both sides take part; empty means all."""

    frameworks: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()

    def takes(self, framework: str, language: str, item: str) -> bool:
        """Whether a unit takes part."""
        return (
            (not self.frameworks or framework in self.frameworks)
            and (not self.languages or language in self.languages)
            and (not self.items or item in self.items)
        )


@dataclass(frozen=True)
class Options:
    """How an evaluation runs.

    Args:
        selection: which units take part.
        pair: by equal ids or by order.
        ids: rule that rewrites ids for pairing, see ``pairing.id_rule``.
        budget: work per pair.
        jobs: worker processes; 1 stays in this one.
        per_item: whether results per item are kept.
        details: whether matches (with ``per_item``) are kept too.
        reading: formats and documents of the files.
    """

    selection: Selection = Selection()
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    budget: Budget = field(default_factory=Budget)
    jobs: int = 1
    per_item: bool = False
    details: bool = False
    reading: Reading = field(default_factory=Reading)


class Units:
    """One side's units as a stream that remembers what it could not read.

    Args:
        operand: a file, directory, glob or ``-``; or graphs in memory.
        selection: which units are let through.
        reading: how files are read.
        scores: which frameworks any of the metrics scores.
    """

    def __init__(
        self,
        operand: str | Iterable[Graph],
        selection: Selection,
        reading: Reading,
        scores: Callable[[str], bool],
    ) -> None:
        self.operand = operand
        self.selection, self.reading, self.scores = selection, reading, scores
        self.problems: list[Problem] = []
        self.rejected = 0
        self.unscored: dict[str, int] = {}
        self.count = 0

    def __iter__(self) -> Iterator[Located]:
        numbers: dict[tuple[str, str], int] = {}
        for located in self._located():
            graph = located.graph
            if not self.selection.takes(graph.framework, graph.language, graph.id):
                continue
            if not self.scores(graph.framework):
                count = self.unscored.get(graph.framework, 0)
                self.unscored[graph.framework] = count + 1
                continue
            if not graph.id:
                key = (graph.framework, graph.language)
                numbers[key] = numbers.get(key, -1) + 1
                located = located._replace(graph=_with_id(graph, str(numbers[key])))
            self.count += 1
            yield located

    def _located(self) -> Iterator[Located]:
        if not isinstance(self.operand, str):
            for graph in self.operand:
                yield Located(graph, "<memory>", None)
            return
        for path in expand(self.operand):
            for record in read_file(path, self.reading):
                if isinstance(record, Rejected):
                    self.problems.extend(record.problems)
                    self.rejected += 1
                else:
                    yield Located(record.graph, shown(path), record.line)


def _with_id(graph: Graph, item: str) -> Graph:
    import msgspec

    return msgspec.structs.replace(graph, id=item)


class Task(NamedTuple):
    """A batch of pairs for one metric."""

    metric: Metric
    pairs: tuple[tuple[Graph | None, Graph | None], ...]
    budget: Budget
    details: bool


class Timed(NamedTuple):
    """An outcome and the time that it took."""

    outcome: Outcome
    microseconds: int


def run_task(task: Task) -> list[Timed]:
    """Compare a batch of pairs; runs in this process or in a worker."""
    metric = task.metric
    outcomes = []
    for gold, system in task.pairs:
        start = time.perf_counter_ns()
        outcome = metric.compare(
            () if gold is None else (metric.prepare(gold),),
            () if system is None else (metric.prepare(system),),
            budget=task.budget,
            details=task.details,
        )
        outcomes.append(Timed(outcome, (time.perf_counter_ns() - start) // 1000))
    return outcomes


@contextmanager
def executor_for(
    jobs: int, executor: Executor | None = None
) -> Iterator[Executor | None]:
    """The executor to run on: the caller's, a process pool, or none."""
    if executor is not None or jobs <= 1:
        yield executor
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield pool


def run_tasks(
    tasks: Iterable[Task], executor: Executor | None, ahead: int
) -> Iterator[list[Timed]]:
    """Outcomes of every task, in order, with a bounded number in flight."""
    if executor is None:
        yield from map(run_task, tasks)
        return
    pending: deque[Future[list[Timed]]] = deque()
    for task in tasks:
        pending.append(executor.submit(run_task, task))
        if len(pending) >= ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


class _Run:
    """One system's way through pairing, comparing and summing."""

    def __init__(
        self,
        gold: str | Sequence[Graph],
        system: str | Sequence[Graph],
        metrics: Sequence[Metric],
        options: Options,
        each: Each | None,
    ) -> None:
        self.metrics, self.options, self.each = metrics, options, each
        self.results = [
            Result(metric, gold=_name(gold), system=_name(system)) for metric in metrics
        ]
        scores = _any_scores(metrics)
        self.gold = Units(gold, options.selection, options.reading, scores)
        self.system = Units(system, options.selection, options.reading, scores)
        self.pairing: Pairing[Located] = Pairing(options.pair, id_rule(options.ids))
        self.prints = (Fingerprint(), Fingerprint())
        self.seen: tuple[set[str], set[str]] = (set(), set())
        self.sent: deque[tuple[int, list[Pair[Located]]]] = deque()
        self.positions: list[list[int]] = [[] for _ in metrics]

    def _batches(self) -> Iterator[tuple[int, list[Pair[Located]]]]:
        """Pairs in batches, each for the metric of that number."""
        waiting: list[list[Pair[Located]]] = [[] for _ in self.metrics]
        for pair in self.pairing.pairs(self.gold, self.system):
            for side, located in enumerate((pair.gold, pair.system)):
                if located is not None:
                    graph = located.graph
                    self.seen[side].add(graph.framework)
                    self.prints[side].add(
                        graph.framework, graph.language, graph.id, graph.digest()
                    )
            unit = pair.gold or pair.system
            for number, metric in enumerate(self.metrics):
                if unit is None or not metric.scores(unit.framework):
                    continue
                if pair.gold is None:
                    self.results[number].surplus_system.append(
                        Surplus(unit.framework, unit.language, unit.item)
                    )
                    continue
                waiting[number].append(pair)
                if len(waiting[number]) == BATCH:
                    yield number, waiting[number]
                    waiting[number] = []
        yield from ((n, rest) for n, rest in enumerate(waiting) if rest)

    def tasks(self) -> Iterator[Task]:
        """The batches as tasks; what was sent is remembered in order."""
        details = self.options.details or self.each is not None
        for number, batch in self._batches():
            self.sent.append((number, batch))
            graphs = tuple(
                (
                    pair.gold.graph if pair.gold else None,
                    pair.system.graph if pair.system else None,
                )
                for pair in batch
            )
            yield Task(self.metrics[number], graphs, self.options.budget, details)

    def take(self, outcomes: list[Timed]) -> None:
        """Sum the outcomes of the batch that was sent first."""
        number, batch = self.sent.popleft()
        for pair, (outcome, _) in zip(batch, outcomes, strict=True):
            if pair.gold is None:
                continue
            self.positions[number].append(pair.position)
            _collect(
                self.results[number], pair.gold, pair.system, outcome, self.options
            )
            if self.each is not None:
                self.each(self.metrics[number], pair.gold, pair.system, outcome)

    def finish(self) -> list[Result]:
        """Check gold, add notes and signatures, put items into gold order."""
        _check_gold(self.gold, self.pairing)
        for result, places in zip(self.results, self.positions, strict=True):
            _finish(result, self.system, self.pairing, self.seen)
            result.signature = signature(result, self.options, *self.prints)
            if result.items:
                order = sorted(range(len(places)), key=places.__getitem__)
                result.items = [result.items[place] for place in order]
        return self.results


Each = Callable[[Metric, Located, Located | None, Outcome], None]
"""Is told of every scored gold unit."""


def score_files(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metrics: Sequence[Metric],
    options: Options | None = None,
    *,
    executor: Executor | None = None,
    each: Each | None = None,
) -> list[Result]:
    """Score one system against gold with several metrics, in one pass.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        system: likewise.
        metrics: what to score with.
        options: how.
        executor: where batches run; by default ``options.jobs`` decides.
        each: called for every scored gold unit, in order of pairing.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
    """
    options = options or Options()
    run = _Run(gold, system, metrics, options, each)
    with executor_for(options.jobs, executor) as pool:
        for outcomes in run_tasks(run.tasks(), pool, AHEAD * max(options.jobs, 2)):
            run.take(outcomes)
    return run.finish()


def _name(operand: object) -> str:
    return shown(operand) if isinstance(operand, str) else "<memory>"


def _any_scores(metrics: Sequence[Metric]) -> Callable[[str], bool]:
    return lambda framework: any(metric.scores(framework) for metric in metrics)


def _collect(
    result: Result,
    gold: Located,
    system: Located | None,
    outcome: Outcome,
    options: Options,
) -> None:
    graph = gold.graph
    result.pairs += 1
    result.missing_system += system is None
    result.unproven += not outcome.proven
    result.add((graph.framework, graph.language, graph.document), outcome.masses)
    if options.per_item:
        result.items.append(
            ItemResult(
                graph.framework,
                graph.language,
                graph.id,
                graph.document,
                outcome.masses,
                outcome.score,
                outcome.bound,
                outcome.proven,
                system is None,
                outcome.matches if options.details else (),
            )
        )


def _check_gold(gold: Units, pairing: Pairing[Located]) -> None:
    """Refuse gold that is not whole, naming everything that is wrong with it."""
    problems = [
        *gold.problems,
        *(
            duplicate_problem(unit, unit.file, unit.line, first)
            for (side, unit), first in zip(
                pairing.duplicates, pairing.firsts, strict=True
            )
            if side == "gold"
        ),
    ]
    if problems:
        raise InputError(problems, "the gold side cannot be used:")


def _finish(
    result: Result,
    system: Units,
    pairing: Pairing[Located],
    seen: tuple[set[str], set[str]],
) -> None:
    duplicates = [
        duplicate_problem(unit, unit.file, unit.line, first)
        for (side, unit), first in zip(pairing.duplicates, pairing.firsts, strict=True)
        if side == "system" and result.metric.scores(unit.framework)
    ]
    result.rejected = [str(each) for each in (*system.problems, *duplicates)]
    result.rejected_records = system.rejected + len(duplicates)
    add_notes(result, *seen, system.unscored)
    refuse_unpaired(result)


def refuse_unpaired(result: Result) -> None:
    """Raise if no gold unit has a system unit: that is no score but a mistake.

    Raises:
        PairingError: naming the numbers and an example.
    """
    if result.pairs > result.missing_system:
        return
    example = result.surplus_system[0].item if result.surplus_system else "none"
    numbers = f"{result.pairs} gold and {len(result.surplus_system)} system graphs"
    listed = "".join(f"\n{problem}" for problem in result.rejected[:20])
    raise PairingError(
        f"nothing paired for {result.metric} in {result.system}: {numbers}, first "
        f"system item {example!r}; compare ids, frameworks and --ids{listed}"
    )


def add_notes(
    result: Result, gold: set[str], system: set[str], unscored: dict[str, int]
) -> None:
    """Say which frameworks were left out or are absent."""
    for framework in sorted(gold - system):
        if result.metric.scores(framework):
            result.notes.append(
                f"{result.system}: no {framework} graphs at all; all gold "
                f"{framework} tuples count as missing"
            )
    for framework, count in sorted(unscored.items()):
        result.notes.append(
            f"{result.metric} does not score {framework}: {count} graphs left out"
        )
