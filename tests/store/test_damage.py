"""Stores that are not as they were written: one sentence, or the right scores."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import StoreError, UsageError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph
from graphscore.statistics import rank_systems
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.schema import HEAD, metadata
from tests.store.conftest import bark, read, reject, rows
from tests.store.conftest import put as put_records
from tests.store.earlier import EARLIER, STEP, earlier_known, make_earlier

pytestmark = pytest.mark.sqlite("its file is damaged behind its back")

MRP = parse("mrp")


def dogs(item: str, verb: str) -> Graph:
    """A graph that has something in every column."""
    edge = Edge(1, 0, "ARG1", "ARG1-of", (("remote", True),), 7, extra=(("note", [1]),))
    return bark(item, verb, edges=(edge,), tokens=((0, 4), (5, 9)), extra={"time": "x"})


def make_whole(path: Path) -> None:
    """Make a store with something in every table."""
    systems = {"peking": "w", "erfurt": "x"}
    with Store(str(path), mode="create") as store:
        store.add([dogs(str(n), f"v{n}") for n in range(3)], "gold")
        for name, verb in systems.items():
            store.add([dogs(str(n), f"{verb}{n}") for n in range(3)], name)
        rank(store, list(systems))
        records = [*read(bark("0")), reject(2)]
        put_records(store._database, records, "part", keep_going=True)


def rank(store: Store, systems: Sequence[str] = ("peking", "erfurt")) -> None:
    """Score systems, and keep their ranks."""
    scored = [store.score("gold", system, [MRP]) for system in systems]
    rank_systems(store, scored, Options())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with something in every table."""
    path = tmp_path_factory.mktemp("whole") / "runs.db"
    make_whole(path)
    return path


def test_a_whole_store_has_something_in_every_table(whole: Path) -> None:
    with closing(sqlite3.connect(whole)) as connection:
        empty = [
            table
            for table in metadata.tables
            if not connection.execute(f'select count(*) from "{table}"').fetchone()[0]
        ]
    assert empty == []


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    """A copy of it that may be damaged."""
    return Path(shutil.copy(whole, tmp_path / "runs.db"))


def damage(path: Path, *statements: str) -> None:
    """Write into a store, whatever it forbids."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma foreign_keys = off")
        connection.execute("pragma writable_schema = on")
        connection.execute(
            "update sqlite_master set sql = replace(sql, 'NOT NULL', '')"
        )
        connection.commit()
        connection.execute("pragma writable_schema = reset")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma foreign_keys = off")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def reading(path: str, use: Callable[[Store], Any]) -> Any:
    with Store(path) as store:
        return use(store)


def writing(path: str, use: Callable[[Store], Any]) -> Any:
    with Store(path, mode="write") as store:
        return use(store)


USES: dict[str, Callable[[str], Any]] = {
    "collections": partial(reading, use=lambda it: it.collections()),
    "graphs": partial(reading, use=lambda it: list(it.graphs("gold"))),
    "errors": partial(reading, use=lambda it: it.errors(by=["item", "label"])),
    "confusions": partial(reading, use=lambda it: it.confusions()),
    "items": partial(reading, use=lambda it: it.item_scores(metric="mrp")),
    "tuples": partial(
        reading, use=lambda it: list(it.query("select * from v_tuples")[1])
    ),
    "across": partial(
        reading,
        use=lambda it: [
            list(it.query(f"select * from v_{what}_across")[1])
            for what in ("errors", "items", "confusions")
        ],
    ),
    "leaderboards": partial(reading, use=lambda it: it.leaderboards()),
    "rank": partial(writing, use=rank),
    "pair": partial(reading, use=lambda it: it.pair("gold", "peking", "1", MRP, "dm")),
    "again": partial(
        writing,
        use=lambda it: it.score(
            "gold", "peking", [MRP], Options(per_item=True, details=True)
        ),
    ),
    "anew": partial(
        writing, use=lambda it: it.score("gold", "peking", [parse("predications")])
    ),
    "add": partial(
        writing, use=lambda it: it.add([bark("1", "x")], "gold", replace=True)
    ),
    "clear": partial(writing, use=lambda it: it.clear_results()),
    "remove": partial(writing, use=lambda it: it.remove("peking")),
}
"""Everything that opens a store."""


def outcome(path: Path, name: str) -> str:
    """What a use says of a store; empty where it gives something.

    Whatever else is raised but an error of the store fails the test.
    """
    said = ""
    copy = Path(shutil.copy(path, path.with_name(f"{name}.db")))
    try:
        USES[name](str(copy))
    except StoreError as error:
        said = str(error)
    else:
        return ""
    assert said.startswith(f"{copy}: ")
    assert "\n" not in said
    assert len(said) < len(str(copy)) + 500
    return said


def outcomes(path: Path) -> Iterator[tuple[str, str]]:
    """What every use says of a store."""
    for name in USES:
        yield name, outcome(path, name)


def test_whole_store(store: Path) -> None:
    assert {said for _, said in outcomes(store)} == {""}


DEEP = "printf('%.*c', 100000, '[')"

CELLS = [
    # Table and row, column, what is written there, who notices, and what is found.
    ("graph 2", "extra", DEEP, "graphs", "table graph, row 2"),
    ("graph 2", "extra", "'[1]'", "graphs", "table graph, row 2"),
    ("graph 2", "tokens", "'[[1'", "graphs", "table graph, row 2"),
    ("graph 2", "tokens", "'[[1, 2]]'", "anew", "not what was written"),
    ("graph 2", "tokens", "x'00'", "graphs", "column tokens: found b'\\x00'"),
    ("graph 2", "item", "x'ff'", "graphs", "column item: found b'\\xff'"),
    ("graph 2", "item", "cast(x'ff' as text)", "graphs", "UTF-8"),
    ("graph 2", "digest", "null", "again", "column digest: found NULL"),
    ("graph 2", "digest", "x'00'", "again", "column digest: found b'\\x00'"),
    ("graph 2", "text", "zeroblob(16)", "anew", "column text"),
    ("graph 2", "flavor", "-1", "graphs", "column flavor: found -1"),
    ("graph 2", "id", str(2**63 - 1), "add", "no free id"),
    ("node 2", "label", "999999", "graphs", "no row 999999"),
    ("node 2", "label", str(2**63 - 1), "graphs", f"no row {2**63 - 1}"),
    ("node 2", "label", "'x'", "graphs", "column label: found 'x'"),
    ("node 2", "identifier", "'{}'", "graphs", "table node, row (2, 0)"),
    ("node 2", "extra", "'{\"a\": 1}'", "graphs", "table node, row (2, 0)"),
    ("edge 2", "source", "7", "graphs", "table edge, row (2, 0)"),
    ("edge 2", "source", "-1", "graphs", "column source: found -1"),
    ("edge 2", "source", "0", "anew", "not what was written"),
    ("edge 2", "anchors", "'[[1]]'", "graphs", "table edge, row (2, 0)"),
    ("top 2", "node", "9", "graphs", "table top, row 2, 0"),
    ("anchor 2", "start", "'x'", "graphs", "column start: found 'x'"),
    ("property 2", "value", "null", "anew", "not what was written"),
    ("collection 1", "name", "null", "collections", "column name: found NULL"),
    ("evaluation 1", "metric", "x'ff'", "items", "column metric: found b'\\xff'"),
    ("evaluation 1", "revision", "'x'", "items", "column revision: found 'x'"),
    ("evaluation 1", "sums", "'[[1]]'", "again", "row 1, column sums cannot be read"),
    ("evaluation 1", "sums", "x'00'", "again", "column sums: found b'\\x00'"),
    ("pair 1", "language", "x'00'", "items", "column language: found b'\\x00'"),
    ("result 1", "score", "'x'", "again", "column score: found 'x'"),
    ("result 1", "steps", "'x'", "again", "column steps: found 'x'"),
    ("raw_count 1", "value", "'x'", "again", "numbers that can be added"),
    ("raw_count 1", "value", "9e999", "again", "table raw_count"),
    ("correspondence 1", "gold", "-1", "again", "column gold: found -1"),
    ("symbol 1", "type", "'x'", "graphs", "table symbol, row 1"),
    ("symbol 1", "text", "'zz'", "anew", "not what was written"),
]


@pytest.mark.parametrize(("row", "column", "value", "noticed", "said"), CELLS)
def test_cell(
    store: Path, row: str, column: str, value: str, noticed: str, said: str
) -> None:
    table, number = row.split()
    first, *others = metadata.tables[table].primary_key.columns.keys()
    key = f'"{first}" = {number}'
    for each in others:
        least = f'(select min("{each}") from {table} where {first} = {number})'
        key += f' and "{each}" = {least}'
    damage(store, f'update "{table}" set "{column}" = {value} where {key}')
    assert said in outcome(store, noticed)


GONE = {
    "collection": "collections",
    "node": "tuples",
    "result": "items",
    "raw_count": "anew",
    "error": "anew",
}


@pytest.mark.parametrize("table", GONE)
def test_table_that_is_gone(store: Path, table: str) -> None:
    damage(store, f'drop table "{table}"')
    said = outcome(store, GONE[table]).replace("main.", "")
    assert f"is damaged: no such table: {table}" in said


def test_views_that_are_gone(store: Path) -> None:
    damage(store, "drop view v_tuples", "drop view v_errors", "drop view v_items")
    for use, view in ("tuples", "v_tuples"), ("errors", "v_errors"):
        assert f"is damaged: no such table: {view}" in outcome(store, use)


@pytest.mark.parametrize(
    "statement",
    [
        "update graph set extra = printf('%.*c', 100000, '[')",
        "update symbol set text = cast(x'ff' as text) where id = 1",
        "update evaluation set metric = '/' || char(0) || ' it.py:X', created = null",
        "update evaluation set metric = null, revision = 'x', signature = x'ff'",
    ],
)
def test_no_use_brings_anything_but_an_error_of_the_store(
    store: Path, statement: str
) -> None:
    damage(store, statement)
    assert any(dict(outcomes(store)).values())


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("delete from result where id = 1", "column result: found 1"),
        ("delete from raw_count where result = 1", "expected a result with raw counts"),
        (
            "delete from raw_count where result = 1 and quantity = 'system'",
            "equally many",
        ),
        ("update raw_count set quantity = 'x' where quantity = 'gold'", "equally many"),
        ("delete from text", "column text"),
        ("delete from node where graph = 2 and ordinal = 0", "table edge, row (2, 0)"),
        ("delete from top where graph = 2", "not what was written"),
        ("delete from symbol", "which others refer to"),
        ("update edge set label = normal, normal = label", "not what was written"),
    ],
)
def test_rows_that_are_gone_never_move_a_score(
    store: Path, statement: str, said: str
) -> None:
    damage(store, statement)
    noticed = "again" if "result" in statement or "raw_count" in statement else "graphs"
    assert said in outcome(store, noticed)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("delete from alembic_version", "found 0 rows"),
        ("insert into alembic_version values ('r3')", f"found 2 rows ('{HEAD}', 'r3')"),
        ("update alembic_version set version_num = x'ff'", "found b'\\xff'"),
        ("update alembic_version set version_num = null", "found NULL"),
        ("update alembic_version set version_num = cast(x'ff' as text)", "UTF-8"),
        (f"update alembic_version set version_num = {DEEP}", "100,000 characters"),
        ("update alembic_version set version_num = 'r99'", "another version"),
        ("drop table alembic_version", "its revision cannot be read"),
        ("alter table alembic_version rename version_num to x", "cannot be read"),
    ],
)
@pytest.mark.parametrize("options", [{"create": True}, {"read_only": True}])
def test_revision(
    store: Path, statement: str, said: str, options: dict[str, bool]
) -> None:
    damage(store, statement)
    with pytest.raises(StoreError) as raised:
        open_store(store, **options)  # type: ignore[arg-type]
    assert said in str(raised.value)


def test_store_that_cannot_be_migrated_stays(store: Path, tmp_path: Path) -> None:
    with earlier_known(tmp_path / "migrations") as step:
        strict = 'batch.alter_column("item", nullable=False)'
        drops = 'batch.drop_column("note")'
        step.write_text(STEP.replace(drops, f"{drops}\n        {strict}"))
        make_earlier(str(store))
        damage(store, "update graph set item = null where id = 1")
        before = store.read_bytes()
        with pytest.raises(StoreError, match="is damaged: NOT NULL"):
            open_store(store)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("select * from alembic_version").fetchall() == [
            (EARLIER,)
        ]
    assert len(store.read_bytes()) == len(before)


def test_flipped_pages(store: Path) -> None:
    content = store.read_bytes()
    noticed = set()
    for page in range(0, len(content), 5 * 4096):
        flipped = bytearray(content)
        for place in range(page, page + 4096, 97):
            flipped[place] ^= 0x55
        store.write_bytes(flipped)
        noticed.add(outcome(store, ("graphs", "items")[page % 2]))
    assert len(noticed) > 2


def test_schema_that_is_not_utf8(store: Path) -> None:
    content = store.read_bytes()
    spoilt = content.replace(b"CREATE VIEW v_items", b"CREATE\xffVIEW v_items")
    assert spoilt != content
    store.write_bytes(spoilt)
    for use in ("graphs", "again", "clear"):
        assert "schema" in outcome(store, use)


ASIDE = [
    "attach ':memory:' as x",
    "pragma query_only = off",
    "pragma writable_schema = on",
    "pragma foreign_keys = off",
    "pragma journal_mode = delete",
    "pragma user_version = 7",
    "begin",
    "commit",
    "rollback",
    "savepoint x",
    "create temp table x (y)",
    "/* select */ delete from graph",
    "with x as (select 1) delete from graph",
    "explain delete from graph",
    "delete from graph returning id",
    "replace into collection values (1, 'x', 'y')",
    "analyze",
    "reindex",
    "detach main",
]


@pytest.mark.parametrize("sql", ASIDE)
@pytest.mark.parametrize("tuple_type", ["file", "memory"])
def test_query_only_reads(store: Path, sql: str, tuple_type: str) -> None:
    url = str(store) if tuple_type == "file" else "sqlite://"
    before = store.read_bytes()
    with Store(url, mode="create" if tuple_type == "memory" else "read") as opened:
        if tuple_type == "memory":
            opened.add([bark("1")], "gold")
        with pytest.raises(StoreError, match="is open read-only"):
            opened.query(sql)
        assert next(opened.query("select count(*) from v_graphs")[1])[0] > 0
        if tuple_type == "memory":
            opened.add([bark("2")], "gold")
    assert store.read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "select 1; delete from graph",
        "select load_extension('x')",
        "select \udcff",
        "select 'a\x00b'",
        "-- nothing",
        "vacuum",
        "vacuum into 'x.db'",
        "select abs(-9223372036854775808)",
        "select zeroblob(2000000000)",
        "select json('{')",
    ],
)
@pytest.mark.parametrize("tuple_type", ["file", "memory"])
def test_sql_that_is_wrong(store: Path, sql: str, tuple_type: str) -> None:
    with (
        Store(
            str(store) if tuple_type == "file" else "sqlite://", mode="create"
        ) as opened,
        pytest.raises(UsageError),
    ):
        list(opened.query(sql)[1])


def test_what_only_tells(store: Path) -> None:
    with Store(str(store)) as opened:
        for sql in (
            "pragma table_info(graph)",
            "select name from pragma_table_info('graph')",
            "select value from json_each('[1, 2]')",
            "with recursive n(x) as (values (1) union all select x + 1 from n "
            "where x < 9) select x from n",
            "explain query plan select * from v_items",
            "values (1)",
        ):
            assert list(opened.query(sql)[1])


def test_names_that_utf8_cannot_hold(store: Path) -> None:
    for use in (
        lambda it: it.score("\udcff", "peking", [MRP]),
        lambda it: it.add([bark("1")], "\udcff"),
        lambda it: it.remove("\udcff"),
        lambda it: list(it.graphs("\udcff")),
    ):
        with pytest.raises(UsageError, match=r"UTF-8|U\+DCFF"):
            writing(str(store), use)


def test_file_that_may_not_be_written(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: not str(path).endswith(".db"))
    before = sorted(store.parent.iterdir())
    with Store(str(store)) as opened:
        assert len(opened.collections()) == 4
        assert sorted(store.parent.iterdir()) == before
        with open_store(store) as writer, writer.writing() as connection:
            connection.exec_driver_sql("delete from collection where name = 'part'")
        with pytest.raises(StoreError, match="another process wrote it"):
            opened.collections()


def test_graph_that_goes_while_it_is_read(database: Database) -> None:
    put_records(database, read(bark("1")))
    with Store(database.name) as store:
        graphs = store._load_graphs([1, 2])
        with pytest.raises(StoreError, match="graph 2 is gone"):
            next(graphs)
    assert rows(database, "select item from v_graphs") == [("1",)]
