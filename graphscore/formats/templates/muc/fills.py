r"""One filler of a MUC slot: what is written behind the slot's name.

A string is in quotation marks, anything else is a value.  Alternatives stand on one
line between slashes, a question mark before them says that the whole filler is
optional, and what follows a colon in quotation marks names the filler of another
slot that this one is about (a cross-reference)::

    ? POSSIBLE / SUSPECTED OR ACCUSED: "THE EXTRADITABLES" / "EXTRADITABLES"

A cross-reference belongs to all alternatives before it that have none.  Brackets
hold together what a slash or a dash would tear apart: ``(COLOMBIA: CALI (CITY)) /
(COLOMBIA)``; MUC-3 has them behind a name, too: ``"VELEZ" ("SENATOR")``.

>>> fill = parse_fill('? POSSIBLE / ACCUSED: "THE EXTRADITABLES" / "EXTRADITABLES"')
>>> fill.optional, [(part.kind, part.words) for part in fill.parts]
... # doctest: +NORMALIZE_WHITESPACE
(True, [('value', 'POSSIBLE'), ('value', 'ACCUSED'),
 ('xref', 'THE EXTRADITABLES'), ('xref', 'EXTRADITABLES')])
>>> [part.words for part in parse_fill('(PERU: LIMA (CITY)) / (PERU)').parts]
['PERU: LIMA (CITY)', 'PERU']
>>> parse_fill('"A" / "B') # doctest: +ELLIPSIS
Traceback (most recent call last):
graphscore.formats.templates.muc.fills.FillError: found a quotation mark that ... closed
"""

from __future__ import annotations

import re
from typing import NamedTuple

VALUE, STRING, XREF, DESCRIPTION = "value", "string", "xref", "description"
"""Kinds of the parts of a filler."""

_DEEPEST = 20
_QUOTED = re.compile(r'"((?:[^"\\]|\\.|"(?!\s*(?:[/:()]|$)))*)"')
_TORN = re.compile(r"[:/]|(?:^|\s)-")
_ESCAPE = re.compile(r"\\(.)")
_CLOSED = re.compile(r'[^"()/:\\]*[^"()/:\\\s]"')
_SPECIAL = re.compile(r'["()/:]')


class FillError(ValueError):
    """A filler that cannot be taken apart."""


class Part(NamedTuple):
    """An alternative, or what belongs to one."""

    kind: str
    """A value, a string, a cross-reference or a description."""
    words: str
    """Without quotation marks and escapes."""


class Fill(NamedTuple):
    """A filler."""

    optional: bool
    parts: tuple[Part, ...]
    """Parts as they are written."""


def parse_fill(text: str) -> Fill:
    """Take a filler apart.

    Args:
        text: what stands in the file, without the slot's name.

    Raises:
        FillError: if quotation marks or brackets do not match, or nothing is between
            two slashes.
    """
    rest = text.strip()
    optional = rest.startswith("?")
    rest = rest.removeprefix("?").strip()
    if _CLOSED.fullmatch(rest):
        # The first mark was forgotten, as in a published key; nothing is torn apart.
        return Fill(optional, (Part(VALUE, rest),))
    return Fill(optional, tuple(_alternatives(rest)))


def rejoin_lines(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Fillers with their lines, where a string goes on below joined to its beginning.

    Args:
        lines: numbers, and what stands there.

    >>> rejoin_lines([(7, '"NATIONAL'), (8, 'ARMY"'), (9, '"POLICE"')])
    [(7, '"NATIONAL ARMY"'), (9, '"POLICE"')]
    """
    result: list[tuple[int, str]] = []
    for number, text in lines:
        if result and not text.startswith(('"', "?")) and _open(result[-1][1]):
            first, before = result.pop()
            result.append((first, f"{before} {text}"))
        else:
            result.append((number, text))
    return result


def _open(text: str) -> bool:
    """Return whether a string begins that does not end."""
    return text.count('"') - text.count('\\"') == 1 and not _CLOSED.fullmatch(text)


def write_fill(fill: Fill) -> str:
    r"""A filler as the file has it.

    >>> write_fill(Fill(True, (Part("string", 'THE "M"'), Part("xref", "X"))))
    '? "THE \\"M\\"": "X"'
    """
    result = ""
    before = ""
    values = [part.words for part in fill.parts if part.kind == VALUE]
    torn = len(values) > 1 and any(map(_TORN.search, values))
    for part in fill.parts:
        words = part.words.replace("\\", "\\\\").replace('"', '\\"')
        shown = part.words if part.kind == VALUE else f'"{words}"'
        if part.kind == VALUE and torn:
            shown = f"({shown})"
        if part.kind == DESCRIPTION:
            joint = " / " if before == DESCRIPTION else " ("
        elif part.kind == XREF:
            joint = " / " if before == XREF else ": "
        else:
            joint = " / " if before else ""
        if before == DESCRIPTION and part.kind != DESCRIPTION:
            joint = ")" + joint
        result += joint + shown
        before = part.kind
    return ("? " if fill.optional else "") + result + ")" * (before == DESCRIPTION)


def _alternatives(text: str, depth: int = 0) -> list[Part]:
    """The parts of a filler, or of what stands between brackets."""
    if depth > _DEEPEST:
        raise FillError(f"found brackets nested more than {_DEEPEST} deep")
    parts: list[Part] = []
    about = False
    for piece in _split(text):
        piece, colon = piece.strip(), _xref(piece.strip())
        value = piece if colon is None else piece[:colon].strip()
        if not value:
            raise FillError("found nothing between two slashes or before a colon")
        if about and colon is None and value.startswith('"'):
            parts += [Part(XREF, part.words) for part in _piece(value, depth)]
            continue
        parts += _piece(value, depth)
        about = colon is not None
        if colon is not None:
            behind = _piece(piece[colon + 1 :], depth)
            parts += [Part(XREF, part.words) for part in behind]
    return parts


def _piece(text: str, depth: int) -> list[Part]:
    """One alternative: a string, brackets around several, or a value."""
    text = text.strip()
    quoted = _QUOTED.match(text)
    if quoted:
        result = [Part(STRING, _ESCAPE.sub(r"\1", quoted[1]))]
        rest = text[quoted.end() :].strip()
        if rest.startswith("(") and _closing_index(rest) == len(rest) - 1:
            inner = _alternatives(rest[1:-1], depth + 1)
            return result + [Part(DESCRIPTION, part.words) for part in inner]
        if rest:
            raise FillError(f"found {rest[:20]!r} behind a string")
        return result
    if text.startswith("(") and _closing_index(text) == len(text) - 1:
        return _alternatives(text[1:-1], depth + 1)
    return [Part(VALUE, text)]


def _xref(piece: str) -> int | None:
    """Return the index of the colon before a cross-reference."""
    for index, sign in _top(piece):
        follows = piece[index + 1 :].lstrip().lstrip("(").lstrip()
        if sign == ":" and follows.startswith('"'):
            return index
    return None


def _split(text: str) -> list[str]:
    slashes = [index for index, sign in _top(text) if sign == "/"]
    ends = [*slashes, len(text)]
    starts = [0, *(index + 1 for index in slashes)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _top(text: str) -> list[tuple[int, str]]:
    """Slashes and colons outside strings and brackets."""
    result: list[tuple[int, str]] = []
    position, depth = 0, 0
    while sign := _SPECIAL.search(text, position):
        position = sign.end()
        if sign[0] == '"':
            quoted = _QUOTED.match(text, sign.start())
            if not quoted:
                raise FillError("found a quotation mark that is not closed")
            position = quoted.end()
        elif sign[0] in "()":
            depth += 1 if sign[0] == "(" else -1
            if depth < 0:
                raise FillError("found a closing bracket without an opening one")
        elif not depth:
            result.append((sign.start(), sign[0]))
    if depth:
        raise FillError("found a bracket that is not closed")
    return result


def _closing_index(text: str) -> int | None:
    """Return the index where the bracket at the beginning is closed."""
    position, depth = 0, 0
    while sign := _SPECIAL.search(text, position):
        quoted = _QUOTED.match(text, sign.start()) if sign[0] == '"' else None
        position = quoted.end() if quoted else sign.end()
        depth += {"(": 1, ")": -1}.get(sign[0], 0)
        if not depth:
            return sign.start()
    return None


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
"""Marks of a slot without fillers, and of one that can have none."""

WIDTH = 35
"""Column in which fillers begin in the keys of MUC-4."""

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
    match = _LINE.match(line)
    if match is None:
        return None
    name = _KNOWN.match(match[2]) or _NAME.match(match[2])
    if name is None:
        return None
    return match[1], name[1], match[2][name.end() :].strip()


def slot_lines(number: str, name: str, fills: list[str]) -> str:
    """The lines of a slot.

    >>> print(slot_lines("9", "PERP: INDIVIDUAL ID", ['"A"', '"B"']), end="")
    9.  PERP: INDIVIDUAL ID            "A"
                                       "B"
    """
    head = f"{number + '.':<4}{name}"
    width = max(WIDTH, len(head) + 2)
    rest = [" " * width + fill for fill in fills[1:]]
    first = fills[0] if fills else NOTHING
    return "\n".join([f"{head:<{width}}{first}", *rest]) + "\n"
