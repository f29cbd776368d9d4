r"""DRG: discourse representation structures in the clauses of the PMB.

A record is a block of lines between blank ones.  A clause is a line: a box, an
operator, its arguments; what follows ``%`` says which tokens it comes from::

    %%% bin/boxer --input out/p00/d0001/en.parse.tags ...
    %%% Dogs bark .
    b1 REF x1           % Dogs [0...4]
    b1 dog "n.01" x1    % Dogs [0...4]
    b1 REF e1           % bark [5...9]
    b1 bark "v.01" e1   % bark [5...9]
    b1 Agent e1 x1      % bark [5...9]
    % . [9...10]

The graph is that of the 2020 shared task on meaning representation parsing
(Abzianidze, Bos and Oepen 2020): a box is a node without a label, a referent is
a node labelled by its concept (``dog.n.01``), a constant is a node labelled by
itself with its quotes, a role is a node between its two arguments, joined by
edges without labels.  ``in`` leads from a box to what it holds; it is left out
for a role whose first argument is in that very box only.  A relation of two
boxes is an edge labelled by it.  A relation of three (older releases) is laid
out like a role.

>>> import io
>>> text = b'b1 REF x1 % Dogs [0...4]\nb1 dog "n.01" x1 % Dogs [0...4]'
>>> [record] = read(io.BytesIO(text), "a.clf")
>>> [(node.id, node.label) for node in record.graph.nodes]
[('b1', None), ('x1', 'dog.n.01')]
>>> record.graph.text, record.graph.tops
('Dogs', ('b1',))
>>> [record] = read(io.BytesIO(b"b1 REF b2"), "a.clf")
>>> print(record.problems[0])
a.clf:1: b1 REF b2: found 'b2', expected a referent after REF

Clauses: https://pmb.let.rug.nl/drs.php
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from graphscore.formats.base import Read, Record
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import bounded_lines
from graphscore.model.graph import Anchor, Edge, Graph, Node

LONGEST_LINE = 1024 * 1024
"""A longer line is no clause."""

LAST_POSITION = 1_000_000
"""No document of the PMB is longer; an offset beyond it is a mistake."""

_BOX = re.compile(r"b\d+")
_REFERENT = re.compile(r"[enpstx]\d+")
_CONSTANT = re.compile(r'"[^"]+"')
_SENSE = re.compile(r'"([a-z]\.\d+)"')
_TOKEN = re.compile(r"(\S+) \[(\d+)\.\.\.(\d+)\]\s*")
_ITEM = re.compile(r"\bp(\d+)/d(\d+)\b")

PRESUPPOSITION = "PRESUPPOSITION"


class Clause(NamedTuple):
    """One clause: a box says something of its arguments."""

    box: str
    operator: str
    arguments: tuple[str, ...]
    anchors: tuple[Anchor, ...]

    @property
    def kind(self) -> str:
        """What it says: ``ref``, ``concept``, ``boxes`` or ``role``."""
        if self.operator == "REF":
            return "ref"
        if len(self.arguments) == 1:
            return "boxes"
        return "concept" if _SENSE.fullmatch(self.arguments[0]) else "role"


class _Block(Draft):
    """The lines of one record."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line, framework="drg")
        self.clauses: list[Clause] = []
        self.tokens: dict[Anchor, str] = {}
        self.sentence = ""

    def take(self, raw: bytes, number: int) -> None:
        """One line that is not blank."""
        self.raw.append(raw)
        text = self.text(raw, number, LONGEST_LINE, "a clause per line")
        if text is None:
            return
        line = text.strip()
        if line.startswith("%%%"):
            self._header(line[3:].strip())
            return
        words = line.split()
        end = next((k for k, word in enumerate(words) if word[0] == "%"), len(words))
        clause, comment = words[:end], " ".join(words[end:])[1:].strip()
        anchors = self._comment(comment, number)
        if clause:
            self._clause(clause, anchors, number)

    def _header(self, line: str) -> None:
        match = _ITEM.search(line)
        if match:
            self.item = match[0]
        elif not line.endswith(":"):
            self.sentence = line

    def _comment(self, comment: str, number: int) -> tuple[Anchor, ...]:
        found: list[Anchor] = []
        position = 0
        while match := _TOKEN.match(comment, position):
            position = match.end()
            anchor = Anchor(int(match[2]), int(match[3]))
            if not anchor.start <= anchor.end <= LAST_POSITION:
                shown = f"[{anchor.start}...{anchor.end}]"
                expected = "a range from a smaller to a larger position up to"
                expected = f"{expected} {LAST_POSITION:,}"
                self.add(f"% {match[1]}", shown, expected, line=number)
            found.append(anchor)
            self.tokens.setdefault(anchor, match[1])
        rest = comment[position:]
        if "[" in rest:
            self.add(f"% {rest}", repr(rest), "TOKEN [START...END]", line=number)
        return tuple(found)

    def _clause(
        self, words: list[str], anchors: tuple[Anchor, ...], number: int
    ) -> None:
        wrong: tuple[str, str] | None
        if not _BOX.fullmatch(words[0]):
            wrong = repr(words[0]), "a box such as b1, at first"
        elif len(words) not in (3, 4):
            wrong = f"{len(words)} words", "3 or 4, as in b1 REF x1"
        else:
            clause = Clause(words[0], words[1], tuple(words[2:]), anchors)
            wrong = _wrong(clause)
            if wrong is None:
                self.clauses.append(clause)
        if wrong is not None:
            self.add(" ".join(words), *wrong, line=number)

    def records(self) -> Iterator[Record]:
        """The graph, a rejected record, or nothing where all were comments."""
        if self.problems:
            yield self.rejected()
        elif self.clauses or self.item or self.tokens:
            yield Read(self.line, self._graph())

    def _graph(self) -> Graph:
        text, tokens = self._text()
        nodes, edges = _layout(self.clauses)
        return Graph(
            self.item,
            "drg",
            2,
            "",
            self.item,
            text,
            tokens,
            nodes,
            edges,
            _tops(self.clauses),
            {"sentence": self.sentence} if self.sentence else {},
        )

    def _text(self) -> tuple[str, tuple[Anchor, ...]]:
        """The raw text, put together from the tokens at their offsets.

        ``~`` joins the words of a token and stands for one character.  Where
        tokens and offsets do not fit together there is no text.
        """
        anchors = tuple(sorted(self.tokens))
        if not anchors:
            words = [word for word in self.sentence.split() if word != "ø"]
            return " ".join(words), ()
        characters = [" "] * max(anchor.end for anchor in anchors)
        end = 0
        for anchor in anchors:
            token = self.tokens[anchor]
            if anchor.start < end or len(token) != anchor.end - anchor.start:
                return "", anchors
            end = anchor.end
            characters[anchor.start : end] = token.replace("~", " ")
        return "".join(characters), anchors


def _wrong(clause: Clause) -> tuple[str, str] | None:
    """What was found and expected, if the arguments do not fit the operator."""
    operator, arguments = clause.operator, clause.arguments
    if _is_variable(operator) or _CONSTANT.fullmatch(operator):
        return repr(operator), "an operator after the box"
    for each in arguments:
        if not _is_variable(each) and not _CONSTANT.fullmatch(each):
            return repr(each), 'a box, a referent such as x1, or a "constant"'
    last = arguments[-1]
    boxes = [bool(_BOX.fullmatch(each)) for each in arguments]
    if len(arguments) == 1:
        if operator == "REF":
            fits = _REFERENT.fullmatch(last)
            return None if fits else (repr(last), "a referent after REF")
        return None if boxes[0] else (repr(last), "a box, or a second argument")
    if operator == "REF":
        return f"{len(arguments)} arguments", "one referent after REF"
    if _SENSE.fullmatch(arguments[0]):
        fits = _REFERENT.fullmatch(last)
        return None if fits else (repr(last), "the referent of the concept")
    if boxes[0] and not boxes[1]:
        return repr(last), "two boxes, or none first"
    return None


def _is_variable(word: str) -> bool:
    return bool(_BOX.fullmatch(word) or _REFERENT.fullmatch(word))


def _layout(clauses: list[Clause]) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    concepts: dict[str, list[str]] = {}
    anchors: dict[str, dict[Anchor, None]] = {}
    held: dict[str, set[str]] = {}
    """The boxes that hold a referent."""
    for clause in clauses:
        anchors.setdefault(clause.box, {})
        for each in clause.arguments:
            if not _SENSE.fullmatch(each) or clause.kind != "concept":
                anchors.setdefault(each, {})
        subject = clause.arguments[-1]
        if clause.kind in ("ref", "concept"):
            held.setdefault(subject, set()).add(clause.box)
            anchors[subject].update(dict.fromkeys(clause.anchors))
        if clause.kind == "concept":
            sense = clause.arguments[0].strip('"')
            concepts.setdefault(subject, []).append(f"{clause.operator}.{sense}")
        elif clause.kind == "role" and _CONSTANT.fullmatch(subject):
            anchors[subject].update(dict.fromkeys(clause.anchors))
    nodes = [_node(each, concepts.get(each, []), anchors[each]) for each in anchors]
    edges: list[Edge] = []
    inside: set[tuple[str, str]] = set()
    roles = 0
    for clause in clauses:
        subject = clause.arguments[-1]
        if clause.kind == "boxes":
            edges.append(
                Edge(clause.box, subject, clause.operator, anchors=clause.anchors)
            )
        elif clause.kind != "role":
            if (clause.box, subject) not in inside:
                inside.add((clause.box, subject))
                edges.append(Edge(clause.box, subject, "in"))
        else:
            roles += 1
            role = f"r{roles}"
            nodes.append(Node(role, clause.operator, anchors=clause.anchors))
            if held.get(clause.arguments[0]) != {clause.box}:
                edges.append(Edge(clause.box, role, "in"))
            edges.append(Edge(clause.arguments[0], role))
            edges.append(Edge(role, subject))
    return tuple(nodes), tuple(edges)


def _node(name: str, concepts: list[str], anchors: Iterable[Anchor]) -> Node:
    label = concepts[0] if concepts else name if _CONSTANT.fullmatch(name) else None
    more = tuple(("concept", concept) for concept in concepts[1:])
    return Node(name, label, more, tuple(anchors))


def _tops(clauses: list[Clause]) -> tuple[str, ...]:
    """The boxes that no other holds and that are not presupposed."""
    boxes: dict[str, None] = {}
    presupposed: set[str] = set()
    below: set[str] = set()
    for clause in clauses:
        boxes.setdefault(clause.box)
        inner = [each for each in clause.arguments if _BOX.fullmatch(each)]
        boxes.update(dict.fromkeys(inner))
        if clause.operator == PRESUPPOSITION:
            presupposed.add(clause.box)
        else:
            below.update(inner)
    outer = tuple(box for box in boxes if box not in below)
    return tuple(box for box in outer if box not in presupposed) or outer


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    block: _Block | None = None
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        if raw.strip():
            block = block or _Block(name, number)
            block.take(raw, number)
        elif block is not None:
            yield from block.records()
            block = None
    if block is not None:
        yield from block.records()
