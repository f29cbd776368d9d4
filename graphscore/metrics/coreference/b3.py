"""B³: how much of its entity each mention is found with (Bagga and Baldwin 1998).

Of gold entities K and entities R of the system, over all pairs that share a mention::

    recall = Σ |K ∩ R|² / |K| / mentions of gold
    precision = Σ |K ∩ R|² / |R| / mentions of the system

Reference: reference-coreference-scorers 8.01.  A mention that is repeated counts each
time here; ``preset=perl`` counts as that program does.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum
from operator import mul, truediv

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Cells, Table
from graphscore.model.outcome import Count


def tally(table: Table) -> Count:
    """Mentions, and what they earn on either side.

    Args:
        table: a pair of documents.
    """
    by_gold, by_system = table.by_gold, table.by_system
    return Count(
        len(table.gold.keys),
        len(table.system.keys),
        _earned(by_gold, table.company or by_gold, table.gold.sizes, 0),
        _earned(by_system, table.company or by_system, table.system.sizes, 1),
    )


def _earned(cells: Cells, company: Cells, sizes: list[int], side: int) -> float:
    """What mentions earn for the others of their entity on one side."""
    earned = map(mul, cells.values(), company.values())
    return fsum(map(truediv, earned, [sizes[cell[side]] for cell in cells]))


class B3(Coreference):
    """B³: harmonic mean of precision and recall over the entities of each mention.

    Example:
        >>> for ratio in ("precision", "recall"):
        ...     print(getattr(B3().formulas()["all"], ratio))
        P↔mentions[δ_target.mention × (P↔mentions[δ_mention])_source]
        R↔mentions[δ_target.mention × (R↔mentions[δ_mention])_source]
    """

    name = "b3"
    follows = "reference-coreference-scorers 8.01"
    title = "B³ (Bagga & Baldwin 1998): mention-averaged precision and recall"
    citation = "Bagga and Baldwin 1998, Algorithms for Scoring Coreference Chains"

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Cells squared, by entity."""
        yield "all", tally(table)
