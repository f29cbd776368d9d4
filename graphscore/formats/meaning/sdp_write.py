r"""A graph as the lines of an SDP file.

>>> from graphscore.model.graph import Anchor, Edge, Node
>>> dogs, bark = Node(0, "dog", (), (Anchor(0, 4),)), Node(1, None, (), (Anchor(5, 9),))
>>> graph = Graph("1", "dm", 0, text="Dogs bark .", nodes=(dogs, bark),
...               edges=(Edge(1, 0, "ARG1"),), tops=(1,))
>>> for line in lines_of(graph):
...     print(line.replace("\t", " "))
#1
1 Dogs dog _ - - _ ARG1
2 bark _ _ + + _ _
3 . _ _ - - _ _
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from graphscore.errors import InvalidGraphError
from graphscore.formats.texts import forms_of
from graphscore.model.graph import Anchor, Graph, NodeId, Value

HEADER = "#SDP 2015"

SKIPPED = "singletons"
"""Where a graph keeps the tokens that are no nodes: lemma, pos and frame by number."""

IDLE = "idle_predicates"
"""Where a graph keeps the numbers of predicates that no edge leaves."""

ABSENT = "_"

_BREAK = re.compile(r"[\t\n\r]")
_WORD = re.compile(r"\S+")


def _refuse(graph: Graph, found: str, expected: str) -> NoReturn:
    raise InvalidGraphError(f"{found} in graph {graph.id!r}", f"{expected} for SDP")


def _rows(graph: Graph) -> tuple[list[str], dict[NodeId, int]]:
    """The tokens' forms, and the number of each node's token."""
    where = {}
    for node in graph.nodes:
        if not node.anchors:
            _refuse(graph, f"node {node.id} without anchors", "a token for each node")
        start = min(anchor.start for anchor in node.anchors)
        where[node.id] = Anchor(start, max(anchor.end for anchor in node.anchors))
    tokens, forms = graph.tokens, forms_of(graph)
    if not tokens or not set(where.values()) <= set(tokens):
        tokens = tuple(_split(graph, sorted(set(where.values()))))
        forms = [graph.text[start:end] for start, end in tokens]
    if not tokens:
        _refuse(graph, "neither text nor tokens", "at least one token")
    number_of = {anchor: number for number, anchor in enumerate(tokens, 1)}
    numbers: dict[NodeId, int] = {}
    for name, anchor in where.items():
        number = number_of[anchor]
        # Two tokens may share their characters; ids of a reader's are their numbers.
        if isinstance(name, int) and tokens[name - 1 : name] == (anchor,):
            number = name
        numbers[name] = number
    if len(set(numbers.values())) < len(numbers):
        _refuse(graph, "two nodes at one token", "a token for each node")
    return forms, numbers


def _split(graph: Graph, anchors: list[Anchor]) -> Iterator[Anchor]:
    """Tokens of a text without any: those of the nodes, and words between them."""
    position = 0
    for anchor in (*anchors, Anchor(len(graph.text), len(graph.text) + 1)):
        if anchor.start < position or anchor.start >= anchor.end:
            _refuse(graph, f"overlapping nodes at {position}", "a token for each node")
        for word in _WORD.finditer(graph.text, position, anchor.start):
            yield Anchor(*word.span())
        position = anchor.end
        if anchor.start < len(graph.text):
            yield anchor


def _cell(graph: Graph, value: Value) -> str:
    """What a column says of a value; a line break or tab cannot be said."""
    if value is None or value == "":
        return ABSENT
    text = value if isinstance(value, str) else str(value).lower()
    if _BREAK.search(text):
        _refuse(graph, f"a tab or line break in {text[:40]!r}", "none")
    return text


def lines_of(graph: Graph) -> Iterator[str]:
    """The lines of a graph in the layout of 2015, without the blank one after them.

    Properties other than ``pos`` and ``frame`` have no column.

    Args:
        graph: any graph whose nodes stand for a token each.

    Yields:
        The id, then a line for each token; nodes are put into their surface order.

    Raises:
        InvalidGraphError: if two nodes stand for one token or a node for none, two
            edges lead the same way, an edge has no label, or a value does not fit
            into a column.
    """
    forms, numbers = _rows(graph)
    cells: dict[tuple[int, int], str] = {}
    for edge in graph.edges:
        source, target = numbers[edge.source], numbers[edge.target]
        label = _cell(graph, edge.label)
        if label == ABSENT or (target, source) in cells:
            what = "no label" if label == ABSENT else "several labels"
            _refuse(graph, f"{what} from {source} to {target}", "one label")
        cells[target, source] = label
    tops = {numbers[top] for top in graph.tops}
    sources = {source for _, source in cells}
    linked = tops | sources | {target for target, _ in cells}
    idle = graph.extra.get(IDLE)
    predicates = sources | (set(numbers.values()) - linked)
    if isinstance(idle, list):
        predicates |= set(numbers.values()) & {k for k in idle if isinstance(k, int)}
    columns = sorted(predicates)
    nodes = {numbers[node.id]: node for node in graph.nodes}
    kept = graph.extra.get(SKIPPED)
    skipped = kept if isinstance(kept, dict) else {}
    comments = graph.extra.get("comments")
    for comment in (graph.id, *(comments if isinstance(comments, list) else ())):
        yield "#" + _BREAK.sub(" ", str(comment))
    for number, form in enumerate(forms, 1):
        node = nodes.get(number)
        if node is not None:
            properties = {name.lower(): value for name, value in node.properties}
            said = [node.label, properties.get("pos"), properties.get("frame")]
        else:
            said = skipped.get(str(number), [])
            said = said if len(said) == 3 else [None] * 3
        lemma, pos, frame = (_cell(graph, value) for value in said)
        flags = ["-+"[number in tops], "-+"[number in predicates]]
        labels = [cells.get((number, source), ABSENT) for source in columns]
        row = [str(number), _cell(graph, form), lemma, pos, *flags, frame, *labels]
        yield "\t".join(row)
