"""Complete predications: a node with its label and all its outgoing edges.

After the complete predications and semantic frames of Oepen et al. (2015),
"SemEval 2015 Task 18: Broad-Coverage Semantic Dependency Parsing", on any graph;
``preset=sdp2015`` counts as the scorer of that task.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.meaning import sdp2015
from graphscore.metrics.meaning.larger import Larger, Partners, spell
from graphscore.model.frameworks import LABELS, MEANING, PROPERTIES
from graphscore.model.graph import Graph
from graphscore.model.ledger import Described, Ledger
from graphscore.model.outcome import Figures, MassKey, Outcome, count_of
from graphscore.model.tuples import Facts

OutgoingEdge = tuple[str | None, int, frozenset[tuple[str, str]]]
"""An outgoing edge: its label, the node it leads to, its attributes."""


@dataclass(frozen=True)
class Predications(Larger):
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
        >>> str(Predications(node="none")), Predications(preset="sdp2015").kinds
        ('predications(node=none)', ('predications', 'frames'))
    """

    name = "predications"
    follows = "its own definition, after Oepen et al. 2015"
    title = "nodes with their label and all outgoing edges as one piece"
    citation = (
        "after Oepen et al. 2015, SemEval 2015 Task 18: Broad-Coverage Semantic "
        "Dependency Parsing"
    )
    made_for = MEANING
    kinds = ("predications",)

    preset: Literal["none", "mtool", "sdp2015"] = "none"  # type: ignore[assignment]
    node: Literal["label", "none", "all"] = "label"

    def __post_init__(self) -> None:
        if self.preset != "sdp2015":
            return
        given = self.order, self.trim, self.invert, self.ties, self.node
        if given != ("surface", "range", "all", "found", "label"):
            raise UsageError(
                f"{self}: preset=sdp2015 beside another parameter: words are known by "
                "their place, and what belongs to a predication is decided"
            )
        # Frames are counted under this preset alone.
        object.__setattr__(self, "kinds", sdp2015.KINDS)
        object.__setattr__(self, "total_kind", sdp2015.KINDS[0])

    @property
    def normalization(self) -> str:
        """As in ``mrp``; as written under ``preset=sdp2015``."""
        return "words" if self.preset == "sdp2015" else super().normalization

    def prepare(self, graph: Graph) -> Any:
        """Decompose a graph into its tuples, or gather its verbs."""
        if self.preset == "sdp2015":
            return sdp2015.Verbs(graph)
        return super().prepare(graph)

    def compare_sides(
        self, gold: Any, system: Any, budget: Budget, details: bool
    ) -> Outcome:
        """Count pieces whose image is on the other side."""
        if self.preset == "sdp2015":
            return sdp2015.compared(gold, system, details)
        return super().compare_sides(gold, system, budget, details)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """A count per kind; ``all`` repeats the predications."""
        counts = {kind: count_of(masses, kind) for kind in self.kinds}
        return Figures(counts | {"all": counts["predications"]}, {})

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
    ) -> Iterator[Described]:
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
            yield Described(
                "predications",
                node,
                two,
                label=nodes[node].label,
                value=f"{spell(nodes[node].label)}({', '.join(shown)})",
                reason="no counterpart" if two is None else reason,
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
