"""Metrics that users bring: a formula, a suite or a class in a Python file.

``-m mypkg.mymod:metric`` imports the module, ``-m path/to/mymod.py:metric`` runs
the file.  What stands there may be a formula about whole graphs, a mapping from
tuple types to formulas, a metric, a metric class with its parameters in brackets, or a
dataclass, from which a metric is derived.
The metric goes by the string it was asked for with; its revision is a digest of
the module's source, so that an edited formula is never taken for the one whose
results are stored.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric, Wrapper, taken_from
from graphscore.plugins import LoadedObject, found_at


@dataclass(frozen=True)
class UserMetric(Wrapper):
    """A metric under the name by which a user asked for it.

    Args:
        place: module or file, and name in it, with parameters if there are any.
        inner: what stands there.
        digest: digest of the source.
        of_class: whether it is derived from the dataclass at the place, whose objects
            files then hold.
    """

    place: str
    inner: Metric
    digest: int
    of_class: bool = False

    title = "User-defined metric"

    name = taken_from("place")
    revision = taken_from("digest")
    over_one = taken_from("inner.over_one")
    scores = taken_from("inner.scores")
    remarks = taken_from("inner.remarks")
    tables = taken_from("inner.tables")

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Return nothing: parameters are part of the name."""
        return {}

    def __str__(self) -> str:
        return self.place


def at_place(place: str) -> LoadedObject:
    """Load the object of a module or a file, which should be a metric.

    Args:
        place: ``module:name`` or ``file.py:name``.

    Raises:
        UsageError: if there is none; the message lists metrics, formulas and classes.
    """
    from graphscore.similarity import Similarity

    def is_metric(value: Any) -> bool:
        if isinstance(value, Mapping) and value:
            return all(isinstance(formula, Similarity) for formula in value.values())
        of_class = isinstance(value, type) and is_dataclass(value)
        return of_class or isinstance(value, Metric | Similarity)

    return found_at(place, is_metric, "metrics, formulas and classes in it")


def as_metric(place: str, loaded: Any, digest: int) -> Metric:
    """A user's object as a metric.

    Args:
        place: what the user asked for.
        loaded: what stands there, a class already called with its parameters.
        digest: digest of its source.

    Raises:
        UsageError: if it is neither formula, metric nor dataclass.
    """
    from graphscore.metrics.derived import derived_metric
    from graphscore.metrics.formula import suite
    from graphscore.similarity import Similarity

    of_class = isinstance(loaded, type) and is_dataclass(loaded)
    if of_class and not issubclass(loaded, Metric):
        return UserMetric(place, derived_metric(loaded, place), digest, True)
    if isinstance(loaded, Similarity) or (
        isinstance(loaded, Mapping)
        and loaded
        and all(isinstance(value, Similarity) for value in loaded.values())
    ):
        loaded = suite(place, loaded)
    if not isinstance(loaded, Metric):
        raise UsageError(
            f"{place}: found {type(loaded).__name__}, expected a formula, a mapping of "
            "tuple types to formulas, a metric, or a dataclass"
        )
    return UserMetric(place, loaded, digest)


def is_class(loaded: Any) -> bool:
    """Return true if a user-defined object is a metric that needs its parameters."""
    return (
        isinstance(loaded, type)
        and issubclass(loaded, Metric)
        and not inspect.isabstract(loaded)
    )
