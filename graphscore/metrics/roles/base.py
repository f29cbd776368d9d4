"""What the metrics of semantic roles have in common.

Sentences are compared in positions: of words where both sides have equally many, of
characters where they do not.  A sentence that one side lacks is one without roles.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.roles.labels import Labels, normal
from graphscore.model.graph import Graph, Node, NodeId, Value
from graphscore.model.outcome import Error, Masses, Match, Outcome, Side
from graphscore.structures.roles.reading import alike, sentence_of
from graphscore.structures.roles.sentence import SRL, Sentence

METHOD = "positions"
"""What results say of how they were found."""

T = TypeVar("T")


class Prepared(Generic[T]):
    """A sentence, laid out for a metric.

    Args:
        metric: the metric.
        sentence: the sentence.
    """

    def __init__(self, metric: RoleMetric[T], sentence: Sentence) -> None:
        self.sentence = sentence
        self.laid: T = metric.lay_out(sentence)
        """In positions as the sentence has them."""
        self._metric = metric

    @cached_property
    def by_characters(self) -> Prepared[T]:
        """The same in positions that are characters."""
        return Prepared(self._metric, self.sentence.by_characters)


class Rows:
    """Matches and errors of one pair of sentences.

    Args:
        gold: the gold graph.
        system: the system's.
    """

    def __init__(self, gold: Graph, system: Graph) -> None:
        self.gold, self.system = gold, system
        self.matches: list[Match] = []
        self.missing: list[Error] = []
        self.surplus: list[Error] = []
        self._nodes: dict[int, dict[NodeId, Node]] = {}

    def match(
        self,
        what: str,
        gold: int,
        system: int,
        credit: float = 1.0,
        parent: int | None = None,
    ) -> int:
        """Note a match; its number, for what is part of it."""
        level = 0 if parent is None else 1
        self.matches.append(Match(what, gold, system, credit, parent, level))
        return len(self.matches) - 1

    def error(
        self,
        side: Side,
        kind: str,
        what: str,
        gold: int | None,
        system: int | None,
        reason: str,
        compared: str | None = None,
        parent: int | None = None,
        credit: float = 0.0,
        name: str = "",
    ) -> None:
        """Note an error.

        Args:
            side: which side lacks its partner.
            kind: what of the metric it is.
            what: ``node`` for a predicate, ``edge`` for a piece of an argument.
            gold: the ordinal of the gold object, if there is one.
            system: the ordinal of the system object, if there is one.
            reason: ``no counterpart``, ``absent`` or ``differs``.
            compared: what was compared, where it is not what is written.
            parent: the number of the match that it is part of.
            credit: what it earns.
            name: what is wrong with it, where the metric says so.
        """
        own, graph = (system, self.system) if side == "surplus" else (gold, self.gold)
        assert own is not None, "an error is about something"
        label: Value
        if what == "node":
            node = graph.nodes[own]
            label = node.label
        else:
            label, node = graph.edges[own].label, self._piece(graph, own)
        value = surface(graph, node)
        if compared is not None and compared == label:
            compared = None
        found = Error(
            side,
            kind,
            what,
            gold,
            system,
            label,
            name,
            value,
            compared,
            reason,
            credit,
            parent,
        )
        (self.surplus if side == "surplus" else self.missing).append(found)

    def _piece(self, graph: Graph, edge: int) -> Node:
        known = self._nodes.get(id(graph))
        if known is None:
            known = self._nodes[id(graph)] = {node.id: node for node in graph.nodes}
        return known[graph.edges[edge].target]

    def outcome(self, masses: Masses, score: int | float) -> Outcome:
        """The outcome of everything that was noted."""
        errors = (*self.missing, *self.surplus)
        return Outcome(
            masses, score, score, True, 0, METHOD, tuple(self.matches), errors
        )


@dataclass(frozen=True)
class RoleMetric(Metric, Generic[T]):
    """Base of the metrics of semantic roles.

    Args:
        labels: whether labels are compared as written, or in one spelling.
    """

    frameworks: ClassVar[frozenset[str]] = frozenset({SRL})

    labels: Labels = "written"

    @abstractmethod
    def lay_out(self, sentence: Sentence) -> T:
        """What of a sentence is compared."""

    @abstractmethod
    def measure(self, gold: Prepared[T], system: Prepared[T], rows: Rows | None) -> Any:
        """Compare two sentences in equal positions.

        Args:
            gold: the gold sentence.
            system: the system's.
            rows: where matches and errors go, if they are wanted.

        Returns:
            Masses, and the score.
        """

    @property
    def normalization(self) -> str:
        """How labels are compared."""
        return f"labels={self.labels}"

    def label(self, written: str) -> str:
        """A label as it is compared."""
        return normal(written) if self.labels == "alike" else written

    def prepare(self, graph: Graph) -> Prepared[T]:
        """Lay out a sentence."""
        return Prepared(self, sentence_of(graph))

    def compare(
        self,
        gold: Sequence[Prepared[T]],
        system: Sequence[Prepared[T]],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare a sentence."""
        mine = gold[0] if gold else self.prepare(Graph("", SRL))
        theirs = system[0] if system else self.prepare(Graph("", SRL))
        if mine.sentence.size != theirs.sentence.size or (
            mine.sentence.counted != theirs.sentence.counted
        ):
            one, _ = alike(mine.sentence, theirs.sentence)
            if one is not mine.sentence or mine.sentence.counted == "characters":
                mine, theirs = mine.by_characters, theirs.by_characters
        rows = None
        if details:
            rows = Rows(mine.sentence.graph, theirs.sentence.graph)
        masses, score = self.measure(mine, theirs, rows)
        if rows is None:
            return Outcome(masses, score, score, True, 0, METHOD)
        return rows.outcome(masses, score)


def surface(graph: Graph, node: Node) -> str | None:
    """The words of a node, nothing where it has none."""
    parts = [graph.text[max(start, 0) : end] for start, end in node.anchors]
    return " ".join(parts) or None
