"""Chains of coreference: which of both sides are alike, and what each is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.drawing.styles import Style, StyledGraph
from graphscore.structures.layout import ENTITY, MENTION, kind_of

PALETTE = 8
"""Colours of chains; the style sheet has them as ``c0`` and so on."""


class Chain(NamedTuple):
    """An entity with its mentions."""

    look: Style
    mentions: tuple[int, ...]
    """Their places among the nodes, in the order of the text."""
    pairs: frozenset[int]
    """Their pair numbers."""
    matched: frozenset[int]
    """Those of the mentions that are no error."""
    name: str = ""
    """A number; of what only the system has a letter."""
    paint: str = ""
    """The class of its colour; that of single mentions is faint."""


def chains_of(sides: Sequence[StyledGraph]) -> list[list[Chain]]:
    """The chains of sides, with names and colours.

    Chains that share most mentions have the same name and pair number, whatever a
    metric took for counterparts.

    Args:
        sides: one or two.

    Returns:
        Those of each side, in the order of their names: longer ones before single
        mentions, and each in the order of the text.
    """
    golds, *rest = [_chains(side) for side in sides]
    systems = rest[0] if rest else []
    partners = _alike(golds, systems)
    longer = {one for one, gold in enumerate(golds) if len(gold.mentions) > 1}
    longer |= {one for key, one in partners.items() if len(systems[key].mentions) > 1}
    golds = [
        gold._replace(name=str(one + 1), paint=_paint(one in longer, one))
        for one, gold in enumerate(golds)
    ]
    named: list[Chain] = []
    letters = 0
    free = 1 + max(
        (look.pair for side in sides for look in (*side.nodes, *side.edges)), default=0
    )
    for two, system in enumerate(systems):
        if two in partners:
            partner = golds[partners[two]]
            name, paint, pair = partner.name, partner.paint, partner.look.pair
        else:
            name, pair = lettered(letters), free + letters
            paint = _paint(len(system.mentions) > 1, len(longer) + letters)
            letters += 1
        look = system.look._replace(pair=pair)
        named.append(system._replace(look=look, name=name, paint=paint))
    return [golds, named][: len(sides)]


def lettered(number: int) -> str:
    """A number in letters, as columns of sheets have them.

    >>> lettered(0), lettered(25), lettered(26)
    ('a', 'z', 'aa')
    """
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def shared(one: Chain, two: Chain) -> int:
    """Return the number of matching mentions that both have."""
    return len(one.matched & two.matched)


def joined(
    golds: Sequence[Chain], systems: Sequence[Chain]
) -> list[tuple[list[int], list[int]]]:
    """Chains that share mentions, and those that share some with these.

    Args:
        golds: gold's chains.
        systems: the system's.

    Returns:
        Places of both, gold's order; each chain once.  The system's stand by the mean
        place of gold's chains that they share mentions with.
    """
    where: dict[int, list[int]] = {}
    for two, system in enumerate(systems):
        for pair in system.matched:
            where.setdefault(pair, []).append(two)
    back: dict[int, set[int]] = {}
    links: list[set[int]] = []
    for one, gold in enumerate(golds):
        links.append({two for pair in gold.matched for two in where.get(pair, ())})
        for two in links[-1]:
            back.setdefault(two, set()).add(one)
    result: list[tuple[list[int], list[int]]] = []
    seen: set[int] = set()
    for first in range(len(golds)):
        if first in seen:
            continue
        ones, twos, open_ = {first}, set[int](), [first]
        while open_:
            for two in links[open_.pop()] - twos:
                twos.add(two)
                new = back[two] - ones
                ones |= new
                open_ += new
        seen |= ones
        means = {two: _mean(golds, back[two], systems[two]) for two in twos}
        result.append((sorted(ones), sorted(twos, key=lambda two: (means[two], two))))
    result += [([], [two]) for two in range(len(systems)) if two not in back]
    return result


def _mean(golds: Sequence[Chain], ones: set[int], system: Chain) -> float:
    """The mean place of the chains whose mentions a chain has."""
    counts = {index: shared(golds[index], system) for index in ones}
    return sum(key * count for key, count in counts.items()) / sum(counts.values())


def _chains(side: StyledGraph) -> list[Chain]:
    ordinals = side.graph.ordinals()
    members: dict[int, list[int]] = {}
    for edge in side.graph.edges:
        if edge.label == MENTION:
            members.setdefault(ordinals[edge.source], []).append(ordinals[edge.target])
    chains: list[Chain] = []
    for number, (node, look) in enumerate(side.seen_nodes()):
        if kind_of(node) != ENTITY:
            continue
        mentions = sorted(
            dict.fromkeys(members.get(number, ())),
            key=lambda n: (side.graph.nodes[n].anchors[:1], n),
        )
        looks = [side.nodes[n] for n in mentions]
        chains.append(
            Chain(
                look,
                tuple(mentions),
                frozenset(each.pair for each in looks),
                frozenset(each.pair for each in looks if each.right),
            )
        )
    first = {chain.look.pair: _first(side, chain) for chain in chains}
    return sorted(
        chains, key=lambda each: (len(each.mentions) < 2, first[each.look.pair])
    )


def _first(side: StyledGraph, chain: Chain) -> tuple[tuple[int, ...], int]:
    """Return the position of an entity's first mention."""
    for number in chain.mentions:
        if anchors := side.graph.nodes[number].anchors:
            return (0, *anchors[0]), number
    return (1,), min(chain.mentions, default=0)


def _paint(longer: bool, number: int) -> str:
    return f"c{number % PALETTE}" if longer else "faint"


def _alike(golds: Sequence[Chain], systems: Sequence[Chain]) -> dict[int, int]:
    """For the system's chains gold's: those that share most first, each once."""
    where: dict[int, list[int]] = {}
    for two, system in enumerate(systems):
        for pair in system.pairs:
            where.setdefault(pair, []).append(two)
    common: dict[tuple[int, int], int] = {}
    for one, gold in enumerate(golds):
        for pair in gold.pairs:
            for two in where.get(pair, ()):
                common[one, two] = common.get((one, two), 0) + 1
    result: dict[int, int] = {}
    taken: set[int] = set()
    for (one, two), _ in sorted(common.items(), key=lambda each: (-each[1], each[0])):
        if one not in taken and two not in result:
            result[two] = one
            taken.add(one)
    return result
