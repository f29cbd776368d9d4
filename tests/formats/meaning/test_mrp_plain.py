"""Plain lines of MRP are read as the careful reader reads them, or left to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.formats.meaning import mrp

NAMES = st.sampled_from(["pos", "frame", "carg", "é", "[", "", "time", "edges"])
SCALARS = st.sampled_from(
    ["a", "NN", "", "é", "\U0001f600", "[", '"time": 1', None, True, 1, 1.0, 0, False]
)
IDS = st.sampled_from([0, 1, 2, "0", "x", 2**70])
ODD = st.sampled_from([None, [], {}, -1, 2.5, "s", True, [0], [[0, 1]], [["a", "b"]]])
PLACES = st.sampled_from([0, 1, 2, 3, 7, 999_999, 1_000_001, -1, 1.0])


def usually(value: Any, chances: int = 12) -> st.SearchStrategy[Any]:
    """A strategy, and now and then what has no place there."""
    return st.integers(0, chances).flatmap(lambda drawn: value if drawn else ODD)


class Fields(list[tuple[str, Any]]):
    """The fields of an object, which may repeat, in an order of their own."""


def fields(
    usual: dict[str, Any], needed: tuple[str, ...] = ()
) -> st.SearchStrategy[Fields]:
    """Objects with those fields."""
    one = st.one_of(
        *[st.tuples(st.just(name), usually(value)) for name, value in usual.items()]
    )
    others = st.lists(one, max_size=4, unique_by=lambda field: field[0])
    begin = st.tuples(*[st.tuples(st.just(n), usual[n]) for n in needed])
    rare = st.lists(
        st.tuples(st.sampled_from(["x", "extra", "source", *usual]), SCALARS | ODD),
        max_size=1,
    )
    none = st.just([])
    return st.builds(
        lambda *parts: Fields([each for part in parts for each in part]),
        begin,
        others.map(lambda found: [each for each in found if each[0] not in needed]),
        none | none | none | rare,
    )


RANGES = st.lists(fields({"from": PLACES, "to": PLACES}, ("from", "to")), max_size=2)
NODES = fields(
    {
        "id": IDS,
        "label": SCALARS,
        "properties": st.lists(NAMES, min_size=1, max_size=2),
        "values": st.lists(SCALARS, min_size=1, max_size=2),
        "anchors": RANGES,
    },
    ("id",),
)
EDGES = fields(
    {
        "source": IDS,
        "target": IDS,
        "label": SCALARS,
        "normal": SCALARS,
        "attributes": st.lists(NAMES, min_size=1, max_size=1),
        "properties": st.lists(NAMES, min_size=1, max_size=1),
        "values": st.lists(SCALARS, min_size=1, max_size=1),
        "id": IDS,
        "anchors": RANGES,
    },
    ("source", "target"),
)
FIELD = SCALARS | st.lists(SCALARS, max_size=2) | st.just({"time": {"version": []}})
LINES = fields(
    {
        "id": st.sampled_from(["1", "é", "", 7]),
        "framework": st.sampled_from(["eds", "x", ""]),
        "flavor": st.sampled_from([0, 1, 2, 3]),
        "language": st.sampled_from(["en", ""]),
        "input": st.sampled_from(["Dogs bark", "", "é\U0001f600"]),
        "tops": st.lists(IDS, max_size=2),
        "nodes": st.lists(NODES, max_size=3, unique_by=lambda each: repr(each[0])),
        "edges": st.lists(EDGES, max_size=2),
        "tokens": RANGES,
        "version": FIELD,
        "time": FIELD,
        "provenance": FIELD,
        "source": FIELD,
        "targets": FIELD,
        "mine": FIELD,
    },
    ("id", "framework", "nodes"),
)


def written(value: Any, style: Iterator[int]) -> str:
    """JSON, with blanks and escapes wherever they may be."""
    if isinstance(value, Fields):
        pieces = []
        for name, each in value:
            key = json.dumps(name, ensure_ascii=next(style) % 2 == 0)
            if next(style) == 3:
                key = '"' + "".join(f"\\u{ord(each):04x}" for each in name) + '"'
            colon = (":", ": ", ":", " :", ": ")[next(style)]
            pieces.append(key + colon + written(each, style))
        return "{" + (",", ", ")[next(style) % 2].join(pieces) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(each, style) for each in value) + "]"
    return json.dumps(value, ensure_ascii=next(style) % 2 == 0)


def styles(seed: int) -> Iterator[int]:
    """Numbers up to four; most often 0, where all is as most programs write it."""
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield (seed >> 16) % 5 if seed % 3 == 0 else 0


def agree(raw: bytes) -> bool:
    """Check that both ways of decoding a line agree; whether it was decoded at once."""
    careful = mrp._Draft("a.mrp", 1, raw).fields()
    with mock.patch.object(mrp._Draft, "fields", return_value=careful) as asked:
        record = mrp.parse_line(raw, "a.mrp", 1)
    # Equality alone would let 1, 1.0 and true pass for one another.
    assert repr(record) == repr(careful)
    return not asked.called


@given(LINES, st.integers(0, 2**30))
@settings(max_examples=250)
def test_a_plain_line_is_read_as_the_careful_reader_does(
    line: Fields, seed: int
) -> None:
    agree(written(line, styles(seed)).encode())


GOOD = (
    b'{"id": "1", "flavor": 1, "framework": "eds", "version": 1.1, "time": "x",'
    b' "source": "wsj", "input": "ab cd", "tops": [0], "nodes": [{"id": 0, "label":'
    b' "time", "properties": ["carg"], "values": ["v"], "anchors": [{"from": 0,'
    b' "to": 2}]}, {"id": 1}], "edges": [{"source": 0, "target": 1, "label": "A"}]}\n'
)


@given(st.data())
@settings(max_examples=250)
def test_a_damaged_line_is_read_as_the_careful_reader_does(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD) - 1))
    length = data.draw(st.integers(0, 12))
    end = data.draw(st.integers(0, len(GOOD) - 13))
    pieces = (b"", b"[", b"]", b"\xff", b"null", b"1", b'"', b"time", GOOD[end:][:12])
    piece = data.draw(st.sampled_from(pieces))
    agree(GOOD[:start] + piece + GOOD[start + length :])


def with_field(field: str, first: bool = False) -> bytes:
    if first:
        return b"{" + field.encode() + b", " + GOOD[1:]
    return GOOD.rstrip()[:-1] + b", " + field.encode() + b"}"


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        with_field('"time": 2'),
        with_field('"mine": {"time": 2}', first=True),
        with_field('"source": "x"', first=True),
        with_field('"provenance": "x"'),
        with_field('"targets": ["a"]'),
        with_field('"tokens": [{"from": 0, "to": 2}]'),
        GOOD.replace(b'"time":', b'"time" :'),
        GOOD.replace(b'"time":', b'"tim\\u0065":'),
        GOOD.replace(b'"label": "A"', b'"attributes": ["r"], "values": [true]'),
        GOOD.replace(b'"label": "A"', b'"properties": ["r"], "values": [1]'),
        GOOD.replace(b'"label": "A"', b'"anchors": [{"from": 0, "to": 1}]'),
        GOOD.replace(b'"label": "A"', b'"label": "["'),
        GOOD.replace(b"cd", "é\U0001f600".encode()),
    ],
)
def test_what_is_usual_is_read_at_once(raw: bytes) -> None:
    assert agree(raw)


@pytest.mark.parametrize(
    "raw",
    [
        GOOD.replace(b'"label": "A"', b'"extra": []'),
        GOOD.replace(b'"label": "A"', b'"extra": [["a", 1]]'),
        GOOD.replace(b'"label": "A"', b'"attributes": [["a", "b"]]'),
        GOOD.replace(b'"label": "A"', b'"anchors": [[0, 1]]'),
        GOOD.replace(b'"label": "A"', b'"weight": 0.5'),
        GOOD.replace(b'"target": 1', b'"target": 2'),
        GOOD.replace(b'"id": 1', b'"id": 0'),
        GOOD.replace(b'"to": 2', b'"to": 6'),
        GOOD.replace(b'["v"]', b'["v", "w"]'),
        GOOD.replace(b'"tops": [0]', b'"tops": [3]'),
        GOOD.replace(b'"wsj"', b'"\xff"'),
        with_field('"mine": ' + "[" * 101 + "]" * 101),
        with_field('"mine": ' + "[" * 99_999 + "]" * 99_999),
        b"[]",
        b"{}",
        b"",
    ],
)
def test_anything_else_is_left_to_the_careful_reader(raw: bytes) -> None:
    assert not agree(raw)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mrp, "SHARED", 2)
    monkeypatch.setattr(mrp, "_anchors", mrp._Anchors())
    monkeypatch.setattr(mrp, "_pairs", mrp._Pairs())
    for number in range(1, 6):
        value = f'["v{number}"]'.encode()
        raw = GOOD.replace(b'"to": 2', b'"to": %d' % number).replace(b'["v"]', value)
        assert agree(raw)
        assert 1 <= len(mrp._anchors) <= 2
        assert 1 <= len(mrp._pairs) <= 2


def test_the_lines_of_the_shared_tasks_are_plain(conformance: Path) -> None:
    for file in ("gold/eds.mrp", "gold/ucca.mrp", "gold/amr.mrp", "gold/dm.mrp"):
        lines = (conformance / "mrp" / file).read_bytes().splitlines(keepends=True)
        assert all(agree(raw) for raw in lines)
