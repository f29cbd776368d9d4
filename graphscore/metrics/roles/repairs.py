"""Which errors of senses and arguments are right with which.

A predicate and its sense come and go together, and a predicate takes its arguments
along: one that is missing has to be there before an argument of it is, and one that
is surplus has none when it is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from graphscore.model.outcome import Error


def replaced(errors: Sequence[Error]) -> dict[int, list[int]]:
    """What stands in each other's place, core beside contextual arguments too.

    What is at another predicate stands in nobody's place.

    Args:
        errors: of one sentence.
    """
    found: dict[int, list[int]] = defaultdict(list)
    places: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, error in enumerate(errors):
        if error.gold is not None and error.system is not None:
            places[error.object, error.gold, error.system].append(number)
    for both in places.values():
        sides = {errors[number].side for number in both}
        parents = {errors[number].parent for number in both}
        if sides == {"missing", "surplus"} and len(parents) == 1:
            for number in both:
                found[number] += [other for other in both if other != number]
    return found


def with_predicates(errors: Sequence[Error]) -> dict[int, list[int]]:
    """What is replaced, and what predicates and their arguments owe to each other.

    Args:
        errors: of one sentence; a predicate that one side lacks, and its arguments,
            name the match of that predicate as their parent.
    """
    found = replaced(errors)
    for predicates, arguments in _alone(errors):
        for number in predicates:
            found[number] += [other for other in predicates if other != number]
        for number in arguments:
            # The arguments of a predicate that is gone, or the one that was missing.
            if errors[number].side == "missing":
                found[number] += predicates
            else:
                for predicate in predicates:
                    found[predicate].append(number)
    return found


def _alone(errors: Sequence[Error]) -> list[tuple[list[int], list[int]]]:
    """The rows of every predicate that one side lacks, and those of its arguments."""
    found: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}
    for number, error in enumerate(errors):
        other = error.gold if error.side == "surplus" else error.system
        if error.object == "node" and other is None and error.parent is not None:
            key = error.side, error.parent
            found.setdefault(key, ([], []))[0].append(number)
    for number, error in enumerate(errors):
        if error.object == "edge" and (error.side, error.parent) in found:
            found[error.side, error.parent][1].append(number)
    return list(found.values())
