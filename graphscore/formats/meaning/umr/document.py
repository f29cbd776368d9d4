"""The sentences of a UMR document as one graph, with what is annotated across them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.documents import (
    IRREGULAR,
    LEVEL,
    NOTE,
    SENTENCE,
    VARIABLE,
)


class Document:
    """A document on its way, sentence by sentence.

    Args:
        name: its file.
        line: where it begins.
        item: what it is called, if the file says so.
    """

    def __init__(self, name: str, line: int, item: str) -> None:
        self.name, self.line, self.item = name, line, item
        self.left_out: list[Problem] = []
        """Problems of sentences that cannot be read, and of triples."""
        self._texts: list[str] = []
        self._start = 0
        self._tokens: list[Anchor] = []
        self._nodes: list[Node] = []
        self._tops: list[NodeId] = []
        self._constants: dict[str, Node] = {}
        self._known: dict[str, list[tuple[int, NodeId]]] = {}
        """The nodes of each variable that was met, and their sentences."""
        self._ids: set[NodeId] = set()
        self._edges: list[tuple[list[Edge], Annotation]] = []
        """The edges of each sentence, and what was annotated with it: nodes of that may
        be in a later one."""

    def add(self, sentence: Graph, annotation: Annotation) -> None:
        """One more sentence.

        Args:
            sentence: its graph.
            annotation: what was annotated with it.
        """
        start, number = self._start, len(self._texts) + 1
        self._texts.append(sentence.text)
        self._start += len(sentence.text) + 1
        self._tokens += [Anchor(a + start, b + start) for a, b in sentence.tokens]
        called = self._id(annotation.name or f"s{number}s0")
        whole = (Anchor(start, start + len(sentence.text)),) if sentence.text else ()
        pairs: Pairs = ((SENTENCE, number), *_sentence_properties(sentence))
        extra = tuple(_other_fields(sentence, annotation))
        self._nodes.append(Node(called, "sentence", pairs, whole, extra))
        ids: dict[NodeId, NodeId] = {}
        for node in sentence.nodes:
            ids[node.id] = new_id = self._id(str(node.id))
            self._nodes.append(
                Node(
                    new_id,
                    node.label,
                    ((VARIABLE, str(node.id)), *node.properties),
                    tuple(Anchor(a + start, b + start) for a, b in node.anchors),
                    node.extra,
                )
            )
        for variable, new in ids.items():
            self._known.setdefault(str(variable), []).append((number, new))
        edges = [
            Edge(ids[e.source], ids[e.target], e.label, e.normal, extra=e.extra)
            for e in sentence.edges
        ]
        self._edges.append((edges, annotation))
        self._tops += [ids[top] for top in sentence.tops]

    def _id(self, name: str) -> NodeId:
        """An id that no other node has."""
        result, more = name, 1
        while result in self._ids:
            more += 1
            result = f"{name}/{more}"
        self._ids.add(result)
        return result

    def _end(self, name: str, number: int) -> NodeId:
        """The node of a variable, or of a constant.

        Variables are said twice where documents were put into one file.
        """
        known = self._known.get(name)
        if known:
            before = [node for sentence, node in known if sentence <= number]
            return before[-1] if before else known[0][1]
        if name not in self._constants:
            self._constants[name] = Node(self._id(name), name)
        return self._constants[name].id

    def records(self) -> Iterator[ReadGraph]:
        """The graph."""
        edges: list[Edge] = []
        for number, (inside, annotation) in enumerate(self._edges, 1):
            edges += inside
            for index, triple in enumerate(annotation.triples):
                note = annotation.comments.get(index)
                attributes: Pairs = ((LEVEL, triple.level), (SENTENCE, number))
                if not triple.plain:
                    attributes = (*attributes, (IRREGULAR, True))
                edges.append(
                    Edge(
                        self._end(triple.head, number),
                        self._end(triple.tail, number),
                        triple.relation,
                        attributes=attributes,
                        extra=((NOTE, note),) if note else (),
                    )
                )
        graph = Graph(
            self.item,
            "umrdoc",
            1 if self._tokens else 2,
            document=self.item,
            text="\n".join(self._texts),
            tokens=tuple(self._tokens),
            nodes=(*self._constants.values(), *self._nodes),
            edges=tuple(edges),
            tops=tuple(self._tops),
        )
        yield ReadGraph(self.line, graph, tuple(self.left_out))


def _sentence_properties(sentence: Graph) -> Iterator[tuple[str, str]]:
    """Yield the properties of a sentence, besides its words, one a line.

    Glosses and translations are part of what was annotated.
    """
    header = sentence.extra.get("header")
    for line in header if isinstance(header, list) else []:
        name, colon, value = str(line).partition(":")
        if colon and not line.startswith("#"):
            yield name.strip(), value.strip()


def _other_fields(sentence: Graph, annotation: Annotation) -> Iterator[tuple[str, Any]]:
    """Yield the other fields of a sentence, so that it can be written again."""
    yield from sentence.extra.items()
    if -1 in annotation.comments:
        yield NOTE, annotation.comments[-1]


_TOKEN = re.compile(r"(?P<comment>#.*)|(?P<mark>[()])|(?P<word>[^\s()]+)")

_CLOSED = re.compile(r"\)\s*\)")

_TRIPLE = "head, relation and tail, as in (a :before b)"


class Triple(NamedTuple):
    """Two nodes of any sentences, or constants, and how they are related."""

    level: str
    """Level of the triple: ``temporal``, ``modal``, ``coref``."""
    head: str
    relation: str
    tail: str
    line: int
    plain: bool = True
    """True if nothing but triples, each closed on its line, stands in its level."""


class Annotation(NamedTuple):
    """Annotation of one sentence."""

    name: str
    """Name of the sentence in it."""
    triples: list[Triple]
    comments: dict[int, str]
    """Comments behind triples, by their number; -1 is the one before all."""
    wrong: list[tuple[int, str, str]]
    """Line, what was found, and what was expected."""


def triples(lines: list[tuple[int, str]]) -> Annotation:
    """Read the annotation of one sentence.

    Brackets that are missing at the end, or too many, cost nothing.  Words between
    triples are notes of people.

    Args:
        lines: with their numbers.
    """
    annotation = Annotation("", [], {}, [])
    name, level, depth = "", "", 0
    words: list[str] = []
    levels: list[_Level] = []
    opened = (0, 0)
    for number, line in lines:
        start = 0
        for token in _TOKEN.finditer(line):
            text = token[0]
            if token.lastgroup == "comment":
                _note(annotation, text.lstrip("# ").strip())
                continue
            if token.lastgroup == "word" and depth and not (words or depth > 1):
                # Outside of triples: the sentence's name, and what follows is about.
                if text.startswith(":"):
                    level, start = text[1:], token.end()
                    levels.append(_Level(level, len(annotation.triples)))
                elif not name:
                    name = text.rstrip("/")
                continue
            if token.lastgroup == "word":
                words.append(text)
                continue
            if words:
                _triple(annotation, level, words, number)
                if levels and not _tight(line, number, opened, token):
                    levels[-1].loose.add(len(annotation.triples) - 1)
                words = []
            if text == "(":
                opened = number, token.start()
            depth = depth + 1 if text == "(" else max(depth - 1, 0)
            if levels and depth == 1 and text == ")" and not levels[-1].closed:
                levels[-1].close(line[start:], len(annotation.triples))
        if levels and not levels[-1].closed:
            levels[-1].plain &= _only_triples(line[start:], first=start > 0)
    if words:
        _triple(annotation, level, words, lines[-1][0])
    _mark(annotation, levels)
    return annotation._replace(name=name)


class _Level:
    """One level of a sentence's annotation, such as ``modal``.

    Args:
        name: what it is about.
        first: the number of its first triple.
    """

    def __init__(self, name: str, first: int) -> None:
        self.name, self.first = name, first
        self.last: int | None = None
        """The number behind that of its last triple; ``None`` until it is closed."""
        self.plain = True
        self.loose: set[int] = set()
        """Triples with a blank inside their brackets, or cut by the end of a line."""

    @property
    def closed(self) -> bool:
        """True if its last bracket was met."""
        return self.last is not None

    def close(self, line: str, last: int) -> None:
        """End the level.

        Args:
            line: where its last bracket is, from the level's name on if that is there.
            last: the number of triples before that bracket.
        """
        self.last = last
        begins = line.strip().startswith(("(", ")"))
        ends = _CLOSED.search(line) is not None or last == self.first
        self.plain = self.plain and begins and ends


def _only_triples(line: str, *, first: bool) -> bool:
    """Return whether a line that does not end a level has only triples.

    Args:
        line: the line, from the level's name on if that is there.
        first: whether the level begins on it.
    """
    text = line.strip()
    if first:
        if not text.startswith("("):
            return not text
        text = text[1:].strip()
    return not text or (text[0] == "(" and text[-1] == ")")


def _tight(
    line: str, number: int, opened: tuple[int, int], token: re.Match[str]
) -> bool:
    """Return whether a triple fills its brackets and is closed on its own line."""
    position = token.start()
    return (
        token[0] == ")"
        and opened[0] == number
        and not line[opened[1] + 1 : opened[1] + 2].isspace()
        and not line[position - 1 : position].isspace()
    )


def _mark(annotation: Annotation, levels: list[_Level]) -> None:
    """Mark triples that are not plain; of several parts of a level one can be plain."""
    plain: set[str] = set()
    for level in levels:
        last = len(annotation.triples) if level.last is None else level.last
        counts = level.plain and level.closed and level.name not in plain
        if counts:
            plain.add(level.name)
        for number in range(level.first, last):
            if not counts or number in level.loose:
                annotation.triples[number] = annotation.triples[number]._replace(
                    plain=False
                )


def _note(annotation: Annotation, note: str) -> None:
    """Keep what is noted behind a triple, after a number sign or as bare words."""
    if note:
        last = len(annotation.triples) - 1
        before = annotation.comments.get(last)
        annotation.comments[last] = f"{before}; {note}" if before else note


def _triple(annotation: Annotation, level: str, words: list[str], line: int) -> None:
    """Add a triple, or what is wrong with it."""
    if not any(":" in word for word in words):
        _note(annotation, " ".join(words))
        return
    # A relation may stand right behind the head, or before the tail.
    parts = [part for word in words for part in re.split(r"(?=:)", word) if part]
    if len(parts) == 3 and len(parts[1]) > 1 and parts[1][0] == ":" and level:
        annotation.triples.append(Triple(level, parts[0], parts[1][1:], parts[2], line))
        return
    expected = _TRIPLE if level else ":temporal, :modal or :coref before it"
    annotation.wrong.append((line, repr(" ".join(words))[:80], expected))
