"""Published corpora of brat, of BioNLP's shared tasks and of DyGIE++."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import graphscore
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.discovery import gather
from graphscore.formats.extraction.brat.write import write, write_halves
from graphscore.model.graph import Graph
from graphscore.structures import nodes_of
from tests.wild import IE, expected, needs_wild

pytestmark = needs_wild

CASES = expected(IE)
FOLDERS: dict[str, Any] = CASES.get("brat", {}).get("folders", {})
TWO_FILES = "brat/bionlp-st-2013-ge"
DYGIE: dict[str, Any] = CASES.get("dygie", {}).get("files", {})

Layers = dict[str, Graph]


def documents(operand: Path) -> dict[str, Layers]:
    """The layers of each document of a folder or file; none may be refused."""
    found: dict[str, Layers] = {}
    for path in gather(str(operand)).paths:
        for record in read_file(path):
            assert isinstance(record, ReadGraph), record
            graph = record.graph
            layers = found.setdefault(graph.id, {})
            assert graph.framework not in layers
            layers[graph.framework] = graph
    return found


def counted(layers: Layers) -> dict[str, Any]:
    """What ``content`` counts, of a document's graphs."""
    ner, relation, event, coref = (
        layers[name] for name in ("ner", "relation", "event", "coref")
    )
    triggers = nodes_of(event, "trigger")
    # A trigger of several events is one line.
    lines = {
        dict(node.extra)["trigger"]: dict(node.extra).get("trigger_type", node.label)
        for node in triggers
    }
    mentions = nodes_of(ner, "mention")
    relations = nodes_of(relation, "relation")
    groups = [node for node in relations if str(node.id).startswith("*")]
    directed = [node for node in relations if node not in groups]
    bound = [*(node.label for node in mentions), *lines.values()]
    found = {
        "T": len(bound),
        "E": len(triggers),
        "R": len(directed),
        "*": len(groups) + len(nodes_of(coref, "entity")),
        "A_or_M": sum(len(node.properties) - 1 for node in (*mentions, *triggers)),
    }
    events = {node.id for node in triggers}
    return {
        "lines": Counter(found),
        "types": Counter(map(str, bound)),
        "events": Counter(str(node.label) for node in triggers),
        "event_arguments": sum(edge.source in events for edge in event.edges),
        "relations": Counter(str(node.label) for node in directed),
        "groups": Counter(
            ["Equiv"] * len(nodes_of(coref, "entity")) + [str(n.label) for n in groups]
        ),
    }


def summed(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts of several documents or files."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            value = Counter(value) if isinstance(value, dict) else value
            found[name] = found[name] + value if name in found else value
    return found


def content(said: dict[str, Any]) -> dict[str, Any]:
    """What is said of a document, whose parts that are not there are nothing."""
    whole = said.get("a1"), said.get("a2")
    if any(whole):
        return content(summed([each for each in whole if each]))
    found = summed([said])
    found.pop("documents", None)
    empty: dict[str, Any] = {"event_arguments": 0}
    for name in ("lines", "types", "events", "relations", "groups"):
        empty[name] = Counter()
    return {name: found.get(name, value) for name, value in empty.items()}


def positive(counts: dict[str, Any]) -> dict[str, Any]:
    return {k: +v if isinstance(v, Counter) else v for k, v in counts.items()}


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_of_a_folder_is_lost(folder: str) -> None:
    case, found = FOLDERS[folder], documents(IE / folder)
    per_document = {item: counted(layers) for item, layers in found.items()}
    for item, said in case["per_document"].items():
        assert positive(per_document[item]) == positive(content(said)), item
    assert [*per_document] == sorted(case["per_document"])
    total = summed([*per_document.values()])
    assert positive(total) == positive(content(case["total"]))


METRICS = {
    "ner": ("mention", ["ner"]),
    "relation": ("relation", ["relation"]),
    "event": ("trigger", ["trigger", "argument"]),
    "coref": ("entity", ["conll"]),
}
"""What each layer is about, and what scores it."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_is_as_good_as_itself(folder: str) -> None:
    found = documents(IE / folder)
    for framework, (tuple_type, metrics) in METRICS.items():
        graphs = [layers[framework] for layers in found.values()]
        there = any(nodes_of(graph, tuple_type) for graph in graphs)
        for metric in metrics if there else ():
            result = graphscore.score(graphs, graphs, metric)
            assert (result.f1, result.pairs) == (1, len(found)), metric


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_is_scored_as_it_stands(folder: str) -> None:
    operand = str(IE / folder)
    result = graphscore.score(operand, operand, "ner")
    assert result.f1 == 1
    types = content(FOLDERS[folder]["total"])["types"]
    assert 0 < result.counts["strict"].gold <= types.total()


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_comes_back_as_it_was(folder: str, tmp_path: Path) -> None:
    found = documents(IE / folder)
    graphs = [graph for layers in found.values() for graph in layers.values()]
    # What was given, and what was found, stand apart in a1 and a2 alone.
    halves = any((IE / folder).glob("*.a1"))
    for name, data in write_halves(graphs) if halves else write(graphs):
        (tmp_path / name).write_bytes(data)
    assert documents(tmp_path) == found


@pytest.mark.parametrize("name", DYGIE)
def test_nothing_of_dygie_is_lost(name: str) -> None:
    said, found = DYGIE[name]["content"], documents(IE / name)
    assert len(found) == said["documents"]
    layers = {
        framework: [each[framework] for each in found.values() if framework in each]
        for framework in METRICS
    }
    tokens = {
        item: len(next(iter(each.values())).tokens) for item, each in found.items()
    }
    assert sum(tokens.values()) == said["tokens"]
    mentions = [n for graph in layers["ner"] for n in nodes_of(graph, "mention")]
    assert len(mentions) == said["mentions"]
    assert Counter(str(n.label) for n in mentions) == said["mention_types"]
    relations = [n for g in layers["relation"] for n in nodes_of(g, "relation")]
    assert len(relations) == said.get("relations", 0)
    assert Counter(str(n.label) for n in relations) == said["relation_types"]
    events = [n for graph in layers["event"] for n in nodes_of(graph, "trigger")]
    assert len(events) == said.get("events", 0)
    assert Counter(str(n.label) for n in events) == said["event_types"]
    arguments = sum(len(graph.edges) for graph in layers["event"])
    assert arguments == said.get("event_arguments", 0)
    clusters: Counter[bool] = Counter()
    for graph in layers["coref"]:
        filled = {edge.source for edge in graph.edges}
        clusters.update(node.id in filled for node in nodes_of(graph, "entity"))
    assert clusters[True] == said["clusters"]
    assert clusters[False] == said.get("empty_clusters", 0)
    assert sum(len(g.edges) for g in layers["coref"]) == said["cluster_mentions"]
    for framework, (tuple_type, metrics) in METRICS.items():
        graphs = [graph for graph in layers[framework] if nodes_of(graph, tuple_type)]
        if tuple_type == "entity":
            graphs = [graph for graph in graphs if graph.edges]
        for metric in metrics if graphs else ():
            assert graphscore.score(graphs, graphs, metric).f1 == 1
