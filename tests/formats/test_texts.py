"""Raw sentences for formats that have none."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import InputError, Problem
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.raw_text import Mismatch, Texts, anchor_tokens, read_texts
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.joined_tokens import forms_of, join_tokens, only_joined


def pieces(forms: list[str], text: str) -> list[str]:
    found = anchor_tokens(forms, text)
    assert not isinstance(found, Mismatch), found
    return [text[start:end] for start, end in found]


@pytest.mark.parametrize(
    ("forms", "text", "expected"),
    [
        ("`` Yes , '' he said", '"Yes," he said', '" Yes , " he said'),
        ("`` Yes ''", "“Yes”", "“ Yes ”"),
        ("“ Yes ”", '"Yes"', '" Yes "'),
        ("` a '", "‘a’", "‘ a ’"),
        ("do n't", "don’t", "do n’t"),
        ("-LRB- a -RRB-", "(a)", "( a )"),
        ("-LSB- a -RCB-", "[a}", "[ a }"),
        ("a -- b", "a–b", "a – b"),
        ("a -- b", "a—b", "a — b"),
        ("a --b", "a - b", None),
        ("well ...", "well…", "well …"),
        ("either\\/or \\*", "either/or*", "either/or *"),
        ("Acme Inc. .", "Acme Inc.", "Acme Inc. ."),
        ("U.S .", "U.S.", "U.S ."),
        ("state @-@ of @/@ art", "state-of/art", "state - of / art"),
        ("a b", " a\n\tb ", "a b"),
        ("caf\u00e9", "caf\u00e9", "caf\u00e9"),
        ("a b", "ab c", "a b"),
    ],
)
def test_spellings(forms: str, text: str, expected: str | None) -> None:
    if expected is None:
        assert isinstance(anchor_tokens(forms.split(), text), Mismatch)
    else:
        assert pieces(forms.split(), text) == expected.split()


def test_an_ellipsis_in_three_parts_is_one_token() -> None:
    assert pieces(["a", "...", "b"], "a . . . b") == ["a", ". . .", "b"]


def test_a_blank_within_a_token() -> None:
    assert pieces(["1 1/2", "x"], "1\u00a01/2 x") == ["1\u00a01/2", "x"]


def test_a_token_that_is_not_there_is_named_with_its_place() -> None:
    assert anchor_tokens(["Dogs", "meow"], "Dogs  bark") == Mismatch(1, "meow", 6)
    assert anchor_tokens(["Dogs", "bark"], "Dogs") == Mismatch(1, "bark", 4)
    assert anchor_tokens(["."], "") == Mismatch(0, ".", 0)


words = st.lists(st.text("ab'\"-.(é/`", min_size=1, max_size=4), max_size=6)


@given(words)
def test_joined_tokens_are_found_where_they_were_put(forms: list[str]) -> None:
    text, tokens = join_tokens(forms)
    assert anchor_tokens(forms, text) == tokens
    graph = Graph("1", "dm", text=text, tokens=tokens)
    assert only_joined(graph) == bool(forms)
    assert forms_of(graph) == forms


@given(words, st.data())
def test_ranges_are_in_order_and_within_the_text(
    forms: list[str], data: st.DataObject
) -> None:
    text = data.draw(st.text("ab'\"-.(é/` ", max_size=20))
    found = anchor_tokens(forms, text)
    if not isinstance(found, Mismatch):
        assert len(found) == len(forms)
        assert all(0 <= start < end <= len(text) for start, end in found)
        assert sorted(found, key=lambda each: each.end) == list(found)


# Graphs.


def tokenized(*forms: str) -> Graph:
    text, tokens = join_tokens(forms)
    nodes = tuple(Node(k, form, (), (tokens[k],)) for k, form in enumerate(forms))
    whole = Node("all", None, (), (Anchor(0, len(text)),))
    edge = Edge("all", 0, "x", anchors=(tokens[0],))
    return Graph(
        "1", "dm", text=text, tokens=tokens, nodes=(*nodes, whole), edges=(edge,)
    )


def given_to(graph: Graph, **sentences: str) -> Graph | tuple[Problem, ...]:
    named = {name.removeprefix("i"): text for name, text in sentences.items()}
    return Texts("raw.txt", named).given_to(graph, "a.sdp", 3)


def test_anchors_move_to_the_sentence() -> None:
    graph = tokenized("``", "Yes", "''", ".")
    moved = given_to(graph, i1='"Yes".')
    assert isinstance(moved, Graph)
    assert moved.text == '"Yes".'
    assert moved.tokens == (Anchor(0, 1), Anchor(1, 4), Anchor(4, 5), Anchor(5, 6))
    assert [node.anchors[0] for node in moved.nodes] == [*moved.tokens, Anchor(0, 6)]
    assert moved.edges[0].anchors == (Anchor(0, 1),)
    assert forms_of(moved) == ["``", "Yes", "''", "."]
    assert moved.extra["forms"] == ["``", "Yes", "''", "."]


def test_forms_are_only_kept_where_the_sentence_differs() -> None:
    moved = given_to(tokenized("Yes", "."), i1="Yes.")
    assert isinstance(moved, Graph)
    assert not moved.extra


def test_a_form_that_cannot_be_anchored_is_a_problem() -> None:
    [problem] = given_to(tokenized("Yes", "no"), i1="Yes but")  # type: ignore[misc]
    assert str(problem) == (
        "a.sdp:3: token 2: found 'no', expected 'but' at character 4 of the sentence "
        "(raw.txt, 1)"
    )
    [problem] = given_to(tokenized("Yes", "no"), i1="Yes")  # type: ignore[misc]
    assert "expected the end at character 3" in str(problem)


def test_part_of_a_token_cannot_be_moved() -> None:
    graph = tokenized("Yes")
    part = msgspec.structs.replace(graph.nodes[0], anchors=(Anchor(0, 2),))
    found = given_to(msgspec.structs.replace(graph, nodes=(part,), edges=()), i1="Yes")
    [problem] = found  # type: ignore[misc]
    assert "node 0: found 0:2, expected a range of whole tokens" in str(problem)


def test_a_text_of_its_own_stays() -> None:
    graph = msgspec.structs.replace(tokenized("Yes"), text="Yes, yes", tokens=())
    assert given_to(graph, i1="No") == graph
    assert given_to(graph) == graph


def test_a_graph_without_a_sentence_stays() -> None:
    assert given_to(tokenized("Yes")) == tokenized("Yes")
    free = Graph("1", "amr", 2, nodes=(Node(0, "x"),))
    assert given_to(free) == free
    assert given_to(free, i1="Yes") == msgspec.structs.replace(free, text="Yes")


def test_a_table_of_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dm.sdp"
    path.write_text(SDP)
    texts = Texts("raw.txt", {"3": "Dogs bark"})
    with pytest.raises(InputError, match=r"2 items without a sentence in raw\.txt"):
        list(read_file(str(path), ReaderOptions(texts=texts)))
    assert (
        len(list(read_file(str(path), ReaderOptions(texts=Texts("x", {"2": "No"})))))
        == 2
    )
    path.write_text(SDP.split("\n\n")[0])
    assert len(list(read_file(str(path), ReaderOptions(texts=texts)))) == 1


def test_character_ranges_are_checked() -> None:
    node = Node("e2", "_bark_v_1", (), (Anchor(5, 9),))
    graph = Graph("1", "eds", 1, nodes=(node,))
    assert given_to(graph, i1="Dogs bark") == msgspec.structs.replace(
        graph, text="Dogs bark"
    )
    [problem] = given_to(graph, i1="Dogs bar")  # type: ignore[misc]
    assert "node e2: found 5:9, expected a range within 8 characters" in str(problem)


def test_ids_of_known_shape_find_each_other() -> None:
    texts = Texts("raw.txt", {"20003008": "a", "wsj_0003.9": "b", "x": "c"})
    assert texts.sentence("nw.wsj_0003.8") == "a"
    assert texts.sentence("20003009") == "b"
    assert texts.sentence("x") == "c"
    assert texts.sentence("y") is None


# Files.


def test_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "raw.txt"
    path.write_bytes("\ufeff1\tDogs  bark \r\n\n2\ta\tb\n1\tDogs  bark \n".encode())
    texts = read_texts(str(path))
    assert texts.sentences == {"1": "Dogs  bark ", "2": "a\tb"}
    assert texts.digest


def test_every_bad_line_of_a_table_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "raw.txt"
    path.write_bytes(b"1\ta\n2 b\n\tc\n3\t\xff\n1\tb\n")
    with pytest.raises(InputError) as caught:
        read_texts(str(path))
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4, 5]
    with pytest.raises(InputError, match="cannot be read"):
        read_texts(str(tmp_path / "none.txt"))


SDP = "#1\n1\t``\t``\tX\t+\t-\n2\tYes\tyes\tX\t+\t-\n\n#2\n1\tNo\tno\tX\t+\t-\n\n"


def test_files_are_read_with_texts(tmp_path: Path) -> None:
    path, table = tmp_path / "dm.sdp", tmp_path / "raw.txt"
    path.write_text(SDP)
    table.write_text('1\t"Yes\n2\tNever\n')
    texts = read_texts(str(table))
    one, two = read_file(str(path), ReaderOptions(texts=texts))
    assert isinstance(one, ReadGraph)
    assert one.graph.text == '"Yes'
    assert isinstance(two, Rejected)
    assert (two.line, two.item, two.framework) == (5, "2", "dm")


def test_texts_tell_two_readings_apart() -> None:
    plain, other = (
        ReaderOptions(described="x"),
        ReaderOptions(described="x", framework="dm"),
    )
    texts = ReaderOptions(described="x", texts=Texts("raw.txt", {}, "abc"))
    assert plain.identity == "x"
    assert len({each.identity for each in (plain, other, texts)}) == 3


def test_the_command_line_takes_texts(tmp_path: Path) -> None:
    from graphscore.cli.main import cli

    path, table = tmp_path / "dm.sdp", tmp_path / "raw.txt"
    path.write_text(SDP)
    table.write_text('1\t"Yes\n2\tNo\n')
    runner = CliRunner()
    done = runner.invoke(cli, ["validate", str(path), "--text", str(table)])
    assert done.exit_code == 0, done.output
    table.write_text('1\t"Yes\n2\tNever\n')
    done = runner.invoke(cli, ["validate", str(path), "--text", str(table)])
    assert done.exit_code == 3
    assert "token 1: found 'No', expected 'Never'" in done.output.replace("\\\\", "")
    other = ["score", str(path), str(path), "--framework-of-file", "psd"]
    done = runner.invoke(cli, other)
    assert done.exit_code == 0, done.output
    assert '"psd"' in done.output
