"""IterX: templates as JSON lines."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor
from graphscore.structures import nodes_of
from tests.formats.templates.fillers import (
    filled,
    good,
    graphs_of,
    kinds,
    problems,
    read,
    round_trip,
    written,
)
from tests.formats.templates.test_grit import extracts

FORMAT = format_named("iterx")

ATTACK = {"PerpInd": [["military"], ["members"]], "incident_type": "attack"}
BOMBING = {"Weapon": [["bomb"]], "incident_type": "bombing"}

GOLD: dict[str, Any] = {
    "docid": "EN-1-frame-Leaving",
    "doctext": "<event> left </event> He left in 2008",
    "doctext-tok": ["<event>", "left", "</event>", "He", "left", "in", "2008"],
    "all-spans": [["He", 22, 23, 3, 3, ""]],
    "templates": [
        {
            "incident_type": "Leaving",
            "Place": [],
            "Agent": [[["He", 22, 23, 3, 3, "Agent"]]],
            "Time": [[["2008", 33, 36, 6, 6, "Time"]]],
            "template-spans": [3, 6],
        }
    ],
}


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_lines_of_a_document_are_put_together_in_their_order() -> None:
    data = lines({"d1": [ATTACK]}, {"d2": []}, {"d1": []}, {"d1": [BOMBING, ATTACK]})
    one, two = good(FORMAT, data)
    assert (one.id, one.document, one.text) == ("d1", "d1", "")
    assert [node.label for node in nodes_of(one, "template")] == [
        "attack",
        "bombing",
        "attack",
    ]
    assert (two.id, two.nodes) == ("d2", ())
    assert [record.line for record in read(FORMAT, data)] == [1, 2]


def test_gold_says_where_mentions_end() -> None:
    [graph] = good(FORMAT, lines(GOLD))
    assert filled(graph) == [("Leaving", [("Agent", ["He"]), ("Time", ["2008"])])]
    assert [n.anchors for n in nodes_of(graph, "mention")] == [
        (Anchor(22, 24),),
        (Anchor(33, 37),),
    ]
    assert graph.nodes[0].extra == (("span", [23, 3, 3, "Agent"]),)
    assert json.loads(written(FORMAT, [graph])) == GOLD
    round_trip(FORMAT, [graph])


@pytest.mark.parametrize(
    ("name", "mentions", "templates"),
    [("bart-base", 627, 187), ("bert-base", 671, 196)],
)
def test_the_conformance_files_are_read_completely(
    conformance: Path, name: str, mentions: int, templates: int
) -> None:
    path = conformance / "ie" / f"muc4_iterx_{name}.jsonl"
    found = graphs_of(path)
    assert (len(found), kinds(found)) == (
        200,
        {
            "mention": mentions,
            "entity": mentions,
            "template": templates,
            "anchored": 0,
        },
    )
    gold = graphs_of(conformance / "ie" / "muc4_gtt_test.json")
    assert {each.id for each in found} == {each.id for each in gold}
    round_trip(FORMAT, found)
    with path.open("rb") as stream:
        assert detect(stream, "-").name == "iterx"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (lines({"d1": []}), "iterx"),
        (lines({"d1": []}).replace("\n", " \r\n"), "iterx"),
        (lines({"d1": [ATTACK]}), "iterx"),
        (lines({"d1": [{"incident_type": "x"}]}), "iterx"),
        (lines({"d1": [{"a": [], "task": [["x"]]}]}), "iterx"),
        (lines(GOLD), "iterx"),
        (lines({k: v for k, v in GOLD.items() if "-" not in k}), "gtt"),
        ('{"nodes": [], "tokens": ["a"]}', "mrp"),
        ('{"nodes": [{"id": 0}], "id": "1"}', "mrp"),
    ],
)
def test_it_is_told_apart_from_what_looks_alike(data: str, name: str) -> None:
    stream: Any = io.BufferedReader(io.BytesIO(data.encode()))  # type: ignore[arg-type]
    assert detect(stream, "x.jsonl").name == name


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({}, ":2: $: found an empty object, expected templates under a document's nam"),
        ({"": []}, ":2: $: found a document without a name, expected its name"),
        ({"d1": {}}, ":2: $.d1: found an object, expected a list"),
        ({"d1": [3]}, ":2: $.d1[0]: found 3, expected an object of slots"),
        ({"d1": [{"incident_type": 1}]}, ":2: $.d1[0].incident_type: found 1, expect"),
        ({"d1": [{"A": [[None]]}]}, ":2: $.d1[0].A[0][0]: found null, expected a str"),
        ({"docid": "x"}, ":2: $.templates: found null, expected a list"),
        (GOLD | {"docid": None}, ":2: $.docid: found null, expected the name of the"),
        (GOLD | {"doctext": 3}, ":2: $.doctext: found 3, expected a string"),
        (
            [1],
            ":2: $: found JSON that is not an object, expected a JSON object per line",
        ),
    ],
)
def test_what_is_wrong_is_said(row: Any, problem: str) -> None:
    data = lines({"d1": [ATTACK]}, row, {"d2": [BOMBING]})
    assert problem in "\n".join(problems(FORMAT, data))
    assert "d2" in [r.graph.id for r in read(FORMAT, data) if not hasattr(r, "raw")]


def test_a_bad_line_makes_its_document_bad_as_a_whole() -> None:
    data = lines({"d1": [ATTACK]}, {"d1": 3}, {"d1": [BOMBING]}, {"d1": 4})
    [record] = read(FORMAT, data)
    assert (record.line, record.item) == (1, "d1")  # type: ignore[union-attr]
    assert record.raw == b'{"d1": 3}\n{"d1": 4}\n'  # type: ignore[union-attr]
    assert len(problems(FORMAT, data)) == 2


@given(st.lists(st.lists(extracts, max_size=2), max_size=4))
def test_every_file_comes_back(found: list[Any]) -> None:
    data = lines(*({f"d{k % 2}": each} for k, each in enumerate(found)))
    graphs = good(FORMAT, data)
    assert sum(len(nodes_of(g, "template")) for g in graphs) == sum(map(len, found))
    round_trip(FORMAT, graphs)
