"""A metric with other formulas than its own, over what it makes of graphs itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric, taken_from
from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.formula import FormulaMetric, Suite, suite
from graphscore.metrics.user import UserMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Figures,
    Masses,
    MassKey,
    Outcome,
    count_of,
)
from graphscore.similarity import Similarity
from graphscore.similarity.explaining.report import measure, splits


def stripped(metric: Metric) -> tuple[Metric, str]:
    """A metric as its formulas say it, and what one has to ask for to have that.

    Presets do what a program does, beside the formulas.

    Args:
        metric: any metric.

    Returns:
        The metric, and ``preset=none`` where it has another preset.
    """
    inner: Any = metric.inner if isinstance(metric, UserMetric) else metric
    if getattr(inner, "preset", "none") != "none":
        _, choices = inner.parameters()["preset"]
        if isinstance(choices, tuple) and "none" in choices:
            return replace(inner, preset="none"), "preset=none"
    return inner, ""


def with_formulas(metric: Metric, formulas: Mapping[str, Similarity]) -> Metric:
    """A metric whose kinds are these formulas, worked out of what it prepares.

    Args:
        metric: one that has formulas, see :func:`stripped`.
        formulas: by kind.

    Raises:
        UsageError: if its formulas are about what it only works out for itself.

    Example:
        >>> from graphscore.metrics.registry import parse
        >>> las = parse("las(preset=none)")
        >>> with_formulas(las, {"v0": las.formulas()["all"]}).kinds
        ('v0',)
    """
    if isinstance(metric, (FormulaMetric, Coreference)) and not isinstance(
        metric, Suite
    ):
        return Varied(metric, tuple(formulas.items()))
    given = [each for each in map(repr, formulas.values()) if _is_given(each)]
    if given:
        raise UsageError(
            f"{metric}: its formulas are about what it works out for itself, expected "
            "ones about graphs"
        )
    return suite(
        str(metric),
        dict(formulas),
        frameworks=sorted(metric.frameworks),
        unit=metric.unit if metric.unit == "document" else "item",
    )


def _is_given(formula: str) -> bool:
    return "given(" in formula or "listed(" in formula


@dataclass(frozen=True)
class Varied(Metric):
    """A metric with other formulas.

    Args:
        inner: the metric, whose graphs, pairs and units are taken.
        named: (kind, formula) pairs.
    """

    inner: Metric
    named: tuple[tuple[str, Similarity], ...]

    title = "other formulas of a metric"
    name = taken_from("inner.name")
    revision = taken_from("inner.revision")
    citation = taken_from("inner.citation")
    unit = taken_from("inner.unit")
    frameworks = taken_from("inner.frameworks")
    joins = taken_from("inner.joins")
    by_tokens = taken_from("inner.by_tokens")
    by_words = taken_from("inner.by_words")
    layout = taken_from("inner.layout")
    normalization = taken_from("inner.normalization")
    applicable = taken_from("inner.applicable")

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the formulas."""
        return tuple(kind for kind, _ in self.named)

    @property
    def main(self) -> str:  # type: ignore[override]
        """The first one."""
        return self.named[0][0]

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """None: it is made in Python."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        # The class that does the work has no place where workers could find it.
        return type(self), (self.inner, self.named)

    @cached_property
    def _working(self) -> Any:
        """The metric itself, of a class that has these formulas."""
        base: Any = type(self.inner)
        over = _OVER_FORMULAS if isinstance(self.inner, FormulaMetric) else _OVER_CHAINS
        cls = type(f"Varied{base.__name__}", (base,), {**over, "varied": self})
        fields = dataclasses.fields(base)
        return cls(**{each.name: getattr(self.inner, each.name) for each in fields})

    def prepare(self, graph: Graph) -> Any:
        """As the metric does."""
        return self._working.prepare(graph)

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Work out every formula for a unit; there are no matches and errors."""
        found: Outcome = self._working.compare(
            gold, system, budget=budget, details=False
        )
        return found

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """A count for each formula."""
        return Figures({kind: count_of(masses, kind) for kind in self.kinds}, {})


def _formulas(self: Any) -> Mapping[str, Similarity]:
    return dict(self.varied.named)


def _kinds(self: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = self.varied.kinds
    return found


def _main(self: Any) -> str:
    found: str = self.varied.main
    return found


def _of_chains(
    self: Any,
    gold: Sequence[Any],
    system: Sequence[Any],
    *,
    budget: Budget,
    details: bool = True,
) -> Outcome:
    """A document of coreference by formulas, part by part."""
    masses: Masses = {}
    proven, steps = True, 0
    for pair in self.chain_pairs(gold, system, budget) or ():
        for kind, formula in self.varied.named:
            measured = measure(formula, pair)
            found = measured.found
            amounts = [
                ("gold", measured.gold),
                ("system", measured.system),
                ("matched", found.recall),
            ]
            if splits(formula):
                amounts.append(("matched_system", found.precision))
            for name, amount in amounts:
                key = kind, "", name
                masses[key] = masses.get(key, 0) + amount
        proven, steps = proven and pair.proof.proven, steps + pair.proof.steps
    score = masses.get((self.varied.main, "", "matched"), 0)
    return Outcome(masses, score, score, proven, steps, "formula", (), ())


_OVER_FORMULAS: dict[str, Any] = {
    "formulas": _formulas,
    "kinds": property(_kinds),
    "main": property(_main),
    "total": False,
    "shown": lambda self, kind: None,
    "derived": lambda self: {},
    "weights": lambda self: {},
    "beside": lambda self, *sides: {},
}
"""What of a metric of formulas is about its own kinds."""

_OVER_CHAINS: dict[str, Any] = {
    "formulas": _formulas,
    "kinds": property(_kinds),
    "main": property(_main),
    "compare": _of_chains,
}
"""The same of a metric of coreference."""
