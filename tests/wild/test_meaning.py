"""Meaning representations as published: AMR, EDS and UCCA, read and scored."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.scoring import score_files
from graphscore.formats import expand, read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import count_of
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = expected(GRAPHS)

AMR = [name for name in CASES if name[:4] == "amr."]
EDS = [name for name in CASES if name in ("eds.edm_test", "eds.wsj_pet")]
EDM = [*EDS, *(name for name in CASES if name == "eds.dmrs")]
UCCA = [name for name in CASES if name[:5] == "ucca."]

SIDES = ("gold", "system")

WEIGHTS = {
    "names": "name_weight",
    "arguments": "argument_weight",
    "properties": "property_weight",
    "constants": "constant_weight",
    "tops": "top_weight",
}
"""The weights of ``edm``, and what PyDelphin calls them."""


@lru_cache(maxsize=4)
def graphs(path: Path) -> list[Graph]:
    """The graphs of a file, or of all files of a folder; none may be bad."""
    records = [each for file in expand(str(path)) for each in read_file(file)]
    found = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(found) == len(records)
    return found


def amounts(found: list[Graph]) -> tuple[int, int, int, int]:
    nodes = [node for graph in found for node in graph.nodes]
    edges = sum(len(graph.edges) for graph in found)
    return len(found), len(nodes), edges, sum(len(node.properties) for node in nodes)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", AMR)
def test_amr_is_read_completely(name: str, side: str) -> None:
    wanted = CASES[name][f"{side}_counts"]
    assert amounts(graphs(GRAPHS / CASES[name][side])) == (
        *(wanted["graphs"], wanted["nodes"]),
        *(wanted["edges"], wanted["attributes"]),
    )


def test_amr_without_ids_pairs_by_position() -> None:
    case = CASES["amr.ufal_latin"]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    [result] = score_files(gold, system, [parse("smatch")])
    assert (result.pairs, result.missing_system, result.spurious_system) == (50, 0, [])
    assert result.counts["all"].matched == case["optimum"]["total_matched"]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", EDS)
def test_eds_is_read_completely(name: str, side: str) -> None:
    wanted = CASES[name][f"{side}_counts"]
    properties = wanted["properties"] + wanted["constants"]
    assert amounts(graphs(GRAPHS / CASES[name][side])) == (
        *(wanted["graphs"], wanted["nodes"]),
        *(wanted["edges"], properties),
    )


def repeated(name: str) -> dict[str, tuple[int, int, int]]:
    """Tuples that PyDelphin counts again, as it counts in multisets."""
    found = {
        tuple_type: [0, 0, 0] for tuple_type in ("names", "arguments", "properties")
    }
    sides = (graphs(GRAPHS / CASES[name][side]) for side in SIDES)
    for pair in zip(*sides, strict=True):
        for tuple_type, amounts in found.items():
            gold, system = (_tuples(graph, tuple_type) for graph in pair)
            both = (gold, system, gold & system)
            for place, each in enumerate(both):
                amounts[place] += each.total() - len(each)
    return {tuple_type: (a, b, c) for tuple_type, (a, b, c) in found.items()}


def _tuples(graph: Graph, tuple_type: str) -> Counter[Any]:
    nodes = {node.id: node for node in graph.nodes}
    if tuple_type == "names":
        return Counter((node.anchors, node.label) for node in graph.nodes)
    if tuple_type == "properties":
        return Counter(
            (node.anchors, *pair) for node in graph.nodes for pair in node.properties
        )
    return Counter(
        (nodes[edge.source].anchors, edge.label, nodes[edge.target].anchors)
        for edge in graph.edges
    )


@pytest.mark.parametrize("name", EDS)
def test_edm_counts_like_pydelphin_but_in_sets(name: str) -> None:
    case = CASES[name]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    [result] = score_files(gold, system, [parse("edm")])
    assert result.pairs == case["gold_counts"]["graphs"]
    more = repeated(name)
    peers = {
        "names": ("name",),
        "arguments": ("argument",),
        "properties": ("property", "constant"),
        "tops": ("top",),
    }
    for tuple_type, theirs in peers.items():
        again = more.get(tuple_type, (0, 0, 0))
        wanted = tuple(
            sum(case["counts"][each][side] for each in theirs) - less
            for side, less in zip(("gold", "system", "matched"), again, strict=True)
        )
        assert result.counts[tuple_type][:3] == wanted, tuple_type


def pydelphin(**weights: float) -> str:
    """The metric under PyDelphin's names of its weights."""
    ours = {theirs: tuple_type for tuple_type, theirs in WEIGHTS.items()}
    said = [f"{ours[name]}={weight}" for name, weight in weights.items()]
    return f"edm({','.join(['preset=pydelphin', *said])})"


@pytest.mark.parametrize("name", EDM)
def test_edm_counts_like_pydelphin(name: str) -> None:
    case = CASES[name]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    options = Options(per_item=True)
    [result] = score_files(gold, system, [parse(pydelphin())], options)
    for tuple_type, theirs in WEIGHTS.items():
        wanted = case["counts"][theirs.removesuffix("_weight")]
        assert result.counts[tuple_type][:3] == tuple(wanted.values()), tuple_type
    for item, sides in case.get("items", {}).items():
        [found] = [each for each in result.items if each.item == item]
        for tuple_type, theirs in WEIGHTS.items():
            wanted = sides[theirs.removesuffix("_weight")]
            assert list(count_of(found.raw_counts, tuple_type)[:3]) == wanted, (
                item,
                tuple_type,
            )


@pytest.mark.parametrize("name", EDM)
def test_weights_of_edm_are_those_of_pydelphin(name: str) -> None:
    case = CASES[name]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    metrics = [parse(pydelphin(**said["weights"])) for said in case["weighted"]]
    results = score_files(gold, system, metrics)
    for result, said in zip(results, case["weighted"], strict=True):
        ratios = result.precision, result.recall, result.f1
        peers = said["precision"], said["recall"], said["f"]
        assert ratios == pytest.approx(peers, abs=1e-12)


def test_assertions_of_pydelphin_hold() -> None:
    case = CASES["eds.edm_test"]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    for said, wanted in case["assertions"]:
        weights = dict(part.split("=") for part in said.split(",") if part)
        [result] = score_files(gold, system, [parse(pydelphin(**weights))])
        ratios = result.precision, result.recall, result.f1
        assert [round(each, 3) for each in ratios] == wanted


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", UCCA)
def test_ucca_folders_are_read_completely(name: str, side: str) -> None:
    wanted = CASES[name][f"{side}_counts"]
    found = graphs(GRAPHS / CASES[name][side])
    assert len(found) == wanted["passages"]
    words = sum(len(graph.tokens) for graph in found)
    assert words == wanted["words"] + wanted["punctuation_tokens"]
    # Implicit units are no nodes; they are kept beside the graph, and written.
    nodes = sum(len(graph.nodes) for graph in found)
    assert nodes == wanted["nodes"] - wanted["implicit_nodes"]
    write = format_named("ucca").write
    assert write is not None
    texts = [b"".join(write([graph])).decode() for graph in found]
    implicit = sum(text.count('implicit="True"') for text in texts)
    assert implicit == wanted["implicit_nodes"]
    remote = sum(text.count('remote="True"') for text in texts)
    assert remote == wanted["remote_edges"]


@pytest.mark.parametrize("name", UCCA)
def test_ucca_counts_like_mtool(name: str) -> None:
    case = CASES[name]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    [result] = score_files(gold, system, [parse("ucca")])
    scores = case["mtool"]["scores"]
    assert result.pairs == scores["n"]
    for labels in ("labeled", "unlabeled"):
        for edges in ("primary", "remote"):
            wanted = scores[labels][edges]
            count = result.counts[f"{labels} {edges}"]
            assert count[:3] == (
                *(wanted["gold"], wanted["system"], wanted["matched"]),
            ), (labels, edges)


def toolkit_amounts(said: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    return {
        f"{labels} {edges}": (each["gold"], each["system"], each["matched"])
        for labels, by_edges in said.items()
        if isinstance(by_edges, dict)
        for edges, each in by_edges.items()
    }


@pytest.mark.parametrize("name", UCCA)
@pytest.mark.parametrize("normalize", [True, False])
def test_ucca_counts_like_the_toolkit(name: str, normalize: bool) -> None:
    case = CASES[name]
    gold, system = (str(GRAPHS / case[side]) for side in SIDES)
    metric = parse(f"ucca(preset=toolkit,normalize={str(normalize).lower()})")
    [result] = score_files(gold, system, [metric], Options(per_item=True))
    said = case["ucca_toolkit" + ("" if normalize else "_without_normalization")]
    wanted = toolkit_amounts(said)
    assert len(wanted) == 9
    assert {
        tuple_type: result.counts[tuple_type][:3] for tuple_type in wanted
    } == wanted
    if normalize:
        for item, by_labels in case["items"].items():
            [one] = [x for x in result.items if item in (x.item, x.document)]
            for labels, by_edges in by_labels.items():
                for edges, amounts in by_edges.items():
                    found = count_of(one.raw_counts, f"{labels} {edges}")
                    assert list(found[:3]) == amounts, (item, labels, edges)
