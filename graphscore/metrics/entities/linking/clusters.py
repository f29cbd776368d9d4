"""Clusters of linked mentions over all documents: who and what is the same.

Mentions of one entry are a cluster, and those of one ``NIL``.  Documents do not matter:
a person who is named in ten of them is one cluster of ten mentions.  The measures are
those of coreference, under the names of neleval.

What stands in two clusters, as the same characters with two entries do, is in both for
CEAF and pairs, and is looked up in the later one for B³ and MUC, as it is in neleval.

>>> found = Shared([{1, 2}, {3}], [{1, 2, 3}])
>>> AGGREGATES["mention_ceaf"](found)
Count(gold=3, system=3, matched=2, matched_system=None)
>>> AGGREGATES["muc"](found)
Count(gold=1, system=2, matched=1, matched_system=1)

Vilain et al. (1995); Bagga and Baldwin (1998); Luo (2005); Cai and Strube (2010).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import fsum

from graphscore.metrics.coreference.contingency import Cell, best_cells
from graphscore.metrics.entities.linking.measures import Measure
from graphscore.metrics.entities.linking.mentions import Mention
from graphscore.model.outcome import Count

Cluster = AbstractSet[Hashable]


class Shared:
    """Two sides as clusters of the same kind of thing.

    Args:
        gold: the gold clusters.
        system: the system's.
    """

    def __init__(self, gold: Sequence[Cluster], system: Sequence[Cluster]) -> None:
        self.gold, self.system = gold, system

    @cached_property
    def gold_of(self) -> dict[Hashable, int]:
        """The gold cluster of each thing, the last of several."""
        return _owners(self.gold)

    @cached_property
    def system_of(self) -> dict[Hashable, int]:
        """Likewise of the system."""
        return _owners(self.system)

    @cached_property
    def simple(self) -> bool:
        """True if no element is in two clusters of a side."""
        sizes = sum(map(len, self.gold)), sum(map(len, self.system))
        return (len(self.gold_of), len(self.system_of)) == sizes

    @cached_property
    def cells(self) -> Mapping[Cell, int]:
        """Number of elements that a gold and a system cluster have in common."""
        if self.simple:
            system_of = self.system_of
            return Counter(
                (value, system_of[thing])
                for thing, value in self.gold_of.items()
                if thing in system_of
            )
        every: defaultdict[Hashable, list[int]] = defaultdict(list)
        for system_cluster, cluster in enumerate(self.system):
            for thing in cluster:
                every[thing].append(system_cluster)
        return Counter(
            (gold_cluster, system_cluster)
            for gold_cluster, cluster in enumerate(self.gold)
            for thing in cluster
            for system_cluster in every.get(thing, ())
        )

    @cached_property
    def aligned(self) -> Collection[Cell]:
        """The best pairing of clusters by what they have in common (Luo 2005, φ3)."""
        return best_cells({cell: float(n) for cell, n in self.cells.items()})

    @cached_property
    def turned(self) -> Shared:
        """With the sides exchanged."""
        return Shared(self.system, self.gold)


def _owners(side: Sequence[Cluster]) -> dict[Hashable, int]:
    return {thing: number for number, cluster in enumerate(side) for thing in cluster}


def _sizes(side: Sequence[Cluster]) -> int:
    return sum(map(len, side))


def _pairs(size: int) -> int:
    return size * (size - 1) // 2


def mention_ceaf(shared: Shared) -> Count:
    """Mentions in common under the best pairing of clusters (Luo 2005, φ3)."""
    best = sum(shared.cells[cell] for cell in shared.aligned)
    return Count(_sizes(shared.gold), _sizes(shared.system), best)


def entity_ceaf(shared: Shared) -> Count:
    """Their similarity under the best pairing of clusters (Luo 2005, φ4)."""
    worth = {
        (left, right): 2 * n / (len(shared.gold[left]) + len(shared.system[right]))
        for (left, right), n in shared.cells.items()
    }
    best = fsum(worth[cell] for cell in best_cells(worth))
    return Count(len(shared.gold), len(shared.system), best)


def b_cubed(shared: Shared) -> Count:
    """Compute B³: the correct share of mentions' clusters (Bagga and Baldwin 1998)."""
    matched, right = _right_of_each(shared), _right_of_each(shared.turned)
    sizes = len(shared.gold_of), len(shared.system_of)
    return Count(*sizes, matched, right)


def _right_of_each(shared: Shared) -> float:
    # A sum of fractions, so that the order of clusters is of no account.
    sums: defaultdict[int, int] = defaultdict(int)
    if shared.simple:
        for (left, _), n in shared.cells.items():
            sums[len(shared.gold[left])] += n * n
    else:
        for thing, value in shared.gold_of.items():
            right = shared.system_of.get(thing)
            if right is not None:
                sums[len(shared.gold[value])] += shared.cells.get((value, right), 0)
    return float(sum((Fraction(n, size) for size, n in sums.items()), Fraction(0)))


def muc(shared: Shared) -> Count:
    """Links that join clusters to what they are (Vilain et al. 1995)."""
    gold, system = (_sizes(side) - len(side) for side in (shared.gold, shared.system))
    matched, right = (
        _links(shared.gold, shared.system_of),
        _links(shared.system, shared.gold_of),
    )
    return Count(gold, system, matched, right)


def _links(side: Sequence[Cluster], owner: Mapping[Hashable, int]) -> int:
    links = 0
    for cluster in side:
        if len(cluster) > 1:
            owners = [owner[thing] for thing in cluster if thing in owner]
            links += len(owners) - len(set(owners))
    return links


def pairwise(shared: Shared) -> Count:
    """Pairs of things of one cluster."""
    both = sum(map(_pairs, shared.cells.values()))
    gold, system = (
        sum(_pairs(len(cluster)) for cluster in side)
        for side in (shared.gold, shared.system)
    )
    return Count(gold, system, both)


def pairwise_negative(shared: Shared) -> Count:
    """Pairs of things that are not of one cluster (Luo et al. 2014)."""
    common = shared.gold_of.keys() & shared.system_of.keys()
    if shared.simple:
        gold, system = (
            sum(_pairs(len(x)) for x in y) for y in (shared.gold, shared.system)
        )
        agreed = sum(map(_pairs, shared.cells.values()))
        left, right = (
            sum(map(_pairs, Counter(owner[thing] for thing in common).values()))
            for owner in (shared.gold_of, shared.system_of)
        )
        differing = left + right - 2 * agreed
    else:
        pairs = _together(shared.gold), _together(shared.system)
        gold, system = map(len, pairs)
        agreed = len(pairs[0] & pairs[1])
        differing = sum(pair <= common for pair in pairs[0] ^ pairs[1])
    both = _pairs(len(common)) - agreed - differing
    every = _pairs(len(shared.gold_of)), _pairs(len(shared.system_of))
    return Count(every[0] - gold, every[1] - system, both)


def _together(side: Sequence[Cluster]) -> set[frozenset[Hashable]]:
    return {frozenset(pair) for cluster in side for pair in combinations(cluster, 2)}


Aggregate = Callable[[Shared], Count]


def adjusted(measure: Aggregate) -> Aggregate:
    """A measure with the adjustment of Cai and Strube (2010) for other mentions.

    What gold alone has is a cluster of its own on the system's side.  For precision,
    what the system alone has is left out if it stands by itself, else it is a gold
    cluster of its own; for recall it is left out.

    Args:
        measure: what is counted.
    """

    def count(shared: Shared) -> Count:
        gold_of: dict[Hashable, Hashable] = {**shared.gold_of}
        system_of: dict[Hashable, Hashable] = {**shared.system_of}
        for thing in gold_of.keys() - system_of.keys():
            system_of[thing] = ("alone", thing)
        known = {x: y for x, y in system_of.items() if x in gold_of}
        recalled = measure(Shared(shared.gold, _clusters(known)))
        for thing in [*system_of]:
            if thing in gold_of:
                continue
            if len(shared.system[shared.system_of[thing]]) > 1:
                gold_of[thing] = ("alone", thing)
            else:
                del system_of[thing]
        precise = measure(Shared(_clusters(gold_of), _clusters(system_of)))
        return Count(
            recalled.gold, precise.system, recalled.matched, precise.correct_system
        )

    return count


def _clusters(owner: Mapping[Hashable, Hashable]) -> list[set[Hashable]]:
    clusters: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    for thing, cluster in owner.items():
        clusters[cluster].add(thing)
    return list(clusters.values())


AGGREGATES: Mapping[str, Aggregate] = {
    "mention_ceaf": mention_ceaf,
    "entity_ceaf": entity_ceaf,
    "b_cubed": b_cubed,
    "muc": muc,
    "pairwise": pairwise,
    "pairwise_negative": pairwise_negative,
    "mention_cs_ceaf": adjusted(mention_ceaf),
    "entity_cs_ceaf": adjusted(entity_ceaf),
    "cs_b_cubed": adjusted(b_cubed),
}
"""Cluster comparisons, by their names in neleval."""


def clusters_of(
    measure: Measure, side: Sequence[Mention], apart: bool
) -> list[set[Hashable]]:
    """The clusters of a side, in the order in which they begin.

    Args:
        measure: which mentions count, and what is the same of them.
        side: its mentions, in order.
        apart: whether mentions without an entry, and those that say ``NIL`` alone,
            are clusters of their own.
    """
    mentions = measure.counting(side)
    if apart:
        owners: list[Hashable] = [
            (mention.span[0], mention.ordinal)
            if mention.eid in (None, "NIL")
            else mention.eid
            for mention in mentions
        ]
    else:
        owners = [mention.eid for mention in mentions]
    clusters: dict[Hashable, set[Hashable]] = {}
    for owner, key in zip(owners, measure.keys(mentions), strict=True):
        cluster = clusters.get(owner)
        if cluster is None:
            clusters[owner] = {key}
        else:
            cluster.add(key)
    return list(clusters.values())
