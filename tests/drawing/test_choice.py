"""Every kind of structure has its picture."""

from __future__ import annotations

import pytest

from graphscore.drawing.choice import drawing_of
from graphscore.drawing.styles import alone
from graphscore.formats import ReadGraph, read_file
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import LayoutBuilder
from tests.conftest import DATA

EXPECTED = [
    ("gold.mrp", "amr", "draw_layered"),
    ("gold.mrp", "dm", "draw_arcs"),
    ("gold.mrp", "eds", "draw_layered"),
    ("gold.mrp", "psd", "draw_arcs"),
    ("gold.mrp", "ucca", "draw_layered"),
    ("dependencies/gold.conllu", "ud", "draw_arcs"),
    ("coreference/key.conll", "coref", "draw_chains"),
    ("ner/gold.iob2", "ner", "draw_spans"),
    ("ner/radio.ne", "etree", "draw_layered"),
    ("ie/wire.json", "event", "draw_spans"),
    ("ie/wire.json", "relation", "draw_spans"),
    ("ie/incidents.jsonl", "template", "draw_forms"),
    ("srl/market.conll09", "srl", "draw_roles"),
]


@pytest.mark.parametrize(("file", "framework", "expected"), EXPECTED)
def test_what_graphs_are_chooses_the_picture(
    file: str, framework: str, expected: str
) -> None:
    found = [
        record.graph
        for record in read_file(str(DATA / file))
        if isinstance(record, ReadGraph)
        and record.graph.framework.startswith(framework)
    ]
    assert found
    for graph in found:
        assert drawing_of([alone(graph)]).__name__ == expected


def test_entity_trees_without_a_branch_are_spans() -> None:
    build = LayoutBuilder()
    build.mention("loc", [Anchor(0, 5)])
    flat = build.graph("1", "etree", text="Paris .")
    assert drawing_of([alone(flat)]).__name__ == "draw_spans"
    found = [record.graph for record in read_file(str(DATA / "ner" / "radio.ne"))]
    tree = next(each for each in found if each.edges)
    # A system that has branches is drawn with them, and gold beside it.
    assert drawing_of([alone(flat), alone(tree)]).__name__ == "draw_layered"


def test_without_nodes_the_framework_chooses() -> None:
    names = {
        framework: drawing_of([alone(Graph("1", framework))]).__name__
        for framework in ("amr", "dm", "ud", "ner", "coref", "template")
    }
    assert names == {
        "amr": "draw_layered",
        "dm": "draw_arcs",
        "ud": "draw_arcs",
        "ner": "draw_spans",
        "coref": "draw_chains",
        "template": "draw_forms",
    }
