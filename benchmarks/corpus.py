"""Where the benchmarks find graphs, and seeded variations of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from graphscore.formats import Read, read_file
from graphscore.model.graph import Edge, Graph, Node

ROOT = Path(__file__).parent.parent
MRP = ROOT.parent / "shared" / "conformance" / "mrp"

PAIRS = {
    "eds.lpps": ("gold/lpps.mrp", "system/lpps.eds.peking.mrp", "eds"),
    "eds.pet": ("gold/eds.mrp", "system/eds.pet.mrp", "eds"),
    "eds.light": ("gold/eds.mrp", "system/eds.light.mrp", "eds"),
    "amr.light": ("gold/amr.mrp", "system/amr.light.mrp", "amr"),
    "dm.light": ("gold/dm.mrp", "system/dm.light.mrp", "dm"),
    "psd.light": ("gold/psd.mrp", "system/psd.light.mrp", "psd"),
    "ucca.light": ("gold/ucca.mrp", "system/ucca.light.mrp", "ucca"),
}
"""Gold and system files of the published sample, by name."""


def graphs(path: Path, framework: str | None = None) -> list[Graph]:
    """The graphs of a file."""
    return [
        record.graph
        for record in read_file(str(path))
        if isinstance(record, Read) and framework in (None, record.graph.framework)
    ]


def pairs(name: str, data: Path) -> list[tuple[Graph, Graph]]:
    """The pairs of one of :data:`PAIRS`."""
    gold, system, framework = PAIRS[name]
    found = {graph.id: graph for graph in graphs(data / system, framework)}
    return [
        (graph, found[graph.id])
        for graph in graphs(data / gold, framework)
        if graph.id in found
    ]


def available(data: Path) -> tuple[Path, list[str]]:
    """The sample's folder and names; the bundled corpus has none of them."""
    return data, [name for name in PAIRS if (data / PAIRS[name][0]).exists()]


def disturbed(graph: Graph, rng: random.Random, rate: float = 0.05) -> Graph:
    """A variation of *graph*: labels, properties and edges changed at *rate*."""
    nodes: list[Node] = []
    for node in graph.nodes:
        changed = node
        if node.label is not None and rng.random() < rate:
            label = f"{node.label}-{rng.randrange(9)}"
            changed = msgspec.structs.replace(changed, label=label)
        if node.properties and rng.random() < rate:
            first, *rest = node.properties
            properties = ((first[0], f"{first[1]}{rng.randrange(9)}"), *rest)
            changed = msgspec.structs.replace(changed, properties=properties)
        nodes.append(changed)
    edges: list[Edge] = []
    for edge in graph.edges:
        chance = rng.random()
        if chance < rate / 2:
            continue
        if chance < rate:
            edge = msgspec.structs.replace(edge, label=f"{edge.label}x")
        edges.append(edge)
    return msgspec.structs.replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def variations(
    originals: list[Graph], count: int, seed: int, rate: float = 0.05
) -> Iterator[Graph]:
    """*count* graphs with ids of their own, each different."""
    rng = random.Random(seed)
    for number in range(count):
        graph = originals[number % len(originals)]
        item = f"{graph.id}-{number // len(originals)}"
        yield msgspec.structs.replace(disturbed(graph, rng, rate), id=item)
