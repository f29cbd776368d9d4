"""Answers to questions of users in columns, where these are of one type each.

SQLite gives each value a type, a column of Arrow has one.  The first rows tell which
that is, and every further row is held against it: where one does not fit, there is no
answer in columns, and rows are to be asked for instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from graphscore.exceptions import StoreError
from graphscore.rows import unique_names
from graphscore.store.columnar.answers import (
    BATCH,
    Copies,
    Fetcher,
    is_installed,
    open_answers,
    open_fetcher,
    schema_of,
)
from graphscore.store.columnar.layouts import Columns, Kind
from graphscore.store.opening import open_store
from graphscore.store.revisions import RevisionOf

FEW = BATCH
"""Rows that are no more work to take as they are than to start a process for."""

_Type = Literal["text", "integer", "double", "nothing"]

_SAMPLES: dict[_Type, str] = {
    "text": "''",
    "integer": "0",
    "double": "0.0",
    "nothing": "0",
}


def in_columns() -> bool:
    """Return whether a library for answers in columns is installed."""
    return is_installed("pyarrow") and is_installed("adbc_driver_sqlite")


def table_of(
    store: str,
    sql: str,
    names: Sequence[str],
    first: Iterable[Sequence[Any]],
    revision_of: RevisionOf | None,
) -> Any | None:
    """The whole answer as a table of Arrow, if its columns have one type each.

    Args:
        store: path or URL.
        sql: what has been asked, and was found to do nothing but read.
        names: of the columns.
        first: the first rows of the answer.
        revision_of: the revision that a metric has now, by its canonical string.

    Returns:
        ``pyarrow.Table``; ``None`` where a column has values of several types, or of
        one that Arrow's columns do not have here, as bytes.
    """
    with open_store(store, read_only=True) as database:
        if database.engine.dialect.name != "sqlite":
            return _copied(store, sql, unique_names(names), revision_of)
    types = [_type_of(cells) for cells in zip(*first, strict=True)]
    if None in types:
        return None
    type_s = [type_ for type_ in types if type_ is not None]
    with open_fetcher(store, revision_of) as fetcher:
        return _fetched(fetcher, _asking(sql, type_s), type_s, unique_names(names))


def _copied(
    store: str, sql: str, names: Sequence[str], revision_of: RevisionOf | None
) -> Any | None:
    """Copy columns out of PostgreSQL, which knows their types."""
    import psycopg
    import pyarrow as pa

    statement = sql.rstrip().rstrip(";")
    with open_answers(store, revision_of) as answers:
        assert isinstance(answers, Copies)
        try:
            kinds = answers.kinds(statement)
        except psycopg.Error:
            # A comment may follow the last semicolon.
            return None
        # Decimals come as they are written, which tells whether they are whole.
        columns: Columns = {
            f"c{number}": "text" if kind == "decimal" else kind
            for number, kind in enumerate(kinds)
            if kind is not None
        }
        if len(columns) < len(kinds):
            return None
        source = f"(\n{statement}\n) answer({', '.join(columns)})"
        from_batches = pa.Table.from_batches(
            answers.batches(columns, source), schema=schema_of(columns)
        )
    try:
        arrays = [
            _as_in_rows(array, kind)
            for array, kind in zip(from_batches.columns, kinds, strict=True)
        ]
    except pa.ArrowInvalid:
        return None
    return pa.table(arrays, names=[*names])


def _as_in_rows(array: Any, kind: Kind | Literal["decimal"] | None) -> Any:
    """A column of the type that it has where rows are asked for.

    Args:
        array: of Arrow; decimals as PostgreSQL writes them.
        kind: what it holds.

    Raises:
        ArrowInvalid: there are numbers that Arrow has not.
    """
    import pyarrow as pa
    from pyarrow import compute

    if array.null_count == len(array):
        return pa.nulls(len(array))
    if kind == "boolean":
        return array.cast(pa.int64())
    if kind != "decimal":
        return array
    broken = compute.any(compute.match_substring(array, ".")).as_py()
    return array.cast(pa.float64() if broken else pa.int64())


def _type_of(cells: Iterable[Any]) -> _Type | None:
    """The type of a column with these cells, if it is one of Arrow."""
    types = {type(cell) for cell in cells} - {type(None)}
    if not types:
        return "nothing"
    if types == {str}:
        return "text"
    if types == {int}:
        return "integer"
    return "double" if types <= {int, float} else None


def _asking(sql: str, types: Sequence[_Type]) -> str:
    """The statement that gives a sample, then the rows, each with whether it is odd."""
    columns = [f"c{number}" for number in range(len(types))]
    # Numbers come before texts and these before bytes; null is never odd.  Whether
    # numbers fit is looked at by the driver.
    odd = " or ".join(
        f"{column} < '' or {column} >= x''"
        for column, kind in zip(columns, types, strict=True)
        if kind == "text"
    )
    samples = ", ".join(_SAMPLES[kind] for kind in types)
    listed = ", ".join(columns)
    return (
        f"with answer({listed}) as materialized (\n{sql.rstrip().rstrip(';')}\n)\n"
        f"select {samples}, 0 union all select {listed}, ({odd or '0'}) from answer"
    )


def _fetched(
    fetcher: Fetcher, sql: str, types: Sequence[_Type], names: Sequence[str]
) -> Any | None:
    import pyarrow as pa
    from pyarrow import compute

    kinds = {"text": pa.string(), "double": pa.float64()}
    expected = [kinds.get(type_, pa.int64()) for type_ in types]
    batches, first = [], 1
    try:
        for batch in fetcher.stream(sql):
            *columns, odd = batch.slice(first).columns
            first = 0
            if [column.type for column in columns] != expected or compute.max(
                odd
            ).as_py():
                return None
            batches.append(pa.record_batch(columns, names=[*names]))
    except StoreError:
        # What is wrong, or not of one type, is said better where rows are asked for.
        return None
    table = pa.Table.from_batches(batches)
    for number, kind in enumerate(types):
        if kind == "nothing" and table.column(number).null_count == len(table):
            empty = pa.nulls(len(table))
            table = table.set_column(number, names[number], empty)
    return table


def frame_from(table: Any, library: str) -> Any:
    """A frame of a library that has all of a table.

    Args:
        table: of Arrow.
        library: ``pandas``, ``polars`` or ``arrow``.
    """
    if library == "pandas":
        return table.to_pandas()
    if library == "polars":
        import polars

        return polars.from_arrow(table)
    return table.combine_chunks()
