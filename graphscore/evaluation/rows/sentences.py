"""The sentences of documents that a metric compares as a whole, worst first."""

from __future__ import annotations

from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric, unit_of
from graphscore.store.reading.perframework import (
    ItemScore,
    ItemScores,
    Order,
    worst_first,
)


def goes_down(metric: Metric) -> bool:
    """Whether a metric compares documents and is known of each of their sentences.

    >>> from graphscore.metrics.registry import parse
    >>> [goes_down(parse(name)) for name in ("las", "muc", "mrp")]
    [True, False, False]
    """
    return unit_of(metric) == "document" and metric.sums_over == "sentence"


def sentence_scores(
    result: Result,
    worst: int | None = None,
    order: Order = "mean",
    shared: bool = False,
) -> ItemScores:
    """F1 of every gold sentence in every framework, the worst first.

    Args:
        result: with items that have their parts (``Options.per_item`` and ``parts``).
        worst: how many; all by default.
        order: what is sorted by.
        shared: whether only sentences count that every framework has.

    Returns:
        Sentences as :func:`~graphscore.store.reading.perframework.item_scores` gives
        items.  There is no SQL behind them: a store keeps what was compared.
    """
    metric = result.metric
    found: dict[tuple[str, str, str], ItemScore] = {}
    for each in result.items:
        for part in each.parts:
            score = found.setdefault(
                (each.language, part.document, part.item),
                ItemScore(each.language, part.document, part.item, {}),
            )
            count = metric.figures(part.masses).counts[metric.main]
            known = count.gold or count.system
            score.f1[each.framework] = count.f1 if known else None
    frameworks = sorted({name for score in found.values() for name in score.f1})
    return ItemScores(frameworks, worst_first(found.values(), worst, order, shared), "")
