"""Base class of the dependency metrics: aligned words and the columns compared.

Zeman et al. (2018), "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text
to Universal Dependencies", section 4; reference scorer UD eval.py (udtools 0.2.9).

A metric over words is a formula: words that are aligned, and equal in all columns
that must agree, match::

    UAS    F↔attached_words[δ_aligned × δ_head]
    LAS    F↔attached_words[δ_aligned × δ_head × δ_deprel]
    CLAS   F↔content_words[δ_aligned × δ_head × δ_deprel]

Heads agree if they are aligned, or both words are roots.  Words that are aligned
and do not match are errors that name the columns in which they differ.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.dependencies.alignment import Alignment
from graphscore.metrics.dependencies.document import Sentence
from graphscore.metrics.dependencies.sentences import SentenceIndex, SentenceRawCounts
from graphscore.metrics.dependencies.view import DocumentPair, Words, pair_of
from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.traits import SumsOver
from graphscore.model.graph import Graph, Value
from graphscore.model.outcome import CountKey, Error, Match, Outcome, RawCounts, Scores
from graphscore.similarity import Similarity, exact, f1, given, listed, match
from graphscore.similarity.evaluation.equal_members import partition_all
from graphscore.similarity.operators.matching import Match as Matching
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.view import GRAPH, Pair, View

if TYPE_CHECKING:
    from graphscore.similarity.explanation.rows import Rows

Preset = Literal["none", "udtools"]

CONLL18 = (
    "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text "
    "to Universal Dependencies"
)

words = listed("words", "node")
"""All words."""
attached_words = listed("attached_words", "node")
"""Words that have a head."""
content_words = listed("content_words", "node")
"""Words that have a head by a relation of content words."""

aligned = given("aligned", "node", what=False)
"""The gold word that a word is."""
head = given("head", "node")
"""The gold word that a word's head is."""
deprel = given("deprel", "node")
"""A word's relation to its head, without its subtype."""
upos = given("upos", "node")
"""A word's universal part of speech."""
xpos = given("xpos", "node")
"""A word's part of speech of the language."""
feats = given("feats", "node")
"""A word's universal features, sorted."""
lemma = given("lemma", "node")
"""A word's lemma."""
children = given("children", "node")
"""A word's function words, with their relations and tags."""


@dataclass(frozen=True)
class OverSentences(Metric, SumsOver, Correctable):
    """Base of metrics over the aligned words of documents."""

    unit = "document"
    tuple_types: ClassVar[tuple[str, ...]] = ("all",)
    sums_over = "sentence"

    preset: str

    @property
    def walks(self) -> bool:
        """True if words are aligned by the algorithm of the reference program."""
        return self.preset == "udtools"

    @property
    def layout(self) -> Hashable:
        """Metrics that align alike share sentences and their alignment."""
        return "dependencies", self.walks

    def shares(
        self, gold: Sequence[Any], system: Sequence[Any], *, budget: Budget
    ) -> Sequence[RawCounts]:
        """Return the raw counts of every gold sentence."""
        sentence_raw_counts = SentenceRawCounts(len(gold))
        self.give(pair_of(gold, system, self.walks), budget, sentence_raw_counts)
        return sentence_raw_counts.by_sentence

    def places(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        errors: Sequence[Error],
        *,
        budget: Budget,
    ) -> Sequence[int]:
        """Return the gold sentence of every error: that of its word or range."""
        index = pair_of(gold, system, self.walks).places
        return [index.of(error) for error in errors]

    @abstractmethod
    def give(
        self, pair: DocumentPair, budget: Budget, shares: SentenceRawCounts
    ) -> None:
        """Give what is counted to gold sentences.

        Args:
            pair: the two documents.
            budget: how much work may be spent.
            shares: where the amounts go.
        """


@dataclass(frozen=True)
class Dependency(OverSentences, FormulaMetric):
    """Base of the dependency metrics: documents, aligned word by word.

    Args:
        preset: ``udtools`` follows that program where it does not do what its
            description says.
    """

    frameworks = frozenset({"ud"})
    method = "aligned"
    # What is aligned and no error matches.
    matching = "none"
    revision = 4

    preset: Preset = "none"

    @property
    def normalization(self) -> str:
        """White space in forms, and subtypes of relations."""
        return "blanks,subtypes" + (",udtools" if self.walks else "")

    def prepare(self, graph: Graph) -> Sentence:
        """Lay out one sentence; views are made of whole documents."""
        sentence = Sentence(graph)
        # What is computed once is computed here, not in the first comparison.
        _ = sentence.heads
        return sentence

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the words of a document and work out every tuple type's formula."""
        documents = pair_of(gold, system, self.walks)
        alignment, pair = documents.alignment, documents.under(budget)
        result = self.outcome(pair, details)
        for key, amount in self.beside(alignment, pair).items():
            if amount:
                result.raw_counts[key] = amount
        if alignment.axes is None:
            return result
        return msgspec.structs.replace(result, method="texts differ")

    def give(
        self, pair: DocumentPair, budget: Budget, shares: SentenceRawCounts
    ) -> None:
        """Give what is counted in every type, and the aligned words, to sentences."""
        for tuple_type in self.tuple_types:
            self._give(tuple_type, pair.under(budget), pair.places, shares)
        self.beside_shares(pair.under(budget), pair.places, shares)

    def _give(
        self,
        tuple_type: str,
        pair: Pair,
        index: SentenceIndex,
        shares: SentenceRawCounts,
    ) -> None:
        """Give what is counted in a tuple type to sentences."""
        matching = self._matching(tuple_type)
        collection = matching.collection
        is_words = collection.yields == "node"
        left, right = index.words if is_words else index.ranges(collection.short)
        gold, system = left, right
        if is_words:
            gold = [left[word] for word in self._members(tuple_type, pair.gold)]
            system = [right[word] for word in self._members(tuple_type, pair.system)]
        # Words go by their numbers, ranges by where they stand among all.
        missing = [
            left[word if is_words else position]
            for partition in partition_all(matching, pair, matched=False)
            for word, position in partition.gold
        ]
        shares.add((tuple_type, "", "gold"), gold)
        shares.add((tuple_type, "", "system"), system)
        shares.add((tuple_type, "", "matched"), gold, without=missing)

    def beside_shares(
        self, pair: Pair, index: SentenceIndex, shares: SentenceRawCounts
    ) -> None:
        """Give the amounts to sentences that no formula gives.

        Args:
            pair: the words of both sides.
            index: where they belong.
            shares: where the amounts go.
        """
        aligned_words = set(index.alignment.pairs[0])
        gold_words, _ = index.words
        for tuple_type in self.tuple_types:
            members = self._members(tuple_type, pair.gold)
            shares.add(
                (tuple_type, "", "aligned"),
                [gold_words[word] for word in members if word in aligned_words],
            )

    def beside(self, alignment: Alignment, pair: Pair) -> RawCounts:
        """Amounts that no formula gives: of each tuple type the aligned gold words.

        Args:
            alignment: the aligned documents.
            pair: their words.
        """
        every = len(alignment.pairs[0]) == alignment.gold.size
        aligned_words = () if every else set(alignment.pairs[0])
        raw_counts: RawCounts = {}
        for tuple_type in self.tuple_types:
            members = self._members(tuple_type, pair.gold)
            raw_counts[tuple_type, "", "aligned"] = (
                len(members)
                if every
                else sum([word in aligned_words for word in members])
            )
        return raw_counts

    def class_of(self, error: Error) -> Value:
        """The relation, or what else is compared: the label is the word itself."""
        return error.value

    def matches(self, pair: Pair, rows: Sequence[Rows]) -> Iterator[Match]:
        """The aligned words, with credit where they match in the main tuple type."""
        for row in rows:
            if row.tuple_type == self.main:
                yield from self._aligned(pair, row.errors)

    def _aligned(self, pair: Pair, errors: Sequence[Error]) -> Iterator[Match]:
        """The aligned words; what counts and is no error matches."""
        first, second = pair.gold, pair.system
        assert isinstance(first, Words)
        assert isinstance(second, Words)
        gold_ordinals, system_ordinals = first.numbers, second.numbers
        right = {gold_ordinals[word] for word in self._members(self.main, first)}
        right -= {error.gold for error in errors if error.error_type == "missing"}
        for left, system_word in zip(*first.alignment.pairs, strict=True):
            credit = float(gold_ordinals[left] in right)
            yield Match(
                "node", gold_ordinals[left], system_ordinals[system_word], credit
            )

    def _members(self, tuple_type: str, view: View) -> Sequence[int]:
        """The words that count in a tuple type; none where it is not about words."""
        collection = self._matching(tuple_type).collection
        if collection.yields != "node":
            return ()
        [members] = collection.members(view, GRAPH)
        return members

    def _matching(self, tuple_type: str) -> Matching:
        """Return the matching whose credits a tuple type sums."""
        formula = self.checked[tuple_type]
        assert isinstance(formula, Normalized)
        assert isinstance(formula.operand, Matching)
        return formula.operand

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts per type, ``all`` repeats the main one; accuracy on aligned words."""
        counts, numbers = super().scores(raw_counts)
        for tuple_type in self.tuple_types:
            if aligned_words := raw_counts.get((tuple_type, "", "aligned"), 0):
                name = "" if tuple_type == "all" else f"{tuple_type}."
                matched = raw_counts.get((tuple_type, "", "matched"), 0)
                numbers[f"{name}aligned_accuracy"] = matched / aligned_words
        return Scores(counts, numbers)


def agreeing(collection: Any, *columns: Any) -> Similarity:
    """Words that match where they are aligned and some columns agree.

    Args:
        collection: which words count, on either side.
        columns: what must agree.

    Example:
        >>> print(agreeing(words, upos))
        F↔words[δ_aligned × δ_upos]
    """
    return f1(match(collection, exact(aligned, *columns)))
