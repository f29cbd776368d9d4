"""Where a system cuts a text into tokens, sentences and words.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``Tokens``,
``Sentences`` and ``Words``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.base import numbered
from graphscore.metrics.dependency import CONLL18, Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment
from graphscore.metrics.dependency_document import Document
from graphscore.results import Error, Figures, Masses, MassKey, count_of

CHARACTERS = "characters"
"""Not a kind: where it is below 1, the two sides annotate different texts."""


@dataclass(frozen=True)
class Segmentation(Dependency):
    """Tokens, sentences and words that both sides have.

    Example:
        >>> str(Segmentation())
        'segmentation'
    """

    name: ClassVar[str] = "segmentation"
    title: ClassVar[str] = "tokens, sentences and words that both sides have"
    citation: ClassVar[str] = CONLL18
    kinds: ClassVar[tuple[str, ...]] = ("tokens", "sentences", "words")
    main: ClassVar[str] = "words"

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Ranges of characters that are equal, and words that are aligned."""
        yield SpanPart(alignment, "tokens", "token")
        yield SpanPart(alignment, "sentences", "sentence")
        yield WordPart(alignment, "words", (), value="form")
        yield Part(
            CHARACTERS,
            len(alignment.gold.text),
            len(alignment.system.text),
            alignment.common_characters(),
        )

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts per kind, and how far the two texts are the same."""
        counts, _ = super().figures(masses)
        return Figures(counts, numbered(CHARACTERS, count_of(masses, CHARACTERS)))


class SpanPart(Part):
    """Tokens or sentences, which match where they have the same characters.

    Args:
        alignment: the two documents.
        kind: ``tokens`` or ``sentences``.
        object_: what one of them is called in errors.
    """

    def __init__(self, alignment: Alignment, kind: str, object_: str) -> None:
        self.object = object_
        self._sides = (alignment.gold, alignment.system)
        one, two = self._sides
        self._spans = (one.sentence_spans, two.sentence_spans)
        if kind == "tokens":
            self._spans = (one.tokens, two.tokens)
        self._common = alignment.common(*self._spans)
        mine, theirs = self._spans
        super().__init__(kind, len(mine), len(theirs), len(self._common))

    def add_masses(self, masses: Masses) -> None:
        """Put the amounts in; nothing is aligned that does not match."""
        super().add_masses(masses)
        del masses[self.kind, "", "aligned"]

    def errors(self) -> Iterator[Error]:
        """Ranges that only one side has, with their characters."""
        there = ({one for one, _ in self._common}, {two for _, two in self._common})
        for side, document in enumerate(self._sides):
            for number, (start, end) in enumerate(self._spans[side]):
                if number not in there[side]:
                    yield self._error(side, number, document, start, end)

    def _error(
        self, side: int, number: int, document: Document, start: int, end: int
    ) -> Error:
        return Error(
            "surplus" if side else "missing",
            self.kind,
            self.object,
            None if side else number,
            number if side else None,
            None,
            "",
            document.text[start:end],
            None,
            "no counterpart",
        )
