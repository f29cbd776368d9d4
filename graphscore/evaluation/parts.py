"""The gold graphs of a unit, each with its share of the masses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.model.outcome import Error, Masses


class Part(NamedTuple):
    """What a metric says of one gold graph of a unit that may have several."""

    item: str
    document: str
    """Its own, whatever it was joined with; its id where it has none."""
    masses: Masses
    errors: tuple[Error, ...] = ()
    """Those of the unit that belong to it, where details were asked for."""


class Shares(NamedTuple):
    """What a metric gives to the gold graphs of a unit."""

    masses: Sequence[Masses] = ()
    """Of every graph; empty where they are not known."""
    places: Sequence[int] = ()
    """The number of the graph that each error of the unit belongs to."""


def parts_with(
    names: Iterable[tuple[str, str]], shares: Shares, errors: Sequence[Error] = ()
) -> tuple[Part, ...]:
    """Gold graphs with their masses and errors.

    Args:
        names: id and document of every gold graph of a unit, in order.
        shares: what is given to each of them.
        errors: those of the unit, in the order of their places.

    Example:
        >>> parts_with([("s1", "d"), ("s2", "d")], Shares())
        ()
    """
    if not shares.masses:
        return ()
    placed: list[list[Error]] = [[] for _ in shares.masses]
    if errors and shares.places:
        for place, error in zip(shares.places, errors, strict=True):
            placed[place].append(error)
    return tuple(
        Part(item, document or item, each, tuple(mine))
        for (item, document), each, mine in zip(
            names, shares.masses, placed, strict=True
        )
    )
