"""The gold graphs of a unit, each with its share of the masses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.model.outcome import Masses


class Part(NamedTuple):
    """What a metric says of one gold graph of a unit that may have several."""

    item: str
    document: str
    """Its own, whatever it was joined with; its id where it has none."""
    masses: Masses


def parts_with(
    names: Iterable[tuple[str, str]], masses: Sequence[Masses]
) -> tuple[Part, ...]:
    """Gold graphs with their masses.

    Args:
        names: id and document of every gold graph of a unit, in order.
        masses: as a metric gives them; empty where they are not known.

    Example:
        >>> parts_with([("s1", "d"), ("s2", "d")], [])
        ()
    """
    if not masses:
        return ()
    return tuple(
        Part(item, document or item, each)
        for (item, document), each in zip(names, masses, strict=True)
    )
