"""Resampling units: items, sentences, documents.

Raw counts are additive over whatever a metric compares by itself: items for most, whole
documents for some.  Where the raw counts of a document are sums over its sentences
too, as those of attachment scores are, sentences are the units, of which there are
many more. What counts over a whole collection, as different surface forms are, is no
sum over anything smaller, and there is nothing to resample.

>>> from graphscore.metrics.registry import parse
>>> [default_unit(parse(name)) for name in ("mrp", "las", "muc", "surface")]
['item', 'sentence', 'document', 'collection']
"""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.evaluation.macro import FRAMEWORKS, MACRO
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.traits import (
    sums_over,
)
from graphscore.statistics.tables import Unit


def default_unit(metric: Metric, score: str = "", over: Sequence[str] = ()) -> Unit:
    """Return the default resampling unit.

    A mean over documents, or over the items of a metric that compares documents, is
    one over units that are drawn whole.

    Args:
        metric: what scores.
        score: whose interval is wanted, as for ``--fail-under``.
        over: what a mean ``macro`` is over; frameworks without.

    Returns:
        The smallest unit over which the score is a function of sums.
    """
    of = unit_of(metric)
    if of == "collection":
        return sums_over(metric) or of
    if is_macro(score):
        if "document" in over:
            return "document"
        if "item" in over:
            return of
    return of if of == "item" else sums_over(metric) or of


def is_macro(score: str) -> bool:
    """Return true if a score is a mean over slices."""
    return score.partition(".")[0] in (MACRO, FRAMEWORKS)


def parts_wanted(metric: Metric, unit: Unit) -> bool:
    """Return true if results need sentence counts (``Options.parts``).

    Args:
        metric: what scores.
        unit: what is drawn and swapped.
    """
    return unit == "sentence" or (
        unit == "document" and unit_of(metric) == "collection"
    )


def refuse_unit(metric: Metric, unit: Unit, items: Sequence[ItemResult]) -> None:
    """Refuse units that a metric does not sum over, or that were not kept.

    Args:
        metric: what scored.
        unit: what shall be drawn and swapped.
        items: what was found.

    Raises:
        UsageError: saying what there is instead.
    """
    if not parts_wanted(metric, unit):
        return
    if sums_over(metric) != unit:
        compares = "whole collections" if unit == "document" else f"{unit_of(metric)}s"
        raise UsageError(f"{metric} compares {compares}, it is no sum over {unit}s")
    if not all(item.parts for item in items):
        raise UsageError(
            f"{metric}: resampling {unit}s needs results with parts, as "
            "Options(per_item=True, parts=True) gives"
        )
