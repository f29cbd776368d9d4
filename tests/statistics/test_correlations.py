"""Correlations over items and over systems, against sums and draws made by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

from graphscore import Graph, Node, Store, correlate
from graphscore.errors import PairingError, UsageError
from graphscore.evaluation.result import Result
from graphscore.statistics import OutcomeKey, correlations_of, resamples
from graphscore.statistics.correlations import Asked, sampled_correlations
from graphscore.statistics.draws import weights
from tests.statistics.test_statistics import drawn, result

NAMES = "abcdef"
FUNCTIONS = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
SAMPLES = 40


def scored() -> list[Result]:
    """Six systems with the same twelve items of the same gold."""
    gold = [each[0] for each in drawn(0, 12)]
    found = []
    for place, name in enumerate(NAMES):
        counts = [
            (size, system, min(size, system, matched))
            for size, (_, system, matched) in zip(
                gold, drawn(place + 1, 12, place), strict=True
            )
        ]
        found.append(result(counts, name))
    return found


def judged() -> dict[OutcomeKey, float]:
    """An outcome for each system and item, but for a few."""
    values = np.random.default_rng(5).integers(0, 9, (len(NAMES), 12))
    return {
        OutcomeKey(str(item), "", name): float(values[place, item] + place)
        for place, name in enumerate(NAMES)
        for item in range(12)
        if (place + item) % 5
    }


def f1(each: Result, names: Any, often: Any = None) -> float:
    sums = [0.0, 0.0, 0.0]
    for place, item in enumerate(each.items):
        if item.item not in names:
            continue
        times = 1 if often is None else often[place]
        for (_, _, quantity), value in item.masses.items():
            sums[("gold", "system", "matched").index(quantity)] += times * value
    return 2 * sums[2] / (sums[0] + sums[1])


def by_hand(often: Any = None) -> tuple[list[float], list[float]]:
    """Figures and mean outcomes of the systems, over the items that are judged."""
    figures, means = [], []
    for each in scored():
        own = {
            int(key.item): value
            for key, value in judged().items()
            if key.system == each.system
        }
        figures.append(f1(each, set(map(str, own)), often))
        times = np.array([1 if often is None else often[item] for item in own])
        means.append(float(times @ np.array([*own.values()]) / times.sum()))
    return figures, means


def ends(values: list[float]) -> list[float]:
    there = [value for value in values if math.isfinite(value)]
    return np.percentile(there, [2.5, 97.5]).tolist()


@pytest.mark.parametrize("resample", ["systems", "items", "both"])
def test_systems_are_correlated_as_by_hand(resample: Any) -> None:
    asked = Asked(resample=resample, samples=SAMPLES, seed=7)
    found = correlations_of(scored(), judged(), asked)
    assert len(found.items) == len(NAMES)
    [row] = found.systems
    figures, means = by_hand()
    assert [each.value for each in row.points] == pytest.approx(figures)
    assert [each.outcome for each in row.points] == pytest.approx(means)
    assert (row.n, row.framework, row.system) == (6, "x", None)
    samples = []
    [often] = weights(12, SAMPLES, 7)
    [places] = resamples(6, SAMPLES, 8 if resample == "both" else 7)
    for number in range(SAMPLES):
        one, two = (figures, means) if resample == "systems" else by_hand(often[number])
        order = range(6) if resample == "items" else places[number]
        samples.append(
            ([one[place] for place in order], [two[place] for place in order])
        )
    for name, function in FUNCTIONS.items():
        estimate = getattr(row, name)
        assert estimate.value == pytest.approx(function(figures, means)[0])
        expected = ends([function(*sample)[0] for sample in samples])
        assert [estimate.low, estimate.high] == pytest.approx(expected)


def test_items_are_drawn_in_pairs() -> None:
    first = scored()[0]
    found = correlations_of([first], judged(), Asked(samples=SAMPLES, seed=3))
    [row] = found.rows
    assert (row.over, row.system, row.n, row.without_outcome) == ("items", "a", 9, 3)
    own = {key.item: value for key, value in judged().items() if key.system == "a"}
    pairs = [(f1(first, {item}), value) for item, value in own.items()]
    [places] = resamples(9, SAMPLES, 3)
    for name, function in FUNCTIONS.items():
        drawn_ones = [
            function(*zip(*(pairs[place] for place in sample), strict=True))[0]
            for sample in places
        ]
        estimate = getattr(row, name)
        assert [estimate.low, estimate.high] == pytest.approx(ends(drawn_ones))


@pytest.mark.parametrize("size", [2, 9, 40])
def test_many_samples_at_once_are_those_of_scipy(size: int) -> None:
    draw = np.random.default_rng(size)
    first, second = draw.integers(0, 1 + size // 2, (2, 20, size)).astype(float)
    first[0] = 1.0
    second[1, 0] = math.nan
    first[2:, 0] = -1.0
    second[2:, 0] = -1.0 - draw.random(18)
    found = sampled_correlations(first, second)
    assert np.isnan(found[:, :2]).all()
    for row, function in enumerate(FUNCTIONS.values()):
        expected = [
            function(*pair)[0] for pair in zip(first[2:], second[2:], strict=True)
        ]
        assert found[row, 2:].tolist() == pytest.approx(expected, nan_ok=True)


def test_a_system_has_one_outcome() -> None:
    whole = {OutcomeKey("", "", name): at for at, name in enumerate(NAMES[:4], 1)}
    found = correlations_of(scored(), whole, Asked(samples=0))
    [row] = found.rows
    assert (row.over, row.n, row.without_outcome) == ("systems", 4, 2)
    figures = [each.f1 for each in map(totalled, scored()[:4])]
    assert row.pearson.value == pytest.approx(
        scipy.stats.pearsonr(figures, [1, 2, 3, 4])[0]
    )
    assert row.pearson.low is row.pearson.high is None
    alone = correlations_of(scored()[:1], whole, Asked())
    assert (alone.rows[0].n, alone.rows[0].kendall) == (1, (None, None, None))
    assert alone.unused == 3


def totalled(each: Result) -> Result:
    for item in each.items:
        each.add(("x", "", "", ""), item.masses)
    return each


def test_outcomes_that_name_no_system_say_nothing_of_systems() -> None:
    same = {OutcomeKey(str(item), "", ""): float(item) for item in range(12)}
    found = correlations_of(scored(), same, Asked(samples=0))
    assert (len(found.items), found.systems) == (len(NAMES), ())


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(PairingError, match="first system 'a', first outcome 'z'"):
        correlations_of(scored(), {OutcomeKey("", "", "z"): 1.0}, Asked())
    for wrong in (Asked(level=1.0), Asked(samples=-1), Asked(resample="x")):  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            correlations_of(scored(), judged(), wrong)


def corpus(right: int) -> list[Graph]:
    return [
        Graph(
            str(n), "amr", 2, nodes=(Node(0, "dog" if n < right else "cat"),), tops=(0,)
        )
        for n in range(6)
    ]


def test_graphs_and_a_store_give_the_same_and_show_themselves() -> None:
    outcome = {OutcomeKey("", "", name): at for at, name in enumerate("abc")}
    systems = {"a": corpus(1), "b": corpus(5), "c": corpus(3)}
    held = correlate(corpus(6), systems=systems, outcome=outcome, metric="mrp")
    with Store("sqlite://", mode="create") as store:
        store.add(corpus(6), "gold")
        for name, graphs in systems.items():
            store.add(graphs, name)
        names = ["a", "b", "c"]
        asked: dict[str, Any] = {"outcome": outcome, "metric": "mrp"}
        kept = correlate(store, gold="gold", systems=names, **asked)
    assert kept.to_dict() == held.to_dict()
    assert held.rows[0].spearman.value == pytest.approx(0.5)
    assert "spearman" in held._repr_html_()
    with pytest.raises(UsageError, match="nothing to correlate"):
        correlate(corpus(6), outcome=outcome)
