"""Edit similarities of strings: how little has to be changed.

What counts the edits is rapidfuzz, an extra: formulas can be written, read and put in
words without it, and fail where they compare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

from graphscore.errors import UsageError
from graphscore.similarity.base import Number
from graphscore.similarity.combining.leaves import OfValues
from graphscore.similarity.expression import Notation
from graphscore.similarity.features.elements import Feature, plain
from graphscore.similarity.view import Elements, View

Edits = Literal["levenshtein_similarity", "levenshtein_ratio"]
"""Which normalisation, as the field calls them."""

_WORTH = {
    "levenshtein_similarity": "1 less the edits (Levenshtein) over the longer length",
    "levenshtein_ratio": "1 less insertions and deletions over both lengths",
}


@dataclass(frozen=True, repr=False)
class EditSimilarity(OfValues):
    """How little has to be changed to make one string of the other.

    What is absent is like what is absent alone; a number is the text of it.

    Args:
        how: what is counted, and what it is divided by.
        feature: the strings.
    """

    how: Edits
    feature: Feature

    call: ClassVar[str] = "edit_similarity"

    def __repr__(self) -> str:
        return f"{self.how}({self.feature!r})"

    def spell(self, notation: Notation) -> str:
        """Its name."""
        shown = f"{notation.name(self.how)}({self.feature.spell(notation)})"
        return notation.phi + notation.below(shown)

    @property
    def worth(self) -> str:
        """What is counted."""
        return f"{_WORTH[self.how]}, by {self.feature.phrase}"

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """From 0 to 1; 1 for equal strings."""
        one, two = plain(predicted), plain(gold)
        if one is None or two is None:
            return int(one is two)
        return _counted(self.how)(str(one), str(two))

    def warm(self, view: View, elements: Elements) -> None:
        """Work the column out, once it is known that it can be compared."""
        _counted(self.how)
        super().warm(view, elements)


@cache
def _counted(how: Edits) -> Callable[[str, str], float]:
    """The function of rapidfuzz.

    Raises:
        UsageError: if it is not installed.
    """
    try:
        from rapidfuzz.distance import Indel, Levenshtein
    except ImportError:
        raise UsageError(
            f"{how} needs rapidfuzz: pip install 'graphscore[strings]'"
        ) from None
    found: dict[str, Callable[[str, str], float]] = {
        "levenshtein_similarity": Levenshtein.normalized_similarity,
        "levenshtein_ratio": Indel.normalized_similarity,
    }
    return found[how]
