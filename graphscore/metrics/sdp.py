"""Semantic dependency parsing: labelled and unlabelled dependencies.

Oepen et al. (2014), "SemEval 2014 Task 8: Broad-Coverage Semantic Dependency
Parsing", and Oepen et al. (2015), its Task 18 of the next year; reference scorer
cfmrp/mtool 4cee3a2, ``score/sdp.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from graphscore.graph import Graph
from graphscore.metrics.base import Metric
from graphscore.metrics.identity import Table, arcs, by_spans, tops
from graphscore.metrics.sides import two_sides
from graphscore.metrics.tally import Duplicates, compare, counts
from graphscore.normalize import Invert
from graphscore.results import Figures, MassKey, Outcome, count_of
from graphscore.tuples import Conventions

KINDS = ("labeled", "unlabeled")


@dataclass(frozen=True)
class Sdp(Metric):
    """Dependencies between words, as triples and as bare pairs.

    A node is identified by its trimmed ranges.  Every top adds a dependency from
    a virtual root.

    Args:
        tops: whether virtual dependencies to the tops count.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal dependencies count once or each.
        preset: ``mtool`` follows that tool's reading of inverted edges.

    Example:
        >>> str(Sdp(tops=False))
        'sdp(tops=false)'
    """

    name: ClassVar[str] = "sdp"
    title: ClassVar[str] = "dependencies between nodes identified by their ranges"
    citation: ClassVar[str] = (
        "Oepen et al. 2014, SemEval 2014 Task 8: Broad-Coverage Semantic "
        "Dependency Parsing"
    )
    revision: ClassVar[int] = 1
    kinds: ClassVar[tuple[str, ...]] = KINDS
    main: ClassVar[str] = "labeled"

    tops: bool = True
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool"] = "none"

    @property
    def normalization(self) -> str:
        """Case, anchors and inverted edges."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return f"case,anchors=range,edges={self.invert},{self.duplicates}{reading}"

    def prepare(self, graph: Graph) -> Table:
        """Lay out a graph's dependencies."""
        table = Table(graph, by_spans(graph), len(KINDS))
        if self.tops:
            for top in tops(graph):
                table.add_top(0, top)
                table.add_top(1, top)
        reading = Conventions(invert=self.invert, mtool=self.preset == "mtool")
        for arc in arcs(graph, reading):
            table.add_edge(0, arc)
            table.add_edge(1, arc, labeled=False)
        return table

    def compare(
        self,
        gold: Sequence[Table],
        system: Sequence[Table],
        *,
        budget: object,
        details: bool = True,
    ) -> Outcome:
        """Count equal dependencies; there is nothing to search."""
        mine, theirs = two_sides(gold, system, self.prepare)
        found = compare(KINDS, (1, 0), mine, theirs, self.duplicates, details)
        every = counts(mine, theirs, self.duplicates)
        for kind, (left, right, matched) in zip(KINDS, every, strict=True):
            found.masses[(kind, "", "graphs")] = 1
            if left == right == matched:
                found.masses[(kind, "", "exact")] = 1
        return found

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Both kinds, ``all`` repeating the labelled one, and exact graphs."""
        found = {kind: count_of(masses, kind) for kind in KINDS}
        found["all"] = found[self.main]
        numbers: dict[str, float] = {}
        for kind in KINDS:
            graphs = masses.get((kind, "", "graphs"), 0)
            exact = masses.get((kind, "", "exact"), 0)
            numbers[f"{kind}.exact"] = exact / graphs if graphs else 0.0
            numbers[f"{kind}.exact_graphs"] = exact
        return Figures(found, numbers)
