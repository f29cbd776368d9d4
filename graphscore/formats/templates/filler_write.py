r"""Templates with entities as fillers, as GRIT, GTT and IterX write them.

What was read from predictions becomes predictions again, anything else gold.
Only what has its place is written: templates, their types, slots, entities, and
mentions as words with their place.  An entity in several slots is written in each
of them, as these formats cannot say that it is the same.

>>> from graphscore.formats.shared.records import Draft
>>> from graphscore.formats.templates.fillers import Filler, Template, build
>>> victim = Template("attack", (("Victim", ((Filler("max", 0),),)),))
>>> graph = build(Draft("a.jsonl", 1, item="d1"), "max left", [victim])
>>> data = b"".join(write_templates([graph]))
>>> data.partition(b'"templates":')[2]
b'[{"incident_type":"attack","Victim":[[["max",0]]]}]}\n'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.shared.layers import Layer, kept, kept_as, own_of
from graphscore.formats.templates.fillers import (
    KEYS,
    OFFSET,
    PREDICTED,
    REST,
    SPANS,
    TEMPLATES,
    TYPE,
)
from graphscore.formats.templates.grit import (
    DOCID,
    DOCTEXT,
    EXTRACTS,
    OWN,
    PRED,
    SEVERAL,
)
from graphscore.formats.writing import (
    check_framework,
    encode,
    gold_or_predicted,
    naming,
)
from graphscore.model.graph import Graph, Node, NodeId
from graphscore.structures.layout import (
    ENTITY,
    MENTION,
    TEMPLATE,
    TEXT,
)


def write_extracts(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as GRIT does: each with its only template, which has no type.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines of gold, or one object of predictions in pieces.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from _file(graphs, "GRIT", EXTRACTS, _only)


def write_templates(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as GTT does, with any number of templates.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines of gold, or one object of predictions in pieces.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from _file(graphs, "GTT", SEVERAL, templates_of)


def write_lines(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as IterX does: with a text as gold, without as predictions.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        check_framework(graph, (TEMPLATES,), "IterX")
        if graph.text:
            yield _gold(graph, SEVERAL, templates_of(graph))
        else:
            yield encode({graph.id: templates_of(graph)}) + b"\n"


def templates_of(graph: Graph) -> list[dict[str, Any]]:
    """The templates of a graph as JSON.

    Args:
        graph: templates, entities and mentions in the layout.

    Raises:
        InvalidGraphError: if something in it has no place there.
    """
    with naming(graph):
        kinds = (MENTION, ENTITY, TEMPLATE)
        return _Templates(graph, kinds, "mentions, entities and templates").templates()


def _file(
    graphs: Iterable[Graph], named: str, key: str, make: Callable[[Graph], Any]
) -> Iterator[bytes]:
    """The lines of gold, or the object of predictions."""
    kind: bool | None = None
    for graph in graphs:
        check_framework(graph, (TEMPLATES,), named)
        predicted = gold_or_predicted(graph, PREDICTED, kind, named)
        if predicted:
            yield b"{" if kind is None else b",\n "
            text = {DOCTEXT: graph.text} if graph.text else {}
            fields = {**text, **kept(graph.extra, OWN), PRED + key: make(graph)}
            yield encode(graph.id) + b":" + encode(fields)
        else:
            yield _gold(graph, key, make(graph))
        kind = predicted
    if kind:
        yield b"}\n"


def _only(graph: Graph) -> dict[str, Any]:
    found = templates_of(graph)
    if len(found) != 1:
        shown = f"{len(found) or 'no'} templates in item {graph.id!r}"
        raise InvalidGraphError(shown, "one template without a type")
    return found[0]


def _gold(graph: Graph, key: str, found: Any) -> bytes:
    fields = {DOCID: graph.id, DOCTEXT: graph.text, key: found}
    return encode({**kept(graph.extra, OWN), **fields}) + b"\n"


class _Templates(Layer):
    """The templates of one graph on their way to JSON."""

    def templates(self) -> list[dict[str, Any]]:
        """All templates, in order."""
        return [self._template(node) for node in self.of(TEMPLATE)]

    def _template(self, node: Node) -> dict[str, Any]:
        extra = dict(node.extra)
        slots: dict[str, list[Any]] = {}
        for edge in self.edges(node.id):
            named = isinstance(edge.label, str) and edge.label not in (TYPE, SPANS)
            if not named or not self.is_a(ENTITY, edge.target):
                found = f"a slot {edge.label!r} of template {node.id!r}"
                raise InvalidGraphError(found, "a name, and an entity")
            slots.setdefault(str(edge.label), []).append(self._entity(edge.target))
        found_type = {} if node.label is None else {TYPE: node.label}
        spans = {SPANS: extra[SPANS]} if SPANS in extra else {}
        filled: dict[str, Any] = {**found_type, **slots, **spans}
        # Slots that nothing fills, and the order in which the file had them.
        keys = kept_as(extra, KEYS, list[str], [])
        order = [key for key in keys if key in filled or key not in (TYPE, SPANS)]
        return {key: filled.get(key, []) for key in dict.fromkeys([*order, *filled])}

    def _entity(self, name: NodeId) -> list[Any]:
        return list(map(self._mention, self.mentions(self.nodes[name])))

    def _mention(self, node: Node) -> Any:
        own = own_of(node)
        rest = kept_as(node.extra, REST, list[Any], [])
        words, start = own.get(TEXT), own.get(OFFSET)
        if len(node.anchors) == 1:
            [(start, end)] = node.anchors
            words = self.graph.text[start:end]
        return words if start is None else [words, start, *rest]
