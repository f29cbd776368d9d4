r"""BioC, as XML and as JSON: passages with annotations and relations.

Both say the same of a document, here as JSON::

    {"documents": [{"id": "7", "passages": [{"offset": 0, "text": "Naloxone helps",
      "annotations": [{"id": "1", "infons": {"type": "Chemical", "MESH": "D009270"},
        "locations": [{"offset": 0, "length": 8}], "text": "Naloxone"}]}],
      "relations": [{"infons": {"type": "treats"},
        "nodes": [{"refid": "1", "role": "drug"}, {"refid": "2", "role": ""}]}]}]}

The text of a document is its passages, or their sentences, with line ends between
these; offsets count characters from that of the passage.  A document is a graph of
``ner`` and one of ``relation``.  Relations are of annotations (``nodes``) or, where
they have none, of identifiers (``entity1`` and ``entity2`` of BioRED; ``Chemical``
and ``Disease`` of BC5CDR), which are entities as in
:mod:`graphscore.formats.extraction.pubtator`.

>>> import io
>>> data = b'''{"documents": [{"id": "7", "passages": [{"offset": 5, "text": "Aspirin",
... "annotations": [{"infons": {"type": "Chemical"}, "text": "Aspirin",
... "locations": [{"offset": 5, "length": 7}]}]}]}]}'''
>>> ner, relation = read_json(io.BytesIO(data), "a.json")
>>> ner.graph.nodes[0].label, ner.graph.nodes[0].anchors
('Chemical', (Anchor(start=0, end=7),))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, ClassVar, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from lxml import etree
from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError, Problem
from graphscore.formats.base import Record
from graphscore.formats.shared.json_files import JsonFile, failed_member, read_whole
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.layers import kept_as, kept_fields
from graphscore.formats.shared.marked_text import (
    INDEX,
    Marked,
    MarkedText,
    marked_texts,
)
from graphscore.formats.shared.records import SHOWN
from graphscore.formats.shared.span_fields import same_words, text_mismatch
from graphscore.formats.shared.xml_root import (
    LONGEST_DOCUMENT,
    attributes_of,
    root_of,
)
from graphscore.formats.writing import encode, naming, spell_value
from graphscore.model.graph import Anchor, Graph, Pairs
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.layout import ROLES

NAME, INFONS, PASSAGES, OWN = "annotation", "infons", "passages", "bioc"
"""Fields of ``extra``: id and infons of an annotation; passages and further fields of
a document."""

IDENTIFIERS = (
    *("identifier", "MESH", "MeSH", "OMIM", "NCBI Gene", "NCBI_Gene", "NCBIGene"),
    *("NCBI_Taxonomy", "NCBI Taxonomy", "cui"),
)
"""Infons with what a mention is resolved to, the most usual first."""

_LISTED = ("passage", "sentence", "annotation", "location", "relation", "node")
"""Elements of which there may be several, in JSON lists."""

_TYPES = ("type", "relation")
_ENTITIES = dict(zip(ROLES, ("entity1", "entity2"), strict=True))
_DOCUMENTS = re.compile(rb'"(?:documents|PubTator3)"\s*:\s*\[')
_BEGINS = re.compile(
    rb'\{(?=[^{}]{0,300}(?:\{[^{}]{0,900}\}[^{}]{0,300})?"passages"\s*:)'
)
"""The beginning of a document, which an annotation is not."""
_DECLARATION = re.compile(
    rb"<!DOCTYPE\s+collection\s+SYSTEM\s+[\"'][^\"'<>\[]*[\"']\s*>"
)


_identity: Any = str | int


class _Location(Struct):
    offset: int
    length: int


class _Annotation(Struct):
    expected: ClassVar = {"text": "the words of an annotation"}
    locations: list[_Location]
    infons: dict[str, Any] = {}
    id: str | int = ""
    text: str | None = None


class _Node(Struct):
    refid: str | int
    role: str = ""


class _Relation(Struct):
    infons: dict[str, Any] = {}
    nodes: list[_Node] = []


class _Passage(Struct):
    offset: int
    text: str | None = None
    infons: dict[str, Any] = {}
    annotations: list[Any] = []
    relations: list[Any] = []
    sentences: list[Any] = []


class _Part(NamedTuple):
    """A passage in the text of a document."""

    start: int
    offset: int
    size: int


def read_json(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a collection as JSON, or documents, one to a line.

    Args:
        stream: the file.
        name: its name.

    Yields:
        Two records for each document, or one that says what is wrong.
    """
    for line, where, value in _documents(stream, name):
        if isinstance(value, dict):
            yield from _Document(line, where, value).records()
        else:
            if not line.problems:
                line.add(where, shown(value), "a document")
            yield line.rejected()


def _documents(stream: BinaryIO, name: str) -> Iterator[tuple[JsonLine, str, Any]]:
    data = read_whole(stream)
    if data is None:
        line, where, value = failed_member(
            name, 1, "a file that is too long", "a collection"
        )
        yield line, where, value
        return
    file = JsonFile(data, name, _BEGINS)
    if not _DOCUMENTS.search(data) or data[file.start : file.start + 1] != b"{":
        for line, value in objects(BytesIO(data), name):
            yield line, "$", value
        return
    collection = file.scan(file.start)
    while (key := collection.next()) is not None:
        begins = data[collection.position : collection.position + 1] == b"["
        if key not in ("documents", "PubTator3") or not begins:
            collection.take()
            continue
        documents = file.scan(collection.position)
        for line, number, value in file.taken(documents, f"$.{key}"):
            yield line, f"$.{key}[{number}]", value
        collection.position = documents.position
    if collection.problem is not None:
        line, where, value = file.failed(len(data), *collection.problem)
        yield line, where, value


def read_xml(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a collection as XML; see :func:`read_json`."""
    raw = stream.read(LONGEST_DOCUMENT + 1)
    # What it declares is the DTD of BioC, which is not needed, and never fetched.
    raw = _DECLARATION.sub(lambda match: b"\n" * match[0].count(b"\n"), raw, count=1)
    root = root_of(raw, name, "a collection")
    line = JsonLine(name, 1, raw[:SHOWN])
    if isinstance(root, Problem):
        line.problems.append(root)
        yield line.rejected()
    elif root.tag != "collection":
        line.add("", f"an element <{root.tag}>", "<collection>")
        yield line.rejected()
    else:
        for element in root.iterchildren("document"):
            line = JsonLine(name, element.sourceline or 1, etree.tostring(element))
            fields = _fields(element)
            fields.setdefault(PASSAGES, [])
            yield from _Document(line, "$", fields).records()


def _fields(element: etree._Element) -> dict[str, Any]:
    """Return what JSON says of an element."""
    fields: dict[str, Any] = {
        key: _number(key, value) for key, value in attributes_of(element).items()
    }
    for inner in element:
        tag, text = str(inner.tag), inner.text or ""
        if tag == "infon":
            fields.setdefault(INFONS, {})[inner.get("key", "")] = text
        elif tag in ("id", "offset", "text"):
            fields[tag] = _number(tag, text)
        elif tag in _LISTED:
            fields.setdefault(f"{tag}s", []).append(_fields(inner))
    return fields


def _number(key: str, text: str) -> str | int:
    plain = text.isascii() and text.strip().isdigit() and len(text) < 12
    return int(text) if key in ("offset", "length") and plain else text


class _Document:
    """A document on its way to graphs."""

    def __init__(self, line: JsonLine, where: str, fields: dict[str, Any]) -> None:
        self.line, self.where, self.fields = line, where, fields
        self.marked = MarkedText()
        self.named: set[str] = set()
        self.texts: list[str] = []
        self.size = 0

    def records(self) -> Iterator[Record]:
        """Read the passages, and then the relations of all of them."""
        line, where, fields = self.line, self.where, self.fields
        item = line.typed(f"{where}.id", fields.get("id", ""), _identity)
        line.item = "" if item is None else str(item)
        annotations: list[tuple[str, Any, _Part]] = []
        relations = self._relations(where, fields.get("relations", []))
        passages: list[dict[str, Any]] = []
        path = f"{where}.{PASSAGES}"
        typed = line.each(path, fields.get(PASSAGES), _Passage)
        for at, passage in self._parts(typed):
            part = _Part(self.size, passage.offset, len(passage.text or ""))
            self.texts.append(passage.text or "")
            self.size += part.size + 1
            passages.append({"offset": part.offset, "size": part.size})
            if passage.infons:
                passages[-1][INFONS] = passage.infons
            for number, annotation in enumerate(passage.annotations):
                annotations.append((f"{at}.annotations[{number}]", annotation, part))
            relations += self._relations(at, passage.relations)
        self.text = "\n".join(self.texts)
        for at, value, part in annotations:
            self._annotation(at, value, part)
        for at, relation in [] if line.problems else relations:
            self._relation(at, relation)
        plain = passages in ([], [{"offset": 0, "size": len(self.text)}])
        extra: dict[str, Any] = {} if plain else {PASSAGES: passages}
        extra |= further(fields, ("id", PASSAGES, "relations"), OWN)
        yield from self.marked.records(line, self.text, extra=extra)

    def _parts(
        self, passages: Iterable[tuple[str, Any, _Passage]]
    ) -> Iterator[tuple[str, _Passage]]:
        """Yield passages; in place of one without a text, its sentences."""
        for at, _, passage in passages:
            path = f"{at}.sentences"
            sentences = self.line.each(path, passage.sentences, _Passage)
            if passage.text is None and passage.sentences:
                yield from ((inside, sentence) for inside, _, sentence in sentences)
                continue
            for _, _, sentence in sentences:
                passage.annotations += sentence.annotations
                passage.relations += sentence.relations
            yield at, passage

    def _relations(self, where: str, value: Any) -> list[tuple[str, _Relation]]:
        relations = self.line.each(f"{where}.relations", value, _Relation)
        return [(at, relation) for at, _, relation in relations]

    def _annotation(self, where: str, raw: Any, part: _Part) -> None:
        line = self.line
        annotation = line.typed(where, raw, _Annotation)
        if annotation is None:
            return
        name, infons = str(annotation.id), annotation.infons
        anchors: list[Anchor] = []
        for number, (offset, length) in enumerate(
            (location.offset - part.offset, location.length)
            for location in annotation.locations
        ):
            if not (0 <= offset < offset + length <= part.size):
                found = f"characters {offset + part.offset} and {length} of them"
                expected = f"a range within {part.offset} to {part.offset + part.size}"
                line.add(f"{where}.locations[{number}]", found, expected)
                return
            start = part.start + offset
            anchors.append(Anchor(start, start + length))
        if not anchors:
            line.add(f"{where}.locations", "[]", "a location")
            return
        own = annotation.text
        if (
            own
            and len(anchors) == 1
            and not same_words(own, self.text[slice(*anchors[0])])
        ):
            wrong = text_mismatch(own, *anchors[0], self.text)
            line.add(f"{where}.text", *(wrong or ("", "")))
            return
        properties: Pairs = ()
        for key in IDENTIFIERS:
            if infons.get(key) not in (None, ""):
                properties = ((AUTHORITY, str(infons[key])),)
                break
        label = infons.get("type")
        if not isinstance(label, str):
            line.add(f"{where}.infons.type", shown(label), "the type of an annotation")
            return
        usual = _infons(label, properties)
        extra: list[tuple[str, Any]] = [(NAME, name)] if name else []
        if infons != usual:
            extra.append((INFONS, infons))
        self.named.add(name)
        self.marked.mention(label, anchors, properties, name=name, extra=tuple(extra))

    def _relation(self, where: str, relation: _Relation) -> None:
        infons, line = relation.infons, self.line
        key = next((key for key in _TYPES if isinstance(infons.get(key), str)), "")
        label = infons.get(key)
        if not key:
            line.add(f"{where}.infons.type", shown(label), "the type of a relation")
            return
        ends: list[tuple[str, str]] = []
        for number, node in enumerate(relation.nodes):
            refid, path = str(node.refid), f"{where}.nodes[{number}].refid"
            if line.known(path, refid, self.named, "the id of an annotation"):
                ends.append((node.role or f"Arg{number + 1}", refid))
        if not relation.nodes:
            named = {role: infons.get(name) for role, name in _ENTITIES.items()}
            if None in named.values():
                named = {k: v for k, v in infons.items() if k not in _TYPES}
            if len(named) < 2:
                line.add(f"{where}.nodes", "[]", "nodes, or two identifiers in infons")
                return
            ends = [(r, self.marked.identified(str(i))) for r, i in named.items()]
        self.marked.relation(label, ends, extra=((INFONS, infons),))


def write_json(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as a collection in JSON.

    Args:
        graphs: of the frameworks ``ner`` and ``relation``; the two of a document follow
            one another.

    Yields:
        Pieces of the collection.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    joint = b'{"source": "", "date": "", "key": "", "infons": {}, "documents": ['
    yield joint
    joint = b"\n"
    for document in _written(graphs):
        yield joint + encode(document)
        joint = b",\n"
    yield b"\n]}\n"


def write_xml(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as a collection in XML; see :func:`write_json`."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<collection>\n'
    yield b"<source></source><date></date><key></key>\n"
    for document in _written(graphs):
        # Only these, of what else JSON may say, have a place in XML.
        known = ("id", INFONS, PASSAGES, "relations")
        document = {key: document[key] for key in known if key in document}
        yield f"{_element('document', document)}\n".encode()
    yield b"</collection>\n"


def _element(tag: str, fields: dict[str, Any]) -> str:
    attributes, inner = "", ""
    for key, value in fields.items():
        if isinstance(value, dict):
            for name, text in value.items():
                inner += f"<infon key={quoteattr(name)}>{_escape(text)}</infon>"
        elif isinstance(value, list):
            inner += "".join(_element(key[:-1], part) for part in value)
        elif tag in ("location", "node") or (key == "id" and tag != "document"):
            attributes += f" {key}={quoteattr(str(value))}"
        else:
            inner += f"<{key}>{_escape(value)}</{key}>"
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _escape(value: Any) -> str:
    return escape(str(value), {"\r": "&#13;"})


def _written(graphs: Iterable[Graph]) -> Iterator[dict[str, Any]]:
    for marked in marked_texts(graphs, "BioC"):
        with naming(marked.graph):
            document = _laid_out(marked)
        yield document


def _laid_out(marked: Marked) -> dict[str, Any]:
    graph, text = marked.graph, marked.graph.text
    names = marked.names(NAME, "")
    kinds = kept_as(graph.extra, PASSAGES, list[dict[str, Any]], [])
    if sum(kind.get("size", 0) + 1 for kind in kinds) != len(text) + 1:
        kinds = [{"offset": 0, "size": len(text)}]
    passages: list[dict[str, Any]] = []
    start = 0
    placed = 0
    for kind in kinds:
        offset, end = kind.get("offset", start), start + kind["size"]
        annotations: list[dict[str, Any]] = []
        for node in marked.mentions:
            inside = [start <= a.start < a.end <= end for a in node.anchors]
            if not inside or not all(inside):
                continue
            placed += 1
            infons = _infons(spell_value(node.label), node.properties)
            annotations.append(
                {
                    "id": names[node.id],
                    INFONS: kept_fields(node.extra, INFONS) or infons,
                    "locations": [
                        {"offset": a.start - start + offset, "length": a.end - a.start}
                        for a in node.anchors
                    ],
                    "text": " ".join(text[slice(*a)] for a in node.anchors),
                }
            )
        passages.append(
            {
                INFONS: kept_fields(kind, INFONS),
                "offset": offset,
                "text": text[start:end],
                "annotations": annotations,
            }
        )
        start = end + 1
    if placed < len(marked.mentions):
        raise InvalidGraphError("a mention that is not within a passage", "all within")
    relations = [
        _relation_fields(marked, number) for number in range(len(marked.relations))
    ]
    more = kept_fields(graph.extra, OWN)
    return {"id": graph.id, **more, PASSAGES: passages, "relations": relations}


def _infons(label: str, properties: Pairs) -> dict[str, Any]:
    """Return what an annotation says of itself, unless it says more."""
    entries = [value for name, value in properties if name == AUTHORITY]
    return {"type": label, **dict(zip(IDENTIFIERS[:1], entries, strict=False))}


def _relation_fields(marked: Marked, number: int) -> dict[str, Any]:
    node, edges = marked.relations[number]
    names = marked.names(NAME, "")
    infons = kept_fields(node.extra, INFONS) or {"type": spell_value(node.label)}
    nodes = [
        {"refid": names[edge.target], "role": spell_value(edge.label)}
        for edge in edges
        if edge.target in names
    ]
    if not nodes and edges:
        keys = {**_ENTITIES, **{k: k for k in infons if k not in _TYPES}}
        ends = [dict(marked.nodes[edge.target].properties) for edge in edges]
        for edge, end in zip(edges, ends, strict=True):
            role = spell_value(edge.label)
            infons[keys.get(role, role)] = spell_value(end.get(INDEX))
    return {"id": f"R{number + 1}", INFONS: infons, "nodes": nodes}
