"""CoNLL-U with columns of semantic roles: what is read, refused, and written."""

from __future__ import annotations

import io

import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import derived_span
from tests.formats.reading import FormatReader

FORMAT = format_named("conllu-srl")

WINDOW = """\
# newdoc id = d1
# before
# text = Derick broke the window, with a hammer.
# sent_id = a/b c-7
# after
1\tDerick\tDerick\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\tA0
2\tbroke\tbreak\tVERB\tVBD\t_\t0\troot\tY\tbreak.01\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_\t_
4\twindow\twindow\tNOUN\tNN\t_\t2\tobj\t_\t_\tA1
5\t,\t,\tPUNCT\t,\t_\t8\tpunct\t_\t_\t_
6\twith\twith\tADP\tIN\t_\t8\tcase\t_\t_\t_
7\ta\ta\tDET\tDT\t_\t8\tdet\t_\t_\t_
8\thammer\thammer\tNOUN\tNN\t_\t2\tobl\t_\t_\tA2
9\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\t_

"""

TOKENS = """\
# sent_id = 2
1\tVa\tir\tVERB\t_\t_\t0\troot\t_\t_\tY\tgo.01\t_\t_
2-3\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\t_\t_\t_\t_
2\tde\tde\tADP\t_\t_\t4\tcase\t_\t_\t_\t_\t_\t_
3\tel\tel\tDET\t_\t_\t4\tdet\t_\t_\t_\t_\t_\t_
3.1\t_\t_\tPRON\t_\t_\t_\t_\t4:nsubj\t_\t_\t_\tA0\t_
4\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\t_\tY\tsea.02\tA4|AM-LOC\t_

"""


_reading = FormatReader(FORMAT, "a.conllu")
read = _reading.read
problems = _reading.problems
good = _reading.good


WRITER = FormatReader("conllu-srl", "a")
written = WRITER.written


# What is read.


def test_a_sentence_is_a_graph_with_its_words_first() -> None:
    [graph] = good(WINDOW)
    assert (graph.id, graph.document, graph.framework) == ("a/b c-7", "d1", "srl")
    assert graph.text == "Derick broke the window, with a hammer."
    assert [node.label for node in graph.nodes[:9]] == [
        *("Derick", "broke", "the", "window", ",", "with", "a", "hammer", ".")
    ]
    assert graph.nodes[0].properties == (
        *(("kind", "token"), ("head", 2), ("deprel", "nsubj")),
    )
    predicate = graph.nodes[9]
    assert predicate.label == "break.01"
    assert predicate.anchors == (Anchor(7, 12),)
    assert predicate.properties == (("kind", "predicate"), ("token", 2))
    assert [(edge.source, edge.label) for edge in graph.edges] == [
        *(("p1", "A0"), ("p1", "A1"), ("p1", "A2"))
    ]


def test_comments_may_stand_before_and_after_the_text() -> None:
    [graph] = good(WINDOW)
    assert graph.id == "a/b c-7"
    moved = WINDOW.replace("# before\n", "").replace("# after\n", "# x = y\n# z\n")
    assert good(moved)[0].nodes == graph.nodes


def test_spans_are_derived_from_heads() -> None:
    [graph] = good(WINDOW)
    sentence = sentence_of(graph)
    [proposition] = sentence.propositions
    spans = [
        " ".join(sentence.tree[k].form for k in derived_span(sentence, 1, piece.head))
        for piece in proposition.pieces
        if piece.head is not None
    ]
    assert spans == ["Derick", "the window", "with a hammer"]


def test_ten_columns_before_the_flag_and_multiword_and_empty_tokens() -> None:
    [graph] = good(TOKENS)
    assert graph.text == "Va delmar"
    words = [node for node in graph.nodes if node.properties[0] == ("kind", "token")]
    assert [(node.id, node.anchors) for node in words] == [
        (1, (Anchor(0, 2),)),
        (2, (Anchor(3, 6),)),
        (3, (Anchor(3, 6),)),
        ("3.1", ()),
        (4, (Anchor(6, 9),)),
    ]
    assert words[3].properties == (("kind", "token"), ("empty", True))
    sentence = sentence_of(graph)
    go, sea = sentence.propositions
    assert (go.words, sea.words, sentence.size) == ((0,), (3,), 4)
    assert [(piece.label, piece.head) for piece in go.pieces] == [
        *(("A0", 4), ("A4", 3), ("AM-LOC", 3))
    ]


def test_words_that_share_their_characters_stay_apart() -> None:
    row = "2\tde\tde\tADP\t_\t_\t4\tcase" + 6 * "\t_"
    changed = row.removesuffix("_\t_") + "A1\t_"
    [graph] = good(TOKENS.replace("A4|AM-LOC\t_", "_\t_").replace(row, changed))
    [go, _] = sentence_of(graph).propositions
    assert [piece.head for piece in go.pieces] == [1, 4]


def test_empty_nodes_have_numbers_of_their_own() -> None:
    empty = "3.1\t_\t_\tPRON\t_\t_\t_\t_\t4:nsubj\t_\t_\t_\tA0\t_\n"
    [graph] = good(TOKENS.replace(empty, empty + empty.replace("3.1", "3.2")))
    heads = [dict(node.properties).get("token") for node in graph.nodes]
    assert [number for number in heads if number in (5, 6)] == [5, 6]


def test_a_document_without_a_name_ends_the_one_before() -> None:
    named = "# newdoc id = x\n" + WINDOW
    first, second = good(named + "# newdoc\n" + TOKENS)
    assert (first.document, second.document) == ("x", "")


def test_a_sentence_without_predicates_is_one_too() -> None:
    plain = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    [before, graph, after] = good(TOKENS + plain + TOKENS)
    assert graph.edges == ()
    assert len(graph.nodes) == 1
    assert before.nodes == after.nodes
    with_deps = plain.replace("root\t_\t_", "root\t0:root\tSpaceAfter=No")
    assert len(good(TOKENS + with_deps)) == 2


def test_a_predicate_without_a_sense_has_no_label() -> None:
    [graph] = good(WINDOW.replace("break.01", "_"))
    assert graph.nodes[9].label is None


def test_it_is_recognised() -> None:
    plain = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    deps = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t0:root\t_\tY\tgo.01\tA1\n\n"
    for data in (WINDOW, TOKENS, plain + WINDOW, "\ufeff" + WINDOW, deps):
        stream = io.BufferedReader(io.BytesIO(data.encode()))
        assert detect(stream, "a.conllu").name == "conllu-srl"
    stream = io.BufferedReader(io.BytesIO(plain.encode()))
    assert detect(stream, "a.conllu").name == "conllu"


ENGLISH = """\
# sent_id = 1
1\t***\t***\tPUNCT\t_\t_\t0\troot\t0:root\t_\t_\t

# sent_id = 2
1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\t_\t_\tARG0
2\tbark\tbark\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No\tbark.01\tV
2.1\tleft\tleave\tVERB\t_\t_\t_\t_\t2:conj\tCopyOf=2\t
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_\t_\t_

# sent_id = 3
1\tNo\tno\tDET\t_\t_\t2\tdet\t2:det\t_=\t\t
2\tway\tway\tNOUN\t_\t_\t0\troot\t0:root\t_=\t\t

"""
"""As the English part of Universal PropBank 1.0 has it."""

FRENCH = """\
# sentence-text: Va du Sujet
1\tVa\taller\tVERB\tVERB\t_\t0\troot\tY\tgo.01\t_
2-3\tdu\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_
2\tde\tde\tADP\tADP\t_\t4\tcase\t_\t_\t_
3\tle\tle\tDET\tDET\t_\t4\tdet\t_\t_\t_
4\tSujet\tsujet\tNOUN\tNOUN\t_\t1\tobl\t_\t_\tA1

"""
"""As other parts have it: a range with more columns than the words."""


def test_sentences_without_predicates_may_end_their_lines_in_tabs() -> None:
    one, two, three = good(ENGLISH)
    assert [(len(each.tokens), len(each.edges)) for each in (one, two, three)] == [
        *((1, 0), (3, 2), (2, 0))
    ]
    assert [edge.label for edge in two.edges] == ["ARG0", "V"]
    assert written(one, two, three) == ENGLISH
    stream = io.BufferedReader(io.BytesIO(ENGLISH.encode()))
    assert detect(stream, "a.conllu").name == "conllu-srl"


@pytest.mark.parametrize("spurious", ["", "\t_\t_", "\t", "\t_\t\t_"])
def test_ranges_of_words_do_not_say_how_many_columns_there_are(spurious: str) -> None:
    row = "2-3\tdu" + 9 * "\t_"
    data = FRENCH.replace(row + "\t_\t_", row + spurious)
    [graph] = good(data)
    assert (graph.text, len(graph.tokens)) == ("Va du Sujet", 4)
    assert [(edge.source, edge.label) for edge in graph.edges] == [("p1", "A1")]
    assert written(graph) == data
    # Where it is written anew all lines have as many.
    [edge] = graph.edges
    moved = Edge(edge.source, edge.target, "A0")
    changed = Graph(
        *(graph.id, "srl", 1, "", "", graph.text, graph.tokens, graph.nodes),
        *((moved,), (), graph.extra),
    )
    again = written(changed)
    assert again == FRENCH.replace(row + "\t_\t_", row).replace("A1", "A0")


def test_a_tab_at_the_end_of_a_line_is_no_column() -> None:
    assert good(FRENCH.replace("\tY\tgo.01\t_\n", "\tY\tgo.01\t_\t\n"))
    [graph] = good("".join(f"{line}\t\n" if "\t" in line else f"{line}\n"
                           for line in FRENCH.splitlines()))  # fmt: skip
    assert [(edge.source, edge.label) for edge in graph.edges] == [("p1", "A1")]


# What is refused.


def test_spurious_that_says_something_is_refused() -> None:
    row = "2-3\tdu" + 9 * "\t_"
    [found] = problems(FRENCH.replace(row + "\t_\t_", row + "\t_\tA1"))
    assert found == (
        "a.conllu:3: found 13 columns, expected 11 columns, as in the first word of "
        "the sentence"
    )
    found = problems(FRENCH.replace("\t_\t_\tA1", "\t_\t_\tA1\tA0"))[0]
    assert found.startswith("a.conllu:6: found 12 columns, expected 11 columns")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Y\tbreak.01", "_\t_",
         "a.conllu:6: found 0 words with the flag Y, expected 1, as there are 11 "
         "columns"),
        ("_\t_\tA1", "Y\twindow.01\tA1",
         "a.conllu:6: found 2 words with the flag Y, expected 1, as there are 11 "
         "columns"),
        ("_\t_\tA1", "_\t_",
         "a.conllu:9: found 10 columns, expected 11 columns, as in the first line "
         "of the sentence"),
        ("A1\n", "A1|\n",
         "a.conllu:9:37: ARG1: found 'A1|', expected labels with | between"),
        ("\t8\tcase", "\t12\tcase",
         "a.conllu:11:22: HEAD: found '12', expected 0 or the id of a word"),
        ("\t8\tcase", "\tx\tcase",
         "a.conllu:11:22: HEAD: found 'x', expected 0 or the id of a word"),
        ("\n4\t", "\n5\t", "a.conllu:9:1: ID: found '5', expected the id 4"),
        ("\nthe", "\n", ""),
        ("A0\n", "\n",
         "a.conllu:6:41: ARG1: found nothing, expected a value, or _ for none"),
        ("\n3\tthe", "\n# here\n3\tthe",
         "a.conllu:8: found a comment between words, expected comments before the "
         "words"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    found = problems(WINDOW.replace(old, new, 1))
    if expected:
        assert expected in found
    else:
        assert found == []


def test_roles_of_a_multiword_token_are_refused() -> None:
    row = "2-3\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\t_\t_\t_\t_"
    [found] = problems(TOKENS.replace(row, row[:-3] + "A1\t_"))
    assert found == (
        "a.conllu:3:41: ARG1: found 'A1', expected _, as roles belong to the words "
        "of a multiword token"
    )


# What is written.


def test_a_changed_graph_keeps_the_other_columns() -> None:
    [graph] = good(TOKENS)
    edges = [Edge(e.source, e.target, "A2") if e.label == "A0" else e
             for e in graph.edges]  # fmt: skip
    changed = Graph(
        *(graph.id, "srl", 1, "", graph.document, graph.text, graph.tokens),
        *(graph.nodes, tuple(edges), (), graph.extra),
    )
    again = written(changed)
    assert again == TOKENS.replace("\tA0\t", "\tA2\t")


def test_a_graph_of_ones_own_is_written() -> None:
    [graph] = good(WINDOW)
    bare = Graph(
        *(graph.id, "srl", 1, "", "", graph.text, graph.tokens, graph.nodes),
        *(graph.edges, ()),
    )
    [again] = good(written(bare))
    assert again.digest() == graph.digest()


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        (Graph("1", "srl", text="a b"), "a sentence without a tree"),
        (
            Graph("1", "srl", text="a",
                  nodes=(Node(1, "a", (("kind", "token"),), (Anchor(0, 1),)),
                         Node("p", "a.1", (("kind", "predicate"), ("token", 1))),
                         Node("q", "a.2", (("kind", "predicate"), ("token", 1))))),
            "the label of a node: 'a.1' comes back as 'a.2'",
        ),
        (
            Graph("1", "srl", text="a",
                  nodes=(Node(1, "a", (("kind", "token"),), (Anchor(0, 1),)),
                         Node("p", "a\t1", (("kind", "predicate"), ("token", 1))))),
            "conllu-srl cannot hold",
        ),
    ],
)  # fmt: skip
def test_what_the_format_cannot_hold_is_an_error(graph: Graph, found: str) -> None:
    with pytest.raises(GraphscoreError, match=found):
        written(graph)


# Hostile input.
