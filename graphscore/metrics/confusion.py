"""What stands in the place of what: errors of both sides of one object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.model.graph import Value
from graphscore.model.outcome import Error


def confused(errors: Sequence[Error]) -> dict[int, list[int]]:
    """What is missing and what is surplus in its place, by numbers of errors.

    Args:
        errors: of one unit.
    """
    surplus: dict[tuple[Any, ...], list[int]] = {}
    places = [
        (each.kind, each.object, each.name, each.gold, each.system)
        if each.gold is not None and each.system is not None
        else None
        for each in errors
    ]
    for number, place in enumerate(places):
        if place is not None and errors[number].side == "surplus":
            surplus.setdefault(place, []).append(number)
    found: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        if place in surplus and errors[number].side == "missing" and surplus[place]:
            other = surplus[place].pop(0)
            found[number], found[other] = [other], [number]
    return found


def said(value: Value) -> str:
    """A value as a part of what errors are called.

    >>> said("dog"), said(None)
    ('dog', '')
    """
    return "" if value is None else str(value)
