"""What two graphs' tuples share under a map of the nodes: counts, matches, errors.

A pair has dozens of tuples and most of them match, so that they are gone through
once, as they stand in both graphs, and only what is left is made a row of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphscore.model.frameworks import ATTRIBUTES, EDGES, KINDS
from graphscore.model.graph import Value
from graphscore.model.ledger import Ledger, sided, unlike
from graphscore.model.outcome import Error, Match, Side
from graphscore.model.tuples import Fact, Facts, Key

Partners = Mapping[int, int]
"""For nodes of one side that correspond to something, the node of the other."""


class Shared(NamedTuple):
    """Tuples that both graphs have."""

    counts: list[int]
    """How many there are of each kind."""
    nodes: list[tuple[int, int, int]]
    """Nodes of both sides that correspond, and how many tuples they share."""
    edges: list[tuple[int, int, int]]
    """Numbers of edge tuples of both sides that match, and their worth with their
    attributes."""


def shared_tuples(gold: Facts, system: Facts, partner: Partners) -> Shared:
    """What both graphs share.

    Args:
        gold: tuples of the gold graph.
        system: tuples of the system graph.
        partner: for gold nodes that correspond to something their system node.
    """
    counts = [0] * len(KINDS)
    nodes, edges = [], []
    mine, theirs = gold.said, system.said
    for node, other in partner.items():
        there, found = theirs[other], 0
        for key in mine[node]:
            if key in there:
                counts[key[0]] += 1
                found += 1
        nodes.append((node, other, found))
    numbers = system.edge_numbers
    attributed = bool(gold.attributes and system.attributes)
    for (source, target, label), number in gold.edge_numbers.items():
        image = numbers.get((partner.get(source, -1), partner.get(target, -1), label))
        if image is None:
            continue
        worth = 1
        if attributed:
            one = gold.attributes.get(number)
            two = system.attributes.get(image)
            if one and two:
                worth += len(one.keys() & two.keys())
                counts[ATTRIBUTES] += worth - 1
        edges.append((number, image, worth))
    counts[EDGES] = len(edges)
    return Shared(counts, nodes, edges)


def enter_matches(ledger: Ledger, gold: Facts, system: Facts, shared: Shared) -> None:
    """Enter nodes that correspond and edges that match, with what they share."""
    enter = ledger.matches.append
    for node, other, found in shared.nodes:
        enter(_row(Match, ("node", node, other, float(found), None, 0)))
    mine, theirs = gold.edge_ordinals, system.edge_ordinals
    for number, image, worth in shared.edges:
        ends = mine[number], theirs[image]
        enter(_row(Match, ("edge", *ends, float(worth), None, 0)))


def enter_errors(ledger: Ledger, gold: Facts, system: Facts, partner: Partners) -> None:
    """Enter tuples that the other side does not have: gold's, then the system's."""
    backward = {two: one for one, two in partner.items()}
    enter = ledger.entered.append
    for side, mine, theirs in sided(gold, system):
        known = backward if side == "surplus" else partner
        for node, key, other, reason in _unmatched_facts(mine, theirs, known):
            enter(_error(side, mine.node_fact(node, key), other, reason))
        for fact, other, reason in _unmatched_edges(mine, theirs, known):
            enter(_error(side, fact, other, reason))


_row = tuple.__new__
"""A row from its fields in order: thousands of them are made a second."""


def _error(side: Side, fact: Fact, other: int | None, reason: str) -> Error:
    kind, what, own, _, label, name, value, compared = fact
    gold, system = (other, own) if side == "surplus" else (own, other)
    said = _unlike(compared, value)
    return _row(
        Error,
        (
            side, kind, what, gold, system, label, name, value, said, reason, 0.0, None
        ),
    )  # fmt: skip


def _unlike(compared: str | None, value: Value) -> str | None:
    """What was compared, where it is not what is written."""
    return None if compared == value else unlike(compared, value)


def _unmatched_facts(
    mine: Facts, theirs: Facts, partner: Partners
) -> Iterator[tuple[int, Key, int | None, str]]:
    """Node-local tuples of *mine* that the map does not find in *theirs*.

    Yields the node, the tuple, the node's counterpart and the reason.
    """
    for node, said in enumerate(mine.said):
        other = partner.get(node)
        if other is None:
            for key in said:
                yield node, key, None, "no counterpart"
            continue
        there = theirs.said[other]
        for key in said:
            if key not in there:
                # A fact of the same kind, and of the same name for a property.
                stem = key[:-1]
                rival = any(fact[:-1] == stem for fact in there) if stem else False
                yield node, key, other, "differs" if rival else "absent"


def _unmatched_edges(
    mine: Facts, theirs: Facts, partner: Partners
) -> Iterator[tuple[Fact, int | None, str]]:
    """Edge and attribute tuples of *mine* that the map does not find in *theirs*.

    Yields the tuple, the ordinal of its edge's counterpart and the reason.
    """
    between: dict[tuple[int, int], int] | None = None
    places, attributes = theirs.edge_numbers, mine.attributes
    for (source, target, label), number in mine.edge_numbers.items():
        one, two = partner.get(source), partner.get(target)
        same = None if one is None or two is None else places.get((one, two, label))
        if same is None:
            rival: int | None = None
            reason = "no counterpart"
            if one is not None and two is not None:
                if between is None:
                    between = {}
                    for (begin, end, _), other in places.items():
                        between.setdefault((begin, end), theirs.edge_ordinals[other])
                rival = between.get((one, two))
                reason = "absent" if rival is None else "differs"
            yield mine.edge_fact(number), rival, reason
            for attribute in attributes.get(number, ()):
                yield mine.attribute_fact(number, attribute), rival, reason
            continue
        if number not in attributes:
            continue
        found = theirs.attributes.get(same, {})
        for attribute in attributes[number]:
            if attribute not in found:
                named = any(name == attribute[0] for name, _ in found)
                yield (
                    mine.attribute_fact(number, attribute),
                    theirs.edge_ordinals[same],
                    "differs" if named else "absent",
                )
