"""The XML of UCCA's annotation site: units nested as they are in the tree.

::

    <root schemeVersion="1.0.4">
      <unitGroups><unit id="7" type="Process"/></unitGroups>
      <units passageID="12">
        <unit id="0" type="To Be Defined">          the passage
          <unit id="1" type="To Be Defined">        a paragraph
            <unit id="2" type="Parallel Scene">     a unit
              <unit id="3" type="To Be Defined"><word id="4">Dogs</word></unit>

A terminal is a ``word`` in a wrapper of its own, which says whether it is
punctuation.  The pieces of a discontiguous unit name it by ``unitGroupID``; it is
described among the ``unitGroups``.  ``remoteUnit`` names by its ``id`` a unit that
stands elsewhere, ``implicitUnit`` stands for no words, ``linkage`` lists the
arguments of the linker it stands in.

The units are numbered as the UCCA project's converter numbers them, in order of
appearance, so that a passage has the same ids in both kinds of XML.
"""

from __future__ import annotations

from lxml import etree

from graphscore.formats.meaning.ucca.passage import (
    FOUNDATIONAL,
    LINKAGE,
    PUNCTUATION,
    PUNCTUATION_UNIT,
    TERMINAL,
    Link,
    Passage,
    Strings,
    Terminal,
    Unit,
)
from graphscore.formats.shared.xml_root import XmlDraft, attributes_of

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
        found = []
        for name in element.get("type", "").split("|"):
            tag = CATEGORIES.get(name)
            if tag is None:
                self._add(element, f"type {name!r}", "the name of a category")
            found.append(tag or "H")
        return found

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
        place = len(terminals) - before + 1
        terminal = Terminal(
            f"0.{len(terminals) + 1}",
            form,
            "Punctuation" if punctuation else "Word",
            {"paragraph": str(paragraph), "paragraph_position": str(place)},
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
        for each in inner:
            self._read(each, unit, paragraph, before)

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
            unit = self._named(element, element.get("id", ""))
            tags = self._tags(element)
            if unit is not None:
                self._link(parent, unit.id, tags, element, remote=True)

    def _linkage(self, linker: Unit, element: etree._Element) -> None:
        names = [each.strip() for each in element.get("args", "").split(",")]
        found = [self._named(element, name) for name in names]
        link = self._new_unit(None, None, LINKAGE)
        link.line = element.sourceline or 0
        self._link(link, linker.id, ["LR"], element)
        for unit in filter(None, found):
            self._link(link, unit.id, ["LA"], element)

    def _named(self, element: etree._Element, identity: str) -> Unit | None:
        unit = self.units.get(identity)
        if unit is None:
            what = "a word" if identity in self.words else "nothing"
            found = f"{identity!r}, the id of {what}"
            self._add(element, found, "the id of a unit")
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
