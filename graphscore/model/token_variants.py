"""Two documents with the same words, spelt differently.

Formats of tokens say which words a mention has, not which characters.  Where the
two sides spell them differently, ranges of characters do not compare; they are moved
to the same words of the other side.

>>> from graphscore.model.graph import Node
>>> gold = Graph("1", "coref", text="a long word", tokens=(
...     Anchor(0, 1), Anchor(2, 6), Anchor(7, 11)))
>>> pairs = (("kind", "mention"), ("head", "4:6"))
>>> system = Graph("1", "coref", text="x x xx", tokens=(
...     Anchor(0, 1), Anchor(2, 3), Anchor(4, 6)),
...     nodes=(Node(0, None, pairs, (Anchor(2, 6),)),))
>>> differ(gold, system)
True
>>> [node] = move_ranges(system, gold).nodes
>>> node.anchors, node.properties[1]
((Anchor(start=2, end=11),), ('head', '7:11'))
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import msgspec

from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.numbers import whole_number

SENTENCES = "sentences"
"""In ``extra`` of a graph: how many tokens each sentence has."""

RANGES = ("head", "governor")
"""Properties that are ranges of characters, as ``START:END``."""


def differ(gold: Graph, system: Graph) -> bool:
    """Return true if two documents have equally many tokens but different texts.

    Args:
        gold: one side.
        system: the other.
    """
    return (
        gold.text != system.text
        and len(gold.tokens) == len(system.tokens) > 0
        and bool(gold.text and system.text)
    )


def same_words(gold: Graph, system: Graph) -> bool:
    """Return true if two graphs differ in text, but not in token and sentence counts.

    Args:
        gold: one side.
        system: the other.

    >>> one = Graph("1", "ner", text="a b", tokens=(Anchor(0, 1), Anchor(2, 3)))
    >>> two = Graph("1", "ner", text="ab", tokens=(Anchor(0, 1), Anchor(1, 2)))
    >>> same_words(one, two), same_words(one, one)
    (True, False)
    """
    return differ(gold, system) and _sentences(gold) == _sentences(system)


def _sentences(graph: Graph) -> int:
    sentences = graph.extra.get(SENTENCES)
    return len(sentences) if isinstance(sentences, list) and sentences else 1


def move_ranges(graph: Graph, target: Graph) -> Graph:
    """A document with its ranges where another has the same tokens.

    Args:
        graph: what is moved.
        target: a document with as many tokens.

    Returns:
        The nodes of *graph*, in the text of *target*.
    """
    starts = [token.start for token in graph.tokens]
    ends = [token.end for token in graph.tokens]

    def begin(start: int) -> int:
        index = max(bisect_right(starts, start) - 1, 0)
        token = target.tokens[index]
        return min(token.start + max(start - starts[index], 0), token.end)

    def stop(end: int) -> int:
        index = min(bisect_left(ends, end), len(ends) - 1)
        token = target.tokens[index]
        if end >= ends[index]:
            return token.end
        return min(token.start + max(end - starts[index], 0), token.end)

    def value(name: str, span: Value) -> Value:
        if name not in RANGES:
            return span
        first, _, last = str(span).partition(":")
        start, end = whole_number(first), whole_number(last)
        if start is None or end is None or end <= start:
            return span
        return f"{begin(start)}:{stop(end)}"

    def node(moved_node: Node) -> Node:
        return msgspec.structs.replace(
            moved_node,
            properties=tuple(
                (name, value(name, v)) for name, v in moved_node.properties
            ),
            anchors=tuple(Anchor(begin(a), stop(b)) for a, b in moved_node.anchors),
        )

    return msgspec.structs.replace(
        graph,
        text=target.text,
        tokens=target.tokens,
        nodes=tuple(map(node, graph.nodes)),
    )
