"""Graphs as CoNLL-U sentences.

A ``ud`` graph and an ``eud`` graph of one sentence that follow one another become
one sentence again; a graph alone leaves the columns of the other layer empty.
What was read from CoNLL-U comes out as it was, apart from superfluous blank
lines and from DEPS that do not begin with the root.  A graph from elsewhere gets
the comments and the ``SpaceAfter=No`` that its fields ask for.

>>> from graphscore.model.graph import Anchor
>>> dogs = Node(0, "Dogs", (("upos", "NOUN"),), (Anchor(0, 4),))
>>> bark = Node(1, "bark", (), (Anchor(5, 9),))
>>> graph = Graph("1", "ud", text="Dogs bark", nodes=(dogs, bark),
...               edges=(Edge(1, 0, "nsubj"),), tops=(1,))
>>> print(b"".join(write([graph])).decode().replace(chr(9), " "))
# sent_id = 1
# text = Dogs bark
1 Dogs _ NOUN _ _ 2 nsubj _ _
2 bark _ _ _ _ 0 root _ _
<BLANKLINE>
<BLANKLINE>
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.exceptions import GraphscoreError
from graphscore.formats.dependencies.conllu import (
    DEPREL,
    EMPTY,
    MULTIWORD,
    STATED,
)
from graphscore.formats.shared.conllu_columns import (
    NEW_DOCUMENT,
    NO_SPACE,
    anchor_forms,
    comment_parts,
    join_forms,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.writing import Layers, join_layers
from graphscore.model.graph import Edge, Graph, Node, NodeId, Value
from graphscore.structures.layout import COREF

FRAMEWORKS = ("ud", "eud", COREF)

_EMPTY_ID = re.compile(r"(0|[1-9][0-9]*)\.[1-9][0-9]{0,8}")
_MARKS = (MULTIWORD, EMPTY, DEPREL)
_TAGS = ("lemma", "upos", "xpos")


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one sentence after the other.

    Args:
        graphs: of the frameworks ``ud`` and ``eud``; also ``coref``, after the
            sentences of its document, if it says what MISC says in them.

    Yields:
        The lines of each sentence, with the blank one after it.

    Raises:
        GraphscoreError: for another framework.
    """
    document = ""
    for layers in join_layers(
        _check_graphs(graphs), FRAMEWORKS, "CoNLL-U", _same_sentence
    ):
        if COREF not in layers:
            yield _sentence(layers, document)
            [document] = {graph.document for graph in layers.values()}


def _check_graphs(graphs: Iterable[Graph]) -> Iterator[Graph]:
    """Graphs that CoNLL-U holds; another one is an error."""
    for graph in graphs:
        if graph.framework not in FRAMEWORKS:
            raise GraphscoreError(
                f"item {graph.id!r} is of framework {graph.framework!r}; "
                "CoNLL-U holds ud, eud and, beside them, coref"
            )
        yield graph


def _same_sentence(left: Graph, right: Graph) -> bool:
    """Return whether two graphs are the two layers of one sentence, as read."""
    return (
        (left.framework, right.framework) == ("ud", "eud")
        and (left.id, left.language, left.document)
        == (right.id, right.language, right.document)
        and left.text == right.text
        and left.extra == right.extra
        and _words(left) == _words(right)
    )


def _words(graph: Graph) -> list[tuple[object, ...]]:
    return [
        (
            node.id,
            node.label,
            tuple(pair for pair in node.properties if pair[0] != DEPREL),
            node.anchors,
            node.extra,
        )
        for node in graph.nodes
        if not _is_empty(node)
    ]


def _is_empty(node: Node) -> bool:
    return any(name == EMPTY for name, _ in node.properties)


def _sentence(layers: Layers, before: str) -> bytes:
    """The lines of one sentence.

    Args:
        layers: its graphs, one or two.
        before: the document of the sentence before it.
    """
    # Only the enhanced layer has empty nodes.
    graph = layers["eud"] if "eud" in layers else layers["ud"]
    names = _names(graph)
    rows = [_columns(node, names[node.id]) for node in graph.nodes]
    if "comments" not in graph.extra:
        _space(graph, rows)
    if "ud" in layers:
        _add_tree(layers["ud"], names, {row[0]: row for row in rows})
    if "eud" in layers:
        _add_graph(graph, names, rows)
    lines = [*_comments(graph, before, rows), *map("\t".join, rows)]
    return ("\n".join(lines) + "\n\n").encode()


def _names(graph: Graph) -> dict[NodeId, str]:
    """Return the names of the nodes in the file, by their ids."""
    names: dict[NodeId, str] = {}
    words = empty = 0
    taken: set[str] = set()
    for node in graph.nodes:
        marks = dict(node.properties)
        if MULTIWORD in marks:
            size = marks[MULTIWORD]
            last = words + size if type(size) is int else size
            names[node.id] = f"{words + 1}-{last}"
        elif EMPTY in marks:
            # Numbers may be left out, and need not be in order.
            name = node.id if isinstance(node.id, str) else ""
            at = _EMPTY_ID.fullmatch(name)
            while not at or at[1] != str(words) or name in taken:
                empty += 1
                name = f"{words}.{empty}"
                at = _EMPTY_ID.fullmatch(name)
            taken.add(name)
            names[node.id] = name
        else:
            words, empty = words + 1, 0
            names[node.id] = str(words)
    return names


def _columns(node: Node, name: str) -> list[str]:
    """The ten columns of a node, as far as no edge is needed for them."""
    tags: dict[str, str] = {}
    features = []
    for key, value in node.properties:
        if key in _TAGS:
            tags[key] = _spell(value)
        elif key not in _MARKS:
            features.append(key if value is None else f"{key}={_spell(value)}")
    extra: dict[str, Any] = dict(node.extra)
    return [
        name,
        _spell(node.label),
        *(tags.get(tag, "_") for tag in _TAGS),
        "|".join(features) or "_",
        *(str(extra.get(column, "_")) for column in ("head", "deprel", "deps", "misc")),
    ]


def _spell(value: Value) -> str:
    if isinstance(value, str):
        return value
    return "_" if value is None else json.dumps(value)


def _relations(node: Node) -> list[str]:
    return [_spell(value) for name, value in node.properties if name == DEPREL]


def _incoming_edges(graph: Graph) -> dict[NodeId, list[Edge]]:
    edges: dict[NodeId, list[Edge]] = {}
    for edge in graph.edges:
        edges.setdefault(edge.target, []).append(edge)
    return edges


def _add_tree(
    graph: Graph, names: dict[NodeId, str], rows: dict[str, list[str]]
) -> None:
    """Fill in HEAD and DEPREL."""
    incoming = _incoming_edges(graph)
    for node in graph.nodes:
        name = names[node.id]
        if not name.isdecimal():
            continue
        edges, relations = incoming.get(node.id, []), _relations(node)
        row = rows[name]
        if edges:
            head = names.get(edges[0].source, str(edges[0].source))
            row[6], row[7] = head, _spell(edges[0].label)
        elif node.id in graph.tops:
            row[6], row[7] = "0", relations[0] if relations else "root"
        elif relations:
            row[7] = relations[0]


def _add_graph(graph: Graph, names: dict[NodeId, str], rows: list[list[str]]) -> None:
    """Fill in DEPS."""
    incoming = _incoming_edges(graph)
    for node, row in zip(graph.nodes, rows, strict=True):
        relations = _relations(node) or ["root"] * graph.tops.count(node.id)
        pairs = [f"0:{relation}" for relation in relations]
        for edge in incoming.get(node.id, ()):
            head = names.get(edge.source, str(edge.source))
            pairs.append(f"{head}:{_spell(edge.label)}")
        if pairs:
            row[8] = "|".join(pairs)


def _space(graph: Graph, rows: list[list[str]]) -> None:
    """Say with what forms no blank follows, going by the anchors."""
    last: tuple[int, list[str]] | None = None
    for node, row in zip(graph.nodes, rows, strict=True):
        if not node.anchors:
            continue
        start, end = node.anchors[0].start, node.anchors[-1].end
        if last is not None and start < last[0]:
            continue  # a word of the multiword token before it
        if last is not None and start == last[0] and last[1][9] == "_":
            last[1][9] = NO_SPACE
        last = (end, row)


def _comments(graph: Graph, before: str, rows: list[list[str]]) -> list[str]:
    """The comments, with what the graph's own fields say now.

    One that says another text than the words have stays if the text is theirs.
    """
    values = {"sent_id": graph.id, "text": graph.text}
    if "comments" in graph.extra:
        lines = kept_as(graph.extra, "comments", list[str], [])
    else:
        lines = [key for key in STATED if values[key]]
        if graph.document not in ("", before):
            lines.insert(0, f"# {NEW_DOCUMENT} = {graph.document}")
    comments: list[str] = []
    seen: set[str] = set()
    for line in lines:
        key: str | None = line
        value: str | None = None
        if line.startswith("#"):
            key, value = comment_parts(line)
            if value is None:
                key = None
        if key in values and key not in seen:
            seen.add(key)
            stays = value == values[key] or (
                key == "text"
                and value is not None
                and _is_of_words(graph.text, value, rows)
            )
            if not stays:
                line = f"# {key} = {values[key]}"
        comments.append(line)
    if graph.id and "sent_id" not in seen:
        comments.append(f"# sent_id = {graph.id}")
    return comments


def _is_of_words(text: str, comment: str, rows: list[list[str]]) -> bool:
    """Return whether words make a text, and a comment has another one."""
    multiword = {
        number: int(row[0].partition("-")[2])
        for number, row in enumerate(rows)
        if "-" in row[0]
    }
    return (
        join_forms(rows, multiword) == text
        and anchor_forms(rows, multiword, comment)[1] is not None
    )
