"""LEA: the links of each entity, weighted by its size (Moosavi and Strube 2016).

Of gold entities K and entities R of the system, with n (n - 1) / 2 links of n mentions,
and one link of a singleton to itself::

    recall = Σ_K |K| · Σ_R links(K ∩ R) / links(K) / mentions of gold

and likewise precision.  Reference: corefud-scorer 4fd7b0e; 8.01 has no LEA.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.contingency import Table
from graphscore.model.outcome import Count


def tally(table: Table) -> Count:
    """Mentions, and what the links of their entities earn on either side.

    Args:
        table: a pair of documents.
    """
    gold, system = table.gold.sizes, table.system.sizes
    by_gold, by_system = table.by_gold, table.by_system
    return Count(
        len(table.gold.keys),
        len(table.system.keys),
        _resolved([(n, gold[k], system[r]) for (k, r), n in by_gold.items()]),
        _resolved([(n, system[r], gold[k]) for (k, r), n in by_system.items()]),
    )


def _resolved(cells: Sequence[tuple[int, int, int]]) -> float:
    """Each entity's size times the share of its links that are found.

    Of k mentions, n shared ones have n(n - 1) of the k(k - 1) links, so that k
    times the share is n(n - 1) / (k - 1).  The link of a singleton is one to
    itself, which only another singleton has.

    Args:
        cells: numbers of shared mentions, sizes of their entity and of the other one.
    """
    links = fsum(shared * (shared - 1) / max(size - 1, 1) for shared, size, _ in cells)
    return links + sum(size == other == 1 for _, size, other in cells)


class Lea(Coreference):
    """Links of entities, weighted by their size.

    Example:
        >>> print(Lea().formulas()["all"].recall)
        R~entities[Σ←mentions[δ_kind] × R↔links[δ]]
    """

    name = "lea"
    follows = "corefud-scorer 4fd7b0e"
    title = "LEA (Moosavi & Strube 2016): size-weighted link F1"
    citation = (
        "Moosavi and Strube 2016, Which Coreference Evaluation Metric Do You Trust?"
    )

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Links, by counting."""
        yield "all", tally(table)
