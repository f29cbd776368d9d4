"""Differences of equivalent graphs: orders, types and repetitions.

:func:`~graphscore.formats.graph_diff.likeness` says whether a graph that was written
and read again says what was given.  Where it does, it need not be the same graph:
nodes and edges keep their order, values their JSON type, and a property may stand
there twice. A format without a place for these loses them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from graphscore.model.graph import Graph, Pairs, Value, json_type


class Part(NamedTuple):
    """A node or an edge, which is compared with those that say the same."""

    description: Hashable
    """Key of a comparison: equal for equal nodes and edges of the other graph.
    """
    label: Value
    """The label of a node, where labels count."""
    pairs: Pairs
    """Its properties or attributes, those of which the other graph has the names."""
    ends: tuple[Any, ...] = ()
    """Source, target, label and normal label of an edge, as written.

    The edge may be that of its inverse.
    """


Both = tuple[Sequence[Part], Sequence[Part]]
"""Parts before and after a round trip."""


def spell_value(value: Any) -> str | None:
    """A value as files without types have it; nothing for no value.

    Args:
        value: a label, or what a property says.

    >>> spell_value("a"), spell_value(3.0), spell_value(True), spell_value(None)
    ('a', '3', 'true', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return msgspec.json.encode(value).decode()


def spelled_pairs(pairs: Pairs) -> list[tuple[str, str]]:
    """Properties or attributes with their values as files without types have them."""
    return [
        (name, "null" if value is None else spell_value(value) or "")
        for name, value in pairs
    ]


def repeated_edges(graph: Graph) -> int:
    """Return the number of repeated edges of a graph."""
    return len(graph.edges) - len({(e.source, e.target, e.label) for e in graph.edges})


def repeated_properties(graph: Graph, names: Collection[str]) -> int:
    """Return the number of properties of some names behind the first of their node."""
    kept = [[n for n, _ in node.properties if n in names] for node in graph.nodes]
    return sum(len(of_node) - len({*of_node}) for of_node in kept)


def particulars(nodes: Both, standing: Both, called: Both) -> Iterator[str]:
    """Yield the losses of equivalent graphs, or as far as they are equivalent.

    Args:
        nodes: their nodes.
        standing: their edges, nodes called by their places.
        called: their edges, nodes called by what they say.

    Yields:
        Orders, repetitions, types and directions, in words.
    """
    same_order = _descriptions(nodes[0]) == _descriptions(nodes[1])
    same_places = _same_view(standing, _descriptions)
    if not _in_order(nodes) or (
        same_order and not same_places and _same_view(called, _descriptions)
    ):
        yield "order of nodes"
    edges = standing if same_order and same_places else called
    if not _in_order(edges):
        yield "order of edges"
    if turned := _loss_of_direction(edges):
        yield f"{turned} of edges"
    yield from _values(nodes, "properties")
    yield from _values(edges, "attributes")


def _values(parts: Both, what: str) -> Iterator[str]:
    common = _common(parts)
    if not _same_view(common, _repetitions):
        yield f"repeated {what}"
    elif not _same_view(common, _with_ordered_pairs):
        yield f"order of {what}"
    if not _same_view(common, _types):
        yield "types of values"


def _loss_of_direction(edges: Both) -> str:
    """Return the loss of edges that are the same in the normal direction."""
    common = _common(edges)
    for size, what in ((4, ""), (3, "normal labels"), (2, "labels")):
        if _same_view(common, partial(_ends, size=size)):
            return what
    return "directions"


def _common(parts: Both) -> Both:
    """The parts of which both graphs have equally many that say the same."""
    counts, back_counts = (Counter(part.description for part in side) for side in parts)
    if counts == back_counts:
        return parts
    originals, returned = (
        [p for p in s if counts[p.description] == back_counts[p.description]]
        for s in parts
    )
    return originals, returned


def _in_order(parts: Both) -> bool:
    originals, returned = _common(parts)
    return _descriptions(originals) == _descriptions(returned)


def _same_view(
    parts: Both, seen: Callable[[Sequence[Part]], Iterable[Hashable]]
) -> bool:
    """Return whether a view of the parts is the same, in whatever order."""
    originals, returned = parts
    return Counter(seen(originals)) == Counter(seen(returned))


def _descriptions(parts: Sequence[Part]) -> list[Hashable]:
    return [part.description for part in parts]


def _ends(parts: Sequence[Part], size: int) -> list[Hashable]:
    return [part.ends[:size] for part in parts]


def _with_ordered_pairs(parts: Sequence[Part]) -> list[Hashable]:
    return [(part.description, *spelled_pairs(part.pairs)) for part in parts]


def _repetitions(parts: Sequence[Part]) -> list[Hashable]:
    return [(part.description, *sorted(spelled_pairs(part.pairs))) for part in parts]


def _types(parts: Sequence[Part]) -> list[Hashable]:
    return [
        (
            part.description,
            json_type(part.label)[0],
            frozenset((name, json_type(value)) for name, value in part.pairs),
        )
        for part in parts
    ]
