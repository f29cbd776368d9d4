"""The main score as a function of what is put right.

Raw counts are sums, so what is put right adds to them and takes from them, as the
metric says.

Example:
    >>> from graphscore import Graph, Node, score
    >>> def graph(framework, *labels):
    ...     nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    ...     return Graph("1", framework, 2, nodes=nodes)
    >>> scored = score([graph("dm", "a", "b"), graph("amr", "c")],
    ...                [graph("dm", "a", "b"), graph("amr", "d")], "mrp")
    >>> main, matched = Repaired(scored), ("labels", "", "matched")
    >>> main.name, main.tuple_types[:2]
    ('all.f1', ('tops', 'labels'))
    >>> [round(value, 4) for value in main.of([{}, {matched: 1}])]
    [0.6667, 1.0]
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError
from graphscore.metrics.base import lowest_best, main_name
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.traits import trait
from graphscore.model.outcome import CountKey, RawCounts, add_raw_counts
from graphscore.model.outcome_builder import error_of
from graphscore.statistics.tables import WHOLE, ColumnKey, score_of_columns
from graphscore.statistics.vectorized_counts import by_sample

Moved = Mapping[CountKey, int | float]
"""Change of raw counts; negative for what is removed."""

NEAR = 1e-9
"""Tolerance between sums of parts."""


class Repaired:
    """The main score of a result, and what it would be if something were right.

    Args:
        result: of one system and metric.

    Attributes:
        name: the score's name in full.
        tuple_types: the kinds of errors that cost something of it.
        lowest: whether the lowest is the best.

    Raises:
        UsageError: if errors do not account for the score.
    """

    def __init__(self, result: Result) -> None:
        self.metric = result.metric
        self.corrections = trait(result.metric, Correctable)
        self.name = main_name(self.metric)
        score_getter(self.name)(result)
        self.score = score_of_columns(self.metric, self.name)
        self.raw_counts: RawCounts = {}
        for raw_counts in result.raw_counts.values():
            add_raw_counts(self.raw_counts, raw_counts)
        self.lowest = lowest_best(self.metric, self.name)
        self._known: set[CountKey] = set()
        self.tuple_types = self._tuple_types(result)
        if not self.tuple_types:
            raise self.refusal()

    def gain(self, base: float, value: float) -> float:
        """Return the improvement from one value to another; negative if worse."""
        return base - value if self.lowest else value - base

    def refusal(self) -> UsageError:
        """Return the error raised where errors do not account for the score."""
        return UsageError(
            f"{self.metric}: the cost of its errors is not known: they do not account "
            f"for {self.name}"
        )

    def is_best(self, moved: Moved, counting: Collection[CountKey]) -> bool:
        """Return true if the score cannot improve, or gold has nothing.

        Args:
            moved: what comes to raw counts.
            counting: those that the score depends on.
        """
        gold = any(
            amount and key[2] == "gold" and key in counting
            for key, amount in self.raw_counts.items()
        )
        value = self.of([moved])[0]
        best = 0.0 if self.lowest else 1.0
        return not gold or math.isnan(value) or math.isclose(value, best, abs_tol=NEAR)

    def depends_on(self, keys: Iterable[CountKey]) -> frozenset[CountKey]:
        """Those raw counts without which the score would be another.

        Args:
            keys: of raw counts.
        """
        every = sorted(_completed(self._known.union(keys)))
        # Amounts without any pattern, so that none makes up for another by chance.
        base = 50 + np.random.default_rng(1).random(len(every))
        sums: dict[CountKey, Any] = {}
        for index, key in enumerate(every):
            column = np.full(len(every) + 1, base[index])
            column[index] += 1.25
            sums[key] = column
        values = by_sample(self.score, _columns(sums), len(every) + 1)
        return frozenset(
            key
            for key, value in zip(every, values, strict=False)
            if value != values[-1]
        )

    def _tuple_types(self, result: Result) -> tuple[str, ...]:
        """The kinds of errors that are right where counts of the score are others."""
        labels = {key[1] for key in self.raw_counts}
        probes = [
            error_of(side, tuple_type, 0, what=what, label=label)
            for tuple_type in self.metric.error_tuple_types
            for what in ("node", "edge")
            for side in ("missing", "spurious")
            for label in (None, *labels)
        ]
        errors = (error for item in result.items for error in item.errors)
        moved: dict[str, set[CountKey]] = {}
        for error in chain(probes, errors):
            moved.setdefault(error.tuple_type, set()).update(
                self.corrections.repaired(error)
            )
        amounts = {
            (tuple_type, "", quantity)
            for tuple_type in self.metric.tuple_types
            for quantity in ("gold", "system", "matched")
        }
        # Beside what else there may be: 0 of something can make up for all the rest.
        self._known = amounts.union(*moved.values(), self.raw_counts)
        counting = self.depends_on(self._known)
        tuple_types = [
            tuple_type for tuple_type, keys in moved.items() if keys & counting
        ]
        return (*tuple_types, *self._awaited(result, tuple_types))

    def _awaited(self, result: Result, tuple_types: Sequence[str]) -> list[str]:
        """The further kinds of errors that others wait for."""
        found: dict[str, None] = {}
        for item in result.items:
            for number, others in self.corrections.awaited(item.errors).items():
                if item.errors[number].tuple_type in tuple_types:
                    found |= dict.fromkeys(
                        item.errors[each].tuple_type for each in others
                    )
        return [tuple_type for tuple_type in found if tuple_type not in tuple_types]

    def of(self, moved: Sequence[Moved]) -> list[float]:
        """The score for each of several repairs.

        Args:
            moved: what comes to raw counts in each.
        """
        samples = len(moved)
        sums = {
            key: np.full(samples, float(amount))
            for key, amount in self.raw_counts.items()
        }
        for sample, each in enumerate(moved):
            for key, amount in each.items():
                if key not in sums:
                    sums[key] = np.zeros(samples)
                sums[key][sample] += amount
        result = by_sample(self.score, _columns(sums), samples)
        return [float(value) for value in result]


def _columns(sums: Mapping[CountKey, Any]) -> dict[ColumnKey, Any]:
    return {(WHOLE, key): amounts for key, amounts in sums.items()}


def _completed(keys: Collection[CountKey]) -> set[CountKey]:
    """Complete the quantities of each label, since 0 of one can hide the rest."""
    quantities: dict[str, set[str]] = {}
    for tuple_type, _, quantity in keys:
        quantities.setdefault(tuple_type, set()).add(quantity)
    return {
        (tuple_type, label, quantity)
        for tuple_type, label in {key[:2] for key in keys}
        for quantity in quantities[tuple_type]
    }
