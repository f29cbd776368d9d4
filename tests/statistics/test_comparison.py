"""Systems compared, against scipy, enumeration and simulated corpora."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from graphscore.evaluation.api import score
from graphscore.evaluation.macro import score_in
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.model.outcome import (
    RawCounts,
    Scores,
)
from graphscore.statistics import vectorized_counts
from graphscore.statistics.comparison import Comparison, compare_results
from graphscore.statistics.ranking import adjusted, clusters, ranks_of
from graphscore.statistics.sampling import assignments, resamples, weights

Counts = Sequence[tuple[int, int, int]]


def result(counts: Counts, system: str, framework: str = "x") -> Result:
    items = []
    for place, amounts in enumerate(counts):
        names = zip(("gold", "system", "matched"), amounts, strict=True)
        raw_counts: RawCounts = {("edges", "", name): value for name, value in names}
        name = str(place)
        items.append(ItemResult(framework, "", name, "", raw_counts, 0, 0, True, False))
    return Result(Mrp(), system=system, items=items, pairs=len(items))


def corpus(seed: int, size: int, skill: float) -> list[tuple[int, int, int]]:
    """Units of ten gold edges, found with a chance that varies by unit."""
    draw = np.random.default_rng(seed)
    ease = draw.beta(6, 3, size)
    found = draw.binomial(10, np.clip(ease * skill, 0, 1))
    return [(10, 10, int(each)) for each in found]


def compared(*systems: Counts, **settings: Any) -> Comparison:
    named = zip("abcdefgh", systems, strict=False)
    return compare_results([result(each, name) for name, each in named], **settings)


def test_draws_are_fixed_by_the_words_of_the_generator() -> None:
    [block] = resamples(5, 3, seed=7)
    words = np.random.PCG64(7).random_raw(9)
    halves = [half for word in words.tolist() for half in (word % 2**32, word >> 32)]
    rows = [halves[6 * k : 6 * k + 5] for k in range(3)]
    assert block.tolist() == [[half * 5 >> 32 for half in row] for row in rows]
    [often] = weights(5, 3, seed=7)
    drawn = block.tolist()
    assert often.tolist() == [[row.count(unit) for unit in range(5)] for row in drawn]
    [swaps] = assignments(70, 40, seed=7)
    # The lowest bit of the first word comes first; a row begins with a word.
    seeds = np.random.SeedSequence(7, spawn_key=(1,))
    words = np.random.PCG64(seeds).random_raw(80)
    bits = [word >> place & 1 for word in words.tolist() for place in range(64)]
    assert swaps.tolist() == [bits[128 * k : 128 * k + 70] for k in range(40)]


def test_every_unit_is_drawn_as_often_as_the_others() -> None:
    often = np.concatenate(list(weights(7, 7000, seed=3))).sum(axis=0)
    assert scipy.stats.chisquare(often).pvalue > 1e-3


def test_p_is_that_of_all_assignments() -> None:
    one, two = corpus(1, 10, 0.9), corpus(2, 10, 0.8)
    [pair] = compared(one, two).pairs
    observed = abs(sum(m for *_, m in one) - sum(m for *_, m in two))
    gaps = [a[2] - b[2] for a, b in zip(one, two, strict=True)]
    reached = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True))) >= observed
        for signs in itertools.product((1, -1), repeat=10)
    ]
    assert pair.p == sum(reached) / 1024
    assert pair.difference == pytest.approx(
        (sum(m for *_, m in one) - sum(m for *_, m in two)) / 100
    )
    assert (pair.wins, pair.ties, pair.losses) == (
        sum(gap > 0 for gap in gaps),
        sum(gap == 0 for gap in gaps),
        sum(gap < 0 for gap in gaps),
    )


def test_p_and_intervals_come_close_to_those_of_scipy() -> None:
    one, two = corpus(1, 60, 0.9), corpus(2, 60, 0.85)
    found = compared(one, two, samples=4000)
    gaps = np.array([a[2] - b[2] for a, b in zip(one, two, strict=True)]) / 10
    theirs = scipy.stats.permutation_test(
        (gaps,),
        np.mean,
        permutation_type="samples",
        n_resamples=4000,
        vectorized=True,
        random_state=np.random.default_rng(1),
    )
    [pair] = found.pairs
    assert pair.p is not None
    assert pair.p == pytest.approx(theirs.pvalue, abs=0.04)
    of_difference = scipy.stats.bootstrap(
        (gaps,),
        np.mean,
        n_resamples=4000,
        method="percentile",
        random_state=np.random.default_rng(1),
    ).confidence_interval
    assert (pair.low, pair.high) == pytest.approx(tuple(of_difference), abs=0.01)
    for system, counts in zip(found.systems, (one, two), strict=True):
        shares = np.array([m / 10 for *_, m in counts])
        for method, ends in (
            ("percentile", (system.low, system.high)),
            ("BCa", (system.bca_low, system.bca_high)),
        ):
            scipys = scipy.stats.bootstrap(
                (shares,),
                np.mean,
                n_resamples=4000,
                method=method,
                random_state=np.random.default_rng(1),
            ).confidence_interval
            assert ends == pytest.approx(tuple(scipys), abs=0.01)


def test_holm_is_holm() -> None:
    # Holm (1979): the smallest is held to alpha / n, the next to alpha / (n - 1).
    assert adjusted([0.01, 0.02, None, 0.5]) == [0.03, 0.04, None, 0.5]
    assert adjusted([0.9, 0.8]) == [1.0, 1.0]
    assert adjusted([]) == []


def test_ranks_share_places_and_error_rates_rank_downwards() -> None:
    scores = np.array([[0.3], [0.5], [0.3], [math.nan]])
    assert ranks_of(scores).ravel().tolist() == [2, 1, 2, 4]
    assert ranks_of(scores, lowest_best=True).ravel().tolist() == [1, 3, 1, 4]


def test_clusters_part_where_all_above_beat_all_below() -> None:
    assert clusters([0, 1, 2], {(0, 2)}) == [[0, 1, 2]]
    assert clusters([0, 1, 2], {(0, 2), (1, 2)}) == [[0, 1], [2]]
    assert clusters([], set()) == []


def test_what_differs_is_ranked_and_what_does_not_is_one_cluster() -> None:
    good, same, bad = (corpus(4, 200, skill) for skill in (0.95, 0.95, 0.6))
    found = compared(bad, good, same, samples=2000)
    assert [each.rank for each in found.systems] == [3, 1, 1]
    assert (found.systems[0].rank_low, found.systems[0].rank_high) == (3, 3)
    assert found.clusters == (("b", "c"), ("a",))
    assert [(each.a, each.b) for each in found.pairs] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    # No assignment reaches the difference; the one observed counts as well.
    assert found.pairs[0].p == 1 / 2001
    assert found.pairs[2].p == 1.0
    assert found.pairs[2].difference == 0.0
    assert found.pairs[2].effect is None


def test_few_units_are_noted_and_one_gives_no_test() -> None:
    few = compared(corpus(1, 5, 0.9), corpus(2, 5, 0.8), samples=50)
    assert any("only 5 items" in note for note in few.notes)
    one = compared(corpus(1, 1, 0.9), corpus(2, 1, 0.8), samples=50)
    assert one.systems[0].low is None
    assert one.pairs[0].p is None
    assert one.pairs[0].difference is not None
    assert any("1 item" in note for note in one.notes)


def test_equal_seeds_give_equal_scores_and_others_others() -> None:
    sides = corpus(1, 40, 0.9), corpus(2, 40, 0.8)
    first = compared(*sides, samples=300, seed=9).to_dict()
    assert compared(*sides, samples=300, seed=9).to_dict() == first
    assert compared(*sides, samples=300, seed=8).to_dict() != first


def test_intervals_cover_and_tests_keep_their_level() -> None:
    """95 % intervals hold the truth, and 5 % tests are wrong, as often as they say.

    Two systems of equal skill on 1,000 corpora of 150 sentences.  The chance that a
    covering share of 0.95 lies outside of 0.93 to 0.97 is under one in 200.
    """
    ease = 6 / 9
    covered = wrong = 0
    for seed in range(1000):
        one, two = corpus(seed, 150, 0.9), corpus(10_000 + seed, 150, 0.9)
        found = compared(one, two, samples=300, seed=seed)
        system = found.systems[0]
        assert system.bca_low is not None
        assert system.bca_high is not None
        covered += system.bca_low <= 0.9 * ease <= system.bca_high
        [pair] = found.pairs
        assert pair.p is not None
        wrong += pair.p <= 0.05
    assert 930 <= covered <= 970
    assert 30 <= wrong <= 70


@pytest.mark.parametrize("over", [("item",), ("framework", "item"), ("framework",)])
@pytest.mark.parametrize("requested", ["macro", "macro.edges.recall", "macro.nodes.f1"])
def test_means_over_units_are_those_of_results(
    over: tuple[str, ...], requested: str, sample: Path
) -> None:
    files = [str(sample / f"{name}.mrp") for name in ("gold", "alder", "birch")]
    results = [score(files[0], each, "mrp") for each in files[1:]]
    found = compare_results(results, requested, over=over, samples=60)
    for system, each in zip(found.systems, results, strict=True):
        assert system.value == pytest.approx(score_in(each, requested, over), abs=1e-12)
        assert system.low is not None
        assert system.high is not None
        assert system.value is not None
        assert system.low < system.value < system.high


ENTITIES = "ner/gold.iob2", "ner/tagger.iob2"
CHAINS = "coreference/key.conll", "coreference/response.conll"
TREES = "dependencies/gold.conllu", "dependencies/parser.conllu"


@pytest.mark.parametrize(
    ("sides", "metric", "scores"),
    [
        (("gold.mrp", "birch.mrp"), "mrp", ("", "edges.f1", "macro", "macro.edges")),
        (("gold.mrp", "birch.mrp"), "smatch", ("", "recall")),
        (ENTITIES, "ner", ("", "macro.strict.f1")),
        (ENTITIES, "ser", ("",)),
        (CHAINS, "ceafe", ("", "precision", "macro")),
        (CHAINS, "conll", ("",)),
        (TREES, "las", ("", "macro")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_scores_of_samples_are_computed_together(
    sides: tuple[str, str],
    metric: str,
    scores: tuple[str, ...],
    sample: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All samples at once, but for a few that answer a question unlike the others."""
    options = Options(per_item=True, parts=True)
    scored = score(*(str(sample / name) for name in sides), metric, options=options)
    alone: list[int] = []

    def counted(function: Any, raw_counts: Any, chosen: Any, *rest: Any) -> None:
        alone.append(len(chosen))
        one_by_one(function, raw_counts, chosen, *rest)

    one_by_one = vectorized_counts._one_by_one
    monkeypatch.setattr(vectorized_counts, "_one_by_one", counted)
    for requested in scores:
        alone.clear()
        compare_results([scored, scored], requested, samples=1000)
        assert sum(alone) < 200, requested


def test_a_user_metric_without_columns_is_computed_one_by_one() -> None:
    class Rooted(Mrp):
        leading = "rooted"

        def scores(self, raw_counts: Any) -> Scores:
            found = super().scores(raw_counts)
            rooted = math.sqrt(found.counts["all"].f1)
            return Scores(found.counts, {"rooted": rooted})

    results = [result(corpus(k, 30, 0.9), name) for k, name in enumerate("ab")]
    plain = compare_results(results, samples=100)
    for each in results:
        each.metric = Rooted()
    rooted = compare_results(results, samples=100)
    for one, two in zip(plain.systems, rooted.systems, strict=True):
        assert one.low is not None
        assert two.low == pytest.approx(math.sqrt(one.low), abs=1e-3)


def test_equal_differences_have_no_effect() -> None:
    """Their standard deviation is nothing but rounding."""
    before = result([(10, 10, matched) for matched in range(1, 8)], "a")
    after = result([(10, 10, matched + 1) for matched in range(1, 8)], "b")
    [pair] = compare_results([before, after], samples=20).pairs
    assert pair.losses == 7
    assert pair.effect is None
