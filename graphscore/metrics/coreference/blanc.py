"""BLANC: links within entities and links between them (Luo et al. 2014).

Pairs of mentions of one entity, and pairs of mentions of two, are counted on both
sides, and those that both sides have::

    BLANC = mean of the F1 of coreference links and of the others

Reference: reference-coreference-scorers 8.01, which takes the mean over the classes
that gold has (``classes=gold``); here over those that gold or the system has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.coreference.base import Mean
from graphscore.metrics.coreference.contingency import Table
from graphscore.model.outcome import Count

Classes = Literal["either", "gold", "both"]
"""Classes of links that the mean is taken over."""

COREFERENCE, NONCOREFERENCE = "coreference", "noncoreference"


@dataclass(frozen=True)
class Blanc(Mean):
    """Links within entities and links between them, in equal parts.

    Args:
        classes: which of the two classes take part in the mean: those that gold or
            the system has, those that gold has, or both in any case.

    Example:
        >>> print(Blanc().formulas()["coreference"])
        F↔links[δ]
    """

    name = "blanc"
    follows = "reference-coreference-scorers 8.01"
    title = "BLANC (Luo et al. 2014): coreference and non-coreference link F1"
    citation = "Luo et al. 2014, An Extension of BLANC to System Mentions"
    tuple_types = (COREFERENCE, NONCOREFERENCE)

    classes: Classes = "either"

    @property
    def over_one(self) -> str:
        """Under the preset, where spans are repeated."""
        if self.preset != "corefud":
            return ""
        return (
            "preset=corefud finds a mention of several entities in one of them for "
            "gold and in another for the system; preset=none finds it once"
        )

    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Pairs, by counting; nothing of a class that no side has."""
        yield from (
            (tuple_type, count)
            for tuple_type, count in self._links(table)
            if any(count)
        )

    def _links(self, table: Table) -> Iterable[tuple[str, Count]]:
        if table.links is not None:
            yield from zip(self.tuple_types, table.links, strict=True)
            return
        gold, system = table.gold.sizes, table.system.sizes
        cells = table.by_gold
        gold_links, system_links = _pairs(gold), _pairs(system)
        shared = _pairs(cells.values())
        yield COREFERENCE, Count(gold_links, system_links, shared)
        # Of all pairs of matched mentions those that no side has in one entity.
        matched = Counter[int](), Counter[int]()
        for (k, r), mentions in cells.items():
            matched[0][k] += mentions
            matched[1][r] += mentions
        by_gold, by_system = (_pairs(side.values()) for side in matched)
        yield (
            NONCOREFERENCE,
            Count(
                _of(len(table.gold.keys)) - gold_links,
                _of(len(table.system.keys)) - system_links,
                _of(sum(cells.values())) - by_gold - by_system + shared,
            ),
        )

    def averaged(self, counts: Mapping[str, Count]) -> Iterable[Count]:
        """The classes that are there."""
        classes = "gold" if self.preset == "perl" else self.classes
        result = [counts[tuple_type] for tuple_type in self.tuple_types]
        if classes == "gold":
            return [count for count in result if count.gold]
        if classes == "either":
            return [count for count in result if count.gold or count.system]
        return result


def _pairs(sizes: Iterable[int]) -> int:
    return sum(map(_of, sizes))


def _of(mentions: int) -> int:
    return mentions * (mentions - 1) // 2
