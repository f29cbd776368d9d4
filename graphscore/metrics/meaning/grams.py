"""The n-grams of a graph as SemBleu takes them: labels, and paths along edges.

Edges whose label ends with ``-of`` are turned round.  Nodes that can be reached from
those without an edge that leads to them begin n-grams: their label alone, and every
path of one and of two different edges from there.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> nodes = Node(0, "Want"), Node(1, "boy", (("mod", "young"),)), Node(2, "go")
>>> edges = Edge(0, 1, "ARG0"), Edge(1, 2, "ARG0-of")
>>> bags = Bags(Graph("1", "amr", nodes=nodes, edges=edges), leaves=True)
>>> [sorted(bag) for bag in bags.counted(3)][1:]
[['boy :mod young', 'go :ARG0 boy', 'want :ARG0 boy'], ['go :ARG0 boy :mod young', \
'want :ARG0 boy :mod young']]
>>> bags.length
7
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from graphscore.metrics.meaning.larger import spell
from graphscore.model.graph import Graph, Value
from graphscore.model.normalize import fold

INVERSE = "-of"


class Link(NamedTuple):
    """An edge in its base direction, or a property that leads to its value."""

    label: str
    """As n-grams have it: with a colon."""
    target: int
    """Number of the node or leaf where it ends."""
    edge: int
    """Ordinal of the edge; -1 for a property."""


class Gram(NamedTuple):
    """An n-gram where it occurs."""

    says: str
    """What is compared."""
    what: str
    """What it is a row of: ``node``, ``edge``, ``path``, or ``leaf`` where it begins
    with a property."""
    ordinal: int
    """Of that node, of the node of the leaf, or of the first edge."""
    label: Value
    """Of its first node; of a leaf, its value."""
    shown: str


class Bags:
    """The n-grams of one graph.

    Args:
        graph: any graph.
        leaves: whether properties are edges to leaves, which their values label.

    Attributes:
        graph: where they come from.
        length: how many nodes, leaves and edges it has.
    """

    __slots__ = ("graph", "labels", "length", "links", "owners", "reached")

    def __init__(self, graph: Graph, leaves: bool) -> None:
        self.graph = graph
        self.labels = [_words(node.label) for node in graph.nodes]
        self.owners = list(range(len(self.labels)))
        """The node of each leaf; a node is its own."""
        place = graph.ordinals()
        ends = [
            (place[edge.source], place[edge.target], edge.label, number)
            for number, edge in enumerate(graph.edges)
        ]
        if leaves:
            for node, each in enumerate(graph.nodes):
                for name, value in each.properties:
                    ends.append((node, len(self.labels), name, -1))
                    self.labels.append(_words(value))
                    self.owners.append(node)
        self.links: list[list[Link]] = [[] for _ in self.labels]
        led = set()
        for source, target, said, number in ends:
            label = "" if said is None else " ".join(str(said).split())
            if label.endswith(INVERSE):
                label = label.replace(INVERSE, "")
                source, target = target, source
            if not label.startswith(":"):
                label = f":{label}"
            self.links[source].append(Link(label, target, number))
            led.add(target)
        self.length = len(self.labels) + len(ends)
        self.reached = self._reached(led, place)

    def _reached(self, led: set[int], place: dict[int | str, int]) -> list[int]:
        """Nodes and leaves that paths begin at, in order.

        Args:
            led: those that an edge leads to.
            place: numbers of nodes by id.
        """
        every = range(len(self.labels))
        if len(led) == len(every):
            # Cycles everywhere: begin at the top, as the file begins with it.
            roots = [place[top] for top in self.graph.tops][:1] or [*every[:1]]
        else:
            roots = [node for node in every if node not in led]
        found, queue = set(roots), roots
        while queue:
            more = {link.target for node in queue for link in self.links[node]} - found
            found |= more
            queue = [*more]
        return sorted(found)

    def counted(self, longest: int) -> list[Counter[str]]:
        """How often each n-gram is said, length by length.

        Args:
            longest: the number of nodes on the longest.
        """
        labels, links = self.labels, self.links
        bags = [Counter([labels[node] for node in self.reached])]
        paths: list[str] = []
        longer: list[str] = []
        for node in self.reached if longest > 1 else ():
            said = labels[node]
            for first in links[node]:
                path = f"{said} {first.label} {labels[first.target]}"
                paths.append(path)
                if longest > 2:
                    longer += [
                        f"{path} {link.label} {labels[link.target]}"
                        for link in links[first.target]
                        # By identity: equal edges are two of them.
                        if link is not first
                    ]
        return [*bags, Counter(paths), Counter(longer)][:longest]

    def grams(self, longest: int) -> list[list[Gram]]:
        """Every n-gram where it occurs, length by length.

        Args:
            longest: the number of nodes on the longest.
        """
        found: list[list[Gram]] = [[], [], []]
        for node in self.reached:
            is_node = node < len(self.graph.nodes)
            what, owner = "node" if is_node else "leaf", self.owners[node]
            found[0].append(
                Gram(self.labels[node], what, owner, self._label(node), self._at(node))
            )
            for path in self._paths(node, longest):
                says, shown = self.labels[node], self._at(node)
                for link in path:
                    says += f" {link.label} {self.labels[link.target]}"
                    shown += f" -{link.label[1:]}-> {self._at(link.target)}"
                first = path[0].edge
                sort = "leaf" if first < 0 else "edge" if len(path) == 1 else "path"
                # A property that was turned round begins at its leaf.
                end = path[0].target if is_node else node
                at = first if first >= 0 else self.owners[end]
                found[len(path)].append(Gram(says, sort, at, self._label(node), shown))
        return found[:longest]

    def _paths(self, node: int, longest: int) -> Iterator[tuple[Link, ...]]:
        for first in self.links[node] if longest > 1 else ():
            yield (first,)
            if longest > 2:
                for link in self.links[first.target]:
                    if link is not first:
                        yield first, link

    def _label(self, node: int) -> Value:
        nodes = self.graph.nodes
        return nodes[node].label if node < len(nodes) else self.labels[node]

    def _at(self, node: int) -> str:
        return spell(self.labels[node] or None)


def _words(value: Value) -> str:
    """A label as it is compared: small letters, single blanks; nothing if absent.

    >>> _words("New  York"), _words(None), _words(-1)
    ('new york', '', '-1')
    """
    return "" if value is None else " ".join(fold(value).split())
