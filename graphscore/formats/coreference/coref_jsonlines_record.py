"""One line of coreference clusters on its way to a graph.

The systems call the same things by different names; a line may have

=========  ====================================================================
words      ``sentences`` (lists of tokens), ``tokens`` or ``cased_words`` (one
           list; ``sent_id`` has the sentence of each), or only ``text``
id         ``doc_key``, ``document_id`` (with ``part_id``: ``ID/PART``), ``doc_id``
           or ``id``; none where the system gives none
clusters   ``predicted_clusters``, ``span_clusters`` or ``clusters``: the first of
           these that is there
=========  ====================================================================

The last token of a range belongs to it (Lee et al. 2017 and everything built on
it), unless there are ``cased_words`` (Dobrovolskii 2021), where a range ends before
its second number.  Ranges of a ``text`` without tokens are characters, which end so
as well (Otmazgin et al. 2022).  Nothing in other files tells the two: that ranges of
tokens end before their second number must be said, by naming the format
``coref-jsonlines-exclusive``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from graphscore.formats.base import Record
from graphscore.formats.shared.clusters import Span, read_clusters
from graphscore.formats.shared.json_lines import JsonLine, shown
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import COREF

SENTENCES = "sentences"
"""A key with tokens; in ``extra`` of a graph, how many each sentence has."""

LINE = "jsonlines"
"""Where ``extra`` of a graph keeps what the line was like."""

WORDS, IDENTITY, CLUSTERS, ENDS, FIELDS = "words", "id", "clusters", "ends", "fields"
"""What is kept there: three keys of the line, where ranges end, all other fields."""

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
"""Where ranges end."""

CASED, TOKENS, TEXT = "cased_words", "tokens", "text"
"""Further keys with words."""

WORD_KEYS = (SENTENCES, CASED, TOKENS, TEXT)
ID_KEYS = ("doc_key", "document_id", "doc_id", "id")
PREDICTED = "predicted_clusters"
CLUSTER_KEYS = (PREDICTED, "span_clusters", "clusters")

PART = "part_id"

_SENTENCE_OF = "sent_id"

_MARKS = frozenset(
    {
        *("speakers", "speaker", "constituents", "subtoken_map", "sentence_map"),
        *(CASED, "span_clusters", "word_clusters"),
    }
)
"""Fields of coreference systems that no line of DyGIE++ has."""

_OTHERS = frozenset(
    {
        *("relations", "events", "dataset"),
        *("predicted_ner", "predicted_relations", "predicted_events"),
    }
)
"""Fields of DyGIE++ beside clusters."""


def only_coreference(fields: dict[str, Any]) -> bool:
    """Whether a line is one of coreference, and none of DyGIE++.

    >>> line = {"doc_key": "d", "sentences": [], "clusters": [], "ner": [[0, 0, "X"]]}
    >>> only_coreference(line), only_coreference({**line, "speakers": []})
    (False, True)
    """
    return not _MARKS.isdisjoint(fields) and _OTHERS.isdisjoint(fields)


def records(
    lines: Iterable[tuple[JsonLine, dict[str, Any] | None]], exclusive: bool
) -> Iterator[Record]:
    """Read the lines of a file.

    Args:
        lines: with their objects, and problems where there is none.
        exclusive: whether ranges of tokens end before their second number.

    Yields:
        A graph for each line.
    """
    first: tuple[bool, int] | None = None
    for line, fields in lines:
        if fields is None:
            yield line.rejected()
            continue
        predicted = PREDICTED in fields
        if first is None:
            first = predicted, line.line
        document = Document(line, fields, exclusive)
        if predicted is not first[0]:
            # Gold must not be passed off as predicted, or the other way round.
            found = f"{'' if predicted else 'no '}{PREDICTED}"
            expected = f"{'none' if predicted else 'them'}, as in line {first[1]}"
            line.add("$", found, expected)
        yield line.record(document.graph(), COREF)


class Document:
    """A document and what is wrong with it.

    Args:
        line: its line.
        fields: its object.
        exclusive: whether ranges of tokens end before their second number.
    """

    def __init__(self, line: JsonLine, fields: dict[str, Any], exclusive: bool) -> None:
        self.line, self.fields = line, fields
        self._id = next((key for key in ID_KEYS if fields.get(key) is not None), None)
        self.document = ""
        if self._id is not None:
            self.document = line.identity(fields, self._id, "the name of the document")
            line.item = self.document
            if line.item and fields.get(PART) is not None:
                part = line.identity(fields, PART, "the number of the part")
                line.item = f"{self.document}/{part}"
        self._words = next((key for key in WORD_KEYS if key in fields), None)
        self._clusters = next((key for key in CLUSTER_KEYS if key in fields), None)
        self._exclusive = exclusive or self._words in (CASED, TEXT)
        self._sizes: list[int] = []
        self._text, self._tokens = "", tuple[Anchor, ...]()
        if self._words is None:
            line.add("$", "no words", f"one of {', '.join(WORD_KEYS)}")
        elif self._words == TEXT:
            self._plain(fields[TEXT])
        else:
            self._text, self._tokens = joined(self._forms(self._words))

    def graph(self) -> Graph:
        """The graph; of no use if there were problems."""
        line, key = self.line, self._clusters
        # Without words, every range would only repeat the problem.
        words_are_bad = bool(line.problems)
        if key is None:
            line.add("$", "no clusters", f"one of {', '.join(CLUSTER_KEYS)}")
        value = [] if key is None or words_are_bad else self.fields[key]
        anchor = self._characters if self._words == TEXT else self._anchor
        build = read_clusters(
            line, f"$.{key}", value, self._span, anchor, lambda span: None
        )
        used = {self._words, self._clusters, self._id}
        said = {
            WORDS: self._words,
            IDENTITY: self._id,
            CLUSTERS: key,
            ENDS: EXCLUSIVE if self._exclusive else INCLUSIVE,
            FIELDS: {k: v for k, v in self.fields.items() if k not in used},
        }
        extra: dict[str, Any] = {LINE: said}
        if self._words != TEXT:
            extra = {SENTENCES: self._sizes, LINE: said}
        return build.graph(
            line.item,
            COREF,
            document=self.document,
            text=self._text,
            tokens=self._tokens,
            extra=extra,
        )

    def _plain(self, text: Any) -> None:
        if isinstance(text, str):
            self._text = text
        else:
            self.line.add(f"$.{TEXT}", shown(text), "a string")

    def _forms(self, key: str) -> list[str]:
        """All tokens; how many each sentence has is noted."""
        line, where = self.line, f"$.{key}"
        if key == SENTENCES:
            forms: list[str] = []
            for place, each in line.elements(where, self.fields[key]):
                words = line.strings(place, each)
                self._sizes.append(len(words))
                forms += words
            return forms
        forms = line.strings(where, self.fields[key])
        of = self.fields.get(_SENTENCE_OF)
        if not isinstance(of, list):
            self._sizes = [len(forms)]
        elif len(of) != len(forms) or not all(type(each) is int for each in of):
            found = f"{len(of)} sentences"
            expected = f"the numbers of those of {len(forms)} words"
            line.add(f"$.{_SENTENCE_OF}", found, expected)
        else:
            self._sizes = [len(list(words)) for _, words in groupby(of)]
        return forms

    def _span(self, where: str, ends: list[Any]) -> Span | None:
        """A range, its last token or character included."""
        first, last = ends
        what = "characters" if self._words == TEXT else "tokens"
        if type(first) is not int or type(last) is not int:
            found = f"{shown(first)} and {shown(last)}"
            self.line.add(where, found, f"the numbers of two {what}")
            return None
        count = len(self._text if self._words == TEXT else self._tokens)
        final = last - self._exclusive
        if 0 <= first <= final < count:
            return first, final
        found = f"{what} {shown(first)} to {shown(last)}"
        expected = f"a range within the {count} {what}"
        if self._exclusive:
            expected += ", which ends before its second number"
        elif last == count:
            expected += ", its last one included (or say coref-jsonlines-exclusive)"
        self.line.add(where, found, expected)
        return None

    def _anchor(self, span: Span) -> Anchor:
        return Anchor(self._tokens[span[0]].start, self._tokens[span[1]].end)

    def _characters(self, span: Span) -> Anchor:
        return Anchor(span[0], span[1] + 1)
