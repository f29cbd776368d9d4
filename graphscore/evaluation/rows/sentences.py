"""The sentences of documents that a metric compares as a whole, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.traits import (
    sums_over,
)
from graphscore.store.database_errors import guarded
from graphscore.store.read.item_scores import (
    ItemScore,
    ItemScores,
    Order,
    item_scores,
    worst_first,
)

if TYPE_CHECKING:
    from graphscore.evaluation.default_metrics import Choice
    from graphscore.evaluation.store import Store


def goes_down(metric: Metric) -> bool:
    """Return whether a metric compares documents and has counts of their sentences.

    >>> from graphscore.metrics.registry import parse
    >>> [goes_down(parse(name)) for name in ("las", "muc", "mrp")]
    [True, False, False]
    """
    return unit_of(metric) == "document" and sums_over(metric) == "sentence"


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
        Sentences as :func:`~graphscore.store.read.item_scores.item_scores` gives
        items.  There is no SQL behind them: a store keeps what was compared.
    """
    metric = result.metric
    rows: dict[tuple[str, str, str], ItemScore] = {}
    for item in result.items:
        for part in item.parts:
            score = rows.setdefault(
                (item.language, part.document, part.item),
                ItemScore(item.language, part.document, part.item, {}),
            )
            count = metric.scores(part.raw_counts).counts[metric.main]
            known = count.gold or count.system
            score.f1[item.framework] = count.f1 if known else None
    frameworks = sorted({name for score in rows.values() for name in score.f1})
    return ItemScores(frameworks, worst_first(rows.values(), worst, order, shared), "")


class SystemItems(NamedTuple):
    """The items of a system, with their F1 in every framework."""

    system: str
    metric: str
    scores: ItemScores


class ItemQuestion(NamedTuple):
    """Request for items to list.

    Args:
        worst: how many; all by default.
        order: what is sorted by.
        shared: whether only items count that every framework has.
        units: whether items are those that were compared, never their sentences.
    """

    worst: int | None = None
    order: Order = "mean"
    shared: bool = False
    units: bool = False

    def answer(
        self,
        store: Store,
        gold: str,
        made: Sequence[tuple[str, Choice, str]],
        options: Options,
    ) -> list[SystemItems]:
        """List the items of evaluations, the worst first.

        Args:
            store: where they are.
            gold: the gold collection.
            made: systems, with their metrics and scopes.
            options: how they were scored, and which items take part.
        """
        how = self.worst, self.order, self.shared
        selection = options.selection
        systems = []
        for system, choice, scope in made:
            metric = str(choice.metric)
            if goes_down(choice.metric) and not self.units:
                wholly = replace(choice.limited(options), per_item=True, parts=True)
                [result] = store.evaluate(
                    gold, system, [choice.metric], wholly, stored=True
                )
                listed = sentence_scores(result, *how)
                systems.append(SystemItems(system, metric, listed))
                continue
            filters = {
                "gold": gold,
                "system": system,
                "metric": metric,
                "scope": scope,
                "framework": sorted(selection.frameworks),
                "language": sorted(selection.languages),
                "item": sorted(selection.items),
            }
            with guarded(store.url):
                scores = item_scores(store.query, filters, *how)
            systems.append(SystemItems(system, metric, scores))
        return systems
