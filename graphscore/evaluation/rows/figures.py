"""Figures of an evaluation: every score of every slice, as the store keeps them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphscore.evaluation.macro import MACRO, RATIOS, macro_counts, macro_numbers
from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric, main_name, main_score
from graphscore.model.outcome import Scores
from graphscore.rows import number
from graphscore.store.evaluations import PairRow


class Figure(NamedTuple):
    """A score of a slice."""

    framework: str
    """Empty for all of them, ``macro`` for the mean over frameworks."""
    document: str
    """Empty for all of them."""
    score: str
    """Score as for ``--fail-under``, such as ``edges.f1``."""
    main: bool
    """It is the score that stands for the metric."""
    value: float | None
    units: int
    """Gold units of the slice."""
    missing: int
    """Those without a system unit."""


def figures_of(result: Result, pairs: Iterable[PairRow]) -> Iterator[Figure]:
    """Every score of an evaluation: whole, by framework, their mean, by document.

    Args:
        result: its scores.
        pairs: its units.

    Yields:
        Each once; of documents what stands for the metric, precision and recall.
    """
    units, missing = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for pair in pairs:
        if pair.status != "spurious":
            for framework in (pair.framework, ""):
                for document in {pair.document, ""}:
                    units[framework, document] += 1
                    missing[framework, document] += pair.status != "paired"
    metric, main_score_name = result.metric, main_name(result.metric)

    def rows(framework: str, document: str, scores: Scores) -> Iterator[Figure]:
        numbers = units[framework, document], missing[framework, document]
        for name, value in _numbers(metric, scores, not document).items():
            main = name == main_score_name
            yield Figure(framework, document, name, main, number(value), *numbers)

    yield from rows("", "", result.scores)
    for (framework,), scores in result.by("framework").items():
        yield from rows(framework, "", scores)
    slices = result.slices()
    means = {
        f"{tuple_type}.{ratio}": value
        for tuple_type, ratios in macro_counts(metric, slices).items()
        for ratio, value in ratios.items()
    }
    for name, value in (means | macro_numbers(metric, slices)).items():
        numbers = units["", ""], missing["", ""]
        main = name == main_score_name
        yield Figure(MACRO, "", name, main, number(value), *numbers)
    for (document,), scores in result.by("document").items():
        if document:
            yield from rows("", document, scores)
    for (framework, document), scores in result.by("framework", "document").items():
        if document:
            yield from rows(framework, document, scores)


def _numbers(metric: Metric, scores: Scores, every: bool) -> dict[str, float]:
    """Return the scores of a slice by name; without the tuple types if not every."""
    numbers = {
        f"{tuple_type}.{ratio}": float(getattr(count, ratio))
        for tuple_type, count in scores.counts.items()
        if every or tuple_type == metric.main
        for ratio in RATIOS
    }
    if every:
        numbers |= scores.numbers
    return numbers | {main_name(metric): main_score(metric, scores)}
