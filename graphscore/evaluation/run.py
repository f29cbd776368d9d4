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
from graphscore.errors import InputError, PairingError, UsageError, amount
from graphscore.evaluation.pairing import Pair, Pairing, duplicate_problem
from graphscore.evaluation.result import ItemResult, Result, Surplus
from graphscore.evaluation.signature import Fingerprint, signature
from graphscore.evaluation.units import Selection, Unit, Units
from graphscore.formats import Reading
from graphscore.formats.source import STDIN, shown
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Outcome

BATCH = 32
"""Pairs per task: enough to hide the cost of handing them over."""

AHEAD = 4
"""Batches in flight per worker."""

SHOWN = 24
"""Characters of a text that are shown where it differs from gold's."""


@dataclass(frozen=True)
class Options:
    """How an evaluation runs.

    Args:
        selection: which units take part.
        pair: by equal ids or by order.
        ids: rule that rewrites ids for pairing, see ``model.ids.id_rule``.
        budget: work per pair.
        jobs: worker processes; 1 stays in this one.
        per_item: whether results per item are kept.
        details: whether matches (with ``per_item``) are kept too.
        reading: formats and documents of the files.
        system_reading: those of the system's, where they are others.
    """

    selection: Selection = field(default_factory=Selection)
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    budget: Budget = field(default_factory=Budget)
    jobs: int = 1
    per_item: bool = False
    details: bool = False
    reading: Reading = field(default_factory=Reading)
    system_reading: Reading | None = None


class Task(NamedTuple):
    """A batch of pairs for metrics of one layout."""

    metrics: tuple[Metric, ...]
    pairs: tuple[tuple[tuple[Graph, ...], tuple[Graph, ...]], ...]
    """Graphs of both sides of each pair, in order; empty where missing."""
    budget: Budget
    details: bool


class Timed(NamedTuple):
    """An outcome and the time that it took."""

    outcome: Outcome
    microseconds: int


def run_task(task: Task) -> list[Timed]:
    """Compare a batch of pairs; runs in this process or in a worker.

    Returns:
        Outcomes of every pair, for each one those of all metrics in order.  The
        first metric's time has the preparing in it.
    """
    if any(metric.batched for metric in task.metrics):
        return _run_together(task)
    prepare = task.metrics[0].prepare
    outcomes = []
    for gold, system in task.pairs:
        start = time.perf_counter_ns()
        mine, theirs = tuple(map(prepare, gold)), tuple(map(prepare, system))
        for metric in task.metrics:
            outcome = metric.compare(
                mine, theirs, budget=task.budget, details=task.details
            )
            end = time.perf_counter_ns()
            outcomes.append(Timed(outcome, (end - start) // 1000))
            start = end
    return outcomes


def _run_together(task: Task) -> list[Timed]:
    """Compare a batch as a whole; its time is shared among its pairs."""
    start = time.perf_counter_ns()
    prepare = task.metrics[0].prepare
    pairs = [
        (tuple(map(prepare, gold)), tuple(map(prepare, system)))
        for gold, system in task.pairs
    ]
    columns: list[list[Timed]] = []
    for metric in task.metrics:
        found = metric.compare_many(pairs, budget=task.budget, details=task.details)
        end = time.perf_counter_ns()
        each = (end - start) // 1000 // max(len(pairs), 1)
        columns.append([Timed(outcome, each) for outcome in found])
        start = end
    return [timed for row in zip(*columns, strict=True) for timed in row]


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


def families(metrics: Sequence[Metric]) -> list[list[int]]:
    """Positions of metrics that take each other's prepared graphs.

    Example:
        >>> from graphscore.metrics.registry import parse
        >>> families([parse(name) for name in ("muc", "mrp", "b3")])
        [[0, 2], [1]]
    """
    found: dict[object, list[int]] = {}
    for number, metric in enumerate(metrics):
        key = (metric.layout, metric.frameworks)
        found.setdefault(key, []).append(number)
    return list(found.values())


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
        documents = metrics[0].unit == "document"
        self.gold, self.system = (
            Units(
                operand,
                options.selection,
                reading,
                _any_scores(metrics),
                documents,
            )
            for operand, reading in (
                (gold, options.reading),
                (system, options.system_reading or options.reading),
            )
        )
        self.pairing: Pairing[Unit] = Pairing(
            options.pair, id_rule(options.ids), lone=documents
        )
        self.prints = (Fingerprint(), Fingerprint())
        self.seen: tuple[set[str], set[str]] = (set(), set())
        self.families = families(metrics)
        self.sent: deque[tuple[list[int], list[Pair[Unit]]]] = deque()
        self.positions: list[list[int]] = [[] for _ in metrics]
        self.unlike = 0
        self.first_unlike = ""

    def _batches(self) -> Iterator[tuple[list[int], list[Pair[Unit]]]]:
        """Pairs in batches, each for the metrics of those numbers."""
        waiting: list[list[Pair[Unit]]] = [[] for _ in self.families]
        for pair in self.pairing.pairs(self.gold, self.system):
            for side, unit in enumerate((pair.gold, pair.system)):
                for graph in unit.graphs if unit else ():
                    self.seen[side].add(graph.framework)
                    self.prints[side].add(
                        graph.framework, graph.language, graph.id, graph.digest()
                    )
            one, two = pair.gold, pair.system
            if one is not None and two is not None and texts_differ(one, two):
                self.unlike += 1
                if not self.first_unlike:
                    self.first_unlike = unlike(one.item, one.graph, two.graph)
            unit = pair.gold or pair.system
            for place, numbers in enumerate(self.families):
                metric = self.metrics[numbers[0]]
                if unit is None or not metric.scores(unit.framework):
                    continue
                if pair.gold is None:
                    for number in numbers:
                        self.results[number].surplus_system.append(
                            Surplus(unit.framework, unit.language, unit.item)
                        )
                    continue
                waiting[place].append(pair)
                if len(waiting[place]) == BATCH:
                    yield numbers, waiting[place]
                    waiting[place] = []
        for numbers, rest in zip(self.families, waiting, strict=True):
            if rest:
                yield numbers, rest

    def tasks(self) -> Iterator[Task]:
        """The batches as tasks; what was sent is remembered in order."""
        details = self.options.details or self.each is not None
        for numbers, batch in self._batches():
            self.sent.append((numbers, batch))
            graphs = tuple(
                (
                    pair.gold.graphs if pair.gold else (),
                    pair.system.graphs if pair.system else (),
                )
                for pair in batch
            )
            metrics = tuple(self.metrics[number] for number in numbers)
            yield Task(metrics, graphs, self.options.budget, details)

    def take(self, outcomes: list[Timed]) -> None:
        """Sum the outcomes of the batch that was sent first."""
        numbers, batch = self.sent.popleft()
        sent = ((number, pair) for pair in batch for number in numbers)
        for (number, pair), (outcome, _) in zip(sent, outcomes, strict=True):
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
            if self.unlike:
                add_text_note(result, self.unlike, self.first_unlike)
            _finish(result, self.system, self.pairing, self.seen)
            result.signature = signature(result, self.options, *self.prints)
            if result.items:
                order = sorted(range(len(places)), key=places.__getitem__)
                result.items = [result.items[place] for place in order]
        return self.results


def texts_differ(gold: Unit, system: Unit) -> bool:
    """Whether both items are anchored, in texts that are not the same.

    One of them may be without nodes: an item in which nothing was found.
    """
    if len(gold.graphs) > 1:
        return False
    one, two = gold.graph, system.graph
    if one.text == two.text or not (one.text and two.text):
        return False
    anchored = [any(node.anchors for node in each.nodes) for each in (one, two)]
    nodes = [bool(each.nodes) for each in (one, two)]
    return any(anchored) and anchored == nodes


def unlike(item: str, gold: Graph, system: Graph) -> str:
    """Where the texts of an item differ: the first such word.

    Args:
        item: of gold.
        gold: the gold graph.
        system: the system's.
    """
    one, two = gold.text, system.text
    # One may be the beginning of the other.
    letters = enumerate(zip(one, two, strict=False))
    same = next((k for k, (a, b) in letters if a != b), min(len(one), len(two)))
    start = max(one.rfind(" ", 0, same), two.rfind(" ", 0, same)) + 1
    here, there = (f"{text[start:][:SHOWN]!r}" for text in (one, two))
    return f"item {item}: {there}, gold has {here}"


def add_text_note(result: Result, pairs: int, first: str) -> None:
    """Say that texts differ.

    Args:
        result: where to.
        pairs: in how many pairs.
        first: what :func:`unlike` says of the first.
    """
    result.notes.append(
        f"{result.system}: the text differs from gold in {amount(pairs, 'pair')} with "
        f"anchors, which count characters of the text; first {first}"
    )


Each = Callable[[Metric, Unit, Unit | None, Outcome], None]
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
    """Score one system against gold with several metrics.

    Metrics over items take one pass together, metrics over documents another.

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
        UsageError: if standard input would have to be read twice.
    """
    options = options or Options()
    groups = [
        [metric for metric in metrics if unit_of(metric) == unit]
        for unit in ("item", "document")
    ]
    if all(groups) and STDIN in (gold, system):
        raise UsageError(
            "standard input can be read only once: score metrics over items and "
            "metrics over documents in two runs"
        )
    found: dict[Metric, Result] = {}
    with executor_for(options.jobs, executor) as pool:
        for group in filter(None, groups):
            run = _Run(gold, system, group, options, each)
            ahead = AHEAD * max(options.jobs, 2)
            for outcomes in run_tasks(run.tasks(), pool, ahead):
                run.take(outcomes)
            found.update(zip(group, run.finish(), strict=True))
    return [found[metric] for metric in metrics]


def _name(operand: object) -> str:
    return shown(operand) if isinstance(operand, str) else "<memory>"


def _any_scores(metrics: Sequence[Metric]) -> Callable[[str], bool]:
    return lambda framework: any(metric.scores(framework) for metric in metrics)


def _collect(
    result: Result,
    gold: Unit,
    system: Unit | None,
    outcome: Outcome,
    options: Options,
) -> None:
    result.pairs += 1
    result.missing_system += system is None
    result.unproven += not outcome.proven
    result.add((gold.framework, gold.language, gold.document), outcome.masses)
    if options.per_item:
        result.items.append(
            ItemResult(
                gold.framework,
                gold.language,
                gold.item,
                gold.document,
                outcome.masses,
                outcome.score,
                outcome.bound,
                outcome.proven,
                system is None,
                outcome.matches if options.details else (),
            )
        )


def _check_gold(gold: Units, pairing: Pairing[Unit]) -> None:
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
    pairing: Pairing[Unit],
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
    frameworks, surplus = result.metric.frameworks, result.surplus_system
    if frameworks and not result.pairs and not surplus and not result.rejected:
        notes = "".join(f"\n{note}" for note in result.notes)
        raise PairingError(
            f"nothing to score with {result.metric} in {result.system}: it scores "
            f"graphs of {' and '.join(sorted(frameworks))}{notes}"
        )
    example = surplus[0].item if surplus else "none"
    numbers = f"{result.pairs} gold and {len(result.surplus_system)} system graphs"
    listed = "".join(f"\n{problem}" for problem in result.rejected[:20])
    if not surplus:
        # Graphs of another framework may be there.
        listed += "".join(f"\n{note}" for note in result.notes)
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
            f"{result.metric} does not score {framework}: "
            f"{amount(count, 'graph')} left out"
        )
