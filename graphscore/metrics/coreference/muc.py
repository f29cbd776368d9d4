"""MUC: the links that entities have in common (Vilain et al. 1995).

Of gold entities K and entities R of the system, over all pairs that share a mention::

    matched = Σ (|K ∩ R| - 1)    gold = Σ (|K| - 1)    system = Σ (|R| - 1)

Reference: reference-coreference-scorers 8.01.  A mention that is repeated counts each
time here; ``preset=perl`` counts as that program does.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Cells, Table
from graphscore.model.outcome import Count


def tally(table: Table) -> Count:
    """Links of entities, and those that are left when they are split (eq. 20).

    Args:
        table: a pair of documents.
    """
    gold, system = table.gold.sizes, table.system.sizes
    return Count(
        len(table.gold.keys) - len(gold),
        len(table.system.keys) - len(system),
        _links(table.by_gold),
        # Two sums only where one mention can lie in several entities.
        _links(table.by_system) if table.sided else None,
    )


def _links(cells: Cells) -> int:
    """One link less than there are mentions, in every cell."""
    return sum(cells.values()) - len(cells)


class Muc(Coreference):
    """Links that entities have in common.

    Example:
        >>> print(Muc().formulas()["all"])
        F~entities[max{0, Σ↔mentions[δ_mention] - 1}]
    """

    name = "muc"
    follows = "reference-coreference-scorers 8.01"
    title = "MUC (Vilain et al. 1995): coreference link F1"
    citation = "Vilain et al. 1995, A Model-Theoretic Coreference Scoring Scheme"

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Links, by counting."""
        yield "all", tally(table)
