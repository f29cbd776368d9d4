"""XML documents from strangers: no entities, no network, nothing without bounds.

>>> root_of(b"<a><b/></a>", "a.xml", "a").tag
'a'
>>> print(root_of(b"<a><b></a>", "a.xml", "a").found)
malformed XML (opening and ending tag mismatch: b line 1 and a)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from graphscore.exceptions import Problem
from graphscore.formats.shared.records import RecordBuilder

LONGEST_DOCUMENT = 64 * 1024 * 1024
"""A longer document is refused without being parsed."""

_LATE = re.compile(rb"(?:\xef\xbb\xbf)?([ \t\r\n]+)(<\?xml[^>]*\?>)")
"""A declaration below blank lines, where XML does not let it be."""

_DECLARED = ("a document type declaration", "XML without one")


class XmlDraft(RecordBuilder):
    """A record of XML while it is read."""

    def at(
        self, element: etree._Element, where: str, found: str, expected: str
    ) -> None:
        """Note a problem at an element.

        Args:
            element: where it is.
            where: what the element is called.
            found: what stands there.
            expected: what should.
        """
        self.add(where, found, expected, line=element.sourceline or 1)


MANY = 200
"""Attributes of an element, beyond which they are not asked for one by one."""


def attributes_of(element: etree._Element, inner: str = "") -> dict[str, str]:
    """The attributes of an element by their names, in order.

    Args:
        element: the element.
        inner: the one within it that is meant instead; it may be missing.
    """
    result = element.find(inner) if inner else element
    return {} if result is None else _attributes(result)


class Children(dict[str, list[etree._Element]]):
    """The elements within an element by their names, in order.

    Args:
        element: the element.
    """

    def __init__(self, element: etree._Element) -> None:
        for child in element:
            self.setdefault(child.tag, []).append(child)

    def all(self, name: str) -> list[etree._Element]:
        """Those of a name."""
        return self.get(name, [])

    def attributes(self, name: str) -> dict[str, str]:
        """The attributes of the first one of a name; there may be none."""
        return _attributes(self[name][0]) if name in self else {}


def _attributes(element: etree._Element) -> dict[str, str]:
    if len(element.attrib) > MANY:
        # Of an element, each is looked for among all; of a beginning tag, none is.
        names = _FirstAttributes()
        etree.fromstring(
            etree.tostring(element, with_tail=False),
            etree.XMLParser(
                target=names, resolve_entities=False, no_network=True, huge_tree=True
            ),
        )
        return names.found
    items: dict[str, str] = dict(element.items())
    return items


class _FirstAttributes:
    """Takes the attributes of the outermost element while it is parsed."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._begun = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if not self._begun:
            self.found = {str(name): str(value) for name, value in attributes.items()}
        self._begun = True

    def close(self) -> None:
        """The end of it."""


def _parser() -> etree.XMLParser:
    # huge_tree stays off: libxml2 then bounds depth, text and expansion itself.
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def root_of(raw: bytes, name: str, what: str) -> etree._Element | Problem:
    """The root of a document, or why there is none.

    A document type declaration is refused, entities are not resolved, nothing is
    fetched.

    Args:
        raw: the bytes of the document; more than :data:`LONGEST_DOCUMENT` are too many.
        name: what it is called, for problems.
        what: what a document holds, for problems.
    """
    line: int = 1
    column: int | None = None
    if len(raw) > LONGEST_DOCUMENT:
        result = f"a document of more than {LONGEST_DOCUMENT:,} bytes"
        return Problem(name, line, column, "", result, what)
    at = raw.find(b"<!DOCTYPE")
    if at >= 0:
        line = raw.count(b"\n", 0, at) + 1
        return Problem(name, line, column, "", *_DECLARED)
    if late := _LATE.match(raw):
        # Behind the declaration, blank lines are where they may be.
        raw = late[2] + late[1] + raw[late.end() :]
    try:
        root = etree.fromstring(raw, _parser())
    except etree.XMLSyntaxError as error:
        line, position = error.position
        column = position if position and position > 0 else None
        message = (error.msg or "nothing").rsplit(", line ", 1)[0]
        result = f"malformed XML ({message[:1].lower()}{message[1:]})"
        return Problem(name, line or 1, column, "", result, "well-formed XML")
    except (LookupError, ValueError) as error:
        result = f"XML that cannot be decoded ({error})"
        return Problem(name, line, column, "", result, "UTF-8")
    if root.getroottree().docinfo.doctype:
        # An encoding that hides the declaration from the search above.
        return Problem(name, line, column, "", *_DECLARED)
    return root
