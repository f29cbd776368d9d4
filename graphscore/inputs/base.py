"""Conversion of Python objects to graphs.

A :class:`InputType` says how something looks that can be scored and who makes graphs
of it. Items without words, such as lists of tags, stand over the numbers of their
tokens, so that two of them always speak of the same characters:

>>> numbered_text(3)
('0 1 2', (Anchor(start=0, end=1), Anchor(start=2, end=3), Anchor(start=4, end=5)))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from graphscore.exceptions import InputError, Problem, truncate
from graphscore.model.anchors import CACHED, anchor_of
from graphscore.model.graph import Anchor, Graph
from graphscore.model.joined_tokens import join_tokens

Ends = Literal["inclusive", "exclusive"]
"""Convention for the end of a pair of tokens: the last one or the one after it."""

Words = Sequence[Sequence[str]]
"""The tokens of each item."""

Labels = Sequence[str] | Mapping[Any, str]
"""Names of tags that are numbers, from 0, or by number."""


def labels_of(labels: Labels) -> tuple[str, ...]:
    """Return the names of numbers, from 0.

    Args:
        labels: names in order, or by number (``id2label``).

    >>> labels_of({"1": "B-PER", "0": "O"})
    ('O', 'B-PER')
    """
    if isinstance(labels, Mapping):
        return tuple(labels[key] for key in sorted(labels, key=int))
    return tuple(labels)


class InputType(msgspec.Struct, frozen=True):
    """One kind of thing that people hold."""

    name: str
    """Name in messages."""
    shape: str
    """Form, by an example."""
    fits: Callable[[Any], bool | None]
    """Says of an item whether it is one; ``None`` where it is empty and may be."""
    read: Callable[..., list[Graph]]
    """The constructor: takes items, and ``ends`` where these say tokens by number."""
    by_number: bool = False
    """Items refer to tokens by number and have no words of their own."""
    counted: bool = False
    """Items have something for each token."""
    whole: bool = False
    """:attr:`fits` and :attr:`read` take all items at once."""
    ends: bool = False
    """``ends`` makes a difference."""
    framework: str = ""
    """Framework of the graphs, for items that may be empty."""
    generated: bool = False
    """Items may be the output of a language model.

    Then :attr:`read` takes ``repair``, and strings without characters are found in the
    text of the other side.
    """


class Taken(list[Graph]):
    """Graphs of what was given, with what was lost on the way.

    Attributes:
        rejected: what is wrong with items that cannot be read.
        notes: what else the user should know, one sentence each.
        places: where empty graphs stand for rejected items, until they are aligned.
    """

    def __init__(self, graphs: Iterable[Graph] = ()) -> None:
        super().__init__(graphs)
        self.rejected: list[Problem] = []
        self.notes: list[str] = []
        self.places: frozenset[int] = frozenset()


class TokenRanges(dict[tuple[int, int], tuple[Anchor]]):
    """The characters from one token to another, by their numbers, as nodes have them.

    >>> TokenRanges("Dogs bark", (Anchor(0, 4), Anchor(5, 9)))[0, 1]
    (Anchor(start=0, end=9),)
    """

    def __init__(self, text: str, tokens: tuple[Anchor, ...]) -> None:
        super().__init__()
        self.text, self.tokens = text, tokens

    def __missing__(self, ends: tuple[int, int]) -> tuple[Anchor]:
        first, last = ends
        ranges = (anchor_of((self.tokens[first][0], self.tokens[last][1])),)
        if len(self) < CACHED:
            self[ends] = ranges
        return ranges


_numbered = [TokenRanges("", ())]
"""The longest text of numbers that was ever needed: all others are beginnings of it."""


def numbered_ranges(size: int) -> TokenRanges:
    """Return the ranges of at least so many tokens, each of which is its number.

    Args:
        size: how many.
    """
    ranges = _numbered[0]
    if size > len(ranges.tokens):
        # Other threads may go on with the one that they have.
        ranges = TokenRanges(*join_tokens(map(str, range(max(64, 2 * size)))))
        if len(ranges.tokens) > len(_numbered[0].tokens):
            _numbered[0] = ranges
    return ranges


@lru_cache(maxsize=1 << 10)
def numbered_text(size: int) -> tuple[str, tuple[Anchor, ...]]:
    """Return a text of so many tokens, each of which is its number, from 0.

    Args:
        size: how many.
    """
    ranges = numbered_ranges(size)
    tokens = ranges.tokens[:size]
    return ranges.text[: tokens[-1].end] if tokens else "", tokens


def reword(graph: Graph, worded: Graph, name: str, where: str) -> Graph:
    """A graph over numbers, over the words of another one.

    Args:
        graph: a graph over :func:`numbered_text` tokens.
        worded: what has tokens.
        name: what the graph is of, in messages.
        where: which item it is.

    Raises:
        InputError: if it speaks of tokens that the other does not have, or, of items
            that have a tag for each, if there are fewer.
    """
    starts = [token.start for token in graph.tokens]

    def placed(anchor: Anchor) -> Anchor:
        first = bisect_left(starts, anchor.start)
        last = bisect_left(starts, anchor.end) - 1
        if last >= len(worded.tokens):
            found, expected = f"token {last}", f"0 to {len(worded.tokens) - 1}"
            raise refusal(name, where, found, expected)
        return Anchor(worded.tokens[first].start, worded.tokens[last].end)

    nodes = tuple(
        msgspec.structs.replace(node, anchors=tuple(map(placed, node.anchors)))
        for node in graph.nodes
    )
    text, tokens = worded.text, worded.tokens
    return msgspec.structs.replace(graph, nodes=nodes, text=text, tokens=tokens)


def refusal(name: str, where: str, found: str, expected: str) -> InputError:
    """An error about one place of what was given.

    Args:
        name: what was given: ``tags``, or what it is to be scored as.
        where: the place in it, as it is written in Python: ``[3][7]``.
        found: what stands there; a long one is cut.
        expected: what should.
    """
    return InputError(
        [Problem(f"<{name}>", None, None, where, truncate(found), expected)]
    )


def texts_of(
    name: str, number: int, words: Words | None, size: int | None = None
) -> tuple[str, tuple[Anchor, ...]] | None:
    """The text of an item and its tokens, where the words are known.

    Args:
        name: what the item is of, in messages.
        number: which item it is, from 0.
        words: the tokens of all items, if they are known.
        size: how many tokens the item has, if it says so.

    Raises:
        InputError: if there are no words for the item, or not as many as it has tokens.
    """
    if words is None:
        return None
    if number >= len(words):
        found, expected = f"an item {number}", f"tokens for it: there are {len(words)}"
        raise refusal(name, f"[{number}]", found, expected)
    if size is not None and len(words[number]) != size:
        found = f"{size} {name}"
        raise refusal(name, f"[{number}]", found, f"{len(words[number])}, as tokens")
    return join_tokens(words[number])


def names_of(name: str, items: Sequence[Any], ids: Iterable[Any] | None) -> list[str]:
    """The ids of items; all empty where there are none.

    Args:
        name: what the items are, in messages.
        items: the items.
        ids: one for each.

    Raises:
        InputError: if there are fewer ids, or more.
    """
    if ids is None:
        return [""] * len(items)
    named = [str(value) for value in ids]
    if len(named) != len(items):
        found = f"{len(named)} ids"
        raise refusal(name, "ids", found, f"{len(items)}, one for each item")
    return named
