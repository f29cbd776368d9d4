r"""Templates whose slots are filled by entities: GRIT, GTT and IterX alike.

A slot has a list of entities, an entity a list of mentions; a mention is its
words alone, or its words and where they begin in the text::

    {"incident_type": "attack", "PerpInd": [["criminals"]],
     "Victim": [[["enrique lopez", 14], ["lopez", 21]]]}

A mention whose words stand where the file says is anchored there; any other one
is its words, with the place as the property ``offset``.  Every slot has entities
of its own, as the format does not say when two of them are the same.

>>> line = JsonLine("a.jsonl", 1, b"", item="d1")
>>> read = template(line, "$", {"Victim": [["max", "he"]], "Target": []})
>>> graph = build(line, "", [read])
>>> [node.properties for node in graph.nodes] # doctest: +NORMALIZE_WHITESPACE
[(('kind', 'mention'), ('text', 'max')), (('kind', 'mention'), ('text', 'he')),
 (('kind', 'entity'),), (('kind', 'template'),)]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[(2, 'mention', 0), (2, 'mention', 1), (3, 'Victim', 2)]
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphscore.folding import shown
from graphscore.formats.shared.json_lines import JsonLine
from graphscore.formats.shared.records import Draft
from graphscore.formats.shared.span_fields import misplaced
from graphscore.model.graph import Anchor, Graph, NodeId, Pairs, Value
from graphscore.structures.layout import Argument, Extra, LayoutBuilder

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
