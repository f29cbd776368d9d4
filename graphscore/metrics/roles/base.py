"""Base class of the metrics of semantic roles.

Sentences are compared in positions: of words where both sides have equally many, of
characters where they do not.  A sentence that one side lacks is one without roles.

**Labels.**  PropBank's files spell one role in several ways: ``ARG0`` and ``A0``,
``ARGM-TMP``, ``AM-TMP`` and (Chinese, the tables of papers) bare ``TMP``.
:func:`normal` gives them one spelling, that of CoNLL-2005; what is no label of
PropBank stays as it is.

>>> [normal(each) for each in ("ARG0", "C-ARGM-TMP", "R-TMP", "ARGA", "arg0-agt")]
['A0', 'C-AM-TMP', 'R-AM-TMP', 'AA', 'arg0-agt']

**Which errors are right with which.**  A predicate and its sense come and go
together, and a predicate takes its arguments along: one that is missing has to be
there before an argument of it is, and one that is spurious has none when it is gone.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic, Literal, TypeVar

from graphscore.correspondence import Budget
from graphscore.metrics.base import numbered
from graphscore.metrics.corrections import Correctable, spelled
from graphscore.metrics.label_tables import label_table
from graphscore.metrics.pairwise import PairMetric
from graphscore.metrics.traits import ClassCounts, Confused
from graphscore.model.graph import Graph, Node, NodeId
from graphscore.model.outcome import (
    Count,
    Error,
    ErrorType,
    Outcome,
    ScoreTable,
)
from graphscore.model.outcome_builder import Described, OutcomeBuilder
from graphscore.structures.roles.reading import alike, sentence_of
from graphscore.structures.roles.sentence import SRL, Sentence


def replaced(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map errors to the errors they are confused with, across core and contextual.

    What is at another predicate stands in nobody's place.

    Args:
        errors: of one sentence.
    """
    result: dict[int, list[int]] = defaultdict(list)
    by_objects: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, error in enumerate(errors):
        if error.gold is not None and error.system is not None:
            by_objects[error.object, error.gold, error.system].append(number)
    for both in by_objects.values():
        sides = {errors[number].error_type for number in both}
        parents = {errors[number].parent for number in both}
        if sides == {"missing", "spurious"} and len(parents) == 1:
            for number in both:
                result[number] += [confused for confused in both if confused != number]
    return result


def with_predicates(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map errors to confused ones, and predicates to errors of their arguments.

    Args:
        errors: of one sentence; a predicate that one side lacks, and its arguments,
            name the match of that predicate as their parent.
    """
    result = replaced(errors)
    for predicates, arguments in _one_sided(errors):
        for number in predicates:
            result[number] += [
                predicate for predicate in predicates if predicate != number
            ]
        for number in arguments:
            # The arguments of a predicate that is gone, or the one that was missing.
            if errors[number].error_type == "missing":
                result[number] += predicates
            else:
                for predicate in predicates:
                    result[predicate].append(number)
    return result


def _one_sided(errors: Sequence[Error]) -> list[tuple[list[int], list[int]]]:
    """The rows of every predicate that one side lacks, and those of its arguments."""
    result: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}
    for number, error in enumerate(errors):
        counterpart = error.gold if error.error_type == "spurious" else error.system
        if error.object == "node" and counterpart is None and error.parent is not None:
            key = error.error_type, error.parent
            result.setdefault(key, ([], []))[0].append(number)
    for number, error in enumerate(errors):
        if error.object == "edge" and (error.error_type, error.parent) in result:
            result[error.error_type, error.parent][1].append(number)
    return list(result.values())


Labels = Literal["written", "alike"]
"""Comparison of labels: as written, or normalized."""

CONTINUED, REFERRING = "C-", "R-"
"""Prefixes of labels."""

MODIFIERS = frozenset(
    {
        *("ADJ", "ADV", "ANC", "AXS", "BNF", "CAU", "CND", "COM", "CRD"),
        *("CXN", "DGR", "DIR", "DIS", "DSP", "EXT", "FRQ", "GOL", "INS"),
        *("LOC", "LVB", "MNR", "MOD", "NEG", "PNC", "PRD", "PRP", "PRR"),
        *("PRX", "PTN", "RCL", "REC", "SLC", "STR", "TMP", "TPC", "VOC"),
    }
)
"""Modifiers after ``AM-`` in the guidelines of the English and Chinese PropBank."""

_NUMBERED = re.compile(r"(?:ARG|A)([0-9A])(-.+)?")
_MODIFIER = re.compile(r"(?:ARGM|AM)(-.+)?")


@lru_cache(maxsize=4096)
def normal(label: str) -> str:
    """A label in the spelling of CoNLL-2005.

    Args:
        label: as written, with its prefixes.
    """
    prefix, bare = parted(label)
    if match := _NUMBERED.fullmatch(bare):
        return f"{prefix}A{match[1]}{match[2] or ''}"
    if match := _MODIFIER.fullmatch(bare):
        return f"{prefix}AM{match[1] or ''}"
    return f"{prefix}AM-{bare}" if bare in MODIFIERS else label


@lru_cache(maxsize=4096)
def parted(label: str) -> tuple[str, str]:
    """The prefixes of a label, and what they stand before.

    >>> parted("C-R-A0"), parted("A0"), parted("C-")
    (('C-R-', 'A0'), ('', 'A0'), ('', 'C-'))
    """
    end = 0
    while label.startswith((CONTINUED, REFERRING), end) and len(label) > end + 2:
        end += 2
    return label[:end], label[end:]


ROLE = "role."
"""Prefix of the names of scores by role."""

METHOD = "positions"
"""Method recorded in results."""

Predicates = Literal["all", "given"]
"""Predicates that count: all, or only those that both sides have."""

T = TypeVar("T")


class Prepared:
    """A sentence, laid out for every metric that compares it.

    Args:
        sentence: the sentence.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self._laid: dict[object, Any] = {}

    def laid(self, metric: RoleMetric[T]) -> T:
        """The part that a metric compares, in positions as the sentence has them."""
        if metric not in self._laid:
            self._laid[metric] = metric.lay_out(self.sentence)
        part: T = self._laid[metric]
        return part

    @property
    def graph(self) -> Graph:
        """Graph that the sentence comes from."""
        return self.sentence.graph

    @cached_property
    def by_characters(self) -> Prepared:
        """The same in positions that are characters."""
        return Prepared(self.sentence.by_characters)


class RoleBuilder(OutcomeBuilder):
    """The builder of one pair of sentences; it says what predicates and pieces are.

    Args:
        gold: the gold graph.
        system: the system's.
        details: whether matches and errors are wanted.
    """

    def __init__(self, gold: Graph, system: Graph, details: bool) -> None:
        super().__init__(details)
        self._gold, self._system = gold, system
        self._nodes: dict[int, dict[NodeId, Node]] = {}

    def error(
        self, side: ErrorType, described: Described, parent: int | None = None
    ) -> None:
        """Enter a predicate, or a piece of an argument, with its label and words.

        What was compared is told where it is not the label.
        """
        if not self.details:
            return
        graph, own = self._system if side == "spurious" else self._gold, described.own
        assert own is not None
        if described.what == "node":
            node = graph.nodes[own]
            label = node.label
        else:
            label, node = graph.edges[own].label, self._piece(graph, own)
        compared = None if described.compared == label else described.compared
        value = surface(graph, node)
        described = described._replace(label=label, value=value, compared=compared)
        super().error(side, described, parent)

    def alone(self, side: ErrorType, node: int) -> int:
        """Enter a predicate that one side lacks; its arguments are part of it.

        Args:
            side: which side lacks its partner.
            node: its ordinal.

        Returns:
            The number of its match with nothing.
        """
        if side == "spurious":
            return self.match(None, node, 0.0)
        return self.match(node, None, 0.0)

    def _piece(self, graph: Graph, edge: int) -> Node:
        known = self._nodes.get(id(graph))
        if known is None:
            known = self._nodes[id(graph)] = {node.id: node for node in graph.nodes}
        return known[graph.edges[edge].target]


@dataclass(frozen=True)
class RoleMetric(PairMetric, Correctable, Confused, ClassCounts, Generic[T]):
    """Base of the metrics of semantic roles.

    Args:
        labels: whether labels are compared as written, or in one spelling.
    """

    frameworks = frozenset({SRL})
    lends = False
    confuses = "label"
    layout = Prepared

    labels: Labels = "written"

    @abstractmethod
    def lay_out(self, sentence: Sentence) -> T:
        """Prepare the compared part of a sentence."""

    @abstractmethod
    def measure(
        self, gold: Prepared, system: Prepared, builder: RoleBuilder
    ) -> int | float:
        """Compare two sentences in equal positions.

        Args:
            gold: the gold sentence.
            system: the system's.
            builder: where everything that is found goes.

        Returns:
            The score.
        """

    def confusion(self, missing: Error, spurious: Error) -> str:
        """Their labels, or their words; nothing where something else is wrong."""
        for name in ("label", "value"):
            left, right = getattr(missing, name), getattr(spurious, name)
            if left != right:
                return f"{spelled(left)} → {spelled(right)}"
        return ""

    @property
    def normalization(self) -> str:
        """Description of how labels are compared."""
        return f"labels={self.labels}"

    def label(self, written: str) -> str:
        """A label as it is compared."""
        return normal(written) if self.labels == "alike" else written

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Without roles, which have a table."""
        return {k: value for k, value in numbers.items() if not k.startswith(ROLE)}

    def prepare(self, graph: Graph) -> Prepared:
        """Lay out a sentence."""
        prepared = Prepared(sentence_of(graph))
        prepared.laid(self)
        return prepared

    def compare_sides(
        self, gold: Prepared, system: Prepared, budget: Budget, details: bool
    ) -> Outcome:
        """Compare a sentence."""
        if gold.sentence.size != system.sentence.size or (
            gold.sentence.counted != system.sentence.counted
        ):
            compared, _ = alike(gold.sentence, system.sentence)
            if compared is not gold.sentence or gold.sentence.counted == "characters":
                gold, system = gold.by_characters, system.by_characters
        builder = RoleBuilder(gold.sentence.graph, system.sentence.graph, details)
        return builder.outcome(self.measure(gold, system, builder), METHOD)


def by_role(classes: Mapping[str, Count]) -> dict[str, float]:
    """Precision, recall and F1 of each role, as scores.

    Args:
        classes: the count of each role.
    """
    numbers: dict[str, float] = {}
    for role, count in classes.items():
        numbers |= numbered(f"{ROLE}{role}", count)
    return numbers


def role_table(numbers: Mapping[str, float]) -> ScoreTable:
    """The scores of :func:`by_role` as a table.

    Args:
        numbers: all scores of a metric.
    """
    scores = ("precision", "recall", "f1")
    return label_table("by role", ("role", "P", "R", "F1"), numbers, ROLE, scores)


def surface(graph: Graph, node: Node) -> str | None:
    """The words of a node, nothing where it has none."""
    parts = [graph.text[max(start, 0) : end] for start, end in node.anchors]
    return " ".join(parts) or None
