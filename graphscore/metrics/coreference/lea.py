"""LEA: the links of each entity, weighted by its size (Moosavi and Strube 2016)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

import numpy as np

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.chains import Places
from graphscore.metrics.coreference.contingency import Table
from graphscore.metrics.coreference.formulas import ENTITIES, LINKS, MEMBERS
from graphscore.model.outcome import Count
from graphscore.similarity import (
    Similarity,
    exact,
    harmonic,
    kind,
    match,
    precision,
    recall,
)


def tally(table: Table) -> Count:
    """Mentions, and what the links of their entities earn on either side.

    Args:
        table: a pair of documents.
    """
    gold, system = table.gold.sizes, table.system.sizes
    one, two = table.by_gold, table.by_system
    return Count(
        len(table.gold.keys),
        len(table.system.keys),
        _resolved(one.mentions, gold[one.gold], system[one.system]),
        _resolved(two.mentions, system[two.system], gold[two.gold]),
    )


def _resolved(shared: Places, own: Places, other: Places) -> float:
    """Each entity's size times the share of its links that are found.

    Of k mentions, n shared ones have n(n - 1) of the k(k - 1) links, so that k
    times the share is n(n - 1) / (k - 1).  The link of a singleton is one to
    itself, which only another singleton has.
    """
    links = shared * (shared - 1) / np.maximum(own - 1, 1)
    return fsum(links.tolist()) + int(((own == 1) & (other == 1)).sum())


@dataclass(frozen=True)
class Lea(Coreference):
    """Links of entities, weighted by their size.

    Example:
        >>> print(Lea().formulas()["all"].recall)
        R~entities[Σ←mentions[δ_kind] × R↔links[δ]]
    """

    name: ClassVar[str] = "lea"
    title: ClassVar[str] = "coreference: links of entities, weighted by their size"
    citation: ClassVar[str] = (
        "Moosavi and Strube 2016, Which Coreference Evaluation Metric Do You Trust?"
    )

    def formulas(self) -> Mapping[str, Similarity]:
        """Size times share of the links resolved, of any two entities."""
        # Every mention of one side, whatever the other's are: that is its size.
        theirs, mine = (match(MEMBERS, exact(kind), each) for each in ("n:1", "1:n"))
        return {
            "all": harmonic(
                precision(match(ENTITIES, theirs * precision(LINKS), "n:n")),
                recall(match(ENTITIES, mine * recall(LINKS), "n:n")),
            )
        }

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Links, by counting."""
        yield "all", tally(table)
