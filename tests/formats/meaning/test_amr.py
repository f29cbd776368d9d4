"""Reading and writing PENMAN; nothing in a file may break the reader."""

from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import Any

import msgspec
import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.meaning.amr import token_anchors
from graphscore.formats.meaning.amr.records import DEEPEST
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.normalize import base_edge, fold
from tests.formats.reading import FormatReader
from tests.strategies import graphs

FORMAT = format_named("amr")


READER = FormatReader("amr", "a.amr", "amr")
read, good, problems, written = READER.read, READER.one, READER.refused, READER.data


def labels(graph: Graph) -> list[tuple[Any, Any, Any]]:
    return [(edge.source, edge.label, edge.target) for edge in graph.edges]


# What is read.


def test_variables_roles_and_constants() -> None:
    graph = good('(b / bark-01 :ARG0 (d / dog :name "Rex" :quant 2) :polarity -)')
    assert (graph.framework, graph.flavor, graph.tops) == ("amr", 2, ("b",))
    assert [(node.id, node.label) for node in graph.nodes] == [
        ("b", "bark-01"),
        ("d", "dog"),
    ]
    assert graph.nodes[1].properties == (("name", "Rex"), ("quant", "2"))
    assert graph.nodes[0].properties == (("polarity", "-"),)
    assert not graph.nodes[0].extra
    assert labels(graph) == [("b", "ARG0", "d")]
    assert graph.id == ""


def test_inverted_roles_stay_as_written() -> None:
    graph = good("(a / b :ARG0-of (c / d) :mod (e / f) :consist-of (g / h) :domain e)")
    normals = [(edge.source, edge.label, edge.normal) for edge in graph.edges]
    assert normals == [
        ("a", "ARG0-of", "ARG0"),
        ("a", "mod", "domain"),
        ("a", "consist-of", None),
        ("a", "domain", None),
    ]


def test_repeated_edges_and_attributes_are_kept() -> None:
    graph = good('(a / b :ARG0 (c / d) :ARG0 c :op1 "x" :op1 "x" :op1 "y" :ARG0 a)')
    assert labels(graph) == [("a", "ARG0", "c")] * 2 + [("a", "ARG0", "a")]
    assert [value for _, value in graph.nodes[0].properties] == ["x", "x", "y"]


def test_a_variable_may_be_mentioned_before_it_is_spelled_out() -> None:
    graph = good("(t / try-01 :ARG0 d :ARG1 (b / bark-01 :ARG0 (d / dog)))")
    assert labels(graph) == [("t", "ARG0", "d"), ("t", "ARG1", "b"), ("b", "ARG0", "d")]
    assert [node.id for node in graph.nodes] == ["t", "b", "d"]


def test_a_constant_in_quotes_is_no_variable() -> None:
    graph = good('(a / b :op1 "a" :op2 c)')
    assert graph.nodes[0].properties == (("op1", "a"), ("op2", "c"))
    assert not graph.edges


def test_quotes_are_remembered_where_they_are_unusual() -> None:
    text = '(a / b :op1 "7" :op2 x :op3 7 :op4 "x y" :op5 "a\\"b\\\\")'
    graph = good(text)
    values = [value for _, value in graph.nodes[0].properties]
    assert values == ["7", "x", "7", "x y", 'a"b\\']
    quotes = [False, True, False, False, True, True]
    assert dict(graph.nodes[0].extra)["quotes"] == quotes
    assert written(graph).decode().strip() == text


def test_alignments_are_kept_and_lead_to_tokens() -> None:
    text = (
        "# ::tok Dogs do not bark\n"
        "(b / bark-01~e.3 :ARG0~e.1,3 (d / dog~0) :polarity~e.2 -~e.2\n"
        '    :op1 "x~e.1"~e.1 :ARG1~e.1 d~e.0)'
    )
    graph = good(text)
    bark, dog = graph.nodes
    assert (bark.label, dog.label) == ("bark-01", "dog")
    assert bark.properties == (("polarity", "-"), ("op1", "x~e.1"))
    assert dict(bark.extra) == {
        "alignment": "e.3",
        "alignments": ["e.2", "e.1"],
        "role_alignments": ["e.2", None],
    }
    assert dict(dog.extra) == {"alignment": "0"}
    assert dict(graph.edges[0].extra) == {"alignment": "e.1,3"}
    assert dict(graph.edges[1].extra) == {
        "alignment": "e.1",
        "target_alignment": "e.0",
    }
    assert token_anchors(graph, bark) == (Anchor(12, 16),)
    assert token_anchors(graph, graph.edges[0]) == (Anchor(5, 7), Anchor(12, 16))
    assert good(written(graph)) == graph
    mentioned = good("(b / bark-01 :ARG0 (d / dog) :ARG1 d~e.0)")
    assert mentioned.edges[1].extra == (("target_alignment", "e.0"),)


def test_tokens_are_found_in_the_sentence() -> None:
    assert good("# ::tok std ::list\n(l / list)").text == "std ::list"
    graph = good("# ::snt He (or she).\n# ::tok He -LRB- or she -RRB- .\n(h / he)")
    assert graph.text == "He (or she)."
    assert graph.tokens[1] == Anchor(3, 4)
    other = good("# ::snt He.\n# ::tok She .\n(h / he)")
    assert (other.text, other.tokens) == ("He.", ())
    assert other.extra == {"tok": "She ."}


def test_two_comments_in_one_line_are_two() -> None:
    graph = good("# ::id a.1 # ::id a.2\n# ::snt # 1 dog\n(d / dog)\n")
    assert (graph.id, graph.text) == ("a.1", "# 1 dog")
    assert graph.extra == {"::id": ["a.2"]}


def test_metadata_is_kept_and_written_back() -> None:
    text = (
        "# by hand\n"
        "# ::id a.1 ::date 2012-01-01 ::preferred\n"
        "# ::snt What is std::list ::really ?\n"
        "# ::node 0 x\n# ::node 1 y\n# ::nodes 2\n"
        "(a / b\n  # a remark\n  :ARG0 (c / d))\n"
    )
    graph = good(text)
    assert (graph.id, graph.text) == ("a.1", "What is std::list ::really ?")
    assert graph.extra == {
        "comments": ["by hand", "a remark"],
        "date": "2012-01-01",
        "preferred": "",
        "node": ["0 x", "1 y"],
        "::nodes": "2",
    }
    assert good(written(graph)) == graph


def test_several_graphs_with_and_without_ids() -> None:
    text = "# ::id 1\n(a / b)\n# ::snt Two\n(c / d)\n\n\n(g\n / h)"
    found = [record.graph for record in read(text) if isinstance(record, ReadGraph)]
    assert [(each.id, each.text) for each in found] == [
        ("1", ""),
        ("", "Two"),
        ("", ""),
    ]
    assert [each.nodes[0].label for each in found] == ["b", "d", "h"]
    assert [record.line for record in read(text)] == [1, 3, 7]


@pytest.mark.parametrize(
    ("text", "count", "line"),
    [
        ("(a / b)\n(c / d)\n\n(e / f)\n", 2, 2),
        ("(a / b)\n\n(c / d)\n(e / f)\n(g / h)\n", 2, 4),
        ("(a / b) (c / d)\n\n(e / f)\n\n(g / h)\n", 3, 1),
        ("(a / b :ARG0 (c / d)\n(c / d)\n\n(e / f)\n", 2, 2),
        ("(a / b)\n# a note\n(c / d)\n\n(e / f)\n", 2, 2),
        ("# ::id 1\n(a / b)\n(c / d)\n# ::id 2\n(e / f)\n", 2, 3),
    ],
)
def test_two_graphs_in_a_record_are_a_bad_one(text: str, count: int, line: int) -> None:
    found = read(text)
    bad = [each for each in found if isinstance(each, Rejected)]
    assert (len(found), len(bad)) == (count, 1)
    assert str(bad[0].problems[-1]) == (
        f"a.amr:{line}: found another graph, expected a blank line before it, as the "
        "records of this file have"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(a / b)\n(c / d)\n(e / f)\n\n\n",
        "(a / b) (c / d) (e / f)",
        "# of a parser\n\n(a / b)\n(c / d)\n(e / f)\n",
        "# ::tok a\n(a / b)\n# ::tok b\n(c / d)\n\n# ::tok c\n(e / f)\n",
        "(a / b)\n# ---\n(c / d)\n# ---\n(e / f)\n",
    ],
)
def test_graphs_with_nothing_but_line_ends_between_are_as_many(text: str) -> None:
    found = [each.graph for each in read(text) if isinstance(each, ReadGraph)]
    assert [each.nodes[0].label for each in found] == ["b", "d", "f"]


def test_very_many_graphs_with_nothing_between_do_not_wait() -> None:
    assert FORMAT.read is not None
    stream = io.BytesIO(b"(a / b)\n" * 200_000)
    next(FORMAT.read(stream, "a.amr"))
    assert stream.tell() < 1_200_000
    found = read("(a / b)\n" * 5000 + "\n(c / d)\n(e / f)\n")
    assert len(found) == 5002


def test_an_empty_graph() -> None:
    graph = good("# ::id 1\n()")
    assert graph.nodes == graph.tops == ()
    assert written(graph) == b"# ::id 1\n()\n\n"


def test_a_node_without_concept() -> None:
    graph = good("(a :ARG0 (b) :ARG1 (a :ARG2 b))")
    assert [node.label for node in graph.nodes] == [None, None]
    assert labels(graph) == [("a", "ARG0", "b"), ("a", "ARG1", "a"), ("a", "ARG2", "b")]


def test_the_last_bracket_of_a_file_may_be_missing() -> None:
    graph = good("(a / b :ARG0 (c / d)\n\n")
    assert labels(graph) == [("a", "ARG0", "c")]
    assert graph.extra == {"unclosed": 1}
    assert written(graph).count(b")") == 2
    assert b"unclosed" not in written(graph)


# What is not.


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(a / b", "1:1: found a bracket that is not closed, expected a closing one"),
        ("(a / b :ARG0 (c / d)", "1:1: found a bracket that is not closed"),
        ("(a / b :ARG0 (c / d :ARG1 (e / f)\n", "1:1: found a bracket that is not"),
        ("(a / b))", "1:8: found ')', expected a graph in brackets or a comment"),
        ("(a / b) c", "1:9: found 'c'"),
        ("(a / b)\nc", "2:1: found 'c'"),
        ("a / b", "1:1: found 'a / b'"),
        ("(é / b))", "1:9: found ')'"),
        ("(a / b :ARG0)", "1:8: found ':ARG0' without a target, expected a variable"),
        ("(a / b :ARG0 :ARG1 a)", "1:8: found ':ARG0' without a target"),
        ("(a / )", "1:4: found nothing after '/', expected a concept"),
        ("(a / b\n  :ARG0 ())", "2:9: found a bracket without a variable"),
        ("(a / b :x (a / c))", "1:11: found variable 'a' with a concept a second"),
        ("(a / b c)", "1:8: found 'c', expected a role"),
        ("(/ b)", "1:2: found '/', expected a name"),
        ("(a / b :op1 / c)", "1:13: found '/', expected a variable, a constant"),
        ('(a / b :op1 "c)', "1:13: found a string that does not end"),
        ('(a / b :op1 "c\\")', "1:13: found a string that does not end"),
        ("# ::id 7", "1: found comments without a graph, expected a graph"),
        ('(a / b :op1 "c" "d")', "1:17: found '\"d\"', expected a role"),
        ("(a / b~)", "1:7: found '~', expected a role"),
    ],
)
def test_bad_graphs_are_rejected_with_their_place(text: str, problem: str) -> None:
    [found] = problems(text)
    assert found.startswith(f"a.amr:{problem}")


def test_every_problem_of_a_graph_is_reported() -> None:
    found = problems("(a / b :x :y :z (a / c) :w ())")
    assert len(found) == 2
    assert len(problems("(a / b :x :y :z)")) == 3


def test_an_unclosed_graph_without_a_blank_line_after_it() -> None:
    found = read("(a / b :x (c / d)\n(e / f)\n(g / h :x\n(i / j))\n")
    assert [type(record) for record in found] == [Rejected, ReadGraph, ReadGraph]
    assert isinstance(found[2], ReadGraph)
    assert labels(found[2].graph) == [("g", "x", "i")]


def test_the_id_of_a_rejected_graph_is_kept() -> None:
    [record] = read("# ::id 7\n(a / b")
    assert isinstance(record, Rejected)
    assert (record.item, record.line, record.raw) == ("7", 1, b"# ::id 7\n(a / b")


def test_deep_graphs_are_refused_and_shallower_ones_read() -> None:
    def nested(depth: int) -> str:
        return "(a / b" + " :x (a" * (depth - 1) + ")" * depth

    assert len(good(nested(DEEPEST)).edges) == DEEPEST - 1
    [found] = problems(nested(DEEPEST + 1))
    assert f"nested {DEEPEST + 1} deep" in found
    assert len(problems("(" * 1_000_000)) == 1
    assert len(problems("(a " * 100_000 + ")" * 100_000)) == 1


# Round trips.

symbols = st.text(alphabet='ab1-+._#"é ~/:()\\', min_size=1, max_size=4)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """PENMAN text with everything that may occur in it."""
    names = [f"v{k}" for k in range(draw(st.integers(1, 6)))]
    children: dict[str, list[str]] = {name: [] for name in names}
    for place, name in enumerate(names[1:], 1):
        children[names[draw(st.integers(0, place - 1))]].append(name)
    mark = st.sampled_from(("", "", "~e.1", "~2,3"))
    role = st.sampled_from((":ARG0", ":ARG1-of", ":mod", ":consist-of", ":op1", ":"))

    def node(name: str) -> str:
        pieces: list[str] = []
        for child in children[name]:
            pieces.append(f"{draw(role)}{draw(mark)} {node(child)}")
        for _ in range(draw(st.integers(0, 2))):
            target = f"{draw(st.sampled_from(names))}{draw(mark)}"
            pieces.append(f"{draw(role)}{draw(mark)} {target}")
        for _ in range(draw(st.integers(0, 2))):
            quoted = draw(symbols).replace("\\", "\\\\").replace('"', '\\"')
            constant = draw(st.sampled_from(("-", "12", "abc", f'"{quoted}"')))
            pieces.append(f":op2{draw(mark)} {constant}{draw(mark)}")
        pieces = draw(st.permutations(pieces))
        concept = draw(st.sampled_from(("", " / b-01", ' / "b c"')))
        aligned = draw(mark) if concept else ""
        return f"({' '.join((name + concept + aligned, *pieces))})"

    return node(names[0])


@given(trees(), st.sampled_from(("", "# ::id x\n# ::snt A b.\n# ::tok A b .\n")))
def test_what_was_read_is_written_and_read_again(tree: str, above: str) -> None:
    graph = good(above + tree)
    assert good(written(graph)) == graph


@given(trees())
def test_edges_and_concepts_are_those_that_penman_finds(tree: str) -> None:
    graph = good(tree)
    root = penman.parse(tree)
    concepts = {
        variable: branches[0][1]
        for variable, branches in root.nodes()
        if branches and branches[0][0] == "/"
    }
    assert [node.id for node in graph.nodes] == [
        variable for variable, _ in root.nodes()
    ]
    assert {node.id for node in graph.nodes if node.label is not None} == set(concepts)
    tokens = [path for path, _ in root.walk() if len(path)]
    said = len(graph.edges) + sum(len(node.properties) for node in graph.nodes)
    assert said + len(concepts) == len(tokens)


@st.composite
def connected_graphs(draw: st.DrawFn) -> Graph:
    """Graphs of any shape with one top, every node reached from some other."""
    graph = draw(graphs(framework="amr", text="A b."))
    ids = [node.id for node in graph.nodes]
    links = []
    for place, name in enumerate(ids[1:], 1):
        ends = (name, ids[draw(st.integers(0, place - 1))])
        if draw(st.booleans()):
            ends = ends[::-1]
        links.append(Edge(*ends, draw(st.sampled_from(("ARG0", "ARG1-of", "mod")))))
    edges = draw(st.permutations((*graph.edges, *links)))
    top = (draw(st.sampled_from(ids)),) if ids else ()
    return msgspec.structs.replace(graph, edges=tuple(edges), tops=top)


def facts(graph: Graph) -> Any:
    """What a graph says whatever its nodes are called and its order."""
    place = {name: number for name, number in graph.ordinals().items()}
    edges = sorted(
        (place[source], place[target], "" if label is None else fold(label))
        for source, target, label in (base_edge(edge, "amr") for edge in graph.edges)
    )
    return edges, [place[top] for top in graph.tops]


@given(connected_graphs())
def test_any_connected_graph_is_written(graph: Graph) -> None:
    again = good(written(graph))
    assert (again.id, again.text) == (graph.id, graph.text)

    def node(each: Node) -> Any:
        values = sorted((name, fold(value)) for name, value in each.properties)
        return None if each.label is None else fold(each.label), values

    assert sorted(map(repr, map(node, again.nodes))) == sorted(
        map(repr, map(node, graph.nodes))
    )
    assert len(again.edges) == len(graph.edges)


def test_a_graph_is_laid_out_against_its_edges_where_need_be() -> None:
    nodes = tuple(Node(k, f"{letter}-01") for k, letter in enumerate("abcd"))
    edges = (Edge(1, 0, "ARG0"), Edge(2, 1, "ARG1-of", "ARG1"), Edge(3, 2, "mod"))
    graph = Graph("1", "amr", 2, nodes=nodes, edges=edges, tops=(0,))
    again = good(written(graph))
    assert [node.label for node in again.nodes] == [node.label for node in nodes]
    assert facts(again) == facts(graph)
    assert [edge.label for edge in again.edges] == ["ARG0-of", "ARG1", "domain"]


def test_a_normal_that_the_label_does_not_say_is_written_as_base_edge() -> None:
    nodes = (Node("a", "x"), Node("b", "y"))
    edge = Edge("a", "b", "accompanier", "ARG1")
    again = good(written(Graph("1", "amr", nodes=nodes, edges=(edge,), tops=("a",))))
    assert [(e.source, e.label, e.target) for e in again.edges] == [
        ("a", "ARG1-of", "b")
    ]


def test_variables_never_collide_with_constants() -> None:
    nodes = (
        Node("a", "x", (("op1", "a"), ("op2", 0))),
        Node(0, "x2"),
        Node("a b", "é"),
    )
    edges = (Edge("a", 0, "r"), Edge(0, "a b", "r"))
    again = good(written(Graph("1", "amr", nodes=nodes, edges=edges, tops=("a",))))
    assert len(again.nodes) == 3
    assert again.nodes[0].properties == (("op1", "a"), ("op2", "0"))
    plain = Node("a", "x", (("op1", "a"),), (), (("quotes", [False, False]),))
    again = good(written(Graph("1", "amr", nodes=(plain,), tops=("a",))))
    assert again.nodes[0].properties == (("op1", "a"),)
    assert not again.edges


def test_a_long_path_is_refused() -> None:
    size = DEEPEST + 1
    nodes = tuple(Node(f"v{k}", "x") for k in range(size))
    edges = tuple(Edge(f"v{k}", f"v{k + 1}", "r") for k in range(size - 1))
    graph = Graph("7", "amr", nodes=nodes, edges=edges, tops=("v0",))
    with pytest.raises(GraphscoreError, match="brackets nested 201 deep"):
        written(graph)


@pytest.mark.parametrize("name", ["coli500.gold.amr", "coli500.system.amr"])
def test_penman_finds_the_same_triples(conformance: Path, name: str) -> None:
    path = conformance / "mrp" / "amr" / name
    mine = [each.graph for each in read_file(str(path)) if isinstance(each, ReadGraph)]
    logging.getLogger("penman").setLevel(logging.ERROR)
    theirs = penman.load(str(path))
    assert len(mine) == len(theirs) == 500
    for graph, other in zip(mine, theirs, strict=True):
        assert graph.tops == (other.top,)
        assert {(node.id, node.label) for node in graph.nodes} == {
            (each.source, each.target.strip('"')) for each in other.instances()
        }
        ends = {(e.source, e.target) for e in graph.edges}
        found = {(e.source, e.target) for e in other.edges()}
        assert {frozenset(pair) for pair in ends} == {frozenset(pair) for pair in found}
        attributes = [
            (node.id, name, value)
            for node in graph.nodes
            for name, value in node.properties
        ]
        assert sorted(attributes) == sorted(
            (each.source, each.role[1:], each.target.strip('"'))
            for each in other.attributes()
        )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# ::snt A\n(a / b)\n\n# ::snt B\n\n# ::snt C\n(c / d)\n", "ab!cd"),
        ("# ::id 1\n(a / b)\n\n# ::id 2\n# x\n\n# ::id 3\n(c / d)\n", "ab!cd"),
        ("# ::id 1\n# ::snt A\n\n# ::id 2\n# ::snt B\n(a / b)\n", "!ab"),
        # A paragraph that names its item, and one without an id.
        ("# ::snt A\n\n# ::id 2\n# ::snt B\n(a / b)\n", "!ab"),
        ("# ::id 1\n# ::snt A\n\n(a / b)\n", "ab"),
        ("# ::id 1\n\n# ::snt A\n(a / b)\n", "ab"),
        ("# ::snt A\n# ::id 1\n(a / b)\n", "ab"),
        # Headers, and what says nothing of an item.
        ("# AMR release; corpus: x\n\n# more\n\n# ::id 1\n(a / b)\n", "ab"),
        ("(a / b)\n\n# only words\n\n(c / d)\n", "abcd"),
    ],
)
def test_comments_that_name_an_item_keep_its_place(text: str, expected: str) -> None:
    found = [*FORMAT.read(io.BytesIO(text.encode()), "a.amr")]
    said = [
        f"{each.graph.nodes[0].id}{each.graph.nodes[0].label}"
        if isinstance(each, ReadGraph)
        else "!"
        for each in found
    ]
    assert "".join(said) == expected
