"""The values of a sweep are exact, and every mistake in one is named."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.errors import UsageError
from graphscore.evaluation.tasks import families
from graphscore.metrics.registry import parse
from graphscore.metrics.sweep import MOST, sweep_of, swept

USERS = """
from dataclasses import dataclass
from typing import ClassVar, Literal

from graphscore.metrics.entities.ner import Ner

@dataclass(frozen=True)
class Mine(Ner):
    name: ClassVar[str] = "mine"
    size: int = 2
    step: Literal[1, 2, 4] = 1

ready = Ner(overlap=0.5)
"""


def values(text: str) -> list[str]:
    return [f"{each:f}" for each in sweep_of(text).values]


def test_a_range_has_exact_values_and_its_end() -> None:
    assert values("alpha=0:1:0.1") == [
        *("0.0", "0.1", "0.2", "0.3", "0.4", "0.5"),
        *("0.6", "0.7", "0.8", "0.9", "1.0"),
    ]
    made = swept(parse("ner"), sweep_of("overlap=0:1:0.1"))
    assert made.values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert str(made.metrics[3]) == "ner(overlap=0.3)"
    assert made.metrics[0] == parse("ner")


def test_an_end_that_no_step_reaches_is_no_value() -> None:
    assert values("a=0:1:0.4") == ["0.0", "0.4", "0.8"]
    assert values("a=1:1:5") == ["1"]
    assert values("a=-1e-1:.1:0.1") == ["-0.1", "0.0", "0.1"]


@given(
    start=st.integers(-(10**6), 10**6),
    steps=st.integers(0, MOST - 1),
    step=st.integers(1, 10**6),
    places=st.integers(0, 9),
    short=st.fractions(0, 1),
)
def test_a_range_is_that_of_fractions(
    start: int, steps: int, step: int, places: int, short: Fraction
) -> None:
    """The oracle counts in whole numbers of the last decimal."""
    more = int(short * step) if short < 1 else 0
    parts = (start, start + steps * step + more, step)
    written = ":".join(f"{Decimal(part).scaleb(-places):f}" for part in parts)
    found = sweep_of(f"a={written}").values
    scale = 10**places
    assert [Fraction(each) for each in found] == [
        Fraction(start + number * step, scale) for number in range(steps + 1)
    ]


def test_a_list_keeps_its_order_and_each_value_once() -> None:
    assert values("a= 1, 0.25,1.0 ,0.250,3e-1") == ["1", "0.25", "0.3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alpha", "expected PARAMETER=START:STOP:STEP"),
        ("=0:1:0.1", "expected PARAMETER=START:STOP:STEP"),
        ("alpha=", "expected PARAMETER=START:STOP:STEP"),
        ("alpha=0:1", "expected PARAMETER=START:STOP:STEP"),
        ("alpha=0:1:0.1:2", "expected PARAMETER=START:STOP:STEP"),
        ("alpha=0:1:0", "step 0, expected more than 0"),
        ("alpha=0:1:-0.1", "step -0.1, expected more than 0"),
        ("alpha=1:0:0.1", "0 is below 1"),
        ("alpha=0:1:0.0001", "10001 values, at most 1000"),
        ("alpha=0:1000:1", "1001 values, at most 1000"),
        ("alpha=0:1e999:1e-999", "too many values"),
        (f"alpha={','.join(map(str, range(1001)))}", "1001 values, at most 1000"),
        ("alpha=0:nan:0.1", "'nan' is no number"),
        ("alpha=0,inf", "'inf' is no number"),
        ("alpha=0,,1", "'' is no number"),
        ("alpha=0,1_0", "'1_0' is no number"),
        ("alpha=0,٣", "is no number"),
        ("alpha=0,half", "'half' is no number"),
    ],
)
def test_what_is_no_sweep_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        sweep_of(text)


def test_a_thousand_values_are_allowed() -> None:
    assert len(sweep_of("a=0.001:1:0.001").values) == MOST


@pytest.mark.parametrize(
    ("metric", "text", "message"),
    [
        ("ner", "alpha=0,1", "ner has no parameter 'alpha'; it has: repair, scheme,"),
        ("las", "alpha=0,1", "las has no parameter 'alpha'"),
        ("ner", "scheme=0,1", "ner: scheme is no number"),
        ("ner", "overlap=0,2", "ner: overlap=2"),
    ],
)
def test_what_a_metric_does_not_take_is_refused(
    metric: str, text: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        swept(parse(metric), sweep_of(text))


def test_metrics_of_ones_own_are_swept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(USERS)
    monkeypatch.chdir(tmp_path)
    made = swept(parse("mine.py:Mine(overlap=0.5)"), sweep_of("size=2:4:1"))
    assert made.base == "mine.py:Mine(overlap=0.5)"
    assert list(map(str, made.metrics)) == [
        "mine.py:Mine(overlap=0.5)",
        "mine.py:Mine(overlap=0.5,size=3)",
        "mine.py:Mine(overlap=0.5,size=4)",
    ]
    assert made.metrics == tuple(map(parse, map(str, made.metrics)))
    with pytest.raises(UsageError, match=r"size=2\.5, expected a whole number"):
        swept(parse("mine.py:Mine"), sweep_of("size=2.5"))
    chosen = swept(parse("mine.py:Mine"), sweep_of("step=4,1.0"))
    assert chosen.values == (4, 1)
    assert [type(value) for value in chosen.values] == [int, int]
    with pytest.raises(UsageError, match="step=3, expected one of: 1, 2, 4"):
        swept(parse("mine.py:Mine"), sweep_of("step=3"))
    with pytest.raises(UsageError, match="no class: it has no parameters"):
        swept(parse("mine.py:ready"), sweep_of("overlap=0,1"))


def test_graphs_are_prepared_once_for_all_values() -> None:
    metrics = swept(parse("ner"), sweep_of("overlap=0:1:0.1")).metrics
    assert families(metrics) == [list(range(11))]
    strict = swept(parse("ner(repair=strict)"), sweep_of("overlap=0,1")).metrics
    assert families([*metrics[:2], *strict]) == [[0, 1], [2, 3]]


def test_what_is_swept_over_is_of_no_account_before() -> None:
    made = swept(parse("ner(overlap=0.7,duplicates=set)"), sweep_of("overlap=0,1"))
    assert made.base == "ner(duplicates=set)"
    assert made == swept(parse("ner(duplicates=set)"), sweep_of("overlap=0,1"))
