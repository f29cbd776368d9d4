"""The counts of UD eval.py on published treebanks, a parser's output among them."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.store import Store
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from tests.conformance.test_dependency import METRICS, SCORES
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {name: each for name, each in expected(GRAPHS).items() if name[:3] == "ud."}

ENHANCED = ("elas", "eulas")

REPEATED = {("ud.fi_tdt_dev.r12", "EULAS"): 1}
"""Edges that eval.py counts twice, as two of one word are alike without subtypes."""


@lru_cache(maxsize=1)
def scored(name: str, preset: str) -> dict[str, Result]:
    """Results of all metrics, by name."""
    case = CASES[name]
    chosen = [
        parse(each + (f"(preset={preset})" if preset else "")) for each in METRICS
    ]
    options = Options(budget=Budget(), per_item=False)
    gold, system = (str(GRAPHS / case[side]) for side in ("gold", "system"))
    results = score_files(gold, system, chosen, options)
    return {result.metric.name: result for result in results}


@pytest.mark.parametrize("preset", ["", "udtools"])
@pytest.mark.parametrize("name", CASES)
def test_counts_are_those_of_the_program(name: str, preset: str) -> None:
    case, found = CASES[name], scored(name, preset)
    for score, answer in case["counts"].items():
        metric, tuple_type = SCORES[score]
        count = found[metric].counts[tuple_type]
        correct = answer["correct"] - (not preset) * REPEATED.get((name, score), 0)
        wanted = (correct, answer["gold"], answer["system"])
        assert (count.matched, count.gold, count.system) == wanted, score
        if "aligned" in answer and score != "Words":
            ratio = (
                "aligned_accuracy"
                if tuple_type == "all"
                else f"{tuple_type}.aligned_accuracy"
            )
            accuracy = found[metric].scores.numbers[ratio]
            assert accuracy == answer["correct"] / answer["aligned"], score


@pytest.mark.parametrize("name", CASES)
def test_what_a_side_lacks_stops_nothing(name: str) -> None:
    case, found = CASES[name], scored(name, "")
    for result in found.values():
        assert (result.rejected, result.spurious_system, result.unproven) == ([], [], 0)
    for metric in ENHANCED:
        result = found[metric]
        if "ELAS" not in case["counts"]:
            assert (result.pairs, result.counts, result.main) == (0, {}, None)
        else:
            said = any("no eud graphs at all" in note for note in result.notes)
            assert said == (not case["system_counts"]["enhanced_edges"])


def test_documents_of_one_side_are_joined() -> None:
    result = scored("ud.cs_pud.udpipe", "")["las"]
    assert (result.pairs, result.missing_system) == (1, 0)
    assert result.notes[0].endswith("397 of gold and 1 of the system are scored as 1")


def test_a_store_gives_the_same(tmp_path: Path) -> None:
    case = CASES["ud.cs_pud.udpipe"]
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        for side in ("gold", "system"):
            store.ingest(str(GRAPHS / case[side]), side)
        metrics = [parse("las"), parse("elas")]
        first = store.score("gold", "system", metrics)
        again = store.score("gold", "system", metrics)
    assert [each.reused for each in again] == [1, 397]
    for found in (first, again):
        for result in found:
            other = scored("ud.cs_pud.udpipe", "")[result.metric.name]
            assert result.counts == other.counts
            assert result.pairs == other.pairs


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_lost(name: str, side: str) -> None:
    case: dict[str, Any] = CASES[name]
    data = (GRAPHS / case[side]).read_bytes()
    form = format_named("conllu")
    records: list[Record] = list(form.read(io.BytesIO(data), case[side]))
    graphs = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(graphs) == len(records)
    trees = [graph for graph in graphs if graph.framework == "ud"]
    enhanced = [graph for graph in graphs if graph.framework == "eud"]
    marks = [dict(node.properties) for graph in trees for node in graph.nodes]
    multiword = sum("multiword" in each for each in marks)
    covered = sum(int(each["multiword"]) for each in marks if "multiword" in each)
    words = len(marks) - multiword
    counts = case[f"{side}_counts"]
    assert len(trees) == counts["sentences"]
    assert words == counts["words"] == counts["basic_edges"]
    assert multiword == counts["multiword_tokens"]
    assert words - covered + multiword == counts["tokens"]
    edges = sum(len(graph.edges) + len(graph.tops) for graph in enhanced)
    assert edges == counts["enhanced_edges"]
    if enhanced:
        empty = sum(
            "empty" in dict(node.properties)
            for graph in enhanced
            for node in graph.nodes
        )
        assert empty == counts["empty_nodes"]
    assert form.write is not None
    assert b"".join(form.write(graphs)) == data
