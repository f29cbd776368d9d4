"""Reading and writing SDP; nothing in a file may break the reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphscore.cli.main import cli
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.meaning.sdp import framework_of
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import FormatReader

FORMAT = format_named("sdp")

OLD = """\
#20001001
1\tPierre\tPierre\tNNP\t-\t+\t_\t_
2\tVinken\t_\tNNP\t-\t-\tcompound\tARG1
3\t,\t_\t,\t-\t-\t_\t_
4\tjoins\tjoin\tVBZ\t+\t+\t_\t_

"""
NEW = """\
#SDP 2015
#20001001
1\tPierre\tPierre\tNNP\t-\t+\tnamed:x-c\t_\t_
2\tVinken\t_\tNNP\t-\t-\tnamed:x-c\tcompound\tARG1
3\t,\t_\t,\t-\t-\tf\t_\t_
4\tjoins\tjoin\tVBZ\t+\t+\t_\t_\t_

"""


READER = FormatReader("sdp", "dm.sdp")
read, good, written = READER.read, READER.one, READER.data
problems = FormatReader("sdp", "a.sdp").refused


# What is read.


@pytest.mark.parametrize("text", [OLD, NEW])
def test_comments_with_keys_are_no_ids(text: str) -> None:
    graph = good(text.replace("#2000", "# format = x\n#a =\n#2000"))
    assert (graph.id, graph.extra["comments"]) == ("20001001", ["format = x", "a ="])
    graph = good(text.replace("#20001001", "# format = x"))
    assert (graph.id, graph.extra["comments"]) == ("", ["format = x"])
    assert good(text.replace("#20001001", "#a=1")).id == "a=1"


@pytest.mark.parametrize("options", [(), ("--framework-of-file", "other")])
def test_a_file_without_a_framework_is_written_as_it_was_read(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "evening.sdp"
    path.write_text(NEW)
    arguments = ["convert", str(path), "-", "--to", "sdp", *options]
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, result.stdout) == (0, NEW)


def test_tokens_that_take_part_are_nodes() -> None:
    graph = good(NEW)
    assert (graph.id, graph.framework, graph.flavor) == ("20001001", "dm", 0)
    assert graph.text == "Pierre Vinken , joins"
    assert graph.tokens[3] == Anchor(16, 21)
    assert [(node.id, node.label, node.anchors) for node in graph.nodes] == [
        (1, "Pierre", (Anchor(0, 6),)),
        (2, None, (Anchor(7, 13),)),
        (4, "join", (Anchor(16, 21),)),
    ]
    assert graph.nodes[0].properties == (("pos", "NNP"), ("frame", "named:x-c"))
    assert graph.nodes[2].properties == (("pos", "VBZ"),)
    assert graph.tops == (4,)
    assert [(edge.source, edge.target, edge.label) for edge in graph.edges] == [
        (1, 2, "compound"),
        (4, 2, "ARG1"),
    ]
    assert graph.ordered


def test_the_layout_of_2014_has_no_frames() -> None:
    old, new = good(OLD), good(NEW)
    assert old.edges == new.edges
    assert all(dict(node.properties).keys() == {"pos"} for node in old.nodes)
    assert old.extra == {"singletons": {"3": ["_", ",", "_"]}}


def test_without_a_header_the_number_of_columns_decides() -> None:
    assert good(NEW.split("\n", 1)[1]) == good(NEW)


def test_tokens_that_are_no_nodes_are_kept() -> None:
    graph = good(NEW)
    assert graph.extra == {"singletons": {"3": ["_", ",", "f"]}}
    assert written(graph).decode() == NEW


def test_predicates_without_arguments_are_nodes() -> None:
    text = "#1\n1\ta\ta\tX\t-\t+\t_\n2\tb\tb\tX\t-\t-\t_\n"
    graph = good(text)
    assert [node.id for node in graph.nodes] == [1]
    assert graph.extra["idle_predicates"] == [1]
    assert good(written(graph)) == graph


def test_several_tops_self_loops_and_comments() -> None:
    text = "#1\n#a remark\n1\ta\ta\tX\t+\t+\tL\n2\tb\tb\tX\t+\t-\tM\n"
    graph = good(text)
    assert graph.tops == (1, 2)
    assert graph.edges == (Edge(1, 1, "L"), Edge(1, 2, "M"))
    assert graph.extra["comments"] == ["a remark"]
    assert good(written(graph)) == graph


@pytest.mark.parametrize(
    ("name", "framework"),
    [
        ("dm.sdp", "dm"),
        ("/corpus/en.id.psd.sdp.gz", "psd"),
        ("pas/train.sdp", "pas"),
        ("wsj.ccd", "ccd"),
        ("dm-and-psd.sdp", "sdp"),
        ("admin.sdp", "sdp"),
        ("<stdin>", "sdp"),
    ],
)
def test_the_name_of_a_file_tells_its_framework(name: str, framework: str) -> None:
    assert framework_of(name) == framework
    assert FormatReader("sdp", name).one(OLD).framework == framework


def test_the_framework_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "dm.sdp"
    path.write_text(NEW)
    [record] = read_file(str(path), ReaderOptions(framework="psd"))
    assert isinstance(record, ReadGraph)
    assert record.graph.framework == "psd"


def test_a_file_that_says_its_framework_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "a.mrp"
    path.write_text('{"id": "1", "framework": "eds"}')
    [record] = read_file(str(path), ReaderOptions(framework="psd"))
    assert isinstance(record, ReadGraph)
    assert record.graph.framework == "eds"


# What is not.


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("\tARG1", "", "3: found 7 columns, expected 6 and one for each of 2"),
        ("\tARG1", "\tARG1\t_", "3: found 9 columns, expected 6"),
        ("2\tVinken", "3\tVinken", "3:1: id: found '3', expected 2"),
        ("2\tVinken", "2\t", "3:3: form: found nothing, expected a token"),
        ("VBZ\t+\t+", "VBZ\t*\t+", "5:18: top: found '*', expected + or -"),
        ("VBZ\t+\t+", "VBZ\t+\t", "5:20: pred: found '', expected + or -"),
        (
            "3\t,\t_\t,\t-\t-\t_\t_",
            "3 , _ , - - _ _",
            "4: found 1 columns, expected at",
        ),
    ],
)
def test_bad_lines_are_reported(old: str, new: str, problem: str) -> None:
    assert old in OLD
    assert problems(OLD.replace(old, new))[0].startswith(f"a.sdp:{problem}")


def test_every_bad_line_is_reported() -> None:
    found = problems(OLD.replace("\t-\t", "\t?\t"))
    assert [each.split(":")[1] for each in found] == ["2", "3", "4"]


def test_a_header_of_2015_demands_frames() -> None:
    assert "expected 7 and one for each" in problems("#SDP 2015\n" + OLD)[0]
    assert "expected 6 and one for each" in problems(NEW.replace("2015", "2014", 1))[0]


def test_an_id_without_tokens() -> None:
    assert problems("#1\n\n") == [
        "a.sdp:1: found an id without tokens, expected a token per line"
    ]


def test_blank_lines_may_come_before_the_version() -> None:
    plain = [record.graph for record in read(NEW) if isinstance(record, ReadGraph)]
    for above in ("\n", " \t\r\n\n"):
        below = [
            record.graph
            for record in read(above + NEW)
            if isinstance(record, ReadGraph)
        ]
        assert [graph.id for graph in below] == [graph.id for graph in plain]


# Round trips.


def words(text: str) -> list[Anchor]:
    found, position = [], 0
    for word in text.split():
        start = text.index(word, position)
        position = start + len(word)
        found.append(Anchor(start, position))
    return found


@given(st.data())
def test_graphs_without_tokens_are_written(data: st.DataObject) -> None:
    text = "Zoë ate  crème brûlée."
    places = data.draw(st.lists(st.sampled_from(words(text)), unique=True))
    label = st.sampled_from(("a", None, 3))
    nodes = tuple(
        Node(f"n{k}", data.draw(label), (("pos", "X"),), (place,))
        for k, place in enumerate(sorted(places))
    )
    ids = [node.id for node in nodes]
    pairs = st.lists(st.tuples(*[st.sampled_from(ids)] * 2), unique=True, max_size=4)
    edges = tuple(Edge(*pair, "L") for pair in (data.draw(pairs) if ids else ()))
    tops = tuple(ids[:1])
    graph = Graph("1", "dm", 0, text=text, nodes=nodes, edges=edges, tops=tops)
    again = good(written(graph))
    assert again.text == "Zoë ate crème brûlée."
    number = {anchor: k for k, anchor in enumerate(words(text), 1)}
    assert [node.id for node in again.nodes] == [
        number[node.anchors[0]] for node in nodes
    ]
    place = {node.id: number[node.anchors[0]] for node in nodes}
    assert {(e.source, e.target) for e in again.edges} == {
        (place[e.source], place[e.target]) for e in edges
    }
    assert again.tops == tuple(place[top] for top in tops)


@pytest.mark.parametrize("above", ["\n", " \n\t\n", "\ufeff\n \n", "\r\n\r\n"])
@pytest.mark.parametrize("header", ["#SDP 2015\n", " #SDP 2015 \r\n", "#SDP 2015\n\n"])
def test_a_header_below_blank_lines_is_no_id(above: str, header: str) -> None:
    assert NEW.startswith("#SDP 2015\n")
    plain = NEW.removeprefix("#SDP 2015\n")
    assert good(above + header + plain) == good(NEW)
