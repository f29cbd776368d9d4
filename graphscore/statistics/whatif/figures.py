"""A figure as a function of what is put right.

Masses are sums, so what is put right adds to them and takes from them; a mean over
frameworks needs those of each apart.

Example:
    >>> from graphscore import Graph, Node, score
    >>> def graph(framework, *labels):
    ...     nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    ...     return Graph("1", framework, 2, nodes=nodes)
    >>> scored = score([graph("dm", "a", "b"), graph("amr", "c")],
    ...                [graph("dm", "a", "b"), graph("amr", "d")], "mrp")
    >>> mean = Repaired(scored, "macro.labels")
    >>> mean.kinds, mean.of([{}, {("amr", "labels", "missing"): 1,
    ...                           ("amr", "labels", "surplus"): 1}])
    (('labels',), [0.5, 1.0])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphscore.errors import UsageError
from graphscore.evaluation.macro import MACRO, RATIOS
from graphscore.evaluation.result import Result, figure_getter
from graphscore.metrics.base import AMOUNTS
from graphscore.model.outcome import Masses, add_masses
from graphscore.statistics.columns import by_sample
from graphscore.statistics.tables import (
    WHOLE,
    ColumnKey,
    figure_of_columns,
)

Moved = Mapping[tuple[str, str, str], int]
"""How many errors are right by framework, kind and side."""

_COUNTED = ("gold", "system", "matched", "matched_system")
"""The masses of a kind that what is put right moves, or that count it."""


class Repaired:
    """A figure of a result, and what it would be if something were right.

    Args:
        result: of one system and metric.
        name: as for ``--fail-under``; empty for what stands for the metric.

    Attributes:
        name: the figure's name in full.
        kinds: the kinds that it is made of.

    Raises:
        UsageError: if there is no such figure, or it is made of something that is
            not known of errors.
    """

    def __init__(self, result: Result, name: str = "") -> None:
        self.metric = result.metric
        self.name = self._named(name)
        self.apart = self.name.partition(".")[0] == MACRO
        by = ("framework",) if self.apart else ()
        figure_getter(self.name, by)(result)
        self.figure = figure_of_columns(self.metric, self.name, by)
        self.masses: dict[str, Masses] = {}
        for (framework, *_), masses in result.masses.items():
            add_masses(self.masses.setdefault(self._slice(framework), {}), masses)
        self.kinds = self._kinds()
        if not result.nothing:
            self._check()

    def _named(self, name: str) -> str:
        """A figure's name with its ratio, where it is that of a kind."""
        metric = self.metric
        parts = [metric.aliases.get(part, part) for part in name.split(".")]
        kinds, numbers = metric.figures({})
        if parts == [""]:
            return metric.leading or f"{metric.main}.f1"
        if len(parts) == 1 and parts[0] in RATIOS:
            return f"{metric.main}.{parts[0]}"
        # In mrp edges is the kind, edges.f1 the group.
        if len(parts) == 1 and parts[0] in kinds and f"{parts[0]}.f1" not in numbers:
            return f"{parts[0]}.f1"
        return ".".join(parts)

    def _slice(self, framework: str) -> str:
        return framework if self.apart else ""

    def _columns(self, masses: Mapping[str, Mapping[Any, Any]]) -> dict[ColumnKey, Any]:
        return {
            ((framework, *WHOLE[1:]), key): amount
            for framework, own in masses.items()
            for key, amount in own.items()
        }

    def _kinds(self) -> tuple[str, ...]:
        """The kinds without which the figure would be another."""
        amounts = {"gold": 4, "system": 3, "matched": 2}
        metric, slices = self.metric, self.masses or {"": {}}
        masses: dict[Any, Any] = {
            (each, "", q): n for each in metric.kinds for q, n in amounts.items()
        }

        def of(sums: Mapping[Any, Any]) -> Any:
            return self.figure(self._columns(dict.fromkeys(slices, sums)))

        whole = of(masses)
        return tuple(
            each
            for each in metric.kinds
            if of(masses | {(each, "", "matched"): 0}) != whole
        )

    def _check(self) -> None:
        """Refuse figures that more goes into than counts of what is right.

        Raises:
            UsageError: naming the figure.
        """
        counted = {(kind, "", q) for kind in self.kinds for q in _COUNTED}
        columns = self._columns(self.masses)
        base = self.figure(columns)
        known = bool(self.kinds) and self.name.rpartition(".")[2] not in AMOUNTS
        others = {
            column: 2 * amount + 1
            for column, amount in columns.items()
            if column[1] not in counted
        }
        moved = self.figure(columns | others)
        # What is not equal to itself is undefined.
        same = moved == base or (moved != moved and base != base)
        if not (known and same):
            there = ", ".join((*self.metric.figures({}).counts, MACRO))
            raise UsageError(
                f"{self.metric}: of figure {self.name!r} it is not known what errors "
                f"cost; expected one of {there}, with or without .{', .'.join(RATIOS)}"
            )

    def of(self, moved: Sequence[Moved]) -> list[float]:
        """The figure for each of several repairs.

        Args:
            moved: how many errors are right in each, by framework, kind and side.
        """
        samples = len(moved)
        sums = {
            column: np.full(samples, float(amount))
            for column, amount in self._columns(self.masses).items()
        }
        for sample, each in enumerate(moved):
            for (framework, kind, side), errors in each.items():
                if kind not in self.kinds:
                    continue
                group = (self._slice(framework), *WHOLE[1:])
                # What is missing matches and is there; what is surplus is not there.
                changes = {"matched": 1, "system": 1}
                if side == "surplus":
                    changes = {"system": -1}
                for quantity, sign in changes.items():
                    column = group, (kind, "", quantity)
                    if column not in sums:
                        sums[column] = np.zeros(samples)
                    sums[column][sample] += sign * errors
        return [float(value) for value in by_sample(self.figure, sums, samples)]
