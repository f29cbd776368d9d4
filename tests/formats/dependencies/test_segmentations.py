"""Segmentations as numbers of units, and as lines with bars between segments."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.errors import GraphscoreError, InvalidGraphError
from graphscore.formats import Read, read_file
from graphscore.formats.base import Record, Rejected
from graphscore.formats.dependencies import segmentations as own
from graphscore.model.graph import Anchor, Graph, Node
from tests.conftest import DATA
from tests.metrics.dependencies.cuts import masses

MASSES = """{
  "items": {
    "stargazer": {"1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3]},
    "moon": {"1": [4], "2": [2, 2]}
  },
  "segmentation_type": "linear",
  "note": "made up"
}
"""

BARS = """==========
It rains.
It pours.
==========
We sleep.
==========
"""


def read(text: str | bytes, bars: bool = False) -> list[Record]:
    raw = text.encode() if isinstance(text, str) else text
    reader = own.read_bars if bars else own.read_masses
    return list(reader(io.BytesIO(raw), "a"))


def graphs(text: str | bytes, bars: bool = False) -> list[Graph]:
    found = []
    for record in read(text, bars):
        assert isinstance(record, Read), record
        found.append(record.graph)
    return found


def units(graph: Graph) -> list[object]:
    return [dict(node.properties)["units"] for node in graph.nodes]


def test_every_coder_of_every_text_is_a_layer() -> None:
    found = [
        (each.id, each.document, each.layer, units(each)) for each in graphs(MASSES)
    ]
    assert found == [
        ("stargazer", "stargazer", "1", [2, 3, 3, 1, 3, 6, 3]),
        ("stargazer", "stargazer", "2", [2, 8, 2, 4, 2, 3]),
        ("moon", "moon", "1", [4]),
        ("moon", "moon", "2", [2, 2]),
    ]


def test_a_single_coder_is_no_layer_so_that_files_of_two_pair() -> None:
    for name in ("gold", "cutter"):
        path = DATA / "segments" / f"{name}.json"
        for record in read_file(str(path)):
            assert isinstance(record, Read)
            assert record.graph.layer == ""
            assert record.graph.extra["coder"] in ("editor", "cutter")


def test_what_is_written_says_the_same() -> None:
    written = b"".join(own.write_masses(graphs(MASSES)))
    assert json.loads(written) == json.loads(MASSES)
    for path in (DATA / "segments").glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert json.loads(b"".join(own.write_masses(graphs(text)))) == json.loads(text)
    assert b"".join(own.write_bars(graphs(BARS, bars=True))).decode() == BARS


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"items": {}}', "$.segmentation_type: found nothing, expected 'linear'"),
        (
            '{"segmentation_type": "tree", "items": {}}',
            "$.segmentation_type: found 'tree', expected 'linear'",
        ),
        ('{"segmentation_type": "linear"}', "$.items: found null"),
        (
            '{"segmentation_type": "linear", "items": {"a": [1]}}',
            "$.items.a: found [1], expected masses of coders by name",
        ),
        (
            '{"segmentation_type": "linear", "items": {"a": {"1": [1, 0]}}}',
            "$.items.a.1[1]: found 0, expected a whole number above 0",
        ),
        (
            '{"segmentation_type": "linear", "items": {"a": {"1": [true]}}}',
            "$.items.a.1[0]: found true, expected a whole number above 0",
        ),
        (
            '{"segmentation_type": "linear", "items": {"a": {"1": []}}}',
            "$.items.a.1: found no segments, expected how many units each has",
        ),
        (
            '{"segmentation_type": "linear", "items": {"a": {"1": "2,3"}}}',
            "$.items.a.1: found '2,3'",
        ),
    ],
)
def test_what_is_bad_is_named(text: str, problem: str) -> None:
    [record] = read(text)
    assert isinstance(record, Rejected)
    assert problem in str(record.problems[0])


def test_a_bad_coder_costs_no_other() -> None:
    first, bad, *rest = read(MASSES.replace("8,", "-8,"))
    assert isinstance(first, Read)
    assert isinstance(bad, Rejected)
    assert (bad.item, bad.layer) == ("stargazer", "2")
    assert all(isinstance(each, Read) for each in rest)


# Bars.


def test_units_are_tokens_and_segments_are_anchored() -> None:
    [graph] = graphs(BARS, bars=True)
    assert graph.text == "It rains.\nIt pours.\nWe sleep."
    assert [graph.text[a:b] for a, b in graph.tokens] == graph.text.split("\n")
    assert units(graph) == [2, 1]
    assert [node.anchors for node in graph.nodes] == [
        (Anchor(0, 19),),
        (Anchor(20, 29),),
    ]


def test_bars_may_have_a_level_and_a_title() -> None:
    text = "========,1,preface.\nIt rains.\n========,2,Sleep, and rest\nWe sleep.\n"
    [graph] = graphs(text, bars=True)
    assert [node.label for node in graph.nodes] == ["preface.", "Sleep, and rest"]
    assert [dict(node.properties)["level"] for node in graph.nodes] == [1, 2]
    [again] = graphs(b"".join(own.write_bars([graph])), bars=True)
    assert again == graph


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_blank_lines_line_ends_and_marks_are_no_units(ending: str, start: str) -> None:
    lines = ["=====", "", "a b", "=======", "===", "=====", "c", ""]
    [graph] = graphs(start + ending.join(lines), bars=True)
    # Three signs are too few for a bar.
    assert graph.text == "a b\n===\nc"
    assert units(graph) == [1, 1, 1]


def test_words_before_the_first_bar_are_a_problem() -> None:
    [record] = read("It rains.\n==========\nIt pours.\n", bars=True)
    assert isinstance(record, Rejected)
    expected = "a:1: found 'It rains.', expected a line of =========="
    assert str(record.problems[0]) == expected
    [record] = read("==========\n==========\n", bars=True)
    assert isinstance(record, Rejected)
    assert "found no units" in str(record.problems[0])


def test_what_cannot_be_written_is_refused() -> None:
    [graph] = graphs(BARS, bars=True)
    bare = Graph("1", "segments", nodes=(Node(0, None, (("units", 2),)),))
    for given_graphs, why in (
        ([graph, graph], "another text"),
        ([bare], "0 tokens"),
        ([Graph("1", "segments")], "no segments"),
        ([Graph("1", "segments", nodes=(Node(0),))], "without units"),
    ):
        with pytest.raises(InvalidGraphError, match=why):
            b"".join(own.write_bars(given_graphs))
    with pytest.raises(InvalidGraphError, match="another segmentation by '1'"):
        b"".join(own.write_masses([bare, bare]))


@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_any_segmentation_comes_back(data: st.DataObject) -> None:
    cut = data.draw(masses(data.draw(st.integers(1, 12))))
    text = {"segmentation_type": "linear", "items": {"a": {"x": cut}}}
    found = graphs(json.dumps(text))
    assert graphs(b"".join(own.write_masses(found))) == found
    words = iter(f"unit {k}" for k in range(99))
    lines = [
        line for mass in cut for line in (own.BAR, *(next(words) for _ in range(mass)))
    ]
    found = graphs("\n".join(lines), bars=True)
    assert units(found[0]) == cut
    assert graphs(b"".join(own.write_bars(found)), bars=True) == found


@settings(max_examples=100)
@given(text=st.binary(max_size=60))
def test_no_bytes_end_the_reader(text: bytes) -> None:
    for bars in (False, True):
        try:
            read(text, bars)
        except GraphscoreError:
            continue
