"""CoNLL-2005: what is read, refused, and written."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graphscore.exceptions import GraphscoreError, InvalidGraphError
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.model.graph import Graph
from graphscore.structures.roles.reading import sentence_of
from tests.formats.reading import FormatReader

FORMAT = format_named("conll2005")

FULL = """\
The      -      (A0*   (A1*
dog      -      *)     *
barked   bark   (V*)   *
and      -      *      *
bit      bite   *      (V*)
me       -      *      (A2(C-A1*))

Yes      -

"""


def lines(drop: int | None = None, data: str = FULL) -> str:
    """The sample, without one of its columns."""
    found = []
    for line in data.split("\n"):
        cells = line.split()
        if cells and drop is not None:
            del cells[drop]
        found.append(" ".join(cells))
    return "\n".join(found)


NESTED = FULL.replace("(A1*\n", "(A1*)\n", 1)
WORDS = "The\ndog\nbarked\nand\nbit\nme\n\nYes\n\n"
PROPS = lines(0, NESTED)
UNTARGETED = lines(1, NESTED)


READER = FormatReader("conll2005", "a.props")
read, good, problems, written = (
    READER.read,
    READER.good,
    READER.problems,
    READER.written,
)


def roles(
    graph: Graph,
) -> list[tuple[str, tuple[int, ...], list[tuple[str, int, int]]]]:
    """Lemma, words and spans of every predicate."""
    return [
        (
            each.lemma,
            each.words,
            [(p.label, p.words[0], p.words[-1]) for p in each.pieces if p.words],
        )
        for each in sentence_of(graph).propositions
    ]


EXPECTED = [
    ("bark", (2,), [("A0", 0, 1), ("V", 2, 2)]),
    ("bite", (4,), [("A1", 0, 0), ("V", 4, 4), ("A2", 5, 5), ("C-A1", 5, 5)]),
]


# What is read.


def test_words_targets_and_brackets() -> None:
    one, two = good(NESTED)
    assert (one.text, two.text) == ("The dog barked and bit me", "Yes")
    assert roles(one) == EXPECTED
    assert [node.label for node in one.nodes if node.label] == ["bark", "bite"]
    assert two.nodes == ()


def test_without_words_every_word_is_an_underscore() -> None:
    one, two = good(PROPS)
    assert (one.text, two.text) == ("_ _ _ _ _ _", "_")
    assert roles(one) == EXPECTED


def test_without_targets_a_predicate_is_where_its_verb_is() -> None:
    one, two = good(UNTARGETED)
    assert (one.text, two.text) == ("The dog barked and bit me", "Yes")
    assert [(words, spans) for _, words, spans in roles(one)] == [
        each[1:] for each in EXPECTED
    ]
    assert {node.label for node in one.nodes} == {None}


def test_brackets_alone() -> None:
    data = "\n".join(lines(0, lines(0, NESTED)).split("\n")[:7])
    [graph] = good(data)
    assert [spans for _, _, spans in roles(graph)] == [each[2] for each in EXPECTED]


def test_labels_may_be_repeated_where_they_close() -> None:
    data = NESTED.replace("*)     *", "*A0)     *").replace("(V*)   *", "(V*V)   *")
    assert roles(good(data)[0]) == EXPECTED


def test_columns_between_words_and_targets_are_kept() -> None:
    data = NESTED.replace("      -  ", " NN   -  ").replace("bark ", "VB bark ")
    data = data.replace("bit      bite", "bit VB bite").replace(
        "Yes      -", "Yes UH -"
    )
    one, _ = good(data)
    assert roles(one) == EXPECTED
    assert written(one) in data


def test_a_lemma_with_a_dot_is_no_sense() -> None:
    [graph] = good("a.m. a.m. (V*)\nb - *\n")
    assert roles(graph)[0][0] == "a.m."


@pytest.mark.parametrize(
    ("props", "words"),
    [
        ("x.props", "x.words"),
        ("props/x.props.gz", "words/x.words.gz"),
        ("props/x.props", "words/x.words"),
    ],
)
def test_words_in_a_file_of_their_own(tmp_path: Path, props: str, words: str) -> None:
    for name, text in ((props, PROPS), (words, WORDS)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = list(read_file(str(tmp_path / props)))
    assert all(isinstance(record, ReadGraph) for record in found)
    assert [r.graph.text for r in found if isinstance(r, ReadGraph)] == [
        *("The dog barked and bit me", "Yes")
    ]
    assert FORMAT.beside is not None
    assert FORMAT.beside(str(tmp_path / props)) == [str(tmp_path / words)]


def test_other_words_than_lines_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.words").write_text(WORDS.replace("me\n", ""), encoding="utf-8")
    name = str(tmp_path / "x.props")
    assert FormatReader("conll2005", name).problems(PROPS) == [
        f"{name}:1: found 6 lines, expected 5, as there are so many words at "
        f"{tmp_path / 'x.words'}:1"
    ]
    (tmp_path / "x.words").write_text("The\n\n", encoding="utf-8")
    assert len(FormatReader("conll2005", name).problems(PROPS)) == 2
    (tmp_path / "x.words").write_text(WORDS + "No\n", encoding="utf-8")
    [found] = FormatReader("conll2005", name).problems(PROPS)
    assert "words of a further sentence" in found


# What is refused.


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("bark ", "- ", "a.props:1: found 1 target, expected 2, as there are so many"),
        (
            "*)     *",
            "*     *",
            "a.props:1:17: column 3: found an unmatched '(A0'",
        ),
        ("(V*)   *", "*)   *", "found an unmatched '*)'"),
        ("(V*)   *", "V*   *", "found 'V*', expected a star with brackets around it"),
        ("(V*)   *", "(V*A0)   *", "found '(V*A0)' that closes V, expected V) or )"),
        ("and ", "", "a.props:4: found 3 columns, expected 4 columns"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    found = problems(NESTED.replace(old, new, 1))
    assert expected in "\n".join(found)
    assert len(read(NESTED.replace(old, new, 1))) == 2


def test_a_predicate_without_a_place_is_named() -> None:
    [found] = problems(UNTARGETED.replace("(V*)", "(A3*)", 1))
    assert found == (
        "a.props:1:5: column 2: found no predicate, expected a span V, as there is "
        "no column of targets"
    )


# What is written.


def test_a_graph_of_ones_own_is_written() -> None:
    [one, _] = good(NESTED)
    bare = Graph("", "srl", 1, "", "", one.text, one.tokens, one.nodes, one.edges)
    data = written(bare)
    assert data.split("\n")[0].split() == ["The", "-", "(A0*", "(A1*)"]
    assert good(data)[0].digest() == one.digest()


def test_what_the_format_cannot_hold_is_an_error() -> None:
    with pytest.raises(GraphscoreError, match="framework 'dm'"):
        written(Graph("1", "dm"))
    with pytest.raises(InvalidGraphError, match="without words"):
        written(Graph("1", "srl", text="a"))


# Hostile input.

SAMPLE = (NESTED + NESTED).encode()
