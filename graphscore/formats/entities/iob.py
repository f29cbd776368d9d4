r"""Column files with a tag for each token: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU.

A token to a line, blank lines between sentences; the first column is the token, the
last the tag (Tjong Kim Sang and De Meulder 2003; Ramshaw and Marcus 1995)::

    -DOCSTART- -X- -X- O

    U.N.     NNP I-NP I-ORG
    official NN  I-NP O

What the columns are is found out from the first sentences
(:mod:`graphscore.formats.entities.tag_table`): there may be an index before the
token, several columns of tags behind it, letters behind types, or types without
letters.

A sentence is a graph of the framework ``ner``, or one for each column of tags, which
has its name as ``layer``; entities are read leniently and keep
the letters of their tags (:mod:`graphscore.structures.entities.tags`), so that being
strict is up to the metric.  The scheme is found out from the first sentences and
noted in ``extra``.

>>> import io
>>> data = b"EU\tB-ORG\nrejects\tO\n\nPeter\tB-PER\nBlackburn\tI-PER\n"
>>> one, two = read(io.BytesIO(data), "a.iob2")
>>> one.graph.text, two.graph.nodes[0].anchors
('EU rejects', (Anchor(start=0, end=15),))
>>> two.graph.extra
{'scheme': 'iob2'}
>>> [bad] = read(io.BytesIO(b"EU\tORG\n"), "a.iob2")
>>> print(bad.problems[0])
a.iob2:1:4: found 'ORG', expected a tag: O, or B, I, E, L, S, U with a type (B-PER)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

from graphscore.formats.base import Reader, ReadGraph, Record
from graphscore.formats.entities.tag_sentences import (
    BEFORE_LAST,
    COLUMNS,
    COMMENTS,
    INDEX,
    LAST,
    OPENING,
    PLAIN,
    PREDICTED,
    SCHEME,
    SEPARATOR,
    SPELLING,
    EvenSentences,
    Sentence,
    sentences_of,
)
from graphscore.formats.entities.tag_table import (
    Table,
    table_of,
    tag_letters,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph
from graphscore.structures.entities.tags import (
    SPELLINGS,
    USUAL,
    Detection,
    Spelling,
)
from graphscore.structures.layout import NER

WINDOW = 2000
"""Number of sentences inspected to detect the scheme."""

_Unit = tuple[EvenSentences | Sentence, str]
"""Sentences, and the document that they belong to."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last column has the tags.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    return _detected(stream, name, LAST)


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last two columns are gold and predicted tags: the gold ones.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    return _detected(stream, name, BEFORE_LAST)


def _detected(stream: BinaryIO, name: str, tag: int) -> Iterator[Record]:
    """The records, after columns and scheme were found out from the first of them.

    Sentences of nothing but ``O`` say nothing of how tags are written: the next ones
    are looked at then.
    """
    reader = _Reader(name, tag)
    sentences = sentences_of(stream, name, tag)
    held: list[_Unit] = []
    while (reader.table is None or not reader.table.tagged) and (
        window := _window(sentences, held)
    ):
        stretches = chain.from_iterable(unit.stretches for unit, _ in window)
        table = table_of(stretches, tag)
        if reader.table is not None:
            before = reader.table
            table = table._replace(indexed=before.indexed, layers=before.layers)
        reader.table, reader.scheme = table, None
        seen = Detection()
        records = [
            record
            for unit, document in window
            for record in reader.records(unit, document, seen)
        ]
        reader.scheme = None if table.plain else seen.scheme
        for record in records:
            if isinstance(record, ReadGraph) and reader.scheme is not None:
                record.graph.extra[SCHEME] = reader.scheme
            yield record
    for unit, document in chain(held, sentences):
        yield from reader.records(unit, document)


def _window(sentences: Iterator[_Unit], held: list[_Unit]) -> list[_Unit]:
    """The next sentences that are inspected.

    Args:
        sentences: all that come.
        held: those that come before, at most one unit; gets what is left of the last.
    """
    window: list[_Unit] = []
    left = WINDOW
    while left and (following := held.pop() if held else next(sentences, None)):
        unit, document = following
        size = 1
        if isinstance(unit, EvenSentences):
            if len(unit) > left:
                held.append((unit.part(left, len(unit)), document))
                unit = unit.part(0, left)
            size = len(unit)
        left -= size
        window.append((unit, document))
    return window


class _Reader:
    """What makes records of sentences, once the columns are known.

    Args:
        name: the file.
        tag: which column has the tag.

    Attributes:
        table: what the columns are.
        scheme: the scheme of the tags.
    """

    def __init__(self, name: str, tag: int) -> None:
        self._name, self._tag = name, tag
        self.table: Table | None = None
        self.scheme: str | None = None
        self._alone: Sentence | None = None
        """Comments that stand alone, which go to the next sentence."""

    def records(
        self,
        unit: EvenSentences | Sentence,
        document: str,
        seen: Detection | None = None,
    ) -> list[Record]:
        """Return the records of the next sentences, one for each column of tags.

        Args:
            unit: the sentences.
            document: the document that they belong to, empty where none is said.
            seen: is told of their entities.
        """
        table = self.table or Table()
        records: Sequence[ReadGraph] | None = None
        problems: Sequence[Record] = ()
        if isinstance(unit, EvenSentences):
            if self._alone is None:
                records = unit.records(document, table, self._tag, seen=seen)
            if records is None and len(unit) > 1:
                middle = len(unit) // 2
                halves = unit.part(0, middle), unit.part(middle, len(unit))
                every = [self.records(half, document, seen) for half in halves]
                return [*chain.from_iterable(every)]
            if records is None:
                unit = unit.closer(self._name, self._tag)
        if isinstance(unit, Sentence):
            unit.uncomment(table, self._alone)
            self._alone = None if unit else unit
            records = unit.records(document, table, seen) if unit else ()
            problems = unit.rejections(table)
        if self.scheme is not None:
            for record in records or ():
                record.graph.extra[SCHEME] = self.scheme
        return [*(records or ()), *problems]


def reader_of(graphs: Sequence[Graph]) -> Reader:
    """The reader of what is written of graphs, by the columns of tags they have.

    Args:
        graphs: sentences.
    """
    for graph in graphs:
        # As it is written: of other formats the field may be anything.
        predicted = kept_as(graph.extra, PREDICTED, list[str], [])
        if predicted and len(predicted) == len(graph.tokens):
            return read_gold
    return read


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    spelling: Spelling | None = None
    for table in _beside(graphs):
        if spelling is None:
            spelling = _spelling(table[0])
        with naming(table[0]):
            lines = _lines(table, spelling)
        yield lines.encode()


def _spelling(graph: Graph) -> Spelling:
    """Return the tag scheme of the file that a graph comes from."""
    kept = graph.extra.get(SPELLING)
    return next((x for x in SPELLINGS if x.written("B", "PER") == kept), USUAL)


def _beside(graphs: Iterable[Graph]) -> Iterator[list[Graph]]:
    """The graphs of each sentence: the layers of one stand side by side."""
    held: list[Graph] = []
    for graph in graphs:
        check_framework(graph, (NER,), "a file of tags")
        if held and not (_same_lines(held[0], graph) and graph.layer):
            yield held
            held = []
        if graph.layer in [each.layer for each in held]:
            yield held
            held = []
        held.append(graph)
    if held:
        yield held


def _same_lines(one: Graph, two: Graph) -> bool:
    return bool(one.layer) and (
        (one.id, one.language, one.text, one.tokens)
        == (two.id, two.language, two.text, two.tokens)
    )


def _lines(layers: Sequence[Graph], spelling: Spelling) -> str:
    graph = layers[0]
    extra = graph.extra
    separator = " " if extra.get(SEPARATOR) == " " else "\t"
    columns = [_tagged(layer, spelling) for layer in layers]
    forms = columns[0][0]
    index = _index(extra.get(INDEX), len(forms))
    between = _rows(kept_as(extra, COLUMNS, list[list[str]], []), forms)
    answers = kept_as(extra, PREDICTED, list[str], [])
    predicted = _rows([[answer] for answer in answers], forms)
    lines: list[str] = []
    if opening := kept_as(extra, OPENING, list[str], []):
        lines += [separator.join(opening), ""]
    lines += kept_as(extra, COMMENTS, list[str], [])
    for place, form in enumerate(forms):
        tags = [column[place] for _, column in columns]
        cells = [*index[place], form, *between[place], *tags, *predicted[place]]
        lines.append(separator.join(cells))
    return "\n".join([*lines, "", ""])


def _index(kept: Any, size: int) -> list[list[str]]:
    """The cells in front of the tokens, where they are counted."""
    if type(kept) is int:
        return [[str(kept + index)] for index in range(size)]
    if isinstance(kept, list) and len(kept) == size:
        return [[str(cell)] for cell in kept]
    return [[] for _ in range(size)]


def _rows(kept: Any, forms: list[str]) -> list[list[str]]:
    """Return the further columns of each token, where there are some for all."""
    if isinstance(kept, list) and len(kept) == len(forms):
        return [[str(cell) for cell in row] for row in kept]
    return [[] for _ in forms]


def _tagged(graph: Graph, spelling: Spelling) -> tuple[list[str], list[str]]:
    """Tokens, and their tags."""
    spans = TokenSpans(graph)
    tags = ["O"] * len(spans)
    plain = graph.extra.get(SCHEME) == PLAIN
    for node in graph.nodes:
        first, last = spans.of(node)
        label = node.label
        for index, letter in enumerate(tag_letters(node, last - first + 1), first):
            if plain:
                tags[index] = "" if label is None else str(label)
            else:
                kind = None if label is None else str(label)
                tags[index] = spelling.written(letter, kind)
    return spans.forms, tags
