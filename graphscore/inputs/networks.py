"""Graphs of networkx and rustworkx, also those that were not made here.

Of a node ``label`` is its label, ``top`` (or ``tops`` of the graph) says that it is a
top, ``anchors`` are its characters, and whatever else is said of it is a property; of
an edge ``label`` is its label and the rest are attributes.  ``id``, ``framework``,
``text``, ``document`` and ``language`` of the graph are those of the item.

>>> import networkx
>>> network = networkx.DiGraph(id="1", framework="amr", tops=["b"])
>>> network.add_node("b", label="bark-01")
>>> network.add_node("d", label="dog", polarity="-")
>>> network.add_edge("b", "d", label="ARG0")
>>> [graph] = from_networks([network])
>>> graph.nodes[1].properties, graph.edges[0].label, graph.tops
((('polarity', '-'),), 'ARG0', ('b',))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from graphscore.inputs.base import names_of, refusal
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Value
from graphscore.model.interchange import from_networkx, from_rustworkx

PLAIN = "graph"
"""The framework of graphs that do not say it."""

_UNDIRECTED = "a graph without directions"

_OF_NODES = ("label", "top", "anchors")

_OF_GRAPHS = ("id", "framework", "text", "document", "language")


def from_networks(
    networks: Iterable[Any],
    *,
    framework: str = "",
    ids: Iterable[Any] | None = None,
    name: str = "networks",
) -> list[Graph]:
    """Directed graphs of networkx or rustworkx.

    Args:
        networks: one for each item; :func:`graphscore.to_networkx` and
            :func:`graphscore.to_rustworkx` make such that are kept as they are.
        framework: what they are where they do not say it.
        ids: the id of each item; without, what each graph says.
        name: what messages call them.

    Returns:
        A graph for each.

    Raises:
        InputError: if one is not directed, or says something that no graph can hold.
    """
    items = list(networks)
    result = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        graph = _read(name, f"[{number}]", item, framework or PLAIN)
        result.append(msgspec.structs.replace(graph, id=id) if id else graph)
    return result


def _read(name: str, where: str, network: Any, framework: str) -> Graph:
    import networkx
    import rustworkx

    if isinstance(network, rustworkx.PyDiGraph):
        if isinstance(network.attrs, Graph):
            return from_rustworkx(network)
        nodes = [(k, network.get_node_data(k)) for k in network.node_indices()]
        edges = network.weighted_edge_list()
        return _build_graph(name, where, network.attrs, nodes, edges, framework)
    if isinstance(network, rustworkx.PyGraph):
        raise refusal(name, where, _UNDIRECTED, "a directed one: PyDiGraph")
    if not isinstance(network, networkx.Graph):
        raise refusal(name, where, repr(network), "a graph of networkx or rustworkx")
    if not network.is_directed():
        expected = "a directed one: DiGraph or MultiDiGraph"
        raise refusal(name, where, _UNDIRECTED, expected)
    if isinstance(network.graph.get("graph"), Graph) and network.is_multigraph():
        return from_networkx(network)
    return _build_graph(
        name,
        where,
        network.graph,
        list(network.nodes(data=True)),
        list(network.edges(data=True)),
        framework,
    )


def _build_graph(
    name: str,
    where: str,
    about: Any,
    nodes: list[tuple[Any, Any]],
    edges: Iterable[tuple[Any, Any, Any]],
    framework: str,
) -> Graph:
    """A graph of what two libraries say in the same words."""
    fields = about if isinstance(about, Mapping) else {}
    for field in _OF_GRAPHS:
        if field in fields and not isinstance(fields[field], str | int):
            raise refusal(name, where, f"{field} {fields[field]!r}", "a string")
    ids = _ids(name, where, [node_id for node_id, _ in nodes])
    said_tops = fields.get("tops", ())
    if isinstance(said_tops, str) or not isinstance(said_tops, Iterable):
        raise refusal(name, where, f"tops {said_tops!r}", "a list of nodes")
    tops = [ids[said_top] for said_top in said_tops if said_top in ids]
    result = []
    for id, content in nodes:
        location = f"{where}: node {id!r}"
        data = _data_of(content)
        if data.get("top") and ids[id] not in tops:
            tops.append(ids[id])
        result.append(
            Node(
                ids[id],
                _value(name, location, data.get("label")),
                tuple(_pairs(name, location, data, _OF_NODES)),
                tuple(_anchors(name, location, data.get("anchors", ()))),
            )
        )
    links = []
    for source, target, content in edges:
        location = f"{where}: edge {source!r} to {target!r}"
        data = _data_of(content)
        label = _value(name, location, data.get("label"))
        attributes = tuple(_pairs(name, location, data, ("label",)))
        links.append(Edge(ids[source], ids[target], label, attributes=attributes))
    return Graph(
        str(fields.get("id", "")),
        str(fields.get("framework", framework)),
        None,
        str(fields.get("language", "")),
        str(fields.get("document", "")),
        str(fields.get("text", "")),
        (),
        tuple(result),
        tuple(links),
        tuple(tops),
    )


def _ids(name: str, where: str, nodes: list[Any]) -> dict[Any, NodeId]:
    """Return the ids of nodes: numbers and strings as they are, others as printed."""
    node_ids: dict[Any, NodeId] = {}
    taken: dict[NodeId, Any] = {}
    for node in nodes:
        whole = _to_python(node)
        id = whole if isinstance(whole, int | str) else str(node)
        if id in taken:
            both = f"nodes {taken[id]!r} and {node!r}"
            raise refusal(name, where, both, "such as are written differently")
        node_ids[node], taken[id] = id, node
    return node_ids


def _to_python(value: Any) -> Any:
    """Return a scalar of numpy, or the like, as a Python value."""
    return value.item() if type(value).__module__ == "numpy" else value


def _data_of(content: Any) -> Mapping[Any, Any]:
    """Return the data of a node or an edge; what is no mapping is its label."""
    if isinstance(content, Mapping):
        return content
    return {} if content is None else {"label": content}


def _pairs(
    name: str, where: str, data: Mapping[Any, Any], others: tuple[str, ...]
) -> Iterator[tuple[str, Value]]:
    for key, value in data.items():
        if key not in others and value is not None:
            yield str(key), _value(name, f"{where}, {key}", value)


def _value(name: str, where: str, value: Any) -> Value:
    bare = _to_python(value)
    if bare is None or isinstance(bare, str | int | float | bool):
        return bare
    raise refusal(name, where, repr(value), "a string or a number")


def _anchors(name: str, where: str, ranges: Any) -> Iterator[Anchor]:
    if not isinstance(ranges, Iterable):
        raise refusal(name, f"{where}, anchors", repr(ranges), "pairs of characters")
    for range_ in ranges:
        try:
            start, end = range_
            yield Anchor(int(start), int(end))
        except (TypeError, ValueError):
            expected = "a pair of characters"
            raise refusal(name, f"{where}, anchors", repr(range_), expected) from None
