"""Alpha over any structure: one minus the score is how far two annotations are apart.

Krippendorff's alpha takes any distance; with that of a metric it is a coefficient for
graphs (for trees: Skjærholt 2014).  What is found within items is held against what is
expected of annotations of any items, of one framework and language each.  All pairs of
annotations are scored where they are few, and otherwise as many as are asked for are
drawn at random.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from graphscore.correspondence import Budget
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import COLUMNS, Result
from graphscore.evaluation.scoring import score_files
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.graph import Graph
from graphscore.statistics.agreement.pooling import Pool
from graphscore.statistics.sampling import resamples, weights
from graphscore.statistics.tables import UnitKey

Doubles = npt.NDArray[np.float64]

Annotation = tuple[int, int]
"""Numbers of a unit and of who annotated it."""

Stratum = tuple[str, str]
"""Framework and language."""


class Chosen(NamedTuple):
    """Pairs of annotations of different units that are scored."""

    pairs: tuple[tuple[Annotation, Annotation], ...]
    every: bool
    """True if these are all possible pairs."""


def presence(pool: Pool, annotators: int) -> npt.NDArray[np.bool_]:
    """Build the matrix of annotators and units annotated at least twice.

    Args:
        pool: of all pairs.
        annotators: how many there are.

    Returns:
        Shape (annotators, units).
    """
    zeros = np.zeros((annotators, len(pool.units)), dtype=bool)
    for (a, b), shared in zip(pool.pairs, pool.there, strict=True):
        zeros[a] |= shared
        zeros[b] |= shared
    return zeros


def strata(units: Sequence[UnitKey]) -> dict[Stratum, list[int]]:
    """Numbers of the units of each framework and language."""
    result: dict[Stratum, list[int]] = {}
    for number, (framework, language, _) in enumerate(units):
        result.setdefault((framework, language), []).append(number)
    return result


def choose(
    pool: Pool, present: npt.NDArray[np.bool_], most: int, seed: int
) -> dict[Stratum, Chosen]:
    """The pairs of annotations by which chance is judged, for each stratum.

    Args:
        pool: of all pairs.
        present: what :func:`presence` gives.
        most: how many pairs are scored in all; a stratum has its share of them.
        seed: what the draws start from.
    """
    samples: dict[Stratum, Chosen] = {}
    whole = max(1, int(present.sum()))
    for stratum, units in strata(pool.units).items():
        annotations: list[Annotation] = [
            (unit, int(who))
            for unit in units
            for who in np.flatnonzero(present[:, unit])
        ]
        size = len(annotations)
        share = max(2, math.ceil(most * size / whole))
        if size * (size - 1) // 2 <= 2 * share:
            apart = [(a, b) for a, b in combinations(annotations, 2) if a[0] != b[0]]
            if len(apart) <= share:
                samples[stratum] = Chosen(tuple(apart), True)
                continue
        samples[stratum] = Chosen(tuple(_drawn(annotations, share, seed)), False)
    return samples


def _drawn(
    annotations: Sequence[Annotation], most: int, seed: int
) -> list[tuple[Annotation, Annotation]]:
    """Draw pairs of different units uniformly, with replacement."""
    result: list[tuple[Annotation, Annotation]] = []
    if len({unit for unit, _ in annotations}) < 2:
        return result
    rounds = 1
    while len(result) < most:
        result.clear()
        needed = 2 * math.ceil(2 * most * rounds / len(annotations))
        indexes = [
            index
            for block in resamples(len(annotations), needed, seed)
            for index in block.ravel().tolist()
        ]
        for a, b in zip(indexes[0::2], indexes[1::2], strict=False):
            if annotations[a][0] != annotations[b][0]:
                result.append((annotations[a], annotations[b]))
        rounds *= 2
    return result[:most]


def distance(value: float, lowest_best: bool) -> float:
    """Return the distance of two annotations; empty ones are equal."""
    if math.isnan(value):
        return 0.0
    return value if lowest_best else 1.0 - value


def scored_apart(
    pairs: Sequence[tuple[Annotation, Annotation]],
    graphs: Mapping[Annotation, Sequence[Graph]],
    metric: Metric,
    score: str,
    budget: Budget,
) -> list[float]:
    """The score of pairs of annotations of different items, mean of both directions.

    Args:
        pairs: what is scored.
        graphs: of every annotation.
        metric: what scores.
        score: which score, as for ``--fail-under``.
        budget: work per pair.

    Raises:
        GraphscoreError: if the metric cannot compare annotations of different texts.
    """
    if unit_of(metric) != "item":
        # Documents of different texts may be joined, where there are several.
        return one_by_one(pairs, graphs, metric, score, budget)
    try:
        return _together(pairs, graphs, metric, score, budget)
    except GraphscoreError:
        # What is wrong with a pair is said of it alone.
        return one_by_one(pairs, graphs, metric, score, budget)


def _together(
    pairs: Sequence[tuple[Annotation, Annotation]],
    graphs: Mapping[Annotation, Sequence[Graph]],
    metric: Metric,
    score: str,
    budget: Budget,
) -> list[float]:
    """Score pairs like :func:`one_by_one`, in two runs: each pair is a document."""
    if not pairs:
        return []
    get, options = score_getter(score), Options(budget=budget)
    a, b = (
        [
            graph
            for number, pair in enumerate(pairs)
            for graph in _renamed(graphs[pair[side]], number)
        ]
        for side in (0, 1)
    )
    result = []
    for way in ((a, b), (b, a)):
        [whole] = score_files(*way, [metric], options)
        alone = [Result(metric, pairs=1) for _ in pairs]
        for key, raw_counts in whole.raw_counts.items():
            alone[int(key[COLUMNS.index("document")])].raw_counts[key] = raw_counts
        result.append([get(pair_result) for pair_result in alone])
    return [(forth + back) / 2 for forth, back in zip(*result, strict=True)]


def one_by_one(
    pairs: Sequence[tuple[Annotation, Annotation]],
    graphs: Mapping[Annotation, Sequence[Graph]],
    metric: Metric,
    score: str,
    budget: Budget,
) -> list[float]:
    """Score pairs like :func:`scored_apart`, each pair by itself."""
    get, options = score_getter(score), Options(budget=budget)
    result = []
    for first, second in pairs:
        a, b = (_renamed(graphs[annotation]) for annotation in (first, second))
        ways = [score_files(*way, [metric], options)[0] for way in ((a, b), (b, a))]
        result.append((get(ways[0]) + get(ways[1])) / 2)
    return result


def _renamed(graphs: Sequence[Graph], document: int = 0) -> list[Graph]:
    """Graphs that pair with those of any other item."""
    return [
        replace(graph, id=f"{document}.{number}", document=f"{document}")
        for number, graph in enumerate(graphs)
    ]


def structure_alpha(
    pool: Pool,
    present: npt.NDArray[np.bool_],
    apart: Mapping[Stratum, Sequence[float]],
    lowest_best: bool,
    samples: int,
    seed: int,
) -> tuple[float, Doubles]:
    """Alpha with one minus the score as distance, and that of every sample.

    Samples draw units; what is expected of a framework and language stays.

    Args:
        pool: of all pairs.
        present: what :func:`presence` gives.
        apart: scores of annotations of different units, by stratum.
        lowest_best: whether the score itself is the distance.
        samples: how many samples are drawn.
        seed: what the draws start from.

    Returns:
        Both ``nan`` where nothing can be expected.
    """
    away = np.where(np.isnan(pool.by_unit), 0.0, pool.by_unit)
    if not lowest_best:
        away = np.where(np.isnan(pool.by_unit), 0.0, 1.0 - pool.by_unit)
    away = np.where(pool.there, away, 0.0)
    sizes = present.sum(axis=0).astype(float)
    # Of ordered pairs, as in the definition; every unit has two annotations or more.
    within = 2 * away.sum(axis=0)
    observed = within / np.maximum(sizes - 1, 1)
    expected = np.zeros(len(pool.units))
    for stratum, units in strata(pool.units).items():
        number = float(sizes[units].sum())
        inside = float((sizes[units] * (sizes[units] - 1)).sum())
        outside = number * (number - 1) - inside
        values = [distance(value, lowest_best) for value in apart[stratum]]
        if outside and not values:
            expected[units] = math.nan
            continue
        across = outside * sum(values) / len(values) if values else 0.0
        total = float(within[units].sum()) + across
        expected[units] = sizes[units] * total / (number * (number - 1))

    def alpha(often: Doubles) -> Doubles:
        below = often @ expected
        with np.errstate(divide="ignore", invalid="ignore"):
            values: Doubles = 1 - (often @ observed) / below
        return np.where(below > 0, values, math.nan)

    whole = alpha(np.ones((1, len(pool.units))))
    blocks = weights(len(pool.units), samples, seed)
    drawn = [alpha(block.astype(float)) for block in blocks]
    return float(whole[0]), np.concatenate(drawn) if drawn else np.zeros(0)
