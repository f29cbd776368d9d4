"""UCCA: passages in the XML of the UCCA project, standard and site.

A file is one XML document with one passage; a folder of passages is read file
by file.  The standard XML has a layer of terminals and the foundational layer::

    <root passageID="wsj_0001.1">
      <layer layerID="0"><node ID="0.1" type="Word">
        <attributes text="Dogs" .../></node>...</layer>
      <layer layerID="1"><node ID="1.2" type="FN">
        <edge toID="0.1" type="Terminal">...</edge></node>...</layer>
    </root>

The XML of the annotation site nests units instead, as they are in the tree::

    <root schemeVersion="1.0.4">
      <unitGroups><unit id="7" type="Process"/></unitGroups>
      <units passageID="12">
        <unit id="0" type="To Be Defined">          the passage
          <unit id="1" type="To Be Defined">        a paragraph
            <unit id="2" type="Parallel Scene">     a unit
              <unit id="3" type="To Be Defined"><word id="4">Dogs</word></unit>

There a terminal is a ``word`` in a wrapper of its own, which says whether it is
punctuation.  The pieces of a discontiguous unit name it by ``unitGroupID``; it is
described among the ``unitGroups``.  ``remoteUnit`` names by its ``id`` a unit that
stands elsewhere, ``implicitUnit`` stands for no words, ``linkage`` lists the
arguments of the linker it stands in.  The units are numbered as the UCCA project's
converter numbers them, in order of appearance, so that a passage has the same ids in
both kinds of XML.  How a passage becomes a graph is told in
:mod:`graphscore.formats.meaning.ucca.passage`.

Format: https://github.com/UniversalConceptualCognitiveAnnotation/docs, FORMAT.md.
A document type declaration is refused, entities are not resolved, nothing is
fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from graphscore.exceptions import Problem
from graphscore.formats.base import Record
from graphscore.formats.meaning.ucca.passage import (
    FOUNDATIONAL,
    LINKAGE,
    PUNCTUATION,
    PUNCTUATION_UNIT,
    TERMINAL,
    TERMINALS,
    UNITS,
    Link,
    Passage,
    Strings,
    Terminal,
    Unit,
    intern_constant,
    to_graph,
)
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
            findings.at(root, "", f"an element <{root.tag}>", "<root>, a passage")
        elif root.find("units") is not None:
            passage = read_site(root, findings)
        else:
            passage = _read_standard(root, findings)
        findings.item = passage.id
        if not findings.problems:
            graph = to_graph(passage, findings)
    return findings.record(graph)


def _read_standard(root: etree._Element, findings: XmlDraft) -> Passage:
    annotation = intern_constant(root.get("annotationID", "0"), "0")
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
    passage.terminals.sort(key=lambda terminal: _position(terminal.id))
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
    kind = intern_constant(element.get("type", ""), *TERMINALS)
    if kind not in TERMINALS:
        findings.at(element, where, f"type {kind!r}", " or ".join(TERMINALS))
    for edge in inner.all("edge"):
        findings.at(edge, where, "an edge from a terminal", "none")
    return Terminal(identity, form, kind, attributes, inner.attributes("extra"))


def _unit(element: etree._Element, findings: XmlDraft) -> Unit:
    identity = element.get("ID", "")
    where = f"node {identity}"
    kind = intern_constant(element.get("type", ""), *UNITS)
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
    remote = attributes.pop("remote", "False")
    if remote.lower() not in _TRUTH:
        findings.at(element, where, f"remote={remote!r}", "True or False")
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
        _TRUTH.get(remote.lower(), False),
        attributes,
        inner.attributes("extra"),
        element.sourceline or 0,
    )


CATEGORIES: dict[str, str] = {
    "Parallel Scene": "H",
    "Linked U": "H",
    "Participant": "A",
    "Process": "P",
    "State": "S",
    "aDverbial": "D",
    "Center": "C",
    "Elaborator": "E",
    "Connector": "N",
    "Relator": "R",
    "Role Marker": "R",
    "Time": "T",
    "Quantifier": "Q",
    "Function": "F",
    "Ground": "G",
    "Linker": "L",
}
"""The site's names of the categories of the foundational layer."""

_ATTRIBUTES = ("uncertain", "suggestion")


class _Site:
    """A site document on its way to a passage."""

    def __init__(self, root: etree._Element, findings: XmlDraft) -> None:
        self.findings = findings
        self.passage = Passage()
        self.groups: dict[str, etree._Element] = {}
        self.units: dict[str, Unit] = {}
        """The unit that an id of the site stands for."""
        self.words: set[str] = set()
        self.later: list[tuple[Unit, etree._Element]] = []
        self.head = self._new_unit(None, None, FOUNDATIONAL)
        for group in root.iterfind("unitGroups/unit"):
            identity = group.get("id", "")
            if not identity or identity in self.groups:
                self._add(group, repr(identity), "an id that no other group has")
            self.groups[identity] = group

    def _add(self, element: etree._Element, found: str, expected: str) -> None:
        identity = element.get("id")
        where = f"{element.tag} {identity}" if identity else str(element.tag)
        self.findings.at(element, where, found, expected)

    def _new_unit(
        self,
        parent: Unit | None,
        element: etree._Element | None,
        kind: str,
        tags: list[str] | None = None,
        implicit: bool = False,
    ) -> Unit:
        unit = Unit(f"1.{len(self.passage.units) + 1}", kind)
        if element is not None:
            unit.line = element.sourceline or 0
            unit.attributes = _flags(element)
            if remarks := element.get("remarks"):
                unit.extra = {"remarks": remarks}
        if implicit:
            unit.attributes = {"implicit": "True"} | unit.attributes
        self.passage.units.append(unit)
        if parent is not None:
            self._link(parent, unit.id, tags or [], element)
        return unit

    def _link(
        self,
        parent: Unit,
        target: str,
        tags: list[str],
        element: etree._Element | None,
        remote: bool = False,
    ) -> None:
        line = (element.sourceline if element is not None else 0) or 0
        categories = [{"tag": tag} for tag in tags]
        parent.links.append(
            Link(parent.id, target, categories, remote=remote, line=line)
        )

    def _tags(self, element: etree._Element) -> list[str]:
        tags = []
        for name in element.get("type", "").split("|"):
            tag = CATEGORIES.get(name)
            if tag is None:
                self._add(element, f"type {name!r}", "the name of a category")
            tags.append(tag or "H")
        return tags

    def paragraphs(self, units: etree._Element) -> None:
        """Read every paragraph of the passage."""
        for number, paragraph in enumerate(units.iterfind("unit/unit"), 1):
            before = len(self.passage.terminals)
            for element in paragraph:
                self._read(element, self.head, number, before)

    def _read(
        self, element: etree._Element, parent: Unit, paragraph: int, before: int
    ) -> None:
        if element.tag in ("remoteUnit", "linkage"):
            # They name units that may come later.
            self.later.append((parent, element))
        elif element.tag == "implicitUnit":
            tags = self._tags(element)
            unit = self._new_unit(parent, element, FOUNDATIONAL, tags, implicit=True)
            self._name(element, unit)
        elif element.tag != "unit":
            self._add(element, f"an element <{element.tag}>", "a unit")
        elif element.find("word") is not None:
            self._word(element, parent, paragraph, before)
        else:
            self._unit(element, parent, paragraph, before)

    def _word(
        self, element: etree._Element, parent: Unit, paragraph: int, before: int
    ) -> None:
        words = element.findall("word")
        if len(words) != 1 or len(element) != 1:
            self._add(element, f"{len(element)} elements around a word", "one word")
            return
        form = words[0].text or ""
        if not form.strip():
            self._add(words[0], "an empty word", "its form")
        terminals = self.passage.terminals
        punctuation = element.get("type") == "Punctuation"
        position = len(terminals) - before + 1
        terminal = Terminal(
            f"0.{len(terminals) + 1}",
            form,
            "Punctuation" if punctuation else "Word",
            {"paragraph": str(paragraph), "paragraph_position": str(position)},
        )
        terminals.append(terminal)
        if not punctuation:
            self.words.add(element.get("id", ""))
            self._link(parent, terminal.id, [TERMINAL], element)
            return
        unit = self._new_unit(parent, None, PUNCTUATION_UNIT, [PUNCTUATION])
        self._link(unit, terminal.id, [TERMINAL], element)
        self._name(element, unit)

    def _unit(
        self, element: etree._Element, parent: Unit, paragraph: int, before: int
    ) -> None:
        group = element.get("unitGroupID")
        described, inner = element, list(element)
        if group is not None:
            if group not in self.groups:
                self._add(element, f"unitGroupID {group!r}", "the id of a group")
                return
            described = self.groups[group]
        unit = self.units.get(group) if group is not None else None
        if unit is None:
            tags = self._tags(described)
            unit = self._new_unit(parent, described, FOUNDATIONAL, tags)
            if described is not element:
                self._name(described, unit)
                inner += list(described)
        self._name(element, unit)
        for child in inner:
            self._read(child, unit, paragraph, before)

    def _name(self, element: etree._Element, unit: Unit) -> None:
        identity = element.get("id")
        if not identity:
            self._add(element, "no id", "an id")
        elif identity in self.units:
            self._add(element, f"id {identity!r}, which is taken", "a new id")
        else:
            self.units[identity] = unit

    def references(self) -> None:
        """Resolve remote units and linkage, which name other units."""
        for parent, element in self.later:
            if element.tag == "linkage":
                self._linkage(parent, element)
                continue
            unit = self._unit_named(element, element.get("id", ""))
            tags = self._tags(element)
            if unit is not None:
                self._link(parent, unit.id, tags, element, remote=True)

    def _linkage(self, linker: Unit, element: etree._Element) -> None:
        names = [argument.strip() for argument in element.get("args", "").split(",")]
        units = [self._unit_named(element, name) for name in names]
        link = self._new_unit(None, None, LINKAGE)
        link.line = element.sourceline or 0
        self._link(link, linker.id, ["LR"], element)
        for unit in filter(None, units):
            self._link(link, unit.id, ["LA"], element)

    def _unit_named(self, element: etree._Element, identity: str) -> Unit | None:
        unit = self.units.get(identity)
        if unit is None:
            what = "a word" if identity in self.words else "nothing"
            self._add(element, f"{identity!r}, the id of {what}", "the id of a unit")
        return unit


def _flags(element: etree._Element) -> Strings:
    return {
        name: "True" for name in _ATTRIBUTES if element.get(name, "false") == "true"
    }


def read_site(root: etree._Element, findings: XmlDraft) -> Passage:
    """Read a document of the annotation site.

    Args:
        root: the whole document, with an element ``units``.
        findings: takes the problems.

    Returns:
        Its passage; of use if no problem was found.
    """
    site = _Site(root, findings)
    passage = site.passage
    units = root.find("units")
    if units is not None:
        passage.id = units.get("passageID", "")
        if not passage.id:
            findings.at(units, "units", "no passageID", "a passageID")
        site.paragraphs(units)
    site.references()
    passage.attributes = attributes_of(root, "attrib")
    if not passage.terminals and not findings.problems:
        findings.at(root, "units", "no words", "at least one word")
    return passage
