r"""Discourse representations as clauses: what a graph of ``drg`` says, line by line.

A graph in the layout of the 2020 shared task on meaning representation parsing is a
set of clauses: a box, an operator, its arguments (van Noord, Abzianidze, Haagsma and
Bos 2018, "Evaluating Scoped Meaning Representations").  Here an argument is the ordinal
of a node, or a constant as it is written.

>>> from graphscore.model.graph import Edge, Node
>>> nodes = (Node("b1"), Node("e1", "bark.v.01"), Node("x1", "dog.n.01"),
...          Node("r1", "Agent"))
>>> edges = (Edge("b1", "e1", "in"), Edge("b1", "x1", "in"), Edge("e1", "r1"),
...          Edge("r1", "x1"))
>>> for clause in clauses_of(Graph("", "drg", nodes=nodes, edges=edges)):
...     print(clause.kind, clause.operator, clause.terms)
operators REF (0, 1)
concepts bark.v.01 (0, 1)
operators REF (0, 2)
concepts dog.n.01 (0, 2)
roles Agent (0, 1, 2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from graphscore.model.graph import Graph, Node

IN = "in"
"""The label of the edge from a box to what it holds."""

REF = "REF"
"""The operator that introduces a referent."""

CONCEPT = re.compile(r'([^\s"%]+)\.([a-z]\.\d+)')
"""A concept as a label: its word, and its part of speech with its sense number."""

CONSTANT = re.compile(r'"[^"]+"')
"""A constant, with its quotes."""

CONCEPTS = "concept"
"""The property that has the further concepts of a referent."""

NOTHING = ""
"""The term of a role that a graph leaves open."""

RELATIONS = frozenset(
    {
        *("ALTERNATION", "ATTRIBUTION", "BACKGROUND", "COMMENTARY", "CONDITION"),
        *("CONSEQUENCE", "CONTINUATION", "CONTRAST", "ELABORATION", "EXPLANATION"),
        *("INSTANCE", "NARRATION", "NECESSITY", "NEGATION", "PARALLEL"),
        *("POSSIBILITY", "PRECONDITION", "PRESUPPOSITION", "RESULT", "SOURCE"),
        "TOPIC",
    }
)
"""Operators that join two boxes as discourse does, in the signature of Counter."""

Kind = Literal["operators", "roles", "concepts"]

Term = int | str
"""The ordinal of a node, or a constant with its quotes."""


class Clause(NamedTuple):
    """Clause of a graph."""

    kind: Kind
    operator: str
    """The operator, the role, or the concept as ``dog.n.01``."""
    terms: tuple[Term, ...]
    """The box, then the arguments."""
    object: Literal["node", "edge"]
    """Object of the graph that yields it: a referent, a role, an edge."""
    ordinal: int
    """Its place among the nodes or edges."""


def is_operator(word: str) -> bool:
    """Return true if a word is an operator, in capitals; otherwise it is a role.

    >>> is_operator("TPR"), is_operator("SY1"), is_operator("Agent")
    (True, True, False)
    """
    return word in ("SY1", "SY2") or (word.isupper() and word.isalpha())


def clauses_of(graph: Graph) -> list[Clause]:
    """The clauses of a graph.

    A box introduces every referent that it holds (in the Parallel Meaning Bank there is
    one ``REF`` for each such edge); its concept is said in the first of its boxes.

    Args:
        graph: in the layout of ``drg``; in any other, edges without a label are read
            as those of roles.

    Returns:
        Clauses in the order of the edges, those of roles last.
    """
    ordinals = graph.ordinals()
    labels = [_text(node.label) for node in graph.nodes]
    terms: list[Term] = [
        label if CONSTANT.fullmatch(label) else number
        for number, label in enumerate(labels)
    ]
    roles = {
        number
        for number, label in enumerate(labels)
        if label and not CONSTANT.fullmatch(label) and not CONCEPT.fullmatch(label)
    }
    clauses: list[Clause] = []
    holders: dict[int, list[int]] = {}
    ends: dict[int, tuple[list[int], list[int]]] = {role: ([], []) for role in roles}
    for number, edge in enumerate(graph.edges):
        source, target = ordinals[edge.source], ordinals[edge.target]
        label = _text(edge.label)
        if label == IN:
            if target not in roles:
                node = graph.nodes[target]
                before = len(holders.get(target, ()))
                held = terms[source], terms[target]
                clauses += _held(*held, node, number, target, before)
            holders.setdefault(target, []).append(source)
        elif label:
            both = terms[source], terms[target]
            clauses.append(Clause("operators", label, both, "edge", number))
        else:
            _join(ends, source, target)
    clauses += _roles(labels, terms, holders, ends)
    return clauses


def _text(label: object) -> str:
    return label if isinstance(label, str) else "" if label is None else repr(label)


def _held(
    box: Term, term: Term, node: Node, edge: int, ordinal: int, before: int
) -> Iterator[Clause]:
    """Yield the clauses of a box's edge to a referent, after those of other boxes.

    A concept that is said again is said in the next box.
    """
    yield Clause("operators", REF, (box, term), "edge", edge)
    concepts: list[str] = []
    more = (value for name, value in node.properties if name == CONCEPTS)
    for label in (node.label, *more):
        if label is not None:
            concept = _text(label)
            if concepts.count(concept) == before:
                yield Clause("concepts", concept, (box, term), "node", ordinal)
            concepts.append(concept)


def _join(
    ends: dict[int, tuple[list[int], list[int]]], source: int, target: int
) -> None:
    if target in ends:
        ends[target][0].append(source)
    if source in ends:
        ends[source][1].append(target)


def _roles(
    labels: list[str],
    terms: list[Term],
    holders: dict[int, list[int]],
    ends: dict[int, tuple[list[int], list[int]]],
) -> Iterator[Clause]:
    """A clause for each role; where an argument is missing it is :data:`NOTHING`."""
    for role in sorted(ends):
        first, second = ends[role]
        boxes = holders.get(role) or (holders.get(first[0], []) if first else [])
        holders_of_parts = [ids[0] if ids else None for ids in (boxes, first, second)]
        arguments = tuple(
            NOTHING if id_ is None else terms[id_] for id_ in holders_of_parts
        )
        kind: Kind = "operators" if is_operator(labels[role]) else "roles"
        yield Clause(kind, labels[role], arguments, "node", role)
