"""The sentences of a UMR document as one graph, with what is annotated across them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphscore.errors import Problem
from graphscore.formats.base import Read
from graphscore.formats.meaning.umr.annotation import Annotation
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
        """What is wrong with sentences that cannot be read, and with triples."""
        self._texts: list[str] = []
        self._start = 0
        self._tokens: list[Anchor] = []
        self._nodes: list[Node] = []
        self._edges: list[Edge] = []
        self._tops: list[NodeId] = []
        self._constants: dict[str, Node] = {}
        self._known: dict[str, list[tuple[int, NodeId]]] = {}
        """The nodes of each variable that was met, and their sentences."""
        self._ids: set[NodeId] = set()
        self._waiting: list[tuple[int, Annotation]] = []
        """Where the edges of each sentence begin, and what was annotated with it: its
        nodes may be in a later one."""

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
        said: Pairs = ((SENTENCE, number), *_said(sentence))
        extra = tuple(_kept(sentence, annotation))
        self._nodes.append(Node(called, "sentence", said, whole, extra))
        ids: dict[NodeId, NodeId] = {}
        for node in sentence.nodes:
            ids[node.id] = found = self._id(str(node.id))
            self._nodes.append(
                Node(
                    found,
                    node.label,
                    ((VARIABLE, str(node.id)), *node.properties),
                    tuple(Anchor(a + start, b + start) for a, b in node.anchors),
                    node.extra,
                )
            )
        for variable, new in ids.items():
            self._known.setdefault(str(variable), []).append((number, new))
        self._waiting.append((len(self._edges), annotation))
        for edge in sentence.edges:
            source, target = ids[edge.source], ids[edge.target]
            self._edges.append(
                Edge(source, target, edge.label, edge.normal, extra=edge.extra)
            )
        self._tops += [ids[top] for top in sentence.tops]

    def _id(self, wanted: str) -> NodeId:
        """An id that no other node has."""
        found, more = wanted, 1
        while found in self._ids:
            more += 1
            found = f"{wanted}/{more}"
        self._ids.add(found)
        return found

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

    def records(self) -> Iterator[Read]:
        """The graph."""
        edges: list[Edge] = []
        ends = [*(start for start, _ in self._waiting[1:]), len(self._edges)]
        for number, (start, annotation) in enumerate(self._waiting, 1):
            edges += self._edges[start : ends[number - 1]]
            for place, triple in enumerate(annotation.triples):
                note = annotation.comments.get(place)
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
        yield Read(self.line, graph, tuple(self.left_out))


def _said(sentence: Graph) -> Iterator[tuple[str, str]]:
    """What is said about a sentence, beside its words: a property each line.

    Glosses and translations are part of what was annotated.
    """
    header = sentence.extra.get("header")
    for line in header if isinstance(header, list) else []:
        name, colon, said = str(line).partition(":")
        if colon and not line.startswith("#"):
            yield name.strip(), said.strip()


def _kept(sentence: Graph, annotation: Annotation) -> Iterator[tuple[str, Any]]:
    """What else a document keeps of a sentence, so that it can be written again."""
    yield from sentence.extra.items()
    if -1 in annotation.comments:
        yield NOTE, annotation.comments[-1]
