"""Objects of one's own dataclasses as graphs, and back.

An object becomes a node labelled by its class.  Literals in its fields become
properties, other objects become nodes at the end of edges; fields give both their
names.  A sequence gives an edge or a property for each item, in order; a set does
so in an order that depends on nothing but its items::

    Relation("founded", Mention(0, 4), Mention(14, 17))

    node 0 Relation  type=founded       edge 0 -subj-> 1
    node 1 Mention   left=0 right=4     edge 0 -obj->  2
    node 2 Mention   left=14 right=17   top 0

Objects that are equal and cannot change are one node; so a variable (:class:`Var`)
is one node wherever it occurs.

>>> from graphscore.structures.extraction import Mention, Relation, RelationSet
>>> founded = Relation("founded", Mention(0, 4), Mention(14, 17))
>>> graph = to_graph(RelationSet(frozenset({founded})), id="s1")
>>> [(node.label, dict(node.properties)) for node in graph.nodes[1:3]]
[('Relation', {'type': 'founded'}), ('Mention', {'left': 0, 'right': 4})]
>>> from_graph(graph, RelationSet).relations == {founded}
True
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Any, TypeVar

from graphscore.model.graph import Edge, Graph, Node, Value
from graphscore.structures.layout import OBJECT
from graphscore.structures.objects.annotations import record_of
from graphscore.structures.objects.field_types import (
    Choices,
    Record,
    Scalar,
    Shape,
    StructureError,
)
from graphscore.structures.objects.from_graph import Reader
from graphscore.structures.objects.to_graph import (
    VALUE,
    Keys,
    Slot,
    flat,
    items_of,
    option_of,
    plain,
    plain_items,
    slots_of,
    stored,
)
from graphscore.structures.objects.variables import Var

UNANCHORED = 2

T = TypeVar("T")


def to_graph(
    obj: Any,
    cls: Any = None,
    *,
    id: str = "",
    document: str = "",
    language: str = "",
    text: str = "",
) -> Graph:
    """Lay an object out as a graph.

    Args:
        obj: an instance of a dataclass.
        cls: its class, where that does not say all: ``SlotFiller[Mention]``.
        id: the item.
        document: the document that it belongs to.
        language: ISO code, empty when absent.
        text: the text that it is about.

    Returns:
        A graph of the framework ``structure`` whose top is the object.

    Raises:
        StructureError: if it is no dataclass, if a field holds something else
            than it says, if an annotation says nothing that a graph can hold, or
            if the object contains itself.
    """
    shape = record_of(type(obj) if cls is None else cls)
    try:
        writer = _Writer()
        top = writer.node(option_of(shape, obj, str(shape)), obj, str(shape))
    except RecursionError:
        raise _too_deep(str(shape)) from None
    return Graph(
        id,
        OBJECT,
        UNANCHORED,
        language,
        document,
        text,
        (),
        tuple(node for node in writer.nodes if node is not None),
        tuple(writer.edges),
        (top,),
    )


def from_graph(graph: Graph, cls: type[T]) -> T:
    """Read an object back from its graph.

    Args:
        graph: a graph as :func:`to_graph` makes it.
        cls: the class of the object, with arguments if it is generic.

    Returns:
        An object equal to the one that was laid out.

    Raises:
        StructureError: if the graph has something that the class has no place
            for, or lacks something that it needs.
    """
    shape = record_of(cls)
    try:
        result: T = Reader(graph).top(shape)
    except RecursionError:
        raise _too_deep(str(shape)) from None
    return result


def _too_deep(where: str) -> StructureError:
    return StructureError(
        where, "objects inside of objects without end", "some hundred levels at most"
    )


_Asked = tuple[Shape, Any, str]
"""A value whose node is asked for: its shape, the value, class and field."""

_Nodes = Generator[_Asked, int | None, int]
_Slots = Generator[_Asked, int | None, None]


class _Writer:
    """Builds the nodes and edges of one object."""

    def __init__(self) -> None:
        self.nodes: list[Node | None] = []
        self.edges: list[Edge] = []
        self._keys = Keys()
        self._known: dict[tuple[Shape, Hashable], int] = {}

    def node(self, option: Shape, value: Any, where: str) -> int:
        """The node of a value; that of an equal one if neither can change."""
        # Depth is that of the objects, so it must not be that of calls.
        stack = [self._node(option, value, where)]
        number: int | None = None
        while stack:
            try:
                inner = stack[-1].send(number)
            except StopIteration as end:
                stack.pop()
                number = end.value
            else:
                stack.append(self._node(*inner))
                number = None
        assert number is not None
        return number

    def _node(self, option: Shape, value: Any, where: str) -> _Nodes:
        known = self._keys.of(option, value, where)
        key = (option, known.number)
        if known.shared and key in self._known:
            return self._known[key]
        number = len(self.nodes)
        if known.shared:
            self._known[key] = number
        self.nodes.append(None)
        properties: list[tuple[str, Value]] = []
        if isinstance(option, (Scalar, Choices)):
            properties.append((VALUE, stored(option, value, where)))
        else:
            for slot in slots_of(option):
                whole = isinstance(option, Record)
                inner = getattr(value, slot.name) if whole else value
                yield from self._slot(number, slot, inner, properties)
        self.nodes[number] = Node(number, option.label, tuple(properties))
        return number

    def _slot(
        self, source: int, slot: Slot, value: Any, properties: list[tuple[str, Value]]
    ) -> _Slots:
        """Add what a node has under one name."""
        collection, optional = flat(slot.shape)
        values, shapes, bare = [value], [slot.shape], [plain(slot.shape)]
        if collection is not None and optional and value is None:
            bare = [frozenset((Scalar("None"),))]
        elif collection is not None:
            option_of(collection, value, slot.where)
            values = self._keys.in_order(collection, value, slot.where)
            shapes = items_of(collection, len(values))
            bare = plain_items(collection, len(values))
        for element, shape, allowed in zip(values, shapes, bare, strict=True):
            option = option_of(shape, element, slot.where)
            if option in allowed:
                properties.append((slot.name, stored(option, element, slot.where)))
            else:
                target = yield option, element, slot.where
                assert target is not None
                self.edges.append(Edge(source, target, slot.name))


__all__ = ["StructureError", "Var", "from_graph", "to_graph"]
