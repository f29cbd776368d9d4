"""The view of entities that were divided, conflated, missed and made up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from graphscore import Graph, Store
from graphscore.metrics.registry import parse
from graphscore.store.read.entity_errors import COLUMNS as UNITS
from graphscore.store.read.entity_errors import ERRORS, entity_errors
from tests.metrics.coreference.chains import count, document

COLUMNS = (
    "error, gold_ordinal, system_ordinal, mentions, gold_mentions, system_mentions"
)


def scored(
    path: Path,
    gold: Sequence[Graph],
    system: Sequence[Graph],
    *metrics: str,
) -> Path:
    with Store(str(path), mode="create") as opened:
        opened.add(gold, "gold")
        opened.add(system, "system")
        opened.score("gold", "system", [parse(metric) for metric in metrics])
    return path


def asked(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with Store(str(path)) as opened:
        _, rows = opened.query(sql)
        return list(rows)


@pytest.fixture
def tangle(runs: Path) -> Path:
    """An entity in two parts, one of them merged; one missed, one made up."""
    gold = document([0, 1, 2], [3, 4], [5, 6])
    system = document([0, 1], [2, 3, 4], [8], [9, 10])
    return scored(runs, [gold], [system], "conll", "muc", "mentions")


def test_every_way_of_being_wrong(tangle: Path) -> None:
    sql = f"select {COLUMNS}, parts from v_entity_errors where metric = 'muc' "
    assert asked(tangle, sql + "order by 1, 2, 3") == [
        ("conflated", 7, 9, 1, 3, 3, 2),
        ("conflated", 8, 9, 2, 2, 3, 2),
        ("divided", 7, 8, 2, 3, 2, 2),
        ("divided", 7, 9, 1, 3, 3, 2),
        ("extra", None, 10, 1, None, 1, 0),
        ("extra", None, 11, 2, None, 2, 0),
        ("missing", 9, None, 2, 2, None, 0),
    ]


def test_all_metrics_that_read_alike_agree(tangle: Path) -> None:
    sql = "select {} from v_entity_errors where metric = '{}' order by 1, 2, 3"
    found = [asked(tangle, sql.format(COLUMNS, m)) for m in ("conll", "mentions")]
    assert found[0] == found[1]


def test_missed_mentions_of_an_entity_that_was_found(runs: Path) -> None:
    path = scored(runs, [document([0, 1, 2])], [document([0, 9])], "b3")
    assert asked(path, f"select {COLUMNS} from v_entity_errors order by 1") == [
        ("extra", None, 2, 1, None, 2),
        ("missing", 3, None, 2, 3, None),
    ]


def test_what_is_right_has_no_row(runs: Path) -> None:
    gold = [document([0, 1], [2])]
    path = scored(runs, gold, gold, "b3", "lea")
    assert asked(path, "select * from v_entity_errors") == []


def test_documents_and_other_metrics_are_kept_apart(runs: Path) -> None:
    golds = [document([0, 1], name="a"), document([0, 1], name="b")]
    systems = [document([0], [1], name="a"), document([0, 1, 2], name="b")]
    path = scored(runs, golds, systems, "b3", "mrp")
    sql = "select document, metric, error, mentions from v_entity_errors order by 1, 3"
    assert asked(path, sql) == [
        ("a", "b3", "divided", 1),
        ("a", "b3", "divided", 1),
        ("b", "b3", "extra", 1),
    ]


def test_labels_are_those_of_the_nodes(runs: Path) -> None:
    plain = document([0, 1])
    nodes = [
        msgspec.structs.replace(node, label="person") if node.id == "e0" else node
        for node in plain.nodes
    ]
    gold = msgspec.structs.replace(plain, nodes=tuple(nodes))
    path = scored(runs, [gold], [document([0], [1])], "b3")
    sql = "select distinct gold_label, system_label from v_entity_errors"
    assert asked(path, sql) == [("person", None)]


def test_items_have_the_mean_of_the_tuple_types(runs: Path) -> None:
    gold, system = document([0, 1, 2], [3]), document([0, 1], [2, 3], [4])
    path = scored(runs, [gold], [system], "conll", "blanc", "b3")
    for metric in ("conll", "blanc", "b3"):
        [(f1,)] = asked(path, f"select f1 from v_items where metric = '{metric}'")
        assert f1 == pytest.approx(count(metric, gold, system, "all").f1)


def test_spans_that_differ_are_confusions(runs: Path) -> None:
    gold, system = document([0, (10, 14)]), document([0, (10, 12)])
    path = scored(runs, [gold], [system], "b3")
    sql = "select tuple_type, gold_value, system_value, confusions from v_confusions"
    assert asked(path, sql) == [("mentions", " abc", " a", 1)]


def test_documents_are_counted(tangle: Path) -> None:
    wanted = {"gold": "gold", "system": "system", "metric": "muc", "tuple_type": None}
    with Store(str(tangle)) as runs:
        found = entity_errors(runs.query, wanted)
        assert entity_errors(runs.query, wanted | {"framework": "ner"}).rows == []
        assert list(runs.query(found.sql)[1]) == found.rows
    [row] = found.rows
    assert row[0] == "coref"
    # The third entity of the system has mentions of two; two more are made up.
    assert dict(zip(ERRORS, row[len(UNITS) :], strict=True)) == {
        "divided": 1,
        "conflated": 1,
        "missing": 1,
        "extra": 2,
    }


def test_documents_without_such_entities_are_none(runs: Path) -> None:
    same = document([0, 1, 2], [3, 4])
    path = scored(runs, [same], [same], "muc")
    wanted = {"gold": "gold", "system": "system", "metric": "muc"}
    with Store(str(path)) as runs:
        assert entity_errors(runs.query, wanted).rows == []
