"""The comments above an AMR: ``# ::id``, ``# ::snt`` and everything else.

A comment may hold several ``::key value``; only the sentence and its tokens take
the rest of their line, because a sentence may well contain a ``::``.

>>> parse(["# ::id a.1 ::date 2012", "# ::snt std::list ::ok", "# by hand"])
{'id': 'a.1', 'date': '2012', 'snt': 'std::list ::ok', 'comments': ['by hand']}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from graphscore.formats.meaning.amr.records import BLANKS

SENTENCES = ("snt", "tok")
"""Keys whose value is the rest of the line."""

PLAIN = "comments"
"""Where comments without a key are kept."""

RESERVED = frozenset(
    {"id", "framework", "flavor", "language", "document", "input", "tokens", "tops"}
    | {"nodes", "edges", "snt", "text", PLAIN}
)
"""Names that a graph uses itself; metadata of that name keep their colons."""

_KEY = re.compile(r"(?:^|(?<=[ \t]))::([^\s:]\S*)")
_BREAKS = re.compile(r"[\r\n]")

_json = msgspec.json.Encoder().encode


def parse(lines: Iterable[str]) -> dict[str, Any]:
    """Metadata of comment lines.

    Args:
        lines: comments, each beginning with ``#``.

    Returns:
        Values by key, without the colons, in order; a list where a key occurs
        more than once.  Lines without a key are under ``comments``.
    """
    found: dict[str, Any] = {}
    for line in lines:
        content = line[1:].strip(BLANKS)
        if not _KEY.match(content):
            found.setdefault(PLAIN, []).append(content)
            continue
        for key, value in _entries(content):
            if key == PLAIN:
                key = f"::{PLAIN}"
            if key not in found:
                found[key] = value
            elif isinstance(found[key], list):
                found[key].append(value)
            else:
                found[key] = [found[key], value]
    return found


def _entries(content: str) -> Iterator[tuple[str, str]]:
    keys = list(_KEY.finditer(content))
    if keys[0][1] in SENTENCES:
        yield keys[0][1], content[keys[0].end() :].strip(BLANKS)
        return
    ends = [key.start() for key in keys[1:]] + [len(content)]
    for key, end in zip(keys, ends, strict=True):
        value = content[key.end() : end].strip(BLANKS)
        if end < len(content) and value.split(" ")[-1] == "#":
            # Two comments have got into one line.
            value = value[:-1].rstrip(BLANKS)
        yield key[1], value


def first(value: Any) -> str:
    """The first of the values of a key.

    >>> first(["a", "b"]), first("a")
    ('a', 'a')
    """
    return str(value[0] if isinstance(value, list) else value)


def extra_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a graph keeps of its metadata: all but the first id and sentence.

    >>> extra_of({"id": "1", "snt": "Dogs bark", "tokens": "2", "date": "2012"})
    {'::tokens': '2', 'date': '2012'}
    """
    found: dict[str, Any] = {}
    for key, value in metadata.items():
        if key in ("id", "snt"):
            rest = value[1:] if isinstance(value, list) else []
            if rest:
                found[f"::{key}"] = rest
        elif key == PLAIN or key not in RESERVED:
            found[key] = value
        else:
            found[f"::{key}"] = value
    return found


def lines_of(extra: Mapping[str, Any]) -> Iterator[str]:
    """Comment lines of what :func:`extra_of` kept; other values as JSON.

    >>> list(lines_of({"comments": ["by hand"], "date": "2012", "version": 1.1}))
    ['# by hand', '# ::date 2012', '# ::version 1.1']
    """
    for name, value in extra.items():
        if name == PLAIN and isinstance(value, list):
            for each in value:
                yield "# " + one_line(str(each)).strip(BLANKS)
            continue
        key = name.removeprefix("::")
        for each in value if isinstance(value, list) else [value]:
            text = each if isinstance(each, str) else _json(each).decode()
            yield f"# ::{key} {one_line(text)}".rstrip(BLANKS)


def one_line(text: str) -> str:
    r"""A text with every line break replaced by a blank.

    >>> one_line("a\r\nb")
    'a  b'
    """
    return _BREAKS.sub(" ", text)
