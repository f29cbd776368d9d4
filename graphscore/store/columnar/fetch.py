"""A process that asks SQLite in columns; it imports nothing of graphscore.

Run as a script by :mod:`graphscore.store.columnar.answers`, it takes requests from
standard input, a JSON object to a line, and answers each on standard output with a
stream of Arrow.  What goes wrong is said on standard error, and ends it.

It is a process of its own for two reasons.  The driver brings an SQLite of its own;
two of them in one process would give up each other's locks of a file, as POSIX has
them by process.  And nothing interrupts a statement within that driver, but a process
can be ended.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from typing import Any

FAILED = 3
"""The exit code after an error that was said."""


def main() -> None:
    """Answer requests until there are no more."""
    # The process that asks ends this one when it is interrupted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    try:
        _serve(requests)
    except Exception as error:
        print(" ".join(str(error).split()), file=sys.stderr, flush=True)
        # Nobody waits for what the other thread reads.
        os._exit(FAILED)


def _listen(requests: queue.Queue[bytes]) -> None:
    """Pass requests on; who asks is gone when there are no more."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _serve(requests: queue.Queue[bytes]) -> None:
    # The driver's face for Python at large would import all libraries of frames.
    import adbc_driver_manager as manager
    import adbc_driver_sqlite
    import pyarrow

    first: dict[str, Any] = json.loads(requests.get())
    with (
        adbc_driver_sqlite.connect(first["uri"]) as database,
        manager.AdbcConnection(database) as connection,
    ):
        # One transaction, so that one state of the store is seen throughout.
        connection.set_autocommit(False)
        for sql in first["before"]:
            with manager.AdbcStatement(connection) as statement:
                statement.set_sql_query(sql)
                statement.execute_update()
        while True:
            loads: dict[str, Any] = json.loads(requests.get())
            with manager.AdbcStatement(connection) as statement:
                rows = str(loads["batch"])
                statement.set_options(**{"adbc.sqlite.query.batch_rows": rows})
                statement.set_sql_query(loads["sql"])
                answer, _ = statement.execute_query()
                reader = pyarrow.RecordBatchReader._import_from_c(answer.address)
                with (
                    reader,
                    pyarrow.ipc.new_stream(sys.stdout.buffer, reader.schema) as to,
                ):
                    for batch in reader:
                        to.write_batch(batch)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
