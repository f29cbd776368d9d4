"""Box notation: what is read, what is refused, and what comes out again."""

from __future__ import annotations

import io

import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats import write_graphs
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import lost_of

CALL = """\
%%% bin/boxer --input out/p00/d0801/en.parse.tags
person.n.01   EQU speaker    % I       [0-1]
call.v.03     Agent -1       % call    [2-6]
              EXPLANATION -1 % because [7-14]
credit_card.n.01 User speaker Name "Big Tom" % cards  [15-20]
lose.v.05     Theme -1 PartOf +9 % lost [21-25]
"""

LINES = """\
p1/d1,male.n.02 Name "David Cameron" NEGATION <1 sing.v.01 Agent -1 Time '197X'
p1/d2\t\tdog.n.01 bark.v.01 Agent -1
"""


def read(text: str) -> list[Record]:
    return list(format_named("sbn").read(io.BytesIO(text.encode()), "a.sbn"))


def graphs(text: str) -> list[Graph]:
    found = read(text)
    assert all(isinstance(each, ReadGraph) and not each.left_out for each in found), (
        found
    )
    return [each.graph for each in found if isinstance(each, ReadGraph)]


def edges(graph: Graph) -> list[tuple[object, ...]]:
    return [(edge.source, edge.label, edge.target) for edge in graph.edges]


def test_a_document_of_lines() -> None:
    [graph] = graphs(CALL)
    assert graph.id == "p00/d0801"
    assert graph.text == "I call because cards lost"
    assert edges(graph) == [
        ("b0", "member", "s0"),
        ("s0", "EQU", "c0"),
        ("b0", "member", "s1"),
        ("s1", "Agent", "s0"),
        ("b0", "EXPLANATION", "b1"),
        ("b1", "member", "s2"),
        ("s2", "User", "c1"),
        ("s2", "Name", "c2"),
        ("b1", "member", "s3"),
        ("s3", "Theme", "s2"),
        ("s3", "PartOf", "c3"),
    ]
    labels = {node.id: node.label for node in graph.nodes}
    # An index that leads out of the document is a constant.
    assert (labels["c2"], labels["c3"]) == ("Big Tom", "+9")
    assert graph.nodes[1].anchors == (Anchor(0, 1),)
    assert [edge.normal for edge in graph.edges if edge.label == "PartOf"] == ["Part"]


def test_documents_of_a_line_each() -> None:
    first, second = graphs(LINES)
    assert (first.id, second.id) == ("p1/d1", "p1/d2")
    assert ("b0", "NEGATION", "b1") in edges(first)
    assert [node.label for node in first.nodes if str(node.id)[0] == "c"] == [
        "David Cameron",
        "197X",
    ]
    assert edges(second)[-1] == ("s1", "Agent", "s0")


def test_documents_between_blank_lines() -> None:
    found = graphs("%%% p1/d1\ndog.n.01\n\n\n%%% id = my 2\ncat.n.01 Time now\n")
    assert [graph.id for graph in found] == ["p1/d1", "my 2"]
    assert [len(graph.nodes) for graph in found] == [2, 3]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("dog.n.01 Name", "a.sbn:1: Name: found nothing after it"),
        ("p1,dog.n.01 Agent cat.n.01", "a.sbn:1: Agent: found nothing after it"),
        ("dog.n.01 -1", "a.sbn:1: -1: found '-1', expected a sense, a role"),
        ("Agent -1\ndog.n.01", "a.sbn:1: Agent: found no sense before it"),
        ("dog.n.01\nNEGATION -2", "a.sbn:2: NEGATION: found '-2', which is not a box"),
        ("dog.n.01\nNEGATION now", "a.sbn:2: NEGATION: found 'now', expected the box"),
    ],
)
def test_a_part_that_cannot_be_read_is_named_and_left_out(
    text: str, problem: str
) -> None:
    [record] = read(text)
    assert isinstance(record, ReadGraph)
    assert str(record.left_out[0]).startswith(problem)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('dog.n.01 Name "Tom', 'a.sbn:1: "Tom: found no end of it, expected a closing'),
        ("p1/d1,dog.n.01\np1/d2,\n", "a.sbn:2: p1/d2: found nothing after the id"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(text: str, problem: str) -> None:
    *_, record = read(text)
    assert not isinstance(record, ReadGraph)
    assert str(record.problems[0]).startswith(problem)


def test_a_graph_that_the_notation_cannot_say_is_refused() -> None:
    sense = Node("s0", "sense", (("lemma", "dog"), ("pos", "n"), ("sense", "01")))
    box, constant = Node("b0", "box"), Node("c0", "now")
    member = Edge("b0", "s0", "member")
    other = Node("c1", "now")
    shared = Edge("s0", "c0", "Time"), Edge("s0", "c0", "Start")
    apart = Edge("s0", "c0", "Time"), Edge("s0", "b0", "NEGATION")
    for nodes, links, message in (
        ((box, sense, constant), (member,), "'now' does not come back"),
        ((box, Node("s0", "sense", (("lemma", "a dog"),))), (member,), "found 'a'"),
        ((box, sense), (member, Edge("s0", "s0", "two words")), "found 'two'"),
        ((sense, box), (), "it does not come back"),
        (
            (box, sense, constant, other),
            (member, *shared),
            "one 'Start' comes back at other",
        ),
        ((box, sense, constant), (member, *apart), "cannot hold"),
    ):
        graph = Graph("1", "sbn", 2, nodes=nodes, edges=links, tops=("b0",))
        with pytest.raises(GraphscoreError, match=message):
            b"".join(write_graphs([graph], "sbn"))


def test_properties_of_ones_own_are_told() -> None:
    said = ("lemma", "dog"), ("pos", "n"), ("sense", "01")
    box, sense = Node("b0", "box", (("sure", True),)), Node("s0", "sense", said)
    member = Edge("b0", "s0", "member")
    graph = Graph("1", "sbn", 2, nodes=(box, sense), edges=(member,), tops=("b0",))
    assert lost_of("sbn", graph) == {"property sure"}


def test_an_id_behind_senses_begins_another_record() -> None:
    text = "%%% id = 7\ndog.n.01 % dog\n%%% id = 8\ncat.n.01 % cat\n\nhen.n.01 % hen\n"
    graphs = [record.graph for record in read(text) if isinstance(record, ReadGraph)]
    assert [graph.id for graph in graphs] == ["7", "8", ""]


@pytest.mark.parametrize("index", ["-5", "+1", "+17"])
def test_an_index_of_no_sense_is_a_constant_and_said(index: str) -> None:
    [record] = read(f"dog.n.01 % dog [0-3]\nbark.v.01 Agent {index} % barks [4-9]\n")
    assert isinstance(record, ReadGraph)
    [note] = record.notes
    assert str(note.problem) == (
        f"a.sbn:2: Agent {index}: found no sense there, expected an index from -1 to +0"
    )
    assert note.what == "an index of no sense, read as a constant"
    assert [node.label for node in record.graph.nodes][-1] == index
    # The text is known all the same.
    assert record.graph.text == "dog barks"
