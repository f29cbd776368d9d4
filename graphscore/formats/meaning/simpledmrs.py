r"""DMRS in the notation SimpleDMRS: nodes and links in braces.

``dmrs``, an id if there is one, and in braces: first, in brackets, the characters and
the text, the top and the index; nodes ``10000 [predicate<from:to>("constant") type
NAME=value];``; links ``10000:ROLE/POST -> 10001;``.  The role of a link is the label of
its edge, what stands behind the slash the attribute ``post``.  A link from 0 says
which node is the top.  Format: https://pydelphin.readthedocs.io, ``simpledmrs``.

>>> import io
>>> text = b'''dmrs 7 { ["Dogs bark." top=2 index=2] 1 [_dog_n_1<0:4> x NUM=pl];
... 2 [_bark_v_1<5:9> e TENSE=pres]; 2:ARG1/NEQ -> 1; }'''
>>> [record] = read(io.BytesIO(text), "a.dmrs")
>>> record.graph.text, record.graph.nodes[0].properties, record.graph.edges[0].label
('Dogs bark.', (('NUM', 'pl'),), 'ARG1')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from graphscore.formats.base import Record
from graphscore.formats.meaning.braces import (
    CONSTANT,
    LONGEST_LINE,
    RANGE,
    BracedRecord,
    Splitter,
    visible_from,
)
from graphscore.formats.shared.paragraphs import paragraphs
from graphscore.formats.shared.records import LAST_POSITION
from graphscore.formats.writing import spell_value
from graphscore.model.frameworks import DMRS
from graphscore.model.graph import Anchor, Edge, Graph, Node, Value

POST = "post"
"""The attribute for what stands behind the slash of a link."""

_TEXT = r'"(?:[^"\\]++|\\.)*+"'
_MARK = re.compile(rf"{_TEXT}|[{{}}]")
_HEADER = re.compile(r"\s*dmrs(?:\s+([^\s{]+))?\s*")
_SYMBOL = r"[^\s\"'()/:;<=>\[\]{}]"
_LABEL = r"[^\s\"()<>\[\]{};=]"
_PAIRS = rf"(?>(?:\s*+{_SYMBOL}++=[^\s\];\[{{}}]++)*)"
_ATTRIBUTES = re.compile(
    rf"\s*+\[\s*+(?:<([-@#:\d ]*+)>)?\s*+({_TEXT})?({_PAIRS})\s*+\]"
)
_NODE = re.compile(
    rf"\s*+(?P<id>\d++)\s*+\[\s*+(?P<label>{_LABEL}++)(?:<(?P<lnk>[-@#:\d ]*+)>)?"
    rf"(?P<carg>\({_TEXT}\))?(?:\s++(?P<type>{_SYMBOL}++)(?!=))?(?P<pairs>{_PAIRS})"
    r"\s*+\]\s*+;"
)
_LINK = re.compile(
    rf"\s*+(?P<start>\d++)\s*+:\s*+(?P<role>{_SYMBOL}++)?/(?P<post>{_SYMBOL}++)\s*+"
    r"(?:->|--)\s*+(?P<end>\d++)\s*+;"
)
_PAIR = re.compile(rf"({_SYMBOL}+)=(\S+)")
_ESCAPED = re.compile(r"\\(.)")
_WORD = re.compile(rf"{_SYMBOL}+")
EXPECTED = 'id [predicate<from:to>("constant") type NAME=value]; or id:ROLE/POST -> id;'


class _Record(BracedRecord):
    """A graph on its way, node by node and link by link."""

    called: ClassVar[str] = DMRS

    def graph(self, text: str) -> Graph:
        self.nodes: dict[int, Node] = {}
        self.links: list[re.Match[str]] = []
        self.extra: dict[str, Any] = {}
        position = text.index("{") + 1
        if not _HEADER.fullmatch(text[: position - 1]):
            self.at(0, "", repr(text[:20]), _Splitter.headed)
        top, surface = None, ""
        match = _ATTRIBUTES.match(text, position)
        if match is not None:
            lnk, quoted, pairs = match.groups()
            if quoted:
                surface = _ESCAPED.sub(r"\1", quoted[1:-1])
            if lnk is not None:
                self.extra["lnk"] = lnk
            top = self._attributes(pairs, match.start(3))
            position = match.end()
        while (position := visible_from(text, position)) < len(text) - 1:
            if part := _NODE.match(text, position):
                self._node(part)
            elif part := _LINK.match(text, position):
                self._link(part)
            elif text[position:].rstrip() == "}":
                break
            else:
                end = text.find(";", position) + 1 or len(text)
                self.at(position, "", repr(text[position:end][:60]), EXPECTED)
                position = end
                continue
            position = part.end()
        return self._build(top, surface)

    def _build(self, top: int | None, surface: str) -> Graph:
        edges = []
        for link in self.links:
            start, end = int(link["start"]), int(link["end"])
            for name, node in (("start", start), ("end", end)):
                known = node in self.nodes or (node == 0 and name == "start")
                if not known and not self.problems:
                    self.at(link.start(name), name, repr(node), "the id of a node")
            # A link from 0 says the top, unless it is said before.
            if start != 0 or 0 in self.nodes:
                post = ((POST, link["post"]),)
                edges.append(Edge(start, end, link["role"], attributes=post))
            elif top is None:
                top = end
        if top is not None and top not in self.nodes and not self.problems:
            self.at(0, "top", repr(top), "the id of a node")
        nodes = tuple(self.nodes.values())
        if surface and any(a.end > len(surface) for x in nodes for a in x.anchors):
            # Another text than the one that the positions are in.
            self.extra["surface"], surface = surface, ""
        if self.comments:
            self.extra["comments"] = self.comments
        return Graph(
            self.item,
            DMRS,
            1,
            text=surface,
            nodes=nodes,
            edges=tuple(edges),
            tops=() if top is None else (top,),
            extra=self.extra,
        )

    def _attributes(self, pairs: str, position: int) -> int | None:
        top = None
        for name, value in _PAIR.findall(pairs):
            if name.lower() == "top" and _is_id(value):
                top = int(value)
            elif name.lower() == "index" and _is_id(value):
                self.extra["index"] = int(value)
            else:
                expected = "top=id or index=id"
                self.at(position, "graph", repr(f"{name}={value}"[:60]), expected)
        return top

    def _node(self, match: re.Match[str]) -> None:
        identity = match["id"]
        if not _is_id(identity) or int(identity) in self.nodes:
            self.wrong(match, "id", "an id of its own, a number up to nine digits")
            return
        extra: list[tuple[str, Any]] = []
        anchors: tuple[Anchor, ...] = ()
        properties: list[tuple[str, Value]] = []
        if match["lnk"] is not None:
            anchors = self._anchors(match, extra)
        if match["carg"] is not None:
            constant = _ESCAPED.sub(r"\1", match["carg"][2:-2])
            properties.append((CONSTANT, constant))
        if match["type"] is not None:
            extra.append(("type", match["type"]))
        properties += _PAIR.findall(match["pairs"])
        self.nodes[int(identity)] = Node(
            int(identity), match["label"], tuple(properties), anchors, tuple(extra)
        )

    def _anchors(
        self, match: re.Match[str], extra: list[tuple[str, Any]]
    ) -> tuple[Anchor, ...]:
        span = RANGE.fullmatch(match["lnk"])
        if span is None:
            extra.append(("lnk", match["lnk"]))
            return ()
        start, end = int(span[1]), int(span[2])
        if end < start or end > LAST_POSITION:
            self.wrong(match, "lnk", f"a range of characters up to {LAST_POSITION}")
        return (Anchor(start, end),)

    def _link(self, match: re.Match[str]) -> None:
        for name in ("start", "end"):
            if not _is_id(match[name]):
                self.wrong(match, name, "the id of a node")
                return
        self.links.append(match)


class _Splitter(Splitter):
    mark = _MARK
    header = _HEADER
    headed = "dmrs, its id if it has one, and a graph in braces"
    record_of = _Record

    def begins_another(self, record: BracedRecord, raw: bytes) -> bool:
        return raw.startswith(b"dmrs") and bool(record.opened or record.problems)


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    # Each begins with a word of its own, whatever is between them.
    for piece in paragraphs(stream, LONGEST_LINE, lambda *_: None, _Splitter(name)):
        yield piece.record


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs, one to a line."""
    for graph in graphs:
        yield f"{dmrs_text(graph)}\n".encode()


def dmrs_text(graph: Graph) -> str:
    """A graph in SimpleDMRS, on one line.

    Args:
        graph: a graph with one top or none, its node ids numbers from 1.

    Example:
        >>> dmrs_text(Graph("7", "dmrs", nodes=(Node(1, "_bark_v_1"),), tops=(1,)))
        'dmrs 7 { [top=1] 1 [_bark_v_1]; }'
    """
    head = ["dmrs", graph.id] if graph.id else ["dmrs"]
    attributes = []
    lnk = graph.extra.get("lnk")
    if isinstance(lnk, str) and re.fullmatch(r"[-@#:\d ]+", lnk):
        attributes.append(f"<{lnk}>")
    surface = graph.text or graph.extra.get("surface")
    if isinstance(surface, str) and surface:
        attributes.append(_quote(surface))
    attributes += [f"top={top}" for top in graph.tops]
    index = graph.extra.get("index")
    if type(index) is int and index >= 0:
        attributes.append(f"index={index}")
    pieces = [*head, "{", *([f"[{' '.join(attributes)}]"] if attributes else ())]
    pieces += [_node_text(node) for node in graph.nodes]
    pieces += [_link_text(edge) for edge in graph.edges]
    return " ".join([*pieces, "}"])


def _node_text(node: Node) -> str:
    extra = dict(node.extra)
    text = spell_value(node.label)
    lnk = extra.get("lnk")
    if node.anchors:
        start, end = node.anchors[0]
        text += f"<{start}:{end}>"
    elif isinstance(lnk, str) and re.fullmatch(r"[-@#:\d ]+", lnk):
        text += f"<{lnk}>"
    constants = [value for name, value in node.properties if name == CONSTANT]
    text += "".join(f"({_quote(str(value))})" for value in constants)
    kind = extra.get("type")
    words = [text]
    if isinstance(kind, str) and _WORD.fullmatch(kind):
        words.append(kind)
    words += [
        f"{name}={spell_value(value)}"
        for name, value in node.properties
        if name != CONSTANT
    ]
    return f"{node.id} [{' '.join(words)}];"


def _link_text(edge: Edge) -> str:
    post = spell_value(dict(edge.attributes).get(POST, "NEQ"))
    return f"{edge.source}:{spell_value(edge.label)}/{post} -> {edge.target};"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
