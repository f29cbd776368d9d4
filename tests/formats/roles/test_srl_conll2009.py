"""CoNLL-2009: what is read, refused, and written."""

from __future__ import annotations

import pytest

from graphscore.exceptions import GraphscoreError, InvalidGraphError
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph
from graphscore.structures.roles.reading import sentence_of
from tests.formats.reading import FormatReader

FORMAT = format_named("conll2009")


def row(number: int, form: str, *more: str) -> str:
    """A word: HEAD, PHEAD, DEPREL, PDEPREL, FILLPRED, PRED, and roles."""
    return "\t".join([str(number), form, "l", "pl", "P", "PP", "f", "pf", *more])


SAMPLE = "\n".join(
    [
        row(1, "Dogs", "2", "3", "SBJ", "OBJ", "_", "_", "A0|A1", "_"),
        row(2, "bark", "0", "0", "ROOT", "ROOT", "Y", "bark.01", "_", "-"),
        row(3, "loud", "2", "_", "ADV", "_", "_", "loud.02", "AM-MNR", "A1"),
        "\n",
    ]
)


_reading = FormatReader(FORMAT, "a.conll09")
read = _reading.read
problems = _reading.problems
good = _reading.good


WRITER = FormatReader("conll2009", "a")
written = WRITER.written


def test_words_predicates_and_arguments() -> None:
    [graph] = good(SAMPLE)
    assert graph.text == "Dogs bark loud"
    assert graph.tokens == (Anchor(0, 4), Anchor(5, 9), Anchor(10, 14))
    assert graph.nodes[0].properties == (
        *(("kind", "token"), ("head", 2), ("deprel", "SBJ")),
        *(("phead", 3), ("pdeprel", "OBJ")),
    )
    assert [
        (node.id, node.label) for node in graph.nodes if isinstance(node.id, str)
    ] == [
        *(("p1", "bark.01"), ("p1.1", None), ("p1.2", None), ("p1.3", None)),
        *(("p2", "loud.02"), ("p2.1", None)),
    ]
    assert [(e.source, e.label) for e in graph.edges] == [
        *(("p1", "A0"), ("p1", "A1"), ("p1", "AM-MNR"), ("p2", "A1")),
    ]


def test_pred_marks_predicates_whatever_fillpred_says() -> None:
    [sentence] = map(sentence_of, good(SAMPLE))
    assert [each.words for each in sentence.propositions] == [(1,), (2,)]
    blind = row(1, "Go", "0", "0", "_", "_", "Y", "_") + "\n"
    assert sentence_of(good(blind)[0]).propositions == ()


def test_blanks_between_columns_will_do() -> None:
    assert good(SAMPLE.replace("\t", "  "))[0].nodes == good(SAMPLE)[0].nodes


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("\tbark.01", "\t_", "found 1 predicates, expected 2, as there are 16 columns"),
        ("\nloud", "\n", ""),
        ("2\tbark", "3\tbark", "a.conll09:2:1: ID: found '3', expected 2"),
        (
            "\t2\t3\tSBJ",
            "\t9\t3\tSBJ",
            "HEAD: found '9', expected 0 or the id of a word",
        ),
        ("A0|A1", "A0||A1", "APRED1: found 'A0||A1', expected labels with | between"),
        ("\tA1\n", "\n", "found 15 columns, expected 16 columns, as in the first line"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    found = problems(SAMPLE.replace(old, new, 1))
    assert (expected in "\n".join(found)) if expected else not found


def test_comments_are_no_words() -> None:
    [graph], [plain] = good("# a comment\n" + SAMPLE), good(SAMPLE)
    assert graph.nodes == plain.nodes
    assert problems("# nothing else\n") == [
        "a.conll09:1: found comments without words, expected words after comments"
    ]


def test_a_word_has_a_form() -> None:
    assert problems(SAMPLE.replace("\tbark\t", "\t\t", 1)) == [
        "a.conll09:2:3: FORM: found nothing, expected a word"
    ]


def test_too_few_columns_are_named() -> None:
    assert problems("1 a b c\n") == [
        "a.conll09:1: found 4 columns, expected 14 columns and one for each predicate"
    ]


def test_a_changed_graph_keeps_the_other_columns() -> None:
    [graph] = good(SAMPLE)
    edges = tuple(
        Edge(e.source, e.target, "A2") if e.label == "A0" else e for e in graph.edges
    )
    changed = Graph(
        *("", "srl", 1, "", "", graph.text, graph.tokens, graph.nodes, edges),
        *((), graph.extra),
    )
    again = written(changed)
    assert "A2|A1" in again
    assert again.count("\tpl\tP\tPP\tf\tpf\t") == 3
    bare = Graph("", "srl", 1, "", "", graph.text, graph.tokens, graph.nodes, edges)
    assert good(written(bare))[0].digest() == changed.digest()


def test_what_the_format_cannot_hold_is_an_error() -> None:
    with pytest.raises(GraphscoreError, match="framework 'dm'"):
        written(Graph("1", "dm"))
    with pytest.raises(InvalidGraphError, match="without a tree"):
        written(Graph("1", "srl", text="a"))


def test_what_is_wrong_between_blanks_is_on_its_line() -> None:
    cells = "1 Dogs dog dog N N _ _ x 1 SBJ SBJ _ _"
    assert [str(each) for each in problems(cells)] == [
        "a.conll09:1: HEAD: found 'x', expected 0 or the id of a word"
    ]
