"""What agreement computes for all at once, held against one sample at a time."""

from __future__ import annotations

import io
import math
from itertools import permutations

import numpy as np
import pytest

from benchmarks.corpus import sentences
from graphscore import score
from graphscore.correspondence import Budget
from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.formats import formats
from graphscore.metrics.registry import parse
from graphscore.statistics.agreement.chance import one_by_one, scored_apart
from graphscore.statistics.agreement.label_agreement import Draws
from graphscore.statistics.agreement.pooling import both_ways, pool
from graphscore.statistics.sampling import resamples, weights
from tests.statistics.test_agreement import SIDES

WHOLE = ("", "", "", "")


def tagged(*, reverse: bool = False, without: int = -1):
    """Made-up sentences of which the other side has mistakes, some left out."""
    lines = [
        "".join(f"word{number}\t{tag}\n" for tag in both[reverse])
        for number, both in enumerate(sentences(12))
    ]
    lines.append("nothing\tO\n")
    data = "\n".join(lines).encode()
    read = formats()["iob"].read(io.BytesIO(data), "made.iob2")
    return [each.graph for number, each in enumerate(read) if number % 5 != without]


ENTITIES = [tagged(), tagged(reverse=True, without=2), tagged(without=4)]


def both_directions(sides, metric) -> dict[tuple[int, int], Result]:
    options = Options(per_item=True, details=True, parts=True)
    return {
        (a, b): score(sides[a], sides[b], metric, options=options)
        for a, b in permutations(range(len(sides)), 2)
    }


def score_of(metric, items, name: str) -> float:
    """A score of some items, each as often as it is there."""
    if not items:
        return math.nan
    result = Result(metric, pairs=1)
    for item in items:
        result.add(WHOLE, item.raw_counts)
    count = result.counts.get(name.removesuffix(".f1") or metric.main)
    if (name or not metric.leading) and count and not (count.gold + count.system):
        return math.nan
    return score_getter(name)(result)


@pytest.mark.parametrize(
    ("sides", "metric", "names"),
    [
        (SIDES, "mrp", ["", "edges.f1", "labels.f1", "all.recall"]),
        (ENTITIES, "ner", ["", "partial.f1", "macro.strict.f1"]),
        (ENTITIES, "ser", [""]),
    ],
)
def test_all_samples_at_once_say_what_each_says(sides, metric, names):
    metric = parse(metric)
    scored = both_directions(sides, metric)
    found = pool(scored, names, "item", 30, 7)
    drawn = np.concatenate([*resamples(len(found.units), 30, 7)]).tolist()
    ways = [way for a, b in found.pairs for way in ((a, b), (b, a))]
    items = [
        {x.item: x for x in scored[way].items if not x.missing and way in scored}
        for way in ways
    ]
    ids = [unit[2] for unit in found.units]
    for name in names:
        expected = [
            [
                score_of(metric, [there[ids[n]] for n in row if ids[n] in there], name)
                for row in drawn
            ]
            for there in items
        ]
        np.testing.assert_array_equal(found.drawn[name], both_ways(np.array(expected)))
        whole = np.array(
            [score_of(metric, list(there.values()), name) for there in items]
        )
        np.testing.assert_array_equal(found.observed[name], both_ways(whole))
    alone = np.array(
        [
            [
                score_of(metric, [there[each]] if each in there else [], names[0])
                for each in ids
            ]
            for there in items
        ]
    )
    np.testing.assert_array_equal(found.by_unit, both_ways(alone))


@pytest.mark.parametrize(
    ("sides", "metric", "score"),
    [
        (SIDES, "mrp", ""),
        (SIDES, "smatch", "all.recall"),
        (ENTITIES, "ner", ""),
        (ENTITIES, "err", ""),
    ],
)
def test_pairs_scored_together_are_as_apart_as_each_alone(sides, metric, score):
    graphs = {
        (number, who): [graph]
        for who, side in enumerate(sides)
        for number, graph in enumerate(side)
    }
    pairs = [(a, b) for a in graphs for b in graphs if a < b and a[0] != b[0]][::7]
    asked = pairs, graphs, parse(metric), score, Budget()
    assert len(pairs) > 5
    np.testing.assert_array_equal(scored_apart(*asked), one_by_one(*asked))
    assert scored_apart([], *asked[1:]) == []


@pytest.mark.parametrize("samples", [40, 1 << 20])
def test_draws_that_are_kept_are_those_that_are_not(samples):
    units = [("ner", "", str(number)) for number in range(50)]
    draws = Draws(units, samples, 3, lambda value, drawn: None)
    for _ in range(2):
        block, expected = next(draws.weights()), next(weights(50, samples, 3))
        np.testing.assert_array_equal(block, expected)
