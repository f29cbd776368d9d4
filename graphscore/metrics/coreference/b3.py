"""B³: how much of its entity each mention is found with (Bagga and Baldwin 1998)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.formulas import (
    IN_COMMON,
    MEMBERSHIPS,
    in_entity,
)
from graphscore.model.outcome import Count
from graphscore.similarity import Similarity, harmonic, match, precision, recall


def tally(table: Table) -> Count:
    """Mentions, and what they earn on either side.

    Args:
        table: a pair of documents.
    """
    gold, system = table.gold.sizes, table.system.sizes
    mine, theirs = table.by_gold, table.by_system
    return Count(
        len(table.gold.keys),
        len(table.system.keys),
        fsum((mine.mentions**2 / gold[mine.gold]).tolist()),
        fsum((theirs.mentions**2 / system[theirs.system]).tolist()),
    )


@dataclass(frozen=True)
class B3(Coreference):
    """How much of its entity each mention is found with.

    Example:
        >>> for ratio in ("precision", "recall"):
        ...     print(getattr(B3().formulas()["all"], ratio))
        P↔mentions[δ_target.mention × (P↔mentions[δ_mention])_source]
        R↔mentions[δ_target.mention × (R↔mentions[δ_mention])_source]
    """

    name: ClassVar[str] = "b3"
    title: ClassVar[str] = (
        "coreference: how much of its entity each mention is found with"
    )
    citation: ClassVar[str] = (
        "Bagga and Baldwin 1998, Algorithms for Scoring Coreference Chains"
    )

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 23 and 24."""
        one, two = (
            ratio(match(MEMBERSHIPS, in_entity(ratio(IN_COMMON))))
            for ratio in (precision, recall)
        )
        return {"all": harmonic(one, two)}

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Cells squared, by entity."""
        yield "all", tally(table)
