"""Agreement beyond chance: kappa of Cohen and Fleiss, alpha of Krippendorff.

Several annotators label the same units; a coefficient is 1 where they always agree and
0 where they agree as often as by chance.  Each is a function of sums over units, so
that any number of bootstrap samples is computed at once.

>>> first = ["yes", "yes", "no", "no"]
>>> second = ["yes", "yes", "no", "yes"]
>>> cohen_kappa(first, second)
0.5
>>> fleiss_kappa(list(zip(first, second)))
0.4666666666666667
>>> krippendorff_alpha([["yes", "yes"], ["no", "no"], ["no", None], ["yes", "yes"]])
1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

Label = Hashable | None
"""Label of a unit by an annotator; ``None`` if not labeled."""

Ratings = Sequence[Sequence[Label]]
"""Labels of all annotators, for every unit."""

Blocks = Iterator[npt.NDArray[Any]]
"""Blocks of shape (samples, units): how often a sample draws each unit, or group."""


class Groups(NamedTuple):
    """Clusters that are sampled instead of single units, such as sentences of words."""

    of: Sequence[int]
    """The group of every unit, from 0."""
    number: int
    """Number of clusters."""


def cohen_kappa(first: Sequence[Label], second: Sequence[Label]) -> float:
    """Cohen's kappa of two annotators (Cohen 1960).

    Args:
        first: what the first says of each unit; ``None`` where nothing.
        second: what the second says of them, in the same order.

    Returns:
        At most 1; units that one of them lacks have no part.  ``nan`` where chance
        alone agrees on everything, or there is no unit.

    Raises:
        ValueError: if they are not of the same units.
    """
    if len(first) != len(second):
        raise ValueError(
            f"found labels of {len(first)} and {len(second)} units, expected the same"
        )
    return float(cohen_samples(first, second, _once(len(first)))[0])


def cohen_samples(
    first: Sequence[Label],
    second: Sequence[Label],
    drawn: Blocks,
    groups: Groups | None = None,
) -> Doubles:
    """Cohen's kappa of every sample.

    Args:
        first: what the first says of each unit.
        second: what the second says of them.
        drawn: how often each sample draws each unit or group.
        groups: of each unit its group, where these are drawn.

    Returns:
        Shape (samples,).
    """
    both = np.array(
        [a is not None and b is not None for a, b in zip(first, second, strict=True)],
        dtype=float,
    )
    known = _known([first, second])
    left, right = (
        _counts([[label] for label in side], known) for side in (first, second)
    )
    left, right = left * both[:, None], right * both[:, None]
    equal = _summed((left * right).sum(axis=1), groups)
    both, left, right = (_summed(label, groups) for label in (both, left, right))

    def kappa(weights: Doubles) -> Doubles:
        units = weights @ both
        chance = ((weights @ left) * (weights @ right)).sum(axis=1)
        return _beyond(weights @ equal * units, chance, units**2)

    return _each(kappa, drawn)


def fleiss_kappa(ratings: Ratings) -> float:
    """Fleiss' kappa of as many annotators of every unit (Fleiss 1971).

    The annotators need not be the same for all units.

    Args:
        ratings: of every unit the labels that it got.

    Returns:
        At most 1; units of which a label is ``None`` have no part.  ``nan`` where
        chance alone agrees on everything, or there is no unit.

    Raises:
        ValueError: if units have different numbers of labels, or only one.
    """
    return float(fleiss_samples(ratings, _once(len(ratings)))[0])


def fleiss_samples(
    ratings: Ratings, drawn: Blocks, groups: Groups | None = None
) -> Doubles:
    """Fleiss' kappa of every sample.

    Args:
        ratings: of every unit the labels that it got.
        drawn: how often each sample draws each unit or group.
        groups: of each unit its group, where these are drawn.

    Returns:
        Shape (samples,).

    Raises:
        ValueError: if units have different numbers of labels, or only one.
    """
    sizes = {len(unit) for unit in ratings}
    if len(sizes) > 1 or sizes & {0, 1}:
        shown = " and ".join(map(str, sorted(sizes)))
        raise ValueError(
            f"found units of {shown} labels, expected as many of each, at least 2"
        )
    raters = max(sizes, default=2)
    whole = np.array([None not in unit for unit in ratings], dtype=float)
    counts = _counts(ratings, _known(ratings)) * whole[:, None]
    equal = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    whole, counts, equal = (_summed(table, groups) for table in (whole, counts, equal))

    def kappa(weights: Doubles) -> Doubles:
        units = weights @ whole
        chance = ((weights @ counts) ** 2).sum(axis=1) / raters**2
        return _beyond(weights @ equal * units, chance, units**2)

    return _each(kappa, drawn)


def krippendorff_alpha(ratings: Ratings) -> float:
    """Krippendorff's alpha of any number of annotators (Krippendorff 2011).

    It is the nominal one: labels are equal or not.

    Args:
        ratings: of every unit what the annotators say of it; ``None`` where nothing.

    Returns:
        At most 1; units with fewer than two labels have no part.  ``nan`` where all
        labels are equal, or no unit has two.

    Example:
        >>> grades = [(1, 1), (2, 3), (3, 3), (1, 2), (3, None)]
        >>> round(krippendorff_alpha(grades), 4)
        0.3333
    """
    return float(alpha_samples(ratings, _once(len(ratings)))[0])


def alpha_samples(
    ratings: Ratings, drawn: Blocks, groups: Groups | None = None
) -> Doubles:
    """Krippendorff's alpha of every sample.

    Args:
        ratings: of every unit what the annotators say of it.
        drawn: how often each sample draws each unit or group.
        groups: of each unit its group, where these are drawn.

    Returns:
        Shape (samples,).
    """
    counts = _counts(ratings, _known(ratings))
    sizes = counts.sum(axis=1)
    counts = counts * (sizes >= 2)[:, None]
    sizes = counts.sum(axis=1)
    others = np.maximum(sizes - 1, 1)
    apart = 1.0 - np.eye(counts.shape[1])
    # A label is never held against itself: its distance from itself is 0.
    result = _summed(((counts @ apart) * counts).sum(axis=1) / others, groups)
    sizes, counts = _summed(sizes, groups), _summed(counts, groups)

    def alpha(weights: Doubles) -> Doubles:
        labels = weights @ sizes
        sums = weights @ counts
        expected = ((sums @ apart) * sums).sum(axis=1)
        return _ratio(expected - (labels - 1) * (weights @ result), expected)

    return _each(alpha, drawn)


def _summed(rows: Doubles, groups: Groups | None) -> Doubles:
    """Sums over the units of each group, or the units themselves."""
    if groups is None:
        return rows
    zeros = np.zeros((groups.number, *rows.shape[1:]))
    np.add.at(zeros, np.asarray(groups.of, dtype=np.int64), rows)
    return zeros


def _known(rows: Sequence[Sequence[Label]]) -> dict[Hashable, int]:
    """All labels, numbered as they come."""
    labels = (label for row in rows for label in row if label is not None)
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def _counts(ratings: Ratings, known: dict[Hashable, int]) -> Doubles:
    """Count each label of each unit: shape (units, labels)."""
    indexes = [
        row * len(known) + known[label]
        for row, unit in enumerate(ratings)
        for label in unit
        if label is not None
    ]
    counted = np.bincount(
        np.array(indexes, dtype=np.int64), minlength=len(ratings) * len(known)
    )
    return counted.reshape(len(ratings), len(known)).astype(np.float64)


def _once(units: int) -> Blocks:
    """One sample that draws every unit once."""
    yield np.ones((1, units), dtype=np.int64)


def _each(function: Callable[[Doubles], Doubles], drawn: Blocks) -> Doubles:
    result = [function(block.astype(np.float64, copy=False)) for block in drawn]
    return np.concatenate(result) if result else np.zeros(0)


def _beyond(observed: Doubles, chance: Doubles, most: Doubles) -> Doubles:
    return _ratio(observed - chance, most - chance)


def _ratio(above: Doubles, below: Doubles) -> Doubles:
    result = np.full(len(above), math.nan)
    # What is 0 but for rounding is 0: chance alone agrees on everything.
    defined = below > 1e-9
    result[defined] = above[defined] / below[defined]
    return result
