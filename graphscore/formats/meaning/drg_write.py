r"""Discourse representation structures as clauses.

What was read from clauses comes out as it was, line by line, as long as the graph
still says the same.  Any other graph in that layout gets its clauses in the order of
its edges, each with the tokens that its node or edge is anchored in:

>>> dog = Node("x1", "dog.n.01", anchors=(Anchor(0, 4),))
>>> bark = Node("e1", "bark.v.01", anchors=(Anchor(5, 9),))
>>> graph = Graph("7", "drg", 2, text="Dogs bark.",
...     tokens=(Anchor(0, 4), Anchor(5, 9), Anchor(9, 10)),
...     nodes=(Node("b1"), dog, bark, Node("r1", "Agent", anchors=(Anchor(5, 9),))),
...     edges=(Edge("b1", "x1", "in"), Edge("b1", "e1", "in"), Edge("e1", "r1"),
...            Edge("r1", "x1")), tops=("b1",))
>>> print(b"".join(write([graph])).decode().rstrip())
%%% id = 7
b1 REF x1          % Dogs [0...4]
b1 dog "n.01" x1   % Dogs [0...4]
b1 REF e1          % bark [5...9]
b1 bark "v.01" e1  % bark [5...9]
b1 Agent e1 x1     % bark [5...9]
% . [9...10]

The layout has its limits: a constant is one node, a role has two arguments, and every
referent is in some box.  A graph that its clauses do not say is refused.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from graphscore.errors import InvalidGraphError
from graphscore.formats.base import Read
from graphscore.formats.meaning.drg import (
    BOX,
    CLAUSES,
    ITEM,
    LINES,
    NAMED,
    REFERENT,
    read,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.structures.discourse import CONCEPT, CONSTANT


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one record after the other.

    Args:
        graphs: of the framework ``drg``.

    Yields:
        The lines of each record, with the blank one after it.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        check_framework(graph, ("drg",), "DRG")
        with naming(graph):
            yield _kept(graph) or _made(graph)


def _kept(graph: Graph) -> bytes:
    """The lines that the graph was read from, if they still say it; else nothing."""
    numbered: list[tuple[int, str]] = []
    for node in graph.nodes:
        for name in (CLAUSES, LINES):
            numbered += kept_as(node.extra, name, list[tuple[int, str]], [])
    for lines in (
        [line for _, line in sorted(numbered)],
        # Under another id, or with other words in the header.
        [*_header(graph), *(line for _, line in sorted(numbered) if line[:3] != "%%%")],
    ):
        found = _bytes(lines)
        if numbered and _says(found, graph):
            return found
    return b""


def _says(data: bytes, graph: Graph) -> bool:
    """Whether a record reads as a graph."""
    records = list(read(io.BytesIO(data), ""))
    return len(records) == 1 and all(
        isinstance(each, Read)
        and (each.graph.id, each.graph.text) == (graph.id, graph.text)
        and each.graph.digest() == graph.digest()
        for each in records
    )


def _bytes(lines: Iterable[str]) -> bytes:
    return ("\n".join(lines) + "\n\n").encode()


def _header(graph: Graph) -> list[str]:
    """The lines that name the item and its sentence."""
    found = []
    if graph.id:
        found.append(f"%%% {'' if ITEM.fullmatch(graph.id) else NAMED}{graph.id}")
    sentence = graph.extra.get("sentence") or ("" if graph.tokens else graph.text)
    if sentence:
        found.append(f"%%% {' '.join(str(sentence).split())}")
    return found


def _made(graph: Graph) -> bytes:
    """Clauses for a graph from elsewhere."""
    clauses = list(_Laid(graph).clauses())
    width = max((len(clause) for clause, _ in clauses), default=0)
    lines = _header(graph)
    said: set[Anchor] = set()
    for clause, anchors in clauses:
        said.update(anchors)
        comment = " ".join(_token(graph, anchor) for anchor in anchors)
        lines.append(f"{clause:<{width}}  % {comment}" if comment else clause)
    rest = [anchor for anchor in graph.tokens if anchor not in said]
    lines += [f"% {_token(graph, anchor)}" for anchor in rest]
    return _bytes(lines)


def _token(graph: Graph, anchor: Anchor) -> str:
    """A token with its place; where there is no text its place is all that is known."""
    words = graph.text[anchor.start : anchor.end].replace(" ", "~").strip() or "~"
    return f"{words} [{anchor.start}...{anchor.end}]"


def _is_role(node: Node) -> bool:
    """Whether a node is a role: its label is no concept and no constant."""
    label = str(node.label or "")
    return bool(label) and not (CONCEPT.fullmatch(label) or CONSTANT.fullmatch(label))


class _Laid:
    """The nodes of a graph by what they are, and what they are called in clauses."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self.roles = {node.id for node in graph.nodes if _is_role(node)}
        self.boxes = {edge.source for edge in graph.edges if edge.label}
        self.boxes |= {
            edge.target for edge in graph.edges if edge.label and edge.label != "in"
        } | set(graph.tops)
        self.boxes |= {each for each in self.nodes if BOX.fullmatch(str(each))}
        self.names = self._names()
        self.holders: dict[NodeId, list[NodeId]] = {}
        for edge in graph.edges:
            if edge.label == "in":
                self.holders.setdefault(edge.target, []).append(edge.source)

    def _names(self) -> dict[NodeId, str]:
        """Variables and constants; ids that are variables are kept."""
        found: dict[NodeId, str] = {}
        taken = {str(node) for node in self.nodes}
        for node in self.graph.nodes:
            is_box = node.id in self.boxes
            shape, letter = (BOX, "b") if is_box else (REFERENT, "x")
            if node.id in self.roles:
                continue
            if CONSTANT.fullmatch(str(node.label)):
                found[node.id] = str(node.label)
            elif isinstance(node.id, str) and (
                shape.fullmatch(node.id) or (is_box and node.id.isdecimal())
            ):
                found[node.id] = node.id
            else:
                number = 1
                while f"{letter}{number}" in taken:
                    number += 1
                found[node.id] = f"{letter}{number}"
                taken.add(found[node.id])
        return found

    def clauses(self) -> Iterator[tuple[str, tuple[Anchor, ...]]]:
        """The clauses in the order of the edges, with their anchors."""
        seen: set[NodeId] = set()
        for edge in self.graph.edges:
            source, target = edge.source, edge.target
            if edge.label == "in":
                if target not in self.roles:
                    yield from self._held(source, self.nodes[target], target in seen)
                    seen.add(target)
            elif edge.label:
                words = f"{self._name(source)} {edge.label} {self._name(target)}"
                yield words, edge.anchors
            elif target in self.roles and target not in seen:
                seen.add(target)
                yield self._role(target), self.nodes[target].anchors

    def _held(
        self, box: NodeId, node: Node, again: bool
    ) -> Iterator[tuple[str, tuple[Anchor, ...]]]:
        """A referent in a box, with its concepts where it comes first."""
        name = self._name(node.id)
        yield f"{self._name(box)} REF {name}", node.anchors
        concepts = (node.label, *(value for _, value in node.properties))
        for concept in concepts if node.label is not None and not again else ():
            parts = CONCEPT.fullmatch(str(concept))
            if parts is None:
                raise InvalidGraphError(f"the concept {concept!r}", "such as dog.n.01")
            yield f'{self._name(box)} {parts[1]} "{parts[2]}" {name}', node.anchors

    def _role(self, role: NodeId) -> str:
        """A role with its two arguments."""
        edges: list[Edge] = [e for e in self.graph.edges if not e.label]
        first = [edge.source for edge in edges if edge.target == role]
        second = [edge.target for edge in edges if edge.source == role]
        label = self.nodes[role].label
        if len(first) != 1 or len(second) != 1:
            found = f"the role {label} with {len(first)} and {len(second)} arguments"
            raise InvalidGraphError(found, "one on either side")
        boxes = self.holders.get(role) or self.holders.get(first[0], [])
        if len(boxes) != 1:
            raise InvalidGraphError(f"the role {label} in {len(boxes)} boxes", "one")
        names = map(self._name, (boxes[0], first[0], second[0]))
        box, one, two = names
        return f"{box} {label} {one} {two}"

    def _name(self, node: NodeId) -> str:
        if node not in self.names:
            raise InvalidGraphError(f"the role {node!r} as an argument", "a referent")
        return self.names[node]
