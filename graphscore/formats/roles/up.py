r"""Universal PropBank 2: CoNLL-U Plus with heads and spans of arguments.

The first line declares the columns, in any order and among any others: ``ID``,
``UP:PRED``, ``UP:ARGHEADS`` and ``UP:ARGSPANS`` in the published files, with the ten of
CoNLL-U before where they are merged with the treebank (Jindal et al. 2022, "Universal
Proposition Bank 2.0"; https://github.com/UniversalPropositions/tools).
A sentence is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`.

At the word of a predicate stand its sense, the heads of its arguments, as
``A0:5|A1:28``, and their spans, as ``A0:2-5|A1:22-30``, both in numbers of words.
The first head of a label has the first span of that label, and so on; where one of
the two columns is empty, the other one is all that is known.  Forms may be missing,
as in the published files, which go beside those of the treebank: then each is ``_``.

>>> import io
>>> data = b"# global.columns = ID FORM HEAD UP:PRED UP:ARGHEADS UP:ARGSPANS\n" + (
...     b"1\tOld\t2\t_\t_\t_\n2\tdogs\t3\t_\t_\t_\n3\tbark\t0\tbark.01\tA0:2\tA0:1-2\n")
>>> [record] = read(io.BytesIO(data), "a.conllup")
>>> record.graph.nodes[-1].anchors[0][:], record.graph.nodes[-1].properties[1:]
((0, 8), (('token', 2), ('head', '4:8')))
>>> [record] = read(io.BytesIO(data.replace(b"A0:2", b"A0:7")), "a.conllup")
>>> print(record.problems[0])
a.conllup:4:18: UP:ARGHEADS: found 'A0:7', expected LABEL:ID of a word, with | between

What was read comes out as it was, line by line, as long as the graph still says the
same.  Else the columns of tree and roles are written anew, and the others are kept if
the words are the same; graphs from elsewhere get the ten columns of CoNLL-U and three
of roles.  The line that declares the columns is written where they change.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> graph = Graph("a", "srl", 1, text="Dogs bark", tokens=(Anchor(0, 4), Anchor(5, 9)),
...     nodes=(Node(0, "bark.01", (("kind", "predicate"),), (Anchor(5, 9),)),
...            Node(1, None, (("kind", "argument"),), (Anchor(0, 4),))),
...     edges=(Edge(0, 1, "A0"),))
>>> lines = b"".join(write([graph])).decode().replace("\t", " ").splitlines()
>>> print(*lines[1:], sep="\n")
# sent_id = a
# text = Dogs bark
1 Dogs _ _ _ _ _ _ _ _ _ _ _
2 bark _ _ _ _ _ _ _ _ bark.01 _ A0:1-1
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from graphscore.exceptions import Problem, amount, truncate
from graphscore.formats.base import Record
from graphscore.formats.roles import conllu_srl
from graphscore.formats.roles.conllu_srl import tokens_in
from graphscore.formats.roles.conllu_srl_layout import NOTHING
from graphscore.formats.roles.writing import (
    Kept,
    Row,
    comments_of,
    ends_of,
    form_of,
    forms_of_words,
    kept_lines,
    numbers_of,
    predicates_at_words,
    tree_cells,
    words_of,
    write_sentences,
)
from graphscore.formats.shared.columns import (
    Lines,
    blocks,
    named_words,
    without_tail,
)
from graphscore.formats.shared.conllu_columns import (
    COLUMNS,
    GLOBAL,
    ROLES,
    Columns,
    columns_of,
    comment_parts,
    declared_in,
    join_forms,
)
from graphscore.formats.shared.conllu_columns import COLUMNS as TEN
from graphscore.model.graph import Anchor, Edge, Graph, Node, Value
from graphscore.structures.layout import ARGUMENT, KIND, PREDICATE, TOKEN
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import HEAD, SRL, WORDS, Proposition
from graphscore.structures.roles.sentence import Sentence as RolesOfSentence

LINES = "up"
"""In ``extra`` of a graph: the sentence as the file has it."""

DECLARED = "columns"
"""In ``extra`` of a graph: the columns that its file declares."""

_PRED, _HEADS, _SPANS = range(10, 13)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)", re.ASCII)


class ArgumentSpan(NamedTuple):
    """A piece of an argument, in rows of the sentence."""

    label: str
    head: int | None
    first: int | None = None
    last: int | None = None

    @property
    def place(self) -> int:
        """Position in the order of the text."""
        return (self.head if self.first is None else self.first) or 0


class Reader(conllu_srl.Reader):
    """Reads the sentences of one file; remembers its columns.

    Args:
        name: the file's name, for problems.
        columns: what the file declares, if its beginning is not read.
    """

    def __init__(self, name: str, columns: Columns | None = None) -> None:
        super().__init__(name)
        self.columns = columns
        self.undeclared: Problem | None = None
        """Problem of the declared columns."""

    def sentence(self, line: int, raw: Lines) -> Record:
        """The record of one sentence."""
        return Sentence(self, line, raw).whole_record()

    def declares_only(self, line: int, raw: Lines) -> bool:
        """Return whether lines are comments that declare columns, and note these."""
        if not all(text.startswith(b"#") for text in raw):
            return False
        sentence = Sentence(self, line, raw)
        return not sentence.problems and sentence.declares()


class Sentence(conllu_srl.Sentence):
    """The state of reading one sentence; rows are the ten columns, then roles."""

    least = width = len(TEN) + len(ROLES)

    def __init__(self, reader: Reader, line: int, raw: Lines) -> None:
        super().__init__(reader, line, raw)
        self.file = reader
        self.named: dict[str, int] = {}
        """Rows by what they are called."""
        self.shapes: set[int] = set()
        """Numbers of columns that are wrong and were seen."""

    def declares(self) -> bool:
        """Note the columns that comments declare, if there are any."""
        before = self.file.columns, self.file.undeclared
        self.file.columns = self.file.undeclared = None
        for number, line in enumerate(self.lines):
            if line.startswith("#"):
                key, value = comment_parts(line)
                if key == GLOBAL:
                    self._declare_columns(number, value or "")
        result = self.file.columns is not None or self.file.undeclared is not None
        if not result:
            self.file.columns, self.file.undeclared = before
        return result

    def _declare_columns(self, number: int, value: str) -> None:
        self.file.columns = columns_of(value)
        self.file.undeclared = None
        if self.file.columns is None:
            line = self.numbers[number]
            found = f"the columns {value[:200]!r}"
            expected = "ID, UP:PRED, and UP:ARGHEADS or UP:ARGSPANS among them"
            problem = Problem(self.file.name, line, None, "", found, expected)
            self.file.undeclared = problem

    def whole_record(self) -> Record:
        """The graph, or what is wrong."""
        self.declares()
        if self.file.columns is None and not self.problems:
            if self.file.undeclared is not None:
                self.problems.append(self.file.undeclared)
            else:
                self.add("", "no columns", f"a line '# {GLOBAL} = ID ...' before")
        return super().whole_record()

    def split(self) -> list[list[str]]:
        """The ten columns and those of roles, wherever the file has them."""
        columns = self.file.columns
        assert columns is not None
        width, indexes = len(columns.names), (*columns.ten, *columns.roles)
        rows = []
        for line in self.lines[len(self.comments) :]:
            row = without_tail(line.split("\t"), width)
            if len(row) != width or "" in row:
                rows.append(row[:1])
            else:
                rows.append([NOTHING if index < 0 else row[index] for index in indexes])
        return rows

    def misshapen(self, number: int, row: list[str], width: int) -> None:
        """Note what is wrong with the columns of a line."""
        assert self.file.columns is not None
        names = self.file.columns.names
        cells = self.lines[number].split("\t")
        if len(cells) == len(names):
            column = cells.index("")
            self.at(number, column, names[column], "nothing", "a value, or _ for none")
            return
        if len(cells) not in self.shapes:
            # One line stands for all of its kind.
            expected = f"{len(names)}, as {GLOBAL} declares"
            self.at(number, None, "", amount(len(cells), "column"), expected)
        self.shapes.add(len(cells))

    def called(self, column: int) -> tuple[str, int]:
        """The name of a column, and which one of the file it is."""
        columns = self.file.columns
        if columns is None:
            return "", 0
        index = (*columns.ten, *columns.roles)[column]
        return (columns.names[index], index) if index >= 0 else ("", 0)

    def read(self) -> Graph | None:
        """The graph of rows that are whole, if nothing is wrong with it."""
        columns = self.file.columns
        if columns is None:
            return None
        self.named = {
            row[0]: k
            for k, (row, number) in enumerate(
                zip(self.rows, self.words_of_rows, strict=True)
            )
            if number
        }
        if columns.ten[1] < 0:
            # The text in the comment may be cut off, and no form is known in it.
            self.stated = join_forms(self.rows, self.multiword)
        predicates = [
            (k, row[_PRED], self._pieces(k))
            for k, row in enumerate(self.rows)
            if row[_PRED] != NOTHING or row[_HEADS] != NOTHING or row[_SPANS] != NOTHING
        ]
        anchors = self.anchors()
        nodes = self.nodes(anchors)
        if self.problems:
            return None
        extra = {LINES: "\n".join(self.lines), DECLARED: " ".join(columns.names)}
        item, document = self.item, self.file.document
        ranges, edges = tokens_in(nodes), []
        for count, (k, sense, pieces) in enumerate(predicates, 1):
            id = f"p{count}"
            at = (KIND, PREDICATE), (TOKEN, self.words_of_rows[k])
            nodes.append(Node(id, sense, at, anchors[k]))
            for number, piece in enumerate(pieces, 1):
                nodes.append(self._argument(f"{id}.{number}", piece, anchors))
                edges.append(Edge(id, f"{id}.{number}", piece.label))
        text, every, links = self.stated or "", tuple(nodes), tuple(edges)
        return Graph(item, SRL, 1, "", document, text, ranges, every, links, (), extra)

    def _argument(
        self, id: str, piece: ArgumentSpan, anchors: list[tuple[Anchor, ...]]
    ) -> Node:
        """The node of a piece."""
        properties: list[tuple[str, Value]] = [(KIND, ARGUMENT)]
        own: tuple[Anchor, ...] = ()
        if piece.head is not None:
            own = anchors[piece.head]
            properties.append((TOKEN, self.words_of_rows[piece.head]))
        if piece.first is None or piece.last is None:
            return Node(id, None, tuple(properties), own)
        if own:
            properties.append((HEAD, f"{own[0].start}:{own[-1].end}"))
        inside = [
            k
            for k in range(piece.first, piece.last + 1)
            if 0 < self.words_of_rows[k] <= self.words
        ]
        if self.multiword or not own:
            first, last = (inside[0], inside[-1]) if inside else (piece.first,) * 2
            span = f"{self.words_of_rows[first]}:{self.words_of_rows[last]}"
            properties.append((WORDS, span))
        start = min((anchors[k][0].start for k in inside), default=0)
        end = max((anchors[k][-1].end for k in inside), default=0)
        covered = (Anchor(start, end),) if inside else ()
        return Node(id, None, tuple(properties), covered)

    def _pieces(self, row: int) -> list[ArgumentSpan]:
        """The arguments of the predicate in a row, in the order of the text."""
        sense, heads, spans = self.rows[row][_PRED:]
        if sense == NOTHING:
            column = _HEADS if heads != NOTHING else _SPANS
            shown = repr(self.rows[row][column][:60])
            self._problem(row, column, f"{shown} without a sense", "a predicate")
        if not self.words_of_rows[row]:
            expected = "_, as roles belong to the words of a multiword token"
            self._problem(row, _PRED, repr(sense), expected)
        before = len(self.problems)
        argument_spans = [
            ArgumentSpan(label, head) for label, head in self._heads(row, heads)
        ]
        if spans != NOTHING and len(self.problems) == before:
            argument_spans = list(
                self._with_spans(row, argument_spans, heads != NOTHING)
            )
        return sorted(argument_spans, key=lambda argument_span: argument_span.place)

    def _heads(self, row: int, cell: str) -> Iterator[tuple[str, int]]:
        for argument in [] if cell == NOTHING else cell.split("|"):
            label, _, name = argument.rpartition(":")
            word = self.named.get(name)
            if not label or word is None:
                expected = "LABEL:ID of a word, with | between"
                self._problem(row, _HEADS, repr(argument[:60]), expected)
            else:
                yield label, word

    def _with_spans(
        self, row: int, known: list[ArgumentSpan], headed: bool
    ) -> Iterator[ArgumentSpan]:
        """Pieces with spans, those of a label in their order."""
        waiting: dict[str, list[ArgumentSpan]] = {}
        for argument_span in known:
            waiting.setdefault(argument_span.label, []).append(argument_span)
        for argument in self.rows[row][_SPANS].split("|"):
            label, _, name = argument.rpartition(":")
            match = _SPAN.fullmatch(name)
            ends = [self.named.get(end) for end in match.groups()] if match else [None]
            first, last = ends[0], ends[-1]
            if not label or first is None or last is None or last < first:
                expected = "LABEL:FIRST-LAST of two words, with | between"
                self._problem(row, _SPANS, repr(argument[:60]), expected)
                return
            if not headed:
                yield ArgumentSpan(label, None, first, last)
            elif waiting.get(label):
                yield waiting[label].pop(0)._replace(first=first, last=last)
            else:
                self._problem(
                    row,
                    _SPANS,
                    repr(argument[:60]),
                    f"a head of {truncate(label)}, too",
                )
        for label, rest in waiting.items():
            if rest:
                shown = f"a head of {label} without a span"
                self._problem(row, _SPANS, shown, "as many spans as heads")

    def _problem(self, row: int, column: int, found: str, expected: str) -> None:
        self.cell(self.row_lines[row], column, found, expected)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for line, raw in blocks(stream, begins=named_words):
        if not reader.declares_only(line, raw):
            yield reader.sentence(line, raw)


STANDARD = Columns(
    (*COLUMNS, "UP:PRED", "UP:ARGHEADS", "UP:ARGSPANS"), (*range(10),), (10, 11, 12)
)
"""The columns of a file that has none of its own."""

_FORM, _HEAD, _DEPREL = 1, 6, 7


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs with heads and spans of arguments.

    Args:
        graphs: of the framework ``srl``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return write_sentences(graphs, "Universal PropBank", _Writer().lines)


class _Writer:
    """Remembers which columns were declared last."""

    def __init__(self) -> None:
        self.declared = ""

    def lines(self, graph: Graph) -> Iterator[str]:
        """The lines of a sentence, with a declaration if one is needed."""
        declared_columns = graph.extra.get(DECLARED)
        columns = (
            columns_of(declared_columns) if isinstance(declared_columns, str) else None
        )
        before: Kept | None = None
        if columns is not None:
            before = kept_lines(graph, LINES, Reader("", columns).sentence)
        if columns is None or before is None:
            before, columns = None, STANDARD
        if before is not None and before.same:
            lines = before.lines
        else:
            lines = list(_anew(graph, columns, before))
        declared = " ".join(columns.names)
        if declared != self.declared:
            yield f"# {GLOBAL} = {declared}"
            self.declared = declared
        yield from (line for line in lines if declared_in(line) is None)


def _anew(graph: Graph, columns: Columns, before: Kept | None) -> Iterator[str]:
    """The lines of a sentence, tree and roles as the graph has them.

    Args:
        graph: the sentence.
        columns: those of the file.
        before: its lines, with all other columns, if they are there.
    """
    sentence = sentence_of(graph)
    nodes = words_of(graph) if sentence.tree else _new_words(graph, sentence)
    numbers = numbers_of(nodes)
    if before is not None:
        comments = [line for line in before.lines if line.startswith("#")]
        rows = [line.split("\t") for line in before.lines if line[:1] != "#"]
    else:
        comments, rows = comments_of(graph), []
        if [*map(form_of, nodes)] != _forms(graph):
            # Of several words that are one in the text, none stands there.
            comments = [
                comment for comment in comments if not comment.startswith("# text = ")
            ]
        for name, node in zip(numbers, nodes, strict=True):
            row = [NOTHING] * len(columns.names)
            row[columns.ten[0]] = name
            row[columns.ten[_FORM]] = form_of(node)
            rows.append(row)
    by_number: dict[int, Row] = {}
    for row in rows:
        number = numbers.get(row[columns.ten[0]])
        for column in columns.roles:
            _set(row, column, NOTHING)
        if number is not None:
            by_number[number] = row
            if sentence.tree:
                cells = tree_cells(sentence.tree[number - 1])
                for column, cell in zip((_HEAD, _DEPREL), cells, strict=True):
                    _set(row, columns.ten[column], cell)
    names = {number: name for name, number in numbers.items()}
    for predicate in predicates_at_words(sentence):
        role_cells = predicate.label, *_cells(predicate, names)
        for column, cell in zip(columns.roles, role_cells, strict=True):
            _set(by_number[predicate.place + 1], column, cell)
    yield from comments
    for row in rows:
        yield "\t".join(row)


def _new_words(graph: Graph, sentence: RolesOfSentence) -> list[Node]:
    """Nodes of words that are none in the graph."""
    forms = forms_of_words(graph, sentence)
    return [Node(number, form) for number, form in enumerate(forms, 1)]


def _forms(graph: Graph) -> list[str]:
    return [graph.text[start:end] for start, end in graph.tokens]


def _set(row: Row, column: int, cell: str) -> None:
    """Put a cell in its place, if the file has one for it."""
    if column >= 0:
        row[column] = cell


def _cells(predicate: Proposition, names: dict[int, str]) -> tuple[str, str]:
    """The heads and the spans of a predicate's arguments."""
    heads: list[str] = []
    spans: list[str] = []
    for piece in predicate.pieces:
        if piece.head is not None:
            heads.append(f"{piece.label}:{names[piece.head + 1]}")
        if piece.words is not None:
            first, last = ends_of(piece)
            spans.append(f"{piece.label}:{names[first + 1]}-{names[last + 1]}")
    return "|".join(heads) or NOTHING, "|".join(spans) or NOTHING
