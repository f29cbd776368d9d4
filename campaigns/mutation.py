"""Ways to damage a file, as accidents and ill will do.

Every mutator takes bytes, a source of chance and the bytes of another file, and gives
bytes.  All that they do follows from the seed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Mutator = Callable[[bytes, Random, bytes], bytes]

LONGEST = 1 << 20
"""Bytes of a mutant: what is longer is cut."""

NUMBERS = (
    *(b"0", b"-1", b"-0", b"00", b"007", b"1.5", b"-1.5", b"1e5", b"1e999", b"-1e999"),
    *(b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"0x10", b"1_000", b"+1"),
    *(b"2147483648", b"4294967296", b"9223372036854775808", b"-9223372036854775809"),
    *(b"18446744073709551616", b"1" * 400, b"9" * 4_301, b"-" + b"9" * 5_000),
    *("\u0664\u0662".encode(), "\u00b2".encode(), "\uff11".encode(), b"1.", b".5", b""),
)
"""What may stand where a number stood."""

PIECES = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\n\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1b[2J"),
    *(
        b"\x1c",
        b"\x1e",
        b"\x85",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xff",
    ),
    *(b"\xed\xa0\x80", b"\xc0\x80", b"\xf0\x9f\x99\x82", b"\xf4\x90\x80\x80"),
    *("\u202e".encode(), "\u0301".encode(), "\u0130".encode(), b"\xe2\x80\x8b"),
    *(b'"', b"'", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"&", b"&amp;", b","),
    *(b":", b";", b"|", b"/", b"\\", b"\\u0000", b"\\ud800", b"#", b"*", b"_", b"-"),
    *(b"@", b"~", b"^", b"%s", b"{0}", b"$", b"=", b"null", b"true", b"[]", b"{}"),
    *(b"-1", b"0", b"1-2", b"1.1", b"0 0", b"5 2", b"O", b"B-", b"I-", b"(0", b"0)"),
)
"""What may be put in between."""

TRICKS = (
    b'<?xml version="1.0" encoding="UTF-16"?>',
    b'<?xml version="1.0" encoding="nonsense"?>',
    b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;">]>',
    b'<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    b"<!DOCTYPE a [" + b"".join(
        b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10 if n else b"x")
        for n in range(12)
    ) + b"]>",
    b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?pi", b"&x;", b"&e11;", b"&#0;",
    b"&#x110000;",
    b'xmlns:a="b"', b"<a:b/>", b"<a/>", b"</a>", b"<" * 300,
)  # fmt: skip
"""What XML can be attacked with."""

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, -(10**30), 1e308, "", "0", "\0", "\ud7ff"),
    *(
        [],
        {},
        [[]],
        [None],
        {"": None},
        [0],
        [-1, -1],
        [[0, 0]],
        "\u0301",
        "a\nb",
        "-1",
    ),
    *([1, 2, 3, 4, 5, 6], ["", ""], {"id": 0}, [True, False], [0, 10**20], "x" * 500),
)
"""What may stand where a value of JSON stood."""

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_TOKEN = re.compile(rb"[^\s\"'{}\[\]()<>:,;|/=]+")


def _place(data: bytes, chance: Random) -> int:
    return chance.randint(0, len(data))


def _span(data: bytes, chance: Random) -> tuple[int, int]:
    start = _place(data, chance)
    return start, min(len(data), start + chance.choice((1, 2, 5, 20, 100)))


def flip_bit(data: bytes, chance: Random, _: bytes) -> bytes:
    """One bit is another."""
    if not data:
        return b"\1"
    place = chance.randrange(len(data))
    flipped = data[place] ^ (1 << chance.randrange(8))
    return data[:place] + bytes([flipped]) + data[place + 1 :]


def cut(data: bytes, chance: Random, _: bytes) -> bytes:
    """The file ends early, or begins late."""
    place = _place(data, chance)
    return data[:place] if chance.random() < 0.8 else data[place:]


def drop(data: bytes, chance: Random, _: bytes) -> bytes:
    """A few bytes are missing."""
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def repeat(data: bytes, chance: Random, _: bytes) -> bytes:
    """A few bytes stand there often."""
    start, end = _span(data, chance)
    return (
        data[:end]
        + data[start:end] * chance.choice((1, 1, 2, 2, 50, 50, 800))
        + data[end:]
    )


def insert(data: bytes, chance: Random, _: bytes) -> bytes:
    """Something stands in between."""
    place = _place(data, chance)
    return data[:place] + chance.choice(PIECES) + data[place:]


def splice(data: bytes, chance: Random, other: bytes) -> bytes:
    """The file goes on as another one does."""
    return data[: _place(data, chance)] + other[_place(other, chance) :]


def graft(data: bytes, chance: Random, other: bytes) -> bytes:
    """Lines of another file stand among those of this one."""
    lines, others = data.splitlines(keepends=True), other.splitlines(keepends=True)
    place, start = chance.randint(0, len(lines)), chance.randint(0, len(others))
    lines[place:place] = others[start : start + chance.randint(1, 4)]
    return b"".join(lines)


def lines_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """A line is missing, twice there, elsewhere, empty or joined with the next."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return b"\n"
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[one]
        case 1:
            lines.insert(two, lines[one])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case 3:
            lines[one] = b"\n"
        case 4:
            lines[one] = lines[one].rstrip(b"\r\n")
        case _:
            lines.insert(one, b"\n")
    return b"".join(lines)


def columns_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """A column of a line is missing, twice there, empty, strange or elsewhere."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    mark = b"\t" if b"\t" in lines[place] else b" "
    cells = lines[place].split(mark)
    one, two = chance.randrange(len(cells)), chance.randrange(len(cells))
    match chance.randrange(7):
        case 0:
            del cells[one]
        case 1:
            cells.insert(one, cells[two])
        case 2:
            cells[one], cells[two] = cells[two], cells[one]
        case 3:
            cells[one] = b""
        case 4:
            cells[one] = chance.choice(PIECES)
        case 5:
            cells[one] = chance.choice(NUMBERS)
        case _:
            cells += cells * chance.choice((1, 30))
    lines[place] = mark.join(cells)
    return b"\n".join(lines)


def number_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """A number is another: too large, negative, none at all."""
    found = [*_NUMBER.finditer(data)]
    if not found:
        return chance.choice(NUMBERS) + data
    hit = chance.choice(found)
    return data[: hit.start()] + chance.choice(NUMBERS) + data[hit.end() :]


def token_changed(data: bytes, chance: Random, other: bytes) -> bytes:
    """A word is missing, is another of this file or another's, or very long."""
    found = [*_TOKEN.finditer(data)]
    if not found:
        return data + other[:50]
    hit = chance.choice(found)
    match chance.randrange(5):
        case 0:
            new = b""
        case 1 | 2:
            new = chance.choice(found)[0]
        case 3:
            new = chance.choice(_TOKEN.findall(other) or [b"x"])
        case _:
            new = hit[0] * chance.choice((2, 2, 30, 300, 300, 300, 4_000))
    return data[: hit.start()] + new + data[hit.end() :]


def _nested(chance: Random) -> Any:
    """A value in brackets, many deep."""
    value: Any = chance.choice((0, "x", None))
    key = chance.choice(("", "id", "children"))
    objects = chance.random() < 0.5
    for _ in range(chance.choice((2, 30, 400))):
        value = {key: value} if objects else [value]
    return value


def _holders(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value of JSON: its holder, and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = (
            list(holder) if isinstance(holder, dict) else range(len(holder))
            if isinstance(holder, list) else ()
        )  # fmt: skip
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def json_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """A value in JSON is of another type, missing, twice there or under another key."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    whole = False
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        try:
            value, whole = json.loads(data), True
        except (ValueError, RecursionError):
            return columns_changed(data, chance, b"")
    places = _holders(value)
    if not places:
        value = deepcopy(chance.choice(STRANGE))
    for _number in range(chance.choice((1, 1, 1, 3))):
        if not (places := _holders(value)):
            break
        holder, key = chance.choice(places)
        match chance.randrange(8):
            case 0 | 1 | 2:
                # A copy: what is put in may be changed in turn.
                holder[key] = deepcopy(chance.choice(STRANGE))
            case 3:
                del holder[key]
            case 4:
                other, name = chance.choice(places)
                holder[key] = json.loads(json.dumps(other[name]))
            case 5:
                holder[key] = [holder[key]] * chance.choice((1, 2))
            case 6:
                holder[key] = _nested(chance)
            case _ if isinstance(holder, dict):
                holder[chance.choice(("", "id", "type", key + " "))] = holder.pop(key)
            case _:
                holder.append(holder[key])
    raw = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    encoded = raw.encode("utf-8", "surrogatepass")
    if whole:
        return encoded
    lines[place] = encoded
    return b"\n".join(lines)


def deepened(data: bytes, chance: Random, _: bytes) -> bytes:
    """Brackets without end."""
    opening, closing = chance.choice(
        ((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b"(a / a :b ", b")"),
         (b"<a>", b"</a>"),
         (b'{"a":', b"}"), (b"(0|", b"0)"), (b"_[", b"]"))
    )  # fmt: skip
    times = chance.choice((3, 60, 60, 1_000, 1_000, 20_000))
    place = _place(data, chance)
    closed = closing * times if chance.random() < 0.6 else b""
    return data[:place] + opening * times + closed + data[place:]


def recoded(data: bytes, chance: Random, _: bytes) -> bytes:
    """The file is in another encoding, or in several."""
    text = data.decode("utf-8", "replace")
    match chance.randrange(6):
        case 0:
            return text.encode("utf-16")
        case 1:
            return text.encode("latin-1", "replace")
        case 2:
            return text.encode("utf-16-le")
        case 3:
            return b"\xef\xbb\xbf" + data
        case 4:
            return text.replace("e", "\u00e9").encode("latin-1", "replace")
        case _:
            return text.encode("utf-7")


def ends_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """Lines end in another way."""
    end = chance.choice(
        (b"\r\n", b"\r", b"\n\n", b"\r\r\n", b"\xe2\x80\xa8", b"\0", b"")
    )
    if chance.random() < 0.5:
        return data.replace(b"\n", end)
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    return b"\n".join(lines[: place + 1]) + end + b"\n".join(lines[place + 1 :])


def xml_changed(data: bytes, chance: Random, _: bytes) -> bytes:
    """Entities, document types, comments and other tricks of XML."""
    if b"<" not in data[:200]:
        return insert(data, chance, b"")
    trick = chance.choice(TRICKS)
    match chance.randrange(4):
        case 0:
            return trick + data
        case 1:
            head, end, rest = data.partition(b"?>")
            return head + end + trick + rest if end else trick + data
        case _:
            marks = [each.start() for each in re.finditer(rb"[<>\"]", data)]
            place = chance.choice(marks) + chance.randrange(2)
            return data[:place] + trick + data[place:]


MUTATORS: tuple[Mutator, ...] = (
    *(flip_bit, cut, drop, repeat, insert, splice, graft, lines_changed),
    *(columns_changed, columns_changed, number_changed, number_changed),
    *(token_changed, token_changed, json_changed, json_changed, json_changed),
    *(deepened, recoded, ends_changed, xml_changed),
)
"""Every way; what finds most stands there more than once."""


def mutated(data: bytes, chance: Random, other: bytes) -> tuple[bytes, str]:
    """A file after one to three accidents.

    Args:
        data: the file.
        chance: decides what happens.
        other: another file, of the same format or not.

    Returns:
        The bytes, at most :data:`LONGEST`, and what happened.
    """
    names = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        mutator = chance.choice(MUTATORS)
        data = mutator(data, chance, other)[:LONGEST]
        names.append(mutator.__name__)
    return data, "+".join(names)
