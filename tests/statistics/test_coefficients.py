"""Agreement beyond chance: worked examples of the papers, and the slow definitions."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

from graphscore.statistics.coefficients import (
    Groups,
    alpha_samples,
    cohen_kappa,
    cohen_samples,
    fleiss_kappa,
    fleiss_samples,
    krippendorff_alpha,
)
from graphscore.statistics.sampling import resamples, weights

# Four observers, twelve units (Krippendorff 2011, example C); 0 is missing.  The same
# data are the example of kripp.alpha of the R package irr ("the C data").
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
]
UNITS = [[label or None for label in unit] for unit in zip(*OBSERVERS, strict=True)]

# Fourteen raters, ten subjects, five categories: the worked example of the Wikipedia
# article on Fleiss' kappa, which test_inter_rater.py of statsmodels has too.
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
    """0.743 in the paper; krippendorff 0.9.0 (Python) gives 0.743421052631579."""
    assert krippendorff_alpha(UNITS) == pytest.approx(0.743421052631579)


def test_alpha_of_three_observers_with_missing_values():
    """0.691: the example of the Wikipedia article.

    krippendorff 0.9.0 (Python) has it in its documentation, 0.691358.
    """
    coders = [
        "* * * * * 3 4 1 2 1 1 3 3 * 3",
        "1 * 2 1 3 3 4 3 * * * * * * *",
        "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
    ]
    rows = [[None if each == "*" else int(each) for each in c.split()] for c in coders]
    units = list(zip(*rows, strict=True))
    assert round(krippendorff_alpha(units), 6) == 0.691358


def test_alpha_of_the_paper_for_two_observers():
    """Examples A (binary, 0.095) and B (nominal, 0.692) of the paper.

    krippendorff 0.9.0 gives 0.09523809523809534 and 0.6919642857142858.
    """
    binary = zip("0100000000", "1110010010", strict=True)
    nominal = zip("aabbdcccedda", "babbbccceddd", strict=True)
    assert krippendorff_alpha([*binary]) == pytest.approx(0.09523809523809534)
    assert krippendorff_alpha([*nominal]) == pytest.approx(0.6919642857142858)


def test_kappa_of_fourteen_raters():
    """0.210 in the article; statsmodels 0.15.0 gives 0.20993070442195522."""
    assert fleiss_kappa(SUBJECTS) == pytest.approx(0.20993070442195522)


def test_kappa_of_the_paper_for_two_judges():
    """Two judges, 200 cases, three categories (Cohen 1960, table 2b, page 45): 0.492.

    The table is that of cohenskappa.m of thomaspingel/cohens-kappa-matlab too;
    statsmodels 0.15.0 gives 0.49152542372881347.
    """
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    pairs = [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    first, second = zip(*pairs, strict=True)
    assert cohen_kappa(first, second) == pytest.approx(0.49152542372881347)


def slow_alpha(units):
    """By the definition: mean distance within units over that among all labels."""
    units = [[x for x in unit if x is not None] for unit in units]
    units = [unit for unit in units if len(unit) > 1]
    every = [x for unit in units for x in unit]
    found = sum(
        (a != b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    )
    expected = sum(a != b for a, b in permutations(every, 2))
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

    alpha = alpha_samples(units, often())
    cohen = cohen_samples(*zip(*two, strict=True), often())
    fleiss = fleiss_samples(two, often())
    for place, draw in enumerate(draws):
        drawn = [units[number] for number in draw]
        assert alpha[place] == pytest.approx(slow_alpha(drawn))
        pairs = [two[number] for number in draw]
        assert cohen[place] == pytest.approx(slow_cohen(pairs))
        # With two raters it is Scott's pi: kappa with the labels of both pooled.
        whole = [pair for pair in pairs if None not in pair]
        assert fleiss[place] == pytest.approx(
            slow_cohen(whole + [p[::-1] for p in whole])
        )


@pytest.mark.parametrize("seed", range(3))
def test_groups_are_drawn_whole(seed):
    """A sample of sentences is that of all their words."""
    words = made_up(seed, 3, 0.2)
    of = [number // 7 for number in range(30)]
    groups = Groups(of, 6)
    both = [unit[:2] for unit in words]
    found = [
        alpha_samples(words, weights(6, 5, seed), groups),
        cohen_samples(*zip(*both, strict=True), weights(6, 5, seed), groups),
        fleiss_samples(both, weights(6, 5, seed), groups),
    ]
    for place, row in enumerate(row for b in resamples(6, 5, seed) for row in b):
        chosen = [w for g in row.tolist() for w in range(30) if of[w] == g]
        units, pairs = [words[w] for w in chosen], [both[w] for w in chosen]
        expected = [
            krippendorff_alpha(units),
            cohen_kappa(*zip(*pairs, strict=True)),
            fleiss_kappa(pairs),
        ]
        assert [each[place] for each in found] == pytest.approx(expected)


def test_chance_that_explains_everything_gives_no_number():
    """One label everywhere, or nothing to compare."""
    same = [["a", "a"], ["a", "a"]]
    assert math.isnan(krippendorff_alpha(same))
    assert math.isnan(fleiss_kappa(same))
    assert math.isnan(cohen_kappa("aa", "aa"))
    assert math.isnan(krippendorff_alpha([["a", None], [None, "b"]]))
    assert all(map(math.isnan, (krippendorff_alpha([]), cohen_kappa([], []))))


def test_wrong_ratings_are_refused():
    """Sides of other units, numbers of raters that differ."""
    with pytest.raises(ValueError, match="labels of 2 and 1 units, expected the same"):
        cohen_kappa("ab", "a")
    with pytest.raises(ValueError, match="units of 2 and 3 labels, expected as many"):
        fleiss_kappa([["a", "b"], ["a", "b", "b"]])
