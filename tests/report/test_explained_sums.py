"""The numbers of an explanation add up to the score, as its first line says they do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import graphscore
from graphscore import Graph, GraphscoreError
from graphscore.evaluation.options import Options
from graphscore.formats import ReadGraph, read_file
from graphscore.metrics.base import unit_of
from graphscore.metrics.registry import metrics, parse
from graphscore.report.explanation.explanation import Explanation
from graphscore.report.explanation.trees import Branch

DATA = Path(__file__).parents[2] / "data"

PAIRS = [
    ("gold.mrp", "birch.mrp"),
    ("coreference/key.conll", "coreference/response.conll"),
    ("discourse/gold.clf", "discourse/parser.clf"),
    ("umr/gold.umr", "umr/parser.umr"),
    ("dependencies/gold.conllu", "dependencies/parser.conllu"),
    ("ner/gold.iob2", "ner/tagger.iob2"),
    ("ner/radio.ne", "ner/radio.ne"),
    ("ie/abstracts.jsonl", "ie/abstracts.predicted.jsonl"),
    ("ie/incidents.jsonl", "ie/incidents.predicted.json"),
    ("ie/wire.json", "ie/wire.predicted.json"),
    ("sentiment/reviews.json", "sentiment/reviews.predicted.json"),
    ("srl/market.conll09", "srl/labeller.conll09"),
]

FEW = 2
"""Items of a file that are explained."""

APART = {"neleval", "surface"}
"""Metrics of whole collections, no item of which can be explained."""

ELSEWHERE = {"elas", "eulas"}
"""Metrics that want a framework of which there is no pair here."""


@cache
def _graphs(name: str) -> list[Graph]:
    records = read_file(str(DATA / name))
    return [each.graph for each in records if isinstance(each, ReadGraph)]


def _explained(name: str) -> Iterator[Explanation]:
    metric = parse(name)
    for gold, system in PAIRS:
        options = Options(per_item=True, ids="muc4" if "incidents" in gold else None)
        sides = _graphs(gold), _graphs(system)
        try:
            result = graphscore.score(*sides, metric=name, options=options)
        except GraphscoreError:
            continue  # Another framework's.
        by_document = unit_of(metric) == "document"
        units = {each.document if by_document else each.item for each in result.items}
        for unit in sorted(units)[:FEW]:
            yield from graphscore.explain(*sides, unit, name, options=options)


def _every(branch: Branch) -> float:
    return (branch.credit or 0) + sum(map(_every, branch.parts))


def _adds_up(found: Explanation) -> None:
    counts, numbers = found.scores.counts, found.scores.numbers
    for tree in found.trees:
        outer = sum(each.credit or 0 for each in tree.branches)
        count = counts[tree.tuple_type or found.metric.main]
        amounts = {"precision": count.correct_system, "recall": count.matched}
        said = re.fullmatch("(the outermost|all) numbers add up to .*", tree.said)
        if tree.formula:
            # Of a harmonic mean there is a tree for either half.
            half = tree.said.partition(" ")[0]
            wanted = [amounts[half]] if half in amounts else [*amounts.values()]
            assert any(math.isclose(outer, each, abs_tol=1e-9) for each in wanted)
        elif said is not None:
            every = sum(map(_every, tree.branches))
            total = outer if said[1] == "the outermost" else every
            wanted = [*amounts.values()]
            assert any(math.isclose(total, each, abs_tol=1e-9) for each in wanted)
        else:
            assert "slots" in tree.said
            lost = numbers["slots"] - outer + numbers["insertions"]
            assert math.isclose(lost, numbers["errors"], abs_tol=1e-9)
            assert math.isclose(found.value, lost / numbers["slots"])


@pytest.mark.parametrize("name", sorted({*metrics()} - APART - ELSEWHERE))
def test_numbers_add_up(name: str) -> None:
    seen = 0
    for found in _explained(name):
        _adds_up(found)
        seen += 1
    assert seen
