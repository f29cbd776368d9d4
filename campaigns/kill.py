"""Killed at any moment, then resumed: no half file, and in the end all there should be.

``python -m campaigns.kill --seed 1 --count 100``, or ``--seconds 15``.  A process that
ingests files, scores, removes a collection, or migrates an old store, is killed after a
while made up at random, up to three times, and then let go on.  After every kill the
store is sound and has whole files only, all of a collection or nothing, all of an
evaluation or nothing; in the end all views hold what they hold when nobody was killed.
``--count`` counts kills.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep

from campaigns.findings import Findings, UnclearError, asked, shared_memory
from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.views import VIEWS
from tests.conftest import DATA
from tests.store.earlier import earlier_known, make_earlier

MOST = 3
"""Kills of one store, before it is let go on."""

FILES = {
    "gold": ("gold.mrp", "ie/wire.json", "ie/news.iob2", "dependencies/gold.conllu"),
    "system": (
        *("alder.mrp", "ie/wire.predicted.json", "ie/news.jsonl"),
        "dependencies/parser.conllu",
    ),
}
"""What is ingested, by collection."""

METRICS = ["mrp", "las"]

TIMES = frozenset({"microseconds", "created"})
"""Columns that no two runs have alike."""

Views = dict[str, list[str]]
"""The rows of every view, in order of their words."""


def ingested(path: Path) -> None:
    """Ingest all files; those that are there already change nothing."""
    with Store(str(path), mode="create") as store:
        for collection, files in FILES.items():
            for name in files:
                store.ingest(str(DATA / name), collection)


def scored(path: Path) -> None:
    """Score one collection against the other; known results are found again."""
    with Store(str(path), mode="write") as store:
        store.score("gold", "system", METRICS, Options(jobs=1))


def removed(path: Path) -> None:
    """Remove a collection, unless it is gone."""
    with Store(str(path), mode="write") as store:
        if any(each.name == "system" for each in store.collections()):
            store.remove("system")


def migrated(path: Path) -> None:
    """Bring an old store to this revision, and clear what nothing needs."""
    with Store(str(path), mode="write") as store:
        store.clear_results()


WORK: dict[str, Callable[[Path], None]] = {
    "ingest": ingested,
    "score": scored,
    "remove": removed,
    "migrate": migrated,
}
"""What is killed."""


def rows(database: Database, sql: str) -> list[str]:
    """Rows in words, in their order; how long anything took is left out."""
    with database.reading() as connection:
        result = connection.exec_driver_sql(sql)
        kept = [n for n, name in enumerate(result.keys()) if name not in TIMES]
        return sorted(repr(tuple(row[n] for n in kept)) for row in result)


@dataclass(frozen=True)
class Expected:
    """What there is when nobody is killed.

    Args:
        begin: the store at the beginning; none if there is none.
        views: what all views hold in the end.
        parts: what :data:`PARTS` count in the end, and at the beginning.
        seconds: how long it takes.
    """

    begin: Path | None
    views: Views
    parts: frozenset[str]
    seconds: float


PARTS = (
    "select 'file', collection, file, count(*), sum(nodes), sum(edges), sum(tops) "
    "from v_graphs group by 1, 2, 3",
    "select 'tuples', collection, framework, item, count(*) from v_tuples "
    "group by 1, 2, 3, 4",
    "select 'evaluation', gold, system, metric, count(*) from v_items "
    "group by 1, 2, 3, 4",
    "select 'figures', gold, system, metric, framework, score, count(*), sum(value) "
    "from v_leaderboard group by 1, 2, 3, 4, 5, 6",
    "select 'across', gold, metric, count(*), sum(errors) from v_errors_across "
    "group by 1, 2, 3",
)
"""What is there as a whole or not at all."""

OF_COLLECTIONS = "select 'collection', collection, count(*) from v_graphs group by 1, 2"
"""What removing takes out as a whole or not at all."""


def parts_of(database: Database, of_collections: bool) -> frozenset[str]:
    """What is there of files and evaluations.

    Args:
        database: the store.
        of_collections: whether collections are whole, too.
    """
    asked_for = (*PARTS, OF_COLLECTIONS) if of_collections else PARTS
    return frozenset(row for sql in asked_for for row in rows(database, sql))


def looked_at(path: Path, name: str, expected: Expected) -> None:
    """Look at a store after a kill.

    Raises:
        UnclearError: if it is unsound, or has a half of anything.
    """
    if not path.exists():
        return
    if name == "migrate":
        with closing(sqlite3.connect(path)) as connection:
            _sound(connection.execute("pragma integrity_check").fetchall(), name)
            _sound(connection.execute("pragma foreign_key_check").fetchall(), name)
        return
    try:
        database = open_store(path, read_only=True)
    except Exception as error:
        if path.stat().st_size == 0 or "empty database" in str(error):
            # Killed before the first table was made.
            return
        raise
    with database:
        _sound(rows(database, "pragma integrity_check"), name)
        _sound(rows(database, "pragma foreign_key_check"), name)
        half = parts_of(database, name != "ingest") - expected.parts
    if half:
        raise UnclearError(f"half of something ({name}): {sorted(half)[:3]}")


def _sound(found: list[str] | list[tuple[str, ...]], name: str) -> None:
    if found not in ([], ["('ok',)"], [("ok",)]):
        raise UnclearError(f"an unsound store ({name}): {found[:3]}")


def views_of(path: Path) -> Views:
    """The rows of every view."""
    with open_store(path, read_only=True) as database:
        return {view: rows(database, f"select * from {view}") for view in VIEWS}


def begin_of(name: str, place: Path) -> Path | None:
    """The store that work begins with, if there is one.

    Args:
        name: of the work.
        place: a folder for it.
    """
    if name == "ingest":
        return None
    before = "ingest" if name == "score" else "score"
    path = place / f"{before}.db"
    if not path.exists():
        expected_of(before, place)
    if name != "migrate":
        return path
    old = Path(shutil.copy(path, place / "old.db"))
    make_earlier(str(old))
    return old


def expected_of(name: str, place: Path) -> Expected:
    """Work that nobody interrupts.

    Args:
        name: of the work.
        place: a folder for stores.
    """
    begin = begin_of(name, place)
    path = place / f"{name}.db"
    parts: frozenset[str] = frozenset()
    if begin is not None:
        shutil.copy(begin, path)
        if name != "migrate":
            with open_store(path, read_only=True) as database:
                parts = parts_of(database, name != "ingest")
    began = monotonic()
    _killed(WORK[name], path, None)
    seconds = monotonic() - began
    with open_store(path, read_only=True) as database:
        parts |= parts_of(database, name != "ingest")
    return Expected(begin, views_of(path), parts, seconds)


def _killed(work: Callable[[Path], None], path: Path, after: float | None) -> bool:
    """Do work in another process; whether that was killed before it was done.

    Args:
        work: what is done.
        path: the store.
        after: seconds until it is killed; never if none.

    Raises:
        UnclearError: if the work failed of itself.
    """
    return _ended(_begun(work, path), work, after)


def _begun(work: Callable[[Path], None], path: Path) -> tuple[int, int]:
    """Begin work in another process: its number, and where it says why it failed."""
    told, tells = os.pipe()
    child = os.fork()
    if not child:
        os.close(told)
        code = 1
        try:
            work(path)
            code = 0
        except BaseException:
            os.write(tells, traceback.format_exc().encode()[-4_000:])
        finally:
            os._exit(code)
    os.close(tells)
    return child, told


def _ended(
    begun: tuple[int, int], work: Callable[[Path], None], after: float | None
) -> bool:
    """Wait for work, or kill it; whether it was killed before it was done."""
    child, told = begun
    with os.fdopen(told, "rb") as said:
        if after is not None:
            sleep(after)
            os.kill(child, signal.SIGKILL)
        why = said.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    if os.WEXITSTATUS(status):
        raise UnclearError(f"failed when resumed ({work.__name__}): {why}")
    return False


@dataclass
class Kills(Findings):
    """Findings of this campaign, with what was killed."""

    killed: dict[str, int] = field(default_factory=dict)
    waited: int = 0
    """How often another process did the same work beside the one that was killed."""
    resumed: int = 0

    def summary(self) -> str:
        """How often what was killed, and findings."""
        told = ", ".join(f"{name} {n:,}" for name, n in sorted(self.killed.items()))
        told += f"; beside another process: {self.waited:,}"
        return f"kills: {told}; stores that were let go on: {self.resumed:,}\n" + (
            super().summary()
        )


def chain(found: Kills, name: str, known: Expected, path: Path, chance: Random) -> None:
    """Kill work on one store a few times, let it go on, and compare.

    Raises:
        UnclearError: for what is not as it should be.
    """
    if known.begin is not None:
        shutil.copy(known.begin, path)
    work = WORK[name]
    for _ in range(chance.randint(1, MOST)):
        first = _begun(work, path)
        # Nobody removes what another one has removed.
        second = name != "remove" and chance.random() < 0.5 and _begun(work, path)
        killed = _ended(first, work, chance.uniform(0, known.seconds))
        if second:
            # It waits for the first, and goes on when that is killed.
            _ended(second, work, None)
            found.waited += 1
        if not killed:
            break
        found.killed[name] = found.killed.get(name, 0) + 1
        found.cases += 1
        looked_at(path, name, known)
    _killed(work, path, None)
    looked_at(path, name, known)
    for view, held in views_of(path).items():
        if held != known.views[view]:
            odd = set(held) ^ set(known.views[view])
            raise UnclearError(f"resumed is another ({name}): {view} {sorted(odd)[:3]}")
    found.resumed += 1


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
    names: Sequence[str] = (),
) -> Kills:
    """A campaign; see :func:`campaigns.fuzz.run`.

    Args:
        seed: all that is made up follows from it; when a kill comes does not.
        cases: how many kills.
        seconds: how long.
        folder: where findings are written.
        names: only this work; all if empty.

    Returns:
        What was found.
    """
    found = Kills(folder, limit=60.0)
    end = None if seconds is None else monotonic() + seconds
    with (
        tempfile.TemporaryDirectory(dir=shared_memory()) as held,
        earlier_known(Path(held) / "migrations"),
    ):
        place = Path(held)
        wanted = [name for name in WORK if not names or name in names]
        known = {name: expected_of(name, place) for name in wanted}
        number = 0
        while cases is None or found.cases < cases:
            if end is not None and monotonic() > end:
                break
            chance = Random(f"{seed}/{number}")
            name = wanted[number % len(wanted)]
            work = place / str(number)
            work.mkdir()

            def once(n: str = name, w: Path = work, c: Random = chance) -> None:
                chain(found, n, known[n], w / "runs.db", c)

            error = found.attempt(once)
            if error is not None:
                found.note(error, f"seed {seed} store {number}: {name}", b"")
            shutil.rmtree(work)
            number += 1
    return found


if __name__ == "__main__":
    asked(__doc__, run)
