"""Every documented query, and every verb over a store, says the same on both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from sqlalchemy import URL

from graphscore import Store
from graphscore.cli.main import cli
from graphscore.store.passwords import hidden
from tests.conftest import DATA, ROOT
from tests.databases import Stores, query
from tests.metrics.coreference.chains import document
from tests.store.conftest import bark, put, read, reject

SIDES = "--gold", "gold", "--system", "peking"

TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")

COLUMNS_OF_TIME = {"microseconds"}


class Both(NamedTuple):
    """The same in either database."""

    postgresql: str
    sqlite: str


def fill(place: str) -> None:
    with Store(place, mode="create") as store:
        for name, file in (("gold", "gold"), ("peking", "alder"), ("alder", "birch")):
            store.ingest(str(DATA / f"{file}.mrp"), name)
            entities = [[0, 1, 2], [3, 4], [5, 6]]
            if name != "gold":
                entities = [[0, 1], [2, 3, 4], [8], [9, 10]]
            store.add([document(*entities, name=f"d{n}") for n in range(3)], name)
            odd = bark("ä", "x" * 99 if name == "gold" else "%", document="é")
            none = bark("Z", None, text="日本\t\n\\N\\.")  # type: ignore[arg-type]
            store.add([odd, none], name)
        put(store._database, [*read(bark("a")), reject(7)], "kept", keep_going=True)
        for system in ("peking", "alder"):
            store.score("gold", system, ["mrp", "smatch", "conll", "ceafe", "muc"])


@pytest.fixture(scope="module")
def both(server: URL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    databases = Stores(server, tmp_path_factory.mktemp("databases"))
    found = Both(databases.new(), str(tmp_path_factory.mktemp("files") / "runs.db"))
    for place in found:
        fill(place)
    yield found
    databases.close()


def exactly(place: str, sql: str) -> list[str]:
    """Columns and rows, where 1, 1.0 and True are three things."""
    columns, rows = query(place, sql)
    kept = [n for n, name in enumerate(columns) if name not in COLUMNS_OF_TIME]
    return [repr([row[n] for n in kept]) for row in [columns, *rows]]


QUERIES = re.findall(
    r"```sql\n((?:select|with).*?)```",
    "\n".join(
        (ROOT / "docs" / page).read_text(encoding="utf-8")
        for page in ("store.md", "views.md")
    ),
    re.DOTALL,
)


@pytest.mark.parametrize("sql", QUERIES)
def test_documented_queries(both: Both, sql: str) -> None:
    found = exactly(both.postgresql, sql)
    assert found == exactly(both.sqlite, sql)
    # Nothing is outdated there, and nothing was scored over one framework.
    nothing = "'outdated'" in sql or "scope = 'dm'" in sql
    assert len(found) > 1 or nothing


def test_there_are_documented_queries() -> None:
    assert len(QUERIES) > 12


VIEWS = {
    "v_graphs": "collection, framework, item, line",
    "v_tuples": "collection, framework, language, document, item, layer, tuple_type, "
    "node, "
    "edge, name, value, type, source, target",
    "v_items": "gold, system, metric, framework, language, document, item, layer",
    "v_scores": "gold, system, metric, framework, language, document, item, layer, "
    "tuple_type",
    "v_changes": "gold, metric, baseline, system, framework, language, document, item, "
    "layer, error_type, tuple_type, object, gold_ordinal, label, name, value, type, "
    "status",
}


@pytest.mark.parametrize("view", VIEWS)
def test_order_and_types_of_whole_views(both: Both, view: str) -> None:
    order = ", ".join(f"{each} nulls last" for each in VIEWS[view].split(", "))
    sql = f"select * from {view} order by {order}"
    found = exactly(both.postgresql, sql)
    assert found == exactly(both.sqlite, sql)
    assert len(found) > 50


def test_counts_and_proofs_are_numbers(both: Both) -> None:
    sql = "select sum(proven) as p, max(proven) as m, sum(errors) as e from v_items"
    [(proven, most, errors)] = query(both.postgresql, sql)[1]
    assert [(proven, most, errors)] == list(query(both.sqlite, sql)[1])
    assert {type(each) for each in (proven, most, errors)} == {int}
    assert proven > 100
    assert most == 1
    sql = "select gold_count, system_count, matched, score, bound from v_scores"
    for row in query(both.postgresql, f"{sql} where metric = 'mrp'")[1]:
        assert {type(each) for each in row} == {int}
    shares = query(both.postgresql, f"{sql} where metric = 'ceafe'")[1]
    assert float in {type(each) for row in shares for each in row}


@pytest.mark.parametrize(
    "sql",
    [
        "select 1 = 1 as yes, 1 = 2 as no, null = 1 as neither, 7 % 4 as rest",
        "select item, f1 > 0.5 as good from v_items where metric = 'mrp' "
        "and system = 'peking' order by framework, item",
        "select 1 as one, 1.0 as whole, 2.50 as half, 1 / 3 as none, 1.0 / 3 as third",
        "select avg(errors) as mean, min(f1) as worst, max(f1) as best from v_items",
        "select 2.0 * sum(matched) / (sum(gold_count) + sum(system_count)) as f1 "
        "from v_scores where metric = 'mrp'",
        "select round(cast(f1 as numeric), 3) as f1 from v_items "
        "where metric = 'mrp' and f1 < 1 order by 1",
        "select label, count(*) as n from v_tuples group by label "
        "order by label nulls first",
        "select distinct item from v_graphs order by item desc",
        "select distinct value from v_tuples order by value desc nulls last",
        "select document, tuple_type, sum(matched) as m from v_scores where metric = "
        "'ceafe' "
        "group by document, tuple_type order by 1, 2",
    ],
)
def test_what_else_is_asked(both: Both, sql: str) -> None:
    assert exactly(both.postgresql, sql) == exactly(both.sqlite, sql)


def graphscore(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, words)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


def said(place: str, *words: str) -> tuple[int, str, str]:
    """What the command line says of a store, without its name and times."""
    verb, *rest = words
    code, out, err = graphscore(*verb.split(), place, *rest)
    told = [
        TIME.sub("(time)", each.replace(hidden(place), "STORE")) for each in (out, err)
    ]
    return code, told[0], told[1]


QUICK = "--samples", "200"

GRAPHS = (
    "select collection, framework, count(*) as graphs from v_graphs "
    "group by collection, framework order by collection, framework"
)

PATTERN = "pattern { X -[ARG1|ARG2]-> Y }"

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("store list", "--quiet", "--json"),
    ("store list", "--quiet"),
    ("score", *SIDES, "-m", "mrp,smatch", "--json"),
    ("score", *SIDES, "-m", "conll,ceafe,muc", "--json"),
    ("score", *SIDES, "-m", "mrp", "--per-item", "--jsonl"),
    ("score", *SIDES, "-m", "mrp", "--by", "framework", "--json"),
    ("compare", "--gold", "gold", "--system", "peking", "--system", "alder", *QUICK,
     "-m", "mrp", "--json"),
    ("errors", *SIDES, "-m", "mrp", "--json"),
    ("errors", *SIDES, "-m", "mrp", "--by", "item,label", "--json"),
    ("errors", *SIDES, "-m", "mrp", "--by", "tuple_type,value,compared", "--json"),
    ("errors", *SIDES, "-m", "mrp", "--confusions", "--json"),
    ("errors", *SIDES, "-m", "muc", "--json"),
    ("items", *SIDES, "-m", "mrp", "--json"),
    ("items", *SIDES, "-m", "conll", "--json"),
    ("items", *SIDES, "-m", "mrp", "--csv"),
    ("show", *SIDES, "-m", "mrp", "sample-03", "--json"),
    ("show --explain", *SIDES, "-m", "mrp", "sample-03", "--framework", "eds",
     "--json"),
    ("whatif", *SIDES, "-m", "mrp", "--json"),
    ("find", PATTERN, *SIDES, "--json"),
    ("find", PATTERN, *SIDES, "--by", "X.label", "--json"),
    ("find", "pattern { X []; missing(X) }", *SIDES, "-m", "mrp", "--json"),
    ("analyze", "--collection", "gold", "--json"),
    ("query", GRAPHS, "--json"),
    ("query", GRAPHS, "--csv"),
    ("query", GRAPHS, "--jsonl"),
    ("query", "select f1, proven, gold_count, text from v_items i join v_graphs g "
     "on g.item = i.item where metric = 'ceafe' order by 1, 3, 4", "--csv"),
    ("query", "select nonsense from v_graphs"),
    ("query", "select g.itm from v_graphs g"),
    ("query", "select * from v_graph"),
    ("query", "select 1; select 2"),
    ("query", "delete from pair"),
    ("errors", "--gold", "gold", "--system", "pekin", "-m", "mrp"),
    ("score", "--gold", "gold", "--system", "nobody", "-m", "mrp"),
    ("store remove", "nobody"),
    ("show", *SIDES, "-m", "mrp", "no-such-item"),
    ("store migrate",),
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words)[:50])
def test_verbs(both: Both, words: tuple[str, ...]) -> None:
    ours, theirs = (said(place, *words) for place in both)
    assert ours == theirs
    assert ours[1] or ours[0] == 2 or ours[0] == 3
