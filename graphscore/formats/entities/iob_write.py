r"""Graphs as columns with a tag for each token.

Entities that come from tags are written with the letters they had, others as IOB2;
tags of a file are all written as those of its first sentence were.
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

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from graphscore.formats.entities.iob import (
    COLUMNS,
    COMMENTS,
    INDEX,
    OPENING,
    PLAIN,
    PREDICTED,
    SCHEME,
    SEPARATOR,
    SPELLING,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.tags import SPELLINGS, TAGS, USUAL, Spelling
from graphscore.structures.layout import NER, first_of


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    spelling: Spelling | None = None
    for table in _tables(graphs):
        if spelling is None:
            spelling = _spelling(table[0])
        with naming(table[0]):
            lines = _sentence(table, spelling)
        yield lines.encode()


def _spelling(graph: Graph) -> Spelling:
    """How tags of the file were written that a graph comes from."""
    kept = graph.extra.get(SPELLING)
    return next((x for x in SPELLINGS if x.written("B", "PER") == kept), USUAL)


def _tables(graphs: Iterable[Graph]) -> Iterator[list[Graph]]:
    """The graphs of each sentence: the layers of one stand side by side."""
    held: list[Graph] = []
    for graph in graphs:
        check_framework(graph, (NER,), "a file of tags")
        if held and not (_same_sentence(held[0], graph) and graph.layer):
            yield held
            held = []
        if graph.layer in [each.layer for each in held]:
            yield held
            held = []
        held.append(graph)
    if held:
        yield held


def _same_sentence(one: Graph, two: Graph) -> bool:
    return bool(one.layer) and (
        (one.id, one.language, one.text, one.tokens)
        == (two.id, two.language, two.text, two.tokens)
    )


def _sentence(layers: Sequence[Graph], spelling: Spelling) -> str:
    graph = layers[0]
    extra = graph.extra
    separator = " " if extra.get(SEPARATOR) == " " else "\t"
    columns = [_tags(layer, spelling) for layer in layers]
    forms = columns[0][0]
    index = _index(extra.get(INDEX), len(forms))
    between = _rows(kept_as(extra, COLUMNS, list[list[str]], []), forms)
    answers = kept_as(extra, PREDICTED, list[str], [])
    predicted = _rows([[each] for each in answers], forms)
    lines: list[str] = []
    if opening := kept_as(extra, OPENING, list[str], []):
        lines += [separator.join(opening), ""]
    lines += kept_as(extra, COMMENTS, list[str], [])
    for place, form in enumerate(forms):
        tags = [column[place] for _, column in columns]
        cells = [*index[place], form, *between[place], *tags, *predicted[place]]
        lines.append(separator.join(cells))
    return "\n".join([*lines, "", ""])


def _index(kept: Any, size: int) -> list[list[str]]:
    """The cells in front of the tokens, where they are counted."""
    if type(kept) is int:
        return [[str(kept + place)] for place in range(size)]
    if isinstance(kept, list) and len(kept) == size:
        return [[str(cell)] for cell in kept]
    return [[] for _ in range(size)]


def _rows(kept: Any, forms: list[str]) -> list[list[str]]:
    """What stands beside each token, where there is something for each of them."""
    if isinstance(kept, list) and len(kept) == len(forms):
        return [[str(cell) for cell in row] for row in kept]
    return [[] for _ in forms]


def _tags(graph: Graph, spelling: Spelling) -> tuple[list[str], list[str]]:
    """Tokens, and their tags."""
    spans = TokenSpans(graph)
    tags = ["O"] * len(spans)
    plain = graph.extra.get(SCHEME) == PLAIN
    for node in graph.nodes:
        first, last = spans.of(node)
        label = node.label
        for place, letter in enumerate(_letters(node, last - first + 1), first):
            if plain:
                tags[place] = "" if label is None else str(label)
            else:
                kind = None if label is None else str(label)
                tags[place] = spelling.written(letter, kind)
    return spans.forms, tags


def _letters(node: Node, tokens: int) -> str:
    """The letter of each tag of an entity."""
    kept = first_of(node.properties, TAGS)
    if isinstance(kept, str) and len(kept) == tokens:
        return kept
    return "B" + "I" * (tokens - 1)
