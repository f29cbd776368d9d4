"""The classes of MUC-5, and the rates that are made of them.

Chinchor and Sundheim (1993), "MUC-5 Evaluation Metrics".

>>> found = MucCategories(correct=2, incorrect=1, partial=1, missing=1, spurious=0)
>>> found.matched, found.possible, found.actual, found.rates()["UND"]
(2.5, 5, 4, 0.2)
"""

from __future__ import annotations

from msgspec import Struct


class MucCategories(Struct, frozen=True):
    """Number of objects in each category."""

    correct: int | float
    incorrect: int | float
    partial: int | float
    missing: int | float
    spurious: int | float

    @property
    def matched(self) -> int | float:
        """Matched count for precision and recall; a partial match is half of one."""
        half = self.partial / 2
        return self.correct + (self.partial // 2 if self.partial % 2 == 0 else half)

    @property
    def possible(self) -> int | float:
        """POS: gold entities."""
        return self.correct + self.incorrect + self.partial + self.missing

    @property
    def actual(self) -> int | float:
        """ACT: system entities."""
        return self.correct + self.incorrect + self.partial + self.spurious

    def rates(self) -> dict[str, float]:
        """Undergeneration, overgeneration, substitution and error of MUC-5."""
        wrong = self.incorrect + self.partial / 2
        paired = self.correct + self.incorrect + self.partial
        every = paired + self.missing + self.spurious
        return {
            "UND": _share(self.missing, self.possible),
            "OVG": _share(self.spurious, self.actual),
            "SUB": _share(wrong, paired),
            "ERR": _share(wrong + self.missing + self.spurious, every),
        }


def _share(part: int | float, whole: int | float) -> float:
    return part / whole if whole else 0.0
