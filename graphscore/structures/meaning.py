"""Meaning representations as sets of propositions over variables (section 4).

>>> bark = AMR(frozenset({Prop("instance", Var("b"), "bark-01"),
...                       Prop("instance", Var("d"), "dog"),
...                       Prop("ARG0", Var("b"), Var("d"))}))
>>> graph = amr_graph(bark)
>>> [(node.id, node.label) for node in graph.nodes], graph.edges[0].label
([('b', 'bark-01'), ('d', 'dog')], 'ARG0')
>>> amr_of(graph) == bark
True
"""

from __future__ import annotations

from dataclasses import dataclass

from graphscore.model.graph import Edge, Graph, Node, Value
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.variables import Var

INSTANCE = "instance"
"""The relation of a variable to its concept."""

TOP = "TOP"
"""The relation of the top variable to its concept."""

Concept = str | int | float
"""Concept of a variable: a word, a name or a number."""


@dataclass(frozen=True)
class Prop:
    """A proposition.

    Args:
        rel: ``instance``, ``ARG0``, ``polarity``...
        subj: the variable that it is said of.
        obj: another variable, a concept or a constant.
    """

    rel: str
    subj: Var
    obj: Var | Concept


@dataclass(frozen=True)
class AMR:
    """A meaning as propositions (SMATCH, eq. 35).

    Args:
        props: the propositions.
    """

    props: frozenset[Prop]


def amr_graph(amr: AMR, *, id: str = "", document: str = "", text: str = "") -> Graph:
    """Lay propositions out as a graph of the framework ``amr``.

    Args:
        amr: the propositions.
        id: the item.
        document: the document that it belongs to.
        text: the sentence.

    Raises:
        StructureError: if a variable has two concepts, or a proposition cannot be
            part of such a graph.
    """
    props = sorted(
        amr.props, key=lambda prop: (prop.rel, prop.subj.name, str(prop.obj))
    )
    labels: dict[str, Value] = {}
    properties: dict[str, list[tuple[str, Value]]] = {}
    edges, tops = [], []
    for prop in props:
        name = prop.subj.name
        properties.setdefault(name, [])
        if isinstance(prop.obj, Var):
            properties.setdefault(prop.obj.name, [])
            edges.append(Edge(name, prop.obj.name, prop.rel))
        elif prop.rel == TOP:
            tops.append(name)
        elif prop.rel != INSTANCE:
            properties[name].append((prop.rel, prop.obj))
        elif labels.setdefault(name, prop.obj) != prop.obj:
            conflict = f"the concepts {labels[name]!r} and {prop.obj!r}"
            raise StructureError(f"variable {name}", conflict, "one")
    for prop in props:
        if prop.rel == TOP and prop.obj != labels.get(prop.subj.name):
            raise StructureError(
                f"variable {prop.subj.name}",
                f"the top {prop.obj!r}",
                f"its concept, {labels.get(prop.subj.name)!r}",
            )
    nodes = tuple(
        Node(name, labels.get(name), tuple(properties[name]))
        for name in sorted(properties)
    )
    return Graph(id, "amr", 2, "", document, text, (), nodes, tuple(edges), tuple(tops))


def amr_of(graph: Graph, *, top: bool = True) -> AMR:
    """The propositions of a graph, as its nodes, properties and edges say them.

    An edge whose normal reading is the other way round (``ARG0-of``) is read so.

    Args:
        graph: a graph, usually of the framework ``amr``.
        top: whether there is a proposition ``TOP`` for each top.

    Raises:
        StructureError: if a constant is neither a word nor a number.
    """
    names = {node.id: Var(str(node.id)) for node in graph.nodes}
    result = set()
    for node in graph.nodes:
        if node.label is not None:
            result.add(Prop(INSTANCE, names[node.id], _concept(node, node.label)))
        if top and node.id in graph.tops and node.label is not None:
            result.add(Prop(TOP, names[node.id], _concept(node, node.label)))
        for name, value in node.properties:
            result.add(Prop(name, names[node.id], _concept(node, value)))
    for edge in graph.edges:
        ends = names[edge.source], names[edge.target]
        if edge.normal is not None and edge.normal != edge.label:
            result.add(Prop(str(edge.normal), *ends[::-1]))
        else:
            result.add(Prop("" if edge.label is None else str(edge.label), *ends))
    return AMR(frozenset(result))


def _concept(node: Node, value: Value) -> Concept:
    if value is None or isinstance(value, bool):
        raise StructureError(f"node {node.id!r}", f"{value!r}", "a word or a number")
    return value
