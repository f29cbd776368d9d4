"""UMR as it is published, by all that stands in it."""

from __future__ import annotations

import io
from collections import Counter
from functools import lru_cache

import pytest

from graphscore.formats.base import Read
from graphscore.formats.registry import format_named, formats
from graphscore.model.graph import Graph
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
    assert all(isinstance(each, Read) and not each.left_out for each in records)
    return tuple(each.graph for each in records if isinstance(each, Read))


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


@pytest.mark.parametrize("path", COUNTS)
def test_round_trip(path: str) -> None:
    given = read(path)
    write = formats()["umr"].write
    assert write is not None
    data = io.BytesIO(b"".join(write(given)))
    again = [
        each.graph
        for each in format_named("umr").read(data, "again")
        if isinstance(each, Read)
    ]
    assert [each.digest() for each in again] == [each.digest() for each in given]
