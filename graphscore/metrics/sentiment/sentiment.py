"""Sentiment graph F1: opinions whose holder, target and expression overlap.

Barnes et al. (2022), "SemEval 2022 Task 10: Structured Sentiment Analysis"; counts are
those of the task's ``evaluate.py``.

The formulas are in ``formulas``.  What differs: a sentence that a side lacks, at which
the script ends, is missed or left out, and a side without opinions has 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import numbered
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.pairwise import Prepared
from graphscore.metrics.sentiment.words import (
    IN_GOLD,
    IN_SYSTEM,
    PARTS,
    SPANS,
    TARGETED,
    OpinionMatch,
    Opinions,
    OpinionWords,
    alike,
    found_in,
)
from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, ErrorType, Outcome, Scores
from graphscore.model.outcome_builder import Described, OutcomeBuilder, aligned_by_key
from graphscore.similarity import Similarity
from graphscore.similarity.features.elements import surface
from graphscore.similarity.view import Pair
from graphscore.structures.layout import TARGET

TUPLES = "tuples"
"""The kind of opinions as a whole."""

Sides = tuple[Opinions, Opinions]
"""Gold and the system's."""


def enter_opinions(
    builder: OutcomeBuilder,
    sides: Sides,
    matches: tuple[Sequence[OpinionMatch], Sequence[OpinionMatch]],
    weighted: bool,
) -> None:
    """Enter what became of every opinion.

    One of gold that is found is a match for what it earns.  What is found in part is a
    partial error, too: once for gold, and once more for the system where another of its
    opinions is worth less than it could be.

    Args:
        builder: where rows go.
        sides: both sentences.
        matches: what was found of the opinions of either.
        weighted: whether an opinion earns its share, or 1.
    """
    gold, system = sides
    entered: set[tuple[int, int]] = set()
    for left, opinion_match in zip(gold.opinions, matches[0], strict=True):
        near = (
            None if opinion_match.near is None else system.opinions[opinion_match.near]
        )
        if opinion_match.partner is None:
            builder.error("missing", _described(gold.graph, left, near))
            continue
        right = system.opinions[opinion_match.partner]
        credit = opinion_match.best if weighted else 1
        match = builder.match(left.ordinal, right.ordinal, float(credit))
        if credit < 1:
            entered.add((left.ordinal, right.ordinal))
            builder.error("partial", _described(gold.graph, left, right, credit), match)
    for left, opinion_match in zip(system.opinions, matches[1], strict=True):
        near = None if opinion_match.near is None else gold.opinions[opinion_match.near]
        if opinion_match.partner is None:
            builder.error("spurious", _described(system.graph, left, near))
            continue
        right = gold.opinions[opinion_match.partner]
        if (
            weighted
            and opinion_match.best < 1
            and (right.ordinal, left.ordinal) not in entered
        ):
            builder.error(
                "partial", _described(gold.graph, right, left, opinion_match.best)
            )


def _described(
    graph: Graph,
    own: OpinionWords,
    counterpart: OpinionWords | None,
    credit: float | None = None,
) -> Described:
    """Describe an opinion that is not found, or in part: named by what differs.

    Of one that is not found, another that overlaps is of another polarity.
    """
    name = ""
    if counterpart is not None:
        parts = PARTS if credit is not None else ()
        wrong = [
            part for part in parts if getattr(own, part) != getattr(counterpart, part)
        ]
        if credit is None or not alike(own, counterpart):
            wrong.append("polarity")
        name = " ".join(wrong)
    return Described(
        TUPLES,
        own.ordinal,
        None if counterpart is None else counterpart.ordinal,
        label=own.polarity,
        name=name,
        value=words_at(graph, own.ordinal),
        credit=credit or 0.0,
    )


def enter_spans(builder: OutcomeBuilder, sides: Sides, tuple_type: str) -> None:
    """Enter the spans of a tuple type that one side has alone, each once.

    Args:
        builder: where rows go.
        sides: both sentences.
        tuple_type: a part of opinions, or the targets with their polarity.
    """

    def describe(
        side: ErrorType, own: OpinionWords, counterpart: OpinionWords | None
    ) -> Described:
        ordinal = own.node(tuple_type)
        return Described(
            tuple_type,
            ordinal,
            label=own.polarity if tuple_type == TARGETED else None,
            value=words_at(sides[side == "spurious"].graph, ordinal),
        )

    builder.enter(aligned_by_key(*(side.spans[tuple_type] for side in sides)), describe)


def words_at(graph: Graph, ordinal: int) -> str | None:
    """The words of a node as the text has them, pieces joined by a blank."""
    return surface(graph, graph.nodes[ordinal])


@dataclass(frozen=True)
class Sentiment(FormulaMetric, Correctable):
    """Opinions whose holder, target and expression overlap those of another.

    Args:
        polarity: whether opinions must be of one polarity.
        weighted: whether an opinion counts for the mean share of its words that the
            other side has, or for 1.

    Example:
        >>> ignored = Sentiment(polarity="ignored", weighted=False)
        >>> str(ignored)
        'sentiment(polarity=ignored,weighted=false)'
        >>> print(ignored.formulas()["targeted"])
        F↔opinions(target)[δ_target × δ_label]
    """

    name = "sentiment"
    follows = "evaluate.py of SemEval-2022 task 10 aa65f2c"
    title = "Sentiment graph F1 (Barnes et al. 2022)"
    citation = "Barnes et al. 2022, SemEval 2022 Task 10: Structured Sentiment Analysis"
    frameworks = frozenset({"sentiment"})
    tuple_types = (TUPLES, *SPANS)
    main = TUPLES
    method = "overlap"
    bound = "an opinion may be found by several of the other side"
    normalization = "words between blanks"

    polarity: Literal["compared", "ignored"] = "compared"
    weighted: bool = True

    def formulas(self) -> Mapping[str, Similarity]:
        """Sums of the best shares, and the spans."""
        from graphscore.metrics.sentiment.formulas import opinions, spans

        return {
            TUPLES: opinions(self._polar, self.weighted),
            **{part: spans(part) for part in PARTS},
            TARGETED: spans(TARGET, True),
        }

    @property
    def _polar(self) -> bool:
        return self.polarity == "compared"

    def prepare(self, graph: Graph) -> Opinions:
        """The opinions by their words."""
        return Opinions(graph)

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare two sentences, of which only formulas have to know each other."""
        left, right = super().sides(gold, system)
        return self.outcome(Pair(left, right, budget), details)

    def sides(
        self, gold: Sequence[Prepared], system: Sequence[Prepared]
    ) -> tuple[Opinions, Opinions]:
        """Both sentences, each knowing the other."""
        left, right = super().sides(gold, system)
        return left.beside(IN_SYSTEM, right), right.beside(IN_GOLD, left)

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts, and on demand matches and errors, of one pair."""
        gold, system = pair.gold, pair.system
        assert isinstance(gold, Opinions)
        assert isinstance(system, Opinions)
        builder = OutcomeBuilder(details)
        left, right = gold.opinions, system.opinions
        if not left and not right:
            return builder.outcome(0, self.method)
        gold_matches = found_in(left, right, self._polar)
        system_matches = found_in(right, left, self._polar)
        matched = self._credits(gold_matches)
        builder.count(TUPLES, len(left), len(right), matched)
        builder.add(TUPLES, "", "matched_system", self._credits(system_matches))
        gold_spans, system_spans = gold.spans, system.spans
        for tuple_type in SPANS:
            first, second = gold_spans[tuple_type], system_spans[tuple_type]
            both = len(first.keys() & second.keys())
            builder.count(tuple_type, len(first), len(second), both)
        if details:
            enter_opinions(
                builder, (gold, system), (gold_matches, system_matches), self.weighted
            )
            for tuple_type in SPANS:
                enter_spans(builder, (gold, system), tuple_type)
        return builder.outcome(matched, self.method)

    def _credits(self, matches: Sequence[OpinionMatch]) -> int | float:
        """Sum the credits of matched opinions."""
        right = [
            opinion_match.best
            for opinion_match in matches
            if opinion_match.partner is not None
        ]
        return sum(right) if self.weighted else len(right)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type, ``all``, and the ratios of the spans by name."""
        scores = super().scores(raw_counts)
        numbers: dict[str, float] = {}
        for tuple_type in SPANS:
            numbers |= numbered(tuple_type, scores.counts[tuple_type])
        return Scores(scores.counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Return nothing: the spans are tuple types, and in the table already."""
        return {}
