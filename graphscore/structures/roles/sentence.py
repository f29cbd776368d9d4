"""A sentence with semantic roles, in positions of words, and spans made of heads.

>>> words = [("of", 1, "case"), ("Egypt", 2, "nmod"), ("people", -1, None)]
>>> tree = tuple(Word(*each, False) for each in words)
>>> sentence = Sentence(Graph("", "srl"), 3, tree, ())
>>> derived_span(sentence, 2, 1), subtree(sentence, 2)
((1,), [0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from graphscore.model.anchors import unite
from graphscore.model.graph import Anchor, Graph

SRL = "srl"
"""The framework of sentences with semantic roles."""

HEAD, RELATION, EMPTY, LEMMA = "head", "deprel", "empty", "lemma"
"""Properties of words, and of predicates (``lemma``) and arguments (``head``)."""

VERB = "V"
"""The label of the words of the predicate itself, which are no argument."""

WORDS = "words"
"""The property of an argument that says its span in numbers of words."""

ROOT = -1
"""Head of a word that is a root."""

CASE, OBLIQUE, COMMA = "case", "obl", ","
"""Relations and a form that the derivation of spans knows."""

Counted = Literal["words", "characters"]


class Piece(NamedTuple):
    """A labelled piece of an argument."""

    edge: int
    """The ordinal of its edge."""
    node: int
    """The ordinal of its node."""
    label: str
    """Label as written, with C- and R-."""
    head: int | None
    """The position of its head, where the file says it."""
    words: tuple[int, ...] | None
    """The positions of its words, in order, where the file says its span."""


class Proposition(NamedTuple):
    """A predicate with the pieces of its arguments."""

    node: int
    """The ordinal of its node."""
    label: str
    """Its sense as written, ``lemma.sense``; empty where there is none."""
    lemma: str
    """Its lemma: what the file says, else the label without the sense."""
    words: tuple[int, ...]
    """Positions of its words; the first one stands for the predicate."""
    pieces: tuple[Piece, ...]

    @property
    def place(self) -> int:
        """Index of its first word; -1 for one without words."""
        return self.words[0] if self.words else -1


class Word(NamedTuple):
    """A word of the dependency tree."""

    form: str
    head: int | None
    """The position of its governor, :data:`ROOT`, or ``None`` if that is not said."""
    relation: str | None
    empty: bool
    """True if it is an empty node."""


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence for reading.

    Args:
        graph: the graph.
        size: how many words it has, without empty nodes; 0 if it has no tokens.
        tree: the words of its dependency tree, empty nodes last; none where the
            file has no tree.
        propositions: its predicates in order.
        counted: what positions are: words, or characters of the text.
    """

    graph: Graph
    size: int
    tree: tuple[Word, ...]
    propositions: tuple[Proposition, ...]
    counted: Counted = "words"
    _ranges: Sequence[tuple[Anchor, ...]] = field(default=(), repr=False)
    _in_words: Sentence | None = field(default=None, repr=False)

    @cached_property
    def children(self) -> list[list[int]]:
        """The dependents of each word, in order."""
        result: list[list[int]] = [[] for _ in self.tree]
        for index, word in enumerate(self.tree):
            if word.head is not None and 0 <= word.head < len(result):
                result[word.head].append(index)
        return result

    def span(self, proposition: Proposition, piece: Piece) -> tuple[int, ...]:
        """The positions of a piece: as the file says, else derived from its head.

        Args:
            proposition: the predicate that it belongs to.
            piece: the piece.
        """
        if piece.words is not None:
            return piece.words
        if piece.head is None:
            return ()
        if self._in_words is None:
            return derived_span(self, proposition.place, piece.head)
        address = self._in_words._by_edge[piece.edge]
        return self._characters(self._in_words.span(*address))

    def ranges(self, proposition: Proposition, piece: Piece) -> list[tuple[int, int]]:
        """The characters of a piece, blanks between neighbouring words included.

        Args:
            proposition: the predicate that it belongs to.
            piece: the piece.

        Returns:
            Ranges, sorted and apart.
        """
        if self._in_words is not None:
            return self._in_words.ranges(*self._in_words._by_edge[piece.edge])
        if piece.words is not None or piece.head is None or not self._ranges:
            return unite(self.graph.nodes[piece.node].anchors)
        runs: list[list[int]] = []
        for word in self.span(proposition, piece):
            if runs and runs[-1][1] == word - 1:
                runs[-1][1] = word
            else:
                runs.append([word, word])
        anchors = [
            Anchor(self._ranges[first][0].start, self._ranges[last][-1].end)
            for first, last in runs
            if self._ranges[first] and self._ranges[last]
        ]
        return unite(anchors)

    @cached_property
    def by_characters(self) -> Sentence:
        """The same sentence with positions that are characters of the text."""
        if self.counted == "characters":
            return self
        every = self._characters
        propositions = tuple(
            proposition._replace(
                words=every(proposition.words),
                pieces=tuple(
                    piece._replace(
                        head=None if piece.head is None else self.first(piece.head),
                        words=None if piece.words is None else every(piece.words),
                    )
                    for piece in proposition.pieces
                ),
            )
            for proposition in self.propositions
        )
        return Sentence(
            self.graph,
            self.size,
            self.tree,
            propositions,
            "characters",
            self._ranges,
            self,
        )

    def first(self, word: int) -> int:
        """The first character of a word; negative for an empty node.

        Args:
            word: its position among the words.
        """
        covered = self._covered[word]
        return covered[0] if covered else -2 - word

    def _characters(self, words: tuple[int, ...]) -> tuple[int, ...]:
        covered = self._covered
        positions = {
            position for word in words for position in covered[word] or [-2 - word]
        }
        return tuple(sorted(positions))

    @cached_property
    def _covered(self) -> list[list[int]]:
        """The characters of each word; an empty node has none."""
        return [visible(range_, self.graph.text) for range_ in self._ranges]

    @cached_property
    def _by_edge(self) -> dict[int, tuple[Proposition, Piece]]:
        return {
            piece.edge: (proposition, piece)
            for proposition in self.propositions
            for piece in proposition.pieces
        }


def visible(anchors: Sequence[Anchor], text: str) -> list[int]:
    """The characters of ranges that are not white space, in order.

    >>> visible([Anchor(0, 4)], "a bc")
    [0, 2, 3]
    """
    offsets = {offset for start, end in anchors for offset in range(max(start, 0), end)}
    return sorted(
        offset
        for offset in offsets
        if offset >= len(text) or not text[offset].isspace()
    )


def lemma_of(label: str) -> str:
    """The lemma in a sense: what stands before its last dot.

    >>> lemma_of("buy_out.03"), lemma_of("buy"), lemma_of("e.g.01")
    ('buy_out', 'buy', 'e.g')
    """
    before, _, _ = label.rpartition(".")
    return before or label


def subtree(sentence: Sentence, head: int, without: int | None = None) -> list[int]:
    """The words below a word, itself included, in order.

    Args:
        sentence: a sentence with a tree, which need not be one: a cycle ends where
            it began.
        head: the position of the word.
        without: the position of a word below it that is left out, with all that is
            below that one.
    """
    result, waiting = {head}, [head]
    children = sentence.children
    while waiting:
        for child in children[waiting.pop()]:
            if child not in result and child != without:
                result.add(child)
                waiting.append(child)
    return sorted(result)


def derived_span(sentence: Sentence, predicate: int, head: int) -> tuple[int, ...]:
    """The span of an argument of which only the head is known.

    PriMeSRL-Eval f3409f4, ``src/proposed/conllu_to_csv.py``: the words below the
    head, but for the predicate and what is below it; of these the unbroken block
    that holds the head; of that, no word of the relation ``case``, unless the head
    is an ``obl`` of the predicate; and no commas at either end.  The head stays.

    Args:
        sentence: a sentence in words, with a tree.
        predicate: the position of the predicate.
        head: the position of the head.

    Returns:
        Positions of words, in order; only the head where there is no tree.
    """
    tree = sentence.tree
    if not tree:
        return (head,)
    below = set(subtree(sentence, head, None if predicate == head else predicate))
    first = last = head
    while first - 1 in below:
        first -= 1
    while last + 1 in below:
        last += 1
    governor, relation = tree[head].head, tree[head].relation
    with_case = governor == predicate and (relation or "").startswith(OBLIQUE)
    span = [
        index
        for index in range(first, last + 1)
        if with_case or index == head or tree[index].relation != CASE
    ]
    while span[-1] != head and tree[span[-1]].form == COMMA:
        span.pop()
    while span[0] != head and tree[span[0]].form == COMMA:
        del span[0]
    return tuple(span)
