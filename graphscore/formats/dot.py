r"""DOT: pictures of graphs, for Graphviz.

One ``digraph`` a graph; ``dot -Tpdf -O`` draws them all.  A node shows its label,
its properties and the words it is anchored in, an edge its label and attributes;
a top is drawn with a double line, a remote edge dashed.  Line feeds break the line;
other control characters, and halves of surrogate pairs, are spelled, as in ``\x85``.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> graph = Graph("1", "amr", nodes=(Node(0, "bark-01"), Node(1, "dog")),
...               edges=(Edge(0, 1, "ARG0"),), tops=(0,))
>>> print(b"".join(write([graph])).decode(), end="")
digraph "1" {
  graph [label="amr 1"];
  node [shape=box];
  n0 [label="bark-01", peripheries=2];
  n1 [label="dog"];
  n0 -> n1 [label="ARG0"];
}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphscore.model.graph import Anchor, Edge, Graph, Node, Pairs, Value
from graphscore.model.normalize import fold

_UNSEEN = re.compile("[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _quoted(text: str) -> str:
    """A string of the DOT language; line breaks become its own."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\n")
    return '"' + _UNSEEN.sub(_escaped, plain.removesuffix("\n")) + '"'


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x0A:
        return "\\n"
    return f"\\\\x{code:02x}" if code < 0x100 else f"\\\\u{code:04x}"


def _spelled(value: Value) -> str:
    return value if isinstance(value, str) else fold(value)


def _pairs(pairs: Pairs) -> list[str]:
    return [f"{name}={_spelled(value)}" for name, value in pairs]


def _words(anchors: Iterable[Anchor], text: str) -> str:
    """The anchored words, or the ranges where there is no text."""
    if text:
        return " ".join(text[start:end] for start, end in anchors)
    return " ".join(f"{start}:{end}" for start, end in anchors)


def _node(number: int, node: Node, graph: Graph) -> str:
    lines = [] if node.label is None else [_spelled(node.label)]
    lines += _pairs(node.properties)
    if node.anchors:
        lines.append(f"⟨{_words(node.anchors, graph.text)}⟩")
    top = ", peripheries=2" if node.id in graph.tops else ""
    return f"  n{number} [label={_quoted(chr(10).join(lines))}{top}];\n"


def _edge(source: int, target: int, edge: Edge) -> str:
    lines = [] if edge.label is None else [_spelled(edge.label)]
    if edge.normal is not None:
        lines.append(f"({_spelled(edge.normal)})")
    remote = ("remote", True) in edge.attributes
    lines += _pairs(tuple(p for p in edge.attributes if p != ("remote", True)))
    shown = [f"label={_quoted(chr(10).join(lines))}"] if lines else []
    if remote:
        shown.append("style=dashed")
    style = f" [{', '.join(shown)}]" if shown else ""
    return f"  n{source} -> n{target}{style};\n"


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    for graph in graphs:
        title = f"{graph.framework} {graph.id}"
        if graph.text:
            title += f"\n{graph.text}"
        place = graph.ordinals()
        lines = [
            f"digraph {_quoted(graph.id)} {{\n",
            f"  graph [label={_quoted(title)}];\n",
            "  node [shape=box];\n",
        ]
        lines += [_node(number, node, graph) for number, node in enumerate(graph.nodes)]
        lines += [_edge(place[e.source], place[e.target], e) for e in graph.edges]
        yield "".join([*lines, "}\n"]).encode()
