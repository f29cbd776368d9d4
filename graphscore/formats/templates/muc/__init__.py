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
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from graphscore.formats.base import Record
from graphscore.formats.source import bounded_lines
from graphscore.formats.templates.muc.document import Block, Document, Slot
from graphscore.formats.templates.muc.slots import slot_line

LONGEST_LINE = 1024 * 1024
"""A longer line is no slot."""

_COMMENT = ";"
_NAMELESS = "\0"
"""How the names of documents begin that have none: no other has such a name."""

_SLOT = re.compile(rb"(\d{1,3})\.\s")
_SEPARATOR = re.compile(rb"\s*(?:[*=_~-]\s*){3,}|\f\s*")
"""What some systems have between two templates."""


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
        slot = _SLOT.match(raw)
        place = int(slot[1]) if slot else -1
        # What stands before a template, comments above all, belongs to it.
        if last >= 0 and (place == 0 or (ended and not place > last)):
            yield lines
            lines, last = [], -1
        lines.append(_Text(number, raw))
        last, ended = max(place, last), False
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
