"""Sentences of a UMR document as AnCast sees them.

A relation is a set of labels between two ends, from the predicate to its argument:
nodes by their numbers in the sentence, and constants in lower case.

**Labels.**  Relations match under a map of the nodes, as far as their ends are similar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.model.graph import Graph, Node, Pairs, Value
from graphscore.structures.documents import (
    SENTENCE,
    Sentence,
    Triple,
    said_of,
    sentences_of,
    variable_of,
)


class Shared(NamedTuple):
    """Relations between the same two ends on both sides."""

    system: Ends
    gold: Ends
    similarity: float
    """The mean of that of both ends."""
    labels: int
    """Number of labels that both sides share."""
    any: int
    """Number of relations on the side that has fewer."""


def shared(
    system: Concepts, gold: Concepts, forth: dict[int, int], alike: list[list[float]]
) -> Iterator[Shared]:
    """Pairs of ends that a map takes to each other and that have labels on both sides.

    Args:
        system: the system's sentence.
        gold: that of gold.
        forth: the gold node of each of the system's nodes.
        alike: how similar the concepts of nodes are.
    """
    gold_labels = gold.labels
    for (left, right), labels in system.labels.items():
        # Constants are like themselves; nodes may have no counterpart.
        first, second = left, right
        similarity = 2.0
        if type(left) is int:
            if left not in forth:
                continue
            first = forth[left]
            similarity += alike[left][first] - 1
        if type(right) is int:
            if right not in forth:
                continue
            second = forth[right]
            similarity += alike[right][second] - 1
        others = gold_labels.get((first, second))
        if others is not None:
            yield Shared(
                (left, right),
                (first, second),
                similarity / 2,
                len(labels & others),
                min(len(labels), len(others)),
            )


def weights(sentence: Concepts, counted: Concepts | None) -> Callable[[Ends], float]:
    """Return the weight of a relation by its ends: it grows with the nodes below them.

    Args:
        sentence: theirs.
        counted: the sentence in which it is counted what hangs below variables of their
            names: the system's for both sides, as in the program.
    """
    below: dict[str, int] = {}
    if counted is not None:
        below = dict(zip(counted.variables, counted.below, strict=True))
    known = [below.get(name, 0) for name in sentence.variables]

    def weight(ends: Ends) -> float:
        left, right = ends
        if isinstance(left, str) or isinstance(right, str):
            return 1.0
        return sqrt(known[left] * known[right]) + 1

    return weight


Floats = npt.NDArray[np.float64]

End = int | str
"""A node by its number in the sentence, or a constant."""

Ends = tuple[End, End]
"""Predicate and argument."""

_SENSE = re.compile(r"-([0-9]{2})")
_VARIABLE = re.compile(r"s[0-9]+[a-z]+[0-9]*")


@lru_cache(maxsize=1 << 14)
def concept_of(label: str) -> tuple[str, int]:
    """A concept's name in lower case, and the number of its sense, or 0.

    The first two digits after a hyphen are the sense, and what follows is nothing.

    >>> concept_of("Leave-02"), concept_of("číst-002"), concept_of("date-entity")
    (('leave', 2), ('číst', 0), ('date-entity', 0))
    """
    match = _SENSE.search(label)
    if match is None:
        return label.lower(), 0
    return label[: match.start()].lower(), int(match[1])


@lru_cache(maxsize=1 << 12)
def directed(role: str) -> tuple[str, bool]:
    """The name of a role from predicate to argument, and whether that is its direction.

    ``mod`` is read as the inverse of ``mod-of``.

    >>> directed("ARG0"), directed("ARG1-of"), directed("mod"), directed("mod-of")
    (('arg0', True), ('arg1', False), ('mod-of', False), ('mod-of', True))
    """
    name = role.lower()
    if name == "mod":
        return "mod-of", False
    if name != "mod-of" and name.endswith("-of"):
        return name[:-3], False
    return name, True


def turned(role: str) -> str:
    """A role as it is called at its other end.

    >>> turned("ARG0"), turned("ARG0-of")
    ('ARG0-of', 'ARG0')
    """
    return role[:-3] if role.endswith("-of") else f"{role}-of"


class Relation(NamedTuple):
    """Relation of a sentence with its ends, label and origin."""

    ends: Ends
    label: str
    what: str
    """``edge``, or ``node`` where it is a property."""
    ordinal: int
    name: str
    """The role, as written."""
    value: str
    """The constant, as written."""


class Concepts:
    """The graph of one sentence.

    Args:
        graph: the document.
        sentence: its sentence.

    Attributes:
        variables: what annotators call its nodes.
        names: their concepts, in lower case.
        senses: the numbers of their senses.
        attributes: what is said of each node, by name, but for what begins with op.
        wholes: their names with all that begins with op.
        roles: the roles at each node, as written, those of its edges among them.
        labels: labels between ends.
        text: the sentence with what else is written about it, in lower case.
    """

    def __init__(self, graph: Graph, sentence: Sentence) -> None:
        self.place = sentence.place
        nodes = [graph.nodes[node] for node in sentence.nodes]
        self.first = sentence.nodes.start
        self.variables = [variable_of(node) for node in nodes]
        named = [
            concept_of(str(node.label) if node.label is not None else "")
            for node in nodes
        ]
        self.names = [name for name, _ in named]
        self.senses = np.array([sense for _, sense in named], dtype=np.int64)
        self.text = _text(graph, graph.nodes[sentence.place])
        self.attributes: list[dict[str, str]] = [{} for _ in nodes]
        self.wholes = list(self.names)
        self.roles: list[set[str]] = [set() for _ in nodes]
        self._said: list[tuple[Ends, str, str, int, str, str]] = []
        self._after: list[list[int]] = [[] for _ in nodes]
        self.labels: dict[Ends, set[str]] = {}
        size = len(nodes)
        self.out = np.zeros((size, size))
        self.into = np.zeros((size, size))
        for number, node in enumerate(nodes):
            self._properties(number, node)
        ordinals = {node.id: number for number, node in enumerate(nodes)}
        for ordinal in sentence.edges:
            edge = graph.edges[ordinal]
            source, target = ordinals.get(edge.source), ordinals.get(edge.target)
            if source is not None and target is not None:
                self._edge(source, target, str(edge.label), ordinal)

    def __len__(self) -> int:
        return len(self.names)

    def says_the_same(self, opposite: Concepts) -> bool:
        """Return true if two sentences have the same ordered concepts and relations."""
        return (
            self.names == opposite.names
            and self.labels == opposite.labels
            and self.attributes == opposite.attributes
            and bool((self.senses == opposite.senses).all())
        )

    def _properties(self, number: int, node: Node) -> None:
        properties = said_of(node)
        if not properties:
            return
        ops: dict[str, str] = {}
        attributes, roles = self.attributes[number], self.roles[number]
        ordinal = self.first + number
        # Those of one role stand together, where the first of them is.
        for role, value in properties if len(properties) < 2 else _grouped(properties):
            text = str(value)
            if _VARIABLE.fullmatch(text):
                continue
            roles.add(role)
            label, forward = directed(role)
            constant = text.lower()
            ends: Ends = (number, constant) if forward else (constant, number)
            self._add(ends, label, ("node", ordinal, role, text))
            if forward:
                (ops if label.startswith("op") else attributes)[label] = constant
        if ops:
            self.wholes[number] += "".join(ops.values())

    def _edge(self, source: int, target: int, role: str, ordinal: int) -> None:
        self.roles[source].add(role)
        self.roles[target].add(turned(role))
        label, forward = directed(role)
        ends = (source, target) if forward else (target, source)
        self._add(ends, label, ("edge", ordinal, role, ""))
        self._after[ends[0]].append(ends[1])
        if source != target or forward:
            self.out[ends] = 1
        if source != target or not forward:
            self.into[ends[1], ends[0]] = 1

    def _add(self, ends: Ends, label: str, where: tuple[str, int, str, str]) -> None:
        labels = self.labels.get(ends)
        if labels is None:
            self.labels[ends] = {label}
        elif label in labels:
            return
        else:
            labels.add(label)
        self._said.append((ends, label, *where))

    @property
    def size(self) -> int:
        """Number of relations."""
        return len(self._said)

    @cached_property
    def relations(self) -> list[Relation]:
        """Everything said between ends, once."""
        return [Relation(*statement) for statement in self._said]

    @cached_property
    def reach(self) -> tuple[Floats, Floats]:
        """Arguments of one and two steps, and predicates, but for the node itself."""
        return _two_steps(self.out), _two_steps(self.into)

    @cached_property
    def below(self) -> list[int]:
        """Number of nodes reached from each node along arguments."""
        after, result = self._after, []
        for number in range(len(self)):
            seen: set[int] = set()
            ahead = [number]
            while ahead:
                for following in after[ahead.pop()]:
                    if following not in seen:
                        seen.add(following)
                        ahead.append(following)
            result.append(len(seen))
        return result


def _grouped(pairs: Pairs) -> list[tuple[str, Value]]:
    groups: dict[str, list[tuple[str, Value]]] = {}
    for pair in pairs:
        groups.setdefault(pair[0], []).append(pair)
    return [pair for group in groups.values() for pair in group]


def _two_steps(steps: Floats) -> Floats:
    floats: Floats = np.minimum(steps @ steps + steps, 1.0)
    np.fill_diagonal(floats, 0.0)
    return floats


def _text(graph: Graph, sentence: Node) -> str:
    """The words of a sentence, and what is written about it."""
    lines = [graph.text[start:end] for start, end in sentence.anchors]
    lines += [f"{k} {v}" for k, v in sentence.properties if k != SENTENCE]
    return "\n".join(lines).lower()


class PreparedDocument:
    """A document, ready for comparing.

    Args:
        graph: of the framework ``umrdoc``.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        sentences = sentences_of(graph)
        self.sentences = [Concepts(graph, sentence) for sentence in sentences]
        self.names = [variable_of(node) for node in graph.nodes]
        self.triples: list[dict[str, list[Triple]]] = []
        for sentence in sentences:
            levels: dict[str, list[Triple]] = {}
            for triple in sentence.triples:
                levels.setdefault(triple.level, []).append(triple)
            self.triples.append(levels)
