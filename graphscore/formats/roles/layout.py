"""Building sentences with semantic roles (:mod:`graphscore.structures.roles`).

Built by hand: the builder of the layout takes several times as long.

>>> text, ranges = joined_words(["Dogs", "bark"])
>>> words = tokens_of(["Dogs", "bark"], ranges)
>>> roles = [Roles("bark.01", 1, [("A0", 0)])]
>>> graph = headed("", "", text, ranges, words, roles, {})
>>> [(node.id, node.label) for node in graph.nodes]
[(1, 'Dogs'), (2, 'bark'), ('p1', 'bark.01'), ('p1.1', None)]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[('p1', 'A0', 'p1.1')]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
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


def joined_words(forms: Sequence[str]) -> tuple[str, tuple[Anchor, ...]]:
    """Words joined by one blank, and their ranges.

    >>> text, ranges = joined_words(["Dogs", "bark"])
    >>> text, ranges[1][:]
    ('Dogs bark', (5, 9))
    """
    make = tuple.__new__
    starts = accumulate([len(form) + 1 for form in forms], initial=0)
    ranges = tuple(
        [
            make(Anchor, (start, start + len(form)))
            for start, form in zip(starts, forms, strict=False)
        ]
    )
    return " ".join(forms), ranges


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


def headed(
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
        for place, (role, head) in enumerate(pieces, 1):
            piece = f"{id}.{place}"
            number = numbers[head] if numbers else head + 1
            properties = _at(number)[1]
            nodes.append(Node(piece, None, properties, words[head].anchors))
            edges.append(Edge(id, piece, role))
    every, links = tuple(nodes), tuple(edges)
    return Graph(item, SRL, 1, "", document, text, tokens, every, links, (), extra)


def spanned(
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
        for place, (role, first, last) in enumerate(pieces, 1):
            piece = f"{id}.{place}"
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
