"""Documents with events: RAMS, MAVEN and WikiEvents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore import score
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

READERS = {
    name: FormatReader(format_named(name), "a.json")
    for name in ("rams", "maven", "wikievents")
}

SENTENCES = [["Rebels", "struck", "."], ["Old", "Rome", "fell"]]

RAMS = {
    "doc_key": "nw_1",
    "sentences": SENTENCES,
    "evt_triggers": [[1, 1, [["conflict.attack", 1.0]]]],
    "ent_spans": [
        [0, 0, [["evt001arg01attacker", 1.0]]],
        [3, 4, [["evt001arg02target", 1.0]]],
    ],
    "gold_evt_links": [
        [[1, 1], [0, 0], "evt001arg01attacker"],
        [[1, 1], [3, 4], "evt001arg02target"],
    ],
    "split": "train",
}

RAMS_PREDICTED = {
    "doc_key": "nw_1",
    "sentences": SENTENCES,
    "evt_triggers": [[1, 1, [["conflict.attack", 1.0]]]],
    "predictions": [[[1, 1], [0, 0, "attacker", 0.5], [4, 4, "target", 0.25]]],
}

TRIGGER = {"id": "m1", "trigger_word": "struck", "sent_id": 0, "offset": [1, 2]}
FALL = {"id": "m2", "trigger_word": "Fell", "sent_id": 1, "offset": [2, 3]}

MAVEN = {
    "id": "d1",
    "title": "War",
    "content": [
        {"sentence": "Rebels struck.", "tokens": SENTENCES[0]},
        {"sentence": "Old Rome fell", "tokens": SENTENCES[1]},
    ],
    "events": [
        {"id": "e1", "type": "Attack", "type_id": 7, "mention": [TRIGGER, FALL]},
        {"id": "e2", "type": "Attack", "type_id": 7, "mention": [TRIGGER]},
    ],
    "negative_triggers": [{"id": "n", "sent_id": 0, "offset": [0, 1]}],
}

MAVEN_ERE = {"id": "d2", "tokens": SENTENCES, "events": MAVEN["events"], "TIMEX": []}

ROME = {"id": "d1-T1", "sent_idx": 1, "start": 3, "end": 5, "entity_type": "GPE"}
STRIKE = {
    "id": "d1-E1",
    "event_type": "Conflict.Attack",
    "trigger": {"start": 1, "end": 2, "text": "struck", "sent_idx": 0},
    "arguments": [{"entity_id": "d1-T1", "role": "Target", "text": "Old Rome"}],
}

WIKIEVENTS = {
    "doc_id": "d1",
    "tokens": [form for sentence in SENTENCES for form in sentence],
    "text": "Rebels struck. Old Rome fell",
    "sentences": [[[["Rebels", 0, 6], ["struck", 7, 13], [".", 13, 14]], "Rebels"]],
    "entity_mentions": [ROME],
    "relation_mentions": [],
    "event_mentions": [STRIKE],
}

DOCUMENTS: dict[str, list[dict[str, Any]]] = {
    "rams": [RAMS, {**RAMS_PREDICTED, "doc_key": "nw_2"}],
    "maven": [MAVEN, MAVEN_ERE],
    "wikievents": [WIKIEVENTS, {**WIKIEVENTS, "doc_id": "d2"}],
}


def lines(*documents: Any) -> str:
    return "".join(json.dumps(document) + "\n" for document in documents)


def test_roles_of_rams_are_without_numbers() -> None:
    gold, predicted = READERS["rams"].good(lines(RAMS, RAMS_PREDICTED))
    assert [(n.label, n.anchors) for n in gold.nodes] == [
        (None, (Anchor(0, 6),)),
        (None, (Anchor(16, 24),)),
        ("conflict.attack", (Anchor(7, 13),)),
    ]
    assert [e.label for e in gold.edges] == ["attacker", "target"]
    assert [e.attributes for e in predicted.edges] == [
        (("score", 0.5),),
        (("score", 0.25),),
    ]
    assert score([gold], [predicted], "argument").f1 == 0.5
    assert score([gold], [predicted], "trigger").f1 == 1.0


def test_triggers_of_maven_are_counted_in_their_sentence() -> None:
    document, _ = READERS["maven"].good(lines(MAVEN, MAVEN_ERE))
    assert [(n.label, n.anchors) for n in document.nodes] == [
        ("Attack", (Anchor(7, 13),)),
        ("Attack", (Anchor(25, 29),)),
        ("Attack", (Anchor(7, 13),)),
    ]


def test_documents_of_wikievents_are_items() -> None:
    graphs = READERS["wikievents"].good(lines(WIKIEVENTS))
    assert [(g.framework, g.id, g.document) for g in graphs] == [
        ("ner", "d1", "d1"),
        ("relation", "d1", "d1"),
        ("event", "d1", "d1"),
    ]
    assert [(e.label, e.target) for e in graphs[2].edges] == [("Target", "d1-T1")]


@pytest.mark.parametrize("name", READERS)
def test_what_is_written_comes_back(name: str) -> None:
    reader = READERS[name]
    for document in DOCUMENTS[name]:
        graphs = reader.good(lines(document))
        data = b"".join(write_checked(reader.format, graphs))
        assert repr(reader.good(data)) == repr(graphs)
        assert set(json.loads(data)) >= {*document} - {"gold_evt_links", "predictions"}


@pytest.mark.parametrize(
    ("name", "bad", "problem"),
    [
        ("rams", {**RAMS, "evt_triggers": [[1, 9, []]]},
         "$.evt_triggers[0]: found tokens 1 to 9, expected a range within the 6 "
         "tokens"),
        ("rams", {**RAMS, "gold_evt_links": [[[1, 1], [0], "x"]]},
         "$.gold_evt_links[0][1]: found [0], expected a list of at least 2, as in "
         "[[first, last] of a trigger, [first, last] of an argument, role]"),
        ("rams", {"doc_key": "a", "predictions": []},
         "$.sentences: found null, expected a list"),
        ("rams", {"doc_key": "a", "sentences": SENTENCES},
         "$: found no arguments, expected gold_evt_links or predictions"),
        ("rams", {**RAMS_PREDICTED, "predictions": [7]},
         "$.predictions[0]: found 7, expected a list of trigger and arguments"),
        ("maven", {**MAVEN, "events": [{"type": "A", "mention": [{**FALL, "sent_id":
                                                                  2}]}]},
         "$.events[0].mention[0].sent_id: found 2, expected the number of a sentence, "
         "below 2"),
        ("maven", {**MAVEN, "events": [{"mention": []}]},
         "$.events[0].type: found nothing, expected the type of an event"),
        ("maven", {**MAVEN, "content": [{"tokens": "a"}]},
         "$.content[0].tokens: found 'a', expected a list"),
        ("wikievents", {**WIKIEVENTS, "doc_id": None},
         "$.doc_id: found null, expected the id of the document"),
        ("wikievents", {**WIKIEVENTS, "entity_mentions": []},
         "$.event_mentions[0].arguments[0].entity_id: found 'd1-T1', expected the id of"
         " an entity mention"),
        ("wikievents", {**WIKIEVENTS, "tokens": 7},
         "$.tokens: found 7, expected a list"),
    ],
)  # fmt: skip
def test_what_is_wrong_costs_its_document(name: str, bad: Any, problem: str) -> None:
    data = lines(bad, DOCUMENTS[name][0])
    assert READERS[name].problems(data) == [f"a.json:1: {problem}"]
    assert isinstance(READERS[name].read(data)[-1], ReadGraph)


def test_other_words_than_those_of_a_trigger_are_noted() -> None:
    events = [{"type": "A", "mention": [{**TRIGGER, "trigger_word": "hit"}]}]
    [record] = READERS["maven"].read(lines({**MAVEN, "events": events}))
    assert isinstance(record, ReadGraph)
    assert [note.what for note in record.notes] == [
        "other words than the tokens of a mention"
    ]
