"""Spans without a type, and what messages say of them."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.tags import TYPE_KEYS, is_tagged
from graphscore.structures.layout import ENTITY, KIND, MENTION

EXPECTED_TYPE = f"a type under one of the keys {', '.join(TYPE_KEYS)}"
"""Expectation in messages about a span without a type."""


def untyped(keys: Sequence[str]) -> str:
    """Return what messages say of a span without a type.

    Args:
        keys: the keys that it has.

    Example:
        >>> untyped(["start", "end"]), untyped([])
        ('no type among the keys start, end', 'a range without a type')
    """
    if not keys:
        return "a range without a type"
    more = f" and {len(keys) - 12} more" if len(keys) > 12 else ""
    return f"no type among the keys {', '.join(keys[:12])}{more}"


_SPANS = ((KIND, MENTION), (KIND, ENTITY))
"""Kinds of the nodes that are typed spans: flat ones, and those of trees."""


def without_type(graph: Graph) -> tuple[Node | None, bool]:
    """Return the first span of a graph, if none has a type, and whether any has one.

    Tags without a type say so themselves.

    Args:
        graph: any graph.
    """
    first: Node | None = None
    for node in graph.nodes:
        if not node.properties or node.properties[0] not in _SPANS:
            continue
        if node.label not in (None, ""):
            return None, True
        if first is None and not is_tagged(node):
            first = node
    return first, False
