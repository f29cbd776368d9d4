"""The values of a sweep are exact, and every mistake in one is named."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.evaluation.tasks import families
from graphscore.exceptions import UsageError
from graphscore.metrics.registry import parse
from graphscore.metrics.sweep import MOST, Point, swept

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


def names(metric: str, text: str) -> list[str]:
    return list(map(str, swept([parse(metric)], text)))


def values(text: str) -> list[float]:
    return [point.value for point in swept([parse("ser")], f"type={text}").values()]


def test_a_range_has_exact_values_and_its_end() -> None:
    assert names("ner", "overlap=0:1:0.1") == [
        "ner",
        *(f"ner(overlap=0.{n})" for n in range(1, 10)),
        "ner(overlap=1.0)",
    ]
    found = swept([parse("ner")], "overlap=0:1:0.1")
    assert [*found] == [parse(f"ner(overlap={n / 10})") for n in range(11)]
    assert [*found.values()] == [Point("ner", "overlap", n / 10) for n in range(11)]


def test_an_end_that_no_step_reaches_is_no_value() -> None:
    assert values("0:1:0.4") == [0, 0.4, 0.8]
    assert values("1:1:5") == [1]
    assert values("1e-1:.3:0.1") == [0.1, 0.2, 0.3]


@given(
    start=st.integers(0, 10**6),
    steps=st.integers(0, 30),
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
    scale = 10**places
    expected = [float(Fraction(start + n * step, scale)) for n in range(steps + 1)]
    assert values(written) == expected
    found = swept([parse("ser")], f"type={written}")
    assert [metric.type for metric in found] == expected


def test_a_list_keeps_its_order_and_each_value_once() -> None:
    assert values(" 1, 0.25,1.0 ,0.250,3e-1") == [1, 0.25, 0.3]


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
        ("alpha=0:1e20:1", "too many values, at most 1000"),
        ("alpha=0:1e999:1e-999", "values of more than 60 digits, or too many of them"),
        ("alpha=1:1e-70:1", "1E-70 is below 1"),
        ("alpha=1:2:1e-70", "values of more than 60 digits, or too many of them"),
        ("alpha=1e30:2e30:1e-31", "values of more than 60 digits"),
        (f"alpha={','.join(map(str, range(1001)))}", "1001 values, at most 1000"),
        ("alpha=0:nan:0.1", "'nan' is not a number"),
        ("alpha=0,inf", "'inf' is not a number"),
        ("alpha=0,,1", "'' is not a number"),
        ("alpha=0,1_0", "'1_0' is not a number"),
        ("alpha=0,٣", "is not a number"),
        ("alpha=0,half", "'half' is not a number"),
    ],
)
def test_what_is_no_sweep_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        swept([parse("ner")], text)


def test_a_thousand_values_are_allowed() -> None:
    assert len(values("0.001:1:0.001")) == MOST


@pytest.mark.parametrize(
    ("metric", "text", "message"),
    [
        ("ner", "alpha=0,1", "ner has no parameter 'alpha'; it has: repair, scheme,"),
        ("las", "alpha=0,1", "las has no parameter 'alpha'"),
        ("ner", "scheme=0,1", "ner: scheme is not a number"),
        ("ner", "overlap=0,2", r"ner.*overlap=2"),
        ("mrp", "limit=1", "mrp has no parameter 'limit'"),
        ("rules:default", "file=1", "rules:default: file is not a number"),
        ("f1(match(nodes(), exact(label)))", "a=1", "has no parameter 'a'; it has: no"),
    ],
)
def test_what_a_metric_does_not_take_is_refused(
    metric: str, text: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        swept([parse(metric)], text)


def test_metrics_of_ones_own_are_swept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(USERS)
    monkeypatch.chdir(tmp_path)
    made = swept([parse("mine.py:Mine(overlap=0.5)")], "size=2:4:1")
    assert [*map(str, made)] == [
        "mine.py:Mine(overlap=0.5)",
        "mine.py:Mine(overlap=0.5,size=3)",
        "mine.py:Mine(overlap=0.5,size=4)",
    ]
    assert {point.metric for point in made.values()} == {"mine.py:Mine(overlap=0.5)"}
    assert [*made] == [*map(parse, map(str, made))]
    with pytest.raises(UsageError, match=r"size=2\.5, expected int"):
        names("mine.py:Mine", "size=2.5")
    assert names("mine.py:Mine", "step=4,1.0") == [
        "mine.py:Mine(step=4)",
        "mine.py:Mine",
    ]
    with pytest.raises(UsageError, match="step=3, expected one of: 1, 2, 4"):
        names("mine.py:Mine", "step=3")
    with pytest.raises(UsageError, match="is not a class and has no parameters"):
        names("mine.py:ready", "overlap=0,1")


def test_graphs_are_prepared_once_for_all_values() -> None:
    several = [*swept([parse("ner")], "overlap=0:1:0.1")]
    assert families(several) == [list(range(11))]
    strict = swept([parse("ner(repair=strict)")], "overlap=0,1")
    assert families([*several[:2], *strict]) == [[0, 1], [2, 3]]


def test_what_is_swept_over_is_of_no_account_before() -> None:
    made = swept([parse("ner(overlap=0.7,duplicates=set)")], "overlap=0,1")
    assert [point.metric for point in made.values()] == ["ner(duplicates=set)"] * 2
    assert made == swept([parse("ner(duplicates=set)")], "overlap=0,1")


def test_several_metrics_are_swept_one_after_the_other() -> None:
    several = [parse("ner"), parse("ser"), parse("ner(overlap=0.5)")]
    with pytest.raises(UsageError, match="ser has no parameter 'overlap'"):
        swept(several, "overlap=0,1")
    found = swept([several[0], parse("ner(duplicates=set)"), several[2]], "overlap=0,1")
    assert [*map(str, found)] == [
        *("ner", "ner(overlap=1.0)"),
        *("ner(duplicates=set)", "ner(overlap=1.0,duplicates=set)"),
    ]
