"""Formats that are only written: pictures, texts, ids."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError, InputError, UsageError
from graphscore.formats import ReaderOptions, formats, read_file, write_graphs
from graphscore.formats.registry import detect, format_named, reader_of
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.strategies import graphs

ONLY_WRITTEN = ("dot", "ids", "svg", "txt")


def written(name: str, *given: Graph) -> str:
    return b"".join(write_graphs(given, name)).decode()


def test_a_format_can_read_or_write_or_both() -> None:
    for each in formats().values():
        assert each.read or each.write
        assert each.read or not each.signs
        assert all(suffix.startswith(".") for suffix in each.suffixes)


def test_what_nothing_in_a_file_tells_must_be_said() -> None:
    unguessed = {each.name for each in formats().values() if not each.signs}
    named = {
        "bionlp",
        "brat-trees",
        "coref-jsonlines-exclusive",
        "dygie-gold",
        "label-studio-predictions",
        "hipe-columns",
        "iob-gold",
        "span-trees",
        "srl-ud",
        "tacred-labels",
    }
    assert unguessed == named | {"dot", "ids", "svg", "txt"}


@pytest.mark.parametrize("name", ONLY_WRITTEN)
def test_what_is_only_written_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"the format {name} can be written but not"):
        reader_of(format_named(name))
    path = tmp_path / "x"
    path.write_text("a\tb\n")
    with pytest.raises(UsageError, match=r"these can be read: .*mrp"):
        list(read_file(str(path), ReaderOptions(name)))


def test_what_is_only_written_is_never_recognised() -> None:
    stream = io.BufferedReader(io.BytesIO(b'digraph "1" {\n}\n'))  # type: ignore[arg-type]
    with pytest.raises(InputError) as caught:
        detect(stream, "a.dot")
    assert "dot" not in str(caught.value).split("expected")[1]


# DOT.


def test_dot_shows_labels_properties_words_and_attributes() -> None:
    graph = Graph(
        "1",
        "eds",
        text="Dogs bark",
        nodes=(
            Node("a", "dog", (("pos", "NNS"), ("n", 2)), (Anchor(0, 4),)),
            Node("b", "bark", anchors=(Anchor(5, 9),)),
        ),
        edges=(Edge("b", "a", "ARG1", attributes=(("remote", True), ("x", False))),),
        tops=("b",),
    )
    assert written("dot", graph) == (
        'digraph "1" {\n'
        '  graph [label="eds 1\\nDogs bark"];\n'
        "  node [shape=box];\n"
        '  n0 [label="dog\\npos=NNS\\nn=2\\n⟨Dogs⟩"];\n'
        '  n1 [label="bark\\n⟨bark⟩", peripheries=2];\n'
        '  n1 -> n0 [label="ARG1\\nx=false", style=dashed];\n'
        "}\n"
    )


def test_dot_quotes_what_would_end_a_string() -> None:
    graph = Graph('a"b\\', "x", nodes=(Node(0, 'say "\\n"\nnow'),))
    text = written("dot", graph)
    assert text.startswith('digraph "a\\"b\\\\" {')
    assert 'n0 [label="say \\"\\\\n\\"\\nnow"];' in text


def test_dot_shows_inverted_edges_and_ranges_without_a_text() -> None:
    nodes = (Node(0, anchors=(Anchor(2, 4),)), Node(1))
    graph = Graph("1", "x", nodes=nodes, edges=(Edge(0, 1, "A-of", "A"), Edge(1, 0)))
    text = written("dot", graph)
    assert 'n0 [label="⟨2:4⟩"]' in text
    assert 'n0 -> n1 [label="A-of\\n(A)"];' in text
    assert "n1 -> n0;" in text


STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@given(graphs())
def test_dot_is_balanced_whatever_the_graph_says(graph: Graph) -> None:
    text = written("dot", graph)
    bare = STRING.sub("S", text)
    assert '"' not in bare
    assert bare.count("{") == bare.count("}") == 1
    assert bare.count("->") == len(graph.edges)


# Text and ids.


def test_txt_has_an_item_once_for_all_its_frameworks() -> None:
    one, two = Graph("1", "dm", text="Dogs bark."), Graph("1", "amr", text="Dogs bark.")
    other = Graph("1", "psd", text="Dogs bark")
    assert written("txt", one, two, other) == "1\tDogs bark.\n1\tDogs bark\n"
    assert written("ids", one, two, other, Graph("2", "dm")) == "1\n2\n"


def test_graphs_without_ids_are_numbered_within_their_framework() -> None:
    three = Graph("", "dm", text="a"), Graph("", "amr", text="a"), Graph("", "dm")
    assert written("txt", *three) == "0\ta\n1\t\n"


@pytest.mark.parametrize("name", ["txt", "ids"])
def test_an_id_that_breaks_a_line_is_refused(name: str) -> None:
    with pytest.raises(GraphscoreError, match="a tab or line break in an id"):
        written(name, Graph("a\nb", "dm"))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_txt_keeps_every_position(text: str) -> None:
    line = written("txt", Graph("1", "dm", text=text))
    assert line.endswith("\n")
    assert len(line.splitlines()) == 1
    shown = line.removeprefix("1\t").removesuffix("\n")
    assert len(shown) == len(text)
    assert all(a == b or a == " " for a, b in zip(shown, text, strict=True))
