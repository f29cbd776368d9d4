"""Metrics whose nodes are what they are anchored to: nothing is searched.

Bi-lexical dependencies, elementary dependencies and foundational layers of
conceptual annotation are compared by identity.  Each metric says what identifies a
node (spans, characters, the characters of everything below it); nodes that agree
in it are one and the same, on either side and between the sides, so one node can
stand for several.  The formulas then count equal tuples over identities.

Beside what they match, nodes with equal identities are rows too, so that the two
graphs can be shown beside each other.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from graphscore.metrics.corrections import Correctable
from graphscore.metrics.formula import FormulaMetric
from graphscore.model.normalize import Invert
from graphscore.model.outcome import Match
from graphscore.model.outcome_builder import match_row
from graphscore.similarity import Similarity, at, base_end, base_label, exact
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.view import Pair, View

if TYPE_CHECKING:
    from graphscore.similarity.explanation.rows import Rows

Place = tuple[int, int]
"""Ordinals of a gold and of a system object."""


def edge_factors(
    identity: Feature, invert: Invert, mtool: bool
) -> tuple[Similarity, Similarity]:
    """Build the equality of the ends of edges in base form, and that of labels.

    Args:
        identity: what identifies nodes.
        invert: which edges are turned round.
        mtool: whether they are as that tool reads them.
    """
    same_place = exact(identity)
    source = at(base_end("source", invert, mtool), same_place)
    target = at(base_end("target", invert, mtool), same_place)
    return source * target, exact(base_label(invert, mtool))


class Anchored(FormulaMetric, Correctable):
    """Base of metrics whose nodes are what they are anchored to."""

    method = "identity"
    # The matches of every tuple type are aligned with each other.
    matching = "all"

    @property
    @abstractmethod
    def identity(self) -> Feature:
        """Feature that identifies nodes on both sides."""

    def matches(self, pair: Pair, rows: Sequence[Rows]) -> Iterator[Match]:
        """Matches joined by what they match, beside nodes with equal identities.

        What matches in a tuple type that does not count earns nothing; so credits sum
        up to the score.
        """
        nodes = self._nodes(pair)
        edges: dict[Place, float] = {}
        for row in rows:
            for object_, left, right, credit, _, _ in row.matches:
                # Nothing is nested here, so every match has both sides.
                key: Any = left, right
                credits = nodes if object_ == "node" else edges
                credits[key] = credits.get(key, 0.0) + credit
        for object_, credits in (("node", nodes), ("edge", edges)):
            for (left, right), credit in sorted(credits.items()):
                yield match_row((object_, left, right, credit, None, 0))

    def _nodes(self, pair: Pair) -> dict[Place, float]:
        """Nodes with equal identities, which earn nothing by that.

        Of several with one identity each appears at least once: the first beside
        the first, and so on, what is left over beside the last.
        """
        nodes: dict[Place, float] = {}
        by_identity = self._known(pair.system)
        for identity, value in self._known(pair.gold).items():
            counterparts = by_identity.get(identity, ())
            if len(value) == len(counterparts) == 1:
                nodes[value[0], counterparts[0]] = 0.0
            elif counterparts:
                for k in range(max(len(value), len(counterparts))):
                    key = (
                        value[min(k, len(value) - 1)],
                        counterparts[min(k, len(counterparts) - 1)],
                    )
                    nodes[key] = 0.0
        return nodes

    @cached_property
    def _identity(self) -> Feature:
        return self.identity

    def _known(self, view: View) -> dict[Hashable, list[int]]:
        """Node ordinals by identity."""

        def make() -> dict[Hashable, list[int]]:
            nodes = range(len(view.graph.nodes))
            result: dict[Hashable, list[int]] = {}
            for node, known in zip(
                nodes, self._identity.of_all(view, nodes), strict=True
            ):
                result.setdefault(known, []).append(node)
            return result

        return view.keep(("known", self._identity.token), make)
