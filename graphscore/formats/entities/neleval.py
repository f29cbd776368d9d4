r"""Linked mentions, one to a line: the annotations of neleval.

Columns are separated by tabs: document, first and last character (both included), and
candidates, each of an entry, a score and a type (Hachey et al. 2014,
https://github.com/wikilinks/neleval)::

    APW_ENG_20100209.1003  573  577  kb_B    1.0  PER
    AFP_ENG_20100120.0809  109  121  NIL001  1.0  ORG

The candidate with the highest score is what a mention is linked to; others are its
properties ``candidate``, best first, each followed by its score and type.  Entries that
begin with ``NIL`` are in no knowledge base, and say which mentions are of one thing.  A
document is a graph of the framework ``ner``, without a text: the format has none.

>>> import io
>>> data = b"d1\t4\t7\tQ2\t0.4\tLOC\tQ1\t0.6\tGPE\nd2\t0\t1\nd1\t9\t9\tNIL1\n"
>>> one, two = read(io.BytesIO(data), "a.tsv")
>>> one.graph.id, [node.label for node in one.graph.nodes], one.graph.nodes[0].anchors
('d1', ['GPE', None], (Anchor(start=4, end=8),))
>>> one.graph.nodes[0].properties  # doctest: +NORMALIZE_WHITESPACE
(('kind', 'mention'), ('authority', 'Q1'), ('confidence', 0.6), ('candidate', 'Q2'),
 ('candidate_score', 0.4), ('candidate_type', 'LOC'))
>>> [bad] = read(io.BytesIO(b"d1\t7\t4\tQ1\n"), "a.tsv")
>>> print(bad.problems[0])
a.tsv:1: found '7', '4', expected first and last character, numbers from 0
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import bounded_lines
from graphscore.formats.writing import check_framework, naming, spell_value
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.authority import (
    AUTHORITY,
    CANDIDATE,
    CANDIDATE_SCORE,
    CANDIDATE_TYPE,
    CONFIDENCE,
)
from graphscore.structures.layout import (
    KIND,
    NER,
    LayoutBuilder,
    first_of,
)

LONGEST_LINE = 1024 * 1024
"""A longer line is no row."""


WRITTEN = frozenset(
    (KIND, AUTHORITY, CONFIDENCE, CANDIDATE, CANDIDATE_SCORE, CANDIDATE_TYPE)
)
"""Properties that have columns of their own."""


class Candidate(NamedTuple):
    """Candidate entity of a mention."""

    entry: str
    score: float | None = None
    type: str | None = None
    more: tuple[tuple[str, Value], ...] = ()
    """Further fields of the candidate."""


def table_rows(
    stream: BinaryIO, name: str
) -> Iterator[tuple[RecordBuilder, list[str]]]:
    """Yield the rows of a table with their cells, but for blank lines.

    A row that is no text has a problem, and its cells as far as they can be read.

    Args:
        stream: the file.
        name: its name.
    """
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        row = RecordBuilder(name, number, raw, framework=NER)
        line = row.text(raw, number, LONGEST_LINE, "a row")
        if line is None:
            line = raw.decode("utf-8", "replace")
        elif not line.strip():
            continue
        yield row, line.rstrip("\r\n \t").split("\t")


class LinkedDocument(RecordBuilder):
    """A document on its way to a graph of linked mentions.

    Args:
        name: the file.
        line: its first line.
        item: what it is called.
    """

    def __init__(self, name: str, line: int, item: str) -> None:
        super().__init__(name, line, framework=NER, item=item)
        self.build = LayoutBuilder()

    def link(
        self,
        candidates: Sequence[Candidate],
        anchors: tuple[Anchor, ...],
        words: str | None = None,
    ) -> None:
        """Add a mention.

        Args:
            candidates: what it may be linked to; the first of the best ones is it.
            anchors: its characters, where they are known.
            words: what it says.
        """
        properties: list[tuple[str, Value]] = []
        ranked = sorted(candidates, key=lambda candidate: -(candidate.score or 0.0))
        best = ranked[0] if ranked else None
        if best is not None:
            properties.append((AUTHORITY, best.entry))
            if best.score is not None:
                properties.append((CONFIDENCE, best.score))
            properties += best.more
        others: list[tuple[str, Value]] = []
        for candidate in ranked[1:]:
            about = (CANDIDATE_SCORE, candidate.score), (CANDIDATE_TYPE, candidate.type)
            others.append((CANDIDATE, candidate.entry))
            others += [pair for pair in about if pair[1] is not None]
        extra = {} if words is None or not anchors else {"text": words}
        self.build.mention(
            best.type if best else None,
            anchors,
            (*properties, *others),
            text=words,
            extra=tuple(extra.items()),
        )

    def records(self) -> Record:
        """The document."""
        return self.record(self.build.graph(self.item, NER, document=self.item))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read linked mentions.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each document, in the order of their first mentions.
    """
    documents: dict[str, LinkedDocument] = {}
    for draft, cells in table_rows(stream, name):
        # A document that can be made out is not given without a bad line.
        if not cells[0] or "\ufffd" in cells[0]:
            if not draft.problems:
                draft.add("", "an empty first column", "a document")
            yield draft.rejected()
            continue
        document = documents.get(cells[0])
        if document is None:
            document = LinkedDocument(name, draft.line, cells[0])
            documents[cells[0]] = document
        document.absorb(draft)
        if not draft.problems:
            _take(document, cells, draft.line)
    for document in documents.values():
        yield document.records()


def _take(document: LinkedDocument, cells: list[str], line: int) -> None:
    offsets = [number for number in map(whole_number, cells[1:3]) if number is not None]
    if len(cells) < 3:
        expected = "a document, first and last character, and candidates"
        document.add("", amount(len(cells), "column"), expected, line=line)
    elif len(offsets) < 2 or offsets[0] > offsets[1]:
        expected = "first and last character, numbers from 0"
        document.add("", ", ".join(map(shown, cells[1:3])), expected, line=line)
    else:
        candidates = list(_candidates(document, cells[3:], line))
        document.link(candidates, (Anchor(offsets[0], offsets[1] + 1),))


def _candidates(
    document: LinkedDocument, cells: list[str], line: int
) -> Iterator[Candidate]:
    if len(cells) > 2 and len(cells) % 3 == 2:
        # The last type is empty, and tabs at the end of a line say nothing.
        cells = [*cells, ""]
    if len(cells) > 2 and len(cells) % 3:
        expected = "an entry, a score and a type for each of several candidates"
        document.add("", amount(len(cells) + 3, "column"), expected, line=line)
        return
    for start in range(0, len(cells), 3):
        entry, *rest = cells[start : start + 3]
        score = number_of(rest[0]) if rest and rest[0] else None
        if score is None and rest and rest[0]:
            document.add("", shown(rest[0]), "a score", line=line)
        label = rest[1] if len(rest) > 1 and rest[1] else None
        more: tuple[tuple[str, Value], ...] = ()
        if label is not None and label.startswith("{"):
            label, more = _fields(document, label, line)
        yield Candidate(entry, score, label, more)


def number_of(written: str) -> float | None:
    """A number as files write it; ``None`` where it is none.

    >>> number_of("1.0"), number_of("nan"), number_of("x")
    (1.0, None, None)
    """
    try:
        value = float(written)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _fields(
    document: LinkedDocument, written: str, line: int
) -> tuple[str | None, tuple[tuple[str, Value], ...]]:
    """A type with more fields, as JSON."""
    try:
        fields = json.loads(written)
    except (ValueError, RecursionError):
        document.add("", shown(written), "a type, or a JSON object", line=line)
        return None, ()
    plain = {
        name: value
        for name, value in fields.items()
        if value is None or isinstance(value, str | int | float | bool)
    }
    label = plain.pop("type", None)
    return None if label is None else str(label), tuple(plain.items())


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write mentions with what they are linked to.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Documents, of which those without mentions leave no line.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
        >>> said = ("kind", "mention"), ("authority", "Q1")
        >>> graph = Graph("d1", "ner", nodes=(Node(0, "LOC", said, (Anchor(4, 8),)),))
        >>> b"".join(write([graph]))
        b'd1\t4\t7\tQ1\t1.0\tLOC\n'
    """
    for graph in graphs:
        check_framework(graph, (NER,), "neleval")
        with naming(graph):
            lines = [_line(graph.id, node) for node in graph.nodes]
        yield "".join(lines).encode()


def _line(item: str, node: Node) -> str:
    ends = ["", ""]
    if node.anchors:
        ends = [str(node.anchors[0].start), str(node.anchors[-1].end - 1)]
    entries = [str(value) for name, value in node.properties if name == AUTHORITY]
    more = {name: value for name, value in node.properties if name not in WRITTEN}
    score = _score(first_of(node.properties, CONFIDENCE))
    label: str | None = None if node.label is None else str(node.label)
    if more:
        label = json.dumps(more if label is None else {"type": label, **more})
    candidates = list(_others(node))
    cells = [item, *ends, *entries]
    if label is not None:
        # The best of several may stand without a score; one alone is sure.
        sure = "" if candidates else "1.0"
        cells += [score or sure, label]
    elif score:
        cells.append(score)
    if candidates and label is None:
        # Each has three columns, so the first cannot have two.
        cells.append("")
    for candidate in candidates:
        cells += candidate
    return "\t".join(cells) + "\n"


def _score(value: Value) -> str:
    """A score as a number with a point, as the format has it, or nothing."""
    try:
        return str(float(value)) if isinstance(value, int) else spell_value(value)
    except OverflowError:
        return "inf"  # which no reader takes for a number


def _others(node: Node) -> Iterator[list[str]]:
    """Yield entry, score and type of candidates to which a mention is not linked."""
    entry: str | None = None
    about: dict[str, Value] = {}
    for name, value in (*node.properties, (CANDIDATE, None)):
        if name == CANDIDATE:
            if entry is not None:
                score = _score(about.get(CANDIDATE_SCORE))
                yield [entry, score, spell_value(about.get(CANDIDATE_TYPE))]
            entry, about = None if value is None else str(value), {}
        elif name in (CANDIDATE_SCORE, CANDIDATE_TYPE):
            about[name] = value
