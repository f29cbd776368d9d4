"""What a formula matches at each level: members, parts of members, and so on.

>>> from graphscore.similarity import anchors, exact, f1, match, nodes, targets
>>> levels_of(f1(match(nodes("entity"), f1(match(targets("mention"), exact(anchors))))))
[['entities'], ['mentions']]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from graphscore.similarity.base import Similarity
from graphscore.similarity.navigation.collections import Collection


def levels_of(formula: Similarity) -> list[list[str]]:
    """The collections whose members a formula matches, by level.

    Args:
        formula: any formula.

    Returns:
        Their names in the notation of formulas, each once in a level.
    """
    found: list[list[str]] = []
    for level, name in _matched(formula, 0):
        if level == len(found):
            found.append([])
        if name not in found[level]:
            found[level].append(name)
    return found


def _matched(part: object, level: int) -> Iterator[tuple[int, str]]:
    if isinstance(part, tuple):
        for each in part:
            yield from _matched(each, level)
    elif isinstance(part, Similarity) and dataclasses.is_dataclass(part):
        values = [getattr(part, field.name) for field in dataclasses.fields(part)]
        collections = [each for each in values if isinstance(each, Collection)]
        yield from ((level, str(each)) for each in collections)
        for value in values:
            yield from _matched(value, level + bool(collections))
