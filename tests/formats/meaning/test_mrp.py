"""Reading and writing MRP; nothing in a file may break the reader."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.meaning import mrp
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph
from tests.formats.reading import FormatReader
from tests.strategies import any_scalars, graphs

FORMAT = format_named("mrp")

VALID: dict[str, Any] = {
    "id": "1",
    "framework": "eds",
    "input": "ab cd",
    "nodes": [
        {"id": 0, "label": "x", "anchors": [{"from": 0, "to": 2}]},
        {"id": 1, "properties": ["pos"], "values": ["NN"]},
    ],
    "edges": [{"source": 0, "target": 1, "label": "A"}],
    "tops": [0],
}


READER = FormatReader("mrp", "a.mrp")
read, good, problems = READER.read, READER.one, READER.refused


def line(**changes: Any) -> bytes:
    return json.dumps(VALID | changes).encode()


def node(**fields: Any) -> bytes:
    return line(nodes=[{"id": 0} | fields, {"id": 1}])


def edge(**fields: Any) -> bytes:
    return line(edges=[{"source": 0, "target": 1} | fields])


# What is read.


@pytest.mark.parametrize("version", [0.9, 1.0, 1.1, "1.1"])
def test_every_version_is_read_and_kept(version: Any) -> None:
    graph = good(line(version=version, time="2019-05-01 (12:00)", source="wsj"))
    assert graph.extra["version"] == version
    assert json.loads(b"".join(FORMAT.write([graph])))["version"] == version


def test_deprecated_edge_properties_are_attributes() -> None:
    old = good(edge(properties=["remote"], values=[True]))
    new = good(edge(attributes=["remote"], values=[True]))
    assert old == new
    assert old.edges[0].attributes == (("remote", True),)


def test_absent_null_and_empty_mean_the_same() -> None:
    bare = {"id": "1", "framework": "eds"}
    nothing = {"nodes": None, "edges": None, "tops": None, "input": None}
    empty = {"nodes": [], "edges": [], "tops": [], "input": "", "flavor": None}
    one, two, three = (
        good(json.dumps(bare | more).encode()) for more in ({}, nothing, empty)
    )
    assert one == two == three == Graph("1", "eds")


def test_a_number_as_id_is_read_as_text() -> None:
    assert good(line(id=20003008)).id == "20003008"


def test_ids_of_nodes_may_mix_numbers_and_text() -> None:
    graph = good(line(nodes=[{"id": 1}, {"id": "1"}, {"id": 0}]))
    assert [each.id for each in graph.nodes] == [1, "1", 0]


def test_values_keep_their_types_and_order() -> None:
    values = [1, "1", 1.0, True, None, "A"]
    graph = good(node(properties=list("aabbcc"), values=values))
    found = graph.nodes[0].properties
    assert [value for _, value in found] == values
    assert [type(value) for _, value in found] == list(map(type, values))


def test_unknown_fields_are_kept_and_written_back() -> None:
    record = VALID | {"time": "2019", "mine": {"deep": [1, None]}}
    record["nodes"] = [{"id": 0, "zz": [1], "label": "x"}, {"id": 1}]
    record["edges"] = [{"source": 0, "target": 1, "note": "?", "label": "A"}]
    graph = good(json.dumps(record).encode())
    assert graph.nodes[0].extra == (("zz", [1]),)
    assert json.loads(b"".join(FORMAT.write([graph]))) == record


def test_anchors_of_edges_are_kept() -> None:
    graph = good(edge(anchors=[{"from": 0, "to": 2}], id=7))
    assert graph.edges[0].anchors == (Anchor(0, 2),)
    assert graph.edges[0].id == 7


def test_a_repeated_key_keeps_its_last_value() -> None:
    assert good(b'{"id":"1","id":"2","framework":"eds"}').id == "2"


def test_positions_are_code_points() -> None:
    graph = good(
        line(
            input="🙂b", nodes=[{"id": 0, "anchors": [{"from": 1, "to": 2}]}], edges=[]
        )
    )
    assert graph.nodes[0].anchors == (Anchor(1, 2),)


@given(graphs(), st.dictionaries(st.sampled_from(["time", "x"]), any_scalars))
def test_writing_and_reading_gives_back_an_equal_graph(
    graph: Graph, extra: dict[str, Any]
) -> None:
    graph = msgspec.structs.replace(graph, extra=extra)
    found = good(b"".join(FORMAT.write([graph])))
    # Equality alone would let 1, 1.0 and true pass for one another.
    assert repr(found) == repr(graph)


@given(st.lists(any_scalars, min_size=2, max_size=2))
def test_every_scalar_survives_as_label_and_value(values: list[Any]) -> None:
    label, value = values
    graph = Graph(
        "1",
        "x",
        nodes=good(node(label=label, properties=["p"], values=[value])).nodes,
        edges=(Edge(0, 1, label, None, (("a", value),)),),
    )
    assert repr(good(b"".join(FORMAT.write([graph])))) == repr(graph)
    assert graph.nodes[0].label == label


# What is decoded at once, and what field by field.


def agree(raw: bytes) -> bool:
    """Check that both ways of decoding a line agree; whether it was decoded at once."""
    careful = mrp._Draft("a.mrp", 1, raw).fields()
    with mock.patch.object(mrp._Draft, "fields", return_value=careful) as asked:
        record = mrp.parse_line(raw, "a.mrp", 1)
    # Equality alone would let 1, 1.0 and true pass for one another.
    assert repr(record) == repr(careful)
    return not asked.called


GOOD = (
    b'{"id": "1", "flavor": 1, "framework": "eds", "version": 1.1, "time": "x",'
    b' "source": "wsj", "input": "ab cd", "tops": [0], "nodes": [{"id": 0, "label":'
    b' "time", "properties": ["carg"], "values": ["v"], "anchors": [{"from": 0,'
    b' "to": 2}]}, {"id": 1}], "edges": [{"source": 0, "target": 1, "label": "A"}]}\n'
)


@given(st.data())
def test_a_damaged_line_is_decoded_alike(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD) - 1))
    length = data.draw(st.integers(0, 12))
    end = data.draw(st.integers(0, len(GOOD) - 13))
    pieces = (b"", b"[", b"]", b"\xff", b"null", b"1", b'"', b"time", GOOD[end:][:12])
    piece = data.draw(st.sampled_from(pieces))
    agree(GOOD[:start] + piece + GOOD[start + length :])


TOKENS = '"tokens": [{"from": 0, "to": 2, "mine": 1}]'


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
        with_field(TOKENS),
        GOOD.replace(b'"time":', b'"time" :'),
        GOOD.replace(b'"time":', b'"tim\\u0065":'),
        GOOD.replace(b'"label": "A"', b'"attributes": ["r"], "values": [true]'),
        GOOD.replace(b'"label": "A"', b'"properties": ["r"], "values": [1]'),
        GOOD.replace(b'"label": "A"', b'"anchors": [{"from": 0, "to": 1}]'),
        GOOD.replace(b'"label": "A"', b'"label": "["'),
        GOOD.replace(b"cd", "é\U0001f600".encode()),
    ],
)
def test_what_is_usual_is_decoded_at_once(raw: bytes) -> None:
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
        with_field('"tokens": [{"from": 0, "to": 2, "mine": "?"}]').replace(
            b"?", b"\xff"
        ),
        with_field('"mine": ' + "[" * 101 + "]" * 101),
        with_field('"mine": ' + "[" * 99_999 + "]" * 99_999),
        b"[]",
        b"{}",
        b"",
    ],
)
def test_anything_else_is_decoded_field_by_field(raw: bytes) -> None:
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


# What is refused, and how that is said.

BROKEN: list[tuple[str, bytes, str]] = [
    ("no object", b"[1]", "1: $: found JSON that is not an object"),
    ("no JSON", b"# sent_id = 1", "1:1: found invalid character"),
    ("cut off", line()[:60], "1: found a truncated line"),
    ("two in a line", line() + line(), "trailing characters"),
    ("latin-1", line().replace(b"ab cd", b"ab c\xe9"), "found bytes that are not UTF"),
    ("latin-1 aside", b'{"id":"1","framework":"x","y":"\xe9"}', ":32: found bytes"),
    ("utf-16", line().decode().encode("utf-16"), "found bytes that are not UTF-8"),
    ("NUL", line()[:10] + b"\0" + line()[10:], "a JSON object per line"),
    ("half a pair", node(label="\ud800"), "half of a surrogate pair"),
    ("half a key", b'{"\\udc00":1}', "half of a surrogate pair"),
    ("half at the end", b'{"a":"\\ud800"}', "half of a surrogate pair"),
    ("no hex digits", b'{"a":"\\uzzzz and so on"}', "in unicode escape"),
    ("NaN", node(label=float("nan")), "found invalid character"),
    ("1e400", node(label=0).replace(b'"label": 0', b'"label": 1e400'), "out of range"),
    ("1e400 aside", line(zz=0).replace(b'"zz": 0', b'"zz": 1e400'), "$.zz: found a nu"),
    (
        "digits",
        line(id=0).replace(b'"id": 0', b'"id": 1' + b"0" * 5000, 1),
        "out of ra",
    ),
    ("deep", b'{"nodes":' + b"[" * 999_999, "nested too deep, expected at most 100"),
    (
        "deep aside",
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "nested too deep",
    ),
    ("deep field", line(zz=json.loads("[" * 101 + "]" * 101)), "$.zz: found JSON that"),
    ("deep node", node(zz=json.loads("[" * 150 + "]" * 150)), "$.nodes: found JSON th"),
    ("nothing", b"{}", "$.id: found nothing"),
    ("id null", line(id=None), "$.id: found null, expected int or str"),
    ("id float", line(id=1.5), "$.id: found float"),
    ("id bool", line(id=True), "$.id: found bool"),
    ("id list", line(id=[]), "$.id: found array"),
    ("framework", line(framework=None), "$.framework: found null, expected str"),
    ("framework 3", line(framework=3), "$.framework: found int, expected str"),
    ("no framework", line(framework=""), "$.framework: found an empty string"),
    ("flavor", line(flavor="0"), "$.flavor: found str, expected int or null"),
    ("flavor 9", line(flavor=9), "$.flavor: found 9, expected 0, 1 or 2"),
    ("language", line(language=3), "$.language: found int, expected str or null"),
    ("input", line(input=["a"]), "$.input: found array, expected str or null"),
    ("tokens", line(tokens=["a"]), "$.tokens[0]: found str, expected object"),
    ("tokens out", line(tokens=[{"from": 0, "to": 9}]), "$.tokens[0]: found 0:9"),
    ("nodes object", line(nodes={"0": {}}), "$.nodes: found object, expected array"),
    ("nodes text", line(nodes="x"), "$.nodes: found str, expected array or null"),
    ("node int", line(nodes=[1]), "$.nodes[0]: found int, expected object"),
    ("node null", line(nodes=[{"id": 0, "z": 1}, None]), "$.nodes[1]: found null"),
    ("node id none", line(nodes=[{"label": 1}]), "$.nodes[0].id: found nothing"),
    ("node id null", node(id=None), "$.nodes[0].id: found null, expected int or str"),
    ("node id float", node(id=0.5), "$.nodes[0].id: found float"),
    ("node id bool", node(id=True), "$.nodes[0].id: found bool"),
    (
        "node id twice",
        line(nodes=[{"id": 0}, {"id": 1}, {"id": 0}]),
        "$.nodes[2].id: f",
    ),
    ("label list", node(label=["x"]), "$.nodes[0].label: found array"),
    ("label aside", node(zz=1, label=["x"]), "$.nodes[0].label: found array"),
    (
        "names",
        node(properties=[1], values=["a"]),
        "$.nodes[0].properties[0]: found int",
    ),
    ("names object", node(properties={"a": 1}), "$.nodes[0].properties: found object"),
    (
        "values",
        node(properties=["a"], values=[[]]),
        "$.nodes[0].values[0]: found array",
    ),
    ("lengths", node(properties=["a"], values=[]), "found 1 properties and 0 values"),
    ("anchor text", node(anchors=["0:2"]), "$.nodes[0].anchors[0]: found str"),
    ("anchors text", node(anchors="0:2"), "$.nodes[0].anchors: found str"),
    ("anchors aside", node(zz=1, anchors=7), "$.nodes[0].anchors: found int"),
    (
        "anchor float",
        node(anchors=[{"from": 0.5, "to": 1}]),
        ".anchors[0].from: found f",
    ),
    ("anchor half", node(anchors=[{"from": 0}]), "anchors[0].to: found nothing"),
    (
        "anchor back",
        node(anchors=[{"from": 2, "to": 1}]),
        "found 2:1, expected a range",
    ),
    ("anchor minus", node(anchors=[{"from": -1, "to": 1}]), "found -1:1, expected"),
    (
        "anchor out",
        node(anchors=[{"from": 0, "to": 6}]),
        "within the text of 5 charact",
    ),
    ("edges object", line(edges={}), "$.edges: found object, expected array"),
    ("edge source", line(edges=[{"target": 1}]), "$.edges[0].source: found nothing"),
    ("edge float", edge(target=1.0), "$.edges[0].target: found float"),
    ("edge unknown", edge(target=9), "$.edges[0].target: found 9, expected the id of"),
    ("edge as text", edge(target="1"), "$.edges[0].target: found '1', expected the id"),
    ("edge lengths", edge(attributes=["a"]), "found 1 attributes and 0 values"),
    ("edge both", edge(attributes=["a"], properties=["a"], values=[1]), "found both"),
    ("edge normal", edge(normal=[]), "$.edges[0].normal: found array"),
    (
        "edge anchor",
        edge(anchors=[{"from": 0, "to": 9}]),
        "$.edges[0].anchors[0]: foun",
    ),
    ("tops int", line(tops=0), "$.tops: found int, expected array or null"),
    ("tops unknown", line(tops=[0, 9]), "$.tops[1]: found 9, expected the id of a nod"),
    ("tops null", line(tops=[None]), "$.tops[0]: found null, expected int or str"),
]


@pytest.mark.parametrize(
    ("data", "words"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN]
)
def test_a_broken_record_is_refused_with_place_and_reason(
    data: bytes, words: str
) -> None:
    found = problems(data)
    assert any(words in problem for problem in found), found
    assert all(problem.startswith("a.mrp:1") for problem in found)


def test_everything_wrong_with_a_record_is_reported() -> None:
    data = {
        "id": None,
        "flavor": "x",
        "nodes": [{"id": 0}, {"id": 0}],
        "edges": [{"source": 0, "target": 5}, {"source": 6, "target": 0}],
        "tops": [7],
    }
    found = problems(json.dumps(data).encode())
    places = [text.split(": ")[1] for text in found]
    assert places == [
        "$.id",
        "$.flavor",
        "$.framework",
        "$.nodes[1].id",
        "$.edges[0].target",
        "$.edges[1].source",
        "$.tops[0]",
    ]


def test_unreadable_nodes_do_not_make_every_edge_wrong() -> None:
    assert len(problems(line(nodes=[{"id": 0}, 3]))) == 1


def test_another_problem_does_not_make_every_edge_wrong() -> None:
    nodes = [{"id": 0, "own": 1}, {"id": 1}]
    assert problems(line(id=None, nodes=nodes)) == [
        "a.mrp:1: $.id: found null, expected int or str"
    ]


def test_a_rejected_record_keeps_what_identifies_it() -> None:
    [record] = read(line(id="7", tops=[9]))
    assert isinstance(record, Rejected)
    assert (record.item, record.framework) == ("7", "eds")
    assert json.loads(record.raw)["id"] == "7"


def test_an_endless_line_is_refused_without_being_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mrp, "LONGEST_LINE", 1000)
    one, three = read(b"{" * 5500 + b"\n" + b" " + line()[:900] + b"\n")
    assert isinstance(one, Rejected)
    assert "more than 1,000 bytes" in str(one.problems[0])
    assert len(one.raw) == 200
    assert three.line == 2


def test_an_anchor_far_away_is_refused_where_there_is_no_text() -> None:
    nodes = [{"id": 0, "anchors": [{"from": 0, "to": 10**12}]}, {"id": 1}]
    assert "as there is no text" in problems(line(input=None, nodes=nodes))[0]


json_values = st.recursive(
    any_scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "label", "anchors", "from", "to", "source", "x"]),
            inner,
        )
    ),
    max_leaves=6,
)


@given(st.sampled_from([*VALID, "flavor", "tokens", "language", "zz"]), json_values)
def test_no_value_in_any_field_breaks_the_reader(field: str, value: Any) -> None:
    [record] = read(line(**{field: value}))
    agree(line(**{field: value}))
    if isinstance(record, ReadGraph):
        assert good(b"".join(FORMAT.write([record.graph]))) == record.graph


@given(
    st.sampled_from(["nodes", "edges"]),
    st.sampled_from(["id", "label", "properties", "values", "anchors", "source", "z"]),
    json_values,
)
def test_no_value_in_any_node_or_edge_breaks_the_reader(
    field: str, inner: str, value: Any
) -> None:
    first = VALID[field][0] | {inner: value}
    raw = line(**{field: [first, *VALID[field][1:]]})
    [record] = read(raw)
    agree(raw)
    if isinstance(record, ReadGraph):
        assert good(b"".join(FORMAT.write([record.graph]))) == record.graph
