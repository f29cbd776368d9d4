"""Resampling stored raw counts, against scipy and against what must hold."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import parse
from graphscore.model.outcome import RawCounts
from graphscore.statistics import (
    approximate_randomization,
    interval,
    paired_bootstrap,
    raw_count_table,
    resamples,
    score_of,
)

Counts = list[tuple[int, int, int]]


def item(name: str, counts: tuple[int, int, int], document: str = "") -> ItemResult:
    quantities = zip(("gold", "system", "matched"), counts, strict=True)
    raw_counts: RawCounts = {
        ("edges", "", name): value for name, value in quantities if value
    }
    return ItemResult(
        "x", "", name, document, raw_counts, counts[2], counts[2], True, False
    )


def result(counts: Counts, system: str = "one", documents: int = 0) -> Result:
    items = [
        item(str(place), each, str(place % documents) if documents else "")
        for place, each in enumerate(counts)
    ]
    return Result(Mrp(), system=system, items=items, pairs=len(items))


def drawn(seed: int, size: int, better: int = 0) -> Counts:
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(size):
        gold, system = draw.integers(1, 30, 2).tolist()
        least = min(gold, system)
        found.append(
            (gold, system, min(least, int(draw.integers(0, least + 1)) + better))
        )
    return found


def micro(counts: Counts, chosen: Any, axis: int = -1) -> Any:
    sums = np.array(counts, dtype=float)[np.asarray(chosen, dtype=int)]
    gold, system, matched = (sums[..., place].sum(axis=axis) for place in range(3))
    return 2 * matched / (gold + system)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("level", [0.95, 0.8])
@pytest.mark.parametrize("ties", [False, True], ids=["", "ties"])
def test_intervals_are_those_of_scipy(method: Any, level: float, ties: bool) -> None:
    counts = [(2, 2, 1), (2, 2, 2)] * 4 if ties else drawn(3, 60)
    mine = interval(result(counts), level=level, replicates=999, seed=11, method=method)
    theirs = scipy.stats.bootstrap(
        (np.arange(len(counts)),),
        lambda chosen, axis: micro(counts, chosen, axis),
        confidence_level=level,
        n_resamples=999,
        method=method,
        random_state=np.random.default_rng(11),
    ).confidence_interval
    assert mine.low == pytest.approx(theirs.low, rel=1e-12)
    assert mine.high == pytest.approx(theirs.high, rel=1e-12)
    assert mine[2:] == (level, len(counts), 11, 999)


def test_the_bootstrap_distribution_of_a_difference_is_that_of_scipy() -> None:
    one, two = drawn(1, 40, better=2), drawn(2, 40)
    mine = paired_bootstrap(result(one), result(two, "two"), replicates=500, seed=5)
    theirs = scipy.stats.bootstrap(
        (np.arange(40),),
        lambda chosen, axis: micro(one, chosen, axis) - micro(two, chosen, axis),
        n_resamples=500,
        method="percentile",
        random_state=np.random.default_rng(5),
    ).bootstrap_distribution
    observed = micro(one, range(40)) - micro(two, range(40))
    assert mine.difference == pytest.approx(observed)
    likely = (np.abs(theirs - observed) >= abs(observed)).sum()
    assert mine.p_value == (likely + 1) / 501
    assert mine.method == "paired bootstrap"


@pytest.mark.parametrize("size", [1, 5, 9])
def test_exact_randomisation_is_the_permutation_test_of_scipy(size: int) -> None:
    one, two = drawn(7, size, better=1), drawn(8, size)
    mine = approximate_randomization(result(one), result(two, "two"))
    both = np.array([one, two], dtype=float)

    def difference(first: Any, second: Any, axis: int = -1) -> Any:
        """Of systems given as numbers of system and unit: 10 * system + unit."""
        picked = [
            both[np.asarray(side, int) // 10, np.asarray(side, int) % 10]
            for side in (first, second)
        ]
        sums = [side.sum(axis=-2) for side in picked]
        ratios = [2 * s[..., 2] / (s[..., 0] + s[..., 1]) for s in sums]
        return ratios[0] - ratios[1]

    assert mine.method == "exact randomisation"
    assert mine.replicates == 2**size
    if size == 1:
        assert mine.p_value == 1.0
        return
    theirs = scipy.stats.permutation_test(
        (np.arange(size), 10 + np.arange(size)),
        difference,
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        axis=-1,
    )
    assert mine.difference == pytest.approx(theirs.statistic)
    # scipy doubles the smaller tail; here both tails are counted.
    values = np.abs(theirs.null_distribution)
    likely = (values >= abs(theirs.statistic) - 1e-12).mean()
    assert mine.p_value == pytest.approx(likely)


def test_approximate_randomisation_comes_close_to_the_exact_one() -> None:
    one, two = drawn(7, 12, better=1), drawn(8, 12)
    exact = approximate_randomization(result(one), result(two, "two"))
    rough = approximate_randomization(
        result(one), result(two, "two"), replicates=4000, seed=1
    )
    assert exact.method == "exact randomisation"
    assert rough.method == "approximate randomisation"
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 4000)
    assert abs(exact.p_value - rough.p_value) < 5 * error + 1 / 4000


def test_a_clear_difference_is_found_and_none_is_not() -> None:
    counts = drawn(4, 80)
    better = [(g, s, min(g, s)) for g, s, _ in counts]
    for test in (paired_bootstrap, approximate_randomization):
        same = test(result(counts), result(counts, "two"))
        assert (same.difference, same.p_value) == (0.0, 1.0)
        clear = test(result(better), result(counts, "two"))
        assert clear.difference > 0
        assert clear.p_value < 0.01
        turned = test(result(counts), result(better, "two"))
        assert turned.difference == -clear.difference
        assert turned.p_value == pytest.approx(clear.p_value, abs=0.01)


def test_equal_seeds_give_equal_results_and_blocks_do_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = result(drawn(1, 30)), result(drawn(2, 30), "two")
    functions = [
        lambda: interval(one, replicates=100),
        lambda: paired_bootstrap(one, two, replicates=100),
        lambda: approximate_randomization(one, two, replicates=100),
    ]
    first = [function() for function in functions]
    monkeypatch.setattr("graphscore.statistics.sampling.CELLS", 30 * 7)
    monkeypatch.setattr("graphscore.statistics.tables.BLOCK", 3 * 11)
    assert [function() for function in functions] == first
    assert len(list(resamples(30, 100, 1))) == 15
    assert interval(one, replicates=100, seed=2) != first[0]


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=8))
def test_intervals_lie_within_what_units_reach(raw: Counts) -> None:
    counts = [(g, s, min(g, s, m)) for g, s, m in raw]
    found = interval(result(counts), replicates=50)
    assert 0 <= found.low <= found.high <= 1
    assert found.n == len(counts)
    wider = interval(result(counts), replicates=50, level=0.99)
    assert wider.low <= found.low <= found.high <= wider.high


def test_one_unit_gives_a_point() -> None:
    for method in ("percentile", "basic", "bca"):
        found = interval(result([(4, 4, 3)]), method=method, replicates=20)
        assert found.low == found.high == 0.75


def test_documents_are_drawn_as_a_whole() -> None:
    counts = drawn(5, 24)
    found = interval(result(counts, documents=3), unit="document", replicates=200)
    assert found.n == 3
    table = raw_count_table(result(counts, documents=3).items, "document")
    whole = np.array(counts).sum(axis=0).tolist()
    assert sorted(table.rows.sum(axis=0).tolist()) == sorted(whole)


def test_every_score_can_be_asked_for() -> None:
    one = result(drawn(1, 20))
    metric = one.metric
    sums = raw_count_table(one.items)
    raw_counts = sums.raw_counts(sums.rows.sum(axis=0))
    scores = metric.scores(raw_counts)
    assert score_of(metric)(raw_counts) == scores.counts["all"].f1
    assert score_of(metric, "edges.recall")(raw_counts) == scores.counts["edges"].recall
    assert score_of(metric, "nodes.f1")(raw_counts) == scores.numbers["nodes.f1"]
    assert interval(one, "edges.precision", replicates=20).n == 20
    with pytest.raises(UsageError, match="no score 'x'"):
        interval(one, "x")


def test_what_cannot_be_resampled_is_refused() -> None:
    one = result(drawn(1, 4))
    with pytest.raises(UsageError, match="per-item"):
        interval(Result(Mrp(), pairs=3))
    with pytest.raises(UsageError, match="level"):
        interval(one, level=1)
    with pytest.raises(UsageError, match="replicates"):
        interval(one, replicates=0)
    for test in (paired_bootstrap, approximate_randomization):
        with pytest.raises(PairingError, match="same units"):
            test(one, result(drawn(1, 5), "two"))
        other = result(drawn(1, 4), "two")
        other.metric = Mrp(order="free")
        with pytest.raises(UsageError, match="not compared"):
            test(one, other)


def test_systems_pair_whatever_the_order_of_their_items() -> None:
    one, two = result(drawn(1, 6, better=2)), result(drawn(2, 6), "two")
    expected = approximate_randomization(one, two)
    two.items = two.items[::-1]
    assert approximate_randomization(one, two) == expected
    assert paired_bootstrap(one, two).difference == expected.difference


def test_results_of_files_and_of_all_metrics_can_be_resampled(sample: Path) -> None:
    gold = str(sample / "gold.mrp")
    options = Options(per_item=True)
    metrics = [parse("mrp"), parse("smatch")]
    alder = score_files(gold, str(sample / "alder.mrp"), metrics, options)
    birch = score_files(gold, str(sample / "birch.mrp"), metrics, options)
    for one, two in zip(alder, birch, strict=True):
        found = interval(one, replicates=200)
        assert found.low <= one.f1 <= found.high
        tested = paired_bootstrap(one, two, replicates=200)
        assert tested.first == pytest.approx(one.f1)
        assert tested.second == pytest.approx(two.f1)


def test_small_samples_reach_every_combination() -> None:
    seen = set()
    for block in resamples(2, 100, 3):
        seen |= set(map(tuple, block.tolist()))
    assert seen == set(itertools.product(range(2), repeat=2))
