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

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO

from graphscore.exceptions import amount
from graphscore.formats.base import ReadGraph, Record, Takes
from graphscore.formats.shared.columns import (
    Lines,
    blocks,
    named_words,
    without_tail,
)
from graphscore.formats.shared.conllu_columns import (
    COLUMNS,
    ENTITY_FIELDS,
    NEW_DOCUMENT,
    Words,
    comment_parts,
)
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value

if TYPE_CHECKING:
    from graphscore.formats.dependencies.corefud import Coreference

MULTIWORD, EMPTY, DEPREL = "multiword", "empty", "deprel"
"""Properties that are no columns of their own."""

RESERVED = frozenset({"lemma", "upos", "xpos", MULTIWORD, EMPTY, DEPREL})
"""Names that no feature can have beside them."""

STATED = ("sent_id", "text")
"""Comments that say what the graph says in fields of its own."""


NO_TREE = "no word has a head, and so there is no basic tree"
"""Note on a sentence without heads."""

_FEATS, _HEAD, _DEPREL, _DEPS, _MISC = range(5, 10)

NUMBERS = [str(number) for number in range(1, 513)]
"""Ids of words; few sentences have more."""


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
        takes: the frameworks that are looked at; where none of trees is, their graphs
            have nothing but names.
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
            line,
            sentence.row_lines,
            sentence.anchors,
            sentence.multiword,
            sentence.stated or "",
            sentence.whole,
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
        self._entity_fields = sentence.values.get(ENTITY_FIELDS, self._entity_fields)
        if self._coreference is None and self.with_coreference:
            # Few files declare it.
            from graphscore.formats.dependencies.corefud import Coreference

            self._coreference = Coreference(
                self.name, self._entity_fields, self.document, sentence.line
            )


@lru_cache(maxsize=REMEMBERED)
def _properties(lemma: str, upos: str, xpos: str, feats: str) -> Pairs | None:
    """Properties of four columns; ``None`` if a feature's name is none."""
    features = _features(feats)
    if features is None:
        return None
    columns = (("lemma", lemma), ("upos", upos), ("xpos", xpos))
    return (*[pair for pair in columns if pair[1] != "_"], *features)


@lru_cache(maxsize=REMEMBERED)
def _features(feats: str) -> Pairs | None:
    """Properties of FEATS; ``None`` if a feature's name is none."""
    properties: list[tuple[str, str | None]] = []
    for feature in [] if feats == "_" else feats.split("|"):
        name, equals, value = feature.partition("=")
        if name in RESERVED or not name:
            return None
        properties.append((name, value if equals else None))
    return tuple(properties)


@lru_cache(maxsize=REMEMBERED)
def _marked(name: str, value: Value, properties: Pairs) -> Pairs:
    """Properties behind one that says what a node is."""
    return ((name, value), *properties)


@lru_cache(maxsize=REMEMBERED)
def _dependencies(deps: str) -> tuple[tuple[str, str], ...] | None:
    """Heads and relations of DEPS; ``None`` if a pair lacks one of them."""
    dependencies = []
    for pair in [] if deps == "_" else deps.split("|"):
        head, _, relation = pair.partition(":")
        if not head or not relation:
            return None
        dependencies.append((head, relation))
    return tuple(dependencies)


@lru_cache(maxsize=REMEMBERED)
def _heads(deps: str) -> frozenset[str]:
    """The heads that DEPS names; an empty one where a pair lacks head or relation."""
    dependencies = _dependencies(deps)
    return frozenset([""] if dependencies is None else [x for x, _ in dependencies])


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
        takes = self.reader.takes
        # Who makes the graphs says what is wrong.
        made = takes("ud") or takes("eud") or not self._is_plain()
        nodes = self._nodes(self.anchors) if made else []
        self.readable = not self.problems
        if not self.readable:
            yield self._layer("", [], [], [])
            return
        rows = self.rows
        if self.multiword:
            rows = [row for k, row in enumerate(rows) if k not in self.multiword]
        deps = len(self.ids) > self.words or any(row[_DEPS] != "_" for row in rows)
        graph = self._graph(nodes) if deps and made else ([], [], [])
        wrong, self.problems = self.problems, []
        # Without heads there are still words, which have tags and ends.
        if not any(row[_HEAD] != "_" and "." not in row[0] for row in rows):
            self.cell(self.row_lines[0], _HEAD, "'_' of all words", "heads")
            self.pass_over(NO_TREE, absent=True)
        yield self._layer("ud", *(self._tree(nodes) if made else ([], [], [])))
        if deps:
            self.problems = wrong
            yield self._layer("eud", *graph)

    def _is_plain(self) -> bool:
        """Return whether surely nothing is wrong with features and heads."""
        rows = self.rows
        features, heads = {row[_FEATS] for row in rows}, {row[_HEAD] for row in rows}
        deps = {row[_DEPS] for row in rows}
        unknown = heads.difference(self.ids, ("0", "_")).union(
            frozenset().union(*map(_heads, deps)).difference(self.ids, ("0",))
        )
        # Empty nodes are no heads in the tree.
        return not (
            unknown or "." in "".join(heads) or None in map(_features, features)
        )

    def _word_anchors(self) -> list[tuple[Anchor, ...]]:
        """Return the anchors of the words; a comment with another text is kept."""
        text = self.stated
        anchors = self.word_anchors()
        if self.contradicted and "text" in self.comments:
            self.comments[self.comments.index("text")] = f"# text = {text}"
        return anchors

    def _layer(
        self, framework: str, nodes: list[Node], edges: list[Edge], tops: list[NodeId]
    ) -> Record:
        if self.problems:
            self.problems.sort(key=lambda problem: problem.line or 0)
            return self.rejected(framework)
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

    def read_rows(self) -> None:
        """Take the columns of all lines; of most sentences they are words alone."""
        first = len(self.comments)
        rows = [line.split("\t") for line in self.lines[first:]]
        names = NUMBERS[: len(rows)]
        if (
            not rows
            or rows[-1][0] != names[-1]
            or [row[0] for row in rows] != names
            or not all([len(row) == 10 and "" not in row for row in rows])
        ):
            super().read_rows()
            return
        self.rows, self.words = rows, len(rows)
        self.row_lines = range(first, first + len(rows))
        self.ids = dict(zip(names, range(1, len(rows) + 1), strict=True))

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

    def _nodes(self, anchors: list[tuple[Anchor, ...]]) -> list[Node]:
        """A node for every row; what only one layer says is still missing."""
        if self.problems:
            return []
        nodes: list[Node] = []
        ids = self.ids
        for number, row in enumerate(self.rows):
            name, form, lemma, upos, xpos, feats, _, _, _, misc = row
            properties = _properties(lemma, upos, xpos, feats)
            if properties is None:
                line = self.row_lines[number]
                reserved = ", ".join(sorted(RESERVED))
                expected = f"features with names, which are not {reserved}"
                self.cell(line, _FEATS, repr(feats), expected)
                properties = ()
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
            nodes.append(Node(node, label, properties, anchors[number], extra))
        return nodes

    def _tree(self, nodes: list[Node]) -> tuple[list[Node], list[Edge], list[NodeId]]:
        """The basic layer: nodes, edges and tops."""
        tree_nodes: list[Node] = []
        edges: list[Edge] = []
        tops: list[NodeId] = []
        get = self.ids.get
        for number, (node, row) in enumerate(zip(nodes, self.rows, strict=True)):
            child = node.id
            if child.__class__ is not int:
                if number in self.multiword:
                    tree_nodes.append(node)
                continue
            head, relation = row[_HEAD], row[_DEPREL]
            governor = get(head)
            if governor.__class__ is int:
                label = relation if relation != "_" else None
                edges.append(Edge(governor, child, label))
            elif head == "0":
                tops.append(child)
                if relation != "root":
                    node = _with_relations(node, [relation])
            elif head != "_":
                expected = "0 or the id of a word"
                self.cell(self.row_lines[number], _HEAD, repr(head), expected)
            elif relation != "_":
                node = _with_relations(node, [relation])
            tree_nodes.append(node)
        return tree_nodes, edges, tops

    def _graph(self, nodes: list[Node]) -> tuple[list[Node], list[Edge], list[NodeId]]:
        """The enhanced layer: nodes, edges and tops."""
        graph_nodes: list[Node] = []
        edges: list[Edge] = []
        tops: list[NodeId] = []
        get = self.ids.get
        for number, (node, row) in enumerate(zip(nodes, self.rows, strict=True)):
            if number in self.multiword:
                graph_nodes.append(node)
                continue
            deps, child = row[_DEPS], node.id
            pairs = _dependencies(deps)
            if pairs is None:
                expected = "pairs of head and relation, as 4:nsubj"
                self.cell(self.row_lines[number], _DEPS, repr(deps), expected)
                continue
            roots: tuple[str, ...] = ()
            for head, relation in pairs:
                governor = get(head)
                if governor is not None:
                    edges.append(Edge(governor, child, relation))
                elif head == "0":
                    tops.append(child)
                    roots = (*roots, relation)
                else:
                    expected = "0 or the id of a word or empty node"
                    self.cell(self.row_lines[number], _DEPS, repr(head), expected)
            if roots and {*roots} != {"root"}:
                node = _with_relations(node, roots)
            graph_nodes.append(node)
        return graph_nodes, edges, tops


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
        takes: the frameworks that are looked at; where none of trees is, their graphs
            have nothing but names.
    """
    key, fields = comment_parts(shared.decode("utf-8", "replace"))
    reader = Reader(name, fields or "" if key == ENTITY_FIELDS else "", takes)
    for line, raw in blocks(stream, begins=named_words):
        yield from reader.sentence(line + before, raw)
    yield from reader.end()


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
