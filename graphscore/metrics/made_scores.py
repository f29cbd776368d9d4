"""Scores of a corpus that are made of others, after everything is summed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.model.outcome import Count


class Derived(NamedTuple):
    """A score made of others, after everything is summed."""

    how: Literal["product", "average"]
    scores: tuple[str, ...]
    """Such as ``type.f1``: the tuple type and one of precision, recall, f1."""


def product_of(*scores: str) -> Derived:
    """The product of scores of a corpus (eq. 47).

    Args:
        scores: such as ``type.f1``.
    """
    return Derived("product", scores)


def average_of(*scores: str) -> Derived:
    """The mean of scores of a corpus.

    Args:
        scores: such as ``strict.f1``.
    """
    return Derived("average", scores)


def made_of(made: Derived, counts: Mapping[str, Count]) -> float:
    """A derived score.

    Args:
        made: what it is made of.
        counts: the counts of a corpus, by tuple type.
    """
    result: list[float] = []
    for score in made.scores:
        tuple_type, _, ratio = score.rpartition(".")
        result.append(getattr(counts[tuple_type or "all"], ratio))
    return math.prod(result) if made.how == "product" else sum(result) / len(result)


def check_derived(derived: Mapping[str, Derived], tuple_types: Sequence[str]) -> None:
    """Fail unless derived scores are made of scores that there are.

    Raises:
        UsageError: naming the score, what it is made of, and what there is.
    """
    known = [f"{tuple_type}.{ratio}" for tuple_type in tuple_types for ratio in RATIOS]
    for name, made in derived.items():
        for score in made.scores:
            if score not in known:
                raise UsageError(
                    f"{name} is made of {score!r}{did_you_mean(score, known)}, "
                    f"expected one of: {', '.join(known)}"
                )
        if not made.scores:
            raise UsageError(f"{name} is made of nothing, expected scores")


RATIOS = ("precision", "recall", "f1")
"""The scores that every tuple type has."""
