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
>>> words.extents(gold).sizes.tolist()
[3, 1]
>>> [each.tolist() for each in words.shared(gold, system, [0, 1], [0])]
[[0, 1], [0, 0], [2, 1]]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.metrics.coreference.chains import Chains, Integers
from graphscore.model.graph import Anchor, Graph
from graphscore.model.numbers import whole_number
from graphscore.structures.layout import first_of

FEW = 32
"""Ranges of so many mentions are looked up one by one."""

_START, _END = itemgetter(0), itemgetter(1)

Chosen = Sequence[int] | npt.NDArray[np.integer[Any]]
"""Positions of some mentions."""


class Extents(NamedTuple):
    """The ranges of words of a side's mentions, one entry for each range."""

    mention: Integers
    low: Integers
    """The first word of the range."""
    high: Integers
    """One past the last."""
    sizes: Integers
    """Number of words of each mention, empty nodes included."""


class Common(NamedTuple):
    """Words that two mentions share, where they share any."""

    gold: Integers
    system: Integers
    words: Integers


class Words:
    """The words of a document, which both sides annotate.

    Args:
        tokens: ranges of characters, ascending.
    """

    def __init__(self, tokens: Sequence[Anchor]) -> None:
        self.tokens = tokens

    @cached_property
    def bounds(self) -> tuple[Integers, Integers, bytes]:
        """Starts and ends of the words, and a key that distinguishes them."""
        tokens = self.tokens
        flat = np.fromiter(chain.from_iterable(tokens), np.int64, 2 * len(tokens))
        return flat[::2].copy(), flat[1::2].copy(), flat.tobytes()

    def extents(self, chains: Chains) -> Extents:
        """The ranges of words of a side's mentions, made once."""
        kept: tuple[bytes, Extents] | None = chains.got("extents")
        mark = self.bounds[2]
        if kept is not None and kept[0] == mark:
            return kept[1]
        made = self._extents(chains)
        chains.put("extents", (mark, made))
        return made

    def _extents(self, chains: Chains) -> Extents:
        nodes = [chains.graph.nodes[ordinal] for ordinal in chains.nodes]
        counts = [len(node.anchors) for node in nodes]
        ranges = chain.from_iterable(chain.from_iterable(n.anchors for n in nodes))
        flat = np.fromiter(ranges, np.int64, 2 * sum(counts))
        starts, ends, _ = self.bounds
        low = np.searchsorted(ends, flat[::2], "right")
        high = np.maximum(np.searchsorted(starts, flat[1::2], "left"), low)
        owner = np.repeat(np.arange(len(nodes)), np.array(counts, dtype=np.int64))
        sizes = np.bincount(owner, high - low, len(nodes)).astype(np.int64)
        for index, node in enumerate(nodes):
            if len(node.properties) > 1:
                sizes[index] += len(_empty(chains, index))
        return Extents(owner, low, high, sizes)

    def _sorted(
        self, chains: Chains, mentions: Chosen
    ) -> tuple[Integers, Integers, Integers]:
        """Ranges of some mentions, in order of their first words."""
        if len(mentions) > FEW:
            extents = self.extents(chains)
            is_chosen = np.zeros(len(extents.sizes), dtype=bool)
            is_chosen[np.asarray(mentions, dtype=np.int64)] = True
            [chosen] = np.nonzero(
                is_chosen[extents.mention] & (extents.high > extents.low)
            )
            chosen = chosen[np.argsort(extents.low[chosen], kind="stable")]
            return extents.mention[chosen], extents.low[chosen], extents.high[chosen]
        ranges = []
        for mention in sorted({*mentions}):
            for start, end in chains.node(mention).anchors:
                low = bisect_right(self.tokens, start, key=_END)
                high = bisect_left(self.tokens, end, low, key=_START)
                if high > low:
                    ranges.append((mention, low, high))
        ranges.sort(key=itemgetter(1))
        table = np.array(ranges, dtype=np.int64).reshape(-1, 3)
        return table[:, 0], table[:, 1], table[:, 2]

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
        self, gold: Chains, system: Chains, left: Chosen, right: Chosen
    ) -> Common:
        """Count the words that chosen mentions have in common.

        Args:
            gold: one side.
            system: the other.
            left: which mentions of it.
            right: and which of the other.
        """
        if not (len(left) and len(right)):
            none = np.zeros(0, dtype=np.int64)
            return Common(none, none, none)
        first, low, high = self._sorted(gold, left)
        second, start, end = self._sorted(system, right)
        longest = (end - start).max(initial=0)
        # Ranges that begin before a range ends, and not too early to reach it.
        before = np.searchsorted(start, low - longest)
        counts = np.maximum(np.searchsorted(start, high) - before, 0)
        gold_range = np.repeat(np.arange(len(first)), counts)
        offset = np.repeat(counts.cumsum() - counts - before, counts)
        system_range = np.arange(len(gold_range)) - offset
        common = np.minimum(high[gold_range], end[system_range])
        common -= np.maximum(low[gold_range], start[system_range])
        overlapping = common > 0
        result = (
            first[gold_range[overlapping]],
            second[system_range[overlapping]],
            common[overlapping],
        )
        holders: dict[object, list[int]] = {}
        for mention in right:
            if len(system.node(mention).properties) > 1:
                for word in _empty(system, mention):
                    holders.setdefault(word, []).append(mention)
        if not holders and len(first) == len(left) and len(second) == len(right):
            return Common(*result)
        return _summed(gold, result, left, holders)


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


def _characters(gold: Graph, system: Graph) -> list[Anchor]:
    """The characters of a text, or of mentions where nobody gives a text."""
    text = gold.text or system.text
    if not text:
        ranges = [r for g in (gold, system) for n in g.nodes for r in n.anchors]
        text = "x" * max((end for _, end in ranges), default=0)
    return [
        Anchor(index, index + 1)
        for index, character in enumerate(text)
        if not character.isspace()
    ]


def _summed(
    gold: Chains,
    overlaps: tuple[Integers, Integers, Integers],
    left: Chosen,
    holders: dict[object, list[int]],
) -> Common:
    """One entry for two mentions, their ranges and empty nodes taken together."""
    sums: dict[tuple[int, int], int] = {}
    for first, second, words in zip(
        *(column.tolist() for column in overlaps), strict=True
    ):
        sums[first, second] = sums.get((first, second), 0) + words
    for first in left if holders else ():
        for word in _empty(gold, first):
            for second in holders.get(word, ()):
                sums[first, second] = sums.get((first, second), 0) + 1
    table = np.array([(*cell, words) for cell, words in sums.items()], dtype=np.int64)
    gold_mentions, system_mentions, shared_words = table.reshape(-1, 3).T
    return Common(gold_mentions, system_mentions, shared_words)


def _empty(chains: Chains, mention: int) -> frozenset[object]:
    """The empty nodes of a mention."""
    properties = chains.node(mention).properties
    return frozenset(value for name, value in properties if name == "word")


def position(chains: Chains, mention: int) -> tuple[int, int, int]:
    """First character, last and length, which order mentions as they are read."""
    anchors = chains.node(mention).anchors
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
