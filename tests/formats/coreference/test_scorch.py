"""JSON of scorch: clusters of names."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from graphscore import Graph, score
from graphscore.formats.registry import detect, format_named
from graphscore.structures.layout import TEXT, first_of
from tests.formats.reading import FormatReader

CLUSTERS = {
    "name": "LuoTestCase",
    "type": "clusters",
    "clusters": {"0": ["0.0-1"], "7": ["1.2-3", "1.5-5"]},
}
LINKED = {
    "type": "graph",
    "mentions": ["a", "b", "c", "d", "e"],
    "links": [["b", "a"], ["d", "c"], ["c", "a"], ["f", "f"]],
}

FORMAT = format_named("scorch")
_reading = FormatReader(FORMAT, "x/TC-A.json")
good = _reading.good
problems = _reading.problems


def entities(graph: Graph) -> dict[Any, list[Any]]:
    """The names in each entity."""
    names = {node.id: first_of(node.properties, TEXT) for node in graph.nodes}
    found: dict[Any, list[Any]] = {}
    for edge in graph.edges:
        found.setdefault(edge.source, []).append(names[edge.target])
    return found


@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_is_a_document_called_like_it(indent: int | None) -> None:
    [graph] = good(json.dumps(CLUSTERS, indent=indent))
    assert (graph.id, graph.document, graph.framework) == ("TC-A", "TC-A", "coref")
    assert entities(graph) == {"0": ["0.0-1"], "7": ["1.2-3", "1.5-5"]}
    assert graph.extra == {"scorch": {"name": "LuoTestCase"}}


def test_what_links_hold_together_is_an_entity() -> None:
    [graph] = good(json.dumps(LINKED, indent=2))
    assert entities(graph) == {"0": ["a", "b", "c", "d"], "1": ["e"], "2": ["f"]}
    assert graph.extra["scorch"]["links"] == LINKED["links"]


def test_several_documents_are_called_by_their_names() -> None:
    lines = f"{json.dumps(CLUSTERS)}\n{json.dumps(LINKED)}\n"
    listed = json.dumps([CLUSTERS, LINKED], indent=1)
    for data in (lines, listed):
        one, two = good(data)
        assert (one.id, two.id) == ("LuoTestCase", "TC-A/1")
        assert len(entities(two)) == 3


def test_it_is_recognised() -> None:
    for value in (CLUSTERS, LINKED, [CLUSTERS], dict(reversed(CLUSTERS.items()))):
        for indent in (None, 2):
            data = json.dumps(value, indent=indent).encode()
            stream = io.BufferedReader(io.BytesIO(data))
            assert detect(stream, "gold.json").name == "scorch"


def test_names_are_what_is_compared() -> None:
    [gold] = good(json.dumps(CLUSTERS))
    [system] = good(json.dumps({"type": "clusters", "clusters": [["1.5-5", "1.2-3"]]}))
    found = score([gold], [system], "b3").counts["all"]
    assert (found.gold, found.system, found.matched) == (3, 2, 2)


def test_numbers_are_names_and_empty_clusters_are_none() -> None:
    [graph] = good('{"type": "clusters", "clusters": {"a": [1, 2], "b": []}}')
    assert entities(graph) == {"a": ["1", "2"]}
    assert len(graph.nodes) == 3


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"type": "tree"}, "$.type: found 'tree', expected 'clusters' or 'graph'"),
        ({}, "$.type: found nothing, expected 'clusters' or 'graph'"),
        ({"type": "clusters"}, "$.clusters: found null, expected clusters by their"),
        ({"type": "clusters", "clusters": {"a": "b"}}, "$.clusters.a: found 'b', exp"),
        ({"type": "clusters", "clusters": {"a": [None]}},
         "$.clusters.a[0]: found null, expected the name of a mention"),
        ({"type": "graph", "mentions": ["a"]}, "$.links: found null, expected a list"),
        ({"type": "graph", "mentions": ["a"], "links": [["a"]]},
         "$.links[0]: found ['a'], expected the names of two mentions"),
        ([{"type": "graph", "mentions": [], "links": []}, {}], "$.type: found nothing"),
    ],
)  # fmt: skip
def test_problems_have_their_places(data: Any, problem: str) -> None:
    [found] = problems(json.dumps(data))
    assert found.startswith("x/TC-A.json:1: ")
    assert problem in found


def test_a_broken_file_is_one_problem() -> None:
    [found] = problems(json.dumps(CLUSTERS, indent=1)[:-2])
    assert found.startswith("x/TC-A.json:")
