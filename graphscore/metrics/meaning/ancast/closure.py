"""Triples of a document closed under transitivity, as AnCast closes them.

Orders in time and membership compose with themselves and with identity; what happens
within something that is before is before.  ``overlap`` and ``depends-on`` compose with
nothing.

>>> said = {(1, 2): "before", (3, 2): "after", (3, 4): "contains"}
>>> order = edges_of("temporal", said)
>>> found = closed(order)
>>> sorted(found.relations), [sorted(each.nodes) for each in found.clusters]
([(2, 1, 'later'), (3, 1, 'later'), (3, 2, 'later')], [[1, 2, 3]])

**Numbers.**  Triples are compared by numbers that both sides share.  A number stands
for a node of either side and its counterpart.  A variable gets it when a triple first
says it, by the map of the sentence with which that triple was annotated: a variable
of another sentence is then taken for that of the same name, and so are constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from graphscore.metrics.meaning.ancast.layout import PreparedDocument
from graphscore.structures.documents import LEVELS, Triple

Reference = Literal["named", "mapped"]

Levels = Literal["plain", "all"]


class Said(NamedTuple):
    """A triple by the numbers of its ends."""

    head: int
    tail: int
    relation: str
    triple: Triple


class Numbers:
    """Numbers of what triples of both sides speak of.

    Args:
        system: the system's document.
        gold: that of gold.
        maps: the gold node of each of the system's nodes, sentence by sentence.
        reference: how variables of other sentences find their counterparts: by their
            names, or by the map of the sentence that they are of.
        levels: which triples count: those that stand in a level with nothing but
            triples, or all.
    """

    def __init__(
        self,
        system: PreparedDocument,
        gold: PreparedDocument,
        maps: list[dict[int, int]],
        reference: Reference,
        levels: Levels,
    ) -> None:
        self._sides = system, gold
        self._maps = maps
        self._levels = levels
        self.skipped: Counter[tuple[str, str]] = Counter()
        """Numbers of triples that do not count, by level and side."""
        self._numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
        self._next = 0
        self.said: tuple[dict[str, list[Said]], dict[str, list[Said]]] = (
            {level: [] for level in LEVELS},
            {level: [] for level in LEVELS},
        )
        """The triples of the system and of gold, by level, in order."""
        everything = self._everything() if reference == "mapped" else None
        for index, forth in enumerate(maps):
            known = everything or self._partners(index, forth)
            for level in LEVELS:
                for side in (0, 1):
                    self._say(side, index, level, known[side])

    def _partners(
        self, index: int, forth: Mapping[int, int]
    ) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """The counterpart of each variable of a sentence, by their names."""
        left, right = (
            side.sentences[index].variables if index < len(side.sentences) else []
            for side in self._sides
        )
        back = {value: key for key, value in forth.items()}
        return (
            {
                name: right[forth[n]] if n in forth else None
                for n, name in enumerate(left)
            },
            {
                name: left[back[n]] if n in back else None
                for n, name in enumerate(right)
            },
        )

    def _everything(self) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """The same of all sentences."""
        result: tuple[dict[str, str | None], dict[str, str | None]] = {}, {}
        for index, forth in enumerate(self._maps):
            for side, more in zip(result, self._partners(index, forth), strict=True):
                for name, partner in more.items():
                    side.setdefault(name, partner)
        return result

    def _say(
        self, side: int, index: int, level: str, known: Mapping[str, str | None]
    ) -> None:
        document = self._sides[side]
        if index >= len(document.triples):
            return
        for triple in document.triples[index].get(level, ()):
            if not triple.plain and self._levels == "plain":
                self.skipped[level, ("system", "gold")[side]] += 1
                continue
            head = self._number(side, document.names[triple.head], known)
            tail = self._number(side, document.names[triple.tail], known)
            self.said[side][level].append(Said(head, tail, triple.relation, triple))

    def _number(self, side: int, name: str, known: Mapping[str, str | None]) -> int:
        left, right = self._numbers[side], self._numbers[1 - side]
        if name not in left:
            partner = known.get(name, name)
            left[name] = self._next
            if partner is not None:
                right[partner] = self._next
            self._next += 1
        return left[name]


def last_said(triples: Iterable[Said]) -> dict[tuple[int, int], Said]:
    """The triple that counts of each two ends: the last one."""
    return {(triple.head, triple.tail): triple for triple in triples}


Related = tuple[int, int, str]
"""Two numbers of a document, and how they are related."""

Edges = dict[int, list[tuple[int, str]]]

LATER, WITHIN, HOLDS = "later", "within", "holds"
OVERLAP, DEPENDS, ENTITY, EVENT = "overlap", "depends-on", "same-entity", "same-event"

_SAME = (ENTITY, EVENT)

_COMPOSED: dict[tuple[str, str], str] = {
    (LATER, LATER): LATER,
    (LATER, HOLDS): LATER,
    (WITHIN, LATER): LATER,
    (WITHIN, WITHIN): WITHIN,
    (HOLDS, HOLDS): HOLDS,
    **{(first, second): first for first in _SAME for second in _SAME},
    **{(same, x): x for same in _SAME for x in (HOLDS, WITHIN)},
    **{(x, same): x for same in _SAME for x in (HOLDS, WITHIN)},
}
"""Composition of two relations in sequence; absent pairs compose to none."""


def edges_of(level: str, triples: Mapping[tuple[int, int], str]) -> Edges:
    """The steps that triples allow, from each number.

    Args:
        level: ``temporal`` or ``coref``.
        triples: relations by head and tail; others than those known are dropped.
    """
    edges: Edges = {}
    for (head, tail), relation in triples.items():
        for start, end, name in _steps(level, relation, head, tail):
            edges.setdefault(start, []).append((end, name))
    return edges


def _steps(level: str, relation: str, head: int, tail: int) -> list[Related]:
    if level == "temporal":
        if relation == "after":
            return [(head, tail, LATER)]
        if relation == "before":
            return [(tail, head, LATER)]
        if relation == "depends-on":
            return [(head, tail, DEPENDS)]
        if relation == "overlap":
            return [(min(head, tail), max(head, tail), OVERLAP)]
        if relation in ("contained", "includes"):
            return [(tail, head, HOLDS), (head, tail, WITHIN)]
        return []
    if relation == "same-entity":
        return [(head, tail, ENTITY), (tail, head, ENTITY)]
    if relation == "same-event":
        # From the tail alone, as the program has it.
        return [(tail, head, EVENT)]
    if relation == "subset-of":
        return [(head, tail, WITHIN), (tail, head, HOLDS)]
    return []


class Cluster(NamedTuple):
    """Connected nodes, and all relations that hold among them."""

    nodes: set[int]
    relations: set[Related]

    def meets(self, opposite: Cluster) -> bool:
        """Return true if the two clusters share a node."""
        return not self.nodes.isdisjoint(opposite.nodes)


class Closure(NamedTuple):
    """All that follows from the triples of one level."""

    clusters: list[Cluster]
    relations: set[Related]


def oriented(start: int, end: int, name: str) -> Related:
    """A relation as it is oriented whichever end it is seen from."""
    if name == WITHIN:
        return end, start, HOLDS
    if name in (ENTITY, EVENT, OVERLAP) and start > end:
        return end, start, name
    return start, end, name


def closed(edges: Edges) -> Closure:
    """Everything that can be reached from each number, and how.

    Args:
        edges: steps; those from a number are taken last first, and what was passed is
            not gone on from again.
    """
    clusters: dict[int, Cluster] = {}
    whole: set[Related] = set()
    for start in edges:
        nodes, relations = _reached(start, edges)
        whole |= relations
        merged = Cluster(nodes, relations)
        for node in [*nodes]:
            known = clusters.get(node)
            if known is not None and known is not merged:
                merged.nodes.update(known.nodes)
                merged.relations.update(known.relations)
                clusters.update(dict.fromkeys(known.nodes, merged))
        clusters.update(dict.fromkeys(nodes, merged))
    unique = {id(cluster): cluster for cluster in clusters.values()}
    return Closure(list(unique.values()), whole)


def _reached(start: int, edges: Edges) -> tuple[set[int], set[Related]]:
    """Return the nodes reached from a node, and how each is related to it."""
    visited: set[int] = set()
    relations: set[Related] = set()
    ahead = [(start, "")]
    while ahead:
        current, known = ahead.pop()
        visited.add(current)
        for following, step in edges[current]:
            name = _COMPOSED.get((known, step)) if known else step
            if name is None:
                continue
            if following != start or name not in _SAME:
                relations.add(oriented(start, following, name))
            if following in visited:
                continue
            if following in edges:
                ahead.append((following, name))
            else:
                visited.add(following)
    return visited, relations


def share_of(cluster: Cluster, opposite: Closure) -> float:
    """The numbers of a cluster times the share of its relations that are theirs too.

    What is only said to be itself has none: it is theirs if they say so, too.

    Args:
        cluster: what is counted.
        opposite: all that the other side says.
    """
    relations = cluster.relations
    if not relations:
        alone = (
            cluster.nodes for cluster in opposite.clusters if not cluster.relations
        )
        return float(len(cluster.nodes) * (cluster.nodes in alone))
    return len(cluster.nodes) * (len(relations & opposite.relations) / len(relations))


def shares(left: Closure, right: Closure) -> float:
    """Sum the shares of all clusters."""
    return sum(share_of(cluster, right) for cluster in left.clusters)


def size_of(closure: Closure) -> int:
    """Count the nodes in clusters."""
    return sum(len(cluster.nodes) for cluster in closure.clusters)
