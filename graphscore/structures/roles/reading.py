"""Semantic roles: sentences with predicates and the pieces of their arguments.

A graph of the framework ``srl`` is a sentence::

    text   Dogs rarely bark
    1      kind=token      label=Dogs     anchors=[0:4]   head=3  deprel=nsubj
    ...
    "p3"   kind=predicate  label=bark.01  anchors=[12:16] token=3
    "p3.1" kind=argument                  anchors=[0:4]   token=1
    edge   "p3" -A0-> "p3.1"

Words are nodes only where the file has a dependency tree; they carry it as
properties, ``head`` being the number of the governor among the words, 0 for the
root.  Where words are nodes, predicates and arguments say the number of their word
as ``token``: two words of a multiword token may share their characters, and empty
nodes have none.  Empty nodes are numbered on after the last word.

An argument's piece is anchored at its head in files that know heads only, else at
its span; with both, the head is its property ``head``, ``START:END``.  Where words
share their characters, or the head has none, ``words`` is the span in numbers of
words, ``FIRST:LAST``.

:func:`sentence_of` reads a graph back as positions of words, from 0, in which
metrics compare, and :func:`derived_span` makes a span of a head.

>>> graph = Graph("1", "srl", 1, text="Dogs bark", tokens=(Anchor(0, 4), Anchor(5, 9)),
...               nodes=(Node(0, "bark.01", (("kind", "predicate"),), (Anchor(5, 9),)),
...                      Node(1, None, (("kind", "argument"),), (Anchor(0, 4),))),
...               edges=(Edge(0, 1, "A0"),))
>>> [proposition] = sentence_of(graph).propositions
>>> proposition.lemma, proposition.words, proposition.pieces[0].words
('bark', (1,), (0,))
"""

from __future__ import annotations

import re

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Value
from graphscore.structures.layout import ARGUMENT, KIND, PREDICATE, TOKEN, first_of
from graphscore.structures.roles.sentence import (
    EMPTY,
    HEAD,
    LEMMA,
    RELATION,
    WORDS,
    Counted,
    Piece,
    Proposition,
    Sentence,
    Word,
    lemma_of,
    visible,
)

_RANGE = re.compile(r"(\d{1,9}):(\d{1,9})")


def alike(gold: Sentence, system: Sentence) -> tuple[Sentence, Sentence]:
    """Two sentences in positions that mean the same on both sides.

    Words if both have equally many, else characters of the text.

    Args:
        gold: the gold sentence.
        system: the system's.
    """
    same = gold.counted == system.counted and gold.size == system.size
    if same or not gold.propositions or not system.propositions:
        return gold, system
    return gold.by_characters, system.by_characters


def sentence_of(graph: Graph) -> Sentence:
    """Read a graph in the layout.

    Args:
        graph: a graph of the framework ``srl``.

    Raises:
        InvalidGraphError: if a word's number is none, or an edge leads elsewhere
            than from a predicate to a piece of an argument.
    """
    return _Reading(graph).sentence()


class _Reading:
    """The state of reading one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.tree: list[Word] = []
        self.ranges: list[tuple[Anchor, ...]] = []

    def sentence(self) -> Sentence:
        graph = self.graph
        kinds = [_kind(node) for node in graph.nodes]
        words = [
            node for node, kind in zip(graph.nodes, kinds, strict=True) if kind == TOKEN
        ]
        if words:
            self._words(words)
            size = sum(not word.empty for word in self.tree)
        else:
            self.ranges = [(token,) for token in graph.tokens]
            size = len(self.ranges)
        self._starts = {
            word_range[0].start: k for k, word_range in _last_first(self.ranges)
        }
        self._ends = {
            range_[0].end: k for k, range_ in enumerate(self.ranges) if range_
        }
        ordinals = graph.ordinals()
        out: dict[NodeId, list[tuple[int, Edge]]] = {}
        for number, edge in enumerate(graph.edges):
            left, right = ordinals.get(edge.source, -1), ordinals.get(edge.target, -1)
            if min(left, right) < 0 or (kinds[left], kinds[right]) != (
                PREDICATE,
                ARGUMENT,
            ):
                raise InvalidGraphError(
                    f"an edge from {edge.source!r} to {edge.target!r}",
                    "edges from predicates to pieces of arguments",
                )
            out.setdefault(edge.source, []).append((number, edge))
        propositions = [
            self._proposition(number, node, out.get(node.id, []), ordinals)
            for number, node in enumerate(graph.nodes)
            if kinds[number] == PREDICATE
        ]
        counted: Counted = "words" if self.ranges else "characters"
        tree, result = tuple(self.tree), tuple(propositions)
        return Sentence(graph, size, tree, result, counted, self.ranges)

    def _words(self, nodes: list[Node]) -> None:
        """Take the tree; empty nodes come last, whatever their place."""
        last: list[tuple[Word, tuple[Anchor, ...]]] = []
        count = len(nodes)
        for node in nodes:
            head: Value = None
            relation: Value = None
            empty = False
            for name, value in node.properties:
                if name == HEAD:
                    head = value
                elif name == RELATION:
                    relation = value
                elif name == EMPTY:
                    empty = True
            if head.__class__ is int and 0 <= head <= count:
                governor: int | None = head - 1
            elif head is None:
                governor = None
            else:
                raise InvalidGraphError(
                    f"a word with the head {head!r}", "0 or the number of a word"
                )
            form = "" if node.label is None else str(node.label)
            named = None if relation is None else str(relation)
            word = Word(form, governor, named, empty)
            if empty:
                last.append((word, node.anchors))
            else:
                self.tree.append(word)
                self.ranges.append(node.anchors)
        for word, anchors in last:
            self.tree.append(word)
            self.ranges.append(anchors)

    def _proposition(
        self,
        number: int,
        node: Node,
        edges: list[tuple[int, Edge]],
        ordinals: dict[NodeId, int],
    ) -> Proposition:
        label = "" if node.label is None else str(node.label)
        given_lemma = first_of(node.properties, LEMMA)
        lemma = lemma_of(label) if given_lemma is None else str(given_lemma)
        word = self._number(node)
        words = self._covered(node.anchors) if word is None else (word,)
        pieces = [
            self._piece(ordinal, edge, ordinals[edge.target]) for ordinal, edge in edges
        ]
        return Proposition(number, label, lemma, words, tuple(pieces))

    def _piece(self, ordinal: int, edge: Edge, number: int) -> Piece:
        node = self.graph.nodes[number]
        label = "" if edge.label is None else str(edge.label)
        head = self._number(node)
        given_head = first_of(node.properties, HEAD)
        span = first_of(node.properties, WORDS)
        if given_head is None and span is None and head is not None:
            return Piece(ordinal, number, label, head, None)
        if given_head is not None:
            match = _RANGE.fullmatch(str(given_head))
            if match is None:
                raise InvalidGraphError(f"a head {given_head!r}", "START:END")
            if head is None:
                covered_words = self._covered((Anchor(int(match[1]), int(match[2])),))
                head = covered_words[0] if covered_words else None
        covered = self._covered(node.anchors) if span is None else self._span(span)
        return Piece(ordinal, number, label, head, covered)

    def _span(self, value: Value) -> tuple[int, ...]:
        """Positions of words, by the numbers of the first and the last."""
        match = _RANGE.fullmatch(str(value))
        first, last = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 0 < first <= last <= len(self.tree):
            description = f"words {value!r}"
            raise InvalidGraphError(
                description, f"FIRST:LAST, from 1 to {len(self.tree)}"
            )
        return tuple(range(first - 1, last))

    def _number(self, node: Node) -> int | None:
        """The position of the word that a node names, if it names one."""
        if not self.tree:
            return None
        value: Value = first_of(node.properties, TOKEN)
        if value is None:
            return None
        if not isinstance(value, int) or not 0 < value <= len(self.tree):
            raise InvalidGraphError(f"a word {value!r}", f"1 to {len(self.tree)}")
        return value - 1

    def _covered(self, anchors: tuple[Anchor, ...]) -> tuple[int, ...]:
        """Positions of the words, or else the characters, that ranges touch."""
        if not self.ranges:
            return tuple(visible(anchors, self.graph.text))
        if len(anchors) == 1:
            [(start, end)] = anchors
            first, last = self._starts.get(start), self._ends.get(end)
            if first is not None and last is not None:
                return tuple(range(first, last + 1))
        return tuple(
            index
            for index, own in enumerate(self.ranges)
            if any(a < d and c < b for a, b in own for c, d in anchors)
        )


def _last_first(
    ranges: list[tuple[Anchor, ...]],
) -> list[tuple[int, tuple[Anchor, ...]]]:
    """Words with characters, the last one first: the first of several is kept."""
    return [(k, range_) for k, range_ in enumerate(ranges) if range_][::-1]


def _kind(node: Node) -> Value:
    """Return the kind of a node; readers make it the first property."""
    pairs = node.properties
    if pairs and pairs[0][0] == KIND:
        return pairs[0][1]
    return first_of(pairs, KIND)
