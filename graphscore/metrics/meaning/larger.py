"""Larger pieces of graphs under the correspondence of the MRP metric.

The correspondence is the one under which most *tuples* match; a larger piece, a
predication or a path, counts where its image under that map is a piece of the
other side.  So pieces are compared exactly, and in every framework, without
asking how nodes are anchored.

What is proven is that no other map matches more tuples.  Several maps can match
equally many and differ in larger pieces; the choice among them is that of
:class:`~graphscore.metrics.meaning.mrp.Mrp` (parameter ``ties``).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric, outcome_of
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.sides import two_sides
from graphscore.model.anchors import Trim
from graphscore.model.graph import Graph
from graphscore.model.normalize import Invert
from graphscore.model.outcome import Error, Masses, Match, Outcome
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
class Larger(Metric):
    """A metric of larger pieces; a subclass says what the pieces are.

    Args:
        order: whether maps of bi-lexical graphs preserve the order of the node
            lists.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        ties: how one of several best maps is chosen.
        preset: ``mtool`` follows that tool's reading of AMR and repeated edges.
    """

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
            preset=self.preset,
        )

    @property
    def normalization(self) -> str:
        """As in ``mrp``."""
        return self.search.normalization

    def prepare(self, graph: Graph) -> Facts:
        """Decompose a graph into its tuples."""
        return self.search.prepare(graph)

    def compare(
        self,
        gold: Sequence[Facts],
        system: Sequence[Facts],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Count pieces whose image is on the other side.

        Score and bound are those of the correspondence, in tuples.
        """
        mine, theirs = two_sides(gold, system, self.prepare)
        _, found, target = self.search.correspond((mine,), (theirs,), budget)
        forward = {one: two for one, two in enumerate(target.tolist()) if two >= 0}
        counted = self.count(mine, theirs, forward)
        masses: Masses = {}
        for kind, amounts in zip(self.kinds, counted, strict=True):
            for quantity, amount in zip(
                ("gold", "system", "matched"), amounts, strict=True
            ):
                if amount:
                    masses[(kind, "", quantity)] = amount
        matches: tuple[Match, ...] = ()
        errors: tuple[Error, ...] = ()
        if details:
            matches = tuple(self.matches(mine, theirs, forward))
            backward = {two: one for one, two in forward.items()}
            errors = (
                *self.errors(mine, theirs, forward, "missing"),
                *self.errors(theirs, mine, backward, "surplus"),
            )
        return outcome_of(found, masses, matches, errors)

    @abstractmethod
    def count(
        self, gold: Facts, system: Facts, partner: Partners
    ) -> list[tuple[int, int, int]]:
        """Gold, system and matched pieces of each kind."""

    @abstractmethod
    def matches(self, gold: Facts, system: Facts, partner: Partners) -> Iterator[Match]:
        """What corresponds to what; credits sum up to the matched pieces."""

    @abstractmethod
    def errors(
        self,
        mine: Facts,
        theirs: Facts,
        partner: Partners,
        side: Literal["missing", "surplus"],
    ) -> Iterator[Error]:
        """Pieces of *mine* whose image is no piece of *theirs*."""


def piece_error(
    side: Literal["missing", "surplus"],
    kind: str,
    name: str,
    ordinal: int,
    counterpart: int | None,
    label: object,
    value: str,
    reason: str,
) -> Error:
    """An unmatched piece, spelt.

    Args:
        side: whose piece it is.
        kind: kind of the piece.
        name: what carries it: ``node``, ``edge`` or ``path``.
        ordinal: of that node or edge, on the piece's own side.
        counterpart: ordinal of what corresponds to it, if anything does.
        label: label of its first node.
        value: the piece as shown.
        reason: ``no counterpart``, ``absent`` or ``differs``.
    """
    gold, system = ordinal, counterpart
    if side == "surplus":
        return Error(
            side, kind, name, system, gold, _value(label), "", value, None, reason
        )
    return Error(side, kind, name, gold, system, _value(label), "", value, None, reason)


def _value(label: object) -> str | int | float | bool | None:
    return label if isinstance(label, str | int | float | bool) else None
