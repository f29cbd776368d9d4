"""Spans that differ in white space alone: equal, or said to count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import graphscore

TEXT = " Tom Oak came home"
GOLD = {"text": TEXT, "spans": [{"start": 1, "end": 8, "label": "PER"}]}


def score(folder: Path, start: int, end: int, metric: str) -> graphscore.Result:
    system = {"text": TEXT, "spans": [{"start": start, "end": end, "label": "PER"}]}
    files = []
    for name, record in (("gold", GOLD), ("system", system)):
        files.append(folder / f"{name}.jsonl")
        files[-1].write_text(json.dumps(record) + "\n", encoding="utf-8")
    return graphscore.score(str(files[0]), str(files[1]), metric)


@pytest.mark.parametrize("metric", ["ser", "err", "neleval", "surface"])
def test_metrics_over_offsets_say_that_white_space_counts(
    tmp_path: Path, metric: str
) -> None:
    """Their programs compare offsets, or strings as they stand."""
    [note] = score(tmp_path, 0, 8, metric).notes
    assert note == (
        f"{metric}: white space alone tells 1 span of the system from gold's, and "
        "counts here; ner leaves it aside"
    )
    assert not score(tmp_path, 1, 8, metric).notes
    assert not score(tmp_path, 1, 4, metric).notes


def test_white_space_is_left_aside_by_default(tmp_path: Path) -> None:
    assert score(tmp_path, 0, 8, "ner").f1 == 1
    assert score(tmp_path, 0, 8, "ner(spans=offsets)").f1 == 0
