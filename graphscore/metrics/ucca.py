"""UCCA: primary and remote edges between yields.

Hershcovich, Abend and Rappoport (2017), "A Transition-Based Directed Acyclic
Graph Parser for UCCA"; reference scorer cfmrp/mtool 4cee3a2, ``score/ucca.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from graphscore.anchors import Trim
from graphscore.graph import Graph
from graphscore.metrics.base import Metric, numbered
from graphscore.metrics.identity import Table, arcs, by_characters, by_yields
from graphscore.metrics.sides import two_sides
from graphscore.metrics.tally import Duplicates, compare
from graphscore.normalize import Invert
from graphscore.results import Figures, MassKey, Outcome, count_of, total_count
from graphscore.tuples import Conventions

KINDS = ("labeled primary", "labeled remote", "unlabeled primary", "unlabeled remote")

REMOTE = "remote"
"""Attribute that marks an edge outside the tree."""


@dataclass(frozen=True)
class Ucca(Metric):
    """Edges between units identified by their yields.

    Args:
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal edges count once or each.
        preset: ``mtool`` follows that tool's reading of repeated edges and its
            walk through cycles.

    Example:
        >>> str(Ucca(duplicates="multiset"))
        'ucca(duplicates=multiset)'
    """

    name: ClassVar[str] = "ucca"
    title: ClassVar[str] = "edges between units identified by their yields"
    citation: ClassVar[str] = (
        "Hershcovich et al. 2017, A Transition-Based Directed Acyclic Graph Parser "
        "for UCCA"
    )
    revision: ClassVar[int] = 1
    kinds: ClassVar[tuple[str, ...]] = KINDS
    main: ClassVar[str] = "labeled primary"

    trim: Trim = "range"
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool"] = "none"

    @property
    def normalization(self) -> str:
        """Case, anchors, inverted edges and default attributes."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return (
            f"case,anchors={self.trim},edges={self.invert},attributes,"
            f"{self.duplicates}{reading}"
        )

    def prepare(self, graph: Graph) -> Table:
        """Lay out a graph's edges between yields."""
        reading = Conventions(invert=self.invert, mtool=self.preset == "mtool")
        edges = list(arcs(graph, reading))
        primary = [
            (arc.source, arc.target) for arc in edges if REMOTE not in arc.attributes
        ]
        own = by_characters(graph, self.trim)
        gather = _walked if self.preset == "mtool" else by_yields
        table = Table(graph, gather(own, primary), len(KINDS))
        for arc in edges:
            kind = 1 if REMOTE in arc.attributes else 0
            table.add_edge(kind, arc)
            table.add_edge(kind + 2, arc, labeled=False)
        return table

    def compare(
        self,
        gold: Sequence[Table],
        system: Sequence[Table],
        *,
        budget: object,
        details: bool = True,
    ) -> Outcome:
        """Count equal edges; there is nothing to search."""
        mine, theirs = two_sides(gold, system, self.prepare)
        return compare(KINDS, (1, 0, 0, 0), mine, theirs, self.duplicates, details)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Four kinds, ``all`` repeating the first; primary and remote together."""
        found = {kind: count_of(masses, kind) for kind in KINDS}
        numbers: dict[str, float] = {}
        for group in ("labeled", "unlabeled"):
            both = (found[f"{group} primary"], found[f"{group} remote"])
            numbers |= numbered(group, total_count(both))
        found["all"] = found[self.main]
        return Figures(found, numbers)


def _walked(own: Sequence[int], links: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Yields as one depth-first walk gathers them (mtool 4cee3a2).

    A node that is met again while its own yield is still being gathered gives
    what it has so far.  So nodes on a cycle have different yields, by the order
    of nodes and edges; without cycles the walk finds the same as ``by_yields``.
    """
    below: list[list[int]] = [[] for _ in own]
    for source, target in links:
        below[source].append(target)
    found: dict[int, int] = {}
    for first in range(len(own)):
        if first in found:
            continue
        found[first] = own[first]
        stack = [(first, iter(below[first]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in found:
                    found[target] = own[target]
                    stack.append((target, iter(below[target])))
                    break
                found[node] |= found[target]
            else:
                stack.pop()
                if stack:
                    found[stack[-1][0]] |= found[node]
    return tuple(found[node] for node in range(len(own)))
