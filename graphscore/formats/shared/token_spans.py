"""Anchors as numbers of tokens, for formats that know no characters.

>>> from graphscore.model.graph import Anchor
>>> graph = Graph("1", "ner", text="a b c", nodes=(Node(0, anchors=(Anchor(2, 5),)),),
...               tokens=(Anchor(0, 1), Anchor(2, 3), Anchor(4, 5)))
>>> TokenSpans(graph).of(graph.nodes[0])
(1, 2)
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.texts import forms_of
from graphscore.model.graph import Graph, Node
from graphscore.model.same_tokens import SENTENCES

Span = tuple[int, int]
"""First and last token, both from 0."""


class TokenSpans:
    """The tokens of a graph.

    Args:
        graph: a graph whose anchors should be ranges of whole tokens.
        sentences: the field of ``extra`` that says how many each sentence has.

    Attributes:
        forms: the tokens as their file spelled them.

    Raises:
        InvalidGraphError: if it has a text and no tokens.
    """

    def __init__(self, graph: Graph, sentences: str = SENTENCES) -> None:
        if graph.text and not graph.tokens:
            raise InvalidGraphError("a text without tokens", "its tokens")
        self.forms = forms_of(graph)
        self._said = graph.extra.get(sentences)
        self._tokens = graph.tokens
        self._first = {token.start: k for k, token in enumerate(graph.tokens)}

    def of(self, node: Node) -> Span:
        """The tokens that a node stands for.

        Raises:
            InvalidGraphError: if it is not anchored in one range of whole tokens.
        """
        if len(node.anchors) == 1:
            [(start, end)] = node.anchors
            first = self._first.get(start)
            # A full stop may share its place with the abbreviation before it.
            for last in range(len(self._tokens) if first is None else first, len(self)):
                if self._tokens[last].end == end:
                    return first or 0, last
                if self._tokens[last].end > end:
                    break
        shown = ";".join(f"{start}:{end}" for start, end in node.anchors)
        found = f"a node {node.id!r} at {shown or 'no characters'}"
        raise InvalidGraphError(found, "one range of whole tokens")

    def starts(self, noun: str = "tokens") -> list[int]:
        """Where each sentence starts, and where one after the last would.

        Args:
            noun: what the format calls tokens.

        Raises:
            InvalidGraphError: if the graph says how many tokens sentences have, and
                has more or fewer.
        """
        sizes: Any = [len(self)] if self._said is None else self._said
        plain = isinstance(sizes, list)
        plain = plain and all(type(size) is int and size >= 0 for size in sizes)
        if not plain or sum(sizes) != len(self):
            found = f"sentences of {sizes!r} {noun}"
            raise InvalidGraphError(found, f"{len(self)} {noun} in all")
        return [0, *accumulate(sizes)]

    def sentences(self) -> list[list[str]]:
        """The tokens of each sentence.

        Raises:
            InvalidGraphError: as :meth:`starts`.
        """
        return [self.forms[first:end] for first, end in pairwise(self.starts())]

    def __len__(self) -> int:
        return len(self._tokens)
