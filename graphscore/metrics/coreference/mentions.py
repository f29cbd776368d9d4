"""Mention detection, and how far mentions overlap.

Mentions that both sides have, beside the mentions of either; and of the pairs that
share most words, the words that they share, beside the words of all mentions.

Reference: reference-coreference-scorers 8.01 for mentions; it counts no overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.contingency import Table, best_cells
from graphscore.metrics.coreference.mention_spans import own_words, words_of
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, CountKey, Scores, counts_of


def overlap(table: Table) -> Count:
    """The words that mentions share, when they are paired to share most.

    Two mentions of the same words can always be a pair: another pairing of the two
    shares no more.  So only the others are matched.

    Args:
        table: a pair of documents.
    """
    gold, system = table.gold, table.system
    words = words_of(gold, system)
    gold_sizes, system_sizes = words.sizes(gold), words.sizes(system)
    partner = table.alignment.equal
    taken = {other for other in partner if other >= 0}
    left = [mention for mention, other in enumerate(partner) if other < 0]
    right = [other for other in range(len(system_sizes)) if other not in taken]
    cells = words.shared(gold, system, left, right)
    common = sum(size for size, k in zip(gold_sizes, partner, strict=True) if k >= 0)
    common += sum(cells[cell] for cell in best_cells(cells))
    return Count(sum(gold_sizes), sum(system_sizes), common)


class MentionDetection(Coreference):
    """Mentions that are found, and the words that they have in common.

    Example:
        >>> print(MentionDetection().formulas()["mentions"])
        F↔mentions[δ_mention]
    """

    name = "mentions"
    follows = "reference-coreference-scorers 8.01"
    title = "Mention detection F1 and overlap (Pradhan et al. 2014)"
    citation = (
        "Pradhan et al. 2014, Scoring Coreference Partitions of Predicted Mentions: "
        "A Reference Implementation"
    )
    tuple_types = ("mentions", "overlap")
    main = "mentions"

    @property
    def bound(self) -> str:
        """Mentions that count by themselves, and once, depend on no others."""
        alone = self.preset == "none" and self.singletons == "keep"
        return "" if alone else super().bound

    def prepare(self, graph: Graph) -> Chains:
        """The entities of one document, and the words of their mentions."""
        chains = super().prepare(graph)
        if graph.tokens:
            own_words(chains).sizes(chains)
        return chains

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Mentions, and their words."""
        yield "mentions", Count(*table.mentions, table.matched)
        yield "overlap", overlap(table)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Mentions and words; ``all`` repeats the mentions."""
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = counts["mentions"]
        return Scores(counts, {})
