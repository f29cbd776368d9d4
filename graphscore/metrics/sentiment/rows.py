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
from graphscore.model.ledger import Described, Ledger, aligned_by_key
from graphscore.model.outcome import Side
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
            ledger.error("missing", _described(gold.graph, one, near))
            continue
        other = system.said[mine.partner]
        credit = mine.best if weighted else 1
        place = ledger.match(one.place, other.place, float(credit))
        if credit < 1:
            told.add((one.place, other.place))
            ledger.error("partial", _described(gold.graph, one, other, credit), place)
    for one, mine in zip(system.said, found[1], strict=True):
        near = None if mine.near is None else gold.said[mine.near]
        if mine.partner is None:
            ledger.error("surplus", _described(system.graph, one, near))
            continue
        other = gold.said[mine.partner]
        if weighted and mine.best < 1 and (other.place, one.place) not in told:
            ledger.error("partial", _described(gold.graph, other, one, mine.best))


def _described(
    graph: Graph, own: Said, other: Said | None, credit: float | None = None
) -> Described:
    """Describe an opinion that is not found, or in part: named by what differs.

    Of one that is not found, another that overlaps is of another polarity.
    """
    name = ""
    if other is not None:
        parts = PARTS if credit is not None else ()
        wrong = [part for part in parts if getattr(own, part) != getattr(other, part)]
        if credit is None or not alike(own, other):
            wrong.append("polarity")
        name = " ".join(wrong)
    return Described(
        TUPLES,
        own.place,
        None if other is None else other.place,
        label=own.polarity,
        name=name,
        value=words_at(graph, own.place),
        credit=credit or 0.0,
    )


def enter_spans(ledger: Ledger, sides: Sides, kind: str) -> None:
    """Enter the spans of a kind that one side has alone, each once.

    Args:
        ledger: where rows go.
        sides: both sentences.
        kind: a part of opinions, or the targets with their polarity.
    """

    def describe(side: Side, own: Said, other: Said | None) -> Described:
        place = own.node(kind)
        return Described(
            kind,
            place,
            label=own.polarity if kind == TARGETED else None,
            value=words_at(sides[side == "surplus"].graph, place),
        )

    ledger.enter(aligned_by_key(*(side.spans[kind] for side in sides)), describe)


def words_at(graph: Graph, place: int) -> str | None:
    """The words of a node as the text has them, pieces joined by a blank."""
    return surface(graph, graph.nodes[place])
