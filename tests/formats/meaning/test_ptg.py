"""Prague tectogrammatical graphs, read as MRP."""

from __future__ import annotations

import io
import json

from graphscore.correspondence import Budget
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph

# "Dogs and cats bark." in the manner of the 2020 shared task.
RECORD = {
    "id": "20001001",
    "flavor": 1,
    "framework": "ptg",
    "language": "eng",
    "version": 1.1,
    "time": "2020-05-20",
    "provenance": "by hand",
    "input": "Dogs and cats bark.",
    "tops": [0],
    "nodes": [
        {"id": 0},
        {
            "id": 1,
            "label": "bark",
            "properties": ["sempos", "frame", "sentmod"],
            "values": ["v", "en-v#ev-w203f1", "enunc"],
            "anchors": [{"from": 14, "to": 18}, {"from": 18, "to": 19}],
        },
        {"id": 2, "label": "and", "anchors": [{"from": 5, "to": 8}]},
        {"id": 3, "label": "dog", "anchors": [{"from": 0, "to": 4}]},
        {"id": 4, "label": "cat", "anchors": [{"from": 9, "to": 13}]},
        {"id": 5, "label": "#Gen"},
    ],
    "edges": [
        {"id": 0, "source": 0, "target": 1, "label": "PRED"},
        {"id": 1, "source": 1, "target": 2, "label": "ACT"},
        {
            "id": 2,
            "source": 2,
            "target": 3,
            "label": "ACT",
            "attributes": ["member"],
            "values": [True],
        },
        {
            "id": 3,
            "source": 2,
            "target": 4,
            "label": "ACT",
            "attributes": ["member"],
            "values": [True],
        },
        {
            "id": 4,
            "source": 1,
            "target": 3,
            "label": "ACT",
            "attributes": ["effective", "member"],
            "values": [True, False],
        },
        {
            "id": 5,
            "source": 5,
            "target": 1,
            "label": "coref.gram-of",
            "normal": "coref.gram",
        },
    ],
}


def read() -> Graph:
    assert format_named("mrp").read is not None
    data = json.dumps(RECORD).encode()
    [record] = format_named("mrp").read(io.BytesIO(data), "ptg.mrp")
    assert isinstance(record, ReadGraph), record
    return record.graph


def test_everything_the_record_says_is_read() -> None:
    graph = read()
    assert (graph.framework, graph.flavor, graph.language) == ("ptg", 1, "eng")
    assert graph.nodes[0].anchors == ()
    assert graph.nodes[1].anchors == (Anchor(14, 18), Anchor(18, 19))
    assert graph.edges[4].attributes == (("effective", True), ("member", False))
    assert graph.edges[5].normal == "coref.gram"
    assert [edge.id for edge in graph.edges] == [0, 1, 2, 3, 4, 5]


def test_it_is_written_back_as_it_was() -> None:
    assert format_named("mrp").write is not None
    assert json.loads(b"".join(format_named("mrp").write([read()]))) == RECORD


def test_it_scores_itself_in_every_tuple_type() -> None:
    metric, graph = parse("mrp"), read()
    prepared = metric.prepare(graph)
    outcome = metric.compare((prepared,), (prepared,), budget=Budget())
    counts = metric.scores(outcome.raw_counts).counts
    # The default value of member says nothing; what is inverted is turned round.
    expected = {"tops": 1, "labels": 5, "properties": 3, "anchors": 4, "edges": 6}
    assert {kind: counts[kind].matched for kind in expected} == expected
    assert counts["attributes"].gold == counts["attributes"].matched == 3
    assert outcome.proven
