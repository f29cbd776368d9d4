"""The tables that rules run over, and how they are filled.

Rows have those columns only that some rule reads, and many are put in by one statement:
most of the time that small conditions take is otherwise spent on loading.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from graphscore.rules.facts import Batch
from graphscore.rules.model import SIDES
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.safety import MENTION_COLUMNS

BLOCK = 64
"""Rows that are put in at a time."""

_PAIR = "gold integer, system integer"


def create(connection: sqlite3.Connection, rules: RuleSet) -> None:
    """Make the tables of a rule set, without indexes.

    Args:
        connection: an empty database.
        rules: whose columns the tables have.
    """
    run = connection.execute
    run("create table part (id integer primary key, reach integer)")
    for side in SIDES:
        run(
            f"create table {side} (id integer primary key, part integer, class text, "
            "class_by integer, resolution text, resolution_by integer, "
            f"{_listed(rules.span_columns)})"
        )
        run(
            f"create table {side}_entry (id integer primary key, unit integer, "
            f"class text, class_by integer, {_listed(rules.entry_columns)}, "
            f"{_listed([*MENTION_COLUMNS])})"
        )
    run(f"create table same ({_PAIR})")
    run(
        f"create table overlap ({_PAIR}, characters integer, "
        "jaccard real, dice real, of_gold real, of_system real)"
    )
    run(f"create table near ({_PAIR}, distance integer)")
    for side in SIDES:
        run(
            f"create table within_{side} (span integer, other integer, "
            "characters integer, jaccard real, dice real, of_span real, "
            "of_other real, distance integer)"
        )
    run(f"create table hit ({_PAIR}, gold_rule integer, system_rule integer)")
    run("create table best (id integer primary key, rule integer)")
    run(
        f"create table log (rule integer, {_PAIR}, gold_to integer, system_to integer, "
        "gold_was text, gold_by integer, system_was text, system_by integer)"
    )


def create_index(connection: sqlite3.Connection, name: str) -> None:
    """Make an index.

    Args:
        connection: with the tables.
        name: ``gold_place``, ``system_place``, ``gold_key`` or ``system_key``.
    """
    side, what = name.split("_")
    place = what == "place"
    table = side if place else f"{side}_entry"
    listed = "part, start, end" if place else "unit, key"
    connection.execute(f"create index {name} on {table} ({listed})")


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


class Filler:
    """Puts the rows of batches into the tables of a rule set.

    Args:
        rules: the set.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._inserts: dict[str, list[str]] = {}
        self._widths: dict[str, int] = {}
        for side in SIDES:
            for table, whose, columns in (
                (side, "part", rules.span_columns),
                (f"{side}_entry", "unit", rules.entry_columns),
            ):
                self._widths[table] = len(columns)
                self._inserts[table] = [
                    _insert(table, whose, columns, count) for count in range(BLOCK + 1)
                ]

    def fill(self, connection: sqlite3.Connection, batch: Batch) -> None:
        """Replace what is in the tables.

        Args:
            connection: with the tables.
            batch: the units.
        """
        run = connection.execute
        within = (f"within_{side}" for side in SIDES)
        for table in ("part", "same", "overlap", "near", *within, "hit", "log"):
            run(f"delete from {table}")
        connection.executemany("insert into part values (?, ?)", enumerate(batch.reach))
        for number, side in enumerate(SIDES):
            self._put(connection, side, batch.cells(number))
            self._put(connection, f"{side}_entry", batch.entry_cells(number))

    def _put(
        self,
        connection: sqlite3.Connection,
        table: str,
        cells: Iterable[tuple[int, Sequence[Any]]],
    ) -> None:
        run = connection.execute
        run(f"delete from {table}")
        inserts, width = self._inserts[table], self._widths[table]
        step = BLOCK * width
        for number, each in cells:
            if len(each) <= step:
                if each:
                    run(inserts[len(each) // width], (number, *each))
                continue
            for begin in range(0, len(each), step):
                some = each[begin : begin + step]
                run(inserts[len(some) // width], (number, *some))


def _insert(table: str, whose: str, columns: Sequence[str], count: int) -> str:
    """A statement for so many rows of one part or unit."""
    # Placeholders without a number, which sequences are bound to on every Python: the
    # part is said once, and joined to all rows.
    names = ", ".join(f"column{k + 1}" for k in range(len(columns)))
    row = f"({', '.join('?' * len(columns))})"
    return (
        f"insert into {table} ({whose}, {_listed(columns)}) with said(number) as "
        f"(values (?)) select number, {names} from said, "
        f"(values {', '.join([row] * count)})"
    )
