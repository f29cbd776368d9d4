"""Box notation as it is published, and its graphs beside those of ud-boxer."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {name: each for name, each in expected(GRAPHS).items() if name[:4] == "sbn."}

FORMAT = format_named("sbn")

TWICE = {
    "p11/d1813": (51, 53, 39),
    "p81/d2490": (57, 71, 40),
    "p71/d0816": (34, 34, 30),
}
"""Documents with two roles between the same two nodes: ud-boxer keeps one of them."""


@lru_cache(maxsize=32)
def read(path: str) -> list[ReadGraph]:
    data = (GRAPHS / path).read_bytes()
    records = list(FORMAT.read(io.BytesIO(data), path))
    found = [each for each in records if isinstance(each, ReadGraph)]
    assert len(found) == len(records)
    return found


def side(case: dict[str, Any], name: str) -> list[ReadGraph]:
    if "files" not in case:
        return read(case[name])
    ending = "gold" if name == "gold" else "r30"
    return [
        record
        for path in case["files"]
        for record in read(path.replace("{gold,r30}", ending))
    ]


def pairs(case: dict[str, Any]) -> list[tuple[str, Graph, Graph]]:
    """Documents that ud-boxer takes on both sides, by their names there."""
    refused = {name for name, _ in case["refused_by_ud_boxer"]}
    named = case["gold"].endswith("eval_tool.gold.txt") if "gold" in case else False
    found = []
    for place, (gold, system) in enumerate(
        zip(side(case, "gold"), side(case, "system"), strict=True)
    ):
        name = str(place) if named else gold.graph.id
        if name not in refused:
            found.append((name, gold.graph, system.graph))
    return found


def shared(metric: str, gold: Graph, system: Graph) -> tuple[int, int, int]:
    found = parse(metric)
    outcome = found.compare(
        [found.prepare(gold)], [found.prepare(system)], budget=Budget()
    )
    assert outcome.proven
    count = found.scores(outcome.raw_counts).counts["all"]
    return int(count.gold), int(count.system), int(count.matched)


@pytest.mark.parametrize("name", CASES)
def test_every_document_is_read(name: str) -> None:
    case = CASES[name]
    graphs = [record.graph for record in side(case, "gold")]
    wanted = case["gold_counts"]
    assert len(graphs) == wanted["graphs"]
    assert sum(len(graph.edges) for graph in graphs) == wanted["edges"]
    whole = [r.graph for r in side(case, "gold") if not r.left_out]
    broken = sum(bool(r.left_out) for r in side(case, "gold"))
    assert broken == {"sbn.seq2seq_en": 2, "sbn.seq2seq_de": 1}.get(name, 0)
    if not broken:
        assert sum(len(graph.nodes) for graph in whole) == wanted["nodes"]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    ("metric", "tuple_type"),
    [
        ("smatch", "with_sense_numbers"),
        ("smatch(senses=ignored)", "without_sense_numbers"),
    ],
)
def test_triples_are_those_of_ud_boxer(name: str, metric: str, tuple_type: str) -> None:
    case = CASES[name]
    found = {item: shared(metric, gold, system) for item, gold, system in pairs(case)}
    assert len(found) == case["ud_boxer"]["pairs"]
    wanted = case["ud_boxer"][tuple_type]["smatch_1_0_4"]
    more = 1 if name == "sbn.seq2seq_en" else 0
    total = [sum(each) for each in zip(*found.values(), strict=True)]
    assert total == [
        wanted["gold"] + more,
        # One of the three documents has the role twice on the gold side too.
        wanted["system"] + 3 * more,
        wanted["matched"] + more,
    ]
    if metric == "smatch":
        for item, triple in found.items():
            assert triple == TWICE.get(item, tuple(case["items"][item]))


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_reads_the_same(name: str) -> None:
    assert FORMAT.write is not None
    for which in ("gold", "system"):
        for record in side(CASES[name], which):
            data = b"".join(FORMAT.write([record.graph]))
            [again] = FORMAT.read(io.BytesIO(data), "again")
            assert isinstance(again, ReadGraph)
            assert again.graph == record.graph
