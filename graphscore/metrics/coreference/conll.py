"""The CoNLL average: MUC, B³ and CEAFe (Denis and Baldridge 2009, MELA).

::

    conll = (F1 of MUC + F1 of B³ + F1 of CEAFe) / 3

Mentions that both sides have are counted beside them.

Reference: reference-coreference-scorers 8.01; what differs is said of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphscore.metrics.coreference import b3, ceaf, muc
from graphscore.metrics.coreference.base import SPANS, Mean
from graphscore.metrics.coreference.contingency import Table
from graphscore.model.outcome import Count, CountKey, Scores, count_of

AVERAGED = ("muc", "b3", "ceafe")
"""The tuple types whose mean is the score."""


class Conll(Mean):
    """The mean of MUC, B³ and CEAFe.

    Example:
        >>> list(Conll().formulas())
        ['mentions', 'muc', 'b3', 'ceafe']
    """

    name = "conll"
    follows = "reference-coreference-scorers 8.01"
    title = "CoNLL score (Pradhan et al. 2014): mean F1 of MUC, B³, CEAFe"
    citation = (
        "Pradhan et al. 2014, Scoring Coreference Partitions of Predicted Mentions: "
        "A Reference Implementation"
    )
    revision = 4
    tuple_types = ("mentions", *AVERAGED)

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Those of the three, from one table."""
        yield "muc", muc.tally(table)
        yield "b3", b3.tally(table)
        yield "ceafe", ceaf.tally(table, 4)

    def tallies_beside(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Mentions that both sides have."""
        yield "mentions", Count(*table.mentions, table.matched)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Mentions and the three, and as ``all`` the mean of the three."""
        counts, numbers = super().scores(raw_counts)
        counts["mentions"] = count_of(raw_counts, "mentions", SPANS)
        return Scores(counts, numbers)

    def averaged(self, counts: Mapping[str, Count]) -> Iterable[Count]:
        """The counts of the three."""
        return [counts[tuple_type] for tuple_type in AVERAGED]
