"""Arcs over words: nothing overlaps, everything is there, both sides stand together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.drawing.styles import Style, StyledGraph, alone, kept
from graphscore.drawing.words.arcs import draw_arcs
from graphscore.formats import read_file
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.dependencies import (
    Dependency,
    DependencyParse,
    dependency_graph,
)
from tests.conftest import DATA
from tests.drawing.seeing import (
    FORMS,
    drawn,
    elements,
    in_order,
    looked,
    over,
    sentences,
    texts,
    wanted,
)


@given(sentences())
def test_one_graph_is_there_whole_and_nothing_overlaps(graph: Graph) -> None:
    sides = [alone(graph)]
    picture = draw_arcs(sides)
    [panel] = picture.panels
    in_order(panel)
    assert drawn(panel) == wanted(sides)
    assert "<script" not in picture.svg()
    assert picture.svg() == draw_arcs([alone(graph)]).svg()


@st.composite
def pairs(draw: st.DrawFn) -> list[StyledGraph]:
    forms = draw(st.lists(st.sampled_from(FORMS), max_size=7))
    others = forms if draw(st.booleans()) else draw(st.permutations(forms))
    framework = draw(st.sampled_from(["dm", "ud"]))
    return draw(looked(draw(over(forms, framework)), draw(over(others, framework))))


@given(pairs(), st.data())
def test_both_sides_are_there_whole_and_nothing_overlaps(
    sides: list[StyledGraph], data: st.DataObject
) -> None:
    [panel] = draw_arcs(sides).panels
    in_order(panel)
    assert drawn(panel) == wanted(sides)
    everything = sorted(
        {look.pair for side in sides for look in (*side.nodes, *side.edges)}
    )
    keep = {each for each in everything if data.draw(st.booleans())}
    [small] = draw_arcs(sides, keep).panels
    in_order(small)
    there = drawn(small)
    assert not wanted(sides, keep) - there
    # Only words beside what is kept are there besides, and no other arcs.
    assert {key[0] for key in there - wanted(sides, keep)} <= {"n"}


@st.composite
def trees(draw: st.DrawFn) -> Graph:
    """Projective trees: arcs do not cross."""
    words = draw(st.lists(st.sampled_from(["a", "dogs", "barking"]), min_size=2))
    arcs = set()

    def under(first: int, last: int, head: int) -> None:
        if first < last:
            root = draw(st.integers(first, last - 1))
            label = draw(st.sampled_from(["det", "nsubj:pass", "x"]))
            arcs.add(Dependency(head, root + 1, label))
            under(first, root, root + 1)
            under(root + 1, last, root + 1)

    under(0, len(words), 0)
    return dependency_graph(DependencyParse(frozenset(arcs)), words)


@given(trees())
def test_arcs_of_trees_cross_no_label_and_no_other_arc(graph: Graph) -> None:
    [panel] = draw_arcs([alone(graph)]).panels
    in_order(panel)
    level, upright = [], []
    for path in elements(panel).findall("g[@class]/path"):
        x = y = 0.0
        commands = r"([MHV])(-?\d+)(?: (-?\d+))?|q(-?\d+) ?(-?\d+) ?(-?\d+) ?(-?\d+)"
        for found in re.finditer(commands, path.attrib["d"]):
            name, one, two, *bend = found.groups()
            if name == "M":
                x, y = float(one), float(two)
            elif name == "H":
                level.append((*sorted((x, float(one))), y))
                x = float(one)
            elif name == "V":
                upright.append((x, *sorted((y, float(one)))))
                y = float(one)
            else:
                x, y = x + float(bend[2]), y + float(bend[3])
    for x, top, bottom in upright:
        assert not any(a < x < b and top < y < bottom for a, b, y in level)
        for text in texts(panel):
            across = text.left < x < text.right
            assert not (across and top < text.bottom - 1 and text.top + 1 < bottom)


def at(start: int, end: int, name: object, label: str) -> Node:
    return Node(name, label, (), (Anchor(start, end),))  # type: ignore[arg-type]


def test_same_words_stand_at_one_place_and_others_beside_them() -> None:
    gold = Graph(
        "1", "dm", 0, text="New York wins.",
        nodes=(at(0, 8, 0, "NY"), at(9, 13, 1, "win")),
        edges=(Edge(1, 0, "ARG1"),), tops=(1,),
    )  # fmt: skip
    system = Graph(
        "1", "dm", 0, text="New York wins.",
        nodes=(at(4, 8, 4, "York"), at(9, 14, 5, "win")),
        edges=(Edge(5, 4, "ARG2"),), tops=(4,),
    )  # fmt: skip
    tops = frozenset({("tops", "", "True")})
    sides = [
        StyledGraph("gold", gold, (Style(0, "missing"), Style(1, "part", tops)),
             (Style(3, "label"),)),
        StyledGraph("system", system, (Style(2, "spurious", tops), Style(1, "part")),
             (Style(3, "label"),)),
    ]  # fmt: skip
    [panel] = draw_arcs(sides).panels
    in_order(panel)
    found = [each.text for each in texts(panel)]
    # "wins" is there once, though the system has the stop as well; "York" is not
    # the same as "New York".
    assert [found.count(each) for each in ("New York", "York", "wins", ".")] == [
        *(1, 1, 1, 1)
    ]
    assert {"− NY", "+ ARG2", "≠ ARG1", "≠ ARG2"} - {*found} == {"+ ARG2"}
    places = {each.text: each for each in texts(panel)}
    assert places["New York"].top == places["York"].top
    assert places["≠ ARG1"].bottom < places["wins"].top
    assert places["≠ ARG2"].top > places["wins"].bottom
    tops_drawn = [
        each.attrib["class"]
        for each in elements(panel).iter("g")
        if each.attrib["class"].startswith("t ")
    ]
    assert sorted(tops_drawn) == ["t missing", "t spurious"]
    assert not panel.right
    # The word of one side alone has its colour.
    words = {
        text.text: group.attrib["class"]
        for group in elements(panel).iter("g")
        for text in group.iter("text")
    }
    assert words["York"] == "n spurious p2"
    assert words["New York"] == "n missing p0"
    assert "wins" not in words


def test_what_both_sides_say_alike_is_said_once() -> None:
    node = Node(0, "dog", (("pos", "NN"),), (Anchor(0, 4),))
    graph = Graph("1", "dm", 0, text="Dogs", nodes=(node,))
    right = Style(0, "same")
    sides = [StyledGraph(name, graph, (right,), ()) for name in ("gold", "system")]
    [panel] = draw_arcs(sides).panels
    assert [each.text for each in texts(panel)].count("NN") == 1
    assert panel.right
    wrong = frozenset({("properties", "pos", "NN")})
    sides[1] = sides[1]._replace(nodes=(Style(0, "part", wrong),))
    [panel] = draw_arcs(sides).panels
    assert [each.text for each in texts(panel)].count("NN") == 2
    assert panel.body.count('class="z w"') == 1


def test_words_far_from_errors_become_dots_that_say_how_many() -> None:
    words = [f"w{number}" for number in range(12)]
    arcs = {Dependency(number, number + 1, "x") for number in range(12)}
    graph = dependency_graph(DependencyParse(frozenset(arcs)), words)
    nodes = tuple(Style(number, "same") for number in range(12))
    edges = tuple(
        Style(20 + number, "missing" if number == 5 else "same") for number in range(11)
    )
    sides = [StyledGraph("gold", graph, nodes, edges)]
    [panel] = draw_arcs(sides, kept(sides)).panels
    said = [each.text for each in texts(panel)]
    assert [each for each in said if each[0] in "w…"] == [
        *("…", "w4", "w5", "w6", "w7", "…")
    ]
    folds = [each.findtext("title") for each in elements(panel) if not each.attrib]
    assert folds == ["4 words", "4 words"]
    assert "− x" in said
    assert "x" not in said


def test_right_to_left_words_are_read_from_right_to_left() -> None:
    graph = dependency_graph(
        DependencyParse(frozenset({Dependency(0, 1, "root"), Dependency(1, 2, "x")})),
        ["אחת", "שתיים"],
    )
    [panel] = draw_arcs([alone(graph)]).panels
    places = {each.text: each.left for each in texts(panel)}
    assert places["אחת"] > places["שתיים"]


CONLLU = """# sent_id = s
# text = Vámonos al mar y tú no
1-2	Vámonos	_	_	_	_	_	_	_	_
1	Vamos	ir	VERB	_	_	0	root	0:root	_
2	nos	yo	PRON	_	_	1	obj	1:obj	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	5:case	_
4	el	el	DET	_	_	5	det	5:det	_
5	mar	mar	NOUN	_	_	1	obl	1:obl:a	_
6	y	y	CCONJ	_	_	7	cc	7.1:cc	_
7	tú	tú	PRON	_	_	1	conj	7.1:nsubj	_
7.1	vas	ir	VERB	_	_	_	_	1:conj	_
8	no	no	ADV	_	_	7	orphan	7.1:advmod	_

"""


def test_tokens_of_several_words_and_empty_nodes_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "s.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    graphs = {record.graph.framework: record.graph for record in read_file(str(path))}
    for name, graph in graphs.items():
        sides = [alone(graph)]
        [panel] = draw_arcs(sides).panels
        in_order(panel)
        assert drawn(panel) == wanted(sides)
        places = {each.text: each for each in texts(panel)}
        both = places["Vámonos"]
        assert places["Vamos"].bottom < both.top
        assert places["Vamos"].left < both.left < both.right < places["nos"].right
        assert ("vas" in places) == (name == "eud")


@pytest.mark.parametrize("framework", ["dm", "psd"])
def test_pictures_are_small(framework: str) -> None:
    for record in read_file(str(DATA / "gold.mrp")):
        graph = record.graph
        if graph.framework == framework:
            side = alone(graph)
            two = [side._replace(name=name) for name in ("gold", "system")]
            [panel] = draw_arcs(two).panels
            in_order(panel)
            assert len(panel.body) < 500 * (2 + len(graph.text.split()))
