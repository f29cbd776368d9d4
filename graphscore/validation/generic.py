"""Checks of graphs of any framework."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from graphscore.exceptions import amount
from graphscore.model.frameworks import COMMENTED, framework
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.normalize import effective_attributes, fold, implied_normal
from graphscore.structures.entities.authority import AUTHORITY, NORMALIZATION
from graphscore.validation.base import Finding, Remark

_BLANKS = re.compile(r"\s+")

ENTRIES = frozenset({AUTHORITY, NORMALIZATION})
"""Properties that a node may well have several times."""


def check_any(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on a graph, whatever its framework.

    Args:
        graph: any graph.

    Yields:
        Remarks, those about the whole first.
    """
    yield from _whole_graph_remarks(graph)
    yield from _tops(graph)
    yield from _nodes(graph)
    yield from _edges(graph)
    yield from _inapplicable(graph)


def _whole_graph_remarks(graph: Graph) -> Iterator[Remark]:
    flavor = framework(graph.framework).flavor
    if graph.flavor is None:
        if flavor is not None:
            yield Remark("no-flavor", f"{graph.framework} is of flavor {flavor}")
    elif flavor is not None and flavor != graph.flavor:
        message = f"flavor {graph.flavor}, but {graph.framework} is of flavor {flavor}"
        yield Remark("wrong-flavor", message)
    known = framework(graph.framework)
    if not graph.nodes:
        if not known.sparse:
            yield Remark("empty-graph", "no nodes")
    elif not graph.text and not (known.sparse and _needs_no_text(graph)):
        yield Remark("no-text", "no text: anchors and words cannot be checked")


def _needs_no_text(graph: Graph) -> bool:
    """Return whether nothing refers to characters, so that no text is needed."""
    return not any(node.anchors for node in graph.nodes)


def _tops(graph: Graph) -> Iterator[Remark]:
    ids = {node.id for node in graph.nodes}
    if graph.nodes and not graph.tops and framework(graph.framework).topped:
        yield Remark("no-top", "no node is a top")
    seen: set[Any] = set()
    for top in graph.tops:
        if top not in ids:
            yield Remark("dangling-edge", f"the top {top!r} is the id of no node")
        elif top in seen:
            yield Remark("repeated-top", "it is among the tops twice", top)
        seen.add(top)


def _nodes(graph: Graph) -> Iterator[Remark]:
    ends = {end for edge in graph.edges for end in (edge.source, edge.target)}
    joined = len(graph.nodes) > 1 and framework(graph.framework).flavor is not None
    listed = framework(graph.framework).sparse
    seen: set[Any] = set()
    blanks = _Blanks(graph.text)
    for node in graph.nodes:
        if node.id in seen:
            yield Remark("repeated-id", "another node has the same id", node.id)
        seen.add(node.id)
        if joined and node.id not in ends:
            yield Remark("isolated-node", "no edge leads to or from it", node.id)
        for name in _repeated_names(node, listed):
            yield Remark("repeated-property", f"{name!r} stands twice", node.id)
        if node.anchors:
            for message in _outside(node.anchors, graph.text):
                yield Remark("anchor-outside", message, node.id)
            if blanks.cover(node.anchors):
                shown = " ".join(f"{start}:{end}" for start, end in node.anchors)
                message = f"{shown} covers no visible character"
                yield Remark("blank-anchor", message, node.id)


def _repeated_names(node: Node, listed: bool) -> list[str]:
    """Names of properties that a node has twice.

    Args:
        node: the node.
        listed: whether a name with several values is a list, as pieces of evidence
            are; then only what says the same twice is strange.
    """
    # Several entries of an authority file can be correct.
    counter = Counter(
        (fold(name), repr(value) if listed else "")
        for name, value in node.properties
        if name not in ENTRIES
    )
    return sorted({name for (name, _), times in counter.items() if times > 1})


class _Blanks:
    """The white space of a text, found once for all nodes.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _ends(self) -> dict[int, int]:
        """End of the white space that begins at a character."""
        return dict(result.span() for result in _BLANKS.finditer(self._text))

    @cached_property
    def _starts(self) -> list[int]:
        return [*self._ends]

    def cover(self, anchors: Iterable[Anchor]) -> bool:
        """Return whether no character but white space is covered."""
        if not self._text:
            return all(start >= end for start, end in anchors)
        return all(
            self._is_blank(max(start, 0), min(end, len(self._text)))
            for start, end in anchors
        )

    def _is_blank(self, start: int, end: int) -> bool:
        if start >= end:
            return True
        if not self._text[start].isspace():
            return False
        index = bisect_right(self._starts, start) - 1
        return self._ends[self._starts[index]] >= end


def _outside(anchors: Iterable[Anchor], text: str) -> Iterator[str]:
    for start, end in anchors:
        if start < 0 or end < start:
            yield f"{start}:{end} is not a range"
        elif text and end > len(text):
            yield f"{start}:{end} in a text of {amount(len(text), 'character')}"


def _edges(graph: Graph) -> Iterator[Remark]:
    ids = {node.id for node in graph.nodes}
    seen: set[tuple[Any, ...]] = set()
    for number, edge in enumerate(graph.edges):
        for end in (edge.source, edge.target):
            if end not in ids:
                message = f"{end!r} is the id of no node"
                yield Remark("dangling-edge", message, edge=number)
        if edge.source == edge.target:
            yield Remark(
                "self-loop", f"{_label(edge)} leads back to its node", edge=number
            )
        key = (
            edge.source,
            edge.target,
            None if edge.label is None else fold(edge.label),
            None if edge.normal is None else fold(edge.normal),
            # Links of entities start at mentions: two of these say it twice.
            dict(edge.extra).get("mention"),
        )
        if key in seen:
            message = f"{_label(edge)} joins these nodes already; it counts once"
            yield Remark("repeated-edge", message, edge=number)
        seen.add(key)


def _label(edge: Edge) -> str:
    return "an edge without a label" if edge.label is None else f"{edge.label!r}"


def _inapplicable(graph: Graph) -> Iterator[Remark]:
    """Tuples that count as spurious, whatever the other side says."""
    tuple_types = framework(graph.framework).tuple_types
    if graph.framework in COMMENTED:
        tuple_types |= {"anchors"}
    what = f"{graph.framework} has none: it counts as spurious"
    for node in graph.nodes:
        occurring = (
            ("labels", node.label is not None),
            ("properties", bool(node.properties)),
            ("anchors", bool(node.anchors)),
        )
        for tuple_type, present in occurring:
            if present and tuple_type not in tuple_types:
                yield Remark("inapplicable-tuple", f"{tuple_type}: {what}", node.id)
    if "attributes" in tuple_types:
        return
    for number, edge in enumerate(graph.edges):
        if effective_attributes(edge.attributes):
            yield Remark("inapplicable-tuple", f"attributes: {what}", edge=number)


class Inversions:
    """Inverted edges of a file: whether some say their ``normal`` and some do not."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._silent: list[Finding] = []

    def take(self, graph: Graph, file: str, line: int | None) -> None:
        """Look at the edges of one graph."""
        for number, edge in enumerate(graph.edges):
            label = edge.label
            if not isinstance(label, str) or not label.endswith("-of"):
                continue
            normal = implied_normal(label)
            if edge.normal is not None and edge.normal != "":
                self._said.add(graph.framework)
            elif normal is not None:
                message = f"{label!r} without normal {normal!r}, which others have"
                remark = Remark("missing-normal", message, edge=number)
                self._silent.append(remark.at(graph, file, line))

    def findings(self) -> list[Finding]:
        """The silent edges of frameworks in which others speak."""
        return [finding for finding in self._silent if finding.framework in self._said]
