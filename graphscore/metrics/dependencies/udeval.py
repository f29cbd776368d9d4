"""The whole table of UD eval.py: where a text is cut, tags and attachment.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), the rows of
``udeval -v`` that are about basic dependencies.

What differs is said of all metrics of words in ``attachment``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from graphscore.metrics.dependencies.attachment import (
    Blex,
    Clas,
    Las,
    Mlas,
    Uas,
    with_differences,
)
from graphscore.metrics.dependencies.base import CONLL18, Dependency
from graphscore.metrics.dependencies.segmentation import Segmentation
from graphscore.metrics.dependencies.tagging import Tagging
from graphscore.model.outcome import CountKey, Error, Scores
from graphscore.similarity import Feature, Similarity

if TYPE_CHECKING:
    from graphscore.similarity.explanation.rows import Rows

SEVERAL = Segmentation(), Tagging()
"""The metrics whose tuple types are rows of the table."""

SINGLE = {metric.name: metric for metric in (Uas(), Las(), Clas(), Mlas(), Blex())}
"""The metrics that are a row each."""

PART_OF: dict[str, tuple[Dependency, str]] = {
    tuple_type: (metric, tuple_type)
    for metric in SEVERAL
    for tuple_type in metric.tuple_types
} | {name: (metric, "all") for name, metric in SINGLE.items()}
"""The metric and its tuple type that each row is."""


class Udeval(Dependency):
    """Segmentation, tags and attachment of documents that are aligned once.

    Example:
        >>> str(Udeval())
        'udeval'
        >>> Udeval().tuple_types[-5:]
        ('uas', 'las', 'clas', 'mlas', 'blex')
    """

    name = "udeval"
    follows = "UD eval.py udtools 0.2.9"
    title = "UD eval.py (Zeman et al. 2018): all scores of its table"
    citation = CONLL18
    bound = ""
    tuple_types = tuple(PART_OF)
    main = "las"

    def formulas(self) -> Mapping[str, Similarity]:
        """The formulas of the metrics that the rows are."""
        return {
            name: metric.formulas()[tuple_type]
            for name, (metric, tuple_type) in PART_OF.items()
        }

    def shown(self, tuple_type: str) -> tuple[Feature, ...] | None:
        """Scores that the metric shows."""
        metric, own = PART_OF[tuple_type]
        return metric.shown(own)

    def errors(self, rows: Sequence[Rows]) -> Iterable[Error]:
        """The errors of those metrics."""
        errors = list(super().errors(rows))
        attached = [error for error in errors if error.tuple_type in SINGLE]
        compared = iter(with_differences(attached, rows[0].pair))
        return [
            next(compared) if error.tuple_type in SINGLE else error for error in errors
        ]

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts per row, and the share of aligned words that match; of words all."""
        counts, numbers = super().scores(raw_counts)
        numbers.pop("words.aligned_accuracy", None)
        return Scores(counts, numbers)
