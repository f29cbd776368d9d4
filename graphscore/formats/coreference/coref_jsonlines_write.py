r"""Graphs as lines of coreference clusters.

A line has the keys, and ranges that end, as it was read; graphs from elsewhere get
``doc_key``, ``sentences`` and ``clusters``, the last token of a range included, or
``text`` and ranges of characters where there are no tokens.

>>> from graphscore.model.graph import Anchor, Edge, Node
>>> mention = Node(0, None, (("kind", "mention"),), (Anchor(0, 4),))
>>> entity = Node("7", None, (("kind", "entity"),))
>>> graph = Graph("a", "coref", 1, document="a", text="Dogs bark",
...               tokens=(Anchor(0, 4), Anchor(5, 9)), nodes=(mention, entity),
...               edges=(Edge("7", 0, "mention"),))
>>> b"".join(write([graph]))
b'{"doc_key":"a","sentences":[["Dogs","bark"]],"clusters":[[[0,0]]]}\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.coreference.coref_jsonlines import (
    CLUSTER_KEYS,
    CLUSTERS,
    ENDS,
    EXCLUSIVE,
    FIELDS,
    ID_KEYS,
    IDENTITY,
    LINE,
    PART,
    SENTENCES,
    TEXT,
    WORD_KEYS,
    WORDS,
)
from graphscore.formats.shared.clusters import members_of
from graphscore.formats.shared.layers import kept
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import Layers, json_lines
from graphscore.model.graph import Graph, NodeId
from graphscore.structures.layout import COREF, MENTION, nodes_of


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the framework ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, (COREF,), "a line of clusters", _line)


def _line(graph: Graph, layers: Layers) -> dict[str, Any]:
    said = kept(graph.extra, LINE)
    words = said.get(WORDS)
    untokenized = bool(graph.text) and not graph.tokens
    if words not in WORD_KEYS or (graph.text and (words == TEXT) != untokenized):
        words = TEXT if untokenized else SENTENCES
    found: dict[str, Any] = {}
    identity = said.get(IDENTITY, ID_KEYS[0])
    fields = kept(said, FIELDS)
    if graph.id and identity in ID_KEYS:
        part = fields.get(PART)
        found[identity] = (
            graph.id if part is None else graph.id.removesuffix(f"/{part}")
        )
    spans, found[words] = _words(graph, words, said.get(ENDS) == EXCLUSIVE)
    found |= {key: value for key, value in fields.items() if key not in found}
    clusters = said.get(CLUSTERS)
    key = clusters if clusters in CLUSTER_KEYS else CLUSTER_KEYS[-1]
    found[key] = [[spans[each] for each in members] for members in members_of(graph)]
    return found


def _words(
    graph: Graph, key: str, exclusive: bool
) -> tuple[dict[NodeId, tuple[int, int]], Any]:
    """The range of each mention, and the words as they are written.

    Args:
        graph: the document.
        key: what the words are called.
        exclusive: whether ranges end before their second number.
    """
    mentions = nodes_of(graph, MENTION)
    if key == TEXT:
        characters: dict[NodeId, tuple[int, int]] = {}
        for node in mentions:
            if len(node.anchors) != 1 or node.anchors[0].start >= node.anchors[0].end:
                shown = f"a mention {node.id!r} of {len(node.anchors)} ranges"
                raise InvalidGraphError(shown, "one range of characters")
            characters[node.id] = (node.anchors[0].start, node.anchors[0].end)
        return characters, graph.text
    tokens = TokenSpans(graph)
    spans = {node.id: tokens.of(node) for node in mentions}
    if exclusive:
        spans = {name: (first, last + 1) for name, (first, last) in spans.items()}
    if key != SENTENCES:
        return spans, tokens.forms
    return spans, tokens.sentences()
