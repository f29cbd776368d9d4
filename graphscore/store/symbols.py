"""Strings that are kept once: from values to symbol ids and back.

Both directions remember what they have seen, per database connection.  That is
safe because symbols are never changed or deleted; when a transaction is taken
back, the connection forgets everything (see :mod:`graphscore.store.database`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from graphscore.model.graph import Value, json_type
from graphscore.store.integrity import FaultError, checked, damaged, misfit
from graphscore.store.schema import symbol
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.rows import LARGEST_ID

REMEMBERED = 500_000
"""Symbols that a connection keeps in memory; with more, it asks the database."""

_BLOCK = 4096

Key = str | tuple[str, str]
"""A string, or (type, text) of any other value: 1, 1.0 and True are equal in
Python but three values in a file."""


def key_of(value: Value) -> Key | None:
    """The key under which a value is interned.

    Args:
        value: any JSON literal.

    Returns:
        Its key; ``None`` for null, which is SQL's NULL.

    Example:
        >>> key_of("42"), key_of(42), key_of(True), key_of(None)
        ('42', ('integer', '42'), ('boolean', 'true'), None)
    """
    if value is None or isinstance(value, str):
        return value
    return json_type(value)


def value_of(text: str, type_: str) -> Value:
    """The value behind a row of the symbol table.

    Args:
        text: its text.
        type_: its JSON type.

    Returns:
        The value, of the type that it had in the file.

    Raises:
        ValueError: there is no such value, or no such type.

    Example:
        >>> value_of("42", "integer"), value_of("42", "string")
        (42, '42')
    """
    if type_ == "string":
        return text
    if type_ == "boolean":
        return text == "true"
    if type_ == "integer":
        return int(text)
    if type_ == "float":
        return float(text)
    raise ValueError(f"{type_!r} is not a type of JSON")


class SymbolIds(dict[Key, int]):
    """Ids by value, new values included; for the holder of the write lock.

    Looking up an unknown key hands out the next id.  :meth:`flush` writes what
    is new; it must run before the transaction ends.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self._next = 1
        self._new: list[tuple[int, str, str]] = []
        self._complete = True

    @classmethod
    def of(cls, connection: Connection) -> SymbolIds:
        """The ids known to this connection, brought up to date.

        Args:
            connection: a connection that holds the write lock.

        Returns:
            The mapping; the same one for each transaction of the connection.
        """
        ids: SymbolIds | None = connection.info.get("symbol_ids")
        if ids is None:
            ids = connection.info["symbol_ids"] = cls(connection)
        ids._catch_up(connection)
        return ids

    def _catch_up(self, connection: Connection) -> None:
        # Ids only grow, so that what other processes have added lies above.
        self._connection = connection
        largest = connection.execute(select(func.max(symbol.c.id))).scalar() or 0
        if largest > REMEMBERED or len(self) > REMEMBERED:
            self.clear()
            self._complete = False
        elif largest >= self._next:
            for id_, text, type_ in _symbols(connection, symbol.c.id >= self._next):
                self[text if type_ == "string" else (type_, text)] = id_
        self._next = largest + 1
        if largest >= LARGEST_ID:
            raise FaultError(
                f"has no free id left in table {symbol}: there is {largest}"
            )

    def __missing__(self, key: Key) -> int:
        type_, text = ("string", key) if isinstance(key, str) else key
        result = None
        if not self._complete:
            result = self._connection.execute(
                select(symbol.c.id).where(symbol.c.text == text, symbol.c.type == type_)
            ).scalar()
        if result is None:
            result = self._next
            self._next += 1
            self._new.append((result, text, type_))
        self[key] = result
        return result

    def id_of(self, value: Value) -> int | None:
        """The id of a value.

        Args:
            value: any JSON literal.

        Returns:
            Its id, ``None`` for null.
        """
        key = key_of(value)
        return None if key is None else self[key]

    def flush(self) -> None:
        """Write the symbols that are new."""
        bulk_insert(self._connection, symbol, self._new)
        self._new.clear()
        if len(self) > REMEMBERED:
            self.clear()
            self._complete = False


class SymbolValues(dict[int | None, Any]):
    """Values by id, read in blocks of neighbours as they are asked for."""

    def __init__(self, connection: Connection) -> None:
        super().__init__({None: None})
        self._connection = connection

    @classmethod
    def of(cls, connection: Connection) -> SymbolValues:
        """The values known to this connection.

        Args:
            connection: an open store.

        Returns:
            The mapping; NULL maps to ``None``.
        """
        values: SymbolValues | None = connection.info.get("symbol_values")
        if values is None or len(values) > REMEMBERED:
            values = connection.info["symbol_values"] = cls(connection)
        values._connection = connection
        return values

    def __missing__(self, id_: int | None) -> Value:
        assert id_ is not None
        # Symbols that came together are wanted together.
        first = id_ - id_ % _BLOCK
        block = symbol.c.id.between(first, first + _BLOCK - 1)
        for number, text, type_ in _symbols(self._connection, block):
            try:
                self[number] = value_of(text, type_)
            except ValueError as error:
                expected = f"a value of its type, {type_!r}"
                raise misfit("symbol", (number,), "text", text, expected) from error
        if id_ not in self:
            raise damaged(f"table symbol has no row {id_}, which others refer to")
        value: Value = dict.__getitem__(self, id_)
        return value


def _symbols(connection: Connection, condition: ColumnElement[bool]) -> list[Any]:
    """Rows of symbols, looked at: id, text and type."""
    columns = (symbol.c.id, symbol.c.text, symbol.c.type)
    return checked(connection.execute(select(*columns).where(condition)), columns)
