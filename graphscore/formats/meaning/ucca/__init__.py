"""UCCA: passages in the XML of the UCCA project, standard and site.

A file is one XML document with one passage; a folder of passages is read file
by file.  The standard XML has a layer of terminals and the foundational layer::

    <root passageID="wsj_0001.1">
      <layer layerID="0"><node ID="0.1" type="Word">
        <attributes text="Dogs" .../></node>...</layer>
      <layer layerID="1"><node ID="1.2" type="FN">
        <edge toID="0.1" type="Terminal">...</edge></node>...</layer>
    </root>

The XML of the annotation site nests units instead, see
:mod:`graphscore.formats.meaning.ucca.site`.  How a passage becomes a graph is told in
:mod:`graphscore.formats.meaning.ucca.passage`.

Format: https://github.com/UniversalConceptualCognitiveAnnotation/docs, FORMAT.md.
A document type declaration is refused, entities are not resolved, nothing is
fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from graphscore.errors import Problem
from graphscore.formats.base import Record
from graphscore.formats.meaning.ucca.passage import (
    TERMINAL,
    TERMINALS,
    UNITS,
    Link,
    Passage,
    Strings,
    Terminal,
    Unit,
    known,
    to_graph,
)
from graphscore.formats.meaning.ucca.site import read_site
from graphscore.formats.shared.records import SHOWN
from graphscore.formats.shared.xml_root import (
    LONGEST_DOCUMENT,
    Children,
    XmlDraft,
    attributes_of,
    root_of,
)
from graphscore.model.numbers import whole_number

_TRUTH = {"true": True, "false": False}


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    raw = stream.read(LONGEST_DOCUMENT + 1)
    yield parse_document(raw, name)


def parse_document(raw: bytes, name: str) -> Record:
    """One XML document.

    Args:
        raw: its bytes.
        name: the file's name, for problems.

    Returns:
        The graph of its passage, or a rejected record with everything that is
        wrong with it.
    """
    shown = raw if len(raw) <= LONGEST_DOCUMENT else raw[:SHOWN]
    findings = XmlDraft(name, 1, shown, framework="ucca")
    graph = None
    root = root_of(raw, name, "one passage")
    if isinstance(root, Problem):
        findings.problems.append(root)
    else:
        passage = Passage()
        if root.tag != "root":
            found = f"an element <{root.tag}>"
            findings.at(root, "", found, "<root>, a passage")
        elif root.find("units") is not None:
            passage = read_site(root, findings)
        else:
            passage = _read_standard(root, findings)
        findings.item = passage.id
        if not findings.problems:
            graph = to_graph(passage, findings)
    return findings.record(graph)


def _read_standard(root: etree._Element, findings: XmlDraft) -> Passage:
    annotation = known(root.get("annotationID", "0"), "0")
    passage = Passage(root.get("passageID", ""), annotation)
    if not passage.id:
        findings.at(root, "", "no passageID", "a passageID on <root>")
    passage.attributes = attributes_of(root, "attributes")
    passage.extra = attributes_of(root, "extra")
    passage.text = passage.extra.pop("text", None)
    layers: set[str] = set()
    seen: set[str] = set()
    for layer in root.findall("layer"):
        number = layer.get("layerID", "")
        if number in layers:
            findings.at(layer, "", f"a second layer {number!r}", "each layer once")
        layers.add(number)
        if number not in ("0", "1"):
            passage.layers.append(
                etree.tostring(layer, encoding="unicode", with_tail=False)
            )
            continue
        for element in layer.findall("node"):
            if _is_new(element, seen, findings):
                if number == "0":
                    passage.terminals.append(_terminal(element, findings))
                else:
                    passage.units.append(_unit(element, findings))
    for number, what in (("0", "terminals"), ("1", "units")):
        if number not in layers:
            findings.at(root, f"layer {number}", "nothing", f"the layer of {what}")
    # The file may list them in any order; their numbers are their places.
    passage.terminals.sort(key=lambda each: _position(each.id))
    return passage


def _position(identity: str) -> int:
    return whole_number(identity.rpartition(".")[2]) or 0


def _is_new(element: etree._Element, seen: set[str], findings: XmlDraft) -> bool:
    identity = element.get("ID")
    if not identity:
        findings.at(element, "", "a node without an ID", "an ID")
        return False
    if identity in seen:
        findings.at(element, f"node {identity}", "an ID that is taken", "a new ID")
        return False
    seen.add(identity)
    return True


def _terminal(element: etree._Element, findings: XmlDraft) -> Terminal:
    identity = element.get("ID", "")
    where = f"node {identity}"
    inner = Children(element)
    attributes = inner.attributes("attributes")
    form = attributes.pop("text", "")
    if not form:
        findings.at(element, where, "no text", "the form of the token, as text")
    if whole_number(identity.rpartition(".")[2]) is None:
        findings.at(element, where, repr(identity), "an ID that ends in a number")
    kind = known(element.get("type", ""), *TERMINALS)
    if kind not in TERMINALS:
        findings.at(element, where, f"type {kind!r}", " or ".join(TERMINALS))
    for edge in inner.all("edge"):
        findings.at(edge, where, "an edge from a terminal", "none")
    return Terminal(identity, form, kind, attributes, inner.attributes("extra"))


def _unit(element: etree._Element, findings: XmlDraft) -> Unit:
    identity = element.get("ID", "")
    where = f"node {identity}"
    kind = known(element.get("type", ""), *UNITS)
    if kind not in UNITS:
        findings.at(element, where, f"type {kind!r}", ", ".join(UNITS))
    inner = Children(element)
    attributes = inner.attributes("attributes")
    if attributes.get("implicit", "true").lower() not in _TRUTH:
        shown = f"implicit={attributes['implicit']!r}"
        findings.at(element, where, shown, "True or False")
    extra = inner.attributes("extra")
    unit = Unit(identity, kind, attributes, extra, [], element.sourceline or 0)
    for number, edge in enumerate(inner.all("edge"), 1):
        unit.links.append(_link(edge, identity, f"{where}, edge {number}", findings))
    return unit


def _link(element: etree._Element, source: str, where: str, findings: XmlDraft) -> Link:
    inner = Children(element)
    attributes = inner.attributes("attributes")
    said = attributes.pop("remote", "False")
    if said.lower() not in _TRUTH:
        findings.at(element, where, f"remote={said!r}", "True or False")
    if not element.get("toID"):
        findings.at(element, where, "no toID", "the ID of a node")
    categories: list[Strings] = []
    for category in inner.all("category"):
        values = attributes_of(category)
        if not values.get("tag"):
            findings.at(category, where, "a category without a tag", "one")
            values["tag"] = TERMINAL
        categories.append(values)
    if not categories:
        # Files of the first version say it on the edge alone.
        if not element.get("type"):
            findings.at(element, where, "neither a category nor a type", "one of them")
        categories.append({"tag": element.get("type", TERMINAL)})
    return Link(
        source,
        element.get("toID", ""),
        categories,
        _TRUTH.get(said.lower(), False),
        attributes,
        inner.attributes("extra"),
        element.sourceline or 0,
    )
