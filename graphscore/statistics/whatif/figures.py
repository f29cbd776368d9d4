"""A figure as a function of what is put right.

Masses are sums, so what is put right adds to them and takes from them, as the metric
says; a mean over frameworks needs those of each apart.

Example:
    >>> from graphscore import Graph, Node, score
    >>> def graph(framework, *labels):
    ...     nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    ...     return Graph("1", framework, 2, nodes=nodes)
    >>> scored = score([graph("dm", "a", "b"), graph("amr", "c")],
    ...                [graph("dm", "a", "b"), graph("amr", "d")], "mrp")
    >>> mean, matched = Repaired(scored, "macro.labels"), ("labels", "", "matched")
    >>> mean.kinds, mean.of([{}, {("amr", matched): 1}])
    (('labels',), [0.5, 1.0])
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from graphscore.errors import UsageError, meant
from graphscore.evaluation.macro import MACRO, RATIOS
from graphscore.evaluation.result import Result, figure_getter
from graphscore.metrics.base import AMOUNTS
from graphscore.model.ledger import error_of
from graphscore.model.outcome import Masses, MassKey, add_masses
from graphscore.statistics.columns import by_sample
from graphscore.statistics.tables import (
    WHOLE,
    ColumnKey,
    Figure,
    figure_of_columns,
)

Moved = Mapping[tuple[str, MassKey], int | float]
"""What comes to masses, by framework; negative what goes."""

NEAR = 1e-9
"""What sums of parts may differ by."""


class Repaired:
    """A figure of a result, and what it would be if something were right.

    Args:
        result: of one system and metric.
        name: as for ``--fail-under``; empty for what stands for the metric.

    Attributes:
        name: the figure's name in full.
        kinds: the kinds of errors that cost something of it.
        lowest: whether the lowest is the best.

    Raises:
        UsageError: if there is no such figure, or it is an amount.
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
        self.lowest = self.metric.lowest_best(self.name)
        self._known: set[MassKey] = set()
        self.kinds = self._kinds(result)
        if not self.kinds or self.name.rpartition(".")[2] in AMOUNTS:
            raise self.refusal()

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

    def gain(self, base: float, value: float) -> float:
        """How much better a value is than another; negative if it is worse."""
        return base - value if self.lowest else value - base

    def refusal(self) -> UsageError:
        """What is raised where errors do not account for the figure."""
        known = (*self.metric.figures({}).counts, MACRO)
        there = ", ".join(known)
        return UsageError(
            f"{self.metric}: of figure {self.name!r}"
            f"{meant(self.name.partition('.')[0], known)} it is not known what errors "
            f"cost; expected one of {there}, with or without .{', .'.join(RATIOS)}"
        )

    def is_best(self, moved: Moved, counting: Collection[MassKey]) -> bool:
        """Whether nothing is better, or there is nothing that should be there.

        Args:
            moved: what comes to masses.
            counting: those that the figure depends on.
        """
        gold = any(
            amount and key[2] == "gold" and key in counting
            for own in self.masses.values()
            for key, amount in own.items()
        )
        value = self.of([moved])[0]
        best = 0.0 if self.lowest else 1.0
        return not gold or math.isnan(value) or math.isclose(value, best, abs_tol=NEAR)

    def depends_on(self, keys: Iterable[MassKey]) -> frozenset[MassKey]:
        """Those masses without which the figure would be another.

        Of precision and recall, those of both: what is surplus is an error even where
        only recall is asked for.

        Args:
            keys: of masses.
        """
        every = sorted(_completed(self._known.union(keys)))
        # Amounts without any pattern, so that none makes up for another by chance.
        base = 50 + np.random.default_rng(1).random(len(every))
        sums: Masses = {}
        for place, key in enumerate(every):
            column = np.full(len(every) + 1, base[place])
            column[place] += 1.25
            sums[key] = column  # type: ignore[assignment]
        slices = dict.fromkeys(self.masses or ("",), sums)
        values = by_sample(self._whole, self._columns(slices), len(every) + 1)
        return frozenset(
            key
            for key, value in zip(every, values, strict=False)
            if value != values[-1]
        )

    @cached_property
    def _whole(self) -> Figure:
        """The F1 of precision and of recall; of anything else the figure itself."""
        stem, dot, ratio = self.name.rpartition(".")
        if ratio not in RATIOS:
            return self.figure
        by = ("framework",) if self.apart else ()
        return figure_of_columns(self.metric, f"{stem}{dot}f1", by)

    def _kinds(self, result: Result) -> tuple[str, ...]:
        """The kinds of errors that are right where masses of the figure are others."""
        labels = {key[1] for masses in self.masses.values() for key in masses}
        probes = [
            error_of(side, kind, 0, what=what, label=label)
            for kind in self.metric.error_kinds
            for what in ("node", "edge")
            for side in ("missing", "surplus")
            for label in (None, *labels)
        ]
        errors = (error for item in result.items for error in item.errors)
        moved: dict[str, set[MassKey]] = {}
        for error in chain(probes, errors):
            moved.setdefault(error.kind, set()).update(self.metric.repaired(error))
        amounts = {
            (kind, "", quantity)
            for kind in self.metric.kinds
            for quantity in ("gold", "system", "matched")
        }
        # Beside what else there may be: 0 of something can make up for all the rest.
        self._known = amounts.union(*moved.values(), *self.masses.values())
        counting = self.depends_on(self._known)
        kinds = [kind for kind, keys in moved.items() if keys & counting]
        return (*kinds, *self._awaited(result, kinds))

    def _awaited(self, result: Result, kinds: Sequence[str]) -> list[str]:
        """The further kinds of errors that others wait for."""
        found: dict[str, None] = {}
        for item in result.items:
            for number, others in self.metric.awaited(item.errors).items():
                if item.errors[number].kind in kinds:
                    found |= dict.fromkeys(item.errors[each].kind for each in others)
        return [kind for kind in found if kind not in kinds]

    def of(self, moved: Sequence[Moved]) -> list[float]:
        """The figure for each of several repairs.

        Args:
            moved: what comes to masses in each.
        """
        samples = len(moved)
        sums = {
            column: np.full(samples, float(amount))
            for column, amount in self._columns(self.masses).items()
        }
        for sample, each in enumerate(moved):
            for (framework, key), amount in each.items():
                column = (self._slice(framework), *WHOLE[1:]), key
                if column not in sums:
                    sums[column] = np.zeros(samples)
                sums[column][sample] += amount
        return [float(value) for value in by_sample(self.figure, sums, samples)]


def _completed(keys: Collection[MassKey]) -> set[MassKey]:
    """Of every label all that there is of any other: 0 of one can hide the rest."""
    quantities: dict[str, set[str]] = {}
    for kind, _, quantity in keys:
        quantities.setdefault(kind, set()).add(quantity)
    return {
        (kind, label, quantity)
        for kind, label in {key[:2] for key in keys}
        for quantity in quantities[kind]
    }
