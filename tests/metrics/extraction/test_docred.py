"""DocRED: relations among entities, with and without facts seen in training."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.exceptions import UsageError
from graphscore.formats import formats
from graphscore.formats.base import ReadGraph
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.metrics.templates.forms import amounts, compared

DOCUMENT: dict[str, Any] = {
    "title": "d1",
    "sents": [["Ada", "met", "Bob", "in", "Rome", "."], ["Ada", "left", "."]],
    "vertexSet": [
        [
            {"name": "Ada", "sent_id": 0, "pos": [0, 1], "type": "PER"},
            {"name": "Ada L.", "sent_id": 1, "pos": [0, 1], "type": "PER"},
        ],
        [{"name": "Bob", "sent_id": 0, "pos": [2, 3], "type": "PER"}],
        [{"name": "Rome", "sent_id": 0, "pos": [4, 5], "type": "LOC"}],
    ],
    "labels": [
        {"h": 0, "t": 1, "r": "P1", "evidence": [0]},
        {"h": 1, "t": 2, "r": "P2", "evidence": [0]},
        {"h": 0, "t": 2, "r": "P2", "evidence": []},
    ],
}


def read(value: Any) -> Graph:
    stream = io.BytesIO(
        json.dumps([value] if isinstance(value, dict) else value).encode()
    )
    records = list(formats()["docred"].read(stream, "a.json"))
    [found] = [
        each.graph
        for each in records
        if isinstance(each, ReadGraph) and each.graph.framework == "relation"
    ]
    return found


def predicted(*found: tuple[int, int, str]) -> Graph:
    return read([{"title": "d1", "h_idx": h, "t_idx": t, "r": r} for h, t, r in found])


GOLD = read(DOCUMENT)
SYSTEM = predicted((0, 1, "P1"), (0, 1, "P1"), (0, 2, "P2"), (2, 0, "P2"))


def test_relations_count_once() -> None:
    assert amounts("docred", GOLD, SYSTEM) == (2, 3, 2, 3)
    assert amounts("docred", GOLD, GOLD) == (3, 3, 3, 3)
    assert amounts("docred", GOLD, None) == (0, 0, 0, 3)


TRAINING = {
    "title": "t",
    "sents": [["Ada", "L.", "met", "Bob", "in", "Rome", "."]],
    "vertexSet": [[{"name": "Ada"}, {"name": "Ada L."}], [{"name": "Bob"}]],
    "labels": [{"h": 0, "t": 1, "r": "P1"}, {"h": 1, "t": 0, "r": "P9"}],
}
"""A document that facts were seen in, as far as they need it."""


@pytest.mark.parametrize("written", ["tabs", "json", "documents"])
def test_facts_seen_in_training(written: str, tmp_path: Path) -> None:
    path = tmp_path / "facts"
    facts = [["Ada L.", "Bob", "P1"], ["Bob", "Rome", "P2"], ["Ada", "Rome", "P9"]]
    if written == "json":
        path.write_text(json.dumps(facts))
    elif written == "documents":
        path.write_text(json.dumps([TRAINING, TRAINING | {"labels": []}]))
    else:
        path.write_text("\n".join("\t".join(each) for each in facts))
    metric = f"docred(facts={path})"
    assert amounts(metric, GOLD, SYSTEM) == (2, 3, 2, 3)
    # Ada and Bob were seen: right no more, but not wrong; recall stays as it was.
    assert amounts(metric, GOLD, SYSTEM, "unseen") == (1, 2, 2, 3)
    assert amounts("docred", GOLD, SYSTEM, "unseen") == (2, 3, 2, 3)
    none = amounts(metric, GOLD, predicted((0, 1, "P1")), "unseen")
    assert none == (0, 0, 1, 3)


def test_entities_by_their_mentions() -> None:
    other = json.loads(json.dumps(DOCUMENT))
    other["vertexSet"].reverse()
    for label in other["labels"]:
        label["h"], label["t"] = 2 - label["h"], 2 - label["t"]
    turned = read(other)
    assert amounts("docred", GOLD, turned)[0] == 0
    assert amounts("docred(entities=mentions)", GOLD, turned) == (3, 3, 3, 3)
    other["vertexSet"][2].pop()
    less = read(other)
    assert amounts("docred(entities=mentions)", GOLD, less)[0] == 1


def test_errors_are_relations() -> None:
    found = compared("docred", GOLD, SYSTEM).errors
    assert [(each.error_type, each.tuple_type, each.label) for each in found] == [
        ("missing", "all", "P2"),
        ("spurious", "all", "P2"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[1, 2, 3]]", r"\$\[0\]: found \[1, 2, 3\], expected \[head, tail"),
        (json.dumps([["x" * 90, "y"]]), r"found \['x{30}...', 'y'\], expected \[head"),
        ('[{"title": "t"}]', r"\$\[0\].vertexSet: found nothing, expected this field"),
        (
            json.dumps([TRAINING | {"labels": [{"h": 0, "t": 2, "r": "P1"}]}]),
            r"\$\[0\].labels\[0\]: found entities 0 and 2, expected positions of "
            "entities, below 2",
        ),
        ("[", "expected JSON"),
        ("a\tb\n", "facts:1: found 'a.tb', expected the names of head"),
    ],
)
def test_files_with_mistakes(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "facts"
    path.write_text(content)
    with pytest.raises(UsageError, match=message):
        parse(f"docred(facts={path})")
