"""Reading and writing EDS; nothing in a file may break the reader."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_with_losses
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import FormatReader

FORMAT = format_named("eds")

TEXT = """\
#20001001
{e3:
 _1:proper_q<0:28>[BV x6]
 e10:compound<0:14>{e SF prop, TENSE untensed, PERF -}[ARG1 x6, ARG2 x9]
 x9:named<0:6>("Pierre"){x PERS 3}[]
 x6:named<7:14>("Vinken")[]
 e3:_join_v_1<34:38>[ARG1 x6, ARG2 x6]
}

"""


READER = FormatReader("eds", "a.eds")
read, good, problems, written = READER.read, READER.one, READER.refused, READER.data


# What is read.


def test_nodes_properties_and_arguments() -> None:
    graph = good(TEXT)
    assert (graph.id, graph.framework, graph.flavor) == ("20001001", "eds", 1)
    assert graph.tops == ("e3",)
    assert [node.id for node in graph.nodes] == ["_1", "e10", "x9", "x6", "e3"]
    quantifier, compound, pierre, vinken, join = graph.nodes
    assert (quantifier.label, quantifier.anchors) == ("proper_q", (Anchor(0, 28),))
    assert compound.properties == (("SF", "prop"), ("TENSE", "untensed"), ("PERF", "-"))
    assert compound.extra == (("type", "e"),)
    assert pierre.properties == (("carg", "Pierre"), ("PERS", "3"))
    assert vinken.properties == (("carg", "Vinken"),)
    assert (join.label, join.extra) == ("_join_v_1", ())
    assert [(edge.source, edge.label, edge.target) for edge in graph.edges] == [
        ("_1", "BV", "x6"),
        ("e10", "ARG1", "x6"),
        ("e10", "ARG2", "x9"),
        ("e3", "ARG1", "x6"),
        ("e3", "ARG2", "x6"),
    ]
    assert graph.text == ""


def test_everything_may_stand_in_one_line() -> None:
    line = " ".join(TEXT.split())
    assert good(line) == good(TEXT)
    both = read(f"{line} {line.replace('20001001', '2')}\n")
    assert [each.graph.id for each in both if isinstance(each, ReadGraph)] == [
        "20001001",
        "2",
    ]


@pytest.mark.parametrize(
    ("start", "tops"),
    [
        ("{e2:\n ", ("e2",)),
        ("{e2: ", ("e2",)),
        ("{e2:", ("e2",)),
        ("{:\n ", ()),
        ("{\n ", ()),
        ("{", ()),
        ("{e2: (fragmented)\n |", ("e2",)),
        ("{(fragmented) ", ()),
    ],
)
def test_the_top_and_its_absence(start: str, tops: tuple[str, ...]) -> None:
    graph = good(start + "e2:_a:b_v_1<0:1>[]}" if "\n" in start else
                 start + "e2:_b_v_1<0:1>[]}")  # fmt: skip
    assert graph.tops == tops
    assert [node.id for node in graph.nodes] == ["e2"]
    assert good(written(graph)) == graph


def test_fragments_are_marked() -> None:
    text = "{e2: (cyclic fragmented)\n e2:_a<0:1>[]\n|x3:_b<2:3>[]\n}"
    graph = good(text)
    assert graph.extra == {"status": "cyclic fragmented"}
    assert [node.extra for node in graph.nodes] == [(), (("fragment", True),)]
    assert written(graph).decode().strip() == text


def test_other_links_to_the_surface_are_kept() -> None:
    for lnk in ("@7", "0#3", "1 2 3", "-1:-1"):
        graph = good(f"{{e2:\n e2:_a_v_1<{lnk}>[]\n}}")
        assert graph.nodes[0].anchors == ()
        assert graph.nodes[0].extra == (("lnk", lnk),)
        assert good(written(graph)) == graph
    assert not good("{e2:\n e2:_a_v_1[]\n}").nodes[0].anchors


def test_repeated_arguments_and_the_case_of_names_are_kept() -> None:
    graph = good(
        "{E2:\n E2:_A_V_1<0:1>{E Sf PROP}[Arg1 x, Arg1 x, L-HNDL x]\n x:b[]\n}"
    )
    assert [edge.label for edge in graph.edges] == ["Arg1", "Arg1", "L-HNDL"]
    assert graph.nodes[0].label == "_A_V_1"
    assert graph.nodes[0].properties == (("Sf", "PROP"),)


@pytest.mark.parametrize(
    "predicate",
    [
        "_24/7_a_1",
        "_:/nn_u_unknown",
        "_<x_n",
        "_(a_n",
        "_a,b_n",
        '_5"_n',
        "_a|b",
        "_café",
    ],
)
def test_unusual_predicates(predicate: str) -> None:
    graph = good(f"{{e2:\n e2:{predicate}<0:1>[]\n}}")
    assert graph.nodes[0].label == predicate
    assert good(written(graph)) == graph


@pytest.mark.parametrize(
    "constant", ['a"b', "a\\b", ")(", "}{", '")[', "", "é ü", "a]"]
)
def test_unusual_constants(constant: str) -> None:
    node = Node("x1", "named", (("carg", constant),), (Anchor(0, 1),))
    graph = Graph("1", "eds", 1, nodes=(node,), tops=("x1",))
    assert good(written(graph)) == graph


def test_graphs_without_ids_and_empty_ones() -> None:
    graph = good("{:\n}")
    assert (graph.id, graph.nodes, graph.tops) == ("", (), ())
    assert good("#1 {}").id == "1"
    assert good(written(good("#1 {}"))) == good("#1 {}")


def test_comments_are_kept() -> None:
    graph = good("# made by hand {x}\n#1\n# second\n{:\n}")
    assert graph.id == "1"
    assert graph.extra["comments"] == ["made by hand {x}", "second"]
    again = good(written(graph))
    assert again == graph
    assert not read("# only a comment\n")


# What is not.


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[BV x6]", "[BV x7]", "3:23: BV: found 'x7', expected the id of a node"),
        ("{e3:", "{e4:", "2:2: top: found 'e4', expected the id of a node"),
        (" x9:named", " x6:named", "6:2: id: found 'x6', expected an id that no"),
        ("[BV x6]", "[BV]", "3:20: edges: found 'BV', expected ROLE id"),
        ("[BV x6]", "[BV x6", "3:2: found '_1:proper_q<0:28>[BV x6', expected id:"),
        ("[BV x6]", "", "3:2: found '_1:proper_q<0:28>', expected id:predicate"),
        ("SF prop", "SF", "4:21: properties: found 'e SF, TENSE"),
        ("<7:14>", "<14:7>", "6:11: lnk: found '14:7', expected a range from"),
        ("<7:14>", "<7:14000000>", "6:11: lnk: found '7:14000000', expected a range"),
        ('("Vinken")', '("Vinken)', "6:2: found 'x6:named<7:14>(\"Vinken)[]'"),
        ("}\n\n", "\n", "2:1: found a brace that is not closed"),
        ("{e3:", "junk {e3:", "2:1: found 'junk', expected a graph in braces"),
    ],
)
def test_bad_graphs_are_rejected_with_their_place(
    old: str, new: str, problem: str
) -> None:
    assert old in TEXT
    found = problems(TEXT.replace(old, new))
    assert found[0].startswith(f"a.eds:{problem}")


def test_every_problem_of_a_graph_is_reported() -> None:
    text = TEXT.replace("<7:14>", "<14:7>").replace("[BV x6]", "").replace("SF ", "")
    assert [each.split(":")[1] for each in problems(text)] == ["3", "4", "6"]


def test_the_id_of_a_rejected_graph_is_kept() -> None:
    [record] = read(TEXT.replace("[BV x6]", "["))
    assert isinstance(record, Rejected)
    assert (record.item, record.framework, record.line) == ("20001001", "eds", 1)
    assert record.raw.startswith(b"#20001001\n{e3:")


# Round trips.

names = st.text(alphabet="abX1_-+é", min_size=1, max_size=3)


@st.composite
def eds_graphs(draw: st.DrawFn) -> Graph:
    """Graphs with everything that the notation can say."""
    size = draw(st.integers(0, 5))
    nodes = []
    for number in range(size):
        extra: list[tuple[str, Any]] = []
        anchors: tuple[Anchor, ...] = ()
        if draw(st.booleans()):
            start = draw(st.integers(0, 9))
            anchors = (Anchor(start, start + draw(st.integers(0, 9))),)
        elif draw(st.booleans()):
            extra.append(("lnk", "@4"))
        properties: list[tuple[str, str]] = []
        if draw(st.booleans()):
            properties.append(("carg", draw(st.text('a"\\é )}]', max_size=4))))
        if draw(st.booleans()):
            extra.append(("type", draw(names)))
            properties += draw(st.lists(st.tuples(names, names), max_size=3))
        if draw(st.booleans()):
            extra.append(("fragment", True))
        label = draw(st.text("a_:é/,|(", min_size=1, max_size=4)) + "_q"
        nodes.append(
            Node(f"e{number}", label, tuple(properties), anchors, tuple(extra))
        )
    ids = [node.id for node in nodes]
    edges: list[Edge] = []
    for name in ids:
        links = st.lists(st.tuples(names, st.sampled_from(ids)), max_size=3)
        edges += [Edge(name, target, role) for role, target in draw(links)]
    tops = tuple(draw(st.lists(st.sampled_from(ids), max_size=1))) if ids else ()
    extra_fields = draw(st.sampled_from(({}, {"status": "cyclic"})))
    return Graph(
        draw(st.sampled_from(("", "7", "wsj.1"))),
        "eds",
        1,
        nodes=tuple(nodes),
        edges=tuple(edges),
        tops=tops,
        extra=extra_fields,
    )


@given(eds_graphs())
def test_what_is_written_is_read_again(graph: Graph) -> None:
    assert good(written(graph)) == graph


def test_a_type_is_supplied_where_there_are_properties() -> None:
    nodes = (Node("e2", "a", (("SF", "prop"),)), Node(7, "b", (("PERS", 3),)))
    again = good(written(Graph("1", "eds", 1, nodes=nodes, tops=(7,))))
    assert [node.extra for node in again.nodes] == [
        (("type", "e"),),
        (("type", "u"),),
    ]
    assert [node.id for node in again.nodes] == ["e2", "7"]
    assert again.tops == ("7",)


def test_a_constant_is_written_whatever_the_case_of_its_name() -> None:
    """MRP files say CARG as well; beside the rest of its graph, which says carg."""
    named = Node("a", "named", (("carg", 'P"i'),))
    card = Node("b", "card", (("SF", "prop"), ("CARG", "61")))
    lost: list[tuple[str, ...]] = []
    for nodes in ((named, card), (card,)):
        graph = Graph("1", "eds", 1, nodes=nodes)
        pieces = write_with_losses(FORMAT, [graph], lambda _, each: lost.append(each))
        back = good(b"".join(pieces)).nodes
        assert back[-1].properties == (("carg", "61"), ("SF", "prop"))
    assert lost == [("case of CARG", "order of properties")] * 2
    # Of two, one would be no constant any longer.
    both = Node("c", "card", (("CARG", "61"), ("carg", "62")))
    with pytest.raises(GraphscoreError, match="cannot hold"):
        written(Graph("1", "eds", 1, nodes=(both,)))


GRAPH = "{{e{0}:\n e{0}:_bark_v_1<5:9>[]\n}}\n"


@pytest.mark.parametrize(
    ("text", "kinds", "line"),
    [
        (f"{GRAPH}{GRAPH}\n{GRAPH}", [Rejected, ReadGraph], 4),
        (f"{GRAPH}\n{GRAPH}{GRAPH}{GRAPH}", [ReadGraph, Rejected], 8),
        (f"#1\n{GRAPH}{GRAPH}#2\n{GRAPH}", [Rejected, ReadGraph], 5),
        (
            "{{e{0}: e{0}:_a_v[]}} {{e{0}: e{0}:_b_v[]}}\n\n" + GRAPH,
            [Rejected, ReadGraph],
            1,
        ),
    ],
)
def test_two_graphs_in_a_record_are_a_bad_one(
    text: str, kinds: list[type], line: int
) -> None:
    records = read(text.format(1))
    assert [type(record) for record in records] == kinds
    [problem] = records[kinds.index(Rejected)].problems  # type: ignore[union-attr]
    assert str(problem).startswith(
        f"a.eds:{line}: found another graph, expected a blank"
    )


@pytest.mark.parametrize(
    "text", [GRAPH * 3, f"#1\n{GRAPH}#2\n{GRAPH}\n#3\n{GRAPH}", GRAPH * 3 + "\n\n"]
)
def test_graphs_with_nothing_but_line_ends_between_are_as_many(text: str) -> None:
    assert [type(record) for record in read(text.format(1))] == [ReadGraph] * 3


def test_a_graph_that_nothing_closes_costs_no_neighbour() -> None:
    graph = "{{e2: e2:_{}_v_1<0:4>[ARG1 x4] x4:_dog_n_1<0:4>[] }}\n\n"
    broken = graph.format("two").replace(" }", "")
    data = graph.format("one") + broken + graph.format("six")
    records = list(format_named("eds").read(io.BytesIO(data.encode()), "a.eds"))
    assert [isinstance(record, ReadGraph) for record in records] == [True, False, True]
    assert records[2].graph.nodes[0].label == "_six_v_1"
