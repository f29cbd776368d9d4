"""UCCA as the UCCA toolkit's own scorer counts it: yields with categories.

Reference: ``ucca.evaluation`` of the UCCA toolkit 1.3.8 (Hershcovich, Abend and
Rappoport 2017), run on published and on disturbed passages; what it does is written
down from what came out.

An item is a yield, the words below the targets of links, with the categories of all
links that lead to it.  Links to implicit units are known by the yield of the unit above
and are items of their own, as are remote ones; those of punctuation are none.  Under
normalisation functions that both sides have, by their yields, hang at the root.

>>> weaker(("P", "D")) == weaker(("S", "D")), weaker(("H",)) & weaker(("C",))
(True, frozenset({'C'}))
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from graphscore.metrics.meaning.ucca import GROUPS
from graphscore.metrics.meaning.ucca_toolkit.passages import (
    FUNCTION,
    PUNCTUATION,
    Link,
    Passage,
    Unit,
    normalized,
)
from graphscore.model.graph import Graph

CONSTRUCTIONS = ("primary", "remote", "implicit")

TUPLE_TYPES = tuple(f"{group} {name}" for group in GROUPS for name in CONSTRUCTIONS)

WEAKER = {"S": "P", "H": "C", "R": "F", "L": "N"}
"""Categories that are as good as another one in ``weak_labeled``."""

Yield = int
"""Words, as bits."""


@lru_cache(1 << 12)
def weaker(tags: tuple[str, ...]) -> frozenset[str]:
    """Categories, those that are as good as another one as that.

    Args:
        tags: categories.
    """
    return frozenset(WEAKER.get(tag, tag) for tag in tags)


class Item(NamedTuple):
    """A yield that links lead to."""

    tags: tuple[str, ...]
    """All categories, each once."""
    link: Link
    """The first that leads there."""


Items = dict[Yield, Item]


class Laid:
    """A passage as it is compared.

    Args:
        graph: a passage.
        normalize: whether it is brought into the toolkit's normal form.
    """

    def __init__(self, graph: Graph, normalize: bool) -> None:
        self.graph = graph
        passage = Passage(graph)
        if normalize:
            normalized(passage)
        self.root, self.normal = passage.root, normalize
        self.units = _bottom_up(passage)
        self.own = [
            sum(1 << terminal for terminal in {*unit.terminals} - passage.punctuation)
            for unit in self.units
        ]
        self.number = {unit: number for number, unit in enumerate(self.units)}
        number = self.number
        self.links = [
            [(link, number[link.target]) for link in unit.links if not link.remote]
            for unit in self.units
        ]
        self.yields = self.yields_without(frozenset())

    def yields_without(self, moved: frozenset[Link]) -> list[Yield]:
        """The yield of every unit, as if some links hung at the root.

        Args:
            moved: these links.
        """
        result = list(self.own)
        for index, links in enumerate(self.links):
            for link, target in links:
                if link not in moved:
                    result[index] |= result[target]
        if moved:
            root = self.number[self.root]
            for link in moved:
                result[root] |= result[self.number[link.target]]
        return result

    @cached_property
    def functions(self) -> dict[Yield, list[Link]]:
        """Functions by their yields."""
        result: dict[Yield, list[Link]] = {}
        for links in self.links:
            for link, target in links:
                if FUNCTION in link.tags:
                    result.setdefault(self.yields[target], []).append(link)
        return result

    @cached_property
    def usual(self) -> tuple[Items, Items, Items]:
        """The items where no function is moved."""
        return self.items(frozenset())

    def items(self, moved: frozenset[Link]) -> tuple[Items, Items, Items]:
        """Primary, remote and implicit items.

        Args:
            moved: links of functions that hang at the root.
        """
        yields = self.yields_without(moved) if moved else self.yields
        number = self.number
        result: tuple[Items, Items, Items] = {}, {}, {}
        for index, unit in enumerate(self.units):
            for link in unit.links:
                target = link.target
                tags = tuple(link.tags)
                if link in moved:
                    tags = (FUNCTION,)
                if target.implicit:
                    if link.remote:
                        continue
                    above = number[self.root] if link in moved else index
                    which, key = 2, yields[above]
                elif PUNCTUATION in tags:
                    continue
                else:
                    which, key = int(link.remote), yields[number[target]]
                items = result[which]
                item = items.get(key)
                if item is None:
                    items[key] = Item(tags, link)
                elif item.tags != tags:
                    both = tuple(dict.fromkeys((*item.tags, *tags)))
                    items[key] = Item(both, item.link)
        return result


def _bottom_up(passage: Passage) -> list[Unit]:
    """All units, each after those that it leads to."""
    result: dict[Unit, None] = {}
    entered: set[Unit] = set()
    for first in (passage.root, *passage.units):
        if first in entered:
            continue
        entered.add(first)
        waiting = [(first, iter(tuple(first.links)))]
        while waiting:
            unit, links = waiting[-1]
            for link in links:
                if not link.remote and link.target not in entered:
                    entered.add(link.target)
                    waiting.append((link.target, iter(tuple(link.target.links))))
                    break
            else:
                waiting.pop()
                result[unit] = None
    return list(result)


Sides = tuple[Items, Items]


def sides_of(gold: Laid, system: Laid) -> list[Sides]:
    """The items of both sides, construction by construction.

    Args:
        gold: a passage.
        system: the other one's.
    """
    shared: Iterable[Yield] = ()
    if gold.normal:
        shared = gold.functions.keys() & system.functions.keys()
    if not shared:
        return list(zip(gold.usual, system.usual, strict=True))
    left, right = (
        side.items(frozenset(x for key in shared for x in side.functions[key]))
        for side in (gold, system)
    )
    return list(zip(left, right, strict=True))


def shared_yields(group: str, sides: Sides) -> list[Yield]:
    """The yields of both sides that match, in gold's order.

    Args:
        group: one of :data:`GROUPS`.
        sides: the items of a construction.
    """
    gold, system = sides
    result = []
    for key, item in gold.items():
        counterpart = system.get(key)
        if counterpart is None:
            continue
        if (
            item.tags == counterpart.tags
            or group == "unlabeled"
            or _alike(group, item, counterpart)
        ):
            result.append(key)
    return result


def _alike(group: str, left: Item, right: Item) -> bool:
    if group == "labeled":
        return not set(left.tags).isdisjoint(right.tags)
    return not weaker(left.tags).isdisjoint(weaker(right.tags))
