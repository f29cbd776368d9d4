"""Building sentences with semantic roles (:mod:`graphscore.structures.roles`).

Built by hand: the builder of the layout takes several times as long.

>>> from graphscore.model.joined_tokens import join_tokens
>>> text, ranges = join_tokens(["Dogs", "bark"])
>>> words = tokens_of(["Dogs", "bark"], ranges)
>>> roles = [Roles("bark.01", 1, [("A0", 0)])]
>>> graph = head_based_graph("", "", text, ranges, words, roles, {})
>>> [(node.id, node.label) for node in graph.nodes]
[(1, 'Dogs'), (2, 'bark'), ('p1', 'bark.01'), ('p1.1', None)]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[('p1', 'A0', 'p1.1')]

In a column of CoNLL-2005 and CoNLL-2012 a cell has a star for its word, brackets that
open before it and brackets that close after it: ``(A0*``, ``*``, ``*)``, ``(A1(V*)``.
CoNLL-2004 repeats labels where they close, ``*A0)``.

>>> spans, broken = spans_of(["(A0*", "*)", "(V*)", "(A1(AM-TMP*))"])
>>> spans
[('A0', 0, 1), ('V', 2, 2), ('A1', 3, 3), ('AM-TMP', 3, 3)]
>>> spans_of(["*", "*)"])[1][0].found
"an unmatched '*)'"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from graphscore.model.graph import Anchor, Edge, Graph, Node, Pairs
from graphscore.structures.layout import ARGUMENT, KIND, PREDICATE, TOKEN
from graphscore.structures.roles.sentence import HEAD, LEMMA, RELATION, SRL

KIND_OF_TOKEN = (KIND, TOKEN)
_PREDICATE = ((KIND, PREDICATE),)
_ARGUMENT = ((KIND, ARGUMENT),)

_BARE_TOKEN = (KIND_OF_TOKEN,)


@lru_cache(maxsize=65_536)
def token_properties(head: str, relation: str) -> Pairs:
    """Properties of a word; its head is known to be a number, or ``_`` for none."""
    pairs: list[tuple[str, str | int]] = [KIND_OF_TOKEN]
    if head != "_":
        pairs.append((HEAD, int(head)))
    if relation != "_":
        pairs.append((RELATION, relation))
    return tuple(pairs)


class Roles(NamedTuple):
    """A predicate in a head-based file."""

    label: str | None
    word: int
    """The position of its word."""
    pieces: list[tuple[str, int]]
    """Labels and positions of heads, in order."""


class Spans(NamedTuple):
    """A predicate in a span-based file."""

    label: str | None
    first: int
    last: int
    """The positions of its first and last word."""
    pieces: list[tuple[str, int, int]]
    """Labels, and positions of first and last words, in order."""
    lemma: str | None = None
    """Its lemma, where that is said apart from the label."""


def tokens_of(
    forms: Sequence[str],
    ranges: Sequence[Anchor],
    properties: Sequence[Pairs] | None = None,
) -> list[Node]:
    """Nodes of words with running numbers.

    Args:
        forms: what they are.
        ranges: where they are, shape (words,).
        properties: theirs, with the kind; shape (words,).
    """
    every = [_BARE_TOKEN] * len(forms) if properties is None else properties
    return [
        Node(number, form, pairs, (anchor,))
        for number, (form, anchor, pairs) in enumerate(
            zip(forms, ranges, every, strict=True), 1
        )
    ]


def head_based_graph(
    item: str,
    document: str,
    text: str,
    tokens: tuple[Anchor, ...],
    words: list[Node],
    roles: Iterable[Roles],
    extra: dict[str, Any],
    numbers: Sequence[int] | None = None,
) -> Graph:
    """The graph of a sentence of a head-based file.

    Args:
        item: its id.
        document: the document.
        text: its text.
        tokens: ranges of the words that have characters.
        words: nodes of the words, empty nodes in their places.
        roles: its predicates.
        extra: what else the file says.
        numbers: the numbers of the words, if they are not in order.
    """
    nodes, edges = words, []
    for count, (label, word, pieces) in enumerate(roles, 1):
        id = f"p{count}"
        number = numbers[word] if numbers else word + 1
        properties = _at(number)[0]
        nodes.append(Node(id, label, properties, words[word].anchors))
        for index, (role, head) in enumerate(pieces, 1):
            piece = f"{id}.{index}"
            number = numbers[head] if numbers else head + 1
            properties = _at(number)[1]
            nodes.append(Node(piece, None, properties, words[head].anchors))
            edges.append(Edge(id, piece, role))
    every, links = tuple(nodes), tuple(edges)
    return Graph(item, SRL, 1, "", document, text, tokens, every, links, (), extra)


def span_based_graph(
    item: str,
    document: str,
    text: str,
    tokens: tuple[Anchor, ...],
    roles: Iterable[Spans],
    extra: dict[str, Any],
) -> Graph:
    """The graph of a sentence of a span-based file.

    Args:
        item: its id.
        document: the document.
        text: its text.
        tokens: ranges of its words.
        roles: its predicates.
        extra: what else the file says.
    """
    nodes: list[Node] = []
    edges: list[Edge] = []
    make = tuple.__new__
    for count, (label, first, last, pieces, lemma) in enumerate(roles, 1):
        id = f"p{count}"
        anchor = make(Anchor, (tokens[first].start, tokens[last].end))
        properties: Pairs = _PREDICATE
        if lemma is not None:
            properties = (*_PREDICATE, (LEMMA, lemma))
        nodes.append(Node(id, label, properties, (anchor,)))
        for index, (role, first, last) in enumerate(pieces, 1):
            piece = f"{id}.{index}"
            anchor = make(Anchor, (tokens[first].start, tokens[last].end))
            nodes.append(Node(piece, None, _ARGUMENT, (anchor,)))
            edges.append(Edge(id, piece, role))
    every, links = tuple(nodes), tuple(edges)
    return Graph(item, SRL, 1, "", document, text, tokens, every, links, (), extra)


@lru_cache(maxsize=4096)
def _at(number: int) -> tuple[Pairs, Pairs]:
    """Properties of a predicate and of an argument at a word."""
    at = (TOKEN, number)
    return ((KIND, PREDICATE), at), ((KIND, ARGUMENT), at)


CACHED = 65_536
"""Distinct cells that are remembered."""

_CELL = re.compile(r"((?:\([^()*\s]+)*)\*((?:[^()*\s]*\))*)")

Span = tuple[str, int, int]
"""Label, first and last word."""


class MalformedCell(NamedTuple):
    """A cell with something wrong."""

    row: int
    """The position of its word."""
    found: str
    expected: str


@lru_cache(maxsize=CACHED)
def labels_in(cell: str) -> tuple[list[str], list[str]] | None:
    """The labels that a cell opens, and those that it closes, as written.

    Returns:
        Both, in order; ``None`` if it is no such cell.

    >>> labels_in("(A1(V*)"), labels_in("*A0)"), labels_in("-")
    ((['A1', 'V'], ['']), ([], ['A0']), None)
    """
    match = _CELL.fullmatch(cell)
    return match and (match[1].split("(")[1:], match[2].split(")")[:-1])


def spans_of(cells: Sequence[str]) -> tuple[list[Span], list[MalformedCell]]:
    """The spans of a column, in the order in which they open.

    Args:
        cells: the column, shape (words,).

    Returns:
        The spans, outer ones first, and everything that is wrong.
    """
    spans: list[Span] = []
    broken: list[MalformedCell] = []
    waiting: list[int] = []
    for row, cell in enumerate(cells):
        if cell == "*":
            continue
        pieces = labels_in(cell)
        if pieces is None:
            expected = "a star with brackets around it, as (A0*)"
            broken.append(MalformedCell(row, repr(cell[:40]), expected))
            continue
        for label in pieces[0]:
            waiting.append(len(spans))
            spans.append((label, row, -1))
        for label in pieces[1]:
            if not waiting:
                shown = f"an unmatched {cell[:40]!r}"
                broken.append(MalformedCell(row, shown, "an opening bracket before it"))
                continue
            number = waiting.pop()
            opened, first, _ = spans[number]
            if label and label != opened:
                shown = f"{cell[:40]!r} that closes {opened}"
                broken.append(MalformedCell(row, shown, f"{opened}) or )"))
            spans[number] = opened, first, row
    for number in waiting:
        label, row, _ = spans[number]
        shown = f"an unmatched {f'({label}'!r}"
        broken.append(MalformedCell(row, shown, ") further down"))
    return spans, broken


def cells_of(spans: Iterable[Span], words: int) -> list[str]:
    """The column of spans, which are nested at most.

    Args:
        spans: labels, first and last words.
        words: how many words there are.

    Example:
        >>> cells_of([("A0", 0, 1), ("V", 2, 2)], 3)
        ['(A0*', '*)', '(V*)']
    """
    opening, closing = [""] * words, [""] * words
    # Of spans with equal ends the first one is the outer one.
    for label, first, last in sorted(spans, key=lambda span: (span[1], -span[2])):
        opening[first] += f"({label}"
        closing[last] += ")"
    return [f"{left}*{right}" for left, right in zip(opening, closing, strict=True)]
