"""Complete predications and semantic frames as the scorer of SDP 2015 counts them.

Oepen et al. (2015), "SemEval 2015 Task 18: Broad-Coverage Semantic Dependency
Parsing", section 5; ``Scorer`` of the task's toolkit (7eb99fb).  Nothing is searched
for: a node is its word.  What is compared of a verbal predicate is one set: its
edges to core arguments, with their labels and words; of a frame also its sense.

>>> core("pas", "verb_ARG1"), core("pas", "verb_AUX"), core("psd", "RSTR")
(True, False, False)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.meaning.predications import Predications, spell
from graphscore.model.anchors import trimmed_ranges
from graphscore.model.graph import IDLE_PREDICATES, Graph, Node
from graphscore.model.outcome import ErrorType, Outcome
from graphscore.model.outcome_builder import Alignment, Described, OutcomeBuilder

TUPLE_TYPES = ("predications", "frames")

PAS_CORE = frozenset(
    f"{word}_{role}"
    for word, roles in {
        "adj": "ARG1 ARG2 MOD",
        "coord": "ARG1 ARG2",
        "prep": "ARG1 ARG2 ARG3 MOD",
        "verb": "ARG1 ARG2 ARG3 ARG4 MOD",
    }.items()
    for role in roles.split()
)
"""Labels of core arguments in PAS."""


def core(framework: str, label: str) -> bool:
    """Return true if edges with a label lead to core arguments.

    Args:
        framework: ``pas``, ``psd``, or any other, where all do.
        label: as written.
    """
    if framework == "psd":
        return label.endswith("-arg")
    return framework != "pas" or label in PAS_CORE


Argument = tuple[Hashable, str]
"""The word of a core argument, and the label of the edge that leads there."""


class Frame(NamedTuple):
    """A verbal predicate."""

    node: int
    """Its ordinal."""
    word: Hashable
    arguments: frozenset[Argument]
    """Core arguments; possibly none."""
    sense: str
    """Empty where the file says nothing."""

    def said(self, tuple_type: str) -> Hashable:
        """Return the compared value for a tuple type.

        Args:
            tuple_type: one of :data:`TUPLE_TYPES`.
        """
        return self[1:] if tuple_type == "frames" else self[1:3]


def _first_value(node: Node, name: str) -> str:
    """Return the first value of a property."""
    for key, value in node.properties:
        if key == name:
            return "" if value is None else str(value)
    return ""


class Verbs:
    """The verbal predicates of a graph.

    A word is known by its number where every node stands for a token, else by its
    ranges.

    Args:
        graph: any graph whose nodes have the property ``pos``.
    """

    __slots__ = ("__dict__", "graph")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def numbers(self) -> list[Hashable] | None:
        """The number of each node's token; ``None`` where that is not known."""
        tokens = self.graph.tokens or ()
        number_of = {token: number for number, token in enumerate(tokens)}
        anchors = [node.anchors for node in self.graph.nodes]
        if len(number_of) < len(tokens) or not tokens:
            return None
        try:
            return [number_of[anchor] for (anchor,) in anchors]
        except (KeyError, ValueError):
            return None

    @cached_property
    def ranges(self) -> list[Hashable]:
        """The ranges of each node, without punctuation at their ends."""
        text = self.graph.text
        return [tuple(trimmed_ranges(n.anchors, text)) for n in self.graph.nodes]

    def frames(self, words: list[Hashable]) -> list[Frame]:
        """The predicates, in order.

        Args:
            words: what each node is known by.
        """
        graph = self.graph
        ordinals = graph.ordinals()
        verbs = {
            verb.id: node
            for node, verb in enumerate(graph.nodes)
            if _first_value(verb, "pos").startswith("V")
        }
        by_node: dict[int, set[Argument]] = {}
        for edge in graph.edges:
            if edge.source in verbs:
                arguments = by_node.setdefault(verbs[edge.source], set())
                label = "" if edge.label is None else str(edge.label)
                if core(graph.framework, label):
                    arguments.add((words[ordinals[edge.target]], label))
        for node in self._idle:
            if graph.nodes[node].id in verbs:
                by_node.setdefault(node, set())
        return [
            Frame(
                node,
                words[node],
                frozenset(value),
                _first_value(graph.nodes[node], "frame"),
            )
            for node, value in sorted(by_node.items())
        ]

    @property
    def _idle(self) -> Iterator[int]:
        """Nodes that a file calls predicates, and that no edge leaves."""
        listed = self.graph.extra.get(IDLE_PREDICATES)
        if isinstance(listed, list) and self.numbers is not None:
            tokens = {number - 1 for number in listed if isinstance(number, int)}
            for node, number in enumerate(self.numbers):
                if number in tokens:
                    yield node

    def spelt(self, frame: Frame, tuple_type: str) -> str:
        """A predicate as shown: ``join/ev-w1777f1(PAT-arg board)``.

        Args:
            frame: one of them.
            tuple_type: one of :data:`TUPLE_TYPES`.
        """
        ordinals, nodes = self.graph.ordinals(), self.graph.nodes
        shown = sorted(
            {
                f"{spell(edge.label)} {spell(nodes[ordinals[edge.target]].label)}"
                for edge in self.graph.edges
                if ordinals[edge.source] == frame.node
                and core(self.graph.framework, str(edge.label or ""))
            }
        )
        sense = f"/{frame.sense}" if tuple_type == "frames" and frame.sense else ""
        return f"{spell(nodes[frame.node].label)}{sense}({', '.join(shown)})"


@dataclass(frozen=True)
class Sdp2015(Predications):
    """Predications and frames of verbs, as ``predications(preset=sdp2015)``."""

    tuple_types = TUPLE_TYPES
    normalization = "words"

    def __post_init__(self) -> None:
        chosen = self.order, self.trim, self.invert, self.ties, self.node
        if chosen != ("surface", "range", "all", "found", "label"):
            raise UsageError(
                f"{self}: preset=sdp2015 beside another parameter: words are known by "
                "their place, and what belongs to a predication is decided"
            )

    def prepare(self, graph: Graph) -> Verbs:
        """Gather the verbs of a graph."""
        return Verbs(graph)

    def compare_sides(
        self, gold: Any, system: Any, budget: Budget, details: bool
    ) -> Outcome:
        """Count the predications and frames that both sides have."""
        words = [gold.numbers, system.numbers]
        known = [word for word in words if word is not None]
        gold_words, system_words = (
            known if len(known) == 2 else (gold.ranges, system.ranges)
        )
        first, second = gold.frames(gold_words), system.frames(system_words)
        builder, score = OutcomeBuilder(details), 0
        for tuple_type in TUPLE_TYPES:
            left = Counter(frame.said(tuple_type) for frame in first)
            right = Counter(frame.said(tuple_type) for frame in second)
            matched = (left & right).total()
            builder.count(tuple_type, len(first), len(second), matched)
            if tuple_type == "predications":
                score = matched
            if details:
                _enter(builder, tuple_type, (gold, first), (system, second))
        return builder.outcome(score, "identity")


def _enter(
    builder: OutcomeBuilder,
    tuple_type: str,
    gold: tuple[Verbs, list[Frame]],
    system: tuple[Verbs, list[Frame]],
) -> None:
    """Enter what matches, and what does not beside the predicate of the same word."""

    def alone(
        own: list[Frame], opposite: list[Frame]
    ) -> list[tuple[Frame, Frame | None]]:
        matched = {frame.node for frame, _ in _pairs(own, opposite, tuple_type)}
        by_word = {frame.word: frame for frame in reversed(opposite)}
        left = (frame for frame in own if frame.node not in matched)
        return [(frame, by_word.get(frame.word)) for frame in left]

    def describe(side: ErrorType, own: Frame, counterpart: Frame | None) -> Described:
        verbs = system[0] if side == "spurious" else gold[0]
        return Described(
            tuple_type,
            own.node,
            None if counterpart is None else counterpart.node,
            label=verbs.graph.nodes[own.node].label,
            value=verbs.spelt(own, tuple_type),
        )

    first, second = gold[1], system[1]
    pairs = _pairs(first, second, tuple_type) if tuple_type == "predications" else ()
    matched = [
        (left_frame.node, right_frame.node, 1.0) for left_frame, right_frame in pairs
    ]
    builder.enter(
        Alignment(alone(first, second), alone(second, first), (), matched), describe
    )


def _pairs(
    left: list[Frame], right: list[Frame], tuple_type: str
) -> Iterator[tuple[Frame, Frame]]:
    """Predicates of both sides of which the same is said, first with first."""
    by_value: dict[Hashable, list[Frame]] = {}
    for frame in reversed(right):
        by_value.setdefault(frame.said(tuple_type), []).append(frame)
    for frame in left:
        if equal := by_value.get(frame.said(tuple_type)):
            yield frame, equal.pop()
