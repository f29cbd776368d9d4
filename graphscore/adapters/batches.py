"""Scores of batches that come one after another, and the shapes that trainers call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

from graphscore.evaluation.adding import absorb, add_up, copy_result
from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options, OptionWords, options_of
from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError, did_you_mean
from graphscore.inputs.base import Ends
from graphscore.rows import flat

if TYPE_CHECKING:
    from graphscore.metrics.base import Metric
    from graphscore.similarity import Similarity

Keep = Literal["items", "counts"]
"""Kept of batches: items with their errors, or summed counts alone."""

MESSAGES = 100
"""Notes and rejected records kept where only counts are."""


class Scorer:
    """Scores of batches that come one after another, as in training.

    A batch holds whole documents.  Results of other processes add up likewise: gather
    what :meth:`compute` gives in each, and take their ``sum``.

    Args:
        metric: a metric, its string or a formula, or a list of several.
        keep: ``items`` with their errors, or ``counts`` alone, which do not grow with
            the number of batches.
        ends: as for :func:`~graphscore.score`.
        options: likewise; what of items is kept is said by *keep*.
        words: likewise.

    Raises:
        UsageError: if nothing of that name can be kept.

    Example:
        >>> scorer = Scorer("ner")
        >>> scorer.add([["B-PER", "O"]], [["B-PER", "O"]])
        >>> scorer.add([["B-LOC", "O"]], [["O", "O"]])
        >>> result = scorer.compute()
        >>> result.pairs, result.recall
        (2, 0.5)
    """

    def __init__(
        self,
        metric: str | Metric | Similarity | list[Any],
        *,
        keep: Keep = "items",
        ends: Ends = "inclusive",
        options: Options | None = None,
        **words: Unpack[OptionWords],
    ) -> None:
        if keep not in ("items", "counts"):
            near = did_you_mean(str(keep), ("items", "counts"))
            raise UsageError(f"keep is {keep!r}{near}; there are: items, counts")
        items = keep == "items"
        self.metric, self.keep = metric, keep
        self._ends = ends
        options = options_of("Scorer", options, words, ("keep", "ends", "options"))
        self._options = replace(options, per_item=items, details=items, parts=items)
        self._totals: list[Result] = []
        self._several = False

    def add(self, gold: Any, system: Any) -> None:
        """Score a batch.

        Args:
            gold: whatever :func:`~graphscore.score` takes.
            system: likewise.

        Raises:
            GraphscoreError: as :func:`~graphscore.score`; the batch is not counted.
        """
        if _is_empty(gold) and _is_empty(system):
            return
        scored = score(
            gold,
            system,
            self.metric,
            ends=self._ends,
            options=self._options,
        )
        self._several = isinstance(scored, list)
        results = scored if isinstance(scored, list) else [scored]
        if not self._totals:
            self._totals = list(map(copy_result, results))
        else:
            for total, result in zip(self._totals, results, strict=True):
                absorb(total, result)
        if self.keep == "counts":
            for total in self._totals:
                del total.notes[MESSAGES:], total.rejected[MESSAGES:]

    def compute(self) -> Any:
        """Return the result of all batches so far; a list of several metrics.

        Raises:
            UsageError: if there was no batch.
        """
        if not self._totals:
            raise UsageError("no batch was added: call add(gold, system) first")
        results = [add_up([total]) for total in self._totals]
        return results if self._several else results[0]

    def reset(self) -> None:
        """Forget all batches."""
        self._totals = []


def _is_empty(side: Any) -> bool:
    return isinstance(side, list | tuple) and not side


class EvaluateMetric:
    """A metric with the shape of those of Hugging Face's ``evaluate``.

    The system comes first there: *predictions* are the system, *references* gold.

    Args:
        metric: as for :class:`Scorer`.
        options: further arguments of :class:`Scorer`; counts alone are kept without.

    Example:
        >>> ner = EvaluateMetric("ner")
        >>> gold, system = [["B-PER", "B-LOC"]], [["B-PER", "O"]]
        >>> scores = ner.compute(predictions=system, references=gold)
        >>> scores["ner_strict_precision"], scores["ner_strict_recall"]
        (1.0, 0.5)
    """

    def __init__(self, metric: str | Metric | Similarity, **options: Any) -> None:
        self._scorer = Scorer(metric, **{"keep": "counts", **options})

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Score one item.

        Args:
            prediction: the system's.
            reference: gold's.
        """
        self._scorer.add([reference], [prediction])

    def add_batch(self, *, predictions: Any, references: Any) -> None:
        """Score a batch.

        Args:
            predictions: the system.
            references: gold.
        """
        self._scorer.add(references, predictions)

    def compute(
        self, *, predictions: Any = None, references: Any = None
    ) -> dict[str, float]:
        """Return the numbers of all batches, and begin again.

        Args:
            predictions: the system of a last batch, perhaps the only one.
            references: gold of it.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        numbers = flat(self._scorer.compute())
        self._scorer.reset()
        return numbers


def compute_metrics(
    metric: str | Metric | Similarity,
    **words: Unpack[OptionWords],
) -> Callable[[Any], dict[str, float]]:
    """Return what trainers of Hugging Face take as ``compute_metrics``.

    Args:
        metric: a metric, its string or a formula.
        words: as for :func:`~graphscore.score`; ``labels=model.config.id2label`` names
            the numbers.

    Returns:
        A function of ``predictions`` and ``label_ids``: numbers of labels, or how
        likely each of them is.  What ``label_ids`` have as -100 is left out.

    Example:
        >>> from types import SimpleNamespace
        >>> evaluated = SimpleNamespace(
        ...     predictions=[[[0.1, 0.9], [0.8, 0.2], [0.6, 0.4]]],
        ...     label_ids=[[1, 1, -100]],
        ... )
        >>> scores = compute_metrics("ner", labels={0: "O", 1: "B-PER"})(evaluated)
        >>> scores["ner_strict_precision"], scores["ner_strict_recall"]
        (1.0, 0.5)
    """

    def computed(evaluated: Any) -> dict[str, float]:
        predictions = getattr(evaluated, "predictions", None)
        if predictions is None:
            predictions, gold = evaluated
        else:
            gold = evaluated.label_ids
        return flat(score(gold, predictions, metric, **words))

    return computed


class TorchMetric:
    """A metric with the shape of those of ``torchmetrics``.

    The system comes first there: *preds* are the system, *target* gold.  Processes
    gather their :attr:`scorer`'s results, whose sum is that of all.

    Args:
        metric: as for :class:`Scorer`.
        options: further arguments of :class:`Scorer`; counts alone are kept without.

    Attributes:
        scorer: what adds batches up.

    Example:
        >>> ner = TorchMetric("ner")
        >>> ner.update([["B-PER", "O"]], [["B-PER", "B-LOC"]])
        >>> ner.compute()["ner_strict_recall"]
        0.5
    """

    def __init__(self, metric: str | Metric | Similarity, **options: Any) -> None:
        self._options: dict[str, Any] = {"keep": "counts", **options}
        self.scorer = Scorer(metric, **self._options)

    def __call__(self, preds: Any, target: Any) -> dict[str, float]:
        """Score a batch, and return the numbers of it alone.

        Args:
            preds: the system.
            target: gold.
        """
        batch = Scorer(self.scorer.metric, **self._options)
        batch.add(target, preds)
        self.update(preds, target)
        return flat(batch.compute())

    def update(self, preds: Any, target: Any) -> None:
        """Score a batch.

        Args:
            preds: the system.
            target: gold.
        """
        self.scorer.add(target, preds)

    def compute(self) -> dict[str, float]:
        """Return the numbers of all batches so far."""
        return flat(self.scorer.compute())

    def reset(self) -> None:
        """Forget all batches."""
        self.scorer.reset()
