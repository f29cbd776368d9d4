r"""UMR: graphs of sentences, and what is annotated across them.

A sentence has lines about it, its words, a graph in PENMAN notation, an alignment of
its variables with words (from 1; ``0-0`` is none), and triples over variables of any
sentence and a few constants::

    # :: snt1
    Index: 1    2
    Words: Dogs bark

    # sentence level graph:
    (s1b / bark-01 :ARG0 (s1d / dog) :aspect habitual)

    # alignment:
    s1b: 2-2
    s1d: 1-1

    # document level annotation:
    (s1s0 / sentence :modal ((root :modal author) (author :full-affirmative s1b)))

Every sentence is a graph ``umr``, laid out as AMR is, whose nodes are anchored in the
words that they are aligned with.  All sentences together, with the triples, are one
graph ``umrdoc`` (:mod:`graphscore.structures.documents`): its nodes are the constants,
then for each sentence one node ``sentence`` and those of its graph, which say their
``variable``; triples are edges with the attributes ``level`` and ``sentence``.  Its
tops are those of the sentences.

>>> import io
>>> text = '''# :: snt1 Dogs bark
...
... # sentence level graph:
... (s1b / bark-01 :ARG0 (s1d / dog))
...
... # alignment:
... s1b: 2-2
...
... # document level annotation:
... (s1s0 / sentence :modal ((author :full-affirmative s1b)))'''
>>> sentence, document = (r.graph for r in read(io.BytesIO(text.encode()), "a.umr"))
>>> sentence.nodes[0].label, sentence.nodes[0].anchors
('bark-01', (Anchor(start=5, end=9),))
>>> [(node.id, node.label) for node in document.nodes]
... # doctest: +NORMALIZE_WHITESPACE
[('author', 'author'), ('s1s0', 'sentence'), ('s1b', 'bark-01'), ('s1d', 'dog')]
>>> document.edges[1].label, document.edges[1].attributes
('full-affirmative', (('level', 'modal'), ('sentence', 1)))

Van Gysel et al. 2021, "Designing a Uniform Meaning Representation for Natural Language
Processing".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.exceptions import Problem
from graphscore.formats.base import Record
from graphscore.formats.meaning.amr import read_tree
from graphscore.formats.meaning.umr.document import Annotation, Document, triples
from graphscore.formats.raw_text import Mismatch, anchor_tokens
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import bounded_lines
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.numbers import whole_number

ALIGNED = "aligned"
"""Key of a node for its line of the alignment."""

HEADER, NUMBER, UNALIGNED = "header", "snt", "alignment"
"""Keys of a graph.

Lines about the sentence, the number that it gives itself, and lines of the alignment
that are of no node.
"""

_SPAN = re.compile(r"(\d+)\s*-\s*(\d+)")
_TIME = re.compile(rb"(?<=[ \t])(\d{1,2}(?::\d\d){1,2})(?=[\s)])")
_INDEX = re.compile(r"\d+")


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file: its sentences, and each document after its own."""
    document: Document | None = None
    for block in blocks(stream, name):
        if not (block.number or block.graph or block.problems):
            continue  # nothing but comments
        if block.begins is not None and document is not None:
            yield from document.records()
            document = None
        if document is None:
            document = Document(name, block.line, block.begins or "")
        graph, annotation = _sentence(block)
        # A sentence that cannot be read keeps its place.
        document.add(graph or Graph("", "umr", 2), annotation)
        document.left_out += block.problems
        for line, seen, expected in annotation.wrong:
            where = "document level annotation"
            document.left_out.append(Problem(name, line, None, where, seen, expected))
        yield block.record(graph)
    if document is not None:
        yield from document.records()


def _sentence(block: Block) -> tuple[Graph | None, Annotation]:
    """The graph of a sentence, none if there are problems, and its annotation."""
    annotation = triples(block.annotation)
    tree: Graph | None = Graph("", "umr", 2)
    if block.graph:
        tree, wrong = read_tree(block.name, block.graph)
        if wrong and any(_TIME.search(raw) for _, raw in block.graph):
            # A time of the day, which has a colon, stands without quotation marks.
            lines = [(n, _TIME.sub(rb'"\1"', raw)) for n, raw in block.graph]
            tree, wrong = read_tree(block.name, lines)
        block.problems += wrong
    if tree is None or block.problems:
        return None, annotation
    text, tokens = _words(block)
    spans, rest = _alignment(block, {str(node.id) for node in tree.nodes})
    extra: dict[str, Any] = dict(tree.extra)
    if block.number:
        extra[NUMBER] = block.number
    if block.header:
        extra[HEADER] = block.header
    if rest:
        extra[UNALIGNED] = rest
    return (
        Graph(
            "",
            "umr",
            1 if tokens else 2,
            document=block.begins or "",
            text=text,
            tokens=tokens,
            nodes=tuple(_anchor_node(node, spans, tokens) for node in tree.nodes),
            edges=tree.edges,
            tops=tree.tops,
            extra=extra,
        ),
        annotation,
    )


def _words(block: Block) -> tuple[str, tuple[Anchor, ...]]:
    """The sentence, and its words in it."""
    line = block.words.strip().removeprefix("Words:")
    forms = line.split()
    starts = [match.start() for match in _INDEX.finditer(block.index)]
    if starts and len(starts) != len(forms):
        # A word with a blank in it: then the columns tell.
        ends = [*starts[1:], len(block.words)]
        columns = (block.words[a:b].strip() for a, b in zip(starts, ends, strict=True))
        cut = [" ".join(column.split()) for column in columns]
        forms = cut if all(cut) else forms
    if not block.sentence:
        return join_tokens(forms) if forms else ("", ())
    words = anchor_tokens(forms or block.sentence.split(), block.sentence)
    return block.sentence, () if isinstance(words, Mismatch) else words


def _alignment(block: Block, known: set[str]) -> tuple[dict[str, str], list[str]]:
    """Return the alignment of each variable, and the lines of none."""
    spans: dict[str, str] = {}
    rest = []
    for _, line in block.alignment:
        variable, colon, alignment = line.partition(":")
        variable = variable.strip()
        if colon and variable in known and variable not in spans:
            spans[variable] = alignment.strip()
        else:
            rest.append(line)
    return spans, rest


def _anchor_node(node: Node, spans: dict[str, str], tokens: tuple[Anchor, ...]) -> Node:
    """A node with the words that it is aligned with."""
    alignment = spans.get(str(node.id))
    if alignment is None:
        return node
    anchors = []
    for match in _SPAN.finditer(alignment.partition("#")[0]):
        first, last = whole_number(match[1]), whole_number(match[2])
        if first and last and first <= last <= len(tokens):
            anchors.append(Anchor(tokens[first - 1].start, tokens[last - 1].end))
    extra = (*node.extra, (ALIGNED, alignment))
    return Node(node.id, node.label, node.properties, tuple(anchors), extra)


LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no annotation; it is refused without holding it in memory."""

_PART = re.compile(
    r"#\s*(?:(sentence[ -]level graph)|(alignments?)|(document[ -]level annotation))\b"
    r"\s*:?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"#\s*::\s*snt\s?(\d+)\b[ \t]*(.*)", re.DOTALL)
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")
_BEGINS = re.compile(r"####|#\s*(?:::\s*snt\s?\d|sent_id\b|meta-info\b|newdoc\b)")

ABOUT, GRAPH, ALIGNMENT, ANNOTATION = range(4)
"""The parts of a sentence."""

Lines = list[tuple[int, str]]
"""Lines without the blanks around them, with their numbers."""


class Block(RecordBuilder):
    """One sentence, as it stands in the file.

    Args:
        name: the file.
        line: the number of its first line.
    """

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line, framework="umr")
        self.part = ABOUT
        self.header: list[str] = []
        """Lines about it that are none of the following, as they stand."""
        self.number = ""
        """The number that it says it has."""
        self.sentence = ""
        """Text after the number."""
        self.begins: str | None = None
        """The document that begins with it, if one does."""
        self.index = self.words = ""
        """The two lines of its words, under one another."""
        self.graph: list[tuple[int, bytes]] = []
        self.alignment: Lines = []
        self.annotation: Lines = []

    @property
    def has_content(self) -> bool:
        """The sentence has content besides separators."""
        return bool(
            self.part or self.header or self.number or self.words or self.problems
        )

    def take(self, number: int, raw: bytes) -> None:
        """One more line of it."""
        self.raw.append(raw)
        if self.part == GRAPH and not raw.lstrip().startswith(b"#"):
            if self.graph or raw.strip():
                self.graph.append((number, raw))
            return
        text = self.text(raw, number, LONGEST_LINE, "a line of a sentence")
        bare = (text or "").strip()
        if not bare:
            return
        part = _PART.match(bare)
        if part and part.lastindex:
            self.part = part.lastindex
            rest = bare[part.end() :].strip()
            if rest and self.part != GRAPH:
                self._lines().append((number, rest))
        elif self.part == ABOUT:
            self._about(bare, (text or "").rstrip("\r\n"), number, raw)
        elif self.part == GRAPH:
            self.graph.append((number, raw))
        else:
            self._lines().append((number, bare))

    def _lines(self) -> Lines:
        return self.alignment if self.part == ALIGNMENT else self.annotation

    def _about(self, bare: str, text: str, number: int, raw: bytes) -> None:
        """A line about the sentence; one with a bracket begins its graph."""
        if bare.startswith("(") and self.number:
            self.part = GRAPH
            self.graph.append((number, raw))
        elif match := _SENTENCE.match(bare):
            self.number, self.sentence = match[1], match[2].strip()
        elif match := _DOCUMENT.match(bare):
            self.begins = (match[1] or "").strip()
        elif bare.startswith("Index:") and not self.index:
            self.index = text
        elif bare.startswith("Words:") and not self.words:
            self.words = text
        elif bare.strip("#"):
            self.header.append(text)

    def ends_before(self, bare: bytes) -> bool:
        """Return whether a line is of the next sentence.

        Args:
            bare: the line, without blanks around it.
        """
        if not bare.startswith(b"#") or not self.has_content:
            return False
        text = bare.decode("utf-8", "replace")
        part = _PART.match(text)
        if part and part.lastindex:
            return part.lastindex == GRAPH and self.part >= GRAPH
        if not _BEGINS.match(text):
            return False
        return self.part > ABOUT or bool(self.number and _SENTENCE.match(text))


def blocks(stream: BinaryIO, name: str) -> Iterator[Block]:
    """The sentences of a file.

    Args:
        stream: its bytes.
        name: its name, for problems.
    """
    block: Block | None = None
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        bare = raw.strip()
        if block is not None and block.ends_before(bare):
            yield block
            block = None
        if block is None:
            if not bare:
                continue
            block = Block(name, number)
        block.take(number, raw)
    if block is not None and block.has_content:
        yield block
