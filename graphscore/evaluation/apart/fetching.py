"""Lines on their way to other processes, and what these say on its way back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from graphscore.correspondence import Budget
from graphscore.evaluation.apart.lines import Lines, Part, parts_of
from graphscore.evaluation.apart.workers import Workers
from graphscore.evaluation.apart.working import (
    Done,
    Entry,
    Job,
    Work,
    changed,
    records,
    work,
)
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.tasks import AHEAD, Task, Timed, run_task
from graphscore.formats.base import Read
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Batch = tuple[tuple[int, ...], list[Pair[Any]]]
"""Numbers of metrics, and pairs that they compare."""


WARMING, SHORT = 8, 1 << 14
"""Pairs that are compared here before workers begin, and bytes that they have less."""


class Fetch:
    """What other processes say of the lines of both sides, in one pass.

    Args:
        gold: the lines of gold.
        system: those of the system.
        options: how is scored.
    """

    def __init__(self, gold: Lines, system: Lines, options: Options) -> None:
        self.sides = gold, system
        self.options = options
        self._ahead = AHEAD * max(options.jobs, 2)
        self._entries: tuple[dict[int, Entry], dict[int, Entry]] = ({}, {})
        self._outcomes: dict[tuple[int, int, tuple[int, ...]], Sequence[Timed]] = {}
        self._sent: deque[tuple[Part, Future[Done]]] = deque()

    def start(
        self,
        metrics: Sequence[Metric],
        families: Sequence[tuple[int, ...]],
        details: bool,
        executor: Executor,
    ) -> None:
        """Begin.

        Args:
            metrics: what is scored with.
            families: numbers of those that take each other's prepared graphs.
            details: whether they name matches and errors.
            executor: where lines are read.
        """
        options = self.options
        readings = options.reading, options.system_reading or options.reading
        self._job = Job(
            tuple((each, tuple(metrics[n] for n in each)) for each in families),
            options,
            options.budget,
            details,
            options.parts,
            (readings[0].framework, readings[1].framework),
        )
        self._metrics, self._executor = metrics, executor
        self._parts = parts_of(*self.sides, options)
        if isinstance(executor, Workers) and executor.copied:
            self._warm()

    def _warm(self) -> None:
        """Compare some pairs here: workers then have what is imported for that."""
        first = next(self._parts, None)
        if first is None:
            return
        self._parts = chain([first], self._parts)
        pairs = [
            (own, other)
            for own, other in first.pairs[:WARMING]
            if other >= 0 and all(map(self._is_short, (0, 1), (own, other)))
        ]
        few = Part([own for own, _ in pairs], [other for _, other in pairs], pairs)
        job = self._job._replace(budget=Budget(WARMING, 0.1))
        work(self._given(few)._replace(job=job))

    def _is_short(self, side: int, number: int) -> bool:
        """Whether a record is nothing that takes time."""
        lines = self.sides[side]
        return lines.ends[number] - lines.starts[number] < SHORT

    def entry(self, side: int, number: int) -> Entry:
        """What is said of a record; it is asked for once.

        Args:
            side: 0 for gold, 1 for the system.
            number: of the record.
        """
        there = self._entries[side]
        while number not in there:
            self._take()
        return there.pop(number)

    def load(self, side: int, number: int) -> Graph:
        """The graph of a record, which is read here.

        Args:
            side: 0 for gold, 1 for the system.
            number: of the record.

        Raises:
            InputError: if its file is another one now.
        """
        runs = self.sides[side].runs([number])
        [record] = records(runs, self._job.frameworks[side])
        if not isinstance(record, Read):
            raise changed(runs[0].path)
        return record.graph

    def outcomes(self, batches: Iterable[Batch]) -> Iterator[list[Timed]]:
        """What the metrics say of batches of pairs, in their order.

        Args:
            batches: pairs, of which not all need to have been compared where they
                were read.

        Yields:
            For every pair the outcomes of all metrics.
        """
        waiting: deque[tuple[list[Sequence[Timed] | None], Any]] = deque()
        for numbers, batch in batches:
            waiting.append(self._begun(numbers, batch))
            while waiting and (waiting[0][1] is None or len(waiting) >= self._ahead):
                yield _ended(*waiting.popleft())
        while waiting:
            yield _ended(*waiting.popleft())

    def _begun(
        self, numbers: tuple[int, ...], batch: list[Pair[Any]]
    ) -> tuple[list[Sequence[Timed] | None], Any]:
        """What is known of a batch, and the way on which the rest comes."""
        found: list[Sequence[Timed] | None] = []
        missing = []
        for _, gold, system in batch:
            assert gold is not None
            other = -1 if system is None else system.number
            known = self._outcomes.pop((gold.number, other, numbers), None)
            found.append(known)
            if known is None:
                missing.append((gold.graphs, () if system is None else system.graphs))
        if not missing:
            return found, None
        job = self._job
        metrics = tuple(self._metrics[number] for number in numbers)
        task = Task(metrics, tuple(missing), job.budget, job.details, job.parts)
        return found, self._executor.submit(run_task, task)

    def _take(self) -> None:
        """Take what is said of the lines that were sent first."""
        while len(self._sent) < self._ahead:
            part = next(self._parts, None)
            if part is None:
                break
            self._send(part)
        part, future = self._sent.popleft()
        done = future.result()
        sides = zip((part.gold, part.system), (done.gold, done.system), strict=True)
        for side, (numbers, entries) in enumerate(sides):
            if len(entries) != len(numbers):
                raise changed(self.sides[side].files[0][0])
            self._entries[side].update(zip(numbers, entries, strict=True))
        for metrics, places, every in done.outcomes:
            size = len(metrics)
            for at, place in enumerate(places):
                key = (*part.pairs[place], metrics)
                self._outcomes[key] = every[at * size : (at + 1) * size]

    def _send(self, part: Part) -> None:
        self._sent.append((part, self._executor.submit(work, self._given(part))))

    def _given(self, part: Part) -> Work:
        """What a worker is told of a part."""
        gold, system = self.sides
        own = {number: place for place, number in enumerate(part.gold)}
        others = {number: place for place, number in enumerate(part.system)}
        others[-1] = -1
        pairs = [(own[one], others[two]) for one, two in part.pairs]
        return Work(self._job, gold.runs(part.gold), system.runs(part.system), pairs)


def _ended(found: list[Sequence[Timed] | None], future: Any) -> list[Timed]:
    """The outcomes of a batch, when all are there."""
    if future is None:
        return [timed for each in found if each is not None for timed in each]
    more = future.result()
    gaps = sum(each is None for each in found)
    size = len(more) // gaps
    later = (more[start : start + size] for start in range(0, len(more), size))
    return [
        timed for each in found for timed in (next(later) if each is None else each)
    ]
