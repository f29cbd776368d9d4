r"""Graphs as columns with a tag for each token.

Entities that come from tags are written with the letters they had, others as IOB2.
Only what has its place in the format is written: entities of whole tokens that do
not overlap, their types, and the columns, comments and documents that were read.

>>> from graphscore.model.graph import Anchor
>>> jenny = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 9),))
>>> ner = Graph("d1", "ner", 1, text="Jenny Lee left", nodes=(jenny,),
...             tokens=(Anchor(0, 5), Anchor(6, 9), Anchor(10, 14)))
>>> b"".join(write([ner]))
b'Jenny\tB-PER\nLee\tI-PER\nleft\tO\n\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.entities.iob import (
    COLUMNS,
    COMMENTS,
    OPENING,
    PREDICTED,
    SEPARATOR,
)
from graphscore.formats.entities.sniffers import cells_of
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.tags import TAGS, tag_of
from graphscore.structures.layout import KIND, MENTION, NER, first_of, kind_of


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for graph in graphs:
        check_framework(graph, (NER,), "a file of tags")
        with naming(graph):
            lines = _sentence(graph)
        yield lines.encode()


def _sentence(graph: Graph) -> str:
    extra = graph.extra
    separator = " " if extra.get(SEPARATOR) == " " else "\t"
    forms, tags = _tags(graph)
    if not forms:
        raise InvalidGraphError("no tokens", "one or more")
    between = _rows(extra.get(COLUMNS), forms)
    predicted = _rows([[each] for each in extra.get(PREDICTED, ())], forms)
    lines: list[str] = []
    if extra.get(OPENING):
        lines += [separator.join(map(str, extra[OPENING])), ""]
    lines += map(str, extra.get(COMMENTS, ()))
    for form, columns, tag, more in zip(forms, between, tags, predicted, strict=True):
        cells = [form, *columns, tag, *more]
        line = separator.join(cells)
        if cells_of(line) != cells or "\n" in line:
            expected = "no white space within" if separator == " " else "no tab within"
            raise InvalidGraphError(f"a token {form!r}", expected)
        lines.append(line)
    return "\n".join([*lines, "", ""])


def _rows(kept: Any, forms: list[str]) -> list[list[str]]:
    """What stands beside each token, where there is something for each of them."""
    if isinstance(kept, list) and len(kept) == len(forms):
        return [[str(cell) for cell in row] for row in kept]
    return [[] for _ in forms]


def _tags(graph: Graph) -> tuple[list[str], list[str]]:
    """Tokens, and their tags."""
    spans = TokenSpans(graph)
    tags = ["O"] * len(spans)
    if graph.edges or graph.tops:
        raise InvalidGraphError("edges or tops", "entities alone")
    for node in graph.nodes:
        first, last = spans.of(node)
        letters = _letters(node, last - first + 1)
        label = node.label
        if label is not None and not isinstance(label, str):
            raise InvalidGraphError(f"a type {label!r}", "a string")
        for place, letter in enumerate(letters, first):
            written = letter if label is None else f"{letter}-{label}"
            if tags[place] != "O":
                found = f"a node {node.id!r} that overlaps another"
                raise InvalidGraphError(found, "entities that do not")
            if tag_of(written) != (letter, label):
                raise InvalidGraphError(f"a type {label!r}", "one of a single line")
            tags[place] = written
    return spans.forms, tags


def _letters(node: Node, tokens: int) -> str:
    """The letter of each tag of an entity."""
    if kind_of(node) != MENTION:
        found = f"a node {node.id!r} of kind {kind_of(node)!r}"
        raise InvalidGraphError(found, MENTION)
    more = [name for name, _ in node.properties if name not in (KIND, TAGS)]
    if more:
        raise InvalidGraphError(f"a property {more[0]!r}", "a type and nothing else")
    kept = first_of(node.properties, TAGS)
    if isinstance(kept, str) and len(kept) == tokens:
        return kept
    return "B" + "I" * (tokens - 1)
