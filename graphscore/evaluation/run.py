"""One way of an evaluation: units are paired, compared in batches and summed.

Where units come from and where outcomes go are the two :class:`Ends` of a
:class:`Run`: files and graphs in memory on one hand, collections of a store on the
other.  What is said of an evaluation (which units are missing or surplus, whose texts
differ, what was left out) is found out here, whatever its ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from graphscore.errors import amount, expect
from graphscore.evaluation.notebook import ShownResult
from graphscore.evaluation.notes import add_notes, refuse_unpaired, remarks, unlike
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Identified, Pair, Pairing
from graphscore.evaluation.result import Result, Surplus
from graphscore.evaluation.signature import Fingerprint, signature
from graphscore.evaluation.tasks import (
    AHEAD,
    BATCH,
    Task,
    Timed,
    executor_for,
    families,
    run_tasks,
)
from graphscore.evaluation.units import Identity
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule

if TYPE_CHECKING:
    from concurrent.futures import Executor

ANCHORS = "anchors"
"""The kind of tuples that texts matter to, in metrics that have it."""


class Comparable(Identified, Protocol):
    """What a run needs to know of a unit."""

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Its graphs, in order; where they are wanted."""
        ...

    @property
    def text(self) -> object:
        """Something that is equal where texts of items are equal; false without."""
        ...

    @property
    def words(self) -> int:
        """How many tokens the first graph has."""
        ...

    @property
    def anchored(self) -> bool:
        """Whether any node of the first graph has anchors."""
        ...

    @property
    def empty(self) -> bool:
        """Whether the first graph has no nodes."""
        ...

    def identities(self) -> Iterable[Identity]:
        """Framework, language, id and digest of every graph."""
        ...


UnitT = TypeVar("UnitT", bound=Comparable)

Batch = tuple[tuple[int, ...], list[Pair[UnitT]]]
"""Numbers of metrics, and pairs that they compare."""


class Ends(ABC, Generic[UnitT]):
    """Where the units of a run come from, and where its outcomes go.

    Args:
        metrics: what is scored with; all over items, or all over documents.
        names: of gold and system.
        options: how.

    Attributes:
        results: one for each metric, filled while the run goes on.
        documents: whether a unit is more than an item: a document, or all there is.
        whole: whether it is all there is of a framework, language and layer.
        pairing: what pairs the units.
        sums_all: whether the sums are those of all pairs, of which can be spoken.
    """

    sums_all = True

    def __init__(
        self, metrics: Sequence[Metric], names: tuple[str, str], options: Options
    ) -> None:
        gold, system = names
        self.results: list[Result] = [
            ShownResult(metric, gold=gold, system=system) for metric in metrics
        ]
        self.options = options
        self.documents = unit_of(metrics[0]) != "item"
        self.whole = unit_of(metrics[0]) == "collection"
        self.pairing: Pairing[UnitT] = Pairing(
            options.pair,
            id_rule(options.ids),
            lone=self.documents,
            characters=self.characters if self.documents and not self.whole else None,
        )

    def takes(self, metric: Metric, framework: str) -> bool:
        """Whether a metric scores graphs of a framework here."""
        return self.options.takes(metric, framework)

    def any_scores(self, framework: str) -> bool:
        """Whether any of the metrics scores graphs of a framework that takes part."""
        among = self.options.selection.frameworks
        return (not among or framework in among) and any(
            self.takes(result.metric, framework) for result in self.results
        )

    def characters(self, unit: UnitT) -> str | None:
        """The characters of a document, where a metric knows documents by those."""
        framework = unit.framework
        if not any(
            result.metric.joins and self.takes(result.metric, framework)
            for result in self.results
        ):
            return None
        texts = self.texts(unit)
        # A graph without text leaves a gap that the other side need not have.
        return "".join("".join(texts).split()) if all(texts) else None

    @abstractmethod
    def texts(self, unit: UnitT) -> Sequence[str]:
        """The texts of the graphs of a unit, wanted or not."""

    @abstractmethod
    def pairs(self) -> Iterator[Pair[UnitT]]:
        """The pairs; those that are wanted with their graphs."""

    @abstractmethod
    def graph(self, unit: UnitT) -> Graph:
        """The first graph of a unit, wanted or not."""

    @abstractmethod
    def wanted(self, pair: Pair[UnitT], family: tuple[int, ...]) -> tuple[int, ...]:
        """Which of some metrics, by number, are to compare a pair."""

    def outcomes(
        self,
        batches: Iterable[Batch[UnitT]],
        families: Sequence[tuple[int, ...]],
        details: bool,
        executor: Executor | None,
    ) -> Iterator[list[Timed]]:
        """What metrics say of batches of pairs, in their order.

        Args:
            batches: pairs, and the metrics by number.
            families: numbers of metrics that take each other's prepared graphs.
            details: whether matches and errors are named.
            executor: where batches are compared; here without.
        """
        options = self.options
        tasks = (
            Task(
                tuple(self.results[number].metric for number in numbers),
                tuple(
                    (
                        pair.gold.graphs if pair.gold else (),
                        pair.system.graphs if pair.system else (),
                    )
                    for pair in batch
                ),
                options.budget,
                details,
                options.parts,
            )
            for numbers, batch in batches
        )
        return run_tasks(tasks, executor, AHEAD * max(options.jobs, 2))

    @abstractmethod
    def take(self, number: int, pair: Pair[UnitT], timed: Timed) -> None:
        """Keep what a metric says of a pair."""

    @abstractmethod
    def settle(self) -> None:
        """Keep the last outcomes, and refuse what cannot be used."""

    @abstractmethod
    def describe(self, number: int) -> Mapping[str, int]:
        """Say in a metric's result what was rejected and is not proven.

        Returns:
            Numbers of graphs by framework that the metric left out.
        """

    @abstractmethod
    def has_system(self) -> bool:
        """Whether any graph of the system could be read, scored or not."""

    @abstractmethod
    def conclude(self, number: int) -> None:
        """Complete the result of a metric, which is signed now."""


class Run(Generic[UnitT]):
    """One system's way through pairing, comparing and summing.

    Args:
        ends: where units come from and outcomes go.
        details: whether the metrics shall name matches and errors.
        scored: which frameworks are scored at all, here or in another run.
    """

    def __init__(
        self, ends: Ends[UnitT], details: bool, scored: Callable[[str], bool]
    ) -> None:
        self.ends, self.details, self.scored = ends, details, scored
        self.metrics = [result.metric for result in ends.results]
        self.families = [tuple(family) for family in families(self.metrics)]
        self._families_of: dict[str, list[tuple[int, ...]]] = {}
        self.prints: tuple[dict[str, Fingerprint], dict[str, Fingerprint]] = (
            defaultdict(Fingerprint),
            defaultdict(Fingerprint),
        )
        self.sent: deque[Batch[UnitT]] = deque()
        self.amounts: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())
        self.unlike: Counter[str] = Counter()
        self.first_unlike: dict[str, tuple[UnitT, UnitT]] = {}
        self.reworded: Counter[str] = Counter()
        self.first_reworded: dict[str, tuple[UnitT, UnitT]] = {}
        self.layers: set[str] = set()

    def results(self, executor: Executor | None) -> list[Result]:
        """Compare everything.

        Args:
            executor: where batches run; here without.

        Returns:
            One result a metric.
        """
        self.compare(executor)
        self.ends.settle()
        for number in range(len(self.metrics)):
            self._finish(number)
        return self.ends.results

    def compare(self, executor: Executor | None) -> None:
        """Compare everything, of which nothing is said yet.

        Args:
            executor: where batches run; here without.
        """
        found = self.ends.outcomes(self._sent(), self.families, self.details, executor)
        for outcomes in found:
            numbers, batch = self.sent.popleft()
            sent = ((number, pair) for pair in batch for number in numbers)
            for (number, pair), timed in zip(sent, outcomes, strict=True):
                self.ends.take(number, pair, timed)

    def _sent(self) -> Iterator[Batch[UnitT]]:
        """The batches; what was sent is remembered in order."""
        for each in self._batches():
            self.sent.append(each)
            yield each

    def _batches(self) -> Iterator[Batch[UnitT]]:
        """Pairs in batches, each for the metrics of those numbers."""
        waiting: dict[tuple[int, ...], list[Pair[UnitT]]] = {}
        for pair in self.ends.pairs():
            self._look_at(pair)
            for numbers in self._comparing(pair):
                batch = waiting.setdefault(numbers, [])
                batch.append(pair)
                if len(batch) == BATCH:
                    yield numbers, waiting.pop(numbers)
        yield from sorted(waiting.items(), key=lambda each: each[0])

    def _look_at(self, pair: Pair[UnitT]) -> None:
        """Note what both sides hold, and whether they are about the same text."""
        gold, system = pair.gold, pair.system
        for side, unit in enumerate((gold, system)):
            if unit is None:
                continue
            self.amounts[side][unit.framework, unit.layer] += 1
            prints = self.prints[side]
            for identity in unit.identities():
                prints[identity[0]].add(*identity)
        if gold is not None and gold.layer:
            self.layers.add(gold.layer)
        if gold is None or system is None:
            return
        if gold.text != system.text and self._texts_differ(gold, system):
            counts, firsts = self.unlike, self.first_unlike
            if gold.words == system.words > 0:
                counts, firsts = self.reworded, self.first_reworded
            counts[gold.framework] += 1
            firsts.setdefault(gold.framework, (gold, system))

    def _texts_differ(self, gold: UnitT, system: UnitT) -> bool:
        """Whether both sides are anchored in texts that are not the same."""
        if not texts_differ(gold, system):
            return False
        characters = self.ends.characters(gold) if self.ends.documents else None
        return characters is None or characters != self.ends.characters(system)

    def _comparing(self, pair: Pair[UnitT]) -> Iterator[tuple[int, ...]]:
        """The metrics that compare a pair, by families; it is counted for all."""
        unit = pair.system if pair.gold is None else pair.gold
        if unit is None:
            return
        for family in self._scoring(unit.framework):
            for number in family:
                result = self.ends.results[number]
                if pair.gold is None:
                    surplus = Surplus(
                        unit.framework, unit.language, unit.item, unit.layer
                    )
                    result.surplus_system.append(surplus)
                else:
                    result.pairs += 1
                    result.missing_system += pair.system is None
            if pair.gold is not None and (numbers := self.ends.wanted(pair, family)):
                yield numbers

    def _scoring(self, framework: str) -> list[tuple[int, ...]]:
        """The families of the metrics that score a framework."""
        found = self._families_of.get(framework)
        if found is None:
            found = self._families_of[framework] = [
                family
                for family in self.families
                if self.ends.takes(self.metrics[family[0]], framework)
            ]
        return found

    def _finish(self, number: int) -> None:
        """Say what there is to say of a metric's result, and sign it."""
        result, metric = self.ends.results[number], self.metrics[number]
        prints = (Fingerprint(), Fingerprint())
        covered: tuple[set[str], set[str]] = (set(), set())
        for side, found in enumerate(self.prints):
            for framework, each in found.items():
                if self.ends.takes(metric, framework):
                    prints[side].merge(each)
                    covered[side].add(framework)
        self._note_texts(result)
        self._note_joined(result)
        self._note_unnamed(result)
        for layer in sorted(self.ends.options.selection.layers - self.layers):
            result.notes.append(f"{result.gold}: no layer {layer!r}")
        unscored = {
            framework: count
            for framework, count in self.ends.describe(number).items()
            if not self.scored(framework)
        }
        of_gold = {framework for framework, _ in self.amounts[0]}
        scored = (each for each in of_gold if self.ends.takes(metric, each))
        result.scope = self.ends.options.scope(scored)
        add_notes(result, *covered, unscored)
        refuse_unpaired(
            result,
            self.ends.has_system(),
            self._as_many(result),
            self.ends.pairing.rules,
        )
        result.signature = signature(result, self.ends.options, *prints)
        if result.pairs:
            self.ends.conclude(number)
            if self.ends.sums_all:
                # Only now a store has given the sums.
                result.notes += remarks(result)

    def _note_unnamed(self, result: Result) -> None:
        """Say that units were paired by order."""
        for framework, ids in self.ends.pairing.unnamed:
            if self.ends.takes(result.metric, framework):
                shown = " or ".join(map(repr, ids))
                result.notes.append(
                    f"{result.system}: all {framework} graphs of a side have the id "
                    f"{shown}: paired by order"
                )

    def _note_joined(self, result: Result) -> None:
        """Say that documents were joined."""
        found = Counter[str]()
        for framework, gold, system, same in self.ends.pairing.joined:
            if result.metric.joins and self.ends.takes(result.metric, framework):
                found.update(gold=gold, system=system, pairs=1, unlike=int(not same))
        if found:
            result.notes.append(
                f"{result.system}: documents do not begin and end where gold's do: "
                f"{found['gold']} of gold and {found['system']} of the system are "
                f"scored as {found['pairs']}"
                + (f", {found['unlike']} of other characters" * bool(found["unlike"]))
            )

    def _as_many(self, result: Result) -> bool:
        """Whether both sides have as many units of all that a metric scores."""
        gold, system = (
            {
                key: n
                for key, n in amounts.items()
                if self.ends.takes(result.metric, key[0])
            }
            for amounts in self.amounts
        )
        return gold == system

    def _note_texts(self, result: Result) -> None:
        """Say that texts differ, and what spans are compared by."""
        if result.metric.by_strings:
            return
        counts, firsts = self.unlike, self.first_unlike
        if result.metric.by_tokens or result.metric.by_words:
            self._note(
                result,
                self.reworded,
                self.first_reworded,
                "the words differ from gold in {} with as many tokens, whose spans are "
                "compared by tokens",
            )
        else:
            counts = counts + self.reworded
            firsts = {**self.first_reworded, **firsts}
        self._note(
            result,
            counts,
            firsts,
            "the text differs from gold in {} with anchors, which count characters of "
            "the text",
        )

    def _note(
        self,
        result: Result,
        counts: Counter[str],
        firsts: Mapping[str, tuple[UnitT, UnitT]],
        said: str,
    ) -> None:
        ends = self.ends
        metric = result.metric
        places = [
            each
            for each in counts
            if ends.takes(metric, each)
            and (ANCHORS not in metric.kinds or ANCHORS in metric.applicable(each))
        ]
        if places:
            gold, system = firsts[places[0]]
            first = unlike(gold.item, ends.graph(gold), ends.graph(system))
            pairs = amount(sum(counts[place] for place in places), "pair")
            result.notes.append(f"{result.system}: {said.format(pairs)}; first {first}")


def evaluate(
    metrics: Sequence[Metric],
    ends: Callable[[Sequence[Metric]], Ends[Any]],
    jobs: int,
    executor: Executor | None = None,
    details: bool = True,
    scored: Callable[[str], bool] | None = None,
) -> list[Result]:
    """Score with several metrics.

    Metrics over items take one pass together, metrics over documents another, and
    metrics over collections a third.

    Args:
        metrics: what to score with.
        ends: makes the ends of a run for some of them.
        jobs: worker processes, where no executor is given.
        executor: where batches run.
        details: whether the metrics shall name matches and errors.
        scored: which frameworks are scored at all; by default those of the metrics.

    Returns:
        One result per metric.
    """
    for metric in metrics:
        expect(metric, Metric, "a metric")
    found: dict[Metric, Result] = {}
    with executor_for(jobs, executor) as pool:
        for unit in ("item", "document", "collection"):
            group = [metric for metric in metrics if unit_of(metric) == unit]
            if group:
                both = ends(group)
                counts = scored or partial(_any_takes, metrics, both)
                results = Run(both, details, counts).results(pool)
                found.update(zip(group, results, strict=True))
    return [found[metric] for metric in metrics]


def _any_takes(metrics: Sequence[Metric], ends: Ends[Any], framework: str) -> bool:
    """Whether any of the metrics of a call scores a framework."""
    return any(ends.takes(metric, framework) for metric in metrics)


def texts_differ(gold: Comparable, system: Comparable) -> bool:
    """Whether both items are anchored, in texts that are not the same.

    One of them may be without nodes: an item in which nothing was found.
    """
    if gold.text == system.text or not (gold.text and system.text):
        return False
    if sum(1 for _ in gold.identities()) > 1:
        return False
    anchored = [gold.anchored, system.anchored]
    return any(anchored) and anchored == [not gold.empty, not system.empty]
