"""BETTER: basic events and granular templates."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import Argument, LayoutBuilder, nodes_of
from tests.formats.templates.fillers import (
    good,
    problems,
    read,
    round_trip,
    words,
    written,
)

FORMAT = format_named("better")

TEXT = "Thousands protested in Lima on Monday, police said. They marched."


def span(text: str, **more: Any) -> dict[str, Any]:
    start = TEXT.index(text)
    return {"string": text, "start": start, "end": start + len(text), **more}


def spans(name: str, *found: dict[str, Any]) -> dict[str, Any]:
    return {"spans": list(found), "ssid": name}


CROWD = span("Thousands", synclass="nominal", hstart=0, hend=9, hstring="Thousands")
BASIC: dict[str, Any] = {
    "events": {
        "event-1": {
            "agents": ["ss-1"],
            "anchors": "ss-2",
            "event-type": "Organize-Protest",
            "eventid": "event-1",
            "patients": [],
            "ref-events": [],
            "state-of-affairs": False,
        },
        "event-2": {
            "agents": ["ss-5"],
            "anchors": "ss-6",
            "event-type": "Communicate",
            "eventid": "event-2",
            "patients": [],
            "ref-events": ["event-1"],
            "state-of-affairs": False,
        },
    },
    "granular-templates": {
        "template-1": {
            "template-anchor": "ss-2",
            "template-id": "template-1",
            "template-type": "Protestplate",
            "who": [{"ssid": "ss-1"}],
            "where": [{"ssid": "ss-3", "time-attachments": ["ss-4"]}],
            "outcome-occurred": [{"event-id": "event-2", "irrealis": "hypothetical"}],
            "over-time": True,
            "type": "march",
            "arrested": [],
        }
    },
    "includes-relations": {},
    "span-sets": {
        "ss-1": spans("ss-1", CROWD, span("They")),
        "ss-2": spans(
            "ss-2",
            span("protested", synclass="event-anchor"),
            span("marched", synclass="event-anchor"),
        ),
        "ss-3": spans("ss-3", span("Lima", synclass="name")),
        "ss-4": spans("ss-4", span("Monday")),
        "ss-5": spans("ss-5", span("police")),
        "ss-6": spans("ss-6", span("said")),
    },
}
ENTRY: dict[str, Any] = {
    "annotation-sets": {"basic-events": BASIC},
    "doc-id": "doc-1",
    "entry-id": "d1",
    "lang": "eng",
    "segment-text": TEXT,
    "segment-type": "document",
}


def corpus(*entries: Any, indent: int | None = None) -> str:
    found = {f"d{k}": entry for k, entry in enumerate(entries or (ENTRY,), 1)}
    head = {"corpus-id": "c", "entries": found, "format-type": "bp-corpus"}
    return json.dumps({**head, "format-version": "v10"}, indent=indent)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The entry with one place of ``basic-events`` changed, or taken away."""
    entry = copy.deepcopy(ENTRY)
    place: Any = entry["annotation-sets"]["basic-events"]
    *keys, last = path.split("/")
    for key in keys:
        place = place[int(key) if key.isdigit() else key]
    last_ = int(last) if last.isdigit() else last
    if value is ...:
        del place[last_]
    else:
        place[last_] = value
    return entry


def layers(data: str | None = None) -> dict[str, Graph]:
    return {graph.framework: graph for graph in good(FORMAT, data or corpus())}


def edges(graph: Graph, source: Any) -> list[tuple[Any, ...]]:
    found = [edge for edge in graph.edges if edge.source == source]
    return [
        (e.label, e.target, *([e.attributes] if e.attributes else [])) for e in found
    ]


def test_an_entry_gives_events_and_templates() -> None:
    found = layers()
    assert list(found) == ["event", "template"]
    for graph in found.values():
        assert (graph.id, graph.document, graph.language) == ("d1", "doc-1", "eng")
        assert graph.text == TEXT
        assert graph.extra == {
            "better": {"segment-type": "document"},
            "basic-events": {"includes-relations": {}},
        }
    shared = found["event"].nodes[6]
    assert shared == found["template"].nodes[6]


def test_span_sets_are_entities_under_their_ids() -> None:
    graph = layers()["event"]
    entities = [node.id for node in nodes_of(graph, "entity")]
    assert entities == [f"ss-{k}" for k in range(1, 7)]
    assert words(graph, "ss-1") == ["Thousands", "They"]
    one, two, *_ = nodes_of(graph, "mention")
    assert one.properties[1:] == (("mention_type", "nominal"), ("head", "0:9"))
    assert one.anchors == (Anchor(0, 9),)
    assert two.properties[1:] == ()


def test_events_are_triggers_with_span_sets_and_events() -> None:
    graph = layers()["event"]
    one, two = nodes_of(graph, "trigger")
    assert (one.id, one.label, one.anchors) == (
        "event-1",
        "Organize-Protest",
        (Anchor(10, 19),),
    )
    assert one.properties == (("kind", "trigger"), ("state-of-affairs", False))
    assert edges(graph, two.id) == [("agents", "ss-5"), ("ref-events", "event-1")]


def test_slots_have_sets_events_and_values() -> None:
    graph = layers()["template"]
    [template] = nodes_of(graph, "template")
    assert (template.id, template.label) == ("template-1", "Protestplate")
    assert template.properties[1:] == (("anchor", "10:19;57:64"),)
    time = (("time-attachment", "31:37"),)
    values = {node.id: node.label for node in nodes_of(graph, "value")}
    assert list(values.values()) == [True, "march"]
    assert [
        (slot, values.get(target, target), *rest)
        for slot, target, *rest in edges(graph, template.id)
    ] == [
        ("who", "ss-1"),
        ("where", "ss-3", time),
        ("outcome-occurred", "event-2", (("irrealis", "hypothetical"),)),
        ("over-time", True),
        ("type", "march"),
    ]


def test_values_may_stand_in_lists() -> None:
    entry = changed("granular-templates/template-1/type", ["march", 3, False])
    graph = layers(corpus(entry))["template"]
    assert [n.label for n in nodes_of(graph, "value")] == [True, "march", 3, False]
    again = json.loads(written(FORMAT, [graph]))["entries"]["d1"]["annotation-sets"]
    found = again["basic-events"]["granular-templates"]["template-1"]
    assert found["type"] == ["march", 3, False]


def test_layers_without_a_key_are_not_there() -> None:
    assert list(layers(corpus(changed("granular-templates", ...)))) == ["event"]
    entry = changed("events", ...)
    slots = entry["annotation-sets"]["basic-events"]["granular-templates"]
    del slots["template-1"]["outcome-occurred"]
    found = layers(corpus(entry))
    assert list(found) == ["template"]
    round_trip(FORMAT, list(found.values()))


def test_spans_without_a_text_are_words() -> None:
    entry = {**ENTRY, "segment-text": ""}
    graph = layers(corpus(entry))["template"]
    assert all(not node.anchors for node in graph.nodes)
    assert words(graph, "ss-1") == ["Thousands", "They"]
    assert nodes_of(graph, "mention")[2].properties[1:3] == (
        ("text", "protested"),
        ("offset", 10),
    )
    [template] = nodes_of(graph, "template")
    assert template.properties[1:] == (("anchor", "protested;marched"),)
    assert dict(nodes_of(graph, "trigger")[0].properties)["text"] == "protested"
    round_trip(FORMAT, good(FORMAT, corpus(entry)))


def test_a_span_that_is_spelled_otherwise_keeps_its_place_and_spelling() -> None:
    entry = changed("span-sets/ss-3/spans/0/string", "LIMA")
    graph = layers(corpus(entry))["event"]
    assert words(graph, "ss-3") == ["Lima"]
    round_trip(FORMAT, good(FORMAT, corpus(entry)))


def test_other_words_at_the_place_of_a_span_are_an_error() -> None:
    entry = changed("span-sets/ss-3/spans/0/string", "Rome")
    [problem] = problems(FORMAT, corpus(entry))
    assert "found 'Rome', expected 'Lima', the characters 23 to 27" in problem


@pytest.mark.parametrize("indent", [None, 1])
def test_files_come_out_as_they_were(indent: int | None) -> None:
    data = corpus(ENTRY, {**ENTRY, "entry-id": "d2", "doc-id": "doc-2"}, indent=indent)
    again = json.loads(written(FORMAT, good(FORMAT, data)))
    assert again["entries"] == json.loads(data)["entries"]
    assert again["format-type"] == "bp-corpus"
    round_trip(FORMAT, good(FORMAT, data))
    lines = [record.line for record in read(FORMAT, data)]
    assert lines == sorted(lines)
    assert lines[-1] == data[: data.index('"d2"')].count("\n") + 1


ONE = "granular-templates/template-1"


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("span-sets/ss-1/spans/0/end", ..., "[0]: found 0:null, expected two numbers"),
        ("span-sets/ss-1/spans/0/end", 99, "[0]: found characters 0:99, expected a ra"),
        ("span-sets/ss-1/spans/0/end", 0, "[0]: found characters 0:0, expected a rang"),
        (
            "events/event-1/anchors",
            ...,
            ".anchors: found nothing, expected the id of a s",
        ),
        ("events/event-1/anchors", "x", ".anchors: found 'x', expected the id of a sp"),
        ("events/event-1/agents", ["x"], ".agents[0]: found 'x', expected the id of a"),
        ("events/event-1/agents", [3], ".agents[0]: found 3, expected the id of a spa"),
        (f"{ONE}/template-anchor", "x", ".template-anchor: found 'x', expected the id"),
        (f"{ONE}/who", [{}], ".who[0]: found an object, expected an ssid or an event-"),
        (f"{ONE}/who", [{"ssid": "ss-1", "event-id": "event-1"}], "an ssid or an even"),
        (
            f"{ONE}/who",
            [{"ssid": "x"}],
            ".who[0].ssid: found 'x', expected the id of a",
        ),
        (f"{ONE}/who", [{"ssid": "event-1"}], "expected the id of a span set"),
        (f"{ONE}/who", [{"event-id": "ss-1"}], "expected the id of an event"),
        (
            f"{ONE}/who",
            [{"ssid": "ss-1", "time-attachments": ["x"]}],
            ".who[0].time-attachments[0]: found 'x', expected the id of a span set",
        ),
    ],
)
def test_what_is_wrong_is_said(path: str, value: Any, problem: str) -> None:
    entry = changed(path, value)
    found = problems(FORMAT, corpus(entry))
    assert problem in "\n".join(found)
    assert all(
        each.startswith(":1: $.entries.d1.annotation-sets.basic-events")
        for each in found
    )
    items = [r.graph.id for r in read(FORMAT, corpus(entry, ENTRY)) if fine(r)]
    assert items[-2:] == ["d2", "d2"]


def fine(record: Any) -> bool:
    return not isinstance(record, Rejected)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (3, "$.entries.d1: found 3, expected an entry"),
        (None, "$.entries.d1: found null, expected a record"),
        (
            {"annotation-sets": {"abstract-events": {}}},
            ".annotation-sets: found abstract-events, expected basic-events",
        ),
        (
            {"annotation-sets": {"basic-events": {"span-sets": {}}}},
            ".basic-events: found no layer, expected events or granular-templates",
        ),
        (ENTRY | {"segment-text": 3}, "$.entries.d1.segment-text: found 3, expected"),
    ],
)
def test_what_is_wrong_with_an_entry_is_said(entry: Any, problem: str) -> None:
    assert problem in "\n".join(problems(FORMAT, corpus(entry)))
    assert [r.graph.id for r in read(FORMAT, corpus(entry, ENTRY)) if fine(r)] == [
        "d2"
    ] * 2


def test_templates_that_are_wrong_cost_only_their_layer() -> None:
    event, template = read(FORMAT, corpus(changed(f"{ONE}/who", {})))
    assert fine(event)
    assert isinstance(template, Rejected)
    assert (template.framework, template.item) == ("template", "d1")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (corpus()[:-40], "expected"),
        (corpus()[: len(corpus()) // 2], "found a bracket that is not closed"),
        (
            json.dumps({"entries": {"d1": ENTRY}})[:-1],
            ":1: found a truncated file, expected a }",
        ),
    ],
)
def test_a_file_that_is_broken_says_so(data: str, problem: str) -> None:
    assert problem in "\n".join(problems(FORMAT, data))


def test_a_broken_entry_costs_only_itself() -> None:
    data = corpus(ENTRY, ENTRY, ENTRY, indent=1)
    at = data.index('"d2"')
    for broken in ("[", "}", "]"):
        place = data.index('"ss-1"', at)
        records = read(FORMAT, data[:place] + broken + data[place:])
        items = [record.graph.id for record in records if fine(record)]
        assert items == ["d1", "d1", "d3", "d3"], broken


def slots(build: LayoutBuilder, *arguments: Argument, **more: Any) -> None:
    build.template("T", arguments, **more)


names = st.sampled_from(["a", "b", "c"])
fillers = st.one_of(
    st.booleans(),
    st.text(max_size=3),
    st.integers(-9, 9),
    st.lists(names.map(lambda name: {"ssid": name}), max_size=3),
)


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["who", "type", "x"]), fillers), max_size=3
    ),
    st.lists(names, max_size=3),
)
def test_every_entry_comes_back(templates: list[Any], agents: list[str]) -> None:
    sets = {name: spans(name, span("Lima")) for name in "abc"}
    event = {"anchors": "a", "agents": agents, "eventid": "e", "event-type": "X"}
    basic = {
        "span-sets": sets,
        "events": {"e": event},
        "granular-templates": {f"t{k}": each for k, each in enumerate(templates)},
    }
    entry = {"annotation-sets": {"basic-events": basic}, "segment-text": TEXT}
    graphs = good(FORMAT, corpus(entry))
    assert len(graphs) == 2
    round_trip(FORMAT, graphs)


def test_names_that_something_else_has() -> None:
    twice = changed("span-sets/event-1", spans("event-1", span("They")))
    [problem] = problems(FORMAT, corpus(twice))
    assert (
        "events.event-1: found the id of a span set, expected an id of its" in problem
    )
    template = {**BASIC["granular-templates"]["template-1"], "template-id": "event-1"}
    renamed = changed("granular-templates", {"event-1": template})
    graph = layers(corpus(renamed))["template"]
    [node] = nodes_of(graph, "template")
    assert node.id != "event-1"
    worded = changed("events/event-1/text", "a demonstration")
    listed = changed("granular-templates/template-1/type", ["march"])
    small = changed("span-sets/ss-1/spans/0/string", "thousands")
    for entry in (renamed, worded, listed, small):
        data = json.loads(written(FORMAT, good(FORMAT, corpus(entry))))
        assert data["entries"]["d1"]["annotation-sets"] == entry["annotation-sets"]
