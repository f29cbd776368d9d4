"""UMR as it is published: all that stands in it, and AnCast's scores."""

from __future__ import annotations

import io
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named, formats
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome, count_of
from graphscore.structures.documents import level_of
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {name: each for name, each in expected(GRAPHS).items() if name[:4] == "umr."}

COUNTS = {
    each[side]: each[f"{side}_counts"]
    for each in CASES.values()
    for side in ("gold", "system")
}

ONE_TIME = {"umr/ln94205_73.gold.umr", "umr/ln94205_73.release22.umr"}
"""Files with ``:time 0:00``: one attribute, as AnCast has it, which penman takes for
``:time 0`` and a role ``:00`` of nothing."""


@lru_cache(maxsize=32)
def read(path: str) -> tuple[Graph, ...]:
    data = (GRAPHS / path).read_bytes()
    records = list(format_named("umr").read(io.BytesIO(data), path))
    assert all(isinstance(each, ReadGraph) and not each.left_out for each in records)
    return tuple(each.graph for each in records if isinstance(each, ReadGraph))


@pytest.mark.parametrize("path", COUNTS)
def test_counts(path: str) -> None:
    *sentences, document = read(path)
    nodes = [node for each in sentences for node in each.nodes]
    levels = [
        (level, edge.label)
        for edge in document.edges
        if (level := level_of(edge.attributes)[0])
    ]
    kept = [dict(node.extra) for node in nodes]
    lines = [each["aligned"] for each in kept if "aligned" in each]
    lines += [
        line.partition(":")[2].strip()
        for each in sentences
        for line in each.extra.get("alignment", [])
    ]
    found = {
        "sentences": len(sentences),
        "sentence_graphs": len(sentences),
        "empty_graphs": sum(not each.nodes for each in sentences),
        "graphs_refused_by_penman": 0,
        "nodes": len(nodes),
        "edges": sum(len(each.edges) for each in sentences),
        "attributes": sum(len(node.properties) for node in nodes) + (path in ONE_TIME),
        "alignment_lines": len(lines),
        "alignment_lines_unaligned": sum(line in ("0-0", "-1--1") for line in lines),
        "document_level_triples": len(levels),
        "relations": {f"{a} {b}": n for (a, b), n in Counter(levels).items()},
    }
    for level in ("temporal", "modal", "coref"):
        found[f"triples_{level}"] = sum(each == level for each, _ in levels)
    assert found == COUNTS[path]
    # The document has its sentences whole.
    edges = sum(len(each.edges) for each in sentences)
    assert sum(not edge.attributes for edge in document.edges) == edges


SCORES = {
    "sent": "lr",
    **{level: level for level in ("modal", "temporal", "coref")},
    **{reading: reading for reading in ("ulr", "wlr")},
}
"""Tuple types and readings, by what AnCast calls their sums."""


def found(case: dict[str, Any], metric: Metric) -> Outcome:
    gold, system = ((metric.prepare(read(case[s])[-1]),) for s in ("gold", "system"))
    return metric.compare(gold, system, budget=Budget(), details=False)


@pytest.mark.parametrize("name", CASES)
def test_ancast(name: str) -> None:
    case, metric = CASES[name], parse("ancast")
    outcome = found(case, metric)
    for tuple_type, theirs in SCORES.items():
        count = count_of(outcome.raw_counts, tuple_type)
        sides = case["ancast"][theirs]
        assert [count.correct_system, count.system] == close(sides["precision"]), (
            tuple_type
        )
        assert [count.matched, count.gold] == close(sides["recall"]), tuple_type
    numbers = metric.scores(outcome.raw_counts).numbers
    for score, value in case["ancast"]["fscore"].items():
        assert numbers[score] == close(value), score


@pytest.mark.parametrize("name", CASES)
def test_a_best_map_is_never_worse(name: str) -> None:
    best, greedy = (
        found(CASES[name], parse(reading)) for reading in ("ancast(map=best)", "ancast")
    )
    assert best.proven
    assert best.score == close(best.bound)
    assert best.score >= greedy.score - 1e-9
    same = ("sent", "", "gold"), ("sent", "", "system")
    assert all(best.raw_counts[key] == greedy.raw_counts[key] for key in same)


SMATCH = {
    "umr.english_doc1.r10": (1293, 1293, 1234),
    "umr.english_doc1.converted": (1293, 1250, 347),
    "umr.english_doc3.r35": (287, 287, 243),
    "umr.ln94210_111.converted": (766, 551, 321),
    "umr.pdtsc_093.converted": (756, 388, 214),
}
"""Gold, system and matched of smatch.py 1.0.4 (five climbs), sentence by sentence."""


@pytest.mark.parametrize("name", SMATCH)
def test_smatch_of_sentences(name: str) -> None:
    metric = parse("smatch")
    gold, system = (read(CASES[name][side])[:-1] for side in ("gold", "system"))
    total = [0.0, 0.0, 0.0]
    for one, two in zip(gold, system, strict=False):
        sides = (metric.prepare(one),), (metric.prepare(two),)
        outcome = metric.compare(*sides, budget=Budget(), details=False)
        assert outcome.proven
        count = metric.scores(outcome.raw_counts).counts["all"]
        total = [a + b for a, b in zip(total, count[:3], strict=True)]
    *sizes, climbed = SMATCH[name]
    assert total[:2] == sizes
    # What a climb finds is a lower bound.
    assert climbed <= total[2] <= climbed + 1


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("path", COUNTS)
def test_round_trip(path: str) -> None:
    given = read(path)
    write = formats()["umr"].write
    assert write is not None
    data = io.BytesIO(b"".join(write(given)))
    again = [
        each.graph
        for each in format_named("umr").read(data, "again")
        if isinstance(each, ReadGraph)
    ]
    assert [each.digest() for each in again] == [each.digest() for each in given]
