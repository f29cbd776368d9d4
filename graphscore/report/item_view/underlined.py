"""Text with its spans beneath it: those of gold, then those of the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.model.graph import Graph
from graphscore.report.table import one_line
from graphscore.structures.layout import COMPONENT, MENTION, OPINION, TRIGGER, kind_of

WIDTH = 80
"""Columns of a line where nobody says how many there are."""

HEAD = 8
"""Columns before the text."""

SPANS = frozenset({MENTION, TRIGGER, COMPONENT, OPINION})
"""Kinds of nodes that are spans of text first of all."""


class Span(NamedTuple):
    """Characters of the text with what is said of them."""

    start: int
    end: int
    mark: str
    label: str


def spans_of(graph: Graph, marks: Sequence[tuple[int, str]]) -> list[Span]:
    """The spans of a graph, in order of the text, the longer first.

    Args:
        graph: one side.
        marks: nodes by their ordinals, each with its mark.
    """
    spans = []
    for ordinal, mark in marks:
        node = graph.nodes[ordinal]
        if kind_of(node) not in SPANS:
            continue
        label = "" if node.label is None else one_line(str(node.label))
        for anchor in node.anchors:
            if anchor.start < anchor.end <= len(graph.text):
                spans.append(Span(*anchor, mark, label))
                label = ""
    return sorted(spans, key=lambda span: (span.start, -span.end))


def underlined(
    text: str, gold: Sequence[Span], system: Sequence[Span], width: int = WIDTH
) -> list[str]:
    """Lines of text, each with the spans of both sides beneath it.

    Args:
        text: what both sides annotate.
        gold: gold's spans, in order.
        system: the system's.
        width: columns of a line.

    Returns:
        Lines; a span is underlined with its mark, and its label is below that.

    Example:
        >>> spans = [Span(0, 3, "=", "PER"), Span(7, 11, "~", "LOC")]
        >>> print(*underlined("Ada in Rome", spans, spans[:1]), sep=chr(10))
        text    Ada in Rome
        gold    ===    ~~~~
                PER    LOC
        system  ===
                PER
    """
    text = "".join(" " if char.isspace() else char for char in text)
    lines = []
    room = max(width - HEAD, HEAD)
    for start, end in _broken(text, room):
        lines.append(f"text    {text[start:end]}")
        for side, spans in (("gold", gold), ("system", system)):
            for number, layer in enumerate(_layers(text, start, end, spans, room)):
                name = side if number == 0 else ""
                lines += [
                    f"{head:{HEAD}}{line}"
                    for head, line in zip((name, ""), layer, strict=True)
                ]
    return [line.rstrip() for line in lines if line.strip()]


def _broken(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of lines: broken at spaces, or within longer text."""
    from rich.cells import cell_len

    start = 0
    while len(text) - start > width or cell_len(text[start:]) > width:
        most = start + width
        while cell_len(text[start:most]) > width:
            most -= 1
        cut = text.rfind(" ", start, most + 1)
        after = cut + 1
        if cut <= start:
            cut = after = max(most, start + 1)
        yield start, cut
        start = after
    if start < len(text):
        yield start, len(text)


def _layers(
    text: str, start: int, end: int, spans: Sequence[Span], room: int
) -> Iterator[tuple[str, str]]:
    """Lines of marks and of labels for spans that do not overlap each other."""
    from rich.cells import cell_len

    left = [span for span in spans if span.start < end and span.end > start]
    while left:
        marks = labels = ""
        over = []
        for span in left:
            first = cell_len(text[start : max(span.start, start)])
            last = cell_len(text[start : min(span.end, end)])
            # A label begins its span, and is said where that begins.
            label = span.label if span.start >= start else ""
            # Or as far before that as it takes to fit.
            at = min(first, max(room - cell_len(label), 0))
            if first < len(marks) or (label and labels and at <= cell_len(labels)):
                over.append(span)
                continue
            marks = marks.ljust(first) + span.mark * (last - first)
            if label:
                labels += " " * (at - cell_len(labels)) + label
        yield marks, labels
        left = over
