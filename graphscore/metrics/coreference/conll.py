"""The CoNLL average: MUC, B³ and CEAFe (Denis and Baldridge 2009, MELA)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.coreference import b3, ceaf, muc
from graphscore.metrics.coreference.base import Mean
from graphscore.metrics.coreference.contingency import Table
from graphscore.model.outcome import Count
from graphscore.similarity import Similarity


@dataclass(frozen=True)
class Conll(Mean):
    """The mean of MUC, B³ and CEAFe.

    Example:
        >>> list(Conll().formulas())
        ['muc', 'b3', 'ceafe']
    """

    name: ClassVar[str] = "conll"
    title: ClassVar[str] = "coreference: the mean of MUC, B³ and CEAFe (MELA)"
    citation: ClassVar[str] = (
        "Pradhan et al. 2014, Scoring Coreference Partitions of Predicted Mentions: "
        "A Reference Implementation"
    )
    kinds: ClassVar[tuple[str, ...]] = ("muc", "b3", "ceafe")

    def formulas(self) -> Mapping[str, Similarity]:
        """Those of the three."""
        return {
            "muc": muc.Muc().formulas()["all"],
            "b3": b3.B3().formulas()["all"],
            "ceafe": ceaf.formula(4),
        }

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Those of the three, from one table."""
        yield "muc", muc.tally(table)
        yield "b3", b3.tally(table)
        yield "ceafe", ceaf.tally(table, 4)
