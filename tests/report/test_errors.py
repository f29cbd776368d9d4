"""The errors of an item as lines: what differs, and where."""

from __future__ import annotations

import re
from time import process_time

import pytest

import graphscore
from graphscore.drawing.styles import Style, alone
from graphscore.drawing.texts.events import frames_of
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import Error
from graphscore.report.item_view.lookup import find
from graphscore.report.item_view.sentences import compared
from graphscore.report.page.errors import ErrorLine, error_lines
from graphscore.report.page.pictures import legend_of
from graphscore.report.page.single import item_page
from graphscore.report.page.templating import parts
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.conftest import DATA

TEXT = "she said that he left"


def unit(*, cycle: bool = False) -> Graph:
    """A unit above two words and another unit, one of whose words is remote."""
    nodes = (
        *(Node("top"), Node("inner")),
        *(Node(n, anchors=(Anchor(*ends),)) for n, ends in enumerate(PLACES)),
    )
    edges = [
        *(Edge("top", 0, "A"), Edge("top", 1, "P"), Edge("top", "inner", "A")),
        *(Edge("inner", 3, "P"), Edge("inner", 2, "A")),
        Edge("inner", 0, "A", attributes=(("remote", True),)),
    ]
    if cycle:
        edges.append(Edge("inner", "top", "E"))
    return Graph("1", "ucca", text=TEXT, nodes=nodes, edges=tuple(edges))


PLACES = (0, 3), (4, 8), (14, 16), (17, 21)


@pytest.mark.parametrize("cycle", [False, True])
def test_bare_nodes_are_called_by_the_words_below_them(cycle: bool) -> None:
    graph = unit(cycle=cycle)
    error = Error("missing", "edges", "edge", 2, None, "A", "", "A", "a", "absent")
    [line] = error_lines([error], graph, graph)
    below = "she said he left" if cycle else "he left"
    assert line == ErrorLine("−", "edges", "A", "", f"she said he left → {below}")


def test_entities_without_places_are_called_by_the_strings_of_their_mentions() -> None:
    build = LayoutBuilder()
    mentions = [build.mention("", text=text) for text in ("HIS CAR", "CAR", "CAR")]
    build.template("ROBBERY", [Argument("TARGET", build.entity(mentions))])
    graph = build.graph("1", "template")
    [place] = [n for n, edge in enumerate(graph.edges) if edge.label == "TARGET"]
    lost = Error(
        *("missing", "TARGET", "edge", place, None, "TARGET", ""), None, None, "absent"
    )
    [line] = error_lines([lost], graph, None)
    assert line.where == "ROBBERY → HIS CAR / CAR"


def test_many_templates_take_no_time_that_grows_with_their_number_squared() -> None:
    count = 12_500
    build = LayoutBuilder()
    for _ in range(count):
        build.template("", [])
    many = build.graph("X", "template")
    began = process_time()
    errors = [
        Error("spurious", "templates", "node", None, n, None, "", None, None, "absent")
        for n in range(count)
    ]
    assert len(error_lines(errors, None, many)) == count
    others = tuple(Style(count + n) for n in range(count))
    sides = alone(many), alone(many)._replace(nodes=others)
    assert len(frames_of(sides, frozenset({"template"}))) == 2 * count
    assert process_time() - began < 30


def test_nodes_without_words_are_called_by_their_ids() -> None:
    graph = Graph("1", "amr", nodes=(Node("n7"),))
    error = Error("missing", "tops", "node", 0, None, None, "", None, None, "absent")
    [line] = error_lines([error], graph, None)
    assert line.where == "n7"


def test_other_heads_are_said_not_the_word_twice(tmp_path) -> None:
    paths = []
    for name, head in (("gold", 2), ("system", 3)):
        rows = [(1, "I", head, "obl"), (2, "go", 0, "root"), (3, "on", 2, "obl")]
        lines = [f"{n}\t{w}\t_\t_\t_\t_\t{h}\t{r}\t_\t_" for n, w, h, r in rows]
        path = tmp_path / f"{name}.conllu"
        path.write_text("# sent_id = 1\n" + "\n".join(lines) + "\n\n", "utf-8")
        paths.append(str(path))
    [found] = graphscore.explain(*paths, "1", "las")
    lines = error_lines(found.outcome.errors, *found.gold, *found.system)
    assert [(each.name, each.gold, each.system, each.where) for each in lines] == [
        ("head", "go", "on", "I")
    ]


def test_long_texts_are_there_when_they_are_asked_for() -> None:
    text = parts().text
    assert text("") == ""
    assert text("a <b>") == '<p class="text">a &lt;b&gt;</p>'
    folded = text("word " * 1000)
    assert folded.startswith("<details><summary>5,000 characters</summary>")


def test_legends_say_that_pictures_are_folded_where_they_are() -> None:
    marks = legend_of(["same"])
    assert "folded" not in parts().legend(marks)
    assert "folded" in parts().legend(marks, fold=True)


def test_wide_pictures_have_the_width_of_the_page_of_an_item() -> None:
    files = str(DATA / "gold.mrp"), str(DATA / "birch.mrp")
    options = Options(details=True)
    found = find(*files, "sample-03", [parse("mrp")], options)
    page = item_page([compared(each, options.budget) for each in found])
    tuple_types = re.findall(r'<section class="(framework[ \w]*)"><h2>(\w+)', page)
    assert {name: tuple_type for tuple_type, name in tuple_types} == {
        "amr": "framework",
        "dm": "framework",
        "eds": "framework wide",
        "psd": "framework wide",
        "ucca": "framework wide",
    }
