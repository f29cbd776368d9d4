r"""Numbers of tokens, for formats that know no characters: read and written.

>>> words = Words(["He", "left", "Rome"])
>>> words.text, words.anchor(1, 3)
('He left Rome', Anchor(start=3, end=12))

>>> graph = Graph("1", "ner", text="a b c", nodes=(Node(0, anchors=(Anchor(2, 5),)),),
...               tokens=(Anchor(0, 1), Anchor(2, 3), Anchor(4, 5)))
>>> TokenSpans(graph).of(graph.nodes[0])
(1, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.joined_tokens import forms_of, join_tokens
from graphscore.model.token_variants import SENTENCES

if TYPE_CHECKING:
    from graphscore.formats.shared.json_lines import JsonLine
    from graphscore.structures.layout import LayoutBuilder

Span = tuple[int, int]
"""First and last token, both from 0."""


class Words:
    """The words of a document, as its text.

    Args:
        forms: all words, in order.
        sizes: how many each sentence has, if there are sentences.

    Attributes:
        text: the words joined by one blank.
        tokens: where each of them is in the text.
        starts: where each sentence starts, and where one after the last would.
    """

    def __init__(self, forms: Sequence[str], sizes: Sequence[int] = ()) -> None:
        self.text, self.tokens = join_tokens(forms)
        self.sizes, self.starts = [*sizes], [0, *accumulate(sizes)]

    @classmethod
    def of(cls, line: JsonLine, where: str, value: Any) -> Words:
        """The words of a list of sentences; what is none is a problem.

        Args:
            line: the record.
            where: the place of the list.
            value: a list of lists of strings.
        """
        elements = line.elements(where, value)
        sentences = [line.strings(path, element) for path, element in elements]
        return cls([*chain(*sentences)], [len(sentence) for sentence in sentences])

    def graph(
        self,
        build: LayoutBuilder,
        line: JsonLine,
        layer: str,
        extra: dict[str, Any],
        document: str | None = None,
    ) -> Graph:
        """The graph of a layer of the document.

        Args:
            build: what is in it.
            line: the record, whose item is that of the graph.
            layer: its framework.
            extra: remaining fields of the file.
            document: the document that the item belongs to; by default, itself.
        """
        return build.graph(
            line.item,
            layer,
            document=line.item if document is None else document,
            text=self.text,
            tokens=self.tokens,
            extra=extra,
        )

    def anchor(self, start: int, end: int) -> Anchor:
        """The characters of a range of words, the last one excluded."""
        return Anchor(self.tokens[start].start, self.tokens[end - 1].end)


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
        """Return the start of each sentence, and that of one after the last.

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
