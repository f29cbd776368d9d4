r"""Templates whose slots are filled by entities: GRIT, GTT and IterX alike.

A slot has a list of entities, an entity a list of mentions; a mention is its
words alone, or its words and where they begin in the text::

    {"incident_type": "attack", "PerpInd": [["criminals"]],
     "Victim": [[["enrique lopez", 14], ["lopez", 21]]]}

A mention whose words stand where the file says is anchored there; any other one
is its words, with the place as the property ``offset``.  Every slot has entities
of its own, as the format does not say when two of them are the same.

What was read from predictions is written as predictions again, anything else as gold.
Only what has its place is written: templates, their types, slots, entities, and
mentions as words with their place.  An entity in several slots is written in each of
them.

>>> line = JsonLine("a.jsonl", 1, b"", item="d1")
>>> read = template(line, "$", {"Victim": [["max", "he"]], "Target": []})
>>> graph = build(line, "", [read])
>>> [node.properties for node in graph.nodes] # doctest: +NORMALIZE_WHITESPACE
[(('kind', 'mention'), ('text', 'max')), (('kind', 'mention'), ('text', 'he')),
 (('kind', 'entity'),), (('kind', 'template'),)]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[(2, 'mention', 0), (2, 'mention', 1), (3, 'Victim', 2)]
>>> b"".join(write_templates([graph])).partition(b'"templates":')[2]
b'[{"Victim":[["max","he"]],"Target":[]}]}\n'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from graphscore.errors import InvalidGraphError
from graphscore.folding import shown
from graphscore.formats.shared.json_lines import JsonLine
from graphscore.formats.shared.layers import Layer, kept, kept_as, own_of
from graphscore.formats.shared.records import Draft
from graphscore.formats.shared.span_fields import misplaced
from graphscore.formats.writing import (
    check_framework,
    encode,
    gold_or_predicted,
    naming,
)
from graphscore.model.graph import Anchor, Graph, Node, NodeId, Pairs, Value
from graphscore.structures.layout import (
    ENTITY,
    MENTION,
    TEMPLATE,
    TEXT,
    Argument,
    Extra,
    LayoutBuilder,
)

TEMPLATES = "template"
"""The framework."""

TYPE = "incident_type"
"""The key with a template's type."""

SPANS = "template-spans"
"""A key of IterX's own, which is no slot."""

KEYS = "keys"
"""Where ``extra`` of a template keeps its keys, empty slots among them."""

REST = "span"
"""Where ``extra`` of a mention keeps what follows its first character."""

OFFSET = "offset"
"""The property with the place of a mention that does not stand there."""

PREDICTED = "predicted"
"""What ``extra`` of a graph has that was read from predictions."""

DOCID, DOCTEXT = "docid", "doctext"

EXTRACTS, SEVERAL = "extracts", "templates"
"""The keys of GRIT and of GTT; with a prefix in predictions."""

PRED, GOLD = "pred_", "gold_"
"""What keys begin with in predictions."""

OWN = "document"
"""Where ``extra`` of a graph keeps the further fields of the document."""

_MENTION = "a string, or a list of a string and its first character"


class Filler(NamedTuple):
    """A mention as the file has it."""

    words: str
    start: int | None = None
    """Its first character, if the file says so."""
    rest: tuple[Any, ...] = ()
    """What follows: IterX has the last character, tokens and the type."""


class Template(NamedTuple):
    """A template as the file has it."""

    type: Value
    slots: tuple[tuple[str, tuple[tuple[Filler, ...], ...]], ...]
    """Names, and the mentions of each entity."""
    extra: Extra = ()


def template(line: JsonLine, where: str, value: Any, typed: bool = True) -> Template:
    """Read one template; what is wrong with it becomes problems of the line.

    Args:
        line: the line it stands in.
        where: its place there.
        value: its JSON value.
        typed: whether ``incident_type`` is its type and no slot.
    """
    kind: Value = None
    slots: list[tuple[str, tuple[tuple[Filler, ...], ...]]] = []
    extra: list[tuple[str, Any]] = []
    if not isinstance(value, dict):
        line.add(where, shown(value), "an object of slots")
        return Template(kind, ())
    for name, filled in value.items():
        place = f"{where}.{name}"
        if typed and name == TYPE:
            if isinstance(filled, str):
                kind = filled
            else:
                line.add(place, shown(filled), "a string")
        elif name == SPANS:
            extra.append((SPANS, filled))
        else:
            entities = [
                _entity(line, each, entity)
                for each, entity in line.elements(place, filled)
            ]
            slots.append((name, tuple(entities)))
    return Template(kind, tuple(slots), ((KEYS, list(value)), *extra))


def templates(line: JsonLine, where: str, value: Any) -> list[Template]:
    """Read a list of templates.

    Args:
        line: the line it stands in.
        where: its place there.
        value: its JSON value.
    """
    found = line.elements(where, value)
    return [template(line, place, each) for place, each in found]


def _entity(line: JsonLine, where: str, value: Any) -> tuple[Filler, ...]:
    found: list[Filler] = []
    for place, each in line.elements(where, value):
        if isinstance(each, str):
            found.append(Filler(each))
            continue
        parts = each if isinstance(each, list) else []
        words, start = [*parts, None, None][:2]
        if isinstance(words, str) and (type(start) is int or len(parts) == 1):
            found.append(Filler(words, start, tuple(parts[2:])))
        else:
            line.add(place, shown(each), _MENTION)
    return tuple(found)


def build(
    line: Draft, text: str, found: list[Template], extra: dict[str, Any] | None = None
) -> Graph:
    """The graph of a document: mentions, then entities, then templates.

    Args:
        line: the record, which gets a note where a mention is not at its place.
        text: the document's text, empty if there is none.
        found: its templates, in order.
        extra: further fields of the document.
    """
    graph = LayoutBuilder()
    filled: list[list[Argument]] = []
    for each in found:
        filled.append([])
        for slot, entities in each.slots:
            for entity in entities:
                mentions = [_mention(line, slot, graph, text, x) for x in entity]
                filled[-1].append(Argument(slot, graph.entity(mentions)))
    for each, arguments in zip(found, filled, strict=True):
        graph.template(each.type, arguments, extra=each.extra)
    item = line.item
    return graph.graph(item, TEMPLATES, document=item, text=text, extra=extra)


def _mention(
    line: Draft, slot: str, graph: LayoutBuilder, text: str, filler: Filler
) -> NodeId:
    words, start, rest = filler
    anchors: list[Anchor] = []
    more: Pairs = ()
    if start is not None:
        end = start + len(words)
        if words and start >= 0 and text[start:end] == words:
            anchors = [Anchor(start, end)]
        else:
            more = ((OFFSET, start),)
            wrong = misplaced(words, start, end, text) if text and words else None
            if wrong is not None:
                # What is compared is its words.
                line.add(slot, *wrong)
                line.pass_over("other words at the place of a mention")
    extra: Extra = ((REST, list(rest)),) if rest else ()
    return graph.mention(None, anchors, more, text=words, extra=extra)


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
