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
from itertools import accumulate, pairwise
from typing import Any

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.coreference.coref_jsonlines_record import (
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
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, NodeId
from graphscore.structures.layout import COREF, MENTION, nodes_of

_encode = msgspec.json.Encoder().encode


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the framework ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for graph in graphs:
        check_framework(graph, (COREF,), "a line of clusters")
        with naming(graph):
            found = _line(graph)
        yield _encode(found) + b"\n"


def _line(graph: Graph) -> dict[str, Any]:
    said = graph.extra.get(LINE)
    said = said if isinstance(said, dict) else {}
    words = said.get(WORDS)
    untokenized = bool(graph.text) and not graph.tokens
    if words not in WORD_KEYS or (graph.text and (words == TEXT) != untokenized):
        words = TEXT if untokenized else SENTENCES
    own = said.get(FIELDS)
    found: dict[str, Any] = {}
    identity = said.get(IDENTITY, ID_KEYS[0])
    fields = own if isinstance(own, dict) else {}
    if graph.id and identity in ID_KEYS:
        parted = fields.get(PART) is not None and graph.document
        found[identity] = graph.document if parted else graph.id
    spans, found[words] = _words(graph, words, said.get(ENDS) == EXCLUSIVE)
    for node in nodes_of(graph, MENTION):
        if node.label is not None:
            shown = f"a mention {node.id!r} of type {node.label!r}"
            raise InvalidGraphError(shown, "none with a type")
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
    sizes = graph.extra.get(SENTENCES, [len(tokens)])
    plain = isinstance(sizes, list) and all(type(n) is int and n >= 0 for n in sizes)
    if not plain or sum(sizes) != len(tokens):
        shown = f"sentences of {sizes!r} tokens"
        raise InvalidGraphError(shown, f"{len(tokens)} tokens in all")
    places = pairwise(accumulate(sizes, initial=0))
    return spans, [tokens.forms[first:after] for first, after in places]
