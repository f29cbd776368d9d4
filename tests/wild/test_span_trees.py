"""Published entity trees as JSON lines and as brat's files, and back."""

from __future__ import annotations

import io

import pytest

from graphscore import score
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.entities import span_trees
from graphscore.model.graph import Graph
from tests.wild import IE, needs_wild

pytestmark = needs_wild

GOLD = IE / "hipe2022" / "gold"
NAMES = sorted(each.name for each in GOLD.glob("*.tsv")) if GOLD.is_dir() else []


def trees(name: str) -> list[Graph]:
    records = read_file(str(GOLD / name), reading=ReaderOptions(format="hipe"))
    graphs = (each.graph for each in records if isinstance(each, ReadGraph))
    return [graph for graph in graphs if graph.framework == "etree"]


@pytest.mark.parametrize("name", NAMES)
def test_entities_of_old_newspapers_come_back(name: str) -> None:
    gold = [graph for graph in trees(name) if graph.text]
    assert gold
    data = b"".join(span_trees.write(gold))
    back = [
        each.graph
        for each in span_trees.read(io.BytesIO(data), "a.jsonl")
        if isinstance(each, ReadGraph)
    ]
    for one, two in zip(gold, back, strict=True):
        sides = [
            sorted(
                (str(x.label), x.anchors, sorted(map(str, x.properties)))
                for x in each.nodes
            )
            for each in (one, two)
        ]
        assert sides[0] == sides[1]
    for metric in ("eter", "ser", "eter(words=aligned)"):
        found = score(gold, back, metric)
        assert found.scores.numbers["errors"] == 0
        assert found.pairs == len(gold)
