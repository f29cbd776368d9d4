"""Sums over members of which only equality counts: equal keys are counted.

Set by set, or all owners at once; no pair of members is ever formed.  Below it is what
members of many owners have in common with others: they are brought together, cut apart
again, and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Bag,
    Cell,
    Number,
    Numerators,
    Partition,
    Similarity,
    Sparse,
    keys_of,
)
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.solvers.assignment import Constraint
from graphscore.similarity.view import GRAPH, ROOT, Element, Elements, Pair, View

Counted = dict[Hashable, int]
"""Count of each key."""


Duplicates = Literal["multiset", "set"]
"""Treatment of equal members: each counts, or they are one."""


@dataclass(frozen=True)
class EqualMembers:
    """Members of one sum of which only equality counts.

    Args:
        token: what is remembered of a graph goes by it.
        collection: whose members.
        similarity: how two members are compared.
        features: what must be equal, and nothing else counts.
        constraint: which matchings are allowed.
        duplicates: whether members that look alike each count.
    """

    token: int
    collection: Collection
    similarity: Similarity
    features: tuple[Feature, ...]
    constraint: Constraint
    duplicates: Duplicates

    def counters(self, view: View, owners: Elements) -> list[Counted]:
        """Return the count of each key, for each owner."""
        known: dict[Element, Counted] = view.keep((self.token, "counted"), dict)
        new = [owner for owner in owners if owner not in known]
        if new:
            groups = self.collection.members(view, new)
            members = [member for group in groups for member in group]
            keys = iter(keys_of(self.features, view, members))
            for owner, group in zip(new, groups, strict=True):
                here = [next(keys) for _ in group]
                if self.duplicates == "set":
                    known[owner] = dict.fromkeys(here, 1)
                else:
                    known[owner] = Counter(here)
        return [known[owner] for owner in owners]

    def bag(self, view: View) -> Bag:
        """The keys of all members of the graph."""
        _, every = self._every(view)
        keys = frozenset(every)
        if self.duplicates == "set" or len(keys) == len(every):
            return Bag(keys, {}, len(keys))
        repeated = {key: count for key, count in Counter(every).items() if count > 1}
        return Bag(keys, repeated, len(every))

    def _every(self, view: View) -> tuple[tuple[Element, ...], list[Hashable]]:
        """All members of the graph, and their keys."""
        [members] = self.collection.members(view, GRAPH)
        keys = view.keep(
            (self.token, "keys"), lambda: keys_of(self.features, view, members)
        )
        return members, keys

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked
    ) -> Sparse:
        """The sums that are not 0, for each two owners."""
        left = self.counters(pair.gold, gold)
        right = self.counters(pair.system, system)
        if requested is None and len(left) == len(right) == 1:
            requested = ((0, 0),)
        if requested is not None:
            cost = sum(min(len(left[r]), len(right[c])) for r, c in requested)
            table = sum(map(len, left)) + sum(map(len, right))
            if len(requested) <= 1 or cost <= 2 * table:
                sums = ((cell, self._shared(left, right, cell)) for cell in requested)
                return {cell: number for cell, number in sums if number}
        return contingency(left, right, requested, self.constraint)

    def _shared(self, left: list[Counted], right: list[Counted], cell: Cell) -> Number:
        first, second = left[cell[0]], right[cell[1]]
        both = first.keys() & second.keys()
        if self.duplicates == "set":
            return len(both)
        return sum(
            [amount_of(first[key], second[key], self.constraint) for key in both]
        )

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked
    ) -> dict[Cell, Numerators]:
        """The sums as recall and precision count them: one to one once each."""
        literal = self.pairs(pair, gold, system, requested)
        if self.constraint == "n:n" and self.duplicates == "multiset":
            mine = self.counters(pair.gold, gold)
            return held(mine, self.counters(pair.system, system), literal)
        once = replace(self, constraint="1:1")
        bounded = once.pairs(pair, gold, system, list(literal))
        if self.constraint == "n:1":
            return {c: Numerators(bounded[c], n, n) for c, n in literal.items()}
        return {c: Numerators(n, bounded[c], n) for c, n in literal.items()}

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the cost: the number of owners with equal keys."""
        there = Counter(
            key for counter in self.counters(pair.system, system) for key in counter
        )
        mine = self.counters(pair.gold, gold)
        return sum(there[key] for counted in mine for key in counted if key in there)

    def selves(self, view: View, owners: Elements) -> list[Number]:
        """Return the self-similarity of owners: their number of members."""
        if self.duplicates == "multiset":
            return [len(members) for members in self.collection.members(view, owners)]
        return [len(counted) for counted in self.counters(view, owners)]

    def alone(self, pair: Pair, gold: Bag, system: Bag) -> Partition | None:
        """All members without a partner, where no two of a side are alike.

        Of members that are alike some may have a partner, and others not: ``None``.
        """
        left, right = self._every(pair.gold), self._every(pair.system)
        if len(gold.keys) < len(left[1]) or len(system.keys) < len(right[1]):
            return None
        mine, theirs = lacking(*left, system.keys), lacking(*right, gold.keys)
        return self._parted([], mine, theirs)

    def parted(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> Partition:
        """The members of two owners that are equal, and those that are not."""
        left, here = self._index(pair.gold, gold)
        right, there = self._index(pair.system, system)
        cells: list[Cell] = []
        for key, places in here.items():
            if (others := there.get(key)) is None:
                continue
            if len(places) == len(others) == 1:
                cells.append((places[0], others[0]))
            else:
                cells += together(places, others, self.constraint)
        cells.sort()
        mine, theirs = {p for p, _ in cells}, {q for _, q in cells}
        return self._parted(
            [(left[p], p, right[q], q) for p, q in cells],
            [(one, p) for p, one in enumerate(left) if p not in mine],
            [(two, q) for q, two in enumerate(right) if q not in theirs],
        )

    def _parted(
        self,
        matched: list[tuple[Element, int, Element, int]],
        gold: list[tuple[Element, int]],
        system: list[tuple[Element, int]],
    ) -> Partition:
        sort, via = self.collection.yields, self.collection.short
        return Partition(sort, via, self.similarity, matched, gold, system)

    def _index(
        self, view: View, owner: Element | None
    ) -> tuple[list[Element], dict[Hashable, list[int]]]:
        """An owner's members, and their positions by key."""
        if owner is None:
            return [], {}
        elements: dict[Element, tuple[list[Element], dict[Hashable, list[int]]]]
        elements = view.keep((self.token, "index"), dict)
        if owner not in elements:
            [group] = self.collection.members(view, [owner])
            # All members of the graph may have been counted by their keys.
            every = view.kept.get((self.token, "keys")) if owner == ROOT else None
            keys = keys_of(self.features, view, group) if every is None else every
            index: dict[Hashable, list[int]] = {}
            members: list[Element] = []
            for key, member in zip(keys, group, strict=True):
                places = index.setdefault(key, [])
                if not places or self.duplicates == "multiset":
                    places.append(len(members))
                    members.append(member)
            elements[owner] = members, index
        return elements[owner]


def amount_of(left: int, right: int, constraint: Constraint) -> int:
    """The sum over so many equal gold and system members.

    >>> [amount_of(2, 3, each) for each in ("1:1", "n:1", "1:n", "n:n")]
    [2, 3, 2, 6]
    """
    if constraint == "1:1":
        return left if left < right else right
    if constraint == "n:1":
        return right
    return left if constraint == "1:n" else left * right


def contingency(
    left: Sequence[Counted],
    right: Sequence[Counted],
    requested: Asked,
    constraint: Constraint,
) -> Sparse:
    """Count the members that owners share, key by key.

    Args:
        left: keys of each gold owner.
        right: keys of each system owner.
        requested: which owners are asked about; ``None`` for all.
        constraint: which matchings of equal members are allowed.

    Returns:
        Amounts that are not 0, by positions of the owners.
    """
    index: dict[Hashable, list[tuple[int, int]]] = {}
    for c, counted in enumerate(right):
        for key, count in counted.items():
            index.setdefault(key, []).append((c, count))
    sparse: Sparse = {}
    for r, counted in enumerate(left):
        row: dict[int, int] = {}
        for key, count in counted.items():
            for c, other in index.get(key, ()):
                row[c] = row.get(c, 0) + amount_of(count, other, constraint)
        for c, number in row.items():
            sparse[r, c] = number
    if requested is None:
        return sparse
    return {cell: sparse[cell] for cell in requested if cell in sparse}


def lacking(
    members: Sequence[Element], keys: Sequence[Hashable], there: frozenset[Hashable]
) -> list[tuple[Element, int]]:
    """Members whose keys are not there, with their positions."""
    if there.issuperset(keys):
        return []
    return [
        (members[index], index) for index, key in enumerate(keys) if key not in there
    ]


def together(left: list[int], right: list[int], constraint: Constraint) -> list[Cell]:
    """A matching of things that are all alike."""
    if constraint == "1:1":
        return list(zip(left, right, strict=False))
    if constraint == "n:n":
        return [(p, q) for p in left for q in right]
    if constraint == "n:1":
        return [(left[min(k, len(left) - 1)], q) for k, q in enumerate(right)]
    return [(p, right[min(k, len(right) - 1)]) for k, p in enumerate(left)]


def places_of(
    groups: list[list[Element]], where: list[int]
) -> dict[int, list[tuple[int, int]]]:
    """For each distinct member its owners and its positions among their members."""
    places: dict[int, list[tuple[int, int]]] = {}
    flat = iter(where)
    for owner, group in enumerate(groups):
        for position in range(len(group)):
            places.setdefault(next(flat), []).append((owner, position))
    return places


def cut(groups: list[list[Element]], where: list[int]) -> list[list[int]]:
    """The flat list *where*, cut into groups again."""
    flat = iter(where)
    return [[next(flat) for _ in group] for group in groups]


def held(
    left: Sequence[Counted], right: Sequence[Counted], literal: Sparse
) -> dict[Cell, Numerators]:
    """Return overlaps where all equal members match, capped by each side's own.

    A key that one side has *a* times and the other *b* times is *ab* pairs, and *aa*
    of the one side with itself: no more of them count there.

    Args:
        left: keys of each gold owner.
        right: keys of each system owner.
        literal: all pairs of equal members, by owners.

    Example:
        >>> from collections import Counter
        >>> held([Counter("aa")], [Counter("aaa")], {(0, 0): 6})[0, 0]
        Numerators(recall=4, precision=6, literal=6)
    """
    result = {}
    for (r, c), number in literal.items():
        first, second = left[r], right[c]
        both = [(first[key], second[key]) for key in first.keys() & second.keys()]
        recall = sum(a * min(a, b) for a, b in both)
        precision = sum(b * min(a, b) for a, b in both)
        result[r, c] = Numerators(recall, precision, number)
    return result


def rows_of(
    pair: Pair,
    collection: Collection,
    similarity: Similarity,
    sides: tuple[list[Element], list[Element]],
    cells: Sparse,
    matched: list[Cell],
) -> tuple[Aligned, ...]:
    """The matched members, then gold's that are alone, then the system's.

    Args:
        pair: the two graphs.
        collection: whose members they are.
        similarity: how they are compared.
        sides: gold and system members.
        cells: similarities by position.
        matched: the matched cells.
    """
    left, right = sides
    via, sort = collection.short, collection.yields
    own = similarity.selves(pair.gold, left), similarity.selves(pair.system, right)

    def row(p: int | None, q: int | None) -> Aligned:
        gold, worth = (None, 0) if p is None else (left[p], own[0][p])
        system, value = (None, 0) if q is None else (right[q], own[1][q])
        credit = 0 if p is None or q is None else cells[p, q]
        inner = similarity.aligned(pair, gold, system)
        both = worth, value
        return Aligned(sort, via, gold, p, system, q, credit, both, similarity, inner)

    gold_alone = sorted(set(range(len(left))) - {p for p, _ in matched})
    system_alone = sorted(set(range(len(right))) - {q for _, q in matched})
    return (
        *[row(p, q) for p, q in matched],
        *[row(p, None) for p in gold_alone],
        *[row(None, q) for q in system_alone],
    )


def as_aligned(parted: Partition) -> tuple[Aligned, ...]:
    """Equal members and those without a partner, gold's first."""
    sort, via, inner = parted.sort, parted.via, parted.similarity
    return (
        *[
            Aligned(sort, via, one, p, two, q, 1, (1, 1), inner, ())
            for one, p, two, q in parted.matched
        ],
        *[
            Aligned(sort, via, one, p, None, None, 0, (1, 0), inner, ())
            for one, p in parted.gold
        ],
        *[
            Aligned(sort, via, None, None, two, q, 0, (0, 1), inner, ())
            for two, q in parted.system
        ],
    )
