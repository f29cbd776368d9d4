"""Relations, triggers and arguments from files in three formats to a score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

WORDS = ["Jenny", "founded", "Acme", "in", "Rome"]
METRICS = "relation,trigger,argument"

# Two relations; the system takes Rome for a GPE and the first role for the other.
RELATIONS = {
    "gold": [("owns", 0, 2), ("in", 2, 4)],
    "system": [("owns", 0, 2), ("in", 2, 4)],
}
TYPES = {"gold": "LOC", "system": "GPE"}
ROLES = {"gold": ("Agent", "Org"), "system": ("Org", "Org")}


def dygie(path: Path, side: str) -> None:
    record = {
        "doc_key": "d1",
        "sentences": [WORDS],
        "ner": [[[0, 0, "PER"], [2, 2, "ORG"], [4, 4, TYPES[side]]]],
        "relations": [[[one, one, two, two, t] for t, one, two in RELATIONS[side]]],
        "events": [
            [[[1, "Start"], *([k * 2, k * 2, r] for k, r in enumerate(ROLES[side]))]]
        ],
    }
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


def oneie(path: Path, side: str) -> None:
    types = {0: "PER", 2: "ORG", 4: TYPES[side]}
    record = {
        "doc_id": "d1",
        "sent_id": "d1-0",
        "tokens": WORDS,
        "entity_mentions": [
            {
                "id": f"e{k}",
                "entity_type": t,
                "start": k,
                "end": k + 1,
                "text": WORDS[k],
            }
            for k, t in types.items()
        ],
        "relation_mentions": [
            {
                "id": f"r{k}",
                "relation_type": label,
                "arguments": [
                    {"entity_id": f"e{one}", "role": "Arg-1"},
                    {"entity_id": f"e{two}", "role": "Arg-2"},
                ],
            }
            for k, (label, one, two) in enumerate(RELATIONS[side])
        ],
        "event_mentions": [
            {
                "id": "v0",
                "event_type": "Start",
                "trigger": {"start": 1, "end": 2, "text": "founded"},
                "arguments": [
                    {"entity_id": f"e{k * 2}", "role": role}
                    for k, role in enumerate(ROLES[side])
                ],
            }
        ],
    }
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


def brat(path: Path, side: str) -> None:
    text = " ".join(WORDS)
    types = {"Jenny": "PER", "Acme": "ORG", "Rome": TYPES[side], "founded": "Start"}
    lines, ids = [], {}
    for number, (word, label) in enumerate(types.items(), 1):
        at = text.index(word)
        ids[word] = f"T{number}"
        lines.append(f"T{number}\t{label} {at} {at + len(word)}\t{word}")
    for number, (label, one, two) in enumerate(RELATIONS[side], 1):
        arguments = f"Arg1:{ids[WORDS[one]]} Arg2:{ids[WORDS[two]]}"
        lines.append(f"R{number}\t{label} {arguments}")
    first, second = ROLES[side]
    second += "2" if first == second else ""
    filled = f"{first}:{ids['Jenny']} {second}:{ids['Acme']}"
    lines.append(f"E1\tStart:{ids['founded']} {filled}")
    path.mkdir()
    (path / "d1.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (path / "d1.txt").write_text(text, encoding="utf-8")


WRITERS = {"dygie": dygie, "oneie": oneie, "brat": brat}
WANTED = {
    "relation": {"strict": (2, 2, 1), "boundary": (2, 2, 2), "unlabeled": (2, 2, 2)},
    "trigger": {"identification": (1, 1, 1), "classification": (1, 1, 1)},
    "argument": {"identification": (2, 2, 2), "classification": (2, 2, 1)},
}


def amounts(found: Any) -> dict[str, dict[str, tuple[int, ...]]]:
    """Gold, system and matched by metric and tuple type."""
    return {
        result["metric"]: {
            tuple_type: tuple(count[name] for name in ("gold", "system", "matched"))
            for tuple_type, count in result["counts"].items()
            if tuple_type != "all"
        }
        for result in found["results"]
    }


def written(tmp_path: Path, name: str) -> list[Path]:
    paths = [tmp_path / f"{side}.{name}.jsonl" for side in ("gold", "system")]
    for path, side in zip(paths, ("gold", "system"), strict=True):
        WRITERS[name](path, side)
    return paths


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_scores(
    name: str, tmp_path: Path, run: Any
) -> None:
    found = run("score", *written(tmp_path, name), "-m", METRICS)
    assert found.code == 0, found.err
    assert amounts(found.json) == WANTED


def test_a_store_keeps_them(tmp_path: Path, run: Any) -> None:
    store = tmp_path / "runs.db"
    operands = written(tmp_path, "dygie")
    assert run("score", *operands, "-m", METRICS, "--save", store).code == 0
    sql = (
        "select metric, error_type, value, parent is not null as inside from v_errors "
        "where tuple_type in ('strict', 'classification') order by metric, error_type"
    )
    rows = [tuple(row.values()) for row in run("query", store, sql, "--jsonl").lines]
    assert rows == [
        ("argument", "missing", "Agent", 1),
        ("argument", "partial", "Start “founded”", 0),
        ("argument", "spurious", "Org", 1),
        ("relation", "missing", "in(Arg1: ORG “Acme”, Arg2: LOC “Rome”)", 0),
        ("relation", "spurious", "in(Arg1: ORG “Acme”, Arg2: GPE “Rome”)", 0),
    ]


def test_they_are_listed_with_their_formulas(run: Any) -> None:
    found = {each["name"]: each for each in run("metrics", "--jsonl").lines}
    assert found.keys() >= WANTED.keys()
    formulas = found["trigger"]["formulas"]
    assert formulas["classification"] == "F↔triggers[δ_visible_anchors × δ_label]"
    assert found["trigger"]["formulas_of"] == ""


@pytest.mark.parametrize("asked", ["gtt", "gtt(preset=gtt)", "gtt(preset=none)"])
def test_formulas_say_under_which_preset_they_hold(run: Any, asked: str) -> None:
    none = run("metrics", "gtt(preset=none)").json
    assert none["formulas_of"] == ""
    found = run("metrics", asked).json
    assert found["formulas"] == none["formulas"]
    assert "δ_text" in found["formulas"]["all"]
    table = run("metrics", asked, "--table").out
    assert ("with preset=none, as a formula:" in table) == ("none" not in asked)
    assert found["formulas_of"] == ("" if "none" in asked else "preset=none")
    assert "whose number the default is: GTT's eval.py" in table
