"""Entries of authority files, in whatever format they came."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphscore import Node, Store
from graphscore.formats import read_file
from graphscore.model.graph import Graph
from graphscore.structures.entities.authority import confidence_of, entries_of
from graphscore.structures.layout import NER
from tests.conftest import DATA


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ((), ()),
        ((("authority", "NIL"),), ()),
        ((("authority", ""),), ()),
        ((("authority", None),), ()),
        ((("normalization", "Wikidata:NIL"),), ()),
        ((("normalization", "Wikidata:Q1"),), ("Wikidata:Q1",)),
        ((("authority", "Q1"), ("authority", "Q2"), ("authority", "Q1")), ("Q1", "Q2")),
        ((("authority", "NIL"), ("authority", "Q1")), ("Q1",)),
        ((("authority", 7), ("normalization", "a:b")), ("7", "a:b")),
        ((("authority", "NILE"), ("entry", "Q1")), ("NILE",)),
    ],
)
def test_entries_are_what_a_mention_is_resolved_to(
    properties: tuple[tuple[str, str | int | None], ...], expected: tuple[str, ...]
) -> None:
    assert entries_of(Node(0, "PER", (("kind", "mention"), *properties))) == expected


def mentions(path: Path) -> list[Node]:
    graphs: list[Graph] = [record.graph for record in read_file(path)]
    return [node for each in graphs if each.framework == NER for node in each.nodes]


def test_brat_says_the_same_with_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bonn and Rome")
    (tmp_path / "a.ann").write_text(
        "T1\tLOC 0 4\tBonn\nT2\tLOC 9 13\tRome\n"
        "N1\tReference T1 Wikidata:Q586\tBonn\nN2\tReference T1 Wikidata:Q9\tBonn\n"
        "A1\tConfidence T1 low\nN3\tReference T2 Wikidata:NIL\tRome\n"
    )
    bonn, rome = mentions(tmp_path / "a.ann")
    assert entries_of(bonn) == ("Wikidata:Q586", "Wikidata:Q9")
    assert (confidence_of(bonn), confidence_of(rome)) == ("low", None)
    assert entries_of(rome) == ()


def test_entries_and_confidence_survive_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "Bonn", "spans": [{"start": 0, "end": 4, "label": "LOC", '
        '"authority": ["Q586", "Q9"], "confidence": "low"}]}\n'
        '{"text": "Rome", "spans": [{"start": 0, "end": 4, "label": "LOC", '
        '"kb_id": "NIL"}]}\n'
    )
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        for name, file in (("own", path), ("linked", DATA / "ie" / "linked.tsv")):
            store.ingest(str(file), name)
            read = [record.graph.nodes for record in read_file(file)]
            assert [graph.nodes for graph in store.graphs(name)] == read
        _, rows = store.query(
            "select value from v_tuples where collection = 'own' "
            "and name = 'authority' order by item, value"
        )
        assert list(rows) == [("Q586",), ("Q9",), ("NIL",)]
