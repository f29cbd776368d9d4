"""SQL that means harm, and names that would be SQL: nothing is written, nothing breaks.

``python -m campaigns.hostile_sql --seed 1 --count 1000``, or ``--seconds 8``.  A store
is asked what somebody may ask it by accident or with intent: statements that write,
attach, set or load, several at once, without end, with values of any length, or just
broken; and its other questions are given names with quotes, and patterns with such
labels.  The answer is rows or one clear error.  Afterwards the file is the same to the
byte, there is no other file beside it, and it answers as before.  What goes on for too
long ends when it is interrupted, also within one instruction on long strings, and an
answer is never longer than it may be.  What the cells of a store name is not touched.
"""

from __future__ import annotations

import hashlib
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic, process_time
from types import FrameType

from campaigns.findings import Findings, UnclearError, asked, shared_memory
from campaigns.long_strings import of_interrupts, of_workers
from campaigns.mutation import mutated
from campaigns.stored_names import of_stored_names
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError
from graphscore.find.grammar import parse
from graphscore.find.search import find
from graphscore.store.opening import open_store
from graphscore.store.schema import metadata
from graphscore.store.views import VIEWS
from tests.store.test_damage import make_whole

PATIENCE = 0.25
"""Seconds of processor time after which a question is interrupted."""

COMMANDS = 8.0
"""The same of a question that calls a whole command, or other processes."""

PROMPT = 1.5
"""Seconds of it that it may go on then."""

ROWS = 50
"""Rows that are fetched."""

STATEMENTS = (
    "select * from {t}",
    "select {c}, count(*) from {t} group by 1 order by 2 desc limit 5",
    "select a.*, b.* from {t} a join {t} b using ({c})",
    "with x as (select * from {t}) select count(*) from x",
    "with recursive n(k) as (select 1 union all select k + 1 from n) select {f} from n",
    "select count(*) from {t}, {t}, {t}, {t}",
    "select {f}",
    "select {f} from {t} where {c} = {f}",
    "select 1 union select {f} union all values ({f})",
    "explain query plan select * from {t}",
    "pragma {p}",
    "pragma {p} = {f}",
    "pragma {p}({t})",
    "insert into {t} ({c}) values ({f})",
    "insert into {t} select * from {t}",
    "update {t} set {c} = {f}",
    "delete from {t} where {c} = {f} returning *",
    "replace into {t} ({c}) values ({f})",
    "with x as (select 1) delete from {t}",
    "explain delete from {t}",
    "create {s} {x} as select * from {t}",
    "create trigger {x} after insert on {t} begin delete from {t}; end",
    "create virtual table {x} using fts5(a)",
    "drop {s} {t}",
    "alter table {t} rename to {x}",
    "alter table {t} add column {x}",
    "attach '{x}' as {x}",
    "detach {x}",
    "vacuum into '{x}'",
    "vacuum",
    "begin",
    "begin exclusive",
    "commit",
    "rollback",
    "savepoint {x}",
    "release {x}",
    "analyze {t}",
    "reindex",
    "select * from pragma_{p}",
    "select * from sqlite_master",
    "update sqlite_master set sql = {f}",
    "select * from {t} limit {f} offset {f}",
    "select ?, :a, @b, $c from {t}",
    "select * from {t} --",
    "select * from {t} /*",
    "-- nothing",
)
"""What is asked; braces are filled in."""

FUNCTIONS = (
    *("1", "null", "'x'", "x'ff'", "-9223372036854775808", "9e999", "1/0", "{c}"),
    *("zeroblob(1000000)", "zeroblob(3000000000)", "randomblob(1000000)"),
    *("printf('%.*c', 500000, 'x')", "hex(zeroblob(400000))", "char(0)"),
    *("abs(-9223372036854775808)", "json('{{')", "json_extract('[[[', '$[0]')"),
    *("load_extension('x')", "readfile('/etc/passwd')", "writefile('x', 'y')"),
    *("fts3_tokenizer('x')", "edit('x')", "sqlite_version()", "random()"),
    *(
        "group_concat({c})",
        "sum({c})",
        "count(distinct {c})",
        "regexp('(a+)+$', 'aaa')",
    ),
    *("(select max({c}) from {t})", "exists (select * from {t})", "raise(abort, 'x')"),
    *("'a' || char(0) || 'b'", "cast(x'ff' as text)", "'\udcff'", "'\u202e'", '"x"'),
    *("'' or 1=1 --", "';drop table node;--", "likely({c})", "glob('*[', 'x')"),
)
"""What stands for a value."""

PRAGMAS = (
    *("query_only", "writable_schema", "foreign_keys", "journal_mode", "user_version"),
    *("table_info", "integrity_check", "wal_checkpoint", "locking_mode", "key"),
    *("mmap_size", "temp_store_directory", "trusted_schema", "hard_heap_limit"),
    *("cache_size", "page_size", "encoding", "optimize", "shrink_memory", "nothing"),
)

NAMES = (
    *("gold", "peking", "", "'", '"', "x'; drop table node; --", "x' or '1'='1", "`"),
    *("gold' union select * from symbol --", "%", "_", "\\", "a\nb", "\t", ":a", "?"),
    *("{0}", "[x]", "x" * 3_000, "\u202e", "\U0001f642", "NULL", "--", "/*", "\0"),
    *("\udcff", "gold\0", "GOLD", " gold", "sqlite_master", "v_errors"),
)
"""Names of collections, items, metrics and labels."""


def statement(chance: Random) -> str:
    """SQL, in order or not."""
    tables = (*VIEWS, *metadata.tables, "sqlite_master", "nowhere", '"', "'x'")
    columns = sorted({c.name for t in metadata.tables.values() for c in t.columns})
    text = chance.choice(STATEMENTS)
    for _ in range(3):
        for mark, pool in (
            ("{t}", tables),
            ("{c}", (*columns, "rowid", "nothing", "*")),
            ("{f}", FUNCTIONS),
            ("{p}", PRAGMAS),
            ("{s}", ("table", "temp table", "view", "index", "trigger")),
            ("{x}", ("x", "../x", ":memory:", "file:x?mode=rwc", "main", "temp.x")),
        ):
            while mark in text:
                text = text.replace(mark, chance.choice(pool), 1)
    if chance.random() < 0.15:
        text = f"{text}; {chance.choice(STATEMENTS)}"
    if chance.random() < 0.1:
        depth = chance.choice((5, 50, 900, 5_000))
        text = f"select {'(' * depth}1{')' * depth} from ({text})"
    if chance.random() < 0.3:
        raw, _ = mutated(text.encode("utf-8", "surrogateescape"), chance, b"select 1")
        text = raw[:20_000].decode("utf-8", "surrogateescape")
    return text


Asked = Callable[[Path], object]
"""A question to a store."""


def of_names(chance: Random) -> tuple[str, Asked]:
    """A question with strange names, in words and to be asked."""
    one, two, three = (chance.choice(NAMES) for _ in range(3))

    def in_store(ask: Callable[[Store], object]) -> Asked:
        def asking(path: Path) -> object:
            with Store(str(path)) as store:
                return ask(store)

        return asking

    def found(path: Path) -> object:
        pattern = parse(
            f"pattern {{ X [label={_quoted(one)}]; X -[{_quoted(two)}]-> Y }}"
        )
        with (
            open_store(path, read_only=True) as database,
            database.reading() as connection,
        ):
            return find(connection, pattern).hits

    questions: dict[str, Asked] = {
        "graphs": in_store(lambda it: list(it.graphs(one))),
        "errors": in_store(lambda it: it.errors(gold=one, system=two, by=[three])),
        "confusions": in_store(lambda it: it.confusions(gold=one, system=two)),
        "items": in_store(
            lambda it: it.item_scores(gold=one, system=two, metric=three)
        ),
        "names": in_store(lambda it: it.names(one)),
        "find": found,
    }
    name = chance.choice(sorted(questions))
    return f"{name} {one!r} {two!r} {three!r}", questions[name]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def of_sql(chance: Random) -> tuple[str, Asked]:
    """A statement, in words and to be asked."""
    sql = statement(chance)

    def answered(path: Path) -> object:
        with Store(path) as store:
            return list(islice(store.query(sql)[1], ROWS))

    return sql, answered


Kind = Callable[[Random], tuple[str, Asked]]
"""Makes up a question."""

KINDS: dict[Kind, float] = {
    of_sql: 67,
    of_names: 27,
    of_stored_names: 5,
    of_workers: 0.5,
    of_interrupts: 0.5,
}
"""How often each kind of question is asked, of a hundred; processes take a while."""


@dataclass
class Questions(Findings):
    """Findings of this campaign, with what became of the questions."""

    answered: int = 0
    refused: int = 0
    interrupted: int = 0

    def summary(self) -> str:
        """What became of the questions, and findings."""
        return (
            f"questions: {self.answered:,} answered, {self.refused:,} refused, "
            f"{self.interrupted:,} interrupted\n{super().summary()}"
        )


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Interrupt what goes on for so long, as Ctrl-C does.

    Args:
        seconds: of processor time.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ask(
    found: Questions, path: Path, question: Asked, patience: float = PATIENCE
) -> None:
    """Ask a store, and look at it afterwards.

    Args:
        found: what became of questions before.
        path: of the store.
        question: asks it.
        patience: seconds of processor time after which the question is interrupted.

    Raises:
        UnclearError: if anything was written, or it did not end.
    """
    before = _state(path)
    began = process_time()
    try:
        with interrupted_after(patience):
            question(path)
        found.answered += 1
    except KeyboardInterrupt:
        found.interrupted += 1
    except GraphscoreError as error:
        found.refused += 1
        if not str(error).strip():
            raise UnclearError("empty message") from error
    took = process_time() - began
    if took > patience + PROMPT:
        raise UnclearError(f"not interrupted: after {took:.1f} s")
    if _state(path) != before:
        after = _state(path)
        raise UnclearError(f"something was written: {before[1]}, then {after[1]}")


def _state(path: Path) -> tuple[bytes, list[str]]:
    """The bytes of a store, and what stands beside it.

    What readers share is none of it, as long as nothing is written there: of whom was
    interrupted it goes when the connection does.
    """
    digest = hashlib.blake2b(path.read_bytes()).digest()
    shared = {f"{path.name}-shm"}
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and not log.stat().st_size:
        shared.add(log.name)
    return digest, sorted({each.name for each in path.parent.iterdir()} - shared)


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
    kinds: Mapping[Kind, float] = KINDS,
) -> Questions:
    """A campaign; see :func:`campaigns.fuzz.run`.

    Args:
        seed: of the chance.
        cases: how many, or
        seconds: how long.
        folder: where findings are written.
        kinds: what is asked, and how often each.
    """
    found = Questions(folder)
    end = None if seconds is None else monotonic() + seconds
    with tempfile.TemporaryDirectory(dir=shared_memory()) as held:
        path = Path(held, "runs.db")
        make_whole(path)
        while cases is None or found.cases < cases:
            if end is not None and monotonic() > end:
                break
            chance = Random(f"{seed}/{found.cases}")
            [kind] = chance.choices([*kinds], [*kinds.values()])
            words, question = kind(chance)
            patience = PATIENCE if kind in (of_sql, of_names) else COMMANDS
            work = partial(ask, found, path, question, patience)
            error = found.attempt(work)
            if error is not None:
                about = f"seed {seed} case {found.cases}: {words[:300]}"
                found.note(error, about, words.encode("utf-8", "surrogatepass"))
            found.cases += 1
    return found


if __name__ == "__main__":
    asked(__doc__, run)
