"""What tests of template formats have in common."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any

from graphscore.formats import ReadGraph, Rejected, read_file
from graphscore.formats.base import Format, Record
from graphscore.model.graph import Graph
from graphscore.structures import first_of, kind_of, nodes_of


def read(chosen: Format, data: bytes | str) -> list[Record]:
    raw = data.encode() if isinstance(data, str) else data
    assert chosen.read is not None
    return list(chosen.read(io.BytesIO(raw), "a.json"))


def good(chosen: Format, data: bytes | str) -> list[Graph]:
    records = read(chosen, data)
    found = [each.graph for each in records if isinstance(each, ReadGraph)]
    assert len(found) == len(records), records
    return found


def problems(chosen: Format, data: bytes | str) -> list[str]:
    """What is wrong, without the file's name."""
    return [
        str(problem).removeprefix("a.json")
        for record in read(chosen, data)
        for problem in (
            record.problems if isinstance(record, Rejected) else record.left_out
        )
    ]


def written(chosen: Format, graphs: list[Graph]) -> bytes:
    assert chosen.write is not None
    return b"".join(chosen.write(graphs))


def round_trip(chosen: Format, graphs: list[Graph]) -> None:
    again = good(chosen, written(chosen, graphs))
    # Equality alone would let 1, 1.0 and true pass for one another.
    assert repr(again) == repr(graphs)


def graphs_of(path: Path) -> list[Graph]:
    records = list(read_file(str(path)))
    assert all(isinstance(record, ReadGraph) for record in records)
    return [record.graph for record in records if isinstance(record, ReadGraph)]


def kinds(graphs: list[Graph]) -> dict[str, int]:
    """How many nodes of each kind, and how many of them are anchored."""
    found: Counter[str] = Counter()
    for graph in graphs:
        for node in graph.nodes:
            found[kind_of(node) or ""] += 1
            found["anchored"] += bool(node.anchors)
    return dict(found)


def words(graph: Graph, entity: Any) -> list[Any]:
    """The mentions of an entity."""
    nodes = {node.id: node for node in graph.nodes}
    mentions = [nodes[e.target] for e in graph.edges if e.source == entity]
    return [
        "+".join(graph.text[start:end] for start, end in node.anchors)
        or first_of(node.properties, "text")
        for node in mentions
    ]


def filled(graph: Graph) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Each template: its type, its slots with values or mentions."""
    nodes = {node.id: node for node in graph.nodes}
    found = []
    for template in nodes_of(graph, "template"):
        slots = []
        for edge in graph.edges:
            if edge.source == template.id:
                target = nodes[edge.target]
                entity = kind_of(target) == "entity"
                value = words(graph, target.id) if entity else target.label
                slots.append((edge.label, value))
        found.append((template.label, slots))
    return found
