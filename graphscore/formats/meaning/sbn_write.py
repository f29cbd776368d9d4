r"""Graphs in Simplified Box Notation, a line for each sense.

>>> nodes = (Node("b0", "box"),
...          Node("s0", "sense", (("lemma", "dog"), ("pos", "n"), ("sense", "01"))),
...          Node("s1", "sense", (("lemma", "bark"), ("pos", "v"), ("sense", "01"))),
...          Node("c0", "now"))
>>> edges = (Edge("b0", "s0", "member"), Edge("b0", "s1", "member"),
...          Edge("s1", "s0", "Agent"), Edge("s1", "c0", "Time"))
>>> print(b"".join(write([Graph("7", "sbn", nodes=nodes, edges=edges,
...                             tops=("b0",))])).decode().rstrip())
%%% id = 7
dog.n.01
bark.v.01 Agent -1 Time now

Boxes must follow each other as their senses do, and every constant belongs to one role:
a graph that the notation cannot say is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import InvalidGraphError
from graphscore.formats.meaning.drg import ITEM, NAMED
from graphscore.formats.meaning.sbn_graph import (
    BOX,
    HEADER,
    LEMMA,
    MEMBER,
    SENSE,
    WRITTEN,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node

Row = tuple[str, str, tuple[Anchor, ...]]
"""A line: the sense, its roles or a relation, and the words that it comes from."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document after the other.

    Args:
        graphs: of the framework ``sbn``.

    Yields:
        The lines of each document, with the blank one after it.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        check_framework(graph, ("sbn",), "SBN")
        with naming(graph):
            yield ("\n".join(_Written(graph).lines()) + "\n\n").encode()


class _Written:
    """The lines of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.boxes = [node.id for node in graph.nodes if node.label == BOX]
        self.senses = [node.id for node in graph.nodes if node.label == SENSE]
        self.place = {each: number for number, each in enumerate(self.senses)}
        self.nodes = {node.id: node for node in graph.nodes}

    def lines(self) -> list[str]:
        """Comments, then a line for each sense and each relation of boxes."""
        found = self._header()
        rows: list[Row] = []
        # In the order of the edges: roles may follow a relation that opens a box.
        for edge in self.graph.edges:
            if edge.label == MEMBER and edge.target in self.place:
                node = self.nodes[edge.target]
                rows.append((_sense(node), "", node.anchors))
            elif edge.target in self.boxes:
                rows.append(("", self._relation(edge), edge.anchors))
            elif rows:
                sense, roles, anchors = rows[-1]
                rows[-1] = sense, f"{roles} {self._role(edge)}".lstrip(), anchors
        self._say_rest(rows)
        anchored = any(anchors for _, _, anchors in rows)
        first = max((len(sense) for sense, _, _ in rows), default=0)
        second = max((len(roles) for _, roles, _ in rows), default=0)
        for sense, said, anchors in rows:
            if not anchored:
                line = f"{sense} {said}" if sense else said
            else:
                line = f"{sense:<{first}} {said:<{second}} % {self._comment(anchors)}"
            found.append(line.rstrip())
        return found

    def _header(self) -> list[str]:
        graph = self.graph
        kept = kept_as(graph.extra, HEADER, list[str], [])
        lines = [line for line in kept if line.startswith("%%%") and "\n" not in line]
        named = [match[0] for line in lines if (match := ITEM.search(line))]
        if graph.id and graph.id not in named[:1]:
            named = []
            lines = [line for line in lines if not ITEM.search(line)]
            lines.insert(0, f"%%% {NAMED}{graph.id}")
        return lines

    def _role(self, edge: Edge) -> str:
        role = str(edge.label)
        if edge.target in self.place:
            away = self.place[edge.target] - self.place.get(edge.source, 0)
            return f"{role} {away:+d}"
        node = self.nodes[edge.target]
        written = kept_as(node.extra, WRITTEN, str, "")
        return f"{role} {written or _constant(node)}"

    def _relation(self, edge: Edge) -> str:
        label = str(edge.label)
        written = kept_as(edge.extra, WRITTEN, str, "")
        if not written:
            if edge.source not in self.boxes:
                raise InvalidGraphError(f"{label!r} of {edge.source!r}", "of a box")
            away = self.boxes.index(edge.target) - self.boxes.index(edge.source)
            written = f"<{away}" if away > 0 else f">{-away}"
        return f"{label} {written}"

    def _say_rest(self, rows: list[Row]) -> None:
        """Words that no sense comes from get lines of their own."""
        said = {anchor for _, _, anchors in rows for anchor in anchors}
        rest = [anchor for anchor in self.graph.tokens if anchor not in said]
        rows += [("", "", (anchor,)) for anchor in rest]

    def _comment(self, anchors: tuple[Anchor, ...]) -> str:
        if not anchors:
            return ""
        start, end = anchors[0]
        return f"{self.graph.text[start:end]} [{start}-{end}]".lstrip()


def _sense(node: Node) -> str:
    """A sense as it is written."""
    said = dict(node.properties)
    found = ".".join(str(said.get(name, "")) for name in ("lemma", "pos", "sense"))
    if not LEMMA.fullmatch(found) or len(node.properties) != len(said) or len(said) > 3:
        expected = "lemma, pos and sense, as in dog.n.01"
        raise InvalidGraphError(f"the sense {found!r}", expected)
    return found


def _constant(node: Node) -> str:
    """A constant as it is written: a name in quotation marks."""
    label = str(node.label)
    plain = label and not label[0].isupper() and not set(label) & set(" \t\n\"'%")
    return label if plain else f'"{label}"'
