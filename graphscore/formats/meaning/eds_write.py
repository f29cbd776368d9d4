r"""A graph in the native notation of EDS.

>>> from graphscore.model.graph import Anchor
>>> bark = Node("e2", "_bark_v_1", (("SF", "prop"),), (Anchor(5, 9),), (("type", "e"),))
>>> fido = Node("x4", "named", (("carg", "Fido"),), (Anchor(0, 4),))
>>> print(eds_text(Graph("1", "eds", 1, nodes=(bark, fido),
...       edges=(Edge("e2", "x4", "ARG1"),), tops=("e2",))))
#1
{e2:
 e2:_bark_v_1<5:9>{e SF prop}[ARG1 x4]
 x4:named<0:4>("Fido")[]
}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from graphscore.errors import InvalidGraphError
from graphscore.model.graph import Edge, Graph, Node, NodeId, Value

CONSTANT = "carg"
"""The property that holds the constant of a node."""

SYMBOL = r"[^\s:,<>(){}\[\]|#\"]"
"""A character of an id."""

LABEL = r"(?>(?:[^\s<({\[]++|<(?![-@\d])|\((?!\"))+)"
"""A predicate; it may hold what does not begin a range, a constant or a list.

A possessive group (``(...)++``) with choices in it goes wrong before Python 3.11.5.
"""

_NAME = re.compile(rf"{SYMBOL}+")
_ITEM = re.compile(r"[^\s{]+")
_LABEL = re.compile(LABEL)
_LINK = re.compile(r"[-@\d][-@#:\d ]*")
_STATUS = re.compile(r"cyclic|fragmented|cyclic fragmented")
_VARIABLE = re.compile(r"[a-z]\d+")
_BREAK = re.compile(r"[\r\n]")
_WORD = re.compile(r"[^\s,{}\[\]]+")
_ESCAPE = re.compile(r'["\\]')


def _refuse(graph: Graph, found: str, expected: str) -> NoReturn:
    raise InvalidGraphError(f"{found} in graph {graph.id!r}", f"{expected} for EDS")


def _word(graph: Graph, value: Value, what: str, pattern: re.Pattern[str]) -> str:
    """A value as one word of the notation."""
    text = value if isinstance(value, str) else str(value).lower()
    if value is None or not pattern.fullmatch(text):
        _refuse(graph, f"{what} {value!r}", "a word without brackets and blanks")
    return text


def _node_line(graph: Graph, node: Node, edges: Iterable[Edge]) -> str:
    extra = dict(node.extra)
    name = _word(graph, node.id, "the id", _NAME)
    pieces = ["|" if extra.get("fragment") is True else " ", name, ":"]
    pieces.append(_word(graph, node.label, "the label", _LABEL))
    if len(node.anchors) > 1:
        _refuse(graph, f"{len(node.anchors)} anchors at node {name}", "one range")
    lnk = extra.get("lnk")
    if node.anchors:
        start, end = node.anchors[0]
        pieces.append(f"<{start}:{end}>")
    elif isinstance(lnk, str) and _LINK.fullmatch(lnk):
        pieces.append(f"<{lnk}>")
    properties = list(node.properties)
    carg = next((p for p in properties if p[0].lower() == CONSTANT), None)
    if carg is not None:
        properties.remove(carg)
        text = carg[1] if isinstance(carg[1], str) else str(carg[1]).lower()
        if _BREAK.search(text):
            _refuse(graph, f"a line break in {text[:40]!r}", "constants of one line")
        pieces.append('("' + _ESCAPE.sub(r"\\\g<0>", text) + '")')
    kind = extra.get("type")
    if properties or isinstance(kind, str):
        if not isinstance(kind, str):
            kind = name[0] if _VARIABLE.fullmatch(name) else "u"
        written = ", ".join(
            f"{_word(graph, key, 'the property', _WORD)} "
            f"{_word(graph, value, 'the value', _WORD)}"
            for key, value in properties
        )
        kind = _word(graph, kind, "the type", _WORD)
        pieces.append(f"{{{kind} {written}}}" if written else f"{{{kind}}}")
    written = ", ".join(
        f"{_word(graph, edge.label, 'the role', _WORD)} "
        f"{_word(graph, edge.target, 'the id', _NAME)}"
        for edge in edges
    )
    return f"{''.join(pieces)}[{written}]"


def eds_text(graph: Graph) -> str:
    """The graph in native notation, with its id above it.

    Properties are written where there are any; node ids are written as they are.

    Args:
        graph: a graph with one top or none.

    Returns:
        Several lines, without a line break at the end.

    Raises:
        InvalidGraphError: if there are several tops, several anchors at a node, or
            something without a label; if a name does not fit into the notation.
    """
    if len(graph.tops) > 1:
        _refuse(graph, f"{len(graph.tops)} tops", "one top or none")
    if len({str(node.id) for node in graph.nodes}) < len(graph.nodes):
        _refuse(graph, "ids that look alike", "an id of its own for each node")
    outgoing: dict[NodeId, list[Edge]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        outgoing[edge.source].append(edge)
    lines = []
    if graph.id:
        lines.append("#" + _word(graph, graph.id, "the id", _ITEM))
    comments = graph.extra.get("comments")
    if isinstance(comments, list):
        lines += [f"# {' '.join(str(each).split())}" for each in comments]
    top = f"{graph.tops[0]}:" if graph.tops else ":"
    status = graph.extra.get("status")
    if isinstance(status, str) and _STATUS.fullmatch(status):
        top += f" ({status})"
    lines.append("{" + top)
    lines += [_node_line(graph, node, outgoing[node.id]) for node in graph.nodes]
    return "\n".join([*lines, "}"])
