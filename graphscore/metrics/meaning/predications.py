"""Complete predications: a node with its label and all its outgoing edges.

After the complete predications and semantic frames of Oepen et al. (2015),
"SemEval 2015 Task 18: Broad-Coverage Semantic Dependency Parsing", on any graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.meaning.larger import Larger, Partners, Piece, spell
from graphscore.model.frameworks import LABELS, PROPERTIES
from graphscore.model.ledger import Ledger
from graphscore.model.tuples import Facts

OutgoingEdge = tuple[str | None, int, frozenset[tuple[str, str]]]
"""An outgoing edge: its label, the node it leads to, its attributes."""


@dataclass(frozen=True)
class Predications(Larger):
    """Nodes that lead somewhere, each right or wrong as a whole.

    Args:
        order, trim, invert, ties, preset: as in ``mrp``.
        node: what of the node itself belongs to the piece: its label, nothing,
            or label and properties (``all``).

    Example:
        >>> str(Predications(node="none"))
        'predications(node=none)'
    """

    name = "predications"
    follows = "its own definition, after Oepen et al. 2015"
    title = "nodes with their label and all outgoing edges as one piece"
    citation = (
        "after Oepen et al. 2015, SemEval 2015 Task 18: Broad-Coverage Semantic "
        "Dependency Parsing"
    )
    kinds = ("predications",)

    node: Literal["label", "none", "all"] = "label"

    def count(
        self, gold: Facts, system: Facts, partner: Partners
    ) -> list[tuple[int, int, int]]:
        """Gold, system and matched predications."""
        mine, theirs = _arguments(gold), _arguments(system)
        same = self._same(gold, system, mine, theirs, partner)
        return [(len(mine), len(theirs), len(same))]

    def enter_matches(
        self, ledger: Ledger, gold: Facts, system: Facts, partner: Partners
    ) -> None:
        """Enter corresponding nodes; credit 1 where the predication matches."""
        mine, theirs = _arguments(gold), _arguments(system)
        same = self._same(gold, system, mine, theirs, partner)
        for one, two in partner.items():
            ledger.match(one, two, float(one in same))

    def unmatched(
        self, mine: Facts, theirs: Facts, partner: Partners
    ) -> Iterator[Piece]:
        """Predications whose image is none on the other side."""
        own, other = _arguments(mine), _arguments(theirs)
        same = self._same(mine, theirs, own, other, partner)
        nodes = mine.graph.nodes
        for node, arguments in own.items():
            if node in same:
                continue
            two = partner.get(node)
            reason = "differs" if two in other else "absent"
            shown = sorted(
                f"{spell(label)} {spell(nodes[target].label)}"
                for label, target, _ in arguments
            )
            yield Piece(
                "predications",
                "node",
                node,
                two,
                nodes[node].label,
                f"{spell(nodes[node].label)}({', '.join(shown)})",
                "no counterpart" if two is None else reason,
            )

    def _same(
        self,
        mine: Facts,
        theirs: Facts,
        own: dict[int, set[OutgoingEdge]],
        other: dict[int, set[OutgoingEdge]],
        partner: Partners,
    ) -> set[int]:
        """Nodes whose predication is mapped onto that of their counterpart."""
        found = set()
        for node, arguments in own.items():
            two = partner.get(node)
            if two is None or two not in other:
                continue
            image = {
                (label, partner.get(target, -1), attributes)
                for label, target, attributes in arguments
            }
            if image == other[two] and self._says(mine, node) == self._says(
                theirs, two
            ):
                found.add(node)
        return found

    def _says(self, facts: Facts, node: int) -> frozenset[Hashable]:
        """What of the node itself is compared."""
        kinds = {"none": (), "label": (LABELS,), "all": (LABELS, PROPERTIES)}[self.node]
        return frozenset(fact for fact in facts.said[node] if fact[0] in kinds)


def _arguments(facts: Facts) -> dict[int, set[OutgoingEdge]]:
    """The outgoing edges of every node that has some, in order of the edges."""
    found: dict[int, set[OutgoingEdge]] = {}
    for number, (source, target, label) in enumerate(facts.edges):
        attributes = frozenset(facts.attributes.get(number, ()))
        found.setdefault(source, set()).add((label, target, attributes))
    return found
