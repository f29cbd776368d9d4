"""Linked mentions: neleval's lines and the tables of TAC KBP."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from graphscore.formats import ReadGraph, Rejected, read_file
from graphscore.formats.base import Record
from graphscore.formats.discovery import gather
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Graph

NELEVAL, TAC = format_named("neleval"), format_named("tac-kbp")

TABLE = "EL1\tE0423\tGPE\t1.0\nEL2\tNIL0001\tPER\n"

QUERIES = """<?xml version="1.0" encoding="UTF-8"?>
<kbpentlink>
  <query id="EL1"><name>China</name><docid>x1</docid><beg>5</beg><end>9</end></query>
  <query id="EL2"><name>Bob</name><docid>x2</docid></query>
</kbpentlink>
"""


def neleval(data: str) -> list[Record]:
    assert NELEVAL.read is not None
    return list(NELEVAL.read(io.BytesIO(data.encode()), "a.tsv"))


def good(records: list[Record]) -> list[Graph]:
    return [record.graph for record in records if isinstance(record, ReadGraph)]


def problems(records: list[Record]) -> list[str]:
    bad = [record for record in records if isinstance(record, Rejected)]
    return [str(each) for record in bad for each in record.problems]


def test_lines_of_a_document_need_not_follow_one_another() -> None:
    one, two = good(neleval("d1\t0\t3\tQ1\nd2\t5\t5\tQ2\t0.5\nd1\t7\t9\n"))
    assert (one.id, one.document, len(one.nodes)) == ("d1", "d1", 2)
    assert one.nodes[1].properties == (("kind", "mention"),)
    assert two.nodes[0].anchors == (Anchor(5, 6),)
    assert two.nodes[0].properties[1:] == (("authority", "Q2"), ("confidence", 0.5))


def test_the_best_candidate_is_the_link() -> None:
    line = 'd1\t0\t3\tQ1\t0.2\tLOC\tQ2\t0.9\t{"type": "GPE", "sub": 7}\tNIL\t0.9\tX\n'
    [graph] = good(neleval(line))
    [node] = graph.nodes
    assert (node.label, dict(node.properties)["authority"]) == ("GPE", "Q2")
    assert dict(node.properties)["sub"] == 7
    assert node.properties[4:] == (
        *(("candidate", "NIL"), ("candidate_score", 0.9), ("candidate_type", "X")),
        *(("candidate", "Q1"), ("candidate_score", 0.2), ("candidate_type", "LOC")),
    )
    assert NELEVAL.write is not None
    assert good(neleval(b"".join(NELEVAL.write([graph])).decode())) == [graph]


def test_a_candidate_need_not_have_a_type() -> None:
    [graph] = good(neleval("d1\t0\t3\tQ1\t0.2\t\tQ2\t0.9\tGPE\n"))
    others = ("candidate", "Q1"), ("candidate_score", 0.2)
    assert graph.nodes[0].properties[3:] == others
    assert NELEVAL.write is not None
    assert good(neleval(b"".join(NELEVAL.write([graph])).decode())) == [graph]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("d1\t3\n", "found 2 columns, expected a document, first and last"),
        ("d1\t9\t3\n", "found '9', '3', expected first and last character"),
        ("d1\tx\t3\n", "expected first and last character"),
        ("d1\t1\t3\tQ1\tbest\n", "found 'best', expected a score"),
        ("d1\t1\t3\tQ1\t1\tA\tQ2\n", "expected an entry, a score and a type"),
        ('d1\t1\t3\tQ1\t1\t{"a"\n', "expected a type, or a JSON object"),
        ("\t1\t3\n", "found an empty first column, expected a document"),
    ],
)
def test_a_bad_line_costs_its_document(line: str, expected: str) -> None:
    records = neleval(f"d0\t1\t2\tQ1\n{line}d2\t1\t2\tQ1\n")
    [problem] = problems(records)
    assert problem.startswith("a.tsv:2: ")
    assert expected in problem
    assert [graph.id for graph in good(records)] == ["d0", "d2"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["d1\t0\t3\tWorld_War_I", "d1\t5\t9\tElizabeth_I"], "neleval"),
        (["d1\t0\t3\tB-2"], "neleval"),
        (["d1\t0\t3\tNIL", "d1\t5\t9\tB-2"], "neleval"),
        (["Ada\t0\t3\tB-PER", "Rome\t4\t8\tB-LOC"], "iob"),
        (["Ada\t0\t3\tPER-B", "Rome\t4\t8\tLOC-B"], "iob"),
        (["Ada\t0\t3\tPER", "left\t4\t8\tO"], "iob"),
    ],
)
def test_tags_of_tokens_with_offsets_are_no_entries(
    lines: list[str], expected: str
) -> None:
    data: Any = io.BytesIO("\n".join([*lines, ""]).encode())
    assert detect(io.BufferedReader(data), "a.tsv").name == expected


def test_queries_stand_beside_the_table(tmp_path: Path) -> None:
    path = tmp_path / "gold.tab"
    path.write_text(TABLE)
    (tmp_path / "gold.xml").write_text(QUERIES)
    one, two = good(list(read_file(str(path))))
    assert (one.id, one.nodes[0].label) == ("x1", "GPE")
    assert one.nodes[0].anchors == (Anchor(5, 10),)
    properties = dict(two.nodes[0].properties)
    assert (properties["authority"], properties["query"]) == ("NIL0001", "EL2")
    assert (properties["text"], two.nodes[0].anchors) == ("Bob", ())
    # They are read with it, and are not left alone.
    assert gather(str(tmp_path)) == ([str(path)], "")


def test_without_its_queries_a_table_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "gold.tab"
    path.write_text(TABLE)
    [problem] = problems(list(read_file(str(path))))
    assert f"found no queries beside it, expected {tmp_path / 'gold.xml'}" in problem
    (tmp_path / "gold.xml").write_text(QUERIES.replace('id="EL1"', 'id="EL7"'))
    [problem] = problems(list(read_file(str(path))))
    assert "gold.tab:1: found the query 'EL1'" in problem


def test_tables_since_2015_say_all_in_a_row() -> None:
    assert TAC.read is not None
    data = (
        b"LDC\tE1\tChina\tx1:5-9\tm.0d05w3\tGPE\tNAM\t1.0\r\n"
        b"LDC\tE2\tit\tx1:20-21\tNIL0042\tGPE\tNOM\tmuch\r\n"
        b"LDC\tE3\tit\tx2:7-6\tNIL0042\tGPE\tNOM\t1\r\n"
        b"LDC\tE4\tshe\tx3:7-9\tNIL0043\tPER\tPRO\r\n"
    )
    records = list(TAC.read(io.BytesIO(data), "a.tab"))
    assert [graph.id for graph in good(records)] == ["x1", "x3"]
    [node] = good(records)[0].nodes
    assert dict(node.properties)["mention_type"] == "NAM"
    one, two = problems(records)
    assert "a.tab:2: found 'much', expected a confidence" in one
    assert "a.tab:3: found characters 7-6" in two


def test_rows_of_the_same_characters_are_one_mention() -> None:
    assert TAC.read is not None
    data = (
        "A\tE1\tChina\tx1: 5 \u2013 9\tQ1\tGPE\tNAM\t0.25\n"
        "A\tE2\tChina\tx1:20-24\tQ2\tGPE\tNAM\t1.0\n"
        "A\tE3\tChina\tx1:5-9\tQ3\tORG\tNOM\t0.5\n"
    )
    [graph] = good(list(TAC.read(io.BytesIO(data.encode()), "a.tab")))
    one, two = graph.nodes
    assert (one.label, one.anchors) == ("ORG", (Anchor(5, 10),))
    said = dict(one.properties)
    assert (said["authority"], said["query"]) == ("Q3", "E3")
    assert (said["candidate"], said["candidate_type"]) == ("Q1", "GPE")
    assert two.anchors == (Anchor(20, 25),)


def test_an_entry_without_a_type_is_written_before_others() -> None:
    graphs = good(neleval("d1\t4\t7\tQ2\t0.5\tLOC\tQ1\t0.75\t\n"))
    assert NELEVAL.write is not None
    data = b"".join(NELEVAL.write(graphs)).decode()
    assert good(neleval(data)) == graphs


def test_words_longer_than_their_range_are_noted() -> None:
    row = "run\tM1\t{}\tD1:1-5\tNIL1\tPER\tNAM\t1.0\n"

    def notes(words: str) -> list[str]:
        stream = io.BytesIO(row.format(words).encode())
        [record] = format_named("tac-kbp").read(stream, "a.tab")
        assert isinstance(record, ReadGraph)
        return [note.problem.said for note in record.notes]

    assert notes("Petra") == notes("Petra Kelly") == []
    assert notes("Bergen") == [
        "found 'Bergen', expected words of the 5 characters D1:1-5"
    ]
