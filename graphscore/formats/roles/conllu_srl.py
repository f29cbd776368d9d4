r"""CoNLL-U with columns of semantic roles, as Universal PropBank has them.

:mod:`graphscore.formats.roles.conllu_srl_layout` says what the columns are.  A sentence
is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`; words are nodes with their place in the
dependency tree, from which spans can be derived.  Everything else is kept as it
stands in ``extra`` and written back.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\tA0\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\tY\tbark.01\t_\n\n")
>>> [record] = read(io.BytesIO(block), "a.conllu")
>>> [(node.id, node.label) for node in record.graph.nodes[2:]]
[('p1', 'bark.01'), ('p1.1', None)]
>>> [record] = read(io.BytesIO(block.replace(b"\tY\t", b"\t_\t")), "a.conllu")
>>> print(record.problems[0])
a.conllu:1: found 0 words with the flag Y, expected 1, as there are 11 columns

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.model.joined_tokens import join_tokens
>>> from graphscore.formats.roles.layout import tokens_of
>>> text, ranges = join_tokens(["Dogs", "bark"])
>>> trees = [(("kind", "token"), ("head", head)) for head in (2, 0)]
>>> words = tokens_of(["Dogs", "bark"], ranges, trees)
>>> roles = [Roles("bark.01", 1, [("A0", 0)])]
>>> graph = head_based_graph("a", "", text, ranges, words, roles, {})
>>> print(b"".join(write([graph])).decode().replace("\t", " "), end="")
# sent_id = a
# text = Dogs bark
1 Dogs _ _ _ _ 2 _ _ _ A0
2 bark _ _ _ _ 0 _ Y bark.01 _
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import BinaryIO

from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    FRAME_FILE,
    LONG,
    NOTHING,
    ROLESET,
    SHORT,
    Layout,
    layout_of,
    shape_of,
)
from graphscore.formats.roles.layout import (
    Roles,
    head_based_graph,
    token_properties,
)
from graphscore.formats.roles.writing import (
    Kept,
    add_roles,
    comments_of,
    form_of,
    numbers_of,
    rewritten,
    tree_cells,
    words_of,
    write_sentences,
)
from graphscore.formats.shared.columns import Lines, blocks, named_words
from graphscore.formats.shared.conllu_columns import COLUMNS, Words
from graphscore.model.graph import Anchor, Graph, Node, NodeId
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import EMPTY, SRL

LINES = "conllu-srl"
"""In ``extra`` of a graph: the sentence as the file has it."""

_HEAD, _DEPREL = 6, 7


class Reader:
    """Reads the sentences of one file; remembers its document and its tags.

    Args:
        name: the file's name, for problems.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.document = ""
        self.layout: Layout | None = None
        """Layout of the predicates in the last sentence that has one."""

    def sentence(self, line: int, raw: Lines) -> Record:
        """The record of one sentence."""
        return Sentence(self, line, raw).whole_record()


class Sentence(Words):
    """The state of reading one sentence, and everything that is wrong with it.

    Args:
        reader: the reader of its file.
        line: the number of its first line.
        raw: its lines.
    """

    least = 10
    """Smallest number of columns."""
    width = 0
    """Number of columns, if it is known before."""

    def __init__(self, reader: Reader, line: int, raw: Lines) -> None:
        super().__init__(reader.name, line, raw, SRL)
        self.reader = reader
        self.words_of_rows: list[int] = []
        """The number of each row's word, empty nodes last; 0 for multiword tokens."""
        self.layout: Layout | None = None
        self.as_in = ""
        """Source of the expected number of columns."""

    def cell(self, line: int, column: int, found: str, expected: str) -> None:
        """Note a problem of a cell; line and column are counted from 0."""
        where, column = self.called(column)
        self.at(line, column, where, found, expected)

    def called(self, column: int) -> tuple[str, int]:
        """The name of a column, and which one of the file it is."""
        layout = self.layout or self.reader.layout or SHORT
        names = ("FLAG", "SENSE")[not layout.flagged :]
        if column < layout.base:
            return COLUMNS[column], column
        if column < layout.before:
            return names[column - layout.base], column
        return f"ARG{column - layout.before + 1}", column

    def whole_record(self) -> Record:
        """The graph, or what is wrong."""
        self.read_comments()
        if self.document is not None:
            self.reader.document = self.document
        if not self.problems:
            self.read_rows()
            self._number()
        graph = None if self.problems else self.read()
        self.problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
        return self.record(graph)

    def read(self) -> Graph | None:
        """The graph of rows that are whole, if nothing is wrong with it."""
        layout = self._layout()
        if layout is None:
            return None
        self.layout = layout
        roles = self._in_misc() if layout.misc else self._roles(layout)
        if roles:
            # Sentences without predicates do not say where they would be.
            self.reader.layout = layout
        if self.problems:
            return None
        anchors = self.word_anchors()
        nodes = self.nodes(anchors)
        return None if self.problems else self._graph(nodes, roles)

    def split(self) -> list[list[str]]:
        """The columns of all lines below the comments."""
        rows = [line.split("\t") for line in self.lines[len(self.comments) :]]
        shape = shape_of(rows)
        self.width, self.as_in = shape.width, shape.where
        return [shape.fitted(row) for row in rows] if self.width >= self.least else rows

    def whole_rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield lines by their number, with their columns."""
        rows = self.split()
        width = self.width
        for number, row in enumerate(rows, len(self.comments)):
            if self.lines[number].startswith("#"):
                found, expected = "a comment between words", "comments before the words"
                self.at(number, None, "", found, expected)
            elif len(row) != width or width < self.least or "" in row:
                self.misshapen(number, row, width)
                if width < self.least:
                    # One line stands for all of them.
                    return
                # It is a word for all that; the next one has the next number.
                self.words += row[0] == str(self.words + 1)
            else:
                yield number, row

    def _number(self) -> None:
        """Number words, and empty nodes on after the last word."""
        count = self.words
        for row in self.rows:
            word = self.ids.get(row[0], 0)
            if word.__class__ is not int:
                word = count = count + 1
            self.words_of_rows.append(word)

    def misshapen(self, number: int, row: list[str], width: int) -> None:
        """Note what is wrong with the columns of a line."""
        if len(row) == width and width >= self.least:
            column = row.index("")
            self.cell(number, column, "nothing", "a value, or _ for none")
            return
        found = amount(len(row), "column")
        expected = "ten or more columns with tabs between"
        if width >= self.least:
            expected = f"{width} columns, {self.as_in}"
        self.at(number, None, "", found, expected)

    def _layout(self) -> Layout | None:
        """Return the layout of the predicates, if their number fits the columns."""
        known = self.reader.layout
        layout, counts = layout_of(self.rows, known)
        if layout is not None:
            return layout
        width = len(self.rows[0])
        if known is None or known.misc:
            known = LONG if counts.get(LONG) else SHORT
        self.reader.layout = known
        found = f"{counts.get(known, 0)} words with the flag {FLAG}"
        if not known.flagged:
            found = f"{counts.get(known, 0)} words with a sense"
        columns = max(width - known.before, 0)
        expected = f"{columns}, as there are {width} columns"
        self.at(self.row_lines[0], None, "", found, expected)
        return None

    def _roles(self, layout: Layout) -> list[Roles]:
        """The predicates and their arguments; row numbers count all rows."""
        columns = list(zip(*self.rows, strict=True))
        if len(columns) == 10 and layout != SHORT:
            return []
        predicates = [k for k, cell in enumerate(columns[layout.base]) if cell != "_"]
        senses = columns[layout.before - 1]
        roles: list[Roles] = []
        for index, row in enumerate(predicates):
            column = layout.before + index
            pieces: list[tuple[str, int]] = []
            cells = columns[column]
            for k in [k for k, cell in enumerate(cells) if cell != NOTHING]:
                cell = cells[k]
                if not self.words_of_rows[k]:
                    self._multiword(k, column, cell)
                labels = cell.split("|") if "|" in cell else [cell]
                if "" in labels:
                    line, expected = self.row_lines[k], "labels with | between"
                    self.cell(line, column, repr(cell), expected)
                pieces += [(label, k) for label in labels]
            if not self.words_of_rows[row]:
                self._multiword(row, layout.base, columns[layout.base][row])
            label = senses[row]
            roles.append(Roles(None if label == NOTHING else label, row, pieces))
        return roles

    def _in_misc(self) -> list[Roles]:
        """The same from MISC: a sense, and labels with ``/`` between."""
        result: list[Roles] = []
        cells: list[tuple[int, list[str]]] = []
        for k, row in enumerate(self.rows):
            attributes = dict(
                attribute.split("=", 1)
                for attribute in row[9].split("|")
                if "=" in attribute
            )
            sense = attributes.get(ROLESET, "-")
            labels = attributes.get(ARGUMENTS, NOTHING)
            if sense not in ("-", NOTHING, ""):
                if not self.words_of_rows[k]:
                    self._multiword(k, 9, sense)
                result.append(Roles(sense, k, []))
            if labels.strip("_/"):
                if not self.words_of_rows[k]:
                    self._multiword(k, 9, labels)
                cells.append((k, labels.split("/")))
        for k, every in cells:
            if len(every) != len(result):
                shown = amount(len(every), "label")
                expected = f"{len(result)}, as there are so many with a {ROLESET}"
                self.cell(self.row_lines[k], 9, shown, expected)
                continue
            for roles, label in zip(result, every, strict=True):
                if label not in (NOTHING, ""):
                    roles.pieces.append((label, k))
        return result

    def _multiword(self, row: int, column: int, cell: str) -> None:
        expected = "_, as roles belong to the words of a multiword token"
        self.cell(self.row_lines[row], column, repr(cell), expected)

    def anchors(self) -> list[tuple[Anchor, ...]]:
        """Return the anchors of the rows; note a problem where one is missing."""
        if not self.multiword and len(self.rows) == self.words:
            text, ranges = join_tokens([row[1] for row in self.rows])
            if text == self.stated:
                return [(range_,) for range_ in ranges]
        return self.word_anchors()

    def nodes(self, anchors: list[tuple[Anchor, ...]]) -> list[Node]:
        """The nodes of words, empty ones in their places."""
        if self.problems:
            return []
        heads = _numbers(self.words)
        nodes: list[Node] = []
        for k, row in enumerate(self.rows):
            number = self.words_of_rows[k]
            if not number:
                continue
            head = row[_HEAD]
            if head not in heads:
                line, expected = self.row_lines[k], "0 or the id of a word"
                self.cell(line, _HEAD, repr(head), expected)
                continue
            pairs = token_properties(head, row[_DEPREL])
            id: NodeId = number
            if number > self.words:
                id, pairs = row[0], (*pairs, (EMPTY, True))
            nodes.append(Node(id, row[1], pairs, anchors[k]))
        return nodes

    def _graph(self, nodes: list[Node], roles: list[Roles]) -> Graph:
        numbers: Sequence[int] | None = None
        if self.multiword or len(nodes) > self.words:
            # Rows count multiword tokens, nodes do not.
            positions = [-1] * len(self.rows)
            kept = [k for k, number in enumerate(self.words_of_rows) if number]
            for position, k in enumerate(kept):
                positions[k] = position
            numbers = [self.words_of_rows[k] for k in kept]
            roles = [
                Roles(
                    label, positions[word], [(role, positions[k]) for role, k in pieces]
                )
                for label, word, pieces in roles
            ]
        return head_based_graph(
            self.item,
            self.reader.document,
            self.stated or "",
            tokens_in(nodes),
            nodes,
            roles,
            {LINES: "\n".join(self.lines)},
            numbers,
        )


def tokens_in(nodes: list[Node]) -> tuple[Anchor, ...]:
    """The ranges of the words, without those of empty nodes."""
    return tuple(
        [node.anchors[0] for node in nodes if node.anchors and node.id.__class__ is int]
    )


@lru_cache(maxsize=1024)
def _numbers(words: int) -> frozenset[str]:
    """Return the possible heads in a sentence of so many words."""
    return frozenset((NOTHING, *map(str, range(words + 1))))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for line, raw in blocks(stream, begins=named_words):
        yield reader.sentence(line, raw)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as CoNLL-U with columns of semantic roles.

    Args:
        graphs: of the framework ``srl``, with words as nodes and roles at heads.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """

    def lines(graph: Graph) -> Iterable[str]:
        reader = Reader("")
        return rewritten(graph, LINES, reader.sentence, partial(_lines, reader))

    return write_sentences(graphs, "CoNLL-U with semantic roles", lines)


def _lines(reader: Reader, graph: Graph, before: Kept | None) -> Iterable[str]:
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    layout = SHORT
    numbers = numbers_of(nodes)
    if before is not None:
        layout = reader.layout or SHORT
        comments = [line for line in before.lines if line.startswith("#")]
        rows = [line.split("\t") for line in before.lines if line[:1] != "#"]
        if layout.misc:
            layout = LONG
            for row in rows:
                row[9] = _without_roles(row[9])
        rows = [row[: layout.base] for row in rows]
    else:
        comments = comments_of(graph)
        rows = [
            [name, form_of(node), *"____", NOTHING, NOTHING]
            for name, node in zip(numbers, nodes, strict=True)
        ]
    words: list[int | None] = []
    for row in rows:
        number = numbers.get(row[0])
        words.append(None if number is None else number - 1)
        if number is not None:
            row[6:8] = tree_cells(sentence.tree[number - 1])
    add_roles(rows, words, sentence, layout.flagged)
    return [*comments, *map("\t".join, rows)]


def _without_roles(misc: str) -> str:
    """MISC without what it says of roles."""
    names = (ROLESET, ARGUMENTS, FRAME_FILE)
    every = [
        attribute
        for attribute in misc.split("|")
        if attribute.partition("=")[0] not in names
    ]
    return "|".join(every) or NOTHING
