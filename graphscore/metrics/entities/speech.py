"""Slots over words that were recognised: both sides in the columns of one alignment.

What is said is recognised first and tagged then, so that the words of a system are not
those of the reference.  The words of both are aligned
(:mod:`graphscore.model.word_alignment`), and every slot is at the columns of its words,
from its first to its last; a word more within it, or less, is no error of tagging.  So
entities overlap that have columns in common, and boundaries are right if the columns at
both ends are.

An error is one of *recognition* if the words did not allow better:

- a slot alone, or a wrong type: if any of its words is not right, on either side;
- a wrong boundary: if both slots have the same of those words that both sides have.

Any other is one of *tagging*.

>>> from graphscore.structures.entities.trees import TreeBuilder
>>> def said(text, label, first, last):
...     build, places, at = TreeBuilder(), [], 0
...     for word in text.split():
...         places.append(Anchor(at, at + len(word)))
...         at += len(word) + 1
...     _ = build.entity(label, [Anchor(places[first].start, places[last].end)])
...     return build.graph("1", text=text, tokens=tuple(places))
>>> heard = TranscriptPair([said("le maire de Lyon", "func.ind", 1, 3)],
...               [said("le mer de", "func.ind", 1, 2)])
>>> [slots.pieces[0][0] for slots in heard.sides]
[((1, 4),), ((1, 3),)]
>>> heard.counts()
{'gold': 4, 'substitutions': 1, 'deletions': 1, 'insertions': 0}
>>> heard.misheard(4, heard.sides[0].entities[0], heard.sides[1].entities[0])
True
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec

from graphscore.metrics.entities.slots import BOUNDARY, Slots, SlotView
from graphscore.model.document import united
from graphscore.model.graph import Anchor, Graph
from graphscore.model.word_alignment import Time, align_words
from graphscore.structures.entities.trees import ETREE, TIMES, Metonymy


class TranscriptPair:
    """Two sides of a unit whose words are not the same.

    Args:
        gold: gold graphs, in order.
        system: the system's; how many is of no account.
        metonymy: as for :class:`~graphscore.metrics.entities.slots.Slots`.

    Attributes:
        graphs: the graph of either side, of several that of the document.
        sides: the slots of either side, at columns in place of characters.
        columns: positions of the words that stand in each column.
        right: whether each column has two equal words.
    """

    def __init__(
        self,
        gold: Sequence[Graph],
        system: Sequence[Graph],
        metonymy: Metonymy = "joined",
    ) -> None:
        framework = next((graph.framework for graph in (*gold, *system)), ETREE)
        self.graphs = _whole(gold, framework), _whole(system, framework)
        tokens = tuple(_tokens(graph) for graph in self.graphs)
        words = [
            [graph.text[start:end] for start, end in token]
            for graph, token in zip(self.graphs, tokens, strict=True)
        ]
        times = _times(gold, len(words[0])), _times(system, len(words[1]))
        self.columns = align_words(words[0], words[1], *times)
        self.right = [
            gold_word is not None
            and system_word is not None
            and words[0][gold_word].casefold() == words[1][system_word].casefold()
            for gold_word, system_word in self.columns
        ]
        self.common = [None not in column for column in self.columns]
        gold_placed, system_placed = (
            Slots(_placed(graph, token, self._of(side)), metonymy)
            for side, (graph, token) in enumerate(zip(self.graphs, tokens, strict=True))
        )
        self.sides = gold_placed, system_placed

    def _of(self, side: int) -> list[int]:
        """The column of each word of a side."""
        return [k for k, column in enumerate(self.columns) if column[side] is not None]

    def counts(self) -> dict[str, int]:
        """The words of gold, and what became of them."""
        gold = sum(gold_word is not None for gold_word, _ in self.columns)
        deleted = sum(system_word is None for _, system_word in self.columns)
        inserted = len(self.columns) - gold
        wrong = sum(self.common) - sum(self.right)
        return {
            "gold": gold,
            "substitutions": wrong,
            "deletions": deleted,
            "insertions": inserted,
        }

    def misheard(self, wrong: int, *slots: SlotView) -> bool:
        """Return true if an error is one of recognition.

        Args:
            wrong: what is wrong with a pair; 0 for a slot that is alone.
            slots: both slots of a pair, or the one.
        """
        by_slot = [
            # A slot without words in the text has a place that is none, and its words.
            {k for span in slot.piece[0] for k in range(span[0], span[1])}
            for slot in slots
        ]
        if wrong & BOUNDARY:
            left, right = (
                {k for k in columns if self.common[k]} for columns in by_slot
            )
            if left != right:
                return False
        if wrong == BOUNDARY:
            return True
        return not all(self.right[k] for columns in by_slot for k in columns)


def _whole(graphs: Sequence[Graph], framework: str) -> Graph:
    if len(graphs) == 1:
        return graphs[0]
    return united(graphs) if graphs else Graph("", framework)


def _tokens(graph: Graph) -> Sequence[Anchor]:
    """The words of a graph; what blanks part where the format has none."""
    if graph.tokens:
        return graph.tokens
    tokens, end = [], 0
    for word in graph.text.split():
        start = graph.text.index(word, end)
        end = start + len(word)
        tokens.append(Anchor(start, end))
    return tokens


def _times(graphs: Sequence[Graph], words: int) -> list[Time] | None:
    """When each word was spoken; ``None`` unless that is known of all."""
    times: list[Time] = []
    for graph in graphs:
        spoken: Any = graph.extra.get(TIMES)
        if not isinstance(spoken, list) or len(spoken) != len(graph.tokens):
            return None
        times += ((float(start), float(end)) for start, end in spoken)
    return times if times and len(times) == words else None


def _placed(graph: Graph, tokens: Sequence[Anchor], columns: Sequence[int]) -> Graph:
    """A graph whose anchors are columns: from that of the first word to the last's."""
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]

    def column_anchor(anchor: Anchor) -> Anchor | None:
        first = bisect_right(ends, anchor.start)
        last = bisect_left(starts, anchor.end) - 1
        if first > last:
            return None
        return Anchor(columns[first], columns[last] + 1)

    nodes = []
    for node in graph.nodes:
        placed = [column_anchor(anchor) for anchor in node.anchors]
        anchors = tuple(anchor for anchor in placed if anchor is not None)
        nodes.append(msgspec.structs.replace(node, anchors=anchors))
    return msgspec.structs.replace(graph, nodes=tuple(nodes))
