"""CoNLL-AIDA: tokens, and the entities of mentions."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.formats import ReadGraph, read_file
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.entities.authority import entries_of
from tests.conftest import DATA
from tests.formats.reading import FormatReader, lost_of

LINKED = DATA / "ie" / "linked.tsv"


_reading = FormatReader(format_named("aida"), "a.tsv")
read = _reading.read
good = _reading.good
problems = _reading.problems


READER = FormatReader("aida", "a")
written = READER.written


def said(graph: Graph) -> list[tuple[Any, ...]]:
    return [
        (graph.text[node.anchors[0].start : node.anchors[0].end], *entries_of(node))
        for node in graph.nodes
    ]


def test_the_sample() -> None:
    records = list(read_file(LINKED))
    graphs = [record.graph for record in records]
    assert [each.document for each in graphs] == ["1", "1", "2"]
    assert said(graphs[0]) == [
        ("Ada Lovelace", "Ada_Lovelace"),
        ("Acme Engines",),
        ("London", "London"),
    ]
    ada, acme, london = graphs[0].nodes
    assert ada.label is None
    assert ("authority", "NIL") in acme.properties
    assert london.extra == (
        ("wikipedia", "http://en.wikipedia.org/wiki/London"),
        ("page", "17867"),
        ("freebase", "/m/04jpl"),
    )
    assert ada.extra == (
        ("wikipedia", "http://en.wikipedia.org/wiki/Ada_Lovelace"),
        ("page", "974"),
    )
    assert said(graphs[1]) == []
    assert len(graphs[2].tokens) == 5


def test_the_content_tells_the_format() -> None:
    with io.BufferedReader(io.BytesIO(LINKED.read_bytes())) as stream:  # type: ignore[arg-type]
        assert detect(stream, "x.tsv").name == "aida"
    news = (DATA / "ie" / "news.iob2").read_bytes()
    assert not fit_of(format_named("aida"), news)
    assert not fit_of(format_named("aida"), news.replace(b" ", b"\t"))
    assert not fit_of(format_named("aida"), b"EU\tB-ORG\ncalls\tO\n")
    assert not fit_of(format_named("aida"), b"EU\tB\tNNP\tORG\ncalls\n")
    assert not fit_of(format_named("aida"), b"words alone\n")


def test_a_mention_may_say_nothing_of_its_entity() -> None:
    [graph] = good("EU\tB\tEU\ncalls\tO\nBonn\tB\n")
    assert said(graph) == [("EU",), ("Bonn",)]
    assert all(name != "authority" for n in graph.nodes for name, _ in n.properties)
    assert written(graph) == "EU\tB\tEU\ncalls\nBonn\tB\tBonn\n\n"


def test_neighbours_are_two_mentions() -> None:
    [graph] = good("a\tB\ta\tA\nb\tB\tb c\tB\nc\tI\tb c\tB\n")
    assert said(graph) == [("a", "A"), ("b c", "B")]


def test_documents_and_sentences() -> None:
    data = "-DOCSTART- (947testa CRICKET)\na\n\nb\n-DOCSTART- (2)\nc\n\n-DOCSTART-\nd\n"
    graphs = good(data)
    assert [(each.text, each.document) for each in graphs] == [
        ("a", "947testa"),
        ("b", "947testa"),
        ("c", "2"),
        ("d", ""),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("EU\tX\tEU\tE", "a.tsv:3: found 'X' in column 2, expected B, I or O"),
        ("EU\t\tEU\tE", "a.tsv:3: found '' in column 2"),
        ("\tB\tEU\tE", "a.tsv:3: found an empty first column, expected a token"),
        ("EU\tB\tEU\tE\tu\t1\tf\tx", "a.tsv:3: found 8 columns, expected at most 7"),
        ("a\tB\ta b\tA\nb\tI\ta b\tB", "a.tsv:4: found the entity 'B', expected 'A'"),
        ("a\tB\ta b\tA\nb\tI\ta b", "a.tsv:4: found the entity of no column"),
    ],
)
def test_bad_sentences_are_refused_with_their_line(line: str, expected: str) -> None:
    data = f"one\n\n{line}\n\ntwo\n"
    assert expected in problems(data)[0]
    assert [isinstance(each, ReadGraph) for each in read(data)] == [True, False, True]


def test_all_problems_of_a_sentence_are_told() -> None:
    assert len(problems("a\tX\nb\tY\n\tB\n")) == 3


WORDS = st.lists(st.sampled_from(["a", "bc", "d'e", "é"]), min_size=1, max_size=6)


@given(WORDS, st.data())
def test_written_sentences_read_back(words: list[str], data: st.DataObject) -> None:
    lines = []
    place = 0
    while place < len(words):
        size = data.draw(st.integers(0, len(words) - place))
        entity = data.draw(st.sampled_from(["", "\tX", "\t--NME--", "\tY\thttp://y"]))
        mention = words[place : place + size]
        for k, word in enumerate(mention):
            lines.append(f"{word}\t{'BI'[k > 0]}\t{' '.join(mention)}{entity}")
        if not mention:
            lines.append(words[place])
        place += max(size, 1)
    text = "\n".join([*lines, "", ""])
    assert written(*good(text)) == text


def node(**changes: Any) -> Graph:
    fields: dict[str, Any] = {"anchors": (Anchor(0, 1),), "label": None, **changes}
    properties = (("kind", "mention"), *fields.pop("properties", ()))
    made = Node(0, properties=properties, **fields)
    tokens = (Anchor(0, 1), Anchor(2, 3))
    return Graph("1", "ner", 1, text="a b", tokens=tokens, nodes=(made,))


def test_mentions_without_types_are_scored() -> None:
    graphs = good(LINKED.read_bytes())
    assert score(graphs, graphs, "ner").f1 == 1


def test_types_and_other_properties_are_told() -> None:
    assert lost_of("aida", node(label="PER")) == {"labels", "ids"}
    unsure = node(properties=(("confidence", "low"),))
    assert lost_of("aida", unsure) == {"property confidence", "ids"}
