"""CEAFe: entities one to one, by the share of mentions in common (Luo 2005, φ4)."""

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
class Ceafe(Coreference):
    """Entities one to one, by the share of mentions in common.

    Example:
        >>> print(Ceafe().formulas()["all"])
        F↔entities[F↔mentions[δ_mention]]
    """

    name: ClassVar[str] = "ceafe"
    title: ClassVar[str] = "coreference: entities one to one, by share in common (φ4)"
    citation: ClassVar[str] = "Luo 2005, On Coreference Resolution Performance Metrics"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 18 and 19."""
        return {"all": formula(4)}

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, 4)
