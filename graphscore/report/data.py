"""Tables as data, at full precision: CSV and JSON.

Rows may be read once, as from a store: of a table no more than a line is held.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from graphscore.exceptions import as_text

if TYPE_CHECKING:
    from graphscore.report.table import Table

_NO_TEXT = "[\ud800-\udfff]"

_ACTIVE = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of texts that spreadsheets take for formulas."""


def csv_lines(table: Table, spelled: Callable[[str], str] = str) -> Iterator[str]:
    """Yield comma-separated values, a line of names first, without line ends.

    Args:
        table: what is written; bytes are hexadecimal digits, what is no number is
            empty.
        spelled: writes texts of cells, such as :func:`inactive`.

    Example:
        >>> from graphscore.report.table import Table
        >>> [*csv_lines(Table.of(("a", "b"), [(1, None), ("x,y", b"x")]))]
        ['a,b', '1,', '"x,y",78']
    """
    import csv

    line: list[str] = []

    class Written:
        def write(self, text: str) -> int:
            line.append(text)
            return len(text)

    # With this end of line a carriage return in a cell is quoted, too.
    writer = csv.writer(Written(), lineterminator="\r\n")
    for row in chain([[column.name for column in table.columns]], table.rows):
        writer.writerow([_csv_cell(value, spelled) for value in row])
        yield line.pop().removesuffix("\r\n")


def _csv_cell(value: Any, spelled: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return spelled(value)
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and math.isnan(value) else value


def inactive(text: str) -> str:
    """Text with a quote before what spreadsheets would run as a formula.

    >>> inactive("=1+1"), inactive("-LRB-"), inactive("a")
    ("'=1+1", "'-LRB-", 'a')
    """
    return f"'{text}" if text.startswith(_ACTIVE) else text


def json_array(values: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a JSON array, a value to a line, without line ends.

    Args:
        values: texts of JSON values.

    Example:
        >>> [*json_array("12")], [*json_array([])]
        (['[', '1,', '2', ']'], ['[]'])
    """
    before = None
    for value in values:
        yield "[" if before is None else f"{before},"
        before = value
    yield from ("[]",) if before is None else (before, "]")


def json_text(
    value: Any, indent: int | None = None, *, ensure_ascii: bool = False
) -> str:
    """JSON of a value; what is no number, or no text, becomes ``null``, or is spelled.

    Args:
        value: plain values; bytes are hexadecimal digits.
        indent: blanks of a level; without, it is one line.
        ensure_ascii: whether all other characters are escaped.

    Example:
        >>> json_text({"a": [1.5, float("nan")], "b": b"x"})
        '{"a": [1.5, null], "b": "78"}'
    """
    options: dict[str, Any] = {
        "indent": indent,
        "ensure_ascii": ensure_ascii,
        "allow_nan": False,
        "default": lambda value: (
            value.hex() if isinstance(value, bytes) else str(value)
        ),
    }
    try:
        text = json.dumps(value, **options)
    except ValueError:  # infinity and not-a-number, which JSON does not have
        text = json.dumps(_finite(value), **options)
    # Names of files may be any bytes; what spells them has a backslash of its own.
    return text if text.isascii() else re.sub(_NO_TEXT, _spelled, text)


def _spelled(match: re.Match[str]) -> str:
    return as_text(match[0]).replace("\\", "\\\\")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
