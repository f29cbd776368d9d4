"""Shared parts of Markdown and LaTeX: cells without the marks of plain text.

Pure functions, as :mod:`graphscore.report.markdown` and
:mod:`graphscore.report.latex` are; a table gives the same numbers in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.report.table import (
    BEST,
    Best,
    BestAmount,
    Meaning,
    Short,
    Table,
    cell,
)

BOLD = "(best in bold)"
"""Note in titles in place of :data:`graphscore.report.table.BEST`."""


def plain(value: Any, places: int, meaning: Meaning = "name") -> str:
    """A cell as text shows it, without the star before the best.

    >>> plain(Best(0.76166), 2), plain("*a", 2)
    ('76.17', '*a')
    """
    text = cell(value.whole if isinstance(value, Short) else value, places, meaning)
    return text[1:] if isinstance(value, Best | BestAmount) else text


def is_best(table: Table, row: int, column: int) -> bool:
    """Return whether a cell is the best of those that it is compared with."""
    value = table.rows[row][column]
    return isinstance(value, Best | BestAmount) or (row, column) in table.best


def joint_signature(signatures: Iterable[str]) -> str:
    """One signature for numbers of several: each field with all its values.

    >>> joint_signature(["metric:mrp|system:1a", "metric:mrp|system:2b"])
    'metric:mrp|system:1a,2b'
    """
    fields: dict[str, dict[str, None]] = {}
    for signature in filter(None, signatures):
        for field in signature.split("|"):
            name, colon, value = field.partition(":")
            fields.setdefault(name + colon, {})[value] = None
    return "|".join(name + ",".join(values) for name, values in fields.items())


def signed(tables: Iterable[Table], signature: str) -> Iterator[Table]:
    """Tables with a signature, where they have none of their own."""
    for table in tables:
        table.signature = table.signature or signature
        yield table


def caption(table: Table) -> str:
    """The title of a table whose best cells are bold."""
    return table.title.replace(BEST, BOLD).strip()


def notes(table: Table, places: int) -> list[str]:
    """The lines below a table; a signature that is shown anyway is none of them."""
    lines = [
        note if isinstance(note, str) else f"{note[0]} {cell(note[1], places)}"
        for note in table.notes
    ]
    shown = [line.strip() for line in [*lines, table.legend]]
    return [line for line in shown if line and line != table.signature]
