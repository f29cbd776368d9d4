"""Scoring files, and graphs in memory.

Units stream through: they are read, paired, compared in small batches and
summed, so that memory does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphscore.errors import (
    InputError,
    Problem,
    Problems,
    UsageError,
    amount,
    and_more,
)
from graphscore.evaluation.defaults import (
    Choice,
    Found,
    choices,
    nothing_found,
)
from graphscore.evaluation.notes import with_gold
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.pairing import Pair, duplicate_problem
from graphscore.evaluation.parts import parts_with
from graphscore.evaluation.result import ItemResult, Result
from graphscore.evaluation.run import Batch, Ends, evaluate
from graphscore.evaluation.tasks import Timed, executor_for
from graphscore.evaluation.units import Unit, Units
from graphscore.folding import weighted
from graphscore.formats.source import shown
from graphscore.formats.streams import flows_by, held_streams, refuse_repeated
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor

Each = Callable[[Metric, Unit, Unit | None, Outcome], None]
"""Is told of every scored gold unit."""


def score_files(
    gold: str | Sequence[Graph] | References,
    system: str | Sequence[Graph],
    metrics: Sequence[Metric] | None = None,
    options: Options | None = None,
    *,
    executor: Executor | None = None,
    each: Each | None = None,
    made: Callable[..., Files] | None = None,
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
        each: called for every scored gold unit, in order of pairing; without
            *metrics* perhaps of some more than the results are about.  Not with a
            pattern.
        made: makes the ends of every pass, where not all pairs are compared here.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
        UsageError: if one stream is both sides.
    """
    given = options or Options()
    if isinstance(gold, References):
        return score_references(gold, system, metrics, given, executor, each)
    refuse_repeated((gold, system))
    if given.where is not None or given.within:
        # Few ask for a part; a pattern is searched in a store.
        from graphscore.evaluation.where.files import score_where

        return score_where(gold, system, metrics, given, executor)
    with held_streams(metrics is None or len(set(map(unit_of, metrics))) > 1):
        if metrics is None:
            return _Finding(gold, system, given, executor, each, made).results()

        def ends(group: Sequence[Metric]) -> Files:
            if made is not None:
                return made(gold, system, group, given, each)
            sides = None
            if each is None and unit_of(group[0]) == "item":
                sides = _far_sides(gold, system, given, executor)
            return Files(gold, system, group, given, each, sides)

        details = given.details or each is not None
        return with_gold(evaluate(metrics, ends, given.jobs, executor, details))


def score_references(
    gold: References,
    system: Any,
    metrics: Sequence[Metric] | None,
    options: Options,
    executor: Executor | None = None,
    each: Each | None = None,
    sides: Callable[[Any, Any], tuple[Any, Any]] | None = None,
) -> list[Result]:
    """Score one system against several references; it is read again for each.

    Args:
        gold: the references.
        system: a file, directory, glob, ``-``, or graphs.
        metrics: as for :func:`score_files`.
        options: how; they say what is made of the references.
        executor: where batches run.
        each: called for every gold unit of every reference.
        sides: makes graphs or files of a reference and the system, if these are
            something else.
    """
    if options.where is not None or options.within:
        from graphscore.evaluation.where.restricting import Where

        Where(options).check(metrics or (), gold)
    # Only where there are several: few have them.
    from graphscore.evaluation.references import with_references

    refuse_repeated((*gold.golds, system))
    if isinstance(system, Iterator):
        system = list(system)

    def score(
        one: Any, asked: Sequence[Metric] | None, chosen: Options
    ) -> list[Result]:
        both = sides(one, system) if sides else (one, system)
        return score_files(*both, asked, chosen, executor=pool, each=each)

    with held_streams(len(gold) > 1), executor_for(options.jobs, executor) as pool:
        return with_references(gold, score, metrics, options)


def default_metrics(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    options: Options | None = None,
) -> list[Choice]:
    """The metrics for what both sides hold, which are read to the end.

    Who scores need not ask: :func:`score_files` finds out while it reads.

    Args:
        gold: a file, directory or glob, or graphs.
        system: likewise.
        options: which graphs take part, and how files are read.

    Raises:
        UsageError: if a side is a stream that nobody could read again.
    """
    for operand in filter(flows_by, (gold, system)):
        raise UsageError(
            f"{_name(operand)} can be read only once: name the metric with -m"
        )
    finding = _Finding(gold, system, options or Options(), None, None)
    for side in finding.sides():
        for _ in side:
            pass
    return finding.chosen


class Files(Ends[Unit]):
    """Two sides that are read as they are scored; outcomes are summed at once."""

    def __init__(
        self,
        gold: str | Sequence[Graph],
        system: str | Sequence[Graph],
        metrics: Sequence[Metric],
        options: Options,
        each: Each | None,
        sides: tuple[Units, Units] | None = None,
    ) -> None:
        super().__init__(metrics, (_name(gold), _name(system)), options)
        self.each = each
        self.gold, self.system = sides or _sides(gold, system, options)
        for side in (self.gold, self.system):
            side.scores, side.documents = self.any_scores, self.documents
            side.whole = self.whole
        self.positions: list[list[int]] = [[] for _ in metrics]

    def pairs(self) -> Iterator[Pair[Unit]]:
        """Pairs as they are found."""
        return self.pairing.pairs(self.gold, self.system)

    def outcomes(
        self,
        batches: Iterable[Batch[Unit]],
        families: Sequence[tuple[int, ...]],
        details: bool,
        executor: Executor | None,
    ) -> Iterator[list[Timed]]:
        """What was found where units were read, or is found now."""
        fetch = self.gold.fetch
        if fetch is None or executor is None:
            return super().outcomes(batches, families, details, executor)
        metrics = [result.metric for result in self.results]
        fetch.start(metrics, families, details, executor)
        return fetch.outcomes(batches)

    def texts(self, unit: Unit) -> list[str]:
        """Those that the graphs have."""
        return unit.texts

    def graph(self, unit: Unit) -> Graph:
        """Its first graph."""
        return unit.graph

    def wanted(self, pair: Pair[Unit], family: tuple[int, ...]) -> tuple[int, ...]:
        """All of them."""
        return family

    def take(self, number: int, pair: Pair[Unit], timed: Timed) -> None:
        """Add to the sums, and tell who wants to know."""
        result, outcome, (position, gold, system) = self.results[number], timed[0], pair
        assert gold is not None
        self.positions[number].append(position)
        result.unproven += not outcome.proven
        group = gold.framework, gold.language, gold.document, gold.layer
        result.add(group, outcome.masses)
        if self.options.per_item:
            details = self.options.details
            traced = details or self.options.traced
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
                    outcome.matches if details else (),
                    gold.layer,
                    outcome.errors if details else (),
                    tuple(self.texts(gold)) if traced else (),
                    parts_with(gold.names, timed.parts, outcome.errors),
                    system.item if system and traced else "",
                )
            )
        if self.each is not None:
            self.each(result.metric, gold, system, outcome)

    def settle(self) -> None:
        """Refuse gold that is not whole, naming everything that is wrong with it."""
        gold = self.gold
        problems = Problems(gold.problems)
        problems.extend(gold.left_out)
        problems.extend(self._duplicates("gold"))
        if problems:
            raise InputError(problems, "the gold side cannot be used:")

    def _duplicates(self, wanted: str, metric: Metric | None = None) -> list[Problem]:
        """Units of a side whose identity it had already."""
        return [
            duplicate_problem(unit, unit.file, unit.line, first)
            for (side, unit), first in zip(
                self.pairing.duplicates, self.pairing.firsts, strict=True
            )
            if side == wanted and (metric is None or self.takes(metric, unit.framework))
        ]

    def describe(self, number: int) -> Mapping[str, int]:
        """Name the system's bad records and duplicates."""
        result = self.results[number]
        duplicates = self._duplicates("system", result.metric)
        result.rejected = [
            f"{each}{and_more(count)}"
            for each, count in (*self.system.problems.weighted(), *weighted(duplicates))
        ]
        result.rejected_records = self.system.rejected + len(duplicates)
        for side in (self.gold, self.system):
            if side.left_alone and side.left_alone not in result.notes:
                result.notes.append(side.left_alone)
            name = result.gold if side is self.gold else result.system
            result.notes += side.notes(name)
            if passed := side.passed_over:
                result.notes.append(
                    f"{name}: {amount(len(passed), 'problem')} in layers that nothing "
                    f"here scores, first {next(iter(passed))}"
                )
            if not result.pairs:
                # Perhaps it was read as something else than it is.
                result.notes += [f"{path}: {why}" for path, why in side.guesses.items()]
        if left_out := self.system.left_out:
            result.left_out = len(left_out)
            result.notes.append(
                f"{result.system}: {amount(len(left_out), 'part')} of records left out "
                f"that cannot be read, first {next(iter(left_out))}"
            )
        return self.system.unscored | self.gold.unscored

    def has_system(self) -> bool:
        """Any that was read."""
        return self.system.any

    def conclude(self, number: int) -> None:
        """Put items into gold order."""
        result, positions = self.results[number], self.positions[number]
        if result.items:
            order = sorted(range(len(positions)), key=positions.__getitem__)
            result.items = [result.items[place] for place in order]


class _Finding:
    """Scoring with the metrics of what is there, which is found out while reading.

    The beginnings of both sides say what to begin with.  Whoever reads them to the
    end has seen everything; what only then turns out to be there, or to be other
    than it seemed, is scored in a further pass.
    """

    def __init__(
        self,
        gold: str | Sequence[Graph],
        system: str | Sequence[Graph],
        options: Options,
        executor: Executor | None,
        each: Each | None,
        made: Callable[..., Files] | None = None,
    ) -> None:
        self.gold, self.system, self.options = gold, system, options
        self.executor, self.each, self.made = executor, each, made or Files
        self.found = Found()
        self.holder = "files" if isinstance(gold, str) else "graphs"

    def results(self) -> list[Result]:
        """One result for each metric that was chosen in the end, in their order."""
        far = _far_sides(*self._asked, self.found) if self._parted else None
        sides: tuple[Units, Units] | None = far or self.sides()
        for side in sides or ():
            side.peek()
        if far and unit_of(self.chosen[0].metric) != "item":
            sides = self.sides()
        done: dict[Metric, Result] = {}
        while missing := [each for each in self.metrics if each not in done]:
            unit = unit_of(missing[0])
            together = [each for each in missing if unit_of(each) == unit]
            done |= self._scored(together, sides)
            sides = None
        if not self.found.frameworks:
            names = _name(self.gold), _name(self.system)
            notes = [note for result in done.values() for note in result.notes]
            raise nothing_found(*names, self.options, notes)
        for choice in self.chosen:
            done[choice.metric].because = choice.because
        return with_gold([done[each] for each in self.metrics])

    @property
    def _asked(self) -> tuple[Any, Any, Options, Executor | None]:
        """What says whether workers read files."""
        return self.gold, self.system, self.options, self.executor

    @property
    def _parted(self) -> bool:
        """Whether nothing here needs the graphs of all units."""
        return self.each is None and self.made is Files

    @property
    def chosen(self) -> list[Choice]:
        """The metrics for what has been seen."""
        return choices(self.found, self.holder)

    @property
    def metrics(self) -> list[Metric]:
        """The metrics for what has been seen, without the reasons."""
        return [each.metric for each in self.chosen]

    def sides(self) -> tuple[Units, Units]:
        """Both sides; what is read of them is found."""
        return _sides(
            self.gold,
            self.system,
            self.options,
            (self.found.gold.take, self.found.system.take),
        )

    def _scored(
        self, metrics: Sequence[Metric], sides: tuple[Units, Units] | None
    ) -> dict[Metric, Result]:
        """Score with metrics that take one pass together."""
        options = self.chosen[0].limited(self.options)
        if sides is None and self._parted and unit_of(metrics[0]) == "item":
            sides = _far_sides(*self._asked)
        results = evaluate(
            metrics,
            lambda group: self.made(
                self.gold, self.system, group, options, self.each, sides
            ),
            options.jobs,
            self.executor,
            options.details or self.each is not None,
            lambda framework: not self.found.left_out(framework),
        )
        return dict(zip(metrics, results, strict=True))


def _far_sides(
    gold: Any,
    system: Any,
    options: Options,
    executor: Executor | None,
    found: Found | None = None,
) -> tuple[Units, Units] | None:
    """Both sides as workers read them, if there are any and files have parts."""
    if options.jobs < 2 or not (isinstance(gold, str) and isinstance(system, str)):
        return None
    # Only where there are workers.
    from graphscore.evaluation.apart.units import far_sides
    from graphscore.evaluation.apart.workers import Workers

    if not (executor is None or isinstance(executor, Workers)):
        return None
    return far_sides(gold, system, options, found)


def _sides(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    options: Options,
    seen: tuple[Callable[[Graph], None], Callable[[Graph], None]] | None = None,
) -> tuple[Units, Units]:
    """Both sides as streams of all graphs that the selection lets through."""
    tell = seen or (None, None)
    reading = (options.system_reading or options.reading).lent(gold)
    return (
        Units(gold, options.selection, options.reading, _all, seen=tell[0]),
        Units(system, options.selection, reading, _all, seen=tell[1]),
    )


def _all(_: str) -> bool:
    return True


def _name(operand: object) -> str:
    return shown(operand) if isinstance(operand, str) else "<memory>"
