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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.meaning.sdp_write import ABSENT, HEADER, IDLE, SKIPPED, lines_of
from graphscore.formats.meaning.sniffers import SDP_HEADER
from graphscore.formats.shared.columns import byte_column
from graphscore.formats.shared.records import SHOWN, Draft, too_long
from graphscore.formats.source import bounded_lines
from graphscore.formats.texts import joined
from graphscore.model.graph import Edge, Graph, Node

FRAMEWORKS = ("dm", "pas", "psd", "ccd")

UNSAID = "sdp"
"""The framework of a file whose name does not tell."""

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no token; it is refused without holding it in memory."""

_WORDS = re.compile(r"[^0-9a-z]+")


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
        line = line.rstrip("\r\n")
        if not line.startswith("#"):
            self.rows.append((number, line.split("\t")))
        elif self.named:
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
        return None if self.problems else self._laid(predicates, fixed)

    def _laid(self, predicates: list[int], fixed: int) -> Graph:
        nodes: list[Node] = []
        edges: list[Edge] = []
        tops: list[int] = []
        skipped: dict[str, list[str]] = {}
        text, tokens = joined(columns[1] for _, columns in self.rows)
        for number, (_, columns) in enumerate(self.rows, 1):
            lemma, pos, top, pred = columns[2:6]
            frame = columns[6] if fixed == 7 else ABSENT
            taking_part = top == "+" or pred == "+"
            if top == "+":
                tops.append(number)
            for source, label in zip(predicates, columns[fixed:], strict=True):
                if label != ABSENT:
                    edges.append(Edge(source, number, label))
                    taking_part = True
            if not taking_part:
                skipped[str(number)] = [lemma, pos, frame]
                continue
            pairs = (("pos", pos), ("frame", frame))
            properties = tuple([pair for pair in pairs if pair[1] != ABSENT])
            name = None if lemma == ABSENT else lemma
            nodes.append(Node(number, name, properties, (tokens[number - 1],)))
        extra: dict[str, Any] = {}
        if skipped:
            extra[SKIPPED] = skipped
        idle = set(predicates) - {edge.source for edge in edges}
        if idle:
            extra[IDLE] = sorted(idle)
        if self.comments:
            extra["comments"] = self.comments
        return Graph(
            self.item,
            self.framework,
            0,
            text=text,
            tokens=tokens,
            nodes=tuple(nodes),
            edges=tuple(edges),
            tops=tuple(tops),
            extra=extra,
        )


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    framework = framework_of(name)
    modern: bool | None = None
    sentence: _Sentence | None = None
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        if number == 1 and (header := SDP_HEADER.fullmatch(raw)):
            modern = int(header[1]) > 2014
            continue
        if not raw.strip():
            if sentence is not None:
                yield sentence.record(sentence.graph())
                sentence = None
            continue
        if sentence is not None and sentence.rows and raw.startswith(b"#"):
            # A blank line is missing.
            yield sentence.record(sentence.graph())
            sentence = None
        sentence = sentence or _Sentence(name, number, framework, modern)
        sentence.take(number, raw)
    if sentence is not None:
        yield sentence.record(sentence.graph())


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    yield f"{HEADER}\n".encode()
    for graph in graphs:
        yield ("\n".join(lines_of(graph)) + "\n\n").encode()
