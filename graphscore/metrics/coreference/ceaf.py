"""CEAF: entities one to one (Luo 2005)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Phi, Table, ceaf
from graphscore.metrics.coreference.formulas import ENTITIES, IN_COMMON
from graphscore.model.outcome import Count
from graphscore.similarity import Similarity, f1, match


def tally(table: Table, phi: Phi) -> Count:
    """What entities are worth, and what a best matching of them earns.

    Args:
        table: a pair of documents.
        phi: the similarity of entities, 1 to 4.
    """
    gold, system = table.gold.sizes, table.system.sizes
    found = ceaf(table, phi)
    if phi == 3:
        return Count(len(table.gold.keys), len(table.system.keys), found)
    return Count(len(gold), len(system), found)


def formula(phi: Phi) -> Similarity:
    """CEAF with one of the similarities of Luo (2005).

    Args:
        phi: which.

    Example:
        >>> print(*(formula(phi) for phi in (3, 4)), sep=" | ")
        F↔entities[Σ↔mentions[δ_mention]] | F↔entities[F↔mentions[δ_mention]]
    """
    alike: dict[int, Similarity] = {
        1: f1(IN_COMMON) >= 1,
        2: IN_COMMON > 0,
        3: IN_COMMON,
        4: f1(IN_COMMON),
    }
    return f1(match(ENTITIES, alike[phi]))


@dataclass(frozen=True)
class Ceaf(Coreference):
    """Entities one to one, under any of the four similarities.

    Args:
        phi: 1 equal entities, 2 entities that share a mention, 3 the number of
            mentions shared, 4 that number in relation to the sizes.

    Example:
        >>> print(Ceaf(phi=4).formulas()["all"])
        F↔entities[F↔mentions[δ_mention]]
    """

    name: ClassVar[str] = "ceaf"
    title: ClassVar[str] = (
        "coreference: entities one to one, under a similarity of choice"
    )
    citation: ClassVar[str] = "Luo 2005, On Coreference Resolution Performance Metrics"

    phi: Phi = 4

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 17 to 19, and the two similarities beside them."""
        return {"all": formula(self.phi)}

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, self.phi)
