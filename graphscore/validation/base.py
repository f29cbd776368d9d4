"""Findings, and the table of their codes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from graphscore.exceptions import Problem, bounded, truncate
from graphscore.formats.base import Note
from graphscore.model.graph import Graph, NodeId

Severity = Literal["error", "warning"]


class Code(NamedTuple):
    """One kind of finding."""

    severity: Severity
    frameworks: str
    """Frameworks of the code; ``all`` or names with blanks."""
    meaning: str
    """Meaning of the code, in a line."""


MEANING = "dm psd pas ccd eds ucca ptg amr drg"
"""Frameworks of meaning representation, whose nodes hang together below a top."""

CODES: dict[str, Code] = {
    # Files and records.
    "unreadable": Code("error", "all", "a file or record that cannot be read"),
    "left-out": Code("warning", "all", "a part of a record that cannot be read"),
    "passed-over": Code(
        "warning", "all", "something odd in a record that nothing needs"
    ),
    "repeated-item": Code("error", "all", "two graphs of one framework and item"),
    "self-score": Code(
        "warning", "all", "an item that does not reach 1 against itself"
    ),
    # Every framework.
    "dangling-edge": Code("error", "all", "an edge or top that names no node"),
    "repeated-id": Code("error", "all", "two nodes of one id"),
    "wrong-flavor": Code("error", "all", "a flavor that the framework does not have"),
    "anchor-outside": Code("error", "all", "an anchor beyond the end of the text"),
    "no-flavor": Code("warning", "all", "no flavor is said"),
    "no-text": Code("warning", "all", "a graph with nodes but without a text"),
    "empty-graph": Code("warning", "all", "a graph without nodes"),
    "no-top": Code("warning", "dm psd pas ccd ptg", "nodes, but none is a top"),
    "repeated-top": Code("warning", "all", "a node is a top twice"),
    "isolated-node": Code("warning", MEANING, "a node without edges beside others"),
    "self-loop": Code("warning", "all", "an edge from a node to itself"),
    "repeated-edge": Code("warning", "all", "two edges of one label between the same"),
    "repeated-property": Code("warning", "all", "a node has a property twice"),
    "blank-anchor": Code("warning", "all", "anchors that cover no visible character"),
    "inapplicable-tuple": Code(
        "warning", "dm psd eds ucca amr", "a tuple of a type the framework lacks"
    ),
    "missing-normal": Code(
        "warning", "all", "an -of edge without normal where others of the file have it"
    ),
    # DM, PSD, PAS, CCD.
    "sdp-anchors": Code("error", "dm psd pas ccd", "a node without exactly one range"),
    "sdp-token": Code("error", "dm psd pas ccd", "a node that is not one token"),
    "sdp-order": Code(
        "error", "dm psd pas ccd", "nodes that are not in the order of the text"
    ),
    "sdp-label": Code("error", "dm psd pas ccd", "an edge without a label"),
    "sdp-tops": Code("warning", "dm", "more than one top"),
    "sdp-shared": Code("warning", "dm psd pas ccd", "two nodes over the same word"),
    # EDS.
    "eds-top": Code("error", "eds", "not exactly one top"),
    "eds-label": Code("error", "eds", "a node or edge without a label"),
    "eds-anchors": Code("error", "eds", "a node without exactly one range"),
    "eds-disconnected": Code("warning", "eds", "a graph in several pieces"),
    # UCCA.
    "ucca-top": Code("error", "ucca", "not exactly one top"),
    "ucca-parents": Code("error", "ucca", "a unit with several primary parents"),
    "ucca-orphan": Code("error", "ucca", "a unit without a primary parent, not a top"),
    "ucca-top-below": Code("error", "ucca", "a top with a primary parent"),
    "ucca-cycle": Code("error", "ucca", "primary edges that run in a circle"),
    "ucca-unanchored": Code("error", "ucca", "a unit with neither words nor units"),
    "ucca-category": Code("error", "ucca", "an edge without a category"),
    "ucca-remote": Code("error", "ucca", "remote where it cannot be, or not true"),
    "ucca-attribute": Code("warning", "ucca", "an attribute other than remote"),
    "ucca-unknown": Code("warning", "ucca", "a category that UCCA does not have"),
    "ucca-shared": Code("warning", "ucca", "two units over the same word"),
    "ucca-remote-cycle": Code("warning", "ucca", "a circle through remote edges"),
    # AMR.
    "amr-top": Code("error", "amr", "not exactly one top"),
    "amr-label": Code("error", "amr", "a node or edge without a label"),
    "amr-disconnected": Code("error", "amr", "a graph in several pieces"),
    "amr-cycle": Code("warning", "amr", "roles that run in a circle"),
    # DRG.
    "drg-top": Code("error", "drg", "no top, or a top that is not a box"),
    "drg-role": Code("error", "drg", "a role without exactly two arguments"),
    "drg-box": Code("error", "drg", "an edge in that does not lead out of a box"),
    "drg-concept": Code("warning", "drg", "a referent without a concept"),
    "drg-free": Code("warning", "drg", "a referent that no box holds"),
}
"""Every code; each is described in docs/validation.md and tested."""


UNSCORABLE = frozenset({"dangling-edge", "repeated-id"})
"""Codes of graphs whose shape cannot be judged, and which cannot be scored."""


class Finding(NamedTuple):
    """One thing wrong or strange, and where."""

    severity: Severity
    code: str
    """One of :data:`CODES`."""
    file: str
    line: int | None
    """First line of the record."""
    framework: str
    item: str
    node: NodeId | None
    """Id of the node that is meant."""
    edge: int | None
    """Position of the edge that is meant, from 0."""
    message: str

    @property
    def kind(self) -> tuple[str, ...]:
        """Key that findings share which differ in their locations alone."""
        return (self.file, self.framework, self.code, self.message)

    def __str__(self) -> str:
        location = self.file if self.line is None else f"{self.file}:{self.line}"
        item = f"item {self.item}" if self.item else ""
        start = ": ".join(part for part in (location, item) if part)
        part = ""
        if self.node is not None:
            part = f" (node {self.node})"
        elif self.edge is not None:
            part = f" (edge {self.edge})"
        return f"{start}: {self.severity} {self.code}: {self.message}{part}"


class Remark(NamedTuple):
    """A finding on its way: what and where in the graph."""

    code: str
    message: str
    node: NodeId | None = None
    edge: int | None = None

    def at(self, graph: Graph, file: str, line: int | None) -> Finding:
        """The finding about *graph*."""
        return Finding(
            CODES[self.code].severity,
            self.code,
            file,
            line,
            truncate(graph.framework),
            truncate(graph.id),
            truncate(self.node) if isinstance(self.node, str) else self.node,
            self.edge,
            bounded(self.message),
        )


def unreadable(problem: Problem, framework: str = "", item: str = "") -> Finding:
    """The finding for what a reader refused.

    >>> str(unreadable(Problem("a.mrp", 3, None, "$.id", "nothing", "a string")))
    'a.mrp:3: error unreadable: $.id: found nothing, expected a string'
    """
    return Finding(
        "error", "unreadable", problem.file, problem.line, truncate(framework),
        truncate(item), None, None, problem.said,
    )  # fmt: skip


def left_out(problem: Problem, graph: Graph) -> Finding:
    """The finding for a part that a reader did without.

    Args:
        problem: what is wrong with the part.
        graph: the graph that it is missing from.
    """
    result = unreadable(problem, graph.framework, graph.id)
    code = "left-out"
    return result._replace(severity=CODES[code].severity, code=code)


def passed_over(note: Note, graph: Graph) -> Finding:
    """The finding for what a reader passed over.

    Args:
        note: what it is.
        graph: the graph of the record.
    """
    result = left_out(note.problem, graph)
    code = "passed-over"
    message = bounded(f"{note.what}: {result.message}")
    return result._replace(severity=CODES[code].severity, code=code, message=message)


def pieces(graph: Graph) -> list[list[NodeId]]:
    """The connected pieces of a graph, directions ignored, each in node order."""
    near: dict[NodeId, list[NodeId]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    order = {node: index for index, node in enumerate(near)}
    seen: set[NodeId] = set()
    node_ids: list[list[NodeId]] = []
    for start in near:
        if start in seen:
            continue
        seen.add(start)
        piece, waiting = [], [start]
        while waiting:
            node = waiting.pop()
            piece.append(node)
            for neighbour in near[node]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    waiting.append(neighbour)
        node_ids.append(sorted(piece, key=order.__getitem__))
    return node_ids


def circle(arcs: dict[NodeId, set[NodeId]]) -> NodeId | None:
    """The first node of a directed circle, or ``None``; without recursion.

    Args:
        arcs: the targets of every node.

    >>> circle({1: {2}, 2: {3}, 3: {2}}), circle({1: {2}, 2: set()})
    (2, None)
    """
    incoming: dict[NodeId, int] = dict.fromkeys(arcs, 0)
    for targets in arcs.values():
        for target in targets:
            incoming[target] += 1
    free = [node for node, count in incoming.items() if not count]
    while free:
        node = free.pop()
        for target in arcs[node]:
            incoming[target] -= 1
            if not incoming[target]:
                free.append(target)
    left = {node for node, count in incoming.items() if count}
    if not left:
        return None
    # Walk backwards among what is left; the first node met twice is on a circle.
    sources = {t: s for s in arcs if s in left for t in arcs[s] if t in left}
    node = next(arc for arc in arcs if arc in left)
    met: dict[NodeId, None] = {}
    while node not in met:
        met[node] = None
        node = sources[node]
    way = list(met)
    on_circle = set(way[way.index(node) :])
    return next(arc for arc in arcs if arc in on_circle)
