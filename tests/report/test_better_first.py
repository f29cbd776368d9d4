"""The better system of a pair stands first in tables."""

import pytest

from graphscore.report.comparison import _better_first
from graphscore.statistics.comparison import PairTest


@pytest.mark.parametrize(
    ("difference", "lowest_best", "first", "shown"),
    [
        (0.2, False, "a", (0.2, 0.1, 0.3)),
        (-0.2, False, "b", (0.2, 0.1, 0.3)),
        (-0.2, True, "a", (0.2, 0.1, 0.3)),
        (0.2, True, "b", (0.2, 0.1, 0.3)),
    ],
)
def test_the_better_system_is_first_by_a_positive_difference(
    difference: float, lowest_best: bool, first: str, shown: tuple[float, ...]
) -> None:
    low, high = sorted((difference / 2, difference * 1.5))
    wins = 5 if (difference < 0) == lowest_best else 1
    pair = PairTest(
        "a", "b", difference, low, high, 0.01, 0.01, wins, 0, 6 - wins, difference
    )
    turned = _better_first(pair, lowest_best)
    assert turned.a == first
    assert turned[2:5] == pytest.approx(shown)
    assert (turned.wins, turned.losses) == (5, 1)
    assert turned.effect == pytest.approx(0.2)


def test_what_is_undefined_stays() -> None:
    pair = PairTest("a", "b", None, None, None, None, None, 0, 0, 0, None)
    assert _better_first(pair, False) == pair
