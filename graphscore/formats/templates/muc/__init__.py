r"""MUC-3 and MUC-4: answer keys and responses, one slot to a line.

Each template is a block of numbered slots; those of one message make a document
(Sundheim 1992, *Overview of the Fourth Message Understanding Evaluation and
Conference*, and the task documentation of the corpus)::

    0.  MESSAGE: ID                    TST3-MUC4-0002
    1.  MESSAGE: TEMPLATE              1 (OPTIONAL)
    4.  INCIDENT: TYPE                 ATTACK
    9.  PERP: INDIVIDUAL ID            "MILITARY" / "MILITARY SUSPECTS"
                                       ? "ARMED FORCES MEMBERS"
    11. PERP: ORGANIZATION CONFIDENCE  -
    23. HUM TGT: EFFECT OF INCIDENT    DEATH: "JESUITS"

A filler with strings is an entity, its alternatives are its mentions; any other one is
a value, with alternatives and cross-references as properties.  How a filler is taken
apart is said in :mod:`graphscore.formats.templates.muc.fills`.  A template ``*`` says
that the message has none.  A filler that cannot be taken apart is left out, and named;
so is whatever else a message does without.

>>> import io
>>> data = b'''0.  MESSAGE: ID                    TST3-MUC4-0002
... 1.  MESSAGE: TEMPLATE              1
... 4.  INCIDENT: TYPE                 ATTACK
... 9.  PERP: INDIVIDUAL ID            "MILITARY" / "MILITARY SUSPECTS"
... 20. HUM TGT: TYPE                  CIVILIAN: "JESUITS"
... '''
>>> [record] = read(io.BytesIO(data), "key-tst3.v2")
>>> labels = {node.id: node.label for node in record.graph.nodes}
>>> for edge in record.graph.edges[2:]:
...     print(edge.label, labels[edge.target])
INCIDENT: TYPE ATTACK
PERP: INDIVIDUAL ID None
HUM TGT: TYPE CIVILIAN
>>> [record] = read(io.BytesIO(data.replace(b'SUSPECTS"', b"")), "key")
>>> print(*record.left_out)
key:4: PERP: INDIVIDUAL ID: found a quotation mark that is not closed
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import Record
from graphscore.formats.shared.layers import Layer, kept_as
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import bounded_lines
from graphscore.formats.templates.fillers import TEMPLATES
from graphscore.formats.templates.muc.fills import (
    DESCRIPTION,
    INAPPLICABLE,
    MESSAGES,
    NOTHING,
    NUMBERS,
    SLOTS,
    STRING,
    STRINGS,
    TYPES,
    VALUE,
    XREF,
    Fill,
    FillError,
    Part,
    parse_fill,
    rejoin_lines,
    slot_line,
    slot_lines,
    write_fill,
)
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    ENTITY,
    MENTION,
    TEMPLATE,
    TEXT,
    Argument,
    LayoutBuilder,
    kind_of,
)

LONGEST_LINE = 1024 * 1024
"""A longer line is no slot."""

_COMMENT = ";"
_NAMELESS = "\0"
"""Prefix of the names of documents without one: no other has such a name."""

_SLOT = re.compile(rb"(\d{1,3})\.\s")
_SEPARATOR = re.compile(rb"\s*(?:[*=_~-]\s*){3,}|\f\s*")
"""Separator that some systems write between two templates."""


class _Text(NamedTuple):
    """A line of the file."""

    number: int
    raw: bytes


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    documents: dict[str, Document] = {}
    lost = 0
    before = ""
    for lines in _blocks(stream):
        block = _block(lines, name)
        if not block.slots and not block.left_out:
            continue
        item, _ = block.message
        if not item and before.startswith(_NAMELESS):
            # Of templates without an id that follow each other it is said once.
            item = before
        elif not item:
            lost += 1
            item = f"{_NAMELESS}{lost}"
        if item in documents:
            documents[item].blocks.append(block)
        else:
            documents[item] = Document(block)
        before = item
    # Only now is it known that no further template of a message follows.
    for document in documents.values():
        yield document.record(document.graph())


def _blocks(stream: BinaryIO) -> Iterator[list[_Text]]:
    """The lines of each template: up to the next slot 0, or what stands between two.

    A blank line ends a template, unless its next slot follows.
    """
    lines: list[_Text] = []
    last, ended = -1, False
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        if not raw.strip() or _SEPARATOR.fullmatch(raw):
            ended = True
            continue
        match = _SLOT.match(raw)
        slot = int(match[1]) if match else -1
        # What stands before a template, comments above all, belongs to it.
        if last >= 0 and (slot == 0 or (ended and not slot > last)):
            yield lines
            lines, last = [], -1
        lines.append(_Text(number, raw))
        last, ended = max(slot, last), False
    if lines:
        yield lines


def _block(lines: list[_Text], name: str) -> Block:
    """One template, slot by slot."""
    block = Block(name, lines[0].number, *(line.raw for line in lines))
    strange = False
    for number, raw in lines:
        line = block.text(raw, number, LONGEST_LINE, "a slot")
        if line is None:
            continue
        text = line.rstrip()
        if text.lstrip().startswith(_COMMENT):
            block.comments.append(text.lstrip())
        elif slot := slot_line(text):
            block.slots.append(Slot(number, slot[0], slot[1], [(number, slot[2])]))
        elif block.slots:
            block.slots[-1].fills.append((number, text.strip()))
        elif not strange:
            found, strange = repr(text.strip()[:40]), True
            block.leave_out("", found, "a slot before it", number)
    # What is wrong with the bytes of a line costs that line.
    block.left_out += block.problems
    block.problems = []
    return block


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


class Block(RecordBuilder):
    """A template as it stands in the file."""

    def __init__(self, name: str, line: int, *raw: bytes) -> None:
        super().__init__(name, line, *raw)
        self.slots: list[Slot] = []
        self.comments: list[str] = []

    @property
    def message(self) -> tuple[str, str]:
        """The message's id, and what may follow it."""
        names = [slot.fills[0][1] for slot in self.slots if slot.name in MESSAGES]
        match = _ID.match(next(filter(None, names), ""))
        return (match[1], match[2]) if match else ("", "")


class Document(RecordBuilder):
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
        for index, template in enumerate(filled, 1):
            template.add(index)
        extra: dict[str, Any] = {SOURCE: self.source} if self.source else {}
        empty = [c for t in templates if t.none for c in t.block.comments]
        if empty:
            extra[COMMENTS] = empty
        return build.graph(self.item, TEMPLATES, document=self.item, extra=extra)


class _Template:
    """One template, and the nodes of its fillers."""

    def __init__(
        self, build: LayoutBuilder, block: Block, draft: RecordBuilder
    ) -> None:
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
            self.draft.leave_out("", "fillers of a template *", "none", self.block.line)

    def add(self, ordinal: int) -> None:
        """Add the template itself, when all fillers are there.

        Args:
            ordinal: its number, where the file has none.
        """
        if NUMBER not in dict(self.properties):
            self.properties.insert(0, (NUMBER, str(ordinal)))
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
        match = _TEMPLATE.fullmatch(text)
        if text == INAPPLICABLE:
            self.none = True
        elif not match:
            expected = "a number, a number and (OPTIONAL), or *"
            self.draft.leave_out(slot.name, repr(text[:40]), expected, line)
        else:
            self.properties.insert(0, (NUMBER, match[1]))
            if match[2]:
                self.properties.insert(1, (OPTIONAL, True))
        if len(slot.fills) > 1:
            line = slot.fills[1][0]
            self.draft.leave_out(slot.name, "a second line", "one", line)

    def _slot(self, slot: Slot) -> None:
        texts = [(line, text) for line, text in slot.fills if text]
        signs = [text for _, text in texts if text in (NOTHING, INAPPLICABLE)]
        fills = [pair for pair in texts if pair[1] not in (NOTHING, INAPPLICABLE)]
        # Beside fillers a sign says that some of what the slot is about has none.
        if signs and not fills and INAPPLICABLE in signs:
            self.properties.append((NOT_FOR, slot.name))
        for line, text in rejoin_lines(fills):
            try:
                fill = parse_fill(text)
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


_ORDER = [(str(number), name) for number, name in enumerate(SLOTS)]


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, each template as a block.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Blocks of lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
        >>> from graphscore.structures.layout import Argument, LayoutBuilder
        >>> build = LayoutBuilder()
        >>> army = build.entity([build.mention(None, text="ARMY")])
        >>> _ = build.template("ATTACK", [Argument("PERP: ORGANIZATION ID", army)])
        >>> graph = build.graph("TST3-MUC4-0001", "template")
        >>> lines = b"".join(write([graph])).splitlines()
        >>> print(len(lines), lines[10].decode())
        25 10. PERP: ORGANIZATION ID          "ARMY"
    """
    first = True
    for graph in graphs:
        check_framework(graph, (TEMPLATES,), "MUC")
        with naming(graph):
            blocks = _Message(graph).blocks()
        for block in blocks:
            yield (block if first else "\n" + block).encode()
            first = False


class _Message(Layer):
    """The templates of one message on their way to lines."""

    def blocks(self) -> list[str]:
        """The block of each template; one that says so if there is none."""
        source = self.graph.extra.get(SOURCE, "")
        name = f"{self.graph.id} {source}".rstrip()
        templates = self.of(TEMPLATE)
        if not templates:
            fills = {slot: [INAPPLICABLE] for _, slot in _ORDER}
            comments = kept_as(self.graph.extra, COMMENTS, list[str], [])
            return [self._block(name, INAPPLICABLE, fills, _ORDER, comments)]
        return [self._template(name, k, node) for k, node in enumerate(templates, 1)]

    def _template(self, name: str, ordinal: int, node: Node) -> str:
        extra = dict(node.extra)
        order = kept_as(extra, ORDER, list[tuple[str, str]], _ORDER)
        fills: dict[str, list[str]] = {}
        number, optional = str(ordinal), ""
        for key, value in node.properties:
            if key == NOT_FOR and isinstance(value, str):
                fills[value] = [INAPPLICABLE]
            elif key == NUMBER:
                number = str(value)
            elif key == OPTIONAL and value is True:
                optional = " (OPTIONAL)"
        for edge in self.edges(node.id):
            fills.setdefault(str(edge.label), []).append(self._filler(edge))
        comments = kept_as(extra, COMMENTS, list[str], [])
        return self._block(name, number + optional, fills, order, comments)

    def _block(
        self,
        name: str,
        number: str,
        fills: dict[str, list[str]],
        order: list[tuple[str, str]],
        comments: list[str],
    ) -> str:
        lines = [f"{comment}\n" for comment in comments]
        for count, slot in order:
            texts = fills.get(slot, [NOTHING])
            if slot in MESSAGES:
                texts = [name]
            elif slot in NUMBERS:
                texts = [number]
            lines.append(slot_lines(count, slot, texts))
        return "".join(lines)

    def _filler(self, edge: Edge) -> str:
        """Return the text behind the slot's name, or below."""
        node = self.nodes[edge.target]
        optional = (OPTIONAL, True) in edge.attributes
        slot = str(edge.label)
        entity = kind_of(node) == ENTITY
        parts = self._strings(node) if entity else self._values(node)
        text = write_fill(Fill(optional, tuple(parts)))
        if text in ("", NOTHING, INAPPLICABLE):
            # A slot that nothing fills comes back, and so the round trip has no cause.
            found = f"a filler {edge.target!r} of {slot}, {text!r}"
            raise InvalidGraphError(found, "one that is read again as it is")
        return text

    def _values(self, node: Node) -> list[Part]:
        kinds = {ALTERNATIVE: VALUE, XREF: XREF}
        values = [Part(VALUE, str(node.label))]
        for key, value in node.properties:
            if key in kinds:
                values.append(Part(kinds[key], str(value)))
        return values

    def _strings(self, node: Node) -> list[Part]:
        parts: list[Part] = []
        for edge in self.edges(node.id):
            mention = self.nodes[edge.target]
            own = dict(mention.properties)
            if edge.label != MENTION or not isinstance(own.get(TEXT), str):
                shown_ = f"an edge {edge.label!r} of entity {node.id!r}"
                raise InvalidGraphError(shown_, "mentions with a text")
            parts.append(Part(VALUE if own.get(BARE) else STRING, str(own[TEXT])))
            for key, value in mention.properties:
                if key in (DESCRIPTION, XREF):
                    parts.append(Part(key, str(value)))
        return parts + [
            Part(XREF, str(value)) for key, value in node.properties if key == XREF
        ]
