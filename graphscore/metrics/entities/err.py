"""Error per response fill, as MUC-5 has it.

Chinchor and Sundheim (1993), "MUC-5 Evaluation Metrics".

Of slots that are aligned with the fewest errors, C right, S of another type or place::

    ERR = (S + D + I) / (C + S + D + I)

No scorer is followed.  What differs from MUC-5: a partial fill is no half error, and
slots are aligned by themselves, not within templates.
"""

from __future__ import annotations

from graphscore.metrics.entities.slot_metric import SlotMetric
from graphscore.metrics.entities.slot_scores import Tally, ratio


class Err(SlotMetric):
    """Error per response fill.

    Args:
        slots: which slots count.
        metonymy: whether an entity right around another one is one of two types.
        words: whether both sides have the same words; ``aligned``: those of each item
            are aligned by edit distance; ``document``: those of each document, whose
            items may be others.
        spans: ``characters`` leaves white space in spans aside; with ``offsets`` it
            counts.
    """

    name = "err"
    follows = "the definition of Chinchor and Sundheim 1993"
    title = "MUC-5 error per response fill (Chinchor & Sundheim 1993)"
    citation = "Chinchor and Sundheim 1993, MUC-5 Evaluation Metrics"
    leading = "err"

    def substituted(self, wrong: int) -> float:
        """Every substitution is one error."""
        return 1.0

    def rate(self, tally: Tally) -> float:
        """Errors by everything that was said or should have been."""
        return ratio(tally.errors(), tally.errors() + tally.correct)
