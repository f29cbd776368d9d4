"""Relations of sentences and triples across them, as AnCast++ counts them.

Sun and Xue 2024, "Anchor and Broadcast: An Efficient Concept Alignment Approach for
Evaluation of Semantic Graphs".  Reference program: ``ancast`` 0.1.1 (umr4nlp/ancast
37d6e7f) with ``-s doc``.

What differs: sentences that say the same are mapped onto themselves, sentences that
cannot be read are empty, and fractions are added in one order, which varies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np

from graphscore.correspondence import Budget
from graphscore.metrics.base import numbered
from graphscore.metrics.meaning.ancast.best import Best
from graphscore.metrics.meaning.ancast.closure import (
    Levels,
    Numbers,
    Reference,
    closed,
    edges_of,
    last_said,
    shares,
    size_of,
)
from graphscore.metrics.meaning.ancast.layout import (
    Concepts,
    Floats,
    PreparedDocument,
    Shared,
    shared,
    weights,
)
from graphscore.metrics.meaning.ancast.mapping import greedy_maps, named_alike
from graphscore.metrics.meaning.ancast.rows import (
    enter_closed,
    enter_sentence,
    enter_triples,
)
from graphscore.metrics.pairwise import PairMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, Outcome, Scores, count_of
from graphscore.model.outcome_builder import OutcomeBuilder

SENT, MODAL, TEMPORAL, COREF = "sent", "modal", "temporal", "coref"

UNLABELED, WEIGHTED, UNPAIRED = "ulr", "wlr", "unpaired"
"""Scores beside the tuple types: labels ignored; larger parts count more; sentences
that the other side does not have."""

SKIPPED = "skipped"
"""Triples beside a note or an open bracket, which do not count; by level."""


class _Found(NamedTuple):
    """The maps of all sentences, and how far they are proven."""

    maps: list[dict[int, int]]
    alike: list[Floats]
    """Similarity of concepts, one array per sentence: system in rows."""
    gap: float
    proven: bool
    steps: int


@dataclass(frozen=True)
class Ancast(PairMetric):
    """Relations that match under a map of concepts, and triples across sentences.

    Args:
        map: how concepts of a sentence find their counterparts: greedily, as in the
            program, or by a best map, proven.
        reference: how triples find the counterpart of a variable of another sentence:
            by its name, as in the program, or by the map of its sentence.
        unpaired: whether sentences that one side has more are left out, as in the
            program, or counted.
        levels: which triples count: those of levels (of a sentence) in which nothing
            but triples stands, each closed on its line, as in the program; or all.

    Example:
        >>> str(Ancast(map="best"))
        'ancast(map=best)'
    """

    name = "ancast"
    follows = "AnCast++ (ancast) 0.1.1"
    title = "AnCast++ (Sun & Xue 2024): UMR relation and document triple F1"
    citation = (
        "Sun and Xue 2024, Anchor and Broadcast: An Efficient Concept Alignment "
        "Approach for Evaluation of Semantic Graphs"
    )
    revision = 2
    unit = "document"
    frameworks = frozenset({"umrdoc"})
    tuple_types = (SENT, MODAL, TEMPORAL, COREF)
    lends = False

    map: Literal["greedy", "best"] = "greedy"
    reference: Reference = "named"
    unpaired: Literal["ignored", "counted"] = "ignored"
    levels: Levels = "plain"

    def prepare(self, graph: Graph) -> PreparedDocument:
        """Lay out a document."""
        return PreparedDocument(graph)

    @property
    def layout(self) -> str:
        """The same for all of its readings."""
        return self.name

    def compare_sides(
        self,
        gold: PreparedDocument,
        system: PreparedDocument,
        budget: Budget,
        details: bool,
    ) -> Outcome:
        """Compare two documents, sentence by sentence and across them."""
        builder = OutcomeBuilder(details)
        pairs = list(self._pairs(gold.sentences, system.sentences))
        maps = self._maps(pairs, budget)
        matched = 0.0
        for (left, right), forth, alike in zip(
            pairs, maps.maps, maps.alike, strict=True
        ):
            same: list[Shared] = []
            if left is not None and right is not None:
                same = list(shared(right, left, forth, alike.tolist()))
            matched += _count_sentence(builder, left, right, same)
            if details:
                sides = (gold.graph, left), (system.graph, right)
                enter_sentence(builder, *sides, forth, same)
        for side, own in (("gold", gold), ("system", system)):
            builder.add(UNPAIRED, "", side, len(own.sentences[len(pairs) :]))
        numbers = Numbers(system, gold, maps.maps, self.reference, self.levels)
        for (level, side), number in numbers.skipped.items():
            builder.add(SKIPPED, level, side, number)
        _compare_modal(builder, numbers, gold.graph, system.graph)
        for level in (TEMPORAL, COREF):
            _compare_closed(builder, numbers, level, gold.graph, system.graph)
        return builder.outcome(
            matched,
            self.map,
            bound=matched + maps.gap,
            proven=maps.proven,
            steps=maps.steps,
        )

    def _pairs(
        self, gold: list[Concepts], system: list[Concepts]
    ) -> Iterator[tuple[Concepts | None, Concepts | None]]:
        """Sentences by their order; a document without any lacks them all."""
        if self.unpaired == "counted" or not gold or not system:
            return zip_longest(gold, system)
        return zip(gold, system, strict=False)

    def _maps(
        self, pairs: list[tuple[Concepts | None, Concepts | None]], budget: Budget
    ) -> _Found:
        """The gold node of each of the system's nodes, sentence by sentence."""
        maps: list[dict[int, int]] = [{} for _ in pairs]
        alike: list[Floats] = [np.empty(0)] * len(pairs)
        indices, both = [], []
        for index, (gold, system) in enumerate(pairs):
            if gold is None or system is None:
                continue
            alike[index] = named_alike(system, gold)
            if gold.says_the_same(system):
                # Nodes that nothing tells apart would be exchanged otherwise.
                maps[index] = {node: node for node in range(len(gold))}
            elif len(gold) and len(system):
                indices.append(index)
                both.append((system, gold))
        if self.map == "greedy":
            named = [alike[index] for index in indices]
            for index, forth in zip(indices, greedy_maps(both, named), strict=True):
                maps[index] = forth
            return _Found(maps, alike, 0.0, True, 0)
        gap, proven, steps = 0.0, True, 0
        for index, (system, gold) in zip(indices, both, strict=True):
            best = Best(gold, system, alike[index], budget)
            maps[index] = best.forth
            gap += 0.0 if best.found.proven else best.found.gap / best.scale
            proven = proven and best.found.proven
            steps += best.found.steps
        return _Found(maps, alike, gap, proven, steps)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts by tuple type; ``comp``, the sum of all; readings of ``sent``."""
        scores = super().scores(raw_counts)
        numbers: dict[str, float] = {
            tuple_type: count.f1
            for tuple_type, count in scores.counts.items()
            if tuple_type != "all"
        }
        numbers["comp"] = scores.counts["all"].f1
        for reading in (UNLABELED, WEIGHTED):
            count = count_of(raw_counts, reading)
            numbers |= numbered(reading, count)
            numbers |= {
                f"{reading}.gold": count.gold * 1.0,
                f"{reading}.system": count.system * 1.0,
                f"{reading}.matched": count.matched * 1.0,
            }
        return Scores(scores.counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """All at once, and without labels."""
        shown = ("comp", f"{UNLABELED}.f1", f"{WEIGHTED}.f1")
        return {name: numbers[name] for name in shown if name in numbers}

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say how many sentences and triples are left out."""
        for side in ("gold", "system"):
            left = int(raw_counts.get((UNPAIRED, "", side), 0))
            if left:
                are = "sentences are" if left > 1 else "sentence is"
                rest = "system" if side == "gold" else "gold"
                yield (
                    f"{left} {are} in {side} alone, after the last of {rest}, and not "
                    "counted; unpaired=counted counts them"
                )
        for level in (MODAL, TEMPORAL, COREF):
            skipped = [
                (int(raw_counts.get((SKIPPED, level, side), 0)), side)
                for side in ("gold", "system")
            ]
            if any(number for number, _ in skipped):
                counts = " and ".join(f"{number} of {side}" for number, side in skipped)
                yield (
                    f"{level}: {counts} triples are not counted, as AnCast++ does not "
                    "read a level of a sentence with notes or open brackets between "
                    "triples; levels=all counts them"
                )


def _count_sentence(
    builder: OutcomeBuilder,
    gold: Concepts | None,
    system: Concepts | None,
    same: list[Shared],
) -> float:
    """Count relations of a sentence; what matches of them is given."""
    sizes = [0 if side is None else side.size for side in (gold, system)]
    matched = sum(pair.similarity * pair.labels for pair in same)
    builder.count(SENT, sizes[0], sizes[1], matched)
    unlabeled = sum(pair.similarity * pair.any for pair in same)
    builder.count(UNLABELED, sizes[0], sizes[1], unlabeled)
    sides = []
    for sentence, ends in ((gold, "gold"), (system, "system")):
        if sentence is None:
            sides.append((0.0, 0.0))
            continue
        # What hangs below is counted on the system's side for both.
        worth = weights(sentence, system)
        labels = sentence.labels.items()
        total = sum(len(pair) * worth(joined) for joined, pair in labels)
        right = sum(
            pair.similarity * pair.labels * worth(getattr(pair, ends)) for pair in same
        )
        sides.append((total, right))
    (whole, right), (system_total, correct) = sides
    builder.count(WEIGHTED, whole, system_total, right)
    builder.add(WEIGHTED, "", "matched_system", correct)
    return matched


def _compare_modal(
    builder: OutcomeBuilder, numbers: Numbers, gold: Graph, system: Graph
) -> None:
    """Triples that are the same: of several between two ends the last."""
    right, left = (
        {
            (*ends, value.relation): value
            for ends, value in last_said(triples[MODAL]).items()
        }
        for triples in numbers.said
    )
    both = left.keys() & right.keys()
    builder.count(MODAL, len(left), len(right), len(both))
    if builder.details:
        enter_triples(builder, MODAL, (gold, left), (system, right))


def _compare_closed(
    builder: OutcomeBuilder, numbers: Numbers, level: str, gold: Graph, system: Graph
) -> None:
    """Enter the closure of a level's triples, cluster by cluster."""
    system_said, gold_said = (last_said(triples[level]) for triples in numbers.said)
    right, left = (
        closed(edges_of(level, {ends: e.relation for ends, e in triples.items()}))
        for triples in (system_said, gold_said)
    )
    matched, correct = shares(left, right), shares(right, left)
    builder.count(level, size_of(left), size_of(right), matched)
    builder.add(level, "", "matched_system", correct)
    if builder.details:
        sides = (gold, gold_said, left), (system, system_said, right)
        enter_closed(builder, level, *sides)
