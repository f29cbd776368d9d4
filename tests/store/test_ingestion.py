"""One file, one transaction: what goes in, what is refused, what is replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphscore.evaluation.store import Store
from graphscore.exceptions import InputError
from graphscore.formats.base import ReadGraph, Record
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.store.database import Database
from graphscore.store.read.load import identities, load_graphs
from graphscore.store.write.ingestion import ingest
from tests.store.conftest import bark, put, read, reject, rows, score

EVERYTHING = "select * from v_tuples order by 1, 2, 3, 4, 5, 6, 7, 8"


def items(database: Database, collection: str = "gold") -> list[str]:
    with database.reading() as connection:
        return [one.item for one in identities(connection, collection)]


def test_report_counts_frameworks(database: Database) -> None:
    report = put(database, read(bark("1"), bark("2"), bark("1", framework="eds")))
    assert report.frameworks == {"dm": 2, "eds": 1}
    assert report.graphs == 3
    assert not report.unchanged
    assert report[3:7] == (0, 0, 0, 0)


def test_same_file_again_changes_nothing(database: Database) -> None:
    put(database, read(bark("1"), bark("2")))
    before = rows(database, EVERYTHING)
    report = put(database, read(bark("1"), bark("2")))
    assert report.unchanged
    assert report.graphs == 0
    assert rows(database, EVERYTHING) == before


def test_same_file_again_is_not_even_read(database: Database) -> None:
    def explode() -> Iterator[Record]:
        raise AssertionError("was read")
        yield

    file = {"path": "a.mrp", "format": "mrp", "digest": b"1", "collection": "gold"}
    ingest(database, read(bark("1")), **file)  # type: ignore[arg-type]
    assert ingest(database, explode(), **file).unchanged  # type: ignore[arg-type]


def test_same_file_under_another_name_changes_nothing(database: Database) -> None:
    put(database, read(bark("1")))
    assert put(database, read(bark("1")), path="copy.mrp").unchanged


def test_same_file_goes_into_another_collection(database: Database) -> None:
    put(database, read(bark("1")))
    assert put(database, read(bark("1")), "other").graphs == 1


def test_clash_names_both_places(database: Database) -> None:
    put(database, read(bark("0"), bark("1")))
    with pytest.raises(InputError) as raised:
        put(database, read(bark("9"), bark("8"), bark("1", "run")), path="b.mrp")
    (problem,) = raised.value.problems
    assert (problem.file, problem.line) == ("b.mrp", 3)
    assert "dm item '1'" in problem.found
    assert "'gold' has already from a.mrp:2" in problem.found
    assert items(database) == ["0", "1"]


@pytest.mark.parametrize("other", [{"framework": "eds"}, {"language": "deu"}])
def test_identity_is_more_than_the_item(
    database: Database, other: dict[str, str]
) -> None:
    put(database, read(bark("1")))
    put(database, read(bark("1", **other)), path="b.mrp")
    assert items(database) == ["1", "1"]


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("between", [1, 300])
def test_item_twice_in_a_file_is_refused(
    database: Database, between: int, replace: bool
) -> None:
    others = [bark(f"o{n}") for n in range(between)]
    with pytest.raises(InputError) as raised:
        put(database, read(bark("1"), *others, bark("1", "run")), replace=replace)
    (problem,) = raised.value.problems
    assert problem.line == between + 2
    assert "again, first at a.mrp:1" in problem.found
    assert rows(database, "select * from v_graphs") == []


def test_item_twice_is_a_bad_record_when_going_on(database: Database) -> None:
    two = read(bark("1"), bark("1", "run"), bark("2"))
    report = put(database, two, keep_going=True)
    assert (report.graphs, report.rejected) == (2, 1)
    assert rows(database, "select line, item from v_rejected") == [(2, "1")]
    with database.reading() as connection:
        assert load_graphs(connection, [1])[1] == bark("1")


def test_bad_records_refuse_the_file_with_everything_wrong(database: Database) -> None:
    put(database, read(bark("old")), path="old.mrp")
    records = [
        *read(bark("1")),
        reject(2, "one"),
        ReadGraph(3, bark("old")),
        reject(4, "two"),
    ]
    with pytest.raises(InputError) as raised:
        put(database, records)
    assert [problem.line for problem in raised.value.problems] == [2, 3, 4]
    assert str(raised.value).startswith("a.mrp: nothing was ingested\n")
    assert items(database) == ["old"]
    assert rows(database, "select count(*) from rejected") == [(0,)]


def test_going_on_keeps_good_and_bad(database: Database) -> None:
    report = put(database, [*read(bark("1")), reject(2)], keep_going=True)
    assert (report.graphs, report.rejected) == (1, 1)
    assert rows(database, "select file, line, item, raw from v_rejected") == [
        ("a.mrp", 2, "bad2", '{"nodes": \\xff}')
    ]


def test_going_on_does_not_go_over_a_clash(database: Database) -> None:
    put(database, read(bark("1")))
    with pytest.raises(InputError, match="already"):
        put(database, read(bark("1", "run"), bark("2")), path="b", keep_going=True)
    assert items(database) == ["1"]


def test_nothing_but_bad_records(database: Database) -> None:
    report = put(database, [reject(1)], keep_going=True)
    assert (report.graphs, report.rejected) == (0, 1)
    assert put(database, [reject(1)], keep_going=True).unchanged


def test_file_without_records_is_refused(database: Database) -> None:
    with pytest.raises(InputError, match="no graph"):
        put(database, [])
    assert rows(database, "select count(*) from collection") == [(0,)]


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        (Graph("1", "dm", nodes=(Node(0), Node(0))), "two nodes"),
        (Graph("1", "dm", nodes=(Node(0),), edges=(Edge(0, 7),)), "at 7"),
        (Graph("1", "dm", nodes=(Node(0),), tops=("x",)), "at 'x'"),
        (Graph("1", "dm", nodes=(Node(0, "\ud800"),)), "surrogates"),
        (Graph("1", "dm", text="\ud800"), "surrogates"),
        (Graph("1", "dm", extra={"x": object()}), "object"),
        (Graph("\ud800", "dm"), "surrogates"),
        (Graph("1", "dm", nodes=(Node("\ud800"),)), "surrogates"),
        (Graph("1", "dm", nodes=(Node(0, extra=(("x", 1j),)),)), "complex"),
        (Graph("1", "dm", nodes=(Node(0, anchors=(Anchor(0, 2**70),)),)), "64 bits"),
    ],
)
def test_graphs_that_no_table_holds_are_bad_records(
    database: Database, graph: Graph, found: str
) -> None:
    with pytest.raises(InputError) as raised:
        put(database, read(bark("0"), graph))
    (problem,) = raised.value.problems
    assert problem.line == 2
    assert found in problem.found
    report = put(database, read(bark("0"), graph), keep_going=True)
    assert (report.graphs, report.rejected) == (1, 1)
    assert items(database) == ["0"]


class TestReplacing:
    def test_takes_the_place_of_another_files_graph(self, database: Database) -> None:
        put(database, read(bark("0"), bark("1")))
        report = put(database, read(bark("1", "run")), path="b.mrp", replace=True)
        assert (report.graphs, report.replaced, report.removed) == (1, 1, 0)
        assert items(database) == ["0", "1"]
        assert rows(database, "select item, file from v_graphs order by 1") == [
            ("0", "a.mrp"),
            ("1", "b.mrp"),
        ]
        with database.reading() as connection:
            last = identities(connection, "gold")[-1]
            assert load_graphs(connection, [last.graph]) == {
                last.graph: bark("1", "run")
            }

    def test_new_version_of_a_file_takes_out_what_it_lacks(
        self, database: Database
    ) -> None:
        put(database, read(bark("0"), bark("1"), bark("2")))
        put(database, read(bark("3")), path="b.mrp")
        report = put(database, read(bark("1", "run"), bark("4")), replace=True)
        assert (report.graphs, report.replaced, report.removed) == (2, 1, 2)
        assert sorted(items(database)) == ["1", "3", "4"]
        assert rows(database, "select count(*) from ingest") == [(2,)]

    def test_relative_and_absolute_path_are_one_file(self, database: Database) -> None:
        put(database, read(bark("0")))
        put(database, read(bark("1")), path=os.path.abspath("a.mrp"), replace=True)
        assert items(database) == ["1"]

    def test_streams_are_not_versions_of_each_other(self, database: Database) -> None:
        put(database, read(bark("0")), path="<stdin>")
        put(database, read(bark("1")), path="<stdin>", replace=True)
        assert items(database) == ["0", "1"]

    def test_file_that_was_overlaid_can_come_back(self, database: Database) -> None:
        first = read(bark("0"), bark("1"))
        put(database, first)
        put(database, read(bark("1", "run")), path="b.mrp", replace=True)
        with pytest.raises(InputError, match=r"already from b\.mrp:1"):
            put(database, first)
        report = put(database, first, replace=True)
        assert (report.graphs, report.replaced) == (2, 2)
        assert rows(database, "select distinct file from v_graphs") == [("a.mrp",)]
        assert rows(database, "select count(*) from ingest") == [(1,)]

    def test_failing_leaves_the_old_version(self, database: Database) -> None:
        put(database, read(bark("0"), bark("1")))
        before = rows(database, EVERYTHING)
        with pytest.raises(InputError):
            put(database, [*read(bark("0", "run")), reject(2)], replace=True)
        assert rows(database, EVERYTHING) == before

    def test_makes_evaluations_stale(self, scored: Database) -> None:
        status = "select distinct evaluation from v_items"
        assert rows(scored, status) == [("done",)]
        query = (
            "select item, tuple_type, matched from v_scores order by item, tuple_type"
        )
        scores = rows(scored, query)
        put(scored, read(bark("0", "x")), "peking", path="new.mrp", replace=True)
        assert rows(scored, status) == [("stale",)]
        assert rows(scored, query) == scores
        score(scored)
        assert rows(scored, status) == [("done",)]

    def test_in_another_collection_makes_nothing_stale(self, scored: Database) -> None:
        put(scored, read(bark("0", "x")), "elsewhere")
        assert rows(scored, "select distinct evaluation from v_items") == [("done",)]


class TestNumbering:
    def test_goes_on_within_collection_and_framework(self, database: Database) -> None:
        report = put(database, read(bark(""), bark("", framework="eds"), bark("x")))
        assert report.numbered == 2
        put(database, read(bark("", "run"), bark("", "jump")), path="b.mrp")
        put(database, read(bark("", "run")), "other", path="b.mrp")
        assert rows(database, "select collection, framework, item from v_graphs") == [
            ("gold", "dm", "0"),
            ("gold", "eds", "0"),
            ("gold", "dm", "x"),
            ("gold", "dm", "1"),
            ("gold", "dm", "2"),
            ("other", "dm", "0"),
        ]

    def test_loaded_graph_has_its_number(self, database: Database) -> None:
        put(database, read(bark("")))
        with database.reading() as connection:
            assert load_graphs(connection, [1])[1].id == "0"

    def test_new_version_starts_where_the_old_one_did(self, database: Database) -> None:
        put(database, read(bark("", "a"), bark("", "b")))
        put(database, read(bark("", "c")), path="b.mrp")
        report = put(database, read(bark("", "d"), bark("", "e")), replace=True)
        assert (report.replaced, report.removed, report.numbered) == (2, 0, 2)
        assert sorted(items(database)) == ["0", "1", "2"]

    def test_number_never_replaces_another_files_graph(
        self, database: Database
    ) -> None:
        put(database, read(bark("", "a")))
        put(database, read(bark("", "c")), path="b.mrp")
        with pytest.raises(InputError, match=r"already from b\.mrp:1"):
            put(database, read(bark("", "d"), bark("", "e")), replace=True)

    def test_number_that_is_taken_is_a_clash(self, database: Database) -> None:
        put(database, read(bark("0")))
        with pytest.raises(InputError, match=r"already from a\.mrp:1"):
            put(database, read(bark("")), path="b.mrp")


def test_progress_is_told(database: Database) -> None:
    told: list[int] = []
    put(database, read(*(bark(str(n)) for n in range(600))), progress=told.append)
    assert told == [256, 512, 600]


def test_records_are_streamed(database: Database) -> None:
    taken = 0

    def stream() -> Iterator[Record]:
        nonlocal taken
        for taken in range(1, 2001):
            yield ReadGraph(taken, bark(str(taken)))

    ahead: list[int] = []
    ingest(
        database,
        stream(),
        path="a.mrp",
        format="mrp",
        digest=b"1",
        collection="gold",
        progress=lambda written: ahead.append(taken - written),
    )
    assert max(ahead) == 0


def test_interrupted_reader_leaves_nothing(database: Database, path: Path) -> None:
    def stream() -> Iterator[Record]:
        yield from read(*(bark(str(n)) for n in range(500)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(
            database,
            stream(),
            path="a.mrp",
            format="mrp",
            digest=b"1",
            collection="gold",
        )
    assert rows(database, "select count(*) from graph") == [(0,)]
    assert put(database, read(bark("1"))).graphs == 1


def test_texts_are_kept_once(database: Database) -> None:
    put(database, read(bark("1"), bark("2"), bark("3", text="")))
    put(database, read(bark("1")), "other")
    assert rows(database, "select content from text") == [("Dogs bark",)]
    assert rows(database, "select text from v_graphs where item = '3'") == [(None,)]


def test_the_one_id_of_all_graphs_of_a_file_names_none(database: Database) -> None:
    report = put(database, read(bark("1"), bark("1", "run"), bark("1")))
    assert (report.graphs, report.numbered) == (3, 3)
    assert report.unnamed == {"dm": "1"}
    assert items(database) == ["0", "1", "2"]
    report = put(database, read(bark("x")), path="b.mrp")
    assert (report.numbered, dict(report.unnamed)) == (0, {})
    assert "x" in items(database)


def test_graphs_in_memory_have_no_place_in_the_file_system(path: Path) -> None:
    with Store(str(path), mode="create") as store:
        store.add([bark("1")], "gold")
        _, found = store.query("select location from ingest")
        assert [*found] == [("<memory>",)]
