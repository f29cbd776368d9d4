"""Clauses of the Parallel Meaning Bank, gold and as Boxer wrote them."""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest
from msgspec import structs

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.evaluation.scoring import score_files
from graphscore.exceptions import PairingError
from graphscore.formats import write_graphs
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {name: each for name, each in expected(GRAPHS).items() if name[:4] == "drs."}

SIDES = [(name, side) for name in CASES for side in ("gold", "system")]

FORMAT = format_named("drg")

BY_ORDER = ("drs.pmb22_dev.boxer", "drs.pmb21_dev.boxer")
"""Cases in which ids of the system are those of its run, or none."""


@lru_cache(maxsize=2)
def read(path: Path) -> list[Graph]:
    records = list(FORMAT.read(io.BytesIO(path.read_bytes()), path.name))
    graphs = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(graphs) == len(records)
    return graphs


def tuple_type(words: list[str]) -> str:
    if words[1] == "REF":
        return "ref"
    if re.fullmatch(r'"[a-z]\.\d+"', words[2]):
        return "concepts"
    return "operators" if words[1].isupper() else "roles"


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_no_clause_is_lost(name: str, side: str) -> None:
    case = CASES[name]
    graphs = read(GRAPHS / case[side])
    lines = [
        str(line).partition("%")
        for graph in graphs
        for node in graph.nodes
        for _, line in dict(node.extra).get("clauses", ())
    ]
    found = Counter(tuple_type(clause.split()) for clause, _, _ in lines)
    # Comments that begin in the first column are not counted there.
    others = [
        str(line)
        for graph in graphs
        for node in graph.nodes
        for _, line in dict(node.extra).get("lines", ())
    ]
    tokens = sum("[" in comment for _, _, comment in lines)
    tokens += sum("[" in line and line[0] != "%" for line in others)
    wanted = case[f"{side}_counts"]
    assert len(graphs) == wanted["drs"]
    assert len(lines) == wanted["clauses"]
    assert found == {each: wanted[each] for each in found}
    assert tokens == wanted["token_comments"]
    # Records for which Boxer failed have their ids in another line of the header.
    failed = sum("Adding dummy DRS for doc" in line for line in others)
    ids = {graph.id for graph in graphs if graph.id}
    assert len(ids) == wanted["distinct_ids"] + failed


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_what_was_read_is_written(name: str, side: str) -> None:
    path = GRAPHS / CASES[name][side]
    assert FORMAT.write is not None
    found = b"".join(FORMAT.write(read(path)))
    # There may be blanks in the lines between records.
    assert found.split(b"\n\n") == [
        *(each.rstrip() for each in re.split(rb"\n\s*\n", path.read_bytes().rstrip())),
        b"",
    ]


@pytest.mark.parametrize("name", CASES)
def test_every_record_has_its_counterpart(name: str) -> None:
    gold, system = (str(GRAPHS / CASES[name][side]) for side in ("gold", "system"))
    metrics = [parse("mrp"), parse("mrp(anchors=keep)")]
    options = Options()
    if name in BY_ORDER:
        with pytest.raises(PairingError, match="--pair order"):
            score_files(gold, system, metrics)
        options = Options(pair="order")
    plain, anchored = score_files(gold, system, metrics, options)
    assert plain.pairs == CASES[name]["gold_counts"]["drs"]
    assert (plain.missing_system, plain.spurious_system, plain.rejected) == (0, [], [])
    assert plain.counts["anchors"][:3] == (0, 0, 0)
    # The texts of both sides differ where tokens were lost: only anchors know.
    assert not any("the text differs" in note for note in plain.notes)
    commented = CASES[name]["gold_counts"]["token_comments"] > 0
    assert (anchored.counts["anchors"].gold > 0) == commented


@pytest.mark.parametrize("name", CASES)
def test_clauses_go_through_mrp_and_come_back(name: str) -> None:
    """Written anew from the graph alone: nothing of the file is kept on the way."""
    metric = parse("counter")
    graphs = read(GRAPHS / CASES[name]["gold"])[::4]
    lines = b"".join(write_graphs(graphs, "mrp"))
    again = [
        structs.replace(
            record.graph,
            nodes=tuple(structs.replace(node, extra=()) for node in record.graph.nodes),
        )
        for record in format_named("mrp").read(io.BytesIO(lines), "a.mrp")
        if isinstance(record, ReadGraph)
    ]
    clauses = b"".join(write_graphs(again, "drg"))
    records = FORMAT.read(io.BytesIO(clauses), "a.clf")
    found = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(found) == len(graphs)
    for before, after in zip(graphs, found, strict=True):
        sides = [metric.prepare(before)], [metric.prepare(after)]
        outcome = metric.compare(*sides, budget=Budget())
        count = metric.scores(outcome.raw_counts).counts["all"]
        assert count.gold == count.system == count.matched > 0
