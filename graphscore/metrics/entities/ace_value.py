"""The value of entities: EDT and LEDR of the ACE evaluations.

Doddington et al. (2004), "The Automatic Content Extraction (ACE) Program"; ACE 2008
evaluation plan; its scorer ``ace08-eval-v08``; Ben Jannet et al. (2014), section 2.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.ace_mapping import Rules, mapped
from graphscore.metrics.entities.ace_rows import (
    COUNT,
    ENTITIES,
    MENTIONS,
    VALUE,
    compared,
)
from graphscore.metrics.entities.ace_table import Values, values_of
from graphscore.metrics.entities.ace_view import Layout
from graphscore.metrics.parameters import digest_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Figures, FigureTable, MassKey, Outcome, count_of

METHOD = "mapping"
"""What results say of how they were found."""

_EMPTY = Graph("", "ner")


@dataclass(frozen=True)
class AceValue(Metric):
    """The value of the system's entities, as a share of that of gold's.

    Args:
        values: the file with the table of values; there is none by default.
        weighting: whether an entity is worth its best mention, or all of them.
        overlap: what share of the longer of two mentions they must have in common.

    Raises:
        UsageError: if the file is wrong, or the share is not from 0 to 1.

    Example:
        >>> str(AceValue(weighting="mention"))
        'ace_value(weighting=mention)'
    """

    name = "ace_value"
    title = "entities by what they are worth: EDT value and LEDR of ACE"
    citation = (
        "Doddington et al. 2004, The Automatic Content Extraction (ACE) Program: "
        "Tasks, Data, and Evaluation"
    )
    frameworks = frozenset({"coref", "ner"})
    kinds = (ENTITIES, MENTIONS)
    main = ENTITIES
    leading = "ledr"

    values: str = ""
    weighting: Literal["level", "mention"] = "level"
    overlap: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"ace_value: overlap={self.overlap}, expected 0 to 1")
        if self.values:
            # What the file says now is what counts.
            _ = self.revision, self.table

    @cached_property
    def revision(self) -> int:  # type: ignore[override]
        """1, or a digest of the file: what it says is part of the metric."""
        return (digest_of(self.values) if self.values else 0) or 1

    @cached_property
    def table(self) -> Values:
        """What the file says.

        Raises:
            UsageError: naming what is wrong with it, or that there is none.
        """
        if not self.values:
            raise UsageError(
                "ace_value needs a table of values: ace_value(values=FILE); "
                "docs/metrics/entities/ace_value.md describes it"
            )
        return values_of(self.values)

    @property
    def layout(self) -> Hashable:
        """Metrics of one table take each other's entities."""
        return Layout, self.values, self.revision

    @property
    def normalization(self) -> str:
        """Which mentions are the same."""
        return f"mentions={self.overlap:g}"

    def prepare(self, graph: Graph) -> Layout:
        """The entities, and what they are worth."""
        return Layout(graph, self.table)

    def compare(
        self,
        gold: Sequence[Layout],
        system: Sequence[Layout],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Map the entities of one item."""
        mine = gold[0] if gold else self.prepare(_EMPTY)
        theirs = system[0] if system else self.prepare(_EMPTY)
        rules = Rules(self.table, self.weighting == "level", self.overlap)
        found = mapped(mine, theirs, rules)
        masses, matches, errors = compared(mine, theirs, found, details)
        score = masses.get((VALUE, "", "mapped"), 0.0)
        score -= masses.get((VALUE, "", "false_alarm"), 0.0)
        return Outcome(masses, score, score, True, 0, METHOD, matches, errors)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts of what is right; values, as they are and as a share of gold's."""
        counts = {kind: count_of(masses, kind) for kind in self.kinds}
        counts["all"] = counts[ENTITIES]
        types = sorted({label for kind, label, _ in masses if kind == COUNT} - {""})
        numbers = _numbers(masses, "", "")
        for each in types:
            numbers |= _numbers(masses, each, f".{each}")
        return Figures(counts, numbers)

    def lowest_best(self, figure: str) -> bool:
        """Whether of a figure the lowest is the best: of what is lost."""
        return figure.partition(".")[0].startswith(LOST)

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """The values of everything; those by type are in a table."""
        return {name: numbers[name] for name in ("gold", "edt")}

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """Shares of gold's value by type."""
        names = ("ledr", *(f"{name}_share" for name in LOST))
        found = figures.numbers
        types = [name[5:] for name in found if name[:5] == "ledr."]
        rows: dict[str, tuple[float | None, ...]] = {
            each: tuple(found[f"{name}.{each}"] for name in names) for each in types
        }
        return (FigureTable("shares of the gold value", ("type", "ledr", *LOST), rows),)


LOST = ("missing", "false_alarm", "substitution")
"""What value is lost by: gold entities that are not mapped, system entities that are
not, and mistakes in those that are."""


def _numbers(
    masses: Mapping[MassKey, Any], label: str, suffix: str
) -> dict[str, float]:
    """The figures of one type, or of all."""

    def value(quantity: str) -> float:
        return float(masses.get((VALUE, label, quantity), 0.0))

    gold, mapped = value("gold"), value("mapped")
    lost = {name: value(name) for name in LOST}
    edt = mapped - lost["false_alarm"]
    shares = {"ledr": edt} | {f"{name}_share": lost[name] for name in LOST}
    found: dict[str, float] = {
        name: amount / gold if gold else math.nan for name, amount in shares.items()
    }
    found |= {"gold": gold, "edt": edt} | lost
    found |= {f"{name}_entities": masses.get((COUNT, label, name), 0) for name in LOST}
    return {f"{name}{suffix}": number for name, number in found.items()}
