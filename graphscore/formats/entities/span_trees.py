r"""Entity trees as mentions with places: JSON lines of spans, and brat.

Both are read and written as their formats without trees are
(:mod:`graphscore.formats.entities.spans_jsonl`,
:mod:`graphscore.formats.extraction.brat`), and what they hold is nested
(:func:`nest_mentions`).

In JSON a span may say its ``kind`` (``entity`` or ``component``), its ``literal`` type,
its ``id``, and the id of its ``parent`` (``null`` for none); where any says ``parent``,
nesting is by ids, else by containment.  In brat a relation ``part`` from the whole to
the part says so, and an attribute ``component`` or ``entity`` what a mention is.

A format of ranges has mentions, one beside the other.  Which of them is a component is
said by the mention (``kind``, or a property ``component``), else by an inventory of
tags; what that does not have is an entity.  What a mention is a child of is said by the
file, for all of its mentions or for none.  Where it does not say so, the smallest
entity around it is its parent: one that begins no later and ends no sooner.  Entities
over the same characters are within each other in the order of the file, components
within them.

>>> import io
>>> data = b'{"text": "Paris", "entities": [[0, 5, "loc"], [0, 5, "name"]]}'
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [(node.label, node.properties[0][1]) for node in record.graph.nodes]
[('loc', 'entity'), ('name', 'component')]
>>> import json
>>> json.loads(b"".join(write([record.graph])))["spans"][1]
{'id': 1, 'kind': 'component', 'parent': 0, 'start': 0, 'end': 5, 'label': 'name'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO

import msgspec

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError, Problem
from graphscore.formats.base import Reader, ReadGraph, Record, Rejected
from graphscore.formats.entities import spans_jsonl
from graphscore.formats.entities.inventories import QUAERO, Inventory
from graphscore.formats.writing import check_framework, lines_of_graphs, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.entities.trees import ETREE, LITERAL
from graphscore.structures.layout import (
    COMPONENT,
    ENTITY,
    KIND,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    first_of,
    kind_of,
)

ID, PARENT, PART, PROPERTIES = "id", "parent", "part", "properties"

_OWN = (ID, PARENT, PROPERTIES)

WHOLE_ROLE, PART_ROLE = "Arg1", "Arg2"
"""Roles of a relation of brat."""


def reader_with(inventory: Inventory) -> Reader:
    """The reader of JSON lines under an inventory of tags.

    Args:
        inventory: which labels are components, where spans do not say so.
    """

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        def made(graph: Graph) -> Graph:
            return _number_nodes(
                _without(nest_mentions(graph, inventory, _stated_parents(graph)))
            )

        yield from spans_jsonl.read_as(stream, name, ETREE, made)

    return read


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file of JSON lines whose labels are those of QUAERO."""
    return reader_with(QUAERO)(stream, name)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write trees as JSON lines.

    Args:
        graphs: of the framework ``etree``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    called = "a text with spans that are nested"
    return lines_of_graphs(
        graphs, ETREE, called, lambda graph: spans_jsonl.fields_of(_with_ids(graph))
    )


def brat_reader_with(inventory: Inventory) -> Reader:
    """The reader of brat's files under an inventory of tags.

    Args:
        inventory: which labels are components, where mentions do not say so.
    """

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        from graphscore.formats.extraction import brat

        layers: dict[str, Record] = {}
        data = stream.read()
        for record in brat.read(BytesIO(data), name):
            found = record.graph if isinstance(record, ReadGraph) else record
            layers[found.framework] = record
        bad = [layer for layer in layers.values() if isinstance(layer, Rejected)]
        if bad:
            problems = tuple(
                problem for rejected in bad for problem in rejected.problems
            )
            yield bad[0]._replace(problems=problems, framework=ETREE, layer="")
            return
        mentions, relations = layers[NER], layers[RELATIONS]
        assert isinstance(mentions, ReadGraph)
        assert isinstance(relations, ReadGraph)
        graph = mentions.graph
        try:
            made = nest_mentions(graph, inventory, _parents_of(relations.graph))
        except InvalidGraphError as error:
            problem = Problem(name, 1, None, "", error.found, error.expected)
            yield Rejected(1, (problem,), data, ETREE, graph.id)
            return
        left_out = mentions.left_out + relations.left_out
        notes = mentions.notes + relations.notes
        yield ReadGraph(1, _without(made), left_out, notes)

    return read


def read_brat(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The record of a file of brat's whose labels are those of QUAERO."""
    return brat_reader_with(QUAERO)(stream, name)


def write_brat(graphs: Iterable[Graph]) -> Iterator[tuple[str, bytes]]:
    """Write trees as brat does, two files each.

    Relations say what is part of what only where containment does not.

    Args:
        graphs: of the framework ``etree``.

    Yields:
        Names and contents: annotations, then their text.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    from graphscore.formats.extraction.brat.write import write

    for graph in graphs:
        check_framework(graph, (ETREE,), "brat's annotations of entity trees")
        with naming(graph):
            layers = _brat_layers(graph)
        yield from write(layers)


def brat_lost(graph: Graph) -> tuple[str, ...]:
    """List the fields of a tree that are not written.

    Args:
        graph: of the framework ``etree``.
    """
    from graphscore.formats.extraction.brat.write import lost

    # Words are found again in the text, if they are those that anybody finds.
    result = lost(graph)
    same = graph.tokens == words_of(graph.text)
    return tuple(what for what in result if not (same and what == "tokens"))


def _without(graph: Graph) -> Graph:
    """A tree whose nodes no longer say what its edges do, and have all properties."""
    nodes = []
    for node in graph.nodes:
        kept = tuple(pair for pair in node.extra if pair[0] not in _OWN)
        more = _properties(dict(node.extra).get(PROPERTIES, []))
        properties = (*node.properties, *more)
        nodes.append(msgspec.structs.replace(node, properties=properties, extra=kept))
    return msgspec.structs.replace(graph, nodes=tuple(nodes))


def _properties(pairs: Any) -> Pairs:
    """Properties that spans have no other place for, as pairs."""
    if not isinstance(pairs, list):
        raise InvalidGraphError(f"properties {shown(pairs)}", "pairs of name and value")
    for pair in pairs:
        is_pair = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
        if (
            not is_pair
            or isinstance(pair[1], list | dict)
            or pair[0] in (KIND, LITERAL)
        ):
            raise InvalidGraphError(f"a property {shown(pair)}", "[name, value]")
    return tuple((name, value) for name, value in pairs)


def _number_nodes(graph: Graph) -> Graph:
    """A tree whose nodes have the numbers of their places."""
    ids = {node.id: number for number, node in enumerate(graph.nodes)}
    replace = msgspec.structs.replace
    return replace(
        graph,
        nodes=tuple(replace(node, id=ids[node.id]) for node in graph.nodes),
        edges=tuple(
            replace(edge, source=ids[edge.source], target=ids[edge.target])
            for edge in graph.edges
        ),
    )


def _stated_parents(graph: Graph) -> dict[NodeId, NodeId] | None:
    """The parents that spans say, if any does."""
    extras = {node.id: dict(node.extra) for node in graph.nodes}
    if not any(PARENT in extra for extra in extras.values()):
        return None
    known: dict[object, NodeId] = {}
    for node, extra in extras.items():
        id = extra.get(ID)
        if id is None:
            continue
        if type(id) not in (int, str):
            raise InvalidGraphError(f"an id {shown(id)}", "a number or a string")
        if id in known:
            raise InvalidGraphError(f"two spans with the id {shown(id)}", "one")
        known[id] = node
    node_ids: dict[NodeId, NodeId] = {}
    for node, extra in extras.items():
        parent = extra.get(PARENT)
        if parent is None:
            continue
        if type(parent) not in (int, str) or parent not in known:
            raise InvalidGraphError(f"a parent {shown(parent)}", "the id of a span")
        node_ids[node] = known[parent]
    return node_ids


def _parents_of(graph: Graph) -> dict[NodeId, NodeId] | None:
    """The parents that relations of brat say, if there are any."""
    ends: dict[NodeId, dict[str, NodeId]] = {
        node.id: {}
        for node in graph.nodes
        if kind_of(node) == RELATION and str(node.label).casefold() == PART
    }
    for edge in graph.edges:
        if edge.source in ends:
            ends[edge.source][str(edge.label)] = edge.target
    node_ids: dict[NodeId, NodeId] = {}
    for relation, value in ends.items():
        if value.keys() != {WHOLE_ROLE, PART_ROLE}:
            expected = f"{WHOLE_ROLE} and {PART_ROLE}"
            raise InvalidGraphError(f"{relation!r} from {', '.join(value)}", expected)
        if value[PART_ROLE] in node_ids:
            raise InvalidGraphError(f"{value[PART_ROLE]!r} part of two", "of one")
        node_ids[value[PART_ROLE]] = value[WHOLE_ROLE]
    return node_ids or None


def _with_ids(graph: Graph) -> Graph:
    """The mentions of a tree, which say what they are and what they are within."""
    ids = {node.id: number for number, node in enumerate(graph.nodes)}
    parents = parents_of(graph)
    nodes = []
    for tree, node in zip(graph.nodes, flatten(graph).nodes, strict=True):
        parent = parents.get(node.id)
        extra: dict[str, Any] = {
            ID: ids[node.id],
            KIND: kind_of(tree),
            PARENT: None if parent is None else ids[parent],
        }
        properties, more = [], []
        for name, value in node.properties:
            if name == LITERAL and LITERAL not in extra:
                extra[LITERAL] = value
            elif name in (KIND, AUTHORITY, *spans_jsonl.NUMBERS):
                properties.append((name, value))
            else:
                more.append([name, value])
        if more:
            extra[PROPERTIES] = more
        extra |= {name: x for name, x in node.extra if name not in extra}
        nodes.append(
            msgspec.structs.replace(
                node, properties=tuple(properties), extra=tuple(extra.items())
            )
        )
    return msgspec.structs.replace(flatten(graph), nodes=tuple(nodes))


def _brat_layers(graph: Graph) -> list[Graph]:
    """The mentions of a tree, and relations where containment says something else."""
    mentions, parents = flatten(graph), parents_of(graph)
    names = {node.id: f"T{number + 1}" for number, node in enumerate(graph.nodes)}
    nodes = []
    for tree, node in zip(graph.nodes, mentions.nodes, strict=True):
        kind = kind_of(tree)
        properties = node.properties
        if (QUAERO.kind_of(str(node.label)) or ENTITY) != kind:
            properties = (*properties, (str(kind), True))
        nodes.append(
            msgspec.structs.replace(node, id=names[node.id], properties=properties)
        )
    made = msgspec.structs.replace(mentions, nodes=tuple(nodes))
    node_ids: dict[NodeId, NodeId] = {
        names[child]: names[parent] for child, parent in parents.items()
    }
    if parents_of(nest_mentions(made)) == node_ids:
        return [made]
    if not node_ids:
        raise InvalidGraphError("entities within others that are apart", "trees")
    return [made, _parts(made, node_ids)]


def _parts(graph: Graph, parents: Mapping[NodeId, NodeId]) -> Graph:
    """The layer of relations."""
    nodes, edges = list(graph.nodes), []
    for number, (child, parent) in enumerate(parents.items()):
        name = f"R{number + 1}"
        nodes.append(Node(name, PART, ((KIND, RELATION),)))
        edges += [Edge(name, parent, WHOLE_ROLE), Edge(name, child, PART_ROLE)]
    return msgspec.structs.replace(
        graph, framework=RELATIONS, nodes=tuple(nodes), edges=tuple(edges)
    )


Parents = Mapping[NodeId, NodeId]
"""Parent of each mention, by ids."""

_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> tuple[Anchor, ...]:
    """The words of a text, whatever is annotated in it: letters, or a single mark.

    >>> ["l'an 2010."[a:b] for a, b in words_of("l'an 2010.")]
    ['l', "'", 'an', '2010', '.']
    """
    return tuple(Anchor(*words.span()) for words in _WORD.finditer(text))


def nest_mentions(
    graph: Graph, inventory: Inventory = QUAERO, parents: Parents | None = None
) -> Graph:
    """The trees of some mentions.

    Args:
        graph: of the framework ``ner``; its tokens are kept, or else :func:`words_of`.
        inventory: which labels are components, where mentions do not say so.
        parents: what each mention is a child of; ``None``: by containment.

    Returns:
        A graph of the framework ``etree``, parents before their children.

    Raises:
        InvalidGraphError: if a parent is not there, is no entity, or is within its own
            children; or a mention is nowhere, or of a kind that there is not.

    Example:
        >>> from graphscore.structures.layout import LayoutBuilder
        >>> build = LayoutBuilder()
        >>> spans = [("name", 9, 13), ("func.ind", 0, 13), ("loc", 9, 13)]
        >>> for label, start, end in spans:
        ...     _ = build.mention(label, [Anchor(start, end)])
        >>> graph = build.graph("1", "ner", text="maire de Lyon")
        >>> tree = nest_mentions(graph, QUAERO)
        >>> [node.label for node in tree.nodes]
        ['func.ind', 'loc', 'name']
        >>> [(edge.source, edge.label, edge.target) for edge in tree.edges]
        [(1, 'entity', 2), (2, 'component', 0)]
        >>> [graph.text[start:end] for start, end in tree.tokens]
        ['maire', 'de', 'Lyon']
    """
    kinds = {node.id: _kind(node, inventory) for node in graph.nodes}
    for node in graph.nodes:
        if not node.anchors:
            raise InvalidGraphError(f"a mention {node.id!r} without a place", "a range")
    ordered = sorted(
        enumerate(graph.nodes),
        key=lambda numbered: (
            *_ends(numbered[1]),
            kinds[numbered[1].id] == COMPONENT,
            numbered[0],
        ),
    )
    nodes = [node for _, node in ordered]
    parent_of = _containers(nodes, kinds) if parents is None else dict(parents)
    _check(parent_of, kinds)
    below: dict[NodeId | None, list[Node]] = {}
    for node in nodes:
        below.setdefault(parent_of.get(node.id), []).append(node)
    made: list[Node] = []
    edges: list[Edge] = []
    waiting = below.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        made.append(_tree_node(node, kinds[node.id]))
        if node.id in parent_of:
            edges.append(Edge(parent_of[node.id], node.id, kinds[node.id]))
        waiting += below.get(node.id, [])[::-1]
    if len(made) < len(nodes):
        ids = {node.id for node in made}
        lost = next(node.id for node in nodes if node.id not in ids)
        raise InvalidGraphError(f"{lost!r} within itself", "a parent around it")
    return msgspec.structs.replace(
        graph,
        framework=ETREE,
        flavor=1,
        tokens=graph.tokens or words_of(graph.text),
        nodes=tuple(made),
        edges=tuple(edges),
    )


def parents_of(graph: Graph) -> dict[NodeId, NodeId]:
    """Return the parent of each node of a tree.

    Args:
        graph: of the framework ``etree``.

    Raises:
        InvalidGraphError: if a node has two parents.
    """
    node_ids: dict[NodeId, NodeId] = {}
    for edge in graph.edges:
        if edge.target in node_ids:
            raise InvalidGraphError(f"two edges to {edge.target!r}", "one at most")
        node_ids[edge.target] = edge.source
    return node_ids


def flatten(graph: Graph) -> Graph:
    """The mentions of a tree, entities and components alike, as they stand in it.

    Args:
        graph: of the framework ``etree``.

    Returns:
        A graph of the framework ``ner`` without edges; the kind of each is not said.

    Raises:
        InvalidGraphError: if there are other nodes.
    """
    nodes = []
    for node in graph.nodes:
        if kind_of(node) not in (ENTITY, COMPONENT):
            found = f"a node {node.id!r} of kind {kind_of(node)!r}"
            raise InvalidGraphError(found, "an entity or a component")
        properties = tuple(pair for pair in node.properties if pair[0] != KIND)
        pairs = ((KIND, MENTION), *properties)
        nodes.append(msgspec.structs.replace(node, properties=pairs))
    return msgspec.structs.replace(graph, framework=NER, nodes=tuple(nodes), edges=())


def _kind(node: Node, inventory: Inventory) -> str:
    """Return the category of a mention: entity or component."""
    stated_kind: Any = dict(node.extra).get(KIND)
    if stated_kind is not None and stated_kind not in (ENTITY, COMPONENT):
        raise InvalidGraphError(
            f"a kind {stated_kind!r}", f"{ENTITY!r} or {COMPONENT!r}"
        )
    if stated_kind is not None:
        return str(stated_kind)
    for kind in (COMPONENT, ENTITY):
        if first_of(node.properties, kind) is not None:
            return kind
    return inventory.kind_of(str(node.label)) or ENTITY


def _ends(node: Node) -> tuple[int, int]:
    """Return a sort key of a mention: its start, and its end in descending order."""
    start = min(anchor.start for anchor in node.anchors)
    return start, -max(anchor.end for anchor in node.anchors)


def _containers(nodes: list[Node], kinds: Mapping[NodeId, str]) -> dict[NodeId, NodeId]:
    """The smallest entity around each mention.

    Args:
        nodes: as they begin, longer ones first.
        kinds: of each.
    """
    node_ids: dict[NodeId, NodeId] = {}
    open_: list[tuple[int, NodeId]] = []
    for node in nodes:
        start, end = _ends(node)
        open_ = [entity for entity in open_ if entity[0] > start]
        around = [entity for entity in open_ if entity[0] >= -end]
        if around:
            # Those that cross others may be anywhere among them.
            shortest = min(entity[0] for entity in around)
            node_ids[node.id] = [id for last, id in around if last == shortest][-1]
        if kinds[node.id] == ENTITY:
            open_.append((-end, node.id))
    return node_ids


def _check(parents: Parents, kinds: Mapping[NodeId, str]) -> None:
    for child, parent in parents.items():
        for end in (child, parent):
            if end not in kinds:
                raise InvalidGraphError(f"a parent of or for {end!r}", "a mention")
        if kinds[parent] != ENTITY:
            found = f"{child!r} within {parent!r}, a component"
            raise InvalidGraphError(found, "an entity around it")


def _tree_node(node: Node, kind: str) -> Node:
    """A mention as a node of a tree."""
    extra = dict(node.extra)
    properties = [
        pair for pair in node.properties if pair[0] not in (KIND, ENTITY, COMPONENT)
    ]
    literal = extra.pop(LITERAL, None)
    if literal is not None:
        if kind == COMPONENT or not isinstance(literal, str):
            found = f"a literal type {literal!r} of {node.id!r}"
            raise InvalidGraphError(found, "a string, of an entity")
        properties.insert(0, (LITERAL, literal))
    extra.pop(KIND, None)
    return msgspec.structs.replace(
        node, properties=((KIND, kind), *properties), extra=tuple(extra.items())
    )
