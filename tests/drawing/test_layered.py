"""Pictures in layers: every part once, counterparts at the same place, nothing acts."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from graphscore.drawing.choice import draw, svg_of
from graphscore.drawing.styles import Style, StyledGraph, kept
from graphscore.formats import ReadGraph, read_file
from graphscore.model.graph import Edge, Graph, Node
from tests.conftest import DATA

HOSTILE = "</text><script>alert(1)</script>\x1b[31m\u202e\ud800"
LAYERED = ("amr", "eds", "ucca")


def graphs(name: str) -> dict[tuple[str, str], Graph]:
    records = read_file(str(DATA / f"{name}.mrp"))
    return {
        (each.graph.id, each.graph.framework): each.graph
        for each in records
        if isinstance(each, ReadGraph) and each.graph.framework in LAYERED
    }


def classes(panel: str) -> list[str]:
    return re.findall(r'class="[ne] \w+ (p\d+)"', panel)


@pytest.mark.parametrize("framework", LAYERED)
def test_every_node_and_edge_is_drawn_once(framework: str) -> None:
    found = [graph for (_, name), graph in graphs("gold").items() if name == framework]
    for graph in found:
        text = svg_of(graph)
        assert ElementTree.fromstring(text).tag.endswith("svg")
        assert text == svg_of(graph) == graph._repr_svg_()
        drawn = classes(text)
        assert len(drawn) == len(set(drawn)) == len(graph.nodes) + len(graph.edges)


def pair() -> tuple[StyledGraph, StyledGraph]:
    """A node more on each side, one with another label, an edge with another head."""
    gold = Graph(
        "1",
        "amr",
        nodes=(Node(0, "say-01"), Node(1, "person"), Node(2, "old"), Node(3, "x")),
        edges=(Edge(0, 1, "ARG0"), Edge(1, 2, "mod"), Edge(0, 3, "ARG1")),
        tops=(0,),
    )
    system = Graph(
        "1",
        "amr",
        nodes=(Node("a", "say-01"), Node("b", "person"), Node("c", "age-01")),
        edges=(Edge("a", "b", "ARG0"), Edge("a", "c", "mod")),
        tops=("a",),
    )
    same, label = "same", "label"
    nodes = (Style(0, same), Style(1, same), Style(2, label), Style(3, "missing"))
    edges = (Style(4, same), Style(5, "head"), Style(6, "missing"))
    return (
        StyledGraph("gold", gold, nodes, edges),
        StyledGraph("system", system, nodes[:3], (Style(4, same), Style(5, "head"))),
    )


def places(body: str) -> dict[str, tuple[str, ...]]:
    """By pair number, the numbers of the box of a node."""
    parts = re.findall(r'class="n \w+ (p\d+)">.*?(<rect[^>]*>|<path[^>]*>)', body)
    return {name: tuple(re.findall(r"[\d.]+", box)) for name, box in parts}


def test_counterparts_stand_at_the_same_place() -> None:
    gold, system = draw(pair()).panels
    assert (gold.width, gold.height) == (system.width, system.height)
    one, two = places(gold.body), places(system.body)
    assert set(one) == {"p0", "p1", "p2", "p3"}
    assert set(two) == {"p0", "p1", "p2"}
    assert all(one[name] == two[name] for name in ("p0", "p1"))


def test_what_matched_is_folded_away_from_errors() -> None:
    names = [f"n{number}" for number in range(30)]
    nodes = tuple(Node(number, name) for number, name in enumerate(names))
    edges = tuple(Edge(number, number + 1, "next") for number in range(29))
    graph = Graph("1", "amr", nodes=nodes, edges=edges)
    looks = tuple(
        Style(number, "missing" if number == 29 else "same") for number in range(30)
    )
    drawn = tuple(Style(30 + number, "same") for number in range(29))
    sides = (
        StyledGraph("gold", graph, looks, drawn),
        StyledGraph("system", graph, looks, drawn),
    )
    assert kept(sides) == {28, 29, 58}
    picture = draw(sides, fold=True)
    assert sorted(classes(picture.panels[0].body)) == ["p28", "p29", "p58"]
    assert "28 matched nodes folded" in picture.panels[0].body
    assert picture.panels[0].height < draw(sides).panels[0].height / 4


def test_labels_are_inert_whatever_they_hold() -> None:
    node = Node(HOSTILE, HOSTILE, ((HOSTILE, HOSTILE),))
    edge = Edge(HOSTILE, HOSTILE, HOSTILE, attributes=((HOSTILE, HOSTILE),))
    graph = Graph(HOSTILE, HOSTILE, nodes=(node,), edges=(edge,), tops=(HOSTILE,))
    root = ElementTree.fromstring(svg_of(graph))
    names = {element.tag.split("}")[1] for element in root.iter()}
    assert names == {"svg", "title", "style", "rect", "g", "text", "path"}
    assert "\u202e" not in svg_of(graph)


def test_a_graph_without_nodes_is_a_picture_too() -> None:
    assert ElementTree.fromstring(svg_of(Graph("1", "amr"))).tag.endswith("svg")


def test_a_side_without_nodes_takes_no_room() -> None:
    gold, system = pair()
    none = system._replace(graph=Graph("1", "amr"), nodes=(), edges=())
    there, absent = draw((gold, none)).panels
    assert "system: no nodes" in absent.body
    assert absent.height < 30 < there.height
    assert absent.width < there.width
