"""Linked mentions of several documents, made up, and neleval's measures done slowly."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations

from hypothesis import strategies as st

from graphscore import Anchor, Graph, Node

Said = tuple[str | None, str | None, tuple[int, int]]
"""Type, entries with ``|`` between, and characters."""


def document(item: str, *mentions: Said) -> Graph:
    nodes = []
    for number, (label, entry, place) in enumerate(mentions):
        properties = [("kind", "mention")]
        properties += [("authority", each) for each in (entry or "").split("|") if each]
        nodes.append(Node(number, label, tuple(properties), (Anchor(*place),)))
    return Graph(item, "ner", document=item, nodes=tuple(nodes))


_PLACES = st.tuples(st.integers(0, 8), st.integers(1, 4)).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1])
)

MENTIONS = st.tuples(
    st.sampled_from(["PER", "ORG"]),
    st.sampled_from([None, "Q1", "Q2", "NIL", "NIL1", "NILE"]),
    _PLACES,
)

SIDES = st.dictionaries(
    st.sampled_from(["d1", "d2", "d3"]), st.lists(MENTIONS, max_size=5), min_size=1
).map(lambda found: [document(item, *each) for item, each in found.items()])
"""Documents of mentions, of which several may stand in one place."""

Fact = dict[str, object]


def facts(side: list[Graph]) -> list[Fact]:
    """What is said of each mention, in neleval's order."""
    found: list[Fact] = []
    for graph in side:
        seen = set()
        nodes = sorted(graph.nodes, key=lambda x: (x.anchors[0][0], -x.anchors[0][1]))
        for node in nodes:
            start, end = node.anchors[0]
            eid = dict(node.properties).get("authority")
            nil = str(eid).startswith("NIL")
            found.append(
                {
                    "docid": graph.id,
                    "span": (graph.id, start, end - 1),
                    "type": node.label,
                    "eid": eid,
                    "kbid": None if nil else eid,
                    "is_nil": nil,
                    "is_linked": eid is not None and not nil,
                    "is_first": eid not in seen,
                }
            )
            seen.add(eid)
    return found


def keys(side: list[Fact], filtered: str, key: str) -> list[tuple[object, ...]]:
    return [
        tuple(each[field] for field in key.split("+"))
        for each in side
        if not filtered or each[filtered]
    ]


def sets(gold: list[Graph], system: list[Graph], filtered: str, key: str) -> list[int]:
    one, two = (set(keys(facts(side), filtered, key)) for side in (gold, system))
    return [len(one), len(two), len(one & two)]


Clusters = list[set[tuple[object, ...]]]


def clusters(side: list[Graph], key: str) -> Clusters:
    found: dict[object, set[tuple[object, ...]]] = defaultdict(set)
    for each in facts(side):
        found[each["eid"]].add(tuple(each[field] for field in key.split("+")))
    return list(found.values())


def ceaf(gold: Clusters, system: Clusters, dice: bool) -> list[float]:
    """The best over all pairings, tried one after the other."""

    def alike(one: set[tuple[object, ...]], two: set[tuple[object, ...]]) -> float:
        both = len(one & two)
        return 2 * both / (len(one) + len(two)) if dice else both

    few, many = sorted((gold, system), key=len)
    best = max(
        sum(alike(*pair) for pair in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    return [sum(alike(x, x) for x in gold), sum(alike(x, x) for x in system), best]


def halves(own: Clusters, other: Clusters) -> tuple[int, float, int, int]:
    """How many things there are; B³ and MUC from this side."""
    where = {thing: each for each in own for thing in each}
    there = {thing: each for each in other for thing in each}
    nothing: set[tuple[object, ...]] = set()
    cubed = sum(
        len(mine & there.get(thing, nothing)) / len(mine)
        for thing, mine in where.items()
    )
    links = 0
    for each in own:
        parts = [frozenset(there[thing]) for thing in each if thing in there]
        links += len(parts) - len({id(there[x]) for x in each if x in there})
    return len(where), cubed, sum(len(each) - 1 for each in own), links


def pairs(gold: Clusters, system: Clusters) -> list[int]:
    amounts = [
        sum(1 for x in side for _ in combinations(x, 2)) for side in (gold, system)
    ]
    both = [x & y for x in gold for y in system]
    return [*amounts, sum(1 for each in both for _ in combinations(each, 2))]
