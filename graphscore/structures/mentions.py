"""Mentions: pieces of text that refer to something (sections 2.1 and 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphscore.model.anchors import unite
from graphscore.model.graph import Anchor, Node
from graphscore.structures.objects.declarations import by_jaccard, over
from graphscore.structures.objects.field_types import StructureError

Unit = Literal["character", "token"]
"""Unit of offsets."""


@dataclass(frozen=True)
class Mention:
    """A mention by its ends (eq. 8).

    Args:
        left: its first character or token, from 0.
        right: its last one, inclusive.

    Example:
        >>> Mention(0, 2).anchor()
        Anchor(start=0, end=3)
    """

    left: int
    right: int

    def anchor(self, tokens: Sequence[Anchor] = ()) -> Anchor:
        """Its range of characters.

        Args:
            tokens: character ranges of the tokens, if its ends are tokens.

        Raises:
            StructureError: if it ends before it begins, or beyond the tokens.
        """
        last = len(tokens) - 1 if tokens else self.right
        if not 0 <= self.left <= self.right <= last:
            limit = f" <= {last}" if tokens else ""
            raise StructureError(
                "Mention",
                f"left={self.left}, right={self.right}",
                f"left <= right{limit}",
            )
        if tokens:
            return Anchor(tokens[self.left].start, tokens[self.right].end)
        return Anchor(self.left, self.right + 1)


@dataclass(frozen=True)
class IndexedMention:
    """A mention as a set of indices, of which two may share some (eq. 29).

    Args:
        indices: its tokens or characters, from 0; they need not be next to each
            other.
    """

    indices: Annotated[frozenset[int], by_jaccard, over(0.5)]

    @classmethod
    def of(cls, mention: Mention) -> IndexedMention:
        """The same mention by its ends."""
        return cls(frozenset(range(mention.left, mention.right + 1)))


def mention_of(node: Node, tokens: Sequence[Anchor] = ()) -> Mention:
    """A node's anchors as a mention.

    Args:
        node: an anchored node.
        tokens: character ranges of the tokens, to count in tokens.

    Raises:
        StructureError: if it has no anchors, or more than one range, or does not
            begin and end where tokens do.
    """
    where = f"node {node.id!r}"
    ranges = unite(node.anchors)
    if len(ranges) != 1:
        raise StructureError(
            where, f"{len(ranges)} ranges of characters", "one, from left to right"
        )
    [(start, end)] = ranges
    if not tokens:
        return Mention(start, end - 1)
    left = _place((token.start for token in tokens), start)
    right = _place((token.end for token in tokens), end)
    if left is None or right is None or left > right:
        raise StructureError(
            where, f"characters {start}:{end}", "the beginning and end of tokens"
        )
    return Mention(left, right)


def _place(ends: Iterable[int], offset: int) -> int | None:
    return next((k for k, end in enumerate(ends) if end == offset), None)
