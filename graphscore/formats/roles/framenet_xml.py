r"""FrameNet: frames and their elements, full texts and lexical units, as XML.

A full text of FrameNet 1.5 to 1.7 is a document of sentences with annotation sets::

    <fullTextAnnotation xmlns="http://framenet.icsi.berkeley.edu"> <header>...</header>
      <sentence ID="1"><text>She sold it.</text>
        <annotationSet ID="2" frameName="Commerce_sell" luName="sell.v" status="MANUAL">
          <layer name="Target" rank="1"><label name="Target" start="4" end="7"/></layer>
          <layer name="FE" rank="1"><label name="Seller" start="0" end="2"/>
            <label name="Buyer" itype="INI"/></layer>...

Files of lexical units (``lexUnit``) say the frame at the top, and the files of
SemEval-2007 task 19 and of SEMAFOR (``corpus``) have more elements in between.  Both
ends of a label are included, counted in characters of the text.

A sentence is one graph of the framework ``srl`` (:mod:`graphscore.structures.roles`):
a predicate labelled by the frame and anchored at its target, and an argument for each
label of the layers FE, labelled by the frame element.  What is not in the text has no
argument: it is a property of the predicate, named by its kind (``INI``, ``DNI``,
``CNI``...), and the frame element is its value.

>>> import io
>>> data = (b'<fullTextAnnotation><sentence ID="1"><text>She sold it.</text>'
...     b'<annotationSet frameName="Commerce_sell"><layer name="Target">'
...     b'<label name="Target" start="4" end="7"/></layer><layer name="FE">'
...     b'<label name="Seller" start="0" end="2"/><label name="Buyer" itype="INI"/>'
...     b'</layer></annotationSet></sentence></fullTextAnnotation>')
>>> [record] = read(io.BytesIO(data), "a.xml")
>>> [(node.label, node.properties, *node.anchors) for node in record.graph.nodes][0]
('Commerce_sell', (('kind', 'predicate'), ('INI', 'Buyer')), Anchor(start=4, end=8))
>>> [(edge.label, edge.target) for edge in record.graph.edges]
[('Seller', 'p1.1')]
>>> [record] = read(io.BytesIO(data.replace(b'"7"', b'"70"')), "a.xml")
>>> print(record.problems[0])
a.xml:1: sentence 1, Target: found 4 to 70, expected a range within 12 characters
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from lxml import etree

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.shared.records import SHOWN
from graphscore.formats.shared.xml_root import (
    LONGEST_DOCUMENT,
    XmlDraft,
    attributes_of,
    root_of,
)
from graphscore.model.graph import Anchor, Edge, Graph, Node, Value
from graphscore.structures.layout import ARGUMENT, KIND, PREDICATE
from graphscore.structures.roles.sentence import SRL

SENTENCE = "framenet"
"""In ``extra`` of a graph: the attributes of its sentence."""

UNIT, STATUS, RANK = "lu", "status", "rank"
"""Properties: of predicates the lexical unit and how far the annotation is; of
arguments the layer, where it is not the first one."""

GRAMMAR = {"GF": "gf", "PT": "pt"}
"""Layers with the grammatical function and the phrase type of arguments, and the
properties of arguments that say them."""

ROOTS = ("fullTextAnnotation", "lexUnit", "corpus")
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_UNNAMED = ("", "0")


class Label(NamedTuple):
    """A label of a layer."""

    name: str
    rank: str
    itype: str
    anchor: Anchor | None
    """Its characters; ``None`` for what is not in the text."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    raw = stream.read(LONGEST_DOCUMENT + 1)
    root = root_of(raw, name, "full text, or sentences of a lexical unit")
    document = XmlDraft(name, 1, raw[:SHOWN], framework=SRL)
    if isinstance(root, Problem):
        document.problems.append(root)
    elif (tag := _local(root)) not in ROOTS:
        expected = ", ".join(f"<{root_tag}>" for root_tag in ROOTS)
        document.at(root, "", f"an element <{tag}>", expected)
    else:
        yield from _sentences(root, name)
        return
    yield document.rejected()


def _sentences(root: etree._Element, name: str) -> Iterator[Record]:
    """The records of the sentences, with the documents that they are in."""
    corpus = document = ""
    documents: dict[str, str] = {}
    unit = (root.get("frame", ""), root.get("name", ""))
    if _local(root) != "lexUnit":
        unit = "", ""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        tag = _local(element)
        if tag == "corpus":
            corpus = element.get("name", "")
        elif tag == "document":
            known = element.get("name") or element.get("ID") or ""
            document = "__".join(part for part in (corpus, known) if part)
            documents[element.get("ID", "")] = document
        elif tag == "sentence":
            # Lexical units list all documents before the sentences.
            own = documents.get(element.get("docID", ""), document)
            yield _Sentence(element, name).read(own, *unit)


def _local(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


class _Sentence(XmlDraft):
    """The state of reading one sentence, and everything that is wrong with it."""

    def __init__(self, element: etree._Element, name: str) -> None:
        super().__init__(name, element.sourceline or 1, framework=SRL)
        self.element = element
        self.item = element.get("ID", "")
        self.sentence = ""
        texts = [child for child in element if _local(child) == "text"]
        if len(texts) != 1:
            self._problem(element, "", f"{len(texts)} texts", "one <text>")
        for piece in texts[:1]:
            self.sentence = "".join(map(str, piece.itertext()))
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.frames = 0

    def read(self, document: str, frame: str, unit: str) -> Record:
        """The graph, or what is wrong.

        Args:
            document: the document that it is in.
            frame: the frame of sets that do not say theirs.
            unit: the lexical unit of these.
        """
        for element in self.element.iter():
            if isinstance(element.tag, str) and _local(element) == "annotationSet":
                self._frame(element, frame, unit)
        if self.problems:
            self.raw = [etree.tostring(self.element, with_tail=False)]
            return self.rejected()
        attributes = attributes_of(self.element)
        graph = Graph(
            self.item,
            SRL,
            1,
            document=document,
            text=self.sentence,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            extra={SENTENCE: attributes} if attributes else {},
        )
        return ReadGraph(self.line, graph)

    def _frame(self, element: etree._Element, frame: str, unit: str) -> None:
        """Add the predicate of an annotation set, if it has a frame."""
        layers = self._layers(element)
        if element.get("frameName") is not None or not layers.get("Target"):
            frame, unit = element.get("frameName", ""), element.get("luName", "")
        if not frame:
            return
        self.frames += 1
        id = f"p{self.frames}"
        properties: list[tuple[str, Value]] = [(KIND, PREDICATE)]
        for key, value in ((UNIT, unit), (STATUS, element.get("status", ""))):
            if value:
                properties.append((key, value))
        elements = layers.get("FE", [])
        properties += [(label.itype, label.name) for label in elements if label.itype]
        targets = [label.anchor for label in layers.get("Target", []) if label.anchor]
        anchors = tuple(sorted(targets))
        self.nodes.append(Node(id, frame, tuple(properties), anchors))
        grammar: dict[tuple[str, Anchor | None], list[tuple[str, Value]]] = {}
        for layer, key in GRAMMAR.items():
            for label in layers.get(layer, []):
                grammar.setdefault((label.rank, label.anchor), []).append(
                    (key, label.name)
                )
        anchored = [
            (label, label.anchor) for label in elements if label.anchor is not None
        ]
        anchored.sort(key=lambda pair: pair[1])
        for number, (label, anchor) in enumerate(anchored, 1):
            piece = f"{id}.{number}"
            pairs: list[tuple[str, Value]] = [(KIND, ARGUMENT)]
            if label.rank not in ("", "1"):
                pairs.append((RANK, label.rank))
            pairs += grammar.get((label.rank, anchor), [])
            self.nodes.append(Node(piece, None, tuple(pairs), (anchor,)))
            self.edges.append(Edge(id, piece, label.name))

    def _layers(self, element: etree._Element) -> dict[str, list[Label]]:
        """The labels of an annotation set, by their layers."""
        names = ("Target", "FE", *GRAMMAR)
        by_layer: dict[str, list[Label]] = {}
        for layer in element.iter():
            name = layer.get("name", "")
            if not isinstance(layer.tag, str) or _local(layer) != "layer":
                continue
            labels = [e for e in layer.iter() if isinstance(e.tag, str)]
            labels = [label for label in labels if _local(label) == "label"]
            if name in names:
                every = by_layer.setdefault(name, [])
                every += [self._label(label, layer) for label in labels]
        return by_layer

    def _label(self, element: etree._Element, layer: etree._Element) -> Label:
        """A label, with a problem noted if it is none."""
        kind, name = layer.get("name", ""), element.get("name", "")
        rank, itype = layer.get("rank", ""), element.get("itype", "")
        start, end = element.get("start", ""), element.get("end", "")
        label = Label(name, rank, itype, None)
        if not name:
            self._problem(element, kind, "a label without a name", "its name")
        if itype and start in _UNNAMED and end in _UNNAMED:
            return label
        if not _NUMBER.fullmatch(start) or not _NUMBER.fullmatch(end):
            found = f"start {start[:60]!r} and end {end[:60]!r}"
            self._problem(element, kind, found, "two numbers of characters")
            return label
        first, last = int(start), int(end)
        if not first <= last < len(self.sentence):
            expected = f"a range within {len(self.sentence)} characters"
            self._problem(element, kind, f"{first} to {last}", expected)
            return label
        return Label(name, rank, "", Anchor(first, last + 1))

    def _problem(
        self, element: etree._Element, where: str, found: str, expected: str
    ) -> None:
        parts = (f"sentence {self.item}" if self.item else "", where)
        self.at(element, ", ".join(filter(None, parts)), found, expected)
