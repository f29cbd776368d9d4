"""A metric's scores for many samples at once: raw counts that are columns of numbers.

A metric computes its scores from summed raw counts, numbers that are added,
multiplied, divided and asked whether they are 0.  A :class:`Column` is a number for
every sample: arithmetic works on all of them, and where the metric asks a question
that the samples answer differently, they are parted and each part is computed by
itself.  So every metric's own ``scores`` serve, unchanged, at the speed of arrays,
and give for every sample exactly what they give for its raw counts alone.

Example:
    >>> matched = np.array([1.0, 0.0, 3.0])
    >>> raw_counts = {"matched": matched, "gold": np.array([2.0, 0, 4])}
    >>> def recall(sums):
    ...     return sums["matched"] / sums["gold"] if sums["gold"] else 0.0
    >>> by_sample(recall, raw_counts, 3).tolist()
    [0.5, 0.0, 0.75]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

Key = TypeVar("Key")
Name = TypeVar("Name")

FEW = 3
"""Number of samples up to which they are computed one by one."""


class Parted(Exception):  # noqa: N818 - an answer, no error
    """The samples answer a question differently.

    Args:
        yes: which of them answer yes.
    """

    def __init__(self, yes: npt.NDArray[np.bool_]) -> None:
        super().__init__("samples differ")
        self.yes = yes


class Column(np.ndarray[Any, Any]):
    """A number for every sample."""

    def __bool__(self) -> bool:
        """The answer of all samples.

        Raises:
            Parted: if they differ.
        """
        yes = np.asarray(self, dtype=bool)
        if yes.all():
            return True
        if not yes.any():
            return False
        raise Parted(yes)


def by_sample(
    function: Callable[[dict[Key, Any]], Any],
    raw_counts: Mapping[Key, Doubles],
    samples: int,
) -> Doubles:
    """Evaluate a function of raw counts for every sample.

    Args:
        function: takes raw counts by key and gives a number; ``None`` is no number.
        raw_counts: by key an array with the sum of every sample.
        samples: how many samples there are.

    Returns:
        Shape (samples,); ``nan`` where the function gives no number.
    """
    result = all_by_sample(lambda sums: {"": function(sums)}, raw_counts, samples)
    return result[""] if result else np.zeros(0)


def all_by_sample(
    function: Callable[[dict[Key, Any]], Mapping[Name, Any]],
    raw_counts: Mapping[Key, Doubles],
    samples: int,
) -> dict[Name, Doubles]:
    """Evaluate a function of raw counts with several results for every sample.

    Args:
        function: takes raw counts by key and gives numbers by name; ``None`` is none.
        raw_counts: by key an array with the sum of every sample.
        samples: how many samples there are.

    Returns:
        Arrays of shape (samples,) by name; ``nan`` where the function gives no number.
    """
    result: dict[Name, Doubles] = {}
    parts = [np.arange(samples)] if samples else []
    while parts:
        chosen = parts.pop()
        if len(chosen) <= FEW:
            _one_by_one(function, raw_counts, chosen, result, samples)
            continue
        columns: dict[Key, Any] = {
            key: column[chosen].view(Column) for key, column in raw_counts.items()
        }
        try:
            values = function(columns)
        except Parted as differing:
            parts += [chosen[differing.yes], chosen[~differing.yes]]
        except TypeError:
            # A user's own metric may call what takes no arrays, such as math.sqrt.
            _one_by_one(function, raw_counts, chosen, result, samples)
        else:
            _enter(values, chosen, result, samples)
    return result


def _one_by_one(
    function: Callable[[dict[Key, Any]], Mapping[Name, Any]],
    raw_counts: Mapping[Key, Doubles],
    chosen: npt.NDArray[np.int64],
    numbers: dict[Name, Doubles],
    samples: int,
) -> None:
    for sample in chosen.tolist():
        values = function(
            {key: float(column[sample]) for key, column in raw_counts.items()}
        )
        _enter(values, sample, numbers, samples)


def _enter(
    values: Mapping[Name, Any],
    chosen: npt.NDArray[np.int64] | int,
    numbers: dict[Name, Doubles],
    samples: int,
) -> None:
    for name, value in values.items():
        if name not in numbers:
            numbers[name] = np.full(samples, math.nan)
        numbers[name][chosen] = math.nan if value is None else np.asarray(value)
