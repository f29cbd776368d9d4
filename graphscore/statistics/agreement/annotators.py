"""Agreement of annotators, from Python in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from numbers import Integral, Real
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.api import into_class
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.messages import as_called, bad_records, warn, with_first
from graphscore.evaluation.options import (
    WORD_TYPES,
    Options,
    OptionWords,
    options_of,
)
from graphscore.evaluation.result import Result
from graphscore.evaluation.store import Store
from graphscore.exceptions import (
    GraphscoreError,
    PairingError,
    UsageError,
    amount,
    expecting,
)
from graphscore.metrics.base import Metric, lowest_best, main_name
from graphscore.metrics.registry import frameworks_of, parse
from graphscore.model.graph import Graph
from graphscore.rows import number
from graphscore.statistics.agreement.chance import (
    Annotation,
    Chosen,
    Stratum,
    choose,
    presence,
    scored_apart,
    structure_alpha,
)
from graphscore.statistics.agreement.label_agreement import (
    Draws,
    label_agreements,
    label_units,
    named_coefficients,
)
from graphscore.statistics.agreement.labels import Said, said
from graphscore.statistics.agreement.pooling import (
    Directed,
    Pool,
    annotated,
    mean_of,
    pool,
)
from graphscore.statistics.agreement.result import (
    CHANCE,
    Agreement,
    AgreementOptions,
    AnnotatorAgreement,
    Bounds,
    Difference,
    ItemDisagreement,
    PairAgreement,
    Sliced,
)
from graphscore.statistics.agreement.sources import gathered
from graphscore.statistics.comparison import FEW, LEVEL, SAMPLES
from graphscore.statistics.resampling import SEED, quantiles
from graphscore.statistics.resampling_units import default_unit
from graphscore.statistics.tables import units_of

Doubles = npt.NDArray[np.float64]


@expecting(
    metric=object,
    score=str,
    samples=Integral,
    seed=Integral,
    level=Real,
    chance=Integral,
    names=Sequence,
    options=Options | None,
    **WORD_TYPES,
)
def agree(
    *annotators: Any,
    metric: Any = None,
    score: str = "",
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    chance: int = CHANCE,
    names: Sequence[str] = (),
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> Agreement | list[Agreement]:
    """Compute the agreement of annotators, none of whom is gold.

    Args:
        annotators: two or more, each whatever :func:`~graphscore.score` takes; or a
            :class:`~graphscore.Store`, or its file, and collections; or a single one
            of these whose layers are annotators.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        score: which score, as for ``--fail-under``; what stands for each metric
            without.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        chance: how many pairs of annotations of different items are scored for what
            alpha expects by chance; with 0 there is no alpha.
        names: what the annotators are called; without, as their files or collections.
        options: selection, pairing, budget.
        words: the same by keywords, as for :func:`~graphscore.score`.

    Returns:
        An agreement, or a list with one per metric where several were given, or where
        none was and there are several defaults.

    Warns:
        LossWarning: if records of an annotator could not be read when a store ingested
            them; the notes say it too.

    Raises:
        InputError: if an annotator's file cannot be used; every problem is named.
        PairingError: if no two annotated the same item.
        UsageError: if there are fewer than two annotators, or a metric, score or
            collection is unknown.

    Example:
        >>> from graphscore import Graph, Node
        >>> def corpus(*labels):
        ...     return [Graph(str(n), "amr", 2, nodes=(Node(0, label),), tops=(0,))
        ...             for n, label in enumerate(labels)]
        >>> ann, ben, eve = (corpus("dog", label) for label in ("cat", "cat", "cow"))
        >>> found = agree(ann, ben, eve, names=["ann", "ben", "eve"], samples=100)
        >>> [(pair.a, pair.b, pair.value) for pair in found.pairs]
        [('ann', 'ben', 1.0), ('ann', 'eve', 0.75), ('ben', 'eve', 0.75)]
        >>> found.apart, round(found.mean.value, 4)
        ('eve', 0.8333)
    """
    agreement_options = AgreementOptions(
        score,
        int(samples),
        int(seed),
        float(level),
        int(chance),
    )
    agreement_options.check()
    several = metric is not None and isinstance(metric, Sequence)
    several = several and not isinstance(metric, str | Metric)
    metrics = None
    if metric is not None:
        metrics = [parse(each) for each in (metric if several else [metric])]
    known = "metric", "score", "samples", "seed", "level", "chance", "names"
    chosen = options_of("agree", options, words, known)
    chosen = into_class(chosen, metric, *annotators)
    with gathered(annotators, names, chosen, frameworks_of(metrics)) as held:
        if metrics is None and held.cls is not None:
            metrics = [parse(held.cls)]
        agreed = agreements(
            held.store,
            held.collections,
            metrics,
            agreement_options,
            chosen,
            held.names,
        )
    if held.notes:
        agreed = [replace(each, notes=(*held.notes, *each.notes)) for each in agreed]
    warn((sentence for each in agreed for sentence in each.losses), stacklevel=3)
    return agreed if several or len(agreed) > 1 else agreed[0]


def agreements(
    store: Store,
    collections: Sequence[str],
    metrics: Sequence[Metric] | None,
    settings: AgreementOptions,
    options: Options,
    names: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> list[Agreement]:
    """Compute the agreement of annotators whose annotations are collections of a store.

    Args:
        store: where they are; results of pairs are found again.
        collections: of two or more annotators.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        settings: score, samples, seed, level.
        options: selection, pairing, budget.
        names: what the annotators are called; their collections without.
        progress: is told how many of how many new pairs are done.

    Returns:
        One by each metric.

    Raises:
        PairingError: if no two annotated the same item.
        UsageError: if there are fewer than two annotators, or one twice.
    """
    if len(collections) < 2:
        raise UsageError("too few annotators: give two or more annotators")
    if len(set(collections)) < len(collections):
        twice = next(name for name, often in Counter(collections).items() if often > 1)
        raise UsageError(f"{twice} is named twice: expected different annotators")
    if names and len(names) != len(collections):
        raise UsageError(
            f"{amount(len(names), 'name')} of {len(collections)} annotators"
        )
    options = replace(options, per_item=True, details=True, parts=True)
    by_metric: dict[Metric, dict[tuple[int, int], Result]] = {}
    failed: list[PairingError] = []
    for a, b in combinations(range(len(collections)), 2):
        try:
            for way in ((a, b), (b, a)):
                gold, system = (collections[number] for number in way)
                listed = list(metrics) if metrics is not None else None
                for result in store.evaluate(
                    gold, system, listed, options, progress=progress
                ):
                    by_metric.setdefault(result.metric, {})[way] = result
        except PairingError as error:
            # Others may share items: these two have no agreement then.
            failed.append(error)
    # Default metrics of one direction need not be those of the other.
    by_metric = {
        metric: both
        for metric, scored in by_metric.items()
        if (both := {way: r for way, r in scored.items() if way[::-1] in scored})
    }
    called = list(names) or list(collections)
    if not by_metric:
        raise (
            failed[0]
            if failed
            else PairingError(
                f"nothing in common between {', '.join(called)}: no metric scores any "
                "two in both directions"
            )
        )
    return [
        _Agreeing(store, collections, called, scored, settings, options).found()
        for scored in by_metric.values()
    ]


class _Agreeing:
    """One metric's agreement of all annotators."""

    def __init__(
        self,
        store: Store,
        collections: Sequence[str],
        names: Sequence[str],
        scored: Directed,
        settings: AgreementOptions,
        options: Options,
    ) -> None:
        self.store, self.collections, self.names = store, collections, names
        self.settings, self.options = settings, options
        self.scored = scored
        self.metric = next(iter(scored.values())).metric
        self.score = settings.score or main_name(self.metric)
        self.lowest = lowest_best(self.metric, settings.score or self.metric.leading)
        self.unit = default_unit(self.metric, settings.score)
        self.notes: list[str] = []

    def found(self) -> Agreement:
        """Everything."""
        settings = self.settings
        get = score_getter(settings.score)
        for result in self.scored.values():
            get(result)
        tuple_types = self._tuple_types()
        scores = [
            settings.score,
            *(f"{tuple_type}.f1" for tuple_type in tuple_types),
        ]
        pooled = self._pool(scores)
        self.enough = len(pooled.units) >= 2
        frameworks = sorted({unit[0] for unit in pooled.units})
        slices = []
        if len(frameworks) > 1:
            for name in frameworks:
                part = self._pool(scores[:1], name)
                slices.append(self._sliced(name, part, scores[0]))
        present = presence(pooled, len(self.names))
        chosen: dict[Stratum, Chosen] = {}
        if settings.chance and self.unit != "collection":
            chosen = choose(pooled, present, settings.chance, settings.seed)
        texts, graphs = self._read(pooled, chosen)
        coefficients = self._coefficients(pooled, present, chosen, graphs)
        draws = Draws(pooled.units, settings.samples, settings.seed, self._bounds)
        people = len(self.names)
        labelled = label_units(texts, people, draws, self.notes)
        coefficients |= named_coefficients(labelled)
        return Agreement(
            self.metric,
            self.score,
            tuple(self.names),
            tuple(self._pairs(pooled)),
            self._bounds(*self._mean(pooled, settings.score)),
            tuple(self._standings(pooled)),
            tuple(
                self._sliced(tuple_type, pooled, name)
                for tuple_type, name in zip(tuple_types, scores[1:], strict=True)
            ),
            tuple(slices),
            coefficients,
            tuple(self._documents(pooled, present)),
            self.unit,
            len(pooled.units),
            int(present.all(axis=0).sum()),
            settings.samples,
            settings.seed,
            settings.level,
            self.lowest,
            pooled.symmetric,
            sum(result.unproven for result in self.scored.values()),
            (*(lost := self._losses()), *self._notes(pooled, present)),
            tuple(labelled),
            tuple(label_agreements(texts, people, draws)),
            tuple(lost),
        )

    def _pool(self, scores: Sequence[str], framework: str | None = None) -> Pool:
        samples, seed = self.settings.samples, self.settings.seed
        return pool(self.scored, scores, self.unit, samples, seed, framework)

    def _tuple_types(self) -> list[str]:
        tuple_types = dict.fromkeys(
            tuple_type
            for result in self.scored.values()
            for tuple_type, count in result.counts.items()
            if count.gold or count.system
        )
        return (
            [tuple_type for tuple_type in tuple_types if tuple_type != "all"]
            if len(tuple_types) > 1
            else []
        )

    def _bounds(self, value: float, drawn: Doubles, enough: bool = True) -> Bounds:
        if not (self.enough and enough):
            return Bounds(number(value), None, None)
        level = self.settings.level
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        low, high = quantiles(drawn, tails)
        return Bounds(number(value), number(low), number(high))

    def _mean(
        self, pooled: Pool, score: str, rows: Sequence[int] | None = None
    ) -> tuple[float, Doubles]:
        chosen = list(range(len(pooled.pairs))) if rows is None else list(rows)
        observed, drawn = pooled.observed[score][chosen], pooled.drawn[score][chosen]
        return float(mean_of(observed[:, None])[0]), mean_of(drawn)

    def _pairs(self, pooled: Pool) -> list[PairAgreement]:
        result = []
        for a, b in combinations(range(len(self.names)), 2):
            names = self.names[a], self.names[b]
            if (a, b) not in pooled.pairs:
                left, right = (annotated(self.scored, person) for person in (a, b))
                alone = len(left - right), len(right - left)
                result.append(PairAgreement(*names, None, None, None, 0, *alone))
                continue
            bounds = self._of_pair(pooled, self.settings.score, (a, b))
            shared = pooled.there[pooled.pairs.index((a, b))]
            only = (
                sum(item.missing for item in self.scored[way].items)
                for way in ((a, b), (b, a))
            )
            result.append(PairAgreement(*names, *bounds, int(shared.sum()), *only))
        return result

    def _of_pair(self, pooled: Pool, score: str, pair: tuple[int, int]) -> Bounds:
        if pair not in pooled.pairs:
            return Bounds(None, None, None)
        row = pooled.pairs.index(pair)
        value, drawn = pooled.observed[score][row], pooled.drawn[score][row]
        return self._bounds(float(value), drawn, pooled.there[row].sum() > 1)

    def _standings(self, pooled: Pool) -> list[AnnotatorAgreement]:
        result = []
        for index, name in enumerate(self.names):
            rows = [row for row, pair in enumerate(pooled.pairs) if index in pair]
            bounds = self._bounds(*self._mean(pooled, self.settings.score, rows))
            result.append(AnnotatorAgreement(name, *bounds))
        return result

    def _sliced(self, name: str, pooled: Pool, score: str) -> Sliced:
        every = tuple(
            self._of_pair(pooled, score, pair)
            for pair in combinations(range(len(self.names)), 2)
        )
        enough = len(pooled.units) > 1
        return Sliced(name, *self._bounds(*self._mean(pooled, score), enough), every)

    def _documents(
        self, pooled: Pool, present: npt.NDArray[np.bool_]
    ) -> list[ItemDisagreement]:
        means = mean_of(np.where(pooled.there, pooled.by_unit, np.nan))
        differing = self._differences()
        documents = [
            ItemDisagreement(
                *unit,
                number(value),
                int(people),
                tuple(differing.get(unit, ())),
            )
            for unit, value, people in zip(
                pooled.units, means.tolist(), present.sum(axis=0).tolist(), strict=True
            )
        ]
        sign = -1 if self.lowest else 1
        return sorted(
            documents,
            key=lambda document: (
                document.value is None,
                sign * (document.value or 0.0),
            ),
        )

    def _differences(self) -> dict[tuple[str, str, str], list[Difference]]:
        """Return the annotations that only one of two has, by unit."""
        counted: dict[tuple[str, str, str], Counter[Difference]] = {}
        for (a, b), result in self.scored.items():
            if a > b:
                continue
            names = self.names[a], self.names[b]
            items = [item for item in result.items if not item.missing]
            for item in units_of(items, self.unit):
                kept = counted.setdefault(
                    (item.framework, item.language, item.name), Counter()
                )
                for error in item.errors:
                    sides = names if error.error_type != "spurious" else names[::-1]
                    what = error.tuple_type, error.label, error.name, error.value
                    kept[Difference(*sides, *what, times=1)] += 1
        return {
            unit: [what._replace(times=often) for what, often in kept.most_common()]
            for unit, kept in counted.items()
        }

    def _coefficients(
        self,
        pooled: Pool,
        present: npt.NDArray[np.bool_],
        chosen: Mapping[Stratum, Chosen],
        graphs: Mapping[Annotation, Sequence[Graph]],
    ) -> dict[str, Bounds]:
        settings = self.settings
        if not chosen:
            return {}
        if not all(graphs.values()):
            self.notes.append(
                f"no alpha: not all annotators have the same {self.unit}s of a document"
            )
            return {}
        try:
            apart = {
                stratum: scored_apart(
                    it.pairs, graphs, self.metric, settings.score, self.options.budget
                )
                for stratum, it in chosen.items()
            }
        except GraphscoreError as error:
            self.notes.append(
                f"no alpha: {self.metric} cannot compare annotations of different "
                f"items: {error}"
            )
            return {}
        every = sum(len(it.pairs) for it in chosen.values())
        all_of_them = all(it.every for it in chosen.values())
        drawn = "all" if all_of_them else f"drawn at random (seed {settings.seed})"
        self.notes.append(
            f"alpha: expected disagreement from {amount(every, 'pair')} of annotations "
            f"of different {self.unit}s of one framework and language, {drawn}"
        )
        value, sampled = structure_alpha(
            pooled, present, apart, self.lowest, settings.samples, settings.seed
        )
        return {"alpha": self._bounds(value, sampled)}

    def _read(
        self, pooled: Pool, chosen: Mapping[Stratum, Chosen]
    ) -> tuple[
        dict[tuple[int, str, str], dict[int, Said]], dict[Annotation, list[Graph]]
    ]:
        """Read the labels of common units, and the graphs for estimating chance.

        Returns:
            By unit, id and layer what each annotator says; and graphs by annotation.
        """
        texts: dict[tuple[int, str, str], dict[int, Said]] = {}
        graphs: dict[Annotation, list[Graph]] = {
            annotation: []
            for it in chosen.values()
            for pair in it.pairs
            for annotation in pair
        }
        if self.unit == "collection":
            return texts, graphs
        for unit, who, graph in self._annotations(pooled):
            if (unit, who) in graphs:
                graphs[unit, who].append(graph)
            texts.setdefault((unit, graph.id, graph.layer), {})[who] = said(
                graph, self.metric, self.settings.score
            )
        return texts, graphs

    def _annotations(self, pooled: Pool) -> Iterator[tuple[int, int, Graph]]:
        """All graphs of what two or more annotated, with their units and annotators."""
        index_of = {unit: index for index, unit in enumerate(pooled.units)}
        for who, collection in enumerate(self.collections):
            for graph in self.store.graphs(collection, self.options.selection):
                name = graph.document if self.unit == "document" else graph.id
                unit = index_of.get((graph.framework, graph.language, name))
                if unit is not None:
                    yield unit, who, graph

    def _losses(self) -> list[str]:
        """Return messages about unreadable annotations, which count as absent."""
        results = {
            name: result
            for (_, person), result in self.scored.items()
            for name in [self.names[person]]
        }
        return [
            with_first(sentence, result)
            for result in as_called([[x] for x in results.values()], results)
            if (sentence := bad_records(result, "taken as not annotated"))
        ]

    def _notes(self, pooled: Pool, present: npt.NDArray[np.bool_]) -> list[str]:
        notes = list(self.notes)
        if not pooled.symmetric:
            notes.append(
                f"{self.metric} depends on which side is gold: values are the means of "
                "both directions"
            )
        partly = int((~present.all(axis=0)).sum())
        if partly:
            notes.append(
                f"{amount(partly, self.unit)} not annotated by all, used for the "
                "annotators who did"
            )
        size = len(pooled.units)
        if size < 2:
            notes.append(f"{amount(size, self.unit)}: no intervals of fewer than two")
        elif size < FEW:
            notes.append(f"only {amount(size, self.unit)}: intervals are unreliable")
        return notes
