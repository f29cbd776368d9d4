r"""Graphs as task 10 of SemEval-2022 has them: an array of sentences.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> build = LayoutBuilder()
>>> we = build.mention(None, [Anchor(0, 2)])
>>> _ = build.opinion("Positive", [Anchor(3, 8)], [Argument("holder", we)])
>>> graph = build.graph("7", "sentiment", text="We loved it")
>>> line = b"".join(write([graph])).decode()
>>> print(line[:50], line[50:93], line[93:], sep="\n", end="")
[{"sent_id":"7","text":"We loved it","opinions":[{
"Source":[["We"],["0:2"]],"Target":[[],[]],
"Polar_expression":[["loved"],["3:8"]],"Polarity":"Positive"}]}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.sentiment.semeval2022 import (
    ABOUT,
    EXPRESSION,
    ID,
    INTENSE,
    MORE,
    OPINIONS,
    OWN,
    POLARITY,
    RANGE,
    ROLES,
    WORDS,
    WRITTEN,
    within,
)
from graphscore.formats.shared.layers import Layer, kept
from graphscore.formats.writing import check_framework, encode, naming
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.layout import MENTION, OPINION, TEXT
from graphscore.structures.sentiment import FRAMEWORK, INTENSITY

_KEYS = {EXPRESSION, POLARITY, INTENSE, *ROLES.values()}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, a sentence to a line of one array.

    Args:
        graphs: of the framework ``sentiment``.

    Yields:
        Pieces of the array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    first = True
    for graph in graphs:
        check_framework(graph, (FRAMEWORK,), "task 10 of SemEval-2022")
        with naming(graph):
            found = encode(_sentence(graph))
        yield (b"[" if first else b",\n ") + found
        first = False
    yield b"[]\n" if first else b"]\n"


def _sentence(graph: Graph) -> dict[str, Any]:
    layer = Layer(graph, {MENTION, OPINION})
    return {
        **kept(graph.extra, OWN),
        ID: graph.id,
        WORDS: graph.text,
        OPINIONS: [_opinion(layer, node) for node in layer.of(OPINION)],
    }


def _opinion(layer: Layer, node: Node) -> dict[str, Any]:
    parts = {edge.label: layer.nodes[edge.target] for edge in layer.edges(node.id)}
    fields: dict[str, Any] = {}
    for role, key in ROLES.items():
        mention = parts.get(role)
        fields[key] = _part(layer.graph, mention) if mention else [[], []]
    fields[EXPRESSION] = _part(layer.graph, node)
    fields[POLARITY] = node.label
    for name, value in node.properties:
        key = INTENSE if name == INTENSITY else name
        if name in ABOUT:
            continue
        if key in fields or (name in _KEYS):
            raise InvalidGraphError(
                f"a property {name!r} of opinion {node.id!r}", "one of each name"
            )
        fields[key] = value
    more = {key: value for key, value in kept(node.extra, MORE).items()}
    if more.keys() & fields.keys():
        found = f"two fields {min(more.keys() & fields.keys())!r} of {node.id!r}"
        raise InvalidGraphError(found, "one of each name")
    return {**fields, **more}


def _part(graph: Graph, node: Node) -> list[list[str]]:
    """The words of a part, and where they are."""
    name = WRITTEN if node.anchors else TEXT
    written = [str(value) for key, value in node.properties if key == name]
    there = [graph.text[start:end] for start, end in node.anchors]
    ranges = [str(value) for key, value in node.properties if key == RANGE]
    if ranges and [_range(each, graph.text) for each in ranges] != [*node.anchors]:
        found = f"ranges {', '.join(ranges)} of {node.id!r}"
        raise InvalidGraphError(found, "those of its anchors, or beyond the text")
    ranges = ranges or [f"{start}:{end}" for start, end in node.anchors]
    return [written or there, ranges]


def _range(written: str, text: str) -> Anchor | None:
    """The characters that a range as written has of a text."""
    start, _, end = written.partition(":")
    if not start.isdecimal() or not end.isdecimal():
        return None
    return within(int(start), int(end), text)
