"""SimpleDMRS: what is read, what is kept, what is wrong."""

from __future__ import annotations

import msgspec
import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Node
from tests.formats.reading import FormatReader

FORMAT = format_named("simpledmrs")

SMALL = """\
dmrs a { [<0:10> "Dogs bark." top=10001 index=10001] 10000 [_dog_n_1<0:4> x NUM=pl]; \
10001 [_bark_v_1<5:9> e TENSE=pres PROG=-]; 10001:ARG1/NEQ -> 10000; }
dmrs b { [top=2] 1 [named<0:3>("Ada") x]; 2 [_sleep_v_1<4:9> e]; 2:ARG1/NEQ -> 1; }
"""

LINES = """\
dmrs {
  [top=3]
  1 [_every_q<0:5>];
  2 [_dog_n_1<6:9> x PERS=3];
  3 [_bark_v_1<@1> e];
  1:RSTR/H -> 2;
  3:ARG1/NEQ -> 2;
  1:/EQ -- 2;
}
"""


READER = FormatReader("simpledmrs", "a.dmrs")
records, graphs = READER.read, READER.good


def problem(data: str) -> str:
    [found] = [each for each in records(data) if isinstance(each, Rejected)]
    return str(found.problems[0])


def test_a_graph_says_what_the_file_says() -> None:
    one, two = graphs(SMALL)
    dog = Node(10000, "_dog_n_1", (("NUM", "pl"),), (Anchor(0, 4),), (("type", "x"),))
    assert (one.id, one.framework, one.flavor, one.tops) == ("a", "dmrs", 1, (10001,))
    assert (one.text, one.nodes[0]) == ("Dogs bark.", dog)
    assert one.edges == (Edge(10001, 10000, "ARG1", attributes=(("post", "NEQ"),)),)
    assert one.extra == {"lnk": "0:10", "index": 10001}
    assert two.nodes[0].properties == (("carg", "Ada"),)


def test_graphs_may_have_many_lines_and_links_no_role() -> None:
    [found] = graphs(LINES)
    assert [edge.label for edge in found.edges] == ["RSTR", "ARG1", None]
    assert found.nodes[2].extra == (("lnk", "@1"), ("type", "e"))


def test_a_link_from_nought_says_the_top() -> None:
    assert graphs("dmrs { 1 [_go_v_1 e]; 0:/H -> 1; }")[0].tops == (1,)
    found = graphs("dmrs { [top=2] 1 [_a_q]; 2 [_go_v_1 e]; 0:/H -> 1; }")[0]
    assert (found.tops, found.edges) == ((2,), ())


def test_quotes_and_braces_in_texts_are_no_marks() -> None:
    text = r'dmrs { ["a \"b\" } {" top=1] 1 [named<0:1>("x } \\ y") x]; }'
    [found] = graphs(text)
    assert found.text == 'a "b" } {'
    assert found.nodes[0].properties == (("carg", "x } \\ y"),)


def test_a_text_that_is_too_short_is_kept_beside_the_graph() -> None:
    [found] = graphs('dmrs { ["Dogs" top=1] 1 [_bark_v_1<5:9> e]; }')
    assert (found.text, found.extra) == ("", {"surface": "Dogs"})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("dmrs { 1 [a_q]; 1 [b_q]; }", "a.dmrs:1:17: id: found '1'"),
        (
            "dmrs { 1 [a_q]; 1:BV/H -> 7; }",
            "a.dmrs:1:27: end: found 7, expected the id",
        ),
        ("dmrs { [top=9] 1 [a_q]; }", "top: found 9, expected the id of a node"),
        ("dmrs { [stop=9] 1 [a_q]; }", "found 'stop=9', expected top=id or index=id"),
        ("dmrs { 1 [a_q<4:1>]; }", "lnk: found '4:1', expected a range"),
        ("dmrs { 1 a_q; }", "found '1 a_q;', expected id [predicate"),
        ("dmrs { 1 [a_q];", "found a brace that is not closed"),
        ("mrs { 1 [a_q]; }", "found 'mrs', expected dmrs, its id if it has one"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(data: str, said: str) -> None:
    assert said in problem(data)


def test_a_bad_graph_costs_only_itself() -> None:
    found = records("dmrs a { 1 [x_q];\n" + SMALL)
    assert [isinstance(each, ReadGraph) for each in found] == [False, True, True]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tops": (1, 2)}, "the tops"),
        ({"text": "a\nb"}, "in the text: 'a"),
        ({"nodes": (Node("x", "a_q"),), "edges": (), "tops": ()}, "found 'x \\[a_q"),
        (
            {"nodes": (Node(1, "a b"),), "edges": (), "tops": ()},
            "the label of a node: 'a b'",
        ),
        ({"nodes": (Node(1, None),), "edges": (), "tops": ()}, "found '1 \\[\\];"),
    ],
)
def test_what_cannot_be_written_is_an_error(
    changed: dict[str, object], said: str
) -> None:
    assert FORMAT.write is not None
    graph = msgspec.structs.replace(graphs(SMALL)[1], **changed)
    with pytest.raises(GraphscoreError, match=said):
        b"".join(FORMAT.write([graph]))
