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

from graphscore.errors import InvalidGraphError
from graphscore.formats.writing import spelled
from graphscore.model.graph import Edge, Graph, Node, NodeId

CONSTANT = "carg"
"""The property that holds the constant of a node."""

SYMBOL = r"[^\s:,<>(){}\[\]|#\"]"
"""A character of an id."""

LABEL = r"(?>(?:[^\s<({\[]++|<(?![-@\d])|\((?!\"))+)"
"""A predicate; it may hold what does not begin a range, a constant or a list.

A possessive group (``(...)++``) with choices in it goes wrong before Python 3.11.5.
"""

_LINK = re.compile(r"[-@\d][-@#:\d ]*")
_STATUS = re.compile(r"cyclic|fragmented|cyclic fragmented")
_VARIABLE = re.compile(r"[a-z]\d+")
_BREAK = re.compile(r"[\r\n]")
_ESCAPE = re.compile(r'["\\]')


def _node_line(graph: Graph, node: Node, edges: Iterable[Edge]) -> str:
    extra = dict(node.extra)
    name = str(node.id)
    pieces = ["|" if extra.get("fragment") is True else " ", name, ":"]
    pieces.append(spelled(node.label))
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
        text = spelled(carg[1])
        if _BREAK.search(text):
            found = f"a line break in {text[:40]!r} in graph {graph.id!r}"
            raise InvalidGraphError(found, "constants of one line for EDS")
        pieces.append('("' + _ESCAPE.sub(r"\\\g<0>", text) + '")')
    kind = extra.get("type")
    if properties or isinstance(kind, str):
        if not isinstance(kind, str):
            kind = name[0] if _VARIABLE.fullmatch(name) else "u"
        written = ", ".join(f"{key} {spelled(value)}" for key, value in properties)
        pieces.append(f"{{{kind} {written}}}" if written else f"{{{kind}}}")
    written = ", ".join(f"{spelled(edge.label)} {edge.target}" for edge in edges)
    return f"{''.join(pieces)}[{written}]"


def eds_text(graph: Graph) -> str:
    """The graph in native notation, with its id above it.

    Properties are written where there are any; node ids are written as they are.

    Args:
        graph: a graph with one top or none, and one range of characters at a node.

    Returns:
        Several lines, without a line break at the end.

    Raises:
        InvalidGraphError: if there is a line break in a constant.
    """
    outgoing: dict[NodeId, list[Edge]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        outgoing[edge.source].append(edge)
    lines = []
    if graph.id:
        lines.append(f"#{graph.id}")
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
