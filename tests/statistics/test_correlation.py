"""Correlations, against scipy, and tables of outcomes, good and bad."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from graphscore.errors import InputError
from graphscore.statistics.correlation import (
    OutcomeKey,
    correlate,
    kendall,
    pearson,
    ranks,
    read_outcomes,
    spearman,
)
from tests.statistics.test_statistics import result

values = st.one_of(
    st.integers(0, 4).map(float),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3)),
)
two_lists = st.lists(st.tuples(values, values), min_size=2, max_size=40)


@given(two_lists)
def test_correlations_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    if len(set(first)) == 1 or len(set(second)) == 1:
        for function in (pearson, spearman, kendall):
            assert math.isnan(function(first, second))
        return
    close = {"rel": 1e-7, "abs": 1e-7}
    assert kendall(first, second) == scipy.stats.kendalltau(first, second).statistic
    expected = scipy.stats.spearmanr(first, second).statistic
    assert spearman(first, second) == pytest.approx(expected, **close)
    expected = scipy.stats.pearsonr(first, second).statistic
    assert pearson(first, second) == pytest.approx(expected, **close)
    assert ranks(first).tolist() == scipy.stats.rankdata(first).tolist()


@pytest.mark.parametrize("size", [2, 3, 50, 199, 200, 201, 1000])
def test_kendall_of_larger_samples_with_ties(size: int) -> None:
    draw = np.random.default_rng(size)
    first = draw.integers(0, max(2, size // 4), size)
    second = first + draw.integers(0, max(2, size // 3), size)
    first[0], first[1], second[0], second[1] = 0, 1, 0, 1
    expected = scipy.stats.kendalltau(first, second).statistic
    assert kendall(first, second) == expected


@pytest.mark.parametrize("strange", [math.inf, -math.inf, math.nan])
def test_kendall_of_what_is_no_number_is_that_of_scipy(strange: float) -> None:
    first, second = [0.0, strange, 1.0, 2.0], [1.0, 3.0, strange, 2.0]
    expected = scipy.stats.kendalltau(first, second).statistic
    assert kendall(first, second) == pytest.approx(expected, nan_ok=True)


@given(two_lists)
def test_ranks_alone_matter_to_rank_correlations(
    pairs: list[tuple[float, float]],
) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    stretched = ranks(second) ** 3
    for function in (spearman, kendall):
        one, two = function(first, second), function(first, stretched)
        assert (math.isnan(one) and math.isnan(two)) or one == two
        assert function(second, first) == pytest.approx(one, nan_ok=True)


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_too_few_values_have_no_correlation(function: object) -> None:
    assert math.isnan(function([], []))  # type: ignore[operator]
    assert math.isnan(function([1.0], [2.0]))  # type: ignore[operator]


def write(folder: Path, text: str | bytes) -> str:
    path = folder / "items.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_outcomes_are_read_with_what_they_belong_to(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "\ufeffItem,Framework, value,note\r\n1,dm,0.5,ok\r\n\r\n"
        "1,psd,-2e1,\r\n2,,7,\r\n",
    )
    assert read_outcomes(path) == {
        OutcomeKey("1", "dm", ""): 0.5,
        OutcomeKey("1", "psd", ""): -20.0,
        OutcomeKey("2", "", ""): 7.0,
    }
    tabs = write(tmp_path, "item\tsystem\tF\na,b\tone\t1\n")
    assert read_outcomes(tabs, "F") == {OutcomeKey("a,b", "", "one"): 1.0}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", [":1: found nothing, expected columns item and value"]),
        ("item,score\n1,2\n", [":1: found item, score, expected columns"]),
        ("item,value,item\n1,2,3\n", ["each once"]),
        ("item,value\n", ["found no outcome"]),
        (
            "item,value\n1,x\n2,nan\n3\n4,1_0\n5,1\n5,2\n",
            [
                ":2: value: found 'x', expected a finite number",
                ":3: value: found 'nan'",
                ":4: found 1 cells, expected 2",
                ":5: value: found '1_0'",
                ":7: item: found '5' again, first in line 6",
            ],
        ),
        (b"item,value\n\xff,1\n", ["UTF-8"]),
    ],
)
def test_everything_wrong_with_a_table_is_told(
    tmp_path: Path, text: str | bytes, told: list[str]
) -> None:
    with pytest.raises(InputError) as caught:
        read_outcomes(write(tmp_path, text))
    for each in told:
        assert each in str(caught.value)
    assert len(caught.value.problems) == len(told)


def test_scores_meet_the_outcomes_of_their_items() -> None:
    scored = result([(4, 4, 1), (4, 4, 2), (4, 4, 3), (4, 4, 4)], "peking")
    outcomes = {
        OutcomeKey("0", "", ""): 1.0,
        OutcomeKey("1", "x", "peking"): 3.0,
        OutcomeKey("1", "x", ""): 90.0,
        OutcomeKey("2", "", "peking"): 2.0,
        OutcomeKey("2", "", ""): 90.0,
        OutcomeKey("3", "dm", ""): 1.0,
        OutcomeKey("9", "", ""): 1.0,
    }
    found = correlate(scored, outcomes)
    [row] = found.rows
    assert (row.framework, row.n, row.without_outcome) == ("x", 3, 1)
    assert row.spearman == pytest.approx(0.5)
    assert row.kendall == pytest.approx(1 / 3)
    assert len(found.used) == 3
    other = correlate(scored, outcomes, system="other").rows[0]
    assert other.spearman == pytest.approx(math.sqrt(0.75))
    recall = correlate(scored, outcomes, "edges.recall").rows[0]
    assert recall.pearson == pytest.approx(row.pearson)
