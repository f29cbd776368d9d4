"""Damaged stores through all that opens one: an error of the package, or an answer.

``python -m campaigns.damage --seed 1 --count 1000``, or ``--seconds 10``.  The file of
a store is damaged: bytes, pages, its end, its header, what SQLite keeps beside it; or
what is in it: cells, rows, tables, views, the schema's own words.  Whoever opens it
then gets an answer or one sentence that begins with its name; never another exception,
and never work without end.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

from campaigns.findings import Findings, UnclearError, asked, shared_memory
from graphscore.exceptions import GraphscoreError, InputError
from graphscore.store.schema import metadata
from graphscore.store.views import VIEWS
from tests.store.test_damage import USES, make_whole

LONGEST = 500
"""Characters of a sentence, without the name of the store."""

VALUES = (
    *("null", "''", "'x'", "0", "-1", "1", "2.5", "9e999", "-9e999", "x'00'", "x'ff'"),
    *(str(2**63 - 1), str(-(2**63)), "999999", "cast(x'ff' as text)", "char(0)"),
    *("'[1]'", "'[[1, 2]]'", "'{'", "'{\"a\": 1}'", "'NaN'", "zeroblob(16)"),
    *("printf('%.*c', 20000, '[')", "'a' || char(10) || 'b'", "'os:system'"),
)
"""What may stand in a cell."""

Damager = Callable[[Path, Random], str]
"""Damages the file of a store, and says how."""


def flipped(path: Path, chance: Random) -> str:
    """Some bytes are others."""
    data = bytearray(path.read_bytes())
    times = chance.choice((1, 1, 3, 20, 300))
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)
    return f"{times} bytes"


def header(path: Path, chance: Random) -> str:
    """Bytes of the header, or of the head of a page, are others."""
    data = bytearray(path.read_bytes())
    page = chance.randrange(len(data) // 4096) * 4096 if chance.random() < 0.5 else 0
    place = page + chance.randrange(100)
    data[place] = chance.choice((0, 1, 255, chance.randrange(256)))
    path.write_bytes(data)
    return f"byte {place}"


def pages(path: Path, chance: Random) -> str:
    """A page is empty, or is another."""
    data = bytearray(path.read_bytes())
    one, two = (chance.randrange(len(data) // 4096) * 4096 for _ in range(2))
    if chance.random() < 0.4:
        data[one : one + 4096] = bytes(4096)
        how = "empty"
    else:
        data[one : one + 4096] = data[two : two + 4096]
        how = f"that at {two}"
    path.write_bytes(data)
    return f"page at {one} is {how}"


def cut(path: Path, chance: Random) -> str:
    """The file ends early, or later."""
    data = path.read_bytes()
    place = chance.randrange(len(data))
    if chance.random() < 0.5:
        place = place // 4096 * 4096
    if chance.random() < 0.8:
        path.write_bytes(data[:place])
        return f"ends at {place}"
    path.write_bytes(data + chance.randbytes(place))
    return f"goes on for {place}"


def beside(path: Path, chance: Random) -> str:
    """What SQLite keeps beside the file is of another one, or none."""
    ending = chance.choice(("-wal", "-shm", "-journal"))
    data = path.read_bytes()
    start = chance.randrange(len(data))
    junk = chance.choice((b"", b"\0" * 512, chance.randbytes(5_000), data[start:]))
    if ending == "-wal" and chance.random() < 0.5:
        junk = b"\x37\x7f\x06\x82\x00\x2d\xe2\x18\x00\x00\x10\x00" + junk
    path.with_name(path.name + ending).write_bytes(junk)
    return f"{ending} of {len(junk)} bytes"


def cells(path: Path, chance: Random) -> str:
    """Cells hold what they cannot."""
    told = []
    with closing(sqlite3.connect(path)) as connection:
        _unchecked(connection)
        for _ in range(chance.choice((1, 1, 2, 5))):
            table = chance.choice(sorted(metadata.tables))
            names = [*metadata.tables[table].columns.keys()]
            column, value = chance.choice(names), chance.choice(VALUES)
            where = chance.choice(("", " where rowid % 2", " where rowid = 1"))
            sql = f'update or ignore "{table}" set "{column}" = {value}{where}'
            told.append(sql)
            # Tables without rowids have no such condition.
            with suppress(sqlite3.Error):
                connection.execute(sql)
        connection.commit()
    return "; ".join(told)


def gone(path: Path, chance: Random) -> str:
    """Rows, tables, views or indices are gone."""
    table = chance.choice(sorted(metadata.tables))
    sql = chance.choice(
        (
            f'delete from "{table}"',
            f'delete from "{table}" where rowid % 3 = 1',
            f'drop table "{table}"',
            f"drop view {chance.choice(sorted(VIEWS))}",
            "delete from alembic_version",
            f"update alembic_version set version_num = {chance.choice(VALUES)}",
        )
    )
    with closing(sqlite3.connect(path)) as connection:
        _unchecked(connection)
        with suppress(sqlite3.Error):
            connection.execute(sql)
        connection.commit()
    return sql


def schema(path: Path, chance: Random) -> str:
    """The schema's own words are others."""
    with closing(sqlite3.connect(path)) as connection:
        names = [row[0] for row in connection.execute("select name from sqlite_master")]
        name = chance.choice(names)
        column = chance.choice(("sql", "sql", "name", "tbl_name", "rootpage", "type"))
        value = chance.choice(
            (
                *("null", "''", "'create table x (y)'", "replace(sql, ',', ' ,, ')"),
                *("substr(sql, 1, length(sql) / 2)", "replace(sql, 'TEXT', 'INTEGER')"),
                *(
                    "replace(sql, 'select', 'select 1 +')",
                    "0",
                    "3",
                    "cast(x'ff' as text)",
                ),
            )
        )
        sql = f"update sqlite_master set {column} = {value} where name = '{name}'"
        connection.execute("pragma writable_schema = on")
        with suppress(sqlite3.Error):
            connection.execute(sql)
        connection.commit()
    return sql


def _unchecked(connection: sqlite3.Connection) -> None:
    """Let a connection write what a store forbids."""
    connection.execute("pragma foreign_keys = off")
    connection.execute("pragma ignore_check_constraints = on")


DAMAGERS: tuple[Damager, ...] = (
    *(flipped, flipped, header, pages, cut, beside, cells, cells, cells, gone, schema),
)
"""Every way; what finds most stands there more than once."""


@dataclass
class Damages(Findings):
    """Findings of this campaign, with how often there was an answer."""

    answers: int = 0
    refusals: int = 0
    unharmed: int = 0
    """Stores of which every use got an answer."""

    def summary(self) -> str:
        """How often there was an answer, and findings."""
        return (
            f"uses: {self.answers:,} answered, {self.refusals:,} refused; "
            f"stores that refused none: {self.unharmed:,}\n{super().summary()}"
        )


def use(path: Path, name: str) -> bool:
    """Use a damaged store; whether there was an answer.

    Raises:
        UnclearError: if what is said is no sentence about the store.
    """
    try:
        USES[name](str(path))
    except GraphscoreError as error:
        said = str(error)
        # What is wrong with several records is a list of them.
        listed = isinstance(error, InputError)
        if not listed and ("\n" in said or len(said) > len(str(path)) + LONGEST):
            raise UnclearError(f"no sentence ({name}): {said[:2_000]}") from error
        if not said.replace(str(path), "").strip():
            raise UnclearError(f"nothing said ({name}): {said}") from error
        return False
    return True


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Damages:
    """A campaign; see :func:`campaigns.fuzz.run`."""
    found = Damages(folder)
    end = None if seconds is None else monotonic() + seconds
    with tempfile.TemporaryDirectory(dir=shared_memory()) as held:
        whole = Path(held, "whole.db")
        make_whole(whole)
        while cases is None or found.cases < cases:
            if end is not None and monotonic() > end:
                break
            chance = Random(f"{seed}/{found.cases}")
            place = Path(held, "case")
            place.mkdir()
            damaged = Path(shutil.copy(whole, place / "damaged.db"))
            damager = chance.choice(DAMAGERS)
            how = damager(damaged, chance)
            refused = sum(
                not _one(found, place, name, f"seed {seed} case {found.cases}: {how}")
                for name in USES
            )
            found.unharmed += not refused
            found.cases += 1
            shutil.rmtree(place)
    return found


def _one(found: Damages, place: Path, name: str, about: str) -> bool:
    """Whether one use of a copy of a damaged store is answered."""
    with tempfile.TemporaryDirectory(dir=place.parent) as copied:
        for each in place.iterdir():
            shutil.copy(each, Path(copied, each.name))
        answered: list[bool] = []
        path = Path(copied, "damaged.db")
        error = found.attempt(lambda: answered.append(use(path, name)))
    if error is not None:
        found.note(error, f"{name}, {about}"[:400], about.encode())
    found.answers += answered == [True]
    found.refusals += answered == [False]
    return answered != [False]


if __name__ == "__main__":
    asked(__doc__, run)
