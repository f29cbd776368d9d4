"""Tables as files: CSV and JSON as their rows come, Parquet as a whole.

In CSV, texts that a spreadsheet would run as formulas have a quote before them; JSON
and Parquet, and ``graphscore query --csv``, have them as they are.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.explorer.reader import DOWNLOAD, Reader
from graphscore.report.data import csv_lines, inactive, json_array, json_text
from graphscore.report.table import Table
from graphscore.rows import frame_of

FORMATS = ("csv", "json", "parquet")

KINDS: dict[str, str] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}

_PIECE = 500
"""Rows that are sent together."""


class Download(NamedTuple):
    """Rows that are sent as a file."""

    name: str
    format: str
    """One of :data:`FORMATS`."""
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]

    @property
    def file(self) -> str:
        """File name, without special characters.

        >>> Download('a"/b', "csv", (), ()).file
        'a-b.csv'
        """
        plain = re.sub(r"[^A-Za-z0-9]+", "-", self.name).strip("-")[:80]
        return f"{plain or 'graphscore'}.{self.format}"


def content(download: Download) -> Iterator[bytes]:
    r"""The bytes of a file, piece by piece.

    Args:
        download: what is sent.

    Raises:
        UsageError: before the first piece, if it can be no Parquet.

    Example:
        >>> b"".join(content(Download("x", "csv", ("a", "b"), [(1, None)])))
        b'a,b\r\n1,\r\n'
        >>> b"".join(content(Download("x", "json", ("a",), [(0.5,), ("x",)])))
        b'[\n{"a": 0.5},\n{"a": "x"}\n]\n'
    """
    if download.format == "parquet":
        return iter((_parquet(download),))
    table = Table.of(download.columns, download.rows)
    if download.format == "csv":
        return _pieces(csv_lines(table, inactive), "\r\n")
    return _pieces(json_array(map(json_text, table.records_of())), "\n")


def close(download: Download) -> None:
    """Give back what the rows of a file are read from, whether they were sent or not.

    Args:
        download: what is sent no longer.
    """
    if isinstance(download.rows, Generator):
        download.rows.close()


def _pieces(lines: Iterator[str], end: str) -> Iterator[bytes]:
    """Yield lines as bytes, many together."""
    while batch := [line + end for line in islice(lines, _PIECE)]:
        yield "".join(batch).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    """A value as files have it: bytes as hexadecimal digits, no infinities.

    Databases with more types than SQLite give times, lists and the like: their texts.
    """
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and value - value != 0:
        return None
    return (
        value if value is None or isinstance(value, str | int | float) else str(value)
    )


def _parquet(download: Download) -> bytes:
    rows = [tuple(map(_plain, row)) for row in download.rows]
    frame = frame_of(download.columns, rows, "arrow")
    try:
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise UsageError(f"Parquet needs pyarrow: {error}") from None
    bytes_io = io.BytesIO()
    parquet.write_table(frame, bytes_io)
    return bytes_io.getvalue()


def of_statement(reader: Reader, name: str, way: str, sql: str) -> Download:
    """The rows of a statement as a file, which are asked for as they are sent.

    Args:
        reader: the store.
        name: of the file.
        way: one of :data:`FORMATS`.
        sql: a statement that reads.
    """
    rows = reader.stream(sql, DOWNLOAD)
    # What is wrong with it is said before anything is sent.
    columns = next(rows)
    return Download(name, way, columns, rows)


def offered() -> list[tuple[str, str]]:
    """The formats that can be had here, by their names."""
    result = [("CSV", "csv"), ("JSON", "json")]
    return [*result, ("Parquet", "parquet")] if find_spec("pyarrow") else result


def ways(link: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the formats and links of downloads that pages offer.

    Args:
        link: gives the address of a format.
    """
    return [(name, link(format_name)) for name, format_name in offered()]
