"""Writing a graph as a UCCA passage in the standard XML.

What :mod:`graphscore.formats.meaning.ucca.passage` kept beside the graph is put back,
so that a passage that was read is written as it was.  A graph from elsewhere gets its
terminals from its anchors: the pieces into which the anchors' ends cut the text.  If
the text is not the terminals joined by blanks, it is written too (as ``extra
text="..."`` of the passage, where other readers overlook it), and nothing is lost.
What the format cannot say (labels, properties) is told as lost, or refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import msgspec
from lxml import etree

from graphscore.exceptions import GraphscoreError
from graphscore.formats.graph_diff import code_point
from graphscore.formats.meaning.ucca.passage import (
    FOUNDATIONAL,
    PUNCTUATION,
    PUNCTUATION_UNIT,
    TERMINAL,
    TERMINALS,
    UNITS,
    Leftover,
    Link,
    Passage,
    Strings,
    Terminal,
    Unit,
)
from graphscore.formats.writing import check_framework, spell_value
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.model.numbers import whole_number

_UNIT_ID = re.compile(r"1\.\d+")
_PUNCTUATION_ONLY = re.compile(r"[\W_]+")
_NO_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The XML document of the only graph.

    Args:
        graphs: exactly one; a file holds one passage.

    Yields:
        The bytes of the document.

    Raises:
        GraphscoreError: if there are more graphs, for another framework, or what is no
            part of a passage.
    """
    for number, graph in enumerate(graphs):
        if number:
            raise GraphscoreError(
                "a UCCA file holds one passage; name a folder to get a file for each"
            )
        yield _document(from_graph(graph))


def from_graph(graph: Graph) -> Passage:
    """The passage of a graph.

    Raises:
        GraphscoreError: for another framework, or what is no part of a passage.
    """
    check_framework(graph, ("ucca",), "UCCA XML")
    leftover = _leftover(graph)
    forms, ranges = _terminals(graph)
    known = leftover.terminals if len(leftover.terminals) == len(ranges) else None
    terminals = []
    for number, form in enumerate(forms):
        if known is not None:
            terminal = msgspec.structs.replace(known[number])
        else:
            terminal = Terminal(
                type=TERMINALS[bool(_PUNCTUATION_ONLY.fullmatch(form))],
                attributes={"paragraph": "1", "paragraph_position": str(number + 1)},
            )
        terminal.id, terminal.form = f"0.{number + 1}", form
        terminals.append(terminal)
    names = _names(graph)
    units = {node.id: _unit(node, names, ranges, terminals) for node in graph.nodes}
    incoming = _incoming_ids(graph.edges)
    for node in graph.nodes:
        if units[node.id].type == FOUNDATIONAL and not _extra_field(node, "type"):
            units[node.id].type = _kind(units[node.id], incoming.get(node.id, []))
    for edge in graph.edges:
        if edge.source not in units or edge.target not in units:
            shown = f"the edge {edge.source!r} -> {edge.target!r}"
            raise GraphscoreError(f"item {graph.id!r}: {shown} is not between nodes")
        _put(units[edge.source].links, _link(edge, names))
    by_name = {unit.id: unit for unit in units.values()}
    for link in leftover.implicit_links:
        if link.source in by_name:
            by_name[link.source].links.append(link)
    listed = [*by_name.values(), *leftover.implicit, *leftover.linkage]
    listed.sort(key=lambda unit: whole_number(unit.id.rpartition(".")[2]) or 0)
    blank = " ".join(forms) == graph.text
    return Passage(
        graph.id,
        leftover.annotation,
        leftover.attributes,
        leftover.extra,
        terminals,
        listed,
        leftover.layers,
        None if blank else graph.text,
    )


def _leftover(graph: Graph) -> Leftover:
    result = graph.extra.get("ucca", {})
    try:
        return msgspec.convert(result, Leftover)
    except msgspec.ValidationError as error:
        raise GraphscoreError(
            f"item {graph.id!r}: a field 'ucca' that no passage has ({error})"
        ) from None


def _terminals(graph: Graph) -> tuple[list[str], list[Anchor]]:
    """Forms and ranges of the terminals, in the order of the text."""
    anchors = [anchor for node in graph.nodes for anchor in node.anchors]
    ranges = [token for token in graph.tokens if token.start < token.end]
    ranges = sorted({*anchors, *ranges})
    if any(left.end > right.start for left, right in pairwise(ranges)):
        ends = sorted({end for range_ in ranges for end in range_})
        cut = [Anchor(*pair) for pair in pairwise(ends)]
        ranges = [
            piece
            for piece in cut
            if any(range_.start <= piece.start < range_.end for range_ in ranges)
        ]
    forms = [graph.text[start:end] for start, end in ranges]
    return forms, ranges


def _names(graph: Graph) -> dict[NodeId, str]:
    """Ids of the form ``1.n``, where the graph has others."""
    names = {node.id: str(node.id) for node in graph.nodes}
    if all(isinstance(k, str) and _UNIT_ID.fullmatch(k) for k in names):
        return names
    # The top comes first, as the format's own files have it.
    tops = set(graph.tops)
    order = sorted(names, key=lambda identity: identity not in tops)
    return {identity: f"1.{number}" for number, identity in enumerate(order, 1)}


def _extra_field(node: Node, name: str) -> Any:
    return dict(node.extra).get(name)


def _strings(value: Any) -> Strings:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _unit(
    node: Node,
    names: dict[NodeId, str],
    ranges: list[Anchor],
    terminals: list[Terminal],
) -> Unit:
    kind = _extra_field(node, "type")
    unit = Unit(
        names[node.id],
        kind if kind in UNITS else FOUNDATIONAL,
        _strings(_extra_field(node, "ucca_attributes")),
        _strings(_extra_field(node, "ucca_extra")),
        [],
    )
    for piece, terminal in zip(ranges, terminals, strict=True):
        if any(start <= piece.start < end for start, end in node.anchors):
            unit.links.append(Link(unit.id, terminal.id, [{"tag": TERMINAL}]))
    return unit


def _incoming_ids(edges: Iterable[Edge]) -> dict[NodeId, list[str]]:
    result: dict[NodeId, list[str]] = {}
    for edge in edges:
        result.setdefault(edge.target, []).append(spell_value(edge.label))
    return result


def _kind(unit: Unit, labels: list[str]) -> str:
    only = len(unit.links) == 1 and labels == [PUNCTUATION]
    return PUNCTUATION_UNIT if only else FOUNDATIONAL


def _link(edge: Edge, names: dict[NodeId, str]) -> Link:
    more = dict(edge.extra)
    return Link(
        names[edge.source],
        names[edge.target],
        [{"tag": spell_value(edge.label)} | _strings(more.get("ucca_category"))],
        dict(edge.attributes).get("remote") is True,
        _strings(more.get("ucca_attributes")),
        _strings(more.get("ucca_extra")),
    )


def _put(links: list[Link], link: Link) -> None:
    """Categories of one link that follow each other become one XML edge."""
    last = links[-1] if links else None
    if last is not None and msgspec.structs.replace(
        link, categories=last.categories
    ) == (last):
        tags = [category["tag"] for category in last.categories]
        if link.categories[0]["tag"] not in tags:
            last.categories.append(link.categories[0])
            return
    links.append(link)


def _document(passage: Passage) -> bytes:
    try:
        root = _element(passage)
    except ValueError as error:
        # Control characters and the like, which lxml does not name.
        matches = map(_NO_XML.search, _texts(msgspec.to_builtins(passage)))
        first = next((code_point(match[0]) for match in matches if match), None)
        what = f"XML cannot hold {first}" if first else str(error)
        raise GraphscoreError(f"item {passage.id!r}: {what}") from None
    document: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _texts(value: Any) -> Iterator[str]:
    """Everything that is text in there, names as well."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, element in value.items():
            yield from _texts(name)
            yield from _texts(element)
    elif isinstance(value, list):
        for element in value:
            yield from _texts(element)


def _element(passage: Passage) -> etree._Element:
    root = etree.Element("root", annotationID=passage.annotation, passageID=passage.id)
    etree.SubElement(root, "attributes", passage.attributes)
    extra = dict(passage.extra)
    if passage.text is not None:
        extra["text"] = passage.text
    _add_extra(root, extra)
    layer = etree.SubElement(root, "layer", layerID="0")
    etree.SubElement(layer, "attributes")
    for terminal in passage.terminals:
        node = etree.SubElement(layer, "node", ID=terminal.id, type=terminal.type)
        values = terminal.attributes | {"text": terminal.form}
        etree.SubElement(node, "attributes", values)
        _add_extra(node, terminal.extra)
    layer = etree.SubElement(root, "layer", layerID="1")
    etree.SubElement(layer, "attributes")
    for unit in passage.units:
        node = etree.SubElement(layer, "node", ID=unit.id, type=unit.type)
        etree.SubElement(node, "attributes", unit.attributes)
        _add_extra(node, unit.extra)
        for link in unit.links:
            _add_link(node, link)
    etree.indent(root)
    for text in passage.layers:
        # As they are: nothing is known of what blanks mean there.
        root.append(_layer(text, passage.id))
        root[-1].tail = "\n"
    return root


def _layer(text: str, identity: str) -> etree._Element:
    try:
        return etree.fromstring(
            text, etree.XMLParser(resolve_entities=False, no_network=True)
        )
    except etree.XMLSyntaxError as error:
        raise GraphscoreError(
            f"item {identity!r}: a layer in 'ucca' that is not XML ({error})"
        ) from None


def _add_extra(parent: etree._Element, values: Strings) -> None:
    if values:
        etree.SubElement(parent, "extra", values)


def _add_link(parent: etree._Element, link: Link) -> None:
    kind = link.categories[0].get("tag", "") if link.categories else ""
    edge = etree.SubElement(parent, "edge", toID=link.target, type=kind)
    remote = {"remote": "True"} if link.remote else {}
    etree.SubElement(edge, "attributes", remote | link.attributes)
    _add_extra(edge, link.extra)
    for category in link.categories:
        etree.SubElement(edge, "category", category)
