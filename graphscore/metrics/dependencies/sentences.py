"""The gold sentence to which everything in two aligned documents belongs.

Raw counts of the dependency metrics are sums over words, tokens, sentences and
characters, so each of them can be given to one gold sentence, and the shares add up to
those of the document.  What is gold's belongs to its own sentence.  What is the
system's follows the alignment: what is aligned, or equal, to something of gold belongs
where that does, and what is not belongs to the sentence in which it begins.  Where the
texts differ, that is the sentence of the last gold character at or before its first
one on the common axis.

>>> from graphscore.metrics.dependencies.alignment import align
>>> from graphscore.metrics.dependencies.document import Sentence
>>> from graphscore.model.graph import Graph, Node
>>> def document(*sentences):
...     return Document([
...         Sentence(Graph("1", "ud", nodes=tuple(map(Node, range(9), forms))))
...         for forms in sentences])
>>> gold, system = document(["It", "is"], ["so"]), document(["It", "i", "s"], ["so"])
>>> SentenceIndex(align(gold, system)).words
([0, 0, 1], [0, 0, 0, 1])
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from graphscore.metrics.dependencies.alignment import Alignment
from graphscore.metrics.dependencies.document import Document, Span
from graphscore.model.outcome import CountKey, Error, RawCounts

Sides = tuple[list[int], list[int]]
"""The gold sentence of everything of either side, by number."""


class SentenceIndex:
    """The gold sentence of every word, range and character.

    Args:
        alignment: the aligned documents; gold has a sentence.
    """

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.gold, self.system = alignment.gold, alignment.system
        self._ranges: dict[str, Sides] = {}

    def of(self, error: Error) -> int:
        """Return the sentence of an error's gold object, or else of its system object.

        Args:
            error: about a word, a token or a sentence.
        """
        if error.object == "node":
            sides, numbers = self.words, self._numbers
        else:
            sides, numbers = self._objects(f"{error.object}s"), None
        side = error.gold is None
        ordinal = error.system if side else error.gold
        assert ordinal is not None
        return sides[side][ordinal if numbers is None else numbers[side][ordinal]]

    def _objects(self, name: str) -> Sides:
        if name not in self._ranges:
            self._ranges[name] = self.ranges(name)
        return self._ranges[name]

    @cached_property
    def _numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        """Numbers of the words by their positions among all nodes."""
        left, right = (
            {ordinal: number for number, ordinal in enumerate(side.ordinals)}
            for side in (self.gold, self.system)
        )
        return left, right

    @cached_property
    def words(self) -> Sides:
        """Sentence of every word, by word number."""
        left = _numbers(self.gold, "words")
        right = self._at(start for start, _ in self.system.spans)
        return _followed(left, right, zip(*self.alignment.pairs, strict=True))

    def ranges(self, name: str) -> Sides:
        """Return the sentence of every token, or of every sentence that has characters.

        Args:
            name: ``tokens`` or ``sentences``.
        """
        if name == "tokens":
            left = _numbers(self.gold, "token_texts")
        else:
            every = enumerate(self.gold.sentences)
            left = [number for number, sentence in every if sentence.text]
        first, second = ranges(self.gold, name), ranges(self.system, name)
        right = self._at(start for start, _ in second)
        return _followed(left, right, self.alignment.common(first, second))

    @cached_property
    def characters(self) -> Sides:
        """Sentence of every character."""
        return (
            _numbers(self.gold, "text"),
            self._at(range(len(self.system.text))),
        )

    def common_characters(self) -> list[int]:
        """The sentences of the gold characters that both texts have."""
        sentences, axes = self.characters[0], self.alignment.axes
        if axes is None:
            return sentences
        common = set(axes[1])
        placed = zip(sentences, axes[0], strict=True)
        return [number for number, position in placed if position in common]

    def _at(self, positions: Iterable[int]) -> list[int]:
        """Sentences at characters of the system's text.

        Words without characters at its end are where its last character is.
        """
        starts, axes = self.gold.characters, self.alignment.axes
        last = max(len(self.system.text) - 1, 0)
        if axes is None:
            return [
                bisect_right(starts, min(position, last)) - 1 for position in positions
            ]
        left, right = axes
        result = []
        for position in positions:
            axis_position = right[min(position, last)] if right else 0
            result.append(
                bisect_right(starts, max(bisect_right(left, axis_position) - 1, 0))
            )
        return [number - 1 for number in result]


class SentenceRawCounts:
    """Raw counts that gather sentence by sentence.

    Args:
        size: how many sentences there are.
    """

    def __init__(self, size: int) -> None:
        self.by_sentence: list[RawCounts] = [{} for _ in range(size)]

    def add(
        self, key: CountKey, sentences: Iterable[int], without: Iterable[int] = ()
    ) -> None:
        """Count what is in each sentence.

        Args:
            key: of the raw count.
            sentences: the sentence of each thing.
            without: those of some of them, which do not count.
        """
        amounts = Counter(sentences)
        amounts.subtract(without)
        for number, amount in amounts.items():
            if amount:
                self.by_sentence[number][key] = amount

    def add_amounts(
        self, key: CountKey, sentences: Iterable[int], amounts: Iterable[int]
    ) -> None:
        """Sum what is in each sentence.

        Args:
            key: of the raw count.
            sentences: the sentence of each thing.
            amounts: how often each counts.
        """
        for number, amount in zip(sentences, amounts, strict=True):
            if amount:
                raw_counts = self.by_sentence[number]
                raw_counts[key] = raw_counts.get(key, 0) + amount


def ranges(document: Document, name: str) -> list[Span]:
    """The characters of the tokens of a document, or of its sentences.

    Args:
        document: any.
        name: ``tokens`` or ``sentences``.
    """
    return document.tokens if name == "tokens" else document.sentence_spans


def _numbers(document: Document, of_sentence: str) -> list[int]:
    """The sentence of everything that sentences have."""
    return [
        number
        for number, sentence in enumerate(document.sentences)
        for _ in range(len(getattr(sentence, of_sentence)))
    ]


def _followed(
    left: list[int], right: list[int], pairs: Iterable[Sequence[int]]
) -> Sides:
    """Assign objects that have a partner to the sentence of the partner."""
    for first, second in pairs:
        right[second] = left[first]
    return left, right
