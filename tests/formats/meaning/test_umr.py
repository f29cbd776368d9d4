"""UMR: layouts of its files, what is read of them, and what comes out again."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from msgspec import structs

from graphscore.exceptions import GraphscoreError
from graphscore.formats import write_graphs
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.registry import format_named, formats
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.documents import sentences_of, variable_of

NEWS = """\
################################################################################
# meta-info :: sent_id = news-1
# :: snt1
Index: 1    2       3   4     5
Words: Ann  watched the birds .
Sentence: Ann watched the birds.

# sentence level graph:
(s1w / watch-01
    :ARG0 (s1p / person
        :name (s1n / name :op1 "Ann"))
    :ARG1 (s1b / bird :refer-number plural)
    :aspect performance)

# alignment:
s1w: 2-2
s1p: 1-1
s1n: 0-0
s1b: 3-3,4-4

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1w))
    :modal ((root :modal author)
            (author :full-affirmative s1w)))


################################################################################
# :: snt2\tThey flew at 9:30 .

# sentence level graph:
(s2f / fly-01
\t:ARG0 (s2t / they)
\t:ARG1-of (s2c / cause-01 :ARG0 s1w)
\t:time 9:30)

# alignment:
s2f:2-2   # flew
s2t: 1-1
s2c: -1--1
s9x: 7-9

# document level annotation:
# nobody knows when
(s2s0/ sentence
    :temporal((s1w :before s2f))   # seen first
    :coref ((s1b :same-entity s2t) the birds
            (s1w :subset-of  s7z)))
"""

PLAIN = """\
# :: snt1  Dogs bark .

# sentence level graph:
(s1b / bark-01 :ARG0 (s1d / dog))

# alignment:
s1b: 2-2

# document level annotation:



# :: snt2
# sentence level graph:

# alignment:
# document level annotation:
(s2s0 / sentence :modal ((author :full-affirmative s1b)))
"""


def read(text: str) -> list[Record]:
    return list(format_named("umr").read(io.BytesIO(text.encode()), "a.umr"))


def graphs(text: str) -> list[Graph]:
    found = read(text)
    assert all(isinstance(each, ReadGraph) and not each.left_out for each in found), (
        found
    )
    return [each.graph for each in found if isinstance(each, ReadGraph)]


def triples(document: Graph) -> list[list[tuple[str, str, str, str]]]:
    names = [variable_of(node) for node in document.nodes]
    return [
        [
            (each.level, names[each.head], each.relation, names[each.tail])
            for each in sentence.triples
        ]
        for sentence in sentences_of(document)
    ]


def test_sentences_and_their_document() -> None:
    one, two, document = graphs(NEWS)
    assert [each.framework for each in (one, two, document)] == ["umr", "umr", "umrdoc"]
    assert one.text == "Ann watched the birds ."
    assert [node.anchors for node in one.nodes] == [
        (Anchor(4, 11),), (Anchor(0, 3),), (), (Anchor(12, 15), Anchor(16, 21)),
    ]  # fmt: skip
    assert two.text == "They flew at 9:30 ."
    fly, _, cause = two.nodes
    assert fly.properties == (("time", "9:30"),)
    # A variable of another sentence is no node of this one.
    assert cause.properties == (("ARG0", "s1w"),)
    assert two.extra["alignment"] == ["s9x: 7-9"]
    assert document.text == f"{one.text}\n{two.text}"
    assert triples(document) == [
        [
            ("temporal", "document-creation-time", "before", "s1w"),
            ("modal", "root", "modal", "author"),
            ("modal", "author", "full-affirmative", "s1w"),
        ],
        [
            ("temporal", "s1w", "before", "s2f"),
            ("coref", "s1b", "same-entity", "s2t"),
            ("coref", "s1w", "subset-of", "s7z"),
        ],
    ]
    flew = next(node for node in document.nodes if node.id == "s2f")
    assert [document.text[a:b] for a, b in flew.anchors] == ["flew"]
    assert document.tops == ("s1w", "s2f")
    notes = [dict(edge.extra).get("note") for edge in document.edges]
    assert list(filter(None, notes)) == ["seen first", "the birds"]


def test_empty_parts() -> None:
    one, two, document = graphs(PLAIN)
    assert one.text == "Dogs bark ."
    assert not two.nodes
    assert triples(document) == [[], [("modal", "author", "full-affirmative", "s1b")]]


@pytest.mark.parametrize("text", [NEWS, PLAIN, NEWS.replace("\n", "\r\n")])
def test_what_is_written_is_read_again(text: str) -> None:
    given = graphs(text)
    write = formats()["umr"].write
    assert write is not None
    again = graphs(b"".join(write(given)).decode())
    assert [each.digest() for each in again] == [each.digest() for each in given]
    # A document says all there is of its sentences.
    assert b"".join(write(given[-1:])) == b"".join(write(given))


def test_documents_put_into_one_file_keep_their_variables() -> None:
    *_, document = graphs(PLAIN + "\n\n" + PLAIN)
    ends = [(edge.source, edge.target) for edge in document.edges if edge.attributes]
    assert ends == [("author", "s1b"), ("author", "s1b/2")]
    again = graphs("".join(b.decode() for b in write_graphs([document], "umr")))[-1]
    assert again.digest() == document.digest()


def test_documents_of_their_own() -> None:
    text = "# newdoc id = a\n" + PLAIN + "\n\n# newdoc id = b\n" + PLAIN
    given = graphs(text)
    named = [(each.id, each.document) for each in given if each.framework == "umrdoc"]
    assert named == [("a", "a"), ("b", "b")]
    again = graphs("".join(piece.decode() for piece in write_graphs(given, "umr")))
    assert [each.digest() for each in again] == [each.digest() for each in given]


def test_graphs_from_elsewhere_get_variables() -> None:
    nodes = Node(0, "bark-01", (), (Anchor(5, 9),)), Node(1, "dog")
    tokens = Anchor(0, 4), Anchor(5, 9)
    graph = Graph(
        "", "umr", 1, text="Dogs bark", tokens=tokens, nodes=nodes,
        edges=(Edge(0, 1, "ARG0"),), tops=(0,),
    )  # fmt: skip
    [again, _] = graphs("".join(b.decode() for b in write_graphs([graph], "umr")))
    assert [node.id for node in again.nodes] == ["s1b", "s1d"]
    assert again.digest() == graph.digest()


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (NEWS.replace("(s1p / person", "(s1p / / person"), 10, "'/'"),
        (NEWS.replace("performance)", "performance :x ("), 9, "is not closed"),
    ],
)
def test_a_bad_sentence_costs_itself(text: str, line: int, found: str) -> None:
    bad, good, document = read(text)
    assert not isinstance(bad, ReadGraph)
    assert (bad.problems[0].line, bad.framework) == (line, "umr")
    assert found in bad.problems[0].found
    assert isinstance(good, ReadGraph)
    assert isinstance(document, ReadGraph)
    assert [len(each.nodes) for each in sentences_of(document.graph)] == [0, 3]


def test_what_is_no_triple_is_left_out_and_said() -> None:
    *_, document = read(NEWS.replace("(s1b :same-entity s2t)", "(s1b :same-entity)"))
    assert isinstance(document, ReadGraph)
    [problem] = document.left_out
    assert str(problem) == (
        "a.umr:47: document level annotation: found 's1b :same-entity', expected "
        "head, relation and tail, as in (a :before b)"
    )


def test_a_document_after_some_of_its_sentences_is_refused() -> None:
    one, _, document = graphs(NEWS)
    with pytest.raises(GraphscoreError, match="a document of 2 sentences after 1"):
        list(write_graphs([one, document], "umr"))


def with_label(graph: Graph, place: int, label: str) -> Graph:
    """A graph with another label at one of its nodes."""
    nodes = [*graph.nodes]
    nodes[place] = structs.replace(nodes[place], label=label)
    return structs.replace(graph, nodes=(*nodes,))


def with_relation(graph: Graph, relation: str) -> Graph:
    """A document with another relation at its last triple."""
    last = structs.replace(graph.edges[-1], label=relation)
    return structs.replace(graph, edges=(*graph.edges[:-1], last))


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (0, lambda g: structs.replace(g, text="a\nb", tokens=()), "cannot hold"),
        (2, lambda g: with_label(g, 0, "an author"), "'an author :before s1w'"),
        (2, lambda g: with_relation(g, "not before"), ":not before"),
    ],
)
def test_what_the_lines_cannot_say_is_refused(
    number: int, change: Callable[[Graph], Graph], message: str
) -> None:
    with pytest.raises(GraphscoreError, match=message):
        list(write_graphs([change(graphs(NEWS)[number])], "umr"))


LEVELS = {
    "(s1a :before s1b)\n            (s1b :before s1c)": [],
    "(s1a :before s1b)  # then\n            (s1b :before s1c)": ["s1a", "s1b"],
    "(s1a :before s1b) then\n            (s1b :before s1c)": ["s1a", "s1b"],
    "(s1a :before s1b)  # (then)\n            (s1b :before s1c)": [],
    "(s1a :before s1b\n            (s1b :before s1c))": ["s1a", "s1b"],
    "(s1a :before s1b )\n            (s1b :before s1c)": ["s1a"],
    "( s1a :before s1b)\n            (s1b :before s1c)": ["s1a"],
    "(s1a :before\n            s1b)\n            (s1b :before s1c)": ["s1a", "s1b"],
    "\n            (s1a :before s1b)\n            (s1b :before s1c)": [],
}
"""Triples of one level, and the heads of those that AnCast++ does not read."""


@pytest.mark.parametrize("written", LEVELS)
def test_triples_beside_anything_else_are_irregular(written: str) -> None:
    text = f"""# :: snt1 a b c

# sentence level graph:
(s1a / and :op1 (s1b / b-01) :op2 (s1c / c-01))

# alignment:

# document level annotation:
(s1s0 / sentence
    :temporal ({written})
    :coref ((s1a :same-entity s1b)))
"""
    records = list(format_named("umr").read(io.BytesIO(text.encode()), "a.umr"))
    assert isinstance(records[-1], ReadGraph)
    [sentence] = sentences_of(records[-1].graph)
    names = [variable_of(node) for node in records[-1].graph.nodes]
    assert len(sentence.triples) == 3
    irregular = [triple for triple in sentence.triples if not triple.plain]
    assert [names[triple.head] for triple in irregular] == LEVELS[written]


def test_only_the_first_readable_part_of_a_level_is_regular() -> None:
    text = """# :: snt1 a b

# sentence level graph:
(s1a / and :op1 (s1b / b-01))

# document level annotation:
(s1s0 / sentence
    :coref ((s1a :same-entity s1b))
    :coref ((s1b :same-entity s1a)))
"""
    *_, record = format_named("umr").read(io.BytesIO(text.encode()), "a.umr")
    assert isinstance(record, ReadGraph)
    [sentence] = sentences_of(record.graph)
    assert [triple.plain for triple in sentence.triples] == [True, False]
