"""Larger pieces of graphs under the correspondence of the MRP metric.

The correspondence is the one under which most *tuples* match; a larger piece, such
as a predication, counts where its image under that map is a piece of the other side.
So pieces are compared exactly, and in every framework, without asking how nodes are
anchored.

What is proven is that no other map matches more tuples.  Several maps can match
equally many and differ in larger pieces; the choice among them is that of
:class:`~graphscore.metrics.meaning.mrp.Mrp` (parameter ``ties``).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import PairMetric, outcome_of
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.meaning.overlap import both_ways
from graphscore.model.anchors import Trim
from graphscore.model.graph import Graph
from graphscore.model.ledger import Described, Ledger
from graphscore.model.normalize import Invert
from graphscore.model.outcome import Outcome
from graphscore.model.tuples import Facts

Partners = dict[int, int]
"""For nodes of one side that correspond to something, the node of the other."""

UNLABELED = "*"
"""Stands for an absent label where a piece is spelt."""


def spell(label: object) -> str:
    """A label within a spelt piece.

    >>> spell("dog"), spell(None)
    ('dog', '*')
    """
    return UNLABELED if label is None else str(label)


@dataclass(frozen=True)
class Larger(PairMetric):
    """A metric of larger pieces; a subclass says what the pieces are.

    Args:
        order: whether maps of bi-lexical graphs preserve the order of the node
            lists.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        ties: how one of several best maps is chosen.
        preset: ``mtool`` follows that tool's reading of AMR and repeated edges.
    """

    revision = 2
    bound = "a piece is right with all of its parts, and others share them"

    order: Literal["surface", "free"] = "surface"
    trim: Trim = "range"
    invert: Invert = "all"
    ties: Literal["found", "canonical"] = "found"
    preset: Literal["none", "mtool"] = "none"

    @cached_property
    def search(self) -> Mrp:
        """The metric whose correspondence is used."""
        return Mrp(
            order=self.order,
            trim=self.trim,
            invert=self.invert,
            ties=self.ties,
            preset="mtool" if self.preset == "mtool" else "none",
        )

    @property
    def normalization(self) -> str:
        """As in ``mrp``."""
        return self.search.normalization

    def prepare(self, graph: Graph) -> Facts:
        """Decompose a graph into its tuples."""
        return self.search.prepare(graph)

    def compare_sides(
        self, gold: Facts, system: Facts, budget: Budget, details: bool
    ) -> Outcome:
        """Count pieces whose image is on the other side.

        Score and bound are those of the correspondence, in tuples.
        """
        found = self.search.best(gold, system, budget)
        forward = dict(found.pairs)
        ledger = Ledger(details)
        counted = self.count(gold, system, forward)
        for kind, amounts in zip(self.kinds, counted, strict=True):
            ledger.count(kind, *amounts)
        if details:
            self.enter_matches(ledger, gold, system, forward)
            for side, own, other, partner in both_ways(gold, system, forward):
                for piece in self.unmatched(own, other, partner):
                    ledger.error(side, piece)
        return outcome_of(found, ledger)

    @abstractmethod
    def count(
        self, gold: Facts, system: Facts, partner: Partners
    ) -> list[tuple[int, int, int]]:
        """Gold, system and matched pieces of each kind."""

    @abstractmethod
    def enter_matches(
        self, ledger: Ledger, gold: Facts, system: Facts, partner: Partners
    ) -> None:
        """Enter what corresponds to what; credits sum up to the matched pieces."""

    @abstractmethod
    def unmatched(
        self, mine: Facts, theirs: Facts, partner: Partners
    ) -> Iterator[Described]:
        """Pieces of *mine* whose image is no piece of *theirs*."""
