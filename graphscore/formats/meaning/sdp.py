r"""SDP: bi-lexical dependency graphs, one token to a line (SemEval 2014 and 2015).

The columns are id, form, lemma, pos, top, pred, in 2015 (``#SDP 2015`` above the
file) also frame, and then one column for each token that is a predicate: the label
of the edge from that predicate to this token.  Tokens that take part (as a top, a
predicate or an argument) are nodes; the others stay in ``extra``, so that nothing
is lost.  The text is the tokens joined by blanks.

The file does not say its framework.  It is read off the file's name (``dm.sdp``,
``en.psd.sdp``) or the folder's, and can be given (``--framework-of-file``); else it
is ``sdp``.

>>> import io
>>> lines = b"#1\n1\tDogs\tdog\tNNS\t-\t-\tARG1\n2\tbark\tbark\tVBP\t+\t+\t_\n"
>>> [record] = read(io.BytesIO(lines), "en.dm.sdp")
>>> record.graph.framework, record.graph.text, record.graph.edges[0].label
('dm', 'Dogs bark', 'ARG1')
>>> [record] = read(io.BytesIO(lines.replace(b"\t_", b"")), "a.sdp")
>>> print(*record.problems)
a.sdp:3: found 6 columns, expected 6 and one for each of 1 predicates
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import Record
from graphscore.formats.shared.columns import (
    Block,
    Lines,
    blocks,
    byte_column,
    without_tail,
)
from graphscore.formats.shared.records import text_of
from graphscore.formats.writing import spell_value
from graphscore.model.graph import (
    IDLE_PREDICATES,
    Anchor,
    Edge,
    Graph,
    Node,
    NodeId,
    Pairs,
    Value,
)
from graphscore.model.joined_tokens import forms_of, join_tokens

_HEADER = re.compile(rb"#\s*SDP\s+(\d{4})\s*")
"""The first line of a file of SDP 2015, with its year."""

FRAMEWORKS = ("dm", "pas", "psd", "ccd")

UNSAID = "sdp"
"""The framework of a file whose name does not tell."""

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is not a token; it is refused without holding it in memory."""

_WORDS = re.compile(r"[^0-9a-z]+")

HEADER = "#SDP 2015"

_BREAK = re.compile(r"[\t\n\r]")

_WORD = re.compile(r"\S+")

_WIDTH = 7
"""Number of columns before those of arguments, in the layout of 2015."""


def framework_of(name: str) -> str:
    """The framework that a file's name tells, or its folder's.

    >>> framework_of("dm.sdp"), framework_of("psd/en.id.sdp"), framework_of("en.sdp")
    ('dm', 'psd', 'sdp')
    """
    path = Path(name.lower())
    for part in (path.name, path.parent.name):
        named = [word for word in _WORDS.split(part) if word in FRAMEWORKS]
        if len(set(named)) == 1:
            return named[0]
    return UNSAID


class _Sentence(Block):
    """The lines of one graph, gathering everything that is wrong."""

    longest = LONGEST_LINE
    expected = "a token per line"

    def graph(self, modern: bool | None) -> Graph | None:
        """The graph, if nothing is wrong.

        Args:
            modern: whether the file says that there is a column of frames; ``None``
                where it says nothing.
        """
        comments = self._comments()
        table = None if self.problems else _table(self.lines, modern)
        if table is None:
            return None
        return lay_out(self.item, self.framework, *table, comments)

    def _comments(self) -> list[str]:
        """Take the comments off, which stand before all tokens: see _further."""
        lines = self.lines
        if not _BLANK.isdisjoint([text[-1] for text in lines]):
            lines = [_trim(text.rstrip("\r ")) for text in lines]
        comments: list[str] = []
        count, named = 0, False
        while count < len(lines) and lines[count][0] == "#":
            text = lines[count]
            if named or KEYED.match(text):
                comments.append(text[1:].strip())
            else:
                self.item, named = text[1:].strip(), True
            count += 1
        self.lines, self.numbers = lines[count:], self.numbers[count:]
        return comments

    def check(self, modern: bool | None) -> None:
        """Note everything that is wrong with the columns, if the lines are text.

        Args:
            modern: as for :meth:`graph`.
        """
        if self.problems:
            return
        if not self.lines:
            self.add("", "an id without tokens", "a token per line")
        rows = [row.split("\t") for row in self.lines]
        predicates = 0
        for index, columns in enumerate(rows, 1):
            line = self.numbers[index - 1]
            if len(columns) < 6:
                found = f"{len(columns)} columns"
                self.add("", found, "at least 6, separated by tabs", line=line)
                continue
            if columns[0] != str(index):
                self.add("id", repr(columns[0]), str(index), 1, line)
            if not columns[1]:
                self.add("form", "nothing", "a token", byte_column(columns, 1), line)
            for position, name in ((4, "top"), (5, "pred")):
                if columns[position] not in _FLAGS:
                    column = byte_column(columns, position)
                    self.add(name, repr(columns[position]), "+ or -", column, line)
            predicates += columns[5] == "+"
        if self.problems:
            return
        if modern is None:
            modern = len(rows[0]) == 7 + predicates
        for line, columns in zip(self.numbers, rows, strict=True):
            if len(columns) != 6 + modern + predicates:
                expected = f"{6 + modern} and one for each of {predicates} predicates"
                self.add("", f"{len(columns)} columns", expected, line=line)


def _trim(text: str) -> str:
    """A line of a token without empty cells behind those that there must be."""
    if text[0] == "#" or text[-1] != "\t":
        return text
    return "\t".join(without_tail(text.split("\t"), _WIDTH))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    framework = framework_of(name)
    modern: bool | None = None
    begun = False
    for first, lines in blocks(stream, LONGEST_LINE, _further):
        if not begun:
            begun = True
            if header := _HEADER.fullmatch(lines[0].strip()):
                modern = int(header[1]) > 2014
                first, lines = first + 1, lines[1:]
        if lines:
            sentence = _Sentence(name, first, lines, framework)
            graph = sentence.graph(modern)
            if graph is None:
                sentence.check(modern)
            yield sentence.record(graph)


def _further(lines: Lines, before: int, mark: int) -> bool:
    """Return whether a comment follows tokens: a blank line is missing before it."""
    # What cannot be read is not a token.
    return any(
        line[:1] != b"#" and isinstance(text_of(line, ""), str)
        for line in lines[before:mark]
    )


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    yield f"{HEADER}\n".encode()
    for graph in graphs:
        yield ("\n".join(lines_of(graph)) + "\n\n").encode()


def _rows(graph: Graph) -> tuple[list[str], dict[NodeId, int]]:
    """The tokens' forms, and the number of each node's token."""
    where = {}
    for node in graph.nodes:
        if not node.anchors:
            found = f"node {node.id} without anchors in graph {graph.id!r}"
            raise InvalidGraphError(found, "a token for each node for SDP")
        start = min(anchor.start for anchor in node.anchors)
        where[node.id] = Anchor(start, max(anchor.end for anchor in node.anchors))
    tokens, forms = graph.tokens, forms_of(graph)
    if not tokens or not set(where.values()) <= set(tokens):
        tokens = tuple(_split(graph, sorted(set(where.values()))))
        forms = [graph.text[start:end] for start, end in tokens]
    number_of = {anchor: number for number, anchor in enumerate(tokens, 1)}
    numbers: dict[NodeId, int] = {}
    for name, anchor in where.items():
        number = number_of[anchor]
        # Two tokens may share their characters; ids of a reader's are their numbers.
        if isinstance(name, int) and tokens[name - 1 : name] == (anchor,):
            number = name
        numbers[name] = number
    return forms, numbers


def _split(graph: Graph, anchors: list[Anchor]) -> Iterator[Anchor]:
    """Tokens of a text without any: those of the nodes, and words between them."""
    position = 0
    for anchor in anchors:
        for word in _WORD.finditer(graph.text, position, anchor.start):
            yield Anchor(*word.span())
        position = anchor.end
        yield anchor
    for word in _WORD.finditer(graph.text, position):
        yield Anchor(*word.span())


def _cell(value: Value) -> str:
    """Return the cell of a value."""
    return spell_value(value) or ABSENT


def lines_of(graph: Graph) -> Iterator[str]:
    r"""The lines of a graph in the layout of 2015, without the blank one after them.

    Properties other than ``pos`` and ``frame`` have no column.

    Args:
        graph: any graph whose nodes stand for a token each.

    Yields:
        The id, then a line for each token; nodes are put into their surface order.

    Raises:
        InvalidGraphError: if a node stands for no token.

    Example:
        >>> from graphscore.model.graph import Anchor, Edge, Node
        >>> dogs = Node(0, "dog", (), (Anchor(0, 4),))
        >>> bark = Node(1, None, (), (Anchor(5, 9),))
        >>> graph = Graph("1", "dm", 0, text="Dogs bark .", nodes=(dogs, bark),
        ...               edges=(Edge(1, 0, "ARG1"),), tops=(1,))
        >>> for line in lines_of(graph):
        ...     print(line.replace("\t", " "))
        #1
        1 Dogs dog _ - - _ ARG1
        2 bark _ _ + + _ _
        3 . _ _ - - _ _
    """
    forms, numbers = _rows(graph)
    cells: dict[tuple[int, int], str] = {}
    for edge in graph.edges:
        source, target = numbers[edge.source], numbers[edge.target]
        cells[target, source] = _cell(edge.label)
    tops = {numbers[top] for top in graph.tops}
    sources = {source for _, source in cells}
    linked = tops | sources | {target for target, _ in cells}
    idle = graph.extra.get(IDLE_PREDICATES)
    predicates = sources | (set(numbers.values()) - linked)
    if isinstance(idle, list):
        predicates |= set(numbers.values()) & {k for k in idle if isinstance(k, int)}
    columns = sorted(predicates)
    nodes = {numbers[node.id]: node for node in graph.nodes}
    kept = graph.extra.get(SKIPPED)
    skipped = kept if isinstance(kept, dict) else {}
    comments = graph.extra.get("comments")
    for comment in (graph.id, *(comments if isinstance(comments, list) else ())):
        yield "#" + _BREAK.sub(" ", str(comment))
    for number, form in enumerate(forms, 1):
        node = nodes.get(number)
        if node is not None:
            properties = {name.lower(): value for name, value in node.properties}
            values = [node.label, properties.get("pos"), properties.get("frame")]
        else:
            kept = skipped.get(str(number))
            values = kept if isinstance(kept, list) and len(kept) == 3 else [None] * 3
        lemma, pos, frame = (_cell(value) for value in values)
        flags = ["-+"[number in tops], "-+"[number in predicates]]
        labels = [cells.get((number, source), ABSENT) for source in columns]
        row = [str(number), _cell(form), lemma, pos, *flags, frame, *labels]
        yield "\t".join(row)


SKIPPED = "singletons"
"""Key of a graph for tokens that are no nodes: lemma, pos and frame by number."""

ABSENT = "_"

KEYED = re.compile(r"#\s*[^\s=]+\s*=(?:\s|$)")
"""A comment with a key, which is no id."""

SHARED = 1 << 14
"""Number of different properties of nodes that are cached."""

_BLANK, _FLAGS = frozenset("\r\t "), frozenset("+-")


@lru_cache(SHARED)
def _properties(pos: str, frame: str) -> Pairs:
    pairs = (("pos", pos), ("frame", frame))
    return tuple([pair for pair in pairs if pair[1] != ABSENT])


@lru_cache(1024)
def _numbers(count: int) -> tuple[str, ...]:
    """The ids of so many tokens."""
    return tuple(map(str, range(1, count + 1)))


def lay_out(
    item: str,
    framework: str,
    columns: Sequence[Sequence[str]],
    edges: Sequence[Edge],
    comments: Sequence[str] = (),
) -> Graph:
    """The graph of a table that has nothing wrong.

    Args:
        item: its id.
        framework: its framework.
        columns: the cells of all tokens, column by column: number, form, lemma, part of
            speech, marks of tops and predicates, and frames, where there are any.
        edges: from the numbers of predicates, in the order of the tokens.
        comments: those above it, but for its id.
    """
    ids, forms, lemmas, tags, marks, flags = columns[:6]
    frames = columns[6] if len(columns) > 6 else [ABSENT] * len(ids)
    text, tokens = join_tokens(forms)
    tops = tuple([number for number, mark in enumerate(marks, 1) if mark == "+"])
    predicates = {number for number, flag in enumerate(flags, 1) if flag == "+"}
    linked = {edge.target for edge in edges}.union(predicates, tops)
    nodes: list[Node] = []
    skipped: dict[str, list[str]] = {}
    cells = zip(lemmas, tags, frames, tokens, strict=True)
    for number, (lemma, pos, frame, token) in enumerate(cells, 1):
        if number in linked:
            label = None if lemma == ABSENT else lemma
            nodes.append(Node(number, label, _properties(pos, frame), (token,)))
        else:
            skipped[ids[number - 1]] = [lemma, pos, frame]
    extra: dict[str, Any] = {}
    if skipped:
        extra[SKIPPED] = skipped
    predicates.difference_update([edge.source for edge in edges])
    if predicates:
        extra[IDLE_PREDICATES] = sorted(predicates)
    if comments:
        extra["comments"] = comments
    return Graph(
        item,
        framework,
        0,
        text=text,
        tokens=tokens,
        nodes=tuple(nodes),
        edges=tuple(edges),
        tops=tops,
        extra=extra,
    )


def _table(
    rows: list[str], modern: bool | None
) -> tuple[list[tuple[str, ...]], list[Edge]] | None:
    """The columns before those of arguments, and the edges; ``None`` if any is bad.

    Args:
        rows: the lines of the tokens.
        modern: whether the file says that there is a column of frames; ``None`` where
            it says nothing.
    """
    columns = _columns(rows, 7)
    if len(columns) < 6:
        return None
    ids, forms, _, _, marks, flags = columns[:6]
    if (
        ids != _numbers(len(rows))
        or "" in forms
        or not _FLAGS.issuperset(marks)
        or not _FLAGS.issuperset(flags)
    ):
        return None
    predicates = [number for number, flag in enumerate(flags, 1) if flag == "+"]
    if modern is None:
        modern = rows[0].count("\t") + 1 == 7 + len(predicates)
    if not modern:
        columns = _columns(rows, 6)
    if len(columns) != (7 if modern else 6) + bool(predicates):
        return None
    edges = _edges(predicates, columns.pop()) if predicates else []
    return None if edges is None else (columns, edges)


def _columns(rows: list[str], fixed: int) -> list[tuple[str, ...]]:
    """Return as many columns, and the rest as one more; none if they are uneven."""
    try:
        return [*zip(*[row.split("\t", fixed) for row in rows], strict=True)]
    except ValueError:
        return []


def _edges(predicates: list[int], arguments: Sequence[str]) -> list[Edge] | None:
    """The edges of the last cells of rows; ``None`` if one is of another width."""
    nothing = "\t".join([ABSENT] * len(predicates))
    edges: list[Edge] = []
    for number, cells in enumerate(arguments, 1):
        if cells == nothing:
            continue
        labels = cells.split("\t")
        if len(labels) != len(predicates):
            return None
        pairs = zip(predicates, labels, strict=True)
        edges += [
            Edge(source, number, label) for source, label in pairs if label != ABSENT
        ]
    return edges
