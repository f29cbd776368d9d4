"""The counts of UD eval.py on a treebank and two disturbed copies of it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.base import covers
from graphscore.metrics.registry import parse
from graphscore.model.outcome import count_of

FORMAT = format_named("conllu")

SCORES = {
    "Tokens": ("segmentation", "tokens"),
    "Sentences": ("segmentation", "sentences"),
    "Words": ("segmentation", "words"),
    "UPOS": ("tagging", "upos"),
    "XPOS": ("tagging", "xpos"),
    "UFeats": ("tagging", "ufeats"),
    "AllTags": ("tagging", "alltags"),
    "Lemmas": ("tagging", "lemmas"),
    "UAS": ("uas", "all"),
    "LAS": ("las", "all"),
    "CLAS": ("clas", "all"),
    "MLAS": ("mlas", "all"),
    "BLEX": ("blex", "all"),
    "ELAS": ("elas", "all"),
    "EULAS": ("eulas", "all"),
}
"""What the program calls a score, and the metric and tuple type that give it."""

METRICS = sorted({metric for metric, _ in SCORES.values()})

ROWS = {
    score: name if tuple_type == "all" else tuple_type
    for score, (name, tuple_type) in SCORES.items()
    if name not in ("elas", "eulas")
}
"""What the program calls a score, and the tuple type of ``udeval``."""

FILES = ("gold", "system", "resegmented")


def expected(conformance: Path, system: str) -> dict[str, list[Any]]:
    found = json.loads((conformance / "dependency" / "expected.json").read_text())
    part = found if system == "system" else found[system]
    assert part["system"] == f"ewt300.{system}.conllu"
    return dict(part["counts"])


def path(conformance: Path, name: str) -> str:
    return str(conformance / "dependency" / f"ewt300.{name}.conllu")


@pytest.mark.parametrize("preset", ["none", "udtools"])
@pytest.mark.parametrize("system", ["system", "resegmented"])
def test_files_give_the_counts_of_the_reference(
    conformance: Path, system: str, preset: str
) -> None:
    answers = expected(conformance, system)
    assert answers.keys() == SCORES.keys()
    chosen = [parse(f"{name}(preset={preset})") for name in (*METRICS, "udeval")]
    gold = path(conformance, "gold")
    results = score_files(gold, path(conformance, system), chosen)
    found = {result.metric.name: result for result in results}
    for score, (metric, tuple_type) in SCORES.items():
        check(score, found[metric], tuple_type, answers[score])
    assert tuple(ROWS.values()) == found["udeval"].metric.tuple_types
    for score, tuple_type in ROWS.items():
        check(score, found["udeval"], tuple_type, answers[score])


def check(score: str, result: Result, tuple_type: str, answer: list[Any]) -> None:
    assert (result.missing_system, result.unproven, result.rejected) == (0, 0, [])
    # The files hold 25 documents; their raw counts add up to those of the whole.
    assert result.pairs == 25
    count = result.counts[tuple_type]
    correct, gold, system, aligned = answer
    assert (count.matched, count.gold, count.system) == (correct, gold, system), score
    if aligned is not None and score != "Words":
        name = (
            "aligned_accuracy"
            if tuple_type == "all"
            else f"{tuple_type}.aligned_accuracy"
        )
        assert result.scores.numbers[name] == correct / aligned, score


@pytest.mark.parametrize("system", ["system", "resegmented"])
def test_a_file_can_be_one_document(conformance: Path, system: str) -> None:
    sides = {
        name: [
            record.graph
            for record in FORMAT.read(io.BytesIO(Path(p).read_bytes()), p)
            if isinstance(record, ReadGraph)
        ]
        for name in ("gold", system)
        for p in [path(conformance, name)]
    }
    for score, (name, tuple_type) in SCORES.items():
        metric = parse(name)
        prepared = [
            [metric.prepare(graph) for graph in side if covers(metric, graph.framework)]
            for side in sides.values()
        ]
        [gold, other] = prepared
        outcome = metric.compare(gold, other, budget=Budget())
        count = count_of(outcome.raw_counts, tuple_type)
        answer = expected(conformance, system)[score]
        assert [count.matched, count.gold, count.system] == answer[:3], score
        assert outcome.method == "aligned"
        missing = [
            e
            for e in outcome.errors
            if (e.tuple_type, e.error_type) == (tuple_type, "missing")
        ]
        spurious = [
            e
            for e in outcome.errors
            if (e.tuple_type, e.error_type) == (tuple_type, "spurious")
        ]
        assert len(missing) == count.gold - count.matched
        assert len(spurious) == count.system - count.matched


@pytest.mark.parametrize("name", FILES)
def test_real_files_come_out_as_they_went_in(conformance: Path, name: str) -> None:
    data = Path(path(conformance, name)).read_bytes()
    records = list(FORMAT.read(io.BytesIO(data), name))
    graphs = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(graphs) == len(records)
    assert FORMAT.write is not None
    assert b"".join(FORMAT.write(graphs)) == data
