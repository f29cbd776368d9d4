"""Numbers without end in every place where files have some, and foreign fields."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from graphscore import Anchor, Edge, Graph, Node, write_graphs
from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReaderOptions, formats, read_file
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.shared.layers import kept_as
from graphscore.model.numbers import MOST_DIGITS, whole_number
from tests.formats.samples import SAMPLES

ENDLESS = b"9" * 4_400
"""More digits than Python makes a number of."""

EACH = 12
"""So many places of a file are tried, from its beginning to its end."""


@pytest.mark.parametrize("name", SAMPLES)
def test_endless_numbers_are_kept_or_refused(name: str, tmp_path: Path) -> None:
    for sample in SAMPLES[name]:
        if Path(sample.name).is_absolute() and sample.whole:
            continue  # what belongs to it stands beside it
        places = [*re.finditer(rb"\d+", sample.data)]
        for hit in places[:: len(places) // EACH + 1]:
            for number in (ENDLESS, "²".encode()):
                damaged = sample.data[: hit.start()] + number + sample.data[hit.end() :]
                path = tmp_path / "a"
                path.write_bytes(damaged)
                reading = ReaderOptions(format=name, framework="dm")
                try:
                    records = [*read_file(str(path), reading)]
                except GraphscoreError:
                    continue
                assert all(
                    isinstance(each, ReadGraph) or each.problems for each in records
                )


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("neleval", "d1\t4\t{}\tQ2\t0.5\tLOC\n", "'4', "),
        ("genia", "a b\n0,{} A\n\n", "0,"),
    ],
)
def test_a_number_beyond_every_text_is_refused(
    name: str, data: str, found: str
) -> None:
    raw = data.format(ENDLESS.decode()).encode()
    read = format_named(name).read
    assert read is not None
    [record] = read(io.BytesIO(raw), "a")
    assert isinstance(record, Rejected)
    assert found in str(record.problems[0])


def test_numbers_are_decimal_digits_and_not_too_many() -> None:
    assert whole_number("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1
    strange = ("9" * (MOST_DIGITS + 1), "", "²", "٣", "1.5", "-1", " 1")
    assert {whole_number(each) for each in strange} == {None}


FOREIGN = (True, 7, "x", [None], [["a"]], {"a": ["b"]}, {"0": {"0": 1}})

FIELDS = "columns", "comments", "predicted", "docstart", "notes"

WORDS = {"text": "in Bern", "tokens": (Anchor(0, 2), Anchor(3, 7))}


def mention(**more: object) -> Graph:
    nodes = (Node(0, "loc", (("kind", "mention"),), (Anchor(3, 7),)),)
    return Graph("d1", "ner", nodes=nodes, **WORDS, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", FIELDS)
def test_what_another_format_kept_is_left_alone(field: str) -> None:
    names = "hipe", "iob"
    plain = {name: b"".join(write_graphs([mention()], name)) for name in names}
    for value in FOREIGN:
        graph = mention(extra={field: value})
        for name, expected in plain.items():
            written = b"".join(write_graphs([graph], name))
            if value != [["a"]]:
                assert written == expected
        brat = format_named("brat")
        assert brat.files is not None
        assert [*brat.files([graph])]


def test_values_of_json_are_compared_by_what_they_look_like() -> None:
    box = Node("b1", None, (("freebase", [None]),))  # type: ignore[arg-type]
    graph = Graph("p1/d1", "drg", 2, nodes=(box,), edges=(Edge("b1", "b1", "in"),))
    with pytest.raises(GraphscoreError):
        b"".join(write_graphs([graph], "drg"))


def test_a_confidence_that_no_float_holds_is_refused() -> None:
    said = ("kind", "mention"), ("authority", "Q1"), ("confidence", 10**400)
    graph = Graph("d1", "ner", nodes=(Node(0, "loc", said, (Anchor(3, 7),)),))
    with pytest.raises(GraphscoreError, match="found 'inf', expected a score"):
        b"".join(write_graphs([graph], "neleval"))


def test_kept_fields_have_the_shape_that_is_asked_for() -> None:
    assert kept_as((("a", [[1, "x"]]),), "a", list[tuple[int, str]], []) == [(1, "x")]
    assert kept_as({"a": [1]}, "a", list[str], ["b"]) == ["b"]
    assert kept_as({}, "a", dict[str, str], {}) == {}


def test_every_format_is_attacked() -> None:
    assert {each.name for each in formats().values() if each.read} <= SAMPLES.keys()
