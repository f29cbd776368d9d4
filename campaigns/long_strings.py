"""Statements of which one instruction goes on for minutes, or whose answer is huge.

They are asked where users ask: by ``graphscore query``, which is interrupted, and by
the workers of the explorer, whose time ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic, sleep

from campaigns.findings import UnclearError
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.revisions import stored_revision
from graphscore.store.read.limits import Limits, TooLongError, size_of
from graphscore.store.read.statements import GRACE, INTERRUPTED, Workers

BOX = Limits(0.3, 50, 500_000, 1_000_000, 256_000_000)
"""What a worker is given."""

PROMPT = 3.0
"""Seconds by the clock that something may take to end, on a machine that is shared."""

BEGUN = 1.5
"""Seconds after which a process is interrupted."""


def ones(count: int) -> str:
    """SQL of a text of as many ones; at most 500,000."""
    return f"substr(replace(hex(zeroblob({(count + 1) // 2})), '0', '1'), 1, {count})"


DEAF = f"select {ones(480_000)} like '%' || {ones(48_000)} || '2%' as x"
"""A statement of which one instruction takes half a minute, within all limits."""

LONG = (
    DEAF,
    f"select {ones(480_000)} glob '*' || {ones(48_000)} || '2*'",
    f"select {ones(480_000)} not like '%1%' || {ones(40_000)} || '%2_%'",
    f"select instr({ones(480_000)}, {ones(240_000)} || '2')",
    f"select replace({ones(480_000)}, {ones(240_000)} || '2', '')",
    f"select count(*) from symbol where instr({ones(480_000)} || id, "
    f"{ones(240_000)} || '2' || id) > 0",
    f"select trim({ones(480_000)}, {ones(100_000)})",
    f"select max(x like '%' || {ones(48_000)} || '2%') from (select {ones(480_000)} "
    "as x union all select 'a')",
    "with recursive n (k) as (select 1 union all select k + 1 from n) "
    f"select k, instr({ones(400_000)} || k, {ones(200_000)} || '2') from n",
)
"""Statements that take long, most of them in few instructions."""

HUGE = (
    "select count(*) from (select replace(hex(zeroblob(50000000)), '0', '11') as x)",
    "with recursive n (k) as (select 1 union all select k + 1 from n) "
    "select hex(zeroblob(200000)) from n",
    f"select {', '.join(['hex(zeroblob(240000))'] * 1_900)}",
    f"select {', '.join(['zeroblob(499000)'] * 1_900)}",
    "with recursive n (k) as (select 1 union all select k + 1 from n limit 1000000) "
    "select group_concat(hex(zeroblob(200000))) from n",
    "with recursive n (k) as (select 1 union all select k + 1 from n limit 1000000) "
    "select json_group_array(hex(zeroblob(1000))) from n",
    "with recursive n (k) as (select 1 union all select k + 1 from n limit 4000) "
    "select k, hex(zeroblob(200000)) as x from n order by x, k",
    "select printf('%*d', 2000000000, 1), zeroblob(1000000000), randomblob(900000000)",
    "select * from v_graphs a, v_tuples b, v_tuples c, v_tuples d, v_tuples e",
)
"""Statements whose answers, or values, are as large as one likes."""


def of_workers(chance: Random) -> tuple[str, Callable[[Path], object]]:
    """A statement for workers, in words and to be asked."""
    sql = chance.choice(LONG + HUGE)

    def asked(path: Path) -> object:
        workers = Workers(str(path), stored_revision)
        try:
            # Opening the store takes what it takes.
            workers.ask("select 1", BOX._replace(seconds=60))
            begun = monotonic()
            try:
                found = workers.ask(sql, BOX)
                if sum(map(size_of, found.rows)) > BOX.bytes:
                    raise UnclearError("an answer is longer than it may be")
            except TooLongError:
                pass
            except GraphscoreError as error:
                _refuse_unsaid(error)
            took = monotonic() - begun
            if took > BOX.seconds + GRACE + PROMPT:
                raise UnclearError(f"not ended: after {took:.1f} s")
            return workers.ask("select 1", BOX._replace(seconds=60))
        finally:
            workers.close()
            tidy(path)

    return f"workers: {sql}", asked


def _refuse_unsaid(error: GraphscoreError) -> None:
    """Refuse an error that does not say which limit there is."""
    if not any(word in str(error) for word in ("limit", "at most")):
        raise UnclearError(f"no limit is said: {error}") from error


def of_interrupts(chance: Random) -> tuple[str, Callable[[Path], object]]:
    """A query that is interrupted, in words and to be asked."""
    sql = chance.choice(LONG + HUGE)

    def asked(path: Path) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "graphscore", "query", str(path), sql, "--csv"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as running:
            sleep(BEGUN)
            begun = monotonic()
            running.send_signal(signal.SIGINT)
            while running.poll() is None and monotonic() - begun < PROMPT:
                sleep(0.02)
            late = running.poll() is None
            running.kill()
            assert running.stderr is not None
            said = running.stderr.read()
        tidy(path)
        if late:
            raise UnclearError("an interrupt did not end a query")
        if running.returncode in (2, 3):
            _refuse_unsaid(GraphscoreError(said))
        # Python itself is ended by an interrupt when it has done its work.
        elif running.returncode not in (0, INTERRUPTED, -signal.SIGINT) or (
            "Traceback" in said
        ):
            raise UnclearError(f"exit code {running.returncode}: {said[-300:]}")

    return f"query: {sql}", asked


def tidy(path: Path) -> None:
    """Remove what a process that was ended left beside a store, as the next one does.

    Raises:
        UnclearError: if something was written there.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise UnclearError(f"something was written: {log.stat().st_size} bytes of log")
    for end in ("-wal", "-shm"):
        if os.path.exists(f"{path}{end}"):
            os.unlink(f"{path}{end}")
