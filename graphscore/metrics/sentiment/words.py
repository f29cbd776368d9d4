r"""Opinions by the words that they are made of, as the script of the task counts them.

A text is split at each blank; a part of an opinion is the set of the words from the
one that begins where a range begins to the one that ends where it ends.  A range that
begins within a word has none, one that ends within a word has all that follow.  Sets of
words are numbers with a bit for each of them.

>>> words = Words("We loved it all")
>>> words.between(3, 11), words.between(4, 11), words.between(3, 6)
(6, 0, 14)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from graphscore.model.graph import Graph, Node, NodeId, Value
from graphscore.similarity.features.elements import comparable
from graphscore.similarity.view import View, not_given
from graphscore.structures.layout import HOLDER, KIND, OPINION, TARGET, first_of

EXPRESSION = "expression"

PARTS = (HOLDER, TARGET, EXPRESSION)
"""The parts of opinions, as columns and tuple types are called."""

TARGETED = "targeted"
"""Tuple type of targets with the polarity of their opinion."""

SPANS = (*PARTS, TARGETED)
"""Kinds of which each distinct one of a sentence counts once."""


class Words:
    """Word positions of a text.

    Two blanks have an empty word between them; at the ends of a text there is none.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        # A blank at the beginning has no word before it, one at the end none behind.
        self._skipped = int(text.startswith(" "))

    @property
    def count(self) -> int:
        """Number of words."""
        blanks = self.text.count(" ") - self._skipped - self.text.endswith(" ")
        return blanks + 1 if self.text else 0

    def between(self, start: int, end: int) -> int:
        """The words of a range of characters.

        Args:
            start: its first character.
            end: one past its last character.

        Returns:
            A number with a bit for each of them.
        """
        text, size = self.text, len(self.text)
        if not 0 <= start < size:
            return 0
        if text[start - 1] != " " if start else self._skipped:
            return 0
        first = text.count(" ", 0, start) - self._skipped
        if (start <= end < size and text[end] == " ") or (
            end == size and text[-1] != " "
        ):
            beyond = first + text.count(" ", start, end) + 1
        else:
            beyond = self.count
        return (1 << beyond) - (1 << first)

    def of(self, nodes: Sequence[Node], ordinals: Iterable[int]) -> int:
        """The words of the ranges of some nodes.

        Args:
            nodes: the nodes of the text.
            ordinals: those that are meant.
        """
        result = 0
        for ordinal in ordinals:
            for start, end in nodes[ordinal].anchors:
                result |= self.between(start, end)
        return result


class OpinionWords(NamedTuple):
    """An opinion: its parts as sets of words, 0 for nothing."""

    ordinal: int
    """The ordinal of its node."""
    holder: int
    target: int
    expression: int
    polarity: Value
    mentions: tuple[int | None, int | None] = (None, None)
    """The ordinals of the nodes of its holder and its target."""

    def node(self, tuple_type: str) -> int:
        """The ordinal of the node that has the words of a tuple type."""
        at = {HOLDER: 0, TARGET: 1, TARGETED: 1}.get(tuple_type)
        result = None if at is None else self.mentions[at]
        return self.ordinal if result is None else result


Key = int | tuple[int, Hashable]
"""The words of a part, with the polarity of its opinion where that counts."""


def opinions_in(graph: Graph) -> list[OpinionWords]:
    """The opinions of a graph, in order.

    Args:
        graph: a graph in the layout of opinions.
    """
    nodes = graph.nodes
    if not nodes:
        return []
    words, ordinal_of = Words(graph.text), graph.ordinals() if graph.edges else {}
    fillers: dict[NodeId, tuple[list[int], list[int]]] = {}
    for edge in graph.edges:
        if (label := edge.label) == HOLDER or label == TARGET:
            roles_of = fillers.setdefault(edge.source, ([], []))
            roles_of[label == TARGET].append(ordinal_of[edge.target])
    opinions: list[OpinionWords] = []
    for ordinal, node in enumerate(nodes):
        if first_of(node.properties, KIND) == OPINION:
            holders, targets = fillers.get(node.id, _NO_FILLERS)
            opinions.append(
                OpinionWords(
                    ordinal,
                    words.of(nodes, holders) if holders else 0,
                    words.of(nodes, targets) if targets else 0,
                    words.of(nodes, (ordinal,)),
                    node.label,
                    (holders[0] if holders else None, targets[0] if targets else None),
                )
            )
    return opinions


_NO_FILLERS: tuple[list[int], list[int]] = ([], [])


def share(first: OpinionWords, second: OpinionWords) -> float:
    """The mean share of an opinion's parts that another one has.

    Args:
        first: an opinion.
        second: one of the other side.

    Returns:
        Of each part the share of its words that the other's has, 1 where neither has
        any; their mean.  0 where a part shares no word.

    Example:
        >>> one = OpinionWords(0, 0b1, 0, 0b1100, "Positive")
        >>> other = OpinionWords(0, 0b11, 0, 0b0100, "Negative")
        >>> share(one, other), share(other, one)
        (0.8333333333333334, 0.8333333333333334)
    """
    expression = first.expression & second.expression
    if not expression:
        return 0.0
    total = 0.0
    for left, right in ((first.holder, second.holder), (first.target, second.target)):
        both = left & right
        if both:
            total += both.bit_count() / left.bit_count()
        elif left or right:
            return 0.0
        else:
            total += 1.0
    return (total + expression.bit_count() / first.expression.bit_count()) / 3


class OpinionMatch(NamedTuple):
    """Match of an opinion on the other side."""

    best: float
    """The greatest share that an opinion has of its words, of whatever polarity."""
    partner: int | None
    """The opinion that shares most, among those that are right; ``None`` without."""
    near: int | None
    """The one that shares most of all."""


def found_in(
    opinions: Sequence[OpinionWords], others: Sequence[OpinionWords], polar: bool
) -> list[OpinionMatch]:
    """Find the match of each opinion of one side on the other.

    Args:
        opinions: the opinions that are looked for.
        others: those of the other side.
        polar: whether only those of one polarity are right.
    """
    every: list[OpinionMatch] = []
    for opinion_words in opinions:
        best = right = 0.0
        near = partner = None
        for number, candidate in enumerate(others):
            amount = share(opinion_words, candidate)
            if amount > best:
                best, near = amount, number
            if amount > right and (not polar or alike(opinion_words, candidate)):
                right, partner = amount, number
        every.append(OpinionMatch(best, partner, near))
    return every


def alike(left: OpinionWords, right: OpinionWords) -> bool:
    """Return true if two opinions have the same polarity."""
    return comparable(left.polarity) == comparable(right.polarity)


IN_GOLD, IN_SYSTEM = "polarity_in_gold", "polarity_in_system"
"""Columns: whether the other side has the opinion's polarity where it overlaps."""


class Opinions(View):
    """A sentence with its opinions by their words.

    Args:
        graph: the sentence.
        opinions: its opinions, where they are known.
    """

    __slots__ = ("column", "opinions", "other")

    def __init__(
        self, graph: Graph, opinions: Sequence[OpinionWords] | None = None
    ) -> None:
        super().__init__(graph)
        self.opinions = opinions_in(graph) if opinions is None else opinions
        self.column = ""
        self.other: Opinions | None = None

    @property
    def spans(self) -> dict[str, dict[Key, OpinionWords]]:
        """By tuple type, each distinct span with the first opinion that has it."""
        return self.keep("spans", self._spans)

    def _spans(self) -> dict[str, dict[Key, OpinionWords]]:
        spans: dict[str, dict[Key, OpinionWords]]
        spans = {tuple_type: {} for tuple_type in SPANS}
        for opinion in self.opinions:
            _, holder, target, expression, polarity, _ = opinion
            if holder:
                spans[HOLDER].setdefault(holder, opinion)
            if target:
                spans[TARGET].setdefault(target, opinion)
                key = target, comparable(polarity)
                spans[TARGETED].setdefault(key, opinion)
            if expression:
                spans[EXPRESSION].setdefault(expression, opinion)
        return spans

    def beside(self, column: str, opposite: Opinions) -> Opinions:
        """The same sentence, for one pair.

        Args:
            column: which says whether the other side has its polarity.
            opposite: the sentence of the other side.
        """
        opinions = Opinions(self.graph, self.opinions)
        opinions.column, opinions.other = column, opposite
        return opinions

    def given(self, name: str) -> Sequence[Hashable]:
        """The words of a part of each opinion, or whether its polarity is found.

        Raises:
            FormulaError: for any other column.
        """
        return self.keep(("given", name), lambda: self._column(name))

    def _column(self, name: str) -> list[Hashable]:
        column: list[Hashable] = [None] * len(self.graph.nodes)
        if name in PARTS:
            words = self._words()
            for opinion in self.opinions:
                numbers = bits(getattr(opinion, name))
                column[opinion.ordinal] = tuple(words[k] for k in numbers) or None
        elif name in (IN_GOLD, IN_SYSTEM):
            others = (self.other or self).opinions
            matches = found_in(self.opinions, others, True)
            is_own = name == self.column
            for opinion, opinion_match in zip(self.opinions, matches, strict=True):
                column[opinion.ordinal] = (
                    not is_own or opinion_match.partner is not None
                )
        else:
            raise not_given("column", name)
        return column

    def _words(self) -> Sequence[Hashable]:
        """Identify words: by position, and by form if both sides have the same text."""
        text = self.graph.text
        if text != (self.other or self).graph.text:
            return range(Words(text).count)
        forms = text.removeprefix(" ").split(" ")
        return [f"{number} {word}" for number, word in enumerate(forms)]


def bits(number: int) -> list[int]:
    """The words of a set, ascending.

    >>> bits(0b1010)
    [1, 3]
    """
    return [bit for bit in range(number.bit_length()) if number >> bit & 1]
