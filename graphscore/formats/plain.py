"""Formats of any graph, which are only written: ids and texts, and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import Format, late
from graphscore.model.graph import Anchor, Edge, Graph, Node, Pairs, Value
from graphscore.model.normalize import fold

# Who only asks for the table needs none of these.
alone = late("graphscore.drawing.styles", "alone")
code_point = late("graphscore.formats.graph_diff", "code_point")
draw = late("graphscore.drawing.choice", "draw")
stacked = late("graphscore.drawing.svg", "stacked")

_BREAK = r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]"
"""Pattern of characters that some reader takes for the end of a line, or a column."""


def with_ids(graphs: Iterable[Graph]) -> Iterator[tuple[str, Graph]]:
    """Graphs with their ids; those without one are numbered from 0.

    Args:
        graphs: any graphs.

    Yields:
        Ids and graphs.

    Raises:
        GraphscoreError: if an id cannot stand on a line.
    """
    numbers: dict[tuple[str, str], int] = {}
    for graph in graphs:
        name = graph.id
        if not name:
            key = (graph.framework, graph.language)
            numbers[key] = numbers.get(key, -1) + 1
            name = str(numbers[key])
        if match := re.search(_BREAK, name):
            raise GraphscoreError(
                f"item {name!r}: a tab or line break in an id, {code_point(match[0])}"
            )
        yield name, graph


def write_texts(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write ids, tabs and texts, a line each.

    An item in several frameworks is one line, as long as its text is the same.  A
    graph without an id is numbered within its framework, as pairing does.  Line breaks
    and tabs inside a text become blanks, so that every character keeps its position.

    >>> text = "Dogs\nbark"
    >>> graphs = Graph("1", "dm", text=text), Graph("1", "amr", text=text)
    >>> b"".join(write_texts(graphs))
    b'1\tDogs bark\n'
    """
    written: set[tuple[str, str]] = set()
    for name, graph in with_ids(graphs):
        text = re.sub(_BREAK, " ", graph.text)
        if (name, text) not in written:
            written.add((name, text))
            yield _encode(f"{name}\t{text}\n", name)


def write_ids(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""The ids of the items, one to a line, each once.

    >>> b"".join(write_ids([Graph("1", "dm"), Graph("1", "amr"), Graph("2", "dm")]))
    b'1\n2\n'
    """
    written: set[str] = set()
    for name, _ in with_ids(graphs):
        if name not in written:
            written.add(name)
            yield _encode(f"{name}\n", name)


def _encode(line: str, name: str) -> bytes:
    try:
        return line.encode()
    except UnicodeEncodeError as error:
        character = code_point(line[error.start])
        raise GraphscoreError(
            f"item {name!r}: plain text cannot hold {character}, half of a surrogate "
            "pair"
        ) from None


# Pictures.

_UNSEEN = "[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"


def _quote(text: str) -> str:
    """A string of the DOT language; line breaks become its own."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\n")
    return '"' + re.sub(_UNSEEN, _escape, plain.removesuffix("\n")) + '"'


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x0A:
        return "\\n"
    return f"\\\\x{code:02x}" if code < 0x100 else f"\\\\u{code:04x}"


def _spell(value: Value) -> str:
    return value if isinstance(value, str) else fold(value)


def _pairs(pairs: Pairs) -> list[str]:
    return [f"{name}={_spell(value)}" for name, value in pairs]


def _words(anchors: Iterable[Anchor], text: str) -> str:
    """The anchored words, or the ranges where there is no text."""
    if text:
        return " ".join(text[start:end] for start, end in anchors)
    return " ".join(f"{start}:{end}" for start, end in anchors)


def _node(number: int, node: Node, graph: Graph) -> str:
    lines = [] if node.label is None else [_spell(node.label)]
    lines += _pairs(node.properties)
    if node.anchors:
        lines.append(f"⟨{_words(node.anchors, graph.text)}⟩")
    top = ", peripheries=2" if node.id in graph.tops else ""
    return f"  n{number} [label={_quote(chr(10).join(lines))}{top}];\n"


def _edge(source: int, target: int, edge: Edge) -> str:
    lines = [] if edge.label is None else [_spell(edge.label)]
    if edge.normal is not None:
        lines.append(f"({_spell(edge.normal)})")
    remote = ("remote", True) in edge.attributes
    lines += _pairs(tuple(p for p in edge.attributes if p != ("remote", True)))
    shown = [f"label={_quote(chr(10).join(lines))}"] if lines else []
    if remote:
        shown.append("style=dashed")
    style = f" [{', '.join(shown)}]" if shown else ""
    return f"  n{source} -> n{target}{style};\n"


def write_dot(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write pictures of graphs for Graphviz, in the DOT language.

    One ``digraph`` a graph; ``dot -Tpdf -O`` draws them all.  A node shows its label,
    its properties and the words it is anchored in, an edge its label and attributes;
    a top is drawn with a double line, a remote edge dashed.  Line feeds break the line;
    other control characters, and halves of surrogate pairs, are spelled (``\x85``).

    >>> graph = Graph("1", "amr", nodes=(Node(0, "bark-01"), Node(1, "dog")),
    ...               edges=(Edge(0, 1, "ARG0"),), tops=(0,))
    >>> print(b"".join(write_dot([graph])).decode(), end="")
    digraph "1" {
      graph [label="amr 1"];
      node [shape=box];
      n0 [label="bark-01", peripheries=2];
      n1 [label="dog"];
      n0 -> n1 [label="ARG0"];
    }
    """
    for graph in graphs:
        title = f"{graph.framework} {graph.id}"
        if graph.text:
            title += f"\n{graph.text}"
        ordinals = graph.ordinals()
        lines = [
            f"digraph {_quote(graph.id)} {{\n",
            f"  graph [label={_quote(title)}];\n",
            "  node [shape=box];\n",
        ]
        lines += [_node(number, node, graph) for number, node in enumerate(graph.nodes)]
        lines += [_edge(ordinals[e.source], ordinals[e.target], e) for e in graph.edges]
        yield "".join([*lines, "}\n"]).encode()


def write_svg(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write pictures that any browser shows, below each other.

    What is drawn, and how, stands in :mod:`graphscore.drawing`.

    >>> graph = Graph("1", "amr", nodes=(Node(0, "bark-01"), Node(1, "dog")),
    ...               edges=(Edge(0, 1, "ARG0"),), tops=(0,))
    >>> picture = b"".join(write_svg([graph])).decode()
    >>> picture.count("<svg"), picture.count("bark-01") > 0
    (2, True)
    """
    picture: str = stacked([draw([alone(graph)]) for graph in graphs])
    yield picture.encode()


FORMATS = (
    Format(
        name="dot",
        title="Graphviz DOT",
        frameworks=(),
        suffixes=(".dot", ".gv"),
        write=write_dot,
    ),
    Format(
        name="ids",
        title="Item IDs, one per line; with texts (TSV)",
        frameworks=(),
        suffixes=(".ids",),
        write=write_ids,
    ),
    Format(
        name="svg",
        title="SVG drawing per graph",
        frameworks=(),
        suffixes=(".svg",),
        write=write_svg,
        # In a folder; a file that is named has all of them below each other.
        single=True,
    ),
    Format(
        name="txt",
        title="Item IDs, one per line; with texts (TSV)",
        frameworks=(),
        suffixes=(".txt",),
        write=write_texts,
    ),
)
