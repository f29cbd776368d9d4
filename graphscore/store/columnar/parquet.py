"""Rows as files of Parquet, batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from graphscore.files import neighbour_of, remove_left, resolve_target, writing
from graphscore.store.columnar.answers import BATCH, refuse_without, schema_of
from graphscore.store.columnar.layouts import Columns

GROUP = 4 * BATCH
"""Rows of a row group, of which one is in memory at a time."""


class RowWriter:
    """A file of Parquet that takes rows as they come, and is there whole or not at all.

    Args:
        path: the file; one that is there is replaced.
        columns: names and types.

    Raises:
        UsageError: if pyarrow is missing.
        GraphscoreError: if the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str], columns: Columns) -> None:
        refuse_without("pyarrow")
        self.path, self.columns = path, columns
        with writing(path):
            self._target = resolve_target(path)
            self._neighbour = neighbour_of(self._target)
        remove_left([self._target])
        self._held: list[Sequence[Any]] = []

    def __enter__(self) -> RowWriter:
        from pyarrow import parquet

        with writing(self.path):
            schema = schema_of(self.columns)
            self._file = parquet.ParquetWriter(
                self._neighbour, schema, compression="zstd"
            )
        return self

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write some more rows, or hold them until there are many.

        Args:
            rows: a cell for each column.
        """
        self._held.extend(rows)
        if len(self._held) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        schema = schema_of(self.columns)
        table = pa.Table.from_batches(batches_of(self.columns, self._held), schema)
        with writing(self.path):
            self._file.write_table(table.unify_dictionaries())
        self._held.clear()

    def __exit__(self, failed: object, *_: object) -> None:
        try:
            if failed is None:
                self._flush()
            with writing(self.path):
                self._file.close()
                if failed is None:
                    os.replace(self._neighbour, self._target)
        finally:
            with suppress(OSError):
                self._neighbour.unlink()


def batches_of(columns: Columns, rows: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """Rows as batches of Arrow.

    Args:
        columns: names and types.
        rows: a cell for each column.
    """
    import pyarrow as pa

    schema = schema_of(columns)
    left = iter(rows)
    while taken := list(islice(left, BATCH)):
        made = []
        for field, cells in zip(schema, zip(*taken, strict=True), strict=True):
            if pa.types.is_dictionary(field.type):
                made.append(pa.array(cells, pa.string()).dictionary_encode())
            elif pa.types.is_boolean(field.type):
                made.append(pa.array([_truth(cell) for cell in cells], field.type))
            else:
                made.append(pa.array(cells, field.type))
        yield pa.record_batch(made, schema=schema)


def _truth(cell: Any) -> bool | None:
    return None if cell is None else bool(cell)


def write_batches(path: Path, columns: Columns, batches: Iterable[Any]) -> int:
    """Write batches of Arrow to a new file of Parquet.

    Args:
        path: the file; left half written if this fails.
        columns: names and types of the batches.
        batches: of these types, each of any size.

    Returns:
        How many rows were written.
    """
    import pyarrow as pa
    from pyarrow import parquet

    rows = 0
    schema = schema_of(columns)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in _groups(batches):
            rows += sum(batch.num_rows for batch in group)
            table = pa.Table.from_batches(group, schema)
            writer.write_table(table.unify_dictionaries(), row_group_size=GROUP)
    return rows


def _groups(batches: Iterable[Any]) -> Iterator[list[Any]]:
    """Batches gathered into row groups."""
    held: list[Any] = []
    for batch in batches:
        if (
            held
            and sum(held_batch.num_rows for held_batch in held) + batch.num_rows > GROUP
        ):
            yield held
            held = []
        held.append(batch)
    if held:
        yield held
