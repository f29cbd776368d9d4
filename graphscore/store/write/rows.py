"""Writing many rows at once, and the few questions that every writer asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, func, select

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.store.integrity import FaultError, checked, whole_rows
from graphscore.store.schema import collection, text

T = TypeVar("T")

LARGEST_ID = 2**63 - 2**32
"""From here on ids are nobody's that were handed out one after another."""

SQL_VALUES = 900
"""Values in one statement; the oldest limit that any database still has is 999."""


def unknown_texts(connection: Connection, digests: Iterable[bytes]) -> list[bytes]:
    """Texts that are not there yet.

    Args:
        connection: a writing connection, beside which nobody writes.
        digests: fingerprints of texts, in any number.

    Returns:
        Those that no text has, in the order given.
    """
    fromkeys = dict.fromkeys(digests)
    for chunk in batched([*fromkeys], SQL_VALUES):
        stored = select(text.c.digest).where(text.c.digest.in_(chunk))
        for [digest] in checked(connection.execute(stored), [text.c.digest]):
            fromkeys.pop(digest, None)
    return [*fromkeys]


def rows_of(
    connection: Connection, table: Table, owner: str, ids: Sequence[int]
) -> list[tuple[Any, ...]]:
    """All rows of some graphs or results, in the order of the table's key.

    Args:
        connection: an open store.
        table: a table whose rows belong to graphs or results.
        owner: the column that says to which.
        ids: of those.

    Raises:
        FaultError: a row is not as it was written.
    """
    quote = connection.dialect.identifier_preparer.quote
    columns = ", ".join(quote(column.name) for column in table.columns)
    key = ", ".join(quote(column.name) for column in table.primary_key.columns)
    # In plain SQL, as building the expression takes longer than finding the rows.
    condition = f"in ({', '.join(f'{number:d}' for number in ids)})"
    if ids and max(ids) - min(ids) == len(ids) - 1:
        condition = f"between {min(ids):d} and {max(ids):d}"
    statement = (
        f"select {columns} from {quote(table.name)} "
        f"where {quote(owner)} {condition} order by {key}"
    )
    cursor: Any = connection.exec_driver_sql(statement).cursor
    return whole_rows(cursor, table)


def next_id(connection: Connection, table: Table) -> int:
    """The first id that is free; the caller holds the write lock.

    Args:
        connection: a writing connection.
        table: a table with an ``id``.

    Returns:
        One more than the largest id.

    Raises:
        FaultError: there is no free one.
    """
    largest: int = connection.execute(select(func.max(table.c.id))).scalar() or 0
    if largest >= LARGEST_ID:
        raise FaultError(
            f"has no free id left in table {table}: the largest is {largest}"
        )
    return largest + 1


def now() -> str:
    """The time to note down, in UTC.

    Returns:
        Date and time to the second, as ``2026-01-31 12:00:00``.
    """
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut a stream into lists.

    Args:
        items: anything iterable.
        size: length of each list but the last.

    Yields:
        The lists, none of them empty.
    """
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def find_collection(connection: Connection, name: str) -> int:
    """The id of a collection.

    Args:
        connection: an open store.
        name: the collection's name.

    Returns:
        Its id.

    Raises:
        UsageError: there is none of that name; the names there are, are listed.
    """
    result = connection.execute(
        select(collection.c.id).where(collection.c.name == name)
    ).scalar()
    if result is None:
        rows = connection.execute(select(collection.c.name).order_by(collection.c.name))
        names = checked(rows, [collection.c.name])
        existing = [existing_name for [existing_name] in names]
        known = ", ".join(map(repr, existing)) or "none yet"
        raise UsageError(
            f"no collection {name!r} in the store{did_you_mean(name, existing)}; "
            f"there are: {known}"
        )
    return int(result)
