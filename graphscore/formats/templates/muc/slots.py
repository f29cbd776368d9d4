r"""The slots of a MUC template, and the lines in which they stand.

A line is a number, the slot's name and its first filler; further fillers stand
below it, a line each.  The names of MUC-4 are known, so that names and fillers
need not be kept apart by blanks; others (those of MUC-3) end at two blanks.

>>> slot_line("10. PERP: ORGANIZATION ID           \"ARMY\"")
('10', 'PERP: ORGANIZATION ID', '"ARMY"')
>>> slot_line("2.  DATE OF INCIDENT   03 APR 90")
('2', 'DATE OF INCIDENT', '03 APR 90')
"""

from __future__ import annotations

import re

SLOTS = (
    "MESSAGE: ID",
    "MESSAGE: TEMPLATE",
    "INCIDENT: DATE",
    "INCIDENT: LOCATION",
    "INCIDENT: TYPE",
    "INCIDENT: STAGE OF EXECUTION",
    "INCIDENT: INSTRUMENT ID",
    "INCIDENT: INSTRUMENT TYPE",
    "PERP: INCIDENT CATEGORY",
    "PERP: INDIVIDUAL ID",
    "PERP: ORGANIZATION ID",
    "PERP: ORGANIZATION CONFIDENCE",
    "PHYS TGT: ID",
    "PHYS TGT: TYPE",
    "PHYS TGT: NUMBER",
    "PHYS TGT: FOREIGN NATION",
    "PHYS TGT: EFFECT OF INCIDENT",
    "PHYS TGT: TOTAL NUMBER",
    "HUM TGT: NAME",
    "HUM TGT: DESCRIPTION",
    "HUM TGT: TYPE",
    "HUM TGT: NUMBER",
    "HUM TGT: FOREIGN NATION",
    "HUM TGT: EFFECT OF INCIDENT",
    "HUM TGT: TOTAL NUMBER",
)
"""The slots of MUC-4; the place in the list is the number."""

STRINGS = frozenset(
    {
        "INCIDENT: INSTRUMENT ID",
        "PERP: INDIVIDUAL ID",
        "PERP: ORGANIZATION ID",
        "PHYS TGT: ID",
        "HUM TGT: NAME",
        "HUM TGT: DESCRIPTION",
    }
)
"""Slots that take strings of the text; the others take values."""

MESSAGES = frozenset({"MESSAGE: ID", "MESSAGE ID"})
NUMBERS = frozenset({"MESSAGE: TEMPLATE", "TEMPLATE ID"})
TYPES = frozenset({"INCIDENT: TYPE", "TYPE OF INCIDENT"})
"""The slots that name the message, the template and its type; MUC-3 after MUC-4."""

NOTHING, INAPPLICABLE = "-", "*"
"""What stands for a slot without fillers, and for one that can have none."""

WIDTH = 35
"""Where fillers begin in the keys of MUC-4."""

_LINE = re.compile(r"(\d{1,3})\.\s*(\S.*)")
_KNOWN = re.compile(
    "(" + "|".join(map(re.escape, sorted(SLOTS, key=len, reverse=True))) + r")(?!\S)"
)
_NAME = re.compile(r"(\S+(?: \S+)*)(?:\s{2,}|\s*\t\s*|$)")


def slot_line(line: str) -> tuple[str, str, str] | None:
    """The number, the name and the filler of a line that begins a slot.

    Args:
        line: without its end.

    Returns:
        The three; ``None`` for any other line.
    """
    found = _LINE.match(line)
    if found is None:
        return None
    name = _KNOWN.match(found[2]) or _NAME.match(found[2])
    if name is None:
        return None
    return found[1], name[1], found[2][name.end() :].strip()


def shown(number: str, name: str, fills: list[str]) -> str:
    """The lines of a slot.

    >>> print(shown("9", "PERP: INDIVIDUAL ID", ['"A"', '"B"']), end="")
    9.  PERP: INDIVIDUAL ID            "A"
                                       "B"
    """
    head = f"{number + '.':<4}{name}"
    width = max(WIDTH, len(head) + 2)
    rest = [" " * width + fill for fill in fills[1:]]
    first = fills[0] if fills else NOTHING
    return "\n".join([f"{head:<{width}}{first}", *rest]) + "\n"
