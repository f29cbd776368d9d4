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
that the message has none.

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
>>> print(*record.problems)
key:4: PERP: INDIVIDUAL ID: found a quotation mark that is not closed
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from graphscore.formats.base import Record
from graphscore.formats.source import bounded_lines
from graphscore.formats.templates.muc.document import Block, Document, Slot
from graphscore.formats.templates.muc.slots import slot_line

LONGEST_LINE = 1024 * 1024
"""A longer line is no slot."""

_COMMENT = ";"


class _Text(NamedTuple):
    """A line of the file."""

    number: int
    raw: bytes


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    documents: dict[str, Document] = {}
    lost = 0
    for lines in _blocks(stream):
        block = _block(lines, name)
        if not block.slots and not block.problems:
            continue
        item, _ = block.message
        if not item:
            # A key of its own: it belongs to no other block.
            lost += 1
            documents[f"\0{lost}"] = Document(block)
        elif item in documents:
            documents[item].blocks.append(block)
        else:
            documents[item] = Document(block)
    # Only now is it known that no further template of a message follows.
    for document in documents.values():
        yield document.record(document.graph())


def _blocks(stream: BinaryIO) -> Iterator[list[_Text]]:
    """The lines of each template: up to a blank line or the next slot 0."""
    lines: list[_Text] = []
    slots = False
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        begins = re.match(rb"0\.\s", raw) is not None
        comment = raw.lstrip().startswith(b";")
        # Comments stand before their template, perhaps with a blank line between.
        if slots and (begins or not raw.strip()):
            yield lines
            lines, slots = [], False
        if raw.strip():
            lines.append(_Text(number, raw))
            slots = slots or not comment
    if lines:
        yield lines


def _block(lines: list[_Text], name: str) -> Block:
    """One template, slot by slot."""
    block = Block(name, lines[0].number, *(line.raw for line in lines))
    for number, raw in lines:
        line = block.text(raw, number, LONGEST_LINE, "a slot")
        if line is None:
            continue
        text = line.rstrip()
        if text.lstrip().startswith(_COMMENT):
            block.comments.append(text.lstrip())
        elif slot := slot_line(text):
            block.slots.append(Slot(number, slot[0], slot[1], [(number, slot[2])]))
        elif block.slots and text[:1].isspace():
            block.slots[-1].fills.append((number, text.strip()))
        else:
            expected = "a number and a slot" if text[:1].strip() else "a slot before it"
            block.add("", repr(text.strip()[:40]), expected, line=number)
    return block
