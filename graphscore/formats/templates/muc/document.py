"""A message of MUC on its way to a graph: its templates and their fillers."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from graphscore.formats.shared.records import Draft
from graphscore.formats.templates.fillers import TEMPLATES
from graphscore.formats.templates.muc.fills import (
    DESCRIPTION,
    STRING,
    VALUE,
    XREF,
    Fill,
    FillError,
    Part,
    parsed,
    rejoined,
)
from graphscore.formats.templates.muc.slots import (
    INAPPLICABLE,
    MESSAGES,
    NOTHING,
    NUMBERS,
    SLOTS,
    STRINGS,
    TYPES,
)
from graphscore.model.graph import Graph, NodeId, Pairs
from graphscore.structures.layout import Argument, LayoutBuilder

OPTIONAL = "optional"
"""The property of a template, and the attribute of a slot, that need not be there."""

NUMBER = "number"
"""The property with the number that a template has in its message."""

NOT_FOR = "inapplicable"
"""The property with the name of a slot that cannot be filled (``*``)."""

ALTERNATIVE = "alternative"
"""The property of a value with what may stand in its place."""

BARE = "bare"
"""The property of a string that has no quotation marks where it should."""

SOURCE, COMMENTS, ORDER = "source", "comments", "slots"
"""In ``extra``: what follows the message's id, comments, other slots than MUC-4's."""

_ID = re.compile(r"(\S+)\s*(.*)")
_TEMPLATE = re.compile(r"(\d+)\s*(\(OPTIONAL\))?", re.IGNORECASE)


class Slot(NamedTuple):
    """A slot as it stands in the file."""

    line: int
    number: str
    name: str
    fills: list[tuple[int, str]]
    """Lines and what stands there."""


class Block(Draft):
    """A template as it stands in the file."""

    def __init__(self, name: str, line: int, *raw: bytes) -> None:
        super().__init__(name, line, *raw)
        self.slots: list[Slot] = []
        self.comments: list[str] = []

    @property
    def message(self) -> tuple[str, str]:
        """The message's id, and what may follow it."""
        names = [slot.fills[0][1] for slot in self.slots if slot.name in MESSAGES]
        found = _ID.match(next(filter(None, names), ""))
        return (found[1], found[2]) if found else ("", "")


class Document(Draft):
    """The templates of a message.

    Args:
        block: the first of them.
    """

    def __init__(self, block: Block) -> None:
        item, self.source = block.message
        super().__init__(block.name, block.line, framework=TEMPLATES, item=item)
        self.blocks = [block]

    def graph(self) -> Graph | None:
        """The graph of the message; ``None``, and problems, if there is none."""
        for block in self.blocks:
            self.absorb(block, b"\n")
        build = LayoutBuilder()
        if not self.item:
            number = sum(bool(block.slots) for block in self.blocks)
            if number:
                found = f"{number} templates" if number > 1 else "a template"
                self.add("", f"{found} without MESSAGE: ID", "its id")
            return None
        templates = [_Template(build, block, self) for block in self.blocks]
        for template in templates:
            template.read()
        filled = [template for template in templates if not template.none]
        for place, template in enumerate(filled, 1):
            template.add(place)
        extra: dict[str, Any] = {SOURCE: self.source} if self.source else {}
        empty = [c for t in templates if t.none for c in t.block.comments]
        if empty:
            extra[COMMENTS] = empty
        return build.graph(self.item, TEMPLATES, document=self.item, extra=extra)


class _Template:
    """One template, and the nodes of its fillers."""

    def __init__(self, build: LayoutBuilder, block: Block, draft: Draft) -> None:
        self.build, self.block, self.draft = build, block, draft
        self.properties: list[tuple[str, Any]] = []
        self.arguments: list[Argument] = []
        self.type: str | None = None
        self.none = False

    def read(self) -> None:
        """Make nodes of the fillers."""
        seen: set[str] = set()
        for slot in self.block.slots:
            if slot.name in seen:
                found, expected = "a slot a second time", "each slot once"
                self.draft.leave_out(slot.name, found, expected, slot.line)
                continue
            seen.add(slot.name)
            if slot.name in NUMBERS:
                self._number(slot)
            elif slot.name not in MESSAGES:
                self._slot(slot)
        if not seen & NUMBERS and not self.block.problems:
            found = "a template without MESSAGE: TEMPLATE"
            self.draft.leave_out("", found, "its number", self.block.line)
        if self.none and self.arguments:
            found = "fillers of a template *"
            self.draft.leave_out("", found, "none", self.block.line)

    def add(self, place: int) -> None:
        """Add the template itself, when all fillers are there.

        Args:
            place: its place, which is its number where the file has none.
        """
        if NUMBER not in dict(self.properties):
            self.properties.insert(0, (NUMBER, str(place)))
        extra: list[tuple[str, Any]] = []
        if self.block.comments:
            extra.append((COMMENTS, self.block.comments))
        names = [(slot.number, slot.name) for slot in self.block.slots]
        if names != [(str(number), name) for number, name in enumerate(SLOTS)]:
            extra.append((ORDER, [[number, name] for number, name in names]))
        properties = tuple(self.properties)
        self.build.template(self.type, self.arguments, properties, extra=tuple(extra))

    def _number(self, slot: Slot) -> None:
        line, text = slot.fills[0]
        found = _TEMPLATE.fullmatch(text)
        if text == INAPPLICABLE:
            self.none = True
        elif not found:
            expected = "a number, a number and (OPTIONAL), or *"
            self.draft.leave_out(slot.name, repr(text[:40]), expected, line)
        else:
            self.properties.insert(0, (NUMBER, found[1]))
            if found[2]:
                self.properties.insert(1, (OPTIONAL, True))
        if len(slot.fills) > 1:
            line = slot.fills[1][0]
            self.draft.leave_out(slot.name, "a second line", "one", line)

    def _slot(self, slot: Slot) -> None:
        texts = [(line, text) for line, text in slot.fills if text]
        signs = [text for _, text in texts if text in (NOTHING, INAPPLICABLE)]
        fills = [each for each in texts if each[1] not in (NOTHING, INAPPLICABLE)]
        # Beside fillers a sign says that some of what the slot is about has none.
        if signs and not fills and INAPPLICABLE in signs:
            self.properties.append((NOT_FOR, slot.name))
        for line, text in rejoined(fills):
            try:
                fill = parsed(text)
            except FillError as error:
                found = str(error).removeprefix("found ")
                self.draft.leave_out(slot.name, found, "", line)
            else:
                self._fill(slot.name, fill)

    def _fill(self, name: str, fill: Fill) -> None:
        kinds = {part.kind for part in fill.parts}
        values = [part.words for part in fill.parts if part.kind in (VALUE, STRING)]
        if name in TYPES and self.type is None:
            self.type = " / ".join(values)
        strings = STRING in kinds or name in STRINGS
        node = self._entity(fill) if strings else self._value(fill)
        attributes: Pairs = ((OPTIONAL, True),) if fill.optional else ()
        self.arguments.append(Argument(name, node, attributes))

    def _value(self, fill: Fill) -> NodeId:
        first, *rest = fill.parts
        named = {VALUE: ALTERNATIVE, XREF: XREF}
        properties = [(named[part.kind], part.words) for part in rest]
        return self.build.value(first.words, tuple(properties))

    def _entity(self, fill: Fill) -> NodeId:
        """A string filler; what belongs to all its mentions belongs to it."""
        last = max(k for k, p in enumerate(fill.parts) if p.kind in (VALUE, STRING))
        shared = tuple(p for p in fill.parts[last + 1 :] if p.kind == XREF)
        early = any(part.kind == XREF for part in fill.parts[:last])
        if early:
            shared = ()
        mentions: list[tuple[Part, list[tuple[str, Any]]]] = []
        for part in fill.parts:
            if part.kind in (VALUE, STRING):
                bare = [(BARE, True)] if part.kind == VALUE else []
                mentions.append((part, [*bare]))
            elif part.kind == DESCRIPTION or early:
                mentions[-1][1].append((part.kind, part.words))
        nodes = [
            self.build.mention(None, (), tuple(properties), text=part.words)
            for part, properties in mentions
        ]
        properties = tuple((XREF, part.words) for part in shared)
        return self.build.entity(nodes, None, properties)
