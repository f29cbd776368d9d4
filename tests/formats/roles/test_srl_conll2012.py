"""The predicate-argument columns of CoNLL-2012."""

from __future__ import annotations

import pytest

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Edge, Graph
from graphscore.structures.roles.reading import sentence_of
from tests.formats.reading import FormatReader

FORMAT = format_named("conll2012")

BEGIN, END = "#begin document (nw/a_01); part 002", "#end document"


def row(number: int, word: str, lemma: str, frameset: str, *cells: str) -> str:
    before = ["nw/a_01", "2", str(number), word, "NN", "(S*", lemma, frameset]
    return "   ".join([*before, "-", "-", "*", *cells])


SAMPLE = "\n".join(
    [
        BEGIN,
        row(0, "Jo", "-", "-", "(ARG0*)", "(ARG1*)", "(1)"),
        row(1, "wants", "want", "01", "(V*)", "*", "-"),
        row(2, "to", "-", "-", "(ARG1*", "*", "-"),
        row(3, "go", "go", "-", "*)", "(V*)", "-"),
        "",
        row(0, "Yes", "-", "-", "-"),
        "",
        END,
        "",
    ]
)


read = FormatReader(FORMAT, "a.conll").read


def graphs(data: str | bytes) -> list[Graph]:
    return [record.graph for record in read(data) if isinstance(record, ReadGraph)]


def problems(data: str) -> list[str]:
    return [
        str(problem)
        for record in read(data)
        if isinstance(record, Rejected)
        for problem in record.problems
    ]


def test_every_sentence_has_its_roles_beside_the_coreference() -> None:
    coref, one, two = graphs(SAMPLE)
    assert (coref.framework, coref.id) == ("coref", "nw/a_01/2")
    assert [(each.framework, each.id, each.document) for each in (one, two)] == [
        ("srl", "nw/a_01/2.1", "nw/a_01"),
        ("srl", "nw/a_01/2.2", "nw/a_01"),
    ]
    assert (one.text, two.text) == ("Jo wants to go", "Yes")
    want, go = sentence_of(one).propositions
    assert (want.label, want.words, go.label, go.words) == (
        *("want.01", (1,), "go", (3,)),
    )
    assert [(piece.label, piece.words) for piece in want.pieces] == [
        *(("ARG0", (0,)), ("V", (1,)), ("ARG1", (2, 3))),
    ]
    assert two.nodes == ()


def test_a_table_of_coreference_alone_has_no_roles() -> None:
    for data in (SAMPLE.replace("(S*", "-"), f"{BEGIN}\na (1)\n{END}\n"):
        assert [graph.framework for graph in graphs(data)] == ["coref"]


def test_a_column_of_stars_says_nothing() -> None:
    data = SAMPLE.replace(
        row(0, "Yes", "-", "-", "-"), row(0, "Yes", "-", "-", "*", "-")
    )
    assert graphs(data)[2].nodes == ()


def test_without_a_verb_the_next_frameset_is_the_predicate() -> None:
    one = graphs(SAMPLE.replace("(V*)   *   -", "*   *   -"))[1]
    assert sentence_of(one).propositions[0].words == (1,)


def test_broken_columns_cost_their_sentence_only() -> None:
    data = SAMPLE.replace("(ARG1*   *   -", "(ARG1*)   *   -")
    records = read(data)
    assert [isinstance(record, ReadGraph) for record in records] == [True, False, True]
    assert problems(data) == [
        "a.conll:5: column 12: found an unmatched '*)', expected an opening "
        "bracket before it"
    ]
    [rejected] = [record for record in records if isinstance(record, Rejected)]
    assert (rejected.framework, rejected.item, rejected.line) == (
        *("srl", "nw/a_01/2.1", 2),
    )


def test_a_predicate_without_a_place_is_named() -> None:
    data = SAMPLE.replace("(V*)   -", "(X*)   -")
    assert problems(data) == [
        "a.conll:2: column 13: found no predicate, expected a span V, or a frameset "
        "for each column"
    ]


def test_broken_coreference_does_not_cost_roles() -> None:
    records = read(SAMPLE.replace("(1)", "(1"))
    assert [isinstance(record, ReadGraph) for record in records] == [False, True, True]


def test_roles_are_written_with_their_document() -> None:
    assert FORMAT.write is not None
    found = graphs(SAMPLE)
    assert b"".join(FORMAT.write(found)).decode() == SAMPLE
    assert b"".join(FORMAT.write(found[:1])).decode() == SAMPLE


def test_other_roles_are_an_error() -> None:
    assert FORMAT.write is not None
    coref, one, _ = graphs(SAMPLE)
    edges = tuple(Edge(each.source, each.target, "X") for each in one.edges)
    changed = Graph(
        *(one.id, "srl", 1, "", one.document, one.text, one.tokens, one.nodes, edges)
    )
    for several in ([coref, changed], [one]):
        with pytest.raises(GraphscoreError, match="the layers of its document"):
            list(FORMAT.write(several))
