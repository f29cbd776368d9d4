"""Opinions as rows: those that are found, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.metrics.sentiment.words import (
    PARTS,
    TARGETED,
    Found,
    Opinions,
    Said,
    alike,
)
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.similarity.features.elements import surface

TUPLES = "tuples"
"""The kind of opinions as a whole."""

Sides = tuple[Opinions, Opinions]
"""Gold and the system's."""


def enter_opinions(
    ledger: Ledger,
    sides: Sides,
    found: tuple[Sequence[Found], Sequence[Found]],
    weighted: bool,
) -> None:
    """Enter what became of every opinion.

    One of gold that is found is a match for what it earns.  What is found in part is a
    partial error, too: once for gold, and once more for the system where another of its
    opinions is worth less than it could be.

    Args:
        ledger: where rows go.
        sides: both sentences.
        found: what was found of the opinions of either.
        weighted: whether an opinion earns its share, or 1.
    """
    gold, system = sides
    told: set[tuple[int, int]] = set()
    for one, mine in zip(gold.said, found[0], strict=True):
        near = None if mine.near is None else system.said[mine.near]
        if mine.partner is None:
            _alone(ledger, sides, 0, one, near)
            continue
        other = system.said[mine.partner]
        credit = mine.best if weighted else 1
        place = ledger.match(one.place, other.place, float(credit))
        if credit < 1:
            told.add((one.place, other.place))
            _partial(ledger, sides, (one, other), credit, place)
    for one, mine in zip(system.said, found[1], strict=True):
        near = None if mine.near is None else gold.said[mine.near]
        if mine.partner is None:
            _alone(ledger, sides, 1, one, near)
            continue
        other = gold.said[mine.partner]
        if weighted and mine.best < 1 and (other.place, one.place) not in told:
            _partial(ledger, sides, (other, one), mine.best, None)


def _alone(
    ledger: Ledger, sides: Sides, number: int, one: Said, near: Said | None
) -> None:
    """An opinion that is not found; one that overlaps is of another polarity."""
    ledger.error(
        "surplus" if number else "missing",
        TUPLES,
        one.place,
        None if near is None else near.place,
        label=one.polarity,
        name="" if near is None else "polarity",
        value=words_at(sides[number].graph, one.place),
    )


def _partial(
    ledger: Ledger,
    sides: Sides,
    both: tuple[Said, Said],
    credit: float,
    parent: int | None,
) -> None:
    """An opinion of which the other side has a part, named by what differs."""
    one, other = both
    differing = [part for part in PARTS if getattr(one, part) != getattr(other, part)]
    if not alike(one, other):
        differing.append("polarity")
    ledger.error(
        "partial",
        TUPLES,
        one.place,
        other.place,
        label=one.polarity,
        name=" ".join(differing),
        value=words_at(sides[0].graph, one.place),
        credit=credit,
        parent=parent,
    )


def enter_spans(ledger: Ledger, sides: Sides, kind: str) -> None:
    """Enter the spans of a kind that one side has alone, each once.

    Args:
        ledger: where rows go.
        sides: both sentences.
        kind: a part of opinions, or the targets with their polarity.
    """
    known = [side.spans[kind] for side in sides]
    for number, side in enumerate(sides):
        for key, each in known[number].items():
            if key not in known[1 - number]:
                place = each.node(kind)
                ledger.error(
                    "surplus" if number else "missing",
                    kind,
                    place,
                    label=each.polarity if kind == TARGETED else None,
                    value=words_at(side.graph, place),
                )


def words_at(graph: Graph, place: int) -> str | None:
    """The words of a node as the text has them, pieces joined by a blank."""
    return surface(graph, graph.nodes[place])
