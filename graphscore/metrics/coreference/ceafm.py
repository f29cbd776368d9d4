"""CEAFm: entities one to one, by the number of mentions shared (Luo 2005, φ3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.ceaf import formula, tally
from graphscore.metrics.coreference.contingency import Table
from graphscore.model.outcome import Count
from graphscore.similarity import Similarity


@dataclass(frozen=True)
class Ceafm(Coreference):
    """Entities one to one, by the number of mentions they share.

    Example:
        >>> print(Ceafm().formulas()["all"])
        F↔entities[Σ↔mentions[δ_mention]]
    """

    name: ClassVar[str] = "ceafm"
    title: ClassVar[str] = "coreference: entities one to one, by mentions shared (φ3)"
    citation: ClassVar[str] = "Luo 2005, On Coreference Resolution Performance Metrics"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 17 within 19."""
        return {"all": formula(3)}

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, 3)
