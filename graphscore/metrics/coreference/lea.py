"""LEA: the links of each entity, weighted by its size (Moosavi and Strube 2016).

Of gold entities K and entities R of the system, with n (n - 1) / 2 links of n mentions,
and one link of a singleton to itself::

    recall = Σ_K |K| · Σ_R links(K ∩ R) / links(K) / mentions of gold

and likewise precision.  Reference: corefud-scorer 4fd7b0e; 8.01 has no LEA.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

import numpy as np

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.chains import Integers
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
        _resolved(by_gold.mentions, gold[by_gold.gold], system[by_gold.system]),
        _resolved(by_system.mentions, system[by_system.system], gold[by_system.gold]),
    )


def _resolved(shared: Integers, sizes: Integers, opposite_sizes: Integers) -> float:
    """Each entity's size times the share of its links that are found.

    Of k mentions, n shared ones have n(n - 1) of the k(k - 1) links, so that k
    times the share is n(n - 1) / (k - 1).  The link of a singleton is one to
    itself, which only another singleton has.
    """
    links = shared * (shared - 1) / np.maximum(sizes - 1, 1)
    return fsum(links.tolist()) + int(((sizes == 1) & (opposite_sizes == 1)).sum())


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
