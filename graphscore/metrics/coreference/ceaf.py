"""CEAF: entities one to one (Luo 2005).

The pairs of a gold entity K and an entity R of the system that earn most together::

    matched = max Σ φ(K, R)    gold = Σ φ(K, K)    system = Σ φ(R, R)
    φ3 = |K ∩ R|    φ4 = 2 |K ∩ R| / (|K| + |R|)

Reference: reference-coreference-scorers 8.01.  A mention that is repeated counts each
time here; ``preset=perl`` counts as that program does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Phi, Table, ceaf
from graphscore.model.outcome import Count

if TYPE_CHECKING:
    from graphscore.similarity import Similarity


def tally(table: Table, phi: Phi) -> Count:
    """Sum the self-similarities of entities and the weight of their best matching.

    Args:
        table: a pair of documents.
        phi: the similarity of entities, 1 to 4.
    """
    gold, system = table.gold.sizes, table.system.sizes
    result = ceaf(table, phi)
    if phi == 3:
        return Count(len(table.gold.keys), len(table.system.keys), result)
    return Count(len(gold), len(system), result)


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

    name = "ceaf"
    follows = "reference-coreference-scorers 8.01"
    title = "CEAF (Luo 2005): entity alignment F1 under φ1 to φ4"
    citation = "Luo 2005, On Coreference Resolution Performance Metrics"

    phi: Phi = 4

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 17 to 19, and the two similarities beside them."""
        from graphscore.metrics.coreference.formulas import ceaf

        return {"all": ceaf(self.phi)}

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, self.phi)


class Ceafm(Coreference):
    """Entities one to one, by the number of mentions they share.

    Example:
        >>> print(Ceafm().formulas()["all"])
        F↔entities[Σ↔mentions[δ_mention]]
    """

    name = "ceafm"
    follows = "reference-coreference-scorers 8.01"
    title = "CEAFm (Luo 2005): entity alignment F1 under φ3"
    citation = Ceaf.citation

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, 3)


class Ceafe(Coreference):
    """Entities one to one, by the share of mentions in common.

    Example:
        >>> print(Ceafe().formulas()["all"])
        F↔entities[F↔mentions[δ_mention]]
    """

    name = "ceafe"
    follows = "reference-coreference-scorers 8.01"
    title = "CEAFe (Luo 2005): entity alignment F1 under φ4"
    citation = Ceaf.citation

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """One assignment of the table's cells."""
        yield "all", tally(table, 4)
