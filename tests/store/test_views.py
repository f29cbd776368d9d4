"""The public SQL: documented, running, and saying what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import Count, Match, Outcome
from graphscore.store.database import Database
from graphscore.store.evaluations import PairRow
from graphscore.store.views import VIEWS
from graphscore.store.write.evaluations import Made, save_evaluation
from graphscore.store.write.results import save_results
from tests.conftest import ROOT
from tests.databases import query
from tests.store.conftest import bark, put, read, reject, result_row, rows

PAGE = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `(v_\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
QUERIES = [
    pytest.param(view, sql, id=f"{view}-{number}")
    for view, section in SECTIONS.items()
    for number, sql in enumerate(re.findall(r"```sql\n(.*?)```", section, re.S))
]


def names_in_table(text: str) -> set[str]:
    """Return the columns in the first cells of the tables of a text."""
    cells = re.findall(r"^\| (`.*?) \|", text, re.M)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_every_view_has_a_section_and_a_query() -> None:
    assert list(SECTIONS) == list(VIEWS)
    assert {parameter.values[0] for parameter in QUERIES} == set(VIEWS)


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_is_documented(database: Database, view: str) -> None:
    with database.reading() as connection:
        columns = set(connection.exec_driver_sql(f"select * from {view}").keys())
    documented = names_in_table(SECTIONS[view])
    assert documented <= columns
    assert columns <= documented | names_in_table(PAGE.split("\n## ")[0])


@pytest.mark.parametrize(("view", "sql"), QUERIES)
def test_documented_queries_answer(
    scored: Database, path: Path, view: str, sql: str
) -> None:
    put(scored, [*read(bark("9")), reject(2)], "spoilt", keep_going=True)
    assert f"from {view}" in sql
    columns, found = query(path, sql)
    first = next(found)
    assert len(first) == len(columns)
    found.close()  # type: ignore[attr-defined]


def test_graphs(database: Database) -> None:
    put(database, read(bark("1", language="eng"), Graph("2", "amr")))
    assert rows(database, "select * from v_graphs order by item") == [
        (
            "gold",
            "dm",
            "eng",
            "dogs",
            "1",
            "",
            0,
            "Dogs bark",
            2,
            1,
            1,
            "a.mrp",
            1,
            "mrp",
        ),
        ("gold", "amr", "", "", "2", "", None, None, 0, 0, 0, "a.mrp", 2, "mrp"),
    ]


def test_tuples_are_what_the_file_says(database: Database) -> None:
    graph = Graph(
        "1",
        "eds",
        document="d",
        nodes=(
            Node("x", "Dog", (("n", 42), ("n", "42")), (Anchor(0, 1), Anchor(2, 3))),
            Node("y", None, (("z", None),)),
        ),
        edges=(
            Edge("y", "x", "ARG0-of", "ARG0", (("remote", True),)),
            Edge("y", "y", None),
        ),
        tops=("y", "x"),
    )
    put(database, read(graph))
    found = rows(
        database,
        "select tuple_type, node, edge, label, name, value, type, source, target "
        "from v_tuples where collection = 'gold' and item = '1'",
    )
    none = None
    expected = [
        ("tops", 1, none, none, none, none, none, none, none),
        ("tops", 0, none, "Dog", none, none, none, none, none),
        ("labels", 0, none, "Dog", none, "Dog", "string", none, none),
        ("properties", 0, none, "Dog", "n", "42", "integer", none, none),
        ("properties", 0, none, "Dog", "n", "42", "string", none, none),
        ("properties", 1, none, none, "z", none, "null", none, none),
        ("anchors", 0, none, "Dog", none, "0:1", "range", none, none),
        ("anchors", 0, none, "Dog", none, "2:3", "range", none, none),
        ("edges", none, 0, "ARG0-of", none, "ARG0-of", "string", 1, 0),
        ("edges", none, 1, none, none, none, "null", 1, 1),
        ("attributes", none, 0, "ARG0-of", "remote", "true", "boolean", 1, 0),
    ]
    # Rows without an order come in any.
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


def test_items(scored: Database) -> None:
    sql = "select item, status, score, proven, errors from v_items order by item"
    assert rows(scored, sql) == [
        ("0", "paired", 3, 1, 3),
        ("1", "paired", 3, 1, 3),
        ("2", "missing", 3, 1, 3),
        ("7", "spurious", None, None, 0),
    ]


def test_items_have_the_counts_of_all_tuple_types(scored: Database) -> None:
    sql = (
        "select item, gold_count, system_count, matched, matched_system, f1 "
        "from v_items order by item"
    )
    full = (5, 7, 4, 4, 2 * 4 / 12)
    assert rows(scored, sql) == [
        ("0", *full),
        ("1", *full),
        ("2", *full),
        ("7", None, None, None, None, None),
    ]


@pytest.mark.parametrize(
    ("gold", "system", "matched", "other"),
    [(4, 5, 3, None), (0, 0, 0, None), (4, 0, 0, None), (3, 4, 1.5, 2.5), (2, 2, 0, 0)],
)
def test_scores_are_those_of_count(
    database: Database,
    gold: float,
    system: float,
    matched: float,
    other: float | None,
) -> None:
    put(database, read(bark("1")))
    raw_counts = {
        ("all", "", "gold"): gold,
        ("all", "", "system"): system,
        ("all", "", "matched"): matched,
    }
    if other is not None:
        raw_counts["all", "", "matched_system"] = other
    with database.writing() as connection:
        given = Outcome(raw_counts, 1, 2, False, 3, "open")
        (number,) = save_results(
            connection, "b3", 1, [result_row(b"a", b"b", given, 1, 9)]
        )
        unit = PairRow("coref", "", "d", "1", None, None, number, "paired")
        save_evaluation(connection, Made("gold", "gold", "b3", "sig"), [unit])
    count = Count(gold, system, matched, other)
    assert rows(
        database,
        "select tuple_type, gold_count, system_count, matched, matched_system, "
        "precision, "
        "recall, f1, score, bound, proven, steps from v_scores",
    ) == [
        (
            "all",
            gold,
            system,
            matched,
            count.correct_system,
            count.precision,
            count.recall,
            pytest.approx(count.f1, rel=1e-15),
            1,
            2,
            0,
            3,
        )
    ]


def test_errors_in_the_words_of_the_file(scored: Database) -> None:
    found = rows(
        scored,
        "select * from v_errors where item = '0' order by tuple_type, error_type",
    )
    pair = ("gold", "peking", "mrp", "", 1, "done", "dm", "", "dogs", "0", "")
    assert found == [
        (
            *pair,
            *("missing", "labels", "node", 1, 1, "bark", "", "bark", "string"),
            *(None, "differs", 0.0, None, 0),
        ),
        (
            *pair,
            *("spurious", "labels", "node", 1, 1, "run", "", "run", "string"),
            *(None, "differs", 0.0, None, 0),
        ),
        (
            *pair,
            *("missing", "properties", "node", 0, None, "dog", "pos", "NNS", "string"),
            *("nns", "absent", 0.0, None, 0),
        ),
    ]


def test_group_by_of_the_promise(scored: Database) -> None:
    sql = (
        "select framework, tuple_type, count(*) from v_errors where system = 'peking' "
        "and metric = 'mrp' and error_type = 'missing' group by 1, 2"
    )
    assert rows(scored, sql) == [("dm", "labels", 3), ("dm", "properties", 3)]


@pytest.mark.sqlite("its plans")
def test_counting_errors_looks_no_string_up(scored: Database) -> None:
    sql = (
        "explain query plan select framework, tuple_type, count(*) from v_errors "
        "where system = 'peking' and metric = 'mrp' and error_type = 'missing' group "
        "by 1, 2"
    )
    plan = [row[-1] for row in rows(scored, sql)]
    assert not [step for step in plan if "SCAN" in step or "SEARCH y" in step]


def test_confusions_join_what_corresponds(scored: Database) -> None:
    assert rows(scored, "select * from v_confusions") == [
        (
            *("gold", "peking", "mrp", "", 1, "done", "dm", "dogs"),
            *("labels", "", "bark", "run", 3),
        )
    ]


def test_correspondences_show_both_labels(scored: Database) -> None:
    sql = (
        "select seq, level, side, object, gold_ordinal, system_ordinal, gold_label, "
        "system_label, credit from v_correspondences where item = '0' order by seq"
    )
    assert rows(scored, sql) == [
        (0, 0, "both", "node", 0, 0, "dog", "dog", 1.0),
        (1, 0, "both", "node", 1, 1, "v0", "w0", 0.0),
    ]


def test_labels_of_derived_objects_are_not_guessed(database: Database) -> None:
    put(database, read(bark("1")))
    matches = (Match("link", 0, 0, 1.0), Match("node", None, 1, 0.0, 0, 1))
    given = Outcome({("all", "", "gold"): 1}, 1, 1, True, 0, "identical", matches)
    with database.writing() as connection:
        (number,) = save_results(
            connection, "muc", 1, [result_row(b"a", b"", given, 1, 9)]
        )
        unit = PairRow("dm", "", "d", "1", 1, 1, number, "paired")
        save_evaluation(connection, Made("gold", "gold", "muc", "sig"), [unit])
    sql = "select side, object, parent, level, gold_label, system_label "
    assert rows(database, f"{sql} from v_correspondences order by seq") == [
        ("both", "link", None, 0, None, None),
        ("system", "node", 0, 1, None, "bark"),
    ]
