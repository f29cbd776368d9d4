r"""JSON of scorch: clusters of names of mentions, without any text.

A file is one document (https://github.com/LoicGrobol/scorch), whose mentions are
strings, the same on both sides if they are the same mention::

    {"name": "a", "type": "clusters", "clusters": {"7": ["0.0-1", "1.3-4"]}}
    {"name": "a", "type": "graph", "mentions": ["x", "y", "z"], "links": [["x", "y"]]}

A *graph* says which mentions have links; entities are what hangs together, so that a
mention without links is one.

A document gives one graph of framework ``coref``, called like its file: scorch pairs
files, whose ``name`` may be the same in all of them.  Where several documents are a
list or stand line by line they are called by their names, or else like the file with
their number.  A mention is a node with the name in its property ``text``; an entity is
called as the cluster is, or numbered.

>>> import io
>>> data = b'{"type": "graph", "mentions": ["x", "y", "z"], "links": [["z", "x"]]}'
>>> [record] = read(io.BytesIO(data), "a/b.json")
>>> record.graph.id, [(edge.source, edge.target) for edge in record.graph.edges]
('b', [('0', 0), ('0', 2), ('1', 1)])
>>> [record] = read(io.BytesIO(data.replace(b'["z", "x"]', b'["z"]')), "b.json")
>>> print(record.problems[0])
b.json:1: $.links[0]: found ['z'], expected the names of two mentions
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import (
    JsonLine,
    further,
    objects,
    shown,
    stated,
)
from graphscore.formats.source import stem_of
from graphscore.model.graph import NodeId
from graphscore.structures.layout import COREF, LayoutBuilder

CLUSTERS, GRAPH = "clusters", "graph"
"""The two types of documents."""

MENTIONS, LINKS = "mentions", "links"
"""What a graph has."""

OWN = "scorch"
"""Where ``extra`` of a graph keeps all other fields: the name, and links."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    stem, every = stem_of(name), objects(stream, name)
    for line, fields in every:
        following = next(every, None)
        several = following is not None
        yield _record(line, fields, f"{stem}/0" if several else stem, several)
        rest = chain([following] if following else (), every)
        for number, each in enumerate(rest, 1):
            yield _record(*each, f"{stem}/{number}", True)


def _record(
    line: JsonLine, fields: dict[str, Any] | None, name: str, several: bool
) -> Record:
    """The graph of one document.

    Args:
        line: the record.
        fields: its object.
        name: what it is called.
        several: whether that is so only where it has no name.
    """
    line.framework, line.item = COREF, name
    if fields is None:
        return line.rejected()
    if several and fields.get("name") is not None:
        line.item = line.identity(fields, "name", "the name of the document")
    kind = fields.get("type")
    if kind == CLUSTERS:
        build = _clusters(line, f"$.{CLUSTERS}", fields.get(CLUSTERS))
        used = {"type", CLUSTERS}
    elif kind == GRAPH:
        build = _linked(line, fields)
        used = {"type", MENTIONS}
    else:
        found = stated(fields, "type")
        line.add("$.type", found, f"{CLUSTERS!r} or {GRAPH!r}")
        return line.rejected()
    extra = further(fields, used, OWN)
    graph = build.graph(line.item, COREF, document=line.item, extra=extra)
    return line.record(graph)


def _named(line: JsonLine, where: str, value: Any) -> str | None:
    """The name of a mention: a string, or a number."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    line.add(where, shown(value), "the name of a mention")
    return None


def _clusters(line: JsonLine, where: str, value: Any) -> LayoutBuilder:
    """Entities with the names that each has; a list of lists has no ids."""
    build = LayoutBuilder()
    if isinstance(value, list):
        value = {str(number): each for number, each in enumerate(value)}
    found: dict[str, list[NodeId]] = {}
    for id, cluster in line.object(where, value, "clusters by their ids").items():
        found[id] = []
        for place, each in line.elements(f"{where}.{id}", cluster):
            name = _named(line, place, each)
            if name is not None:
                found[id].append(build.mention(None, text=name))
    for id, nodes in found.items():
        if nodes:
            build.entity(nodes, id=id)
    return build


def _linked(line: JsonLine, fields: dict[str, Any]) -> LayoutBuilder:
    """Entities as what links hold together; what only links name is a mention, too."""
    names: dict[str, str] = {}

    def head(name: str) -> str:
        """The first mention of what a mention hangs together with so far."""
        while names[name] != name:
            names[name] = name = names[names[name]]
        return name

    for place, each in line.elements(f"$.{MENTIONS}", fields.get(MENTIONS)):
        known = _named(line, place, each)
        if known is not None:
            names.setdefault(known, known)
    for place, each in line.elements(f"$.{LINKS}", fields.get(LINKS)):
        if not isinstance(each, list) or len(each) != 2:
            line.add(place, shown(each), "the names of two mentions")
            continue
        heads = [
            head(names.setdefault(end, end))
            for end in (_named(line, place, end) for end in each)
            if end is not None
        ]
        names.update(dict.fromkeys(heads, heads[0]) if heads else {})
    build = LayoutBuilder()
    entities: dict[str, list[NodeId]] = {}
    for name in names:
        node = build.mention(None, text=name)
        entities.setdefault(head(name), []).append(node)
    for number, nodes in enumerate(entities.values()):
        build.entity(nodes, id=str(number))
    return build
