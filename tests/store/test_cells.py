"""Rows that are written together are the rows that were given."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    create_engine,
)
from sqlalchemy.exc import IntegrityError

from graphscore.store.column_types import Number
from graphscore.store.write.cells import TOGETHER, bulk_insert, insert_cells

TABLE = Table(
    "some",
    MetaData(),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("amount", Number, nullable=False),
    Column("order", Text),
    Column("share", Float),
    Column("content", LargeBinary),
    Column("other", Integer),
    Column("said", Text, nullable=False, server_default="nothing"),
)

NAMES = TABLE.columns.keys()

MANY, SOME, _ = TOGETHER

CELLS: dict[str, tuple[Any, ...]] = {
    "amount": (0, 3, 3.0, 0.1, 2**53 + 1),
    "order": ("", "x", "3", "ä\u2028", "a\x00b"),
    "share": (0.0, -0.0, 1e300, float("inf")),
    "content": (b"", b"\x00\xff"),
    "other": (0, -1, 2**63 - 1),
    "said": ("", "so"),
}


def made(count: int, seed: int, nulls: float) -> list[tuple[Any, ...]]:
    """Rows with some of everything, and of null in each column that may have it."""
    rng = random.Random(seed)
    return [
        (
            number,
            *(
                None
                if TABLE.columns[name].nullable and rng.random() < nulls
                else rng.choice(cells)
                for name, cells in CELLS.items()
            ),
        )
        for number in range(count)
    ]


def inserted(how: Any) -> list[tuple[Any, ...]]:
    """What a table has after something was written, and of which type."""
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            TABLE.create(connection)
            how(connection)
            types = ", ".join(f'typeof("{name}")' for name in NAMES)
            rows = connection.exec_driver_sql(f'select *, {types} from "some"')
            return [tuple(map(repr, row)) for row in rows]
    finally:
        engine.dispose()


def one_by_one(connection: Connection, rows: list[tuple[Any, ...]]) -> None:
    for row in rows:
        signs = ", ".join("?" * len(row))
        connection.exec_driver_sql(f'insert into "some" values ({signs})', row)


@given(
    st.sampled_from([1, SOME - 1, SOME, MANY - 1, MANY, 2 * MANY + SOME + 1]),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.5, 0.99, 1.0]),
)
def test_rows(count: int, seed: int, nulls: float) -> None:
    rows = made(count, seed, nulls)
    expected = inserted(lambda connection: one_by_one(connection, rows))
    assert len(expected) == count
    assert inserted(lambda connection: bulk_insert(connection, TABLE, rows)) == expected


def test_some_columns() -> None:
    rows = [(number, 1, None if number % 3 else 7) for number in range(MANY + SOME)]
    cells = [cell for row in rows for cell in row]
    found = inserted(
        lambda connection: insert_cells(
            connection, TABLE, ("id", "amount", "other"), cells
        )
    )
    whole = [(*row[:2], None, None, None, row[2], "nothing") for row in rows]
    assert found == inserted(lambda connection: one_by_one(connection, whole))


@pytest.mark.parametrize("count", [1, SOME, MANY])
def test_null_where_there_is_none(count: int) -> None:
    rows = made(count, 1, 0.5)
    rows[-1] = (*rows[-1][:-1], None)
    with pytest.raises(IntegrityError, match=r"NOT NULL constraint failed: some\.said"):
        inserted(lambda connection: bulk_insert(connection, TABLE, rows))


def test_no_rows() -> None:
    assert inserted(lambda connection: bulk_insert(connection, TABLE, [])) == []
    assert inserted(lambda connection: insert_cells(connection, TABLE, NAMES, [])) == []
