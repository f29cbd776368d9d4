"""Complete predications: a node with its label and all its outgoing edges.

After the complete predications and semantic frames of Oepen et al. (2015),
"SemEval 2015 Task 18: Broad-Coverage Semantic Dependency Parsing", on any graph: a
predication counts where its image, under the correspondence that matches most *tuples*
(:class:`~graphscore.metrics.meaning.mrp.Mrp`), is one of the other side.  So they are
compared exactly, and in every framework, without asking how nodes are anchored.

What is proven is that no other map matches more tuples.  Several maps can match equally
many and differ in predications; the choice among them is that of ``mrp`` (parameter
``ties``).  How the scorer of the task counts is in
:mod:`graphscore.metrics.meaning.sdp2015`.

::

    matched = predications whose image, by the map of ``mrp``, is one of the others

What differs from the task's scorer: nodes need no words, and every node with edges and
all of its edges count, not verbs and their core arguments alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.base import outcome_of
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.pairwise import MappedPairMetric
from graphscore.model.anchors import Trim
from graphscore.model.frameworks import LABELS, MEANING, PROPERTIES
from graphscore.model.graph import Graph
from graphscore.model.normalize import Invert
from graphscore.model.outcome import CountKey, Outcome, Scores, counts_of
from graphscore.model.outcome_builder import Described, OutcomeBuilder, both_ways
from graphscore.model.tuples import Facts

if TYPE_CHECKING:
    from graphscore.correspondence.problem import Problem

Partners = dict[int, int]
"""For nodes of one side that correspond to something, the node of the other."""

OutgoingEdge = tuple[str | None, int, frozenset[tuple[str, str]]]
"""An outgoing edge: its label, the node it leads to, its attributes."""

UNLABELED = "*"
"""Stands for an absent label where a predication is spelt."""


def spell(label: object) -> str:
    """A label within a spelt predication.

    >>> spell("dog"), spell(None)
    ('dog', '*')
    """
    return UNLABELED if label is None else str(label)


@dataclass(frozen=True)
class Predications(MappedPairMetric, Correctable):
    """Nodes that lead somewhere, each right or wrong as a whole.

    Args:
        order, trim, invert, ties: as in ``mrp``.
        preset: ``mtool`` as in ``mrp``; ``sdp2015`` counts complete predications and
            semantic frames of verbs, with their core arguments, as the task's scorer.
        node: what of the node itself belongs to the piece: its label, nothing,
            or label and properties (``all``).

    Raises:
        UsageError: if another parameter is given beside ``preset=sdp2015``, which
            decides them all.

    Example:
        >>> str(Predications(node="none")), Predications(preset="sdp2015").tuple_types
        ('predications(node=none)', ('predications', 'frames'))
    """

    name = "predications"
    follows = "its own definition, after Oepen et al. 2015"
    title = "Complete predication F1: node with outgoing edges"
    citation = (
        "after Oepen et al. 2015, SemEval 2015 Task 18: Broad-Coverage Semantic "
        "Dependency Parsing"
    )
    revision = 2
    made_for = MEANING
    tuple_types: ClassVar[tuple[str, ...]] = ("predications",)
    bound = "a piece is right with all of its parts, and others share them"
    presets = MappingProxyType(
        {"sdp2015": "graphscore.metrics.meaning.sdp2015:Sdp2015"}
    )

    order: Literal["surface", "free"] = "surface"
    trim: Trim = "range"
    invert: Invert = "all"
    ties: Literal["found", "canonical"] = "found"
    preset: Literal["none", "mtool", "sdp2015"] = "none"
    node: Literal["label", "none", "all"] = "label"

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
        """Description of the normalization, the same as in ``mrp``."""
        return self.search.normalization

    def prepare(self, graph: Graph) -> Any:
        """Decompose a graph into its tuples."""
        return self.search.prepare(graph)

    def plain_map(
        self, gold: Facts, system: Facts, budget: Budget
    ) -> Correspondence | None:
        """Return the map of ``mrp`` with the same parameters, where it is plain."""
        return self.search.plain_map(gold, system, budget)

    def problem(self, gold: Facts, system: Facts) -> Problem:
        """Return what ``mrp`` with the same parameters searches."""
        return self.search.problem(gold, system)

    def outcome(
        self, gold: Facts, system: Facts, result: Correspondence, details: bool
    ) -> Outcome:
        """Count predications whose image is on the other side.

        Score and bound are those of the correspondence, in tuples.
        """
        forward = dict(result.pairs)
        builder = OutcomeBuilder(details)
        left, right = _arguments(gold), _arguments(system)
        same = self._same(gold, system, left, right, forward)
        builder.count("predications", len(left), len(right), len(same))
        if details:
            for key, value in forward.items():
                builder.match(key, value, float(key in same))
            for side, own, opposite, partner in both_ways(gold, system, forward):
                for described in self._unmatched(own, opposite, partner):
                    builder.error(side, described)
        return outcome_of(result, builder)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type; ``all`` repeats the predications."""
        counts = counts_of(raw_counts, self.tuple_types)
        return Scores(counts | {"all": counts["predications"]}, {})

    def _unmatched(
        self, left: Facts, right: Facts, partner: Partners
    ) -> Iterator[Described]:
        """Describe predications whose image is none on the other side."""
        own, opposite = _arguments(left), _arguments(right)
        same = self._same(left, right, own, opposite, partner)
        nodes = left.graph.nodes
        for node, arguments in own.items():
            if node in same:
                continue
            counterpart = partner.get(node)
            reason = "differs" if counterpart in opposite else "absent"
            shown = sorted(
                f"{spell(label)} {spell(nodes[target].label)}"
                for label, target, _ in arguments
            )
            yield Described(
                "predications",
                node,
                counterpart,
                label=nodes[node].label,
                value=f"{spell(nodes[node].label)}({', '.join(shown)})",
                reason="no counterpart" if counterpart is None else reason,
            )

    def _same(
        self,
        left: Facts,
        right: Facts,
        own: dict[int, set[OutgoingEdge]],
        opposite: dict[int, set[OutgoingEdge]],
        partner: Partners,
    ) -> set[int]:
        """Nodes whose predication is mapped onto that of their counterpart."""
        result = set()
        for node, arguments in own.items():
            counterpart = partner.get(node)
            if counterpart is None or counterpart not in opposite:
                continue
            image = {
                (label, partner.get(target, -1), attributes)
                for label, target, attributes in arguments
            }
            if image == opposite[counterpart] and self._says(left, node) == self._says(
                right, counterpart
            ):
                result.add(node)
        return result

    def _says(self, facts: Facts, node: int) -> frozenset[Hashable]:
        """Return the compared facts of a node itself."""
        tuple_types = {"none": (), "label": (LABELS,), "all": (LABELS, PROPERTIES)}[
            self.node
        ]
        return frozenset(fact for fact in facts.said[node] if fact[0] in tuple_types)


def _arguments(facts: Facts) -> dict[int, set[OutgoingEdge]]:
    """The outgoing edges of every node that has some, in order of the edges."""
    outgoing_edges: dict[int, set[OutgoingEdge]] = {}
    for number, (source, target, label) in enumerate(facts.edges):
        attributes = frozenset(facts.attributes.get(number, ()))
        outgoing_edges.setdefault(source, set()).add((label, target, attributes))
    return outgoing_edges
