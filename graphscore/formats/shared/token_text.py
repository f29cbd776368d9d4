r"""Documents that are lists of words, with annotations that name them by number.

>>> words = Words(["He", "left", "Rome"])
>>> words.text, words.anchor(1, 3)
('He left Rome', Anchor(start=3, end=12))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

from graphscore.formats.shared.json_lines import JsonLine
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import LayoutBuilder


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
        self.text, self.tokens = joined(forms)
        self.sizes, self.starts = [*sizes], [0, *accumulate(sizes)]

    @classmethod
    def of(cls, line: JsonLine, where: str, value: Any) -> Words:
        """The words of a list of sentences; what is none is a problem.

        Args:
            line: the record.
            where: the place of the list.
            value: a list of lists of strings.
        """
        places = line.elements(where, value)
        sentences = [line.strings(place, sentence) for place, sentence in places]
        return cls([*chain(*sentences)], [len(each) for each in sentences])

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
