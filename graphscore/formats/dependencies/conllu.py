r"""CoNLL-U: dependency trees and enhanced dependency graphs, ten columns a word.

Sentences are blocks of lines between blank ones: comments, then a line of ten
tab-separated columns for each word, multiword token (``3-4``) and empty node (``3.1``);
https://universaldependencies.org/format.html.  A sentence gives one graph for each
layer that it has: ``ud`` for HEAD and DEPREL, ``eud`` for DEPS. Coreference as in
CorefUD gives a graph of the framework ``coref`` for each document
(:mod:`graphscore.formats.dependencies.corefud`), after the graphs of its sentences.
:mod:`graphscore.formats.dependencies.conllu_write` writes graphs back;
:mod:`graphscore.formats.shared.conllu_columns` says where words stand in the text.
What becomes of the columns:

========  ==================================================================
ID        the node's id: ``1``, ``"3-4"`` (multiword token), ``"3.1"`` (empty)
FORM      the node's label, and, found in the text, its anchor
LEMMA...  the properties ``lemma``, ``upos``, ``xpos``, and one for each feature
HEAD      in ``ud``, an edge from the head; a word with HEAD 0 is a top
DEPREL    the label of that edge
DEPS      in ``eud``, an edge for each head; a word with head 0 is a top
MISC      kept in the node's ``extra`` as it stands
========  ==================================================================

An underscore is an absent value, except as a word's FORM.  A multiword token is
a node before its words, marked by the property ``multiword``, how many words it
has; an empty node is marked by the property ``empty`` and is in ``eud`` only.
A relation that no edge can carry is the property ``deprel``: that of a root,
unless it is ``root``, and that of a word without head.

The words of a multiword token have its characters; where their forms joined are
the token's form (*do* + *n't*), each has its own.

The comments are in ``extra["comments"]``, in order.  One that says what the graph
says anyway (``sent_id``, ``text``) is only named there.

Readers keep what the file says: cycles, several roots and words without a head
are the business of validation.  A blank line too few at the end or too many in
between loses nothing, so neither is an error; one too few in between is none either
where ``# sent_id`` and a first word follow.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n")
>>> [record] = read(io.BytesIO(block), "a.conllu")
>>> record.graph.text, record.graph.edges[0].label, record.graph.tops
('Dogs bark', 'nsubj', (2,))
>>> [record] = read(io.BytesIO(block.replace(b"2\tnsubj", b"7\tnsubj")), "a")
>>> print(record.problems[0])
a:1:31: HEAD: found '7', expected 0 or the id of a word
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from typing import Any, BinaryIO

from graphscore.exceptions import amount
from graphscore.formats.base import Reader as FormatReader
from graphscore.formats.base import ReadGraph, Record, Takes
from graphscore.formats.dependencies.corefud import (
    GLOBAL,
    Coreference,
)
from graphscore.formats.shared.columns import (
    Lines,
    blocks,
    named_words,
    without_tail,
)
from graphscore.formats.shared.conllu_columns import (
    COLUMNS,
    NEW_DOCUMENT,
    Words,
    comment_parts,
)
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value

MULTIWORD, EMPTY, DEPREL = "multiword", "empty", "deprel"
"""Properties that are no columns of their own."""

RESERVED = frozenset({"lemma", "upos", "xpos", MULTIWORD, EMPTY, DEPREL})
"""Names that no feature can have beside them."""

STATED = ("sent_id", "text")
"""Comments that say what the graph says in fields of its own."""


NO_TREE = "no word has a head, and so there is no basic tree"
"""Note on a sentence without heads."""

_FEATS, _HEAD, _DEPREL, _DEPS, _MISC = range(5, 10)

_NO_HEADS = frozenset({"0", "_"})
"""Values of HEAD that name no word."""

Build = Callable[[], tuple[list[Node], list[Edge], list[NodeId]]]
"""Makes the nodes, edges and tops of a layer, in which nothing is wrong."""


REMEMBERED = 1 << 16
"""Distinct readings of columns that are remembered, of all files."""


@lru_cache(maxsize=REMEMBERED)
def _extra_of(misc: str) -> tuple[tuple[str, Any], ...]:
    """Return the fields of MISC that a node keeps."""
    return () if misc == "_" else (("misc", misc),)


class Reader:
    """Reads the sentences of one file; remembers its document.

    Args:
        name: the file's name, for problems.
        entity_fields: what an earlier document says of coreference.
        takes: the layers that are looked at; of others graphs have nothing but names.
    """

    def __init__(self, name: str, entity_fields: str = "", takes: Takes = bool) -> None:
        self.name, self.takes = name, takes
        self.document = ""
        self._entity_fields = entity_fields
        self._coreference: Coreference | None = None

    def sentence(self, line: int, raw: Lines) -> Iterator[Record]:
        """The records of one sentence.

        Args:
            line: the number of its first line.
            raw: its lines.

        Yields:
            A graph for each layer.  What is wrong with one layer only costs that
            layer; what is wrong with the words costs both.
        """
        sentence = _Sentence(self, line, raw)
        yield from self._enter(sentence)
        yield from sentence.records()
        if self._coreference is None:
            return
        if not sentence.readable:
            self._coreference.lost(line, sentence.whole())
            return
        self._coreference.take(
            sentence.rows,
            [line + number for number in sentence.row_lines],
            sentence.anchors,
            sentence.multiword,
            sentence.stated or "",
            sentence.whole(),
        )

    @property
    def with_coreference(self) -> bool:
        """True if the file has declared coreference."""
        return bool(self._entity_fields)

    def end(self) -> Iterator[Record]:
        """The coreference of the document that ends here, if there is any."""
        if self._coreference is not None:
            yield self._coreference.read()
        self._coreference = None

    def _enter(self, sentence: _Sentence) -> Iterator[Record]:
        """Read the comments of a sentence; a document may end before it."""
        sentence.read_comments()
        if sentence.document is not None:
            self.document = sentence.document
            yield from self.end()
        self._entity_fields = sentence.values.get(GLOBAL, self._entity_fields)
        if self._coreference is None and self.with_coreference:
            self._coreference = Coreference(
                self.name, self._entity_fields, self.document, sentence.line
            )


@lru_cache(maxsize=REMEMBERED)
def _features(feats: str) -> Pairs | None:
    """Return the pairs of FEATS; ``None`` if a feature's name is none."""
    features: list[tuple[str, str | None]] = []
    for feature in [] if feats == "_" else feats.split("|"):
        name, equals, value = feature.partition("=")
        if name in RESERVED or not name:
            return None
        features.append((name, value if equals else None))
    return tuple(features)


@lru_cache(maxsize=REMEMBERED)
def _properties(lemma: str, upos: str, xpos: str, feats: str) -> Pairs:
    """Properties of four columns, whose features have names."""
    columns = (("lemma", lemma), ("upos", upos), ("xpos", xpos))
    features = _features(feats) or ()
    return (*(pair for pair in columns if pair[1] != "_"), *features)


@lru_cache(maxsize=REMEMBERED)
def _marked(name: str, value: Value, properties: Pairs) -> Pairs:
    """Properties behind one that says what a node is."""
    return ((name, value), *properties)


@lru_cache(maxsize=REMEMBERED)
def _dependencies(deps: str) -> tuple[tuple[str, str], ...]:
    """Heads and relations of DEPS; of a pair that lacks one of them, neither."""
    dependencies = []
    for pair in [] if deps == "_" else deps.split("|"):
        head, _, relation = pair.partition(":")
        dependencies.append((head, relation) if head and relation else ("", ""))
    return tuple(dependencies)


@lru_cache(maxsize=REMEMBERED)
def _heads(deps: str) -> frozenset[str]:
    """The heads that DEPS names; empty ones of pairs that are none."""
    return frozenset([head for head, _ in _dependencies(deps)]) - {"0"}


class _Sentence(Words):
    """The state of reading one sentence, and everything that is wrong with it."""

    def __init__(self, reader: Reader, line: int, raw: Lines) -> None:
        super().__init__(reader.name, line, raw)
        self.reader = reader
        self.readable = False
        """True if the words have no problem."""
        self.anchors: list[tuple[Anchor, ...]] = []

    def records(self) -> Iterator[Record]:
        """Read what follows the comments, then give what is whole."""
        if not self.problems:
            self.read_rows()
        self.anchors = [] if self.problems else self._word_anchors()
        if not self.problems:
            self._check_features()
        self.readable = not self.problems
        if not self.readable:
            yield self._rejected("")
            return
        rows = self.rows
        if self.multiword:
            rows = [row for k, row in enumerate(rows) if k not in self.multiword]
        self._check_heads()
        # Without heads there are still words, which have tags and ends.
        if not any(row[_HEAD] != "_" and "." not in row[0] for row in rows):
            self.cell(self.row_lines[0], _HEAD, "'_' of all words", "heads")
            self.pass_over(NO_TREE, absent=True)
        yield self._layer("ud", self._tree)
        if len(self.ids) > self.words or any(row[_DEPS] != "_" for row in rows):
            self.problems = []
            self._check_dependencies()
            yield self._layer("eud", self._graph)

    def _word_anchors(self) -> list[tuple[Anchor, ...]]:
        """Return the anchors of the words; a comment with another text is kept."""
        text = self.stated
        anchors = self.word_anchors()
        if self.contradicted and "text" in self.comments:
            self.comments[self.comments.index("text")] = f"# text = {text}"
        return anchors

    def _rejected(self, framework: str) -> Record:
        self.problems.sort(key=lambda problem: problem.line or 0)
        return self.rejected(framework)

    def _layer(self, framework: str, build: Build) -> Record:
        if self.problems:
            return self._rejected(framework)
        takes = self.reader.takes(framework)
        nodes, edges, tops = build() if takes else ([], [], [])
        graph = Graph(
            self.item,
            framework,
            0,
            "",
            self.reader.document,
            self.stated or "",
            (),
            tuple(nodes),
            tuple(edges),
            tuple(tops),
            {"comments": self.comments},
        )
        notes, self.notes = self.notes, []
        return ReadGraph(self.line, graph, (), tuple(notes))

    def read_comments(self) -> None:
        """Take what comments say; those that the graph says anyway are only named."""
        super().read_comments()
        for key in STATED:
            whole = f"# {key} = {self.values.get(key)}"
            if whole in self.comments:
                self.comments[self.comments.index(whole)] = key

    def whole_rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield lines by their number, with ten columns."""
        for number in range(len(self.comments), len(self.lines)):
            line = self.lines[number]
            row = line.split("\t")
            if len(row) > 10:
                row = without_tail(row, 10)
            if len(row) == 10 and "" not in row:
                yield number, row
            else:
                self.words += self._misshapen(number, line, row)

    def _misshapen(self, number: int, line: str, row: list[str]) -> int:
        """Say what is wrong with a line's shape; 1 if it seems to be a word."""
        if line.startswith("#"):
            found, expected = "a comment between words", "comments before the words"
            self.at(number, None, "", found, expected)
            return 0
        if len(row) == 10:
            for column, value in enumerate(row):
                if not value:
                    found, expected = "nothing", "a value, or _ for none"
                    self.cell(number, column, found, expected)
        else:
            found = amount(len(row), "column")
            if len(row) == 1 and len(line.split()) >= 10:
                found = f"{amount(len(line.split()), 'column')} with blanks between"
            self.at(number, None, "", found, "ten columns with tabs between")
        return int(
            line.split(None, 1)[:1] == [row[0].split(" ")[0]]
            and (row[0].split(" ")[0].isdecimal())
        )

    def _check_features(self) -> None:
        """Note features without names that they can have."""
        if None not in map(_features, {row[_FEATS] for row in self.rows}):
            return
        reserved = ", ".join(sorted(RESERVED))
        expected = f"features with names, which are not {reserved}"
        for line, row in zip(self.row_lines, self.rows, strict=True):
            if _features(row[_FEATS]) is None:
                self.cell(line, _FEATS, repr(row[_FEATS]), expected)

    def _check_heads(self) -> None:
        """Note heads of words that are no words."""
        get = self.ids.get
        heads = {row[_HEAD] for row in self.rows} - _NO_HEADS
        wrong = {head for head in heads if get(head).__class__ is not int}
        for line, row in zip(self.row_lines, self.rows, strict=True) if wrong else ():
            if row[_HEAD] in wrong and get(row[0]).__class__ is int:
                self.cell(line, _HEAD, repr(row[_HEAD]), "0 or the id of a word")

    def _check_dependencies(self) -> None:
        """Note pairs of DEPS that are none, and heads that are no words."""
        heads = frozenset[str]().union(*map(_heads, {row[_DEPS] for row in self.rows}))
        wrong = heads - self.ids.keys()
        for number, row in enumerate(self.rows) if wrong else ():
            deps = row[_DEPS]
            if number in self.multiword or wrong.isdisjoint(_heads(deps)):
                continue
            line = self.row_lines[number]
            if "" in _heads(deps):
                expected = "pairs of head and relation, as 4:nsubj"
                self.cell(line, _DEPS, repr(deps), expected)
                continue
            expected = "0 or the id of a word or empty node"
            for head, _ in _dependencies(deps):
                if head in wrong:
                    self.cell(line, _DEPS, repr(head), expected)

    @cached_property
    def nodes(self) -> list[Node]:
        """A node for every row; what only one layer says is still missing."""
        nodes: list[Node] = []
        ids = self.ids
        for number, (row, anchors) in enumerate(
            zip(self.rows, self.anchors, strict=True)
        ):
            name, form, lemma, upos, xpos, feats, _, _, _, misc = row
            properties = _properties(lemma, upos, xpos, feats)
            extra = _extra_of(misc)
            label: str | None = form
            node: NodeId | None = ids.get(name)
            if node.__class__ is not int:
                if node is None:
                    node = name
                    count = self.multiword[number] - int(name.partition("-")[0]) + 1
                    properties = _marked(MULTIWORD, count, properties)
                    columns = [_HEAD, _DEPREL, _DEPS]
                else:
                    properties = _marked(EMPTY, True, properties)
                    label = None if form == "_" else form
                    columns = [_HEAD, _DEPREL]
                # Nobody's business, but the file says it.
                extra += tuple(
                    (COLUMNS[column].lower(), row[column])
                    for column in columns
                    if row[column] != "_"
                )
            nodes.append(Node(node, label, properties, anchors, extra))
        return nodes

    def _tree(self) -> tuple[list[Node], list[Edge], list[NodeId]]:
        """The basic layer: nodes, edges and tops."""
        nodes: list[Node] = []
        edges: list[Edge] = []
        tops: list[NodeId] = []
        get = self.ids.get
        for node, row in zip(self.nodes, self.rows, strict=True):
            child, relation = node.id, row[_DEPREL]
            if child.__class__ is int:
                governor = get(row[_HEAD])
                if governor is not None:
                    label = relation if relation != "_" else None
                    edges.append(Edge(governor, child, label))
                elif row[_HEAD] == "0":
                    tops.append(child)
                    if relation != "root":
                        node = _with_relations(node, [relation])
                elif relation != "_":
                    node = _with_relations(node, [relation])
            elif row[0] in self.ids:
                continue
            nodes.append(node)
        return nodes, edges, tops

    def _graph(self) -> tuple[list[Node], list[Edge], list[NodeId]]:
        """The enhanced layer: nodes, edges and tops."""
        nodes: list[Node] = []
        edges: list[Edge] = []
        tops: list[NodeId] = []
        get = self.ids.get
        for number, (node, row) in enumerate(zip(self.nodes, self.rows, strict=True)):
            roots: tuple[str, ...] = ()
            if number not in self.multiword:
                for head, relation in _dependencies(row[_DEPS]):
                    governor = get(head)
                    if governor is not None:
                        edges.append(Edge(governor, node.id, relation))
                    else:
                        tops.append(node.id)
                        roots = (*roots, relation)
                if roots and {*roots} != {"root"}:
                    node = _with_relations(node, roots)
            nodes.append(node)
        return nodes, edges, tops


def _with_relations(node: Node, relations: Iterable[str]) -> Node:
    """The node with relations that no edge can carry."""
    more = tuple(
        (DEPREL, None if relation == "_" else relation) for relation in relations
    )
    return Node(
        node.id, node.label, (*node.properties, *more), node.anchors, node.extra
    )


def read(
    stream: BinaryIO,
    name: str,
    before: int = 0,
    shared: bytes = b"",
    takes: Takes = bool,
) -> Iterator[Record]:
    """The records of a file, in order.

    Args:
        stream: the file, or documents of it.
        name: its name, for problems.
        before: number of lines before these documents.
        shared: comment of the first document of the file that says how coreference
            is written.
        takes: the layers that are looked at; of others graphs have nothing but names.
    """
    key, fields = comment_parts(shared.decode("utf-8", "replace"))
    reader = Reader(name, fields or "" if key == GLOBAL else "", takes)
    for line, raw in blocks(stream, begins=named_words):
        yield from reader.sentence(line + before, raw)
    yield from reader.end()


def read_taken(takes: Takes) -> FormatReader:
    """The reader of which the graphs of some layers are looked at.

    Args:
        takes: those layers.
    """
    return partial(read, takes=takes)


def begins(line: bytes) -> str | None:
    """The document that begins with a line; empty if it has no name.

    Args:
        line: any, without its end.

    >>> begins(b"# newdoc id = a"), begins(b"# newdoc"), begins(b"# text = newdoc")
    ('a', '', None)
    """
    key, value = comment_parts(line.decode("utf-8", "replace"))
    if not line.startswith(b"#") or key not in ("newdoc", NEW_DOCUMENT):
        return None
    return (value or "") if key == NEW_DOCUMENT else ""
