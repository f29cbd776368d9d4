"""Sizes of mentions in words, and overlaps between mentions.

Words are the tokens of the document; where no side has tokens, its characters
without white space.  An empty node is a word too.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.metrics.coreference.chains import MentionOptions, lay_out
>>> def document(*ranges):
...     nodes = [Node(k, None, (("kind", "mention"),), (Anchor(*each),))
...              for k, each in enumerate(ranges)]
...     edges = tuple(Edge("e", node.id, "mention") for node in nodes)
...     return lay_out(Graph("1", "coref", text="the old dog barks",
...         tokens=(Anchor(0, 3), Anchor(4, 7), Anchor(8, 11), Anchor(12, 17)),
...         nodes=(*nodes, Node("e", None, (("kind", "entity"),))),
...         edges=edges), MentionOptions())
>>> gold, system = document((0, 11), (12, 17)), document((4, 17))
>>> words = words_of(gold, system)
>>> words.sizes(gold)
[3, 1]
>>> words.shared(gold, system, [0, 1], [0])
{(0, 0): 2, (1, 0): 1}
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import itemgetter

from graphscore.metrics.coreference.chains import Chains
from graphscore.model.graph import Anchor, Graph
from graphscore.model.numbers import whole_number
from graphscore.structures.layout import first_of

_END = itemgetter(1)


class Words:
    """The words of a document, which both sides annotate.

    Args:
        tokens: ranges of characters, ascending.
    """

    def __init__(self, tokens: tuple[Anchor, ...]) -> None:
        self.tokens = tokens

    def sizes(self, chains: Chains) -> list[int]:
        """Numbers of words of a side's mentions, made once; empty nodes are words."""
        kept: tuple[tuple[Anchor, ...], list[int]] | None = chains.got("sizes")
        if kept is None or kept[0] != self.tokens:
            mentions = range(len(chains.nodes))
            sizes = [len(_empty(chains, mention)) for mention in mentions]
            for low, high, mention in self._ranges(chains, mentions):
                sizes[mention] += high - low
            kept = self.tokens, sizes
            chains.put("sizes", kept)
        return kept[1]

    def _ranges(
        self, chains: Chains, mentions: Iterable[int]
    ) -> list[tuple[int, int, int]]:
        """First words of some mentions, the words after the last, and the mentions."""
        tokens, ranges = self.tokens, []
        for mention in mentions:
            for start, end in chains.node(mention).anchors:
                low = bisect_right(tokens, start, key=_END)
                high = bisect_left(tokens, (end,), low)
                if high > low:
                    ranges.append((low, high, mention))
        return sorted(ranges)

    def within(self, chains: Chains, mention: int, head: object) -> bool:
        """Return true if a word belongs to a mention.

        Args:
            chains: whose mention.
            mention: its position.
            head: the word as ``START:END``, or the name of an empty node.
        """
        if head in _empty(chains, mention):
            return True
        first, colon, _ = str(head).partition(":")
        start = whole_number(first) if colon else None
        return start is not None and any(
            a <= start < b for a, b in chains.node(mention).anchors
        )

    def shared(
        self, gold: Chains, system: Chains, left: list[int], right: list[int]
    ) -> dict[tuple[int, int], int]:
        """Numbers of words that chosen mentions have in common, where they have any.

        Args:
            gold: one side.
            system: the other.
            left: which mentions of it.
            right: and which of the other.
        """
        result: dict[tuple[int, int], int] = {}
        if not (left and right):
            return result
        ahead = self._ranges(system, right)[::-1]
        begun: list[tuple[int, int, int]] = []
        for low, high, mention in self._ranges(gold, left):
            while ahead and ahead[-1][0] < high:
                begun.append(ahead.pop())
            # What ends before one range begins ends before all that follow.
            begun = [span for span in begun if span[1] > low]
            for start, end, counterpart in begun:
                if start < high:
                    common = min(high, end) - max(low, start)
                    cell = mention, counterpart
                    result[cell] = result.get(cell, 0) + common
        holders: dict[object, list[int]] = {}
        for mention in right:
            for word in _empty(system, mention):
                holders.setdefault(word, []).append(mention)
        for mention in left if holders else ():
            for word in _empty(gold, mention):
                for counterpart in holders.get(word, ()):
                    cell = mention, counterpart
                    result[cell] = result.get(cell, 0) + 1
        return result


def words_of(gold: Chains, system: Chains) -> Words:
    """The words that both sides of a document are counted in.

    Args:
        gold: one side; its tokens go first, then the other's.
        system: the other side.
    """
    for side in (gold, system):
        if side.graph.tokens:
            return own_words(side)
    return Words(_characters(gold.graph, system.graph))


def own_words(chains: Chains) -> Words:
    """The words that one side says there are, made once."""
    kept: Words | None = chains.got("words")
    if kept is None:
        kept = Words(chains.graph.tokens)
        chains.put("words", kept)
    return kept


def _characters(gold: Graph, system: Graph) -> tuple[Anchor, ...]:
    """The characters of a text, or of mentions where nobody gives a text."""
    text = gold.text or system.text
    if not text:
        ranges = [r for g in (gold, system) for n in g.nodes for r in n.anchors]
        text = "x" * max((end for _, end in ranges), default=0)
    return tuple(
        Anchor(index, index + 1)
        for index, character in enumerate(text)
        if not character.isspace()
    )


def _empty(chains: Chains, mention: int) -> frozenset[object]:
    """The empty nodes of a mention."""
    properties = chains.node(mention).properties
    if len(properties) == 1:
        return _NONE
    return frozenset(value for name, value in properties if name == "word")


_NONE: frozenset[object] = frozenset()


def position(chains: Chains, mention: int) -> tuple[int, int, int]:
    """First character, last and length, which order mentions as they are read."""
    anchors = chains.node(mention).anchors
    if len(anchors) == 1:
        first, after = anchors[0]
        return first, after, after - first
    if not anchors:
        governor = str(first_of(chains.node(mention).properties, "governor") or "")
        start, colon, _ = governor.partition(":")
        known = (whole_number(start) if colon else None) or 0
        return known, known, mention
    return (
        min(start for start, _ in anchors),
        max(end for _, end in anchors),
        sum(end - start for start, end in anchors),
    )
