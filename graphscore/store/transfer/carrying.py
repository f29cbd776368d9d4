"""Rows on their way from one store into another: ids, strings and numbers of each.

Rows are read, looked at and written some hundred owners at a time.  What has to be
remembered of all of them are ids: sixteen bytes each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Select, Table

from graphscore.store.damage import checked, damaged, misfit
from graphscore.store.failures import guarded
from graphscore.store.schema import SYMBOL
from graphscore.store.symbols import (
    REMEMBERED,
    Key,
    SymbolIds,
    key_of,
    symbols_between,
    value_of,
)
from graphscore.store.writing.cells import bulk_insert
from graphscore.store.writing.rows import rows_of

BATCH = 256
"""Graphs or results that are carried together."""

STREAMED = 5_000
"""Rows of other tables that are in memory at a time."""

_BLOCK = 4096

Row = tuple[Any, ...]


class NulError(Exception):
    """A row has a string that the other database cannot hold.

    Args:
        owner: id of the graph or result that it belongs to.
        where: the table that says it.
    """

    def __init__(self, owner: int, where: str) -> None:
        super().__init__(owner, where)
        self.owner = owner
        self.where = where


class Numbers:
    """Ids of the one store and what they are in the other, in ascending order.

    Example:
        >>> numbers = Numbers()
        >>> numbers.add(3, 10)
        >>> numbers.add(7, 9)
        >>> numbers.get(7), numbers.get(4), len(numbers)
        (9, None, 2)
    """

    def __init__(self) -> None:
        self._before = array("q")
        self._after = array("q")

    def __len__(self) -> int:
        return len(self._before)

    @classmethod
    def joined(cls, parts: Iterable[Numbers]) -> Numbers:
        """Several as one.

        Args:
            parts: of none of which the ids lie between those of another.
        """
        found = cls()
        for part in sorted((each for each in parts if len(each)), key=cls._first):
            found._before.extend(part._before)
            found._after.extend(part._after)
        return found

    def _first(self) -> int:
        return self._before[0]

    def add(self, before: int, after: int) -> None:
        """Remember one; those before it are smaller.

        Args:
            before: the id where it comes from.
            after: the id where it goes.
        """
        self._before.append(before)
        self._after.append(after)

    def get(self, before: int | None) -> int | None:
        """What an id has become; ``None`` if it was not carried.

        Args:
            before: the id where it comes from.
        """
        if before is None:
            return None
        place = bisect_left(self._before, before)
        if place == len(self._before) or self._before[place] != before:
            return None
        return self._after[place]


def in_parts(
    connection: Connection, statement: Select[*tuple[Any, ...]], size: int = STREAMED
) -> Iterator[list[Row]]:
    """The rows of a long answer, some at a time, each cell of its column's type.

    Args:
        connection: an open store.
        statement: selects columns of the schema, ordered.
        size: rows in memory.
    """
    columns: list[Column[Any]] = list(statement.selected_columns)  # type: ignore[arg-type]
    found = connection.execute(statement, execution_options={"yield_per": size})
    try:
        for part in found.partitions():
            yield checked(part, columns)
    finally:
        found.close()


class Source:
    """The store that is copied, of which one state is seen throughout.

    Args:
        name: the store as its user named it.
        connection: open for reading.
    """

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self.connection = connection

    def rows(self, table: Table, owners: Sequence[int]) -> list[Row]:
        """Rows of some graphs or results, by the first column of their table.

        Args:
            table: of the schema.
            owners: ids.
        """
        # What is wrong here is not the fault of the store that is being written.
        with guarded(self.name):
            return rows_of(self.connection, table, table.columns[0].name, owners)

    def asked(self, statement: Select[*tuple[Any, ...]]) -> list[Row]:
        """The rows of a short answer, each cell of its column's type.

        Args:
            statement: selects columns of the schema.
        """
        with guarded(self.name):
            columns: list[Column[Any]] = list(statement.selected_columns)  # type: ignore[arg-type]
            return checked(self.connection.execute(statement), columns)

    def streamed(
        self, statement: Select[*tuple[Any, ...]], size: int = STREAMED
    ) -> Iterator[list[Row]]:
        """The rows of a long answer, some at a time.

        Args:
            statement: selects columns of the schema, ordered.
            size: rows in memory.
        """
        with guarded(self.name):
            yield from in_parts(self.connection, statement, size)

    def keys(self, first: int, last: int) -> dict[int, Key | None]:
        """Strings and other values by their ids.

        Args:
            first: the smallest id.
            last: the largest id.
        """
        found = {}
        with guarded(self.name):
            for number, text, type_ in symbols_between(self.connection, first, last):
                try:
                    found[number] = key_of(value_of(text, type_))
                except ValueError as error:
                    expected = f"a value of its type, {type_!r}"
                    raise misfit("symbol", (number,), "text", text, expected) from error
        return found


class Symbols(dict[int | None, int | None]):
    """Ids of strings in the other store by those in this one, interned when asked for.

    What nothing uses stays behind.

    Args:
        source: where they come from.
        target: a writing connection.
        refuses_nul: whether strings with U+0000 cannot go there.
    """

    def __init__(self, source: Source, target: Connection, refuses_nul: bool) -> None:
        super().__init__({None: None})
        self._source = source
        self._ids = SymbolIds.of(target)
        self._refuses_nul = refuses_nul
        self._read: dict[int, Key | None] = {}

    def flush(self) -> None:
        """Write what is new."""
        self._ids.flush()
        if len(self) > REMEMBERED or len(self._read) > REMEMBERED:
            self.clear()
            self._read.clear()
            self[None] = None

    def __missing__(self, number: int | None) -> int:
        assert number is not None
        if number not in self._read:
            # Symbols that came together are wanted together.
            first = number - number % _BLOCK
            self._read |= self._source.keys(first, first + _BLOCK - 1)
        key = self._read.get(number)
        if key is None:
            with guarded(self._source.name):
                raise damaged(
                    f"table symbol has no row {number}, which others refer to"
                )
        text = key if isinstance(key, str) else key[1]
        if self._refuses_nul and "\x00" in text:
            raise ValueError("U+0000")
        found = self[number] = self._ids[key]
        return found


class Carrier:
    """Takes rows over, within one transaction of the store that is written.

    Args:
        source: where they come from.
        target: a writing connection.
    """

    def __init__(self, source: Source, target: Connection) -> None:
        self.source = source
        self.target = target
        self._refuses_nul = (
            target.dialect.name == "postgresql"
            and source.connection.dialect.name != "postgresql"
        )
        self.symbols = Symbols(source, target, self._refuses_nul)

    def carry(self, table: Table, owners: Mapping[int, int]) -> int:
        """Take over the rows of some graphs or results.

        Args:
            table: one whose first column says whose they are.
            owners: ids in the other store by those in this one.

        Returns:
            How many rows there are.

        Raises:
            NulError: if the other database cannot hold one.
        """
        rows = self.source.rows(table, list(owners))
        self.write(table, rows, owners)
        return len(rows)

    def write(
        self, table: Table, rows: Sequence[Row], owners: Mapping[int, int]
    ) -> None:
        """Write rows that have been read.

        Args:
            table: theirs.
            rows: in the order of its columns.
            owners: ids in the other store by those in this one.

        Raises:
            NulError: if the other database cannot hold one.
        """
        symbols, changed = self.symbols, []
        columns = list(table.columns)
        named = [n for n, each in enumerate(columns) if each.info.get(SYMBOL)]
        for row in rows:
            cells = list(row)
            cells[0] = owners[row[0]]
            try:
                for place in named:
                    cells[place] = symbols[row[place]]
            except ValueError:
                raise NulError(row[0], table.name) from None
            changed.append(tuple(cells))
        self.refuse_nul(table, rows)
        symbols.flush()
        bulk_insert(self.target, table, changed)

    def refuse_nul(self, table: Table, rows: Iterable[Row]) -> None:
        """Refuse rows with text that the other database cannot hold.

        Args:
            table: theirs.
            rows: the first cell says whose they are.

        Raises:
            NulError: for the first.
        """
        for row in rows if self._refuses_nul else ():
            if any(isinstance(cell, str) and "\x00" in cell for cell in row):
                raise NulError(row[0], table.name)

    def without_nul(self, rows: list[Row]) -> list[Row]:
        """Rows with U+0000 spelled out where the other database cannot hold it.

        Args:
            rows: of records that could not be read.
        """
        if not self._refuses_nul:
            return rows
        return [
            tuple(
                cell.replace("\x00", "\\x00") if isinstance(cell, str) else cell
                for cell in row
            )
            for row in rows
        ]
