"""UCCA XML against the same annotation in MRP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.formats import ReaderOptions, ReadGraph, read_file, write_graphs
from graphscore.formats.raw_text import Texts, read_texts
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from tests.conftest import CONFORMANCE

NATIVE = CONFORMANCE / "mrp" / "native" / "ucca"
WSJ = id_rule("wsj")


def passages() -> list[Any]:
    found = [pytest.param(path, id=path.stem) for path in sorted(NATIVE.glob("*.xml"))]
    return found or [pytest.param(None, marks=pytest.mark.skip(reason="no data"))]


def graph_of(path: Path, texts: Texts | None = None) -> Graph:
    [record] = read_file(str(path), ReaderOptions(texts=texts))
    assert isinstance(record, ReadGraph)
    return record.graph


@pytest.fixture(scope="module")
def twins(conformance: Path) -> dict[str, Graph]:
    path = str(conformance / "mrp" / "gold" / "ucca.mrp")
    records = [each for each in read_file(path) if isinstance(each, ReadGraph)]
    return {WSJ(each.graph.id): each.graph for each in records}


def test_all_passages_are_there(conformance: Path) -> None:
    expected = json.loads(
        (conformance / "mrp" / "expected" / "native.json").read_text()
    )
    assert len(passages()) == expected["ucca/*.xml"]["passages"]


@pytest.fixture(scope="module")
def texts(conformance: Path) -> Texts:
    return read_texts(str(conformance / "mrp" / "native" / "wsj.txt"))


@pytest.mark.parametrize("path", passages())
def test_nodes_and_edges_are_those_of_the_mrp_twin(
    path: Path, twins: dict[str, Graph], texts: Texts
) -> None:
    twin = twins.get(WSJ(graph_of(path).id))
    if twin is None:
        pytest.skip("this passage is not in the MRP file")
    graph = graph_of(path, texts)
    assert graph.text == twin.text
    metric = parse("mrp")
    sides = (metric.prepare(twin),), (metric.prepare(graph),)
    counts = metric.scores(metric.compare(*sides, budget=Budget()).raw_counts).counts
    for tuple_type, count in counts.items():
        assert count.gold == count.system == count.matched, tuple_type
    assert counts["anchors"].gold == sum(bool(node.anchors) for node in twin.nodes)


def test_all_but_two_passages_have_a_twin(twins: dict[str, Graph]) -> None:
    ids = {WSJ(graph_of(path).id) for path in NATIVE.glob("*.xml")}
    assert ids - twins.keys() == {"wsj_0002.1", "wsj_0003.4"}


@pytest.mark.parametrize("path", passages())
def test_passages_are_written_as_they_were(path: Path, tmp_path: Path) -> None:
    graph = graph_of(path)
    copy = tmp_path / path.name
    copy.write_bytes(b"".join(write_graphs([graph], "ucca")))
    assert graph_of(copy) == graph


def test_mrp_survives_the_way_through_xml(
    twins: dict[str, Graph], tmp_path: Path
) -> None:
    metric = parse("mrp")
    for twin in twins.values():
        copy = tmp_path / f"{twin.id}.xml"
        copy.write_bytes(b"".join(write_graphs([twin], "ucca")))
        back = graph_of(copy)
        assert back.text == twin.text
        sides = (metric.prepare(twin),), (metric.prepare(back),)
        counts = metric.scores(
            metric.compare(*sides, budget=Budget()).raw_counts
        ).counts
        assert counts["all"].gold == counts["all"].system == counts["all"].matched
