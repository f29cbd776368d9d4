r"""SBN: the Simplified Box Notation of the Parallel Meaning Bank.

A line for each sense of a word, in the order of the text, with its roles.  What a role
leads to is another sense, so many lines before or after, or a constant; a relation of
discourse opens the next box.  What follows ``%`` says which words it comes from::

    %%% p00/d0801
    person.n.01   EQU speaker     % I       [0-1]
    call.v.03     Agent -1        % call    [2-6]
                  EXPLANATION -1  % because [7-14]
    need.v.01     Theme -2        % needed  [15-21]

Documents stand in files of their own, or between blank lines.  Parsers write a document
a line, after its id or without one.

The graph is that of ud-boxer (Poelman, van Noord and Bos 2022, "Transparent Semantic
Parsing with Universal Dependencies Using Graph Transformations"): a node for every box,
sense and constant; edges ``member`` from a box to its senses, relations from box to
box, roles from a sense.  ``lemma``, ``pos`` and ``sense`` are properties.  Two roles
between the same nodes are both kept.

>>> import io
>>> text = b"dog.n.01\nbark.v.01 Agent -1 Time now"
>>> [record] = read(io.BytesIO(text), "a.sbn")
>>> [(node.id, node.label) for node in record.graph.nodes]
[('b0', 'box'), ('s0', 'sense'), ('s1', 'sense'), ('c0', 'now')]
>>> [(edge.source, edge.label, edge.target) for edge in record.graph.edges][-2:]
[('s1', 'Agent', 's0'), ('s1', 'Time', 'c0')]
>>> [record] = read(io.BytesIO(b"dog.n.01 Name"), "a.sbn")
>>> print(record.left_out[0])
a.sbn:1: Name: found nothing after it, expected an index or a constant

Bos 2023, "The Sequence Notation: Catching Complex Meanings in Simple Graphs".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from graphscore.formats.base import Record
from graphscore.formats.meaning.drg import (
    ITEM,
    NAMED,
    OFFSETS,
    item_of,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.records import LAST_POSITION, RecordBuilder
from graphscore.formats.source import bounded_lines
from graphscore.formats.writing import check_framework
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.model.joined_tokens import join_pieces
from graphscore.model.numbers import whole_number
from graphscore.structures.discourse import RELATIONS

OUTSIDE = "an index of no sense, read as a constant"
"""Note on an index that is out of range."""

LONGEST_LINE = 1024 * 1024
"""A longer line is no document."""

_COMMENT = re.compile(r"(?:^|\s)%(?:\s|$)")
_RANGE = re.compile(r"(.*?)\s*\[(\d+)-(\d+)\]\s*")
_NAMED_LINE = re.compile(r"([^\s,]+)(?:,|\t+)[ \t]*(.*)", re.DOTALL)

PEEKED = 1000
"""Lines that are looked at to tell documents of a line each."""


BOX, SENSE, MEMBER = "box", "sense", "member"
"""Labels of boxes and senses, and of the edge from one to the other."""

WRITTEN = "written"
"""Key of ``extra`` for constants, and indexes of relations, as they are written."""

HEADER = "header"
"""Key of a graph's ``extra`` for comment lines before the first sense."""

LEMMA = re.compile(r"(\S+)\.([nvars])\.(\d+)")
"""A sense: its lemma, part of speech and number."""

INVERTED = frozenset(
    {"InstanceOf", "AttributeOf", "ColourOf", "ContentOf", "PartOf", "SubOf"}
)
"""Roles that are read the other way round, as ud-boxer has them."""

ROLE = re.compile(r"[A-Z][A-Za-z0-9-]*")
_INDEX = re.compile(r"[+-]\d{1,6}")
_BOX_INDEX = re.compile(r"[<>]\d{1,6}")


class SourceLine(NamedTuple):
    """A line without its comment, and the words that it comes from."""

    number: int
    words: list[str]
    anchors: tuple[Anchor, ...]


class Build:
    """Nodes and edges of a document, word by word.

    Args:
        lines: what is said, line by line.
        draft: takes what is wrong.
    """

    def __init__(self, lines: list[SourceLine], draft: RecordBuilder) -> None:
        self.draft = draft
        self.nodes = [Node("b0", BOX)]
        self.edges: list[Edge] = []
        self.boxes, self.senses, self.constants = 1, 0, 0
        self.total = sum(self._is_sense(word) for line in lines for word in line.words)
        boxes = sum(
            word in RELATIONS or bool(_BOX_INDEX.fullmatch(after))
            for line in lines
            for word, after in zip(line.words, [*line.words[1:], ""], strict=True)
        )
        self.last_box = boxes
        for line in lines:
            self._line(line)

    def _is_sense(self, word: str) -> bool:
        return not word.startswith('"') and bool(LEMMA.fullmatch(word))

    def _leave_out(
        self, line: SourceLine, word: str, found: str, expected: str
    ) -> None:
        """Leave a role, a relation or a stray word out: the rest does without."""
        self.draft.leave_out(word[:60], found, expected, line.number)

    def _line(self, line: SourceLine) -> None:
        words, index = line.words, 0
        while index < len(words):
            word = words[index]
            index += 1
            if self._is_sense(word):
                self._sense(word, line)
            elif not ROLE.fullmatch(word):
                found = repr(word[:60])
                self._leave_out(line, word, found, "a sense, a role or a relation")
            elif index == len(words) or self._is_sense(words[index]):
                self._leave_out(
                    line, word, "nothing after it", "an index or a constant"
                )
            else:
                target = words[index]
                index += 1
                is_box = _BOX_INDEX.fullmatch(target) or word in RELATIONS
                (self._box if is_box else self._role)(word, target, line)

    def _sense(self, word: str, line: SourceLine) -> None:
        lemma, pos, number = word.rsplit(".", 2)
        name = f"s{self.senses}"
        self.senses += 1
        properties = (("lemma", lemma), ("pos", pos), ("sense", number))
        self.nodes.append(Node(name, SENSE, properties, line.anchors))
        self.edges.append(Edge(f"b{self.boxes - 1}", name, MEMBER))

    def _box(self, relation: str, index: str, line: SourceLine) -> None:
        expected = "the box that it follows, such as -1 or <1"
        if not _BOX_INDEX.fullmatch(index) and not _INDEX.fullmatch(index):
            self._leave_out(line, relation, repr(index), expected)
            return
        away = int(index[1:])
        box = self.boxes + (away if index[0] in ">+" else -away)
        if not 0 <= box <= self.last_box or not away:
            self._leave_out(line, relation, f"{index!r}, which is not a box", expected)
            return
        name = f"b{self.boxes}"
        self.boxes += 1
        self.nodes.append(Node(name, BOX))
        self.edges.append(
            Edge(
                f"b{box}",
                name,
                relation,
                anchors=line.anchors,
                extra=((WRITTEN, index),),
            )
        )

    def _role(self, role: str, target: str, line: SourceLine) -> None:
        if not self.senses:
            self._leave_out(
                line, role, "no sense before it", "a sense, such as dog.n.01"
            )
            return
        source = f"s{self.senses - 1}"
        normal = role.removesuffix("Of") if role in INVERTED else None
        if _INDEX.fullmatch(target):
            index = self.senses - 1 + int(target)
            if 0 <= index < self.total:
                self.edges.append(Edge(source, f"s{index}", role, normal))
                return
            current = self.senses - 1
            expected = f"an index from {-current:+} to {self.total - 1 - current:+}"
            where = f"{role} {target}"[:60]
            # The reader of ud-boxer takes it for a constant that looks like an index.
            self.draft.add(where, "no sense there", expected, line=line.number)
            self.draft.pass_over(OUTSIDE)
        name = f"c{self.constants}"
        self.constants += 1
        label = target
        if len(target) > 2 and target[0] == target[-1] and target[0] in "\"'":
            label = target[1:-1]
        self.nodes.append(Node(name, label, extra=((WRITTEN, target),)))
        self.edges.append(Edge(source, name, role, normal))


class _Document(RecordBuilder):
    """The lines of one document."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0, framework="sbn")
        self.lines: list[SourceLine] = []
        self.header: list[str] = []
        self.pieces: dict[Anchor, str] = {}

    def take(self, raw: bytes, number: int) -> None:
        """One line that is not blank, of a document of several."""
        self.line = self.line or number
        self.raw.append(raw)
        text = self.text(raw, number, LONGEST_LINE, "a word sense per line")
        if text is None:
            return
        if text.lstrip().startswith("%%%"):
            self._heading(text.strip())
            return
        content, comment = text, ""
        cut = _COMMENT.search(text)
        if cut:
            content, comment = text[: cut.start()], text[cut.end() :].strip()
        anchors = self._range(comment, number)
        words = self._words(content, number)
        if words:
            self.lines.append(SourceLine(number, words, anchors))

    def _heading(self, line: str) -> None:
        heading = line.removeprefix("%%%").strip()
        match = ITEM.search(heading)
        if heading.startswith(NAMED):
            self.item = heading[len(NAMED) :]
            return
        if match and not self.item:
            self.item = match[0]
        self.header.append(line)

    def _range(self, comment: str, number: int) -> tuple[Anchor, ...]:
        """The characters that a comment names; one without any is none."""
        match = _RANGE.fullmatch(comment)
        if match is None:
            return ()
        start, end = whole_number(match[2]), whole_number(match[3])
        if start is None or end is None or not start <= end <= LAST_POSITION:
            expected = "a range from a smaller to a larger position up to "
            found = f"[{match[2][:20]}-{match[3][:20]}]"
            self.add("%", found, f"{expected}{LAST_POSITION:,}", line=number)
            self.pass_over(OFFSETS)
            return ()
        anchor = Anchor(start, end)
        self.pieces.setdefault(anchor, match[1])
        return (anchor,)

    def _words(self, text: str, number: int) -> list[str]:
        """The words of a line; what stands in quotation marks is one."""
        words: list[str] = []
        quoted: list[str] = []
        for word in text.split():
            if quoted or (word.startswith('"') and not _is_closed(word)):
                quoted.append(word)
                if word.endswith('"') and len(quoted) > 1:
                    words.append(" ".join(quoted))
                    quoted = []
            else:
                words.append(word)
        if quoted:
            shown = " ".join(quoted)[:60]
            self.add(shown, "no end of it", 'a closing "', line=number)
        return words

    def of_line(self, raw: bytes, number: int) -> Iterator[Record]:
        """The graph of a line that is a document."""
        self.line, self.raw = number, [raw]
        text = self.text(raw, number, LONGEST_LINE, "a document per line")
        if text is not None:
            match = _NAMED_LINE.match(text.strip("\r\n"))
            if match and not LEMMA.fullmatch(match[1]):
                self.item, text = match[1], match[2]
            words = self._words(text, number)
            self.lines = [SourceLine(number, words, ())] if words else []
        yield from self.records(alone=True)

    def records(self, alone: bool = False) -> Iterator[Record]:
        """The graph, a rejected record, or nothing where all were comments.

        Args:
            alone: whether a line says nothing but an id.
        """
        if not self.lines and not self.problems:
            if not alone:
                return
            self.add(self.item, "nothing after the id", "word senses", line=self.line)
        build = Build(self.lines, self)
        text, tokens = join_pieces(self.pieces)
        if any(note.what == OFFSETS for note in self.notes):
            text = ""
        graph = Graph(
            self.item,
            "sbn",
            2,
            "",
            self.item,
            text,
            tokens,
            tuple(build.nodes),
            tuple(build.edges),
            ("b0",),
            {HEADER: self.header} if self.header else {},
        )
        yield self.record(graph)


def _is_closed(word: str) -> bool:
    return len(word) > 1 and word.endswith('"')


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    lines = bounded_lines(stream, LONGEST_LINE)
    first = list(islice(lines, PEEKED))
    whole = chain(first, lines)
    if of_lines(raw for _, raw in first):
        yield from _by_line(whole, name)
    else:
        yield from _by_block(whole, name)


def of_lines(lines: Iterable[bytes]) -> bool:
    """Return whether documents have a line each: some are whole, none has a comment.

    Args:
        lines: the first ones of a file.

    Example:
        >>> of_lines([b"dog.n.01 bark.v.01 Agent -1"]), of_lines([b"dog.n.01 % dog"])
        (True, False)
    """
    result = False
    for raw in lines:
        text = raw.decode("utf-8", "replace").strip()
        if text.startswith("%") or _COMMENT.search(text):
            return False
        result = result or _is_document(text)
    return result


def _is_document(text: str) -> bool:
    """Return whether a line is a document: it has an id, or two senses."""
    if text.startswith("%"):
        return False
    match = _NAMED_LINE.match(text)
    if match and not LEMMA.fullmatch(match[1]):
        text = match[2]
        if any(LEMMA.fullmatch(word) for word in text.split(None, 1)[:1]):
            return True
    senses = (word for word in text.split() if LEMMA.fullmatch(word))
    return len(list(islice(senses, 2))) > 1


def _by_line(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    for number, raw in lines:
        if raw.strip():
            yield from _Document(name).of_line(raw, number)


def _by_block(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    document = _Document(name)
    for number, raw in lines:
        text = raw.decode("utf-8", "replace").strip()
        # Of a file whose first lines do not tell that it has such documents.
        alone = _is_document(text) and not _COMMENT.search(text)
        # Before the id of another record, a blank line may be missing.
        if alone or not raw.strip() or (document.lines and item_of(raw)):
            yield from document.records()
            document = _Document(name)
        if alone:
            yield from _Document(name).of_line(raw, number)
        elif raw.strip():
            document.take(raw, number)
    yield from document.records()


Row = tuple[str, str, tuple[Anchor, ...]]
"""A line: the sense, its roles or a relation, and the words that it comes from."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document after the other.

    Boxes follow each other as their senses do, and a constant belongs to one role.

    Args:
        graphs: of the framework ``sbn``.

    Yields:
        The lines of each document, with the blank one after it.

    Raises:
        GraphscoreError: for another framework.
    """
    for graph in graphs:
        check_framework(graph, ("sbn",), "SBN")
        yield ("\n".join(_Written(graph).lines()) + "\n\n").encode()


class _Written:
    """The lines of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.boxes = _ordinals(graph, BOX)
        self.ordinals = _ordinals(graph, SENSE)
        self.nodes = {node.id: node for node in graph.nodes}

    def lines(self) -> list[str]:
        """Comments, then a line for each sense and each relation of boxes."""
        result = self._header()
        rows: list[Row] = []
        # In the order of the edges: roles may follow a relation that opens a box.
        for edge in self.graph.edges:
            if edge.label == MEMBER and edge.target in self.ordinals:
                node = self.nodes[edge.target]
                rows.append((_sense(node), "", node.anchors))
            elif edge.target in self.boxes:
                rows.append(("", self._relation(edge), edge.anchors))
            elif rows:
                sense, roles, anchors = rows[-1]
                rows[-1] = sense, f"{roles} {self._role(edge)}".lstrip(), anchors
        self._say_rest(rows)
        anchored = any(anchors for _, _, anchors in rows)
        first = max((len(sense) for sense, _, _ in rows), default=0)
        second = max((len(roles) for _, roles, _ in rows), default=0)
        for sense, roles, anchors in rows:
            if not anchored:
                line = f"{sense} {roles}" if sense else roles
            else:
                line = f"{sense:<{first}} {roles:<{second}} % {self._comment(anchors)}"
            result.append(line.rstrip())
        return result

    def _header(self) -> list[str]:
        graph = self.graph
        kept = kept_as(graph.extra, HEADER, list[str], [])
        lines = [line for line in kept if line.startswith("%%%") and "\n" not in line]
        named = [match[0] for line in lines if (match := ITEM.search(line))]
        if graph.id and graph.id not in named[:1]:
            named = []
            lines = [line for line in lines if not ITEM.search(line)]
            lines.insert(0, f"%%% {NAMED}{graph.id}")
        return lines

    def _role(self, edge: Edge) -> str:
        role = str(edge.label)
        if edge.target in self.ordinals:
            away = self.ordinals[edge.target] - self.ordinals.get(edge.source, 0)
            return f"{role} {away:+d}"
        node = self.nodes[edge.target]
        written = kept_as(node.extra, WRITTEN, str, "")
        return f"{role} {written or _constant(node)}"

    def _relation(self, edge: Edge) -> str:
        written = kept_as(edge.extra, WRITTEN, str, "")
        if not written:
            away = self.boxes[edge.target] - self.boxes.get(edge.source, 0)
            written = f"<{away}" if away > 0 else f">{-away}"
        return f"{edge.label} {written}"

    def _say_rest(self, rows: list[Row]) -> None:
        """Words that no sense comes from get lines of their own."""
        written = {anchor for _, _, anchors in rows for anchor in anchors}
        rest = [anchor for anchor in self.graph.tokens if anchor not in written]
        rows += [("", "", (anchor,)) for anchor in rest]

    def _comment(self, anchors: tuple[Anchor, ...]) -> str:
        if not anchors:
            return ""
        start, end = anchors[0]
        return f"{self.graph.text[start:end]} [{start}-{end}]".lstrip()


def _sense(node: Node) -> str:
    """A sense as it is written."""
    properties = dict(node.properties)
    return ".".join(str(properties.get(name, "")) for name in ("lemma", "pos", "sense"))


def _ordinals(graph: Graph, label: str) -> dict[NodeId, int]:
    """The nodes of a label, numbered in their order."""
    nodes = [node.id for node in graph.nodes if node.label == label]
    return {node: number for number, node in enumerate(nodes)}


def _constant(node: Node) -> str:
    """A constant as it is written: a name in quotation marks."""
    label = str(node.label)
    plain = label and not label[0].isupper() and not set(label) & set(" \t\n\"'%")
    return label if plain else f'"{label}"'
