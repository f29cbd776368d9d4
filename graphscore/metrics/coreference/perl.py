"""Documents that repeat mentions, as the reference scorer 8.01 counts them.

Its ``IdentifMentions`` gives every span of the key a number: the copies of a span, in
several entities or in one, have the same.  A span of the response that the key has
counts once, in the entity that comes first; its other copies are gone.  Copies of a
span that the key does not have all stay.  From there on

- MUC and B³ look a mention of the response up in the last entity of the key that has
  it; which other mentions of an entity are there as well, B³ counts in all of them;
- CEAF counts a copy in every entity of the key that has it, and once in each, though
  the scorer counts it twice where one entity has it twice, which may be more than there
  is;
- BLANC has sets of links: a link that two entities of the key have is one, and a link
  can be of both classes;
- mentions are counted by their spans.

The scorer does not know LEA, which is as MUC and B³ are.

Entities come in their order in the graph, which is that in which they open in a file;
of those that open at one word, such as have a mention of that word alone come first.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.metrics.coreference.chains import MentionOptions
>>> def document(*entities):
...     nodes, edges = [], []
...     for number, mentions in enumerate(entities):
...         nodes.append(Node(f"e{number}", None, (("kind", "entity"),)))
...         for place, start in enumerate(mentions):
...             name = f"{number}.{place}"
...             nodes.append(Node(name, None, (("kind", "mention"),),
...                               (Anchor(start, start + 1),)))
...             edges.append(Edge(f"e{number}", name, "mention"))
...     return lay_out(
...         Graph("1", "coref", nodes=tuple(nodes), edges=tuple(edges)),
...         MentionOptions())
>>> table = PerlTable(document([0, 1], [1, 2, 3]), document([0, 1], [2, 3]))
>>> table.by_gold, table.mentions
({(0, 0): 1, (1, 0): 1, (1, 1): 2}, (4, 4))
>>> table.company
{(0, 0): 2, (1, 0): 1, (1, 1): 2}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, groupby
from operator import itemgetter

from graphscore.metrics.coreference.chains import (
    Chains,
    Key,
    Membership,
    columns_of,
    lay_out,
)
from graphscore.metrics.coreference.contingency import RECENT, Table, counted
from graphscore.model.outcome import Count

Link = tuple[int, int]


def repeats(gold: Chains, system: Chains) -> bool:
    """Return true if a document repeats mentions and only spans identify them."""
    reading = gold.reading
    plain = reading.mentions == "exact" and reading.zeros == "linear"
    return plain and any((gold.copies, system.copies))


class PerlTable(Table):
    """The amounts of a pair of documents.

    Args:
        gold: the gold entities.
        system: the system's, in the words of gold.
    """

    def __init__(self, gold: Chains, system: Chains) -> None:
        key = _in_order(gold)
        super().__init__(key, _response_entities(system, {*key.keys}))
        self._count()

    def _count(self) -> None:
        gold, system = self.gold, self.system
        entities: dict[Key, list[int]] = {}
        for key, entity in zip(gold.keys, gold.owner, strict=True):
            entities.setdefault(key, []).append(entity)
        matched = [
            (entities[key], entity)
            for key, entity in zip(system.keys, system.owner, strict=True)
            if key in entities
        ]
        self.matched = len(matched)
        self.mentions = len(gold.first), len(system.first)
        self.by_gold = self.by_system = counted((of[-1], r) for of, r in matched)
        self.shared = counted((k, r) for of, r in matched for k in {*of})
        self.company = {cell: self.shared[cell] for cell in self.by_gold}

    @property
    def links(self) -> tuple[Count, Count]:
        """Links within entities, and between them, each link once in each class."""
        number: dict[Key, int] = {}
        for key in (*self.gold.keys, *self.system.keys):
            number.setdefault(key, len(number))
        sides = [_Links(side, number) for side in (self.gold, self.system)]
        odd = sides[0].odd | sides[1].odd
        result = []
        for inside in (True, False):
            plain = _plain(sides[0], sides[1], odd, inside)
            left, right = ({*side.with_odd(odd, inside)} for side in sides)
            more = len(left), len(right), len(left & right)
            result.append(Count(*(a + b for a, b in zip(plain, more, strict=True))))
        return result[0], result[1]


@lru_cache(RECENT)
def perl_table(gold: Chains, system: Chains) -> PerlTable:
    """The amounts of a pair; made once, however many metrics ask for them.

    Args:
        gold: the gold entities.
        system: the system's, in the words of gold.
    """
    return PerlTable(gold, system)


class _Links:
    """The mentions of a side by number, for links between them.

    Args:
        chains: its entities.
        number: the number of each mention.
    """

    def __init__(self, chains: Chains, number: dict[Key, int]) -> None:
        self.entities: dict[int, list[int]] = {}
        """The entities that each mention is in, one for each copy."""
        for key, entity in zip(chains.keys, chains.owner, strict=True):
            self.entities.setdefault(number[key], []).append(entity)
        self.odd = {
            name for name, entities in self.entities.items() if len(entities) > 1
        }
        """Those with copies."""

    def with_odd(self, odd: set[int], inside: bool) -> Iterator[Link]:
        """The links that have a mention among some."""
        for repeated in odd & self.entities.keys():
            entities = self.entities[repeated]
            for key, entity in self.entities.items():
                if key in odd and key < repeated:
                    continue
                if key == repeated:
                    pairs = [*combinations(entities, 2)]
                else:
                    pairs = [(a, b) for a in entities for b in entity]
                if any((a == b) == inside for a, b in pairs):
                    yield min(repeated, key), max(repeated, key)


def _plain(
    gold: _Links, system: _Links, odd: set[int], inside: bool
) -> tuple[int, int, int]:
    """Links between mentions that no side repeats: gold's, the system's, both's."""
    left, right = (
        {name: entity[0] for name, entity in side.entities.items() if name not in odd}
        for side in (gold, system)
    )
    both = Counter((left[name], right[name]) for name in left.keys() & right.keys())
    first, second, common = (
        _pairs(Counter(owners).values())
        for owners in (left.values(), right.values(), both.elements())
    )
    if inside:
        return first, second, common
    rows, columns = Counter[int](), Counter[int]()
    for (a, b), number in both.items():
        rows[a] += number
        columns[b] += number
    apart = _pairs([both.total()]) - _pairs(rows.values()) - _pairs(columns.values())
    return _pairs([len(left)]) - first, _pairs([len(right)]) - second, apart + common


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def _in_order(chains: Chains) -> Chains:
    """The entities in the scorer's order, with every copy of a mention."""
    laid = lay_out(chains.graph, chains.reading, copies=True)
    rows = zip(*laid.columns, strict=True)
    nodes = chains.graph.nodes
    words = {anchor.start: anchor.end for anchor in chains.graph.tokens}
    entities = [[*group] for _, group in groupby(rows, itemgetter(0))]
    starts: list[int] = []
    longer: list[bool] = []
    for members in entities:
        anchors = [nodes[node].anchors for _, node, _ in members if nodes[node].anchors]
        start = min((min(every)[0] for every in anchors), default=-1)
        ends = (max(every)[1] for every in anchors if min(every)[0] == start)
        starts.append(start)
        longer.append(min(ends, default=start) > words.get(start, start + 1))
    order: list[int] = []
    for _, group in groupby(range(len(entities)), key=starts.__getitem__):
        order += sorted(group, key=longer.__getitem__)
    memberships = [membership for k in order for membership in entities[k]]
    return Chains(chains.graph, chains.reading, columns_of(memberships))


def _response_entities(chains: Chains, key: set[Key]) -> Chains:
    """The entities of a response, spans of the key only in the first that has them."""
    seen: set[Key] = set()
    result: list[Membership] = []
    for membership in zip(*_in_order(chains).columns, strict=True):
        member_key = membership[2]
        if member_key not in seen:
            result.append(membership)
        if member_key in key:
            seen.add(member_key)
    return Chains(chains.graph, chains.reading, columns_of(result))
