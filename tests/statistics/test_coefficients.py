"""Agreement beyond chance: worked examples of the papers, and the slow definitions."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

from graphscore.statistics.coefficients import (
    alpha_samples,
    cohen_kappa,
    cohen_samples,
    fleiss_kappa,
    fleiss_samples,
    krippendorff_alpha,
)
from graphscore.statistics.draws import resamples, weights

# Four observers, twelve units (Krippendorff 2011, example C); 0 is missing.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
]
UNITS = [[label or None for label in unit] for unit in zip(*OBSERVERS, strict=True)]

# Fourteen raters, ten subjects, five categories.
FOURTEEN = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
SUBJECTS = [
    [category for category, count in enumerate(row) for _ in range(count)]
    for row in FOURTEEN
]


def test_alpha_of_the_paper_for_four_observers():
    """0.743 nominal, 0.849 interval: the figures of the paper."""
    assert round(krippendorff_alpha(UNITS), 3) == 0.743
    squared = krippendorff_alpha(UNITS, lambda a, b: (a - b) ** 2)
    assert round(squared, 3) == 0.849


def test_alpha_of_three_observers_with_missing_values():
    """0.691 nominal, 0.811 interval: three coders, fifteen units, many missing."""
    coders = [
        "* * * * * 3 4 1 2 1 1 3 3 * 3",
        "1 * 2 1 3 3 4 3 * * * * * * *",
        "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
    ]
    rows = [[None if each == "*" else int(each) for each in c.split()] for c in coders]
    units = list(zip(*rows, strict=True))
    assert round(krippendorff_alpha(units), 3) == 0.691
    assert round(krippendorff_alpha(units, lambda a, b: (a - b) ** 2), 3) == 0.811


def test_alpha_of_the_paper_for_two_observers():
    """Examples A (binary, 0.095) and B (nominal, 0.692) of the paper."""
    binary = zip("0100000000", "1110010010", strict=True)
    nominal = zip("aabbdcccedda", "babbbccceddd", strict=True)
    assert round(krippendorff_alpha([*binary]), 3) == 0.095
    assert round(krippendorff_alpha([*nominal]), 3) == 0.692


def test_kappa_of_fourteen_raters():
    """Fourteen raters, ten subjects, five categories: 0.210."""
    assert round(fleiss_kappa(SUBJECTS), 3) == 0.210


def test_kappa_of_the_paper_for_two_judges():
    """Two judges, 200 cases, three categories (Cohen 1960): 0.492."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    pairs = [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    first, second = zip(*pairs, strict=True)
    assert round(cohen_kappa(first, second), 3) == 0.492


def slow_alpha(units, distance):
    """By the definition: mean distance within units over that among all labels."""
    units = [[x for x in unit if x is not None] for unit in units]
    units = [unit for unit in units if len(unit) > 1]
    every = [x for unit in units for x in unit]
    found = sum(
        distance(a, b) / (len(unit) - 1)
        for unit in units
        for a, b in permutations(unit, 2)
    )
    expected = sum(distance(a, b) for a, b in permutations(every, 2))
    return 1 - found / (expected / (len(every) - 1))


def slow_cohen(pairs):
    pairs = [pair for pair in pairs if None not in pair]
    first, second = zip(*pairs, strict=True)
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    chance = (
        sum(first.count(label) * second.count(label) for label in set(first))
        / len(pairs) ** 2
    )
    return (agreed - chance) / (1 - chance)


def made_up(seed, raters, missing):
    """Units whose labels often agree."""
    rng = random.Random(seed)
    units = []
    for _ in range(30):
        true = rng.choice("abcd")
        labels = [
            true if rng.random() < 0.6 else rng.choice("abcd") for _ in range(raters)
        ]
        units.append([None if rng.random() < missing else label for label in labels])
    return units


@pytest.mark.parametrize("seed", range(5))
def test_coefficients_of_samples_are_those_of_the_definitions(seed):
    """What all samples give at once is what each drawn sample gives by itself."""
    units = made_up(seed, 4, 0.3)
    two = made_up(seed, 2, 0.1)
    draws = [row.tolist() for block in resamples(30, 6, seed) for row in block]

    def often():
        return weights(30, 6, seed)

    def apart(a, b):
        return abs(ord(a) - ord(b)) ** 0.5

    nominal, graded = (
        alpha_samples(units, often()),
        alpha_samples(units, often(), apart),
    )
    cohen = cohen_samples(*zip(*two, strict=True), often())
    fleiss = fleiss_samples(two, often())
    for place, draw in enumerate(draws):
        drawn = [units[number] for number in draw]
        assert nominal[place] == pytest.approx(slow_alpha(drawn, lambda a, b: a != b))
        assert graded[place] == pytest.approx(slow_alpha(drawn, apart))
        pairs = [two[number] for number in draw]
        assert cohen[place] == pytest.approx(slow_cohen(pairs))
        # With two raters it is Scott's pi: kappa with the labels of both pooled.
        whole = [pair for pair in pairs if None not in pair]
        assert fleiss[place] == pytest.approx(
            slow_cohen(whole + [p[::-1] for p in whole])
        )


def test_chance_that_explains_everything_gives_no_number():
    """One label everywhere, or nothing to compare."""
    same = [["a", "a"], ["a", "a"]]
    assert math.isnan(krippendorff_alpha(same))
    assert math.isnan(fleiss_kappa(same))
    assert math.isnan(cohen_kappa("aa", "aa"))
    assert math.isnan(krippendorff_alpha([["a", None], [None, "b"]]))
    assert all(map(math.isnan, (krippendorff_alpha([]), cohen_kappa([], []))))


def test_wrong_ratings_are_refused():
    """Sides of other units, numbers of raters that differ, strange distances."""
    with pytest.raises(ValueError, match="labels of 2 and 1 units, expected the same"):
        cohen_kappa("ab", "a")
    with pytest.raises(ValueError, match="units of 2 and 3 labels, expected as many"):
        fleiss_kappa([["a", "b"], ["a", "b", "b"]])
    with pytest.raises(ValueError, match="distance -1 of 'a' from 'b', expected 0 or"):
        krippendorff_alpha([["a", "b"]], lambda a, b: 0 if a == b else -1)
    with pytest.raises(ValueError, match="distance 1 of 'a' from 'a', expected 0"):
        krippendorff_alpha([["a", "b"]], lambda a, b: 1)
    with pytest.raises(ValueError, match="from 'a', expected the same"):
        krippendorff_alpha([["a", "b"]], lambda a, b: float(a > b))
