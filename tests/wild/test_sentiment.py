"""Opinions of published files, against the counts of the task's own script."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import graphscore
from graphscore.evaluation.options import Options
from graphscore.metrics.sentiment.sentiment import Sentiment
from graphscore.model.graph import Graph
from graphscore.structures import nodes_of
from tests.wild import GRAPHS, expected, graphs_of, needs_wild

pytestmark = needs_wild

CASES: dict[str, dict[str, Any]] = {
    name: each
    for name, each in expected(GRAPHS).items()
    if name.startswith("sentiment.")
}

SIDES = [(name, side) for name in CASES for side in ("gold", "system")]

SCORES = {
    "with polarity, weighted": Sentiment(),
    "with polarity, unweighted": Sentiment(weighted=False),
    "without polarity, weighted": Sentiment("ignored"),
    "without polarity, unweighted": Sentiment("ignored", False),
}

SPANS = {"targeted": "target_and_polarity"}


@lru_cache
def graphs(path: Path) -> list[Graph]:
    return graphs_of(path, "sentiment")


def labelled(graph: Graph, role: str) -> int:
    return sum(edge.label == role for edge in graph.edges)


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_nothing_is_lost(name: str, side: str) -> None:
    case = CASES[name]
    found, wanted = graphs(GRAPHS / case[side]), case[f"{side}_counts"]
    opinions = [node for graph in found for node in nodes_of(graph, "opinion")]
    assert len(found) == wanted["sentences"]
    assert len(opinions) == wanted["opinions"]
    for role in ("holder", "target"):
        every = sum(labelled(graph, role) for graph in found)
        assert every == wanted[f"{role}s"]
    assert sum(bool(node.anchors) for node in opinions) == wanted["expressions"]
    several = sum(len(node.anchors) > 1 for graph in found for node in graph.nodes)
    assert several == wanted["discontinuous_spans"]
    assert Counter(node.label for node in opinions) == wanted["polarity"]
    assert not any(
        name in ("text", "written")
        for graph in found
        for node in graph.nodes
        for name, _ in node.properties
    )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("score", SCORES)
def test_scores_are_those_of_the_script(name: str, score: str) -> None:
    case, metric = CASES[name], SCORES[score]
    sides = (graphs(GRAPHS / case[side]) for side in ("gold", "system"))
    result = graphscore.score(*sides, metric)
    count, wanted = result.counts["all"], case["sentiment_tuple"][score]
    assert count[:2] == (case["tuples"]["gold"], case["tuples"]["system"])
    for ratio in ("precision", "recall", "f1"):
        assert getattr(count, ratio) == pytest.approx(wanted[ratio], rel=1e-12)
    if not metric.weighted:
        assert count.matched == wanted["gold_tuples_that_match"]
        assert count.correct_system == wanted["system_tuples_that_match"]
    for part in ("holder", "target", "expression", "targeted"):
        own = case["spans"][SPANS.get(part, part)]
        matched = own["gold"], own["system"], own["matched"]
        assert result.counts[part][:3] == matched


@pytest.mark.parametrize("name", CASES)
def test_sentences_are_those_of_the_script(name: str) -> None:
    case = CASES[name]
    sides = (graphs(GRAPHS / case[side]) for side in ("gold", "system"))
    options = Options(per_item=True)
    found = {}
    for each in graphscore.score(*sides, Sentiment(), options=options).items:
        count = Sentiment().scores(each.raw_counts).counts["all"]
        if count.gold or count.system:
            weighted = [count.correct_system, count.matched]
            found[each.item] = pytest.approx([count.gold, count.system, *weighted])
    assert case.get("items", found) == found
