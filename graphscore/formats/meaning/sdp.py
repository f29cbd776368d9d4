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

from graphscore.errors import InvalidGraphError
from graphscore.formats.base import Read, Record
from graphscore.formats.shared.columns import byte_column, without_tail
from graphscore.formats.shared.paragraphs import paragraphs
from graphscore.formats.shared.records import SHOWN, Draft, too_long
from graphscore.formats.texts import forms_of, joined
from graphscore.formats.writing import spelled
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

_HEADER = re.compile(rb"#\s*SDP\s+(\d{4})\s*")
"""The first line of a file of SDP 2015, with its year."""

FRAMEWORKS = ("dm", "pas", "psd", "ccd")

UNSAID = "sdp"
"""The framework of a file whose name does not tell."""

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no token; it is refused without holding it in memory."""

_WORDS = re.compile(r"[^0-9a-z]+")

HEADER = "#SDP 2015"

_BREAK = re.compile(r"[\t\n\r]")

_WORD = re.compile(r"\S+")

_WIDTH = 7
"""So many columns come before those of arguments, in the layout of 2015."""


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


class _Sentence(Draft):
    """The lines of one graph, gathering everything that is wrong."""

    def __init__(
        self, file: str, line: int, framework: str, modern: bool | None
    ) -> None:
        super().__init__(file, line, framework=framework)
        self.modern = modern
        self.named = False
        self.comments: list[str] = []
        self.rows: list[tuple[int, list[str]]] = []

    def take(self, number: int, raw: bytes) -> None:
        """One line that is not blank."""
        line = self.text(raw, number, LONGEST_LINE, "a token per line")
        self.raw.append(raw[:SHOWN] if too_long(raw, LONGEST_LINE) else raw)
        if line is None:
            return
        line = line.rstrip("\r\n ")
        if not line.startswith("#"):
            self.rows.append((number, without_tail(line.split("\t"), _WIDTH)))
        elif self.named or KEYED.match(line):
            self.comments.append(line[1:].strip())
        else:
            self.item, self.named = line[1:].strip(), True

    def _predicates(self) -> list[int]:
        """Check the columns; the numbers of the tokens that are predicates."""
        if not self.rows:
            self.add("", "an id without tokens", "a token per line")
        predicates = []
        for place, (line, columns) in enumerate(self.rows):
            if len(columns) < 6:
                found = f"{len(columns)} columns"
                self.add("", found, "at least 6, separated by tabs", line=line)
                continue
            if columns[0] != str(place + 1):
                self.add("id", repr(columns[0]), str(place + 1), 1, line)
            if not columns[1]:
                self.add("form", "nothing", "a token", byte_column(columns, 1), line)
            for position, name in ((4, "top"), (5, "pred")):
                if columns[position] not in ("+", "-"):
                    column = byte_column(columns, position)
                    self.add(name, repr(columns[position]), "+ or -", column, line)
            if columns[5] == "+":
                predicates.append(place + 1)
        return predicates

    def graph(self) -> Graph | None:
        """The graph, if nothing is wrong."""
        predicates = [] if self.problems else self._predicates()
        if self.problems:
            return None
        fixed = 7 if self.modern else 6
        if self.modern is None and len(self.rows[0][1]) == 7 + len(predicates):
            fixed = 7
        for line, columns in self.rows:
            if len(columns) != fixed + len(predicates):
                found = f"{len(columns)} columns"
                expected = f"{fixed} and one for each of {len(predicates)} predicates"
                self.add("", found, expected, line=line)
        if self.problems:
            return None
        table = [cells for _, cells in self.rows]
        heads = [*zip(*[cells[:fixed] for cells in table], strict=True)]
        edges = [
            Edge(source, number, label)
            for number, cells in enumerate(table, 1)
            for source, label in zip(predicates, cells[fixed:], strict=True)
            if label != ABSENT
        ]
        return laid(self.item, self.framework, heads, edges, self.comments)


class _Splitter:
    """Takes lines, gives records."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.framework = framework_of(name)
        self.modern: bool | None = None
        self.sentence: _Sentence | None = None
        self.begun = False

    @property
    def idle(self) -> bool:
        """Whether the first line is known, and there is nothing of a record so far."""
        return self.begun and self.sentence is None

    def plain(self, first: int, lines: list[bytes]) -> Read | None:
        """The graph of a paragraph, if nothing is uncommon."""
        return plain_graph(first, lines, self.framework, self.modern)

    def line(self, number: int, raw: bytes) -> Iterator[Record]:
        """One more line."""
        first, self.begun = not self.begun, self.begun or bool(raw.strip())
        if first and (header := _HEADER.fullmatch(raw.strip())):
            self.modern = int(header[1]) > 2014
            return
        blank = not raw.strip()
        sentence = self.sentence
        # Where a comment follows tokens, a blank line is missing.
        another = bool(sentence and sentence.rows) and raw.startswith(b"#")
        if blank or another:
            yield from self.end()
        if not blank:
            if self.sentence is None:
                args = self.name, number, self.framework, self.modern
                self.sentence = _Sentence(*args)
            self.sentence.take(number, raw)

    def end(self) -> Iterator[Record]:
        """The record so far, if there is one."""
        if self.sentence is not None:
            yield self.sentence.record(self.sentence.graph())
            self.sentence = None


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    splitter = _Splitter(name)
    yield from paragraphs(stream, LONGEST_LINE, splitter.plain, splitter)


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
    """What a column says of a value."""
    return spelled(value) or ABSENT


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
            said = [node.label, properties.get("pos"), properties.get("frame")]
        else:
            kept = skipped.get(str(number))
            said = kept if isinstance(kept, list) and len(kept) == 3 else [None] * 3
        lemma, pos, frame = (_cell(value) for value in said)
        flags = ["-+"[number in tops], "-+"[number in predicates]]
        labels = [cells.get((number, source), ABSENT) for source in columns]
        row = [str(number), _cell(form), lemma, pos, *flags, frame, *labels]
        yield "\t".join(row)


SKIPPED = "singletons"
"""Where a graph keeps the tokens that are no nodes: lemma, pos and frame by number."""

ABSENT = "_"

KEYED = re.compile(r"#\s*[^\s=]+\s*=(?:\s|$)")
"""A comment with a key, which is no id."""

SHARED = 1 << 14
"""So many different properties of nodes are remembered."""

_FLAGS = frozenset("+-")


@lru_cache(SHARED)
def _properties(pos: str, frame: str) -> Pairs:
    pairs = (("pos", pos), ("frame", frame))
    return tuple([pair for pair in pairs if pair[1] != ABSENT])


@lru_cache(1024)
def _numbers(count: int) -> tuple[str, ...]:
    """The ids of so many tokens."""
    return tuple(map(str, range(1, count + 1)))


def laid(
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
    text, tokens = joined(forms)
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


def plain_graph(
    first: int, lines: list[bytes], framework: str, modern: bool | None
) -> Read | None:
    """The graph of a paragraph.

    Args:
        first: the number of its first line.
        lines: its lines, none of them blank.
        framework: that of the file.
        modern: whether the file says that there is a column of frames; ``None`` where
            it says nothing.

    Returns:
        The graph; ``None`` if they are anything but an id and tokens.
    """
    try:
        text = b"".join(lines).decode()
    except UnicodeDecodeError:
        return None
    if "\r" in text or " \n" in text or text.endswith(" "):
        text = "\n".join([line.rstrip("\r\n ") for line in text.split("\n")])
    name, *rows = text.removesuffix("\n").split("\n")
    # Another line with a mark begins a graph, or is a comment.
    if not rows or name[:1] != "#" or "\n#" in text or "\t\n" in f"{text}\n":
        return None
    if KEYED.match(name):
        return None
    table = _table(rows, modern)
    if table is None:
        return None
    return Read(first, laid(name[1:].strip(), framework, *table))


def _table(
    rows: list[str], modern: bool | None
) -> tuple[list[tuple[str, ...]], list[Edge]] | None:
    """The columns before those of arguments, and the edges; ``None`` if any is bad."""
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
    """So many columns and, as one more, all that follows; none if they are uneven."""
    try:
        return [*zip(*[row.split("\t", fixed) for row in rows], strict=True)]
    except ValueError:
        return []


def _edges(predicates: list[int], arguments: Sequence[str]) -> list[Edge] | None:
    """The edges of the last cells of rows; ``None`` if one is of another width."""
    tabs = len(predicates) - 1
    nothing = "\t".join([ABSENT] * len(predicates))
    edges = []
    for number, cells in enumerate(arguments, 1):
        if cells == nothing:
            continue
        if cells.count("\t") != tabs:
            return None
        for source, label in zip(predicates, cells.split("\t"), strict=True):
            if label != ABSENT:
                edges.append(Edge(source, number, label))
    return edges
