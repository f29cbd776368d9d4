r"""Clusters of coreference as JSON lines, one document to a line.

This is what neural systems are trained on and give (e2e-coref, SpanBERT, wl-coref,
fastcoref, Maverick...)::

    {"doc_key": "d1", "sentences": [["Jenny", "left"], ["She", "ran"]],
     "clusters": [[[0, 0], [2, 2]]]}

A line gives one graph of framework ``coref``; of a line with ``predicted_clusters``
these are read.

DyGIE++ (:mod:`graphscore.formats.extraction.dygie`) writes clusters in the same way,
beside other layers.  A file is this one if the first line has fields that only systems
for coreference have, or no layer but clusters; where the beginning of the file shows
neither, it is ``dygie``, which hands on what turns out to be coreference only.

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

A graph is written with the keys, and ranges that end, as it was read; graphs from
elsewhere get ``doc_key``, ``sentences`` and ``clusters``, the last token of a range
included, or ``text`` and ranges of characters where there are no tokens.

>>> import io
>>> data = (b'{"doc_key": "d1", "sentences": [["Jenny", "left"], ["She", "ran"]], '
...         b'"clusters": [[[0, 0], [2, 2]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [record.graph.text[a:b] for node in record.graph.nodes for a, b in node.anchors]
['Jenny', 'She']
>>> b"".join(write([record.graph])).partition(b'"clusters":')[2]
b'[[[0,0],[2,2]]]}\n'
>>> [record] = read(io.BytesIO(data.replace(b"2, 2", b"2, 9")), "a.jsonl")
>>> print(record.problems[0])
... # doctest: +NORMALIZE_WHITESPACE
a.jsonl:1: $.clusters[0][1]: found tokens 2 to 9,
expected a range within the 4 tokens

PreCo (Chen et al. 2018, https://preschool-lab.github.io/PreCo) has ranges within
sentences: the number of a sentence, the first token, and the one behind the last one::

    {"id": "train_1", "sentences": [["Jenny", "left"], ["She", "ran"]],
     "mention_clusters": [[[0, 0, 1], [1, 0, 1]]]}

Entities of one mention are in its data, and stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, BinaryIO, TypeVar

import msgspec

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Reader, ReadGraph, Record
from graphscore.formats.shared.json_lines import JsonLine, Row, further, objects
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.token_spans import Span, TokenSpans, Words
from graphscore.formats.writing import Layers, json_lines
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    MENTION,
    LayoutBuilder,
    nodes_of,
)

SENTENCES = "sentences"
"""A key with tokens; in ``extra`` of a graph, how many each sentence has."""

LINE = "jsonlines"
"""Key of a graph's ``extra`` that holds the layout of the line."""

WORDS, IDENTITY, CLUSTERS, ENDS, FIELDS = "words", "id", "clusters", "ends", "fields"
"""Keys below it: three keys of the line, where spans end, all other fields."""

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
"""Conventions of the end of a span."""

CASED, TOKENS, TEXT = "cased_words", "tokens", "text"
"""Further keys with words."""

WORD_KEYS = (SENTENCES, CASED, TOKENS, TEXT)
ID_KEYS = ("doc_key", "document_id", "doc_id", "id")
PREDICTED = "predicted_clusters"
CLUSTER_KEYS = (PREDICTED, "span_clusters", "clusters")

PART = "part_id"

_SENTENCE_OF = "sent_id"

BAD_SENTENCES = "numbers of sentences that are not those of the words"
"""Note on a document whose sentences are not known."""

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


Range = TypeVar("Range", bound=Row)


class Ends(Row):
    """A range of tokens, the last one included."""

    first_token: int
    last_token: int


def read_clusters(
    line: JsonLine,
    where: str,
    value: Any,
    kind: type[Range],
    span: Callable[[str, Range], Span | None],
    anchor: Callable[[Span], Anchor],
    label: Callable[[Span], str | None] = lambda span: None,
) -> LayoutBuilder:
    """Mentions in the order of the text, and entities in that of the file.

    What stands twice becomes two mentions, in one entity or in two.

    Args:
        line: where problems go.
        where: the place of the clusters.
        value: the list of clusters.
        kind: the struct of the numbers that say a range.
        span: the range that they say, by their place; ``None`` and a problem if they
            say none.
        anchor: the characters of a range.
        label: its type.

    Returns:
        What was found; of no use if there were problems.
    """
    ranges: list[tuple[int, int, int]] = []
    clusters: list[list[int]] = []
    for path, cluster in line.elements(where, value):
        clusters.append([])
        for at, mention in line.elements(path, cluster):
            ends = line.typed(at, mention, kind)
            if ends is not None and (good := span(at, ends)) is not None:
                clusters[-1].append(len(ranges))
                ranges.append((good[0], -good[1], len(ranges)))
    build = LayoutBuilder()
    nodes: dict[int, NodeId] = {}
    for first, last, number in sorted(ranges):
        range_ = first, -last
        nodes[number] = build.mention(label(range_), [anchor(range_)])
    for members in clusters:
        build.entity([nodes[number] for number in members])
    return build


def members_of(graph: Graph) -> list[list[NodeId]]:
    """The mentions of each entity, in the order of nodes and edges.

    Args:
        graph: a graph of mentions and entities.
    """
    mentions = {node.id for node in nodes_of(graph, MENTION)}
    node_ids: dict[NodeId, list[NodeId]] = {
        node.id: [] for node in nodes_of(graph, ENTITY)
    }
    for edge in graph.edges:
        if edge.source in node_ids and edge.target in mentions:
            node_ids[edge.source].append(edge.target)
    return list(node_ids.values())


def only_coreference(fields: dict[str, Any]) -> bool:
    """Return whether a line is one of coreference, and not of DyGIE++.

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
        document = Document(line, fields, exclusive)
        if first is not None and predicted is not first[0]:
            # Gold must not be passed off as predicted, or the other way round.
            expected = f"{'none' if predicted else 'them'}, as in line {first[1]}"
            line.add("$", f"{'' if predicted else 'no '}{PREDICTED}", expected)
        record = line.record(document.graph(), COREF)
        if first is None and isinstance(record, ReadGraph):
            # What is rejected does not say what a good line must be.
            first = predicted, line.line
        yield record


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
        self.words = Words([])
        if self._words is None:
            line.add("$", "no words", f"one of {', '.join(WORD_KEYS)}")
        elif self._words == TEXT:
            self.words.text = line.string(f"$.{TEXT}", fields[TEXT])
        elif self._words == SENTENCES:
            self.words = Words.of(line, f"$.{SENTENCES}", fields[SENTENCES])
        else:
            forms = line.strings(f"$.{self._words}", fields[self._words])
            self.words = Words(forms, self._sizes(len(forms)))

    def graph(self) -> Graph:
        """The graph; of no use if there were problems."""
        line, key = self.line, self._clusters
        # Without words, every range would only repeat the problem.
        words_are_bad = bool(line.problems)
        if key is None:
            line.add("$", "no clusters", f"one of {', '.join(CLUSTER_KEYS)}")
        value = [] if key is None or words_are_bad else self.fields[key]
        build = read_clusters(line, f"$.{key}", value, Ends, self._span, self._anchor)
        used = {self._words, self._clusters, self._id}
        fields = {
            WORDS: self._words,
            IDENTITY: self._id,
            CLUSTERS: key,
            ENDS: EXCLUSIVE if self._exclusive else INCLUSIVE,
            FIELDS: {k: v for k, v in self.fields.items() if k not in used},
        }
        extra: dict[str, Any] = {LINE: fields}
        if self._words != TEXT:
            extra = {SENTENCES: self.words.sizes, LINE: fields}
        return self.words.graph(build, line, COREF, extra, self.document)

    def _sizes(self, words: int) -> list[int]:
        """Return the number of words of each sentence, which one list holds."""
        of = self.fields.get(_SENTENCE_OF)
        if not isinstance(of, list):
            return [words]
        if len(of) == words and all(type(number) is int for number in of):
            return [len(list(numbers)) for _, numbers in groupby(of)]
        expected = f"the numbers of those of {amount(words, 'word')}"
        self.line.add(f"$.{_SENTENCE_OF}", f"{len(of)} sentences", expected)
        self.line.pass_over(BAD_SENTENCES)
        return [words]

    def _span(self, where: str, ends: Ends) -> Span | None:
        """A range, its last token or character included."""
        first, last = ends.first_token, ends.last_token
        final = last - self._exclusive
        plain = self._words == TEXT
        count = len(self.words.text if plain else self.words.tokens)
        if 0 <= first <= final < count:
            return first, final
        what = "characters" if plain else "tokens"
        found = f"{what} {shown(first)} to {shown(last)}"
        expected = f"a range within the {count} {what}"
        if self._exclusive:
            expected += ", which ends before its second number"
        elif last == count:
            expected += ", its last one included (or say coref-jsonlines-exclusive)"
        self.line.add(where, found, expected)
        return None

    def _anchor(self, span: Span) -> Anchor:
        first, end = span[0], span[1] + 1
        plain = self._words == TEXT
        return Anchor(first, end) if plain else self.words.anchor(first, end)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    yield from records(objects(stream, name), False)


def read_exclusive(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file whose ranges of tokens end before their second number.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A graph for each line.

    Example:
        >>> import io
        >>> data = b'{"tokens": ["Jo", "Ann", "left"], "clusters": [[[0, 2]]]}'
        >>> [record] = read_exclusive(io.BytesIO(data), "a.jsonl")
        >>> [record.graph.text[a:b] for a, b in record.graph.nodes[0].anchors]
        ['Jo Ann']
    """
    yield from records(objects(stream, name), True)


def reader_of(graphs: Sequence[Graph]) -> Reader:
    """The reader of what is written of graphs, by their ends.

    Args:
        graphs: documents.
    """
    kept_line = graphs[0].extra.get(LINE) if graphs else None
    exclusive = isinstance(kept_line, dict) and kept_line.get(ENDS) == EXCLUSIVE
    return read_exclusive if exclusive else read


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the framework ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, (COREF,), "a line of clusters", _line)


def _line(graph: Graph, layers: Layers) -> dict[str, Any]:
    before = kept_fields(graph.extra, LINE)
    words = before.get(WORDS)
    untokenized = bool(graph.text) and not graph.tokens
    if words not in WORD_KEYS or (graph.text and (words == TEXT) != untokenized):
        words = TEXT if untokenized else SENTENCES
    fields: dict[str, Any] = {}
    identity = before.get(IDENTITY, ID_KEYS[0])
    rest = kept_fields(before, FIELDS)
    if graph.id and identity in ID_KEYS:
        part = rest.get(PART)
        fields[identity] = (
            graph.id if part is None else graph.id.removesuffix(f"/{part}")
        )
    spans, fields[words] = _words(graph, words, before.get(ENDS) == EXCLUSIVE)
    fields |= {key: value for key, value in rest.items() if key not in fields}
    clusters = before.get(CLUSTERS)
    key = clusters if clusters in CLUSTER_KEYS else CLUSTER_KEYS[-1]
    fields[key] = [
        [spans[mention] for mention in members] for members in members_of(graph)
    ]
    return fields


def _words(graph: Graph, key: str, exclusive: bool) -> tuple[dict[NodeId, Any], Any]:
    """The range of each mention, and the words as they are written.

    Args:
        graph: the document.
        key: what the words are called.
        exclusive: whether ranges end before their second number.
    """
    mentions = nodes_of(graph, MENTION)
    if key == TEXT:
        ranges = {node.id: [*chain(*node.anchors)] for node in mentions}
        return ranges, graph.text
    tokens = TokenSpans(graph)
    spans = {node.id: tokens.of(node) for node in mentions}
    if exclusive:
        spans = {name: (first, last + 1) for name, (first, last) in spans.items()}
    if key != SENTENCES:
        return spans, tokens.forms
    return spans, tokens.sentences()


MENTION_CLUSTERS = "mention_clusters"
"""The key of the clusters of PreCo."""

PRECO = "preco"
"""Key of its graphs' ``extra`` that holds all other fields."""

_PRECO_KEYS = frozenset({"id", SENTENCES, MENTION_CLUSTERS})


class _Mention(Row):
    sentence: int
    first_token: int
    one_past_the_last: int


def read_preco(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of PreCo.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A graph for each line.

    Example:
        >>> import io
        >>> data = (b'{"id": "a", "sentences": [["Jenny", "left"], ["She", "ran"]], '
        ...         b'"mention_clusters": [[[0, 0, 1], [1, 0, 3]]]}')
        >>> [record] = read_preco(io.BytesIO(data), "a.jsonl")
        >>> print(record.problems[0])
        ... # doctest: +NORMALIZE_WHITESPACE
        a.jsonl:1: $.mention_clusters[0][1]: found tokens 0:3 of sentence 1,
        expected a range within the 2 tokens of sentence 1
    """
    for line, fields in objects(stream, name):
        yield line.rejected() if fields is None else _preco(line, fields)


def _preco(line: JsonLine, fields: dict[str, Any]) -> Record:
    line.item = line.identity(fields, "id", "the name of the document")
    words = Words.of(line, f"$.{SENTENCES}", fields.get(SENTENCES))
    # Without words, every range would only repeat the problem.
    value = [] if line.problems else fields.get(MENTION_CLUSTERS)

    def span(where: str, mention: _Mention) -> Span | None:
        """First and last token of a mention, counted over the document."""
        sentence, first, end = msgspec.structs.astuple(mention)
        if not 0 <= sentence < len(words.sizes):
            expected = f"one of {len(words.sizes)}, counted from 0"
            line.add(where, f"sentence {shown(sentence)}", expected)
            return None
        within = f" of sentence {sentence}"
        if not line.within(where, (first, end), words.sizes[sentence], of=within):
            return None
        start = words.starts[sentence]
        return start + first, start + end - 1

    build = read_clusters(
        line,
        f"$.{MENTION_CLUSTERS}",
        value,
        _Mention,
        span,
        lambda ends: words.anchor(ends[0], ends[1] + 1),
    )
    extra = {SENTENCES: words.sizes, **further(fields, _PRECO_KEYS, PRECO)}
    return line.record(words.graph(build, line, COREF, extra), COREF)
