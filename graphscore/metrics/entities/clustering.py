"""Clusters of linked mentions over all documents: who and what is the same.

Mentions of one entry are a cluster, and those of one numbered ``NIL``; a mention of
which nothing is said, or ``NIL`` alone, is a cluster of its own.  Documents do not
matter: a person who is named in ten of them is one cluster of ten mentions.  The
measures are those of coreference (MUC, B³, CEAF) and pairs of mentions, under the names
of neleval; ``typed`` ones want the type of a mention to be right as well, ``plus`` ones
its entry.

Ji, Nothman and Hachey (2014), "Overview of TAC-KBP2014 Entity Discovery and Linking
Tasks"; Vilain et al. (1995); Bagga and Baldwin (1998); Luo (2005).  Reference
implementation: neleval 3.1.0.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.linked import Linked, Mention
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import Outcome

METHOD = "contingency of clusters"
"""What results say of how they were found."""

Clusters = list[frozenset[Hashable]]


class Ratios(NamedTuple):
    """Numerators and denominators of precision and recall."""

    gold: float
    system: float
    matched: float
    matched_system: float


Measure = Callable[["Shared"], Ratios]


class Shared:
    """Two sides as clusters of the same kind of thing.

    Args:
        gold: the gold clusters.
        system: the system's.

    Attributes:
        cells: how many things a gold and a system cluster have in common.
    """

    def __init__(self, gold: Clusters, system: Clusters) -> None:
        self.gold, self.system = gold, system
        owner = {thing: k for k, cluster in enumerate(system) for thing in cluster}
        self.cells = Counter(
            (mine, owner[thing])
            for mine, cluster in enumerate(gold)
            for thing in cluster
            if thing in owner
        )


def _size(side: Clusters) -> int:
    return sum(map(len, side))


def mention_ceaf(shared: Shared) -> Ratios:
    """Mentions in common under the best pairing of clusters (Luo 2005, φ3)."""
    best = _assigned(shared, {cell: float(n) for cell, n in shared.cells.items()})
    return Ratios(_size(shared.gold), _size(shared.system), best, best)


def entity_ceaf(shared: Shared) -> Ratios:
    """Their similarity under the best pairing of clusters (Luo 2005, φ4)."""
    best = _assigned(
        shared,
        {
            (one, two): 2 * n / (len(shared.gold[one]) + len(shared.system[two]))
            for (one, two), n in shared.cells.items()
        },
    )
    return Ratios(len(shared.gold), len(shared.system), best, best)


def _assigned(shared: Shared, worth: Mapping[tuple[int, int], float]) -> float:
    import numpy as np

    from graphscore.metrics.coreference.contingency import assigned

    if not worth:
        return 0.0
    cells = sorted(worth)
    amounts = np.array([worth[cell] for cell in cells])
    rows, columns = np.array(cells, dtype=np.int64).T
    return fsum(amounts[assigned(rows, columns, amounts)].tolist())


def b_cubed(shared: Shared) -> Ratios:
    """Of each mention, what of its cluster is right (Bagga and Baldwin 1998)."""
    sides = []
    for place, side in enumerate((shared.gold, shared.system)):
        # A sum of fractions, so that the order of clusters is of no account.
        sums: defaultdict[int, int] = defaultdict(int)
        for cell, n in shared.cells.items():
            sums[len(side[cell[place]])] += n * n
        sides.append(float(sum(Fraction(n, size) for size, n in sums.items())))
    return Ratios(_size(shared.gold), _size(shared.system), sides[0], sides[1])


def muc(shared: Shared) -> Ratios:
    """Links that join clusters to what they are (Vilain et al. 1995)."""
    counts = []
    for place, side in enumerate((shared.gold, shared.system)):
        parts, covered = Counter[int](), Counter[int]()
        for cell, n in shared.cells.items():
            parts[cell[place]] += 1
            covered[cell[place]] += n
        # A thing that the other side does not have is a part by itself.
        counts.append(
            sum(
                len(each) - parts[k] - (len(each) - covered[k])
                for k, each in enumerate(side)
            )
        )
    gold, system = (_size(x) - len(x) for x in (shared.gold, shared.system))
    return Ratios(gold, system, counts[0], counts[1])


def pairwise(shared: Shared) -> Ratios:
    """Pairs of things of one cluster."""
    both = sum(n * (n - 1) // 2 for n in shared.cells.values())
    gold, system = (
        sum(len(each) * (len(each) - 1) // 2 for each in side)
        for side in (shared.gold, shared.system)
    )
    return Ratios(gold, system, both, both)


Key = Callable[[Mention], Hashable]


def _span(mention: Mention) -> Hashable:
    return mention.item, mention.place


def _typed(mention: Mention) -> Hashable:
    return _span(mention), mention.label


def _plus(mention: Mention) -> Hashable:
    return _span(mention), mention.entries


def _both(mention: Mention) -> Hashable:
    return _span(mention), mention.label, mention.entries


MEASURES: Mapping[str, tuple[Measure, Key]] = {
    "mention_ceaf": (mention_ceaf, _span),
    "mention_ceaf_plus": (mention_ceaf, _plus),
    "typed_mention_ceaf": (mention_ceaf, _typed),
    "typed_mention_ceaf_plus": (mention_ceaf, _both),
    "entity_ceaf": (entity_ceaf, _span),
    "b_cubed": (b_cubed, _span),
    "b_cubed_plus": (b_cubed, _plus),
    "muc": (muc, _span),
    "pairwise": (pairwise, _span),
}
"""How clusters are compared, and what their things are."""


@dataclass(frozen=True)
class Clustering(Metric):
    """Clusters of linked mentions over all documents, under nine measures.

    Example:
        >>> from graphscore import Anchor, Graph, Node, score
        >>> def said(*entries):
        ...     return [Graph(f"d{k}", "ner", nodes=(Node(0, "PER",
        ...                 (("kind", "mention"), ("authority", entry)),
        ...                 (Anchor(0, 5),)),)) for k, entry in enumerate(entries)]
        >>> gold, system = said("Q1", "Q1", "NIL1"), said("Q7", "Q7", "Q7")
        >>> result = score(gold, system, "clustering")
        >>> result.counts["mention_ceaf"].matched, result.counts["b_cubed"].recall
        (2.0, 1.0)
    """

    name = "clustering"
    follows = "neleval 3.1.0"
    title = "clusters of linked mentions over all documents: CEAF, B³, MUC, pairs"
    citation = "Ji et al. 2014, Overview of TAC-KBP2014 Entity Discovery and Linking"
    unit = "collection"
    frameworks = frozenset({"ner"})
    kinds = tuple(MEASURES)
    main = "mention_ceaf"
    by_tokens = True
    bound = "what is right of a cluster depends on all of its mentions"

    @property
    def layout(self) -> Hashable:
        """Shared by all metrics of linked mentions."""
        return Linked

    @property
    def error_kinds(self) -> tuple[str, ...]:
        """None: a mention is in a cluster that is more or less right."""
        return ()

    def prepare(self, graph: Graph) -> Linked:
        """The mentions."""
        return Linked(graph)

    def compare(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare the clusters of both sides under each measure."""
        ledger = Ledger(details)
        for kind, (measure, key) in MEASURES.items():
            found = measure(Shared(clusters(gold, key), clusters(system, key)))
            amounts = dict(zip(("gold", "system", "matched"), found[:3], strict=True))
            if found.matched_system != found.matched:
                amounts["matched_system"] = found.matched_system
            for quantity, amount in amounts.items():
                if amount or quantity == "matched_system":
                    ledger.masses[kind, "", quantity] = amount
        return ledger.outcome(ledger.masses.get((self.main, "", "matched"), 0), METHOD)


def clusters(side: Sequence[Linked], key: Key) -> Clusters:
    """The clusters of a side, each a set of things; a thing is in one only.

    Args:
        side: its graphs.
        key: what a mention is.
    """
    found: dict[Hashable, dict[Hashable, None]] = {}
    owner: dict[Hashable, Hashable] = {}
    for graph in side:
        for mention in graph.mentions:
            thing = key(mention)
            cluster: Hashable = mention.cluster or (mention.item, mention.ordinal)
            if owner.setdefault(thing, cluster) == cluster:
                found.setdefault(cluster, {})[thing] = None
    return [frozenset(things) for things in found.values()]
