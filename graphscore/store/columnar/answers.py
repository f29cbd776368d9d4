"""Rows of a store as batches of Arrow.

SQLite is asked by a process that fetches, PostgreSQL by COPY.  All answers of one
opening are about one state of the store.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

from sqlalchemy import Connection, Engine

from graphscore.exceptions import StoreError, UsageError, truncate
from graphscore.store.columnar.layouts import Columns, Kind
from graphscore.store.database import Database, remove_empty_log, uri_of
from graphscore.store.integrity import damaged
from graphscore.store.opening import open_store
from graphscore.store.revisions import RevisionOf, changes, shown_before

BATCH = 32_768
"""Rows that are fetched together."""

BLOCK = 1 << 22
"""Bytes of PostgreSQL's answer that are taken apart together."""

_SAMPLES: dict[Kind, str] = {
    "text": "''",
    "name": "''",
    "integer": "0",
    "double": "0.0",
    "boolean": "0",
}
"""A value of each type: SQLite's driver finds the type of a column by values."""

_CASTS: dict[Kind, str] = {
    "text": "text",
    "name": "text",
    "integer": "bigint",
    "double": "double precision",
    "boolean": "integer",
}


class Answers(Protocol):
    """Source of rows in columns."""

    def batches(self, columns: Columns, source: str) -> Iterator[Any]:
        """Rows as batches whose types are those of :func:`schema_of`.

        Args:
            columns: which, and of which types.
            source: what follows ``from`` in SQL.
        """


def refuse_without(*modules: str) -> None:
    """Refuse what needs libraries that are not installed, before anything is done.

    Args:
        modules: what is imported.

    Raises:
        UsageError: naming the extra that has them.
    """
    gone = [name for name in modules if not is_installed(name)]
    if gone:
        raise UsageError(
            f"this needs {' and '.join(gone)}: pip install 'graphscore[frames]'"
        )


def is_installed(module: str) -> bool:
    """Return whether a library can be imported, without importing it."""
    with suppress(ImportError, ValueError):
        return find_spec(module) is not None
    return False


def schema_of(columns: Columns) -> Any:
    """The columns as a ``pyarrow.Schema``."""
    import pyarrow as pa

    types = {
        "text": pa.string(),
        "name": pa.dictionary(pa.int32(), pa.string()),
        "integer": pa.int64(),
        "double": pa.float64(),
        "boolean": pa.bool_(),
    }
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


def typed(batch: Any, columns: Columns) -> Any:
    """A batch with its columns in the types that they shall have.

    Args:
        batch: ``pyarrow.RecordBatch`` with these columns, of types like these.
        columns: their types.
    """
    import pyarrow as pa

    result = []
    schema = schema_of(columns)
    for field, array in zip(schema, batch.columns, strict=True):
        if pa.types.is_dictionary(field.type):
            result.append(array.dictionary_encode())
        elif array.type == field.type:
            result.append(array)
        else:
            result.append(array.cast(field.type))
    return pa.record_batch(result, schema=schema)


@contextmanager
def open_answers(store: str, revision_of: RevisionOf | None) -> Iterator[Answers]:
    """Open a store to have its rows in columns.

    Args:
        store: path or URL.
        revision_of: the revision that a metric has now, by its canonical string.

    Yields:
        What answers; about one state of the store.

    Raises:
        StoreError: it cannot be read.
        UsageError: a library is missing.
    """
    refuse_without("pyarrow")
    database = open_store(store, read_only=True)
    if database.engine.dialect.name == "postgresql":
        database.close()
        with (
            open_store(store, read_only=True, revision_of=revision_of) as database,
            database.reading() as connection,
        ):
            yield Copies(connection)
        return
    database.close()
    with open_fetcher(store, revision_of) as fetcher:
        yield fetcher


@contextmanager
def open_fetcher(store: str, revision_of: RevisionOf | None) -> Iterator[Fetcher]:
    """Open a store in a file of SQLite to have its rows in columns.

    Args:
        store: path or URL.
        revision_of: the revision that a metric has now, by its canonical string.

    Yields:
        What answers; about one state of the store.

    Raises:
        StoreError: it cannot be read.
        UsageError: a library is missing.
    """
    refuse_without("pyarrow", "adbc_driver_sqlite")
    with open_store(store, read_only=True) as database:
        before = _before(database, revision_of)
        fetcher = Fetcher(database.name, database.engine, before)
    try:
        with fetcher:
            yield fetcher
    finally:
        remove_empty_log(database.name)


def _before(database: Database, revision_of: RevisionOf | None) -> list[str]:
    """Return the statements by which views know the outdated evaluations."""
    if revision_of is None:
        return []
    with database.reading() as connection:
        revisions = changes(connection, revision_of)
    return shown_before(revisions, "main.evaluation") if revisions else []


class Fetcher:
    """SQLite, asked by a process of its own.

    Args:
        name: the store as it is shown.
        engine: of the store; it is not kept.
        before: statements that come first.
    """

    def __init__(self, name: str, engine: Engine, before: Iterable[str]) -> None:
        self._name = name
        self._first = {"uri": uri_of(engine), "before": [*before]}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Fetcher:
        script = Path(__file__).with_name("fetch.py")
        # Not from the folder of the script, whose modules have names of their own.
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._tell(self._first)
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def batches(self, columns: Columns, source: str) -> Iterator[Any]:
        """See :class:`Answers`."""
        samples = ", ".join(_SAMPLES[kind] for kind in columns.values())
        names = ", ".join(f'"{name}"' for name in columns)
        first = 1
        for batch in self.stream(
            f"select {samples} union all select {names} from {source}"
        ):
            rows, first = batch.slice(first), 0
            if rows.num_rows:
                yield typed(rows, columns)

    def stream(self, sql: str, batch: int | None = None) -> Iterator[Any]:
        """Batches of a question, each of whose texts has been looked at.

        Args:
            sql: one statement that only reads; nobody looks after that here.
            batch: rows of each (:data:`BATCH`); the first decides the types of columns.

        Raises:
            StoreError: what SQLite or its driver says.
        """
        import pyarrow as pa

        self._tell({"sql": sql, "batch": batch or BATCH})
        assert self._process is not None
        ended = False
        try:
            with pa.ipc.open_stream(self._process.stdout) as stream:
                for record_batch in stream:
                    self._look_at(record_batch)
                    yield record_batch
            ended = True
        except (pa.ArrowException, OSError) as error:
            raise self._blamed(str(error)) from error
        finally:
            if not ended:
                self._end()

    def _look_at(self, batch: Any) -> None:
        """Refuse texts that are none: the driver passes bytes on as they are."""
        import pyarrow as pa

        try:
            batch.validate(full=True)
        except pa.ArrowInvalid as error:
            raise StoreError(
                f"{self._name}: {damaged(truncate(str(error)))}"
            ) from error

    def _tell(self, request: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise StoreError(f"{self._name}: has been closed")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise self._blamed(str(error)) from error

    def _blamed(self, otherwise: str) -> StoreError:
        """The error that is behind an answer that broke off."""
        blamed = otherwise
        if self._process is not None and self._process.stderr is not None:
            process, stderr = self._process, self._process.stderr
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
                blamed = stderr.read().decode("utf-8", "replace").strip() or otherwise
        self._end()
        if "malformed" in blamed:
            return StoreError(f"{self._name}: {damaged(truncate(blamed))}")
        if "is locked" in blamed:
            return StoreError(
                f"{self._name}: is locked by another process; try again when it is done"
            )
        return StoreError(f"{self._name}: the database says: {truncate(blamed)}")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


class Copies:
    """PostgreSQL, whose fastest way out is COPY.

    Args:
        connection: an open store.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def batches(self, columns: Columns, source: str) -> Iterator[Any]:
        """See :class:`Answers`."""
        import pyarrow as pa
        from pyarrow import csv

        names = ", ".join(
            f'cast("{name}" as {_CASTS[kind]}) as "{name}"'
            for name, kind in columns.items()
        )
        raw: Any = self._connection.connection.driver_connection
        # The driver's own: a transaction that SQLAlchemy has begun is not yet the
        # server's before the first statement.
        self._connection.exec_driver_sql("select 1")
        statement = f"copy (select {names} from {source}) to stdout (format csv)"
        plain: dict[Kind, Any] = {
            "text": pa.string(),
            "name": pa.string(),
            "integer": pa.int64(),
            "double": pa.float64(),
            "boolean": pa.int64(),
        }
        with raw.cursor() as cursor, cursor.copy(statement) as copy:
            answer = io.BufferedReader(_Blocks(copy), BLOCK)
            if not answer.peek(1):
                return
            reader = csv.open_csv(
                answer,
                read_options=csv.ReadOptions(
                    use_threads=False, block_size=BLOCK, column_names=[*columns]
                ),
                parse_options=csv.ParseOptions(newlines_in_values=True),
                convert_options=csv.ConvertOptions(
                    column_types={name: plain[kind] for name, kind in columns.items()},
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            for batch in reader:
                if batch.num_rows:
                    yield typed(batch, columns)

    def kinds(self, sql: str) -> list[Kind | Literal["decimal"] | None]:
        """Return the types of a query's columns, as the server reports them.

        Args:
            sql: one statement that only reads; nobody looks after that here.

        Returns:
            For each column its type; ``None`` where it is none of those that columns
            of Arrow have here.
        """
        raw: Any = self._connection.connection.driver_connection
        self._connection.exec_driver_sql("select 1")
        with raw.cursor() as cursor:
            cursor.execute(f"select * from (\n{sql}\n) answer limit 0".encode())
            return [_KINDS.get(column.type_code) for column in cursor.description]


_KINDS: dict[int, Kind | Literal["decimal"]] = {
    16: "boolean",
    **dict.fromkeys((20, 21, 23), "integer"),
    **dict.fromkeys((700, 701), "double"),
    **dict.fromkeys((19, 25, 1043), "text"),
    1700: "decimal",
}
"""Types by PostgreSQL's numbers."""


class _Blocks(io.RawIOBase):
    """File interface to the blocks that a server copies out."""

    def __init__(self, copy: Iterable[Any]) -> None:
        super().__init__()
        self._rows = iter(copy)
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            gathered, size = [], 0
            for row in self._rows:
                gathered.append(row)
                size += len(row)
                if size >= len(buffer):
                    break
            self._left = memoryview(b"".join(gathered))
        taken = self._left[: len(buffer)]
        buffer[: len(taken)] = taken
        self._left = self._left[len(taken) :]
        return len(taken)
