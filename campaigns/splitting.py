r"""Where the records of a file begin, found without any reader.

Each function looks at bytes and nothing else, and gives the lines, from 1, on which
records begin; or ``None`` where damage has made of the file what it cannot judge.  What
a reader gives, graphs and rejected records together, must begin on just these lines:
none is lost, and none made up.

>>> blocks(b"1\tDogs\n2\tbark\n\n\n1\tYes\n")
[1, 5]
>>> objects(b'{"a": 1}\n\n{"a": \n{"a": 2}\n')
[1, 3, 4]
>>> unaccounted("spans", b'{"a": 1}\n{"a": 2}\n', [1])
'records begin on lines [1], expected [1, 2]'
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

Splitter = Callable[[bytes], list[int] | None]
"""Gives the lines on which records begin."""

BOM = b"\xef\xbb\xbf"

_ODD = re.compile(rb"[\x0b\x0c\x1c-\x1f]|\xc2\x85|\xc2?\xa0|\xe2\x80|\xc0\x80|\r(?!\n)")
"""What programs do not agree whether it is white space, or the end of a line."""


def _numbered(data: bytes) -> Iterator[tuple[int, bytes]]:
    return enumerate(data.removeprefix(BOM).split(b"\n"), 1)


def lines(data: bytes) -> list[int]:
    """Every line that says something is a record."""
    return [number for number, line in _numbered(data) if line.strip()]


MOST_LINES = 16
"""Lines that elements go over, at most."""


def tagged(data: bytes) -> list[int] | None:
    r"""Lines that say something; or ``None`` where tags are closed on a later one.

    Lines with an element that goes over their end are one record if all their tags
    fit, and a record each if not: only a whole reading tells which.

    >>> tagged(b"<name> a </name>\n\n<name> b\n"), tagged(b"<name> a\nb </name>\n")
    ([1, 3], None)
    """
    said = [line for _, line in _numbered(data) if line.strip()]
    for index in range(len(said)):
        left = 0
        for length, line in enumerate(said[index : index + MOST_LINES], 1):
            left += len(re.findall(rb"<[A-Za-z]", line)) - line.count(b"</")
            if left <= 0:
                if length > 1:
                    return None
                break
    return lines(data)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_comment(line: bytes) -> bool:
    """Whether a line is a comment in UTF-8; in other bytes it is something wrong."""
    return line.startswith(b"#") and _is_text(line)


def blocks(data: bytes, apart: bytes | None = None, head: bytes = b"") -> list[int]:
    """Lines that say something, with empty ones between records.

    Args:
        data: the file.
        apart: the first cell of lines that are between records, as empty ones are.
        head: how the first of several comments begins that are no record by themselves.
    """
    found: list[int] = []
    before = headed = False
    for number, line in _numbered(data):
        says = bool(line.strip())
        if apart is not None and re.split(rb"[ \t\r]", line)[0] == apart:
            says = False
        if headed and not _is_comment(line):
            headed = False
            if not says:
                del found[-1]
        if says and not before:
            found.append(number)
            headed = bool(head) and line.startswith(head) and _is_comment(line)
        before = says
    return found[:-1] if headed else found


def dependencies(data: bytes) -> list[int] | None:
    """Blocks below a line that names the version; each begins with its number."""
    first, _, rest = data.removeprefix(BOM).partition(b"\n")
    known = first.rstrip(b"\r") == b"#SDP 2015"
    if b"#SDP" in (rest if known else data) or not _is_text(data):
        return None
    found, before, numbered = [], False, False
    for number, line in _numbered(data):
        if number == 1 and known:
            continue
        says, comment = bool(line.strip()), _is_comment(line)
        if says and (not before or (comment and not numbered)):
            found.append(number)
        before, numbered = says, comment
    return found


def objects(data: bytes) -> list[int] | None:
    """Every line is an object of JSON, or the beginning of a broken one."""
    found = []
    for number, line in _numbered(data):
        if not line.strip():
            continue
        if not line.startswith(b"{"):
            return None
        found.append(number)
    return found


def objects_of_lines(data: bytes) -> list[int] | None:
    """Objects below a first that is whole: else the file may be one object."""
    found = objects(data)
    first = data.removeprefix(BOM).split(b"\n")[found[0] - 1] if found else b""
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return None
    # Below a first key of that name may be predictions of a document that is called so.
    name = value.get("docid") if isinstance(value, dict) else None
    return found if isinstance(name, str) else None


def put_together(data: bytes) -> list[int] | None:
    """Objects of documents, of which those of the same name are one."""
    found = objects(data)
    try:
        named = [json.loads(line) for line in data.split(b"\n") if line.strip()]
    except (ValueError, RecursionError):
        return None
    seen = {json.dumps(each.get("doc_id")) for each in named if isinstance(each, dict)}
    return found if len(seen) == len(named) else None


def keyed(data: bytes) -> list[int] | None:
    """Lines of documents, whose names are in the first column."""
    if not _is_text(data):
        return None
    found: dict[bytes, int] = {}
    for number, line in _numbered(data):
        if line.strip():
            key = line.split(b"\t")[0]
            if not key:
                # Whose document is not said is by itself.
                key = b"\n%d" % number
            found.setdefault(key, number)
    return sorted(found.values())


def mapped(data: bytes) -> list[int] | None:
    """Objects whose keys are documents."""
    seen: set[str] = set()
    found = []
    for number, line in _numbered(data):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict) or not value or "docid" in value:
            return None
        if value.keys() & seen:
            # Put together with those before, if those are not rejected.
            return None
        found.append(number)
        seen |= value.keys()
    return found


DOCSTART = b"-DOCSTART-"


def sentences(data: bytes) -> list[int] | None:
    """Blocks, with lines that begin a document between them."""
    begin = [line for line in data.split(b"\n") if line.startswith(DOCSTART)]
    # With tabs, or blanks, between cells, the others are part of a cell.
    if any((b"\t" in line and b" " in line) or not line.isascii() for line in begin):
        return None
    # A line that begins so may be a remark, or a word.
    return None if b"\n#" in b"\n" + data else blocks(data, apart=DOCSTART)


def trees(data: bytes, head: bytes = b"") -> list[int] | None:
    """Blocks; comments with an id below words may begin a sentence, or may not."""
    worded = False
    for _, line in _numbered(data):
        if not _is_comment(line):
            worded = bool(line.strip())
        elif worded and b"sent_id" in line:
            return None
    return blocks(data, head=head)


SPLITTERS: dict[str, Splitter] = {
    **dict.fromkeys(("conllu", "conllu-srl"), trees),
    **dict.fromkeys(("conll2009", "conll2005"), blocks),
    **dict.fromkeys(("genia",), blocks),
    **dict.fromkeys(("iob", "iob-gold", "aida"), sentences),
    "up": partial(trees, head=b"# global.columns ="),
    "sdp": dependencies,
    "quaero": tagged,
    **dict.fromkeys(("grit", "gtt"), objects_of_lines),
    "neleval": keyed,
    "iterx": mapped,
    "scirex": put_together,
    **dict.fromkeys(("mrp", "preco", "dygie", "dygie-gold"), objects),
    **dict.fromkeys(("coref-jsonlines", "coref-jsonlines-exclusive"), objects),
    **dict.fromkeys(("oneie", "spans"), objects),
}
"""By format; those whose records only a whole reading tells apart have none."""


def counted(name: str, data: bytes) -> list[int] | None:
    """The lines on which records of a file begin, if it can be judged.

    Args:
        name: the format.
        data: the file.
    """
    splitter = SPLITTERS.get(name)
    return None if splitter is None or _ODD.search(data) else splitter(data)


def unaccounted(
    name: str, data: bytes, found: Iterable[int], beside: Iterable[int] = ()
) -> str:
    """How the records of a file differ from those that were counted in it.

    Args:
        name: the format.
        data: the file.
        found: the lines on which graphs and rejected records begin.
        beside: those of rejected records of which another file is wrong: they may be
            records of that one alone.

    Returns:
        What is wrong; empty if nothing is, or if the file cannot be judged.
    """
    wanted = counted(name, data)
    if wanted is None:
        return ""
    begun = sorted({*found, *(line for line in beside if line in wanted)})
    if begun == wanted:
        return ""
    # The first may begin with the line above it that names the columns.
    if begun[1:] == wanted[1:] and begun and wanted and begun[0] + wanted[0] == 3:
        return ""
    return f"records begin on lines {begun[:9]}, expected {wanted[:9]}"
